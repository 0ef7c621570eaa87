"""The terminal: sheets as aligned text that fits the width of a screen."""

import os
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ordeval.arguments import is_whole
from ordeval.errors import ParameterError
from ordeval.formats.sheet import (
    Cell,
    Column,
    Footnotes,
    Sheet,
    below,
    beside,
    heading_lines,
    written,
)
from ordeval.formats.shortening import room, shortened
from ordeval.letters import one_line

GAP = 2
NAME_LENGTHS = (24, 16, 12, 8)  # letters of a name on screens that are too narrow for the whole
LEAST_PROSE = 24  # columns left for sentences, however narrow the screen
BOLD, FAINT, GREEN = "1", "2", "32"


def to_text(sheet: Sheet, *, width: int | None = None, colour: bool = False) -> str:
    """Write a sheet for a screen of a width; None: as wide as it needs.

    On a narrow screen headings are broken and sentences wrapped first; then intervals go below their values; then long
    names lose their middle; then columns are hidden, those that can be spared before the last ones. What is hidden is
    named below the table.
    """
    if width is not None and not is_whole(width, 1):
        raise ParameterError(
            f"width is {width!r:.60}; it is a number of letters, or None for no limit."
        )
    sheet, colour = sheet.seen_in("text"), colour is True
    layout = Layout(sheet, width)
    lines = [*(wrapped(text, width) for text in sheet.lead), ""] if sheet.lead else []
    lines += [styled(joined(cells), BOLD, colour=colour) for cells in layout.headings()]
    lines.append(styled("─" * layout.total, FAINT, colour=colour))
    for at, row in enumerate(layout.rows):
        lines += layout.row(row, colour=colour, faint=at in sheet.faint)
    under = list(layout.notes.lines)
    if layout.hidden:
        names = ", ".join(column.name for column in layout.hidden)
        under.append(
            f"Hidden, because the terminal is too narrow: {names}. Widen it, or use --format csv, json or markdown."
        )
    under += replace(sheet, columns=layout.columns).sentences
    under = [wrapped(text, width) for text in under]
    return "\n".join([*lines, *(["", *under] if under else [])]) + "\n"


