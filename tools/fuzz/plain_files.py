"""Plain readers of files: what the modules csv, json, gzip and PyArrow see, all or nothing.

`Refused` says that a file is no table by these; `Unclear`, that two good readers may differ about it.
"""

import csv
import gzip
import io
import json
import zlib
from decimal import Decimal
from pathlib import PurePath
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from tools.fuzz.plain import PlainTable, Refused, meaning

Grid = list[list[Any]]  # the header first


class Unclear(Exception):  # noqa: N818 - an outcome, not a mistake
    """A table or an error of ours would both be right."""


def unpacked(name: str, data: bytes) -> tuple[str, bytes]:
    """Return the ending of the format, and what the archive around it holds."""
    path = PurePath(name)
    if path.suffix not in {".gz", ".zst"}:
        return path.suffix, data
    try:
        if path.suffix == ".gz":
            return PurePath(path.stem).suffix, gzip.decompress(data)
        with pa.input_stream(pa.py_buffer(data), compression="zstd") as stream:
            return PurePath(path.stem).suffix, stream.read()
    except (OSError, EOFError, zlib.error, pa.ArrowException) as error:
        raise Refused from error


def text_in(data: bytes) -> str:
    """Decode a text file."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused from error


def separated(text: str, delimiter: str, *, loose: bool) -> Grid:
    """Read separated values; rows that are not as wide as the header are left out or make it no table."""
    if delimiter not in text.lstrip("\r\n").partition("\n")[0]:
        raise Unclear  # other marks between columns are found by the header
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        grid: Grid = [row for row in lines if row and (len(row) > 1 or row[0].strip())]
    except csv.Error as error:
        raise Unclear from error  # a quote that is never closed may end with its line
    while grid and not any(cell.strip() for cell in grid[0]):
        grid = grid[1:]
    if any(len(row) == len(grid[0]) + 1 and not row[-1] for row in grid):
        raise Unclear  # a mark too many at the end of a line
    fitting = [row for row in grid if len(row) == len(grid[0])]
    if not grid or (len(fitting) < len(grid) and not loose):
        raise Refused
    return fitting


def objects(text: str, *, loose: bool) -> Grid:
    """Read a JSON object a line, a column for each key."""
    rows = []
    for line in text.replace("\r", "\n").split("\n"):
        try:
            row = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            rows += [row] if line.strip() else []
        elif not loose:
            raise Refused
    if not rows:
        raise Refused
    header = list(dict.fromkeys(key for row in rows for key in row))
    return [header, *([row.get(key) for key in header] for row in rows)]


def parquet(data: bytes) -> Grid:
    """Read a Parquet file."""
    try:
        table = pyarrow.parquet.read_table(pa.py_buffer(data), page_checksum_verification=False)
        table.validate(full=True)
        columns = [column.to_pylist() for column in table.columns]
    except (
        OSError,
        ValueError,
        NotImplementedError,
        pa.ArrowException,
        UnicodeDecodeError,
    ) as error:
        raise Unclear from error  # a column that is not asked for may be the one that is broken
    return [table.column_names, *map(list, zip(*columns, strict=True))]


def grid_of(name: str, data: bytes, *, loose: bool) -> Grid:
    """Read any of the formats; `loose`: without the lines that cannot be read."""
    ending, data = unpacked(name, data)
    if ending == ".parquet":
        return parquet(data)
    try:
        text = text_in(data)
    except Refused:
        if loose:  # the lines of other encodings may be all that cannot be read
            raise Unclear from None
        raise
    if "\0" in text:
        raise Unclear
    if ending == ".jsonl":
        return objects(text, loose=loose)
    return separated(text, "," if ending == ".csv" else "\t", loose=loose)


def column(grid: Grid, *names: str) -> list[Any]:
    """Return the column of the first of some names; its case matters only if two differ by nothing else."""
    header = [str(name).strip() for name in grid[0]]
    for name in names:
        found = [at for at, one in enumerate(header) if one == name]
        found = found or [at for at, one in enumerate(header) if one.lower() == name]
        if len(found) > 1:
            raise Refused
        if found:
            return [scalar(row[found[0]]) for row in grid[1:]]
    raise Refused


def scalar(cell: Any) -> Any:
    """Return a cell that can be a label or an id."""
    if isinstance(cell, dict | list):
        raise Unclear
    if isinstance(cell, float) and cell in {float("inf"), float("-inf")}:
        raise Unclear
    return cell


def key(cell: Any) -> str | None:
    """Return an id as text; a whole number is spelled the same in every column."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, float | Decimal) and cell == int(cell):
        cell = int(cell)
    return str(cell)


def evall_fields(line: str) -> list[str]:
    """Return the fields of a line in EvALL's format, without the quotes around them."""
    fields = line.split("\t")
    quoted = [len(field) > 1 and field[0] == field[-1] == '"' for field in fields]
    return [
        (field[1:-1].replace('""', '"') if inside else field).strip(" ")
        for field, inside in zip(fields, quoted, strict=True)
    ]


def table_of_json(data: bytes) -> PlainTable:
    """Return the classes and the counts in the JSON of a table that has no axes."""
    try:
        said = json.loads(data.decode("utf-8-sig"))
        classes, answered = said["scale"]["labels"], said["answered"]
        missed = said["missed"] or [0] * len(classes)
        cells = {
            (gold, answer): n
            for gold, row, none in zip(classes, answered, missed, strict=True)
            for answer, n in zip([*classes, None], [*row, none], strict=True)
        }
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Refused from error
    if not all(type(n) is int and n >= 0 for n in cells.values()) or len(cells) != len(classes) * (
        len(classes) + 1
    ):
        raise Refused
    return PlainTable(
        [meaning(one) for one in classes],
        {(meaning(g), meaning(a)): n for (g, a), n in cells.items()},
    )


def table_of_matrix(grid: Grid) -> PlainTable:
    """Return the classes and the counts of a matrix of whole numbers, gold in rows."""
    columns, rows = [meaning(name) for name in grid[0][1:]], [meaning(row[0]) for row in grid[1:]]
    if any(not isinstance(name, int) for name in [*columns, *rows]):
        raise Unclear  # sums, blank rows, classes between whole numbers
    if len({*columns}) < len(columns) or len({*rows}) < len(rows) or not rows or not columns:
        raise Refused
    seen = {*columns, *rows}
    cells = {}
    for gold, row in zip(rows, grid[1:], strict=True):
        for answer, cell in zip(columns, row[1:], strict=True):
            n = 0 if (said := meaning(cell)) is None else said
            if type(n) is not int or n < 0:
                raise Refused
            cells[gold, answer] = n
    return PlainTable(list(range(min(seen), max(seen) + 1)), cells)
