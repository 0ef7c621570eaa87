"""The files that are read, as they are before and after: every file passes here before the engine reads it.

It is an error if a file is not a plain file, is damaged or incomplete, or changes or disappears while it is read.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ordeval.errors import DataError, OrdevalError
from ordeval.inputs.files.archives import fault_of
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.plain_files import FileState, full_name, state_of

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Found = TypeVar("Found")


class OpenedFiles:
    """The files of some sources while they are read; packed ones are checked beside the work, in another thread."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = list(sources)
        self.names: dict[str, str] = {}  # as the caller wrote them, by their full names
        self.states: dict[str, FileState] = {}
        self.faults: dict[str, Future[str]] = {}
        self.told: set[str] = set()  # files that somebody knows to be at fault, and may leave out
        self.given_up = threading.Event()
        try:
            for source in self.sources:
                for file in source.files:
                    self.open(file, source)
        except OrdevalError:
            self.close()
            raise

    @cached_property
    def checker(self) -> "ThreadPoolExecutor":
        """The thread that checks packed files; files that are not packed need none."""
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(max_workers=1)

    def open(self, file: str, source: Source) -> None:
        """Remember what a file is like, and begin to check that it is whole."""
        try:
            self.states[file] = state_of(file)
        except OSError as error:
            raise unreadable(file, str(error.strerror)) from None
        self.names[full_name(file)] = file
        if file not in self.faults and (source.compression != "none" or source.form == "parquet"):
            self.faults[file] = self.checker.submit(
                fault_of, file, source.form, source.compression, self.given_up.is_set
            )

    def check(self, source: Source) -> None:
        """Refuse a source that is not whole."""
        fault = self.fault([source])
        if fault is not None:
            raise fault

    def fault(self, sources: Sequence[Source] | None = None) -> DataError | None:
        """Return the error for the first file that is not whole or not what it was, among those of some sources.

        Of all sources, if none are given; but no file is told of twice then.
        """
        for source in self.sources if sources is None else sources:
            for file in source.files:
                why = "" if sources is None and file in self.told else self.fault_in(file)
                if why:
                    self.told.add(file)
                    return unreadable(file, why)
        return None

    def fault_in(self, file: str) -> str:
        """Say what is wrong with a file, or nothing."""
        if file not in self.states:
            return ""
        try:
            if state_of(file) != self.states[file]:
                return "it changed while it was read. Wait until it is written, and try again"
            why = self.faults[file].result() if file in self.faults else ""
        except OSError as error:
            return f"{error.strerror}"
        return f"it {why}. Fetch or write it again" if why else ""

    def close(self) -> None:
        """Leave the files; checks that are under way are given up."""
        self.given_up.set()
        if self.faults:
            self.checker.shutdown(cancel_futures=True)

    def reading(self, work: Callable[[], Found]) -> Found:
        """Do the work that reads the files; if they were not whole, that is the error, whatever the work said."""
        try:
            found = work()
        except (OrdevalError, OSError):
            fault = self.fault()
            if fault is None:
                raise
            raise fault from None
        else:
            fault = self.fault()
            if fault is not None:
                raise fault
            return found
        finally:
            self.close()


def unreadable(file: str, why: str) -> DataError:
    """Return the error for a file that cannot be read."""
    return DataError(f"cannot read {file!r}: {why}.")
