"""Systems beside a human, where the marks of several raters are the gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.captions import ONE_SYSTEM, interval_words
from ordeval.comparison.ceiling import ceiling_sample, human_scores
from ordeval.comparison.results import ONE_CASE, ONE_ITEM, Score, none_if_undefined
from ordeval.comparison.scorer import Scorer
from ordeval.errors import DataError
from ordeval.formats.names import clean
from ordeval.formats.numbers import in_words, number
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.stats.differences import differences
from ordeval.stats.jackknife import CaseSample, Estimate, ItemSample, error_of_mean, mean_where

A_HUMAN = "a human"  # the name of the row
BETTER, WORSE = "significantly better", "significantly worse"
NOT_DIFFERENT = "not significantly different"
MOST_NAMES = 5


@dataclass(frozen=True, eq=False)
class BesideHuman:
    """What a human reaches against the other raters, and what each system reaches when it is held to the same.

    A system is then scored on the items that the rater in question marked, and against the shares of the other raters,
    so that its difference from the human is paired. The arrays are over [measure, system].
    """

    human: Mapping[str, Score]
    systems: tuple[str, ...]
    values: Array
    difference: Array
    low: Array
    high: Array
    p: Array

    def of_system(self, s: int) -> dict[str, Any]:
        """Return for JSON what a system reaches when it is held to the same, and its difference from the human."""
        return {
            metric: {
                "value": none_if_undefined(self.values[m, s]),
                "human": none_if_undefined(score.value),
                "difference": none_if_undefined(self.difference[m, s]),
                "low": none_if_undefined(self.low[m, s]),
                "high": none_if_undefined(self.high[m, s]),
                "p": none_if_undefined(self.p[m, s]),
            }
            for m, (metric, score) in enumerate(self.human.items())
        }

    def sheet(self, metric: str, systems: Sequence[int]) -> Sheet:
        """Return what each system reaches by a measure when it is held to the same, and how far it is from a human."""
        m, score = list(self.human).index(metric), self.human[metric]
        ends = score.level is not None
        rows = [[Cell(A_HUMAN), Cell(score.value, score.low, score.high), Cell(""), Cell("")]]
        for s in systems:
            low, high = (
                none_if_undefined(end[m, s]) if ends else None for end in (self.low, self.high)
            )
            rows.append(
                [
                    Cell(self.systems[s]),
                    Cell(float(self.values[m, s])),
                    Cell(float(self.difference[m, s]), low, high),
                    Cell(none_if_undefined(self.p[m, s])),
                ]
            )
        columns = [
            Column("system"),
            Column(metric, Kind.NUMBER, interval=ends),
            Column("minus a human", Kind.NUMBER, sign=True, interval=ends),
            Column("p", Kind.P_VALUE),
        ]
        return Sheet(columns, rows)

    def sentence(self, metric: str, s: int, alpha: float, *, up: bool) -> str:
        """Say what a human reaches by a measure, and how a system compares; nothing if the measure has no ceiling."""
        score = self.human.get(metric)
        if score is None or np.isnan(score.value):
            return ""
        m = list(self.human).index(metric)
        name = "the system" if self.systems[s] == ONE_SYSTEM else clean(self.systems[s])
        said = f"A human reaches {number(score.value)}{interval_words(score)} by {metric} against the other raters"
        if np.isnan(self.values[m, s]):
            return f"{said}."
        words = self.outcome(m, s, alpha, up=up)
        reaches = f"scored in the same way, {name} reaches {number(float(self.values[m, s]))}"
        return f"{said}; {reaches}, which is {words}."

    def outcome(self, m: int, s: int, alpha: float, *, up: bool) -> str:
        """Say how a system compares with a human by a measure."""
        if not self.p[m, s] <= alpha:
            return NOT_DIFFERENT
        return BETTER if (self.difference[m, s] > 0) == up else WORSE

    def others_sentence(self, metric: str, s: int, alpha: float, *, up: bool) -> str:
        """Say how all systems but one compare with a human; nothing if there are no others."""
        m = list(self.human).index(metric)
        others = [at for at in range(len(self.systems)) if at != s]
        defined = [at for at in others if not np.isnan(self.values[m, at])]
        parts = []
        for words in (BETTER, NOT_DIFFERENT, WORSE):
            names = [
                clean(self.systems[at])
                for at in defined
                if self.outcome(m, at, alpha, up=up) == words
            ]
            if names:
                verb = "is" if len(names) == 1 else "are"
                parts.append(f"{in_words(names, MOST_NAMES)} {verb} {words}")
        if not parts:
            return ""
        if len(others) == 1:
            name, words = clean(self.systems[others[0]]), self.outcome(m, others[0], alpha, up=up)
            return f"The other, {name}, is {words}."
        return f"Of the others, {'; '.join(parts)} (each tested alone)."


def beside_human(
    runs: Runs,
    measures: Mapping[str, Metric],
    level: float | None,
    *,
    unit: str = "items",
    distribution: str = "resampled",
) -> BesideHuman | None:
    """Return the systems beside a human; None if no items have the marks of two raters, or if items are weighted.

    If the unit is "cases", whole test cases are the sample, also those of pooled runs.
    """
    if runs.ratings is None or runs.weighting is not None:
        return None
    scorer = Scorer(measures, runs.scale, runs.policy, distribution)
    try:
        sample = sample_of_cases(runs, scorer, unit)
    except DataError:  # one rater, or no item that two of them marked
        return None
    alone = ONE_CASE if runs.cases else ONE_ITEM
    systems = np.arange(1, len(runs.systems) + 1)
    apart = [differences(sample, m, systems, np.zeros_like(systems)) for m in range(len(measures))]
    lows, highs = zip(
        *(each.interval(0.95 if level is None else level) for each in apart), strict=True
    )
    return BesideHuman(
        human_scores(sample.estimate, measures, level, alone=alone),
        runs.systems,
        sample.estimate.value[:, 1:],
        np.stack([each.value for each in apart]),
        np.stack(lows),
        np.stack(highs),
        np.stack([each.p for each in apart]),
    )


def sample_of_cases(runs: Runs, scorer: Scorer, unit: str) -> ItemSample | CaseSample:
    """Return the sample of the items, or of the test cases whose scores are averaged; the human comes first."""
    ratings = runs.ratings
    assert ratings is not None  # noqa: S101 - asked only of runs that have ratings
    rows = np.eye(runs.scale.k + 1) if runs.answers is None else runs.answers

    def of_items(which: Array, cluster: Array | None = None) -> ItemSample:
        return ceiling_sample(
            ratings, scorer, unit_pattern=runs.gold[which].astype(np.intp), unit_count=runs.count[which],
            answers=[rows[answers[which]] for answers in runs.predicted], cluster=cluster,
        )  # fmt: skip

    if len(runs.cases) < 2:
        return of_items(np.arange(len(runs.count)), runs.case if unit == "cases" else None)
    scores = np.full((len(scorer.measures), len(runs.systems) + 1, len(runs.cases)), np.nan)
    for case in range(len(runs.cases)):
        try:
            scores[..., case] = of_items(np.flatnonzero(runs.case == case)).estimate.value
        except DataError:  # nobody shares an item of this case
            continue
    defined = ~np.isnan(scores)
    value = mean_where(scores, defined)
    plain = error_of_mean(scores, defined, value)
    estimate = Estimate(
        value, np.stack([value, value]), np.stack([plain, plain]), plain, np.zeros_like(plain),
        defined.sum(axis=-1).astype(np.float64),
    )  # fmt: skip
    return CaseSample(estimate, scores)
