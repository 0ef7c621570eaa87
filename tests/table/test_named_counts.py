"""Counts that come with names are read by these: never by the order in which rows and columns stand."""

from collections import Counter

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval import Table

ORDER = ["low", "mid", "high"]


def message(counts, **options):
    """Return what an error of ours says of counts."""
    with pytest.raises(oe.OrdevalError) as caught:
        Table.from_counts(counts, **options)
    return str(caught.value)


def test_a_crosstab_of_classes_that_both_sides_lack_is_on_the_scale_of_all():
    crosstab = pd.crosstab([1, 2, 3], [2, 3, 4])  # no answer is right
    assert oe.accuracy.from_counts(crosstab) == 0.0
    table = Table.from_counts(crosstab)
    assert table.scale.labels == (1, 2, 3, 4)
    assert table == Table.from_labels([1, 2, 3], [2, 3, 4])


def test_the_names_keep_their_gap():
    # 1 -> 2, 2 -> 4, 4 -> 1: errors of 1, 2 and 3, in all 6 over 3 items; by positions it would be 1 + 1 + 2
    assert oe.mae.from_counts(pd.crosstab([1, 2, 4], [2, 4, 1])) == 2.0
    assert Table.from_counts(pd.crosstab([1, 2, 4], [2, 4, 1])).scale.values == (1, 2, 3, 4)
    # 10 + 20 + 30 over 3
    assert oe.mae.from_counts(pd.crosstab([1, 2, 4], [2, 4, 1]), values=[0, 10, 20, 30]) == 20.0


def test_strings_are_put_in_the_order_of_labels_and_are_an_error_without():
    gold, answers = ["low", "low", "mid", "high"], ["low", "high", "mid", "mid"]
    crosstab = pd.crosstab(gold, answers)  # alphabetically: high, low, mid
    # low -> low 0, low -> high 2, mid -> mid 0, high -> mid 1: 3 over 4 items
    assert oe.mae.from_counts(crosstab, labels=ORDER) == 0.75
    assert Table.from_counts(crosstab, labels=ORDER).counts.tolist() == [
        [1, 0, 1], [0, 1, 0], [0, 1, 0]
    ]  # fmt: skip
    assert "cannot tell the order of the classes 'high', 'low', 'mid'" in message(crosstab)
    with pytest.raises(oe.OrdevalError, match="cannot tell the order"):
        oe.mae.from_counts(crosstab)


def test_an_ordered_categorical_brings_its_order():
    gold = pd.Categorical(["low", "low", "high"], ORDER, ordered=True)
    answers = pd.Categorical(["low", "high", "mid"], ORDER, ordered=True)
    table = Table.from_counts(pd.crosstab(gold, answers))
    assert table.scale.labels == tuple(ORDER)  # mid has no gold item, and keeps its place
    assert table == Table.from_labels(gold, answers)
    assert oe.mae(table) == 1.0  # 0, 2 and 1 over 3 items
    reversed_order = pd.Categorical(answers, ORDER[::-1], ordered=True)
    assert "different orders" in message(pd.crosstab(gold, reversed_order))


def test_all_is_a_class_if_the_order_says_so():
    order = ["none", "some", "all"]
    gold = pd.Categorical(["none", "all", "all"], order, ordered=True)
    assert oe.accuracy.from_counts(pd.crosstab(gold, gold)) == 1.0
    assert Table.from_counts(pd.crosstab(gold, gold)).gold.tolist() == [1, 0, 2]
    assert Table.from_counts(pd.crosstab(list(gold), list(gold)), labels=order).n == 3


