"""The scale: inference by the table of SEMANTICS.md section 1, and what it refuses."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe
from ordeval import Scale

ORDER = ["low", "medium", "high"]


# --- declared


def test_declared_labels_are_the_scale_in_that_order():
    scale = Scale(ORDER)
    assert scale.labels == ("low", "medium", "high")
    assert scale.values == (0, 1, 2)
    assert (scale.k, len(scale)) == (3, 3)


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        ([1, 2, 4], (1, 2, 4)),
        ([0.5, 1, 2.25], (0.5, 1, 2.25)),
        ([3, 2, 1], (0, 1, 2)),  # a list that falls is an order too: the highest class is 1
        ([False, True], (0, 1)),
        (["a", 1], (0, 1)),
        (["1", "2.50", "3"], (1, 2.5, 3)),  # text that spells numbers is numbers
        (["1", "2", "x"], (0, 1, 2)),
        ([-1, 0, 1], (-1, 0, 1)),
    ],
)
def test_the_values_are_the_labels_if_all_are_increasing_numbers_else_positions(labels, values):
    assert Scale(labels).values == values


def test_values_override():
    assert Scale(ORDER, values=[0, 1, 10]).values == (0, 1, 10)
    assert Scale([1, 2, 3], [0.5, 1, 4]).values == (0.5, 1, 4)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1, 2, 2],
        [3, 2, 1],
        [1, 2, np.nan],
        [1, 2, np.inf],
        ["a", "b", "c"],
        5,
        [1, 2, None],
        [1, 2, 10**400],
    ],
)
def test_values_that_are_not_one_increasing_number_for_each_class_are_refused(values):
    with pytest.raises(oe.OrdevalError, match="values is") as caught:
        Scale(ORDER, values=values)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ([], "labels is empty"),
        (["a", "b", "a"], "labels names 'a' more than once"),
        ([1, 1.0], "labels names 1 more than once"),
        (["1", "1.0"], "labels names 1 more than once"),
        ([1, None], "holds a missing value"),
        ([1, float("nan")], "holds a missing value"),
        (["a", ""], "holds a missing value"),
        ([1, float("inf")], "holds infinity"),
        ("low", "it must list the classes"),
        (b"low", "it must list the classes"),
        (7, "it must list the classes"),
        (np.array(7), "it must list the classes"),
        ({"low", "high"}, "it must list the classes, lowest first"),
        (frozenset({1, 2}), "it must list the classes, lowest first"),
        ([["a"], ["b"]], "unhashable"),
        (np.array([[1, 2], [3, 4]]), "unhashable"),
        ([2**60, 2**60 + 1], "are too large: as floating-point numbers"),
        ([10**400, 10**401], "are too large: as floating-point numbers"),
    ],
)
def test_labels_that_are_no_scale_are_refused_with_the_reason(labels, says):
    for door in (lambda: Scale(labels), lambda: oe.cem_ord([1, 2], [1, 2], labels=labels)):
        with pytest.raises(oe.OrdevalError, match=says) as caught:
            door()
        assert isinstance(caught.value, ValueError | TypeError)


@pytest.mark.parametrize("weight", [None, [1, 1, 1]])
def test_large_integers_are_classes_once_they_have_values(weight):
    scale = Scale([2**60, 2**60 + 1], values=[0, 1])
    table = oe.Table.from_labels(
        np.array([2**60, 2**60 + 1, 2**60 + 1]),
        np.array([2**60 + 1] * 3),
        labels=scale,
        sample_weight=weight,
    )
    assert table.counts.tolist() == [[0, 1], [0, 2]]
    assert oe.mae(table) == pytest.approx(1 / 3)


@pytest.mark.parametrize("weight", [None, [1, 1, 1]])
def test_a_scale_given_as_labels_keeps_its_values(weight):
    scale = Scale([1, 2, 3], values=[0, 10, 50])
    assert oe.mae([1, 2, 3], [2, 2, 2], labels=scale, sample_weight=weight) == pytest.approx(50 / 3)
    assert Scale(scale) == scale


def test_labels_may_be_an_iterator_though_they_are_looked_at_twice():
    value = oe.accuracy(
        np.array([1, 2]), np.array([1, 9]), labels=iter([1, 2]), unknown="missing", missing="zero"
    )
    assert value == 0.5
    assert oe.mae([1, 2], [2, 2], labels=range(1, 3), values=iter([0, 8])) == 4


# --- inferred


@pytest.mark.parametrize(
    ("gold", "predicted", "labels"),
    [
        ([1, 2, 5], [1, 3, 3], (1, 2, 3, 4, 5)),
        ([2.0, 4.0], [2.0, 2.0], (2, 3, 4)),
        ([-1, 1], [1, 1], (-1, 0, 1)),
        ([0.5, 2, 1], [1, 0.5], (0.5, 1, 2)),  # floats in gold: what was seen, no more
        ([0.5, 2, 5], ["2", 0.5], (0.5, 2, 5)),
        ([1, 2], [4, "N/A"], (1, 2, 3, 4)),  # a word is an answer not on the scale
        ([1, 2], [float("inf"), "3"], (1, 2, 3)),  # and so is infinity
        ([True, False], ["N/A", True], (False, True)),
        (["1", "3"], ["2", "1.0"], (1, 2, 3)),
        (["0.5", "1"], [1, 1], (0.5, 1)),
        ([True, True], [True, True], (False, True)),
        ([True, None], [None, True], (False, True)),
        ([True, False], [1, 0], (0, 1)),
        ([Decimal(1), Decimal("2.0")], [1, 1], (1, 2)),
        ([Fraction(1, 2), 1], [1, 1], (0.5, 1)),
        ([np.int8(1), np.float32(2)], [np.uint64(2), "1"], (1, 2)),
        ([1, None, float("nan")], [3, 3, 3], (1, 2, 3)),
        (["", "1"], ["2", None], (1, 2)),
        ([7], [7], (7,)),
    ],
)
def test_the_scale_of_numbers_and_booleans_is_inferred_over_both_sides(gold, predicted, labels):
    scale = Scale.infer(gold, predicted)
    assert scale.labels == labels
    assert scale.values == labels


@pytest.mark.parametrize("dtype", "bhilqBHILQ?efdg")
def test_arrays_of_every_number_type_have_their_scale(dtype):
    column = np.array([0, 1, 1], dtype=dtype)
    assert Scale.infer(column, column).labels == (0, 1)
    swapped = column.astype(column.dtype.newbyteorder())
    assert oe.Table.from_labels(swapped, column).counts.tolist() == [[1, 0], [0, 2]]


def test_columns_of_every_library_infer_the_same_scale():
    gold = [1, 3, 1]
    columns = [
        gold,
        tuple(gold),
        iter(gold),
        np.array(gold),
        pd.Series(gold),
        pd.Index(gold),
        pd.array(gold, dtype="Int8"),
        pd.Series(gold, dtype="UInt16"),
        pd.Series(gold, dtype="Float64"),
        pd.Series(gold, dtype="int64[pyarrow]"),
        pd.Series([1, 3, 1, None], dtype="Int64"),
        pd.Series(["1", "3", None], dtype="string"),
        pd.Series(["1", "3.0"], dtype="object"),
        pd.Categorical(["1", "3"]),
        pd.Series(gold, dtype="category"),
        pl.Series(gold),
        pl.Series([1, 3, None]),
        pl.Series([1, 3], dtype=pl.UInt8),
        pl.Series(["1", "3", None]),
        pl.Series(["1", "3"], dtype=pl.Categorical),
        pl.Series(["1", "3"]).cast(pl.Decimal(10, 2)),
        pa.array(gold),
        pa.array([1, None, 3]),
        pa.array([1, 3], type=pa.uint8()),
        pa.chunked_array([[1], [3, None], []]),
        pa.array(["1", "3", None]),
        pa.array(["1", "3"], type=pa.large_string()),
        pa.array(["1", "3"]).dictionary_encode(),
        pa.array([Decimal(1), Decimal(3)]),
    ]
    for column in columns:
        assert Scale.infer(column).labels == (1, 2, 3), column


def test_booleans_of_every_library_are_false_below_true_whatever_occurs_and_whatever_is_missing():
    columns = [
        [True],
        [True, None],
        np.array([True]),
        pd.Series([True]),
        pd.array([True, None], dtype="boolean"),
        pd.Series([True, None], dtype="object"),
        pd.Series([True, None], dtype="bool[pyarrow]"),
        pl.Series([True]),
        pl.Series([True, None]),
        pa.array([True]),
        pa.array([True, None]),
    ]
    for column in columns:
        assert Scale.infer(column).labels == (False, True), column


def test_an_ordered_type_is_the_scale_with_the_classes_that_do_not_occur():
    arrow = pa.DictionaryArray.from_arrays(pa.array([0, 2, None]), ORDER, ordered=True)
    unsigned = pa.DictionaryArray.from_arrays(
        pa.array([0, 2, None], type=pa.uint8()), ORDER, ordered=True
    )
    columns = [
        pd.Categorical(["low", "high", None], categories=ORDER, ordered=True),
        pd.Series(pd.Categorical(["low", "high"], categories=ORDER, ordered=True)),
        pd.CategoricalIndex(["low", "high"], categories=ORDER, ordered=True),
        pl.Series(["low", "high", None], dtype=pl.Enum(ORDER)),
        arrow,
        unsigned,
        pa.chunked_array([arrow, arrow]),
    ]
    for column in columns:
        assert Scale.infer(column).labels == tuple(ORDER), column
        plain = ["low", "high", None, "low", "high", None][: len(column)]
        table = oe.Table.from_labels(column, plain, gold_missing="drop")
        assert table.counts.tolist() == np.diag([table.n / 2, 0, table.n / 2]).tolist()


def test_ordered_types_of_numbers_that_fall_have_positions_for_values():
    column = pd.Categorical([3, 1], categories=[3, 2, 1], ordered=True)
    assert Scale.infer(column).labels == (3, 2, 1)
    assert Scale.infer(column).values == (0, 1, 2)


def test_two_orders_agree_where_one_is_part_of_the_other():
    part = pd.Categorical(["low"], categories=["low", "high"], ordered=True)
    whole = pl.Series(["medium"], dtype=pl.Enum(ORDER))
    assert Scale.infer(part, whole).labels == tuple(ORDER)
    other = pd.Categorical(["low"], categories=["high", "low"], ordered=True)
    with pytest.raises(oe.OrdevalError, match="two columns have different orders"):
        Scale.infer(other, whole)


@pytest.mark.parametrize(
    "column",
    [
        ["good", "bad", "fair"],
        np.array(["good", "bad", "fair"]),
        np.array(["good", "bad", "fair"], dtype=object),
        pd.Series(["good", "bad", "fair"]),
        pd.Series(["good", "bad", "fair"], dtype="string"),
        pd.Categorical(["good", "bad", "fair"]),
        pl.Series(["good", "bad", "fair"]),
        pl.Series(["good", "bad", "fair"], dtype=pl.Categorical),
        pa.array(["good", "bad", "fair"]),
        pa.array(["good", "bad", "fair"]).dictionary_encode(),
    ],
)
def test_the_order_of_plain_strings_is_never_guessed(column):
    with pytest.raises(ValueError, match="cannot tell the order") as caught:
        oe.cem_ord(column, column)
    assert isinstance(caught.value, oe.OrdevalError)
    assert str(caught.value) == (
        "cannot tell the order of the classes 'bad', 'fair', 'good': they are plain strings. "
        "Pass labels=[...] lowest first, or an ordered type."
    )


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (["1", "two"], "gold has 'two' among numbers such as 1"),
        ([1, "two"], "gold has 'two' among numbers such as 1"),
        ([1 + 1j], "not all numbers"),
        ([1 + 1j, "two", 1], "not all numbers"),
        (["1e999", "2"], "gold has '1e999' among numbers such as 2"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "not all numbers"),
    ],
)
def test_what_is_no_number_has_no_order(column, says):
    with pytest.raises(oe.OrdevalError, match=says):
        Scale.infer(column)


def test_an_inferred_integer_scale_has_at_most_a_thousand_classes():
    assert Scale.infer(range(1, 1001, 2), [1000]).k == 1000
    for wide in ([0, 1000], np.array([0, 10**6]), np.array([0, 2**62]), ["0", "70000"]):
        with pytest.raises(oe.OrdevalError, match="more than the 1000 that are inferred"):
            oe.cem_ord(wide, wide)


def test_nothing_at_all_has_no_scale():
    for columns in ([], [[]], [[None]], [[], [float("nan")]], [pd.Series([pd.NA, pd.NaT])]):
        with pytest.raises(oe.OrdevalError, match="no items"):
            Scale.infer(*columns)


def test_infinity_is_no_class():
    with pytest.raises(oe.OrdevalError, match="infinite"):
        Scale.infer([1.0, float("inf")])


# --- a value


def test_a_scale_is_a_value():
    scale = Scale(ORDER, values=[1, 2, 9])
    assert scale == Scale(ORDER, values=[1.0, 2.0, 9.0])
    assert hash(scale) == hash(Scale(ORDER, values=[1, 2, 9]))
    assert scale != Scale(ORDER)
    assert pickle.loads(pickle.dumps(scale)) == copy.deepcopy(scale) == copy.copy(scale) == scale  # noqa: S301
    with pytest.raises(AttributeError):
        scale.labels = ()
    assert not scale.numbers.flags.writeable


def test_a_scale_shows_what_makes_it():
    assert repr(Scale(ORDER)) == "Scale(['low', 'medium', 'high'])"
    assert repr(Scale(["a", "b"], [0, 5])) == "Scale(['a', 'b'], values=[0, 5])"


def test_a_label_has_one_position_whatever_its_spelling():
    scale = Scale([1, 2.5, 3])
    for spelled in (1, 1.0, np.int8(1), np.float32(1), "1", "1.00", " 1 ", Decimal(1), True):
        assert scale.position(spelled) == 0
    assert scale.position("2.50") == scale.position(np.float64(2.5)) == 1
    for off in (2, "two", None, float("nan"), [1], {}, 1 + 1j):
        assert scale.position(off) is None
    assert Scale(["1", "x"]).position(1.0) == 0


# --- inferred and widened


def test_only_every_integer_between_two_ends_is_inferred_and_may_be_widened():
    assert Scale.infer([1, 3]).inferred
    assert not Scale.infer([1, 3], values=[1, 2, 3]).inferred
    assert not Scale.infer([1, 3], labels=[1, 2, 3]).inferred
    assert not Scale.infer([1.5, 3]).inferred
    assert not Scale.infer([True, False]).inferred
    assert not Scale([1, 2]).inferred
    assert not Scale.infer(pd.Categorical([1], [1, 2], ordered=True)).inferred


def test_a_widened_scale_holds_both_and_may_be_widened_again():
    wide = Scale.infer([3, 4]).widened(Scale.infer([1, 2]))
    assert wide.labels == (1, 2, 3, 4)
    assert wide.inferred
    assert wide.widened(Scale.infer([6])).labels == (1, 2, 3, 4, 5, 6)
    declared, inferred = Scale([1, 2]), Scale.infer([1, 2])
    assert not declared.widened(inferred).inferred
    assert not inferred.widened(declared).inferred
    assert inferred.widened(inferred).inferred
    for one, other in ((declared, Scale.infer([1, 3])), (Scale.infer([1, 3]), declared)):
        with pytest.raises(oe.errors.ScaleError):
            one.widened(other)


def test_the_widest_scale_that_is_inferred_has_a_thousand_classes():
    half = np.arange(-500, 500, 2)  # 500 of 1000
    assert Scale.infer(half, [499]).k == 1000
    assert oe.Table.from_labels(half, half + 1).scale.k == 1000


def test_large_labels_are_values_as_long_as_floating_point_tells_them_apart():
    assert Scale([2**53 - 1, 2**53]).values == (2**53 - 1, 2**53)
    assert Scale([2**53, 2**53 + 2]).values == (2**53, 2**53 + 2)
    assert Scale([-(2**60), 0]).values == (-(2**60), 0)
    for labels in ([2**53, 2**53 + 1], [-(2**53) - 1, -(2**53)]):
        with pytest.raises(oe.errors.ScaleError, match="are too large: as floating-point numbers"):
            Scale(labels)
    falling = Scale([2**60 + 1, 2**60])  # an order that falls has positions for values
    assert falling.values == (0, 1)


def test_the_values_of_a_scale_are_whole_numbers_where_they_can_be():
    scale = Scale(["a", "b"], values=[np.float32(1), 2.5])
    assert scale.values == (1, 2.5)
    assert type(scale.values[0]) is int
    assert scale.numbers.dtype == np.float64
    assert scale.numbers.tolist() == [1.0, 2.5]
    assert [type(value) for value in Scale([False, True]).values] == [int, int]


def test_a_scale_made_of_a_scale_may_have_other_values():
    scale = Scale(["a", "b"], values=[0, 5])
    assert Scale(scale).values == (0, 5)
    assert Scale(scale, values=[1, 2]).values == (1, 2)


def test_text_beside_numbers_is_a_number_only_if_all_text_is():
    assert Scale([1, "2", "3.5"]).labels == (1, 2, 3.5)
    assert Scale([1, "2", "x"]).labels == (1, "2", "x")
    assert Scale([1, "2", "x"]).position(2) == 1
    assert Scale([1, "2", "x"]).position("2.0") is None
    assert Scale(["1", "x"]).position("1.0") is None
    assert Scale([1, "x"]).position("1.0") == 0


def test_names_are_for_print_and_leave_the_labels_as_they_are():
    scale = Scale([-1, 0, 1], names=["negative", "neutral", "positive"])
    assert scale.labels == (-1, 0, 1)
    assert scale.names == ("negative", "neutral", "positive")
    assert scale == Scale([-1, 0, 1])
    assert Scale(scale).names == scale.names
    assert Scale([1, 2]).names == (1, 2)


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "b"], "abc", 3, ["a", "b", "c", "d"]])
def test_names_that_do_not_fit_the_classes_are_refused(names):
    with pytest.raises(ValueError, match="3 different names, one for each class, lowest first"):
        Scale([-1, 0, 1], names=names)
