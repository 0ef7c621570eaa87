"""Bad input gets an error of ours, or the number that the contract gives: no foreign traceback and no warning."""

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from tests.examples import examples, grid

LABELS = [n for n, m in oe.registry.items() if not m.takes_probabilities]


def refused(door, says, kind=ValueError):
    with pytest.raises(oe.OrdevalError, match=says) as caught:
        door()
    assert isinstance(caught.value, kind)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize("name", LABELS)
def test_empty_input_has_no_items(name):
    for empty in ([], np.array([]), pd.Series([], dtype=float), pl.Series([]), pa.array([])):
        refused(lambda empty=empty: oe.registry[name](empty, empty), "no items")
        refused(lambda empty=empty: oe.registry[name](empty, empty, labels=[1, 2]), "no items")


@pytest.mark.parametrize("name", LABELS)
def test_unequal_lengths_do_not_line_up(name):
    refused(lambda: oe.registry[name]([1, 2, 3], [1, 2]), "y_true has 3 labels and y_pred has 2")
    refused(lambda: oe.registry[name]([1], []), "y_true has 1 labels and y_pred has 0")


@pytest.mark.parametrize(
    "column",
    [
        np.ones((1, 3)),
        np.ones((3, 2), dtype=int),
        np.ones((3, 1, 1)),
        np.array(5),
        np.int64(5),
    ],
)
def test_labels_have_one_dimension(column):
    refused(lambda: oe.cem_ord(column, [1, 2, 3]), r"y_true has \d dimensions")
    refused(lambda: oe.cem_ord([1, 2, 3], column), r"y_pred has \d dimensions")


@pytest.mark.parametrize(
    "column",
    [
        "abc",
        b"abc",
        5,
        None,
        object(),
        {"a": 1},
        {1, 2, 3},
        len,
        pl.LazyFrame({"a": [1]}),
        pl.DataFrame({"a": [1]}),
        pl.col("a"),
        pa.table({"a": [1]}),
        pa.scalar(3),
    ],
)
def test_what_is_no_column_is_refused(column):
    with pytest.raises(oe.OrdevalError) as caught:
        oe.Table.from_labels(column, [1, 2, 3])
    assert isinstance(caught.value, TypeError | ValueError)


@pytest.mark.parametrize(
    "column",
    [
        [[1], [2], [3]],
        [(1, 2), (3, 4), (5, 6)],
        [{}, {}, {}],
        [set(), {1}, {2}],
        ["a", ["b"], "c"],
        np.array([{}, [], set()], dtype=object),
        pd.Series([[1], [2], [3]]),
        pl.Series([[1], [2], [3]]),
        pl.Series([{"a": 1}] * 3),
        pa.array([[1], [2], [3]]),
        pa.array([["a"], ["b"], None]),
        pa.array([{"a": "x"}] * 3),
        np.array([1 + 1j, 2, 3]),
        np.array(["2020-01-01"] * 3, dtype="M8[D]"),
        np.array([1, 2, 3], dtype="m8[s]"),
        np.zeros(3, dtype=[("a", int)]),
        [dt.date(2020, 1, 1)] * 3,
        [float("inf"), 1, 2],
    ],
)
def test_labels_that_cannot_be_classes_are_refused(column):
    for door in (
        lambda: oe.cem_ord(column, [1, 2, 3]),
        lambda: oe.cem_ord([1, 2, 3], column),
        lambda: oe.cem_ord([1, 2, 3], column, labels=[1, 2, 3]),
    ):
        with pytest.raises(oe.OrdevalError) as caught:
            door()
        assert isinstance(caught.value, TypeError | ValueError)


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ([1, -1], "the weight of item 1 is -1.0; a weight is a finite number, 0 or more"),
        ([1, math.nan], "the weight of item 1 is nan"),
        ([math.inf, 1], "the weight of item 0 is inf"),
        ([1], r"sample_weight has shape \(1,\)"),
        ([[1], [1]], r"sample_weight has shape \(2, 1\)"),
        (3, r"sample_weight has shape \(\)"),
        ([0, 0], "no items"),
        (["a", "b"], "it must hold one number for each item"),
        ([None, 1], "the weight of item 0 is nan"),
        ([1, 1j], "a weight is 0 or more"),
        ([10**400, 1], "it must hold one number for each item"),
        ([[1], [1, 2]], "it must hold one number for each item"),
        ({"a": 1}, "it must hold one number for each item"),
    ],
)
@pytest.mark.parametrize("name", ["cem_ord", "ranked_probability_score"])
def test_a_weight_is_a_finite_number_not_below_0(name, weight, says):
    predicted = [1, 2] if name == "cem_ord" else [[1, 0], [0, 1]]
    with pytest.raises(oe.OrdevalError, match=says):
        oe.registry[name]([1, 2], predicted, sample_weight=weight)


