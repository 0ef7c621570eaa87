"""Score every system of the data by every measure, with intervals and the best constant answer beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.arguments import check_choice, check_progress
from ordeval.comparison.best_constant import best_constant
from ordeval.comparison.results import ONE_CASE, ONE_ITEM, Baseline, too_few_resamples
from ordeval.comparison.samples import (
    cells_of,
    joint_patterns,
    names_of,
    samples_of,
    sampling_unit,
    scores_by_case,
    system_patterns,
)
from ordeval.comparison.scorer import UNDEFINED, Scorer, default_metrics
from ordeval.comparison.scores import Scores
from ordeval.errors import NoItemsError, quoted
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import resolve
from ordeval.progress import portion
from ordeval.runs import Runs
from ordeval.stats.bootstrap import Patterns, merged, resampled_scores
from ordeval.stats.chunks import chunks
from ordeval.stats.differences import differences
from ordeval.stats.intervals import acceleration_of, bootstrap_interval, check_interval_options
from ordeval.stats.jackknife import IndependentSamples, Sample, independent_samples, mean_where
from ordeval.stats.streams import Purpose, read_seed
from ordeval.stats.t_intervals import t_interval
from ordeval.table import Table

ALPHA = 0.05  # if no level is asked for
DEFAULT_METHOD = "t"
RARE = 10  # a class of fewer gold items is too small for the interval of a measure by class


def score_runs(
    data: Runs | Table,
    *,
    metrics: Any = None,
    primary: str | None = None,
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    undefined: str = "omit",
    pooled: bool = False,
    progress: Progress = None,
) -> Scores:
    """Score every system by every measure, with an interval, and the best constant answer by the primary measure.

    With test cases a score is the mean over cases. `resample` says what another sample would draw anew: "items" (within
    each case) or "cases" (whole test cases, the default if there are at least two). `level=None` leaves the intervals
    out. `undefined` says what a case without a score counts as. `pooled` scores all items as one test; the cases are
    still what another sample would draw anew.
    """
    measures = resolve(default_metrics(data) if metrics is None else metrics)
    check_interval_options(level, n_resamples, method)
    check_progress(progress)
    check_choice("undefined", undefined, UNDEFINED)
    seed = read_seed(rng)
    systems, cases = names_of(data)
    check_items(data, systems)
    clusters = len(data.clusters) if isinstance(data, Runs) else 0
    unit = sampling_unit(resample, len(cases) or clusters)
    pooled, whole = pooled and bool(cases), data
    if pooled:
        whole = data.pooled() if isinstance(data, Runs) else data.pooled("case")
        cases = ()
    scorer = Scorer(measures, data.scale, data.policy, distribution)
    scorer.check_observed(cells_of(whole))
    main = leading_measure(measures, primary)
    constant = best_constant(whole, scorer, main)
    samples = samples_of(
        data, scorer, unit=unit, undefined=undefined, constant=constant, pooled=pooled
    )
    estimate = independent_samples(samples).estimate
    of_systems = np.array(
        [s for s in range(estimate.value.shape[1]) if not is_constant(s, samples)]
    )
    values = estimate.value[:, of_systems]
    cells = cells_of(whole)
    per_case = scores_by_case(whole, cells, scorer)
    low, high, error = (np.full(values.shape, np.nan) for _ in range(3))
    missing = np.zeros(values.shape, dtype=np.int64)
    sizes = cells.sum(axis=(-1, -2)).max(axis=-1)
    single = (sizes < 2) & (unit == "items")  # [system]
    if level is not None and not single.all():
        low, high = (
            end[:, of_systems]
            for end in t_interval(estimate, [m.bounds for m in measures.values()], level)
        )
        error = estimate.error[0][:, of_systems]
        if method != "t":
            low, high, error, missing = bootstrapped(
                data, scorer, values, unit=unit, undefined=undefined, size=n_resamples, seed=seed,
                bca=method == "bca", level=level, pooled=pooled, progress=progress,
            )  # fmt: skip
        for part in (low, high, error):
            part[:, single] = np.nan
    known = ~np.isnan(per_case)
    reasons = reasons_for_values(measures, systems, per_case)
    if level is not None:
        for m, s in np.argwhere(np.isnan(low)).tolist():
            why = ONE_ITEM if single[s] else ONE_CASE
            if method != "t" and not single[s]:
                why = too_few_resamples(int(missing[m, s]), n_resamples)
            reasons.setdefault((list(measures)[m], systems[s]), why)
    return Scores(
        table=whole.table if isinstance(whole, Runs) else whole,
        cells=cells,
        metrics=tuple(measures),
        systems=systems,
        cases=cases,
        values=values,
        low=None if level is None else low,
        high=None if level is None else high,
        error=error,
        case_values=per_case if cases else per_case[..., :0],
        defined=known.sum(axis=-1),
        undefined=missing,
        reasons=reasons,
        level=level,
        method=method,
        n_resamples=0 if level is None or method == "t" else int(n_resamples),
        seed=seed,
        resample=unit,
        distribution=distribution,
        measures=measures,
        undefined_as=undefined,
        rare=rare_classes(data, cells) if unit == "items" else (),
        baseline=read_baseline(
            data, samples, measures, main, constant, alpha=ALPHA if level is None else 1 - level
        ),
        samples=tuple(samples),
        data=data,
    )


def check_items(data: Runs | Table, systems: Sequence[str]) -> None:
    """Refuse data in which a system has no items; items of weight 0 do not matter."""
    found = np.asarray(cells_of(data).any(axis=(1, 2, 3)))
    if isinstance(data, Runs) and not found.any():
        raise NoItemsError("there are no items that matter: all of them have the weight 0.")
    empty = [name for name, some in zip(systems, found, strict=True) if not some]
    if empty:
        raise NoItemsError(
            f"there are no items: all counts of {quoted(empty)} are 0. Leave such tables out."
        )


def leading_measure(measures: Mapping[str, Metric], primary: str | None) -> str:
    """Return the measure that chooses the best constant: the primary one, else cem_ord, else the first."""
    if primary is not None and primary in measures:
        return primary
    return "cem_ord" if "cem_ord" in measures else next(iter(measures))


def is_constant(place: int, samples: Sequence[Sample]) -> bool:
    """Tell whether a place among the systems of all samples is a sample's last, the constant answer."""
    ends = np.cumsum([sample.estimate.value.shape[1] for sample in samples])
    return place + 1 in ends


