"""One column of labels of any library: read in few passes, and refused in one sentence."""

import datetime as dt
import io
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe
from ordeval import label_column
from ordeval.columns import read_column


def message(door):
    """Return what an error of ours says."""
    with pytest.raises(oe.OrdevalError) as caught:
        door()
    return str(caught.value)


def items(column):
    """Return the labels of a column one by one."""
    return [column.item(at) for at in range(len(column))]


class Word(str):
    """A text that counts how often it is looked up."""

    looked_up = 0
    __slots__ = ()

    def __hash__(self):
        Word.looked_up += 1
        return super().__hash__()


# --- what is read


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble", ">f8"])
@pytest.mark.parametrize("distinct", [1, 3, 64, 65, 300])
@pytest.mark.parametrize("missing", [False, True])
def test_floats_are_read_whatever_the_number_of_their_values(dtype, distinct, missing):
    # the highest come late, beyond what is looked at first, and in another chunk than the first
    labels = np.concatenate([np.zeros(300), np.arange(distinct) / 2, [0.0]]).astype(dtype)
    if missing:
        labels[[0, -1]] = np.nan
    column = read_column(labels, "labels")
    expected = [None if label != label else label for label in labels.tolist()]  # noqa: PLR0124
    assert items(column) == expected
    assert len(column) == len(labels)
    whole = {label if label % 1 else int(label) for label in expected if label is not None}
    assert column.distinct() == whole


def test_floats_are_read_across_chunks(monkeypatch):
    monkeypatch.setattr(label_column, "CHUNK", 5)
    monkeypatch.setattr(label_column, "FLOAT_SAMPLE", 3)
    labels = np.array([1.5, np.nan, 2, 2, 2, 1.5, 3, 3, np.nan, 4, 1.5, 5])
    column = read_column(labels, "labels")
    assert items(column) == [1.5, None, 2, 2, 2, 1.5, 3, 3, None, 4, 1.5, 5]
    assert column.data.dtype == np.int8
    monkeypatch.setattr(label_column, "FEW", 4)  # five values are then many
    assert items(read_column(labels, "labels")) == items(column)
    assert items(read_column(labels[:-1], "labels")) == items(column)[:-1]


def test_floats_that_are_all_missing_have_no_labels():
    column = read_column(np.array([np.nan, np.nan]), "labels")
    assert items(column) == [None, None]
    assert column.distinct() == set()
    assert read_column(np.array([], dtype=float), "labels").distinct() == set()


