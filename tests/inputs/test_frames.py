"""Data frames: two columns, wide and long, what is counted and what each refusal says."""

import math

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe
from ordeval.errors import LabelError
from ordeval.inputs.frames.engine import first_line
from ordeval.inputs.patterns import entries_of, from_objects

LIBRARIES = [pd.DataFrame, pl.DataFrame, pa.table]


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


@pytest.fixture(params=LIBRARIES, ids=["pandas", "polars", "arrow"])
def make(request):
    """A function from columns to a frame."""
    return request.param


# --- two columns


def test_a_column_may_be_gold_answer_and_group_at_once(make):
    frame = make({"a": [1, 2, 2]})
    table = oe.Table.from_frame(frame, gold="a", predicted="a", by="a")
    assert table.axes == (("a", (1, 2)),)
    assert table.answered.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 2]]]


def test_a_frame_may_have_a_column_of_the_name_of_ours(make):
    frame = make({"count of rows": [1, 2], "p": [2, 2], "weight": [0.5, 1.5]})
    table = oe.Table.from_frame(frame, gold="count of rows", predicted="p", weight="weight")
    assert table.answered.tolist() == [[0, 0.5], [0, 1.5]]
    table = oe.Table.from_frame(frame, gold="count of rows", predicted="p", by="weight")
    assert table.axes[0].labels == (0.5, 1.5)


def test_the_entries_of_an_axis_are_numbers_then_texts_then_what_has_no_name(make):
    del make
    names = ["b10", None, "b2", 3, 1.0, math.nan, 2.5, "a"]
    frame = pd.DataFrame({"g": [1] * 8, "p": [1] * 8, "by": pd.Series(names, dtype=object)})
    table = oe.Table.from_frame(frame, gold="g", predicted="p", by="by")
    assert table.axes[0].labels == (1, 2.5, 3, "a", "b2", "b10", None)
    assert table.n.tolist() == [1, 1, 1, 1, 1, 1, 2]


def test_the_entries_of_an_axis_of_dates_are_dates_of_python():
    days = pd.to_datetime(["2024-02-01", "2024-01-01", "2024-02-01"])
    entries, codes = entries_of(from_objects(days))
    assert entries == (days[1].to_pydatetime(), days[0].to_pydatetime())
    assert type(entries[0]) is type(days[0].to_pydatetime())
    assert codes.tolist() == [1, 0, 1]


def test_rows_without_gold_are_left_out_of_every_group(make):
    frame = make({"g": [1, None, 2, 2], "p": [1, 2, 1, 2], "by": ["x", "x", "y", "x"]})
    table = oe.Table.from_frame(frame, gold="g", predicted="p", by=["by"], gold_missing="drop")
    assert table.answered.tolist() == [[[1, 0], [0, 1]], [[0, 0], [1, 0]]]
    assert table.touched == {"gold_missing": 1}
    assert table.axes[0].labels == ("x", "y")


def test_two_spellings_of_one_label_are_one_class(make):
    frame = make({"g": ["1", " 1 ", "2.0", "2"], "p": ["1.0", "2", "2", "1"]})
    table = oe.Table.from_frame(frame, gold="g", predicted="p")
    assert table.scale.labels == (1, 2)
    assert table.answered.tolist() == [[1, 1], [1, 1]]


def test_a_weight_is_a_column_of_numbers(make):
    frame = make({"g": [1, 2], "p": [1, 2], "w": ["a", "b"], "v": [1.0, -1.0]})
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", weight="x")) == (
        "the frame has no column 'x' for weight=; it has 'g', 'p', 'w', 'v'."
    )
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", weight="w")) == (
        "column 'w' has the type String; a weight is a number."
    )
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", weight="v")) == (
        "column 'v' holds a weight that is missing, negative or not finite; a weight is a finite number, 0 or more."
    )


def test_a_weight_of_0_is_a_weight(make):
    frame = make({"g": [1, 2], "p": [1, 2], "w": [0.0, 2.0]})
    table = oe.Table.from_frame(frame, gold="g", predicted="p", weight="w")
    assert table.answered.tolist() == [[0, 0], [0, 2]]


