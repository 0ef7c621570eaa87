"""One score, the best constant answer, a row of the leaderboard, and the difference of two systems."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import eq
from typing import Any, overload

import numpy as np

from ordeval.aliases import Array
from ordeval.formats.numbers import interval, number

PAIRS_AT_A_TIME = 512
DECIMALS = 4  # in the one line that describes an evaluation
ONE_ITEM = "a single item shows no variation"
ONE_CASE = "one test case shows no variation"


@dataclass(frozen=True, slots=True)
class Score:
    """One measure of one system: NaN where it is undefined, no ends where it has no interval.

    >>> e = oe.evaluate([1, 1, 2, 3], [1, 2, 2, 3], metrics=["accuracy", "mae"])
    >>> score = e["accuracy"]
    >>> score.value, score.low < 0.75 < score.high
    (0.75, True)
    """

    metric: str  # the measure
    value: float  # the score; NaN if it is undefined
    low: float | None = None  # the lower end of the interval
    high: float | None = None  # the upper end of the interval
    error: float | None = None  # the standard error
    undefined: int = 0  # resamples in which the score is undefined
    reason: str | None = None  # why the value or its interval is missing
    level: float | None = None  # of the interval; None if none was asked for
    defined: int | None = None  # test cases that a mean is over, and how many there are
    cases: int | None = None  # the number of test cases
    warning: str | None = None  # why the interval may be too narrow

    def __str__(self) -> str:
        ends = interval(self.low, self.high, DECIMALS)
        return f"{self.metric} {number(self.value, DECIMALS)}{f' {ends}' if ends else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON; the interval is left out if none was asked for."""
        content: dict[str, Any] = {"value": none_if_undefined(self.value)}
        if self.level is not None:
            content |= {"low": self.low, "high": self.high, "error": self.error}
        if self.defined is not None and self.defined != self.cases:
            content |= {"defined": self.defined, "cases": self.cases}
        if self.warning is not None:
            content["warning"] = self.warning
        return content | remarks(self.undefined, self.reason)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The best constant answer: its class, its scores, and the systems that do not beat it significantly.

    >>> e = oe.evaluate([1, 1, 2, 3], [1, 2, 2, 3], metrics=["accuracy", "mae"])
    >>> e.baseline.label, e.baseline.scores["accuracy"]
    (1, 0.5)
    """

    label: Any  # the class that is always answered
    name: Any  # of the class in print
    metric: str  # the measure by which it is the best, and by which systems are held against it
    scores: Mapping[str, float]  # its scores by the names of the measures
    not_beaten_by: tuple[str, ...]  # the systems that do not beat it significantly

    def to_dict(self) -> dict[str, Any]:
        """Return the baseline for JSON."""
        return {
            "label": self.label,
            "metric": self.metric,
            "scores": {name: none_if_undefined(value) for name, value in self.scores.items()},
            "not_beaten_by": list(self.not_beaten_by),
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard: a system, its rank, the ranks it may have, its scores, and the systems that it beats.

    `rank_low` and `rank_high` hold for all systems together; they are None if the score is undefined.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> a, b = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> c = oe.compare(gold, {"a": a, "b": b}, metrics=["accuracy"], primary="accuracy")
    >>> first = c.leaderboard[0]
    >>> first.rank, first.system, first.ranks, first.beats
    (1, 'a', '1', ('b',))
    """

    rank: int  # the rank by the score
    rank_low: int | None  # the best rank that the system may have
    rank_high: int | None  # the worst rank that the system may have
    tier: int  # the tier, from 1
    system: str  # the name of the system
    scores: dict[str, Score]  # its scores by the names of the measures
    beats: tuple[str, ...]  # the systems that it is significantly better than
    answered: float  # the share of items with an answer

    @property
    def ranks(self) -> str:
        """Return the ranks that the system may have, such as 1-3."""
        if self.rank_low is None:
            return ""
        return (
            str(self.rank_low)
            if self.rank_low == self.rank_high
            else f"{self.rank_low}-{self.rank_high}"
        )


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The difference a - b of two systems by one measure, its interval and its p-values.

    `outcome` says what a is to b: "better", "worse" or "undecided", and with a margin also "equivalent" or "not worse".
    `win` is the probability that a is ahead again on another sample of the same size. `effect` is the difference
    divided by the standard deviation of the differences of single items or cases.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> a, b = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> c = oe.compare(gold, {"a": a, "b": b}, metrics=["accuracy"], primary="accuracy")
    >>> pair = c.pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 3), pair.outcome
    ('a', 'b', 0.5, 'better')
    """

    a: str  # the first system
    b: str  # the second system
    metric: str  # the measure
    difference: float  # a - b, in units of the measure
    low: float | None  # the lower end of the interval
    high: float | None  # the upper end of the interval
    error: float | None  # the standard error
    p: float | None  # the p-value
    p_adjusted: float | None  # the p-value, corrected for the number of tests
    win: float | None  # the probability that a is ahead again on another sample
    outcome: str | None  # what a is to b, in a word
    effect: float | None  # the difference in standard deviations
    reason: str | None = None  # why the difference is undefined

    def to_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        content = {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            "difference": none_if_undefined(self.difference),
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "win_probability": self.win,
            "outcome": self.outcome,
            "effect": self.effect,
        }
        return content if self.reason is None else {**content, "reason": self.reason}


@dataclass(frozen=True, slots=True, eq=False)
class PairDifferences(Sequence[PairDifference]):
    """The differences of many pairs, made when they are asked for: half a million of them would fill the memory.

    `make` gives those from one place to just before another; they are made some hundred at a time.
    """

    size: int
    make: Callable[[int, int], Iterator[PairDifference]] = field(repr=False)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> PairDifference: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[PairDifference, ...]: ...
    def __getitem__(self, at: int | slice) -> PairDifference | tuple[PairDifference, ...]:
        places = range(self.size)[at]
        if isinstance(places, int):
            return next(self.make(places, places + 1))
        if places.step == 1:
            return tuple(self.some(places.start, places.stop))
        return tuple(self[place] for place in places)

    def __iter__(self) -> Iterator[PairDifference]:
        return self.some(0, self.size)

    def some(self, start: int, stop: int) -> Iterator[PairDifference]:
        """Give the differences from one place to just before another."""
        for first in range(start, stop, PAIRS_AT_A_TIME):
            yield from self.make(first, min(first + PAIRS_AT_A_TIME, stop))

    def __eq__(self, other: object) -> bool:
        """Tell whether another sequence, of any kind, holds the same differences."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # as that of a list


