"""A printed number beside ours."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from ordeval.formats.old_layout import latex_escaped
from ordeval.meta.display import grid_html, grid_markdown, grid_text, number
from ordeval.paper.markup import latex_table

SCHEMA = 1


def plainly(content: Any) -> Any:
    """Return nested content as plain Python objects: NumPy's numbers as Python's, NaN as None."""
    if isinstance(content, dict):
        return {key: plainly(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [plainly(value) for value in content]
    if isinstance(content, np.generic):
        content = content.item()
    return None if isinstance(content, float) and math.isnan(content) else content


@dataclass(frozen=True)
class Entry:
    """One printed number, and ours."""

    what: str
    paper: float
    ours: float
    decimals: int = 2

    @property
    def difference(self) -> float:
        """Ours less the paper's."""
        return self.ours - self.paper

    @property
    def agrees(self) -> bool:
        """Whether ours, rounded as the paper rounds, is the printed number."""
        return bool(round(self.ours, self.decimals) == round(self.paper, self.decimals))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""
        values = {"paper": self.paper, "ours": self.ours, "difference": self.difference}
        return {"what": self.what, **values, "agrees": self.agrees}


@dataclass(frozen=True)
class Section:
    """A heading, a table, and what it says; `block` is text whose lines stay as they are."""

    title: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    note: str = ""
    block: str = ""

    def text(self) -> str:
        """Write it for a terminal."""
        parts = [
            self.title,
            grid_text(self.columns, self.rows) if self.columns else "",
            self.block,
            self.note,
        ]
        return "\n".join(part for part in parts if part)

    def markdown(self, level: int = 3) -> str:
        """Write it for a page."""
        block = f"```text\n{self.block}\n```" if self.block else ""
        table = grid_markdown(self.columns, self.rows) if self.columns else ""
        return "\n\n".join(
            part for part in [f"{'#' * level} {self.title}", table, block, self.note] if part
        )

    def latex(self) -> str:
        """Write it for a paper."""
        form = "l" + "r" * (len(self.columns) - 1)
        table = latex_table(self.columns, self.rows, form) if self.columns else ""
        plain = self.block.replace("█", "#")  # verbatim escapes nothing, and LaTeX lacks the bar
        block = "\\begin{verbatim}\n" + plain + "\n\\end{verbatim}" if plain else ""
        parts = [
            rf"\subsection*{{{latex_escaped(self.title)}}}",
            table,
            block,
            latex_escaped(self.note),
        ]
        return "\n\n".join(part for part in parts if part)

    def html(self, level: int = 3) -> str:
        """Write it as HTML, escaped."""
        table = grid_html(self.columns, self.rows) if self.columns else ""
        block = f"<pre>{escape(self.block)}</pre>" if self.block else ""
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return f"<h{level}>{escape(self.title)}</h{level}>{table}{block}{note}"


class Reproduction(ABC):
    """A part of the paper, as sections, written in every form there is."""

    title: str

    @abstractmethod
    def parts(self) -> list[Section]:
        """Return the sections in order."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python objects."""

    def to_markdown(self, level: int = 2) -> str:
        """Return it as Markdown."""
        sections = [part.markdown(level + 1) for part in self.parts()]
        return "\n\n".join([f"{'#' * level} {self.title}", *sections]) + "\n"

    def to_html(self, level: int = 2) -> str:
        """Return it as HTML."""
        sections = "".join(part.html(level + 1) for part in self.parts())
        return f"<h{level}>{escape(self.title)}</h{level}>{sections}"

    def to_latex(self) -> str:
        """Return it as LaTeX; the packages booktabs and textcomp are needed."""
        return "\n\n".join(
            [
                rf"\section*{{{latex_escaped(self.title)}}}",
                *(part.latex() for part in self.parts()),
            ]
        )

    def __str__(self) -> str:
        return "\n\n".join([self.title, *(part.text() for part in self.parts())])

    def _repr_html_(self) -> str:
        return self.to_html()


@dataclass(frozen=True, eq=False, repr=False)
class Worked(Reproduction):
    """An example of the paper, step by step, with every printed number beside ours."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    sections: tuple[Section, ...]

    @property
    def agrees(self) -> bool:
        """Whether every printed number comes out."""
        return all(entry.agrees for entry in self.entries)

    def comparison(self) -> Section:
        """Return the table of printed numbers beside ours."""
        rows = [
            [
                one.what,
                number(one.paper, one.decimals),
                f"{one.ours:.{one.decimals + 3}f}",
                number(one.difference, one.decimals + 3, sign=True),
                "yes" if one.agrees else "no",
            ]
            for one in self.entries
        ]
        right = sum(one.agrees for one in self.entries)
        note = f"{right} of {len(self.entries)} printed numbers come out."
        columns = ["", "paper", "ours", "difference", "agrees"]
        return Section("The printed numbers beside ours", columns, rows, note)

    def parts(self) -> list[Section]:
        """Return the steps, then the comparison."""
        return [*self.sections, self.comparison()]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python objects."""
        entries = [entry.to_dict() for entry in self.entries]
        notes = [part.note for part in self.sections if part.note]
        content = {
            "schema": SCHEMA,
            "kind": self.name,
            "title": self.title,
            "notes": notes,
            "entries": entries,
        }
        return dict(plainly(content))

    def __repr__(self) -> str:
        right = sum(one.agrees for one in self.entries)
        return f"<{self.name}: {right} of {len(self.entries)} printed numbers come out>"
