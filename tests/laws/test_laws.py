"""Laws that every measure of the registry obeys. An exception is named, with its reason, and shown to be one."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.examples import examples, grid
from tests.tables import items, measures, random_counts

ALL = measures()

STACKS = [random_counts(seed=k, size=40, k=k) for k in range(1, 6)]
UNEVEN = np.array([-1.5, 0.0, 0.25, 2.0, 7.0])

# Where more items of the same kind tell more.
COUNT_MATTERS = {
    "kendall_tau_a": "all pairs are n (n - 1) / 2",
    "krippendorff_alpha": "what chance gives is corrected by n - 1",
    "ordinal_classification_index(beta=0.25, gamma=2.0)": "D grows with the root of the counts, N as they do",
}

# What the number of classes on the scale is part of, used or not.
WIDTH_MATTERS = {
    "gwet_ac2": "chance and credit are spread over all K classes",
    "brennan_prediger": "by chance every class of the scale has as many marks",
    "ordinal_classification_index": "distances are measured against K - 1",
    "ranked_probability_score": "the score is divided by the K - 1 cuts",
    "calibration_error": "the error is the mean of those of the K - 1 cuts",
    "soft_rps": "the score is divided by the K - 1 cuts",
    "wasserstein": "the distance is divided by the range of all values",
    "normalised_match_distance": "the distance is divided by K - 1",
    "rnod": "the divergence is divided by K - 1",
    "threshold_loss": "one more threshold has a margin, but for the zero-one penalty",
}


# What `undefined_when` says, as a question to a table: NaN there, and nowhere else.
UNDEFINED = {
    "there are no items": lambda _: False,
    "there are no items, or the error is too large or too small for a floating-point number": (
        lambda _: False
    ),
    "gold has only one class, so a right answer gives no information": lambda n: used(n, 1) < 2,
    "all labels are of one class, so chance agreement is already 1": lambda n: (
        np.count_nonzero(n.sum(axis=0) + n.sum(axis=1)) < 2
    ),
    "all gold or all predicted values are 0": lambda n: not n[1:].any() or not n[:, 1:].any(),
    "gold or the predictions are all of one class": lambda n: min(used(n, 0), used(n, 1)) < 2,
    "there is only one item, so there are no pairs": lambda n: n.sum() < 2,
    "every pair is tied in gold or in the predictions": lambda n: (
        not any(
            n[i, j] and (np.delete(np.delete(n, i, axis=0), j, axis=1)).any()
            for i in range(len(n))
            for j in range(len(n))
        )
    ),
    "gold is all of one class": lambda n: used(n, 1) < 2,
    "the predictions are all of one class": lambda n: used(n, 0) < 2,
    "the scale has only one class": lambda n: len(n) < 2,
    "there are no items, or the scale has only one class": lambda n: len(n) < 2,
}


def used(counts, axis):
    return np.count_nonzero(counts.sum(axis=axis))


def same(ours, theirs, tolerance=1e-12):
    assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance, nan_ok=True)


def perfected(stack):
    """The same gold, with every item answered rightly."""
    return np.stack([np.diag(counts.sum(axis=1)) for counts in stack])


def count_matters(metric):
    return bool({metric.name, str(metric)} & set(COUNT_MATTERS))


def width_matters(metric):
    blind = {
        ("penalty", "zero_one"),
        ("beta", 0.0),
    } & set(metric.settings)
    return metric.name in WIDTH_MATTERS and not blind


def uses_values(metric):
    """Whether the measure, as set, reads the classes' numbers: interval measures, and two by their setting."""
    chosen = set(metric.settings) & {
        ("level", "interval"),
        *(("weights", name) for name in ("linear", "quadratic", "radical", "bipolar")),
    }
    counts_thresholds = ("penalty", "zero_one") in metric.settings  # however far apart they are
    counts_errors = metric.name == "weighted_kappa" and ("weights", "identity") in metric.settings
    by_type = metric.scale_type == "interval" and not counts_thresholds and not counts_errors
    return by_type or bool(chosen)


def measures_where(law_applies):
    """The measures that a law is about; the others are left out here, so that no test passes without an assertion."""
    return [pytest.param(metric, id=str(metric)) for metric in ALL if law_applies(metric)]


MEASURES = measures_where(lambda _: True)


