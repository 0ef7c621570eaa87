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
        ([2**60, 2**60 + 1], "too large to be told apart"),
        ([10**400, 10**401], "too large to be told apart"),
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
        ([1, 2], [4, "N/A"], (1, 2, 3, 4)),  # a word is an answer off the scale
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
        (["1", "two"], "gold holds 'two' beside numbers such as 1"),
        ([1, "two"], "gold holds 'two' beside numbers such as 1"),
        ([1 + 1j], "not all numbers"),
        ([1 + 1j, "two", 1], "not all numbers"),
        (["1e999", "2"], "gold holds '1e999' beside numbers such as 2"),
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


# --- what each refusal says


def test_each_refusal_of_a_scale_says_what_is_wrong_and_what_to_do():
    order = "Pass labels=[...], lowest first, to say which holds."
    wide = "Pass labels=[...], lowest first, if they really are classes."
    kind = "Pass labels=[...] lowest first, or an ordered type."
    large = (
        "are too large to be told apart as floating-point numbers. Pass labels=[...] with values=[...], a smaller "
        "number for each class."
    )
    word = (
        "Make such labels missing (None, an empty field) and pass gold_missing='drop' to leave the items out, or pass "
        "labels=[...] lowest first if they are classes."
    )
    between = "and a prediction cannot add a class between them. Round it, or pass labels=[...], lowest first."
    low_high = pd.Categorical(["low"], ["low", "high"], ordered=True)
    high_low = pd.Categorical(["low"], ["high", "low", "mid"], ordered=True)
    for door, says in [
        (
            lambda: Scale(7),
            "labels is 7; it must list the classes, lowest first. Pass labels=[...].",
        ),
        (
            lambda: Scale([]),
            "labels is empty; a scale has at least one class. List the classes, lowest first.",
        ),
        (
            lambda: Scale(["a", None]),
            "labels 'a', MISSING holds a missing value, which is never a class. Leave it out.",
        ),
        (
            lambda: Scale([1, float("inf")]),
            "labels 1, inf holds infinity; a number that is a class is finite.",
        ),
        (
            lambda: Scale([["a"], "b"]),
            "labels ['a'], 'b' holds something unhashable; a label is a number, a string or a boolean.",
        ),
        (
            lambda: Scale(["a", "b", "c", "b", "c"]),
            "labels names 'b' more than once; every class has one place in the order.",
        ),
        (
            lambda: Scale(["a", "b"], values=["x", "y"]),
            "values is ['x', 'y']; it must hold one number for each class.",
        ),
        (
            lambda: Scale(["a", "b"], values=[2, 1]),
            "values is [2, 1]; it must hold 2 strictly increasing numbers, one for each class of ['a', 'b'].",
        ),
        (
            lambda: Scale([2**60, 2**60 + 1, 2**60 + 2]),
            f"the labels {2**60}, {2**60 + 1} and 1 more {large}",
        ),
        (
            lambda: Scale([1, 10**400]),
            f"the labels 1, {10**400} {large}",
        ),
        (
            lambda: Scale.infer([1, 1001]),
            f"the labels run from 1 to 1001, 1001 classes, more than the 1000 that are inferred. {wide}",
        ),
        (
            lambda: Scale.infer(low_high, high_low),
            f"two columns have different orders: ['high', 'low', 'mid'] and ['low', 'high']. {order}",
        ),
        (
            lambda: Scale.infer(low_high, pd.Categorical(["x"], ["low", "high", "x"], ordered=True),
                                pd.Categorical(["y"], ["y"], ordered=True)),
            f"two columns have different orders: ['low', 'high', 'x'] and ['y']. {order}",
        ),
        (
            lambda: Scale.infer([None]),
            "there are no items: every label is missing, or there are none. Check the input.",
        ),
        (
            lambda: Scale.infer([1.5, float("inf")]),
            "a label is infinite; a class is a finite number. Remove it or make it missing (NaN).",
        ),
        (
            lambda: Scale.infer(["good", 1]),
            f"gold holds 'good' beside numbers such as 1, so the order of the classes is not known. {word}",
        ),
        (
            lambda: Scale.infer([1 + 1j, 1]),
            f"cannot tell the order of the classes (1+1j), 1: they are not all numbers. {kind}",
        ),
        (
            lambda: Scale.infer([1, 3], [2, 1.5]),
            f"the prediction 1.5 is not among the classes [1, 2, 3] of gold, {between}",
        ),
    ]:  # fmt: skip
        with pytest.raises(oe.OrdevalError) as caught:
            door()
        assert str(caught.value) == says


