"""Tests on the differences of two systems over test cases: paired t, Wilcoxon's signed ranks, and sign flips.

`differences[..., case]`; every function returns two-sided p-values over the leading axes.
"""

from functools import lru_cache

import numpy as np

from ordeval.comparison.cells import Array
from ordeval.stats.bootstrap import Progress
from ordeval.stats.distributions import normal_cdf, t_two_sided
from ordeval.stats.streams import Purpose, stream

SAME = 1e-12  # a difference below this is none: sums in another order differ by less
EXACT_RANKS = 50  # cases up to which the distribution of the rank sum is counted, as SciPy does
EXACT_TIES = 13  # cases up to which all signs of tied ranks are counted, as newer SciPy does
EXACT_FLIPS = (
    26  # cases up to which all sign flips are counted: two halves of at most 8,192 sums each
)
PIECE = 64  # rows of differences at a time


def paired_t_p(differences: Array) -> Array:
    """Return p by Student's t of the mean difference."""
    cases = differences.shape[-1]
    clean = np.where(np.abs(differences) < SAME, 0.0, differences)
    mean = clean.mean(axis=-1)
    spread = clean.std(axis=-1, ddof=1) / np.sqrt(cases)
    with np.errstate(all="ignore"):
        t = np.where(spread > SAME, mean / spread, np.where(np.abs(mean) < SAME, 0.0, np.inf))
    return np.where(np.isnan(mean), np.nan, t_two_sided(t, np.full(t.shape, cases - 1.0)))


def wilcoxon_p(differences: Array) -> Array:
    """Return p by Wilcoxon's signed ranks: zeros are dropped, ties share ranks.

    Exact without ties up to 50 cases and with them up to 13, else by the normal approximation with the correction for
    ties, which would take four cases with the same difference for evidence at 0.05.
    """
    clean = np.round(differences, 12)
    size = np.where(np.isnan(clean), 0, clean != 0).sum(axis=-1).astype(np.int64)
    distance = np.where(
        clean == 0, np.inf, np.abs(clean)
    )  # zeros rank last, and are left out of the sums
    ranks, tied = mid_ranks(distance)
    positive = np.where(clean > 0, ranks, 0.0).sum(axis=-1)
    all_ranks = size * (size + 1) / 2
    smaller = np.minimum(positive, all_ranks - positive)
    with np.errstate(all="ignore"):
        spread = np.sqrt((size * (size + 1) * (2 * size + 1) - tied / 2) / 24)
        approximate = 2 * normal_cdf((smaller - all_ranks / 2) / spread)
    p = np.where(size == 0, 1.0, np.minimum(approximate, 1.0))
    for n in np.unique(size[(tied == 0) & (size > 0) & (size <= EXACT_RANKS)]).tolist():
        here = (size == n) & (tied == 0)
        p[here] = np.minimum(1.0, 2 * rank_sum_cdf(n)[np.rint(smaller[here]).astype(np.intp)])
    lost = np.isnan(clean).any(axis=-1)
    few = (tied > 0) & (size <= EXACT_TIES) & ~lost
    if few.any():
        signed = np.where(clean[few] == 0, 0.0, np.sign(clean[few]) * ranks[few])
        largest = np.argsort(-np.abs(signed), axis=-1)[
            :, :EXACT_TIES
        ]  # beyond, there are but zeros
        p[few] = counted_flips(np.take_along_axis(signed, largest, axis=-1))
    return np.where(lost, np.nan, p)


def mid_ranks(distance: Array) -> tuple[Array, Array]:
    """Return mid-ranks over the last axis, and the sum of t^3 - t over groups of t finite ties."""
    order = np.argsort(distance, axis=-1, kind="stable")
    ranked = np.take_along_axis(distance, order, axis=-1)
    n = distance.shape[-1]
    place = np.broadcast_to(np.arange(n), ranked.shape)
    with np.errstate(invalid="ignore"):
        fresh = np.diff(ranked, axis=-1, prepend=-1.0) != 0
    first = np.maximum.accumulate(np.where(fresh, place, 0), axis=-1)
    ends = np.concatenate([fresh[..., 1:], np.ones((*fresh.shape[:-1], 1), dtype=bool)], axis=-1)
    last = np.minimum.accumulate(np.where(ends, place, n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty_like(distance)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    group = (last - first + 1).astype(np.float64)
    return ranks, np.where(np.isfinite(ranked), group**2 - 1, 0.0).sum(
        axis=-1
    )  # each of t ties adds (t^3 - t) / t


@lru_cache(maxsize=64)
def rank_sum_cdf(n: int) -> Array:
    """Return the probability of each signed-rank sum or less, of n cases whose signs are coin flips."""
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
    for start in range(0, len(rows), PIECE):
        some = rows[start : start + PIECE]
        counted = differences.shape[-1] <= EXACT_FLIPS
        p[start : start + PIECE] = counted_flips(some) if counted else drawn_flips(some, size, seed)
        if progress is not None:
            progress(min(start + PIECE, len(rows)), len(rows))
    return np.where(np.isnan(rows).any(axis=-1), np.nan, p).reshape(differences.shape[:-1])


def threshold(rows: Array) -> Array:
    """Return the distance from 0 that counts as the observed one, a rounding error less."""
    return np.asarray(np.abs(rows.sum(axis=-1)) - SAME * rows.shape[-1])


def counted_flips(rows: Array) -> Array:
    """Count all sign flips: the sums of one half of the cases, sorted, meet those of the other."""
    cases = rows.shape[-1]
    left, right = flipped_sums(rows[:, : cases // 2]), flipped_sums(rows[:, cases // 2 :])
    far = threshold(rows)
    # The distribution is symmetric, so the upper tail counts twice: left >= far - right.
    upper = [
        np.searchsorted(a, limit - b, side="left").sum()
        for a, b, limit in zip(left, right, far, strict=True)
    ]
    every = float(left.shape[-1] * right.shape[-1])
    p = 2 * (every - np.array(upper, dtype=np.float64).reshape(-1)) / every
    return np.where(far <= 0, 1.0, np.minimum(p, 1.0))


def flipped_sums(rows: Array) -> Array:
    """Return the sums of rows[..., case] under all choices of signs, in ascending order.

    Adding a number keeps an order, so each step has but two runs to merge, which a stable sort does in one pass.
    """
    sums = np.zeros((len(rows), 1))
    for column in rows.T:
        sums = np.concatenate([sums + column[:, None], sums - column[:, None]], axis=1)
        sums.sort(axis=-1, kind="stable")
    return sums


def drawn_flips(rows: Array, size: int, seed: int) -> Array:
    """Draw sign flips, the same for all rows."""
    rng = stream(seed, Purpose.SWAPS)
    far = threshold(rows)
    reached = np.zeros(len(rows))
    step = 4096
    for start in range(0, size, step):
        signs = rng.integers(0, 2, size=(min(step, size - start), rows.shape[-1])) * 2.0 - 1.0
        reached += (np.abs(rows @ signs.T) >= far[:, None]).sum(axis=-1)
    return (reached + 1) / (size + 1)