def defined_somewhere(metric, stack):
    return not all(UNDEFINED[metric.undefined_when](counts) for counts in stack)


@pytest.mark.parametrize(
    ("metric", "stack"),
    [
        pytest.param(metric, stack, id=f"K={stack.shape[-1]}-{metric}")
        for stack, metric in itertools.product(STACKS, ALL)
        if defined_somewhere(metric, stack)
    ],
)
def test_a_value_lies_within_the_bounds(metric, stack):
    low, high = metric.bounds
    for values in (None, UNEVEN[: stack.shape[-1]]):
        found = metric.from_counts(stack, values=values)
        found = found[~np.isnan(found)]
        assert found.size
        assert (found >= low - 1e-12).all()
        assert (found <= high + 1e-12).all()


@pytest.mark.parametrize("metric", MEASURES)
def test_rounding_puts_no_perfect_or_reversed_output_past_the_bounds(metric):
    """The worst that a ratio of sums can do; others that round, such as SciPy, cut it off, too."""
    low, high = metric.bounds
    for k in (2, 3, 5):
        right = random_counts(seed=70 + k, size=500, k=k) * np.eye(k, dtype=int)
        right = right[right.sum(axis=(-1, -2)) > 0]
        for counts in (right, right[..., ::-1]):
            found = metric.from_counts(counts)
            found = found[~np.isnan(found)]
            assert found.size
            assert ((found >= low) & (found <= high)).all()


@pytest.mark.parametrize("metric", measures_where(lambda metric: metric.name != "kendall_tau_a"))
def test_a_value_of_counts_that_are_not_whole_lies_within_the_bounds(metric):
    low, high = metric.bounds
    for k in (2, 3, 5):
        found = metric.from_counts(random_counts(seed=50 + k, size=60, k=k, weighted=True))
        found = found[~np.isnan(found)]
        assert found.size
        assert (found >= low - 1e-12).all()
        assert (found <= high + 1e-12).all()


def test_tau_a_of_counts_that_add_up_to_hardly_one_item_is_the_exception():
    """N (N - 1) / 2 counts pairs of whole items: 0.6 of two concordant ones are 0.36 / (1.2 * 0.2 / 2) = 3."""
    assert oe.kendall_tau_a.from_counts([[0.6, 0], [0, 0.6]]) == pytest.approx(3.0)


def test_with_near_misses_credited_ac2_has_no_lower_bound():
    """Twenty classes, each in 0 to 4 answered by the one 15 above: p_a = 1 - (15/19)^2 = 0.377, and with ten classes in
    equal use p_e = 0.859 * 0.9 = 0.773, so AC2 = (0.377 - 0.773) / (1 - 0.773) = -1.74.
    """
    counts = np.zeros((20, 20))
    counts[np.arange(5), np.arange(5) + 15] = counts[np.arange(5) + 15, np.arange(5)] = 1
    assert oe.gwet_ac2.from_counts(counts, weights="quadratic") == pytest.approx(-1.74, abs=0.01)


@pytest.mark.parametrize("metric", measures_where(lambda metric: not count_matters(metric)))
@grid("factor", [3, 0.5, 2**40], every=3, ids=["3", "1/2", "2**40"])
def test_counts_times_a_constant_have_the_same_value(metric, factor):
    for stack in STACKS:
        same(metric.from_counts(stack * factor), metric.from_counts(stack), 1e-9)


@pytest.mark.parametrize("name", sorted(COUNT_MATTERS))
def test_the_exceptions_to_that_law_are_exceptions(name):
    metric = oe.registry[name]
    counts = [[2, 1], [0, 2]]
    assert metric.from_counts(counts) != pytest.approx(metric.from_counts(np.array(counts) * 3))


@pytest.mark.parametrize("metric", MEASURES)
def test_counts_beyond_two_to_the_31_and_the_53_are_counts(metric):
    small = np.array([[5, 1, 0], [2, 9, 1], [0, 0, 4]])
    for factor in (2**32, 2**55):
        value = metric.from_counts((small * factor).tolist())
        # with as many items n - 1 is n: the size is no longer part of it
        limit = metric.from_counts(small * 10**9)
        same(value, limit, 1e-3 if count_matters(metric) else 1e-9)