def test_scales_that_differ_say_so():
    with pytest.raises(oe.errors.ScaleError) as caught:
        Scale([1, 2]).widened(Scale([1, 3]))
    assert str(caught.value) == (
        "the scales differ: Scale([1, 2]) and Scale([1, 3]); tables add where their classes are the same. Pass the "
        "same labels=[...] to both."
    )


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
        with pytest.raises(oe.errors.ScaleError, match="too large to be told apart"):
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


# --- integers with gaps


SPARSE = (
    "the labels run from 0 to 100, and only 5 of these 101 integers occur: 0, 25, 50, 75, 100. Pass labels=[0, 25, 50, "
    "75, 100] if these are the classes, or list all classes, lowest first."
)
MARKS = [0, 25, 50, 75, 100], [0, 25, 50, 75, 75]


def long_files(frame, folder):
    """Read a frame as files of gold and answers."""
    frame[["item", "gold"]].to_csv(folder / "gold.csv")
    frame[["item", "pred"]].to_csv(folder / "run.csv")
    return oe.Runs.from_files(folder / "gold.csv", folder / "run.csv")


def wide_file(frame, folder):
    """Read a frame as a wide file."""
    frame.to_csv(folder / "wide.csv")
    return oe.Runs.from_wide(folder / "wide.csv", gold="gold", predicted="pred")


def array(read):
    """Return a door that reads the columns of a frame as lists in another form."""
    return lambda frame, _: oe.Table.from_labels(
        *(read(frame[column].tolist()) for column in ("gold", "pred")), missing="drop"
    )


FORMS = {
    "lists": array(list),
    "integers": array(np.array),
    "floats": array(lambda marks: np.array(marks, float)),
    "bytes": array(lambda marks: np.array(marks, np.int8)),
    "text": array(lambda marks: [f"{mark}.0" for mark in marks]),
    "missing": lambda frame, _: oe.Table.from_labels(
        [*frame["gold"], 50], [*frame["pred"], None], missing="drop"
    ),
    "weights": lambda frame, _: oe.Table.from_labels(
        frame["gold"], frame["pred"], sample_weight=[1, 2, 3, 4, 5]
    ),
    "systems": lambda frame, _: oe.Runs.from_labels(
        frame["gold"], {"a": frame["pred"], "b": frame["gold"]}
    ),
    "frame": lambda frame, _: oe.Table.from_frame(frame, gold="gold", predicted="pred"),
    "scale": lambda frame, _: Scale.infer(frame["gold"], frame["pred"]),
    "wide file": wide_file,
    "long files": long_files,
}


@pytest.mark.parametrize("form", FORMS)
def test_marks_far_apart_are_no_run_of_integers_in_any_form(form, tmp_path):
    frame = pd.DataFrame({"item": range(5), "gold": MARKS[0], "pred": MARKS[1]})
    with pytest.raises(oe.errors.ScaleError) as caught:
        FORMS[form](frame, tmp_path)
    assert str(caught.value) == SPARSE


def test_marks_that_are_declared_are_neighbours():
    assert oe.accuracy_within(*MARKS, labels=MARKS[0]) == 1.0
    assert oe.accuracy_within(*MARKS, labels=MARKS[0], n=0) == 0.8


@pytest.mark.parametrize("read", [list, np.array, lambda seen: np.array(seen, float)])
def test_half_of_more_than_twenty_integers_must_occur(read):
    for seen, k in (
        ([0, 19], 20),  # up to twenty, gaps are classes that nobody used
        ([*range(10), 20], 21),  # 11 of 21
        ([*range(10), 21], 22),  # 11 of 22: half
    ):
        assert oe.Table.from_labels(read(seen), read(seen)).scale.labels == tuple(range(k))
    for seen in ([*range(9), 20], [*range(10), 22]):  # 10 of 21, 11 of 23
        with pytest.raises(oe.errors.ScaleError, match=f"only {len(seen)} of these"):
            oe.Table.from_labels(read(seen), read(seen))


def test_integers_occur_in_gold_or_in_any_output():
    low, high = [*range(6), 0], [*range(16, 22), 21]  # six and six of 22: more than half
    assert Scale.infer(low, high).k == 22
    assert oe.Table.from_labels(np.array(low), np.array(high)).scale.k == 22
    assert oe.Runs.from_labels(low, {"a": low, "b": high}).scale.k == 22
    with pytest.raises(oe.errors.ScaleError, match="only 7 of these 22"):
        Scale.infer(low, [21])


