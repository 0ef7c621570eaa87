"""Measures as metrics of torchmetrics: what they count, what they compute, and what they refuse."""

import copy
import doctest
import pickle
import subprocess
import sys

import numpy as np
import pytest

import ordeval as oe

pytestmark = pytest.mark.full

# torch is installed by `make test-full` alone, so it is imported by the tests, and not as this file is read
OF_TABLES = [name for name, measure in oe.registry.items() if not measure.takes_probabilities]
OF_PROBABILITIES = [name for name, measure in oe.registry.items() if measure.takes_probabilities]
SETTINGS = ["weighted_kappa(weights='quadratic')", "krippendorff_alpha(level='interval')", "qwk"]
TYPES = ["uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64"]
SMALLEST = -(2**63)  # what NaN becomes as a whole number


@pytest.fixture(scope="module")
def torch():
    import torch

    torch.set_num_threads(1)
    return torch


@pytest.fixture(scope="module")
def adapter(torch):
    from ordeval.adapters import torchmetrics

    return torchmetrics


@pytest.fixture
def batch(torch):
    """Answers and gold of 200 items and 5 classes, with every class in gold."""
    generator = torch.Generator().manual_seed(0)
    target = torch.arange(200) % 5
    preds = (target + torch.randint(-1, 3, (200,), generator=generator)).clamp(0, 4)
    return preds, target


def counts_by_hand(preds, target, k):
    """Count pair by pair."""
    counts = np.zeros((k, k), dtype=int)
    for answer, gold in zip(preds, target, strict=True):
        counts[gold, answer] += 1
    return counts.tolist()


# --- values ---


@pytest.mark.parametrize("name", OF_TABLES + SETTINGS)
def test_a_metric_computes_what_the_measure_computes_from_labels(name, adapter, batch):
    preds, target = batch
    metric = adapter.metric(name, num_classes=5)
    metric.update(preds[:70], target[:70])
    metric.update(preds[70:], target[70:])
    measure = oe.registry[name]
    wanted = measure(target.tolist(), preds.tolist(), labels=range(5))
    assert metric.compute().item() == pytest.approx(wanted, rel=1e-12)
    assert type(metric).higher_is_better is measure.greater_is_better
    assert metric.measure == measure


@pytest.mark.parametrize(
    ("ours", "theirs", "options"),
    [
        ("cohen_kappa", "MulticlassCohenKappa", {}),
        ("weighted_kappa(weights='linear')", "MulticlassCohenKappa", {"weights": "linear"}),
        ("weighted_kappa(weights='quadratic')", "MulticlassCohenKappa", {"weights": "quadratic"}),
        ("accuracy", "MulticlassAccuracy", {"average": "micro"}),
        ("macro_accuracy", "MulticlassAccuracy", {"average": "macro"}),
        ("macro_f1", "MulticlassF1Score", {"average": "macro"}),
        ("macro_precision", "MulticlassPrecision", {"average": "macro"}),
    ],
)
def test_a_metric_agrees_with_that_of_torchmetrics(ours, theirs, options, adapter, batch):
    from torchmetrics import classification

    metric = adapter.metric(ours, 5)
    other = getattr(classification, theirs)(num_classes=5, **options)
    for half in (slice(None, 90), slice(90, None)):
        value, wanted = (one(batch[0][half], batch[1][half]).item() for one in (metric, other))
        assert value == pytest.approx(wanted, abs=1e-6)  # they compute in single precision
    assert metric.compute().item() == pytest.approx(other.compute().item(), abs=1e-6)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("mae", "MeanAbsoluteError"),
        ("mse", "MeanSquaredError"),
        ("pearson", "PearsonCorrCoef"),
        ("lin_ccc", "ConcordanceCorrCoef"),
        ("spearman", "SpearmanCorrCoef"),
    ],
)
@pytest.mark.filterwarnings("ignore:Metric `SpearmanCorrcoef` will save all:UserWarning")
def test_a_metric_agrees_with_that_of_torchmetrics_for_numbers(ours, theirs, adapter, batch):
    import torchmetrics

    preds, target = (side.double() for side in batch)
    wanted = getattr(torchmetrics, theirs)().set_dtype(preds.dtype)(preds, target).item()
    # their coefficient of Lin divides sums of squares by n - 1 = 199, and ours by n; some are in single precision
    close = {"lin_ccc": 1e-2}.get(ours, 1e-6)
    assert adapter.metric(ours, 5)(preds, target).item() == pytest.approx(wanted, rel=close)