@pytest.mark.examples
@pytest.mark.parametrize("metric", MEASURES)
@grid("stack", STACKS, every=3, ids=lambda stack: f"K={stack.shape[-1]}")
def test_a_stack_of_tables_has_the_values_of_each(metric, stack):
    rng = np.random.default_rng(5)
    missed = rng.integers(0, 3, size=stack.shape[:-1])
    values = UNEVEN[: stack.shape[-1]]
    for options in ({}, {"values": values}, {"values": values, "unanswered": missed}):
        batch = metric.from_counts(stack, **options)
        assert batch.shape == stack.shape[:1]
        for i in range(examples(len(stack))):
            counts = stack[i]
            alone = {**options, **({"unanswered": missed[i]} if "unanswered" in options else {})}
            single = metric.from_counts(counts, **alone)
            assert isinstance(single, float)
            same(batch[i], single)


@pytest.mark.parametrize("metric", MEASURES)
def test_a_stack_may_have_any_number_of_axes_in_any_memory_order(metric):
    stack = STACKS[3][:12]
    flat = metric.from_counts(stack)
    same(metric.from_counts(stack.reshape(3, 1, 4, 4, 4)), flat.reshape(3, 1, 4))
    same(metric.from_counts(np.asfortranarray(stack)), flat)
    same(metric.from_counts(stack[::-1]), flat[::-1])
    same(metric.from_counts(stack.tolist()), flat)
    assert metric.from_counts(stack[:0]).shape == (0,)


@pytest.mark.parametrize("metric", MEASURES)
def test_the_callers_counts_are_left_as_they_were(metric):
    stack, missed = STACKS[2].astype(float), np.ones((40, 3))
    before = stack.copy()
    stack.setflags(write=False)
    missed.setflags(write=False)
    metric.from_counts(stack, unanswered=missed)
    assert np.array_equal(stack, before)


@pytest.mark.parametrize("metric", MEASURES)
def test_a_scale_turned_upside_down_has_the_same_value(metric):
    """A measure that reads values sees them negated, so that distances and the order stay what they are."""
    for stack in STACKS:
        values = UNEVEN[: stack.shape[-1]]
        turned = metric.from_counts(stack[:, ::-1, ::-1], values=-values[::-1])
        same(turned, metric.from_counts(stack, values=values), 1e-9)


@pytest.mark.parametrize("metric", measures_where(lambda metric: metric.perfect is not None))
def test_a_perfect_output_has_the_value_that_the_registry_declares(metric):
    found = np.concatenate([metric.from_counts(perfected(stack)) for stack in STACKS])
    defined = ~np.isnan(found)
    assert defined.any()
    same(found[defined], metric.perfect)


@pytest.mark.parametrize("name", ["cem_ord", "cem_nom", "cem_int", "cem_ord_flat", "expected_cem"])
@settings(max_examples=examples(50))
@given(weight=st.lists(st.just(0.0) | st.floats(1e-3, 1e6), min_size=2, max_size=6).filter(any))
def test_the_closeness_of_a_perfect_output_is_one_exactly(name, weight):
    found = oe.registry[name].from_counts(np.diag(weight))
    assert found == 1.0 or (name == "cem_nom" and np.count_nonzero(weight) == 1)


@pytest.mark.parametrize(
    "metric",
    measures_where(lambda m: m.perfect is not None and m.family is not oe.registry["auoc"].family),
)
def test_the_value_of_a_perfect_output_is_not_rounded(metric):
    found = np.concatenate([metric.from_counts(perfected(stack)) for stack in STACKS])
    assert set(found[~np.isnan(found)].tolist()) == {metric.perfect}


# tau-c is divided by what the classes used allow, so an output that uses fewer may come out above the perfect one.
BEATEN = {"stuart_tau_c"}


@pytest.mark.parametrize("metric", measures_where(lambda metric: metric.name not in BEATEN))
def test_no_output_is_better_than_the_perfect_one(metric):
    sign = 1 if metric.greater_is_better else -1
    best, found = (
        sign * np.concatenate([metric.from_counts(stack) for stack in stacks])
        for stacks in (map(perfected, STACKS), STACKS)
    )
    defined = ~np.isnan(best) & ~np.isnan(found)
    assert defined.any()
    assert (found[defined] <= best[defined] + 1e-12).all()


