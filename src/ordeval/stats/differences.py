"""Differences of two systems' scores: their values, their errors, and their p-values by Student's t."""

from dataclasses import dataclass, replace

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import chunks
from ordeval.stats.distributions import t_quantile, t_two_sided
from ordeval.stats.jackknife import CaseSample, IndependentSamples, ItemSample, Sample
from ordeval.ties import TIE, same


@dataclass(frozen=True)
class Differences:
    """The differences of pairs by one measure: value, standard error, and the degrees of freedom of its t.

    `plain` is the standard error without pseudo-items.
    """

    value: Array
    error: Array
    freedom: Array
    plain: Array

    @property
    def t(self) -> Array:
        """Return each difference divided by its error."""
        with np.errstate(all="ignore"):
            certain = np.where(same(self.value, 0.0), 0.0, np.sign(self.value) * np.inf)
            return np.asarray(np.where(self.error > TIE, self.value / self.error, certain))

    @property
    def seen(self) -> "Differences":
        """Return the differences with their errors without pseudo-items."""
        return replace(self, error=self.plain)

    @property
    def p(self) -> Array:
        """Return two-sided p-values by Student's t."""
        defined = ~np.isnan(self.value) & ~np.isnan(self.error)
        freedom = np.where(defined, np.maximum(self.freedom, 1.0), 1.0)
        return np.where(defined, t_two_sided(np.where(defined, self.t, 0.0), freedom), np.nan)

    def one_sided_p(self, bound: float) -> Array:
        """Return the p-values of the differences being at most `bound`."""
        shifted = replace(self, value=self.value - bound)
        return np.where(shifted.t > 0, shifted.p / 2, 1 - shifted.p / 2)

    def interval(self, level: float) -> tuple[Array, Array]:
        """Return Student's t intervals."""
        freedom = np.maximum(self.freedom, 1.0)
        reach = t_quantile(np.full(self.value.shape, (1 + level) / 2), freedom) * self.error
        return self.value - reach, self.value + reach


def differences(sample: Sample, m: int, first: Array, second: Array) -> Differences:
    """Return the differences of the pairs (first, second) by measure m."""
    estimate = sample.estimate
    value = estimate.value[m]
    pseudo = estimate.pseudo[m]
    more = pseudo[first] + pseudo[second]
    if isinstance(sample, IndependentSamples):
        variance, units = estimate.error[-1, m] ** 2, estimate.units[m]
        both = variance[first] + variance[second]
        with np.errstate(all="ignore"):  # Welch and Satterthwaite's degrees of freedom
            parts = variance**2 / np.maximum(units - 1, 1.0)
            freedom = both**2 / (parts[first] + parts[second])
        plain = np.hypot(estimate.plain[m, first], estimate.plain[m, second])
        return Differences(value[first] - value[second], np.sqrt(both), freedom, plain)
    if isinstance(sample, CaseSample):
        mean, variance, cases = (np.empty(len(first)) for _ in range(3))
        for part in chunks(len(first), numbers=sample.scores.shape[-1]):
            apart, cases[part] = paired_scores(sample, m, first[part], second[part])
            mean[part], variance[part] = mean_and_variance(apart, cases[part])
        return Differences(mean, np.sqrt(variance + more), cases - 1.0, np.sqrt(variance))
    n = sample.units
    apart = value[first] - value[second]
    variance = item_variance(squared(sample, m, first, second), apart, n)
    variance = np.where(n > 1, variance, np.nan)
    freedom = np.full(apart.shape, n - 1.0)
    return Differences(apart, np.sqrt(variance + more), freedom, np.sqrt(variance))


def paired_scores(sample: CaseSample, m: int, first: Array, second: Array) -> tuple[Array, Array]:
    """Return differences[pair, case] with 0 where one of the two is undefined, and how many cases each pair has."""
    apart = sample.scores[m, first] - sample.scores[m, second]
    defined = ~np.isnan(apart)
    clean = np.where(defined & ~same(apart, 0.0), apart, 0.0)
    return clean, defined.sum(axis=-1).astype(np.float64)


def mean_and_variance(apart: Array, cases: Array) -> tuple[Array, Array]:
    """Return the mean of differences[pair, case] over so many cases, and the variance of that mean."""
    with np.errstate(all="ignore"):
        mean = apart.sum(axis=-1) / cases
        square = (apart**2).sum(axis=-1)
        variance = np.maximum(square - cases * mean**2, 0.0) / (cases * (cases - 1.0))
    return np.where(cases > 0, mean, np.nan), np.where(cases > 1, variance, np.nan)


def squared(sample: ItemSample, m: int, first: Array, second: Array) -> Array:
    """Return, for each pair, the sum of squares of what the units contribute to the difference."""
    moments = sample.moments(m)
    own = np.diagonal(moments)
    return np.asarray(np.maximum(own[first] + own[second] - 2 * moments[first, second], 0.0))


def item_variance(square: Array, difference: Array, n: float) -> Array:
    """Return the variance of a sum of n contributions from their sum of squares and the sum itself."""
    return np.asarray(np.maximum(square - difference**2 / n, 0.0) * (n / max(n - 1.0, 1.0)))
