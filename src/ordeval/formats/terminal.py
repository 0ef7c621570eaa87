"""The terminal: sheets as aligned text that fits the width of a screen."""

import re
import textwrap
import unicodedata
from collections.abc import Sequence

from ordeval.arguments import is_whole
from ordeval.errors import ParameterError
from ordeval.formats.sheet import Cell, Column, Footnotes, Sheet, below, beside, written
from ordeval.letters import one_line

GAP = 2
HEADING = 11  # letters in one line of a heading
LONG_NAME = 24  # letters of a name on a screen that is too narrow for the whole
LEAST_PROSE = 24  # columns left for sentences, however narrow the screen
BOLD, FAINT = "1", "2"


def to_text(sheet: Sheet, *, width: int | None = None, colour: bool = False) -> str:
    """Write a sheet for a screen of a width; None: as wide as it needs.

    On a narrow screen sentences are wrapped first, then intervals go below their values, then columns are left out
    from the right, which is said below the table.
    """
    if width is not None and not is_whole(width, 1):
        raise ParameterError(
            f"width is {width!r:.60}; it is a number of letters, or None for no limit."
        )
    sheet, colour = sheet.seen_in("text"), colour is True
    notes = Footnotes(sheet)
    layout = Layout(sheet, notes, width)
    lines = [wrapped(sheet.lead, width), ""] if sheet.lead else []
    lines += [styled(joined(cells), BOLD, colour=colour) for cells in layout.headings()]
    lines.append(styled("─" * layout.total, FAINT, colour=colour))
    for row in sheet.rows:
        lines += layout.row(row, colour=colour)
    under = list(notes.lines)
    if layout.left_out:
        names = ", ".join(column.name for column in layout.left_out)
        under.append(
            f"Not shown because the terminal is too narrow: {names}. Widen it, or ask for --format csv, json or "
            f"markdown."
        )
    under = [wrapped(text, width) for text in (*under, *sheet.caption)]
    return "\n".join([*lines, *(["", *under] if under else [])]) + "\n"


class Layout:
    """The widths of a sheet's columns on a screen, and what had to give way."""

    def __init__(self, sheet: Sheet, notes: Footnotes, width: int | None) -> None:
        self.notes = notes
        self.columns = list(sheet.columns)
        self.names = [[c.heading] if width is None else heading_lines(c) for c in self.columns]
        self.stacked = self.shortened = False
        self.prose = 0  # columns for sentences, 0 where they need not be wrapped
        self.rows = sheet.rows
        self.sizes = self.widths()
        if width is not None:
            self.fit(width)
        self.left_out = list(sheet.columns)[len(self.columns) :]

    @property
    def total(self) -> int:
        """How wide a line is."""
        return sum(self.sizes) + GAP * (len(self.sizes) - 1)

    def fit(self, width: int) -> None:
        """Wrap sentences, stack intervals, shorten names and leave columns out until the lines fit."""
        prose = [at for at, column in enumerate(self.columns) if column.prose]
        if prose and self.total > width:
            self.prose = max(width - self.total + self.sizes[prose[0]], LEAST_PROSE)
            self.sizes = self.widths()
        if self.total > width:
            self.stacked = True
            self.sizes = self.widths()
        if self.total > width:
            self.shortened = True
            self.sizes = self.widths()
        while len(self.columns) > 2 and self.total > width:
            self.columns.pop()
            self.names.pop()
            self.sizes = self.widths()

    def widths(self) -> list[int]:
        """Return how wide each column is."""
        sizes = []
        for at, (column, name) in enumerate(zip(self.columns, self.names, strict=True)):
            texts = list(name)
            for row in self.rows:
                texts += self.lines(row[at], column)
            sizes.append(max(map(room, texts)))
        return sizes

    def lines(self, cell: Cell, column: Column) -> list[str]:
        """Return the lines of a cell: one, or more if its interval is stacked or its sentence wrapped."""
        text = self.text(cell, column)
        if column.prose and self.prose:
            return textwrap.wrap(
                text, self.prose, break_long_words=False, break_on_hyphens=False
            ) or [""]
        if self.stacked:
            return [line for line in (text, below(cell, column)) if line] or [""]
        return [f"{text} {beside(cell, column)}".strip()]

    def text(self, cell: Cell, column: Column) -> str:
        """Return a value with the mark of its note; names are cut where room is scarce."""
        text = written(cell, column)
        if self.shortened and not column.numeric and not column.prose:
            text = shortened(text)
        return text + self.notes.mark(cell)

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

    def row(self, row: Sequence[Cell], *, colour: bool) -> list[str]:
        """Return the lines of one row; the best values are bold, what stands below them faint."""
        cells = [self.lines(cell, column) for cell, column in zip(row, self.columns, strict=False)]
        lines = []
        for at in range(max(map(len, cells))):
            parts = []
            for cell, texts, size, column in zip(
                row, cells, self.sizes, self.columns, strict=False
            ):
                padded = pad(texts[at] if at < len(texts) else "", size, column)
                value = written(cell, column)
                if at == 0 and cell.best:
                    padded = padded.replace(value, styled(value, BOLD, colour=colour), 1)
                parts.append(padded)
            line = joined(parts)
            lines.append(
                line if at == 0 or not self.stacked else styled(line, FAINT, colour=colour)
            )
        return lines


def heading_lines(column: Column) -> list[str]:
    """Break a heading where people would: after an underscore or a colon, and before a measure's settings."""
    name, _, settings = column.name.partition("(")
    lines = [""]
    for part in re.findall(r"[^_:]+(?:_|: )?|[_:]", name):
        if lines[-1] and len(lines[-1]) + len(part) > HEADING:
            lines.append("")
        lines[-1] += part
    if settings:
        lines += [
            re.sub(r"\w+=", "", setting.strip()).strip("'\"")
            for setting in settings.rstrip(")").split(",")
        ]
    lines[-1] += f" {column.arrow}" if column.arrow else ""
    return [line.rstrip() for line in lines]


def shortened(name: str) -> str:
    """Leave the middle of a long name out."""
    if room(name) <= LONG_NAME:
        return name
    half = (LONG_NAME - 1) // 2
    return f"{name[: LONG_NAME - 1 - half]}…{name[-half:]}"


def room(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def pad(text: str, size: int, column: Column) -> str:
    """Align a text in its column."""
    blank = " " * (size - room(text))
    return blank + text if column.numeric else text + blank


def joined(cells: Sequence[str]) -> str:
    """Put cells on one line."""
    return (" " * GAP).join(cells).rstrip()


def styled(text: str, code: str, *, colour: bool) -> str:
    """Make text bold or faint on a terminal that has colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


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
