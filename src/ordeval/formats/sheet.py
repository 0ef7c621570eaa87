"""A table of results as data: columns that say what they hold, and cells with raw values.

Results describe themselves as sheets; the writers (`terminal`, `markdown`, `latex`, `html`, `csv`) turn them into text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from ordeval.formats import numbers
from ordeval.formats.names import clean
from ordeval.letters import one_line

PEOPLE = frozenset({"text", "markdown", "latex", "html"})  # forms that are read by people
CSV = frozenset({"csv"})
STAR = "*"
HEADING = 11  # letters in one line of a heading that is a name
LINE_OF_WORDS = 9  # and of one that is words
WIDE_HEADING = 14  # and of any heading on a page


class Kind(StrEnum):
    """What a column holds, which decides how its values are written and aligned."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    SHARE = "share"
    P_VALUE = "p value"


@dataclass(frozen=True, slots=True)
class Column:
    """The name of a column and the meaning of its values."""

    name: str
    kind: Kind = Kind.TEXT
    greater_is_better: bool | None = None  # an arrow tells the direction
    digits: int = 3
    sign: bool = False  # a plus before positive numbers
    interval: bool = False  # the cells have ends
    prose: bool = False  # sentences, which narrow pages break into lines
    key: str = ""  # the name for programs, where it is not the name for people
    forms: frozenset[str] | None = None  # the forms that show it; None: all
    spare: bool = False  # a narrow screen hides it before all others
    meaning: str = ""  # a sentence, said below a table that shows the column

    @property
    def numeric(self) -> bool:
        """Whether the cells are aligned on the right."""
        return self.kind is not Kind.TEXT

    @property
    def arrow(self) -> str:
        """An arrow in the direction that is better, or nothing."""
        return {True: "↑", False: "↓", None: ""}[self.greater_is_better]

    @property
    def heading(self) -> str:
        """The name and the arrow on one line."""
        return f"{self.name} {self.arrow}".strip()


