"""The order of systems, the ranks that each may have, and where the order is cut, by hand."""

import numpy as np

from ordeval.stats.ranks import best_first, better_than, rank_intervals, tiers_of

NAN = np.nan


def test_the_best_is_first_by_the_direction_of_the_measure():
    values = np.array([0.2, 0.5, 0.4])
    assert best_first(values, ["a", "b", "c"], greater_is_better=True) == [1, 2, 0]
    assert best_first(values, ["a", "b", "c"], greater_is_better=False) == [0, 2, 1]


def test_systems_that_differ_by_rounding_alone_stand_by_name():
    values = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-9])  # 0.1 + 0.2 is a little more than 0.3
    assert best_first(values, ["b", "a", "c"], greater_is_better=True) == [1, 0, 2]
    assert best_first(values, ["b", "a", "c"], greater_is_better=False) == [2, 1, 0]


def test_undefined_systems_stand_last_by_name_in_either_direction():
    values = np.array([NAN, -1.0, NAN, 2.0])
    assert best_first(values, ["d", "c", "b", "a"], greater_is_better=True) == [3, 1, 2, 0]
    assert best_first(values, ["d", "c", "b", "a"], greater_is_better=False) == [1, 3, 2, 0]


def beats(size, *pairs):
    """Return better[a, b], true for the pairs of digits named: "01" says that 0 is better than 1."""
    better = np.zeros((size, size), dtype=bool)
    for a, b in pairs:
        better[int(a), int(b)] = True
    return better


def test_a_system_is_better_if_it_is_ahead_and_the_p_value_is_at_most_alpha():
    values = np.array([0.3, 0.5, NAN, 0.5 + 1e-13])
    p = np.full((4, 4), 0.05)
    up = better_than(values, p, 0.05, greater_is_better=True)
    assert up.tolist() == beats(4, "10", "30").tolist()  # 1 and 3 are the same, 2 has no score
    down = better_than(values, p, 0.05, greater_is_better=False)
    assert down.tolist() == beats(4, "01", "03").tolist()
    assert not better_than(values, p + 1e-9, 0.05, greater_is_better=True).any()
    assert not better_than(values, np.full((4, 4), NAN), 0.05, greater_is_better=True).any()


def test_a_rank_lies_between_those_surely_better_and_those_surely_worse():
    """Of four, 0 beats 2 and 3, and 1 beats 3: 0 may be 1-2, 1 may be 1-3, 2 may be 2-4, 3 is behind two: 3-4."""
    low, high = rank_intervals(beats(4, "02", "03", "13"), np.ones(4, dtype=bool))
    assert low.tolist() == [1, 1, 2, 3]
    assert high.tolist() == [2, 3, 4, 4]


def test_systems_without_a_score_have_no_rank_and_take_none_from_the_others():
    low, high = rank_intervals(beats(3, "02"), np.array([True, False, True]))
    assert low.tolist() == [1, 0, 2]
    assert high.tolist() == [1, 0, 2]


def test_tiers_are_cut_only_where_all_above_are_better_than_all_below():
    everyone = np.ones(4, dtype=bool)
    # 0 beats 2 and 3, 1 beats 3 alone: no cut is clean, though 0 and 3 differ
    assert tiers_of([0, 1, 2, 3], beats(4, "02", "03", "13"), everyone) == [[0, 1, 2, 3]]
    # with 1 better than 2 as well, 0 and 1 are above 2 and 3
    clean = beats(4, "02", "03", "13", "12")
    assert tiers_of([0, 1, 2, 3], clean, everyone) == [[0, 1], [2, 3]]
    all_apart = beats(4, "01", "02", "03", "12", "13", "23")
    assert tiers_of([0, 1, 2, 3], all_apart, everyone) == [[0], [1], [2], [3]]


def test_tiers_follow_the_order_given_and_the_unranked_share_the_last_one():
    ranked = np.array([True, False, True])
    assert tiers_of([2, 0, 1], beats(3, "20"), ranked) == [[2], [0], [1]]
    assert tiers_of([1, 0, 2], beats(3), np.zeros(3, dtype=bool)) == [[1, 0, 2]]
    assert tiers_of([], beats(0), np.zeros(0, dtype=bool)) == []
