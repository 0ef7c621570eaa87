"""The columns of files, each file by its own: those of text by its first lines, those of Parquet by its schema."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ordeval.errors import DataError
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.sniff import HEAD, Shape, decoded, delimiter_and_header, head_of
from ordeval.inputs.roles import USUAL_NAMES
from ordeval.inputs.unused_counts import COUNTS


def text_shapes(
    database: Database, source: Source, chosen: Mapping[str, str | None]
) -> Iterator[tuple[list[str], Shape]]:
    """Return runs of text files of the same shape, in order; `chosen` are the columns that the caller named."""
    group: list[str] = []
    last: Shape | None = None
    for file in source.files:
        shape = shape_of(database, file, source, [name for name in chosen.values() if name])
        if last is not None and shape != last:
            yield group, last
            group = []
        group.append(file)
        last = shape
    if last is not None:
        yield group, last


def shape_of(database: Database, file: str, source: Source, chosen: Sequence[str]) -> Shape:
    """Return the shape of one text file."""
    lines = first_lines(database, file, source)
    if source.form != "jsonl":
        return delimiter_and_header(lines, source.form, chosen, repr(file))
    keys, read_all = first_keys(lines, file)
    if read_all and len("\n".join(lines).encode()) < HEAD - len(codecs.BOM_UTF8):
        return Shape("", tuple(keys))
    # Columns may appear late: the engine looks through the whole file for those that can play a role.
    names = {name.lower() for name in (*USUAL_NAMES, *COUNTS, *chosen)}
    found = database.rows(sql.keys_among(database.lines([file], source, "rejects_keys"), names))
    return Shape("", tuple(keys | dict.fromkeys(sorted(key for (key,) in found))))


def first_lines(database: Database, file: str, source: Source) -> list[str]:
    """Return the first lines of a text file, blank ones among them: the same ones however it is packed."""
    files, compression = database.readable([file], source)
    if compression == "zstd":
        lines = database.lines([file], source, "rejects_head")
        text = "\n".join(line or "" for (line,) in database.rows(sql.head_of_lines(lines, HEAD)))
    else:
        text = decoded(head_of(files[0], compression), file)
    if not text.strip():
        raise DataError(f"{file!r} is empty: it has no rows.")
    return re.split("\r\n|\n|\r", text)  # and at no other letter: a text may hold those


def first_keys(lines: Sequence[str], file: str) -> tuple[dict[str, None], bool]:
    """Return the keys of the objects in the first lines of a JSONL file, and whether all of the lines were read."""
    if next(line for line in lines if line.strip()).lstrip().startswith("["):
        raise DataError(
            f"{file!r} is a JSON array; JSON lines are read, one object on each line. Write it as JSON lines."
        )
    keys: dict[str, None] = {}
    read_all = True
    for line in filter(str.strip, lines):
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError):
            read_all = False
        else:
            keys.update(dict.fromkeys(parsed if isinstance(parsed, dict) else ()))
    if not keys:
        raise DataError(
            f"{file!r} holds no JSON object in its first lines; JSON lines have one object on each line."
        )
    return keys, read_all


@dataclass(frozen=True, slots=True)
class TypedShape:
    """Parquet files with the same columns: what scans them, and each column as it is named and as the engine has it."""

    scan: str
    names: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]  # name in the engine, type


def typed_shapes(database: Database, source: Source) -> list[TypedShape]:
    """Return runs of Parquet files of the same shape; what is inside .gz or .zst is unpacked, for its end comes first.

    The engine gives another name to a column whose name differs from an earlier one only by case, or not at all.
    """
    groups: list[tuple[object, tuple[str, ...], list[str]]] = []
    for file in source.files:
        readable = database.unpacked(file, source)
        schema = database.rows(sql.parquet_schema(readable))
        if not groups or groups[-1][0] != schema:
            groups.append((schema, top_names(schema), []))
        groups[-1][2].append(readable)
    shapes = []
    for _, names, files in groups:
        scan = sql.parquet_scan(files)
        columns = tuple(database.columns_of(scan))
        shapes.append(TypedShape(scan, names, columns))
    return shapes


def top_names(schema: Sequence[tuple[object, ...]]) -> tuple[str, ...]:
    """Return the names of the columns, from the rows of a schema: each element before those that are inside it."""
    names, inside = [], 0  # `inside`: elements still to come that are parts of a column
    for name, children, *_ in schema[1:]:  # the first row is the table
        if inside:
            inside -= 1
        else:
            names.append(str(name))
        inside += children if isinstance(children, int) else 0
    return tuple(names)


def check_label_type(column: str, kind: str, source: Source) -> None:
    """Refuse labels that are not numbers, text or booleans."""
    if not (
        kind in sql.INTEGERS | sql.FLOATS | {"VARCHAR", "BOOLEAN", '"NULL"'}
        or kind.startswith(("DECIMAL", "ENUM"))
    ):
        raise DataError(
            f"column {column!r} of {source.spec!r} has the type {kind}; labels are numbers, text or booleans. "
            f"Convert it."
        )
