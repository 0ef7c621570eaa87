"""One label from several marks, worked by hand."""

import pytest

import ordeval as oe
from ordeval.errors import DataError, ParameterError

SCALE = [1, 2, 3, 4, 5]


def consensus(marks, rule):
    return oe.Ratings.from_array(marks, labels=SCALE).consensus(rule)


@pytest.mark.parametrize(
    ("marks", "majority", "median"),
    [
        ([2, 2, 5], 2, 2),
        ([5, 1, 5], 5, 5),
        ([1, 4, None], 1, 1),  # two tied classes: the lower one; the lower median
        ([1, 1, 4, 4], 1, 1),
        ([1, 3, 5], 3, 3),  # three tied classes: the middle one
        ([1, 2, 4, 5], 2, 2),  # four: the second
        ([1, 1, 3, 4, 5, 5], 1, 3),  # 1 and 5 tie, so 1; the third of six marks is 3
        ([1, 1, 4, 4, 5], 1, 4),
        ([None, None, 3], 3, 3),
        ([None, None, None], None, None),
    ],
)
def test_majority_and_median_take_the_lower_of_two(marks, majority, median):
    assert consensus([marks, [1] * len(marks)], "majority")[0] == majority
    assert consensus([marks, [1] * len(marks)], "median")[0] == median


def test_closest_is_the_class_with_most_bits_expected():
    # Eight items: one marked 1, 3, 3, five marked 3 by all, two marked 2 by all. So the classes have 1/3, 2 and 17/3
    # items, and the bits of an answer a where gold is b are -log2((half of a + those between + b) / 8):
    #   1: gold 1: (1/6)/8, 5.585 bits; gold 3: (1/6 + 2 + 17/3)/8, 0.030; expected 5.585/3 + 0.030*2/3 = 1.882
    #   2: gold 1: (1 + 1/3)/8, 2.585;  gold 3: (1 + 17/3)/8, 0.263;       expected 1.037
    #   3: gold 1: (17/6 + 2 + 1/3)/8, 0.631; gold 3: (17/6)/8, 1.498;     expected 1.209
    marks = [[1, 3, 3], *[[3, 3, 3]] * 5, *[[2, 2, 2]] * 2]
    ratings = oe.Ratings.from_array(marks)
    assert ratings.consensus("closest") == [1, 3, 3, 3, 3, 3, 2, 2]
    assert ratings.consensus("majority")[0] == ratings.consensus("median")[0] == 3


def test_consensus_has_the_labels_of_the_scale_and_not_their_names():
    scale = oe.Scale(["lo", "hi"]).named(["bad", "good"])
    assert oe.Ratings.from_array([["hi", "hi"]], labels=scale).consensus() == ["hi"]


def test_an_unknown_rule_is_refused_with_the_nearest_one():
    with pytest.raises(ParameterError, match=r"Did you mean majority\?"):
        oe.Ratings.from_array([[1, 2]]).consensus("majorty")


def test_items_that_an_engine_counted_have_no_consensus_one_by_one():
    import polars as pl

    ratings = oe.Ratings.from_wide(pl.LazyFrame({"a": [1, 2], "b": [1, 1]}), raters=["a", "b"])
    assert ratings.n == 2
    with pytest.raises(DataError, match="Collect the frame first"):
        ratings.consensus()