def test_a_count_is_a_column_of_whole_numbers(make):
    frame = make({"g": [1, 2], "p": [1, 2], "w": ["a", "b"], "v": [1.0, 1.5], "z": [0, 0]})
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", count="x")) == (
        "the frame has no column 'x' for count=; it has 'g', 'p', 'w', 'v', 'z'."
    )
    assert message(lambda: oe.Runs.from_frame(frame, gold="g", predicted="p", count="w")) == (
        "column 'w' has the type String; a count is a number."
    )
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", count="v")) == (
        "column 'v' holds a count that is missing, negative or not whole; a count is a whole number, 0 or more. Pass "
        "weight= to say how much an item matters."
    )
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="p", count="z")) == (
        "there are no items: every count is 0. Pass at least one count above 0."
    )


def test_the_label_of_a_row_of_count_0_is_not_on_the_scale(make):
    frame = make({"g": [1, 2, 9], "p": [1, 2, None], "c": [1, 2, 0]})
    table = oe.Table.from_frame(frame, gold="g", predicted="p", count="c")
    assert table == oe.Table.from_labels([1, 2, 2], [1, 2, 2])
    assert oe.Runs.from_frame(frame, gold="g", predicted="p", count="c").scale.labels == (1, 2)


def test_weights_and_counts_of_a_long_frame_stand_beside_gold(make):
    gold = make({"item": ["i", "j", "k"], "label": [1, 2, 2], "w": [0.5, 2.0, 1.0], "c": [1, 2, 0]})
    answers = make({"item": ["j", "i", "k"], "system": ["a", "a", "a"], "label": [2, 2, 1]})
    apart = oe.Runs.from_frame(answers, gold=gold, weight="w", count="c")
    # the same in one frame
    whole = make({
        "item": ["i", "j", "k"], "system": ["a", "a", "a"], "label": [2, 2, 1],
        "human": [1, 2, 2], "w": [0.5, 2.0, 1.0], "c": [1, 2, 0],
    })  # fmt: skip
    together = oe.Runs.from_frame(whole, gold="human", weight="w", count="c")
    for runs in (apart, together):
        assert runs.table.answered.tolist() == [[[0, 0.5], [0, 4]]]
        assert (runs.n, runs.weight) == (3, 4.5)
        assert runs.table.effective == pytest.approx([4.5**2 / (0.25 + 8)])


def test_columns_that_are_absent_or_hold_no_labels_are_refused(make):
    frame = make({"gold": [1, 2], "p": [1, 2]})
    assert message(lambda: oe.Table.from_frame(frame, gold="golt", predicted="p")) == (
        "the frame has no column 'golt'; it has 'gold', 'p'. Did you mean gold?"
    )
    lists = pl.DataFrame({"g": [[1], [2]], "p": [1, 2]})
    assert message(lambda: oe.Table.from_frame(lists, gold="g", predicted="p")) == (
        "column 'g' has the type List(Int64); labels are numbers, text or booleans. Convert it first."
    )
    assert message(lambda: oe.Runs.from_frame(lists, gold="p", predicted=["p", "g"])) == (
        "column 'g' has the type List(Int64); labels are numbers, text or booleans. Convert it first."
    )


def test_what_is_no_frame_is_refused():
    for thing in ({"g": [1]}, [1, 2], "frame", pd.Series([1])):
        assert message(lambda thing=thing: oe.Table.from_frame(thing, gold="g", predicted="p")) == (
            f"this is a {type(thing).__name__}, not a data frame that can be read; pass a frame of pandas, polars, "
            f"PyArrow, DuckDB, Ibis, Dask or PySpark."
        )


def test_a_frame_without_rows_is_refused(make):
    frame = make({"g": [1], "p": [1]})
    empty = frame[:0] if make is not pa.table else frame.slice(0, 0)
    assert message(lambda: oe.Table.from_frame(empty, gold="g", predicted="p")) == (
        "there are no items: the frame has no rows. Pass at least one."
    )


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[1, 2]], columns=["g", "g"])
    assert message(lambda: oe.Table.from_frame(frame, gold="g", predicted="g")).startswith(
        "the frame cannot be read: "
    )