def test_predictions_come_first_and_gold_second(torch, adapter):
    preds, target = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 1, 1])
    # class 0 is found 1 time of 1, class 1 is found 2 times of 3
    assert adapter.metric("macro_accuracy", 2)(preds, target).item() == pytest.approx(5 / 6)
    assert adapter.MacroAccuracy(2)(target=target, preds=preds).item() == pytest.approx(5 / 6)
    # the other way round: 1 of 2, and 2 of 2
    assert adapter.MacroAccuracy(2)(target, preds).item() == pytest.approx(3 / 4)
    assert adapter.MacroAccuracy(2).update(preds, target) is None
    logits = torch.nn.functional.one_hot(preds, 2).float()
    with pytest.raises(oe.errors.LabelError, match=r"Pass preds first, and then target"):
        adapter.MacroAccuracy(2).update(target, logits)


def test_values_of_the_classes_are_used(torch, adapter):
    metric = adapter.Mae(labels=["low", "mid", "high"], values=[0, 1, 10])
    metric.update(torch.tensor([2, 1]), torch.tensor([1, 1]))
    assert metric.compute().item() == (9 + 0) / 2
    assert metric.table().scale.labels == ("low", "mid", "high")


def test_the_table_is_that_of_the_labels_and_makes_intervals(adapter, batch):
    metric = adapter.CemOrd(labels=[1, 2, 3, 4, 5])
    metric.update(*batch)
    preds, target = (side + 1 for side in batch)
    wanted = oe.evaluate(target, preds, labels=[1, 2, 3, 4, 5], rng=0)["cem_ord"]
    found = oe.evaluate(metric.table(), rng=0)["cem_ord"]
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


# --- what is counted ---


@pytest.mark.parametrize("k", [2, 3, 8, 9, 16, 17, 100, 181, 182])
@pytest.mark.parametrize("n", [0, 1, 77, 20_001])
def test_pairs_are_counted_as_one_by_one_whatever_their_number(k, n, torch, adapter):
    generator = torch.Generator().manual_seed(k + n)
    preds, target = torch.randint(k, (2, n), generator=generator)
    metric = adapter.Accuracy(k)
    metric.update(preds, target)
    wanted = counts_by_hand(preds.tolist(), target.tolist(), k)
    assert metric.counts[:-1].reshape(k, k).tolist() == wanted
    assert metric.counts[-1] == 0


def test_more_than_a_million_pairs_are_counted_as_torchmetrics_does(torch, adapter):
    from torchmetrics.classification import MulticlassConfusionMatrix

    generator = torch.Generator().manual_seed(0)
    preds, target = torch.randint(12, (2, 1_300_003), generator=generator)
    ours, theirs = adapter.CemOrd(12), MulticlassConfusionMatrix(12)
    ours.update(preds, target)
    theirs.update(preds, target)
    assert (ours.counts[:-1].reshape(12, 12) == theirs.compute()).all()


@pytest.mark.parametrize("of_preds", TYPES)
@pytest.mark.parametrize("of_target", TYPES)
def test_whole_numbers_of_all_types_are_class_indices(of_preds, of_target, torch, adapter, batch):
    metric = adapter.CemOrd(5)
    metric.update(batch[0].to(getattr(torch, of_preds)), batch[1].to(getattr(torch, of_target)))
    wanted = counts_by_hand(*(side.tolist() for side in batch), 5)
    assert metric.table().counts.tolist() == wanted


def test_truth_values_are_the_classes_0_and_1(torch, adapter):
    preds, target = torch.tensor([True, False, True]), torch.tensor([True, True, True])
    metric = adapter.Accuracy(2)
    metric.update(preds, target)
    assert metric.table().counts.tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize("shape", [(200, 5), (200, 5, 3), (20, 5, 4, 2)])
@pytest.mark.parametrize("number", ["float32", "bfloat16", "float64"])
def test_of_logits_and_probabilities_the_largest_is_the_answer(shape, number, torch, adapter):
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(shape, generator=generator).to(getattr(torch, number)).requires_grad_()
    target = torch.randint(5, (shape[0], *shape[2:]), generator=generator)
    answers = np.argmax(np.moveaxis(logits.detach().double().numpy(), 1, -1), axis=-1)
    wanted = counts_by_hand(answers.ravel(), target.flatten().tolist(), 5)
    metric = adapter.CemOrd(5)
    for given in (logits, logits.softmax(dim=1)):
        metric.reset()
        metric.update(given, target)
        if number != "bfloat16":  # rounded, two probabilities may be equal
            assert metric.table().counts.tolist() == wanted
        assert metric.table().n == target.numel()
    metric.reset()
    metric.update(logits, target)
    assert metric.table().counts.tolist() == wanted


