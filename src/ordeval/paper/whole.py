"""Every number of the paper that can be reproduced, on one page."""

from dataclasses import dataclass
from html import escape
from typing import Any

from ordeval.__about__ import __version__
from ordeval.paper.beside import Worked
from ordeval.paper.coverage_table import Table3, table3
from ordeval.paper.examples import appendix_a, chart, figure1
from ordeval.paper.marks import Table2, table2
from ordeval.paper.section54 import RobustnessFigures, robustness

SCHEMA = 1
TITLE = "The paper reproduced"
TABLE2 = "Table 2: which measure has which property"
STYLE = (
    "body{font-family:sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;"
    "display:block;overflow-x:auto}td,th{border:1px solid #ccc;padding:.2rem .5rem;font-size:.85rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}pre{background:#f6f6f6;padding:.5rem;overflow-x:auto}"
)


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """All reproductions together."""

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
            f"Formal Properties and Experimental Results' (ACL 2020): every number of it that can be reproduced, "
            f"beside ours. Written by ordeval {__version__} with: {self.how}"
        )

    @property
    def parts(self) -> dict[str, Any]:
        """The reproductions in the paper's order."""
        names = ("figure1", "appendix_a", "table2", "table3", "robustness")
        return {name: getattr(self, name) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        found = {name: part.to_dict() for name, part in self.parts.items()}
        return {"schema": SCHEMA, "kind": "reproduction", **found}

    def to_markdown(self) -> str:
        """Return the page as Markdown."""
        texts = [headed(part.to_markdown(), "## ") for part in self.parts.values()]
        return f"# {TITLE}\n\n{self.introduction}\n\n" + "\n".join(texts)

    def to_latex(self) -> str:
        """Return the page as LaTeX, to be put into a document."""
        return "\n\n".join(part.to_latex() for part in self.parts.values())

    def to_html(self) -> str:
        """Return the page as one self-contained HTML file."""
        second = f"<h2>{escape(TABLE2)}</h2>{self.table2._repr_html_()}"
        worked = f"{self.figure1.to_html()}<p>{chart()}</p>{self.appendix_a.to_html()}"
        body = f"{worked}{second}{self.table3.to_html()}{self.robustness.to_html()}"
        head = f'<meta charset="utf-8"><title>{escape(TITLE)}</title><style>{STYLE}</style>'
        top = f"<h1>{escape(TITLE)}</h1><p>{escape(self.introduction)}</p>"
        return (
            f'<!doctype html><html lang="en"><head>{head}</head><body>{top}{body}</body></html>\n'
        )

    def __repr__(self) -> str:
        return f"<page: {', '.join(map(repr, self.parts.values()))}>"

    def __str__(self) -> str:
        return "\n\n".join([TITLE, self.introduction, *map(str, self.parts.values())])

    def _repr_html_(self) -> str:
        return self.to_html()


def headed(text: str, mark: str) -> str:
    """Return Markdown under a heading of its own."""
    return text if text.lstrip().startswith("#") else f"{mark}{TABLE2}\n\n{text}"


def page(
    data: Any = None,
    *,
    seeds: int = 10,
    rng: int = 0,
    repeats: int = 10,
    resamples: int = 499,
    how: str = "oe.paper.page()",
    **options: Any,
) -> Page:
    """Reproduce everything; `data` is a folder of sets for the right half of table 3, `options` are those of table2."""
    third = table3(data, seeds=seeds, rng=rng, repeats=repeats, resamples=resamples)
    robust = robustness(seeds=seeds, rng=rng, sets=third.sets)
    return Page(figure1(), appendix_a(), table2(**options), third, robust, how)
