"""Every system's score with its interval: what `evaluate` shows and the leaderboard of `compare` begins with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.comparison.cells import Array, Scorer, cells_of, system_patterns, whole
from ordeval.errors import LabelTypeError
from ordeval.metrics import Metric
from ordeval.metrics.registry import resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import resample_unit, resampled_means, resampled_scores
from ordeval.stats.intervals import (
    bootstrap_interval,
    check_interval_options,
    jackknife_acceleration,
    leave_one_out,
)
from ordeval.stats.streams import Purpose, read_seed
from ordeval.table import Table

DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "macro_f1",
    "mae",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
)
DEFAULT_METHOD = "percentile"
FEW_CASES = 10  # below, an interval from resampled cases is said to be unreliable
FEW_UNITS = 2


@dataclass(frozen=True, eq=False)
class RunScores:
    """Scores and intervals over measures, systems and cases.

    An interval that could not be made is NaN, as is an undefined value; `reasons` says why.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    cases: tuple[Any, ...]
    values: Array  # [measure, system]: the mean over cases where there are cases
    low: Array | None  # [measure, system]; None where no interval was asked for
    high: Array | None
    error: Array  # [measure, system]: standard errors, NaN without resamples
    case_values: Array  # [measure, system, case]
    undefined: Array  # [measure, system]: resamples in which the score is undefined
    reasons: Mapping[tuple[str, str], str]
    level: float | None
    method: str
    n_resamples: int
    seed: int
    resample: str
    distribution: str
    measures: Mapping[str, Metric]

    def __repr__(self) -> str:
        cases = f", cases={len(self.cases)}" if self.cases else ""
        return f"RunScores(metrics={list(self.metrics)}, systems={len(self.systems)}{cases}, level={self.level})"

    @property
    def caption(self) -> str:
        """How the intervals were made, in a sentence."""
        if self.level is None:
            return "No intervals were asked for."
        if self.low is None or np.isnan(self.low).all():
            return "No intervals could be made."
        unit = {
            "items": "items",
            "cases": "whole test cases",
            "both": "test cases and the items within them",
        }[self.resample]
        if self.resample == "items" and self.cases:
            unit = "items within each test case"
        kind = {"percentile": "percentile", "bca": "bias-corrected and accelerated (BCa)"}[
            self.method
        ]
        drawn = f"{self.n_resamples:,} resamples of {unit}, seed {self.seed}"
        parts = [f"{100 * self.level:g}% {kind} bootstrap intervals: {drawn}"]
        if self.distribution == "fixed" and any(
            "reference" in m.needs for m in self.measures.values()
        ):
            parts.append("the class distribution of closeness measures is held at the gold's")
        if self.resample != "items" and len(self.cases) < FEW_CASES:
            parts.append(f"with only {len(self.cases)} test cases these intervals are unreliable")
        lost = int(np.where(np.isnan(self.values), 0, self.undefined).max(initial=0))
        if lost:
            parts.append(f"up to {lost:,} resamples of a score are undefined and left out")
        return "; ".join(parts) + "."


