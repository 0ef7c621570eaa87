"""Small pieces of Markdown and LaTeX."""

from collections.abc import Sequence

__all__ = ["latex", "latex_table", "markdown_table"]

# What LaTeX takes for a command, and how to print it instead.
SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "✓": r"$\checkmark$",
        "≠": r"$\neq$",
        "°": r"$^\circ$",
        "κ": r"$\kappa$",
        "'": r"\textquotesingle{}",
    }
)


def latex(text: str) -> str:
    """Write text so that LaTeX prints it (with the packages amssymb and textcomp)."""
    return text.translate(SPECIAL)


def latex_table(columns: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> str:
    """Write a table with the package booktabs; cells are plain text."""
    lines = [" & ".join(map(latex, row)) + r" \\" for row in [columns, *rows]]
    head = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*head, *lines[1:], r"\bottomrule", r"\end{tabular}"])


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table; cells may hold Markdown."""
    lines = ["| " + " | ".join(c.replace("|", r"\|") for c in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines])
