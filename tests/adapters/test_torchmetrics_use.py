"""Metrics of torchmetrics as users of it know them: names, arguments, copies, files, collections."""

import copy
import pickle
import subprocess
import sys

import pytest

import ordeval as oe

pytestmark = pytest.mark.full

OF_TABLES = [name for name, measure in oe.registry.items() if not measure.takes_probabilities]
OF_PROBABILITIES = [name for name, measure in oe.registry.items() if measure.takes_probabilities]


# --- what is refused at once ---


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_measures_of_probabilities_are_refused(name, adapter):
    with pytest.raises(oe.errors.ParameterError, match=f"{name}.* probabilities of each item"):
        adapter.metric(name, num_classes=5)


@pytest.mark.parametrize(
    ("preds", "target", "message"),
    [
        ([0, 1], "tensor", r"preds is \[0, 1\]; it must be a tensor"),
        ("tensor", [0, 1], r"target is \[0, 1\]; it must be a tensor"),
        ("complex", "tensor", "preds is 4 of torch.complex64; class indices are whole"),
        ("short", "tensor", "preds is 3 of torch.int64 and target is 4 of torch.int64"),
        ("wide", "tensor", "preds is 4 x 6 of torch.float32 and target is 4"),
        ("whole", "tensor", "preds is 4 x 5 of torch.int64; logits and prob"),
    ],
)
def test_what_is_no_batch_is_refused(preds, target, message, torch, adapter):
    tensors = {
        "tensor": torch.arange(4),
        "complex": torch.zeros(4, dtype=torch.complex64),
        "short": torch.arange(3),
        "wide": torch.zeros(4, 6),
        "whole": torch.zeros(4, 5, dtype=torch.int64),
    }
    given = [tensors[one] if isinstance(one, str) else one for one in (preds, target)]
    with pytest.raises((oe.errors.LabelError, oe.errors.LabelTypeError), match=message):
        adapter.CemOrd(5).update(*given)


def test_arguments_that_are_none_are_refused(adapter):
    with pytest.raises(oe.errors.ParameterError, match=r"a metric needs the classes once.*num_cl"):
        adapter.CemOrd()
    with pytest.raises(oe.errors.ParameterError, match="num_classes=1 is not a number of classes"):
        adapter.CemOrd(1)
    with pytest.raises(oe.errors.ParameterError, match=r"ignore_index=0\.5 cannot mark"):
        adapter.CemOrd(5, ignore_index=0.5)
    with pytest.raises(oe.errors.ParameterError, match="'cubic'"):
        adapter.WeightedKappa(5, weights="cubic")
    with pytest.raises(ValueError, match="weigths"):
        adapter.WeightedKappa(5, weigths="quadratic")
    with pytest.raises(oe.errors.ParameterError, match="OrdinalMetric is of no measure"):
        adapter.OrdinalMetric(5)
    with pytest.raises(oe.errors.MetricError, match="Did you mean cem_ord"):
        adapter.metric("cem_odr", 5)


@pytest.mark.filterwarnings("ignore:The ``compute`` method of metric:UserWarning")
def test_without_items_and_where_undefined_the_value_is_nan(torch, adapter):
    metric = adapter.KendallTauB(3, ignore_index=-1)
    assert metric.compute().isnan()
    metric.update(torch.tensor([0, 1]), torch.tensor([-1, -1]))
    assert metric.compute().isnan()
    metric.update(torch.tensor([0, 1]), torch.tensor([1, 1]))
    assert metric.compute().isnan()  # gold has one class


# --- names ---


def test_each_measure_has_a_class_that_is_found_by_its_name(adapter):
    classes = {name: adapter.class_of(oe.registry[name]) for name in OF_TABLES}
    assert len({each.__name__ for each in classes.values()}) == len(OF_TABLES)
    for name, each in classes.items():
        assert getattr(adapter, each.__name__) is each
        assert each.__name__ in dir(adapter)
        assert each.measure == oe.registry[name]
        assert not each.is_differentiable
        assert not each.full_state_update
    assert classes["kendall_tau_b"].__name__ == "KendallTauB"
    assert classes["macro_f1"].__doc__.startswith(oe.macro_f1.summary)
    for name in ("cem_ord", "Cem_Ord", "CemOdr", "RankedProbability"):
        assert not hasattr(adapter, name)


def test_a_measure_of_ones_own_is_a_metric_and_one_declared_again_is_another(torch, adapter):
    oe.measure(lambda counts: counts[..., 0, 0], greater_is_better=True, name="lowest_right")
    target, preds = torch.tensor([0, 0, 1, 2, 0]), torch.tensor([0, 1, 1, 0, 1])
    first = adapter.metric("lowest_right", num_classes=3)
    first.update(preds, target)
    oe.measure(lambda counts: counts[..., 0, 1], greater_is_better=False, name="lowest_right")
    second = adapter.metric("lowest_right", num_classes=3)
    second.update(preds, target)
    # of class 0 one item is answered 0, and two are answered 1
    assert (float(first.compute()), float(second.compute())) == (1.0, 2.0)
    assert (first.higher_is_better, second.higher_is_better) == (True, False)


def test_settings_are_shown(adapter):
    assert repr(adapter.WeightedKappa(5, weights="quadratic")) == (
        "WeightedKappa(num_classes=5, weights='quadratic')"
    )
    assert repr(adapter.CemOrd(labels=["low", "high"])) == "CemOrd(num_classes=2)"


