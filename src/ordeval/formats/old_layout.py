"""Rows and columns for the eye: text, HTML, Markdown and LaTeX, with every name escaped."""

import html
import math
import re
import unicodedata
from collections.abc import Sequence

DASH = "-"  # an undefined value
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "[": "{[}", "*": "{*}",  # at the head of a row they would be taken for a part of the line break before
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "✓": r"$\surd$", "✗": r"$\times$", "≠": r"$\neq$", "≤": r"$\leq$",
    "≥": r"$\geq$", "±": r"$\pm$", "\N{MINUS SIGN}": r"$-$", "°": r"$^\circ$", "κ": r"$\kappa$",
    "●": r"$\bullet$", "★": r"$\star$", "\N{EN DASH}": "--", "—": "---", "…": r"\ldots{}",
    "\N{LEFT SINGLE QUOTATION MARK}": "`", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "“": "``", "”": "''",
}  # fmt: skip
# Letters that LaTeX sets with no package and in its first encoding; any other would stop it.
LETTERS = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭİıĴĵĶķĹĺĻļĽľŁłŃńŅņ"
    "ŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž"
)
# Within a word an underscore is one; elsewhere it could begin or end what is set in italics.
MARKDOWN = re.compile(r"([\\`*{}\[\]<>|#~$&]|(?<![^\W_])_|_(?![^\W_]))")


def number(value: float | None, digits: int = 4) -> str:
    """Write a value, or a dash where there is none."""
    return DASH if value is None or math.isnan(value) else f"{value:.{digits}f}"


def chance(p: float | None) -> str:
    """Write a p-value: one that four digits cannot show is below them."""
    return "<0.0001" if p is not None and p < 0.0001 else number(p)


def with_interval(value: float, low: float | None, high: float | None) -> str:
    """Write a value and the ends of its interval."""
    return (
        number(value)
        if low is None or high is None
        else f"{number(value)} [{number(low)}, {number(high)}]"
    )


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Align columns: the first `left` of them on the left, the others on the right."""
    lines = [[" ".join(cell.split()) for cell in line] for line in [header, *rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Write a table in HTML, everything escaped."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    top = f"<caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead>"
    return f"<table>{top}<tbody>{body}</tbody></table>"


def markdown_escaped(text: str) -> str:
    """Return a name that Markdown shows as it is."""
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Write cells, which are escaped already, as a pipe table."""
    rule = ["---" if i < left else "---:" for i in range(len(header))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rows])


def latex_escaped(text: str) -> str:
    r"""Return a text that LaTeX sets as it is; characters that it lacks are named by their code points.

    >>> latex_escaped("50% [x] 🦉")
    '50\\% {[}x] {[}U+1F989]'
    """
    parts: list[str] = []
    lacking: list[str] = []
    for letter in [*unicodedata.normalize("NFC", " ".join(text.split())), ""]:
        known = letter in LATEX or letter in LETTERS or (letter.isascii() and letter.isprintable())
        if letter and not known:
            lacking.append(f"U+{ord(letter):04X}")
            continue
        if lacking:
            parts.append(f"{{[}}{' '.join(lacking)}]")
            lacking = []
        follows = letter == "-" and parts and parts[-1].endswith("-")
        parts.append("{}-" if follows else LATEX.get(letter, letter))  # two hyphens would be joined
    return "".join(parts)
