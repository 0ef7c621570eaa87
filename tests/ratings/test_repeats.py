"""A judge that marks an item several times: each repeat is a rater of its own, who knows whose it is."""

import copy
import json
import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ordeval as oe
from ordeval.errors import OrdevalError
from ordeval.ratings.repeats import RepeatedRater, repeats_of

# Two items; ann marks each once, and the judge gpt twice.
LONG = {
    "item": ["p", "p", "p", "q", "q", "q"],
    "rater": ["ann", "gpt", "gpt", "ann", "gpt", "gpt"],
    "epoch": [None, 1, 2, None, 1, 2],
    "label": [1, 2, 3, 3, 3, 1],
}
RATERS = ("ann", "gpt #1", "gpt #2")
LIBRARIES = [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame]


def without(columns, *names):
    return {name: values for name, values in columns.items() if name not in names}


def check(ratings, items=("p", "q")):
    """Compare ratings with the marks above."""
    assert ratings.raters == RATERS
    judge = ratings.raters[2]
    assert isinstance(judge, RepeatedRater)
    assert (judge.rater, judge.repeat) == ("gpt", 2)
    assert not isinstance(ratings.raters[0], RepeatedRater)
    assert repeats_of(ratings) == {"ann": (0,), "gpt": (1, 2)}
    assert ratings.items == items
    # one vote each of 1, 2 and 3 for p; 1 once and 3 twice for q
    assert ratings.shares().tolist() == [[1 / 3, 1 / 3, 1 / 3], [1 / 3, 0, 2 / 3]]


@pytest.mark.parametrize("make", LIBRARIES, ids=["pandas", "polars", "arrow", "lazy"])
def test_the_column_of_repeats_is_found_by_name_or_named(make):
    check(oe.Ratings.from_frame(make(LONG)))
    named = {("order" if name == "epoch" else name): values for name, values in LONG.items()}
    check(oe.Ratings.from_frame(make(named), repeat="order"))


def test_files_of_all_formats_keep_repeats(tmp_path):
    frame = pd.DataFrame(LONG)  # whose column of epochs holds floats, and NaN
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    pq.write_table(pa.table(LONG), tmp_path / "a.parquet")
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        check(oe.Ratings.from_file(tmp_path / name))
    renamed = frame.rename(columns={"epoch": "order"})
    renamed.to_csv(tmp_path / "b.csv", index=False)
    check(oe.Ratings.from_file(tmp_path / "b.csv", repeat="order"))


def test_files_with_and_without_repeats_are_read_together(tmp_path):
    frame = pd.DataFrame(LONG)
    people = frame[frame["rater"] == "ann"].drop(columns="epoch")
    people.to_csv(tmp_path / "ann.csv", index=False)
    frame[frame["rater"] == "gpt"].to_csv(tmp_path / "gpt.csv", index=False)
    check(oe.Ratings.from_file([tmp_path / "ann.csv", tmp_path / "gpt.csv"]))


def test_repeats_are_kept_by_json_sums_and_choices_of_raters(tmp_path):
    ratings = oe.Ratings.from_frame(pd.DataFrame(LONG))
    check(oe.Ratings.from_json(ratings.to_json()))
    (tmp_path / "stored.json").write_text(ratings.to_json())
    check(oe.Ratings.from_file(tmp_path / "stored.json"))
    check(ratings.select(["ann", "gpt #1", "gpt #2"]))
    assert repeats_of(ratings.leave_out("gpt #1")) == {"ann": (0,), "gpt": (1,)}
    rows = pd.DataFrame(LONG)
    parts = [oe.Ratings.from_frame(rows[at : at + 3], labels=[1, 2, 3]) for at in (0, 3)]
    check(parts[0] + parts[1])
    check(pickle.loads(pickle.dumps(ratings)))  # noqa: S301
    check(copy.deepcopy(ratings))


def test_ratings_without_repeats_are_stored_as_before():
    ratings = oe.Ratings.from_array([[1, 2]], raters=["ann", "gpt"])
    assert "repeats" not in ratings.to_dict()


@pytest.mark.parametrize(
    "repeats", [[None], [None, None, None], [None, {"rater": "gpt", "repeat": 3}], "gpt", [1, 2]]
)
def test_stored_repeats_that_do_not_fit_the_raters_are_refused(repeats):
    stored = oe.Ratings.from_array([[1, 2]], raters=["ann", "gpt #2"]).to_json()
    with pytest.raises(OrdevalError, match="repeats of these ratings"):
        oe.Ratings.from_json(json.dumps(json.loads(stored) | {"repeats": repeats}))


def test_repeats_may_be_words_and_come_in_natural_order():
    frame = pd.DataFrame(
        {"item": ["p"] * 4, "judge": ["b", "b", "a", "a"], "repeat": [10, 2, "BA", "AB"], "score": [1, 2, 1, 2]}
    )  # fmt: skip
    ratings = oe.Ratings.from_frame(frame)
    assert ratings.raters == ("a #AB", "a #BA", "b #2", "b #10")
    assert ratings.raters[0].repeat == "AB"


def test_a_second_mark_without_a_column_of_repeats_is_an_error_that_names_it():
    for make in (pd.DataFrame, pl.LazyFrame):
        with pytest.raises(
            OrdevalError, match=r"more than one mark by rater 'gpt' of item .*repeat="
        ):
            oe.Ratings.from_frame(make(without(LONG, "epoch")))


def test_a_second_mark_of_the_same_repeat_is_an_error():
    twice = {**LONG, "epoch": [None, 1, 1, None, 1, 2]}
    with pytest.raises(OrdevalError, match="more than one mark by rater 'gpt #1' of item 'p'"):
        oe.Ratings.from_frame(pd.DataFrame(twice))


def test_a_rater_named_as_a_repeat_is_refused():
    frame = {**LONG, "rater": ["gpt #1", "gpt", "gpt", "ann", "gpt", "gpt"]}
    with pytest.raises(OrdevalError, match="'gpt #1', which is also the name of a repeat"):
        oe.Ratings.from_frame(pd.DataFrame(frame))


def test_times_in_a_column_named_epoch_are_refused():
    rows = range(1200)
    frame = {
        "item": rows,
        "rater": ["ann"] * 1200,
        "label": [1, 2] * 600,
        "epoch": [1700000000 + at for at in rows],
    }
    with pytest.raises(OrdevalError, match="1200 different values in its column of repeats"):
        oe.Ratings.from_frame(pd.DataFrame(frame))


def test_a_column_of_repeats_that_is_not_there_is_an_error(tmp_path):
    pd.DataFrame(LONG).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(OrdevalError, match="no column 'order'"):
        oe.Ratings.from_frame(pd.DataFrame(LONG), repeat="order")
    with pytest.raises(OrdevalError, match="'order'"):
        oe.Ratings.from_file(tmp_path / "a.csv", repeat="order")
    with pytest.raises(OrdevalError, match=r"repeat= names a column of a long file"):
        oe.Ratings.from_file(tmp_path / "a.csv", raters=["label"], repeat="epoch")
