"""HTML: sheets as tables, every name escaped."""

import html

from ordeval.formats.sheet import Cell, Column, Footnotes, Sheet, beside, written


def escape(text: str) -> str:
    """Return a text that HTML shows as it is."""
    return html.escape(text)


def to_html(sheet: Sheet) -> str:
    """Write a sheet as a table; the best values are bold, footnotes and caption stand below."""
    sheet = sheet.seen_in("html")
    notes = Footnotes(sheet)
    head = "".join(f"<th>{escape(column.heading)}</th>" for column in sheet.columns)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{in_cell(cell, column, notes)}</td>"
            for cell, column in zip(row, sheet.columns, strict=True)
        )
        + "</tr>"
        for row in sheet.rows
    )
    title = f"<caption>{escape(sheet.title)}</caption>" if sheet.title else ""
    words = "".join(
        f"<p><small>{escape(text)}</small></p>" for text in (*notes.lines, *sheet.caption)
    )
    above = f"<p>{escape(sheet.lead)}</p>" if sheet.lead else ""
    return (
        f"{above}<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{words}"
    )


def in_cell(cell: Cell, column: Column, notes: Footnotes) -> str:
    """Write a cell, its value bold if it is the best."""
    value = escape(written(cell, column))
    value = f"<b>{value}</b>" if cell.best else value
    above = f"<sup>{escape(cell.above)}</sup>" if cell.above else ""
    return f"{value}{above}{notes.mark(cell)} {beside(cell, column)}".strip()
