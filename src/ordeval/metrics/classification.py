"""Classification measures: is the class right? They ignore the order of the classes, or use it only for a margin."""

import numpy as np

from ordeval.metrics.core import (
    Counts,
    Values,
    add,
    diagonal,
    distances,
    mean_of_gold_classes,
    other_classes,
    size,
    with_missed,
)
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks
from ordeval.table.mass import times
from ordeval.vocabulary import Family, ScaleType


def items_asked(counts: Counts, unanswered: Counts | None) -> Values:
    """Return the number of items, answered or not."""
    asked: Values = add(with_missed(add(counts, axis=-1), unanswered), axis=-1)
    return asked


def recalls(counts: Counts, unanswered: Counts | None) -> tuple[Values, Values]:
    """Return the share of each gold class that was found, and the gold counts."""
    gold = with_missed(add(counts, axis=-1), unanswered)
    return np.asarray(diagonal(counts) / gold), gold


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_k n_{kk}",
    references=("gaudette2009",),
    claims=paper_marks(True, False, False),
)
def accuracy(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Share of items with the right answer.

    >>> accuracy([1, 1, 2, 3], [1, 2, 2, 3])
    0.75
    """
    return np.asarray(add(diagonal(counts), axis=-1) / items_asked(counts, unanswered))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N} \sum_{|i - j| \le n} n_{ij}",
    references=("gaudette2009",),
    parameters=(
        Parameter("n", 1, "how many positions an answer may be away from gold", bounds=(0, 10**6)),
    ),
    claims=paper_marks(True, False, False),
)
def accuracy_within(counts: Counts, *, n: int, unanswered: Counts | None = None) -> Values:
    """Share of items whose answer is at most n positions away from gold.

    Positions are counted on the scale, so unused classes count, too.

    >>> accuracy_within([1, 1, 2, 3], [1, 2, 2, 1])
    0.75
    """
    near = distances(counts.shape[-1]) <= n
    return np.asarray(add(counts * near, axis=(-1, -2)) / items_asked(counts, unanswered))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{K'} \sum_{k : n_{k\cdot} > 0} \frac{n_{kk}}{n_{k\cdot}}",
    references=("baccianella2009",),
    claims=paper_marks(True, False, True),
    by_class=True,
)
def macro_accuracy(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean recall over the gold classes, each with the same weight (balanced accuracy, MAAC).

    Half of class 1 and all of classes 2 and 3 are found: (1/2 + 1 + 1) / 3.

    >>> round(macro_accuracy([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8333
    """
    return mean_of_gold_classes(*recalls(counts, unanswered))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{K'} \sum_{k : n_{k\cdot} > 0} \frac{2 n_{kk}}{n_{k\cdot} + n_{\cdot k}}",
    references=("vanrijsbergen1979",),
    claims=paper_marks(True, False, True),
    by_class=True,
)
def macro_f1(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean F1 over the gold classes: the harmonic mean of precision and recall.

    Classes 1 and 2 have 2/3, class 3 has 1.

    >>> round(macro_f1([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7778
    """
    gold = with_missed(add(counts, axis=-1), unanswered)
    per_class = 2 * diagonal(counts) / (gold + add(counts, axis=-2))
    return mean_of_gold_classes(np.asarray(per_class), gold)


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{K'} \sum_{k : n_{k\cdot} > 0} \frac{n_{kk}}{n_{\cdot k}}, \quad \tfrac{0}{0} = 0",
    references=("vanrijsbergen1979",),
    by_class=True,
)
def macro_precision(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean precision over the gold classes: of the answers 'k', the share that are right.

    A gold class that is never answered has precision 0. Here the precisions are 1, 1/2 and 1.

    >>> round(macro_precision([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8333
    """
    answers = add(counts, axis=-2)
    precisions = np.where(answers > 0, diagonal(counts) / answers, 0.0)
    return mean_of_gold_classes(precisions, with_missed(add(counts, axis=-1), unanswered))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\Bigl(\prod_{k : n_{k\cdot} > 0} \frac{n_{kk}}{n_{k\cdot}}\Bigr)^{1 / K'}",
    references=("kubat1997",),
    by_class=True,
)
def geometric_mean(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Geometric mean of the recalls of the gold classes: it is 0 if any class is never found.

    The recalls are 1/2, 1 and 1: the cube root of 1/2.

    >>> round(geometric_mean([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7937
    """
    recall, gold = recalls(counts, unanswered)
    return np.exp(mean_of_gold_classes(np.log(recall), gold))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\min_{k : n_{k\cdot} > 0} \frac{n_{kk}}{n_{k\cdot}}",
    references=("caballero2010",),
    by_class=True,
)
def min_sensitivity(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Lowest recall of any gold class.

    >>> min_sensitivity([1, 1, 2, 3], [1, 2, 2, 3])
    0.5
    """
    recall, _ = recalls(counts, unanswered)
    # a class without gold items has no recall: fmin skips its NaN
    return np.asarray(np.fmin.reduce(recall, axis=-1))


@metric(
    family=Family.CLASSIFICATION,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{p_o - p_e}{1 - p_e}, \quad p_o = \sum_k \frac{n_{kk}}{N}, \quad "
    r"p_e = \sum_k \frac{n_{k\cdot} n_{\cdot k}}{N^2}",
    references=("cohen1960",),
    bounds=(-1.0, 1.0),
    undefined_when="all labels are of one class, so chance agreement is already 1",
    claims=paper_marks(True, False, True),
)
def cohen_kappa(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Agreement above chance: the share of right answers, corrected for what the class frequencies give by chance.

    3 of 4 answers agree, and 5/16 would by chance: (3/4 - 5/16) / (1 - 5/16) = 7/11.

    >>> round(cohen_kappa([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.6364
    """
    gold, predicted = with_missed(add(counts, axis=-1), unanswered), add(counts, axis=-2)
    apart, n = other_classes(counts.shape[-1]), size(counts)
    observed, expected = (
        add(counts * apart, axis=(-1, -2)),
        add(times(gold, apart) * predicted, axis=-1),
    )
    if unanswered is not None:  # no answer agrees with no class
        missed = add(unanswered, axis=-1)
        n = n + missed
        observed, expected = observed + missed, expected + n * missed
    # if gold and predictions are all of the same class, both are 0, and 0 / 0 is NaN
    return np.asarray(1 - n * observed / expected)
