"""What humans would have said, from few of their marks and many of a judge: the estimators, as functions of sums.

A statistic is the share of a class, or, as the last one, the mean mark; every method estimates all of them at once.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.judge.method_names import HUMAN, NAIVE, POSTSTRATIFIED, PPI, ROGAN_GLADEN

LEAST_MARKS = 2  # items with a human mark that a stratum needs: one alone shows no variation
SINGULAR = 1e-10  # the least ratio of the smallest to the largest singular value


class StatisticEstimates(NamedTuple):
    """A value for each statistic, its standard error and the ends of its interval; NaN where it is undefined."""

    value: Array
    error: Array
    low: Array
    high: Array
    reason: str | None = None  # why there are none


@dataclass(frozen=True, slots=True)
class MarkSums:
    """Sums over the items, by the mark of the judge: all that the methods need to know.

    The mean mark is counted from `origin`, near which the marks lie, so that its variance loses no digits.
    """

    size: Array  # [judge]: items that humans marked, too
    first: Array  # [judge, statistic]: the sum of what the humans' marks are worth on these
    second: Array  # [judge, statistic]: the sum of their squares
    unmarked: Array  # [judge]: items that only the judge marked
    judged: Array  # [judge, statistic]: what a mark of the judge is worth
    values: Array  # [class]
    origin: float
    several: bool  # some items have different marks of several humans

    @classmethod
    def of_counts(
        cls, counts: Array, unmarked: Array, values: Array, rows: Array | None = None
    ) -> "MarkSums":
        """Add up counts[human, judge]; with `rows` of shares, the first axis is what the humans of an item gave."""
        k = len(values)
        shares = np.eye(k) if rows is None else rows
        counts = np.asarray(counts, dtype=np.float64)
        origin = float(counts.sum(axis=1) @ (shares @ values) / counts.sum())
        shifted = np.asarray(values, dtype=np.float64) - origin
        worth = np.column_stack([shares, shares @ shifted])
        used = counts.any(axis=1)
        return cls(
            counts.sum(axis=0),
            counts.T @ worth,
            counts.T @ worth**2,
            np.asarray(unmarked, dtype=np.float64),
            np.column_stack([np.eye(k), shifted]),
            np.asarray(values, dtype=np.float64),
            origin,
            bool(((shares > 0) & (shares < 1))[used].any()),
        )

    @property
    def n(self) -> float:
        """The number of items that humans and the judge marked."""
        return float(self.size.sum())

    @property
    def others(self) -> float:
        """The number of items that only the judge marked."""
        return float(self.unmarked.sum())

    @property
    def human_counts(self) -> Array:
        """The counts[human, judge] of the items that both marked; an item with several humans is spread over rows."""
        return np.asarray(self.first[:, :-1].T)

    @property
    def means(self) -> Array:
        """The mean of each statistic among the humans' marks, for each mark of the judge; 0 where there are none."""
        return np.asarray(self.first / np.maximum(self.size, 1)[:, None])

    @property
    def within(self) -> Array:
        """The squared deviations of the humans' marks from these means, added up, for each mark of the judge."""
        squares: Array = self.second - self.means * self.first
        return np.where(squares < 1e-12 * self.second, 0.0, squares)


def estimates_by(method: str, sums: MarkSums, z: float) -> StatisticEstimates:
    """Return what one method says; `z` is the quantile of the normal distribution that the intervals reach to."""
    if method == ROGAN_GLADEN:
        return rogan_gladen(sums, z)
    if method == POSTSTRATIFIED:
        return poststratified(sums, z)
    if method == NAIVE:
        every = sums.size + sums.unmarked
        value, variance = moments(every, sums.judged)
        return normal_interval(sums, value, np.sqrt(variance / every.sum()), z)
    lam = {HUMAN: np.zeros(1), PPI: np.ones(1)}.get(method)
    return prediction_powered(sums, tuned_lambda(sums) if lam is None else lam, z)


def normal_interval(sums: MarkSums, value: Array, error: Array, z: float) -> StatisticEstimates:
    """Return estimates with their normal intervals; the mean mark is counted from 0 again."""
    value = value.copy()
    value[-1] += sums.origin
    return StatisticEstimates(value, error, value - z * error, value + z * error)


def moments(size: Array, worth: Array) -> tuple[Array, Array]:
    """Return the mean of each statistic and its variance, with the number of items as divisor."""
    mean = size @ worth / size.sum()
    return mean, size @ (worth - mean) ** 2 / size.sum()


def prediction_powered(sums: MarkSums, lam: Array, z: float) -> StatisticEstimates:
    """Return the prediction-powered estimates (Angelopoulos et al. 2023), with the weight `lam` of the judge.

    The mean of the judge on the items that only it marked, plus the mean of human minus judge on the others; 0 is the
    human marks alone, 1 is PPI, and the best weight PPI++.
    """
    imputed, spread = moments(sums.unmarked, lam * sums.judged)
    apart, between = moments(sums.size, sums.means - lam * sums.judged)
    rectifier = between + sums.within.sum(axis=0) / sums.n
    return normal_interval(
        sums, imputed + apart, np.sqrt(spread / sums.others + rectifier / sums.n), z
    )


def tuned_lambda(sums: MarkSums) -> Array:
    """Return the weight of the judge for each statistic that PPI++ finds best (Angelopoulos et al. 2024).

    All classes have one weight, so that their shares add up to 1; the mean mark has its own. It is 0 where the judge
    gives all items the same mark.
    """
    human, judge = (sums.size @ worth / sums.n for worth in (sums.means, sums.judged))
    covariance = sums.size @ ((sums.means - human) * (sums.judged - judge)) / sums.n
    every = sums.size + sums.unmarked
    variance = moments(every, sums.judged)[1] * every.sum() / (every.sum() - 1)

    def weight(which: slice) -> float:
        total = float(variance[which].sum()) * (1 + sums.n / sums.others)
        return min(max(float(covariance[which].sum()) / total, 0.0), 1.0) if total > 0 else 0.0

    k = len(sums.values)
    return np.array([weight(slice(k))] * k + [weight(slice(k, None))])