@pytest.mark.parametrize("n", [10, 2000, 2001, 5000])
def test_objects_that_items_share_are_looked_up_a_few_times_and_not_for_each_item(n):
    low, high = Word("low"), Word("high")
    labels = [low, high, low, None] * (n // 4) + [high] * (n % 4)
    Word.looked_up = 0
    column = read_column(labels, "labels")
    looked_up = Word.looked_up
    assert items(column) == labels
    assert column.values == ("low", "high")
    if n > 2000:  # fewer are looked up one by one: that is faster than comparing addresses
        assert looked_up < 20
    else:
        assert looked_up >= n // 4


def test_objects_are_told_apart_though_some_come_late_or_are_equal_and_not_the_same():
    low, same = (b"low".decode() for _ in range(2))
    assert low is not same
    labels = [low, same, "high"] * 1000 + ["late", low]
    column = read_column(labels, "labels")
    assert items(column) == labels
    assert column.values == ("low", "high", "late")


@pytest.mark.parametrize("shared", [16, 17])
def test_more_shared_objects_than_pay_are_looked_up_one_by_one(shared):
    words = [Word(f"w{at}") for at in range(shared)]
    labels = words * 200
    Word.looked_up = 0
    column = read_column(labels, "labels")
    looked_up = Word.looked_up
    assert items(column) == labels
    assert (looked_up < 200) == (shared == 16)


def test_long_columns_of_objects_are_read_chunk_by_chunk(monkeypatch):
    monkeypatch.setattr(label_column, "CHUNK", 3000)
    labels = ["a", "b", None] * 1000 + ["c", "b", "a"] * 1000 + ["d"]
    column = read_column(labels, "labels")
    assert items(column) == labels
    assert column.values == ("a", "b", "c", "d")


@pytest.mark.parametrize("distinct", [1, 31, 32, 33])
@pytest.mark.parametrize("late", [False, True])
def test_arrays_of_text_are_read_whatever_the_number_of_their_values(distinct, late):
    names = [f"{at:02}" for at in range(distinct)]
    labels = np.array(names[:1] * 1500 + names if late else names * 50)
    column = read_column(labels, "labels")
    assert items(column) == labels.tolist()
    assert set(column.values) == set(names)


@pytest.mark.parametrize(
    "labels",
    [
        np.ma.array([1, 2, 3], mask=[False, True, False]),
        np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
        np.ma.array([1, np.nan, 3]),
        np.ma.array(["1", "2", "3"], mask=[False, True, False]),
        np.ma.array([True, False, True], mask=[False, True, False]),
    ],
)
def test_masked_items_are_missing(labels):
    column = read_column(labels, "labels")
    assert [item is None for item in items(column)] == [False, True, False]


def test_a_masked_array_without_a_mask_is_an_array():
    assert items(read_column(np.ma.array([1, 2]), "labels")) == [1, 2]
    assert items(read_column(np.ma.array([1, 2], mask=[False, False]), "labels")) == [1, 2]


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        ([1, 2], np.int64),
        ([1, True], np.int64),
        ([2**62, -(2**63)], np.int64),
        ([2**63, 1], None),  # beyond 64 bits: looked up one by one
        ([2**63, 1.5], None),
        ([10**400, 1.5], None),
    ],
)
def test_whole_numbers_are_an_array_as_long_as_they_fit(labels, dtype):
    column = read_column(labels, "labels")
    assert [float(item) if abs(item) < 10**300 else item for item in items(column)] == [
        float(label) if abs(label) < 10**300 else label for label in labels
    ]
    assert (column.values is None) == (dtype is not None)


def test_a_list_that_begins_with_text_may_hold_anything():
    labels = ["1", 2, None, 2.5, True, Decimal(3), Fraction(1, 2)]
    assert items(read_column(labels, "labels")) == labels
    assert read_column(labels, "labels").distinct() == {"1", 2, 2.5, 1, 3, 0.5}


@pytest.mark.parametrize(
    ("series", "values"),
    [
        (pd.Series([1, 2], dtype="Int8"), [1, 2]),
        (pd.Series([1, None], dtype="Int8"), [1, None]),
        (pd.Series([1, 2], dtype="UInt64"), [1, 2]),
        (pd.Series([2**64 - 1, 2**63], dtype="UInt64"), [2**64 - 1, 2**63]),
        (pd.Series([1.5, 2], dtype="Float32"), [1.5, 2]),
        (pd.Series([1.5, None], dtype="Float64"), [1.5, None]),
        (pd.Series([True, False], dtype="boolean"), [True, False]),
        (pd.Series([True, None], dtype="boolean"), [True, None]),
        (pd.Series([True, None], dtype="bool[pyarrow]"), [True, None]),
        (pd.Series(["a", None], dtype="string"), ["a", None]),
        (pd.Series(["b", "a", None]), ["b", "a", None]),
        (pd.Index([2, 1]), [2, 1]),
        (pd.Categorical(["b", None, "a"]), ["b", None, "a"]),
        (pd.CategoricalIndex(["b", "a"]), ["b", "a"]),
        (pd.Series([dt.date(2020, 1, 1)]), [dt.date(2020, 1, 1)]),
        (pl.Series(["b", None, "a"]), ["b", None, "a"]),
        (pl.Series(["b", None, "a"], dtype=pl.Categorical), ["b", None, "a"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"]),
        (pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])), ["b", None, "a"]),
        (pl.Series([1, None], dtype=pl.UInt8), [1, None]),
        (pl.Series([None, None]), [None, None]),
        (pl.Series([True, None]), [True, None]),
        (pa.array(["b", None, "a"]), ["b", None, "a"]),
        (pa.array([1, None]), [1, None]),
        (pa.array([True, None]), [True, None]),
        (pa.array(["b", None, "a"]).dictionary_encode(), ["b", None, "a"]),
        (pa.chunked_array([["b"], [None, "a"]]), ["b", None, "a"]),
        (pa.chunked_array([pa.array(["b"]).dictionary_encode()]), ["b"]),
        (pa.chunked_array([["b"], ["a"]]).dictionary_encode(), ["b", "a"]),
        (pa.chunked_array([], type=pa.string()), []),
    ],
)
def test_columns_of_every_library_are_read_item_by_item(series, values):
    read = items(read_column(series, "labels"))
    assert [None if value is None or value != value else value for value in read] == values  # noqa: PLR0124


