"""Wilcoxon's signed-rank test against SciPy, and where ties, zeros and rounding matter by hand and by counting."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from ordeval.stats.case_tests import (
    counted_flips_p,
    flipped_sums,
    mid_ranks,
    observed_distance,
    rank_sum_cdf,
    wilcoxon_p,
)

NAN = np.nan


@pytest.mark.parametrize("cases", [5, 20, 30, 60])
def test_differences_of_measures_and_pairs_have_the_p_values_of_their_rows(cases):
    differences = np.random.default_rng(cases).normal(0.2, 1, size=(2, 3, cases)).round(1)
    alone = [[wilcoxon_p(row[None])[0] for row in rows] for rows in differences]
    np.testing.assert_allclose(wilcoxon_p(differences), alone, rtol=1e-12)


def test_an_undefined_difference_leaves_the_row_without_a_p_value_and_the_others_alone():
    rows = np.array([[0.1, 0.2, NAN], [0.1, 0.2, 0.4]])
    np.testing.assert_allclose(wilcoxon_p(rows), [NAN, 2 / 8])


def test_ties_share_the_mean_of_their_ranks_and_infinite_ones_are_not_counted_as_ties():
    """1 is first, 2 second, the two 3s third and fourth: 3.5 each, and 2^3 - 2 = 6; three 5s are 3^3 - 3 = 24."""
    ranks, tied = mid_ranks(
        np.array([[3.0, 1.0, 3.0, 2.0, np.inf, np.inf], [5.0, 1.0, 5.0, 5.0, 2.0, 2.0]])
    )
    assert ranks[0, :4].tolist() == [3.5, 1.0, 3.5, 2.0]
    assert ranks[1].tolist() == [5.0, 1.0, 5.0, 5.0, 2.5, 2.5]
    assert tied.tolist() == [6.0, 24.0 + 6.0]


def test_the_rank_sums_of_three_cases_have_the_probabilities_of_eight_choices():
    """1, 2 and 3 add up to 0, 1, 2, 3, 3, 4, 5, 6 in the eight ways to choose some of them."""
    expected = np.array([1, 2, 3, 5, 6, 7, 8]) / 8
    np.testing.assert_allclose(rank_sum_cdf(3), expected)
    assert rank_sum_cdf(50)[-1] == pytest.approx(1.0)


def test_differences_that_are_the_same_up_to_rounding_are_ties_by_wilcoxon():
    """Ranks 1.5, 1.5, 3, 4, the first negative. Its sum is reached with none or one of the 1.5s negative: 3 ways,
    and as many on the other side, of 16; without the tie it would be 2 and 2.
    """
    row = np.array([[-0.3, 0.1 + 0.2, 0.5, 0.7]])
    assert wilcoxon_p(row).tolist() == [6 / 16]
    apart = np.array([[-0.3, 0.3 + 1e-9, 0.5, 0.7]])
    assert wilcoxon_p(apart).tolist() == [4 / 16]


def test_differences_by_rounding_alone_are_dropped_as_zeros_by_wilcoxon():
    """What is left are two positive differences: 2 of 4 choices of signs are as far out."""
    assert wilcoxon_p(np.array([[1e-14, 0.2, 0.5, -2e-13]])).tolist() == [2 / 4]


def test_tied_ranks_of_13_cases_are_counted_and_of_14_approximated():
    rng = np.random.default_rng(5)
    for cases in (13, 14):
        row = rng.choice([-2.0, -1.0, 1.0, 1.0, 2.0, 2.0, 3.0], size=cases)
        ranks = stats.rankdata(np.abs(row))
        signs = np.array(np.meshgrid(*[[-1, 1]] * cases)).reshape(cases, -1)
        counted = np.mean(np.abs(ranks @ signs) >= abs(ranks @ np.sign(row)) - 1e-9)
        approximated = stats.wilcoxon(row, method="approx").pvalue
        expected = counted if cases == 13 else approximated
        assert counted != pytest.approx(approximated)
        assert wilcoxon_p(row[None])[0] == pytest.approx(expected)
        assert wilcoxon_p(np.append(row, np.zeros(9))[None])[0] == pytest.approx(expected)


@pytest.mark.parametrize(("cases", "method"), [(50, "exact"), (51, "approx")])
def test_untied_ranks_of_50_cases_are_counted_and_of_51_approximated(cases, method):
    row = np.random.default_rng(cases).normal(0.3, 1, size=cases)
    p = {how: stats.wilcoxon(row, method=how).pvalue for how in ("exact", "approx")}
    assert p["exact"] != pytest.approx(p["approx"])
    assert wilcoxon_p(row[None])[0] == pytest.approx(p[method])


def test_every_row_has_the_p_value_that_it_has_alone():
    """Without ties, with ties, with zeros, with nothing but zeros, and in the middle of the distribution."""
    rows = np.array(
        [
            [0.1, 0.2, 0.3, -0.4, 0.5],
            [0.1, 0.1, 0.3, -0.3, 0.5],
            [0.0, 0.2, 0.3, -0.4, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.1, 0.2, 0.4, 0.5, -0.6],
        ]
    )
    alone = [wilcoxon_p(row[None])[0] for row in rows]
    assert wilcoxon_p(rows).tolist() == alone
    assert wilcoxon_p(rows.reshape(5, 1, 5)).tolist() == [[p] for p in alone]
    assert alone[0] == pytest.approx(stats.wilcoxon(rows[0], method="exact").pvalue)
    assert alone[2] == 1.0  # 1 + 2 - 3 = 0
    assert alone[3] == 1.0
    assert alone[4] == pytest.approx(stats.wilcoxon(rows[4], method="exact").pvalue)


def test_no_p_value_is_above_1():
    """Ranks 1, 2, 3, where 3 is negative: both tails hold the middle, 5/8 each."""
    assert wilcoxon_p(np.array([[0.1, 0.2, -0.3]])).tolist() == [1.0]
    even = np.array([[0.1, -0.1] * 30])
    assert wilcoxon_p(even).tolist() == [1.0]
    # 0.1 + 0.2 - 0.3 is 5.6e-17: no difference
    assert counted_flips_p(np.array([[0.1, 0.2, -0.3]])).tolist() == [1.0]


def test_the_sums_of_all_flips_ascend():
    assert flipped_sums(np.array([[1.0, 3.0], [4.0, 0.0]])).tolist() == [
        [-4, -2, 2, 4],
        [-4, -4, 4, 4],
    ]
    assert flipped_sums(np.zeros((2, 0))).tolist() == [[0], [0]]


def test_the_distance_to_be_reached_leaves_room_for_rounding_in_every_case():
    found = observed_distance(np.array([[3.0, -1.0, -4.0], [0.0, 0.0, 0.0]]))
    assert found[0] == pytest.approx(2 - 3e-12, abs=1e-15)
    assert found[1] == pytest.approx(-3e-12, abs=1e-15)


def test_flips_of_each_row_are_counted_against_its_own_distance():
    """1 + 2 - 4 = -1 is reached by all 8 sums, 7 by two; 1 - 1 + 1 = 1 by all."""
    rows = np.array([[1.0, 2.0, -4.0], [1.0, 2.0, 4.0], [1.0, -1.0, 1.0]])
    assert counted_flips_p(rows).tolist() == [1.0, 2 / 8, 1.0]


@pytest.mark.parametrize("cases", [3, 12, 25, 50])
def test_wilcoxon_without_ties_is_scipys_exact_test(cases):
    a, b = np.random.default_rng(cases).normal(0.1, 1, (2, 20, cases))
    expected = [stats.wilcoxon(x, y, method="exact").pvalue for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(wilcoxon_p(a - b), expected, rtol=1e-9)


@pytest.mark.parametrize("cases", [25, 51, 200])
def test_wilcoxon_with_ties_or_many_cases_is_scipys_normal_approximation(cases):
    rng = np.random.default_rng(cases)
    # with ties, and zeros, which are dropped
    differences = np.round(rng.normal(0.1, 1, (20, cases)), 1)
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
