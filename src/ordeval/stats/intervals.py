"""From resamples to intervals: percentile, and bias-corrected and accelerated (BCa, Efron 1987)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_choice, is_number, is_whole
from ordeval.errors import ParameterError, argument, by_caller
from ordeval.stats.bootstrap import Patterns, scores_of_cases
from ordeval.stats.distributions import normal_cdf, normal_quantile
from ordeval.stats.jackknife import item_sample, mean_where, pooled_sample
from ordeval.stats.score_function import ScoreFunction
from ordeval.ties import TIE, same

METHODS = ("t", "percentile", "bca")
MOST_RESAMPLES = 1_000_000
LEAST_SHARE = 1e-12  # keeps the bias finite where all resamples lie on one side of the value


class BootstrapInterval(NamedTuple):
    """The ends and the standard error over the leading axes, and how many resamples were undefined."""

    low: Array
    high: Array
    error: Array
    undefined: Array


def check_level(level: Any) -> None:
    """Refuse a confidence level that no interval can have."""
    if not (is_number(level) and 0 < level < 1):
        raise ParameterError(
            f"{argument('level', level)} is not a confidence level; it must be between 0 and 1, such as 0.95."
        )


def check_interval_options(level: Any, n_resamples: Any, method: Any) -> None:
    """Refuse a level, a number of resamples or a method that no interval can have."""
    if level is not None and not (is_number(level) and 0 < level < 1):
        raise ParameterError(
            f"{argument('level', level)} is not a confidence level; it must be between 0 and 1, such as 0.95, or "
            f"{by_caller('None', 'none')} for no interval."
        )
    if not is_whole(n_resamples, 1):
        raise ParameterError(
            f"{argument('n_resamples', n_resamples)} is not a number of resamples; it is a whole number of at least 1."
        )
    if n_resamples > MOST_RESAMPLES:
        raise ParameterError(
            f"{argument('n_resamples', n_resamples)} is too many; there can be at most {MOST_RESAMPLES:,} resamples, "
            f"and 10,000 are enough for most purposes."
        )
    if not is_choice(method, METHODS):
        raise ParameterError(
            f"{argument('method', method)} is not a kind of interval; it is one of {', '.join(METHODS)}."
        )


def bootstrap_interval(
    samples: Array, value: Array, level: float, *, acceleration: Array | None = None
) -> BootstrapInterval:
    """Return the interval of samples[..., resample] around value[...]: BCa with an acceleration, else percentile.

    Undefined resamples are left out and counted. The interval is NaN where the value is undefined or fewer than two
    resamples are defined.
    """
    # Sums are then rounded alike, whatever else is beside them.
    samples = np.ascontiguousarray(samples)
    undefined = np.isnan(samples).sum(axis=-1)
    defined = samples.shape[-1] - undefined
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    places = np.broadcast_to(tails, (*value.shape, 2))
    if acceleration is not None:
        places = bca_places(samples, value, defined, tails, acceleration)
    complete = not undefined.any()
    simple = complete and acceleration is None
    ranked = partly_sorted(samples, tails) if simple else np.sort(samples)  # NaN comes last
    ends = quantiles(ranked, defined, places)
    with np.errstate(all="ignore"):
        present = samples if complete else np.where(np.isnan(samples), 0.0, samples)
        deviation = samples - (present.sum(axis=-1) / defined)[..., None]
        squares = np.square(deviation, out=deviation)
        squares = squares if complete else np.where(np.isnan(squares), 0.0, squares)
        error = np.sqrt(squares.sum(axis=-1) / (defined - 1))
    impossible = (defined < 2) | np.isnan(value)
    low, high, error = (
        np.where(impossible, np.nan, x) for x in (ends[..., 0], ends[..., 1], error)
    )
    return BootstrapInterval(low, high, error, undefined)


def partly_sorted(samples: Array, tails: Array) -> Array:
    """Return the samples with those values in their sorted places that quantiles at the tails are read from.

    It is cheaper than sorting them all.
    """
    last = samples.shape[-1] - 1
    below = np.floor(tails * last).astype(np.intp)
    return np.partition(samples, np.unique([*below, *np.minimum(below + 1, last)]))


def quantiles(ranked: Array, defined: Array, places: Array) -> Array:
    """Return quantiles[..., q] at places[..., q] of ranked[..., resample], of which the first `defined` count.

    Between two values they are interpolated, as NumPy's default does.
    """
    last = np.maximum(defined - 1, 0)[..., None]
    at = places * last
    below = np.floor(at).astype(np.intp)
    above = np.minimum(below + 1, last)
    low, high = (np.take_along_axis(ranked, place, axis=-1) for place in (below, above))
    return np.asarray(low + (high - low) * (at - below))


def bca_places(
    samples: Array, value: Array, defined: Array, tails: Array, acceleration: Array
) -> Array:
    """Return the two probabilities at which the BCa interval cuts the resamples (Efron 1987, equation 1.7).

    The bias is the normal quantile of the share of resamples below the value, those equal to it counting half.
    """
    with np.errstate(all="ignore"):
        below = (samples < value[..., None] - TIE).sum(axis=-1)
        equal = same(samples, value[..., None]).sum(axis=-1)
        share = (below + equal / 2) / np.maximum(defined, 1)
        bias = normal_quantile(np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE))[..., None]
        shifted = bias + normal_quantile(tails)
        return normal_cdf(bias + shifted / (1 - acceleration[..., None] * shifted))


def jackknife_acceleration(influence: Array, weight: Array, size: Array) -> Array:
    """Return the acceleration from influence[..., unit]: how the statistic changes when a unit is left out.

    `weight` is how many units are alike, `size` the number of units in the group that each was left out of. Units whose
    loss leaves the statistic undefined are passed over.
    """
    with np.errstate(all="ignore"):
        part = np.where(np.isfinite(influence), influence * (size - 1) / size, 0.0)
        third, second = (weight * part**3).sum(axis=-1), (weight * part**2).sum(axis=-1)
        divisor = 6 * second**1.5
        return np.where(divisor > 0, third / divisor, 0.0)


def acceleration_of(
    patterns: Sequence[Patterns], score: ScoreFunction, *, unit: str, pooled: bool
) -> Array:
    """Return the acceleration[measure, system] of scores over items, or over whole test cases."""
    if unit == "cases" and not pooled:
        scores = scores_of_cases(patterns, score)
        mean = mean_where(scores, ~np.isnan(scores))
        influence = (scores - mean[..., None]) / max(len(patterns) - 1, 1)
        ones = np.ones(len(patterns))
        return jackknife_acceleration(influence, ones, np.full(len(patterns), float(len(patterns))))
    sample = (pooled_sample if unit == "cases" else item_sample)(patterns, score)
    parts = [
        sample.influence[m]
        if sample.place is None
        else np.take_along_axis(sample.influence[m], sample.place, axis=-1)
        for m in range(len(sample.influence))
    ]
    return jackknife_acceleration(
        np.stack(parts), sample.count, np.full(len(sample.count), sample.units)
    )
