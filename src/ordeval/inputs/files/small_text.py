"""Small text files that are plain in every respect, read by Python alone: the engine takes longer to start.

Only what surely means the same to the engine is read here. Of anything else (a quote within a field, a blank line, a
line that does not fit) the answer is None: the engine then reads the file, and says what there is to say of it.
"""

import gzip
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ordeval.errors import OrdevalError
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.sniff import HEAD, delimiter_and_header

SMALL = 1 << 20  # bytes of all files together, unpacked
FORMS = frozenset({"csv", "tsv", "text", "jsonl"})
ODD_LETTERS = re.compile(
    r"\\u(0000|d[89a-f])", re.IGNORECASE
)  # in JSON: no letter, and halves of one


class SmallTable(NamedTuple):
    """The columns of a small file, and its fields row by row."""

    columns: tuple[str, ...]
    rows: list[list[str]]

    def values(self, at: int) -> list[str | None]:
        """Return a column; an empty field has no value."""
        return [row[at] or None for row in self.rows]


def small_tables(
    sources: Sequence[Source], chosen: Mapping[str, str | None]
) -> list[SmallTable] | None:
    """Read small files; None if the engine has to read one of them. `chosen` are the columns that the caller named."""
    named = [name for name in chosen.values() if name]
    tables: list[SmallTable] = []
    room = SMALL
    for source in sources:
        data = bytes_of(source, room)
        table = None if data is None else table_of(data, source, named)
        if data is None or table is None:
            return None
        tables.append(table)
        room -= len(data)
    return tables


def small_lines(source: Source) -> list[str] | None:
    """Return the lines of a small file; None if anything about it is out of the ordinary."""
    data = bytes_of(source, SMALL)
    return None if data is None else lines_of(data)


def bytes_of(source: Source, room: int) -> bytes | None:
    """Return what is in the one file of a source; None if it is not text, or larger than there is room for."""
    packed = source.compression == "gzip"
    if (
        len(source.files) > 1
        or source.form not in FORMS
        or not (packed or source.compression == "none")
    ):
        return None
    try:
        with gzip.open(source.files[0]) if packed else Path(source.files[0]).open("rb") as stream:
            data = stream.read(room + 1)
    except (OSError, EOFError, zlib.error):
        return None
    return data if len(data) <= room else None


def table_of(data: bytes, source: Source, chosen: Sequence[str]) -> SmallTable | None:
    """Return the table in a text with a header, or in JSON lines; None if anything about it is out of the ordinary."""
    lines = lines_of(data)
    if lines is None:
        return None
    if source.form == "jsonl":
        return table_of_objects(lines, look_at_all=len(data) < HEAD)
    try:
        shape = delimiter_and_header(lines[:1], source.form, chosen, "")
    except OrdevalError:
        return None
    width = len(shape.columns)
    rows = [line.split(shape.delimiter) for line in lines]
    if width < 2 or any(len(row) != width for row in rows):
        return None
    if b'"' in data and not unquote(rows):
        return None
    return SmallTable(shape.columns, rows[1:])


def table_of_objects(lines: Sequence[str], *, look_at_all: bool) -> SmallTable | None:
    """Return the table in JSON lines: a column for each key, in the order in which they come.

    Unless it may `look_at_all`, the engine does not see which keys come late; then the first object has all.
    """
    if any(ODD_LETTERS.search(line) for line in lines):
        return None
    try:
        objects = [PLAIN_JSON.decode(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    if not all(isinstance(one, dict) for one in objects):
        return None
    columns = tuple(dict.fromkeys(key for one in objects for key in one))
    if not look_at_all and len(columns) > len(objects[0]):
        return None
    rows = [[one.get(key, "") for key in columns] for one in objects]
    if not all(isinstance(field, str) for row in rows for field in row):
        return None
    return SmallTable(columns, rows)


def text_of_float(text: str) -> str:
    """Return a number as it is written; refuse one that the engine would write in another way."""
    if repr(float(text)) != text:
        raise ValueError(text)
    return text


def text_of_integer(text: str) -> str:
    """Return a number as it is written; refuse one that the engine would write in another way."""
    if text == "-0":
        raise ValueError(text)
    return text


def fields_of_object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the values of an object as texts; refuse a key that comes twice."""
    words = {True: "true", False: "false", None: ""}
    fields = {
        key: words[value] if value is None or isinstance(value, bool) else value
        for key, value in pairs
    }
    if len(fields) < len(pairs):
        raise ValueError(pairs)
    return fields


PLAIN_JSON = json.JSONDecoder(
    object_pairs_hook=fields_of_object,
    parse_float=text_of_float,
    parse_int=text_of_integer,
)


def lines_of(data: bytes) -> list[str] | None:
    """Return the lines of a text; None unless all end alike and none is blank, and there are some below the header."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    end = "\r\n" if "\r" in text else "\n"
    if not text.count("\r") == (text.count("\n") if end == "\r\n" else 0) == text.count("\r\n"):
        return None
    lines = text.removesuffix(end).split(end)
    return lines if len(lines) > 1 and all(line.strip() for line in lines) else None


def unquote(rows: list[list[str]]) -> bool:
    """Take off the quotes around fields; False if a quote is anywhere but around a whole field."""
    for row in rows:
        for at, field in enumerate(row):
            if '"' in field:
                inside = field[1:-1]
                if field != f'"{inside}"' or '"' in inside:
                    return False
                row[at] = inside
    return True
