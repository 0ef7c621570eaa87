"""Every measure against its definition in exact arithmetic, on numbers from the whole range of floats."""

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
from tests.tables import Items, items, measures

MEASURES = [pytest.param(metric, id=str(metric)) for metric in measures()]
WITH_VALUES = [
    pytest.param(metric, id=str(metric)) for metric in measures() if "values" in metric.needs
]
UNITS = {"mae": 1, "mse": 2, "rmse": 1, "macro_mae": 1, "macro_mse": 2, "max_mae": 1}
LARGEST, SMALLEST = Fraction(sys.float_info.max), Fraction(sys.float_info.min)
NOT_MANY = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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
        if truth > LARGEST:
            return math.isnan(value)
        if 0 < truth < SMALLEST:  # few digits are left, or none
            return math.isnan(value) or abs(Fraction(value) - truth) <= Fraction(5e-324)
        return abs(Fraction(value) - truth) <= truth * Fraction(1e-12)
    return abs(Fraction(value) - truth) <= max(1, abs(truth)) * Fraction(1e-12)


def score(metric, data):
    missed = data.unanswered if None in data.predicted else None
    return metric.from_counts(data.counts, values=data.values, unanswered=missed)


@pytest.mark.parametrize("metric", WITH_VALUES)
@NOT_MANY
@given(drawn=st.data())
def test_a_measure_is_what_its_definition_says_for_any_values(metric, drawn, definition):
    # the two ends of a scale may be equally far up to rounding; then an item without an answer has either
    data = drawn.draw(items(missing=metric.name != "cosine"))
    values = drawn.draw(wild_values(data.k))
    data = Items(data.k, data.gold, data.predicted, data.weight, values)
    assert agrees(metric, score(metric, data), definition(metric, data)), definition(metric, data)


@pytest.mark.parametrize("metric", MEASURES)
@NOT_MANY
@given(data=wild_items())
def test_a_measure_is_what_its_definition_says_for_any_counts(metric, data, definition):
    assert agrees(metric, score(metric, data), definition(metric, data)), definition(metric, data)
