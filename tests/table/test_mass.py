"""How much of the gold lies between two classes, and the end of the scale that is farther: worked by hand."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.table.folding import fold, fold_to_farthest, fold_to_largest_error
from ordeval.table.mass import (
    farthest_ends,
    interval_mass,
    nominal_mass,
    ordinal_mass,
    ordinal_mass_of_rows,
)

GOLD = np.array([4, 2, 6])


def test_the_ordinal_mass_is_half_the_answers_class_and_all_up_to_gold():
    # mass[b, a]: 4/2; 2/2 + 4; 6/2 + 2 + 4 in the first row (b = 1), and so on
    assert ordinal_mass(GOLD)[0].tolist() == [[2, 5, 9], [4, 1, 5], [10, 7, 3]]
    assert ordinal_mass(np.stack([GOLD, GOLD * 2]))[0][1].tolist() == [
        [4, 10, 18],
        [8, 2, 10],
        [20, 14, 6],
    ]


@pytest.mark.parametrize("k", [30, 31, 40])  # few classes are multiplied, more are added up
def test_the_ordinal_mass_of_many_classes_is_what_a_count_one_by_one_gives(k):
    gold = np.random.default_rng(0).integers(0, 9, k)
    expected = [
        [
            gold[a] / 2 + (gold[b] if a != b else 0) + sum(gold[min(a, b) + 1 : max(a, b)])
            for a in range(k)
        ]
        for b in range(k)
    ]
    mass, rest = ordinal_mass(gold)
    assert mass.tolist() == expected
    assert (mass + rest == gold.sum()).all()
    some = slice(3, 7)
    mass, rest = ordinal_mass_of_rows(np.stack([gold, gold]), some)
    assert mass.tolist() == [expected[some]] * 2
    assert (mass + rest == gold.sum()).all()


def test_the_nominal_mass_is_the_class_itself_or_everything():
    assert nominal_mass(GOLD)[0].tolist() == [[4, 12, 12], [12, 2, 12], [12, 12, 6]]
    assert nominal_mass(np.stack([GOLD, GOLD * 2]))[0][1].tolist() == [
        [8, 24, 24],
        [24, 4, 24],
        [24, 24, 12],
    ]


def test_the_interval_mass_is_all_within_the_distance_less_half_the_answers_class():
    # values 0, 1, 3; b = 1 (value 1): a = 0 is 1 away, and within 1 of it lie 0 and 1, 4 + 2 - 4/2 = 4;
    # a = 3 is 2 away, and within 2 of it lie all, 12 - 6/2 = 9
    assert interval_mass(GOLD, np.array([0.0, 1.0, 3.0]))[0].tolist() == [
        [2, 5, 9],
        [4, 1, 9],
        [10, 7, 3],
    ]
    # equal distances: within 1 of the middle class lie all three
    assert interval_mass(GOLD, np.array([0.0, 1.0, 2.0]))[0][1].tolist() == [10, 1, 9]


def test_distances_that_differ_by_rounding_are_the_same():
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last digit: both ends are as far from the middle
    assert 0.3 - 0.2 != 0.2 - 0.1
    assert interval_mass(GOLD, np.array([0.1, 0.2, 0.3]))[0][1].tolist() == [10, 1, 9]
    assert interval_mass(GOLD, np.array([0.1, 0.2, 0.3001]))[0][1].tolist() == [4, 1, 9]


@pytest.mark.parametrize(
    ("gold", "upper"),
    [
        # the middle class: mass of the lower end is n_1 / 2 + n_2, of the upper n_3 / 2 + n_2
        ([4, 2, 6], [True, True, False]),
        ([6, 2, 4], [True, False, False]),
        ([4, 2, 4], [True, False, False]),  # a tie: the lower end
        ([1, 1], [True, False]),
        ([3], [False]),
    ],
)
def test_the_farther_end_is_the_one_of_larger_mass(gold, upper):
    assert farthest_ends(np.array(gold)).tolist() == upper


def test_missed_items_go_to_one_end_or_the_other():
    counts = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    missed = np.array([2, 3, 4])
    assert fold(counts, missed, np.array([True, False, True])).tolist() == [
        [1, 0, 2],
        [3, 1, 0],
        [0, 0, 5],
    ]
    assert counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]  # as it was
    # gold 1 + 2, 1 + 3, 1 + 4: the middle class is farther from the upper end, for 5 is more than 3
    assert fold_to_farthest(counts, missed).tolist() == [[1, 0, 2], [0, 1, 3], [4, 0, 1]]


@pytest.mark.parametrize(
    ("values", "middle"),
    [
        ([0, 1, 3], [0, 1, 3]),  # 2 to the upper end and 1 to the lower
        ([0, 2, 3], [3, 1, 0]),
        ([0, 1, 2], [3, 1, 0]),  # a tie: the lower end
    ],
)
def test_missed_items_go_to_the_end_of_the_largest_error(values, middle):
    folded = fold_to_largest_error(np.eye(3, dtype=int), np.array([2, 3, 4]), np.array(values))
    assert folded.tolist() == [[1, 0, 2], middle, [4, 0, 1]]


def test_the_mean_error_of_items_without_an_answer_is_the_largest_there_is():
    # by hand: 1 is 3 away from 4, 2 is 2 away from 4, 4 is 3 away from 1; 0 for the item that was answered
    assert oe.mae([1, 2, 4, 1], [None, None, None, 1], labels=[1, 2, 4], missing="zero") == 2
