"""Score the slices of data: each by itself, and its difference from the rest of the items."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.results import ONE_CASE
from ordeval.comparison.samples import by_name, names_of
from ordeval.comparison.score_runs import score_runs, without_constants
from ordeval.comparison.scores import Scores
from ordeval.comparison.slices import Slice
from ordeval.errors import LabelTypeError, ParameterError, argument, quoted
from ordeval.runs import Runs, names_of_slicings
from ordeval.stats.differences import Differences, differences
from ordeval.stats.jackknife import (
    CaseSample,
    Estimate,
    IndependentSamples,
    ItemSample,
    Sample,
    independent_samples,
)
from ordeval.stats.multiple_testing import adjusted
from ordeval.table import Table


def with_slices(
    scores: Scores,
    data: Runs | Table,
    by: str | Sequence[str] | None,
    *,
    correction: str = "holm",
) -> Scores:
    """Return the scores of the whole with those of its slices: the data holds which slice each item is of."""
    names = names_of_slicings(by)
    parts = list(parts_of(data, names))
    if not parts:
        return scores
    own, apart = [], []
    for _, _, part, rest in parts:
        own.append(score_part(scores, part))
        others = None if rest is None else score_part(scores, rest, intervals=False)
        same_units = others is not None and own[-1].resample == others.resample == scores.resample
        if others is None or rest is None or not same_units:
            apart.append(np.full((4, *scores.values.shape), np.nan))
        else:
            sample = two_samples(own[-1], units_of(part), others, units_of(rest))
            apart.append(difference_from(own[-1], sample))
    numbers = np.stack(apart)  # [slice, number, measure, system]
    step_down = "holm" if correction == "maxt" else correction
    corrected = np.moveaxis(adjusted(np.moveaxis(numbers[:, 3], 0, -1), step_down), -1, 0)
    numbers = np.concatenate([numbers, corrected[:, None]], axis=1)
    slices = tuple(
        Slice(name, value, one, each)
        for (name, value, _, _), one, each in zip(parts, own, numbers, strict=True)
    )
    return replace(scores, slices=slices, slices_corrected=step_down)


def parts_of(
    data: Runs | Table, by: Sequence[str]
) -> Iterator[tuple[str, Any, Runs | Table, Runs | Table | None]]:
    """Give each slice: what it goes by, its value, its items, and the rest of the items, None if there is none.

    Items of weight 0 do not matter, so they are neither a slice nor the rest by themselves.
    """
    if isinstance(data, Runs):
        names = [slicing.name for slicing in data.slices]
        check_names(by, names, "these runs have")
        for name in by:
            at = names.index(name)
            codes = np.zeros(0) if data.slice_codes is None else data.slice_codes[at]
            for code, value in enumerate(data.slices[at].labels):
                inside = codes == code
                if data.count[inside].any():
                    rest = data.only(~inside) if data.count[~inside].any() else None
                    yield name, value, data.only(inside), rest
        return
    check_names(by, [axis.name for axis in data.axes], "this table has")
    for name in by:
        one = data.pooled(*(other for other in by if other != name)) if len(by) > 1 else data
        entries = one.axes[one.axis(name)].labels
        for at, value in enumerate(entries):
            part = entries_added(one, name, [at])
            others = [other for other in range(len(entries)) if other != at]
            outside = entries_added(one, name, others) if others else None
            if part.cells.any():
                has_rest = outside is not None and outside.cells.any()
                yield name, value, part, outside if has_rest else None


def entries_added(table: Table, name: str, entries: Sequence[int]) -> Table:
    """Return the table summed over some entries of an axis, with the test cases that have items there."""
    summed = table.only(name, entries).pooled(name)
    if "case" not in [axis.name for axis in summed.axes]:
        return summed
    at = summed.axis("case")
    others = tuple(axis for axis in range(summed.cells.ndim) if axis != at)
    return summed.only("case", np.flatnonzero(summed.cells.sum(axis=others)).tolist())


def check_names(by: Sequence[str], names: Sequence[str], have: str) -> None:
    """Refuse slices by something that the data does not hold."""
    for name in by:
        if name not in names:
            raise ParameterError(
                f"{argument('by', name)} is not a slicing of this data; {have} {quoted(names) or 'none'}. Pass "
                f"{argument('by', name)} also where the data is read."
            )


def score_part(scores: Scores, part: Runs | Table, *, intervals: bool = True) -> Scores:
    """Score some of the items as the whole was scored."""
    units = units_of(part)
    by_cases = scores.resample == "cases"
    single = by_cases and len(units) < 2
    pooled = bool(names_of(part)[1]) and not scores.cases
    level = scores.level if intervals and not single else None
    result = score_runs(
        part, metrics=list(scores.metrics), primary=scores.baseline.metric, level=level,
        n_resamples=scores.n_resamples or 1, rng=scores.seed, method=scores.method,
        resample=None if single else scores.resample, distribution=scores.distribution,
        undefined=scores.undefined_as, pooled=pooled,
    )  # fmt: skip
    if not (single and intervals and scores.level is not None):
        return result
    missing = np.full(result.values.shape, np.nan)
    every = {(metric, system): ONE_CASE for metric in scores.metrics for system in scores.systems}
    return replace(
        result, level=scores.level, low=missing, high=missing, error=missing,
        reasons={**every, **result.reasons},
    )  # fmt: skip


def units_of(data: Runs | Table) -> tuple[Any, ...]:
    """Return the test cases of the data, also of runs whose cases are scored together."""
    return names_of(data)[1] or (data.clusters if isinstance(data, Runs) else ())


def difference_from(own: Scores, sample: Sample) -> Array:
    """Return the differences of a slice from the rest: value, low, high and p, over [number, measure, system]."""
    numbers = np.full((4, *own.values.shape), np.nan)
    systems = np.arange(len(own.systems))
    for m, measure in enumerate(own.measures.values()):
        apart: Differences = differences(sample, m, systems, systems + len(systems))
        most = measure.bounds[1] - measure.bounds[0]  # two scores cannot be farther apart
        ends = [np.nan, np.nan] if own.level is None else apart.interval(own.level)
        low, high = (np.clip(end, -most, most) for end in ends)
        numbers[:, m] = np.broadcast_arrays(apart.value, low, high, apart.p)
    return numbers


def two_samples(
    own: Scores, cases: Sequence[Any], others: Scores, other_cases: Sequence[Any]
) -> Sample:
    """Return one sample of both parts: the systems on the slice, then the same systems on the rest.

    Items are of one part alone, so the parts share nothing. A test case may have items of both, and is one unit then.
    """
    both = (own, cases), (others, other_cases)
    estimate: Estimate = independent_samples(
        [sample for scores, _ in both for sample in without_constants(scores)]
    ).estimate
    if own.resample == "items":
        return IndependentSamples(estimate)
    union = sorted({*cases, *other_cases}, key=str)
    if isinstance(own.samples[0], CaseSample):
        return CaseSample(estimate, over_cases("scores", both, union, np.nan))
    influence, one = over_cases("influence", both, union, 0.0), np.ones(len(union))
    alike = np.arange(influence.shape[1])
    return ItemSample(estimate, influence, None, one, one, float(len(union)), alike)


def over_cases(
    what: str, parts: Sequence[tuple[Scores, Sequence[Any]]], union: Sequence[Any], fill: float
) -> Array:
    """Return what the samples of both parts hold for [measure, system, case], without the constant answers.

    A sample is in the order of its cases' names; a case that a part does not have gets the `fill`.
    """
    spread = []
    for scores, cases in parts:
        held = [getattr(sample, what)[:, :-1] for sample in scores.samples]
        numbers = np.concatenate(held, axis=1)
        own = np.full((*numbers.shape[:-1], len(union)), fill)
        own[..., [union.index(cases[at]) for at in by_name(cases)]] = numbers
        spread.append(own)
    return np.concatenate(spread, axis=1)


def whole_of(table: Table, by: str | Sequence[str] | None) -> Table:
    """Return the whole of a table: summed over the axes that slices go by."""
    names = names_of_slicings(by)
    if not names:
        return table
    check_names(names, [axis.name for axis in table.axes], "this table has")
    if "case" in names or "system" in names:
        raise LabelTypeError(
            "slices cannot go by the axis 'case' or 'system': cases and systems are scored one by one already. Name "
            "another axis."
        )
    return table.pooled(*names)