def test_the_exception_to_that_law_is_one():
    # gold 10, 10, 1: perfect 2 * 120 / (21^2 * 2/3) = 0.816; the last two classes as one 2 * 110 / (21^2 / 2) = 0.998
    merged = oe.stuart_tau_c.from_counts([[10, 0, 0], [0, 10, 0], [0, 1, 0]])
    assert merged > oe.stuart_tau_c.from_counts(np.diag([10, 10, 1]))


@pytest.mark.parametrize("metric", MEASURES)
def test_an_empty_class_at_the_end_changes_nothing(metric):
    for stack in STACKS[1:4]:
        wider = np.pad(stack, ((0, 0), (0, 1), (0, 1)))
        before, after = metric.from_counts(stack), metric.from_counts(wider)
        if width_matters(metric):
            assert not np.allclose(before, after, equal_nan=True), WIDTH_MATTERS[metric.name]
        else:
            same(after, before)


@settings(max_examples=examples(30))
@given(data=items(max_n=12), rng=st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(data, rng):
    rows = list(zip(data.gold, data.predicted, strict=True))
    shuffled = rng.sample(rows, len(rows))
    values = {"labels": range(data.k), "values": data.values}
    tables_of = [
        oe.Table.from_labels(*zip(*order, strict=True), **values) for order in (rows, shuffled)
    ]
    for metric in ALL:
        first, second = metric(tables_of[0]), metric(tables_of[1])
        assert first == pytest.approx(second, abs=0, rel=0, nan_ok=True)


@settings(max_examples=examples(30))
@given(data=items(max_n=12))
def test_labels_a_table_and_counts_are_three_ways_to_one_value(data):
    options = {"labels": range(data.k), "values": data.values, "sample_weight": data.weight}
    table = oe.Table.from_labels(data.gold, data.predicted, **options)
    for metric in ALL:
        expected = metric.from_counts(data.scaled.counts, values=data.values)
        same(metric(table), expected)
        if not metric.takes_probabilities:
            same(metric(data.gold, data.predicted, **options), expected)
        else:  # all probability on the answer
            same(metric(data.gold, np.eye(data.k)[data.predicted], **options), expected)


@pytest.mark.parametrize("metric", MEASURES)
def test_only_what_reads_values_changes_with_them(metric):
    stack = STACKS[4]
    plain, uneven = metric.from_counts(stack), metric.from_counts(stack, values=UNEVEN)
    if uses_values(metric):
        assert not np.allclose(plain, uneven, equal_nan=True)
    else:
        assert np.array_equal(plain, uneven, equal_nan=True)


def takes_names(metric):
    weights = dict(metric.settings).get("weights", "identity")
    return metric.scale_type == "nominal" and weights == "identity"


@pytest.mark.parametrize("metric", measures_where(takes_names))
def test_a_nominal_measure_does_not_know_the_order_of_the_classes(metric):
    order = [3, 0, 4, 1, 2]
    stack = STACKS[4]
    same(metric.from_counts(stack[:, order][:, :, order]), metric.from_counts(stack), 1e-9)


# Every table of two classes with up to two items in a cell, every 0-1 table of three, and the random ones.
EXHAUSTIVE = [
    np.array(
        [cells for cells in itertools.product(range(most), repeat=k * k) if any(cells)]
    ).reshape(-1, k, k)
    for k, most in ((1, 3), (2, 3), (3, 2))
]


@pytest.mark.parametrize("metric", MEASURES)
def test_a_value_is_nan_where_undefined_when_says_so_and_nowhere_else(metric):
    for stack in (*EXHAUSTIVE, *STACKS):
        with np.errstate(all="raise"):
            found = metric.from_counts(stack)
        undefined = [bool(UNDEFINED[metric.undefined_when](counts)) for counts in stack]
        assert np.isnan(found).tolist() == undefined
        assert not np.isinf(found).any()


@pytest.mark.parametrize("metric", MEASURES)
def test_a_table_without_items_is_an_error_and_in_a_batch_nan(metric):
    empty = np.zeros((3, 3), dtype=int)
    with pytest.raises(oe.OrdevalError, match="no items"):
        metric.from_counts(empty)
    with pytest.raises(ValueError, match="no items"):
        metric.from_counts(np.stack([empty, empty]), unanswered=np.zeros((2, 3)))
    full = [[2, 1, 0], [0, 1, 0], [0, 0, 3]]
    found = metric.from_counts([empty, full, empty])
    assert np.isnan(found).tolist() == [True, False, True]
