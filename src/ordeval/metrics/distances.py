"""What an item costs by the measures of probabilities and of distributions: a distance of its answer from its gold.

Both are distributions over the classes, `gold[..., K]` and `answer[..., K]`; a label is one that is sure of its class.
"""

from collections.abc import Callable

import numpy as np

from ordeval.aliases import Array
from ordeval.metrics.core import Counts, Values, add, distances, running, size
from ordeval.stats.chunks import chunks

FEW_CLASSES = 50  # up to which the distributions of all pairs of labels stay in the cache
CACHED = 1 << 17  # numbers of the distributions that are compared together, which stay in the cache
Distance = Callable[..., Values]  # of gold[..., K] and answer[..., K], with the values and settings


def mean_distance(
    counts: Counts, distance: Distance, unanswered: Counts | None, **given: object
) -> Values:
    """Return the mean distance of labels; an item without an answer is as far away as its class allows."""
    k = counts.shape[-1]
    sure = np.eye(k, dtype=counts.dtype)
    if k <= FEW_CLASSES:
        cost = distance(sure[:, None], sure[None], **given)
    else:  # a pair of labels is two distributions over many classes: take the pairs that there are
        used = np.asarray(counts.reshape(-1, k, k).any(axis=0))
        if unanswered is not None:  # no answer costs as much as the worst one, which may be any
            used = used | np.asarray(unanswered.reshape(-1, k).any(axis=0))[:, None]
        gold, answer = np.nonzero(used)
        cost = np.zeros((k, k), dtype=counts.dtype)
        for part in chunks(len(gold), numbers=k, most=max(1, CACHED // k)):
            pairs = gold[part], answer[part]
            cost[pairs] = distance(sure[pairs[0]], sure[pairs[1]], **given)
    total, n = cost_and_size(counts, cost, unanswered)
    return np.asarray(total / n)


def mean_steps(counts: Counts, unanswered: Counts | None) -> Values:
    """Return the mean distance of labels in positions, as a share of K - 1; without an answer it is the largest."""
    k = counts.shape[-1]
    total, n = cost_and_size(counts, distances(k), unanswered)
    return np.asarray(total / (n * np.float64(k - 1)))


def cost_and_size(counts: Counts, cost: Array, unanswered: Counts | None) -> tuple[Values, Values]:
    """Return what all items cost by cost[gold, answer], and their number; without an answer, an item costs the most."""
    total, n = add(counts * cost, axis=(-1, -2)), size(counts)
    if unanswered is not None:
        total = total + add(unanswered * cost.max(axis=-1), axis=-1)
        n = n + add(unanswered, axis=-1)
    return total, n


def transport(gold: Values, answer: Values, *, values: Values, divide_by: str) -> Values:
    """Return the least mean distance over which one distribution must be moved to become the other."""
    apart = np.abs(running(gold - answer, axis=-1)[..., :-1])
    steps = np.diff(values)
    distance = add(apart * steps, axis=-1)
    k = len(values)
    share = distance / (values[-1] - values[0] if k > 1 else 1.0)
    return np.asarray(share if divide_by == "range" else share * np.float64((k - 1) / k))


def city_block(gold: Values, answer: Values) -> Values:
    """Return the sum of the absolute differences of the classes' shares."""
    return np.asarray(add(np.abs(gold - answer), axis=-1))


def coding_cost(gold: Values, answer: Values, *, epsilon: float) -> Values:
    """Return the cross entropy in nats; probabilities below epsilon count as epsilon."""
    return np.asarray(-add(gold * np.log(np.maximum(answer, epsilon)), axis=-1))


def divergence(gold: Values, answer: Values) -> Values:
    """Return the Jensen-Shannon divergence in bits."""
    middle = (gold + answer) / 2

    def bits_from_middle(share: Values) -> Values:
        with np.errstate(all="ignore"):
            ratio = np.where(share > 0, share / middle, 1.0)
        return np.asarray(add(share * np.log2(ratio), axis=-1))

    return np.asarray(np.maximum((bits_from_middle(gold) + bits_from_middle(answer)) / 2, 0.0))


def cumulative_square(gold: Values, answer: Values) -> Values:
    """Return the mean squared difference of the two cumulative distributions over the K - 1 cuts."""
    k = gold.shape[-1]
    apart = running(gold - answer, axis=-1)[..., :-1]
    return np.asarray(add(apart * apart, axis=-1) / np.float64(k - 1))


def ranked_probability(gold: Values, answer: Values) -> Values:
    """Return the mean squared difference of the cumulative distributions over the K - 1 cuts, for a gold that is drawn.

    Each gold class counts with its share.
    """
    k = answer.shape[-1]
    below = running(answer, axis=-1)[..., None, :-1]
    reached = np.tri(k, dtype=answer.dtype).T[:, :-1]  # [gold, cut]
    per_class = add((below - reached) ** 2, axis=-1) / np.float64(k - 1)
    return np.asarray(add(gold * per_class, axis=-1))


def squares_of_classes(gold: Values, answer: Values) -> Values:
    """Return the sum of the squared differences of the classes' probabilities, for a gold that is drawn.

    Each gold class counts with its share: with p for the answer and g for the class that is drawn, the sum is
    sum(p^2) - 2 p(g) + 1.
    """
    drawn = add(gold * answer, axis=-1)
    return np.asarray(add(gold, axis=-1) + add(answer * answer, axis=-1) - 2 * drawn)
