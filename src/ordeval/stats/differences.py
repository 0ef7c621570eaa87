"""Differences of two systems' scores: their errors, their p-values, and joint draws for all pairs at once.

Swapping what two systems gave for a unit, an item or a test case, flips the sign of what the unit contributes to their
difference. If two scores are equal, every choice of signs is about as likely as the observed one. All pairs are flipped
together, so that the draws keep how differences depend on each other; each is divided by its own error, so that systems
with equal scores and different confusions do not look different.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import NUMBERS_AT_A_TIME, chunks
from ordeval.stats.distributions import t_quantile, t_two_sided
from ordeval.stats.jackknife import (
    CaseSample,
    IndependentSamples,
    ItemSample,
    Sample,
    mean_where,
)
from ordeval.stats.joint_draws import JointDraws
from ordeval.stats.streams import Purpose, stream
from ordeval.ties import TIE, same

# With more units, sums of signs are drawn from the normal distribution that they follow.
MOST_UNITS = 10_000
DRAWS = 512  # at a time: enough for what is prepared for each stretch of draws to cost little


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


def flipped_t(
    sample: Sample,
    m: int,
    first: Array,
    second: Array,
    *,
    size: int,
    seed: int,
    unseen: bool = False,
) -> Iterator[JointDraws]:
    """Yield the |t| of pairs under joint sign flips, a stretch of draws at a time.

    All flips are counted where they are few. With `unseen` the errors include pseudo-items, and what these change
    varies from draw to draw over items, too: otherwise the draws would vary less than their errors say.
    """
    if isinstance(sample, IndependentSamples):
        return independent_t(sample.estimate.error[-1, m], first, second, size=size, seed=seed)
    if isinstance(sample, CaseSample):
        return flipped_cases(sample, m, first, second, size=size, seed=seed, unseen=unseen)
    return flipped_items(sample, m, first, second, size=size, seed=seed, unseen=unseen)


def independent_t(
    error: Array, first: Array, second: Array, *, size: int, seed: int
) -> Iterator[JointDraws]:
    """Yield the |t| of pairs of samples that share nothing, with the errors of their scores."""
    rng = stream(seed, Purpose.SWAPS)

    def t(drawn: Array, which: Array) -> Array:
        one, two = first[which], second[which]
        together = np.sqrt(error[one] ** 2 + error[two] ** 2)
        return ratio(drawn[one] - drawn[two], together[:, None])

    for part in chunks(size, numbers=len(error), most=DRAWS):
        drawn = rng.standard_normal((part.stop - part.start, len(error))) * error
        yield JointDraws(len(drawn), partial(t, drawn.T.copy()))


def flipped_cases(
    sample: CaseSample, m: int, first: Array, second: Array, *, size: int, seed: int, unseen: bool
) -> Iterator[JointDraws]:
    """Yield the |t| of pairs under sign flips of their differences in each test case."""
    more, cases = more_variance(sample, m, first, second, unseen=unseen), sample.scores.shape[-1]
    held = None  # the differences of all pairs, unless they are too many
    if len(first) * cases <= NUMBERS_AT_A_TIME:
        held = paired_scores(sample, m, first, second)

    def t(signs: Array, which: Array) -> Array:
        apart, number = (
            paired_scores(sample, m, first[which], second[which])
            if held is None
            else (held[0][which], held[1][which])
        )
        number, square = number[:, None], (apart**2).sum(axis=-1)[:, None]
        with np.errstate(all="ignore"):
            mean = (apart / number) @ signs
            variance = np.maximum(square - number * mean**2, 0.0) / (number * (number - 1.0))
            return ratio(mean, np.sqrt(variance + more[which, None]))

    for signs in case_signs(cases, size, seed):
        yield JointDraws(len(signs), partial(t, signs.T))


def flipped_items(
    sample: ItemSample, m: int, first: Array, second: Array, *, size: int, seed: int, unseen: bool
) -> Iterator[JointDraws]:
    """Yield the |t| of pairs under sign flips of what each unit contributes to their difference."""
    square, n = squared(sample, m, first, second), sample.units
    more = more_variance(sample, m, first, second, unseen=unseen)
    pseudo = sample.estimate.pseudo[m]
    rng = stream(seed, Purpose.PSEUDO_ITEMS)
    # Numbered among the systems of the pairs alone, so that no other system changes a draw.
    both = np.concatenate([first, second])
    numbers = np.searchsorted(np.unique(sample.alike[both]), sample.alike)
    kinds = int(numbers[both].max()) + 1

    def t(drawn: Array, noise: Array | None, which: Array) -> Array:
        one, two = first[which], second[which]
        apart = drawn[one] - drawn[two]
        error = np.sqrt(item_variance(square[which, None], apart, n) + more[which, None])
        if noise is not None:
            apart = apart + noise[one] - noise[two]
        return ratio(apart, error)

    for drawn in flipped_scores(sample, m, size, seed, len(first)):
        noise = None
        if unseen:
            by_kind = rng.standard_normal((len(drawn), kinds))
            noise = (by_kind[:, np.minimum(numbers, kinds - 1)] * np.sqrt(pseudo)).T.copy()
        yield JointDraws(len(drawn), partial(t, drawn.T.copy(), noise))


def more_variance(sample: Sample, m: int, first: Array, second: Array, *, unseen: bool) -> Array:
    """Return the variance that pseudo-items add to the difference of each pair; 0 unless it is asked for."""
    pseudo = sample.estimate.pseudo[m]
    return np.asarray(pseudo[first] + pseudo[second]) if unseen else np.zeros(len(first))


def ratio(difference: Array, error: Array) -> Array:
    """Return |difference| / error; infinite where there is a difference without any error."""
    distance = np.abs(difference)
    with np.errstate(all="ignore"):
        return np.where(error > TIE, distance / error, np.where(distance > TIE, np.inf, 0.0))


def counts_all_flips(units: int, size: int) -> bool:
    """Tell whether all choices of signs of so many units are counted in place of `size` drawn ones."""
    return units < 60 and 2 ** (units - 1) <= size


def case_signs(cases: int, size: int, seed: int) -> Iterator[Array]:
    """Yield signs[flip, case], some at a time: all of them, up to a change of all signs, or `size` drawn ones."""
    every = counts_all_flips(cases, size)
    rng = stream(seed, Purpose.SWAPS)
    for part in chunks(2 ** (cases - 1) if every else size, numbers=cases, most=DRAWS):
        if every:
            bits = np.arange(part.start, part.stop)[:, None] >> np.arange(cases) & 1
        else:
            bits = rng.integers(2, size=(part.stop - part.start, cases))
        yield bits * 2.0 - 1.0


def flipped_scores(sample: ItemSample, m: int, size: int, seed: int, pairs: int) -> Iterator[Array]:
    """Yield scores[draw, system] under sign flips of all units, drawn; the same flips for every measure.

    Each is given minus the mean of all systems, on which no difference depends.
    """
    rng = stream(seed, Purpose.SWAPS)
    systems, units = len(sample.estimate.value[m]), len(sample.count)
    if units > MOST_UNITS:
        known = ~np.isnan(sample.estimate.value[m])
        moments = np.where(known[:, None] & known, sample.moments(m), 0.0)
        values, vectors = np.linalg.eigh(moments)
        root = np.where(known[:, None], vectors * np.sqrt(np.maximum(values, 0.0)), np.nan)
        for part in chunks(size, numbers=systems, most=DRAWS):
            yield rng.standard_normal((part.stop - part.start, systems)) @ root.T
        return
    # A pattern stands for several items, each with a sign of its own: their sum is binomial.
    items = np.maximum(np.rint(sample.count**2 / sample.square), 1.0).astype(np.int64)
    single = items == 1
    parts = sample.contributions(m) * np.sqrt(sample.square / items)
    # What all systems share would leave nothing but rounding errors of single precision in their differences.
    shared = mean_where(parts.T, ~np.isnan(parts.T))
    contributions = (parts - shared).T.astype(np.float32)
    waiting: list[Array] = []
    # The cuts are part of the draws: a generator fills whole words with signs, for each stretch anew.
    for part in chunks(size, numbers=pairs + units):
        draws = part.stop - part.start
        signs = np.empty((draws, units), dtype=np.float32)
        signs[:, single] = rng.integers(2, size=(draws, int(single.sum())), dtype=np.int8) * 2 - 1
        if not single.all():
            several = items[~single]
            signs[:, ~single] = 2 * rng.binomial(several, 0.5, size=(draws, len(several))) - several
        waiting.append(signs @ contributions)
        if part.stop == size or len(waiting) * draws >= DRAWS:
            yield np.concatenate(waiting).astype(np.float64)
            waiting = []