@dataclass(frozen=True, slots=True)
class Cell:
    """A raw value, the ends of its interval, and how it stands out."""

    value: Any = ""
    low: float | None = None
    high: float | None = None
    best: bool = False
    note: str = ""  # why the value or its interval is missing: becomes a footnote
    above: str = ""  # a superscript, in forms that have them
    star: bool = False  # marked by an asterisk, whose meaning the sheet tells
    leading: bool = False  # green on a terminal that has colour


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns, rows of cells, and what is said above and below them."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: Sequence[str] = field(default=())
    title: str = ""
    floating: bool = False  # in LaTeX, a float with its caption; else a bare tabular
    lead: Sequence[str] = ()  # the answer in a sentence or two, which people read before the table
    star: str = ""  # what an asterisk means
    faint: frozenset[int] = frozenset()  # the places of rows that are there for reference alone
    least: int = 2  # columns that stay on the narrowest screen

    @property
    def sentences(self) -> list[str]:
        """What is said below the table: what its columns mean, and the caption."""
        return [*(column.meaning for column in self.columns if column.meaning), *self.caption]

    def seen_in(self, form: str) -> "Sheet":
        """Return the sheet with the columns that a form shows, and with texts that are safe to show."""
        kept = [at for at, c in enumerate(self.columns) if c.forms is None or form in c.forms]
        columns = [self.columns[at] for at in kept]
        rows = [[row[at] for at in kept] for row in self.rows]
        if form in CSV:
            return replace(self, columns=columns, rows=rows)
        return replace(
            self,
            columns=[
                replace(column, name=one_line(column.name), meaning=one_line(column.meaning))
                for column in columns
            ],
            rows=[[safe(cell, c) for cell, c in zip(row, columns, strict=True)] for row in rows],
            caption=[one_line(text) for text in self.caption],
            title=one_line(self.title),
            lead=[one_line(text) for text in self.lead],
            star=one_line(self.star),
        )

    def without_intervals(self, *names: str) -> "Sheet":
        """Return the sheet with the ends left out of all columns but those named.

        Notes that say why an interval is missing go with the intervals; those on undefined values stay.
        """
        rows = [
            [
                cell if column.name in names else without_interval(cell)
                for cell, column in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]
        return replace(self, rows=rows)


def safe(cell: Cell, column: Column) -> Cell:
    """Return a cell whose texts are safe to show; names, which are no sentences, are cut if they are long."""
    if not cell.note and not (isinstance(cell.value, str) and cell.value):
        return cell
    value = cell.value
    if isinstance(value, str) and value:
        value = one_line(value) if column.prose else clean(value)
    return replace(cell, value=value, note=one_line(cell.note))


def without_interval(cell: Cell) -> Cell:
    """Return a cell without the ends of its interval, and without the note on a missing one."""
    note = cell.note if numbers.undefined(cell.value) else ""
    return replace(cell, low=None, high=None, note=note)


def heading_lines(column: Column, size: int = 0) -> list[str]:
    """Break a heading where people would: after a space, an underscore or a colon, and before a measure's settings.

    `size` is how much room there is anyway.
    """
    name, _, settings = column.name.partition("(")
    limit = max(size, LINE_OF_WORDS if " " in name else HEADING)
    lines = [""]
    for part in re.findall(r"[^_: ]+(?:_|: | )?|[_: ]", name):
        begun = lines[-1].endswith(": ") and len(name) > limit
        if lines[-1] and (begun or len(lines[-1]) + len(part.rstrip()) > limit):
            lines.append("")
        lines[-1] += part
    if settings:
        lines += [
            re.sub(r"\w+=", "", setting.strip()).strip("'\"")
            for setting in settings.rstrip(")").split(",")
        ]
    lines[-1] += f" {column.arrow}" if column.arrow else ""
    return [line.rstrip() for line in lines]


def text_sheet(
    names: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int = 1,
    title: str = "",
    caption: Sequence[str] = (),
) -> Sheet:
    """Make a sheet of cells that are text already; the first `left` columns are aligned on the left."""
    columns = [
        Column(name, Kind.TEXT if at < left else Kind.NUMBER) for at, name in enumerate(names)
    ]
    return Sheet(columns, [[Cell(text) for text in row] for row in rows], caption, title)


def value_sheet(columns: Sequence[Column], rows: Iterable[Iterable[Any]]) -> Sheet:
    """Make a sheet of raw values; what is more than a value is a `Cell` already."""
    return Sheet(
        columns, [[one if isinstance(one, Cell) else Cell(one) for one in row] for row in rows]
    )


def written(cell: Cell, column: Column) -> str:
    """Write the value of a cell as its column says; text stays as it is."""
    value = cell.value
    if isinstance(value, str):
        return value
    if numbers.undefined(value):
        return numbers.DASH if column.numeric else ""
    if column.kind is Kind.NUMBER:
        return numbers.number(float(value), column.digits, sign=column.sign)
    return WRITERS[column.kind](value)


WRITERS: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: str,
    Kind.COUNT: numbers.amount,
    Kind.SHARE: numbers.floored_share,
    Kind.P_VALUE: numbers.p_value,
}


def beside(cell: Cell, column: Column) -> str:
    """Write the interval of a value."""
    return numbers.interval(cell.low, cell.high, column.digits)


def below(cell: Cell, column: Column) -> str:
    """Write the interval that stands below a value where the line is too short for both."""
    digits = min(column.digits, max(column.digits - 1, 2))  # one fewer, but not one alone
    return numbers.short_interval(cell.low, cell.high, digits)


class Footnotes:
    """What an asterisk means, and the notes of a sheet, each once, numbered in the order of the cells."""

    def __init__(self, sheet: Sheet) -> None:
        starred = any(cell.star for row in sheet.rows for cell in row)
        self.star = [f"{STAR} {sheet.star}."] if starred else []
        notes = dict.fromkeys(cell.note for row in sheet.rows for cell in row if cell.note)
        self.marks = {note: superscript(at) for at, note in enumerate(notes, 1)}

    def mark(self, cell: Cell) -> str:
        """Return the marks of a cell: an asterisk and that of its note, as far as it has them."""
        return f"{STAR if cell.star else ''}{self.marks.get(cell.note, '')}"

    @property
    def lines(self) -> list[str]:
        """The notes, each behind its mark."""
        return [*self.star, *(f"{mark} {note}." for note, mark in self.marks.items())]


def superscript(number: int) -> str:
    """Write a number as the mark of a footnote."""
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))
