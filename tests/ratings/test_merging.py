"""Ratings that are added, and written as JSON and read back."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.errors import DataError, ScaleError


def parts_of(marks, raters, items, where):
    """Return two ratings: the marks where a mask says so, and the others."""
    return [
        oe.Ratings.from_array(np.where(mask, marks, np.nan), raters=raters, item=items)
        for mask in (where, ~where)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_the_marks_of_one_item_come_together_from_both_sides(seed):
    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 5, (30, 4)).astype(float)
    marks[0, 0], marks[0, 1], marks[0, 2], marks[0, 3] = 1, 4, 1, 4
    where = rng.random(marks.shape) < 0.5
    where[0] = [True, True, False, False]  # so that both sides show the whole scale
    raters, items = list("abcd"), [f"d{at}" for at in range(30)]
    a, b = parts_of(marks, raters, items, where)
    assert a + b == oe.Ratings.from_array(marks, raters=raters, item=items)


def test_raters_and_items_of_either_side_alone_are_added():
    a = oe.Ratings.from_array([[1, 2], [3, None]], raters=["x", "y"], item=["p", "q"])
    b = oe.Ratings.from_array([[4], [2]], raters=["z"], item=["q", "r"])
    both = a + b
    assert both.raters == ("x", "y", "z")
    assert both.items == ("p", "q", "r")
    marks = [[1, 2, None], [3, None, 4], [None, None, 2]]
    assert both == oe.Ratings.from_array(marks, raters=["x", "y", "z"], item=["p", "q", "r"])
    assert sum([a, b]) == both


def test_ids_read_as_text_and_as_numbers_are_the_same_items():
    a = oe.Ratings.from_array([[1], [2]], raters=["x"], item=[7, 8])
    b = oe.Ratings.from_array([[1], [2]], raters=["y"], item=["8", "7"])
    assert (a + b).items == (7, 8)
    assert (a + b).shares().tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_items_without_names_follow_each_other():
    a = oe.Ratings.from_array([[1, 2], [2, 2]])
    both = a + a
    assert both.items == (0, 1, 2, 3)
    assert both.n == 4
    named = oe.Ratings.from_array([[1, 2]], item=["p"])
    assert (a + named).items == (0, 1, 2)


def test_ratings_that_an_engine_counted_add_their_patterns():
    frame = pl.LazyFrame({"a": [1, 2, 1], "b": [1, 1, 1]})
    counted = oe.Ratings.from_wide(frame, raters=["a", "b"])
    both = counted + counted
    assert both.count.tolist() == [4, 2]
    assert both.item_names is None
    assert both == counted + oe.Ratings.from_json(counted.to_json())


def test_scales_that_were_inferred_are_widened_and_others_must_be_equal():
    a, b = oe.Ratings.from_array([[1, 2]]), oe.Ratings.from_array([[2, 5]])
    assert (a + b).scale.labels == (1, 2, 3, 4, 5)
    assert (a + b).consensus() == [1, 2]
    with pytest.raises(ScaleError, match="the scales differ"):
        a + oe.Ratings.from_array([[1, 2]], labels=[1, 2, 3])
    with pytest.raises(ScaleError, match="only 4 of these 100 integers occur"):
        a + oe.Ratings.from_array([[99, 100]])


def test_a_rater_that_marked_an_item_on_both_sides_is_refused():
    a = oe.Ratings.from_array([[1, 2], [1, 2]], raters=["x", "y"], item=["p", "q"])
    b = oe.Ratings.from_array([[2]], raters=["y"], item=["q"])
    with pytest.raises(DataError, match=r"^rater 'y' has marked item 'q' in both ratings;"):
        a + b


def test_policies_must_be_the_same_and_other_things_are_not_added():
    a = oe.Ratings.from_array([[1, 2]], labels=[1, 2])
    with pytest.raises(DataError, match="unknown='missing'"):
        a + oe.Ratings.from_array([[1, 9]], labels=[1, 2], unknown="missing")
    with pytest.raises(TypeError):
        a + 1
    assert a != "a"


def test_what_policies_touched_adds_up():
    a = oe.Ratings.from_array([[1, 9]], labels=[1, 2], unknown="missing")
    assert dict((a + a).touched) == {"unknown": 2}


def test_json_keeps_everything():
    frame = pd.DataFrame(
        {"case": ["x", "y"], "id": [1, 1], "rater": ["a", "b"], "label": ["hi", "lo"]}
    )
    scale = oe.Scale(["lo", "hi"], [0, 2.5]).named(["bad", "good"])
    ratings = oe.Ratings.from_frame(frame, labels=scale)
    back = oe.Ratings.from_json(ratings.to_json())
    assert back == ratings
    assert back.items == ratings.items
    assert back.scale.names == ("bad", "good")
    content = json.loads(ratings.to_json())
    assert (content["schema"], content["kind"]) == (1, "ratings")
    assert content["patterns"] == [
        {"raters": [0], "marks": [1], "count": 1},
        {"raters": [1], "marks": [0], "count": 1},
    ]
    assert ratings.to_dict() == content


def test_files_of_json_are_read_and_added(tmp_path):
    a = oe.Ratings.from_array([[1, 2], [2, 2]], raters=["x", "y"], item=["p", "q"])
    b = oe.Ratings.from_array([[2]], raters=["z"], item=["q"])
    for name, ratings in {"a": a, "b": b}.items():
        (tmp_path / f"{name}.json").write_text(ratings.to_json())
    assert oe.Ratings.from_file(tmp_path / "a.json") == a
    assert oe.Ratings.from_file(tmp_path / "*.json") == a + b
    with pytest.raises(DataError, match="on a scale already"):
        oe.Ratings.from_file(tmp_path / "a.json", labels=[1, 2])


def test_two_ratings_differ_if_a_mark_a_rater_or_an_item_does():
    known = oe.Ratings.from_array([[1, 2], [2, 1]], raters=["a", "b"], item=["p", "q"])
    for marks, raters, items in (
        ([[1, 2], [2, 2]], "ab", "pq"),
        ([[1, 2], [2, 1]], "ac", "pq"),
        ([[1, 2], [2, 1]], "ab", "pr"),
        ([[2, 1], [1, 2]], "ab", "pq"),
    ):
        assert oe.Ratings.from_array(marks, raters=list(raters), item=list(items)) != known


GOOD = json.loads(oe.Ratings.from_array([[1, 2], [2, None]], item=["p", "q"]).to_json())


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "table"},
        {"schema": 2},
        {"raters": ["a"]},
        {"raters": ["a", "a"]},
        {"raters": "ab"},
        {"scale": {}},
        {"patterns": [{"raters": [0], "marks": [5], "count": 2}]},
        {"patterns": [{"raters": [0, 0], "marks": [0, 0], "count": 2}]},
        {"patterns": [{"raters": [0], "marks": [-1], "count": 2}]},
        {"patterns": [{"raters": [0], "marks": [0, 1], "count": 2}]},
        {"patterns": [{"raters": [0], "marks": [0], "count": 1.5}]},
        {"items": {"names": ["p"], "pattern_of": [0, 1]}},
        {"items": {"names": ["p", "q"], "pattern_of": [0, 7]}},
        {"items": {"names": ["p", "q"], "pattern_of": [0, 0]}},
        {"items": {"names": [None, "q"], "pattern_of": [0, 1]}},
        {"policy": {"unknown": "x"}},
        {"policy": {"x": "error"}},
        {"notes": None},
    ],
    ids=str,
)
def test_json_that_is_no_ratings_is_refused(change):
    assert oe.Ratings.from_json(json.dumps(GOOD)).n == 2
    with pytest.raises(oe.OrdevalError):
        oe.Ratings.from_json(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize("lacking", [name for name in GOOD if name not in {"schema", "kind"}])
def test_json_that_lacks_a_part_is_refused(lacking):
    text = json.dumps({name: part for name, part in GOOD.items() if name != lacking})
    with pytest.raises(DataError, match=lacking):
        oe.Ratings.from_json(text)
