"""Wilcoxon's signed-rank test on the differences of two systems over test cases."""

from functools import lru_cache

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.distributions import normal_cdf
from ordeval.stats.midranks import order_of, ranks_in
from ordeval.ties import TIE, rounded

EXACT_RANKS = 50  # up to so many cases the distribution of the rank sum is counted, as SciPy does
EXACT_TIES = 13  # up to so many cases all signs of tied ranks are counted, as newer SciPy does


def wilcoxon_p(differences: Array) -> Array:
    """Return two-sided p-values of differences[..., case], NaN where one is NaN: zeros are dropped, ties share ranks.

    Exact without ties up to 50 cases and with ties up to 13; beyond, by the normal approximation with the correction
    for ties. With few cases that approximation would be wrong: four equal differences would be significant at 0.05.
    """
    clean = rounded(differences)
    size = (clean != 0).sum(axis=-1)
    distance = np.where(clean == 0, np.inf, np.abs(clean))  # ranks zeros last, outside all sums
    ranks, tied = mid_ranks(distance)
    positive = np.where(clean > 0, ranks, 0.0).sum(axis=-1)
    all_ranks = size * (size + 1) / 2
    smaller = np.minimum(positive, all_ranks - positive)
    with np.errstate(all="ignore"):
        spread = np.sqrt((size * (size + 1) * (2 * size + 1) - tied / 2) / 24)
        p = 2 * normal_cdf((smaller - all_ranks / 2) / spread)
    for n in np.unique(size[size <= EXACT_RANKS]).tolist():
        here = (size == n) & (tied == 0)
        p[here] = np.minimum(1.0, 2 * rank_sum_cdf(n)[np.rint(smaller[here]).astype(np.intp)])
    undefined = np.isnan(clean).any(axis=-1)
    few = (tied > 0) & (size <= EXACT_TIES) & ~undefined
    if few.any():
        signed = np.sign(clean[few]) * ranks[few]
        largest = np.argsort(-np.abs(signed))[:, :EXACT_TIES]  # the others are zeros
        p[few] = counted_flips_p(np.take_along_axis(signed, largest, axis=1))
    return np.where(undefined, np.nan, p)


def mid_ranks(distance: Array) -> tuple[Array, Array]:
    """Return the mid-ranks over the last axis, and the sum of t^3 - t over all groups of t tied finite values."""
    order = order_of(distance)
    group = order.last - order.first + 1.0
    finite = np.isfinite(np.take_along_axis(distance, order.places, axis=-1))
    # Each of the t values of a group adds t^2 - 1, together t^3 - t.
    return ranks_in(order) + 0.5, np.where(finite, group**2 - 1, 0.0).sum(axis=-1)


@lru_cache(maxsize=64)
def rank_sum_cdf(n: int) -> Array:
    """Return, for each signed-rank sum of n cases, the probability of it or a smaller one if signs are coin flips."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] = ways[rank:] + ways[:-rank]
    return np.asarray(np.cumsum(ways) / 2.0**n)


def observed_distance(rows: Array) -> Array:
    """Return how far from 0 the sum of each row is, minus what rounding errors may add up to."""
    return np.asarray(np.abs(rows.sum(axis=1)) - TIE * rows.shape[1])


def counted_flips_p(rows: Array) -> Array:
    """Return p from all sign flips of rows[row, case].

    A flip's sum is one of the left half of the cases plus one of the right half; with the left sums sorted, a search
    tells how many of them reach the observed distance together with each right sum.
    """
    half = rows.shape[1] // 2
    left, right = flipped_sums(rows[:, :half]), flipped_sums(rows[:, half:])
    distance = observed_distance(rows)
    short = [  # how many flips have left < distance - right
        np.searchsorted(left[row], distance[row] - right[row]).sum() for row in range(len(rows))
    ]
    flips = left.shape[1] * right.shape[1]
    # The sums are symmetric around 0, so the upper tail counts twice; at a distance of 0 both tails hold the middle.
    return np.asarray(np.minimum(2 * (flips - np.array(short)) / flips, 1.0))


def flipped_sums(rows: Array) -> Array:
    """Return sums[row, flip] of rows[row, case] under all choices of signs, in ascending order.

    Adding a number to sorted sums keeps them sorted, so each step merges two sorted runs, which a stable sort does in
    one pass.
    """
    sums = np.zeros((len(rows), 1))
    for column in rows.T:
        sums = np.concatenate([sums + column[:, None], sums - column[:, None]], axis=1)
        sums.sort(kind="stable")
    return sums
