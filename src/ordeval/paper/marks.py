"""Table 2 of Amigó et al. 2020, which measure has which property: the paper's marks beside the verdicts of a search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ordeval.formats.old_layout import latex_escaped
from ordeval.meta.display import grid_html
from ordeval.paper.markup import latex_table, markdown_table
from ordeval.properties import PAPER, SearchProgress, Verdict, Verdicts, check

SCHEMA = 1
LEGEND = (
    "In each cell the paper's mark, then ours: ✓ the property holds, - it does not; ≠ where the two "
    "differ, ° where some cases are undefined and count neither way."
)

COLUMNS = ("family", "in the paper", "measure", "invariance", "monotonicity", "imbalance")

# Family and row as printed, and the measures of ours that they stand for; the marks are in the registry's `claims`.
ROWS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Classification", "Acc", ("accuracy",)),
    ("Classification", "Acc with n", ("accuracy_within",)),
    ("Classification", "Macro Avg Acc, Cohen's κ", ("macro_accuracy", "cohen_kappa")),
    ("Classification", "F-measure avg. across classes", ("macro_f1",)),
    ("Value prediction", "MAE, MSE", ("mae", "mse")),
    ("Value prediction", "Macro Avg. MAE/MSE", ("macro_mae", "macro_mse")),
    (
        "Value prediction",
        "Weighted κ",
        ("weighted_kappa", "weighted_kappa(weights='quadratic')"),
    ),
    (
        "Value prediction",
        "Rennie & Srebro loss function",
        (
            "threshold_loss",
            "threshold_loss(penalty='logistic')",
            "threshold_loss(penalty='zero_one')",
        ),
    ),
    ("Value prediction", "Cosine similarity", ("cosine",)),
    ("Correlation", "Linear correlation", ("pearson",)),
    ("Correlation", "Ordinal: Kendall (tau-b), Spea.", ("kendall_tau_b", "spearman")),
    ("Correlation", "Kendall-(Tau-a)", ("kendall_tau_a",)),
    (
        "Correlation",
        "Reliability and Sensitivity",
        ("reliability", "sensitivity", "reliability_sensitivity"),
    ),
    (
        "Clustering",
        "MI, Purity and Inv. Purity",
        ("mutual_information", "purity", "inverse_purity"),
    ),
    ("Path based", "Ordinal Classification Index", ("ordinal_classification_index",)),
    ("CEM", "CEM NOM", ("cem_nom",)),
    ("CEM", "CEM INT", ("cem_int",)),
    ("CEM", "CEM ORD", ("cem_ord",)),
)


@dataclass(frozen=True, slots=True)
class Note:
    """A place where the paper's text, or its definitions, say otherwise than its table."""

    about: str
    text: str