def test_without_torchmetrics_the_error_names_the_extra():
    code = (
        "import sys; sys.modules['torchmetrics'] = None\n"
        "try:\n    import ordeval.adapters.torchmetrics\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "MissingPackageError" in done.stdout
    assert "pip install 'ordeval[torch]'" in done.stdout


# --- as a Metric ---


def test_a_metric_is_copied_pickled_saved_and_loaded(torch, adapter, batch, tmp_path):
    metric = adapter.WeightedKappa(5, weights="quadratic")
    metric.update(*batch)
    value = metric.compute()
    for other in (copy.deepcopy(metric), metric.clone(), pickle.loads(pickle.dumps(metric))):  # noqa: S301
        assert type(other) is type(metric)
        assert other.compute() == value
        other.update(*batch)
        assert other.counts.sum() == 400
    assert metric.counts.sum() == 200
    assert "counts" not in metric.state_dict()
    metric.persistent(mode=True)
    torch.save(metric.state_dict(), tmp_path / "state")
    loaded = adapter.WeightedKappa(5, weights="quadratic")
    loaded.persistent(mode=True)
    loaded.load_state_dict(torch.load(tmp_path / "state"))
    loaded.update(*batch)
    assert loaded.counts.tolist() == (2 * metric.counts).tolist()


def test_forward_gives_the_value_of_the_batch_and_keeps_all(adapter, batch):
    metric = adapter.Accuracy(5)
    first = metric(batch[0][:100], batch[1][:100])
    second = metric(batch[0][100:], batch[1][100:])
    assert first == (batch[0] == batch[1])[:100].double().mean()
    assert metric.compute() == pytest.approx((first + second) / 2)
    assert metric.update_count == 2
    metric.reset()
    assert metric.counts.sum() == 0


def test_metrics_are_added_and_merged(adapter, batch):
    first, second = adapter.Accuracy(5), adapter.Mae(5)
    both = first + second
    both.update(*batch)
    other = adapter.Accuracy(5)
    other.update(batch[1], batch[1])
    assert both.compute() == first.compute() + second.compute()
    other.merge_state(first)
    assert other.compute().item() == ((batch[0] == batch[1]).sum() + 200) / 400


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_keep_their_type_when_a_model_is_made_narrower(weighted, torch, adapter, batch):
    metric = adapter.CemOrd(5, weighted=weighted)
    model = torch.nn.ModuleDict({"metric": metric, "layer": torch.nn.Linear(1, 1)})
    given = (*batch, torch.full((200,), 1.1)) if weighted else batch
    metric.update(*given)
    before = metric.counts.clone()
    model.half().bfloat16().to(torch.bfloat16)
    metric.set_dtype(torch.float16)
    assert torch.equal(metric.counts, before)
    metric.reset()
    metric.update(*given)
    assert torch.equal(metric.counts, before)
    assert metric.counts.dtype == (torch.float64 if weighted else torch.int64)
    assert metric.to("meta").counts.device.type == "meta"


def test_updates_in_and_out_of_inference_mode_add_up(torch, adapter, batch):
    metric = adapter.CemOrd(5)
    with torch.inference_mode():
        metric.reset()
        metric.update(*batch)
    metric.update(*batch)
    assert metric.counts.sum() == 400


# --- collections ---


def test_a_collection_counts_each_batch_once(adapter, batch, monkeypatch):
    calls = []
    real = adapter.count_pairs
    monkeypatch.setattr(adapter, "count_pairs", lambda *args: calls.append(1) or real(*args))
    names = ["cem_ord", "qwk", "mae", "spearman"]
    metrics = adapter.collection(names, num_classes=5, prefix="val_")
    for _ in range(3):
        metrics.update(*batch)
    assert len(calls) == 3
    assert list(metrics.compute_groups) == [0]
    sides = [batch[1].tolist() * 3, batch[0].tolist() * 3]
    wanted = {f"val_{name}": oe.registry[name](*sides, labels=range(5)) for name in names}
    assert {name: value.item() for name, value in metrics.compute().items()} == pytest.approx(
        wanted
    )
    metrics.reset()
    assert metrics(*batch)["val_mae"].item() == oe.mae(batch[1], batch[0])


def test_metrics_of_one_scale_are_one_group_of_any_collection(adapter, batch):
    import torchmetrics

    metrics = torchmetrics.MetricCollection(
        [adapter.CemOrd(5), adapter.Mae(5), torchmetrics.classification.MulticlassAccuracy(5)]
    )
    metrics.update(*batch)
    metrics.update(*batch)
    assert sorted(map(sorted, metrics.compute_groups.values())) == [
        ["CemOrd", "Mae"],
        ["MulticlassAccuracy"],
    ]
    assert metrics.compute()["Mae"].item() == oe.mae(batch[1], batch[0])


def test_a_collection_names_its_results(adapter):
    assert set(adapter.collection("qwk", 5).keys()) == {"qwk"}
    assert set(adapter.collection([oe.mae], labels=[1, 2]).keys()) == {"mae"}
    assert set(adapter.collection({"a": "qwk", "b": oe.mae}, 5, postfix="_").keys()) == {"a_", "b_"}
    with pytest.raises(oe.errors.ParameterError, match="no measure was asked for"):
        adapter.collection([], 5)
    with pytest.raises(oe.errors.ParameterError, match=r"torch allows no dot in 'a\.b'"):
        adapter.collection({"a.b": "mae"}, 5)


def test_a_tracker_knows_which_value_is_best(torch, adapter):
    from torchmetrics.wrappers import MetricTracker

    target = torch.arange(6) % 3
    tracker = MetricTracker(adapter.collection(["accuracy", "mae"], num_classes=3))
    for wrong in (2, 0, 1):
        tracker.increment()
        preds = target.clone()
        preds[:wrong] = (target[:wrong] + 1) % 3
        tracker.update(preds, target)
    best, step = tracker.best_metric(return_step=True)
    assert (best, step) == ({"accuracy": 1.0, "mae": 0.0}, {"accuracy": 1, "mae": 1})
    assert MetricTracker(adapter.Mae(3)).maximize is False