def of_arrow(column):
    """A column of pandas with a type of Arrow."""
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([column])))


def test_only_an_order_of_the_type_itself_is_an_order():
    order = ["low", "mid", "high"]
    for column, ordered in [
        (pd.Categorical(["low"], order, ordered=True), True),
        (pd.Categorical(["low"], order), False),
        (pl.Series(["low"], dtype=pl.Enum(order)), True),
        (pl.Series(["low"], dtype=pl.Categorical), False),
        (pa.DictionaryArray.from_arrays(pa.array([0]), order, ordered=True), True),
        (pa.DictionaryArray.from_arrays(pa.array([0]), order), False),
        (of_arrow(pa.DictionaryArray.from_arrays(pa.array([0]), order, ordered=True)), True),
        (of_arrow(pa.DictionaryArray.from_arrays(pa.array([0]), order)), False),
        (pa.array(["low"]), False),
        (np.array(["low"]), False),
    ]:
        read = read_column(column, "labels")
        assert read.ordered is ordered
        if ordered:
            assert read.values == ("low", "mid", "high")


def test_the_labels_that_occur_are_all_named_or_only_the_two_ends():
    column = read_column(np.array([3, 1, 7, 3]), "labels")
    assert column.distinct() == {1, 7}
    assert column.distinct(ends_only=False) == {1, 3, 7}


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_number_of_less_precision_is_the_decimal_that_it_is_written_as(dtype):
    short = np.array([0.1, 0.2, 0.3, 0.1], dtype)
    columns = [
        short,
        list(short),
        np.array(list(short), dtype=object),
        np.ma.array([*short, 9], mask=[0, 0, 0, 0, 1], dtype=dtype),
        np.array([*short, *np.arange(100)], dtype)[:4],
        pd.Series(short),
        pl.Series(np.array([0.1, 0.2, 0.3], np.float32)),
        pa.array(np.array([0.1, 0.2, 0.3], np.float32)),
    ]
    for column in columns:
        assert read_column(column, "labels").distinct() == {0.1, 0.2, 0.3}, column
    nullable = pd.array([0.1, None], dtype="Float32")
    assert read_column(nullable, "labels").distinct() == {0.1}
    many = np.arange(200, dtype=dtype) / dtype(10)  # more values than are compared one by one
    assert read_column(many, "labels").item(1) == 0.1


def test_arrays_frames_and_files_of_single_precision_agree(tmp_path):
    gold = np.array([0.1, 0.2, 0.3], np.float32)
    frame = pd.DataFrame({"g": gold, "p": [0.1, 0.2, 0.2]})
    frame.to_parquet(tmp_path / "wide.parquet")
    tables = [
        oe.Table.from_labels(gold, frame["p"]),
        *(
            oe.Table.from_frame(one, gold="g", predicted="p")
            for one in (frame, pl.from_pandas(frame), pl.from_pandas(frame).lazy())
        ),
        oe.Runs.from_wide(tmp_path / "wide.parquet", gold="g", predicted="p").table.pooled(
            "system"
        ),
    ]
    for table in tables:
        assert table.scale.labels == (0.1, 0.2, 0.3)
        assert table.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


# --- what is refused


def test_what_holds_no_labels_is_refused_by_its_type():
    rest = "it must hold one label for each item. Pass a list, an array or a column."
    for thing, says in [
        ("abc", f"y is 'abc', a str; {rest}"),
        (b"abc", f"y is b'abc', a bytes; {rest}"),
        (5, f"y is 5, a int; {rest}"),
        (None, f"y is None, a NoneType; {rest}"),
        ({"a": 1}, f"y is {{'a': 1}}, a dict; {rest}"),
        ({1}, f"y is {{1}}, a set; {rest}"),
        (frozenset({1}), f"y is frozenset({{1}}), a frozenset; {rest}"),
        ("x" * 99, f"y is '{'x' * 59}, a str; {rest}"),
    ]:
        assert message(lambda thing=thing: read_column(thing, "y")) == says


