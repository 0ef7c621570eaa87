"""More systems than the engine has columns for: their answers come as lists, and nothing else changes."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.inputs.files import join_many
from tests.inputs.files.three_classes import LABELS, check, rows_of_answers, rows_of_gold, write


@pytest.fixture
def in_lists(monkeypatch):
    """Let the answers of two systems be many."""
    monkeypatch.setattr(join_many, "MANY_COLUMNS", 1)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_answers_in_lists_are_counted_as_answers_in_columns_are(tmp_path, in_lists, kind):
    gold = write(tmp_path / f"gold.{kind}", rows_of_gold(), kind)
    run = write(tmp_path / f"run.{kind}", rows_of_answers(), kind)
    check(oe.Runs.from_files(gold, run, labels=LABELS, missing="zero"))


def test_repeated_answers_in_lists_are_refused_or_the_first_counts(tmp_path, in_lists):
    gold = write(tmp_path / "gold.csv", rows_of_gold(), "csv")
    again = {"case": "t1", "item": "a", "system": "second", "label": "high"}
    run = write(tmp_path / "run.csv", [*rows_of_answers(), again], "csv")
    with pytest.raises(oe.errors.DataError, match="system 'second' has more than one row for item"):
        oe.Runs.from_files(gold, run, labels=LABELS, missing="zero")
    runs = oe.Runs.from_files(gold, run, labels=LABELS, missing="zero", duplicates="first")
    assert runs.ignored["duplicate"] == 1
    assert runs.table.answered[1, 0, 0].tolist() == [
        0,
        1,
        0,
    ]  # t1: low, and the first answer is mid


def test_a_system_with_no_item_of_gold_is_named_among_many(tmp_path, in_lists):
    gold = write(tmp_path / "gold.csv", rows_of_gold(), "csv")
    other = {"case": "t9", "item": "z", "system": "third", "label": "high"}
    run = write(tmp_path / "run.csv", [*rows_of_answers(), other], "csv")
    with pytest.raises(oe.errors.DataError, match="no answer of 'third' is about an item of gold"):
        oe.Runs.from_files(gold, run, labels=LABELS, missing="zero")


@pytest.mark.later
@pytest.mark.parametrize("several_files", [False, True])
def test_hundreds_of_systems_are_read_and_a_thousand_in_one_file(tmp_path, several_files):
    # system s answers item i with i + s mod 3: all right where 3 divides s, else all wrong
    n_systems, n_items = (1200, 6) if not several_files else (120, 6)
    rows = [
        [f"d{item},{(item + system) % 3}" for item in range(n_items)] for system in range(n_systems)
    ]
    (tmp_path / "gold.csv").write_text("item,label\n" + "\n".join(rows[0]) + "\n")
    if several_files:
        for system, lines in enumerate(rows):
            (tmp_path / f"s{system}.csv").write_text("item,label\n" + "\n".join(lines) + "\n")
        runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "s*.csv")
    else:
        lines = [f"{line},s{system}" for system, each in enumerate(rows) for line in each]
        (tmp_path / "run.csv").write_text("item,label,system\n" + "\n".join(lines) + "\n")
        runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")
    assert runs.systems == tuple(f"s{system}" for system in range(n_systems))
    right = np.arange(n_systems) % 3 == 0
    assert oe.accuracy(runs.table).tolist() == right.astype(float).tolist()
