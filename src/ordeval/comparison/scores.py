"""The scores of all systems by all measures, with their intervals, test cases and slices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.about import about_input, about_intervals, whole_number
from ordeval.comparison.captions import (
    best_sentence,
    beyond_gold_sentence,
    human_row_sentence,
    interval_sentence,
    meaning_sentence,
    not_beaten_sentence,
    one_system_sentence,
    policy_sentences,
    size_sentence,
    soft_sentences,
)
from ordeval.comparison.results import Baseline, Score, none_if_undefined
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted, in_words
from ordeval.formats.result import Result
from ordeval.formats.sheet import CSV, PEOPLE, Cell, Column, Kind, Sheet
from ordeval.metrics import Metric
from ordeval.runs import Runs
from ordeval.stats.jackknife import Sample
from ordeval.table import Table

if TYPE_CHECKING:
    from ordeval.comparison.human import BesideHuman
    from ordeval.comparison.slices import Slice

PAGE = frozenset({"page"})
NEARLY_ALL = (
    0.9995  # a system that answered so many of the items is shown as if it had answered all
)


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
    # what intervals and tests are made of; the last system of each is the baseline
    samples: tuple[Sample, ...]
    data: Runs | Table  # what was scored
    slices: tuple["Slice", ...] = ()  # if asked for
    slices_corrected: str = "holm"  # how their p-values are corrected over the slices
    # whether every form gives the score of each test case, with its interval
    per_case: bool = False
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
        soft = soft_sentences(self.data, self.measures)
        human = filter(None, [human_row_sentence(self)])
        beyond = filter(None, [beyond_gold_sentence(self.table)])
        return (size_sentence(about), *soft, *human, *policy_sentences(about), *beyond, *intervals)

    @property
    def lead(self) -> tuple[str, ...]:
        """What stands above the table: what the only or the best system scores, what scores mean, who fails."""
        baseline, metric = self.baseline, self.baseline.metric
        measure = self.measures[metric]
        m, fail = self.metrics.index(metric), not_beaten_sentence(baseline, len(self.systems))
        if len(self.systems) == 1:
            said = one_system_sentence(self.systems[0], self.score(m, 0), measure, baseline)
            return tuple(filter(None, (said, self.human_sentence(metric, 0), fail)))
        values = np.where(self.answered.sum(axis=-1) > 0, self.values[m], np.nan)
        marks = ties.best(values, greater_is_better=measure.greater_is_better)
        tops = [s for s, top in enumerate(marks) if top]
        best = (
            best_sentence([self.systems[s] for s in tops], self.score(m, tops[0])) if tops else ""
        )
        human = self.human_sentence(metric, tops[0]) if tops else ""
        return tuple(filter(None, (best, meaning_sentence(measure, baseline), human, fail)))

    @cached_property
    def beside_human(self) -> "BesideHuman | None":
        """What a human reaches, and systems held to the same; None unless raters made the gold."""
        if not isinstance(self.data, Runs) or self.data.ratings is None:
            return None
        from ordeval.comparison.human import beside_human

        runs = self.data if self.cases else self.data.pooled()
        return beside_human(
            runs, self.measures, self.level, unit=self.resample, distribution=self.distribution
        )

    @property
    def ceiling(self) -> Mapping[str, Score]:
        """What a human reaches by each measure, against the other raters; empty unless raters made the gold."""
        return {} if self.beside_human is None else self.beside_human.human

    def human_sentence(self, metric: str, s: int) -> str:
        """Say what a human reaches by a measure, and how a system compares; nothing unless raters made the gold."""
        if self.beside_human is None:
            return ""
        alpha = 0.05 if self.level is None else round(1 - self.level, 12)
        up = self.measures[metric].greater_is_better
        said = self.beside_human.sentence(metric, s, alpha, up=up)
        others = self.beside_human.others_sentence(metric, s, alpha, up=up) if said else ""
        return f"{said} {others}" if others else said

    def sheet(self) -> Sheet:
        """Return a row for each system and a column for each measure.

        People see the share of items that a system answered if some left out more than a few; CSV has the counts.
        """
        measures, systems = range(len(self.metrics)), range(len(self.systems))
        columns = [Column("system"), *self.coverage_columns(), *self.score_columns(measures)]
        scores = self.score_cells(measures, systems)
        rows = [
            [Cell(self.systems[s]), *self.coverage_cells(s), *cells]
            for s, cells in zip(systems, scores, strict=True)
        ]
        return Sheet(columns, rows, self.sentences, lead=self.lead)

    def coverage_columns(self) -> list[Column]:
        """Return the columns that tell how much each system answered.

        CSV has the numbers of items; people see the share of them if some system left out more than a few.
        """
        columns = [
            Column("items", Kind.COUNT, forms=CSV),
            Column("answered", Kind.COUNT, forms=CSV),
        ]
        if self.cells[..., -1].any():
            columns.append(Column("answered", Kind.SHARE, forms=self.coverage_forms))
        return columns

    @property
    def coverage_forms(self) -> frozenset[str]:
        """The forms that show how much each system answered: to people it matters only if it is not nearly all."""
        shares = self.answered.sum(axis=-1) / np.maximum(self.items.sum(axis=-1), 1)
        return PAGE if shares.min() >= NEARLY_ALL else PEOPLE | PAGE

    def coverage_cells(self, s: int) -> list[Cell]:
        """Return the cells of a system in the columns of `coverage_columns`."""
        items, answered = self.items[s].sum(), self.answered[s].sum()
        cells = [Cell(whole_number(items)), Cell(whole_number(answered))]
        if self.cells[..., -1].any():
            cells.append(Cell(float(answered / max(items, 1))))
        return cells

    def sheets(self) -> Sequence[Sheet]:
        """Return the scores with the best constant answer, and those of slices and test cases if asked for."""
        measures, systems = range(len(self.metrics)), range(len(self.systems))
        board = self.with_constant(self.sheet(), len(systems))
        return (board, *self.detail_sheets(measures, systems))

    def with_constant(self, sheet: Sheet, place: int) -> Sheet:
        """Return a sheet of systems with a faint row at a place: the best constant answer."""
        known = {"system": f"always {clean(self.baseline.name)}", **self.baseline.scores}
        row = [Cell(known.get(column.name, "")) for column in sheet.columns]
        rows = [*sheet.rows[:place], row, *sheet.rows[place:]]
        if not self.ceiling:
            return replace(sheet, rows=rows, faint=frozenset({place}))
        human = [self.human_cell(column.name) for column in sheet.columns]
        return replace(sheet, rows=[human, *rows], faint=frozenset({0, place + 1}))

    def human_cell(self, column: str) -> Cell:
        """Return what stands in a column of the row of a human."""
        if column == "system":
            from ordeval.comparison.human import A_HUMAN

            return Cell(A_HUMAN)
        score = self.ceiling.get(column)
        return Cell("") if score is None else Cell(score.value, score.low, score.high)

    def detail_sheets(self, measures: Sequence[int], systems: Sequence[int]) -> list[Sheet]:
        """Return the sheets of the slices and of the test cases, as far as these were asked for."""
        sheets = []
        if self.slices:
            from ordeval.comparison.slices import slice_sheet

            sheets.append(slice_sheet(self, measures, systems))
        if self.per_case and self.cases:
            from ordeval.comparison.case_scores import case_sheet

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
        from ordeval.formats.json import head

        return {
            **head(self.command),
            **about_input(self.table, self.data),
            "systems": [self.system_content(s) for s in range(len(self.systems))],
            "intervals": self.interval_content(),
            "baseline": self.baseline.to_dict(),
            **self.ceiling_content(),
            **self.slice_content(),
        }

    def ceiling_content(self) -> dict[str, Any]:
        """Return for JSON what a human reaches; nothing unless raters made the gold."""
        if not self.ceiling:
            return {}
        return {"ceiling": {metric: score.to_dict() for metric, score in self.ceiling.items()}}

    def slice_content(self) -> dict[str, Any]:
        """Return the slices for JSON; nothing if none were asked for."""
        return {"slices": [one.to_dict() for one in self.slices]} if self.slices else {}

    def interval_content(self) -> dict[str, Any] | None:
        """Return for JSON how the intervals were made; None if none was asked for."""
        return about_intervals(self, distribution=self.distribution)

    def system_content(self, s: int) -> dict[str, Any]:
        """Return for JSON the scores of a system, and those of each test case."""
        items, answered = self.items[s], self.answered[s]
        human = self.beside_human
        return {
            "name": self.systems[s],
            "answered": whole_number(answered.sum()),
            "items": whole_number(items.sum()),
            "scores": {metric: self.score(m, s).to_dict() for m, metric in enumerate(self.metrics)},
            **({} if human is None else {"beside_human": human.of_system(s)}),
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
