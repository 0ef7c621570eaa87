"""What cannot be read as ratings is refused in one sentence that names the rater and the item."""

import contextlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.errors import OrdevalError

LONG = {"item": ["p", "p", "q"], "rater": ["ann", "bob", "ann"], "label": [1, 2, 3]}
LIBRARIES = [pd.DataFrame, pl.DataFrame, pl.LazyFrame]


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(OrdevalError) as caught:
        door()
    return str(caught.value)


@pytest.fixture(params=LIBRARIES, ids=["pandas", "polars", "lazy"])
def make(request):
    """A function from columns to a frame."""
    return request.param


@pytest.mark.parametrize("role", ["item", "rater", "label"])
def test_a_long_frame_without_a_column_says_which(make, role):
    lacking = {("x" if name == role else name): values for name, values in LONG.items()}
    said = message(lambda: oe.Ratings.from_frame(make(lacking)))
    assert said.startswith(f"the frame has no column known as {role}; it has ")
    assert said.endswith(f"Name it with {role}=.")
    assert oe.Ratings.from_frame(make(lacking), **{role: "x"}).n == 2


def test_a_column_that_was_named_and_is_absent_is_refused(make):
    said = message(lambda: oe.Ratings.from_frame(make(LONG), rater="raters"))
    assert "the frame has no column 'raters' for rater=" in said
    said = message(lambda: oe.Ratings.from_wide(make(LONG), raters=["ann"]))
    assert "the frame has no column 'ann'" in said


def test_a_rater_twice_on_an_item_is_named_with_the_item(make):
    twice = {name: [*values, values[0]] for name, values in LONG.items()}
    said = message(lambda: oe.Ratings.from_frame(make(twice)))
    assert said == (
        "there is more than one mark by rater 'ann' of item 'p'. Remove the others, or pass duplicates='first' to keep "
        "the first. If the rater marks items several times, name the column that tells these apart: repeat=."
    )


def test_an_engine_without_an_order_cannot_keep_the_first():
    twice = {name: [*values, values[0]] for name, values in LONG.items()}
    said = message(lambda: oe.Ratings.from_frame(pl.LazyFrame(twice), duplicates="first"))
    assert "needs rows in an order" in said


def test_a_rater_with_two_spellings_marked_twice_in_an_engine_too(make):
    columns = {"item": [1, 1], "rater": ["ann", " ann"], "label": [1, 2]}
    assert "there is more than one mark" in message(lambda: oe.Ratings.from_frame(make(columns)))


def test_an_item_with_two_rows_in_a_wide_frame_is_refused(make):
    wide = {"id": [1, 1, 2], "a": [1, 2, 3], "b": [1, 2, 3]}
    said = message(lambda: oe.Ratings.from_wide(make(wide), raters=["a", "b"]))
    assert said.startswith("the frame has more than one row for item 1.")


def test_the_first_row_of_an_item_is_kept_on_request():
    wide = pd.DataFrame({"id": [1, 1, 2], "a": [1, 2, 3], "b": [1, 2, 3]})
    ratings = oe.Ratings.from_wide(wide, raters=["a", "b"], duplicates="first", labels=[1, 2, 3])
    assert ratings.consensus() == [1, 3]
    assert dict(ratings.ignored) == {"duplicate": 1}


def test_a_mark_that_is_not_on_the_scale_is_named_with_rater_and_item():
    said = message(lambda: oe.Ratings.from_frame(pd.DataFrame(LONG), labels=[1, 2]))
    assert said == (
        "label 3 is not on the scale [1, 2] (lowest first); 1 of 3 marks lies outside it, the first by rater 'ann' of "
        "item 'q'. Add the class to labels=[...], or pass unknown='missing' to leave it out."
    )
    said = message(lambda: oe.Ratings.from_frame(pl.LazyFrame(LONG), labels=[1, 2]))
    assert "the first by rater 'ann'. Add" in said
    said = message(lambda: oe.Ratings.from_array([[1, 2.5]], labels=[1, 2, 3]))
    assert "Pass round='nearest' to round such marks" in said


def test_the_first_item_off_the_scale_is_the_first_in_order():
    marks = [[1, 2], [2, 1], [1, 9], [9, 9]]
    said = message(lambda: oe.Ratings.from_array(marks, labels=[1, 2], item=list("wxyz")))
    assert "3 of 8 marks lie outside it, the first by rater 'rater 2' of item 'y'" in said


def test_marks_of_all_raters_decide_the_scale_as_gold_labels_do():
    assert "cannot tell the order" in message(lambda: oe.Ratings.from_array([["lo", "hi"]]))
    said = message(lambda: oe.Ratings.from_array([["1", "n/a"], ["2", "n/a"]]))
    assert "the marks have 'n/a' among numbers such as 1" in said
    assert "2 of 4 marks are not numbers, the first by rater 'rater 2' of item 0" in said
    assert "only 3 of these 100 integers occur" in message(
        lambda: oe.Ratings.from_array([[1, 50, 100]])
    )
    assert "a label is infinite" in message(lambda: oe.Ratings.from_array([[1.0, np.inf]]))


