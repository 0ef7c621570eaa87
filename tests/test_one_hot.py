"""Labels that come as a matrix: one column, or one for each class."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe

GOLD, PREDICTED = [0, 1, 2, 1], [0, 2, 2, 1]
COUNTS = [[1, 0, 0], [0, 1, 1], [0, 0, 1]]


def test_a_single_column_of_a_matrix_or_a_frame_is_that_column():
    flat = np.array(GOLD)
    columns = [
        flat[:, None],
        flat[:, None].astype(float),
        np.array([str(label) for label in GOLD])[:, None],
        np.array(GOLD, dtype=object)[:, None],
        np.ma.array(flat[:, None], mask=np.zeros((4, 1), dtype=bool)),
        pd.DataFrame({"a": GOLD}),
        pd.DataFrame({"a": GOLD}, dtype="Int8"),
        pl.DataFrame({"a": GOLD}),
        pa.table({"a": GOLD}),
        pa.record_batch({"a": GOLD}),
    ]
    for column in columns:
        assert oe.Table.from_labels(column, PREDICTED).counts.tolist() == COUNTS, column
        assert oe.Table.from_labels(PREDICTED, column).counts.T.tolist() == COUNTS, column
    masked = np.ma.array(flat[:, None], mask=[[False], [True], [False], [True]])
    table = oe.Table.from_labels(flat, masked, missing="zero")
    assert table.answered.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert table.missed.tolist() == [0, 2, 0]
    runs = oe.Runs.from_labels(flat[:, None], {"a": pl.DataFrame({"x": PREDICTED})})
    assert runs.table.counts.tolist() == [COUNTS]


def test_a_frame_of_one_ordered_column_keeps_its_order():
    order = ["low", "mid", "high"]
    column = pd.Categorical.from_codes(GOLD, order, ordered=True)
    table = oe.Table.from_labels(
        pd.DataFrame({"a": column}), pl.DataFrame({"b": [order[at] for at in PREDICTED]})
    )
    assert table.scale.labels == tuple(order)
    assert table.counts.tolist() == COUNTS


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint8, np.float32, np.float64])
def test_one_hot_rows_are_positions(dtype):
    gold, predicted = np.eye(3, dtype=dtype)[GOLD], np.eye(3, dtype=dtype)[PREDICTED]
    for one, other in ((gold, predicted), (gold, PREDICTED), (GOLD, predicted)):
        table = oe.Table.from_labels(one, other)
        assert table.scale.labels == (0, 1, 2)
        assert table.counts.tolist() == COUNTS
    runs = oe.Runs.from_labels(gold, {"a": predicted, "b": PREDICTED})
    assert runs.table.counts.tolist() == [COUNTS, COUNTS]


def test_one_hot_columns_are_classes_though_nobody_uses_them():
    table = oe.Table.from_labels(np.eye(5)[[0, 1]], np.eye(5)[[0, 2]])
    assert table.scale.labels == (0, 1, 2, 3, 4)
    with pytest.raises(oe.errors.LabelError, match="label 5 is not on the scale"):
        oe.Table.from_labels(np.eye(5)[[0, 1]], [0, 5])


def test_one_hot_columns_of_an_array_are_the_declared_classes_if_they_are_as_many():
    order = ["low", "mid", "high"]
    words = [order[at] for at in PREDICTED]
    for labels in (order, iter(order), oe.Scale(order), np.array(order), pd.Index(order)):
        table = oe.Table.from_labels(np.eye(3)[GOLD], words, labels=labels)
        assert table.scale.labels == tuple(order)
        assert table.counts.tolist() == COUNTS
    wider = oe.Table.from_labels(np.eye(3)[GOLD], PREDICTED, labels=[0, 1, 2, 3])
    assert wider.counts[:3, :3].tolist() == COUNTS


def test_one_hot_columns_of_a_frame_have_their_names_for_labels():
    words = [["low", "high", "mid"][at] for at in GOLD]
    said = [["low", "high", "mid"][at] for at in PREDICTED]
    # columns in the order of the alphabet: high, low, mid
    dummies = pd.get_dummies(pd.Series(words))
    frames = [
        dummies,
        dummies.astype(float),
        pl.from_pandas(dummies),
        pa.Table.from_pandas(dummies),
    ]
    for frame in frames:
        assert (
            oe.Table.from_labels(frame, said, labels=["low", "high", "mid"]).counts.tolist()
            == COUNTS
        )
        with pytest.raises(oe.errors.ScaleError, match="cannot tell the order"):
            oe.Table.from_labels(frame, said)
    numbers = pl.DataFrame({"3": [0, 0], "1": [1, 0], "2": [0, 1]})
    table = oe.Table.from_labels(numbers, [1, 2])
    assert table.scale.labels == (1, 2, 3)  # 3 has a column
    assert table.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_one_hot_and_plain_labels_count_alike(pairs):
    gold, predicted = map(list, zip(*pairs, strict=True))
    plain = oe.Table.from_labels(gold, predicted, labels=range(4))
    assert oe.Table.from_labels(np.eye(4)[gold], np.eye(4, dtype=int)[predicted]) == plain


def test_other_matrices_are_refused_with_what_to_do():
    probabilities = (
        "y_pred has shape (2, 2) and rows that sum to 1: these are probabilities. Pass them to oe.Table.from_soft, "
        "oe.evaluate or oe.compare, or pass the most probable class of each item: .argmax(axis=1)."
    )
    single = "labels are one-dimensional, one for each item. Pass a single column."
    rows = f"{single} If these are probabilities, they must be 0 or more and sum to 1 in each row."
    for thing, says in [
        (np.array([[0.5, 0.5], [0.2, 0.8]]), probabilities),
        (pd.DataFrame([[0.5, 0.5], [0.0, 1.0]]), probabilities),
        (np.array([[1, 1], [0, 1]]), f"y_pred has 2 dimensions (shape (2, 2)); {single}"),
        (np.array([[0, 0], [0, 1]]), f"y_pred has 2 dimensions (shape (2, 2)); {single}"),
        (np.array([[-1, 2], [0, 1]]), f"y_pred has 2 dimensions (shape (2, 2)); {single}"),
        (np.array([[np.nan, 1], [0, 1]]), f"y_pred has 2 dimensions (shape (2, 2)); {rows}"),
        (np.array([[1, 2]]), f"y_pred has 2 dimensions (shape (1, 2)); {single}"),
        (np.array([["a", "b"]]), f"y_pred has 2 dimensions (shape (1, 2)); {single}"),
        (np.ones((2, 1, 1)), f"y_pred has 3 dimensions (shape (2, 1, 1)); {single}"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), f"y_pred has 2 columns, 'a', 'b'; {single}"),
        (pl.DataFrame({"a": [1, 2], "b": [3, 4]}), f"y_pred has 2 columns, 'a', 'b'; {single}"),
        (pa.table({"a": [1, 2], "b": [3, 4]}), f"y_pred has 2 columns, 'a', 'b'; {single}"),
    ]:  # fmt: skip
        with pytest.raises(oe.errors.LabelError) as caught:
            oe.accuracy([0, 1], thing)
        assert str(caught.value) == says


def test_measures_of_probabilities_take_one_hot_gold_and_probabilities():
    shares = np.array([[0.5, 0.5], [0.2, 0.8]])
    # cumulated: (0.5 - 1)^2 = 0.25 and (0.2 - 0)^2 = 0.04; their mean is 0.145
    assert oe.ranked_probability_score(np.eye(2), shares) == pytest.approx(0.145)
    assert oe.ranked_probability_score([[0], [1]] @ np.eye(1), shares) == pytest.approx(0.145)
    named = oe.ranked_probability_score(np.eye(2), shares, labels=iter(["no", "yes"]))
    assert named == pytest.approx(0.145)
    assert oe.expected_cem(np.eye(2), np.eye(2)) == 1.0
