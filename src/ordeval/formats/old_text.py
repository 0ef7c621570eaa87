"""A table of results, laid out once and written as text, Markdown, LaTeX or CSV."""

import csv
import io
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ordeval.formats.old_layout import latex_escaped, markdown_escaped
from ordeval.formats.old_names import shown as shown_name

GAP = 2
PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a column, and the arrow that tells which way is better."""

    name: str
    arrow: str = ""
    numeric: bool = True
    prose: bool = False  # sentences, which a printed page breaks into lines

    @property
    def whole(self) -> str:
        """The name and the arrow on one line."""
        return f"{self.name} {self.arrow}".strip()

    @property
    def lines(self) -> list[str]:
        """The name broken where people would break it: after an underscore or a colon, and before its settings."""
        plain, _, settings = self.name.partition("(")
        lines = [""]
        for part in re.findall(r"[^_:]+(?:_|: )?|[_:]", plain):
            if lines[-1] and len(lines[-1]) + len(part) > WIDE:
                lines.append("")
            lines[-1] += part
        if settings:
            lines += [
                re.sub(r"\w+=", "", setting.strip()).strip("'\"")
                for setting in settings.rstrip(")").split(",")
            ]
        lines[-1] += f" {self.arrow}" if self.arrow else ""
        return [line.rstrip() for line in lines]


WIDE = 11  # letters in a line of a heading
LONG = 24  # letters of a name that a narrow screen shows


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as text, what surrounds it (an interval), and how it stands out."""

    text: str
    beside: str = ""  # of our own making: numbers in brackets
    best: bool = False
    mark: str = ""  # of a footnote
    below: str = ""  # what surrounds the value where it must be short; `beside` unless told

    @property
    def whole(self) -> str:
        """Everything on one line."""
        return f"{self.text}{self.mark}{f' {self.beside}' if self.beside else ''}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Headings, rows of cells, and what is said below them."""

    headings: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]
    caption: Sequence[str] = field(default=())
    footnotes: Sequence[str] = field(default=())


def to_markdown(sheet: Sheet) -> str:
    """Write a Markdown table; the best values are bold."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    head = [markdown_escaped(heading.whole) for heading in sheet.headings]
    rule = ["---:" if heading.numeric else "---" for heading in sheet.headings]
    body = [[bold_in(cell, "**{}**") for cell in row] for row in sheet.rows]
    table = [line(head), line(rule), *map(line, body)]
    below = [markdown_escaped(text) for text in (*sheet.footnotes, *sheet.caption)]
    return "\n".join([*table, *([""] if below else []), *(f"{text}  " for text in below)]) + "\n"


def bold_in(cell: Cell, bold: str) -> str:
    """Return a cell on one line, its value bold where it is the best."""
    value = markdown_escaped(cell.text)
    value = bold.format(value) if cell.best else value
    return f"{value}{cell.mark}{f' {cell.beside}' if cell.beside else ''}"


def to_latex(sheet: Sheet) -> str:
    """Write a LaTeX table for the package booktabs; the best values are bold."""
    columns = "".join(
        "p{8cm}" if heading.prose else "r" if heading.numeric else "l" for heading in sheet.headings
    )
    head = " & ".join(latex_escaped(heading.whole) for heading in sheet.headings)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    for row in sheet.rows:
        cells = []
        for cell in row:
            value = latex_escaped(cell.text)
            value = rf"\textbf{{{value}}}" if cell.best else value
            mark = rf"\textsuperscript{{{cell.mark.translate(PLAIN_DIGITS)}}}" if cell.mark else ""
            cells.append(value + mark + (f" {cell.beside}" if cell.beside else ""))
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {' '.join(text.split())}" for text in (*sheet.footnotes, *sheet.caption)]
    return "\n".join(lines) + "\n"


def to_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write comma-separated values, an undefined one as an empty field."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()


def to_text(sheet: Sheet, *, width: int | None, colour: bool) -> str:
    """Write a table for a screen of a width; None: as wide as it wants.

    What does not fit has its intervals put below the values, then loses columns from the right, and says so.
    """
    stacked = False
    shown = len(sheet.headings)
    sheet = with_names(sheet, clean)
    names = [[heading.whole] if width is None else heading.lines for heading in sheet.headings]
    if width is not None:
        stacked = total(widths(sheet, names, stacked=False)) > width
        if total(widths(sheet, names, stacked=stacked)) > width:
            sheet = with_names(sheet, shortened)
        while shown > 2 and total(widths(sheet, names[:shown], stacked=stacked)) > width:
            shown -= 1
    names = names[:shown]
    sizes = widths(sheet, names, stacked=stacked)
    height = max(map(len, names))
    lines = [
        [pad("" if at < height - len(name) else name[at - height + len(name)], size, heading)
         for name, size, heading in zip(names, sizes, sheet.headings, strict=False)]
        for at in range(height)
    ]  # fmt: skip
    text = [styled(joined(cells), "1", colour=colour) for cells in lines]
    text.append(styled("─" * total(sizes), "2", colour=colour))
    for row in sheet.rows:
        text += body_lines(row[:shown], sizes, sheet.headings, stacked=stacked, colour=colour)
    left_out = sheet.headings[shown:]
    notes = list(sheet.footnotes)
    if left_out:
        names_left = ", ".join(heading.name for heading in left_out)
        notes.append(
            f"Not shown for want of width: {names_left}. Widen the terminal, or ask for --format json, csv or markdown."
        )
    below = [wrapped(note, width) for note in (*notes, *sheet.caption)]
    return "\n".join([*text, *(["", *below] if below else [])]) + "\n"


def with_names(sheet: Sheet, change: Callable[[str], str]) -> Sheet:
    """Return a sheet whose names, the cells of columns that hold no numbers, are changed."""
    rows = [
        [
            cell if heading.numeric else replace(cell, text=change(cell.text))
            for cell, heading in zip(row, sheet.headings, strict=True)
        ]
        for row in sheet.rows
    ]
    return replace(sheet, rows=rows)


def shortened(name: str) -> str:
    """Leave the middle of a long name out."""
    if room(name) <= LONG:
        return name
    half = (LONG - 1) // 2
    return f"{name[: LONG - 1 - half]}…{name[-half:]}"


def clean(name: str) -> str:
    """Return a name that moves no cursor and breaks no line; an empty cell stays empty."""
    return shown_name(name) if name else name


def room(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters take two, marks above others none."""
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


