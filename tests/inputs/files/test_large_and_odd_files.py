"""Files that are large, have odd names, or hold odd texts."""

import itertools
import json
import os

import duckdb
import numpy as np
import pytest

import ordeval as oe
from tests.duckdb_files import writer
from tests.examples import grid
from tests.inputs.files.three_classes import LABELS, rows_of_answers, rows_of_gold, write


def test_a_wide_file_larger_than_what_is_kept_is_scanned_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.setattr("ordeval.inputs.files.wide.SMALL", 0)
    rows = "t1,d1,1,1\nt1,d2,2,1\nt1,d3,2,2\n"
    (tmp_path / "wide.csv").write_text("case,item,gold,a\n" + rows)
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a"])
    assert runs.pooled().table.answered[0].tolist() == [[1, 0], [1, 1]]
    (tmp_path / "wide.csv").write_text("case,item,gold,a\n" + rows + rows)
    with pytest.raises(oe.errors.DataError, match="more than one row for item 'd1'"):
        oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a"])


@pytest.mark.parametrize("small", [0, 1 << 20])
def test_lines_that_do_not_fit_are_found_in_files_of_any_size(tmp_path, monkeypatch, small):
    monkeypatch.setattr("ordeval.inputs.files.wide.SMALL", small)
    rows = "d1,1,1\nd2,2,1,2,3\nd3,2,2\n"
    (tmp_path / "wide.csv").write_text("item,gold,label\n" + rows)
    with pytest.raises(
        oe.errors.DataError, match=r"1 row of .* cannot be read: line 3 \(too many columns\)"
    ):
        oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["label"])
    (tmp_path / "gold.csv").write_text("item,label,more\n" + rows)
    (tmp_path / "whole.csv").write_text("item,label\nd1,1\nd2,2\nd3,2\n")
    with pytest.raises(
        oe.errors.DataError, match=r"1 row of gold, .* cannot be read: line 3 \(too many columns\)"
    ):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "whole.csv")
    answers = oe.Runs.from_files(tmp_path / "whole.csv", tmp_path / "gold.csv", missing="zero")
    assert answers.ignored["unreadable"] == 1


def test_patterns_of_files_are_those_of_labels(tmp_path):
    rng = np.random.default_rng(3)
    gold, a, b = rng.integers(1, 5, (3, 400))
    rows = "".join(f"{i},{g},{x},{y}\n" for i, (g, x, y) in enumerate(zip(gold, a, b, strict=True)))
    (tmp_path / "wide.csv").write_text("id,gold,a,b\n" + rows)
    read = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=["a", "b"])
    known = oe.Runs.from_labels(gold, {"a": a, "b": b})
    for part in ("case", "gold", "predicted", "count"):
        assert np.array_equal(getattr(read, part), getattr(known, part))
    assert read.count.dtype == known.count.dtype


def test_what_was_left_out_stays_with_runs_that_are_pooled_or_selected(tmp_path):
    gold = write(tmp_path / "gold.csv", rows_of_gold(), "csv")
    rows = [*rows_of_answers(), {"case": "t9", "item": "z", "system": "first", "label": "low"}]
    runs = oe.Runs.from_files(
        gold, write(tmp_path / "run.csv", rows, "csv"), labels=LABELS, missing="zero"
    )
    assert runs.pooled().ignored == runs.select(["first"]).ignored == runs.ignored
    assert runs.pooled().table.answered.dtype == np.int64
    assert runs.pooled().table.answered.tolist() == runs.table.pooled("case").answered.tolist()


