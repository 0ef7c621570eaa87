"""Labels in, ranks out: the same items give the same table whatever holds them, and the traps of other libraries."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval.labels import MISSING, canonical, natural_order, number

ORDER = ["low", "medium", "high"]
TEXT = ["low", "high", None, "medium", "low"]
NUMBERS = [1, 3, None, 2, 1]


class Tensor:
    """What torch, JAX and others offer: an array on request, and nothing else."""

    def __init__(self, data):
        self.data = np.array(data)

    def __array__(self, dtype=None, copy=None):
        return self.data


def dictionary(ordered, index_type):
    codes = pa.array([0, 2, None, 1, 0], type=index_type)
    return pa.DictionaryArray.from_arrays(codes, ORDER, ordered=ordered)


TEXTS = {
    "list": TEXT,
    "tuple": tuple(TEXT),
    "generator": None,
    "empty string": [label or "" for label in TEXT],
    "numpy object": np.array(TEXT, dtype=object),
    "numpy text": np.array([label or "" for label in TEXT]),
    "pandas object": pd.Series(TEXT, dtype=object),
    "pandas string": pd.Series(TEXT, dtype="string"),
    "pandas arrow string": pd.Series(TEXT, dtype="string[pyarrow]"),
    "pandas index": pd.Index(TEXT),
    "pandas odd index": pd.Series(TEXT, index=[9, 9, 1, 0, -3]),
    "pandas unordered": pd.Categorical(TEXT),
    "pandas ordered": pd.Categorical(TEXT, categories=ORDER, ordered=True),
    "pandas series of ordered": pd.Series(pd.Categorical(TEXT, categories=ORDER, ordered=True)),
    "pandas NaN": pd.Series([label or np.nan for label in TEXT]),
    "polars string": pl.Series(TEXT),
    "polars enum": pl.Series(TEXT, dtype=pl.Enum(ORDER)),
    "polars categorical": pl.Series(TEXT, dtype=pl.Categorical),
    "polars slice": pl.Series(["x", *TEXT], dtype=pl.Categorical)[1:],
    "arrow string": pa.array(TEXT),
    "arrow large string": pa.array(TEXT, type=pa.large_string()),
    "arrow string view": pa.array(TEXT, type=pa.string_view()),
    "arrow chunks": pa.chunked_array([TEXT[:2], [], TEXT[2:]]),
    "arrow dictionary": dictionary(False, pa.int8()),
    "arrow ordered": dictionary(True, pa.int32()),
    "arrow unsigned": dictionary(True, pa.uint8()),
    "arrow chunks of dictionaries": pa.chunked_array(
        [pa.array(TEXT[:2]).dictionary_encode(), pa.array(TEXT[2:]).dictionary_encode()]
    ),
    "arrow slice": pa.array(["x", *TEXT])[1:],
    "tensor": Tensor(np.array(TEXT, dtype=object)),
}
NUMERIC = {
    "list": NUMBERS,
    "floats": [1.0, 3.0, float("nan"), 2.0, 1.0],
    "text": ["1", "3.0", "", "2", " 1 "],
    "decimals": [Decimal(1), Decimal("3.0"), Decimal("NaN"), Decimal(2), Decimal(1)],
    "numpy scalars": [np.int8(1), np.float32(3), None, np.uint64(2), np.str_("1")],
    "numpy floats": np.array([1, 3, np.nan, 2, 1]),
    "numpy half floats": np.array([1, 3, np.nan, 2, 1], dtype="float16"),
    "numpy long floats": np.array([1, 3, np.nan, 2, 1], dtype="longdouble"),
    "numpy object": np.array(NUMBERS, dtype=object),
    "masked": np.ma.array([1, 3, 7, 2, 1], mask=[0, 0, 1, 0, 0]),
    "masked text": np.ma.array(["1", "3", "7", "2", "1"], mask=[0, 0, 1, 0, 0]),
    "pandas": pd.Series(NUMBERS),
    "pandas nullable": pd.Series(NUMBERS, dtype="Int8"),
    "pandas nullable unsigned": pd.array(NUMBERS, dtype="UInt32"),
    "pandas nullable float": pd.Series(NUMBERS, dtype="Float32"),
    "pandas arrow": pd.Series(NUMBERS, dtype="int16[pyarrow]"),
    "pandas arrow decimal": pd.Series(
        [None if n is None else Decimal(n) for n in NUMBERS],
        dtype=pd.ArrowDtype(pa.decimal128(5, 1)),
    ),
    "pandas category": pd.Series(NUMBERS, dtype="category"),
    "pandas NA": pd.Series([1, 3, pd.NA, 2, 1], dtype=object),
    "polars": pl.Series(NUMBERS),
    "polars float": pl.Series(NUMBERS, dtype=pl.Float32),
    "polars unsigned": pl.Series(NUMBERS, dtype=pl.UInt8),
    "polars decimal": pl.Series(["1", "3", None, "2", "1"]).cast(pl.Decimal(6, 2)),
    "polars object": pl.Series(NUMBERS, dtype=pl.Object),
    "arrow": pa.array(NUMBERS),
    "arrow small": pa.array(NUMBERS, type=pa.uint8()),
    "arrow float": pa.array([1.0, 3.0, None, 2.0, 1.0]),
    "arrow half float": pa.array(np.array([1, 3, np.nan, 2, 1], dtype="float16")),
    "arrow decimal": pa.array([None if n is None else Decimal(n) for n in NUMBERS]),
    "arrow chunks": pa.chunked_array([NUMBERS[:3], NUMBERS[3:]]),
    "tensor": Tensor([1, 3, np.nan, 2, 1]),
}
EXPECTED = [[2, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("kind", TEXTS)
def test_text_gives_the_same_table_whatever_holds_it(kind):
    def column():
        return iter(TEXT) if kind == "generator" else TEXTS[kind]

    gold = ["low", "high", "medium", "medium", "low"]
    options = {"labels": ORDER, "missing": "zero"}
    table = oe.Table.from_labels(gold, column(), **options)
    assert table.counts.tolist() == EXPECTED
    assert table.unanswered.tolist() == [0, 1, 0]
    turned = oe.Table.from_labels(column(), gold, labels=ORDER, gold_missing="drop")
    assert turned.counts.tolist() == EXPECTED
    weighted = oe.Table.from_labels(gold, column(), sample_weight=[1, 2, 4, 8, 16], **options)
    assert weighted.counts.tolist() == [[17, 0, 0], [0, 8, 0], [0, 0, 2]]
    assert weighted.unanswered.tolist() == [0, 4, 0]


@pytest.mark.parametrize("kind", NUMERIC)
def test_numbers_give_the_same_table_whatever_holds_them(kind):
    gold = np.array([1, 3, 2, 2, 1])
    for labels in (None, [1, 2, 3], ["1", "2", "3"]):
        table = oe.Table.from_labels(gold, NUMERIC[kind], labels=labels, missing="zero")
        assert table.scale.labels == (1, 2, 3)
        assert table.counts.tolist() == EXPECTED
        assert table.unanswered.tolist() == [0, 1, 0]
    turned = oe.Table.from_labels(NUMERIC[kind], gold, gold_missing="drop")
    assert turned.counts.tolist() == EXPECTED
    falling = oe.Table.from_labels(gold, NUMERIC[kind], labels=[3, 2, 1], missing="zero")
    assert falling.counts.tolist() == np.array(EXPECTED)[::-1, ::-1].tolist()


def test_two_categorical_columns_of_polars_share_no_codes_by_accident():
    first = pl.Series(["b", "a", "b"], dtype=pl.Categorical)
    second = pl.Series(["a", "a", "b"], dtype=pl.Categorical)
    assert oe.accuracy(first, second, labels=["a", "b"]) == pytest.approx(2 / 3)
    assert oe.accuracy(first.to_list(), second, labels=["b", "a"]) == pytest.approx(2 / 3)


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 3), st.none() | st.integers(0, 3)), min_size=1, max_size=30
    ),
    names=st.sampled_from(
        [["w", "x", "y", "z"], [0.5, 1.0, 2.0, 9.25], [10, 20, 30, 40], ["1", "a", "b", "c"]]
    ),
)
def test_codes_are_positions_on_the_scale_for_any_names(rows, names):
    gold = [names[g] for g, _ in rows]
    predicted = [None if p is None else names[p] for _, p in rows]
    expected = oe.Table.from_labels(*zip(*rows, strict=True), labels=range(4), missing="zero")
    for hold in (list, pd.Series, pl.Series, pa.array, lambda x: np.array(x, dtype=object)):
        table = oe.Table.from_labels(hold(gold), hold(predicted), labels=names, missing="zero")
        assert np.array_equal(table.counts, expected.counts)
        assert np.array_equal(table.unanswered, expected.unanswered)


LONG = {
    "shared objects": lambda words: words,
    "an object for each item": lambda words: ["".join(list(word)) for word in words],
    "numpy text": np.array,
    "numpy bytes": lambda words: np.array([word.encode() for word in words]),
    "numpy objects": lambda words: np.array(words, dtype=object),
    "every other one": lambda words: np.repeat(np.array(words), 2)[::2],
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("classes", [2, 5, 31, 33, 70, 300])
def test_long_columns_of_text_are_counted_as_by_hand(kind, classes):
    rng = np.random.default_rng(classes)
    names = [f"class {at:03}" for at in range(classes)]
    # the highest class comes late, so that the first items do not show it
    codes = np.concatenate([rng.integers(0, classes - 1, (2, 2000)), [[classes - 1], [0]]], axis=1)
    by_hand = Counter(zip(*codes.tolist(), strict=True))
    hold = LONG[kind]
    labels = [name.encode() for name in names] if kind == "numpy bytes" else names
    columns = [hold([names[code] for code in side]) for side in codes.tolist()]
    counts = oe.Table.from_labels(*columns, labels=labels).counts
    assert {cell: int(counts[cell]) for cell in zip(*np.nonzero(counts), strict=True)} == by_hand


def test_what_comes_late_in_a_long_column_is_read_with_the_same_care():
    head = ["a", "b"] * 50
    gold = [*head, "b", "b", "b", "a"]
    tail = [None, "", float("nan"), "a"]
    table = oe.Table.from_labels(gold, [*head, *tail], labels=["a", "b"], missing="zero")
    assert table.counts.tolist() == [[51, 0], [0, 50]]
    assert table.unanswered.tolist() == [0, 3]
    for odd in ({"a": 1}, 7, "c"):
        with pytest.raises(oe.errors.LabelError, match="1 of 104 answers"):
            oe.Table.from_labels(gold, [*head, "b", "b", "b", odd], labels=["a", "b"])


# --- traps that other libraries fall into


def test_an_ordered_categorical_is_taken_in_its_order_and_not_in_the_alphabets():
    gold = pd.Categorical(["low", "medium", "high", "high"], categories=ORDER, ordered=True)
    predicted = pd.Categorical(["low", "high", "high", "low"], categories=ORDER, ordered=True)
    assert oe.mae(gold, predicted) == (0 + 1 + 0 + 2) / 4
    # in the order of the alphabet, high < low < medium, it would be (0 + 2 + 0 + 1) / 4 too, so ask for more
    assert oe.max_mae(gold, predicted) == 1.0
    assert oe.proximity(gold).tolist() == oe.proximity.from_counts([1, 1, 2]).tolist()


def test_positions_are_those_of_the_scale_and_not_of_the_classes_seen():
    gold, predicted = [0, 0, 4, 4], [0, 4, 4, 0]
    assert oe.accuracy_within(gold, predicted) == 0.5
    assert oe.macro_mae(gold, predicted) == 2.0


def test_a_prediction_outside_the_labels_is_an_error_and_never_dropped():
    for hold in (list, np.array, pd.Series):
        with pytest.raises(ValueError, match="label 3 is not on the scale"):
            oe.accuracy(hold([1, 2, 2]), hold([1, 2, 3]), labels=[1, 2])


def test_1_and_1_point_0_and_their_text_are_one_class():
    assert oe.accuracy([1, 1.0, "1", "1.0"], ["1.0", 1, np.int8(1), 1.0]) == 1.0
    assert oe.Table.from_labels(["1", "2"], [1.0, 2]).scale.labels == (1, 2)


@pytest.mark.parametrize(
    ("gold", "predicted", "value"),
    [([1, 2, 3], [1, 2, 9], 0.8710), ([1, 2, 4, 5], [1, 3, 4, 5], 0.9167)],
)
def test_a_class_between_or_beyond_those_of_gold_has_its_place(gold, predicted, value):
    """9 for 3 with gold 1, 2, 3: -log2(1/3) of -log2(1/6) = 0.6131 bits' worth, (2 + 0.6131) / 3 = 0.8710.

    3 for 2 with gold 1, 2, 4, 5: -log2(1/4) = 2 of -log2(1/8) = 3 bits, (3 + 2/3) / 4 = 0.9167.
    """
    assert round(oe.cem_ord(gold, predicted), 4) == value


def test_a_missing_answer_under_zero_earns_nothing_and_stays_below_the_line():
    assert round(oe.cem_ord([1, 2, 3], [1, 2, None], missing="zero"), 4) == 0.6667


def test_kappa_of_a_constant_is_nan_and_its_reason_is_known():
    for metric in (oe.cohen_kappa, oe.weighted_kappa, oe.krippendorff_alpha, oe.lin_ccc):
        assert math.isnan(metric([2, 2, 2], [2, 2, 2]))
        assert "one class" in metric.undefined_when


@pytest.mark.parametrize("name", [n for n, m in oe.registry.items() if not m.takes_probabilities])
def test_a_class_that_occurs_only_in_the_predictions_breaks_nothing(name):
    assert math.isfinite(oe.registry[name]([1, 1, 2, 2], [1, 3, 2, 3]))


def test_gold_of_one_class_is_fine_in_ordinal_and_interval_closeness_and_nan_in_nominal():
    assert oe.cem_ord([1, 1], [1, 1]) == oe.cem_int([1, 1], [1, 1]) == 1.0
    assert math.isnan(oe.cem_nom([1, 1], [1, 1]))


def test_booleans_are_false_below_true():
    table = oe.Table.from_labels([True, True], [True, False])
    assert table.scale.labels == (False, True)
    assert table.counts.tolist() == [[0, 0], [1, 1]]


# --- one label


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        (" -2 ", -2),
        ("+3", 3),
        ("1.0", 1),
        ("1.", 1),
        (".5", 0.5),
        ("2.50", 2.5),
        ("1e2", 100),
        ("1E-1", 0.1),
        ("-1.5e+1", -15),
        ("9007199254740993", 9007199254740993),  # whole numbers keep every digit
        ("1e999", None),
        ("", None),
        (".", None),
        ("1_000", None),
        ("0x10", None),
        ("nan", None),
        ("inf", None),
        ("1 2", None),
        ("1\n", 1),
        ("\u0661", None),  # a digit, and not one of ours
        ("one", None),
    ],
)
def test_a_text_spells_a_number_as_people_write_it(text, value):
    assert number(text) == value
    assert type(number(text)) is type(value)


@pytest.mark.parametrize(
    ("raw", "label"),
    [
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        (2.0, 2),
        (Decimal("2.0"), 2),
        (Decimal("2.5"), 2.5),
        (Fraction(1, 2), 0.5),
        (np.longdouble(4), 4),
        (True, True),
        (np.bool_(False), False),
        (np.str_("a"), "a"),
        (" a", " a"),
        (10**400, 10**400),
        (float("inf"), float("inf")),
        (int, int),
    ],
)
def test_a_label_is_one_object_in_all_its_spellings(raw, label):
    assert canonical(raw) == label
    assert type(canonical(raw)) is type(label)


def test_what_is_beyond_floating_point_stays_as_it_is_and_a_signalling_nan_is_missing():
    huge = Fraction(10**400, 3)
    assert canonical(huge) is huge
    assert canonical(Decimal("sNaN")) is MISSING
    assert canonical(Decimal("NaN")) is MISSING
    assert canonical(np.longdouble("nan")) is MISSING


class Unequal:
    """What does not say whether it is equal to itself."""

    __hash__ = None

    def __init__(self, error):
        self.error = error

    def __ne__(self, other):
        raise self.error


@pytest.mark.parametrize("error", [TypeError(), ValueError(), ArithmeticError()])
def test_an_object_that_cannot_be_compared_is_not_missing(error):
    odd = Unequal(error)
    assert canonical(odd) is odd


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (["q10", "q2", "q1"], ["q1", "q2", "q10"]),
        (["a2b10", "a2b9", "a10"], ["a2b9", "a2b10", "a10"]),
        (["10", "9", "b", "a"], ["9", "10", "a", "b"]),
        (["q01", "q1", "q2"], ["q01", "q1", "q2"]),
        (["b", "", "a"], ["", "a", "b"]),
        (["q", "q1"], ["q", "q1"]),
        (["x\u0662", "x1"], ["x1", "x\u0662"]),
        (["1" * 400, "2"], ["2", "1" * 400]),
        ([10, 9], [9, 10]),
    ],
)
def test_names_are_sorted_as_people_do(names, ordered):
    assert sorted(names, key=natural_order) == ordered


def test_a_number_and_its_text_are_different_names():
    assert natural_order(1) != natural_order("1")
    assert natural_order("q1") == natural_order("q1")