def body_lines(
    row: Sequence[Cell],
    sizes: Sequence[int],
    headings: Sequence[Heading],
    *,
    stacked: bool,
    colour: bool,
) -> list[str]:
    """Write one row: a line of values, and one of intervals below it where they are stacked."""

    def cells(texts: Sequence[str], *, bold: bool) -> str:
        parts = []
        for text, cell, size, heading in zip(texts, row, sizes, headings, strict=False):
            padded = pad(text, size, heading)
            parts.append(
                padded.replace(cell.text, styled(cell.text, "1", colour=colour), 1)
                if bold and cell.best
                else padded
            )
        return joined(parts)

    if not stacked:
        return [cells([cell.whole for cell in row], bold=True)]
    values = cells([cell.text + cell.mark for cell in row], bold=True)
    beside = cells([cell.below or cell.beside for cell in row], bold=False)
    return [values, styled(beside, "2", colour=colour)] if beside.strip() else [values]


def widths(sheet: Sheet, names: Sequence[Sequence[str]], *, stacked: bool) -> list[int]:
    """Return how wide each column is, under names that may take several lines."""
    sizes = []
    for at, name in enumerate(names):
        texts = list(name)
        for row in sheet.rows:
            cell = row[at]
            texts += [cell.text + cell.mark, cell.below or cell.beside] if stacked else [cell.whole]
        sizes.append(max(map(room, texts)))
    return sizes


def total(sizes: Sequence[int]) -> int:
    """Return how wide a line of columns is."""
    return sum(sizes) + GAP * (len(sizes) - 1)


def pad(text: str, size: int, heading: Heading) -> str:
    """Align a cell in its column."""
    blank = " " * (size - room(text))
    return blank + text if heading.numeric else text + blank


def joined(cells: Sequence[str]) -> str:
    """Put cells on a line."""
    return (" " * GAP).join(cells).rstrip()


def styled(text: str, code: str, *, colour: bool) -> str:
    """Make text bold (1) or faint (2) on a terminal."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def wrapped(text: str, width: int | None, indent: str = "") -> str:
    """Break a sentence at the width of the screen."""
    if width is None:
        return indent + text
    import textwrap

    return textwrap.fill(
        text,
        width=max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def superscript(number: int) -> str:
    """Write a number as a footnote's mark."""
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))


def floored(share: float) -> str:
    """Write a share with one decimal, rounded down: 100% is said of all, and of nothing less."""
    return "100%" if share >= 1 else f"{math.floor(1000 * share) / 10:.1f}%"