@pytest.mark.parametrize("name", LABELS)
def test_nan_in_gold_is_an_error_in_every_measure_whatever_the_policy_for_answers(name):
    for missing in ("error", "zero", "farthest", "drop"):
        refused(
            lambda m=missing: oe.registry[name]([1, math.nan], [1, 2], missing=m),
            "gold labels is missing",
        )


def test_gold_that_is_dropped_to_nothing_has_no_items():
    refused(lambda: oe.cem_ord([None, None], [1, 2], gold_missing="drop"), "no items")
    refused(lambda: oe.cem_ord([1, 2], [None, None], missing="drop", labels=[1, 2]), "no items")


def test_all_answers_missing_earn_nothing():
    assert oe.cem_ord([1, 2], [None, None], missing="zero") == 0.0
    assert oe.mae([1, 2, 3], [None] * 3, missing="zero") == (2 + 1 + 2) / 3
    assert oe.accuracy([1, 2], [None, None], missing="zero") == 0.0


def test_one_class_is_a_scale():
    values = {name: oe.registry[name]([7, 7], [7, 7]) for name in LABELS}
    perfect = [
        n for n in LABELS if oe.registry[n].perfect is not None and not math.isnan(values[n])
    ]
    assert all(values[name] == oe.registry[name].perfect for name in perfect)
    assert {"cem_ord", "cem_int", "accuracy", "mae", "purity", "auoc"} <= set(perfect)


@grid("name", LABELS, every=3)
def test_a_thousand_classes_are_a_scale(name):
    gold = np.arange(1000)
    value = oe.registry[name](gold, gold)
    perfect = oe.registry[name].perfect
    assert math.isfinite(value)
    assert perfect is None or value == pytest.approx(perfect)


def test_lines_of_an_error_do_not_grow_with_the_input():
    many = [f"class {i}" for i in range(5000)]
    for door in (
        lambda: oe.cem_ord(many, many),
        lambda: oe.cem_ord([1, 2], [None] * 2),
        lambda: oe.cem_ord("x" * 10**6, [1]),
        lambda: oe.cem_ord([1] * 5000, [None] * 5000),
        lambda: oe.cem_ord([["x" * 10**5]], [1]),
    ):
        with pytest.raises(oe.OrdevalError) as caught:
            door()
        assert len(str(caught.value)) < 400
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("probabilities", "says"),
    [
        ([[0.5, 0.5]], "y_true has 2 labels and y_pred has 1"),
        ([0.5, 0.5], "one row for each item"),
        ([[1, 0, 0], [0, 1, 0]], "y_pred has 3 columns, and the scale has 2 classes"),
        ([[0.5, 0.4], [0, 1]], "must be 0 or more and sum to 1"),
        ([[1.5, -0.5], [0, 1]], "must be 0 or more and sum to 1"),
        ([[math.nan, 1], [0, 1]], "1 of 2 answers is missing, first at item 0"),
        ([[math.inf, 1], [0, 1]], "must be 0 or more and sum to 1"),
        ([["a", "b"], [0, 1]], "takes class probabilities"),
        ([[1], [0, 1]], "takes class probabilities"),
        ("ab", "takes class probabilities"),
        (5, "one row for each"),
    ],
)
@pytest.mark.parametrize("name", ["ranked_probability_score", "expected_cem"])
def test_probabilities_are_a_row_for_each_item_and_a_column_for_each_class(
    name, probabilities, says
):
    with pytest.raises(oe.OrdevalError, match=says):
        oe.registry[name]([1, 2], probabilities)


def test_a_measure_wants_both_sides_or_a_table():
    refused(lambda: oe.cem_ord([1, 2]), "called without y_pred", TypeError)
    table = oe.Table.from_labels([1, 2], [1, 2])
    for extra in (
        {"y_pred": [1, 2]},
        {"labels": [1, 2]},
        {"values": [1, 9]},
        {"sample_weight": [1, 1]},
        {"missing": "zero"},
        {"unknown": "missing"},
    ):
        refused(
            lambda extra=extra: oe.mae(table, **extra),
            "a Table already contains these",
            TypeError,
        )


def test_proximity_refuses_what_is_no_gold():
    refused(lambda: oe.proximity([]), "no items")
    refused(lambda: oe.proximity.from_counts([0, 0]), "no items")
    refused(lambda: oe.proximity.from_counts(3), "one count for each class")
    refused(lambda: oe.proximity.from_counts([1, -1]), "a count is 0 or more")
    refused(lambda: oe.proximity([1, 2], scale_type="ratio"), "nominal, ordinal, interval")
    refused(lambda: oe.proximity.from_counts([1, 2], values=[1]), "strictly increasing")
    refused(lambda: oe.proximity.from_counts([1, 2], values="ab"), "must hold numbers")
    refused(lambda: oe.proximity(["a", "b"]), "cannot tell the order")
    refused(lambda: oe.proximity(5), "it must hold one label for each item", TypeError)


