"""The shape of a text file, seen from its first bytes, and the reasons why lines cannot be read."""

import csv
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ordeval.errors import DataError, argument, quoted
from ordeval.inputs.files.plain_files import NO_ROOM
from ordeval.inputs.roles import USUAL_NAMES

HEAD = 1 << 16  # bytes that tell a text file's shape, if they hold a whole line
PIECE = 1 << 20  # bytes that are copied at a time
LONGEST = 10_000_000  # bytes of a line
DELIMITERS = (",", "\t", ";", "|")
LINE_END = re.compile(rb"\r\n|\n|\r")
EVALL = 3  # columns of the format of the EvALL service: test case, id, value


def head_of(file: str, compression: str) -> bytes:
    """Return the first bytes of a file, up to the end of a line."""
    try:
        with gzip.open(file) if compression == "gzip" else Path(file).open("rb") as stream:
            return stream.read(HEAD) + stream.readline(LONGEST)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"cannot read {file!r}: {error}.") from None


def unpack(file: str, compression: str, target: str, *, lines: bool = False) -> None:
    """Copy a file that may be compressed, a piece at a time; `lines`: each of them ends in a line feed then."""
    from shutil import copyfileobj

    try:
        if compression == "zstd":
            from importlib import import_module

            packed = import_module("compression.zstd").open(file)
        else:
            packed = gzip.open(file) if compression == "gzip" else Path(file).open("rb")  # noqa: SIM115 - closed below
        with packed as stream, Path(target).open("wb") as unpacked:
            if lines:
                copy_lines(stream, unpacked)
            else:
                copyfileobj(stream, unpacked, PIECE)
    except ImportError:
        what = "text whose lines end in several ways" if lines else "Parquet"
        raise DataError(
            f"{file!r} is {what} inside zstd, which Python reads from 3.14 on. Unpack it: unzstd {file}."
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise  # the fault of the folder that the copy is in
        raise DataError(f"cannot read {file!r}: {error}.") from None


def ends_lines_in_several_ways(file: str, compression: str) -> bool:
    """Tell whether a text file has more than one kind of line end; no if Python cannot unpack it."""
    if compression == "zstd":
        return False
    kinds: set[bytes] = set()
    held = b""
    with gzip.open(file) if compression == "gzip" else Path(file).open("rb") as stream:
        while len(kinds) < 2 and (piece := stream.read(PIECE)):
            piece, held = held + piece, b""
            if piece.endswith(b"\r"):
                piece, held = piece[:-1], b"\r"  # a line feed may follow it
            kinds |= set(LINE_END.findall(piece))
    return len(kinds | set(LINE_END.findall(held))) > 1


def copy_lines(stream: BinaryIO, target: BinaryIO) -> None:
    """Copy text, with a line feed for every end of a line."""
    held = b""  # a carriage return at the end of a piece: a line feed may follow it
    while piece := stream.read(PIECE):
        piece, held = held + piece, b""
        if piece.endswith(b"\r"):
            piece, held = piece[:-1], b"\r"
        target.write(piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    target.write(held.replace(b"\r", b"\n"))


def decoded(head: bytes, file: str) -> str:
    """Decode the first bytes of a text file."""
    if b"\0" in head:
        raise DataError(
            f"{file!r} is not a text file: it holds zero bytes. CSV, TSV, JSONL, Parquet and .xlsx are read, by "
            f"their endings."
        )
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start >= len(head) - 4 and len(head) >= LONGEST:  # cut inside a letter
            return head[: error.start].decode("utf-8-sig")
        raise not_utf8(file, head.count(b"\n", 0, error.start) + 1) from None


def not_utf8(file: str, line: int) -> DataError:
    """Return the error for a text file in another encoding."""
    return DataError(
        f"{file!r} is not UTF-8 text (line {line}); convert it, as with: iconv -f latin1 -t utf-8 {Path(file).name}."
    )


def why_unread(line: str, *, json: bool) -> str:
    """Say why a line could not be read."""
    if json:
        return "no JSON object with an item"
    fields = line.split("\t")
    if len(fields) != 3:
        return f"{len(fields)} {'column' if len(fields) == 1 else 'columns'}, not 3"
    names = zip(("test case", "item", "label"), fields, strict=True)
    absent = next((what for what, text in names if not text.strip('" ')), None)
    return f"no {absent}" if absent else f"label {fields[2].strip(chr(34))!r:.40}"


def row_count(number: int) -> str:
    """Write a number of rows."""
    return "1 row" if number == 1 else f"{number} rows"


def line_list(lines: Sequence[tuple[int, str]]) -> str:
    """List lines that could not be read, with the reasons."""
    return ", ".join(f"line {line} ({why})" for line, why in lines)


class NoUsualNamesError(DataError):
    """None of the columns has a name that a header is known by."""

    def __init__(self, told: str, columns: Sequence[str] = (), where: str = "") -> None:
        super().__init__(told)
        self.columns, self.where = list(columns), where


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text file is laid out: its delimiter and the names in its header; none in EvALL's format."""

    delimiter: str
    columns: tuple[str, ...]
    blank: int = 0  # lines before the header

    @property
    def headerless(self) -> bool:
        """Whether the file is in EvALL's format."""
        return not self.columns


def delimiter_and_header(
    lines: Sequence[str], form: str, chosen: Sequence[str], where: str
) -> Shape:
    """Return the delimiter and the header of a text file; `chosen` are the columns that the caller named."""
    blank, first = next((at, line) for at, line in enumerate(lines) if line.strip())
    delimiter = delimiter_of(first, form)
    columns = tuple(name.strip() for name in fields_of(first, delimiter))
    names = {name.lower() for name in columns}
    if names & (USUAL_NAMES | {name.lower() for name in chosen}):
        return Shape(delimiter, columns, blank)
    widths = Counter(line.count("\t") + 1 for line in lines if line.strip())
    if form != "csv" and widths.most_common(1)[0][0] == EVALL:
        return Shape("\t", ())
    raise NoUsualNamesError(
        f"{where} has the columns {quoted(columns, 10)}, none of which has a usual name; name them with "
        f"{argument('case')}, {argument('item')} and {argument('label')}. If there is a column for each rater, "
        f"name these: {argument('raters', ...)}.",
        columns,
        where,
    )


def delimiter_of(header: str, form: str) -> str:
    """Return what splits the columns: the usual mark of the format if the header has it, else the most frequent one."""
    usual = {"csv": ",", "tsv": "\t", "xlsx": ","}.get(form)
    if usual and usual in header:
        return usual
    most = max(DELIMITERS, key=header.count)
    return most if most in header else usual or ","


def fields_of(line: str, delimiter: str) -> list[str]:
    """Split one line of a text file."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)
