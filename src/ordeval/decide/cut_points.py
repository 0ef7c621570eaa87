"""The result of `oe.decide.cut`: points that cut a score into classes, what they reach, and what they gain."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_number
from ordeval.comparison.results import none_if_undefined
from ordeval.decide.cut_search import best_cuts, nearest_points
from ordeval.decide.cut_words import OTHERS, cut_caption, gains_caption, lead_of
from ordeval.decide.held_out import HeldOut, Trial, gains_sheet, label_array
from ordeval.decide.places import Places
from ordeval.decide.scores import read_scores
from ordeval.decide.search import Objective
from ordeval.decide.stored import (
    EXPECTED,
    holds_values,
    read_rule,
    rule_head,
    stored_measure,
    stored_scale,
    stored_values,
)
from ordeval.errors import DataError
from ordeval.formats.names import clean
from ordeval.formats.numbers import number
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.metric import Metric
from ordeval.scale import Scale

KIND = "cut points"
INFINITE = {"-inf": -math.inf, "inf": math.inf}  # which JSON has no numbers for


def are_points(content: Any) -> bool:
    """Tell whether something is a list of points as it is written."""
    return isinstance(content, list) and all(
        is_number(one) or (isinstance(one, str) and one in INFINITE) for one in content
    )


SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "points": are_points,
    "exact": lambda content: isinstance(content, bool),
    "value": is_number,
    "value_of": lambda content: holds_values(content, OTHERS),
    "input": lambda content: isinstance(content, dict) and is_number(content.get("items")),
}


@dataclass(frozen=True, kw_only=True)
class TrialOfPoints(Trial):
    """The items that points were fitted on: their scores, gold codes, and how much each counts."""

    scores: Array
    weight: Array | None

    def places(self, scale: Scale, some: Array) -> Places:
        """Return the places where the scores of some of the items can be cut."""
        weight = None if self.weight is None else self.weight[some]
        return Places.of(self.scores[some], self.gold[some], scale.k, weight)


@dataclass(frozen=True, eq=False, repr=False)
class Cuts(Result):
    """The `points` that cut a score into classes, lowest first; `predict` gives the answers.

    The answer to an item is the class whose place on the scale is the number of points that are not above its score.
    `value` is the measure on the items that the points were fitted on, `value_of` the same for scores that are rounded
    to the nearest class ("nearest") and for points that give each class its share of gold ("shares"). `exact` says that
    no other points are better on these items. `held_out` is what points reach on items that they were not fitted on,
    and what they gain there.

    >>> cuts = oe.decide.cut(
    ...     [0.1, 0.4, 0.3, 0.8, 0.9, 0.6], [1, 2, 1, 3, 3, 2], metric="mae"
    ... )
    >>> [round(point, 2) for point in cuts.points]
    [0.35, 0.7]
    >>> cuts.predict([0.2, 0.5, 0.76]).tolist()
    [1, 2, 3]
    """

    measure: Metric  # the measure
    scale: Scale  # the classes
    points: tuple[float, ...]  # the points, lowest first
    exact: bool  # whether no other points are better on these items
    value: float  # the measure on these items
    value_of: Mapping[str, float]  # the same for other ways to answer
    n: int  # the number of items
    trial: TrialOfPoints | None = None

    def predict(self, scores: Any) -> Array:
        """Return an answer to each item: a label of the scale.

        >>> cuts = oe.decide.cut(
        ...     [0.1, 0.4, 0.3, 0.8, 0.9, 0.6], [1, 2, 1, 3, 3, 2], metric="mae"
        ... )
        >>> cuts.predict([0.2, 0.5]).tolist()
        [1, 2]
        """
        return label_array(self.scale)[codes_of(self.points, read_scores(scores))]

    @cached_property
    def held_out(self) -> HeldOut | None:
        """What points reach and gain on items that they were not fitted on; computed when it is first asked for."""
        trial = self.trial
        if trial is None or trial.folds < 2:
            return None
        objective = Objective(self.measure, self.scale)

        def fitted(fitted_on: Array, others: Array) -> Array:
            found = best_cuts(objective, trial.places(self.scale, fitted_on))
            return codes_of(found.points, trial.scores[others])

        def shared(fitted_on: Array, others: Array) -> Array:
            places = trial.places(self.scale, fitted_on)
            points = places.points(places.of_gold_shares())
            return codes_of(points, trial.scores[others])

        nearest = codes_of(nearest_points(self.scale), trial.scores)
        return trial.gains(
            trial.out_of_fold(fitted),
            {"nearest": nearest, "shares": trial.out_of_fold(shared)},
            measure=self.measure,
            scale=self.scale,
        )

    @property
    def answered(self) -> tuple[int, ...]:
        """The places on the scale of the classes that are answered to some score."""
        edges = (-math.inf, *self.points, math.inf)
        return tuple(code for code in range(self.scale.k) if edges[code] < edges[code + 1])

    @property
    def lead(self) -> Sequence[str]:
        """What the points reach, and what they gain on other items, in sentences."""
        return lead_of(self)

    def sheet(self) -> Sheet:
        """Return a row for each class that is answered: the scores from which and below which it is."""
        finite = [point for point in self.points if math.isfinite(point)]
        gaps = [gap for gap in np.diff(finite).tolist() if gap > 0] or [
            max(map(abs, finite), default=1)
        ]
        # so many decimals that three digits of the narrowest class are shown
        digits = min(12, max(3, 2 - math.floor(math.log10(min(gaps) or 1))))
        columns = [
            Column("answer"),
            Column("score from", Kind.NUMBER, digits=digits, key="from"),
            Column("to below", Kind.NUMBER, digits=digits, key="below"),
        ]
        edges = (-math.inf, *self.points, math.inf)
        rows = [
            [
                Cell(clean(self.scale.names[code])),
                *(end_cell(end) for end in edges[code : code + 2]),
            ]
            for code in self.answered
        ]
        return Sheet(columns, rows, cut_caption(self), lead=self.lead)

    def gains_sheet(self) -> Sheet:
        """Return a row for the points and for each other way to answer: the value here and on other items."""
        up = self.measure.greater_is_better
        here = Column("on these items", Kind.NUMBER, up, key="value")
        values = {OTHERS[name]: value for name, value in self.value_of.items()}
        return gains_sheet(here, self.value, values, self.held_out, gains_caption(self))

    def sheets(self) -> Sequence[Sheet]:
        """Return the points, and what they gain."""
        return [self.sheet(), self.gains_sheet()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON; `Cuts.from_json` reads the points back."""
        points = [point if math.isfinite(point) else str(point) for point in self.points]
        return {
            **rule_head(self, KIND),
            "points": points,
            "exact": self.exact,
            "input": {"items": self.n},
            "value": self.value,
            "value_of": {name: none_if_undefined(value) for name, value in self.value_of.items()},
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
        }

    @classmethod
    def from_json(cls, text: str | bytes) -> "Cuts":
        """Read points that `to_json` wrote, without the items that they were fitted on.

        >>> cuts = oe.decide.cut(
        ...     [0.1, 0.4, 0.3, 0.8, 0.9, 0.6], [1, 2, 1, 3, 3, 2], metric="mae"
        ... )
        >>> oe.decide.Cuts.from_json(cuts.to_json()).points == cuts.points
        True
        """
        content = read_rule(text, KIND, SHAPES)
        scale = stored_scale(content["scale"])
        points = tuple(map(float, content["points"]))
        if len(points) != scale.k - 1 or list(points) != sorted(points):
            raise DataError(
                f"the points of this rule are {content['points']!r:.60}; {scale.k} classes have {scale.k - 1}, in "
                f"order. {EXPECTED}."
            )
        return cls(
            measure=stored_measure(content), scale=scale, points=points, exact=content["exact"],
            value=content["value"], value_of=stored_values(content["value_of"]), n=content["input"]["items"],
        )  # fmt: skip

    def __repr__(self) -> str:
        points = ", ".join(f"{point:.4g}" for point in self.points)
        return (
            f"Cuts({self.measure}, points=[{points}], value={number(self.value, 4)}, "
            f"classes={list(self.scale.labels)}, items={self.n})"
        )


def codes_of(points: Sequence[float] | Array, scores: Array) -> Array:
    """Return the place on the scale of the answer to each score: the number of points that are not above it."""
    return np.searchsorted(points, scores, side="right")


def end_cell(end: float) -> Cell:
    """Return the cell of one end of a class; blank where it has none."""
    return Cell(end if math.isfinite(end) else None)
