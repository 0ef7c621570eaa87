"""Randomisation over items, by hand and by swapping every item."""

from itertools import product

import numpy as np
import pytest

from ordeval.stats import chunks, item_tests
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.item_tests import (
    discordant_groups,
    drawn_splits,
    every_split,
    score_differences,
    swap_p,
)
from ordeval.stats.streams import Purpose
from tests.stats.scores import accuracy, both, first_cell

# Cells of a table of two classes, flattened: gold 0 answered 0, 1 or not at all, then gold 1.
RIGHT_0, WRONG_0, NONE_0, WRONG_1, RIGHT_1, NONE_1 = range(6)


def case_of(counts, first, second):
    return CasePatterns(np.array(counts, dtype=float), np.array([first, second]), 2)


def redrawn(n, size):
    key = np.random.SeedSequence(7, spawn_key=(int(Purpose.SWAPS),))
    return np.random.Generator(np.random.PCG64(key)).binomial(n, 0.5, size=size)


# Gold 0: two items answered 0 by a and 1 by b, one the other way round. Gold 1: three that both answer 1, one that only
# a answers.
MIXED = case_of(
    [2, 1, 3, 1],
    [RIGHT_0, WRONG_0, RIGHT_1, RIGHT_1],
    [WRONG_0, RIGHT_0, RIGHT_1, NONE_1],
)


def test_items_are_grouped_by_gold_and_by_both_answers_whoever_gave_which():
    groups = discordant_groups(MIXED, 0, 1)
    assert groups.size.tolist() == [
        3,
        1,
    ]  # gold 0 answered 0 and 1; gold 1 answered 1 and not at all
    assert groups.first.tolist() == [[0, 3, 0], [0, 3, 1]]  # if a gave all the higher answers
    assert groups.second.tolist() == [[3, 0, 0], [0, 4, 0]]
    assert groups.move.tolist() == [[1, -1, 0, 0, 0, 0], [0, 0, 0, 0, 1, -1]]


def test_a_split_says_how_many_of_the_lower_answers_are_the_first_systems():
    first, second = discordant_groups(MIXED, 0, 1).tables(np.array([[2, 1], [0, 0]]))
    observed = MIXED.observed
    assert first[0].tolist() == observed[0].tolist()
    assert second[0].tolist() == observed[1].tolist()
    assert first[1].tolist() == [[0, 3, 0], [0, 3, 1]]
    assert second[1].tolist() == [[3, 0, 0], [0, 4, 0]]


def test_all_splits_have_the_probabilities_of_coin_flips():
    """Groups of 2 and 1 items: 3 * 2 splits; the first group's have 1/4, 1/2, 1/4 and the second's 1/2 each."""
    splits, chance = every_split(np.array([2, 1]))
    assert splits.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    assert chance.tolist() == [1 / 8, 1 / 8, 1 / 4, 1 / 4, 1 / 8, 1 / 8]
    splits, chance = every_split(np.array([], dtype=int))
    assert splits.shape == (1, 0)
    assert chance.tolist() == [1.0]


def test_drawn_splits_are_binomial_one_group_after_the_other():
    key = np.random.SeedSequence(7, spawn_key=(int(Purpose.SWAPS),))
    rng = np.random.Generator(np.random.PCG64(key))
    expected = np.stack([rng.binomial(n, 0.5, size=50) for n in (300, 2)], axis=1)
    found = drawn_splits(np.array([300, 2]), 50, 7)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.uint16  # the narrowest type that holds 300
    assert drawn_splits(np.array([255]), 5, 7).dtype == np.uint8
    assert drawn_splits(np.array([], dtype=int), 5, 7).shape == (5, 0)


def test_the_p_value_is_the_probability_of_splits_as_far_from_nothing():
    """Two items that a has right and b wrong: splits 0, 1, 2 with 1/4, 1/2, 1/4 differ by -1, 0 and 1."""
    found = swap_p([case_of([2], [RIGHT_0], [WRONG_0])], accuracy, (0, 1), size=99, seed=7)
    assert found.exact is True
    assert found.p.tolist() == [0.5]
    assert found.undefined.tolist() == [0]


def test_the_order_of_the_pair_does_not_matter_and_other_systems_neither():
    case = CasePatterns(
        np.array([2.0, 3.0]),
        np.array([[WRONG_0, WRONG_1], [RIGHT_0, RIGHT_1], [RIGHT_0, WRONG_1]]),
        2,
    )
    # 1 and 2 differ in the three items of gold 1, all in favour of 1: 2 of 8 ways to flip three coins are as far out
    assert swap_p([case], accuracy, (1, 2), size=99, seed=7).p.tolist() == [0.25]
    assert swap_p([case], accuracy, (2, 1), size=99, seed=7).p.tolist() == [0.25]


def test_all_splits_are_counted_where_there_are_no_more_than_draws_asked_for():
    """Groups of 3 and 1 items have 4 * 2 splits."""
    assert swap_p([MIXED], accuracy, (0, 1), size=8, seed=7).exact
    assert not swap_p([MIXED], accuracy, (0, 1), size=7, seed=7).exact


