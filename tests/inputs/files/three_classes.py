"""Two systems on six items in three test cases: their tables by hand, and files of every format that hold them."""

import gzip
import json
from pathlib import Path

import numpy as np

import ordeval as oe
from tests.duckdb_files import writer

LABELS = ["low", "mid", "high"]
CASES = ["t1", "t1", "t1", "t2", "t2", "t10"]
ITEMS = ["a", "b", "c", "a", "d", "007"]
GOLD = ["low", "mid", "high", "low", "low", "mid"]
FIRST = ["low", "high", "high", "mid", "low", "mid"]
SECOND = ["mid", "mid", "high", None, "low", "low"]

# By hand: t1 has low-low, mid-high, high-high; t2 low-mid, low-low; t10 mid-mid. Cases in natural order.
FIRST_COUNTS = [
    [[1, 0, 0], [0, 0, 1], [0, 0, 1]],
    [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
    [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
]
# t1 has low-mid, mid-mid, high-high; t2 low-nothing, low-low; t10 mid-low.
SECOND_COUNTS = [
    [[0, 1, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
]


def rows_of_gold():
    return [
        dict(zip(("case", "item", "label"), row, strict=True))
        for row in zip(CASES, ITEMS, GOLD, strict=True)
    ]


def rows_of_answers():
    rows = []
    for system, answers in (("first", FIRST), ("second", SECOND)):
        for case, item, label in zip(CASES, ITEMS, answers, strict=True):
            if label is not None:
                rows.append({"case": case, "item": item, "system": system, "label": label})
    return rows


def write(path: Path, rows: list[dict], kind: str) -> Path:
    """Write rows by hand, or by DuckDB where the format is binary."""
    columns = list(rows[0])
    if kind in {"csv", "tsv"}:
        mark = "," if kind == "csv" else "\t"
        lines = [
            mark.join(columns),
            *(mark.join("" if row[c] is None else str(row[c]) for c in columns) for row in rows),
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        values = ", ".join(
            "(" + ", ".join("NULL" if row[c] is None else f"'{row[c]}'" for c in columns) + ")"
            for row in rows
        )
        named = ", ".join(f'"{column}"' for column in columns)
        with writer() as connection:
            connection.execute(
                f"COPY (SELECT * FROM (VALUES {values}) t({named})) TO '{path}' (FORMAT parquet)"
            )
    return path


def compressed(path: Path, how: str) -> Path:
    target = path.with_name(f"{path.name}.{how}")
    if how == "gz":
        target.write_bytes(gzip.compress(path.read_bytes()))
    else:
        with writer() as connection:
            connection.execute(
                f"COPY (SELECT * FROM read_csv('{path}', all_varchar=true, header=false, delim='\x01', quote='')) "
                f"TO '{target}' (FORMAT csv, HEADER false, COMPRESSION zstd, DELIM '\x01', QUOTE '')"
            )
    return target


def check(runs: oe.Runs) -> None:
    assert runs.systems == ("first", "second")
    assert runs.cases == ("t1", "t2", "t10")
    assert runs.scale.labels == tuple(LABELS)
    assert runs.table.answered.tolist() == [FIRST_COUNTS, SECOND_COUNTS]
    assert runs.table.missed.tolist() == [
        np.zeros((3, 3)).tolist(),
        [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
    ]
    assert dict(runs.ignored) == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}
    assert dict(runs.touched) == {"missing": 1}
    assert runs.n == 6
