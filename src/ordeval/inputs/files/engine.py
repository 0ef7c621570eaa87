"""A private DuckDB and the files that it reads: every file is streamed, and only distinct joint answers come back.

Text is parsed once into the database, because joins look at it more than once; Parquet is scanned where it lies.
Data that does not fit in memory goes to a temporary folder.
"""

import contextlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from ordeval.aliases import Progress
from ordeval.arguments import check_progress
from ordeval.errors import DataError, OrdevalError
from ordeval.inputs.files import sql
from ordeval.inputs.files.excel import write_sheet
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.memory import ADDRESSES, MOST, check_addresses, engine_memory
from ordeval.inputs.files.opening import OpenedFiles
from ordeval.inputs.files.plain_files import NO_ROOM, full_name
from ordeval.inputs.files.sniff import Shape, ends_lines_in_several_ways, not_utf8, unpack
from ordeval.inputs.patterns import NullableArray
from ordeval.inputs.placing import SHOWN
from ordeval.threads import cores

MEMORY = MOST  # MB that the engine takes where the machine has them
A_THREAD = 250  # MB that a thread of the engine wants: with half of it a grouping now and then finds no room to spill
LOOK = 0.2  # seconds between two looks at how far the engine has come

ANOTHER_FOLDER = "Make room in it, or choose another folder with the environment variable TMPDIR."

Found = TypeVar("Found")

RUNNING: list[duckdb.DuckDBPyConnection] = []

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


class MixedLineEndsError(Exception):
    """Lines did not fit because they end in several ways; `reading` begins again with copies in which they do not."""


