"""From resamples to intervals: percentile, and bias-corrected and accelerated (BCa, Efron 1987)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ordeval.comparison.cells import Array, Scorer
from ordeval.errors import ParameterError
from ordeval.stats.bootstrap import ROOM, Patterns
from ordeval.stats.distributions import normal_cdf, normal_quantile

METHODS = ("percentile", "bca")
SAME = 1e-12  # two values as near as this are one: sums in another order differ by less


class Interval(NamedTuple):
    """Ends and standard error over the leading axes, and how many resamples were undefined."""

    low: Array
    high: Array
    error: Array
    undefined: Array


def read_level(level: Any, n_resamples: Any, method: Any) -> None:
    """Check what an interval is asked to be."""
    if level is not None and not (isinstance(level, int | float) and 0 < level < 1):
        raise ParameterError(
            f"level={level!r} is no confidence; it lies between 0 and 1, as in 0.95, or is None for no interval."
        )
    if (
        isinstance(n_resamples, bool)
        or not isinstance(n_resamples, int | np.integer)
        or n_resamples < 1
    ):
        raise ParameterError(
            f"n_resamples={n_resamples!r} is no number of resamples; it is a whole number of at least 1."
        )
    if method not in METHODS:
        raise ParameterError(
            f"method={method!r} makes no interval; it is one of {', '.join(METHODS)}."
        )


def interval(
    samples: Array, value: Array, level: float, *, accelerate: Array | None = None
) -> Interval:
    """Return the interval of samples[..., resample] around value[...]; BCa where an acceleration is given.

    Undefined resamples are left out of the quantiles and counted.
    """
    undefined = np.isnan(samples).sum(axis=-1)
    defined = samples.shape[-1] - undefined
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    places = np.broadcast_to(tails, (*value.shape, 2))
    if accelerate is not None:
        places = corrected(samples, value, defined, tails, accelerate)
    plain = accelerate is None and not undefined.any()
    ranked = around(samples, tails) if plain else np.sort(samples, axis=-1)  # NaN comes last
    ends = quantiles(ranked, defined, places)
    with np.errstate(all="ignore"):
        there = samples if not undefined.any() else np.where(np.isnan(samples), 0.0, samples)
        off = samples - (there.sum(axis=-1) / defined)[..., None]
        squares = np.square(off, out=off)
        squares = squares if there is samples else np.where(np.isnan(squares), 0.0, squares)
        error = np.sqrt(squares.sum(axis=-1) / (defined - 1))
    nothing = (defined < 2) | np.isnan(value)
    low, high, error = (np.where(nothing, np.nan, x) for x in (ends[..., 0], ends[..., 1], error))
    return Interval(low, high, error, undefined)


def around(samples: Array, tails: Array) -> Array:
    """Put in place only those values that lie where the quantiles are read: cheaper than to sort them all."""
    at = np.floor(tails * (samples.shape[-1] - 1)).astype(np.intp)
    return np.partition(
        samples, np.unique([*at, *np.minimum(at + 1, samples.shape[-1] - 1)]), axis=-1
    )


def quantiles(ranked: Array, defined: Array, places: Array) -> Array:
    """Return quantiles at places[..., q] of values in ascending order, of which the first `defined` are meant."""
    at = np.clip(places, 0, 1) * np.maximum(defined - 1, 0)[..., None]
    below = np.floor(at).astype(np.intp)
    above = np.minimum(below + 1, np.maximum(defined - 1, 0)[..., None])
    low, high = (
        np.take_along_axis(ranked, below, axis=-1),
        np.take_along_axis(ranked, above, axis=-1),
    )
    return np.asarray(low + (high - low) * (at - below))


def corrected(
    samples: Array, value: Array, defined: Array, tails: Array, accelerate: Array
) -> Array:
    """Return where in the resamples the ends of the BCa interval lie (Efron 1987, equation 1.7)."""
    with np.errstate(all="ignore"):
        below = (samples < value[..., None] - SAME).sum(axis=-1)
        same = (np.abs(samples - value[..., None]) <= SAME).sum(axis=-1)
        share = (below + same / 2) / defined
        bias = normal_quantile(np.clip(np.nan_to_num(share, nan=0.5), 1e-12, 1 - 1e-12))[..., None]
        shifted = bias + normal_quantile(tails)
        return normal_cdf(bias + shifted / (1 - np.nan_to_num(accelerate)[..., None] * shifted))


def acceleration(influence: Array, weight: Array, size: Array) -> Array:
    """Return the acceleration from influence[..., unit]: how the statistic changes where a unit is left out.

    `weight` is how many units are alike, `size` the number of units in the group that each was left out of. Units whose
    loss leaves the statistic undefined are passed over.
    """
    with np.errstate(all="ignore"):
        part = np.where(np.isfinite(influence), influence * (size - 1) / size, 0.0)
        third, second = (weight * part**3).sum(axis=-1), (weight * part**2).sum(axis=-1)
        return np.where(second > 0, third / (6 * second**1.5), 0.0)


def leave_one_out(patterns: Sequence[Patterns], scorer: Scorer) -> tuple[Array, Array, Array]:
    """Return influence[measure, system, pattern], and each pattern's count and case size, over all cases in a row.

    Exact and cheap: a system's table without one item is one of as many tables as it has used cells.
    """
    parts, weights, sizes = [], [], []
    for case in patterns:
        used, values = without_one(case, scorer)
        place = np.broadcast_to(np.searchsorted(used, case.cell), (len(values), *case.cell.shape))
        per_pattern = np.take_along_axis(values, place, axis=-1)
        defined = np.where(np.isfinite(per_pattern), case.count, 0.0)
        with np.errstate(all="ignore"):
            mean = np.nansum(per_pattern * case.count, axis=-1) / defined.sum(axis=-1)
        parts.append((mean[..., None] - per_pattern) / len(patterns))
        weights.append(case.count)
        sizes.append(np.full(len(case.count), case.items, dtype=np.float64))
    return np.concatenate(parts, axis=-1), np.concatenate(weights), np.concatenate(sizes)


def without_one(case: Patterns, scorer: Scorer) -> tuple[Array, Array]:
    """Return the cells that any system uses, and values[measure, system, cell] of the tables that lack one item there.

    A system without items in a cell keeps its table; no pattern asks for that value.
    """
    observed, used = case.observed, np.unique(case.cell)
    systems, width = len(observed), case.k * (case.k + 1)
    values = np.empty((len(scorer.measures), systems, len(used)))
    step = max(1, ROOM // (systems * width))
    for start in range(0, len(used), step):
        some = used[start : start + step]
        tables = np.repeat(observed.reshape(systems, 1, width), len(some), axis=1)
        tables[:, np.arange(len(some)), some] -= 1.0
        cells = np.maximum(tables, 0.0).reshape(systems, len(some), case.k, case.k + 1)
        values[..., start : start + step] = scorer(cells, observed[:, None])
    return used, values
