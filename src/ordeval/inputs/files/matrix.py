"""Files that hold counts and not items: a matrix with a column of gold classes, or the JSON of a table.

A file of items is never mistaken for a matrix: in a matrix the first column has a name of its own, and every other
column and every row has the name of a class.
"""

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ordeval.errors import DataError, argument
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.opening import OpenedFiles
from ordeval.inputs.files.small_files import counted_unchanged
from ordeval.inputs.files.small_text import small_lines
from ordeval.inputs.files.sniff import decoded, delimiter_of, fields_of, head_of
from ordeval.inputs.named_counts import PREDICTED_NAMES, NamedCounts, is_class, is_total
from ordeval.inputs.roles import NAMES
from ordeval.labels import MISSING, canonical, number, tidy
from ordeval.scale import WIDEST, Scale

if TYPE_CHECKING:
    from ordeval.inputs.files.engine import Database

RowReader: TypeAlias = Callable[[], list[Any]]
MOST_ROWS = WIDEST + 100  # a row for each class, sums and blank lines
REJECTS = "rejects_matrix"
IDENTIFIERS = frozenset(name for role in ("case", "item", "system") for name in NAMES[role])


def stored_json(source: Source, kind: str) -> str | None:
    """Return the text of a file that holds the JSON of a table or of ratings, as `to_json` writes it; else None."""
    if source.form != "jsonl" or source.compression == "zstd" or len(source.files) > 1:
        return None
    file = source.files[0]
    head = head_of(file, source.compression)
    if not re.search(rf'"kind"\s*:\s*"{kind}"'.encode(), head) or b'"schema"' not in head:
        return None

    def text() -> str:
        with gzip.open(file) if source.compression == "gzip" else Path(file).open("rb") as stream:
            return stream.read().decode("utf-8-sig")

    try:
        return OpenedFiles([source]).reading(text)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read {file!r}: {error}.") from None


def read_matrix(source: Source, declared: Scale | None) -> NamedCounts | str:
    """Read a matrix; if the file does not hold one, return the reason."""
    if len(source.files) > 1:
        return "it is more than one file"
    if source.form not in {"parquet", "jsonl", "xlsx"} and source.compression != "zstd":
        head = decoded(head_of(source.files[0], source.compression), source.files[0])
        first, *others = [line for line in re.split("[\r\n]+", head) if line.strip()] or [""]
        delimiter = delimiter_of(first, source.form)
        columns = fields_of(first, delimiter)
        lacks = why_no_header(columns, declared)
        if lacks:  # told without the engine, which takes longer to start
            if declared is None and len(others) <= MOST_ROWS:
                check_words(
                    source, columns, lambda: [fields_of(line, delimiter)[:1] for line in others]
                )
            return lacks

    lines = counted_unchanged(lambda: small_lines(source), [source])
    if lines is not None:
        return matrix_of(*columns_in_lines(lines, source), source, declared)

    def work(database: "Database") -> NamedCounts | str:
        read = matrix_of(*columns_in(database, source), source, declared)
        return read if isinstance(read, str) else replace(read, notes=tuple(database.notes))

    from ordeval.inputs.files.engine import reading

    return reading(work, sources=[source])


def matrix_of(
    columns: Sequence[str], read_rows: RowReader, source: Source, declared: Scale | None
) -> NamedCounts | str:
    """Read a matrix: its rows only if its columns are those of one."""
    lacks = why_no_header(columns, declared)
    if lacks:
        if declared is None:
            check_words(source, columns, read_rows)
        return lacks
    rows = read_rows()
    if len(rows) > MOST_ROWS:
        return f"it has more than {WIDEST} rows, and a matrix has one for each gold class"
    rows = [row for row in rows if any(canonical(cell) is not MISSING for cell in row)]
    for row in rows:
        name = tidy(row[0])
        if name is not MISSING and not (is_class(name, declared) or is_total(name, declared)):
            return no_class("row", name)
    cells = [[read_cell(cell, row[0], source) for cell in row[1:]] for row in rows]
    names = [row[0] for row in rows]
    return NamedCounts(names, columns[1:], cells)


def why_no_header(columns: Sequence[str], declared: Scale | None) -> str:
    """Say why columns of these names are not those of a matrix; nothing if they are."""
    first, *others = map(tidy, columns) if columns else (MISSING,)
    if is_class(first, declared):
        return f"its first column is named {first!r}, like a class, so its rows have no names"
    if isinstance(first, str) and first.lower() in IDENTIFIERS:
        return f"its first column, {first!r}, does not hold gold classes"
    if re.split(r"\W", str(first).lower())[0] in PREDICTED_NAMES:
        return f"its first column, {first!r}, does not hold gold classes, which stand in the rows of a matrix"
    named = [name for name in others if name is not MISSING and not is_total(name, declared)]
    odd = next((name for name in named if not is_class(name, declared)), None)
    if odd is not None:
        return no_class("column", odd)
    return "" if named else "it has no columns for predicted classes"


