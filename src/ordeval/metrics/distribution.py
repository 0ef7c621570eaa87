"""Quantification: how well the shares of the classes are found, whichever items the answers were given to."""

import numpy as np

from ordeval.metrics.core import Counts, Values, add, distances, mean_of_gold_classes, running, size
from ordeval.metrics.correlation import margins
from ordeval.metrics.distances import divergence
from ordeval.metrics.registry import metric
from ordeval.table.mass import times
from ordeval.vocabulary import Family, ScaleType


def class_shares(counts: Counts) -> tuple[Values, Values]:
    """Return the shares of the classes in gold and in the answers."""
    gold, predicted = margins(counts)
    n = size(counts)[..., None]
    return gold / n, predicted / n


@metric(
    family=Family.DISTRIBUTION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{K - 1} \sum_{k=1}^{K-1} \bigl|P(k) - P^*(k)\bigr|",
    references=("sakai2018", "werman1985"),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="there are no items, or the scale has only one class",
)
def normalised_match_distance(counts: Counts) -> Values:
    """Normalised match distance between the class shares of answers and gold: how far shares must be moved.

    It looks at the shares alone, so errors that cancel out cost nothing. Gold has the shares (1/2, 1/4, 1/4) and the
    answers (1/4, 1/2, 1/4): the cumulative shares differ by 1/4 and 0, divided by 2.

    >>> normalised_match_distance([1, 1, 2, 3], [1, 2, 2, 3])
    0.125
    """
    gold, predicted = class_shares(counts)
    apart = np.abs(running(gold - predicted, axis=-1)[..., :-1])
    return np.asarray(add(apart, axis=-1) / np.float64(counts.shape[-1] - 1))


@metric(
    family=Family.DISTRIBUTION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\sqrt{\frac{1}{(K - 1) |C^*|} \sum_{i \in C^*} \sum_j |i - j|\, (p_j - p^*_j)^2}, \quad "
    r"C^* = \{i : p^*_i > 0\}",
    references=("sakai2018",),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="there are no items, or the scale has only one class",
)
def rnod(counts: Counts) -> Values:
    """Root normalised order-aware divergence between the class shares of answers and gold.

    Differences between shares count more the farther they are from the classes that occur in gold. The shares differ
    by -1/4, 1/4 and 0; weighted by distance, the squares sum to 1/16 from class 1, 1/16 from 2 and 3/16 from 3: the
    root of their mean, 5/48, divided by 2.

    >>> round(rnod([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.2282
    """
    gold, predicted = class_shares(counts)
    k = counts.shape[-1]
    apart = times((predicted - gold) ** 2, distances(k).astype(counts.dtype))
    return np.asarray(np.sqrt(mean_of_gold_classes(apart, gold) / np.float64(k - 1)))


@metric(
    family=Family.DISTRIBUTION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\tfrac12 \bigl( D(p \,\|\, m) + D(p^* \,\|\, m) \bigr), \quad m = \tfrac12 (p + p^*)",
    references=("lin1991",),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="there are no items",
)
def jensen_shannon(counts: Counts) -> Values:
    """Jensen-Shannon divergence, in bits, between the class shares of answers and gold; it ignores the order.

    Gold (1/2, 1/4, 1/4) and answers (1/4, 1/2, 1/4) have the middle (3/8, 3/8, 1/4):
    1/2 log2(4/3) + 1/4 log2(2/3) from either side.

    >>> round(jensen_shannon([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.0613
    """
    return divergence(*class_shares(counts))