def poststratified(sums: MarkSums, z: float) -> StatisticEstimates:
    """Return the humans' means for each mark of the judge, weighted by how often the judge gives it in all items.

    The variance is that within the strata, and that of the strata's weights, which are of a sample, too.
    """
    target = merged_strata(sums)
    group = np.zeros((len(target), len(target)))
    group[target, np.arange(len(target))] = 1
    size, first, second = (group @ each for each in (sums.size, sums.first, sums.second))
    strata = size > 0
    every = (group @ (sums.size + sums.unmarked))[strata]
    size, first, second = (each[strata] for each in (size[:, None], first, second))
    share = (every / every.sum())[:, None]
    means = first / size
    within = np.maximum(second - first * means, 0) / np.maximum(size - 1, 1)
    value, between = moments(every, means)
    variance = (share**2 * within / size).sum(axis=0) + between / every.sum()
    return normal_interval(sums, value, np.sqrt(variance), z)


def merged_strata(sums: MarkSums) -> Array:
    """Return the class of the judge with which each one is taken together, because it has too few human marks itself.

    It is the nearest on the scale that has enough, the lower of two; if none has, all are one stratum.
    """
    k = len(sums.values)
    enough = sums.size >= LEAST_MARKS
    if not enough.any():
        return np.full(k, int(np.argmax(sums.size)))
    distance = np.abs(sums.values[:, None] - sums.values)
    return np.asarray(np.argmin(np.where(enough, distance, np.inf), axis=1))


def rogan_gladen(sums: MarkSums, z: float) -> StatisticEstimates:
    """Return the class shares q that P(judge | human) turns into those of the judge (Rogan and Gladen 1978).

    The interval is the one of Lang and Reiczigel (2014) that Lee et al. (2025) use for judges: the delta method on
    smoothed shares, cut to what is possible; with two classes its centre is shifted as theirs is.
    """
    k = len(sums.values)
    used = (sums.size + sums.unmarked > 0) | sums.human_counts.any(axis=1)
    counts, seen = sums.human_counts[np.ix_(used, used)], sums.unmarked[used]
    marked = counts.sum(axis=1)
    smoothed = (counts + 1) / (marked + len(counts))[:, None]
    exact, inverse = inverse_of(counts), inverse_of(counts + 1)
    reason = unsolvable(sums, counts, np.stack([exact, inverse]))
    if reason is not None:
        nothing = np.full(k + 1, np.nan)
        return StatisticEstimates(nothing, nothing, nothing, nothing, reason)
    spread = np.zeros((k + 1, int(used.sum())))  # from the classes in use to all statistics
    spread[np.flatnonzero(used), np.arange(int(used.sum()))] = 1
    spread[k] = sums.values[used]
    limits = np.array([*[(0.0, 1.0)] * k, (sums.values[0], sums.values[-1])]).T
    value = spread @ exact @ (seen / seen.sum())

    classes, size = len(counts), seen.sum() + z**2
    margin = (seen + z**2 / classes) / size
    shares = inverse @ margin
    # Sum over the humans' classes of share^2 (diag(row) - row row') / marks, and the same of the judge's margin.
    weights = np.append(1 / size, shares**2 / (marked + classes))
    rows = np.vstack([margin, smoothed])
    covariance = np.diag(weights @ rows) - rows.T @ (weights[:, None] * rows)
    onto = spread @ inverse
    error = np.sqrt(np.maximum(((onto @ covariance) * onto).sum(axis=1), 0))
    if classes == 2:
        lower, upper = shares * smoothed[:, 0] * smoothed[:, 1] / (marked + classes)
        shares = shares + 2 * z**2 * (upper - lower) * np.array([-1, 1])
    centre = spread @ shares
    low, high = (np.clip(end, *limits) for end in (centre - z * error, centre + z * error))
    return StatisticEstimates(np.clip(value, *limits), error, low, high)


def inverse_of(together: Array) -> Array:
    """Return what turns shares of the judge's classes into those of humans: the inverse of P(judge | human).

    `together[..., human, judge]` are counts; a class that no human gave stays without items. NaN if the judge's marks
    cannot tell all classes of humans apart.
    """
    inverse = np.full(together.shape, np.nan)
    for at in np.ndindex(together.shape[:-2]):
        used = np.flatnonzero(together[at].sum(axis=1) > 0)
        given = together[at][used] / together[at][used].sum(axis=1, keepdims=True)
        strengths = np.linalg.svd(given, compute_uv=False)
        if not len(used) or strengths[-1] < SINGULAR * strengths[0]:
            continue
        inverse[at] = 0.0
        inverse[at][used] = np.linalg.pinv(given.T)
    return inverse


def unsolvable(sums: MarkSums, counts: Array, inverses: Array) -> str | None:
    """Say why P(judge | human) cannot be inverted; None if it can."""
    if sums.several:
        return "it takes one human mark for each item, and some items have different marks of several humans"
    if len(counts) < 2:
        return "all marks are of one class"
    if not counts.any(axis=1).all():
        return "humans gave no marked item one of the classes that the judge uses, so its errors there are not known"
    if np.isnan(inverses).any():
        return "the judge's marks do not tell all of the humans' classes apart: their matrix is singular"
    return None