def test_cases_of_unlike_groups_are_split_each_by_its_own():
    """Every way to swap the six items on which the systems differ, in two cases, by brute force."""
    gold = [[0, 0, 1, 1], [0, 1, 1]]
    a = [[0, 0, 1, 1], [1, 1, 1]]
    b = [[1, 1, 0, 1], [0, 0, 0]]
    cases = [
        case_of(
            np.ones(len(g)),
            [3 * x + y for x, y in zip(g, p, strict=True)],
            [3 * x + y for x, y in zip(g, q, strict=True)],
        )
        for g, p, q in zip(gold, a, b, strict=True)
    ]

    def difference(swaps):
        means = []
        for g, p, q in zip(gold, a, b, strict=True):
            these = [next(swaps) if x != y else 0 for x, y in zip(p, q, strict=True)]
            one = [y if swap else x for x, y, swap in zip(p, q, these, strict=True)]
            two = [x if swap else y for x, y, swap in zip(p, q, these, strict=True)]
            means.append(np.mean(np.equal(one, g)) - np.mean(np.equal(two, g)))
        return np.mean(means)

    every = np.abs([difference(iter(swaps)) for swaps in product([0, 1], repeat=6)])
    expected = np.mean(every >= every[0] - 1e-9)
    found = swap_p(cases, accuracy, (0, 1), size=999, seed=7)
    assert found.exact
    assert 0 < expected < 1
    assert found.p[0] == pytest.approx(expected)


def test_undefined_splits_are_counted_and_left_out():
    """Of 3 items a has 1 in the first cell and b 2. Splits 0 and 3, of 1/8 each, leave one of them none there.

    The other two differ by 1/3 either way, so all that is left is as far out: 6/8 of 6/8.
    """
    case = case_of([1, 2], [RIGHT_0, WRONG_0], [WRONG_0, RIGHT_0])
    found = swap_p([case], both, (0, 1), size=99, seed=7)
    assert found.exact
    assert found.p.tolist() == [1.0, 1.0]
    assert found.undefined.tolist() == [0, 2]
    # Two more items, right by a alone, in a cell that the measure does not look at, change nothing.
    wider = case_of([1, 2, 2], [RIGHT_0, WRONG_0, RIGHT_1], [WRONG_0, RIGHT_0, WRONG_1])
    assert swap_p([wider], first_cell, (0, 1), size=99, seed=7).p[0] == pytest.approx(1.0)


def test_a_split_that_is_less_far_out_than_the_rest_counts_by_its_probability():
    """Of 4 items a has 3 in the first cell and b 1. Splits 0 and 4 are undefined; 1 and 3 with 4/16 each differ by 1/2,
    and 2 with 6/16 by nothing: 8/14.
    """
    case = case_of([3, 1], [RIGHT_0, WRONG_0], [WRONG_0, RIGHT_0])
    assert swap_p([case], first_cell, (0, 1), size=99, seed=7).p[0] == pytest.approx(8 / 14)


def test_an_undefined_score_has_no_p_value():
    case = case_of([2, 1], [RIGHT_0, RIGHT_1], [WRONG_0, RIGHT_1])
    found = swap_p([case], both, (0, 1), size=99, seed=7)
    assert found.p[0] == 0.5
    assert np.isnan(found.p[1])


def test_a_score_that_no_split_has_has_no_p_value():
    """No item is of gold 0, so that the first cell is empty whoever gave which answer."""
    case = case_of([2], [RIGHT_1], [WRONG_1])
    for size in (99, 2):  # all three splits, then two draws
        found = swap_p([case], first_cell, (0, 1), size=size, seed=7)
        assert np.isnan(found.p[0])
        assert found.undefined.tolist() == [min(size, 3)]


def test_drawn_splits_as_far_out_are_counted_with_one_added_to_both_counts():
    """Of 1,000 items 520 are right by a alone and 480 by b alone; with x of them right, a has 2x - 1000 more than b."""
    case = case_of([520, 480], [RIGHT_0, WRONG_0], [WRONG_0, RIGHT_0])
    found = swap_p([case], accuracy, (0, 1), size=500, seed=7)
    reached = np.abs(2 * redrawn(1000, 500) - 1000) >= 40
    assert not found.exact
    assert 10 < reached.sum() < 490
    assert found.p[0] == pytest.approx((reached.sum() + 1) / 501)


def test_undefined_drawn_splits_are_left_out_of_both_counts():
    case = case_of([3, 2], [RIGHT_0, WRONG_0], [WRONG_0, RIGHT_0])  # 6 splits
    found = swap_p([case], first_cell, (0, 1), size=5, seed=7)
    lower = redrawn(5, 5)
    defined = (lower > 0) & (lower < 5)
    reached = defined & (np.abs(2 * lower - 5) >= 1)
    assert not found.exact
    assert found.p[0] == pytest.approx((reached.sum() + 1) / (defined.sum() + 1))
    assert found.undefined.tolist() == [5 - defined.sum()]


def test_no_more_splits_are_scored_at_a_time_than_allowed(monkeypatch):
    monkeypatch.setattr(item_tests, "SPLITS_AT_A_TIME", 3)
    lengths = []

    def remember(cells, observed=None):
        lengths.append(len(cells))
        return accuracy(cells)

    at_once = swap_p([MIXED], accuracy, (0, 1), size=99, seed=7)
    lengths.clear()
    in_parts = swap_p([MIXED], remember, (0, 1), size=99, seed=7)
    assert lengths == [2, 3, 3, 3, 3, 2, 2]  # the observed pair; then 8 splits of two systems
    assert in_parts.p.tolist() == at_once.p.tolist()
    lengths.clear()
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 12)  # two tables of 6 cells
    swap_p([MIXED], remember, (0, 1), size=99, seed=7)
    assert lengths == [2] + [2] * 8


def test_the_difference_is_the_first_systems_minus_the_seconds():
    """In the split (3, 1) a is right on all 7 items and b on 3."""
    groups = [discordant_groups(MIXED, 0, 1)]
    found = score_differences(groups, accuracy, np.array([[3, 1], [0, 0]]))
    np.testing.assert_allclose(found, [[4 / 7, -4 / 7]])


def test_systems_that_never_differ_are_no_evidence():
    found = swap_p([case_of([2], [RIGHT_0], [RIGHT_0])], accuracy, (0, 1), size=99, seed=7)
    assert found.exact
    assert found.p.tolist() == [1.0]