def read_baseline(
    data: Runs | Table,
    samples: Sequence[Sample],
    measures: Mapping[str, Metric],
    metric: str,
    constant: int,
    *,
    alpha: float,
) -> Baseline:
    """Return the best constant answer, and the systems that are not significantly better by the metric."""
    m, up = list(measures).index(metric), measures[metric].greater_is_better
    names = iter(names_of(data)[0])
    failed = []
    for sample in samples:
        last = sample.estimate.value.shape[1] - 1
        first = np.arange(last)
        apart = differences(sample, m, first, np.full(last, last))
        ahead = apart.value > 0 if up else apart.value < 0
        for beats in (ahead & (apart.p <= alpha)).tolist():
            name = next(names)
            if not beats:
                failed.append(name)
    scores = np.mean([sample.estimate.value[:, -1] for sample in samples], axis=0)
    return Baseline(
        label=data.scale.labels[constant],
        name=data.scale.names[constant],
        metric=metric,
        scores=dict(zip(measures, scores.tolist(), strict=True)),
        not_beaten_by=() if np.isnan(scores[m]) else tuple(failed),
    )


def without_constants(scores: Scores) -> list[IndependentSamples]:
    """Return the samples of single systems without the constant answer beside each."""
    return [
        IndependentSamples(sample.estimate.of_systems(slice(None, -1))) for sample in scores.samples
    ]


