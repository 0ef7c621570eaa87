"""Score tables by many measures at once, and every system of the data with intervals.

`cells[..., gold, answer]` is K x (K + 1): the last column holds the items without an answer. Cells are resampled first,
and the policy for missing answers is applied to each resample.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.comparison.results import Scores
from ordeval.errors import LabelTypeError, NoItemsError, ParameterError
from ordeval.inputs.patterns import distinct_patterns
from ordeval.inputs.policy import Policy
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import resolve
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.stats.bootstrap import (
    CasePatterns,
    resample_unit,
    resampled_means,
    resampled_scores,
)
from ordeval.stats.intervals import (
    bootstrap_interval,
    check_interval_options,
    jackknife_acceleration,
    leave_one_out,
)
from ordeval.stats.streams import Purpose, read_seed
from ordeval.table import Table
from ordeval.table.folding import fold_to_farthest

DISTRIBUTIONS = ("resampled", "fixed")
DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "macro_f1",
    "mae",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
)
DEFAULT_METHOD = "percentile"
LEAST_ITEMS = 2  # fewer cannot be resampled


@dataclass(frozen=True)
class Scorer:
    """The measures, and everything that they need besides the counts."""

    measures: Mapping[str, Metric]
    scale: Scale
    policy: Policy
    distribution: str = "resampled"

    def __post_init__(self) -> None:
        if self.distribution not in DISTRIBUTIONS:
            raise ParameterError(
                f"distribution={self.distribution!r} is no choice; the class distribution of closeness measures is "
                f"'resampled' with the items or 'fixed' at the gold's."
            )

    @property
    def k(self) -> int:
        """The number of classes."""
        return self.scale.k

    def seen(self, cells: Array) -> tuple[Array, Array | None]:
        """Return the counts and the unanswered items that the policy gives to the measures."""
        answered, missed = cells[..., : self.k], cells[..., self.k]
        if self.policy.missing == "zero" and missed.any():
            return answered, missed
        if self.policy.missing == "farthest" and missed.any():
            return fold_to_farthest(answered, missed), None
        return answered, None

    def __call__(self, cells: Array, observed: Array | None = None) -> Array:
        """Return values[measure, ...]: NaN where undefined.

        `observed` are the cells before resampling, whose gold closeness measures use if the distribution is fixed.
        """
        values = np.array(self.scale.values, dtype=np.float64)
        counts, unanswered = self.seen(cells)
        result = np.empty((len(self.measures), *cells.shape[:-2]))
        for at, measure in enumerate(self.measures.values()):
            reference = None
            if (
                self.distribution == "fixed"
                and observed is not None
                and "reference" in measure.needs
            ):
                reference = np.broadcast_to(self.gold(observed), counts.shape[:-1])
            try:
                result[at] = measure.compute(counts, values, unanswered, reference)
            except NoItemsError:
                result[at] = np.nan
        return result

    def gold(self, cells: Array) -> Array:
        """Return the gold counts of the items that are scored; ones for a table without items."""
        counts, unanswered = self.seen(cells)
        gold = counts.sum(axis=-1) + (0.0 if unanswered is None else unanswered)
        return np.where(gold.sum(axis=-1, keepdims=True) > 0, gold, 1.0)


def cells_of(data: Runs | Table) -> Array:
    """Return cells[system, case, gold, answer] as floats; one system or one case if the data has no such axis."""
    table = data.table if isinstance(data, Runs) else data
    cells = np.concatenate([table.answered, table.missed[..., None]], axis=-1).astype(np.float64)
    names = [axis.name for axis in table.axes]
    systems = len(table.axes[names.index("system")].labels) if "system" in names else 1
    return np.asarray(cells.reshape(systems, -1, *cells.shape[-2:]))


def system_patterns(cells: Array) -> list[CasePatterns]:
    """Return, for each case, the patterns of one system: the cells of its table[case, gold, answer] that have items."""
    k = cells.shape[-2]
    flat = cells.reshape(len(cells), -1)
    used = [np.flatnonzero(row) for row in flat]
    return [CasePatterns(row[at], at[None], k) for row, at in zip(flat, used, strict=True)]


def joint_patterns(runs: Runs) -> list[CasePatterns]:
    """Return, for each case, the distinct joint answers of all systems.

    Runs from which systems were removed may have patterns that are equal now; they are merged. Patterns are numbered by
    the systems' names, so that no draw depends on the order in which the systems were given.
    """
    k, cases = runs.scale.k, max(len(runs.cases), 1)
    by_name = sorted(range(len(runs.systems)), key=lambda system: runs.systems[system])
    as_given = np.argsort(by_name)
    answers = runs.predicted[by_name]
    rows = np.concatenate([runs.case[None], runs.gold[None], answers]).astype(np.intp)
    limits = [cases, k, *[k + 1] * len(runs.systems)]
    (case, gold, *predicted), count = distinct_patterns(rows, limits, runs.count.astype(np.float64))
    cell = (gold * (k + 1) + np.stack(predicted))[as_given]
    of_case = [np.flatnonzero((case == at) & (count > 0)) for at in range(cases)]
    return [CasePatterns(count[at], cell[:, at], k) for at in of_case]


def are_whole(counts: Array) -> bool:
    """Return whether all counts are whole, and so numbers of items and not weights."""
    return bool((counts == np.rint(counts)).all())


def score_runs(
    data: Runs | Table,
    *,
    metrics: Any = None,
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    progress: Progress = None,
) -> Scores:
    """Score every system by every measure, with a bootstrap interval.

    With test cases a score is the mean over cases. `resample` says what is drawn: "items" (within each case), "cases"
    (whole test cases, the default if there are at least two) or "both". `level=None` leaves the intervals out.
    """
    measures = resolve(DEFAULT_METRICS if metrics is None else metrics)
    check_interval_options(level, n_resamples, method)
    seed = read_seed(rng)
    systems, cases = names_of(data)
    unit = resample_unit(resample, len(cases))
    scorer = Scorer(measures, data.scale, data.policy, distribution)
    cells = cells_of(data)
    per_case = scorer(cells)
    values = per_case.mean(axis=-1)
    low, high, error = (np.full(values.shape, np.nan) for _ in range(3))
    undefined = np.zeros(values.shape, dtype=np.int64)
    obstacle = obstacle_to_resampling(cells, unit)
    if level is not None and obstacle is None:
        for s in range(len(systems)):
            step = None if progress is None else part_of(progress, s, len(systems))
            samples, acceleration = resampled_system(
                cells[s],
                per_case[:, s],
                scorer,
                unit=unit,
                size=n_resamples,
                seed=seed,
                bca=method == "bca",
                progress=step,
            )
            low[:, s], high[:, s], error[:, s], undefined[:, s] = bootstrap_interval(
                samples, values[:, s], level, acceleration=acceleration
            )
            if step is not None:
                step(1, 1)
    reasons = reasons_for_values(measures, systems, per_case)
    if level is not None:
        for m, s in np.argwhere(np.isnan(low)).tolist():
            defined = f"defined in {n_resamples - undefined[m, s]} of {n_resamples} resamples"
            reasons.setdefault(
                (list(measures)[m], systems[s]),
                obstacle or f"{defined}; an interval takes at least two",
            )
    return Scores(
        table=data.table if isinstance(data, Runs) else data,
        cells=cells,
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
    """Return the names of the systems and of the cases; a table without an axis of systems is called "system"."""
    if isinstance(data, Runs):
        return data.systems, data.cases
    axes = {axis.name: axis.labels for axis in data.axes}
    if tuple(axes) not in {(), ("system",), ("case",), ("system", "case")}:
        raise LabelTypeError(
            f"this table has the axes {list(axes)}; scores with intervals are of systems and cases, in that order. "
            f"Pass table.pooled() or one group of it, table.select(...)."
        )
    return tuple(map(str, axes.get("system", ("system",)))), axes.get("case", ())


def resampled_system(
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
    """Return samples[measure, resample] of the system with scores[measure, case], and for BCa the acceleration."""
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
    """Return why a score is undefined, and in how many cases, by measure and system."""
    reasons = {}
    cases = per_case.shape[-1]
    undefined = np.isnan(per_case).sum(axis=-1)
    for m, s in np.argwhere(undefined).tolist():
        name = list(measures)[m]
        where = f"undefined in {undefined[m, s]} of {cases} test cases: " if cases > 1 else ""
        reasons[name, systems[s]] = f"{where}undefined when {measures[name].undefined_when}"
    return reasons


def obstacle_to_resampling(cells: Array, unit: str) -> str | None:
    """Return why nothing can be resampled, or None if it can."""
    if unit == "cases":
        return None
    if not are_whole(cells):
        return "the counts are weights, not numbers of items, so items cannot be resampled"
    if cells[0].sum(axis=(-1, -2)).max() < LEAST_ITEMS:
        return "a single item cannot be resampled"
    return None


def part_of(progress: Progress, part: int, parts: int) -> Progress:
    """Return a progress that reports one of several equal parts as its share of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(part * 1000 + done * 1000 // max(total, 1), parts * 1000)
