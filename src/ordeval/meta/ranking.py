"""Ranks of differences over system pairs, for every measure and resample at once.

Over all ordered pairs, both directions, the differences are symmetric around 0: with d comes -d. The centred mid-rank
of d is then sign(d) times the mid-rank of |d| among the unordered pairs, the mean is 0, and Spearman's coefficient is
the cosine of two such vectors. So half of the pairs are enough, and a system drawn w times in a resample is a weight
w on its pairs.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.stats.midranks import Order, midranks, order_of, ranks_in
from ordeval.ties import TIE

Array: TypeAlias = npt.NDArray[Any]


def without_rounding(differences: Array) -> Array:
    """Return differences with those that are ties made 0."""
    return np.where(np.abs(differences) < TIE, 0.0, differences)


def quotient(above: Array, below: Array) -> Array:
    """Divide; NaN where the divisor is 0."""
    return np.asarray(
        np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)
    )


def weights_of_draws(size: int, resamples: int, rng: np.random.Generator) -> Array:
    """Draw `size` things with replacement, and return how often each came up: [resample, thing]."""
    return rng.multinomial(size, np.full(size, 1.0 / size), size=resamples).astype(np.float64)


def weighted_means(values: Array, weights: Array) -> Array:
    """Return the means of values[..., case] under each row of weights[row, case], NaN left out: [..., row].

    All measures go through one matrix product. A product for each takes longer, and on a busy machine many times
    longer, because the threads of every product wait for one another.
    """
    defined = ~np.isnan(values)
    total = np.tensordot(np.where(defined, values, 0.0), weights, axes=(-1, 1))
    return quotient(total, np.tensordot(defined.astype(np.float64), weights, axes=(-1, 1)))


def pairs_of(systems: int) -> tuple[Array, Array]:
    """Return the unordered pairs of systems, as two arrays of positions."""
    first, second = np.triu_indices(systems, k=1)
    return np.asarray(first), np.asarray(second)


def systems_drawn(systems: int, resamples: int, rng: np.random.Generator) -> Array:
    """Draw the systems again, and return how often each pair came up, [pair, resample]; none pairs with its copy."""
    first, second = pairs_of(systems)
    weights = weights_of_draws(systems, resamples, rng)
    return np.asarray((weights[:, first] * weights[:, second]).T)


def differences(scores: Array) -> Array:
    """Return scores[..., s] - scores[..., s'] for every unordered pair; a tie is 0."""
    first, second = pairs_of(scores.shape[-1])
    return without_rounding(scores.take(first, axis=-1) - scores.take(second, axis=-1))


def signed_ranks(
    differences: Array, weights: Array | None = None, order: Order | None = None
) -> Array:
    """Return the centred mid-ranks of differences over both directions of every pair; 0 where undefined.

    weights[resample, pair] says for how many pairs each one stands; one row of differences then serves all resamples,
    or each resample has its own. `order` is that of the absolute differences; it is found here unless given.
    """
    order = order_of(np.abs(differences)) if order is None else order
    ranks = ranks_in(order) if weights is None else weighted_ranks(order, weights)
    signs = (differences > 0).astype(np.float64) - (differences < 0)
    return np.asarray(signs * ranks)


def weighted_ranks(order: Order, weights: Array) -> Array:
    """Return mid-ranks where each value stands for weights[resample, value] values; one order may serve all resamples.

    Positions in the flattened arrays are looked up, which is several times faster than along an axis.
    """
    resamples, size = weights.shape
    row = np.arange(resamples)[:, None]
    place = row * size + order.places
    below = np.zeros((resamples, size + 1))  # the weight before each place, and the whole
    np.cumsum(weights.ravel()[place], axis=1, out=below[:, 1:])
    start = row * (size + 1)
    middle = below.ravel()[start + order.first]
    middle += below.ravel()[start + 1 + order.last]
    ranks = np.empty(weights.size)
    ranks[place] = middle / 2
    return ranks.reshape(weights.shape)


def cosine(a: Array, b: Array, weights: Array | None = None) -> Array:
    """Return the (weighted) cosine along the last axis; NaN where one side does not vary."""
    left = a if weights is None else a * weights
    right = b if weights is None else b * weights
    above = np.einsum("...i,...i->...", left, b)
    below = np.sqrt(np.einsum("...i,...i->...", left, a) * np.einsum("...i,...i->...", right, b))
    return quotient(above, below)


def case_ranks(scores: Array) -> Array:
    """Return centred mid-ranks of the systems along the last axis, scaled to length 1; NaN where all are tied."""
    ranks = midranks(scores) - scores.shape[-1] / 2
    length = np.sqrt(np.einsum("...i,...i->...", ranks, ranks))[..., None]
    return quotient(ranks, length)