def rare_classes(data: Runs | Table, cells: Array) -> tuple[tuple[Any, int], ...]:
    """Return the gold classes that occur with fewer than ten items, and how many they have."""
    gold = cells.sum(axis=(1, -1))  # [system, class]: tables that share no items have each its own
    least = np.where(gold > 0, gold, np.inf).min(axis=0)
    rare = np.flatnonzero(least < RARE)
    return tuple((data.scale.names[at], round(float(least[at]))) for at in rare.tolist())


def bootstrapped(
    data: Runs | Table,
    scorer: Scorer,
    values: Array,
    *,
    unit: str,
    undefined: str,
    size: int,
    seed: int,
    bca: bool,
    level: float,
    pooled: bool,
    progress: Progress,
) -> tuple[Array, Array, Array, Array]:
    """Return the ends, the errors and the number of undefined resamples of bootstrap intervals: [measure, system]."""
    low, high, error = (np.full(values.shape, np.nan) for _ in range(3))
    missing = np.zeros(values.shape, dtype=np.int64)
    pooled = pooled or (isinstance(data, Runs) and bool(data.clusters) and not data.cases)
    joint = joint_patterns(data, pooled=pooled, scorer=scorer) if isinstance(data, Runs) else None
    table = data.table if isinstance(data, Runs) else data
    systems = values.shape[1]
    # Items are drawn for each system by itself, cases for all together: many systems ask for the same draws.
    most = None if joint is not None and unit == "cases" else 1
    numbers = max(len(values) * size, len(joint or ()) * scorer.k * (scorer.k + 1))
    for some in chunks(systems, numbers=numbers, most=most):
        patterns: Sequence[Patterns]
        if joint is None:
            patterns = system_patterns(table, some.start, pooled=pooled)
        elif unit == "cases":
            patterns = [case.of_systems(some) for case in joint]
        else:
            patterns = [case.of_system(some.start) for case in joint]
        if pooled and unit == "items":
            patterns = [merged(patterns).of_system(0)]
        step = portion(progress, some.start / systems, some.stop / systems)
        draws = resampled_scores(
            patterns, scorer, unit=unit, size=size, seed=seed, purpose=Purpose.ITEMS, pooled=pooled,
            fill=lambda scores: scorer.filled(scores, undefined), progress=step,
        )  # fmt: skip
        if unit == "items" and len(patterns) > 1:
            # Small cases are biased: what their resamples score is centred on what they score.
            mean = mean_where(draws, ~np.isnan(draws))
            draws = draws - mean[..., None] + values[:, some, None]
        acceleration = None
        if bca:
            acceleration = acceleration_of(patterns, scorer, unit=unit, pooled=pooled)
        low[:, some], high[:, some], error[:, some], missing[:, some] = bootstrap_interval(
            draws, values[:, some], level, acceleration=acceleration
        )
        if step is not None:
            step(1, 1)
    bounds = np.array([measure.bounds for measure in scorer.measures.values()])
    # Weights make resamples of fractional items, whose scores may lie beyond the bounds.
    lowest, highest = bounds[:, :1], bounds[:, 1:]
    low, high = np.clip(low, lowest, highest), np.clip(high, lowest, highest)
    return np.minimum(low, values), np.maximum(high, values), error, missing


def reasons_for_values(
    measures: Mapping[str, Metric], systems: tuple[str, ...], per_case: Array
) -> dict[tuple[str, str], str]:
    """Return why a score is undefined, or over how many cases its mean is, by measure and system."""
    reasons = {}
    cases = per_case.shape[-1]
    undefined = np.isnan(per_case).sum(axis=-1)
    for m, s in np.argwhere(undefined).tolist():
        name = list(measures)[m]
        where = f"undefined in {undefined[m, s]} of {cases} test cases: " if cases > 1 else ""
        reasons[name, systems[s]] = f"{where}undefined when {measures[name].undefined_when}"
    return reasons
