"""Every measure against its definition in exact arithmetic, on numbers from the whole range of floats."""

import itertools
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.metrics import float_range
from tests.definitions import plain, relations
from tests.definitions.exact import Exact, ExactMath
from tests.examples import examples, grid
from tests.tables import Items, items, measures

MEASURES = [pytest.param(metric, id=str(metric)) for metric in measures()]
WITH_VALUES = [one for one in MEASURES if "values" in one.values[0].needs]
UNITS = {
    "mae": 1,
    "mse": 2,
    "rmse": 1,
    "macro_mae": 1,
    "macro_mse": 2,
    "max_mae": 1,
}


def crossed(measures, numbers):
    """Return all pairs of a measure and a number, named by both."""
    return [
        pytest.param(*one.values, number, id=f"{number}-{one.id}")
        for one, number in itertools.product(measures, numbers)
    ]


LARGEST, SMALLEST = Fraction(sys.float_info.max), Fraction(sys.float_info.min)
EXAMPLES = 25
NOT_MANY = settings(
    max_examples=examples(EXAMPLES),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

any_float = st.floats(allow_nan=False, allow_infinity=False)
ends = st.sampled_from([-1.7e308, -1e308, -1e200, -5e-324, 0.0, 5e-324, 1e-310, 1e154, 1e308])


@st.composite
def wild_values(draw, k):
    """k increasing floats: any, or steps of a few units in the last place from any number, or a grid of any size."""
    kind = draw(st.sampled_from(["any", "ends", "offset", "grid"]))
    if kind == "any":
        chosen = draw(st.lists(any_float | ends, min_size=k, max_size=k))
    elif kind == "ends":
        chosen = draw(st.lists(ends, min_size=k, max_size=k, unique=True))
    else:
        steps = np.cumsum(draw(st.lists(st.integers(1, 4), min_size=k, max_size=k)))
        size = draw(st.integers(-1074, 1000))
        base = draw(any_float.filter(lambda x: abs(x) < 1e300))
        step = np.spacing(abs(base)) if kind == "offset" else math.ldexp(1, size)
        chosen = [float((base if kind == "offset" else 0.0) + s * step) for s in steps]
    distinct = sorted(set(chosen))
    assume(len(distinct) == k)
    return distinct


wild_counts = st.sampled_from([
    st.floats(min_value=5e-324, max_value=1e307),
    st.sampled_from([5e-324, 1e-300, 1e-200, 1.0, 3.0, 2.0**62, 1e300, 1e307]),
    st.floats(min_value=1e300, max_value=1e306),
    st.floats(min_value=1e-306, max_value=1e-300),
])  # fmt: skip


@st.composite
def wild_items(draw):
    """Items whose weights, from any part of the range of floats, are counts; one for each cell of the table."""
    data = draw(items())
    cells = sorted(set(zip(data.gold, data.predicted, strict=True)))
    count = draw(wild_counts)
    weights = draw(st.lists(count, min_size=len(cells), max_size=len(cells)))
    # one item and a trace of another are one item: whether that is a pair no rounded sum can tell
    assume(all(abs(sum(weights) * labels - 1) > 1e-9 for labels in (1, 2)))
    gold, predicted = map(list, zip(*cells, strict=True))
    values = draw(st.just(data.values) | wild_values(data.k))
    return Items(data.k, gold, predicted, weights, values)


@pytest.fixture
def definition(monkeypatch):
    """The definition of a measure, computed with exact numbers."""
    monkeypatch.setattr(plain, "math", ExactMath)
    monkeypatch.setattr(relations, "math", ExactMath)

    def exactly(metric, data):
        numbers = [Exact(v) for v in data.values]
        exact = Items(data.k, data.gold, data.predicted, [Exact(w) for w in data.weight], numbers)
        return plain.DEFINITIONS[metric.name](exact, **dict(metric.settings))

    return exactly


def agrees(metric, value, expected):
    """Tell whether a value is the exact one, or NaN where that is undefined or no floating-point number."""
    assert not math.isinf(value)
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(value)
    truth = Exact(expected).fraction
    if metric.name in UNITS or metric.name == "threshold_loss":
        if truth > LARGEST and math.isnan(value):
            return True
        if 0 < truth < SMALLEST:  # few digits are left, or none
            return math.isnan(value) or abs(Fraction(value) - truth) <= Fraction(5e-324)
        return abs(Fraction(value) - truth) <= truth * Fraction(1e-12)
    return abs(Fraction(value) - truth) <= max(1, abs(truth)) * Fraction(1e-12)


def score(metric, data):
    missed = data.unanswered if None in data.predicted else None
    return metric.from_counts(data.counts, values=data.values, unanswered=missed)


@grid("metric", WITH_VALUES, every=2)
@NOT_MANY
@given(drawn=st.data())
def test_a_measure_is_what_its_definition_says_for_any_values(metric, drawn, definition):
    # the two ends of a scale may be equally far up to rounding; then an item without an answer has either
    data = drawn.draw(items(missing=metric.name != "cosine"))
    values = drawn.draw(wild_values(data.k))
    data = Items(data.k, data.gold, data.predicted, data.weight, values)
    assert agrees(metric, score(metric, data), definition(metric, data)), definition(metric, data)


@grid("metric", MEASURES)
@NOT_MANY
@given(data=wild_items())
def test_a_measure_is_what_its_definition_says_for_any_counts(metric, data, definition):
    assert agrees(metric, score(metric, data), definition(metric, data)), definition(metric, data)


TABLE = np.array([[5, 1, 0, 1], [2, 7, 2, 0], [0, 1, 3, 1], [0, 2, 1, 9]])
VALUES = np.array([-1.0, 0.5, 2.0, 6.0])


@grid(
    "metric, k",
    crossed(WITH_VALUES, [-1000, -700, -300, -101, -99, 99, 101, 300, 700, 1000]),
    every=5,
)
def test_values_in_another_unit_change_a_measure_by_a_power_of_it_or_not_at_all(metric, k):
    plain_value = metric.from_counts(TABLE, values=VALUES)
    value = metric.from_counts(TABLE, values=np.ldexp(VALUES, k))
    if metric.name == "threshold_loss":  # the penalty of a margin of 1 stays what it is
        assert dict(metric.settings)["penalty"] != "zero_one" or value == plain_value
        return
    power = UNITS.get(metric.name, 0)
    assert metric.unit == power
    expected = Fraction(plain_value) * Fraction(2) ** (k * power)
    if SMALLEST <= expected <= LARGEST:
        assert Fraction(value) == expected
    else:
        assert math.isnan(value)


@grid(
    "metric, factor",
    crossed(
        MEASURES,
        [2.0**-1060, 2.0**-500, 2.0**-150, 2.0**150, 2.0**300, 2.0**400, 2.0**490, 2.0**900],
    ),
)
def test_counts_multiplied_by_a_number_change_no_measure_of_shares(metric, factor):
    value = metric.from_counts(TABLE * factor, values=VALUES)
    if metric.name in {"kendall_tau_a", "krippendorff_alpha"}:
        if factor < 1:  # there is no pair of items
            assert math.isnan(value)
            return
        # n (n - 1) of so many items is n^2
        n = float(TABLE.sum()) if metric.name == "kendall_tau_a" else 2.0 * TABLE.sum()
        finite = metric.from_counts(TABLE, values=VALUES)
        limit = finite * (n - 1) / n if n == TABLE.sum() else 1 - (1 - finite) * n / (n - 1)
        assert value == pytest.approx(limit, rel=1e-12)
    elif "gamma" not in str(metric):
        assert value == pytest.approx(metric.from_counts(TABLE, values=VALUES), rel=1e-12)


def test_a_batch_may_hold_tables_of_every_size():
    batch = np.stack([TABLE * 1e-300, TABLE * 1.0, TABLE * 1e300])
    for metric in measures():
        values = metric.from_counts(batch, values=VALUES)
        assert values.dtype == np.float64
        for counts, value in zip(batch, values, strict=True):
            one = metric.from_counts(counts, values=VALUES)
            assert value == pytest.approx(one, rel=1e-12, nan_ok=True), metric


def test_one_item_beside_two_to_the_sixty_is_not_lost():
    counts = [[2**60, 0], [0, 1]]
    for name in ("cohen_kappa", "weighted_kappa", "pearson", "spearman", "kendall_tau_b"):
        assert oe.registry[name].from_counts(counts) == pytest.approx(1, rel=1e-12), name
    for name in ("reliability", "sensitivity", "reliability_sensitivity", "cem_ord", "cem_nom"):
        assert oe.registry[name].from_counts(counts) == pytest.approx(1, rel=1e-12), name
    # -log2(1/2 / 2^60) = 61 bits for the one item
    assert oe.proximity.from_counts([2**60, 1])[1, 1] == pytest.approx(61)
    # -log2(n / (n + 1)) = log2(1 + 1/n), which is 1 / (n ln 2) for so many items
    nominal = oe.proximity.from_counts([2**60, 1], scale_type="nominal")
    assert nominal[0, 0] == pytest.approx(1 / (2**60 * math.log(2)))


def test_closeness_to_tiny_and_huge_classes_is_finite():
    # masses 1/2, 1 + 1e300 / 2 and so on, of 1e300 + 1e-300
    found = oe.proximity.from_counts([1e300, 1e-300])
    # -log2(1e-300 / 2 / 1e300) = 1 + 600 log2(10)
    assert found.ravel().tolist() == pytest.approx([1, 0, 1, 1 + 600 * math.log2(10)], abs=1e-12)
    # a reference may be as uneven: both gold classes are worth 1 + 300 log2(10) bits, and an error between
    # them is worth log2(10) 300 - log2(1.5)
    reference = [1e300, 1.0, 1.0]
    right, wrong = 1 + 300 * math.log2(10), 300 * math.log2(10) - math.log2(1.5)
    value = oe.cem_ord.from_counts([[0, 0, 0], [0, 1, 0], [0, 1, 0]], reference=reference)
    assert value == pytest.approx((right + wrong) / (2 * right), rel=1e-12)


def test_where_a_machine_has_no_wider_numbers_such_values_are_nan_and_no_others(monkeypatch):
    monkeypatch.setattr(float_range, "WIDE", None)
    for metric in measures():
        assert math.isnan(metric.from_counts(TABLE * 1e-300, values=VALUES))
        if "values" in metric.needs:
            assert math.isnan(metric.from_counts(TABLE, values=[0, 1e-300, 1, 1e300]))
        again = metric.from_counts(TABLE * 0.5, values=VALUES)
        assert again == again  # noqa: PLR0124 - not NaN
    assert np.isnan(oe.proximity.from_counts([1e300, 1e-300])).all()
    assert oe.pearson.from_counts(TABLE, values=VALUES * 1e200) == pytest.approx(
        oe.pearson.from_counts(TABLE, values=VALUES)
    )
