"""Tests over test cases where ties, zeros and rounding matter, by hand and by counting."""

import numpy as np
import pytest
from scipy import stats

from ordeval.stats import case_tests
from ordeval.stats.case_tests import (
    counted_flips_p,
    drawn_flips_p,
    flipped_sums,
    flips_p,
    mid_ranks,
    observed_distance,
    paired_t_p,
    rank_sum_cdf,
    wilcoxon_p,
)

NAN = np.nan


def test_differences_by_rounding_alone_are_none_by_t():
    rounding = np.array([[1e-13, -3e-13, 2e-13, 4e-13]])
    assert paired_t_p(rounding).tolist() == [1.0]


def test_a_difference_by_rounding_alone_counts_as_0_by_t():
    rows = np.array([[0.5, 0.2, 9e-13], [0.5, 0.2, 0.0], [0.5, 0.2, 2e-12]])
    p = paired_t_p(rows)
    assert p[0] == p[1]
    assert p[2] != p[1]


@pytest.mark.parametrize("cases", [5, 20, 30, 60])
def test_differences_of_measures_and_pairs_have_the_p_values_of_their_rows(cases):
    differences = np.random.default_rng(cases).normal(0.2, 1, size=(2, 3, cases)).round(1)
    for test in (paired_t_p, wilcoxon_p, flips):
        alone = [[test(row[None])[0] for row in rows] for rows in differences]
        np.testing.assert_allclose(test(differences), alone, rtol=1e-12)


def test_the_same_difference_up_to_rounding_in_all_cases_is_certain_by_t_and_none_is_no_evidence():
    assert paired_t_p(np.array([[0.3, 0.1 + 0.2, 0.3]])).tolist() == [0.0]
    assert paired_t_p(np.array([[-0.3, -0.3, -0.3]])).tolist() == [0.0]
    assert paired_t_p(np.array([[0.1, -0.1]])).tolist() == [1.0]


def test_a_small_but_real_spread_is_one_by_t():
    """Differences of 1e-6 are far above rounding, and t does not know the unit."""
    differences = np.array([1.0, 2.0, 4.0, -1.0])
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert paired_t_p(differences[None] * 1e-6)[0] == pytest.approx(expected)
    assert paired_t_p(differences[None] * 1e-9)[0] == pytest.approx(expected)


def test_an_undefined_difference_leaves_the_row_without_a_p_value_and_the_others_alone():
    rows = np.array([[0.1, 0.2, NAN], [0.1, 0.2, 0.4]])
    expected = [stats.ttest_1samp(rows[1], 0).pvalue, 2 / 8, 2 / 8]
    for test, p in zip((paired_t_p, wilcoxon_p, flips), expected, strict=True):
        np.testing.assert_allclose(test(rows), [NAN, p])


def flips(differences, size=99):
    return flips_p(differences, size=size, seed=7)


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
    assert flips(np.array([[0.1, 0.2, -0.3]])).tolist() == [1.0]


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


def test_flips_that_add_up_the_same_in_another_order_are_as_far_out():
    """(0.1 + 0.2) + 0.3 is a little more than 0.1 + (0.2 + 0.3); all or none flipped are 2 of 8."""
    assert flips(np.array([[0.1, 0.2, 0.3]])).tolist() == [2 / 8]
    assert flips(np.array([[0.3, 0.2, 0.1]])).tolist() == [2 / 8]
    # 0.1 + 0.2 - 0.3 is 5.6e-17: no difference
    assert flips(np.array([[0.1, 0.2, -0.3]])).tolist() == [1.0]


def test_all_flips_are_counted_up_to_26_cases_and_drawn_beyond():
    assert flips(np.full((1, 26), 0.5))[0] == pytest.approx(2 / 2**26, rel=1e-9)
    assert flips(np.full((1, 27), 0.5))[0] == pytest.approx(1 / 100)


def test_drawn_flips_are_coin_flips_of_the_stream_for_swaps():
    rows = np.random.default_rng(0).normal(0.2, 1, size=(2, 30))
    key = np.random.SeedSequence(7, spawn_key=(3,))
    signs = np.random.Generator(np.random.PCG64(key)).integers(0, 2, size=(99, 30)) * 2 - 1
    reached = (np.abs(rows @ signs.T) >= np.abs(rows.sum(axis=1))[:, None]).sum(axis=1)
    assert 0 < reached[0] < 99
    np.testing.assert_allclose(drawn_flips_p(rows, 99, 7), (reached + 1) / 100)
    np.testing.assert_allclose(flips(rows), (reached + 1) / 100)


def test_drawn_flips_that_tie_with_the_observed_are_as_far_out():
    """All 60 differences are equal but one of 0: it may be flipped either way, and the rest must not."""
    row = np.append(np.full(4, 0.1), np.zeros(56))[None]
    key = np.random.SeedSequence(7, spawn_key=(3,))
    signs = np.random.Generator(np.random.PCG64(key)).integers(0, 2, size=(400, 60)) * 2 - 1
    alike = np.abs(signs[:, :4].sum(axis=1)) == 4
    assert drawn_flips_p(row, 400, 7)[0] == pytest.approx((alike.sum() + 1) / 401)


def test_no_p_value_depends_on_how_many_flips_or_rows_are_taken_at_a_time(monkeypatch):
    rows = np.random.default_rng(0).normal(0.2, 1, size=(5, 31))
    few = rows[:, :7]
    at_once = flips(rows), flips(few)
    monkeypatch.setattr(case_tests, "FLIPS_AT_A_TIME", 7)
    monkeypatch.setattr(case_tests, "ROWS_AT_A_TIME", 2)
    np.testing.assert_array_equal(flips(rows), at_once[0])
    np.testing.assert_array_equal(flips(few), at_once[1])


def test_progress_counts_rows():
    seen = []
    rows = np.ones((2, 65, 3))
    flips_p(rows, size=9, seed=7, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(64, 130), (128, 130), (130, 130)]


def test_flips_of_each_row_are_counted_against_its_own_distance():
    """1 + 2 - 4 = -1 is reached by all 8 sums, 7 by two; 1 - 1 + 1 = 1 by all."""
    rows = np.array([[1.0, 2.0, -4.0], [1.0, 2.0, 4.0], [1.0, -1.0, 1.0]])
    assert counted_flips_p(rows).tolist() == [1.0, 2 / 8, 1.0]
