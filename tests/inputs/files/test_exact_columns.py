"""Columns as they are named and numbers as they are written, from typed files and from JSON lines alike."""

import gzip
import itertools
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ordeval as oe
from tests.duckdb_files import writer
from tests.examples import grid

DIAGONAL = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]  # six items, two of each of three classes, all right


def parquet(path, rows):
    with writer() as connection:
        connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
    return path


def parquet_of(path, *columns):
    """Write columns whose names need not differ."""
    names, values = zip(*columns, strict=True)
    pq.write_table(pa.Table.from_arrays([pa.array(each) for each in values], names=names), path)
    return path


def refused(door):
    with pytest.raises(oe.errors.DataError) as caught:
        door()
    return str(caught.value)


# --- numbers


@grid("kind", ["DECIMAL(18,0)", "DECIMAL(38,0)", "DECIMAL(38,4)", "UBIGINT"], every=2)
def test_ids_beyond_2_to_the_53_that_differ_in_the_last_digit_are_different(tmp_path, kind):
    near = 9_007_199_254_740_992  # 2**53; as floats this and the next number are one
    rows = "SELECT ({near} + i)::{kind} AS item, i + 1 AS label FROM range({start}, {end}) t(i)"
    two = rows.format(near=near, kind=kind, start=0, end=2)
    gold = parquet(tmp_path / "gold.parquet", two)
    run = parquet(tmp_path / "run.parquet", f"{two} ORDER BY i DESC")
    whole = parquet(
        tmp_path / "whole.parquet", rows.format(near=near, kind="BIGINT", start=0, end=2)
    )
    (tmp_path / "text.csv").write_text(f"item,label\n{near},1\n{near + 1},2\n")
    for systems in ([run], [tmp_path / "text.csv"], [whole], [run, tmp_path / "text.csv", whole]):
        runs = oe.Runs.from_files(gold, systems)
        assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]] * len(systems)
    other = parquet(tmp_path / "other.parquet", rows.format(near=near, kind=kind, start=2, end=3))
    assert "about an item of gold" in refused(lambda: oe.Runs.from_files(gold, other))


def test_a_decimal_without_a_fraction_is_the_integer(tmp_path):
    gold = parquet(
        tmp_path / "gold.parquet",
        "SELECT 12.00::DECIMAL(6,2) AS item, 1 AS label UNION ALL SELECT 100, 2 UNION ALL SELECT 0.50, 2",
    )
    (tmp_path / "run.csv").write_text("item,label\n12,1\n100,2\n0.5,1\n")
    runs = oe.Runs.from_files(gold, tmp_path / "run.csv")
    assert runs.table.answered.tolist() == [[[1, 0], [1, 1]]]


def test_labels_of_many_digits_are_different_classes(tmp_path):
    near = 9_007_199_254_740_992
    rows = f"SELECT i AS item, ({near} + i)::DECIMAL(20,0) AS label FROM range(2) t(i)"
    data = parquet(tmp_path / "gold.parquet", rows)
    runs = oe.Runs.from_files(data, data, labels=[near, near + 1], values=[1, 2])
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]]


@grid("kind, n_systems", itertools.product(["UBIGINT", "DECIMAL(20,0)"], [1, 2]), every=2)
def test_test_cases_beyond_2_to_the_63_stay_apart(tmp_path, kind, n_systems):
    # gold's cases are signed and the answers' are not: together they would become floats
    cases = 9_223_372_036_854_775_800
    rows = (
        'SELECT i AS item, ({cases} + i % 3)::{kind} AS "case", i % 3 AS label FROM range(6) t(i)'
    )
    gold = parquet(tmp_path / "gold.parquet", rows.format(cases=cases, kind="BIGINT"))
    runs = [
        parquet(tmp_path / f"run{at}.parquet", rows.format(cases=cases, kind=kind))
        for at in range(n_systems)
    ]
    read = oe.Runs.from_files(gold, runs)
    assert read.cases == tuple(str(cases + at) for at in range(3))
    assert read.pooled().table.answered.tolist() == [DIAGONAL] * n_systems
    unsigned = parquet(tmp_path / "unsigned.parquet", rows.format(cases=2**64 - 3, kind="UBIGINT"))
    wide = oe.Runs.from_wide(unsigned, gold="label", predicted="label")
    assert wide.cases == tuple(str(2**64 - 3 + at) for at in range(3))


