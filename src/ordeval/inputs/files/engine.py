"""A private DuckDB and the files that it reads: every file is streamed, and only distinct joint answers come back.

Text is parsed once into the database, because joins look at it more than once; Parquet is scanned where it lies.
Data that does not fit in memory goes to a temporary folder.
"""

import contextlib
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from ordeval.aliases import Progress
from ordeval.errors import DataError, OrdevalError
from ordeval.inputs.files import sql
from ordeval.inputs.files.excel import write_sheet
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.sniff import (
    Shape,
    decoded,
    delimiter_and_header,
    head_of,
    not_utf8,
    unpack,
)
from ordeval.inputs.patterns import NullableArray
from ordeval.inputs.placing import SHOWN

MEMORY = 1500  # MB; the engine spills beyond: 10 million ids join within it
A_THREAD = 250  # MB that a thread of the engine wants: with half of it a grouping now and then finds no room to spill
LOOK = 0.2  # seconds between two looks at how far the engine has come

Found = TypeVar("Found")

WHY = {
    "MISSING COLUMNS": "too few columns",
    "TOO MANY COLUMNS": "too many columns",
    "UNQUOTED VALUE": "a quote that does not end",
    "LINE SIZE OVER MAXIMUM": "too long",
}


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One source as rows of case, item, label and system, under a name in the database."""

    table: str
    source: Source
    types: dict[str, str]  # of the columns that it has
    # line numbers of rows that could not be read, and why
    bad_lines: Callable[[int], list[tuple[int, str]]]
    rejects: str | None = None

    def has(self, column: str) -> bool:
        """Tell whether the source has a column."""
        return column in self.types


class Database:
    """A private DuckDB that spills to a temporary folder."""

    def __init__(self, folder: str, *, same_line_ends: bool) -> None:
        self.connection = duckdb.connect()
        self.folder = Path(folder)
        # read copies of text files, in which all lines end alike
        self.same_line_ends = same_line_ends
        self.copies: dict[str, str] = {}
        self.made = 0
        self.notes: list[str] = []  # what a reader should know of the files
        self.columns: dict[str, None] = {}  # of all long sources, as they were seen
        for setting in (
            f"memory_limit='{MEMORY}MB'",
            f"threads={min(self.threads(), max(MEMORY // A_THREAD, 1))}",
            f"temp_directory={sql.literal(folder)}",
            "enable_progress_bar=false",
        ):
            self.connection.execute(f"SET {setting}")

    def threads(self) -> int:
        """Return how many threads the engine would start by itself."""
        return int(self.rows("SELECT current_setting('threads')")[0][0])

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        return self.connection.execute(query).fetchall()

    def arrays(self, query: str) -> list[NullableArray]:
        """Run a query and return its columns."""
        return [
            NullableArray.of(array)
            for array in self.connection.execute(query).fetchnumpy().values()
        ]

    def number(self) -> int:
        """Return another number each time, for names in the database."""
        self.made += 1
        return self.made

    def parquet(self, source: Source) -> str:
        """Scan Parquet files; one inside .gz or .zst is unpacked first, because its end is read before the rest."""
        if source.compression == "none":
            return sql.parquet_scan(source.files)
        return sql.parquet_scan([self.unpacked(file, source) for file in source.files])

    def unpacked(self, file: str, source: Source) -> str:
        """Return the name of a file that is not compressed: the file itself, or a copy."""
        if source.compression == "none":
            return file
        self.made += 1
        target = str(self.folder / f"unpacked-{self.made}.{source.form}")
        unpack(file, source.compression, target)
        return target

    def columns_of(self, scan: str) -> list[tuple[str, str]]:
        """Return the names and types of a scan's columns."""
        return [(row[0], row[1]) for row in self.rows(f"DESCRIBE SELECT * FROM {scan}")]

    def lines(self, files: Sequence[str], source: Source, rejects: str) -> str:
        """Scan the lines of text files."""
        return sql.lines_of(*self.readable(files, source), rejects)

    def rows_under(
        self,
        files: Sequence[str],
        source: Source,
        shape: Shape,
        positions: Mapping[str, int],
        rejects: str,
    ) -> str:
        """Select columns of text files that have a header, by their positions."""
        return sql.csv_relation(*self.readable(files, source), shape, positions, rejects)

    def readable(self, files: Sequence[str], source: Source) -> tuple[list[str], str]:
        """Return what the engine reads for text files, and how that is compressed."""
        if not self.same_line_ends and source.form != "xlsx":
            return list(files), source.compression
        for file in files:
            if file not in self.copies:
                copy = str(self.folder / f"copy-{len(self.copies)}")
                if source.form == "xlsx":
                    self.notes += write_sheet(self.unpacked(file, source), copy, repr(file))
                else:
                    unpack(file, source.compression, copy, lines=True)
                self.copies[file] = copy
        return [self.copies[file] for file in files], "none"

    def shapes(
        self, source: Source, chosen: Mapping[str, str | None]
    ) -> Iterator[tuple[list[str], Shape]]:
        """Return runs of files of the same shape, in order."""
        group: list[str] = []
        last: Shape | None = None
        for file in source.files:
            shape = self.shape(file, source, chosen)
            if last is not None and shape != last:
                yield group, last
                group = []
            group.append(file)
            last = shape
        if last is not None:
            yield group, last

    def shape(self, file: str, source: Source, chosen: Mapping[str, str | None]) -> Shape:
        """Return the shape of one text file, from its first lines."""
        lines = self.first_lines(file, source)
        if source.form == "jsonl":
            return Shape("", self.json_keys(lines, file))
        return delimiter_and_header(
            lines, source.form, [name for name in chosen.values() if name], repr(file)
        )

    def first_lines(self, file: str, source: Source) -> list[str]:
        """Return the first lines of a text file, blank ones among them."""
        files, compression = self.readable([file], source)
        if compression == "zstd":
            scan = self.lines([file], source, "rejects_head")
            text = "\n".join(
                line or "" for (line,) in self.rows(f"SELECT line FROM {scan} LIMIT 200")
            )
        else:
            text = decoded(head_of(files[0], compression), file)
        if not text.strip():
            raise DataError(f"{file!r} is empty: it has no rows.")
        return re.split("\r\n|\n|\r", text)  # and at no other letter: a text may hold those

    def json_keys(self, lines: Sequence[str], file: str) -> tuple[str, ...]:
        """Return the keys of the objects in the first lines of a JSONL file."""
        if next(line for line in lines if line.strip()).lstrip().startswith("["):
            raise DataError(
                f"{file!r} is a JSON array; JSON lines are read, one object on each line. Write it so."
            )
        import json

        keys: dict[str, None] = {}
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                parsed = json.loads(line)
                keys.update(dict.fromkeys(parsed if isinstance(parsed, dict) else ()))
        if not keys:
            raise DataError(
                f"{file!r} holds no JSON object in its first lines; JSON lines have one object on each line."
            )
        return tuple(keys)

    def describe(
        self,
        table: str,
        source: Source,
        bad_lines: Callable[[int], list[tuple[int, str]]],
        rejects: str | None,
    ) -> SourceTable:
        """Return what is known of a table of the database."""
        return SourceTable(table, source, dict(self.columns_of(table)), bad_lines, rejects)

    def rejected(self, relation: SourceTable) -> tuple[int, list[tuple[int, str]]]:
        """Return how many lines of a text source did not fit, and the first few with the reason."""
        if relation.rejects is None or not self.rows(
            f"SELECT 1 FROM duckdb_tables() WHERE table_name = {sql.literal(relation.rejects + '_errors')}"
        ):
            return 0, []
        errors, scans = f"{relation.rejects}_errors", f"{relation.rejects}_scans"
        rejected = self.rows(
            f"SELECT file_path, line, min(error_type::VARCHAR), bool_or(contains(csv_line, chr(10))) FROM {errors} "
            f"JOIN {scans} USING (scan_id, file_id) GROUP BY ALL ORDER BY ALL"
        )
        originals = {copy: file for file, copy in self.copies.items()}
        for path, line, kind, swallowed in rejected:
            file = originals.get(path, path)
            if kind == "INVALID ENCODING":
                raise not_utf8(file, line)
            if kind == "UNQUOTED VALUE" and swallowed:
                raise DataError(
                    f"a quote that begins at line {line} of {file!r} does not end. Close it or double it."
                )
        return len(rejected), [
            (line, WHY.get(kind, kind.lower())) for _, line, kind, _ in rejected[:SHOWN]
        ]


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


