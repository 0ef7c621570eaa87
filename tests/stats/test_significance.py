"""P-values against other people's: SciPy, statsmodels, and counting every swap."""

from itertools import product

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import ordeval as oe
from ordeval.comparison.pairs import bootstrap_p, draws_for, read_test
from ordeval.comparison.scoring import joint_patterns
from ordeval.errors import ParameterError
from ordeval.stats.case_tests import EXACT_FLIPS, flips_p, paired_t_p, wilcoxon_p
from ordeval.stats.distributions import incomplete_beta, normal_cdf, normal_quantile, t_two_sided
from ordeval.stats.item_tests import swap_p
from ordeval.stats.multiple_testing import adjusted, read_correction
from tests.stats.test_resampling import ITEMWISE, sample, scorer_of


def test_the_normal_distribution_is_that_of_scipy():
    x = np.linspace(-37, 37, 999)
    np.testing.assert_allclose(normal_cdf(x), stats.norm.cdf(x), rtol=1e-12)
    p = np.concatenate([[1e-300, 1e-20], np.linspace(1e-9, 1 - 1e-9, 999)])
    np.testing.assert_allclose(normal_quantile(p), stats.norm.ppf(p), atol=1e-12)
    assert normal_quantile(np.array([0.0, 1.0])).tolist() == [-np.inf, np.inf]