def test_an_engine_that_fails_is_quoted_in_one_line():
    lazy = pl.LazyFrame({"g": ["x"], "p": ["1"]}).with_columns(g=pl.col("g").str.to_integer())
    with pytest.raises(oe.OrdevalError, match="the engine could not count the frame: "):
        oe.Table.from_frame(lazy, gold="g", predicted="p")
    assert first_line(ValueError("one.\ntwo")) == "one."
    assert first_line(ValueError()) == "ValueError."


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(["lo", "hi", None], ["lo", "mid", "hi"], ordered=True),
        pd.Series(["lo", "hi", None]).astype(
            pd.CategoricalDtype(["lo", "mid", "hi"], ordered=True)
        ),
    ],
)
def test_categories_in_order_are_the_scale_and_others_are_not(column):
    frame = pd.DataFrame({"g": column, "p": ["lo", "mid", "hi"]})
    runs = oe.Runs.from_frame(frame, gold="g", predicted="p", gold_missing="drop")
    assert runs.scale.labels == ("lo", "mid", "hi")
    loose = pd.DataFrame({"g": pd.Categorical(["lo", "hi"]), "p": ["lo", "hi"]})
    assert message(lambda: oe.Table.from_frame(loose, gold="g", predicted="p")).startswith(
        "cannot tell the order of the classes 'hi', 'lo': "
    )


def test_dictionaries_of_arrow_in_chunks_are_the_scale_where_they_are_ordered():
    def chunk(codes, ordered):
        return pa.DictionaryArray.from_arrays(pa.array(codes), ["lo", "mid", "hi"], ordered=ordered)

    def frame(*, ordered):
        gold = pa.chunked_array([chunk([0, 2], ordered), chunk([1], ordered)])
        return pa.table({"g": gold, "p": ["lo", "lo", "mid"]})

    table = oe.Table.from_frame(frame(ordered=True), gold="g", predicted="p")
    assert table.scale.labels == ("lo", "mid", "hi")
    assert table.answered.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    with pytest.raises(oe.errors.ScaleError):
        oe.Table.from_frame(frame(ordered=False), gold="g", predicted="p")
    labels = ["hi", "mid", "lo"]
    turned = oe.Table.from_frame(frame(ordered=True), gold="g", predicted="p", labels=labels)
    assert turned.scale.labels == ("hi", "mid", "lo")


# --- wide


def test_a_wide_frame_names_each_system_once(make):
    frame = make({"g": [1, 2], "a": [1, 2]})
    assert message(lambda: oe.Runs.from_frame(frame, gold="g", predicted=["a", "a"])) == (
        "predicted is ['a', 'a']; it must name each system's column once."
    )


def test_a_wide_frame_is_counted_by_its_cases_in_natural_order(make):
    frame = make(
        {"topic": ["q10", "q2", "q10"], "id": [1, 1, 2], "g": [1, 2, 2], "a": [1, 1, 2], "b": [2, 2, None]}
    )  # fmt: skip
    runs = oe.Runs.from_frame(frame, gold="g", predicted=["a", "b"], missing="zero")
    assert runs.cases == ("q2", "q10")
    assert runs.table.answered.tolist() == [
        [[[0, 0], [1, 0]], [[1, 0], [0, 1]]],
        [[[0, 0], [0, 1]], [[0, 1], [0, 0]]],
    ]
    assert runs.table.missed.tolist() == [[[0, 0], [0, 0]], [[0, 0], [0, 1]]]
    assert runs.ignored == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}


def test_the_case_of_a_float_is_named_as_the_whole_number_that_it_is(make):
    runs = oe.Runs.from_frame(
        make({"case": [2.0, 10.0], "g": [1, 2], "a": [1, 2]}), gold="g", predicted="a"
    )
    assert runs.cases == ("2", "10")


def test_an_item_without_a_case_is_refused(make):
    frame = make({"case": ["x", None], "g": [1, 2], "a": [1, 2]})
    assert message(lambda: oe.Runs.from_frame(frame, gold="g", predicted="a")) == (
        "some items have no test case; every item belongs to one. Fill the column."
    )


def test_items_twice_in_a_wide_frame_are_refused_by_name_in_natural_order(make):
    items = ["i10", "i2", "i10", "i2", "i1"]
    frame = make({"item": items, "g": [1, 2, 2, 1, 1], "a": [1, 1, 1, 1, 1]})
    assert message(lambda: oe.Runs.from_frame(frame, gold="g", predicted="a")) == (
        "the frame has more than one row for item 'i2', 'i10'. Remove the others, or pass duplicates='first' to keep "
        "the first."
    )
    runs = oe.Runs.from_frame(frame, gold="g", predicted="a", duplicates="first")
    assert runs.table.answered.tolist() == [[[2, 0], [1, 0]]]
    assert runs.ignored["duplicate"] == 2


