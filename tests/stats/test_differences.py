"""Sign flips of all pairs together, against brute force, SciPy, and exact binomial tests."""

from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.pairs import compare_pairs
from ordeval.metrics.registry import resolve
from ordeval.stats import chunks
from ordeval.stats import sign_flips as module
from ordeval.stats.differences import Differences, differences
from ordeval.stats.jackknife import CaseSample, Estimate, item_sample
from ordeval.stats.sign_flips import counts_all_flips, flipped_scores, flipped_t
from tests.stats.scores import accuracy
from tests.stats.test_jackknife import RIGHT_0, WRONG_0, case_of
from tests.stats.test_multiple_testing import maximum_p

FIRST, SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])


def over_cases(scores, pseudo=0.0):
    """Return a sample of cases with scores[system, case], whose pseudo-items add that variance to each system."""
    scores = np.array(scores, dtype=float)[None]
    value = np.nanmean(scores, axis=-1)
    error = np.zeros((2, *value.shape))
    units = (~np.isnan(scores)).sum(axis=-1).astype(float)
    estimate = Estimate(
        value, np.stack([value] * 2), error, error[0], np.full(value.shape, pseudo), units
    )
    return CaseSample(estimate, scores)


def all_draws(sample, first, second, **drawn):
    """Return the |t|[draw, pair] of all pairs in all draws."""
    stretches = flipped_t(sample, [0], first, second, unseen=True, **drawn)
    squares = [each.squared_t(np.arange(len(first))).T for (each,) in stretches]
    return np.sqrt(np.concatenate(squares))


def t_of(row, more):
    """Return |t| of the mean of some numbers, in pure Python; `more` is added to the variance of the mean."""
    n = len(row)
    mean = sum(row) / n
    variance = sum((x - mean) ** 2 for x in row) / (n * (n - 1))
    return abs(mean) / sqrt(variance + more)


def step_down(scores, pseudo):
    """Return Westfall and Young's adjusted p-values of all pairs over all sign flips, written out."""
    pairs = list(combinations(range(len(scores)), 2))
    rows = [[x - y for x, y in zip(scores[a], scores[b], strict=True)] for a, b in pairs]
    observed = [t_of(row, 2 * pseudo) for row in rows]
    drawn = [
        [t_of([s * x for s, x in zip(signs, row, strict=True)], 2 * pseudo) for row in rows]
        for signs in product([-1, 1], repeat=len(scores[0]))
    ]
    order = sorted(range(len(pairs)), key=lambda pair: -observed[pair])
    adjusted, least = [0.0] * len(pairs), 0.0
    for step, pair in enumerate(order):
        left = order[step:]
        reached = sum(max(draw[q] for q in left) >= observed[pair] - 1e-9 for draw in drawn)
        least = max(least, reached / len(drawn))
        adjusted[pair] = least
    return adjusted


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("pseudo", [0.0, 0.01])
def test_the_step_down_maximum_is_that_of_counting_all_64_flips_of_six_cases(seed, pseudo):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, (3, 6)) + np.array([[0.0], [0.6], [2.0]])
    sample = over_cases(scores, pseudo)
    apart = differences(sample, 0, FIRST, SECOND)
    draws = flipped_t(sample, [0], FIRST, SECOND, size=999, seed=0, unseen=True)
    found = maximum_p(apart.t, draws, exact=True)
    assert found.tolist() == pytest.approx(step_down(scores.tolist(), pseudo))


def test_flips_are_divided_by_the_error_that_they_themselves_have():
    sample = over_cases([[0.4, 0.1, 0.5], [0.0, 0.2, 0.1], [0.3, 0.3, 0.0]], pseudo=0.001)
    found = all_draws(sample, FIRST, SECOND, size=99, seed=0)
    rows = [sample.scores[0, a] - sample.scores[0, b] for a, b in zip(FIRST, SECOND, strict=True)]
    expected = [
        [t_of((signs * row).tolist(), 0.002) for row in rows]
        for signs in np.array(list(product([-1, 1], repeat=3)))
    ]
    assert len(found) == 4  # a change of all signs changes no |t|
    np.testing.assert_allclose(np.sort(found, axis=0), np.sort(expected, axis=0)[::2])


