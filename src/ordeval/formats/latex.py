"""LaTeX: sheets for the package booktabs, every name escaped."""

import unicodedata
from collections.abc import Sequence

from ordeval.formats.sheet import (
    WIDE_HEADING,
    Cell,
    Column,
    Footnotes,
    Sheet,
    beside,
    heading_lines,
    written,
)

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "[": "{[}", "*": "{*}",  # at the head of a row they would be taken for a part of the line break before
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "✓": r"$\surd$", "✗": r"$\times$", "≠": r"$\neq$", "≤": r"$\leq$",
    "≥": r"$\geq$", "±": r"$\pm$", "\N{MINUS SIGN}": r"$-$", "°": r"$^\circ$", "κ": r"$\kappa$",
    "●": r"$\bullet$", "★": r"$\star$", "\N{EN DASH}": "--", "—": "---", "…": r"\ldots{}",
    "\N{LEFT SINGLE QUOTATION MARK}": "`", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "“": "``", "”": "''",
    **{mark: rf"\textsuperscript{{{digit}}}" for digit, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip
# Letters that LaTeX sets with no package and in its first encoding; any other would stop it.
LETTERS = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭİıĴĵĶķĹĺĻļĽľŁłŃńŅņ"
    "ŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž"
)
PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def escape(text: str) -> str:
    r"""Return a text that LaTeX sets as it is; characters that it lacks are named by their code points.

    >>> escape("50% [x] 🦉")
    '50\\% {[}x] {[}U+1F989]'
    """
    parts: list[str] = []
    lacking: list[str] = []
    for letter in [*unicodedata.normalize("NFC", " ".join(text.split())), ""]:
        printable = (
            letter in SPECIAL or letter in LETTERS or (letter.isascii() and letter.isprintable())
        )
        if letter and not printable:
            lacking.append(f"U+{ord(letter):04X}")
            continue
        if lacking:
            parts.append(f"{{[}}{' '.join(lacking)}]")
            lacking = []
        follows = letter == "-" and parts and parts[-1].endswith("-")
        # two hyphens would be joined
        parts.append("{}-" if follows else SPECIAL.get(letter, letter))
    return "".join(parts)


def to_latex(sheet: Sheet, *, label: str | None = None) -> str:
    """Write a sheet: a float with its caption if floating or labelled, else a tabular with comments below it."""
    sheet = sheet.seen_in("latex")
    notes = Footnotes(sheet)
    below = [*sheet.lead, *notes.lines, *sheet.sentences]
    if not sheet.floating and label is None:
        return "\n".join([tabular(sheet, notes), *(f"% {text}" for text in below)]) + "\n"
    lines = [
        r"\begin{table}",
        r"\centering",
        tabular(sheet, notes),
        rf"\caption{{{escape(' '.join(below))}}}",
    ]
    lines += [rf"\label{{{label}}}"] if label is not None else []
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def tabular(sheet: Sheet, notes: Footnotes | None = None) -> str:
    """Write the table itself; the best values are bold, faint rows italic."""
    notes = notes or Footnotes(sheet)
    kinds = "".join("p{8cm}" if c.prose else "r" if c.numeric else "l" for c in sheet.columns)
    head = " & ".join(map(heading, sheet.columns))
    rows = [
        [in_cell(cell, column, notes) for cell, column in zip(row, sheet.columns, strict=True)]
        for row in sheet.rows
    ]
    for at in sheet.faint:
        rows[at] = [rf"\textit{{{text}}}" if text else "" for text in rows[at]]
    body = [" & ".join(row) + r" \\" for row in rows]
    top = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    return "\n".join([*top, *body, r"\bottomrule", r"\end{tabular}"])


def heading(column: Column) -> str:
    """Write the heading of a column, on several lines if it is long."""
    lines = [escape(line) for line in heading_lines(column, WIDE_HEADING)]
    stacked = r"\\".join(lines)
    side = "r" if column.numeric else "l"
    return rf"\shortstack[{side}]{{{stacked}}}" if len(lines) > 1 else stacked


def in_cell(cell: Cell, column: Column, notes: Footnotes) -> str:
    """Write a cell, its value bold if it is the best, its superscript and the mark of its note behind it."""
    value = escape(written(cell, column))
    value = rf"\textbf{{{value}}}" if cell.best else value
    marks = escape(notes.mark(cell).translate(PLAIN_DIGITS))
    above = ",".join(part for part in (cell.above, marks) if part)
    raised = rf"\textsuperscript{{{above}}}" if above else ""
    return f"{value}{raised} {beside(cell, column)}".strip()


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers for LaTeX, with three or more in a row as a range.

    >>> ranges([2, 4, 5, 6, 9])
    '2,4--6,9'
    """
    runs: list[list[int]] = []
    for one in numbers:
        if runs and one == runs[-1][-1] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ",".join(
        f"{run[0]}--{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )
