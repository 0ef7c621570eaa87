"""The results of a search: the verdict on one property, and all verdicts on one or more measures."""

import builtins  # a verdict has a field `property`
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

from ordeval.formats.document import Document, Section
from ordeval.formats.json import head, ready
from ordeval.formats.numbers import counted
from ordeval.formats.result import Result
from ordeval.formats.sheet import CSV, PEOPLE, Column, Kind, Sheet, value_sheet
from ordeval.properties.words import spaced

Outcome = Literal["holds", "refuted", "undefined"]
BY_THE_PAPER = {True: "holds", False: "fails", None: ""}


@dataclass(frozen=True, slots=True)
class Counterexample:
    """One case, as lists of labels: the output that should score higher (or equally), the other one, and both values.

    `gold_worse` is the gold standard of the second side where it differs from that of the first: the classes were
    renamed, or the sides exchanged.

    >>> case = oe.properties.check("accuracy")["ordinal_monotonicity"].counterexample
    >>> case.gold, case.worse, case.better
    ((1, 2, 3), (1, 1, 1), (1, 1, 2))
    >>> case.values
    (0.3333333333333333, 0.3333333333333333)
    """

    gold: tuple[Any, ...]  # the gold labels
    better: tuple[Any, ...]  # the output that should score better
    worse: tuple[Any, ...]  # the other output
    values: tuple[float, float]  # the values of both
    sentence: str  # what happened, in words
    gold_worse: tuple[Any, ...] | None = None  # the gold labels of the other side, if they differ
    labels: tuple[Any, ...] = ()  # the classes, lowest first
    labels_worse: tuple[Any, ...] | None = None  # the classes of the other side, if they differ

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects; an undefined value is None."""
        other = self.gold_worse is not None
        return {
            "gold": list(self.gold),
            "better": list(self.better),
            "worse": list(self.worse),
            "values": ready(self.values),
            "sentence": self.sentence,
            "labels": list(self.labels),
            "gold_worse": list(self.gold_worse) if self.gold_worse is not None else None,
            "labels_worse": list(self.labels_worse or self.labels) if other else None,
        }

    def __str__(self) -> str:
        if self.gold_worse is None:
            lists = {"gold": self.gold, "better": self.better, "worse": self.worse}
            return ", ".join(f"{name} {spaced(labels)}" for name, labels in lists.items())
        return (
            f"gold {spaced(self.gold)}, output {spaced(self.better)}, against "
            f"gold {spaced(self.gold_worse)}, output {spaced(self.worse)}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """Whether a property holds on all cases up to a size, or the smallest case on which it does not.

    `checked` counts the cases with a defined value on both sides, `undefined` the others: those are neither for nor
    against the property, and `undefined_example` is the smallest of them. The verdict is "undefined" where no case at
    all had a value. `complete` is False where the time ran out, at `reached` (items, classes).

    >>> verdict = oe.properties.check("accuracy", items=3)["ordinal_monotonicity"]
    >>> verdict.verdict, verdict.agrees
    ('refuted', True)
    """

    metric: str  # the measure
    property: str  # the property
    verdict: Outcome  # "holds", "refuted" or "undefined"
    checked: int  # the cases with a value on both sides
    classes: int  # the largest number of classes
    items: int  # the largest number of items
    paper: bool | None = None  # the mark in the paper's table 2
    counterexample: Counterexample | None = None  # the smallest case that breaks it
    undefined: int = 0  # the cases without a value
    undefined_example: Counterexample | None = None  # the smallest of these
    complete: bool = True  # whether the search came to its end
    reached: tuple[int, int] | None = None  # items and classes where the time ran out
    reason: str | None = None  # why nothing could be checked

    @builtins.property
    def agrees(self) -> bool | None:
        """Whether the paper's mark says the same; None where there is no mark, or no verdict."""
        if self.paper is None or self.verdict == "undefined":
            return None
        return self.paper == (self.verdict == "holds")

    @builtins.property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.counterexample is not None:
            return self.counterexample.sentence
        if self.verdict == "undefined":
            return self.reason or "no case of this size has a defined value on both sides"
        cases = counted(self.checked, "case")
        text = f"holds on {cases}, up to {self.items} items and {self.classes} classes"
        if not self.complete:
            n, k = self.reached or (0, 0)
            text = f"holds on {cases}; the time ran out at {n} items of {k} classes"
        if self.undefined:
            text += f"; {self.undefined:,} more are undefined and count neither way"
        return text

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects."""
        shown = self.counterexample, self.undefined_example
        example, undefined = (None if one is None else one.to_dict() for one in shown)
        return {
            "metric": self.metric,
            "property": self.property,
            "verdict": self.verdict,
            "checked": self.checked,
            "classes": self.classes,
            "items": self.items,
            "paper": self.paper,
            "counterexample": example,
            "undefined": self.undefined,
            "undefined_example": undefined,
            "complete": self.complete,
            "reached": None if self.reached is None else list(self.reached),
            "sentence": self.sentence,
            "reason": self.reason,
        }

    @builtins.property
    def mark(self) -> str:
        """The paper's mark in a word, with a sign where the verdict differs."""
        return BY_THE_PAPER[self.paper] + (" ≠" if self.agrees is False else "")

    def details(self) -> Iterator[str]:
        """Yield the verdict in words, then the cases that show it."""
        yield self.sentence
        if self.counterexample is not None:
            yield str(self.counterexample)
        if self.undefined_example is not None:
            first = f"the first at {self.undefined_example}: {self.reason}"
            yield f"{self.undefined:,} undefined, {first}"

    def __repr__(self) -> str:
        return f"<{self.property} of {self.metric}: {self.verdict}, {self.checked:,} cases>"

    def __str__(self) -> str:
        # the sentence of a property that holds says so itself
        verdict = "" if self.verdict == "holds" else f"{self.verdict}. "
        return f"{self.property}: {verdict}{self.sentence}"


