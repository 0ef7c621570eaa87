"""Files of every format, changed in their structure and byte by byte.

Where a plain reader still reads them, the package has its table or an error; where it does not, an error.
"""

import gzip
import io
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

import ordeval as oe
from tools.fuzz.beside import beside_plain_count
from tools.fuzz.files import WRITERS, Content
from tools.fuzz.mutations import by_bytes, by_columns, by_lines, by_rows
from tools.fuzz.plain import PlainTable, Refused, meaning, plain_count
from tools.fuzz.plain_files import (
    Grid,
    Unclear,
    column,
    evall_fields,
    grid_of,
    key,
    table_of_json,
    table_of_matrix,
    text_in,
    unpacked,
)
from tools.fuzz.trial import Try
from tools.fuzz.workbook import workbook

POLICIES = dict.fromkeys(("missing", "unknown", "gold_missing", "round"), "error")
PACKED: dict[str, str | None] = {"": None, ".gz": "gzip", ".zst": "zstd"}
FOLDERS = [
    *(
        "",
        "",
        "",
        "label=3",
        "truth=1",
        "a=2",
        "system=x",
        "case=1",
        "~",
        "http:",
        "file:",
        "s3:",
        "a b",
        "é",
        "[x]",
        "*",
    ),
    *("'q'", '"', "%41", "#", "-o", "x.csv", "$HOME", "\\", ".hidden", "new\nline"),
]
CLASSES = 4
ALL = [".csv", ".csv", ".tsv", ".jsonl", ".parquet", ".xlsx"]
ITEM_NAMES = ("item", "id", "item_id", "doc")
GOLD_NAMES = ("gold", "label", "value", "prediction", "pred", "score", "rating", "grade")
SYSTEM_NAMES = ("prediction", "pred", "label", "value", "gold", "score", "rating", "grade")


@dataclass(frozen=True)
class Drawn:
    """A file: its name, its bytes, and whether what it holds can be read back from these."""

    name: str
    data: bytes
    rows: Content
    damaged: bool = False  # in its bytes

    def grid(self, *, loose: bool = False) -> Grid:
        """Return what a plain reader sees; `loose`: without the lines that cannot be read."""
        if ".xlsx" in self.name:  # an archive with checks: what was put in comes out, or an error
            unpacked(self.name, self.data)
            return [
                list(self.rows[0]),
                *(list(row.values()) for row in self.rows if any(row.values())),
            ]
        grid = grid_of(self.name, self.data, loose=loose)
        if self.damaged and ".parquet" in self.name:
            # It has no checksums: what contradicts its own statistics is one thing to the engine and another to Arrow.
            raise Unclear
        return grid


LABEL_TYPES = [
    pa.int8(),
    pa.int64(),
    pa.uint64(),
    pa.float32(),
    pa.float64(),
    pa.decimal128(5, 1),
    pa.string(),
    pa.large_string(),
]


def typed(rows: Content, rng: Random) -> pa.Table:
    """Put rows into columns of Arrow's types; cells that are no numbers leave a column as text."""
    columns: dict[str, Any] = {}
    for name in rows[0]:
        cells, kind = [row[name] for row in rows], rng.choice(LABEL_TYPES)
        try:
            numbers = [None if cell == "" else Decimal(cell) for cell in cells]
            columns[name] = pa.array(numbers).cast(kind)
        except (ArithmeticError, ValueError, pa.ArrowException):
            columns[name] = pa.array([str(cell) for cell in cells])
    return pa.table(columns)


def draw_file(
    stem: str, rows: Content, rng: Random, endings: list[str], *, change: bool = True
) -> Drawn:
    """Write rows as a file of some format, and change it: its structure, its text, or its bytes."""
    ending = rng.choice(endings)
    for _ in range(rng.choice([0, 0, 0, 1]) if change else 0):
        rows = rng.choice([by_columns, by_rows])(rows, rng)
    stream = io.BytesIO()
    if ending == ".parquet":
        pyarrow.parquet.write_table(
            typed(rows, rng), stream, compression=rng.choice(["none", "snappy", "zstd"])
        )
        data, packed = stream.getvalue(), ""
    elif ending == ".xlsx":
        data, packed = workbook(rows), rng.choice(["", ".gz"])
    else:
        data, packed = text_of(rows, ending, rng), rng.choice(list(PACKED))
        data = by_lines(data, rng) if change and rng.random() < 0.25 else data
    return pack(f"{stem}{ending}", data, packed, rows, rng, change=change)