def check_words(source: Source, columns: Sequence[str], read_rows: RowReader) -> None:
    """Refuse a matrix whose classes are words, the same in rows and columns: only the caller knows their order."""
    across = names_among(columns[1:])
    words = [name for name in across if not is_class(name, None)]
    if len(words) < 2 or words != across:
        return
    if set(words) == set(names_among(chain.from_iterable(row[:1] for row in read_rows()))):
        raise DataError(
            f"{source.spec!r} is a table of counts whose classes are words, and their order is not known. Pass "
            f"{argument('labels', words)}, with the lowest class first."
        )


def names_among(cells: Iterable[Any]) -> list[Any]:
    """Return the names of classes in a row or a column of cells: not what is empty, nor a total."""
    return [name for name in map(tidy, cells) if name is not MISSING and not is_total(name, None)]


def no_class(side: str, name: Any) -> str:
    """Say that a row or a column does not have the name of a class."""
    classes = argument("labels", ...)
    return f"its {side} {name!r} does not have the name of a class, which is a number or one of {classes}"


def columns_in(database: "Database", source: Source) -> tuple[list[str], RowReader]:
    """Return the names of a file's columns, and what reads its rows: one more than a matrix can have, at most."""
    if source.form == "parquet":
        from ordeval.inputs.files.shapes import typed_shapes

        shape = typed_shapes(database, source)[0]
        return list(shape.names), lambda: database.rows(
            f"SELECT * FROM {shape.scan} LIMIT {MOST_ROWS + 1}"
        )
    return columns_in_lines(lines_in(database, source), source)


def columns_in_lines(lines: Sequence[str], source: Source) -> tuple[list[str], RowReader]:
    """Return the names in the first lines of a text file, and what reads the rows in the others."""
    lines = lines[: MOST_ROWS + 2]
    if source.form == "jsonl":
        objects = [parsed_object(line) for line in lines if line.strip()]
        columns = list(dict.fromkeys(key for each in objects for key in each or ()))
        return columns, lambda: rows_of_objects(objects, columns, source)
    blank = next(at for at, line in enumerate(lines) if line.strip())
    header, *others = lines[blank:]
    delimiter = delimiter_of(header, source.form)
    columns = fields_of(header, delimiter)
    return columns, lambda: rows_under(columns, others, delimiter, source, blank + 2)


def rows_under(
    columns: Sequence[str], lines: Sequence[str], delimiter: str, source: Source, first: int
) -> list[Sequence[Any]]:
    """Return the fields of the lines from number `first` on; each must have as many as there are columns."""
    try:
        rows: list[Sequence[Any]] = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise DataError(f"{source.spec!r} cannot be read: {error}. Correct the file.") from None
    for at, row in enumerate(rows, first):
        if row and len(row) != len(columns):
            raise DataError(
                f"{source.spec!r} has {len(row)} fields at line {at} and {len(columns)} columns. Correct the file."
            )
    return rows


def lines_in(database: "Database", source: Source) -> list[str]:
    """Return the first lines of a text file, without the mark that some programs put before the first."""
    from ordeval.inputs.files.engine import SourceTable

    scan = database.lines(source.files, source, REJECTS)
    found = database.rows(f"SELECT line FROM {scan} LIMIT {MOST_ROWS + 2}")
    lost, _ = database.rejected(SourceTable("", source, {}, lambda _: [], REJECTS))
    lines = [line or "" for (line,) in found]
    if lost or not any(line.strip() for line in lines):
        raise DataError(f"{source.spec!r} has no lines that can be read. Check the file.")
    return [lines[0].removeprefix("\ufeff"), *lines[1:]]


def parsed_object(line: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; None if there is none."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def rows_of_objects(
    objects: Sequence[dict[str, Any] | None], columns: Sequence[str], source: Source
) -> list[Sequence[Any]]:
    """Return the values of each JSON object; None for a key that one lacks."""
    read = [each for each in objects if each is not None]
    if len(read) < len(objects):
        raise DataError(
            f"{source.spec!r} has lines without a JSON object; JSON lines have one object on each line. Correct "
            f"the file."
        )
    return [[each.get(key) for key in columns] for each in read]


def read_cell(cell: Any, row: Any, source: Source) -> Any:
    """Return the count in a cell, as a number if a text spells one; a file holds whole counts."""
    text = tidy(cell)
    count = number(text) if isinstance(text, str) else text
    if isinstance(count, float):
        raise DataError(
            f"{source.spec!r} holds {count!r} in the row {row!r}; a count is a whole number. Pass counts, not shares."
        )
    return text if count is None else None if count is MISSING else count