def test_no_marks_at_all_are_refused(make):
    empty = {"item": ["p"], "rater": ["ann"], "label": pd.Series([None], dtype="float64")}
    empty["label"] = [float("nan")]
    assert "there are no marks" in message(lambda: oe.Ratings.from_frame(make(empty)))
    assert "there are no marks" in message(lambda: oe.Ratings.from_array([[None, None]]))
    assert "there are no marks" in message(lambda: oe.Ratings.from_array([]))
    assert "there are no marks" in message(lambda: oe.Ratings.from_array(np.zeros((3, 0))))
    none = {name: values[:0] for name, values in LONG.items()}
    assert "there are no items: the frame has no rows" in message(
        lambda: oe.Ratings.from_frame(pd.DataFrame(none))
    )


def test_a_row_without_a_rater_or_an_item_is_refused(make):
    nameless = {**LONG, "rater": ["ann", None, "ann"]}
    said = message(lambda: oe.Ratings.from_frame(make(nameless)))
    assert "names no rater in 1 of its" in said
    lost = {**LONG, "item": ["p", None, "q"]}
    said = message(lambda: oe.Ratings.from_frame(make(lost)))
    assert said.startswith("the frame lacks an item id")
    assert "in 1 of its" in said


def test_an_item_is_no_list():
    odd = pd.DataFrame({**LONG, "item": pd.Series([[1], [1], [2]], dtype=object)})
    said = message(lambda: oe.Ratings.from_frame(odd))
    assert said.startswith("the frame has [1], a list, in place of an item id")


def test_a_rater_may_be_named_by_a_truth_value(make):
    flags = oe.Ratings.from_frame(make({**LONG, "rater": [True, False, True]}))
    assert flags.raters == ("False", "True")
    assert flags.marks == 3


def test_raters_and_items_of_an_array_are_as_many_as_its_columns_and_rows():
    marks = [[1, 2], [2, 1]]
    assert "marks has 2 columns and raters is ['a']" in message(
        lambda: oe.Ratings.from_array(marks, raters=["a"])
    )
    assert "raters names a rater twice" in message(
        lambda: oe.Ratings.from_array(marks, raters=["a", "a"])
    )
    assert "a rater without a name" in message(
        lambda: oe.Ratings.from_array(marks, raters=["a", None])
    )
    assert "item names 1 items and there are 2" in message(
        lambda: oe.Ratings.from_array(marks, item=["a"])
    )
    assert "item names 'a' more than once" in message(
        lambda: oe.Ratings.from_array(marks, item=["a", "a"])
    )
    assert "row 1 of marks has 1 entries and row 0 has 2" in message(
        lambda: oe.Ratings.from_array([[1, 2], [1]])
    )


def test_a_column_like_a_count_is_refused_or_noted():
    wide = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "n": [5, 6, 7, 8]})
    assert "seems to stand for several items" in message(
        lambda: oe.Ratings.from_wide(wide, raters=["a", "b"])
    )
    assert oe.Ratings.from_wide(wide, raters=["a", "b"], count=1).n == 4


ODD = [None, 3, 0.5, "x", b"x", object(), [], {}, {1}, np.array(1), np.zeros((2, 2, 2)), slice(3), len,
       [[[1]]], [object()], [None], np.array([["a", 1j]], dtype=object), np.array([[1j]]),
       np.array([["2020-01-01"]], dtype="M8[D]")]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
@pytest.mark.filterwarnings("error")
def test_odd_things_are_refused_by_errors_of_ours_alone(odd):
    good = [[1, 2], [2, 1]]
    frame = pd.DataFrame(LONG)
    ratings = oe.Ratings.from_array(good)
    for door in (
        lambda: oe.Ratings.from_array(odd),
        lambda: oe.Ratings.from_array(good, raters=odd),
        lambda: oe.Ratings.from_array(good, item=odd),
        lambda: oe.Ratings.from_array(good, labels=odd),
        lambda: oe.Ratings.from_array(good, values=odd),
        lambda: oe.Ratings.from_array(good, unknown=odd),
        lambda: oe.Ratings.from_frame(odd),
        lambda: oe.Ratings.from_frame(frame, item=odd),
        lambda: oe.Ratings.from_frame(frame, duplicates=odd),
        lambda: oe.Ratings.from_wide(frame, raters=odd),
        lambda: oe.Ratings.from_wide(frame, raters=["label"], count=odd),
        lambda: oe.Ratings.from_file(odd),
        lambda: oe.Ratings.from_json(odd),
        lambda: ratings.select(odd),
        lambda: ratings.leave_out(odd),
        lambda: ratings.consensus(odd),
    ):
        with contextlib.suppress(OrdevalError):
            door()