@pytest.mark.parametrize(
    "values", [[1], [1, 1], [2, 1], [1, math.nan], [0, math.inf], "ab", [None, 1], [[1, 2]]]
)
def test_values_for_counts_are_one_increasing_number_for_each_class(values):
    refused(lambda: oe.mae.from_counts([[1, 0], [0, 1]], values=values), "values is")


@pytest.mark.parametrize(
    "reference", [[1], [1, -1], [1, math.nan], "ab", [None, 1], [[1, 2]] * 3, [0, 0], 5]
)
def test_a_reference_is_one_amount_for_each_class(reference):
    refused(lambda: oe.cem_ord.from_counts([[1, 0], [0, 1]], reference=reference), "reference")


# --- anything at all

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["1", "2.0", " 3", "1e400", "nan", "NA", "-", b"1", b""]),
    st.decimals(),
    st.fractions(),
    st.complex_numbers(),
    st.dates(),
    st.sampled_from(
        [pd.NA, pd.NaT, np.nan, np.datetime64("NaT", "s"), np.float32(1), np.bool_(True), 10**400]
    ),
    st.sampled_from(
        [[], [1], (), (1, 2), {}, {1}, frozenset(), object(), Ellipsis, int, len, np.ones(2)]
    ),
)
COLUMN = st.one_of(
    ODD,
    st.lists(ODD, max_size=4),
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.lists(st.none() | st.floats(), min_size=1, max_size=4),
    st.lists(ODD, max_size=4).map(tuple),
    st.lists(st.integers(-200, 200), max_size=4).map(lambda x: np.array(x, dtype="int16")),
    st.lists(st.floats(width=16), max_size=4).map(lambda x: np.array(x, dtype="float16")),
    st.lists(st.none() | st.integers(0, 3), max_size=4).map(lambda x: pd.Series(x, dtype="Int64")),
    st.lists(st.none() | st.text(max_size=2), max_size=4).map(pl.Series),
    st.lists(st.none() | st.booleans(), max_size=4).map(pa.array),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "labels": COLUMN,
        "values": COLUMN,
        "sample_weight": COLUMN,
        "item": COLUMN,
        "missing": st.sampled_from(["error", "zero", "farthest", "drop", None, []]),
        "unknown": st.sampled_from(["error", "missing", 1]),
        "gold_missing": st.sampled_from(["error", "drop", "x"]),
    },
)


@settings(max_examples=examples(600))
@given(gold=COLUMN, predicted=COLUMN, options=OPTIONS)
def test_whatever_is_given_the_answer_is_a_table_or_an_error_of_ours(gold, predicted, options):
    try:
        table = oe.Table.from_labels(gold, predicted, **options)
    except oe.OrdevalError as error:
        assert isinstance(error, ValueError | TypeError)  # noqa: PT017 - most draws are refused, some are not
        return
    assert table.counts.shape == (table.scale.k,) * 2
    assert str(table)
    assert table._repr_html_()
    assert oe.Table.from_json(table.to_json()).counts.tolist() == table.counts.tolist()
    for metric in (oe.cem_ord, oe.mae, oe.krippendorff_alpha, oe.purity):
        try:
            assert isinstance(metric(table), float)
        except oe.OrdevalError as error:
            assert "no items" in str(error)  # noqa: PT017


@settings(max_examples=examples(200))
@given(
    counts=COLUMN | st.lists(COLUMN, max_size=3),
    options=st.fixed_dictionaries(
        {},
        optional={
            "values": COLUMN,
            "unanswered": COLUMN,
            "reference": COLUMN,
        },
    ),
)
def test_whatever_counts_are_given_the_answer_is_a_number_or_an_error_of_ours(counts, options):
    for metric in (oe.cem_ord, oe.threshold_loss):
        try:
            found = metric.from_counts(counts, **options)
        except oe.OrdevalError as error:
            assert isinstance(error, ValueError | TypeError)  # noqa: PT017
        else:
            assert isinstance(found, float | np.ndarray)


@given(name=ODD | st.text(alphabet="mae(),=n1'[]{}*. \x00", max_size=12))
def test_whatever_name_is_asked_for_the_answer_is_a_measure_or_an_error_of_ours(name):
    try:
        assert str(oe.registry[name])
    except oe.OrdevalError as error:
        assert isinstance(error, KeyError | ValueError)  # noqa: PT017


def test_a_decimal_that_is_no_number_is_missing():
    assert oe.accuracy([1, 2], [Decimal(1), Decimal("NaN")], missing="zero") == 0.5
