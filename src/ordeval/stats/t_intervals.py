"""Student's t interval of a score, on a scale where its error is nearly symmetric.

Near its bounds a score cannot vary as far towards the bound as away from it. On the scale of the arcsine of the root
(of the root alone, where only one bound is finite) it can, nearly; a coefficient of agreement can on that of Fisher's
z. Two such intervals are made, with one pseudo-item and with two; the outer ends of both, and the score itself, are the
ends. docs/evidence/calibration.md has the coverage measured.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.distributions import t_quantile
from ordeval.stats.jackknife import Estimate
from ordeval.ties import TIE

Ends = tuple[Array, Array]


def scaled_ends(centre: Array, reach: Array, low: Array, high: Array) -> Ends:
    """Return the two ends of centre plus and minus reach, made symmetric on the scale that the bounds call for."""
    below, above = np.isfinite(low), np.isfinite(high)
    plain = centre - reach, centre + reach
    with np.errstate(all="ignore"):
        width = high - low
        share = np.clip((centre - low) / width, 0.0, 1.0)
        middle, step = np.arcsin(np.sqrt(share)), reach / width / (2 * np.sqrt(share * (1 - share)))
        both = tuple(
            low + width * np.sin(np.clip(middle + sign * step, 0.0, np.pi / 2)) ** 2
            for sign in (-1, 1)
        )
        root = np.sqrt(np.maximum(centre - low, 0.0))
        from_low = tuple(
            low + np.maximum(root + sign * reach / (2 * root), 0.0) ** 2 for sign in (-1, 1)
        )
        depth = np.sqrt(np.maximum(high - centre, 0.0))
        from_high = tuple(
            high - np.maximum(depth - sign * reach / (2 * depth), 0.0) ** 2 for sign in (-1, 1)
        )
    # at a bound itself there is no such scale
    inside = (centre > low + TIE) & (centre < high - TIE)
    ends = []
    for at in range(2):
        end = np.where(below & above, both[at], np.where(below, from_low[at], from_high[at]))
        end = np.where(inside & (below | above), end, plain[at])
        ends.append(np.clip(end, low, high))
    return ends[0], ends[1]


def z_ends(centre: Array, reach: Array, low: Array, high: Array) -> Ends:
    """Return the two ends on the scale of Fisher's z above 0 and of the coefficient itself below.

    The highest value of a coefficient is 1. Both parts of the scale meet with one slope and without a bend.
    """
    above = np.clip(centre, 0.0, 1 - TIE)
    middle = np.where(centre > 0, np.arctanh(above), centre)
    step = reach / (1 - above**2)
    ends = [
        np.clip(np.where(end > 0, np.tanh(np.maximum(end, 0.0)), end), low, high)
        for end in (middle - step, middle + step)
    ]
    return ends[0], ends[1]


def t_interval(
    estimate: Estimate,
    bounds: Sequence[tuple[float, float]],
    level: float,
    ends_of: Callable[[Array, Array, Array, Array], Ends] = scaled_ends,
) -> Ends:
    """Return the ends [measure, system]; `bounds` are the lowest and the highest value of each measure.

    `ends_of` centre, reach, lowest and highest value gives the two ends on the scale that suits the measures.
    """
    units = estimate.units
    quantile = t_quantile(np.full(units.shape, (1 + level) / 2), np.maximum(units - 1, 1.0))
    low, high = np.array(bounds, dtype=np.float64).reshape(-1, 2).T
    ends = [
        ends_of(centre, quantile * error, low[:, None], high[:, None])
        for centre, error in zip(estimate.centre, estimate.error, strict=True)
    ]
    lows, highs = (np.stack(side) for side in zip(*ends, strict=True))
    undefined = np.isnan(estimate.value) | np.isnan(estimate.error).any(axis=0) | (units <= 1)
    lowest = np.fmin(lows.min(axis=0), estimate.value)
    highest = np.fmax(highs.max(axis=0), estimate.value)
    return np.where(undefined, np.nan, lowest), np.where(undefined, np.nan, highest)