def test_labels_of_single_precision_beside_double_are_as_they_were_written(tmp_path):
    tenths = (
        "SELECT i AS item, ((i % 3 + 1) / 10.0)::{kind} AS label FROM range({start}, {end}) t(i)"
    )
    single = parquet(tmp_path / "single.parquet", tenths.format(kind="FLOAT", start=0, end=6))
    double = parquet(tmp_path / "double.parquet", tenths.format(kind="DOUBLE", start=0, end=6))
    parquet(tmp_path / "shard1.parquet", tenths.format(kind="FLOAT", start=0, end=3))
    parquet(tmp_path / "shard2.parquet", tenths.format(kind="DOUBLE", start=3, end=6))
    mixed = tmp_path / "shard*.parquet"
    for gold, systems in ((single, double), (double, mixed), (mixed, single), (mixed, mixed)):
        runs = oe.Runs.from_files(gold, systems, shards=True)
        assert runs.scale.labels == (0.1, 0.2, 0.3)
        assert runs.table.answered.tolist() == [DIAGONAL]
    values = np.array([0.1, 0.2, 0.3])
    assert oe.accuracy(values.astype(np.float32), values) == 1.0
    assert oe.accuracy([*values.astype(np.float32)], [*values]) == 1.0


# --- names


def test_a_column_of_the_exact_name_comes_first_and_two_that_differ_by_case_are_not_mistaken(
    tmp_path,
):
    data = parquet_of(
        tmp_path / "wide.parquet",
        ("Gold", [2, 2]),
        ("gold", [1, 2]),
        ("pred", [1, 2]),
        ("PRED", [2, 1]),
    )
    assert oe.Runs.from_wide(data, gold="gold", predicted="pred").table.answered.tolist() == [
        [[1, 0], [0, 1]]
    ]
    other = oe.Runs.from_wide(data, gold="Gold", predicted="PRED", labels=[1, 2])
    assert other.table.answered.tolist() == [[[0, 0], [1, 1]]]  # gold 2, 2 and answers 2, 1
    both = oe.Runs.from_wide(data, gold="gold", predicted=["pred", "PRED"])
    assert both.systems == ("pred", "PRED")
    assert both.table.answered.tolist() == [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    assert "2 columns 'GOLD'" in refused(
        lambda: oe.Runs.from_wide(data, gold="GOLD", predicted="pred")
    )


@pytest.mark.parametrize("names", [("Label", "label"), ("label", "Label")])
def test_the_usual_name_is_the_one_in_lower_case(tmp_path, names):
    values = {"label": [1, 2], "Label": [2, 1]}
    columns = [(name, values[name]) for name in names]
    data = parquet_of(tmp_path / "run.parquet", ("item", ["a", "b"]), *columns)
    (tmp_path / "gold.csv").write_text("item,label\na,1\nb,2\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", data)
    assert runs.table.answered.tolist() == [[[1, 0], [0, 1]]]


def test_two_usual_names_that_differ_by_case_alone_are_refused(tmp_path):
    data = parquet_of(tmp_path / "run.parquet", ("item", ["a"]), ("Label", [1]), ("LABEL", [2]))
    text = tmp_path / "run.csv"
    text.write_text("item,Label,LABEL\na,1,2\n")
    for file in (data, text):
        assert "2 columns 'label'" in refused(lambda file=file: oe.Runs.from_files(file, file))


def test_two_columns_of_one_name_are_refused_in_parquet_as_in_text(tmp_path):
    data = parquet_of(tmp_path / "run.parquet", ("item", ["a"]), ("label", [1]), ("label", [2]))
    assert "2 columns 'label'" in refused(lambda: oe.Runs.from_files(data, data))
    wide = lambda: oe.Runs.from_wide(data, gold="label", predicted="label")  # noqa: E731
    assert "2 columns 'label'" in refused(wide)


def test_columns_inside_others_are_no_columns(tmp_path):
    inside = [{"label": 2, "gold": [{"x": 1}]}, {"label": 1, "gold": []}]
    data = parquet_of(
        tmp_path / "run.parquet", ("more", inside), ("item", ["a", "b"]), ("label", [1, 2])
    )
    assert oe.Runs.from_files(data, data).table.answered.tolist() == [[[1, 0], [0, 1]]]


def test_shards_may_have_their_columns_in_another_order_and_others_beside_them(tmp_path):
    parquet_of(tmp_path / "part1.parquet", ("item", ["a", "b"]), ("label", [1, 2]))
    parquet_of(tmp_path / "part2.parquet", ("note", ["x"]), ("label", [2]), ("item", ["c"]))
    (tmp_path / "gold.csv").write_text("item,label\na,1\nb,2\nc,1\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "part*.parquet", shards=True)
    assert runs.table.answered.tolist() == [[[1, 1], [0, 1]]]
    parquet_of(tmp_path / "part3.parquet", ("case", ["t"]), ("label", [2]), ("item", ["d"]))
    said = refused(
        lambda: oe.Runs.from_files(tmp_path / "gold.csv", tmp_path / "part*.parquet", shards=True)
    )
    assert "Give them the same columns" in said


@pytest.mark.parametrize("name", ["query", "topic", "key"])
def test_a_column_that_is_named_for_items_holds_no_test_cases(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    rows = "a,{}\nb,{}\nc,{}\n"
    (tmp_path / "gold.csv").write_text(f"{name},label\n" + rows.format(1, 2, 2))
    (tmp_path / "run.csv").write_text(f"{name},label\n" + rows.format(1, 1, 2))
    (tmp_path / "wide.csv").write_text(f"{name},gold,a\na,1,1\nb,2,1\nc,2,2\n")
    long = oe.Runs.from_files("gold.csv", "run.csv", item=name)
    wide = oe.Runs.from_wide("wide.csv", gold="gold", predicted="a", item=name)
    frame = pa.table({name: ["a", "b", "c"], "gold": [1, 2, 2], "a": [1, 1, 2]})
    framed = oe.Runs.from_frame(frame, gold="gold", predicted="a", item=name)
    for runs in (long, wide, framed):
        assert runs.cases == ()
        assert runs.table.answered.reshape(2, 2).tolist() == [[1, 0], [1, 1]]


# --- JSON lines


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.zst"])
def test_a_key_that_appears_late_is_found_however_the_file_is_packed(tmp_path, ending):
    # 3,000 lines have a grade alone, which is read as the label unless a label comes up later
    plain = tmp_path / "run.jsonl"
    early = [{"item": f"d{at}", "grade": 3, "text": "x" * 40} for at in range(3000)]
    late = [{"item": "e1", "Label": 1}, {"item": "e2", "Label": 2}]
    plain.write_text("".join(json.dumps(row) + "\n" for row in [*early, *late]))
    file = tmp_path / f"run.{ending}"
    if ending.endswith("gz"):
        file.write_bytes(gzip.compress(plain.read_bytes()))
    elif ending.endswith("zst"):
        lines = (
            f"read_csv('{plain}', columns={{'line': 'VARCHAR'}}, auto_detect=false, delim='\x01', quote='', "
            f"header=false)"
        )
        with writer() as connection:
            connection.execute(
                f"COPY (SELECT line FROM {lines}) TO '{file}' (FORMAT csv, HEADER false, QUOTE '', DELIM '\x01', "
                f"COMPRESSION zstd)"
            )
    (tmp_path / "gold.csv").write_text("item,label\ne1,1\ne2,1\nd1,2\n")
    runs = oe.Runs.from_files(tmp_path / "gold.csv", file, missing="drop")
    assert runs.table.answered.tolist() == [[[1, 1], [0, 0]]]
    assert runs.touched["missing"] == 1