@contextlib.contextmanager
def opened(*, same_line_ends: bool) -> Iterator[Database]:
    """Open a private DuckDB in a temporary folder; close it after."""
    with tempfile.TemporaryDirectory(prefix="ordeval-", ignore_cleanup_errors=True) as folder:
        database = Database(folder, same_line_ends=same_line_ends)
        try:
            yield database
        finally:
            database.connection.close()


@contextlib.contextmanager
def watched(database: Database, progress: Progress) -> Iterator[None]:
    """Report how far the engine has come, a few times a second."""
    if progress is None:
        yield
        return
    for setting in (
        "enable_progress_bar=true",
        "enable_progress_bar_print=false",
        "progress_bar_time=0",
    ):
        database.connection.execute(f"SET {setting}")
    done = threading.Event()

    def look() -> None:
        while not done.wait(LOOK):
            share = database.connection.query_progress()
            if share >= 0:
                progress(int(share), 100)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


@contextlib.contextmanager
def speaking_of(source: Source) -> Iterator[None]:
    """Let what the engine says of a file that it cannot read be an error that names the file."""
    try:
        yield
    except duckdb.Error as error:
        if mixed_line_ends(error) or isinstance(
            error, duckdb.OutOfMemoryException | duckdb.InterruptException
        ):
            raise
        raise DataError(f"{source.spec!r} cannot be read: {first_sentence(error)}") from None


def mixed_line_ends(error: Exception) -> bool:
    """Tell whether the engine stumbled over lines that end in several ways: it then advises another mode."""
    return isinstance(error, duckdb.InvalidInputException) and "strict_mode" in str(error)


def reading(work: Callable[[Database], Found], progress: Progress = None) -> Found:
    """Do the work in a database; if a text file has mixed line ends, do it again on copies that have one kind."""
    try:
        try:
            with opened(same_line_ends=False) as database, watched(database, progress):
                return work(database)
        except duckdb.InvalidInputException as error:
            if not mixed_line_ends(error):
                raise
        with opened(same_line_ends=True) as database, watched(database, progress):
            return work(database)
    except OrdevalError:
        raise
    except duckdb.OutOfMemoryException:
        raise DataError(
            "the files do not fit into memory and the temporary folder; make room in that folder."
        ) from None
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None  # DuckDB turns it into an error of its own
    except duckdb.Error as error:
        raise DataError(f"the files cannot be read: {first_sentence(error)}") from None


def first_sentence(error: Exception) -> str:
    """Return the first line of an engine's message."""
    return str(error).strip().partition("\n")[0].rstrip(".") + "."
