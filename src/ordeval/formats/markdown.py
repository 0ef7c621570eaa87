"""Markdown: sheets as pipe tables, every name escaped."""

import re
from collections.abc import Sequence

from ordeval.formats.sheet import Cell, Column, Footnotes, Sheet, beside, written

# An underscore within a word is only itself; elsewhere it could begin or end emphasis.
SPECIAL = re.compile(r"([\\`*{}\[\]<>|#~$&]|(?<![^\W_])_|_(?![^\W_]))")


def escape(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def to_markdown(sheet: Sheet) -> str:
    """Write a sheet; the best values are bold, faint rows italic, footnotes and caption stand below."""
    sheet = sheet.seen_in("markdown")
    notes = Footnotes(sheet)
    head = [escape(column.heading) for column in sheet.columns]
    rule = ["---:" if column.numeric else "---" for column in sheet.columns]
    body = [
        [in_cell(cell, column, notes) for cell, column in zip(row, sheet.columns, strict=True)]
        for row in sheet.rows
    ]
    for at in sheet.faint:
        body[at] = [f"*{text}*" if text else "" for text in body[at]]
    above = [*(f"{escape(text)}  " for text in sheet.lead), ""] if sheet.lead else []
    table = [*above, pipes(head), pipes(rule), *map(pipes, body)]
    lines_below = [escape(text) for text in (*notes.lines, *sheet.sentences)]
    return (
        "\n".join([*table, *([""] if lines_below else []), *(f"{text}  " for text in lines_below)])
        + "\n"
    )


def pipes(cells: Sequence[str]) -> str:
    """Write cells, which are escaped already, as a line of a table."""
    return "| " + " | ".join(cells) + " |"


def in_cell(cell: Cell, column: Column, notes: Footnotes) -> str:
    """Write a cell on one line, its value bold if it is the best."""
    value = escape(written(cell, column))
    value = f"**{value}**" if cell.best else value
    return f"{value}{escape(notes.mark(cell))} {beside(cell, column)}".strip()
