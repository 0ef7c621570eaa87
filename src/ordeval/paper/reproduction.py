"""A part of the paper, computed again: sections for people, numbers for programs, printed numbers and ours."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ordeval.formats.document import Document, Section
from ordeval.formats.json import head, ready
from ordeval.formats.numbers import number
from ordeval.formats.result import Result
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet

PRINTED_DIGITS = 2  # decimals of the paper's numbers
YES_OR_NO = {True: "yes", False: "no"}
HOLDS = {True: "holds", False: "does not hold"}


class Reproduction(Result):
    """A part of the paper: a document in every form that people read, a dictionary for programs."""

    kind: str  # the kind that JSON states
    title: str
    level: ClassVar[int] = 2  # of the title among a page's headings

    @abstractmethod
    def sections(self) -> Sequence[Section]:
        """Return the sections in order."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """Return the numbers, as JSON has them below its first keys."""

    def document(self) -> Document:
        """Return the sections below their title."""
        return Document(self.title, self.sections())

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python objects."""
        return {**head("reproduce"), "kind": self.kind, **ready(self.content())}

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Return the document for a terminal of a width; None: as wide as it needs."""
        return self.document().to_text(width=width, colour=colour)

    def to_markdown(self) -> str:
        """Return the document in Markdown."""
        return self.document().to_markdown(self.level)

    def to_latex(self) -> str:  # type: ignore[override] # a document has no label
        """Return the document in LaTeX; the packages booktabs and textcomp are needed."""
        return self.document().to_latex()

    def to_html(self) -> str:
        """Return the document in HTML, escaped."""
        return self.document().to_html(self.level)

    def _repr_html_(self) -> str:
        return self.to_html()


def three_numbers(paper: float, ours: float) -> str:
    """Return a printed number, ours, and ours minus it, for one cell."""
    difference = number(ours - paper, PRINTED_DIGITS, sign=True)
    return f"{number(paper, PRINTED_DIGITS)} {number(ours, PRINTED_DIGITS)} {difference}"


@dataclass(frozen=True)
class Entry:
    """One printed number, and ours."""

    what: str
    paper: float
    ours: float

    @property
    def difference(self) -> float:
        """Ours minus the paper's."""
        return self.ours - self.paper

    @property
    def agrees(self) -> bool:
        """Whether ours, rounded as the paper rounds, is the printed number."""
        return bool(round(self.ours, PRINTED_DIGITS) == round(self.paper, PRINTED_DIGITS))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain Python objects."""
        values = {"paper": self.paper, "ours": self.ours, "difference": self.difference}
        return {"what": self.what, **values, "agrees": self.agrees}


@dataclass(frozen=True)
class Conclusion:
    """One statement of the paper, whether it holds on other data, and the numbers that show it."""

    what: str
    holds: bool
    evidence: str


@dataclass(frozen=True, eq=False, repr=False)
class Worked(Reproduction):
    """An example of the paper, step by step, with every printed number beside ours."""

    kind: str
    title: str
    entries: tuple[Entry, ...]
    steps: tuple[Section, ...]
    picture: str = ""  # SVG

    @property
    def agrees(self) -> bool:
        """Whether every printed number is reproduced."""
        return all(entry.agrees for entry in self.entries)

    @property
    def summary(self) -> str:
        """How many of the printed numbers are reproduced."""
        right = sum(entry.agrees for entry in self.entries)
        return f"{right} of {len(self.entries)} printed numbers are reproduced"

    def sheet(self) -> Sheet:
        """Return the printed numbers beside ours."""
        finer = PRINTED_DIGITS + 3
        columns = [
            Column("", key="what"),
            Column("paper", Kind.NUMBER, digits=PRINTED_DIGITS),
            Column("ours", Kind.NUMBER, digits=finer),
            Column("difference", Kind.NUMBER, digits=finer, sign=True),
            Column("agrees"),
        ]
        rows = [
            (one.what, one.paper, float(one.ours), float(one.difference), YES_OR_NO[one.agrees])
            for one in self.entries
        ]
        return value_sheet(columns, rows)

    def sections(self) -> list[Section]:
        """Return the steps, the printed numbers beside ours, and the picture, if there is one."""
        title = "The printed numbers and ours"
        comparison = Section(title, self.sheet(), note=f"{self.summary}.")
        return [*self.steps, comparison, Section("", picture=self.picture)]

    def content(self) -> dict[str, Any]:
        """Return the numbers, as JSON has them below its first keys."""
        notes = [step.note for step in self.steps if step.note]
        return {
            "title": self.title,
            "notes": notes,
            "entries": [entry.to_dict() for entry in self.entries],
        }

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.summary}>"
