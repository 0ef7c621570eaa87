"""The result of `oe.decide.sets`: sets of neighbouring classes, how often they hold the gold class, and their size."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_number, is_whole
from ordeval.comparison.about import scale_content
from ordeval.decide.conformal import least_items, rank, spans
from ordeval.decide.held_out import label_array
from ordeval.decide.reading import columns_for
from ordeval.decide.stored import EXPECTED, read_rule, stored_scale
from ordeval.errors import DataError, flag
from ordeval.formats import numbers
from ordeval.formats.json import head
from ordeval.formats.names import clean
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.scale import Scale

KIND = "sets"
UNEVEN = 0.05  # a class is named if sets hold it less often than promised by more than this
ENOUGH = 20  # items of a class from which it is named


@dataclass(frozen=True, slots=True)
class ClassCoverage:
    """The items of a gold class: their number, how many of their sets hold it, and how many classes these sets have.

    >>> rows = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]] * 10
    >>> found = oe.decide.sets(rows, [1, 3, 3, 1] * 10, level=0.8, labels=[1, 2, 3])
    >>> lowest = found.classes[0]
    >>> lowest.items, lowest.held, lowest.coverage
    (20, 20, 1.0)
    """

    items: int  # the number of items
    held: int  # how many of their sets hold the gold class
    classes: int  # how many classes these sets have in all

    @property
    def coverage(self) -> float:
        """The share of sets that hold the gold class; NaN without items."""
        return self.held / self.items if self.items else math.nan

    @property
    def size(self) -> float:
        """The mean number of classes in a set; NaN without items."""
        return self.classes / self.items if self.items else math.nan

    def __add__(self, other: "ClassCoverage") -> "ClassCoverage":
        return ClassCoverage(
            self.items + other.items, self.held + other.held, self.classes + other.classes
        )


@dataclass(frozen=True, eq=False, repr=False)
class PredictionSets(Result):
    """Sets of neighbouring classes that hold the gold class with the probability `level`; `predict` gives them.

    A class is in the set of an item if the probability of the set before the class joins it is at most the class's one
    of the `thresholds`, which is infinite if there were too few items to promise anything else. `classes` counts, by
    gold class, how often sets hold the gold class of items that were left out when the thresholds were chosen (each
    item on its own), and how large they are.

    >>> rows = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]] * 10
    >>> found = oe.decide.sets(rows, [1, 3, 3, 1] * 10, level=0.8, labels=[1, 2, 3])
    >>> found.coverage, found.size
    (1.0, 1.5)
    >>> found.predict([[0.6, 0.3, 0.1], [0.1, 0.45, 0.45]]).tolist()
    [[1, 1], [2, 3]]
    """

    scale: Scale  # the classes
    level: float  # the probability with which a set holds the gold class
    by_class: bool  # whether the level is promised for each gold class
    thresholds: tuple[float, ...]  # how large sets grow, by class
    classes: tuple[ClassCoverage, ...]  # how often sets hold each gold class

    def predict(self, probabilities: Any) -> Array:
        """Return the labels of the lowest and of the highest class of each item's set: an array of two columns.

        >>> rows = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]] * 10
        >>> found = oe.decide.sets(rows, [1, 3, 3, 1] * 10, level=0.8, labels=[1, 2, 3])
        >>> found.predict([[0.6, 0.3, 0.1]]).tolist()
        [[1, 1]]
        """
        columns = columns_for(self.scale, probabilities)
        found = spans(columns, np.array(self.thresholds)[:, None])
        return np.asarray(label_array(self.scale)[np.stack(found, axis=1)])

    @property
    def every(self) -> ClassCoverage:
        """The items of all gold classes."""
        return sum(self.classes, start=ClassCoverage(0, 0, 0))

    @property
    def n(self) -> int:
        """The number of items that the thresholds were chosen by."""
        return self.every.items

    @property
    def coverage(self) -> float:
        """The share of sets that hold the gold class, of items that were left out."""
        return self.every.coverage

    @property
    def size(self) -> float:
        """The mean number of classes in a set, of items that were left out."""
        return self.every.size

    @property
    def warnings(self) -> tuple[str, ...]:
        """What cannot be promised because there are too few items."""
        least = least_items(self.level)
        promise = numbers.confidence(self.level)
        if not self.by_class:
            there = "there is 1" if self.n == 1 else f"there are {self.n}"
            all_in = f"A promise of {promise} needs {least} items, and {there}: every set holds all classes."
            return () if self.n >= least else (all_in,)
        few = [
            f"{clean(name)} ({numbers.amount(one.items)})"
            for name, one in zip(self.scale.names, self.classes, strict=True)
            if one.items < least
        ]
        if not few:
            return ()
        kind = "Class" if len(few) == 1 else "Classes"
        has, are = ("has", "it is") if len(few) == 1 else ("have", "they are")
        lacking = f"{kind} {numbers.in_words(few, 5)} {has} fewer than the {least} items"
        return (f"{lacking} that a promise of {promise} by class needs, so {are} in every set.",)

    @property
    def lead(self) -> Sequence[str]:
        """What the sets promise, what they reach on items that were left out, and where they fall short."""
        promise = numbers.confidence(self.level)
        whom = ", whichever it is," if self.by_class else ""
        promised = f"The set of a new item holds its gold class{whom} with a probability of {promise} or more."
        reached = (
            f"Of the {numbers.counted(self.n, 'item')} here, each left out in turn, "
            f"{numbers.percent(self.coverage, 1)} are covered; a set holds {numbers.number(self.size, 2)} of "
            f"{numbers.counted(self.scale.k, 'class', 'classes')} on average."
        )
        return [promised, reached, *self.warnings, *self.uneven()]

    def uneven(self) -> list[str]:
        """Tell of the gold class that sets hold much less often than promised; nothing if there is none."""
        if self.by_class:
            return []
        known = [
            (one.coverage, clean(name))
            for name, one in zip(self.scale.names, self.classes, strict=True)
            if one.items >= ENOUGH
        ]
        least, name = min(known, default=(1.0, ""))
        if least >= self.level - UNEVEN:
            return []
        promise = f"{flag('by_class')} promises {numbers.confidence(self.level)} for each class"
        return [
            f"Only {numbers.percent(least, 1)} of the items of class {name} are covered; {promise}."
        ]

    def sheet(self) -> Sheet:
        """Return a row for each gold class, and one for all: how often sets hold it, and how large they are."""
        columns = [
            Column("gold"),
            Column("items", Kind.COUNT),
            Column("coverage", Kind.NUMBER),
            Column("classes in a set", Kind.NUMBER, digits=2, key="size"),
            Column("threshold", Kind.NUMBER),
        ]
        rows = [
            [Cell(clean(name)), *coverage_cells(one), threshold_cell(threshold)]
            for name, one, threshold in zip(
                self.scale.names, self.classes, self.thresholds, strict=True
            )
        ]
        common = Cell(None) if self.by_class else rows[0][-1]
        rows.append([Cell("all"), *coverage_cells(self.every), common])
        return Sheet(columns, rows, self.caption(), lead=self.lead, faint=frozenset({self.scale.k}))

    def caption(self) -> list[str]:
        """Say what the columns are, and how far the coverage of new items may be from the promise."""
        always = "always (for all: each class has its own)" if self.by_class else "always"
        sentences = [
            "Coverage: the share of sets that hold the gold class, of items that were left out in turn.",
            f"Threshold: a class joins a set while the classes in it have at most this probability; a dash: {always}.",
        ]
        place = rank(self.level, self.n)
        if place <= self.n and not self.by_class:
            # the coverage of new items, given the items here, has a beta distribution (Vovk 2012)
            above = self.n + 1 - place
            spread = math.sqrt(place * above / ((self.n + 1) ** 2 * (self.n + 2)))
            sentences.append(
                f"The promise is kept on average over such items as these; with {numbers.counted(self.n, 'item')}, the "
                f"coverage of new ones differs from it by about {numbers.number(100 * spread, 1)} points (one standard "
                f"deviation)."
            )
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON; `PredictionSets.from_json` reads the sets back."""
        return {
            **head("decide"),
            "kind": KIND,
            "scale": scale_content(self.scale),
            "level": self.level,
            "by_class": self.by_class,
            "verdict": " ".join(self.lead),
            "input": {"items": self.n},
            "coverage": self.coverage,
            "size": self.size,
            "classes": [
                {
                    "label": label,
                    "threshold": threshold if math.isfinite(threshold) else None,
                    "coverage": one.coverage,
                    "size": one.size,
                    "items": one.items,
                    "held": one.held,
                    "classes": one.classes,
                }
                for label, threshold, one in zip(
                    self.scale.labels, self.thresholds, self.classes, strict=True
                )
            ],
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, text: str | bytes) -> "PredictionSets":
        """Read sets that `to_json` wrote.

        >>> rows = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]] * 10
        >>> found = oe.decide.sets(rows, [1, 3, 3, 1] * 10, level=0.8, labels=[1, 2, 3])
        >>> oe.decide.PredictionSets.from_json(found.to_json()).thresholds == found.thresholds
        True
        """
        content = read_rule(text, KIND, SHAPES)
        scale, classes = stored_scale(content["scale"]), content["classes"]
        if len(classes) != scale.k:
            raise DataError(
                f"this rule has thresholds for {len(classes)} classes, and its scale has {scale.k}. {EXPECTED}."
            )
        thresholds = [math.inf if one["threshold"] is None else one["threshold"] for one in classes]
        counted = [ClassCoverage(one["items"], one["held"], one["classes"]) for one in classes]
        return cls(
            scale, content["level"], content["by_class"], tuple(map(float, thresholds)), tuple(counted)
        )  # fmt: skip

    def __repr__(self) -> str:
        by_class = ", by_class=True" if self.by_class else ""
        return (
            f"PredictionSets(level={self.level:g}{by_class}, coverage={numbers.number(self.coverage, 4)}, "
            f"size={numbers.number(self.size, 2)}, classes={list(self.scale.labels)}, items={self.n})"
        )


def coverage_cells(one: ClassCoverage) -> list[Cell]:
    """Return the cells of one gold class."""
    return [Cell(one.items), Cell(one.coverage), Cell(one.size)]


def threshold_cell(threshold: float) -> Cell:
    """Return the cell of a threshold; a dash where it is infinite."""
    return Cell(threshold if math.isfinite(threshold) else None)


def is_class(content: Any) -> bool:
    """Tell whether something is the part of a class as it is written."""
    return (
        isinstance(content, dict)
        and (content.get("threshold", ...) is None or is_number(content.get("threshold")))
        and all(is_whole(content.get(name), 0) for name in ("items", "held", "classes"))
    )


SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "level": lambda content: is_number(content) and 0 < content < 1,
    "by_class": lambda content: isinstance(content, bool),
    "classes": lambda content: isinstance(content, list) and all(map(is_class, content)),
}