def text_of(rows: Content, ending: str, rng: Random) -> bytes:
    """Write rows as text."""
    if ending == ".evall":
        return "".join("\t".join(row.values()) + "\n" for row in rows).encode()
    if ending == ".jsonl":  # keys that come late, and cells that are numbers
        rows = [
            {
                name: int(cell) if cell.isdigit() and len(cell) < 3 else cell
                for name, cell in row.items()
                if cell != "" or rng.random() < 0.5
            }
            for row in rows
        ]
    return WRITERS[ending](rows, rng)


def pack(
    name: str, data: bytes, packed: str, rows: Content, rng: Random, *, change: bool = True
) -> Drawn:
    """Change bytes before or after a file is packed."""
    times, inside = rng.choice([0, 0, 1, 1, 2]) if change else 0, rng.random() < 0.7
    for _ in range(times if inside and ".xlsx" not in name else 0):
        data = by_bytes(data, rng)
    if packed == ".gz":
        data = gzip.compress(data, mtime=0)
    elif packed == ".zst":
        sink = pa.BufferOutputStream()
        with pa.output_stream(sink, compression="zstd") as packing:
            packing.write(data)
        data = bytes(sink.getvalue())
    for _ in range(0 if inside else times):
        data = by_bytes(data, rng)
    return Drawn(name.replace(".evall", ".tsv") + packed, data, rows, damaged=times > 0)


def ids(rng: Random, n: int) -> list[str]:
    """Return ids that differ, some of them only by their last digit."""
    start = rng.choice([0, 2**53 - 1, 2**63 - 2, 2**64 - 2, 10**30])
    return (
        [f"d{at}" for at in range(n)]
        if rng.random() < 0.6
        else [str(start + at) for at in range(n)]
    )


def mutated(rng: Random) -> Try:
    """Draw a wide file, gold and a system, EvALL's columns, a matrix, or the JSON of a table."""
    n = rng.choice([1, 3, 10, 40])
    gold = [str(rng.randint(1, CLASSES)) for _ in range(n)]
    answers = [g if rng.random() < 0.5 else str(rng.randint(1, CLASSES)) for g in gold]
    folder = rng.choice(FOLDERS)
    return rng.choice([wide, wide, long, long, evall, matrix, counts])(
        rng, ids(rng, n), gold, answers, folder
    )


def tried(
    files: list[Drawn],
    folder: str,
    expect: Callable[[], PlainTable],
    read: Callable[[list[str]], oe.Table],
) -> Try:
    """Return a try that writes the files into a folder of some name and reads them from beside it."""

    def read_there() -> list[oe.Table]:
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as made:
            os.chdir(made)
            try:
                Path(folder).mkdir(exist_ok=True)
                for one in files:
                    (Path(folder) / one.name).write_bytes(one.data)
                return [read([f"{folder}/{one.name}" if folder else one.name for one in files])]
            finally:
                os.chdir(before)

    shown = "; ".join(f"{folder}/{one.name}: {one.data!r:.600}" for one in files)
    return beside_plain_count(shown, lambda: [expect()], read_there)


def draw_pair(rng: Random, sides: list[tuple[str, Content]], endings: list[str]) -> list[Drawn]:
    """Draw the files of gold and of a system, of which one is changed."""
    changed = rng.randrange(2)
    return [
        draw_file(stem, rows, rng, endings, change=at == changed)
        for at, (stem, rows) in enumerate(sides)
    ]


def read_wide(paths: list[str]) -> oe.Table:
    """Read a wide file."""
    runs = oe.Runs.from_wide(paths[0], gold="truth", predicted=["a"])
    return runs.pooled().table.select(system="a")


def read_pair(paths: list[str]) -> oe.Table:
    """Read a gold file and a system's."""
    runs = oe.Runs.from_files(paths[0], [paths[1]], missing="zero")
    return runs.pooled().table.select(system="a")


def read_counted(paths: list[str]) -> oe.Table:
    """Read a matrix or the JSON of a table."""
    return oe.Table.from_file(paths[0])