def test_an_item_in_two_cases_is_two_items(make):
    frame = make({"case": ["x", "y"], "item": [1, 1], "g": [1, 2], "a": [1, 1]})
    assert oe.Runs.from_frame(frame, gold="g", predicted="a").n == 2


def test_keeping_the_first_row_wants_rows_in_an_order():
    lazy = pl.LazyFrame({"item": [1, 1], "g": [1, 2], "a": [1, 2]})
    assert message(
        lambda: oe.Runs.from_frame(lazy, gold="g", predicted="a", duplicates="first")
    ) == (
        "duplicates='first' needs rows in an order, and this engine has none. Collect the frame first."
    )


# --- long


GOLD = {"item": ["i1", "i2", "i3"], "label": [1, 2, 2]}
ANSWERS = {
    "item": ["i1", "i2", "i1", "i9", "i3"],
    "system": ["s10", "s10", "s2", "s2", "s2"],
    "label": [1, 1, 2, 1, 2],
}


def test_a_long_frame_is_joined_to_gold_system_by_system(make):
    runs = oe.Runs.from_frame(make(ANSWERS), gold=make(GOLD), missing="zero")
    assert runs.systems == ("s2", "s10")
    # s2 answers i1 (gold 1) with 2 and i3 (gold 2) with 2; s10 answers i1 with 1 and i2 (gold 2) with 1
    assert runs.table.answered.tolist() == [[[0, 1], [0, 1]], [[1, 0], [1, 0]]]
    assert runs.table.missed.tolist() == [[0, 1], [0, 1]]
    assert runs.ignored == {"not_in_gold": 1, "duplicate": 0, "unreadable": 0}
    assert runs.touched == {"missing": 2}


def test_a_long_frame_without_systems_is_one_system_named_after_its_column(make):
    answers = {"item": ["i1", "i2", "i3"], "answer": [1, 2, 1]}
    runs = oe.Runs.from_frame(make(answers), gold=make(GOLD), predicted="answer")
    assert runs.systems == ("answer",)
    assert runs.table.answered.tolist() == [[[1, 0], [1, 1]]]


def test_long_frames_are_joined_by_case_where_both_name_it(make):
    gold = {"case": ["x", "y"], "item": [1, 1], "label": [1, 2]}
    answers = {"case": ["y", "x"], "item": [1, 1], "label": [2, 2]}
    runs = oe.Runs.from_frame(make(answers), gold=make(gold))
    assert runs.cases == ("x", "y")
    assert runs.table.answered.tolist() == [[[[0, 1], [0, 0]], [[0, 0], [0, 1]]]]
    # gold alone names it: the items must then be enough
    gold = {"case": ["x", "y"], "item": [1, 2], "label": [1, 2]}
    answers = {"item": [2, 1], "label": [2, 2]}
    runs = oe.Runs.from_frame(make(answers), gold=make(gold))
    assert runs.cases == ("x", "y")
    assert runs.table.answered.tolist() == [[[[0, 1], [0, 0]], [[0, 0], [0, 1]]]]


def test_repeated_items_of_a_long_frame_are_refused_or_the_first_is_kept(make):
    rest = "Remove the others, or pass duplicates='first' to keep the first."
    twice = {"item": ["i1", "i1", "i2"], "label": [1, 2, 2]}
    once = {"item": ["i1", "i2"], "label": [2, 2]}
    assert message(lambda: oe.Runs.from_frame(make(once), gold=make(twice))) == (
        f"gold has more than one row for item 'i1'. {rest}"
    )
    assert message(lambda: oe.Runs.from_frame(make(twice), gold=make(once))) == (
        f"system 'label' has more than one row for item 'i1'. {rest}"
    )
    runs = oe.Runs.from_frame(make(once), gold=make(twice), duplicates="first")
    assert runs.table.answered.tolist() == [[[0, 1], [0, 1]]]
    assert runs.ignored["duplicate"] == 1
    runs = oe.Runs.from_frame(make(twice), gold=make(once), duplicates="first")
    assert runs.table.answered.tolist() == [[[0, 0], [1, 1]]]
    assert runs.ignored["duplicate"] == 1
    both = oe.Runs.from_frame(make(twice), gold=make(twice), duplicates="first")
    assert both.ignored["duplicate"] == 2