@pytest.mark.parametrize("name", ["All", "Total"])
def test_margins_that_hold_the_sums_are_left_out_and_others_are_refused(name):
    crosstab = pd.crosstab([1, 2, 2], [2, 2, 1], margins=True, margins_name=name)
    assert Table.from_counts(crosstab) == Table.from_labels([1, 2, 2], [2, 2, 1])
    assert oe.accuracy.from_counts(crosstab) == 1 / 3
    assert oe.accuracy.from_counts(crosstab.iloc[:-1]) == 1 / 3  # one side alone
    for row, column, side in ((2, 0, "row"), (0, 2, "column"), (2, 2, "corner")):
        wrong = crosstab.copy()
        wrong.iloc[row, column] += 1
        assert f"the {side} {name!r} does not hold the sums" in message(wrong)


def test_a_default_index_is_no_names():
    columns = {"gold": [2, 1], "1": [3, 4], "2": [5, 6]}
    read_from_csv = pd.DataFrame(columns)  # as read_csv gives it
    assert Table.from_counts(read_from_csv).counts.tolist() == [[4, 6], [3, 5]]
    assert Table.from_counts(read_from_csv.set_index("gold")).counts.tolist() == [[4, 6], [3, 5]]
    no_rows = pd.DataFrame([[3, 4], [5, 6]], columns=[1, 2])
    assert "the rows of the frame have no names" in message(no_rows)
    named = pd.DataFrame([[3, 4], [5, 6]], columns=["low", "high"])
    assert "the rows of the frame have no names" in message(named, labels=["low", "high"])
    # without any names a frame is an array
    plain = pd.DataFrame([[3, 4], [5, 6]])
    assert Table.from_counts(plain, labels=["low", "high"]).counts.tolist() == [[3, 4], [5, 6]]
    assert Table.from_counts(plain).scale.labels == (0, 1)
    assert "pass a frame" in message(pd.DataFrame(np.ones((2, 3))))
    numbered = pd.DataFrame([[3, 4], [5, 6]], columns=[0, 1])
    assert Table.from_counts(numbered).counts.tolist() == [[3, 4], [5, 6]]


WITH_GAPS = {"gold": ["3", "1"], "2.0": [None, 5], "1": [4.0, None]}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(WITH_GAPS),
        pd.DataFrame(WITH_GAPS).convert_dtypes(),
        pl.DataFrame(WITH_GAPS),
        pl.DataFrame(WITH_GAPS).lazy(),
        pa.table(WITH_GAPS),
        {"3": {"1": 4}, "1": {2.0: 5}},
        {("3", "1"): 4, ("1", "2.0"): 5},
    ],
)
def test_a_gap_is_0_and_numbers_in_text_are_numbers_in_every_library(frame):
    # gold 3 was called 1 four times, and gold 1 was called 2 five times: errors of 8 + 5 over 9 items
    table = Table.from_counts(frame)
    assert table.counts.tolist() == [[0, 5, 0], [0, 0, 0], [4, 0, 0]]
    assert table.answered.dtype == np.int64
    assert oe.mae.from_counts(frame) == 13 / 9


def test_a_pivot_in_an_engine_is_read():
    frame = pl.DataFrame({"g": [1, 2, 2, 2], "p": [2, 3, 3, 1], "n": [5, 6, 7, 1]})
    pivot = frame.pivot(on="p", index="g", values="n", aggregate_function="sum")  # noqa: PD010 - polars has no pivot_table
    expected = [[0, 5, 0], [1, 0, 13], [0, 0, 0]]
    assert Table.from_counts(pivot).counts.tolist() == expected
    relation = duckdb.sql("PIVOT frame ON p USING sum(n) GROUP BY g")
    assert Table.from_counts(relation).counts.tolist() == expected


def test_a_polars_enum_brings_its_order():
    gold = pl.Series("gold", ["high", "low"], dtype=pl.Enum(ORDER))
    frame = pl.DataFrame([gold, pl.Series("low", [1, 2]), pl.Series("mid", [3, 4])])
    assert Table.from_counts(frame).counts.tolist() == [[2, 4, 0], [0, 0, 0], [1, 3, 0]]


def test_a_counter_of_pairs_is_a_table():
    pairs = Counter(zip([1, 2, 2, 4], [1, 2, 1, 4], strict=True))
    assert Table.from_counts(pairs) == Table.from_labels([1, 2, 2, 4], [1, 2, 1, 4])


