"""What every interval of the default method keeps, over all measures of the registry, and its ends by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import ordeval as oe
from ordeval.comparison.score_runs import score_runs
from ordeval.stats.jackknife import Estimate
from ordeval.stats.t_intervals import scaled_ends, t_interval, z_ends
from ordeval.ties import TIE
from tests.examples import examples
from tests.tables import measures

EVERY = [str(metric) for metric in measures()]
BOUNDS = np.array([metric.bounds for metric in measures()])


def checked(scores):
    """Assert that every interval holds its score and lies within the bounds of its measure; return their widths."""
    known = ~np.isnan(scores.low)
    low, high, values = scores.low[known], scores.high[known], scores.values[known]
    lowest, highest = (np.broadcast_to(BOUNDS[:, [end]], known.shape)[known] for end in (0, 1))
    assert (low <= values).all()
    assert (values <= high).all()
    assert (low >= lowest - TIE).all()
    assert (high <= highest + TIE).all()
    return high - low


@st.composite
def labels(draw, cases=1):
    k, n = draw(st.integers(2, 5)), draw(st.integers(2, 40)) * cases
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gold = rng.choice(k, n, p=rng.dirichlet(np.full(k, draw(st.sampled_from([0.2, 1.0, 9.0])))))
    right = rng.random(n) < draw(st.sampled_from([0.0, 0.3, 0.8, 0.99, 1.0]))
    return k, gold, np.where(right, gold, rng.integers(0, k, n))


@settings(max_examples=examples(30))
@given(labels())
def test_an_interval_over_items_holds_the_score_and_keeps_within_the_bounds(drawn):
    k, gold, answer = drawn
    checked(score_runs(oe.Table.from_labels(gold, answer, labels=range(k)), metrics=EVERY))


@settings(max_examples=examples(15))
@given(labels(cases=5), st.booleans())
def test_an_interval_over_cases_holds_the_score_and_keeps_within_the_bounds(drawn, pooled):
    k, gold, answer = drawn
    case = np.arange(len(gold)) % 5
    runs = oe.Runs.from_labels(gold, {"a": answer}, labels=range(k), case=case)
    checked(score_runs(runs.pooled() if pooled else runs, metrics=EVERY))


@settings(max_examples=examples(15))
@given(labels(), st.sampled_from(["zero", "farthest", "drop"]))
def test_an_interval_with_missing_answers_holds_the_score(drawn, missing):
    k, gold, answer = drawn
    answers = [None if at % 3 == 1 else int(a) for at, a in enumerate(answer)]
    table = oe.Table.from_labels(gold, answers, labels=range(k), missing=missing)
    checked(score_runs(table, metrics=EVERY))


PERFECT = np.arange(60) % 3


@pytest.mark.parametrize("data", ["items", "cases", "pooled"])
def test_a_system_without_an_error_so_far_has_an_interval_of_some_width(data):
    case = None if data == "items" else np.arange(60) // 10
    runs = oe.Runs.from_labels(PERFECT, {"a": PERFECT}, labels=range(3), case=case)
    scores = score_runs(runs.pooled() if data == "pooled" else runs, metrics=EVERY)
    widths = dict(zip(EVERY, checked(scores), strict=True))
    # of three classes no two are more than two steps apart: that is no doubt, but how the measure is defined
    assert {name for name, width in widths.items() if width == 0} == {"accuracy_within(n=2)"}
    # one item of 60 put into another class changes the shares by 1/60, and this measure goes by the square of that
    narrow = {name for name, width in widths.items() if width < 0.001}
    assert narrow - {"jensen_shannon"} == {"accuracy_within(n=2)"}
    assert scores.high[EVERY.index("accuracy"), 0] == 1.0


def test_a_system_that_is_never_right_has_an_interval_of_some_width():
    runs = oe.Runs.from_labels(PERFECT, {"a": (PERFECT + 1) % 3}, labels=range(3))
    scores = score_runs(runs, metrics=["accuracy", "cem_ord", "mae"])
    assert (scores.high - scores.low > 0.01).all()


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_weights_multiplied_by_a_constant_change_nothing(method):
    rng = np.random.default_rng(0)
    gold, answer = PERFECT, np.where(rng.random(60) < 0.7, PERFECT, rng.integers(0, 3, 60))
    weight = rng.random(60) + 0.2
    found = [
        oe.evaluate(gold, answer, sample_weight=factor * weight, method=method, n_resamples=99)
        for factor in (1.0, 0.01, 700.0)
    ]
    for other in found[1:]:
        for name, score in found[0].items():
            assert other[name].value == pytest.approx(score.value)
            assert other[name].low == pytest.approx(score.low)
            assert other[name].high == pytest.approx(score.high)


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_equal_weights_are_no_weights(method):
    rng = np.random.default_rng(0)
    answer = np.where(rng.random(60) < 0.7, PERFECT, rng.integers(0, 3, 60))
    plain, weighted = (
        oe.evaluate(PERFECT, answer, method=method, n_resamples=99, **weights)
        for weights in ({}, {"sample_weight": np.full(60, 0.1)})
    )
    for name, score in plain.items():
        assert weighted[name].low == pytest.approx(score.low)
        assert weighted[name].high == pytest.approx(score.high)


def test_a_row_of_count_3_is_three_rows():
    rng = np.random.default_rng(1)
    gold, answer = rng.integers(0, 3, (2, 40))
    times = rng.integers(0, 5, 40)
    counted = oe.evaluate(gold, answer, count=times, labels=range(3))
    rows = oe.evaluate(np.repeat(gold, times), np.repeat(answer, times), labels=range(3))
    assert counted.to_dict() == rows.to_dict()


def test_unequal_weights_have_wider_intervals_than_equal_ones():
    """Half of 40 items weigh 9 times the others: they tell as much as 200^2 / (20 * (81 + 1)) = 24.4 equal ones."""
    gold = np.zeros(40, int)
    # as many errors among the heavy as among the light
    answer = (np.arange(40) % 4 == 0).astype(int)
    weight = np.where(np.arange(40) < 20, 9.0, 1.0)
    options = {"labels": [0, 1], "metrics": ["accuracy", "mae"]}
    equal = oe.evaluate(gold, answer, **options)
    unequal = oe.evaluate(gold, answer, sample_weight=weight, **options)
    for name in equal:
        assert unequal[name].value == pytest.approx(equal[name].value)
        assert unequal[name].low < equal[name].low
        assert unequal[name].high > equal[name].high
    assert unequal.table.effective == pytest.approx(200**2 / (20 * 82))


# --- the ends ---


def test_between_two_bounds_the_ends_are_symmetric_in_the_arcsine_of_the_root():
    """A share of 0.2 +- 0.1: asin(sqrt(0.2)) = 0.46365, a step of 0.1 / (2 sqrt(0.2 * 0.8)) = 0.125."""
    low, high = scaled_ends(*(np.array([x]) for x in (0.2, 0.1, 0.0, 1.0)))
    assert low[0] == pytest.approx(np.sin(0.46365 - 0.125) ** 2, abs=1e-5)
    assert high[0] == pytest.approx(np.sin(0.46365 + 0.125) ** 2, abs=1e-5)
    # on a scale from -1 to 1 the share 0.2 is -0.6, and all is twice as wide
    below, above = scaled_ends(*(np.array([x]) for x in (-0.6, 0.2, -1.0, 1.0)))
    assert [below[0], above[0]] == pytest.approx([2 * low[0] - 1, 2 * high[0] - 1])


def test_with_one_bound_the_ends_are_symmetric_in_the_root():
    """0.25 +- 0.1 above 0: roots of 0.5 +- 0.1, squared 0.16 and 0.36. Below 1: mirrored."""
    low, high = scaled_ends(*(np.array([x]) for x in (0.25, 0.1, 0.0, np.inf)))
    assert [low[0], high[0]] == pytest.approx([0.16, 0.36])
    low, high = scaled_ends(*(np.array([x]) for x in (0.75, 0.1, -np.inf, 1.0)))
    assert [low[0], high[0]] == pytest.approx([1 - 0.36, 1 - 0.16])


def test_without_bounds_and_at_a_bound_itself_the_ends_are_plain_and_never_beyond():
    low, high = scaled_ends(*(np.array([x]) for x in (3.0, 0.5, -np.inf, np.inf)))
    assert [low[0], high[0]] == [2.5, 3.5]
    low, high = scaled_ends(*(np.array([x]) for x in (1.0, 0.3, 0.0, 1.0)))
    assert [low[0], high[0]] == pytest.approx([0.7, 1.0])


def test_the_ends_are_the_outer_ones_of_both_intervals_and_reach_the_score():
    """10 units: t(0.975, 9) = 2.262. Without bounds: 0.5 - 2.262 * 0.1 and 0.45 - 2.262 * 0.05; the score is 0.9."""
    estimate = Estimate(
        np.array([[0.9]]),
        np.array([[[0.5]], [[0.45]]]),
        np.array([[[0.1]], [[0.05]]]),
        np.array([[0.1]]),
        np.array([[0.0]]),
        np.array([[10.0]]),
    )
    low, high = t_interval(estimate, [(-np.inf, np.inf)], 0.95)
    assert low[0, 0] == pytest.approx(0.5 - stats.t.ppf(0.975, 9) * 0.1)
    assert high[0, 0] == 0.9


def test_one_unit_makes_no_interval():
    half = np.full((1, 1), 0.5)
    both = np.full((2, 1, 1), 0.5)
    estimate = Estimate(half, both, both, half, half, np.ones((1, 1)))
    assert np.isnan(t_interval(estimate, [(0.0, 1.0)], 0.95)).all()


def test_the_ends_of_a_coefficient_are_symmetric_by_fishers_z_above_0_and_plainly_below():
    # arctanh(0.5) = 0.549306 and its slope is 1 / (1 - 0.25): 0.549306 -+ 0.133333, tanh 0.393532 and 0.593233.
    centre, reach = np.array([0.5, -0.2, 0.05]), np.array([0.1, 0.1, 0.1])
    low, high = z_ends(centre, reach, np.full(3, -np.inf), np.ones(3))
    np.testing.assert_allclose([low[0], high[0]], [0.393532, 0.593233], atol=1e-6)
    np.testing.assert_allclose([low[1], high[1]], [-0.3, -0.1])
    # 0.050042 - 0.1 / (1 - 0.0025) lies below 0, where the scale is that of the coefficient itself
    np.testing.assert_allclose(low[2], 0.050042 - 0.100251, atol=1e-6)
    # Between the two, no step: close to 0 both sides of the scale agree.
    sides = z_ends(np.array([1e-9, -1e-9]), np.array([0.1, 0.1]), np.full(2, -1.0), np.ones(2))
    np.testing.assert_allclose(sides[0][0], sides[0][1], atol=1e-8)
    np.testing.assert_allclose(sides[1][0], sides[1][1], atol=1e-8)
