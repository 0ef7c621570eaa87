"""Measures as metrics of torchmetrics: what they count, and what they compute."""

import numpy as np
import pytest

import ordeval as oe

pytestmark = pytest.mark.full

# torch is installed by `make test-full` alone, so it is imported by the tests, and not as this file is read
OF_TABLES = [name for name, measure in oe.registry.items() if not measure.takes_probabilities]
SETTINGS = ["weighted_kappa(weights='quadratic')", "krippendorff_alpha(level='interval')", "qwk"]
TYPES = ["uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64"]
SMALLEST = -(2**63)  # what NaN becomes as a whole number


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