def test_weights_stay_weights():
    crosstab = pd.crosstab([1, 2, 2], [1, 2, 1], values=[0.5, 1, 2], aggfunc="sum")
    assert oe.accuracy.from_counts(crosstab) == 1.5 / 3.5


@pytest.mark.parametrize(
    ("frame", "options", "says"),
    [
        ({1: {1: 2, 2: "x"}}, {}, "the count for gold 1 and predicted 2 is 'x'; a count is a number."),
        ({1: {1: -2}}, {}, "the count for gold 1 and predicted 1 is -2; a count is 0 or more"),
        ({1: {1: 2**63}}, {}, "below 2**63"),
        ({1: {1: float("inf")}}, {}, "a count is 0 or more"),
        ({"1": {1: 2}, 1.0: {1: 2}}, {}, "the row 1 is the same class as '1'"),
        ({1: {"2": 2, "2.0": 1}}, {}, "the column '2.0' is the same class as '2'"),
        ({"a": {"b": 1}}, {"labels": ["a", "c"]}, "the column 'b' is not on the scale ['a', 'c']"),
        ({"b": {"a": 1}}, {"labels": ["a", "c"]}, "the row 'b' is not on the scale ['a', 'c']"),
        ({1: 2}, {}, "a mapping of counts is {gold: {predicted: n}}"),
        ({}, {}, "there are no items"),
        (pd.crosstab([1, 2], [[1, 2], [1, 2]]), {}, "2 of column names; a table of counts has one of each"),
        (pd.Series([1, 2]), {}, "counts is a pandas Series"),
        (pd.DataFrame({"gold": [1]}), {}, "one of gold classes and one for each predicted class"),
        (pl.DataFrame({"1": [1, 2], "2": [3, 4]}), {}, "has the name of a class"),
        (pl.DataFrame({"gold": range(1100), "1": range(1100)}), {}, "more than 1000 rows"),
        (pd.crosstab(pd.Series([1], name="pred"), pd.Series([1], name="gold")), {}, "Pass frame.T."),
        ({None: {1: 3}, 1: {1: 1}}, {}, "a row without a name holds 3 of the items"),
        ({1: {None: 3, 1: 1}}, {}, "a column without a name holds 3 of the items"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_by_its_names_is_refused(frame, options, says):
    assert says in message(frame, **options)


def test_a_name_off_the_labels_without_items_does_no_harm():
    counts = {"a": {"a": 2, "b": 0}, "b": {"a": 0}, None: {"a": 0, None: 0}}
    assert Table.from_counts(counts, labels=["a", "c"]).counts.tolist() == [[2, 0], [0, 0]]


def test_the_column_of_missing_answers_can_be_passed_as_unanswered():
    crosstab = pd.crosstab(pd.Series([3, 2, 1]), pd.Series([3, None, 4]), dropna=False)
    answers = crosstab[[3.0, 4.0]]
    table = Table.from_counts(answers, unanswered=crosstab[np.nan])
    assert table.unanswered.tolist() == [0, 1, 0, 0]
    assert oe.accuracy.from_counts(answers, unanswered=crosstab[np.nan]) == 1 / 3
    assert Table.from_counts(answers, unanswered=[0, 1, 0, 0]) == table


def test_a_table_does_not_change_with_the_array_that_it_was_made_of():
    counts, missed = np.array([[1, 2], [3, 4]]), np.array([5, 6])
    table = Table.from_counts(counts, unanswered=missed)
    counts[:], missed[:] = 0, 0
    assert table.n == 21


def test_labels_of_a_plain_array_are_its_order():
    assert oe.mae.from_counts([[0, 2], [0, 0]], labels=[1, 5]) == 4.0
    labels = iter(["b", "a"])
    assert Table.from_counts([[0, 2], [1, 0]], labels=labels).scale.labels == ("b", "a")


def test_class_counts_with_names_are_read_by_these():
    # 1, 2 and 4 items; value_counts puts the largest first
    training = pd.Series([3, 3, 3, 3, 1, 2, 2])
    counts = training.value_counts()
    by_hand = oe.proximity.from_counts([1, 2, 4])
    assert np.array_equal(oe.proximity.from_counts(counts), by_hand)
    assert np.array_equal(oe.proximity.from_counts(dict(counts)), by_hand)
    words = {"high": 4, "low": 1, "mid": 2}
    assert np.array_equal(oe.proximity.from_counts(words, labels=ORDER), by_hand)
    with pytest.raises(oe.OrdevalError, match="cannot tell the order"):
        oe.proximity.from_counts(words)
    gold, answers = [1, 2, 3, 3], [1, 3, 3, 2]
    expected = oe.cem_ord(gold, answers, reference=[1, 2, 4])
    assert oe.cem_ord(gold, answers, reference=counts) == expected
    assert oe.cem_ord.from_counts(pd.crosstab(gold, answers), reference=counts) == expected
    # a reference by name says nothing of counts without names: their classes are 0, 1 and 2
    with pytest.raises(oe.OrdevalError, match="the class 3 is not on the scale"):
        oe.cem_ord.from_counts([[1, 0, 0], [0, 0, 1], [0, 1, 1]], reference=counts)
    twice = pd.Series([1, 2, 4], index=[1, 2, 2])
    with pytest.raises(oe.OrdevalError, match="is the same class as"):
        oe.proximity.from_counts(twice)
    plain = pd.Series([1, 2, 4])  # the default index only numbers its entries
    assert np.array_equal(oe.proximity.from_counts(plain), by_hand)


PAIRS = st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9)), min_size=1, max_size=40)


