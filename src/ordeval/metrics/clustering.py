"""Clustering measures: how much information the answers give about gold, whatever the classes are called.

An item without an answer earns nothing: it belongs to no cluster, but is still counted as an item.
"""

import math

import numpy as np

from ordeval.metrics.classification import items_asked
from ordeval.metrics.core import Counts, Values, add, largest, with_missed
from ordeval.metrics.registry import metric, paper_marks
from ordeval.vocabulary import Family, ScaleType

MARKS = paper_marks(True, False, True)


@metric(
    family=Family.CLUSTERING,
    scale_type=ScaleType.NOMINAL,
    formula=r"\sum_{ij} p_{ij} \log_2 \frac{p_{ij}}{p_{i\cdot} p_{\cdot j}}",
    references=("shannon1948",),
    bounds=(0.0, math.inf),
    perfect=None,
    claims=MARKS,
)
def mutual_information(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Information in bits that the answers give about gold; at most the entropy of gold.

    The four cells, with a quarter of the items each, give 1, 0, 1 and 2 bits.

    >>> mutual_information([1, 1, 2, 3], [1, 2, 2, 3])
    1.0
    """
    gold = with_missed(add(counts, axis=-1), unanswered)
    predicted = add(counts, axis=-2)
    n = np.asarray(add(gold, axis=-1))[..., None, None]
    pointwise = np.log2(counts * n / (gold[..., :, None] * predicted[..., None, :]))
    bits = add(np.where(counts > 0, counts * pointwise, 0.0), axis=(-1, -2))
    return np.asarray(np.maximum(bits, 0.0) / n[..., 0, 0])


@metric(
    family=Family.CLUSTERING,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_j \max_i n_{ij}",
    references=("zhao2004", "amigo2009"),
    claims=MARKS,
)
def purity(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Share of items whose gold class is the most frequent one among the items with the same answer.

    >>> purity([1, 1, 2, 3], [1, 2, 2, 3])
    0.75
    """
    return np.asarray(add(largest(counts, axis=-2), axis=-1) / items_asked(counts, unanswered))


@metric(
    family=Family.CLUSTERING,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_i \max_j n_{ij}",
    references=("zhao2004", "amigo2009"),
    claims=MARKS,
)
def inverse_purity(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Share of items whose answer is the most frequent one among the items of the same gold class.

    >>> inverse_purity([1, 1, 2, 3], [1, 2, 2, 3])
    0.75
    """
    return np.asarray(add(largest(counts, axis=-1), axis=-1) / items_asked(counts, unanswered))


@metric(
    family=Family.CLUSTERING,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{2 P I}{P + I}",
    references=("zhao2004", "amigo2009"),
)
def purity_f(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Harmonic mean of purity and inverse purity; 0 if both are 0.

    >>> purity_f([1, 1, 2, 3], [1, 2, 2, 3])
    0.75
    """
    of_clusters, of_classes = (
        add(largest(counts, axis=-2), axis=-1),
        add(largest(counts, axis=-1), axis=-1),
    )
    both = of_clusters + of_classes
    mean = np.where(both > 0, 2 * of_clusters * of_classes / both, 0.0)
    return np.asarray(mean / items_asked(counts, unanswered))
