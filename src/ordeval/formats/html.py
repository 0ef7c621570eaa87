"""HTML: sheets as tables, every name escaped.

The little style that there is stands on the elements and sets no colour, so that light and dark notebooks keep theirs.
"""

import html

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

TABLE = "border-collapse:collapse"
CELL = "padding:.15em .7em;white-space:nowrap;text-align:"
PROSE = "padding:.15em .7em;text-align:"
HEAD = "vertical-align:bottom;border-bottom:1px solid currentColor;"
FAINT = ' style="opacity:.65;font-style:italic"'
BELOW = "opacity:.75"


def escape(text: str) -> str:
    """Return a text that HTML shows as it is."""
    return html.escape(text)


def to_html(sheet: Sheet) -> str:
    """Write a sheet as a table: numbers on the right, the best bold; the lead above, footnotes and caption below."""
    sheet = sheet.seen_in("html")
    notes = Footnotes(sheet)
    head = "".join(
        f'<th scope="col" style="{HEAD}{style(column)}">{heading(column)}</th>'
        for column in sheet.columns
    )
    body = "".join(
        f"<tr{FAINT if at in sheet.faint else ''}>"
        + "".join(
            f'<td style="{style(column)}">{in_cell(cell, column, notes)}</td>'
            for cell, column in zip(row, sheet.columns, strict=True)
        )
        + "</tr>"
        for at, row in enumerate(sheet.rows)
    )
    title = f"<caption>{escape(sheet.title)}</caption>" if sheet.title else ""
    above = "".join(f"<p>{escape(text)}</p>" for text in sheet.lead)
    words = "".join(
        f'<p style="{BELOW}"><small>{escape(text)}</small></p>'
        for text in (*notes.lines, *sheet.sentences)
    )
    table = f"{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'{above}<table style="{TABLE}">{table}</table>{words}'


def heading(column: Column) -> str:
    """Write the heading of a column, on several lines if it is long."""
    return "<br>".join(map(escape, heading_lines(column, WIDE_HEADING)))


def style(column: Column) -> str:
    """Return the style of a column's cells: numbers on the right, and only sentences are broken into lines."""
    return f"{PROSE if column.prose else CELL}{'right' if column.numeric else 'left'}"


def in_cell(cell: Cell, column: Column, notes: Footnotes) -> str:
    """Write a cell, its value bold if it is the best."""
    value = escape(written(cell, column))
    value = f"<b>{value}</b>" if cell.best else value
    above = f"<sup>{escape(cell.above)}</sup>" if cell.above else ""
    return f"{value}{above}{notes.mark(cell)} {beside(cell, column)}".strip()