@pytest.mark.parametrize(
    "ids",
    [
        "1, 2, 3",
        "-4, 9, 2",
        "0, 100000000000, 5",
        "9223372036854775807, -9223372036854775808, 0",
        "-9223372036854775808, -9223372036854775807, -9223372036854775806",
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_whole_numbered_ids_of_a_wide_file_are_told_apart(tmp_path, ids, again):
    numbers = ids.split(", ") + [ids.split(", ")[1]] * again
    rows = ", ".join(f"('{number}'::BIGINT, 1, 2)" for number in numbers)
    data = tmp_path / "wide.parquet"
    with writer() as connection:
        connection.execute(f"COPY (SELECT * FROM (VALUES {rows}) t(id, gold, pred)) TO '{data}'")
    if again:
        with pytest.raises(oe.errors.DataError, match="more than one row"):
            oe.Runs.from_wide(data, gold="gold", predicted="pred")
    else:
        assert oe.Runs.from_wide(data, gold="gold", predicted="pred").n == 3


@pytest.mark.later
@grid("systems, form", itertools.product([1, 2], ["csv", "parquet"]))
def test_what_does_not_fit_in_memory_is_counted_all_the_same(tmp_path, monkeypatch, form, systems):
    # ids of 100 letters and more: 50 to 80 MB a file, before a hash table is built over them
    names, n = ("run", "other")[:systems], {1: 800_000, 2: 500_000}[systems]
    monkeypatch.setattr("ordeval.inputs.files.engine.MEMORY", 250)
    steps = {"gold": 7919, "run": 104729, "other": 104723}
    with duckdb.connect() as connection:
        for name in ("gold", *names):
            place = f"i * {steps[name]} % {n}"
            item = f"repeat('the name of an item ', 5) || ({place})"
            rows = f"SELECT {item} AS item, {place} % 5 AS label FROM range({n}) t(i)"
            connection.execute(f"COPY ({rows}) TO '{tmp_path / name}.{form}'")
    gold, *systems = (tmp_path / f"{name}.{form}" for name in ("gold", *names))
    runs = oe.Runs.from_files(gold, systems)
    assert runs.n == n
    assert oe.accuracy(runs.table).tolist() == [1.0] * len(systems)


GOLD_OF_THREE = "item,label\nd1,1\nd2,2\nd3,3\n"


@grid(
    "name, kind",
    itertools.product(["run[1].csv", "ru?1.csv", "r*.csv"], ["csv", "parquet"]),
    every=2,
)
def test_a_file_whose_name_looks_like_a_pattern_is_that_file_and_no_other(tmp_path, name, kind):
    name = name.replace("csv", kind)
    rows = [{"item": "d1", "label": "1"}, {"item": "d2", "label": "2"}]
    gold = write(tmp_path / f"gold.{kind}", rows, kind)
    write(tmp_path / f"run1.{kind}", [{"item": "d1", "label": "2"}, rows[1]], kind)
    write(tmp_path / name, rows, kind)
    runs = oe.Runs.from_files(gold, tmp_path / name)
    assert oe.accuracy(runs.table).tolist() == [1.0]


def test_a_pipe_is_refused_for_its_first_rows_would_be_lost(tmp_path):
    (tmp_path / "run.csv").write_text(GOLD_OF_THREE)
    os.mkfifo(tmp_path / "gold.csv")
    with pytest.raises(oe.errors.DataError, match=r"can be read only once\. Save what it holds"):
        oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "run.csv")


def test_a_name_that_is_not_utf_8_is_refused(tmp_path):
    name = os.fsencode(tmp_path) + b"/run\xff.csv"
    with open(name, "w") as file:  # noqa: PTH123 - a name that a Path would not show
        file.write(GOLD_OF_THREE)
    with pytest.raises(oe.errors.DataError, match=r"not UTF-8\. Rename it"):
        oe.Runs.from_files(os.fsdecode(name), os.fsdecode(name))


def test_a_header_of_thousands_of_columns_is_read_to_its_end(tmp_path):
    raters = [f"the_annotator_of_number_{at}" for at in range(5000)]
    rows = [",".join(["item", "gold", *raters]), ",".join(["d1", "2", *["1"] * 4999, "2"])]
    (tmp_path / "wide.csv").write_text("\n".join(rows) + "\n")
    chosen = [raters[0], raters[-1]]
    runs = oe.Runs.from_wide(tmp_path / "wide.csv", gold="gold", predicted=chosen)
    assert oe.accuracy(runs.table).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("text", ["x" * 200_000, "a\u2028b\x85c"])
def test_json_objects_may_hold_long_texts_and_any_letter(tmp_path, text):
    rows = [{"text": text, "item": "d1", "label": 1}, {"text": text, "item": "d2", "label": 2}]
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (tmp_path / "run.jsonl").write_text("".join(lines), encoding="utf-8")
    runs = oe.Runs.from_files(tmp_path / "run.jsonl", tmp_path / "run.jsonl")
    assert runs.n == 2


def test_a_system_none_of_whose_rows_has_an_item_is_unreadable_rows(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\nd1,1\nd2,2\n")
    rows = "item,label,system\nd1,1,a\nd2,2,a\n,1,b\nd1,2,c\nd2,2,c\n"
    (tmp_path / "runs.csv").write_text(rows)
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "runs.csv")
    assert runs.systems == ("a", "c")
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 1}
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]
