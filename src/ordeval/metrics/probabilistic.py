"""Probabilistic measures: class probabilities instead of labels. For hard labels they are functions of the table."""

import numpy as np

from ordeval.metrics.closeness import RATIO, expected_closeness
from ordeval.metrics.core import Counts, Values, add, distances, running, size
from ordeval.metrics.metric import Family, ScaleType
from ordeval.metrics.registry import metric


def ranked_probability(
    gold: Counts, probabilities: Values, weight: Values, reference: Values | None
) -> Values:
    """Return the mean squared difference between the cumulative distributions, over items and the K - 1 cuts."""
    del reference
    k = probabilities.shape[-1]
    below = running(probabilities, axis=-1)[:, :-1]
    reached = np.arange(k - 1) >= gold[:, None]
    per_item = add((below - reached) ** 2, axis=-1)
    return np.asarray((per_item * weight).sum() / (weight.sum() * np.float64(k - 1)))


def expected_bits(
    gold: Counts, probabilities: Values, weight: Values, reference: Values | None
) -> Values:
    """Return the closeness of the soft table, in which every item is spread over the classes by its probabilities."""
    k = probabilities.shape[-1]
    soft = np.zeros((k, k))
    np.add.at(soft, gold, probabilities * weight[:, None])
    return expected_closeness(soft, reference)


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N (K - 1)} \sum_d \sum_{k=1}^{K-1} \bigl(F_d(k) - [g(d) \le k]\bigr)^2",
    references=("epstein1969",),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="the scale has only one class",
    from_probabilities=ranked_probability,
)
def ranked_probability_score(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean squared distance between the cumulative distributions of answer and gold.

    Takes one row of class probabilities for each item. For hard labels it is the mean distance in positions divided
    by K - 1; an item without an answer has the largest score that its class can have.

    Here the first item has (0.5 - 1)^2 + (1 - 1)^2 and the second 0: 0.25 / (2 * 2).

    >>> ranked_probability_score([1, 3], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], labels=[1, 2, 3])
    0.0625
    """
    k = counts.shape[-1]
    loss, n = add(counts * distances(k), axis=(-1, -2)), size(counts)
    if unanswered is not None:
        loss = loss + add(unanswered * distances(k).max(axis=-1), axis=-1)
        n = n + add(unanswered, axis=-1)
    return np.asarray(loss / (n * np.float64(k - 1)))


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{\sum_d \sum_a P_d(a)\, \mathrm{{prox}}(a, g(d))}}{{\sum_d \mathrm{{prox}}(g(d), g(d))}} "
    rf"\quad \text{{where }} \mathrm{{CEM}} = {RATIO}",
    references=("amigo2020",),
    from_probabilities=expected_bits,
)
def expected_cem(
    counts: Counts, *, unanswered: Counts | None = None, reference: Values | None = None
) -> Values:
    """Expected closeness (`cem_ord`) of an answer that is drawn from the class probabilities.

    Takes one row of class probabilities for each item; for hard labels it equals `cem_ord`. With one gold item in
    each of two classes a right answer earns 2 bits and a wrong one -log2(1.5 / 2) = 0.415: (1.2075 + 2) / 4.

    >>> round(expected_cem([0, 1], [[0.5, 0.5], [0.0, 1.0]], labels=[0, 1]), 4)
    0.8019
    """
    return expected_closeness(counts, reference, unanswered)
