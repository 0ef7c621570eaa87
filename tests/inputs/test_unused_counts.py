"""A column that is named like a count and that nobody asked for: rows that were counted before are no items."""

import itertools

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.examples import grid

# 2 classes; the counts are 5, 1, 2, 4: 9 of 12 items are right, but 2 of 4 rows
COUNTED = {"gold": [1, 1, 2, 2], "pred": [1, 2, 1, 2], "n": [5, 1, 2, 4]}
DOORS = ["csv", "parquet", "jsonl", "pandas", "polars", "table"]


def read(door, columns, folder, **options):
    """Read columns of a wide table through one of the doors."""
    frame = pd.DataFrame(columns)
    if door in {"csv", "parquet", "jsonl"}:
        path = folder / f"wide.{door}"
        if door == "csv":
            frame.to_csv(path, index=False)
        elif door == "parquet":
            frame.to_parquet(path)
        else:
            frame.to_json(path, orient="records", lines=True)
        return oe.Runs.from_wide(path, gold="gold", predicted="pred", **options)
    if door == "table":
        return oe.Table.from_frame(frame, gold="gold", predicted="pred", **options)
    frame = frame if door == "pandas" else pl.DataFrame(columns)
    return oe.Runs.from_frame(frame, gold="gold", predicted="pred", **options)


def counts(data):
    """Return the counts of runs or of a table."""
    table = getattr(data, "table", data)
    return table.counts.reshape(2, 2).tolist()


@grid(
    "name, door",
    itertools.product(["n", "N", "count", "freq", "Frequency", "num", "size", "weights"], DOORS),
)
def test_counted_rows_are_no_items(door, name, tmp_path):
    columns = {name if key == "n" else key: column for key, column in COUNTED.items()}
    with pytest.raises(oe.errors.DataError) as caught:
        read(door, columns, tmp_path)
    says = str(caught.value)
    assert f"has a column {name!r} that was not named, and no two of its 4 rows" in says
    assert f"count={name!r}" in says
    assert f"weight={name!r}" in says
    assert says.endswith("or count=1 if each row is one item.")
    assert counts(read(door, columns, tmp_path, count=name)) == [[5, 1], [2, 4]]
    assert counts(read(door, columns, tmp_path, count=1)) == [[1, 1], [1, 1]]


@pytest.mark.parametrize("door", DOORS)
def test_rows_that_repeat_are_items_and_a_note_tells_of_the_column(door, tmp_path):
    columns = {key: [*column, column[0]] for key, column in COUNTED.items()}
    data = read(door, columns, tmp_path)
    assert counts(data) == [[2, 1], [1, 1]]
    if door != "table":
        (note,) = data.notes
        assert note.startswith("column 'n' of ")
        assert note.endswith(
            "was not used: each row is one item. Pass count='n' or weight='n' to use it, or count=1 to leave out "
            "this note."
        )
        assert read(door, columns, tmp_path, count=1).notes == ()


@pytest.mark.parametrize("door", DOORS)
def test_rows_with_ids_few_rows_and_columns_that_are_no_numbers_are_items(door, tmp_path):
    with_ids = {**COUNTED, "id": ["a", "b", "c", "d"]}
    assert counts(read(door, with_ids, tmp_path)) == [[1, 1], [1, 1]]
    few = {key: column[:3] for key, column in COUNTED.items()}
    assert counts(read(door, few, tmp_path)) == [[1, 1], [1, 0]]
    words = {**COUNTED, "n": ["five", "1", "2", "4"]}
    assert counts(read(door, words, tmp_path)) == [[1, 1], [1, 1]]
    other = {"gold": COUNTED["gold"], "pred": COUNTED["pred"], "age": COUNTED["n"]}
    assert counts(read(door, other, tmp_path)) == [[1, 1], [1, 1]]


def test_a_column_that_is_gold_an_answer_or_a_weight_is_no_trap(tmp_path):
    frame = pd.DataFrame({"n": [1, 1, 2, 2], "size": [1, 2, 1, 2], "weight": [1.0, 1.0, 1.0, 3.0]})
    runs = oe.Runs.from_frame(frame, gold="n", predicted="size", weight="weight")
    assert runs.table.counts.tolist() == [[[1, 1], [1, 3]]]
    assert runs.notes == ()
    table = oe.Table.from_frame(frame, gold="n", predicted="size", by="weight")
    assert table.axes[0].labels == (1, 3)


def test_a_count_that_is_neither_a_column_nor_one_is_refused():
    frame = pd.DataFrame(COUNTED)
    for count in (3, 0, True, 1.5):
        with pytest.raises(oe.errors.ParameterError, match="is not the name of a column"):
            oe.Table.from_frame(frame, gold="gold", predicted="pred", count=count)


def test_the_command_line_names_its_options(tmp_path):
    pd.DataFrame(COUNTED).to_csv(tmp_path / "data.csv", index=False)
    words = ["count", str(tmp_path / "data.csv"), "--gold", "gold", "--pred", "pred"]

    def run(*options):
        return CliRunner().invoke(main, [*words, *options])

    refused = run()
    assert refused.exit_code == 3
    assert "Pass --count n or --weight n to use the column, or --count 1 if each" in refused.stderr
    assert '"answered": [[[5, 1], [2, 4]]]' in run("--count", "n").stdout.replace("\n", " ")
    assert '"answered": [[[1, 1], [1, 1]]]' in run("--count", "1").stdout.replace("\n", " ")
