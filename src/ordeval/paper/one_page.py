"""Every number of the paper that can be reproduced, on one page."""

from dataclasses import dataclass
from typing import Any

from ordeval.__about__ import __version__
from ordeval.aliases import Progress
from ordeval.formats.document import Document, Section
from ordeval.formats.html import escape
from ordeval.formats.json import SCHEMA, ready
from ordeval.formats.long_page import condensed
from ordeval.formats.sheet import Sheet
from ordeval.paper.coverage_table import Table3, table3
from ordeval.paper.examples import appendix_a, figure1
from ordeval.paper.findings import main_findings
from ordeval.paper.marks import Table2, table2
from ordeval.paper.reproduction import Reproduction, Worked
from ordeval.paper.section54 import RobustnessFigures, robustness
from ordeval.progress import portion

STYLE = (
    "body{font-family:sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;"
    "display:block;overflow-x:auto}td,th{border:1px solid #ccc;padding:.2rem .5rem;font-size:.85rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}pre{background:#f6f6f6;padding:.5rem;overflow-x:auto}"
)


@dataclass(frozen=True, eq=False, repr=False)
class Page(Reproduction):
    """All reproductions together."""

    kind = "reproduction"
    title = "The paper reproduced"
    level = 1

    figure1: Worked
    appendix_a: Worked
    table2: Table2
    table3: Table3
    robustness: RobustnessFigures
    how: str  # the command or call that made it

    @property
    def introduction(self) -> str:
        """What the page is and what made it."""
        return (
            f"Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz, 'An Effectiveness Metric for Ordinal Classification: "
            f"Formal Properties and Experimental Results' (ACL 2020): every number of the paper that can be "
            f"reproduced, compared with ours. Written by ordeval {__version__} with: {self.how}"
        )

    @property
    def parts(self) -> dict[str, Reproduction]:
        """The reproductions in the paper's order."""
        names = ("figure1", "appendix_a", "table2", "table3", "robustness")
        return {name: getattr(self, name) for name in names}

    def sheet(self) -> Sheet:
        """Return the main table: the left half of table 3."""
        return self.table3.sheet()

    def sections(self) -> list[Section]:
        """Return the sections of all parts, one after the other."""
        return [section for part in self.parts.values() for section in part.sections()]

    def document(self) -> Document:
        """Return the parts as documents below one title."""
        parts = [part.document() for part in self.parts.values()]
        return Document(self.title, parts, self.introduction)

    def content(self) -> dict[str, Any]:
        """Return the numbers of every part, as JSON has them below its first keys."""
        return {
            name: {"schema": SCHEMA, "kind": part.kind, **ready(part.content())}
            for name, part in self.parts.items()
        }

    @property
    def summary(self) -> list[str]:
        """What was found, in one or two sentences for each part."""
        marks = sum(len(row.verdicts) for row in self.table2.rows)
        differ = len(self.table2.disagreements)
        held = [one.holds for one in self.robustness.statements] if self.robustness.sets else []
        return [
            f"Figure 1: {self.figure1.summary}. Appendix A: {self.appendix_a.summary}.",
            f"Table 2: {marks - differ} of {marks} marks are confirmed; {differ} differ, as explained below.",
            *(f"Table 3: {sentence}" for sentence in main_findings(self.table3)),
            *(
                [
                    f"Section 5.4: {sum(held)} of its {len(held)} statements about robustness hold on our sets."
                ]
                if held
                else []
            ),
        ]

    def to_markdown(self) -> str:
        """Return the page in Markdown, with a summary and contents on top and long tables folded."""
        return condensed(super().to_markdown(), self.summary)

    def to_latex(self) -> str:  # type: ignore[override]
        """Return the parts in LaTeX, to be put into a document."""
        return "\n".join(part.to_latex() for part in self.parts.values())

    def to_html(self) -> str:
        """Return the page as one self-contained HTML file."""
        head = f'<meta charset="utf-8"><title>{escape(self.title)}</title><style>{STYLE}</style>'
        body = self.document().to_html(self.level)
        return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'

    def __repr__(self) -> str:
        return f"<page: {', '.join(map(repr, self.parts.values()))}>"


def page(
    data: Any = None,
    *,
    seeds: int = 10,
    rng: int = 0,
    repeats: int = 10,
    resamples: int = 499,
    how: str = "oe.paper.page()",
    progress: Progress = None,
    **options: Any,
) -> Page:
    """Reproduce everything; `data` is a folder of sets for the right half of table 3, `options` are those of table2.

    >>> oe.paper.page(seeds=1, resamples=0, classes=3, items=3, imbalance_items=4).table2
    Table2(29 measures, 87 marks, 12 differ)
    """
    third = table3(
        data, seeds=seeds, rng=rng, repeats=repeats, resamples=resamples,
        progress=portion(progress, 0, 0.5),
    )  # fmt: skip
    robust = robustness(seeds=seeds, rng=rng, sets=third.sets, progress=portion(progress, 0.5, 0.7))
    marks = table2(progress=portion(progress, 0.7, 1), **options)
    return Page(figure1(), appendix_a(), marks, third, robust, how)