class Database:
    """A private DuckDB: it reads the files that were opened, spills to a temporary folder, and touches nothing else.

    It starts with the first query: headers of text files are read without it, and often they are all that is wanted.
    """

    def __init__(
        self,
        folder: str,
        files: OpenedFiles | None = None,
        *,
        same_line_ends: bool = False,
        shows_progress: bool = False,
    ) -> None:
        self.started: duckdb.DuckDBPyConnection | None = None
        self.shows_progress = shows_progress
        self.folder = Path(full_name(folder))
        self.files = OpenedFiles(()) if files is None else files
        # read copies of text files, in which all lines end alike
        self.same_line_ends = same_line_ends
        self.copies: dict[str, str] = {}  # of text files, by their names
        self.unpacked_from: dict[str, str] = {}  # files, by the names of what was in them
        self.made = 0
        self.notes: list[str] = []  # what a reader should know of the files
        self.described: list[SourceTable] = []
        self.columns: dict[str, None] = {}  # of all long sources, as they were seen

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection to the engine, which is started if it was not yet needed."""
        if self.started is None:
            self.started = self.start()
            RUNNING.append(self.started)
        return self.started

    def start(self) -> duckdb.DuckDBPyConnection:
        """Start the engine, and lock its settings."""
        # One thread at first: each that it starts reserves memory.
        connection = duckdb.connect(config={"threads": 1})
        memory = engine_memory(MEMORY)
        own = sql.literals([str(self.folder)])
        # A notebook without ipywidgets has no bar, and refuses all of this.
        with contextlib.suppress(duckdb.InvalidInputException):
            connection.execute(f"SET enable_progress_bar = {str(self.shows_progress).lower()}")
            if self.shows_progress:
                connection.execute(
                    "SET enable_progress_bar_print = false; SET progress_bar_time = 0"
                )
        for setting in (
            f"memory_limit='{memory}MB'",
            f"threads={min(cores(), max(memory // A_THREAD, 1))}",
            f"temp_directory={sql.literal(str(self.folder))}",
            # Nothing is fetched, loaded or read but what the caller named; and nothing in a file can change that.
            "autoinstall_known_extensions=false",
            "autoload_known_extensions=false",
            "allow_community_extensions=false",
            f"allowed_paths={sql.literals(sql.both_spellings(self.files.names))}",
            f"allowed_directories={own}",
            "enable_external_access=false",
            "lock_configuration=true",
        ):
            connection.execute(f"SET {setting}")
        return connection

    def close(self) -> None:
        """Leave the engine, if it was started."""
        if self.started is not None:
            if self.started in RUNNING:
                RUNNING.remove(self.started)
            self.started.close()

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

    def unpacked(self, file: str, source: Source) -> str:
        """Return the name of a file that is not compressed: the file itself, or a copy."""
        if source.compression == "none":
            return file
        self.made += 1
        target = str(self.folder / f"unpacked-{self.made}.{source.form}")
        unpack(file, source.compression, target)
        self.unpacked_from[target] = file
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

    def describe(
        self,
        table: str,
        source: Source,
        bad_lines: Callable[[int], list[tuple[int, str]]],
        rejects: str | None,
    ) -> SourceTable:
        """Return what is known of a table of the database."""
        types = dict(self.columns_of(table))
        self.described.append(SourceTable(table, source, types, bad_lines, rejects))
        return self.described[-1]

    def rejected(self, relation: SourceTable) -> tuple[int, list[tuple[int, str]]]:
        """Return how many lines of a text source did not fit, and the first few with the reason."""
        if relation.rejects is None:
            return 0, []
        errors, scans = f"{relation.rejects}_errors", f"{relation.rejects}_scans"
        try:
            if not self.rows(f"SELECT 1 FROM {errors} LIMIT 1"):  # much cheaper than the join
                return 0, []
            rejected = self.rows(
                f"SELECT file_path, line, min(error_type::VARCHAR), bool_or(contains(csv_line, chr(10))) FROM {errors} "
                f"JOIN {scans} USING (scan_id, file_id) GROUP BY ALL ORDER BY ALL"
            )
        except duckdb.CatalogException:  # nothing was scanned yet
            return 0, []
        if not self.same_line_ends:
            own = {path for path, *_ in rejected} - {*self.copies.values()}
            if any(ends_lines_in_several_ways(path, relation.source.compression) for path in own):
                raise MixedLineEndsError
        for path, line, kind, swallowed in rejected:
            file = self.original_names.get(path, path)
            if kind == "INVALID ENCODING":
                raise not_utf8(file, line)
            if kind == "UNQUOTED VALUE" and swallowed:
                raise DataError(
                    f"a quote that begins at line {line} of {file!r} does not end. Close it or double it."
                )
        return len(rejected), [
            (line, WHY.get(kind, kind.lower())) for _, line, kind, _ in rejected[:SHOWN]
        ]

    @property
    def original_names(self) -> dict[str, str]:
        """The names of files as the caller wrote them, by the names that the engine reads."""
        copied = {copy: file for file, copy in self.copies.items()}
        return {**self.files.names, **copied, **self.unpacked_from}

    @contextlib.contextmanager
    def speaking_of(self, source: Source) -> Iterator[None]:
        """Let what goes wrong with a file be an error that names the file, and says if it is not whole."""
        try:
            yield
        except duckdb.Error as error:
            if mixed_line_ends(error) or other_than_files(error):
                raise
            fault = self.files.fault([source])
            raise fault or DataError(
                f"{source.spec!r} cannot be read: {self.sentence(error)}"
            ) from None
        except OrdevalError:
            fault = self.files.fault([source])
            if fault is None:
                raise
            raise fault from None

    def blamed(self, error: Exception) -> str:
        """Name the file that an error of the engine is about, if it tells or there is only one."""
        named = {name for path, name in self.original_names.items() if path in str(error)}
        for source in self.files.sources:
            if len(self.files.names) == 1 or named.intersection(source.files):
                return repr(source.spec)
        # The engine does not always tell: ask it for all rows of one after another.
        for relation in self.described:
            try:
                self.rows(f"SELECT max(hash(t)) FROM {relation.table} t")
            except duckdb.Error:
                return repr(relation.source.spec)
        return "the files"

    def sentence(self, error: Exception) -> str:
        """Return the first line of an engine's message, with the files as the caller named them."""
        text = str(error)
        for path, name in self.original_names.items():
            for spelled in sql.both_spellings([path]):
                text = text.replace(spelled, repr(name)[1:-1])
        return text.strip().partition("\n")[0].rstrip(".") + "."