def test_a_long_list_of_values_is_cut():
    with pytest.raises(oe.errors.ScaleError) as caught:
        Scale.infer(range(0, 999, 3))
    assert str(caught.value) == (
        "the labels run from 0 to 996, and only 333 of these 997 integers occur: 0, 3, 6, 9, 12 and 328 more. Pass "
        "labels=[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, ..., 996] if these are the classes, or list all classes, "
        "lowest first."
    )
    with oe.errors.speaking_of_options(), pytest.raises(oe.errors.ScaleError) as caught:
        Scale.infer([100, 200, 500, 600])
    assert "Pass --labels 100,200,500,600 if these are the classes" in str(caught.value)


# --- what gold and the outputs have to say


def test_words_among_the_numbers_of_an_output_are_off_the_scale(tmp_path):
    frame = pd.DataFrame(
        {"g": ["1", "2", "3"], "p": ["1", "N/A", "3"], "q": ["I refuse", "2", "1"]}
    )
    frame.to_csv(tmp_path / "wide.csv")
    doors = {
        "array": lambda **o: oe.Table.from_labels([1, 2, 3], [1, "N/A", 3], **o),
        "text": lambda **o: oe.Table.from_labels(frame["g"], frame["p"], **o),
        "frame": lambda **o: oe.Table.from_frame(frame, gold="g", predicted="p", **o),
        "file": lambda **o: oe.Runs.from_wide(
            tmp_path / "wide.csv", gold="g", predicted=["p", "q"], **o
        ).table.select(system="p"),
        "declared": lambda **o: oe.Table.from_labels(
            [1, 2, 3], [1, "N/A", 3], labels=[1, 2, 3], **o
        ),
        "ordered": lambda **o: oe.Table.from_labels(
            pd.Categorical([1, 2, 3], ordered=True), [1, "N/A", 3], **o
        ),
    }
    first = {"array": 1, "text": 1, "file": 2, "declared": 1, "ordered": 1}
    for name, door in doors.items():
        with pytest.raises(oe.errors.LabelError) as caught:
            door()
        of = "answers of 'p'" if name == "file" else "predictions"
        where = f", first at item {first[name]}" if name in first else ""
        assert str(caught.value) == (
            f"label 'N/A' is not on the scale [1, 2, 3] (lowest first); 1 of 3 {of} lie outside it{where}. "
            f"Add the class to labels=[...], or pass unknown='missing'."
        ), name
        table = door(unknown="missing", missing="zero")
        assert table.scale.labels == (1, 2, 3)
        assert table.missed.tolist() == [0, 1, 0], name
        assert oe.accuracy(table) == pytest.approx(2 / 3), name


def test_words_among_the_numbers_of_gold_are_refused_by_name_and_place(tmp_path):
    says = (
        "gold holds 'N/A', 'none' beside numbers such as 1, so the order of the classes is not known; 3 of 5 gold "
        "labels are not numbers{}. Make such labels missing (None, an empty field) and pass gold_missing='drop' to "
        "leave the items out, or pass labels=[...] lowest first if they are classes."
    )
    gold, predicted = ["1", "none", "N/A", "2", "N/A"], ["1", "1", "1", "2", "2"]
    frame = pd.DataFrame({"g": gold, "p": predicted, "id": list("abcde")})
    frame.to_csv(tmp_path / "wide.csv", index=False)
    doors = [
        (lambda **o: oe.Table.from_labels(gold, predicted, **o), ", first at item 1"),
        (lambda **o: oe.Table.from_labels(gold, predicted, item=list("abcde"), **o), ", first at item 'b'"),
        (lambda **o: oe.Runs.from_labels(gold, {"p": predicted}, **o), ", first at item 1"),
        (lambda **o: oe.Table.from_frame(frame, gold="g", predicted="p", **o), ""),
        (
            lambda **o: oe.Runs.from_wide(tmp_path / "wide.csv", gold="g", predicted="p", **o),
            ", first at item 'b'",
        ),
    ]  # fmt: skip
    for door, where in doors:
        for options in ({}, {"unknown": "missing", "missing": "zero"}, {"gold_missing": "drop"},
                        {"round": "nearest"}):  # fmt: skip
            with pytest.raises(oe.errors.ScaleError) as caught:
                door(**options)
            assert str(caught.value) == says.format(where)
    fine = oe.accuracy([1, None, None, 2, None], predicted, gold_missing="drop")
    assert fine == 1.0  # both of those that are left
