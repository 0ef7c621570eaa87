"""Small pieces of Markdown and LaTeX."""

from collections.abc import Sequence

from ordeval.formats.old_layout import latex_escaped


def latex_table(columns: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> str:
    """Write a table with the package booktabs; cells are plain text."""
    lines = [" & ".join(map(latex_escaped, row)) + r" \\" for row in [columns, *rows]]
    head = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*head, *lines[1:], r"\bottomrule", r"\end{tabular}"])


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table; cells may hold Markdown."""
    lines = ["| " + " | ".join(c.replace("|", r"\|") for c in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines])
