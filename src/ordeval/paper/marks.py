"""Table 2 of Amigó et al. 2020, which measure has which property: the paper's marks beside the verdicts of a search."""

from dataclasses import dataclass, replace
from typing import Any

from ordeval.aliases import Progress
from ordeval.formats.document import Section
from ordeval.formats.sheet import Sheet, text_sheet
from ordeval.paper.reproduction import Reproduction
from ordeval.progress import each
from ordeval.properties import PAPER, Verdict, Verdicts, check
from ordeval.properties.search import by_property

LEGEND = (
    "Each cell has the paper's mark, then ours: ✓ the property holds, - it does not. ≠ means that the two "
    "marks differ, ° that some cases are undefined and were not counted."
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
class Remark:
    """A place where the paper's text, or its definitions, contradict its table."""

    about: str
    text: str


NOTES = (
    Remark(
        "Ordinal Classification Index",
        "The table ticks ordinal invariance; section 4.2 says that the index 'inherits the lack of invariance"
        " of MAE and MSE'. As defined by Cardoso and Sousa it measures distance in positions, which no "
        "increasing map changes, so the table is right. If it used the class values, the text would be right.",
    ),
    Remark(
        "Weighted κ",
        "The table ticks monotonicity and imbalance without a condition; section 4.2 says that it 'can be "
        "monotonic whenever the accumulated weights are consistent with the ordinal structure' and 'can "
        "satisfy imbalance depending on the weighting scheme'. A move changes the margins and with them the "
        "agreement expected by chance, so neither linear nor quadratic weights have either property.",
    ),
    Remark(
        "Kendall-(Tau-a)",
        "Section 4.2 says that in tau-a 'only discordant pairs are considered', and section 5 that it is "
        "computed 'without counting ties'. The usual definition, tested here, takes concordant minus "
        "discordant pairs over all pairs.",
    ),
    Remark(
        "Rennie & Srebro loss function",
        "Section 4.2 calls it 'grounded on category differences' like MAE. That holds for a penalty of the "
        "margin (hinge, logistic); with the penalty 0 or 1 the loss counts the thresholds between answer and "
        "gold, whatever the values, and is invariant.",
    ),
    Remark(
        "Cosine similarity",
        "The table ticks monotonicity; neither section 4.2 nor appendix C argues for it.",
    ),
    Remark(
        "Ordinal monotonicity",
        "Property 2's formula covers answers above gold only; the text, and the checks here, mean both sides."
        " Appendix B's counterexample leaves two classes of gold empty, says that all classification measures"
        " score both outputs alike, and does not hold for two of them: accuracy within 1 goes from 0 to 1, "
        "and Cohen's κ from -1/8 to -2/7.",
    ),
)


@dataclass(frozen=True, slots=True)
class JudgedMeasure:
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


@dataclass(frozen=True, repr=False)
class Table2(Reproduction):
    """Every row of the paper's table, its marks beside the verdicts."""

    kind = "table2"
    title = "Table 2: which measure has which property"

    rows: tuple[JudgedMeasure, ...]
    notes: tuple[Remark, ...] = NOTES

    @property
    def disagreements(self) -> tuple[Verdict, ...]:
        """The verdicts that differ from the paper's mark."""
        return tuple(v for row in self.rows for v in row.verdicts if v.agrees is False)

    @property
    def counterexamples(self) -> tuple[Verdict, ...]:
        """The verdicts that refute a property which the paper also says that the measure lacks."""
        verdicts = (verdict for row in self.rows for verdict in row.verdicts)
        return tuple(v for v in verdicts if v.verdict == "refuted" and v.agrees)

    def content(self) -> dict[str, Any]:
        """Return rows, disagreements and notes, as JSON has them below its first keys."""
        return {
            "rows": [row.to_dict() for row in self.rows],
            "disagreements": [[v.metric, v.property] for v in self.disagreements],
            "notes": [{"about": note.about, "text": note.text} for note in self.notes],
        }

    def sheet(self) -> Sheet:
        """Return the table; one row of the paper may stand for several measures."""
        rows = [
            [row.family, row.printed, row.metric, *map(marks, row.verdicts)] for row in self.rows
        ]
        sheet = text_sheet(COLUMNS, rows, left=len(COLUMNS))
        columns = [replace(one, spare=at < 2) for at, one in enumerate(sheet.columns)]
        return replace(sheet, columns=columns, least=4)

    def sections(self) -> list[Section]:
        """Return the table, then three lists: the marks that differ, the other counterexamples, the notes."""
        differing = list(map(in_full, self.disagreements))
        agreeing = list(map(in_full, self.counterexamples))
        notes = [f"{note.about}. {note.text}" for note in self.notes]
        return [
            Section("", self.sheet(), note=LEGEND),
            Section(f"{len(differing)} marks that differ", items=differing),
            Section("Counterexamples where paper and search agree", items=agreeing),
            Section("Where the paper's text contradicts its table", items=notes),
        ]

    def __repr__(self) -> str:
        marks = sum(len(row.verdicts) for row in self.rows)
        return f"Table2({len(self.rows)} measures, {marks} marks, {len(self.disagreements)} differ)"


def marks(verdict: Verdict) -> str:
    """Return the paper's mark and ours for one cell."""
    ours = {"holds": "✓", "refuted": "-", "undefined": "?"}[verdict.verdict]
    partly = "°" if verdict.verdict == "holds" and verdict.undefined else ""
    differs = " ≠" if verdict.agrees is False else ""
    return f"{'✓' if verdict.paper else '-'} {ours}{partly}{differs}"


def in_full(verdict: Verdict) -> str:
    """Return a verdict in words, with its counterexample in full."""
    case = f" ({verdict.counterexample})" if verdict.counterexample is not None else ""
    return f"{verdict.metric}, {verdict.property}: {verdict.sentence}{case}"


def table2(
    *,
    classes: int = 4,
    items: int = 6,
    imbalance_items: int = 30,
    progress: Progress = None,
) -> Table2:
    """Check every measure of the paper's table 2 for the paper's three properties.

    >>> oe.paper.table2(items=4, imbalance_items=6).rows[0].verdicts["imbalance"].verdict
    'refuted'
    """
    rows = []
    listed = [(family, printed, metric) for family, printed, metrics in ROWS for metric in metrics]
    for (family, printed, metric), step in each(listed, progress):
        verdicts = check(
            metric,
            properties=PAPER,
            classes=classes,
            items=items,
            imbalance_items=imbalance_items,
            progress=by_property(step, PAPER),
        )
        rows.append(JudgedMeasure(family, printed, metric, verdicts))
    return Table2(tuple(rows))
