"""Which classes people confuse, and on which items they disagree."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

import ordeval as oe
from ordeval.agreement.disagreement import (
    DisputedItems,
    confusion_table,
    most_confused,
    spread_by_class,
)
from tests.agreement.marks import ratings_of, simulated


@pytest.fixture(scope="module")
def marks():
    marks = simulated(4, items=40, raters=5, each=3)
    marks[0, :] = np.nan
    marks[1, :4] = np.nan
    return marks


def test_the_confusion_counts_every_ordered_pair_of_marks_on_the_same_item(marks):
    expected = np.zeros((5, 5))
    for row in marks:
        for a, b in permutations(row[~np.isnan(row)].astype(int), 2):
            expected[a - 1, b - 1] += 1
    table = confusion_table(ratings_of(marks))
    np.testing.assert_array_equal(table.counts, expected)


def test_the_most_confused_classes_come_first_with_their_share_of_all_pairs():
    # Pairs: 1 and 2, 1 and 2, 2 and 2, 4 and 5.
    table = confusion_table(ratings_of([[1, 2], [2, 1], [2, 2], [4, 5]]))
    assert most_confused(table) == [(0, 1, 2, 0.5), (3, 4, 1, 0.25)]


def test_items_come_in_the_order_of_their_mean_distance_between_two_marks(marks):
    disputed = DisputedItems(ratings_of(marks))
    spreads = {}
    for item, row in enumerate(marks):
        given = row[~np.isnan(row)]
        if len(given) > 1:
            spreads[item] = np.mean([abs(a - b) for a, b in combinations(given, 2)])
    assert len(disputed) == len(spreads) == 38
    assert {one.item: one.spread for one in disputed} == pytest.approx(spreads)
    found = [one.spread for one in disputed]
    assert found == sorted(found, reverse=True)
    assert disputed[0] == disputed[:1][0]


def test_a_disputed_item_tells_its_marks_by_their_labels():
    (one,) = DisputedItems(ratings_of([[1, 5, 5]]))
    # |1 - 5| twice and 0 once, over three pairs.
    assert one.to_dict() == {
        "item": 0,
        "spread": pytest.approx(8 / 3),
        "marks": [{"label": 1, "raters": 1}, {"label": 5, "raters": 2}],
    }


def test_items_that_were_counted_elsewhere_are_not_listed():
    ratings = replace(ratings_of([[1, 5], [2, 2]]), item_names=None, pattern_of=None)
    assert len(DisputedItems(ratings)) == 0


def test_the_spread_by_class_counts_items_by_their_lower_median_and_how_far_apart_their_marks_lie():
    ratings = ratings_of(
        [[2, 2, 2], [1, 2, 2], [2, 3, np.nan], [1, 4, 5], [5, 5, np.nan], [3, np.nan, np.nan]]
    )
    # Lower medians: 2 (equal), 2 (neighbours), 2 (neighbours), 4 (apart), 5 (equal); a single mark does not count.
    assert spread_by_class(ratings).tolist() == [
        [0, 0, 0],
        [1, 2, 0],
        [0, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
    ]


def test_a_class_that_is_named_as_another_column_has_a_column_of_its_own():
    ratings = oe.Ratings.from_array([["spread", "item"]], labels=["item", "mid", "spread"])
    frame = oe.agree(ratings, level=None).to_frame("items")
    # two marks on one item, two classes apart
    assert frame.to_dict("list") == {
        "item": [0], "spread": [2.0], "class item": [1], "mid": [0], "class spread": [1],
    }  # fmt: skip
