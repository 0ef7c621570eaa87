"""Probabilistic measures: class probabilities instead of labels. For hard labels they are functions of the table."""

import math

from ordeval.metrics.calibration_bins import cumulative_gaps, mean_gap
from ordeval.metrics.closeness import RATIO, expected_closeness
from ordeval.metrics.core import Counts, Values
from ordeval.metrics.distances import (
    coding_cost,
    mean_distance,
    mean_steps,
    ranked_probability,
    squares_of_classes,
)
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric
from ordeval.vocabulary import Family, ScaleType


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

    >>> ranked_probability_score([1, 3], [[0.5, 0.5, 0], [0, 0, 1]], labels=[1, 2, 3])
    0.0625
    """
    return mean_steps(counts, unanswered)


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


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.NOMINAL,
    formula=r"-\frac{1}{N} \sum_d \ln \max\bigl(P_d(g(d)), \varepsilon\bigr)",
    references=("good1952",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    perfect=0.0,
    parameters=(
        Parameter(
            "epsilon", 2.0**-52, "probabilities below it count as this much", bounds=(1e-300, 0.5)
        ),
    ),
    per_item=coding_cost,
)
def log_loss(counts: Counts, *, epsilon: float, unanswered: Counts | None = None) -> Values:
    """Mean of -ln of the probability that was given to the gold class: the logarithmic score.

    Takes one row of class probabilities for each item. It ignores the order of the classes, and a probability of 0
    costs -ln(epsilon) = 36: a single one may decide the score. Epsilon is the precision of 64-bit numbers, as in
    scikit-learn's `log_loss` of such numbers; `cross_entropy` is the same with another epsilon. Soft gold is scored as
    a label drawn from its shares. Here -(ln(0.5) + ln(1)) / 2.

    >>> round(log_loss([1, 3], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], labels=[1, 2, 3]), 4)
    0.3466
    """
    return mean_distance(counts, coding_cost, unanswered, epsilon=epsilon)


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_d \sum_{k=1}^{K} \bigl(P_d(k) - [g(d) = k]\bigr)^2",
    references=("brier1950",),
    greater_is_better=False,
    bounds=(0.0, 2.0),
    perfect=0.0,
    per_item=squares_of_classes,
)
def brier_score(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean squared distance between the class probabilities and gold, added up over the classes.

    Takes one row of class probabilities for each item. It ignores the order of the classes and lies between 0 and 2,
    also if there are two classes. scikit-learn's `brier_score_loss` is the same for three classes or more; for two it
    is half of this, unless it is called with `scale_by_half=False`. Soft gold is scored as a label drawn from its
    shares. Here the first item has (0.5 - 1)^2 + 0.5^2 and the second 0: 0.5 / 2.

    >>> brier_score([1, 3], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], labels=[1, 2, 3])
    0.25
    """
    return mean_distance(counts, squares_of_classes, unanswered)


@metric(
    family=Family.PROBABILISTIC,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N (K - 1)} \sum_{k=1}^{K-1} \sum_{B} "
    r"\Bigl| \sum_{d \in B} \bigl(F_d(k) - [g(d) \le k]\bigr) \Bigr|",
    references=("naeini2015", "kumar2019"),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="the scale has only one class",
    parameters=(
        Parameter(
            "bins", 10, "into how many bins the items are cut at each class", bounds=(1, 100)
        ),
    ),
    per_item=cumulative_gaps,
    of_means=mean_gap,
)
def calibration_error(
    counts: Counts,
    *,
    bins: int,  # noqa: ARG001 - labels are sure, and need no bins but those of 0 and 1
    unanswered: Counts | None = None,
) -> Values:
    """Mean difference between how probable lower classes were said to be and how often they occurred, in bins.

    Takes one row of class probabilities for each item. For every class but the highest, the items are cut into bins of
    about equally many by the probability that gold is at most this class; items with the same probability are in the
    same bin, and the probabilities 0 and 1 have bins of their own. The expected calibration error is the mean over
    items of the absolute difference, in the item's bin, of the mean probability and the share of items whose gold is at
    most this class. This measure is the mean of that over the classes. For hard labels it is the mean distance in
    positions divided by K - 1.

    Even perfectly calibrated probabilities have an error above 0 in a sample, because the share in a small bin varies:
    about 0.03 with 1000 items in ten bins. The result says what perfect calibration would score. For the same reason
    the interval is about the score of other samples of as many items, not about the smaller one of infinitely many.

    Here, with one bin, the mean probability of at most 1 is (0.8 + 0.4) / 2 and one of two items is 1.

    >>> round(calibration_error([1, 2], [[0.8, 0.2], [0.4, 0.6]], labels=[1, 2], bins=1), 4)
    0.1
    """
    return mean_steps(counts, unanswered)