@given(PAIRS)
def test_a_crosstab_of_integers_is_the_table_of_its_labels(pairs):
    gold, answers = (list(side) for side in zip(*pairs, strict=True))
    expected = Table.from_labels(gold, answers)
    crosstab = pd.crosstab(gold, answers)
    shuffled = crosstab.iloc[::-1, ::-1]
    as_text = shuffled.rename(index=str, columns=str)
    margins = pd.crosstab(gold, answers, margins=True)
    for counts in (crosstab, shuffled, as_text, margins, Counter(pairs)):
        assert Table.from_counts(counts) == expected


@given(st.lists(st.tuples(*[st.sampled_from("zyxab")] * 2), min_size=1, max_size=30))
def test_a_crosstab_of_strings_in_the_order_of_labels_is_the_table_of_its_labels(pairs):
    gold, answers = (list(side) for side in zip(*pairs, strict=True))
    labels = ["y", "a", "z", "x", "b"]
    expected = Table.from_labels(gold, answers, labels=labels)
    assert Table.from_counts(pd.crosstab(gold, answers), labels=labels) == expected
    ordered = [pd.Categorical(side, labels, ordered=True) for side in (gold, answers)]
    assert Table.from_counts(pd.crosstab(*ordered)) == expected


@pytest.mark.parametrize("count", [2**62, 1e308])
def test_counts_whose_sum_is_no_number_of_their_type_are_refused(count):
    with pytest.raises(oe.errors.TableError, match="add up to"):
        oe.Table.from_counts([[count, count], [0, count]])
    assert oe.accuracy.from_counts([[count, count], [0, count]]) == pytest.approx(2 / 3)
    assert oe.Table.from_counts([[count, 0], [0, 0]]).n == count


def test_arrays_of_pandas_have_no_names_and_are_read_in_order():
    # gold counts 2, 1, 1: the first class is worth -log2(1 / 4) = 2 bits
    for counts in (pd.array([2, 1, 1]), pd.Index([2, 1, 1])):
        assert oe.proximity.from_counts(counts)[0, 0] == 2
    with pytest.raises(oe.OrdevalError, match="counts are numbers"):
        oe.proximity.from_counts(pd.Categorical(["a", "b", "a"]))