def remarks(undefined: int, reason: str | None) -> dict[str, Any]:
    """Return what JSON says of a number only where it applies: undefined resamples, and why something is missing."""
    content: dict[str, Any] = {"undefined_resamples": undefined} if undefined else {}
    return content if reason is None else {**content, "reason": reason}


def reasoned(content: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return what JSON says of some numbers, with the reason if one of them is missing."""
    return {**content, "reason": reason} if None in content.values() else content


def as_score(
    metric: str,
    value: float,
    low: float,
    high: float,
    error: float,
    *,
    level: float | None,
    undefined_when: str,
    alone: str = ONE_ITEM,
    undefined: int = 0,
) -> Score:
    """Return a score of numbers that are NaN where they are undefined, with the reason why one is missing.

    `alone` says why a value that is defined has no interval.
    """
    reason = undefined_when if math.isnan(value) else None
    if reason or level is None:
        low = high = error = math.nan
    elif math.isnan(low):
        reason = alone
    ends = none_if_undefined(low), none_if_undefined(high)
    return Score(metric, float(value), *ends, none_if_undefined(error), undefined, reason, level)


def too_few_resamples(undefined: int, size: int) -> str:
    """Say why resamples give no interval."""
    return f"defined in {size - undefined} of {size} resamples; an interval takes at least two"


def fields_content(result: Any, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a dataclass for JSON, numbers that are undefined as None."""
    found = {
        one.name: getattr(result, one.name) for one in fields(result) if one.name not in without
    }
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in found.items()
    }


def none_if_undefined(value: float | None) -> float | None:
    """Return a Python float; None for NaN."""
    return None if value is None or math.isnan(value) else float(value)


def undefined_as_none(numbers: Array) -> list[float | None]:
    """Return an array as Python floats; None for NaN."""
    if not np.isnan(numbers).any():
        return list(numbers.tolist())
    return [None if number != number else number for number in numbers.tolist()]  # noqa: PLR0124