class Layout:
    """The widths of a sheet's columns on a screen, and what had to give way."""

    def __init__(self, sheet: Sheet, width: int | None) -> None:
        self.notes = Footnotes(sheet)
        self.columns = list(sheet.columns)
        self.names = [[column.heading] for column in self.columns]
        self.stacked = False
        self.short: list[dict[str, str]] = [{} for _ in self.columns]  # names that were cut
        self.hidden: list[Column] = []
        self.prose = 0  # columns for sentences, 0 where they need not be wrapped
        self.rows = [list(row) for row in sheet.rows]
        self.starred = [any(row[at].star for row in sheet.rows) for at in range(len(self.columns))]
        self.sizes = self.widths()
        if width is not None:
            self.fit(width, sheet.least)
        if self.hidden:  # and with them their notes
            self.notes = Footnotes(replace(sheet, columns=self.columns, rows=self.rows))
            self.sizes = self.widths()

    @property
    def total(self) -> int:
        """How wide a line is."""
        return sum(self.sizes) + GAP * (len(self.sizes) - 1)

    def fit(self, width: int, least: int) -> None:
        """Break headings, wrap sentences, stack intervals, shorten names and hide columns until the lines fit."""
        if self.total > width:
            self.break_headings()
        prose = [
            size for size, column in zip(self.sizes, self.columns, strict=True) if column.prose
        ]
        if prose and self.total > width:
            left = width - self.total + sum(prose)
            self.prose = max(left, LEAST_PROSE) // len(prose)
            self.sizes = self.widths()
        if self.total > width:
            self.stacked = True
            self.break_headings()
        for length in NAME_LENGTHS:
            if self.total > width:
                self.shorten(length)
            while len(self.columns) > least and self.total > width:
                self.hide()

    def hide(self) -> None:
        """Hide the last column, or the last of those that can be spared."""
        spare = [at for at, column in enumerate(self.columns) if column.spare]
        at = spare[-1] if spare else len(self.columns) - 1
        self.hidden.insert(0, self.columns[at])
        parts: list[list[Any]] = [self.columns, self.names, self.short, self.starred, *self.rows]
        for part in parts:
            part.pop(at)
        self.sizes = self.widths()

    def break_headings(self) -> None:
        """Break the headings into lines that need no more room than what stands below them, as far as words allow."""
        self.names = [[""] for _ in self.columns]
        needed = self.widths()
        self.names = [
            heading_lines(column, size) for column, size in zip(self.columns, needed, strict=True)
        ]
        self.sizes = self.widths()

    def shorten(self, length: int) -> None:
        """Cut the names of all columns to a length; names that differ stay different."""
        for at, column in enumerate(self.columns):
            if not column.numeric and not column.prose:
                names = dict.fromkeys(written(row[at], column) for row in self.rows)
                self.short[at] = shortened(list(names), length)
        self.sizes = self.widths()

    def widths(self) -> list[int]:
        """Return how wide each column is."""
        sizes = []
        for at, name in enumerate(self.names):
            texts = list(name)
            for row in self.rows:
                texts += self.lines(row[at], at)
            sizes.append(max(map(room, texts)))
        return sizes

    def lines(self, cell: Cell, at: int) -> list[str]:
        """Return the lines of a cell in a column: one, or more if its interval is stacked or its sentence wrapped."""
        text, column = self.text(cell, at), self.columns[at]
        if column.prose and self.prose:
            return textwrap.wrap(
                text, self.prose, break_long_words=False, break_on_hyphens=False
            ) or [""]
        if self.stacked:
            return [line for line in (text, below(cell, column)) if line] or [""]
        ends = beside(cell, column)
        return [f"{text} {ends}".strip() if ends else text]

    def text(self, cell: Cell, at: int) -> str:
        """Return a value with its marks; names are cut where room is scarce, and asterisks do not move numbers."""
        text = written(cell, self.columns[at])
        blank = " " if self.starred[at] and not cell.star else ""
        return self.short[at].get(text, text) + self.notes.mark(cell) + blank

    def headings(self) -> list[list[str]]:
        """Return the lines of the headings, aligned at the bottom."""
        height = max(map(len, self.names))
        return [
            [
                pad("" if at < height - len(name) else name[at - height + len(name)], size, column)
                for name, size, column in zip(self.names, self.sizes, self.columns, strict=True)
            ]
            for at in range(height)
        ]

    def row(self, row: Sequence[Cell], *, colour: bool, faint: bool = False) -> list[str]:
        """Return the lines of one row; the best values are bold, the leading green, what stands below faint."""
        cells = [self.lines(cell, at) for at, cell in enumerate(row)]
        lines = []
        for line in range(max(map(len, cells))):
            parts = []
            for at, texts in enumerate(cells):
                padded = pad(
                    texts[line] if line < len(texts) else "", self.sizes[at], self.columns[at]
                )
                code = BOLD if row[at].best else GREEN if row[at].leading else ""
                if line == 0 and code:
                    value = written(row[at], self.columns[at])
                    padded = padded.replace(value, styled(value, code, colour=colour), 1)
                parts.append(padded)
            text = joined(parts)
            quiet = faint or (line > 0 and self.stacked)
            lines.append(styled(text, FAINT, colour=colour) if quiet else text)
        return lines


def pad(text: str, size: int, column: Column) -> str:
    """Align a text in its column."""
    blank = " " * (size - room(text))
    return blank + text if column.numeric else text + blank


def joined(cells: Sequence[str]) -> str:
    """Put cells on one line."""
    return (" " * GAP).join(cells).rstrip()


def styled(text: str, code: str, *, colour: bool) -> str:
    """Make text bold, faint or green on a terminal that has colour, unless the environment asks for none."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text and not plain else text


def wrapped(text: str, width: int | None, indent: str = "") -> str:
    """Break a sentence at the width of the screen."""
    text = one_line(text)
    if width is None:
        return indent + text
    return textwrap.fill(
        text,
        width=max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def wrapped_lines(text: str, width: int | None) -> str:
    """Break those lines that are too long for the screen; the others stay as they are."""
    lines = text.splitlines()
    if width is not None:
        lines = [wrapped(line, width) if room(line) > width else line for line in lines]
    return "\n".join(lines)