@pytest.mark.parametrize("cases", [4, 7, 10])
def test_differences_all_on_one_side_have_the_smallest_p_that_flips_can_give(cases):
    scores = np.stack([np.linspace(0.5, 0.9, cases), np.zeros(cases)])
    sample = over_cases(scores, 0.001)
    one, two = np.array([0]), np.array([1])
    apart = differences(sample, 0, one, two)
    draws = flipped_t(sample, [0], one, two, size=9999, seed=0, unseen=True)
    assert maximum_p(apart.t, draws, exact=True).tolist() == [2 / 2**cases]


@pytest.mark.parametrize("cases", [5, 8, 10])
@pytest.mark.parametrize("pseudo", [0.0, 0.05])
def test_randomisation_over_few_cases_is_scipys_exact_permutation_test_of_pairs(cases, pseudo):
    """|mean| and |t| put the flips in the same order: the sum of squares is that of all flips."""
    scores = np.random.default_rng(cases).normal(0, 1, (2, cases))
    scores[0] += 0.5
    found = compare_pairs(
        over_cases(scores, pseudo), resolve(["accuracy"]), [0, 1], test="randomisation", correction="none",
        level=0.95, margin=None, size=9999, seed=0,
    )  # fmt: skip
    expected = stats.permutation_test(
        (scores[0] - scores[1],), lambda x, axis: x.mean(axis=axis), permutation_type="samples",
        n_resamples=np.inf, vectorized=True,
    ).pvalue  # fmt: skip
    assert found.exact
    assert found.flips == 2 ** (cases - 1)
    assert found.p[0, 0] == pytest.approx(expected)


def test_more_cases_than_can_be_counted_are_drawn_with_one_added_to_both_counts():
    assert counts_all_flips(14, 9999)  # 2^13 = 8,192 flips
    assert not counts_all_flips(15, 9999)
    scores = np.stack([np.ones(40) + np.linspace(0, 0.1, 40), np.zeros(40)])
    found = compare_pairs(
        over_cases(scores), resolve(["accuracy"]), [0, 1], test="randomisation", correction="none",
        level=0.95, margin=None, size=99, seed=0,
    )  # fmt: skip
    assert not found.exact
    assert found.p[0, 0] == pytest.approx(1 / 100)


def discordant(only_a, only_b, neither=100):
    """Return runs of items that a alone, that b alone, and that both have right."""
    gold = np.zeros(only_a + only_b + neither, int)
    a, b = gold.copy(), gold.copy()
    b[:only_a], a[only_a : only_a + only_b] = 1, 1
    return oe.Runs.from_labels(gold, {"a": a, "b": b}, labels=[0, 1])


@pytest.mark.parametrize(("only_a", "only_b"), [(8, 2), (9, 1), (30, 17), (6, 0), (60, 41)])
@pytest.mark.parametrize("agreed", [0, 5000])
def test_randomisation_of_accuracy_over_items_is_the_exact_sign_test(only_a, only_b, agreed):
    """Items that both have right or wrong do not matter; a tie with the observed difference is as far out."""
    found = oe.compare(
        discordant(only_a, only_b, agreed), metrics="accuracy", primary="accuracy", test="randomisation",
        n_resamples=20_000,
    ).pairs[0]  # fmt: skip
    expected = stats.binomtest(only_a, only_a + only_b).pvalue
    assert found.p == pytest.approx(expected, abs=4 * sqrt(expected / 20_000) + 1e-4)


def test_flips_of_items_draw_a_sign_for_every_item():
    """b is right on the 3 items that a has wrong: each adds or takes 1/4, the one that both have right nothing."""
    case = case_of([3, 1], [WRONG_0, RIGHT_0], [RIGHT_0, RIGHT_0])
    sample = item_sample([case], accuracy)
    drawn = np.concatenate(list(flipped_scores(sample, [0], 8000, 0, 1)), axis=1)[0]
    values, times = np.unique((drawn[:, 1] - drawn[:, 0]).round(6), return_counts=True)
    assert values.tolist() == [-0.75, -0.25, 0.25, 0.75]
    np.testing.assert_allclose(times / 8000, [1 / 8, 3 / 8, 3 / 8, 1 / 8], atol=0.025)