def test_gold_in_a_column_of_a_long_frame_is_the_same_for_every_system(make):
    rows = {
        "item": ["i1", "i2", "i1", "i2"],
        "run": ["a", "a", "b", "b"],
        "human": [1, 2, 1, 2],
        "label": [1, 1, 2, 2],
    }
    runs = oe.Runs.from_frame(make(rows), gold="human")
    assert runs.systems == ("a", "b")
    assert runs.table.answered.tolist() == [[[1, 0], [1, 0]], [[0, 1], [0, 1]]]
    rows["human"] = [1, 2, 1, 1]
    assert message(lambda: oe.Runs.from_frame(make(rows), gold="human")).startswith(
        "gold has more than one row for item 'i2'. "
    )


def test_what_a_long_frame_cannot_be_is_refused(make):
    frame, gold = make(ANSWERS), make(GOLD)
    assert message(lambda: oe.Runs.from_frame(frame, gold=gold, predicted=["a", "b"])) == (
        "predicted is ['a', 'b']; a long frame has one column of answers. Name that one."
    )
    other = pl.DataFrame(GOLD) if make is not pl.DataFrame else pd.DataFrame(GOLD)
    assert message(lambda: oe.Runs.from_frame(frame, gold=other)) == (
        "gold and answers are frames of different libraries; pass two of one kind."
    )
    assert message(lambda: oe.Runs.from_frame(frame, gold=gold, label="rating")) == (
        "the frame has no column 'rating' for label=; it has 'item', 'system', 'label'."
    )
    holes = {"item": ["i1", None, None], "label": [1, 2, 2]}
    assert message(lambda: oe.Runs.from_frame(frame, gold=make(holes))) == (
        "gold lacks an item id or a test case in 2 of its rows. Every gold row needs both; fill the columns."
    )
    others = {"item": ["i8", "i9"], "label": [1, 2]}
    assert message(lambda: oe.Runs.from_frame(make(others), gold=gold)) == (
        "no answer of 'label' is about an item of gold. Check the columns of items and test cases."
    )
    numbers = {"item": [1, 2], "label": [1, 2]}
    assert message(lambda: oe.Runs.from_frame(make(numbers), gold=gold)).endswith(
        " Give them the same type."
    )


def test_systems_that_are_categories_are_told_apart_by_their_names():
    answers = pd.DataFrame(ANSWERS).astype({"system": "category"})
    runs = oe.Runs.from_frame(answers, gold=pd.DataFrame(GOLD), missing="zero")
    assert runs.systems == ("s2", "s10")
    polars = pl.DataFrame(ANSWERS).with_columns(pl.col("system").cast(pl.Categorical))
    again = oe.Runs.from_frame(polars, gold=pl.DataFrame(GOLD), missing="zero")
    assert again.table == runs.table


def test_rows_of_duckdb_come_through_the_engine_itself():
    connection = duckdb.connect()
    relation = connection.sql("SELECT * FROM (VALUES (1, 1), (2, 1), (2, NULL)) t(g, p)")
    table = oe.Table.from_frame(relation, gold="g", predicted="p", missing="zero")
    assert table.answered.tolist() == [[1, 0], [1, 0]]
    assert table.missed.tolist() == [0, 1]


def test_answers_that_are_missing_in_a_dictionary_of_arrow_are_counted():
    answers = pa.table(
        {
            "gold": pa.array(["1", "2", "3", "1"]).dictionary_encode(),
            "a": pa.array(["1", None, "3", None]).dictionary_encode(),
        }
    )
    for frame in (answers, answers.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(LabelError, match="2 of 4 answers are missing"):
            oe.Table.from_frame(frame, gold="gold", predicted="a", labels=[1, 2, 3])
        table = oe.Table.from_frame(
            frame, gold="gold", predicted="a", labels=[1, 2, 3], missing="zero"
        )
        assert table.cells.tolist() == [[1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 1, 0]]
