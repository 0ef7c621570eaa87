"""Which column plays which role, in files and in frames: by its name, whatever else stands beside it."""

import pandas as pd
import pytest

import ordeval as oe
from tests.examples import grid

FIVE = [1, 2, 3, 4, 5]
GOLD_LABELS = ["gold", "label", "value", "prediction", "pred"]  # the best name first
SYSTEM_LABELS = ["prediction", "pred", "label", "value", "gold"]
FRAME_LABELS = ["label", "value", "gold", "prediction", "pred"]


def csv(path, columns):
    """Write one row: each column with its value."""
    path.write_text(f"{','.join(columns)}\n{','.join(map(str, columns.values()))}\n")
    return path


def numbered(names):
    """Give each name a number by its rank, counted from 1, and put the best names last."""
    ranks = {name: rank for rank, name in enumerate(names, 1)}
    return dict(reversed(ranks.items()))


@pytest.mark.parametrize("absent", range(5))
def test_of_several_columns_of_labels_gold_takes_the_one_named_gold_then_label(tmp_path, absent):
    labels = numbered(GOLD_LABELS[absent:])
    gold = csv(tmp_path / "gold.csv", {**labels, "item": "d1"})
    run = csv(tmp_path / "run.csv", {"item": "d1", "label": 5})
    table = oe.Runs.from_files(gold, run, labels=FIVE).table
    assert table.gold[0].tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("absent", range(5))
def test_of_several_columns_of_labels_a_system_takes_the_one_named_prediction_then_pred(
    tmp_path, absent
):
    labels = numbered(SYSTEM_LABELS[absent:])
    gold = csv(tmp_path / "gold.csv", {"item": "d1", "label": 5})
    run = csv(tmp_path / "run.csv", {**labels, "item": "d1"})
    table = oe.Runs.from_files(gold, run, labels=FIVE).table
    assert table.predicted[0].tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("absent", range(5))
def test_of_several_columns_of_labels_a_frame_takes_the_one_named_label_then_value(absent):
    labels = numbered(FRAME_LABELS[absent:])
    gold = pd.DataFrame({"item": ["d1"], "human": [5]})
    answers = pd.DataFrame({name: [rank] for name, rank in labels.items()} | {"item": ["d1"]})
    runs = oe.Runs.from_frame(
        answers, gold=gold.rename(columns={"human": FRAME_LABELS[absent]}), labels=FIVE
    )
    assert runs.table.predicted[0].tolist() == [1, 0, 0, 0, 0]
    assert runs.table.gold[0].tolist() == [0, 0, 0, 0, 1]


OTHERS = {
    "case": ["case", "test_case", "topic", "query"],
    "item": ["item", "id", "item_id", "doc"],
    "system": ["system", "run", "model"],
}


@grid("role, name", [(role, name) for role, names in OTHERS.items() for name in names], every=2)
def test_a_column_plays_its_role_under_each_of_its_usual_names_in_any_letters(tmp_path, role, name):
    row = {"case": "c1", "item": "d1", "system": "s1", "label": 1}
    row = {(name.title() if column == role else column): value for column, value in row.items()}
    data = csv(tmp_path / "data.csv", row)
    runs = oe.Runs.from_files(data, data)
    assert (runs.cases, runs.systems, runs.n) == (("c1",), ("s1",), 1)


@pytest.mark.parametrize("role", OTHERS)
def test_the_best_of_several_usual_names_plays_the_role(tmp_path, role):
    for absent in range(len(OTHERS[role])):
        rest = OTHERS[role][absent:]
        row = {"case": "c1", "item": "d1", "system": "s1", "label": 1}
        best = row.pop(role)
        others = {**dict.fromkeys(reversed(rest[1:]), "another"), rest[0]: best}
        data = csv(tmp_path / "data.csv", {**others, **row})
        whole = csv(tmp_path / "whole.csv", {"case": "c1", "item": "d1", "label": 1})
        runs = oe.Runs.from_files(whole, data)
        assert (runs.cases, runs.systems) == (("c1",), ("s1",))


def test_a_column_that_is_named_wins_over_one_with_a_usual_name(tmp_path):
    data = csv(tmp_path / "data.csv", {"item": "d1", "label": 1, "rating": 2})
    runs = oe.Runs.from_files(data, data, label="rating", labels=[1, 2])
    assert runs.table.answered.tolist() == [[[0, 0], [0, 1]]]


def test_letters_tell_two_columns_apart_where_nothing_else_does(tmp_path):
    data = csv(tmp_path / "data.csv", {"item": "d1", "A": 1, "a": 2, "gold": 1})
    exact = oe.Runs.from_wide(data, gold="gold", predicted=["a", "A"], labels=[1, 2])
    assert exact.systems == ("a", "A")
    assert exact.table.predicted.tolist() == [[0, 1], [1, 0]]
    # a name that fits neither exactly could mean both
    data = csv(tmp_path / "data.csv", {"item": "d1", "RATER": 1, "rater": 2, "gold": 1})
    with pytest.raises(oe.errors.DataError, match=r"data\.csv' has 2 columns 'Rater'; .*Rename"):
        oe.Runs.from_wide(data, gold="gold", predicted="Rater")


def test_a_column_of_answers_is_not_taken_for_the_item_as_well(tmp_path):
    # two rows of one "id" are two items here: "id" is the system's name
    (tmp_path / "wide.csv").write_text("gold,id\n1,1\n1,1\n2,1\n")
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted="id")
    assert runs.table.answered.tolist() == [[[2, 0], [1, 0]]]
    frame = pd.DataFrame({"gold": [1, 1, 2], "id": [1, 1, 1]})
    runs = oe.Runs.from_frame(frame, gold="gold", predicted="id")
    assert runs.table.answered.tolist() == [[[2, 0], [1, 0]]]


@pytest.mark.parametrize(
    ("columns", "what", "names", "argument"),
    [
        (
            "item,mark",
            "labels",
            "label, value, gold, prediction, pred, score, rating, grade",
            "label='mark'",
        ),
        ("thing,label", "item ids", "item, id, item_id, doc", "item='thing'"),
    ],
)
def test_a_file_without_labels_or_items_is_refused_with_the_names_that_would_do(
    tmp_path, columns, what, names, argument
):
    data = tmp_path / "data.csv"
    data.write_text(f"{columns}\nd1,1\n")
    first, second = columns.split(",")
    with pytest.raises(oe.errors.DataError) as caught:
        oe.Runs.from_files(data, data)
    assert str(caught.value) == (
        f"{str(data)!r} has no column of {what}: it has {first!r}, {second!r}, and such a column is named {names}. "
        f"Name it with {argument}."
    )


def test_a_frame_without_a_column_that_it_must_have_is_refused_with_what_it_has():
    whole = pd.DataFrame({"item": ["d1"], "label": [1]})
    with pytest.raises(oe.errors.DataError) as caught:
        oe.Runs.from_frame(pd.DataFrame({"thing": ["d1"], "label": [1]}), gold=whole)
    assert str(caught.value) == (
        "the frame has no column known as item; it has 'thing', 'label'. Name it with item=."
    )