def wide(rng: Random, names: list[str], gold: list[str], answers: list[str], folder: str) -> Try:
    """Draw a file with a row for each item."""
    rows = [{"id": i, "truth": g, "a": a} for i, g, a in zip(names, gold, answers, strict=True)]
    one = draw_file("wide", rows, rng, ALL)

    def expect() -> PlainTable:
        grid = one.grid()
        pairs = zip(column(grid, "truth"), column(grid, "a"), strict=True)
        return plain_count([(g, [a], 1) for g, a in pairs], None, POLICIES)[0]

    return tried([one], folder, expect, read_wide)


def joined(said: list[tuple[Any, Any]], answered: list[tuple[Any, Any]]) -> PlainTable:
    """Count the labels of ids in gold, each with its answer."""
    if any(i is None for i, _ in said) or len({i for i, _ in said}) < len(said):
        raise Refused
    answered = [(i, a) for i, a in answered if i is not None]
    given = dict(answered)
    if len(given) < len(answered):
        raise Refused
    policies = {**POLICIES, "missing": "zero"}
    return plain_count([(g, [given.get(i)], 1) for i, g in said], None, policies)[0]


def long(rng: Random, names: list[str], gold: list[str], answers: list[str], folder: str) -> Try:
    """Draw a gold file and a system's."""
    sides = [("gold", "gold", gold), ("a", "pred", answers)]
    drawn = draw_pair(
        rng,
        [
            (stem, [{"id": i, role: label} for i, label in zip(names, labels, strict=True)])
            for stem, role, labels in sides
        ],
        ALL,
    )

    def expect() -> PlainTable:
        said = []
        for one, order in zip(drawn, (GOLD_NAMES, SYSTEM_NAMES), strict=True):
            grid = one.grid(loose=order is SYSTEM_NAMES)
            items = map(key, column(grid, *ITEM_NAMES))
            said.append(list(zip(items, column(grid, *order), strict=True)))
        return joined(*said)

    return tried(drawn, folder, expect, read_pair)


def evall(rng: Random, names: list[str], gold: list[str], answers: list[str], folder: str) -> Try:
    """Draw files of three columns without a header."""
    drawn = draw_pair(
        rng,
        [
            (stem, [{"0": "t1", "1": f'"{i}"', "2": v} for i, v in zip(names, values, strict=True)])
            for stem, values in (("gold", gold), ("a", answers))
        ],
        [".evall"],
    )

    def expect() -> PlainTable:
        said: list[list[tuple[Any, Any]]] = []
        for one in drawn:
            lines = text_in(unpacked(one.name, one.data)[1]).replace("\r", "\n").split("\n")
            rows = [evall_fields(line) for line in lines if line]
            fine = [row for row in rows if len(row) == 3 and all(row)]
            if one is drawn[0] and len(fine) < len(rows):
                raise Refused
            if said and all(isinstance(meaning(label), int | float) for _, label in said[0]):
                fine = [row for row in fine if isinstance(meaning(row[2]), int | float)]
            said.append([((case, i), label) for case, i, label in fine])
        return joined(*said)

    return tried(drawn, folder, expect, read_pair)


def matrix(rng: Random, names: list[str], gold: list[str], answers: list[str], folder: str) -> Try:
    """Draw a table of counts with names."""
    del names
    classes = [str(c) for c in range(1, CLASSES + 1)]
    pairs = list(zip(gold, answers, strict=True))
    rows = [{"gold": g, **{a: str(pairs.count((g, a))) for a in classes}} for g in classes]
    one = draw_file("m", rows, rng, [".csv", ".csv", ".tsv"])
    return tried([one], folder, lambda: table_of_matrix(one.grid()), read_counted)


def counts(rng: Random, names: list[str], gold: list[str], answers: list[str], folder: str) -> Try:
    """Draw what `ordeval count` writes."""
    del names
    data = oe.Table.from_labels(list(map(int, gold)), list(map(int, answers))).to_json().encode()
    if rng.random() < 0.3:
        said = json.loads(data)
        said[rng.choice(list(said))] = rng.choice(
            [None, 0, -1, "", [], {}, 1e400, [[-1]], 2**70, True]
        )
        data = json.dumps(said).encode()
    one = pack("t.json", data, rng.choice(["", ".gz"]), [], rng)
    return tried(
        [one], folder, lambda: table_of_json(unpacked(one.name, one.data)[1]), read_counted
    )
