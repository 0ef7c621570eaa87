"""Bootstrap of coverage: systems and cases drawn again, as weights, for all measures on the same draws."""

import numpy as np

from ordeval.meta.ranking import (
    Array,
    cosine,
    differences,
    pairs_of,
    signed_ranks,
    tied,
    weighted_ranks,
)

__all__ = ["OVER", "coverage_draws", "coverage_of"]

OVER = ("systems", "cases", "both")
BLOCK = 2_000_000  # ranks held at a time


def coverage_of(means: Array, ratio: Array) -> Array:
    """Return Spearman over both directions of all pairs, of means[measure, ..., system] and ratio[..., pair].

    A pair with an undefined score is left out of that measure's correlation, from both sides.
    """
    change = differences(means)
    target = np.broadcast_to(tied(ratio), change.shape)
    return cosine(signed_ranks(change), signed_ranks(np.where(np.isnan(change), np.nan, target)))


def drawn(size: int, resamples: int, rng: np.random.Generator) -> Array:
    """Return how often each of `size` things comes up in each resample."""
    return rng.multinomial(size, np.full(size, 1.0 / size), size=resamples).astype(np.float64)


def coverage_draws(
    values: Array, unanimity: Array, over: str, resamples: int, rng: np.random.Generator
) -> Array:
    """Return coverage in each resample, [measure, resample], from values[measure, split, system, case].

    A resample of systems weighs every pair by how often its two systems were drawn; a system and its own copy are no
    pair. A resample of cases weighs the cases in every mean and in every UIR. The resamples are shared out over the
    random splits, so that the intervals hold their variation too.
    """
    measures, splits, systems, cases = values.shape
    share = np.full(splits, resamples // splits)
    share[: resamples % splits] += 1
    result = []
    for split, amount in enumerate(share):
        weights = drawn(systems, amount, rng) if over != "cases" else np.ones((amount, systems))
        often = drawn(cases, amount, rng) if over != "systems" else np.ones((1, cases))
        result.append(one_split(values[:, split], unanimity[split], weights, often))
    return np.concatenate(result, axis=1) if result else np.empty((measures, 0))


def one_split(values: Array, unanimity: Array, weights: Array, often: Array) -> Array:
    """Return coverage under system weights[resample, system] and case weights[resample or 1, case]."""
    first, second = pairs_of(values.shape[1])
    there = ~np.isnan(values)
    plain = np.where(there, values, 0.0)
    result = np.empty((len(values), len(weights)))
    block = max(1, BLOCK // len(first))
    for start in range(0, len(weights), block):
        part = slice(start, start + block)
        mass = weights[part][:, first] * weights[part][:, second]
        times = often if len(often) == 1 else often[part]
        ratio = tied(times @ unanimity.T.astype(np.float64) / values.shape[2])
        usual = ranked(ratio, mass)
        for at in range(len(values)):
            amount = times @ there[at].T
            mean = np.divide(
                times @ plain[at].T, amount, out=np.full(amount.shape, np.nan), where=amount > 0
            )
            change = differences(mean)
            lacking = np.isnan(change)
            target = ranked(np.where(lacking, np.nan, ratio), mass) if lacking.any() else usual
            result[at, part] = cosine(ranked(change, mass), target, mass)
    return result


def ranked(change: Array, mass: Array) -> Array:
    """Return signed ranks under the weights; without weights the plain ranks are the same, and sooner found."""
    return (
        signed_ranks(change)
        if (mass == 1).all() and len(change) == len(mass)
        else weighted_ranks(change, mass)
    )