def test_extra_axes_are_flattened(adapter, batch):
    metric = adapter.CemOrd(5)
    metric.update(*(side.reshape(4, 5, 10) for side in batch))
    metric.update(batch[0][0], batch[1][0])  # tensors without axes
    assert metric.table().n == 201
    metric.update(*(side.reshape(20, 10).T for side in batch))  # not contiguous
    assert metric.table().counts.trace() == 2 * (batch[0] == batch[1]).sum() + (
        batch[0][0] == batch[1][0]
    )


OFF = [-1, 5, 6, 7, 255, -100, 2**40, 2**62, 2**63 - 1, SMALLEST, -(2**31), -7, 35, 42]


@pytest.mark.parametrize("label", OFF)
@pytest.mark.parametrize("side", [0, 1])
def test_a_label_that_is_not_a_class_is_an_error_when_the_metric_is_computed(
    label, side, torch, adapter, batch
):
    metric = adapter.CemOrd(5)
    metric.update(*batch)
    given = [one.clone() for one in batch]
    given[side][[3, 50]] = label
    metric.update(*given)
    assert metric.counts.sum() == 400
    with pytest.raises(
        oe.errors.LabelError, match=r"^2 items have a label .* 0, .*, to 4, and not"
    ):
        metric.compute()
    with pytest.raises(ValueError, match="2 items"):  # as users of torchmetrics expect
        metric.table()
    metric.reset()
    metric.update(*batch)
    assert metric.compute() > 0


@pytest.mark.parametrize("label", [float("nan"), float("inf"), -float("inf"), 1.5, -0.5, 4.5])
@pytest.mark.parametrize("side", [0, 1])
def test_a_number_that_is_not_whole_is_no_class(label, side, torch, adapter, batch):
    given = [one.float() for one in batch]
    given[side][17] = label
    metric = adapter.CemOrd(5)
    metric.update(*given)
    with pytest.raises(oe.errors.LabelError, match=r"^1 item has a label that is not a class"):
        metric.compute()


def test_a_class_of_301_in_half_precision_is_not_rounded_to_one_below(torch, adapter):
    metric = adapter.Accuracy(301)  # bfloat16 holds 300 and 302
    metric.update(torch.tensor([302.0]).bfloat16(), torch.tensor([300]))
    with pytest.raises(oe.errors.LabelError, match="not a class"):
        metric.compute()


def test_logits_that_hold_nan_are_no_answer(torch, adapter):
    logits = torch.tensor([[0.0, 1.0], [float("nan"), 1.0], [1.0, 0.0]])
    metric = adapter.Accuracy(2)
    metric.update(logits, torch.tensor([1, 1, 0]))
    with pytest.raises(oe.errors.LabelError, match=r"^1 item has a label"):
        metric.compute()


@pytest.mark.parametrize("ignore_index", [-100, 255, 0, 4, 1000])
@pytest.mark.parametrize("number", ["int64", "uint8", "int8", "float32", "bfloat16"])
def test_items_whose_target_is_to_be_ignored_are_left_out(
    ignore_index, number, torch, adapter, batch
):
    preds, target = batch[0], batch[1].clone().to(getattr(torch, number))
    holds = number == "int64" or target.is_floating_point()
    if holds or torch.iinfo(target.dtype).min <= ignore_index <= torch.iinfo(target.dtype).max:
        target[::7] = ignore_index
    pairs = [
        pair
        for pair in zip(preds.tolist(), target.tolist(), strict=True)
        if pair[1] != ignore_index
    ]
    wanted = counts_by_hand(*(map(int, side) for side in zip(*pairs, strict=True)), 5)
    metric = adapter.CemOrd(5, ignore_index=ignore_index)
    metric.update(preds, target)
    assert metric.table().counts.tolist() == wanted


