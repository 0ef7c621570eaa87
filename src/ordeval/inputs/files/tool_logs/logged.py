"""What the readers of all tools give back: marks one by one, and what a reader of the result should know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ordeval.errors import DataError
from ordeval.formats.numbers import counted


class LoggedMark(NamedTuple):
    """One mark: `metric` is the scorer, judge or measure that gave it, `model` the model whose run was logged."""

    item: Any
    metric: str
    model: str
    repeat: int | None
    label: Any  # None if the tool says that there is no mark


@dataclass(frozen=True, slots=True)
class ToolLog:
    """The marks of one file that a tool wrote."""

    tool: str
    file: str
    marks: Sequence[LoggedMark]
    notes: tuple[str, ...] = ()
    task: str = ""  # items of one name are the same within a task alone
    documents: Mapping[Any, str] = field(
        default_factory=dict
    )  # what tells the items of other tasks apart
    one_metric: bool = (
        False  # every measure of the tool is a column, and one of them holds the marks
    )


def wrong_log(file: str, tool: str, what: str) -> DataError:
    """Return the error for a file of a tool that is not as the tool writes it."""
    return DataError(
        f"{file!r} looks like a file of {tool}, but {what}. Let the tool write it again, or export the marks as CSV."
    )


def without_mark(file: str, without: int, total: int, failed: int, noun: str) -> tuple[str, ...]:
    """Say how many samples of a file have no mark; `failed` of them ended with an error."""
    if not without:
        return ()
    because = f" ({failed} ended with an error)" if failed else ""
    have = "has" if without == 1 else "have"
    return (
        f"{without} of {counted(total, noun)} in {file!r} {have} no score{because}, and so no mark.",
    )


def unknown_version(file: str, tool: str, version: Any, known: Sequence[int]) -> tuple[str, ...]:
    """Say that a file is of a version that this reader was not written for."""
    if version in known:
        return ()
    note = (
        f"{file!r} is of version {version!r:.20} of the format of {tool}; version {known[-1]} is known. Check that the "
        f"marks are right."
    )
    return (note,)