def test_a_frame_or_a_scalar_is_no_column():
    rest = "which cannot be a class; labels are numbers, strings or booleans. Convert the column first."
    instead = "Pass one column of it: .to_series() or get_column(...)."
    for thing, says in [
        (
            pl.LazyFrame({"a": [1]}),
            f"a {pl.LazyFrame.__module__}.LazyFrame is not a column of labels. {instead}",
        ),
        (
            pa.scalar(1),
            "a pyarrow.lib.Int64Scalar is not a column of labels. Pass one column of it: .column(...).",
        ),
        (
            np.ones((2, 3)),
            (
                "y has 2 dimensions (shape (2, 3)); labels are one-dimensional, one for each item. Pass a single "
                "column. If these are probabilities, they must be 0 or more and sum to 1 in each row."
            ),
        ),
        (
            np.array(["2020-01-01"], dtype="M8[D]"),
            f"y has dtype datetime64[D], {rest}",
        ),
    ]:
        assert message(lambda thing=thing: read_column(thing, "y")) == says


@pytest.mark.parametrize(
    "bad", [[1], (1, 2), {}, {1}, np.ones(2)], ids=lambda bad: type(bad).__name__
)
def test_a_label_that_holds_others_is_refused_with_its_place(bad):
    assert message(lambda: read_column([1, bad], "y")) == (
        f"y holds {bad!r:.60} at item 1, a {type(bad).__name__}; a label is a number, a string or a boolean. Pass one "
        f"label for each item."
    )


@pytest.mark.parametrize(
    "column",
    [pl.Series([[1], [2]]), pa.array([[1], [2]]), pl.Series([{"a": 1}]), pa.array([{"a": 1}])],
)
def test_lists_and_structures_in_a_column_are_refused(column):
    first = column.to_list()[0] if isinstance(column, pl.Series) else column.to_pylist()[0]
    assert message(lambda: read_column(column, "y")) == (
        f"the column holds {first!r} at item 0, a {type(first).__name__}; a label is a number, a string or a boolean. "
        f"Pass one label for each item."
    )


def test_a_label_that_cannot_be_looked_up_is_refused_as_a_class_and_off_a_scale():
    bad = np.array(["a", {"b": 1}], dtype=object)
    says = "the label {'b': 1} is a dict, which cannot be a class; a label is a number, a string or a boolean."
    assert message(lambda: oe.Table.from_labels(bad, bad)) == says
    series = pd.Series(["a", {"b": 1}])
    assert message(lambda: oe.Table.from_labels(series, series)) == says
    assert message(lambda: oe.Table.from_labels(["a", "b"], bad, labels=["a", "b"])).startswith(
        "label {'b': 1} is not on the scale ['a', 'b'] (lowest first); 1 of 2 answers lies outside it, first at "
        "item 1."
    )


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", ">i4", ">u8", "i8", "u8"])
@pytest.mark.parametrize("as_is", [False, True])
def test_whole_numbers_of_every_type_and_range_are_coded(monkeypatch, dtype, as_is):
    monkeypatch.setattr(label_column, "CHUNK", 4)
    limits = np.iinfo(dtype)
    for low in (0, 1, 100, -1, -128, 2**63 - 1001, 2**64 - 300, -(2**63)):
        for span in (0, 1, 4, 127, 128, 255, 256, 999, 1000):
            if not limits.min <= low <= low + span <= limits.max:
                continue
            for others in ([low], [low + span, low + span // 2, low] * 3):
                labels = np.array([*others, low + span, low], dtype=dtype)
                codes, values = label_column.LabelColumn(labels).coded(as_is=as_is)
                assert [values[code] for code in codes.tolist()] == labels.tolist()
                assert min(codes.tolist()) == 0
                assert codes is not labels or as_is


def test_an_open_file_is_a_label_on_each_line_and_no_tensor():
    with io.StringIO("low\nhigh") as lines:  # it can be detached, as a tensor can
        assert oe.Scale.infer(["low"], labels=lines).labels == ("low\n", "high")