def test_the_incomplete_beta_function_is_that_of_scipy():
    x = np.linspace(0, 1, 101)
    for a in (0.5, 1.0, 7.5, 500.0):
        found = incomplete_beta(np.array(a), 0.5, x, 1 - x)
        np.testing.assert_allclose(found, special.betainc(a, 0.5, x), rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("freedom", [1, 2, 24, 1000, 100_000])
def test_the_tails_of_students_t_are_those_of_scipy(freedom):
    t = np.concatenate([[0.0], np.geomspace(1e-8, 100, 400)])
    # near 0 the sf of SciPy 1.17 is off by 3e-9 at one degree of freedom; its incomplete beta function is not
    near = 1 - special.betainc(0.5, freedom / 2, t * t / (freedom + t * t))
    expected = np.where(t < 1, near, 2 * stats.t.sf(t, freedom))
    found = t_two_sided(t, np.full(t.shape, float(freedom)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-300)
    assert t_two_sided(np.array([np.inf]), np.array([3.0])).tolist() == [0.0]


@pytest.mark.parametrize("cases", [2, 5, 25, 60])
def test_the_paired_t_test_is_that_of_scipy(cases):
    rng = np.random.default_rng(cases)
    a, b = rng.normal(0.1, 1, (2, 30, cases))
    np.testing.assert_allclose(paired_t_p(a - b), stats.ttest_rel(a, b, axis=-1).pvalue, rtol=1e-9)


@pytest.mark.parametrize("cases", [3, 12, 25, 50])
def test_wilcoxon_without_ties_is_scipys_exact_test(cases):
    a, b = np.random.default_rng(cases).normal(0.1, 1, (2, 20, cases))
    expected = [stats.wilcoxon(x, y, method="exact").pvalue for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(wilcoxon_p(a - b), expected, rtol=1e-9)


@pytest.mark.parametrize("cases", [25, 51, 200])
def test_wilcoxon_with_ties_or_many_cases_is_scipys_normal_approximation(cases):
    rng = np.random.default_rng(cases)
    differences = np.round(
        rng.normal(0.1, 1, (20, cases)), 1
    )  # with ties, and zeros, which are dropped
    expected = [stats.wilcoxon(row, method="approx").pvalue for row in differences]
    np.testing.assert_allclose(wilcoxon_p(differences), expected, rtol=1e-9)


def test_wilcoxon_with_ties_of_few_cases_counts_all_signs():
    # Four cases with the same difference: 2 of the 2^4 choices of signs are as far from 0.
    assert wilcoxon_p(np.full((1, 4), 0.1))[0] == 2 / 16
    rng = np.random.default_rng(1)
    for cases in (2, 5, 9, 40):  # of 40 cases all but 9 are zeros
        row = np.zeros(cases)
        row[: min(cases, 9)] = rng.integers(1, 4, min(cases, 9)) / 10
        row *= rng.choice([-1, 1], cases)
        there = row[row != 0]
        ranks = stats.rankdata(np.abs(there).round(12))
        sums = np.array([ranks @ signs for signs in product([-1, 1], repeat=len(there))])
        expected = np.mean(np.abs(sums) >= abs(ranks @ np.sign(there)))
        assert wilcoxon_p(row[None])[0] == pytest.approx(expected)
    undefined = wilcoxon_p(np.array([[0.1, 0.1, np.nan], [0.1, 0.1, 0.1]]))
    np.testing.assert_array_equal(undefined, [np.nan, 2 / 8])


def test_wilcoxon_drops_zeros_and_counts_the_rest_exactly():
    differences = np.array([[0.0, 0.3, -0.1, 0.0, 0.7, 0.2, 0.4]])
    expected = stats.wilcoxon([0.3, -0.1, 0.7, 0.2, 0.4], method="exact").pvalue
    assert wilcoxon_p(differences)[0] == pytest.approx(expected)


def test_no_difference_in_any_case_is_no_evidence_and_the_same_one_in_all_is_certain_by_t():
    nothing, always = np.zeros((1, 10)), np.full((1, 10), 0.1)
    for test in (paired_t_p, wilcoxon_p, lambda d: flips_p(d, size=99, seed=0)):
        assert test(nothing)[0] == 1.0
        assert np.isnan(test(np.array([[0.1, np.nan]])))[0]
    assert paired_t_p(always)[0] == 0.0
    assert flips_p(always, size=99, seed=0)[0] == pytest.approx(
        2 / 2**10
    )  # all signs alike, either way


@pytest.mark.parametrize("cases", [2, 7, 10])
def test_flipping_signs_is_scipys_exact_permutation_test_of_pairs(cases):
    differences = np.random.default_rng(cases).normal(0.2, 1, (8, cases))
    expected = [
        stats.permutation_test(
            (row,),
            lambda x, axis: x.mean(axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        ).pvalue
        for row in differences
    ]
    np.testing.assert_allclose(flips_p(differences, size=9, seed=0), expected)


def test_beyond_the_exact_reach_flips_are_drawn_and_agree_with_the_t_test():
    rng = np.random.default_rng(0)
    differences = rng.normal(0.15, 1, (20, EXACT_FLIPS + 40))
    np.testing.assert_allclose(
        flips_p(differences, size=20_000, seed=0), paired_t_p(differences), atol=0.015
    )
    assert flips_p(np.full((1, 60), 0.5), size=99, seed=0)[0] == pytest.approx(
        1 / 100
    )  # (0 + 1) / (99 + 1)


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_corrections_are_those_of_statsmodels(ours, theirs):
    p = np.random.default_rng(0).random((5, 45)) ** 3
    p[0, :10] = 0.01  # ties
    expected = [multipletests(row, method=theirs)[1] for row in p]
    np.testing.assert_allclose(adjusted(p, ours), expected, rtol=1e-12)
    lost = np.concatenate([p, np.full((5, 3), np.nan)], axis=1)
    np.testing.assert_allclose(adjusted(lost, ours)[:, :45], expected, rtol=1e-12)
    assert np.isnan(adjusted(lost, ours)[:, 45:]).all()
    np.testing.assert_array_equal(adjusted(p, "none"), p)
    with pytest.raises(ParameterError, match="correction='sidak' is no choice"):
        read_correction("sidak")


def test_randomisation_of_accuracy_is_mcnemars_exact_test():
    rng = np.random.default_rng(4)
    for right, other in ((0.8, 0.7), (0.6, 0.6), (0.9, 0.5)):
        gold = rng.integers(0, 2, 120)
        a, b = (np.where(rng.random(120) < share, gold, 1 - gold) for share in (right, other))
        runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, labels=[0, 1])
        table = [[np.sum((a == gold) & (b == gold)), np.sum((a == gold) & (b != gold))],
                 [np.sum((a != gold) & (b == gold)), np.sum((a != gold) & (b != gold))]]  # fmt: skip
        found = swap_p(
            joint_patterns(runs), scorer_of(["accuracy"], 2), (0, 1), size=99_999, seed=0
        )
        assert found.exact
        assert found.p[0] == pytest.approx(mcnemar(table, exact=True).pvalue)


def test_swapping_groups_is_swapping_every_item():
    """All 2^9 ways to swap nine items, by SciPy, which knows nothing of tables."""
    gold = np.array([0, 0, 1, 1, 1, 2, 2, 3, 3])
    first, second = np.array([0, 1, 1, 1, 2, 2, 1, 3, 3]), np.array([0, 0, 2, 0, 2, 1, 2, 0, 2])
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, labels=range(4))
    names = ["accuracy", "mae", "weighted_kappa(weights='quadratic')"]
    found = swap_p(joint_patterns(runs), scorer_of(names), (0, 1), size=9999, seed=0)
    assert found.exact
    for name, p in zip(names, found.p, strict=True):

        def difference(a, b, measure=ITEMWISE[name]):
            return measure(gold, a) - measure(gold, b)

        expected = stats.permutation_test(
            (first, second),
            difference,
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=False,
        )
        assert p == pytest.approx(
            np.mean(np.abs(expected.null_distribution) >= abs(expected.statistic) - 1e-12)
        )


def test_drawn_swaps_agree_with_all_of_them():
    gold, first, second = sample(n=60, seed=1)
    runs = oe.Runs.from_labels(gold, {"a": first, "b": second}, labels=range(4))
    patterns, scorer = joint_patterns(runs), scorer_of(["cem_ord", "mae", "kendall_tau_b"])
    exact = swap_p(patterns, scorer, (0, 1), size=10**6, seed=0)
    assert exact.exact
    drawn = [swap_p(patterns, scorer, (0, 1), size=99, seed=seed) for seed in range(100)]
    assert not any(one.exact for one in drawn)
    np.testing.assert_allclose(
        np.mean([one.p for one in drawn], axis=0), exact.p, atol=4 * np.sqrt(0.05 / 9900) + 1 / 100
    )


def test_drawn_p_values_have_one_added_to_both_counts():
    gold = np.arange(400) % 4
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": (gold + 1) % 4})
    found = swap_p(joint_patterns(runs), scorer_of(["accuracy"]), (0, 1), size=99, seed=0)
    assert found.p[0] == pytest.approx(1 / 100)


def test_swapping_items_within_cases_is_averaged_over_cases():
    """Two cases of one discordant item each: differences +1 and +1; of the four swaps two are as far out."""
    runs = oe.Runs.from_labels([0, 0], {"a": [0, 0], "b": [1, 1]}, case=["x", "y"])
    found = swap_p(joint_patterns(runs), scorer_of(["accuracy"], 2), (0, 1), size=99, seed=0)
    assert found.exact
    assert found.p[0] == pytest.approx(2 / 4)


def test_the_paired_bootstrap_counts_resamples_as_far_from_the_observed_as_that_is_from_nothing():
    """Observed 1; resamples 0.5, 2.5, 1, -0.5 lie 0.5, 1.5, 0, 1.5 away: two reach 1, so (2 + 1) / (4 + 1)."""
    draws = np.array([0.5, 2.5, 1.0, -0.5])
    assert bootstrap_p(draws, np.array(1.0)) == pytest.approx(3 / 5)
    assert bootstrap_p(np.array([0.5, np.nan, 2.5, 1.0, -0.5]), np.array(1.0)) == pytest.approx(
        3 / 5
    )
    assert bootstrap_p(np.zeros(9), np.array(0.0)) == 1.0
    assert np.isnan(bootstrap_p(draws, np.array(np.nan)))


def test_holm_gets_enough_draws_for_its_smallest_p_value_to_count():
    """528 pairs at 0.05: 1 / (R + 1) * 528 is to be at most 0.05 / 2, so R is 2 * 528 / 0.05 - 1."""
    assert draws_for(9999, 528, 0.05, "holm") == 21_119
    assert draws_for(9999, 6, 0.05, "holm") == 9999
    assert draws_for(9999, 528, 0.05, "bh") == 9999


def test_no_level_asks_for_more_draws_than_fit():
    assert draws_for(9999, 528, 1e-9, "holm") == 999_999
    assert draws_for(9999, 1, 0.0, "holm") == 999_999
    assert draws_for(2_000_000, 1, 1e-9, "holm") == 2_000_000


def test_a_test_that_the_data_cannot_have_is_refused():
    assert read_test(None, "items", 0) == "randomisation"
    with pytest.raises(ParameterError, match="test='z' is no choice"):
        read_test("z", "items", 0)
    with pytest.raises(ParameterError, match="the data has no test cases"):
        read_test("wilcoxon", "items", 0)
    with pytest.raises(ParameterError, match="takes the test cases for a sample"):
        read_test("t", "items", 5)