def test_ignored_items_are_those_that_torchmetrics_ignores(torch, adapter, batch):
    from torchmetrics.classification import MulticlassConfusionMatrix

    preds, target = batch[0], batch[1].clone()
    target[::7] = -100
    for ignored in (-100, 2):
        kept = target if ignored == -100 else batch[1]
        theirs = MulticlassConfusionMatrix(5, ignore_index=ignored)
        ours = adapter.CemOrd(5, ignore_index=ignored)
        ours.update(preds, kept)
        assert ours.table().counts.tolist() == theirs(preds, kept).tolist()


# --- weights ---


@pytest.mark.parametrize("name", ["cem_ord", "kendall_tau_a", "krippendorff_alpha", "macro_mae"])
def test_weighted_items_count_by_their_weights(name, torch, adapter, batch):
    weight = torch.linspace(0, 3, 200)
    metric = adapter.metric(name, 5, weighted=True)
    for some in (slice(None, 60), slice(60, None)):
        metric.update(batch[0][some], batch[1][some], sample_weight=weight[some])
    sides = batch[1].numpy(), batch[0].numpy()
    wanted = oe.registry[name](*sides, sample_weight=weight.numpy(), labels=range(5))
    assert metric.compute().item() == pytest.approx(wanted)
    table = oe.Table.from_labels(*sides, sample_weight=weight.numpy(), labels=range(5))
    found = metric.table()
    assert (found.n, found.effective) == pytest.approx((table.n, table.effective))
    assert found.n == 199  # the item of weight 0 is not counted


def test_ignored_items_have_no_weight(torch, adapter):
    metric = adapter.Accuracy(2, weighted=True, ignore_index=-1)
    preds, target = torch.tensor([0, 1, 1]), torch.tensor([0, 0, -1])
    metric.update(preds, target, torch.tensor([3.0, 1.0, float("nan")]))
    assert metric.compute().item() == 3 / 4


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_an_error_when_the_metric_is_computed(
    weight, torch, adapter, batch
):
    weights = torch.ones(200)
    weights[9] = weight
    metric = adapter.CemOrd(5, weighted=True)
    metric.update(*batch, weights)
    with pytest.raises(oe.errors.LabelError, match=r"^1 item has a weight that is negative, NaN"):
        metric.compute()
    metric.reset()
    metric.update(batch[0] - 1, batch[1], torch.ones(200))
    with pytest.raises(oe.errors.LabelError, match="items have a label that is not a class"):
        metric.compute()


def test_weights_are_given_to_metrics_that_take_them(torch, adapter, batch):
    with pytest.raises(oe.errors.ParameterError, match="takes no sample_weight="):
        adapter.CemOrd(5).update(*batch, torch.ones(200))
    weighted = adapter.CemOrd(5, weighted=True)
    with pytest.raises(oe.errors.ParameterError, match="each update needs sample_weight="):
        weighted.update(*batch)
    with pytest.raises(oe.errors.LabelError, match="must be a tensor of 200 numbers"):
        weighted.update(*batch, torch.ones(199))
    with pytest.raises(oe.errors.LabelError, match="must be a tensor of 200 numbers"):
        weighted.update(*batch, [1] * 200)


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


def test_settings_are_shown(adapter):
    assert repr(adapter.WeightedKappa(5, weights="quadratic")) == (
        "WeightedKappa(num_classes=5, weights='quadratic')"
    )
    assert repr(adapter.CemOrd(labels=["low", "high"])) == "CemOrd(num_classes=2)"


def test_the_examples_of_the_module_run(adapter):
    assert doctest.testmod(adapter).failed == 0
    assert doctest.testmod(adapter).attempted > 1


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


def test_a_measure_of_ones_own_is_a_metric_and_one_declared_again_is_another(torch, adapter):
    oe.measure(lambda counts: counts[..., 0, 0], greater_is_better=True, name="lowest_right")
    target, preds = torch.tensor([0, 0, 1, 2]), torch.tensor([0, 1, 1, 0])
    first = adapter.metric("lowest_right", num_classes=3)
    first.update(preds, target)
    oe.measure(lambda counts: counts[..., 0, 1], greater_is_better=False, name="lowest_right")
    second = adapter.metric("lowest_right", num_classes=3)
    second.update(preds, target)
    # one item of class 0 is answered 0, another 1
    assert (float(first.compute()), float(second.compute())) == (1.0, 1.0)
    second.update(torch.tensor([1]), torch.tensor([0]))
    assert float(second.compute()) == 2.0
    assert (first.higher_is_better, second.higher_is_better) == (True, False)