def score_runs(
    runs: Runs | Table,
    *,
    metrics: Any = None,
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    progress: Progress = None,
) -> RunScores:
    """Score every system by every measure, with a bootstrap interval.

    With test cases a score is the mean over cases. `resample` tells what is drawn: "items" (within each case), "cases"
    (whole ones, the default where there are at least two) or "both". `level=None` leaves the intervals out.
    """
    measures = resolve(DEFAULT_METRICS if metrics is None else metrics)
    check_interval_options(level, n_resamples, method)
    seed = read_seed(rng)
    systems, cases = names_of(runs)
    unit = resample_unit(resample, len(cases))
    scorer = Scorer(measures, runs.scale, runs.policy, distribution)
    cells = cells_of(runs)
    per_case = scorer(cells)
    values = per_case.mean(axis=-1)
    shape = values.shape
    low, high, error = (np.full(shape, np.nan) for _ in range(3))
    undefined = np.zeros(shape, dtype=np.int64)
    reasons = reasons_for_values(measures, systems, per_case)
    hindrance = hindrance_of(cells, unit)
    if level is not None and hindrance is not None:
        for name in measures:
            for system in systems:
                reasons.setdefault((name, system), hindrance)
    elif level is not None:
        for at in range(len(systems)):
            step = None if progress is None else scaled(progress, at, len(systems))
            samples, accelerate = one_system(
                cells[at],
                per_case[:, at],
                scorer,
                unit=unit,
                size=n_resamples,
                seed=seed,
                bca=method == "bca",
                progress=step,
            )
            low[:, at], high[:, at], error[:, at], undefined[:, at] = bootstrap_interval(
                samples, values[:, at], level, acceleration=accelerate
            )
            if step is not None:
                step(1, 1)
        for m, name in enumerate(measures):
            for s, system in enumerate(systems):
                if np.isnan(low[m, s]):
                    told = f"defined in {n_resamples - undefined[m, s]} of {n_resamples} resamples"
                    reasons.setdefault((name, system), f"{told}; an interval takes at least two")
    return RunScores(
        metrics=tuple(measures),
        systems=systems,
        cases=cases,
        values=values,
        low=None if level is None else low,
        high=None if level is None else high,
        error=error,
        case_values=per_case if cases else per_case[..., :0],
        undefined=undefined,
        reasons=reasons,
        level=level,
        method=method,
        n_resamples=0 if level is None else int(n_resamples),
        seed=seed,
        resample=unit,
        distribution=distribution,
        measures=measures,
    )


def names_of(data: Runs | Table) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the systems and cases of runs, or of a table by its axes."""
    if isinstance(data, Runs):
        return data.systems, data.cases
    axes = {axis.name: axis.labels for axis in data.axes}
    if tuple(axes) not in {(), ("system",), ("case",), ("system", "case")}:
        raise LabelTypeError(
            f"this table has the axes {list(axes)}; scores with intervals are of systems and cases, in that order. "
            f"Pass table.pooled() or one group of it, table.select(...)."
        )
    return tuple(map(str, axes.get("system", ("system",)))), axes.get("case", ())


def one_system(
    cells: Array,
    scores: Array,
    scorer: Scorer,
    *,
    unit: str,
    size: int,
    seed: int,
    bca: bool,
    progress: Progress,
) -> tuple[Array, Array | None]:
    """Return samples[measure, resample] of one system, whose scores[measure, case] are known, and the acceleration."""
    if unit == "cases":
        return resampled_means(scores, seed, size), over_cases(scores) if bca else None
    patterns = system_patterns(cells)
    samples = resampled_scores(
        patterns, scorer, unit=unit, size=size, seed=seed, purpose=Purpose.ITEMS, progress=progress
    )[:, 0]
    if not bca:
        return samples, None
    return samples, over_cases(scores) if unit == "both" else jackknife_acceleration(
        *leave_one_out(patterns, scorer)
    )[:, 0]


def over_cases(scores: Array) -> Array:
    """Return the acceleration of a mean over cases, from scores[measure, case]."""
    cases = scores.shape[-1]
    change = (scores - scores.mean(axis=-1, keepdims=True)) / max(cases - 1, 1)
    return jackknife_acceleration(change, np.ones(cases), np.full(cases, float(cases)))


def reasons_for_values(
    measures: Mapping[str, Metric], systems: tuple[str, ...], per_case: Array
) -> dict[tuple[str, str], str]:
    """Say why a score is undefined, and in how many cases."""
    reasons = {}
    lost = np.isnan(per_case).sum(axis=-1)
    for m, s in np.argwhere(lost):
        name = list(measures)[m]
        told = f"undefined when {measures[name].undefined_when}"
        if per_case.shape[-1] > 1:
            told = f"undefined in {lost[m, s]} of {per_case.shape[-1]} test cases: {told}"
        reasons[name, systems[s]] = told
    return reasons


def hindrance_of(cells: Array, unit: str) -> str | None:
    """Say why nothing can be resampled, or None where it can."""
    if unit == "cases":
        return None
    if not whole(cells):
        return "the counts are weights, not numbers of items, so items cannot be resampled"
    if cells[0].sum(axis=(-1, -2)).max() < FEW_UNITS:
        return "a single item cannot be resampled"
    return None


def scaled(progress: Progress, at: int, parts: int) -> Progress:
    """Return the progress of one part among several equal ones."""
    if progress is None:
        return None
    return lambda done, total: progress(at * 1000 + done * 1000 // max(total, 1), parts * 1000)
