"""The order of systems, their tiers, and the shares of their ranks, by hand."""

import numpy as np

from ordeval.stats.ranks import best_first, rank_shares, tiers_of

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


def square(size, **pairs):
    """Return a symmetric matrix of p-values, 1 where nothing is said: p01=0.2 is that of systems 0 and 1."""
    p = np.ones((size, size))
    for name, value in pairs.items():
        a, b = int(name[1]), int(name[2])
        p[a, b] = p[b, a] = value
    return p


def test_a_p_value_of_exactly_alpha_is_significant():
    values = np.array([3.0, 2.0])
    assert tiers_of([0, 1], values, square(2, p01=0.05), 0.05) == [[0], [1]]
    assert tiers_of([0, 1], values, square(2, p01=0.0500001), 0.05) == [[0, 1]]


def test_a_tier_is_led_by_its_best_system_and_compared_with_that_one_alone():
    """0 beats 1 and 2. 1 does not beat 2, though it beats 3, which 0 does not: 3 is in the first tier."""
    values = np.array([4.0, 3.0, 2.0, 1.0])
    p = square(4, p01=0.01, p02=0.01, p13=0.01)
    assert tiers_of([0, 1, 2, 3], values, p, 0.05) == [[0, 3], [1, 2]]


def test_a_pair_without_a_p_value_is_not_told_apart():
    assert tiers_of([0, 1], np.array([3.0, 2.0]), square(2, p01=NAN), 0.05) == [[0, 1]]


def test_tiers_follow_the_order_given_and_not_the_numbers_of_the_systems():
    values = np.array([1.0, NAN, 3.0])
    assert tiers_of([2, 0, 1], values, square(3, p02=0.01), 0.05) == [[2], [0], [1]]
    assert tiers_of([], np.array([]), np.ones((0, 0)), 0.05) == []


def test_a_rank_share_is_that_of_resamples_with_so_many_systems_ahead():
    """Five resamples of a, b, c. c is first, behind a, last, undefined, and a rounding error above a."""
    samples = np.array(
        [
            [0.5, 0.5, 0.5, 0.5, 0.3],
            [0.6, 0.4, 0.6, 0.4, 0.2],
            [0.7, 0.45, 0.4, NAN, 0.1 + 0.2],
        ]
    )
    # resample: 1       2       3       4       5
    # a is      third   first   second  first   first (ties with c)
    # b is      second  third   first   second  third
    # c is      first   second  third   third   first (ties with a)
    expected = [[3 / 5, 1 / 5, 1 / 5], [1 / 5, 2 / 5, 2 / 5], [2 / 5, 1 / 5, 2 / 5]]
    np.testing.assert_allclose(rank_shares(samples, greater_is_better=True), expected)


def test_where_less_is_better_the_least_is_first_and_an_undefined_one_still_last():
    samples = np.array([[0.1, 0.1], [0.2, 0.2], [0.0, NAN]])
    assert rank_shares(samples, greater_is_better=False).tolist() == [
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.5],
        [0.5, 0.0, 0.5],
    ]


def test_undefined_systems_share_the_rank_behind_all_others():
    samples = np.array([[NAN], [0.2], [NAN]])
    assert rank_shares(samples, greater_is_better=True)[:, 1].tolist() == [1.0, 0.0, 1.0]
