"""Every number of the paper that can be reproduced, on one page."""

from dataclasses import dataclass
from html import escape
from typing import Any

from ordeval.__about__ import __version__
from ordeval.paper.beside import Worked
from ordeval.paper.coverage_table import Table3, table3
from ordeval.paper.examples import appendix_a, chart, figure1
from ordeval.paper.marks import table2
from ordeval.paper.section54 import RobustnessFigures, robustness

__all__ = ["Page", "page"]

SCHEMA = 1
TITLE = "The paper reproduced"
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
    table2: Any
    table3: Table3
    robustness: RobustnessFigures
    how: str  # the command or call that made it

    @property
    def introduction(self) -> str:
        """What the page is and what made it."""
        return (
            f"Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz, 'An Effectiveness Metric for Ordinal "
            f"Classification: Formal "
            f"Properties and Experimental Results' (ACL 2020): every number of it that can be reproduced, beside ours. "
            f"Written by ordeval {__version__} with: {self.how}"
        )

    @property
    def parts(self) -> tuple[Any, ...]:
        """The reproductions in the paper's order."""
        return self.figure1, self.appendix_a, self.table2, self.table3, self.robustness

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        named = ("figure1", "appendix_a", "table2", "table3", "robustness")
        return {"schema": SCHEMA, "kind": "reproduction"} | {
            name: part.to_dict() for name, part in zip(named, self.parts, strict=True)
        }

    def to_markdown(self) -> str:
        """Return the page as Markdown."""
        return f"# {TITLE}\n\n{self.introduction}\n\n" + "\n".join(
            section_markdown(part) for part in self.parts
        )

    def to_html(self) -> str:
        """Return the page as one self-contained HTML file."""
        body = [
            self.figure1.to_html(),
            f"<p>{chart()}</p>",
            *(section_html(part) for part in self.parts[1:]),
        ]
        head = f'<meta charset="utf-8"><title>{escape(TITLE)}</title><style>{STYLE}</style>'
        top = f"<h1>{escape(TITLE)}</h1><p>{escape(self.introduction)}</p>"
        return f'<!doctype html><html lang="en"><head>{head}</head><body>{top}{"".join(body)}</body></html>\n'

    def __repr__(self) -> str:
        return f"<page: {', '.join(map(repr, self.parts))}>"

    def __str__(self) -> str:
        return "\n\n".join([TITLE, self.introduction, *(str(part) for part in self.parts)])

    def _repr_html_(self) -> str:
        return self.to_html()


def section_markdown(part: Any) -> str:
    """Return one reproduction as Markdown, under a heading of the second level."""
    text: str = part.to_markdown()
    return (
        text
        if text.lstrip().startswith("#")
        else f"## Table 2: which measure has which property\n\n{text}"
    )


def section_html(part: Any) -> str:
    """Return one reproduction as HTML, under a heading."""
    if hasattr(part, "to_html"):
        return str(part.to_html())
    return f"<h2>Table 2: which measure has which property</h2>{part._repr_html_()}"


def page(
    data: Any = None,
    *,
    seeds: int = 10,
    rng: int = 0,
    repeats: int = 10,
    resamples: int = 499,
    how: str = "oe.paper.page()",
    **table2_options: Any,
) -> Page:
    """Reproduce everything; `data` is a folder of sets for the right half of table 3."""
    third = table3(data, seeds=seeds, rng=rng, repeats=repeats, resamples=resamples)
    return Page(
        figure1(),
        appendix_a(),
        table2(**table2_options),
        third,
        robustness(seeds=seeds, rng=rng, sets=third.sets),
        how,
    )