@dataclass(frozen=True, repr=False)
class Verdicts(Result, Sequence[Verdict]):
    """The verdicts on one or more measures, in the order asked for; those on one measure also by the property's name.

    Verdicts on several measures are the sum of those on each.

    >>> both = oe.properties.check("accuracy", items=3) + oe.properties.check(
    ...     "mae", items=3
    ... )
    >>> both.metrics, both["mae", "imbalance"].verdict
    (('accuracy', 'mae'), 'refuted')
    """

    verdicts: tuple[Verdict, ...]  # the verdicts, in the order asked for

    @property
    def metrics(self) -> tuple[str, ...]:
        """The measures that were checked, in order."""
        return tuple(dict.fromkeys(verdict.metric for verdict in self.verdicts))

    @property
    def metric(self) -> str | None:
        """The measure that was checked; None if there are several."""
        return self.metrics[0] if len(self.metrics) == 1 else None

    def of(self, metric: str) -> "Verdicts":
        """Return the verdicts on one measure."""
        return Verdicts(tuple(one for one in self.verdicts if one.metric == metric))

    def __add__(self, other: "Verdicts") -> "Verdicts":
        return Verdicts(self.verdicts + other.verdicts)

    @overload
    def __getitem__(self, at: int | str | tuple[str, str]) -> Verdict: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, at: int | str | tuple[str, str] | slice) -> Verdict | tuple[Verdict, ...]:
        """Return a verdict by its place, by the property's name, or by the names of measure and property."""
        if isinstance(at, str):
            if self.metric is None:
                example = f"[{self.metrics[0]!r}, {at!r}]"
                raise KeyError(f"there are several measures; ask for one of them, as in {example}.")
            at = self.metric, at
        if isinstance(at, tuple):
            by_name = {(one.metric, one.property): one for one in self.verdicts}
            if at not in by_name:
                names = ", ".join(dict.fromkeys(one.property for one in self.verdicts))
                raise KeyError(f"no verdict on {at[1]!r} of {at[0]}; there are {names}.")
            return by_name[at]
        return self.verdicts[at]

    def __len__(self) -> int:
        return len(self.verdicts)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    @property
    def complete(self) -> bool:
        """Whether every search went up to the sizes asked for."""
        return all(verdict.complete for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        verdicts = [verdict.to_dict() for verdict in self.verdicts]
        content = {"kind": "verdicts", "metric": self.metric, "verdicts": verdicts}
        return {**head("properties"), **content}

    def sheet(self) -> Sheet:
        """Return a row for each verdict."""
        unlike = any(verdict.agrees is False for verdict in self.verdicts)
        differs = "≠: the paper says otherwise than the search." if unlike else ""
        columns = [
            Column("measure", key="metric"),
            Column("property"),
            Column("verdict"),
            Column("cases", Kind.COUNT, key="checked"),
            Column("undefined", Kind.COUNT, forms=CSV),
            Column("complete", forms=CSV),
            Column("paper", forms=PEOPLE, meaning=differs),
            Column("paper", forms=CSV),
            *(Column(name, forms=CSV) for name in ("gold", "better", "worse", "gold_worse")),
            *(Column(f"value_{side}", Kind.NUMBER, forms=CSV) for side in ("better", "worse")),
            # a terminal shows it below the table, with the cases in full
            Column("what was found", prose=True, key="sentence", forms=PEOPLE - {"text"} | CSV),
        ]
        return value_sheet(columns, map(row_of, self.verdicts))

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Return the table for a terminal, and below it each verdict in full, with its counterexample."""
        sections = [Section("", sheet=self.sheet())]
        for metric in self.metrics:
            lines = []
            for verdict in self.of(metric):
                lines.append(f"{verdict.property}: {verdict.verdict}")
                lines += [f"  {line}" for line in verdict.details()]
            sections.append(Section(metric, items=lines))
        return Document("", sections).to_text(width=width, colour=colour)

    def __repr__(self) -> str:
        shown = [
            f"{metric}: " + ", ".join(f"{one.property}={one.verdict}" for one in self.of(metric))
            for metric in self.metrics
        ]
        return f"Verdicts({'; '.join(shown)})"


def row_of(verdict: Verdict) -> Iterable[Any]:
    """Return the cells of a verdict, in the order of the columns."""
    case = verdict.counterexample
    lists = (None,) * 4 if case is None else (case.gold, case.better, case.worse, case.gold_worse)
    return (
        verdict.metric,
        verdict.property,
        verdict.verdict,
        verdict.checked,
        verdict.undefined,
        str(verdict.complete).lower(),
        verdict.mark,
        "" if verdict.paper is None else str(verdict.paper).lower(),
        *("" if labels is None else spaced(labels) for labels in lists),
        *(("", "") if case is None else case.values),
        verdict.sentence,
    )
