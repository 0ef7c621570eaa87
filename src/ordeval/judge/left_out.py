"""Numbers that are functions of sums over items, with intervals from leaving each item out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.results import none_if_undefined
from ordeval.stats.chunks import chunks
from ordeval.stats.distributions import t_quantile, t_two_sided

Features = Callable[
    [slice], Array
]  # of some units: what one item of each adds to the sums, [unit, sum]

NO_INTERVAL = "there are too few items for an interval"


@dataclass(frozen=True, slots=True)
class Estimated:
    """A number with its interval and its two-sided p-value for being 0; no ends where it has no interval."""

    value: float
    low: float | None
    high: float | None
    p: float | None


@dataclass(frozen=True)
class Estimates:
    """Numbers with their intervals and p-values, NaN where undefined: [number]."""

    value: Array
    low: Array
    high: Array
    p: Array

    def at(self, place: int) -> Estimated:
        """Return one of the numbers."""
        value, low, high, p = (
            float(each[place]) for each in (self.value, self.low, self.high, self.p)
        )
        return Estimated(
            value, none_if_undefined(low), none_if_undefined(high), none_if_undefined(p)
        )


def estimates(
    features: Features,
    count: Array,
    function: Callable[[Array], Array],
    level: float,
    *,
    pseudo: Array | None = None,
    items: Array | None = None,
) -> Estimates:
    """Return function(sums[..., sum]) of the sums of all items, with t intervals from leaving one item out at a time.

    `count[unit]` items are alike. The rows of `pseudo` are items that are added where an interval is made, so that few
    items that are all alike do not make one of width 0. `items` says how many items tell something about each number;
    all of them, if it is not given.
    """
    units = len(count)
    width = features(slice(0, 1)).shape[1]
    parts = list(chunks(units, numbers=4 * width))
    total = (
        np.sum([count[part] @ features(part) for part in parts], axis=0)
        if parts
        else np.zeros(width)
    )
    value = function(total)
    extra = np.zeros((0, width)) if pseudo is None else pseudo
    larger = total + extra.sum(axis=0)
    centre = function(larger)
    weight = np.concatenate([count, np.ones(len(extra))]).astype(np.float64)
    left = [function(larger - features(part)) for part in parts]
    with np.errstate(all="ignore"):
        influence = centre - np.concatenate([*left, function(larger - extra)])
        influence = np.where(np.isfinite(influence), influence, 0.0)
        n = weight.sum()
        influence -= weight @ influence / n
        error = np.sqrt(weight @ influence**2 * (n - 1) / n)
        told = np.broadcast_to(count.sum() if items is None else items, value.shape)
        known = ~np.isnan(value) & (told > 1)
        freedom = np.where(known, np.maximum(told - 1.0, 1.0), 1.0)
        reach = t_quantile(np.full(value.shape, (1 + level) / 2), freedom) * error
        t = np.where(error > 0, centre / error, np.where(centre == 0, 0.0, np.inf))
        p = t_two_sided(np.where(known, t, 0.0), freedom)
        low, high = np.fmin(centre - reach, value), np.fmax(centre + reach, value)
    return Estimates(value, *(np.where(known, each, np.nan) for each in (low, high, p)))


def ratio(sums: Array, of: Array) -> Array:
    """Return sums divided by others; NaN where these are 0."""
    with np.errstate(all="ignore"):
        return np.asarray(np.where(of > 0, sums / of, np.nan))
