"""What scoring gives: one score, the scores of all systems, a row of the leaderboard, the difference of two systems."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.about import about_input, whole_number
from ordeval.comparison.captions import (
    baseline_sentence,
    interval_sentence,
    not_beaten_sentence,
    policy_sentences,
    size_sentence,
)
from ordeval.formats.json import head
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted, in_words, interval, number
from ordeval.formats.result import Result
from ordeval.formats.sheet import CSV, PEOPLE, Cell, Column, Kind, Sheet
from ordeval.metrics import Metric
from ordeval.runs import Runs
from ordeval.stats.jackknife import Sample
from ordeval.table import Table

if TYPE_CHECKING:
    from ordeval.comparison.slices import Slice

DECIMALS = 4  # in the one line that describes an evaluation


@dataclass(frozen=True, slots=True)
class Score:
    """One measure of one system: NaN where it is undefined, no ends where it has no interval."""

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    error: float | None = None  # the standard error
    undefined: int = 0  # resamples in which the score is undefined
    reason: str | None = None  # why the value or its interval is missing
    level: float | None = None  # of the interval; None if none was asked for
    defined: int | None = None  # test cases that a mean is over, and how many there are
    cases: int | None = None
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
    """The best constant answer: its class, its scores, and the systems that do not beat it significantly."""

    label: Any
    metric: str  # the measure by which it is the best, and by which systems are held against it
    scores: Mapping[str, float]
    not_beaten_by: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the baseline for JSON."""
        return {
            "label": self.label,
            "metric": self.metric,
            "scores": {name: none_if_undefined(value) for name, value in self.scores.items()},
            "not_beaten_by": list(self.not_beaten_by),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result):
    """Scores and intervals over measures, systems and cases.

    An interval that could not be made is NaN, as is an undefined value; `reasons` says why, by measure and system.
    """

    table: Table
    cells: Array  # [system, case, gold, answer]: the table with its unanswered items in the last column
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    cases: tuple[Any, ...]
    values: Array  # [measure, system]: the mean over cases if there are cases
    low: Array | None  # [measure, system]; None if no interval was asked for
    high: Array | None
    error: Array  # [measure, system]: standard errors, NaN without resamples
    case_values: Array  # [measure, system, case]
    defined: Array  # [measure, system]: cases that the mean is over
    undefined: Array  # [measure, system]: resamples in which the score is undefined
    reasons: Mapping[tuple[str, str], str]
    level: float | None
    method: str
    n_resamples: int
    seed: int
    resample: str
    distribution: str
    measures: Mapping[str, Metric]
    undefined_as: str  # what a case without a score counts as
    rare: tuple[tuple[Any, int], ...]  # gold classes of few items that measures by class rest on
    baseline: Baseline
    samples: tuple[
        Sample, ...
    ]  # what intervals and tests are made of; the last system of each is the baseline
    data: Runs | Table  # what was scored
    slices: tuple["Slice", ...] = ()  # if asked for
    slices_corrected: str = "holm"  # how their p-values are corrected over the slices
    per_case: bool = (
        False  # whether every form gives the score of each test case, with its interval
    )
    command: str = "evaluate"  # the command that JSON names

    def __repr__(self) -> str:
        cases = f", cases={len(self.cases)}" if self.cases else ""
        return f"Scores(metrics={list(self.metrics)}, systems={len(self.systems)}{cases}, level={self.level})"

    @cached_property
    def items(self) -> Array:
        """The number of items, answered or not: items[system, case]."""
        return np.asarray(self.cells.sum(axis=(-1, -2)))

    @cached_property
    def answered(self) -> Array:
        """The number of items with an answer: answered[system, case]."""
        return np.asarray(self.cells[..., :-1].sum(axis=(-1, -2)))

    def score(self, m: int, s: int) -> Score:
        """Return the score of a system by a measure, both by their place."""
        metric, system = self.metrics[m], self.systems[s]
        return Score(
            metric,
            float(self.values[m, s]),
            None if self.low is None else none_if_undefined(self.low[m, s]),
            None if self.high is None else none_if_undefined(self.high[m, s]),
            none_if_undefined(self.error[m, s]),
            int(self.undefined[m, s]),
            self.reasons.get((metric, system)),
            self.level,
            int(self.defined[m, s]) if self.cases else None,
            len(self.cases) if self.cases else None,
            self.warning(metric),
        )

    def warning(self, metric: str) -> str | None:
        """Say which rare classes a measure by class rests on, if it has an interval; None if there are none."""
        if self.level is None or not self.rare or not self.measures[metric].by_class:
            return None
        classes = [f"{clean(label)} ({counted(items, 'item')})" for label, items in self.rare]
        noun = "class" if len(classes) == 1 else "classes"
        return f"rests on the rare {noun} {in_words(classes, 3)}, so its interval may be too narrow"

    @property
    def caption(self) -> str:
        """What was scored, what the policies did, and how the intervals were made."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The caption sentence by sentence, as it stands below the table."""
        about = about_input(self.table, self.data)
        intervals = () if self.level is None else (interval_sentence(self),)
        sentences = (size_sentence(about), *policy_sentences(about), *intervals)
        constant = baseline_sentence(self.baseline)
        beaten = not_beaten_sentence(self.baseline, len(self.systems))
        return (*sentences, f"{constant} {beaten}".strip())

    def sheet(self) -> Sheet:
        """Return a row for each system and a column for each measure.

        People see the share of items that a system answered if some system left one out; CSV has the counts.
        """
        measures, systems = range(len(self.metrics)), range(len(self.systems))
        columns = [Column("system"), *self.coverage_columns(), *self.score_columns(measures)]
        scores = self.score_cells(measures, systems)
        rows = [
            [Cell(self.systems[s]), *self.coverage_cells(s), *cells]
            for s, cells in zip(systems, scores, strict=True)
        ]
        return Sheet(columns, rows, self.sentences)

    def coverage_columns(self) -> list[Column]:
        """Return the columns that tell how much each system answered.

        CSV has the numbers of items; people see the share of them if some system left one out.
        """
        columns = [
            Column("items", Kind.COUNT, forms=CSV),
            Column("answered", Kind.COUNT, forms=CSV),
        ]
        if self.cells[..., -1].any():
            columns.append(Column("answered", Kind.SHARE, forms=PEOPLE | {"page"}))
        return columns

    def coverage_cells(self, s: int) -> list[Cell]:
        """Return the cells of a system in the columns of `coverage_columns`."""
        items, answered = self.items[s].sum(), self.answered[s].sum()
        cells = [Cell(whole_number(items)), Cell(whole_number(answered))]
        if self.cells[..., -1].any():
            cells.append(Cell(float(answered / max(items, 1))))
        return cells

    def sheets(self) -> Sequence[Sheet]:
        """Return the scores, and those of slices and test cases if these were asked for."""
        return (self.sheet(), *self.details())

    def details(self) -> Sequence[Sheet]:
        """Return the sheets of slices and test cases, if these were asked for."""
        return self.detail_sheets(range(len(self.metrics)), range(len(self.systems)))

    def detail_sheets(self, measures: Sequence[int], systems: Sequence[int]) -> list[Sheet]:
        """Return the sheets of the slices and of the test cases, as far as these were asked for."""
        from ordeval.comparison.case_scores import case_sheet
        from ordeval.comparison.slices import slice_sheet

        sheets = [slice_sheet(self, measures, systems)] if self.slices else []
        if self.per_case and self.cases:
            sheets.append(case_sheet(self, measures, systems))
        return sheets

    def csv_sheet(self) -> Sheet:
        """Return the sheet for programs, with a row for each slice and test case that was asked for."""
        from ordeval.comparison.case_scores import with_details

        return with_details(self.sheet(), self, range(len(self.metrics)), range(len(self.systems)))

    @cached_property
    def case_intervals(self) -> tuple[Array, Array]:
        """The ends of the intervals of each test case: [measure, system, case]."""
        from ordeval.comparison.case_scores import case_intervals

        return case_intervals(self)

    def score_columns(self, measures: Sequence[int]) -> list[Column]:
        """Return a column for each of the measures."""
        names = [self.metrics[m] for m in measures]
        return [
            Column(
                name,
                Kind.NUMBER,
                greater_is_better=self.measures[name].greater_is_better,
                interval=self.level is not None,
            )
            for name in names
        ]

    def score_cells(self, measures: Sequence[int], systems: Sequence[int]) -> list[list[Cell]]:
        """Return the scores of each system: the best are marked, and a note says why something is missing."""
        rows: list[list[Cell]] = [[] for _ in systems]
        for m in measures:
            name = self.metrics[m]
            up = self.measures[name].greater_is_better
            # who answered nothing is not the best at anything
            values = np.where(self.answered.sum(axis=-1) > 0, self.values[m], np.nan)
            best = ties.best(values[list(systems)], greater_is_better=up)
            for row, s, mark in zip(rows, systems, best, strict=True):
                score = self.score(m, s)
                note = "" if score.reason is None else f"{name}: {score.reason}"
                if not note and score.warning is not None:
                    note = f"{name} {score.warning}"
                row.append(Cell(score.value, score.low, score.high, mark, note))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **head(self.command),
            **about_input(self.table, self.data),
            "systems": [self.system_content(s) for s in range(len(self.systems))],
            "intervals": self.interval_content(),
            "baseline": self.baseline.to_dict(),
            **self.slice_content(),
        }

    def slice_content(self) -> dict[str, Any]:
        """Return the slices for JSON; nothing if none were asked for."""
        return {"slices": [one.to_dict() for one in self.slices]} if self.slices else {}

    def interval_content(self) -> dict[str, Any] | None:
        """Return for JSON how the intervals were made; None if none was asked for."""
        if self.level is None:
            return None
        return {
            "level": self.level,
            "method": self.method,
            "resamples": self.n_resamples or None,
            "resampled": self.resample,
            "distribution": self.distribution,
            "seed": self.seed,
        }

    def system_content(self, s: int) -> dict[str, Any]:
        """Return for JSON the scores of a system, and those of each test case."""
        items, answered = self.items[s], self.answered[s]
        return {
            "name": self.systems[s],
            "answered": whole_number(answered.sum()),
            "items": whole_number(items.sum()),
            "scores": {metric: self.score(m, s).to_dict() for m, metric in enumerate(self.metrics)},
            "cases": [
                {
                    "case": case,
                    "items": whole_number(items[c]),
                    "scores": {
                        metric: self.case_content(m, s, c) for m, metric in enumerate(self.metrics)
                    },
                }
                for c, case in enumerate(self.cases)
            ],
        }

    def case_content(self, m: int, s: int, c: int) -> dict[str, Any]:
        """Return for JSON the score in one test case, or why it is undefined."""
        value = none_if_undefined(self.case_values[m, s, c])
        content: dict[str, Any] = {"value": value}
        if self.per_case and self.level is not None:
            low, high = (none_if_undefined(end[m, s, c]) for end in self.case_intervals)
            content |= {"low": low, "high": high}
        if value is None:
            content["reason"] = f"undefined when {self.measures[self.metrics[m]].undefined_when}"
        return content


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard: a system, its rank, the ranks it may have, its scores, and the systems that it beats.

    `rank_low` and `rank_high` hold for all systems together; they are None if the score is undefined.
    """

    rank: int
    rank_low: int | None
    rank_high: int | None
    tier: int
    system: str
    scores: dict[str, Score]
    beats: tuple[str, ...]
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
    """

    a: str
    b: str
    metric: str
    difference: float
    low: float | None
    high: float | None
    error: float | None
    p: float | None
    p_adjusted: float | None
    win: float | None
    outcome: str | None
    effect: float | None
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


def remarks(undefined: int, reason: str | None) -> dict[str, Any]:
    """Return what JSON says of a number only where it applies: undefined resamples, and why something is missing."""
    content: dict[str, Any] = {"undefined_resamples": undefined} if undefined else {}
    return content if reason is None else {**content, "reason": reason}


def none_if_undefined(value: float | None) -> float | None:
    """Return a Python float; None for NaN."""
    return None if value is None or math.isnan(value) else float(value)
