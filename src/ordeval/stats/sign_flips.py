"""Joint draws of the differences of all pairs, if no two scores differ.

Swapping what two systems gave for a unit, an item or a test case, flips the sign of what the unit contributes to their
difference. If two scores are equal, every choice of signs is about as likely as the observed one. All pairs are flipped
together, so that the draws keep how differences depend on each other; each is divided by its own error, so that systems
with equal scores and different confusions do not look different. The same signs serve every measure, so that they are
drawn once for as many measures as fit in memory.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import NUMBERS_AT_A_TIME, chunks
from ordeval.stats.differences import paired_scores, squared
from ordeval.stats.jackknife import (
    CaseSample,
    IndependentSamples,
    ItemSample,
    Sample,
    mean_where,
)
from ordeval.stats.joint_draws import JointDraws
from ordeval.stats.streams import Purpose, stream
from ordeval.ties import TIE

# With more units, sums of signs are drawn from the normal distribution that they follow.
MOST_UNITS = 10_000
# Draws are sums in single precision. One sign that differs leaves 4 / n of the variance, far more than this.
LEFT_BY_ROUNDING = 1e-6
NUMBERS_OF_A_PAIR = 8  # that are held for each measure
DRAWS = 1024  # at a time: enough for what is prepared for each stretch of draws to cost little


def measures_at_a_time(sample: Sample, pairs: int) -> Iterator[slice]:
    """Yield slices of the measures whose draws are held together."""
    measures, systems = sample.estimate.value.shape
    drawn = systems * DRAWS
    if isinstance(sample, CaseSample):
        drawn = pairs * sample.scores.shape[-1]
    if isinstance(sample, ItemSample):
        drawn = systems * max(DRAWS, len(sample.count))
    return chunks(measures, numbers=2 * drawn + NUMBERS_OF_A_PAIR * pairs)


def flipped_t(
    sample: Sample,
    measures: Sequence[int],
    first: Array,
    second: Array,
    *,
    size: int,
    seed: int,
    unseen: bool = False,
) -> Iterator[Iterator[JointDraws]]:
    """Yield the t^2 of pairs under joint sign flips for each of the measures, a stretch of draws at a time.

    All flips are counted where they are few. With `unseen` the errors include pseudo-items, and what these change
    varies from draw to draw over items, too: otherwise the draws would vary less than their errors say.
    """
    if isinstance(sample, IndependentSamples):
        error = sample.estimate.error[-1]
        return independent_t([error[m] for m in measures], first, second, size=size, seed=seed)
    if isinstance(sample, CaseSample):
        cases = [FlippedCases(sample, m, first, second, unseen=unseen) for m in measures]
        return (
            (JointDraws(len(signs), partial(one.squared_t, signs.T)) for one in cases)
            for signs in case_signs(sample.scores.shape[-1], size, seed)
        )
    items = [FlippedItems(sample, m, first, second, unseen=unseen) for m in measures]
    return flipped_items(sample, items, measures, size=size, seed=seed)


def independent_t(
    errors: Sequence[Array], first: Array, second: Array, *, size: int, seed: int
) -> Iterator[Iterator[JointDraws]]:
    """Yield the t^2 of pairs of samples that share nothing, with the errors of their scores by each measure."""
    rng = stream(seed, Purpose.SWAPS)
    systems = len(errors[0])

    def squared_t(error: Array, drawn: Array, which: Array) -> Array:
        one, two = first[which], second[which]
        variance = (error[one] ** 2 + error[two] ** 2)[:, None]
        apart = drawn.take(one, axis=0)
        apart -= drawn.take(two, axis=0)
        return over_variance(np.square(apart, out=apart), variance, variance, 0.0)

    for part in chunks(size, numbers=systems, most=DRAWS):
        normal = rng.standard_normal((part.stop - part.start, systems))
        yield (
            JointDraws(len(normal), partial(squared_t, error, (normal * error).T.copy()))
            for error in errors
        )


class FlippedCases:
    """The t^2 of pairs under sign flips of their differences in each test case, by one measure."""

    def __init__(
        self, sample: CaseSample, m: int, first: Array, second: Array, *, unseen: bool
    ) -> None:
        self.sample, self.m, self.first, self.second = sample, m, first, second
        self.more = more_variance(sample, m, first, second, unseen=unseen)
        self.held = None  # the differences of all pairs, unless they are too many
        if len(first) * sample.scores.shape[-1] <= NUMBERS_AT_A_TIME:
            self.held = paired_scores(sample, m, first, second)

    def differences(self, which: Array) -> tuple[Array, Array]:
        """Return the differences[pair, case] of the pairs at some places, and how many cases each has."""
        if self.held is not None:
            return self.held[0][which], self.held[1][which]
        return paired_scores(self.sample, self.m, self.first[which], self.second[which])

    def squared_t(self, signs: Array, which: Array) -> Array:
        """Return t^2[pair, draw] of the pairs at some places under signs[case, draw]."""
        apart, number = self.differences(which)
        # A single case shows no variation, and any difference in it is infinitely many errors large.
        more = np.where(number > 1, self.more[which], 0.0)[:, None]
        with np.errstate(all="ignore"):
            mean = (apart / number[:, None]) @ signs
            square = np.square(mean, out=mean)
            # The variance of a mean is (sum of squares / n - mean^2) / (n - 1), for every choice of signs.
            whole = (apart**2).sum(axis=-1) / (number * (number - 1.0))
            variance = square / (1.0 - number[:, None])
            variance += whole[:, None] + more
            return over_variance(square, variance, whole[:, None], more)


class FlippedItems:
    """The t^2 of pairs under sign flips of what each unit contributes to their difference, by one measure."""

    def __init__(
        self, sample: ItemSample, m: int, first: Array, second: Array, *, unseen: bool
    ) -> None:
        self.first, self.second = first, second
        self.more = more_variance(sample, m, first, second, unseen=unseen)
        # The variance of a sum of n contributions is (n * sum of squares - sum^2) / (n - 1), for every choice of signs.
        n = sample.units
        self.part = 1.0 / np.sqrt(max(n - 1.0, 1.0))
        self.whole = squared(sample, m, first, second) * (n * self.part**2)
        # Numbered among the systems of the pairs alone, so that no other system changes a draw.
        both = np.concatenate([first, second])
        numbers = np.searchsorted(np.unique(sample.alike[both]), sample.alike)
        self.kinds = int(numbers[both].max()) + 1 if unseen else 0
        self.kind = np.minimum(numbers, self.kinds - 1)
        self.pseudo = np.sqrt(sample.estimate.pseudo[m])[:, None]

    def draws(self, scores: Array, by_kind: Array) -> JointDraws:
        """Return the draws with scores[draw, system] and, if unseen items matter, normal numbers[draw, kind]."""
        drawn = scores.T.astype(np.float64, order="C")
        moved = drawn + by_kind.T[self.kind] * self.pseudo if self.kinds else drawn
        return JointDraws(len(scores), partial(self.squared_t, drawn * self.part, moved))

    def squared_t(self, parts: Array, drawn: Array, which: Array) -> Array:
        """Return t^2[pair, draw] of the pairs at some places, of systems with drawn[system, draw].

        The squared difference of two `parts` is what the variance is less than that of contributions that add up to 0.
        """
        one, two = self.first[which], self.second[which]
        whole, more = self.whole[which, None], self.more[which, None]
        variance = parts.take(one, axis=0)
        variance -= parts.take(two, axis=0)
        np.square(variance, out=variance)
        np.subtract(whole + more, variance, out=variance)
        apart = drawn.take(one, axis=0)
        apart -= drawn.take(two, axis=0)
        return over_variance(np.square(apart, out=apart), variance, whole, more)


def flipped_items(
    sample: ItemSample,
    items: Sequence[FlippedItems],
    measures: Sequence[int],
    *,
    size: int,
    seed: int,
) -> Iterator[Iterator[JointDraws]]:
    """Yield the t^2 of pairs under sign flips of items, the same for each of the measures."""
    rng = stream(seed, Purpose.PSEUDO_ITEMS)
    for drawn in flipped_scores(sample, measures, size, seed, len(items[0].first)):
        by_kind = rng.standard_normal((drawn.shape[1], items[0].kinds))
        yield (one.draws(scores, by_kind) for one, scores in zip(items, drawn, strict=True))


def more_variance(sample: Sample, m: int, first: Array, second: Array, *, unseen: bool) -> Array:
    """Return the variance that pseudo-items add to the difference of each pair; 0 unless it is asked for."""
    pseudo = sample.estimate.pseudo[m]
    return np.asarray(pseudo[first] + pseudo[second]) if unseen else np.zeros(len(first))


def over_variance(square: Array, variance: Array, whole: Array, more: Array | float) -> Array:
    """Return squared differences over their variance; infinite where there is a difference without any variance.

    `variance` is what is left of `whole`, plus `more`. Where nearly nothing is left, all contributions are equal, and
    what there is comes from rounding.
    """
    least = np.maximum(more + LEFT_BY_ROUNDING * whole, TIE**2)
    if (np.minimum.reduce(variance, axis=1, keepdims=True) > least).all():
        return np.divide(square, variance, out=square)
    with np.errstate(all="ignore"):
        clean = np.where(variance > least, variance, more)
        certain = np.where(square > TIE**2, np.inf, 0.0)
        return np.where(clean > TIE**2, square / clean, certain)


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


def flipped_scores(
    sample: ItemSample, measures: Sequence[int], size: int, seed: int, pairs: int
) -> Iterator[Array]:
    """Yield scores[measure, draw, system] under sign flips of all units, drawn; the same flips for every measure.

    Each is given minus the mean of all systems, on which no difference depends.
    """
    rng = stream(seed, Purpose.SWAPS)
    systems, units = sample.estimate.value.shape[1], len(sample.count)
    if units > MOST_UNITS:
        roots = [root_of_moments(sample, m) for m in measures]
        for part in chunks(size, numbers=systems, most=DRAWS):
            normal = rng.standard_normal((part.stop - part.start, systems))
            yield np.stack([normal @ root.T for root in roots])
        return
    # A pattern stands for several items, each with a sign of its own: their sum is binomial.
    items = np.maximum(np.rint(sample.count**2 / sample.square), 1.0).astype(np.int64)
    contributions = [shared_left_out(sample, m, items) for m in measures]
    waiting: list[Array] = []
    for signs in summed_signs(items, rng, size, pairs):
        waiting.append(np.stack([signs @ parts for parts in contributions]))
        if sum(some.shape[1] for some in waiting) >= DRAWS:
            yield np.concatenate(waiting, axis=1)
            waiting = []
    if waiting:
        yield np.concatenate(waiting, axis=1)


def root_of_moments(sample: ItemSample, m: int) -> Array:
    """Return a root[system, number] of the moments, so that its product with normal numbers has these moments."""
    known = ~np.isnan(sample.estimate.value[m])
    moments = np.where(known[:, None] & known, sample.moments(m), 0.0)
    values, vectors = np.linalg.eigh(moments)
    return np.where(known[:, None], vectors * np.sqrt(np.maximum(values, 0.0)), np.nan)


def shared_left_out(sample: ItemSample, m: int, items: Array) -> Array:
    """Return what one item of each unit contributes to the scores, minus the mean of all systems: [unit, system].

    What all systems share would leave only rounding errors of single precision in their differences.
    """
    parts = sample.contributions(m) * np.sqrt(sample.square / items)
    shared = mean_where(parts.T, ~np.isnan(parts.T))
    return (parts - shared).T.astype(np.float32)


def summed_signs(items: Array, rng: np.random.Generator, size: int, pairs: int) -> Iterator[Array]:
    """Yield signs[draw, unit], some draws at a time: each is the sum of the signs of so many items."""
    single = items == 1
    alone = slice(None) if single.all() else np.flatnonzero(single)
    several = items[~single]
    # The cuts are part of the draws: a generator fills whole words with signs, for each stretch anew.
    for part in chunks(size, numbers=pairs + len(items)):
        draws = part.stop - part.start
        signs = np.empty((draws, len(items)), dtype=np.float32)
        signs[:, alone] = rng.integers(2, size=(draws, int(single.sum())), dtype=np.int8) * 2 - 1
        if len(several):
            signs[:, ~single] = 2 * rng.binomial(several, 0.5, size=(draws, len(several))) - several
        yield signs
