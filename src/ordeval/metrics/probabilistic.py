"""Probabilistic measures: class probabilities instead of labels. For hard labels they are functions of the table."""

import numpy as np

from ordeval.metrics.closeness import RATIO, expected_closeness
from ordeval.metrics.core import Counts, Values, add, distances, running, size
from ordeval.metrics.metric import Family, ScaleType
from ordeval.metrics.registry import metric


def ranked_probability(gold: Values, answer: Values) -> Values:
    """Return the mean squared difference of the cumulative distributions over the K - 1 cuts, for a gold that is drawn.

    Each gold class counts with its share.
    """
    k = answer.shape[-1]
    below = running(answer, axis=-1)[..., None, :-1]
    reached = np.tri(k, dtype=answer.dtype).T[:, :-1]  # [gold, cut]
    per_class = add((below - reached) ** 2, axis=-1) / np.float64(k - 1)
    return np.asarray(add(gold * per_class, axis=-1))


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N (K - 1)} \sum_d \sum_{k=1}^{K-1} \bigl(F_d(k) - [g(d) \le k]\bigr)^2",
    references=("epstein1969",),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="the scale has only one class",
    per_item=ranked_probability,
)
def ranked_probability_score(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean squared distance between the cumulative distributions of answer and gold.

    Takes one row of class probabilities for each item. Soft gold is scored as a label drawn from its shares
    (`soft_rps` measures the distance from the shares themselves). For hard labels it is the mean distance in positions
    divided by K - 1; an item without an answer has the largest score that its class can have.

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
