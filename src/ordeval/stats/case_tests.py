"""Tests on the differences of two systems over test cases: paired t, Wilcoxon's signed ranks, and sign flips.

`differences[..., case]`; every test returns two-sided p-values over the leading axes, NaN where a difference is NaN.
"""

from functools import lru_cache

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.stats.chunks import chunks
from ordeval.stats.distributions import normal_cdf, t_two_sided
from ordeval.stats.midranks import order_of, ranks_in
from ordeval.stats.streams import Purpose, stream
from ordeval.ties import TIE, rounded, same

EXACT_RANKS = 50  # up to so many cases the distribution of the rank sum is counted, as SciPy does
EXACT_TIES = 13  # up to so many cases all signs of tied ranks are counted, as newer SciPy does
EXACT_FLIPS = 26  # up to so many cases all sign flips are counted: two halves of at most 8,192 sums
ROWS_AT_A_TIME = 64
FLIPS_AT_A_TIME = 4096


def paired_t_p(differences: Array) -> Array:
    """Return p by Student's t of the mean difference."""
    cases = differences.shape[-1]
    clean = np.where(same(differences, 0.0), 0.0, differences)
    mean = clean.mean(axis=-1)
    error = clean.std(axis=-1, ddof=1) / np.sqrt(cases)
    with np.errstate(all="ignore"):
        t = np.where(error > TIE, mean / error, np.where(same(mean, 0.0), 0.0, np.inf))
    return np.where(np.isnan(mean), np.nan, t_two_sided(t, np.full(t.shape, cases - 1.0)))


def wilcoxon_p(differences: Array) -> Array:
    """Return p by Wilcoxon's signed ranks: zeros are dropped, ties share ranks.

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


def flips_p(differences: Array, *, size: int, seed: int, progress: Progress = None) -> Array:
    """Return p by randomisation: the share of sign flips whose mean difference is at least as far from 0.

    Swapping two systems' answers to a whole case flips the sign of its difference. Exact up to 26 cases; beyond, from
    `size` flips drawn, with one added to both counts.
    """
    rows = differences.reshape(-1, differences.shape[-1])
    p = np.empty(len(rows))
    counted = differences.shape[-1] <= EXACT_FLIPS
    for part in chunks(len(rows), most=ROWS_AT_A_TIME):
        some = rows[part]
        p[part] = counted_flips_p(some) if counted else drawn_flips_p(some, size, seed)
        if progress is not None:
            progress(part.stop, len(rows))
    return np.where(np.isnan(rows).any(axis=1), np.nan, p).reshape(differences.shape[:-1])


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


def drawn_flips_p(rows: Array, size: int, seed: int) -> Array:
    """Return p from `size` random sign flips, the same ones for all rows."""
    rng = stream(seed, Purpose.SWAPS)
    distance = observed_distance(rows)
    reached = np.zeros(len(rows))
    for part in chunks(size, most=FLIPS_AT_A_TIME):
        signs = rng.integers(2, size=(part.stop - part.start, rows.shape[1])) * 2.0 - 1.0
        reached += (np.abs(rows @ signs.T) >= distance[:, None]).sum(axis=1)
    return (reached + 1) / (size + 1)
