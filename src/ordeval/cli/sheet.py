"""A table of results, laid out once and written as text, Markdown, LaTeX or CSV."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

__all__ = ["Cell", "Heading", "Sheet", "to_csv", "to_latex", "to_markdown", "to_text"]

GAP = 2
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "\N{EN DASH}": "--",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a column, and the arrow that tells which way is better."""

    name: str
    arrow: str = ""
    numeric: bool = True

    @property
    def whole(self) -> str:
        """The name and the arrow on one line."""
        return f"{self.name} {self.arrow}".strip()

    @property
    def lines(self) -> list[str]:
        """The name broken where people would break it: after an underscore, and before its settings."""
        plain, _, settings = self.name.partition("(")
        lines = [""]
        for part in re.findall(r"[^_]+_?|_", plain):
            if lines[-1] and len(lines[-1]) + len(part) > WIDE:
                lines.append("")
            lines[-1] += part
        if settings:
            lines += [
                re.sub(r"\w+=", "", setting.strip()).strip("'\"")
                for setting in settings.rstrip(")").split(",")
            ]
        lines[-1] += f" {self.arrow}" if self.arrow else ""
        return lines


WIDE = 11  # letters in a line of a heading
LONG = 24  # letters of a name that a narrow screen shows


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as text, what surrounds it (an interval), and how it stands out."""

    text: str
    beside: str = ""
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
        return (
            "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
        )

    head = [heading.whole for heading in sheet.headings]
    rule = ["---:" if heading.numeric else "---" for heading in sheet.headings]
    body = [[bold_in(cell, "**{}**") for cell in row] for row in sheet.rows]
    table = [line(head), line(rule), *map(line, body)]
    below = [*sheet.footnotes, *sheet.caption]
    return "\n".join([*table, *([""] if below else []), *(f"{text}  " for text in below)]) + "\n"


def bold_in(cell: Cell, bold: str) -> str:
    """Return a cell on one line, its value bold where it is the best."""
    value = bold.format(cell.text) if cell.best else cell.text
    return f"{value}{cell.mark}{f' {cell.beside}' if cell.beside else ''}"


def to_latex(sheet: Sheet) -> str:
    """Write a LaTeX table for the package booktabs; the best values are bold."""

    def escaped(text: str) -> str:
        return "".join(LATEX.get(letter, letter) for letter in text)

    columns = "".join("r" if heading.numeric else "l" for heading in sheet.headings)
    head = " & ".join(escaped(heading.whole) for heading in sheet.headings)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    for row in sheet.rows:
        cells = []
        for cell in row:
            value = escaped(cell.text)
            value = rf"\textbf{{{value}}}" if cell.best else value
            mark = rf"\textsuperscript{{{escaped(cell.mark)}}}" if cell.mark else ""
            cells.append(value + mark + (f" {escaped(cell.beside)}" if cell.beside else ""))
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {text}" for text in (*sheet.footnotes, *sheet.caption)]
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
    names = [[heading.whole] if width is None else heading.lines for heading in sheet.headings]
    if width is not None:
        stacked = total(widths(sheet, names, stacked=False)) > width
        if total(widths(sheet, names, stacked=stacked)) > width:
            sheet = replace(sheet, rows=[[shortened(row[0]), *row[1:]] for row in sheet.rows])
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


def shortened(cell: Cell) -> Cell:
    """Leave the middle of a long name out."""
    if len(cell.text) <= LONG:
        return cell
    half = (LONG - 1) // 2
    return replace(cell, text=f"{cell.text[: LONG - 1 - half]}…{cell.text[-half:]}")


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
        sizes.append(max(map(len, texts)))
    return sizes


def total(sizes: Sequence[int]) -> int:
    """Return how wide a line of columns is."""
    return sum(sizes) + GAP * (len(sizes) - 1)


def pad(text: str, size: int, heading: Heading) -> str:
    """Align a cell in its column."""
    return text.rjust(size) if heading.numeric else text.ljust(size)


def joined(cells: Sequence[str]) -> str:
    """Put cells on a line."""
    return (" " * GAP).join(cells).rstrip()


def styled(text: str, code: str, *, colour: bool) -> str:
    """Make text bold (1) or faint (2) on a terminal."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def wrapped(text: str, width: int | None) -> str:
    """Break a sentence at the width of the screen."""
    if width is None:
        return text
    import textwrap

    return textwrap.fill(text, width=max(width, 40), break_long_words=False, break_on_hyphens=False)
