"""Is a part of the items a random sample: the chi-squared test of homogeneity, with rare cells taken together."""

import numpy as np
import pytest
from scipy import stats

from ordeval.judge.sample_check import margin_check


def chi_squared(*rows):
    """Return the p of scipy's test without a correction for continuity."""
    return stats.chi2_contingency(np.array(rows), correction=False).pvalue


def test_cells_that_are_not_rare_are_compared_as_they_are():
    marked, unmarked = np.array([20, 30, 50]), np.array([300, 250, 450])
    assert margin_check(marked, unmarked) == pytest.approx(chi_squared(marked, unmarked))


def test_rare_cells_are_taken_together_until_five_marked_items_are_expected():
    # A quarter of all items is marked. The rarest cells have 4, 8 and 12 items: of these 1, 2 and 3 are expected among
    # the marked, 6 together, which is enough; a cell with no item at all is left out.
    marked, unmarked = np.array([30, 3, 0, 0, 1, 66]), np.array([100, 9, 0, 4, 7, 180])
    merged = [[4, 30, 66], [20, 100, 180]]
    assert margin_check(marked, unmarked) == pytest.approx(chi_squared(*merged))


def test_exactly_five_expected_items_are_enough():
    # Half of all items is marked: of 10 items 5 are expected.
    assert margin_check(np.array([2, 98]), np.array([8, 92])) == pytest.approx(
        chi_squared([2, 98], [8, 92])
    )


@pytest.mark.parametrize(
    ("marked", "unmarked"),
    [([4, 0], [7, 0]), ([0, 0], [3, 4]), ([3, 4], [0, 0]), ([2, 2], [3, 1]), ([], [])],
)
def test_nothing_is_said_of_one_cell_one_part_or_few_items(marked, unmarked):
    assert np.isnan(margin_check(np.array(marked), np.array(unmarked)))


def test_a_random_sample_is_called_none_about_once_in_a_hundred():
    rng = np.random.default_rng(0)
    shares = [0.02, 0.08, 0.3, 0.6]
    found = np.array(
        [
            margin_check(rng.multinomial(100, shares), rng.multinomial(900, shares))
            for _ in range(3000)
        ]
    )
    # 30 of 3,000 are expected, give or take three times their standard deviation of 5.4
    assert 14 <= (found < 0.01).sum() <= 46