NOTES = (
    Note(
        "Ordinal Classification Index",
        "The table ticks ordinal invariance; section 4.2 says that the index 'inherits the lack of invariance"
        " of MAE and MSE'. As defined by Cardoso and Sousa it measures distance in positions, which no "
        "increasing map changes, so the table is right; with the values in their place the text would be.",
    ),
    Note(
        "Weighted κ",
        "The table ticks monotonicity and imbalance without a condition; section 4.2 says that it 'can be "
        "monotonic whenever the accumulated weights are consistent with the ordinal structure' and 'can "
        "satisfy imbalance depending on the weighting scheme'. A move changes the margins and with them the "
        "agreement expected by chance, so neither linear nor quadratic weights have either property.",
    ),
    Note(
        "Kendall-(Tau-a)",
        "Section 4.2 says that in tau-a 'only discordant pairs are considered', and section 5 that it is "
        "computed 'without counting ties'. The usual definition, tested here, takes concordant less "
        "discordant pairs over all pairs.",
    ),
    Note(
        "Rennie & Srebro loss function",
        "Section 4.2 calls it 'grounded on category differences' like MAE. That holds for a penalty of the "
        "margin (hinge, logistic); with the penalty 0 or 1 the loss counts the thresholds between answer and "
        "gold, whatever the values, and is invariant.",
    ),
    Note(
        "Cosine similarity",
        "The table ticks monotonicity; neither section 4.2 nor appendix C argues for it.",
    ),
    Note(
        "Ordinal monotonicity",
        "Property 2's formula covers answers above gold only; the text, and the checks here, mean both sides."
        " Appendix B's counterexample leaves two classes of gold empty, says that all classification measures"
        " score both outputs alike, and does not hold for two of them: accuracy within 1 goes from 0 to 1, "
        "and Cohen's κ from -1/8 to -2/7.",
    ),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one row of the paper's table, with its verdicts."""

    family: str
    printed: str
    metric: str
    verdicts: Verdicts

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects."""
        return {
            "family": self.family,
            "row": self.printed,
            "metric": self.metric,
            "verdicts": [{**one.to_dict(), "agrees": one.agrees} for one in self.verdicts],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Table2:
    """Every row of the paper's table, its marks beside the verdicts."""

    rows: tuple[Row, ...]
    notes: tuple[Note, ...] = NOTES

    def refuted(self, *, agreeing: bool) -> Iterator[tuple[Row, Verdict]]:
        """Yield what is refuted, where the paper says the same, or where it does not."""
        for row in self.rows:
            for verdict in row.verdicts:
                if verdict.verdict == "refuted" and verdict.agrees is agreeing:
                    yield row, verdict

    @property
    def disagreements(self) -> tuple[Verdict, ...]:
        """The verdicts that differ from the paper's mark."""
        return tuple(v for row in self.rows for v in row.verdicts if v.agrees is False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects, with a schema number."""
        return {
            "schema": SCHEMA,
            "kind": "table2",
            "rows": [row.to_dict() for row in self.rows],
            "disagreements": [[v.metric, v.property] for v in self.disagreements],
            "notes": [{"about": note.about, "text": note.text} for note in self.notes],
        }

    def __repr__(self) -> str:
        marks = sum(len(row.verdicts) for row in self.rows)
        return f"Table2({len(self.rows)} measures, {marks} marks, {len(self.disagreements)} differ)"

    def __str__(self) -> str:
        table = [list(COLUMNS), *self.cells()]
        widths = [max(len(line[at]) for line in table) for at in range(len(COLUMNS))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        ]
        return "\n".join([*lines, "", LEGEND, *self.paragraphs()])

    def cells(self) -> list[list[str]]:
        """Return the table's rows; what is printed as one row may stand for several measures."""
        return [
            [row.family, row.printed, row.metric, *(marks(verdict) for verdict in row.verdicts)]
            for row in self.rows
        ]

    def paragraphs(self) -> Iterator[str]:
        """Yield what stands below the table, line by line."""
        for title, lines in self.sections():
            yield f"\n{title}"
            yield from (f"  {line}" for line in lines)

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the lists below the table: what differs, the other counterexamples, the notes."""
        differing = [told(v) for row in self.rows for v in row.verdicts if v.agrees is False]
        yield f"{len(differing)} marks differ", differing
        agreeing = [told(verdict) for _, verdict in self.refuted(agreeing=True)]
        yield "Counterexamples where paper and search agree", agreeing
        yield (
            "Where the paper's text says otherwise than its table",
            [f"{note.about}. {note.text}" for note in self.notes],
        )

    def to_markdown(self) -> str:
        """Return the table and the lists below it as Markdown."""
        rows = [[*line[:2], f"`{line[2]}`", *line[3:]] for line in self.cells()]
        lists = [
            f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines)
            for title, lines in self.sections()
        ]
        return "\n\n".join([markdown_table(COLUMNS, rows), LEGEND, *lists]) + "\n"

    def to_latex(self) -> str:
        """Return the table and the lists below it as LaTeX; the package booktabs is needed."""
        lists = [
            f"\\paragraph{{{latex_escaped(title)}}}\n\\begin{{itemize}}\n"
            + "\n".join(rf"\item {latex_escaped(line)}" for line in lines)
            + "\n\\end{itemize}"
            for title, lines in self.sections()
            if lines
        ]
        table = latex_table(COLUMNS, self.cells(), "lllccc")
        head = "% \\usepackage{booktabs}"
        return "\n\n".join([f"{head}\n{table}", latex_escaped(LEGEND), *lists]) + "\n"

    def _repr_html_(self) -> str:
        return f"{grid_html(COLUMNS, self.cells())}<p>{LEGEND}</p>"


def marks(verdict: Verdict) -> str:
    """Write the paper's mark and ours into one cell."""
    ours = {"holds": "✓", "refuted": "-", "undefined": "?"}[verdict.verdict]
    partly = "°" if verdict.verdict == "holds" and verdict.undefined else ""
    differs = " ≠" if verdict.agrees is False else ""
    return f"{'✓' if verdict.paper else '-'} {ours}{partly}{differs}"


def told(verdict: Verdict) -> str:
    """Say what was found, with the case in full."""
    case = f" ({verdict.counterexample})" if verdict.counterexample is not None else ""
    return f"{verdict.metric}, {verdict.property}: {verdict.sentence}{case}"


def table2(
    *,
    classes: int = 4,
    items: int = 6,
    imbalance_items: int = 30,
    progress: Callable[[SearchProgress], None] | None = None,
) -> Table2:
    """Check every measure of the paper's table 2 for the paper's three properties.

    >>> table2(items=4, imbalance_items=6).rows[0].verdicts["imbalance"].verdict
    'refuted'
    """
    rows = []
    for family, printed, metrics in ROWS:
        for metric in metrics:
            found = check(
                metric,
                properties=PAPER,
                classes=classes,
                items=items,
                imbalance_items=imbalance_items,
                progress=progress,
            )
            rows.append(Row(family, printed, metric, found))
    return Table2(tuple(rows))
