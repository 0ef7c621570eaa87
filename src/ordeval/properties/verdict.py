"""What a search found: the verdict on one property, and all verdicts on one measure."""

import builtins  # a verdict has a field `property`
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, overload

from ordeval.properties.words import label_text

SCHEMA = 1
Outcome = Literal["holds", "refuted", "undefined"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A case as lists of labels: gold, the output that should score better (or equally), the other, and both values.

    `gold_worse` is the gold standard of the second side where it is another one than that of the first: the classes
    were renamed, or the sides exchanged.
    """

    gold: tuple[Any, ...]
    better: tuple[Any, ...]
    worse: tuple[Any, ...]
    values: tuple[float, float]
    sentence: str
    gold_worse: tuple[Any, ...] | None = None
    labels: tuple[Any, ...] = ()
    labels_worse: tuple[Any, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects; an undefined value is None."""
        other = self.gold_worse is not None
        return {
            "gold": list(self.gold),
            "better": list(self.better),
            "worse": list(self.worse),
            "values": [None if math.isnan(value) else value for value in self.values],
            "sentence": self.sentence,
            "labels": list(self.labels),
            "gold_worse": list(self.gold_worse) if self.gold_worse is not None else None,
            "labels_worse": list(self.labels_worse or self.labels) if other else None,
        }

    def __str__(self) -> str:
        if self.gold_worse is None:
            lists = {"gold": self.gold, "better": self.better, "worse": self.worse}
            return ", ".join(f"{name} {label_text(labels)}" for name, labels in lists.items())
        return (
            f"gold {label_text(self.gold)}, output {label_text(self.better)}, against "
            f"gold {label_text(self.gold_worse)}, output {label_text(self.worse)}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """Whether a property holds on all cases up to a size, or the smallest case on which it does not.

    `checked` counts the cases with a defined value on both sides, `undefined` the others: those are neither for nor
    against the property, and `undefined_example` is the smallest of them. The verdict is "undefined" where no case at
    all had a value. `complete` is False where the time ran out, at `reached` (items, classes).
    """

    metric: str
    property: str
    verdict: Outcome
    checked: int
    classes: int
    items: int
    paper: bool | None = None
    counterexample: Counterexample | None = None
    undefined: int = 0
    undefined_example: Counterexample | None = None
    complete: bool = True
    reached: tuple[int, int] | None = None
    reason: str | None = None

    @builtins.property
    def agrees(self) -> bool | None:
        """Whether the paper's mark says the same; None where there is no mark, or no verdict."""
        if self.paper is None or self.verdict == "undefined":
            return None
        return self.paper == (self.verdict == "holds")

    @builtins.property
    def sentence(self) -> str:
        """The finding in words."""
        if self.counterexample is not None:
            return self.counterexample.sentence
        if self.verdict == "undefined":
            return self.reason or "no case of this size has a defined value on both sides"
        cases = f"{self.checked:,} case{'' if self.checked == 1 else 's'}"
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

    def __repr__(self) -> str:
        return f"<{self.property} of {self.metric}: {self.verdict}, {self.checked:,} cases>"

    def __str__(self) -> str:
        return f"{self.property}: {self.verdict}. {self.sentence}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdicts(Sequence[Verdict]):
    """The verdicts on one measure, in the order asked for; also by the property's name."""

    metric: str
    verdicts: tuple[Verdict, ...]

    @overload
    def __getitem__(self, at: int | str) -> Verdict: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, at: int | str | slice) -> Verdict | tuple[Verdict, ...]:
        """Return a verdict by its place or by the property's name."""
        if isinstance(at, str):
            by_name = {verdict.property: verdict for verdict in self.verdicts}
            if at not in by_name:
                raise KeyError(f"no verdict on {at!r}; there are {', '.join(by_name)}.")
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
        """Return plain Python objects, with a schema number."""
        verdicts = [verdict.to_dict() for verdict in self.verdicts]
        return {"schema": SCHEMA, "kind": "verdicts", "metric": self.metric, "verdicts": verdicts}

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{one.property}={one.verdict}" for one in self.verdicts)
        return f"Verdicts({self.metric}: {outcomes})"

    def __str__(self) -> str:
        width = max((len(verdict.property) for verdict in self.verdicts), default=0)
        lines = [
            f"{verdict.property:<{width}}  {verdict.verdict:<9}  {verdict.sentence}"
            for verdict in self.verdicts
        ]
        return "\n".join([self.metric, *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>"
            + "".join(f"<td>{escape(t)}</td>" for t in (v.property, v.verdict, v.sentence))
            + "</tr>"
            for v in self.verdicts
        )
        head = "<tr><th>property</th><th>verdict</th><th>what was found</th></tr>"
        caption = f"<caption>{escape(self.metric)}</caption>"
        return f"<table>{caption}<thead>{head}</thead><tbody>{rows}</tbody></table>"
