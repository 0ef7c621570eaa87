"""Small tables of text: for the terminal, for Markdown, for a notebook."""

import html
from collections.abc import Sequence


def number(value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
    """Write a number, and a dash where there is none."""
    if value is None or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return "-"
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    return (
        text.replace("-0." + "0" * decimals, "0." + "0" * decimals)
        if float(text) == 0 and not sign
        else text
    )


def interval(low: float, high: float, decimals: int = 2) -> str:
    """Write an interval as 'low to high', and a dash where there is none."""
    if low != low or high != high:  # noqa: PLR0124
        return "-"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def grid_text(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align cells under their columns, the first on the left and the others on the right."""
    table = [list(columns), *map(list, rows)]
    widths = [max(len(row[at]) for row in table) for at in range(len(columns))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join(line.rstrip() for line in lines)


def grid_markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table, the first column on the left and the others on the right."""
    lines = [
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        for row in [columns, *rows]
    ]
    rule = "|" + "|".join("---" if at == 0 else "---:" for at in range(len(columns))) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def grid_html(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write an HTML table, every cell escaped."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