@contextlib.contextmanager
def opened(
    files: OpenedFiles, progress: Progress = None, *, same_line_ends: bool
) -> Iterator[Database]:
    """Open a private DuckDB in a temporary folder; close it after. What goes wrong in it is an error of ours."""
    check_addresses(ADDRESSES, "read files", "the engine")
    try:
        folder = tempfile.TemporaryDirectory(prefix="ordeval-", ignore_cleanup_errors=True)
    except OSError as error:
        raise DataError(
            f"no temporary folder can be made: {error.strerror or error}. {ANOTHER_FOLDER}"
        ) from None
    with folder:
        database = Database(
            folder.name,
            files,
            same_line_ends=same_line_ends,
            shows_progress=progress is not None,
        )
        try:
            with watched(database, progress):
                yield database
        except (duckdb.Error, OSError) as error:
            if mixed_line_ends(error) and not same_line_ends:
                raise
            raise in_our_words(error, database) from None
        finally:
            database.close()


def interrupt() -> None:
    """Let the engine leave what it is doing, for the handler of a signal.

    To what the handler raises the engine answers only when its threads are done with their tasks, which may take long.
    """
    for connection in tuple(RUNNING):  # another thread may change it
        connection.interrupt()


@contextlib.contextmanager
def watched(database: Database, progress: Progress) -> Iterator[None]:
    """Report how far the engine has come, a few times a second."""
    if progress is None:
        yield
        return
    done = threading.Event()

    def look() -> None:
        while not done.wait(LOOK):
            share = -1.0 if database.started is None else database.started.query_progress()
            if share >= 0:
                progress(int(share), 100)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def mixed_line_ends(error: Exception) -> bool:
    """Tell whether the engine stumbled over lines that end in several ways: it then advises another mode."""
    return isinstance(error, duckdb.InvalidInputException) and "strict_mode" in str(error)


def no_room(error: Exception) -> bool:
    """Tell whether something could not be written: only the temporary folder is ever written to."""
    if isinstance(error, OSError) and not isinstance(error, duckdb.Error):
        return error.errno in NO_ROOM
    return isinstance(error, duckdb.Error) and any(
        os.strerror(number) in str(error) for number in NO_ROOM
    )


def other_than_files(error: Exception) -> bool:
    """Tell whether an error of the engine is not about what the files hold."""
    stopped = duckdb.OutOfMemoryException | duckdb.InterruptException
    return no_room(error) or isinstance(error, stopped)


def in_our_words(error: Exception, database: Database) -> BaseException:
    """Return the error of ours for one of the engine or of the system."""
    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()
    if no_room(error):
        return DataError(
            f"the temporary folder {tempfile.gettempdir()!r} is full. {ANOTHER_FOLDER}"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return DataError(
            f"the files do not fit into memory and the temporary folder {tempfile.gettempdir()!r}. {ANOTHER_FOLDER}"
        )
    return DataError(f"{database.blamed(error)} cannot be read: {database.sentence(error)}")


def reading(
    work: Callable[[Database], Found],
    progress: Progress = None,
    *,
    sources: Sequence[Source] = (),
    without_engine: Callable[[], Found | None] = lambda: None,
) -> Found:
    """Do the work in a database; if a text file has mixed line ends, do it again on copies that have one kind.

    If a file turns out not to be whole, or to have changed in the meantime, that is an error, whatever was found.
    `without_engine` may find the same faster, or None.
    """
    check_progress(progress)
    files = OpenedFiles(sources)

    def in_database() -> Found:
        found = without_engine()
        if found is not None:
            return found
        try:
            with opened(files, progress, same_line_ends=False) as database:
                return work(database)
        except (duckdb.InvalidInputException, MixedLineEndsError):  # the former means just that
            with opened(files, progress, same_line_ends=True) as database:
                return work(database)

    try:
        return files.reading(in_database)
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None  # DuckDB turns it into an error of its own
