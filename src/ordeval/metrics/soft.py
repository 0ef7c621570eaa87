"""Measures of distributions: how far the class probabilities of an answer are from the shares of the raters.

Each is a mean over items of a distance between two distributions. A label is the distribution that puts everything on
one class, so that for labels they are functions of the table.
"""

import math

from ordeval.metrics.core import Counts, Values
from ordeval.metrics.distances import (
    city_block,
    coding_cost,
    cumulative_square,
    divergence,
    mean_distance,
    transport,
)
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric
from ordeval.vocabulary import Family, ScaleType


@metric(
    family=Family.SOFT,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{N (v_K - v_1)} \sum_d \sum_{k=1}^{K-1} (v_{k+1} - v_k)\, \bigl|F_d(k) - G_d(k)\bigr|",
    references=("vaserstein1969", "lewidi2025"),
    greater_is_better=False,
    perfect=0.0,
    parameters=(
        Parameter(
            "divide_by",
            "range",
            "what the distance is divided by: the range of the values, which is K - 1 steps, or as much as K steps",
            choices=("range", "classes"),
        ),
    ),
    per_item=transport,
)
def wasserstein(
    counts: Counts, *, values: Values, divide_by: str, unanswered: Counts | None = None
) -> Values:
    """Mean Wasserstein distance: how far the answer's probability must be moved to become the gold distribution.

    Takes soft gold or labels, and probabilities or labels. It is divided by the range of the values, so that 1 is the
    farthest; for labels it is the mean absolute error, divided by the range. Here half of the first item is moved by
    one of two steps, and the second item is right: (0.25 + 0) / 2.

    >>> wasserstein([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [1, 3], labels=[1, 2, 3])
    0.125
    """
    return mean_distance(counts, transport, unanswered, values=values, divide_by=divide_by)


@metric(
    family=Family.SOFT,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_d \sum_k \bigl|p_d(k) - g_d(k)\bigr|",
    references=("lewidi2025",),
    greater_is_better=False,
    bounds=(0.0, 2.0),
    perfect=0.0,
    per_item=city_block,
)
def manhattan(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean Manhattan distance between the class probabilities of answer and gold; it ignores the order.

    Takes soft gold or labels, and probabilities or labels. Here the first item is wrong by 0.5 in two classes:
    (1 + 0) / 2.

    >>> manhattan([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [1, 3], labels=[1, 2, 3])
    0.5
    """
    return mean_distance(counts, city_block, unanswered)


@metric(
    family=Family.SOFT,
    scale_type=ScaleType.NOMINAL,
    formula=r"-\frac{1}{N} \sum_d \sum_k g_d(k) \ln \max(p_d(k), \varepsilon)",
    references=("good1952",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    perfect=None,  # with soft gold it is the entropy of the gold
    parameters=(
        Parameter(
            "epsilon", 1e-12, "probabilities below it count as this much", bounds=(1e-300, 0.5)
        ),
    ),
    per_item=coding_cost,
)
def cross_entropy(counts: Counts, *, epsilon: float, unanswered: Counts | None = None) -> Values:
    """Cross entropy in nats: the mean of -ln of the probability given to the class of a gold drawn from the raters.

    Takes soft gold or labels, and probabilities or labels. It ignores the order, and a probability of 0 costs
    -ln(epsilon). Here -(ln(0.5) + ln(1)) / 2.

    >>> round(cross_entropy([1, 3], [[0.5, 0.5, 0], [0, 0, 1]], labels=[1, 2, 3]), 4)
    0.3466
    """
    return mean_distance(counts, coding_cost, unanswered, epsilon=epsilon)


@metric(
    family=Family.SOFT,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{1}{N} \sum_d \tfrac12 \Bigl( D(g_d \,\|\, m_d) + D(p_d \,\|\, m_d) \Bigr), \quad "
    r"m_d = \tfrac12 (g_d + p_d)",
    references=("lin1991",),
    greater_is_better=False,
    perfect=0.0,
    per_item=divergence,
)
def soft_jensen_shannon(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean Jensen-Shannon divergence, in bits, between the distributions of answer and gold; it ignores the order.

    Takes soft gold or labels, and probabilities or labels. It is 0 for equal distributions and 1 for those without a
    class in common. For (0.5, 0.5) and (1, 0) the middle is (0.75, 0.25), and the divergence (0.2075 + 0.4150) / 2.

    >>> round(soft_jensen_shannon([[0.5, 0.5], [0.0, 1.0]], [0, 1], labels=[0, 1]), 4)
    0.1556
    """
    return mean_distance(counts, divergence, unanswered)


@metric(
    family=Family.SOFT,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N (K - 1)} \sum_d \sum_{k=1}^{K-1} \bigl(F_d(k) - G_d(k)\bigr)^2",
    references=("epstein1969",),
    greater_is_better=False,
    perfect=0.0,
    undefined_when="the scale has only one class",
    per_item=cumulative_square,
)
def soft_rps(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    """Mean squared distance between the cumulative distributions of answer and soft gold.

    Takes soft gold or labels, and probabilities or labels. An answer equal to the shares of the raters scores 0;
    `ranked_probability_score` asks instead about a gold label drawn from them. Here the first item has
    (0.5 - 1)^2 + (1 - 1)^2 and the second 0: 0.25 / (2 * 2).

    >>> soft_rps([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [1, 3], labels=[1, 2, 3])
    0.0625
    """
    return mean_distance(counts, cumulative_square, unanswered)