def test_beyond_many_patterns_the_sums_of_signs_are_drawn_from_their_normal_distribution(
    monkeypatch,
):
    runs = discordant(30, 20)
    exact = oe.compare(runs, metrics="accuracy", primary="accuracy", test="randomisation")
    monkeypatch.setattr(module, "MOST_UNITS", 1)
    normal = oe.compare(runs, metrics="accuracy", primary="accuracy", test="randomisation")
    # 50 items: without a correction for steps of 2 the normal p is a little smaller
    expected = 2 * stats.norm.sf(10 / sqrt(50))
    assert normal.pairs[0].p == pytest.approx(expected, abs=0.03)
    assert abs(exact.pairs[0].p - normal.pairs[0].p) < 0.06


def test_a_system_without_a_score_does_not_stop_the_draws_of_many_patterns(monkeypatch):
    """The best constant answer has no tau-b, nor has a system that is constant."""
    gold = [0, 1, 2] * 20
    systems = {"a": [0, 1, 1] * 20, "b": [0, 2, 1] * 20, "c": [1] * 60}
    exact = oe.compare(gold, systems, metrics=["kendall_tau_b"])
    monkeypatch.setattr(module, "MOST_UNITS", 1)
    normal = oe.compare(gold, systems, metrics=["kendall_tau_b"])
    found, expected = ([pair.p_adjusted for pair in each.pairs] for each in (normal, exact))
    assert found.count(None) == expected.count(None) == 2
    known = [at for at, p in enumerate(expected) if p is not None]
    assert [found[at] for at in known] == pytest.approx([expected[at] for at in known], abs=0.03)


def test_no_draw_depends_on_how_the_work_is_cut(monkeypatch):
    runs = discordant(30, 20)
    whole = oe.compare(runs, test="randomisation", n_resamples=500).to_dict()
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 300)
    assert oe.compare(runs, test="randomisation", n_resamples=500).to_dict() == whole


# --- one difference ---


def one(value, error, freedom=9.0):
    return Differences(*(np.array([x]) for x in (value, error, freedom, error)))


def test_a_difference_without_any_error_is_certain_and_none_is_no_evidence():
    assert one(0.3, 0.0).p.tolist() == [0.0]
    assert one(0.0, 0.0).p.tolist() == [1.0]
    assert one(1e-14, 0.0).t.tolist() == [0.0]
    assert np.isnan(one(np.nan, 0.1).p[0])
    assert np.isnan(one(0.1, np.nan).p[0])


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_interval_excludes_0_exactly_if_p_is_below_alpha(level):
    for value in np.linspace(0.01, 0.5, 60):
        apart = one(value, 0.1)
        low, _ = apart.interval(level)
        assert (low[0] > 0) == (apart.p[0] < 1 - level)


def test_a_one_sided_p_value_is_that_of_scipys_t():
    apart = one(-0.02, 0.03, 17.0)
    for bound in (-0.1, -0.02, 0.0, 0.05):
        expected = stats.t.sf((-0.02 - bound) / 0.03, 17)
        assert apart.one_sided_p(bound)[0] == pytest.approx(expected)


def test_draws_with_what_is_unseen_vary_as_much_as_their_errors_say():
    """One item in 51 tells a from b, so that most of the error is of pseudo-items; t has a mean square of about 1.

    The flips alone would have the share of their own variance in the error: less than a half.
    """
    sample = oe.compare(
        discordant(1, 0, 50), metrics="accuracy", primary="accuracy"
    ).scores.samples[0]
    one, two = np.array([0]), np.array([1])
    whole = all_draws(sample, one, two, size=20_000, seed=3)
    assert (whole**2).mean() == pytest.approx(1.0, abs=0.1)
