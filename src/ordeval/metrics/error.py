"""Error measures: how far answers are from gold, in the values of the classes. Lower is better, except for cosine."""

import math

import numpy as np

from ordeval.metrics.core import (
    Counts,
    Values,
    add,
    clipped,
    gaps,
    largest,
    mean_of_gold_classes,
    root_of_product,
    running,
    size,
    squared_gaps,
)
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks
from ordeval.vocabulary import Family, ScaleType

TOO_LARGE_OR_SMALL = (
    "there are no items, or the error is too large or too small for a floating-point number"
)


def mean_cost(counts: Counts, cost: Values) -> Values:
    """Average a cost[gold, predicted] over the items."""
    return np.asarray(add(counts * cost, axis=(-1, -2)) / size(counts))


def cost_of_classes(counts: Counts, cost: Values) -> tuple[Values, Values]:
    """Average a cost over the items of each gold class, and return the gold counts."""
    gold = add(counts, axis=-1)
    return np.asarray(add(counts * cost, axis=-1) / gold), gold


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{N} \sum_{i,j} n_{ij} |v_i - v_j|",
    references=("gaudette2009",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=1,
    perfect=0.0,
    claims=paper_marks(False, True, False),
)
def mae(counts: Counts, *, values: Values) -> Values:
    """Mean absolute error: the mean distance between the values of answer and gold.

    >>> mae([1, 1, 2, 3], [1, 2, 2, 3])
    0.25
    """
    return mean_cost(counts, gaps(values))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{N} \sum_{i,j} n_{ij} (v_i - v_j)^2",
    references=("gaudette2009",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=2,
    perfect=0.0,
    claims=paper_marks(False, True, False),
)
def mse(counts: Counts, *, values: Values) -> Values:
    """Mean squared error: the mean of the squared distances, so large errors count more.

    >>> mse([1, 1, 2, 3], [1, 2, 2, 1])
    1.25
    """
    return mean_cost(counts, squared_gaps(values))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\sqrt{\frac{1}{N} \sum_{i,j} n_{ij} (v_i - v_j)^2}",
    references=("gaudette2009",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=1,
    perfect=0.0,
)
def rmse(counts: Counts, *, values: Values) -> Values:
    """Square root of the mean squared error, in the units of the values.

    >>> rmse([1, 1, 2, 3], [1, 2, 2, 3])
    0.5
    """
    return np.sqrt(mean_cost(counts, squared_gaps(values)))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{K'} \sum_{i : n_{i\cdot} > 0} \frac{1}{n_{i\cdot}} \sum_j n_{ij} |v_i - v_j|",
    references=("baccianella2009",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=1,
    perfect=0.0,
    claims=paper_marks(False, True, True),
    by_class=True,
)
def macro_mae(counts: Counts, *, values: Values) -> Values:
    """Mean absolute error of each gold class, averaged over the classes with equal weight.

    Class 1 has an error of 1/2 on average, the others none.

    >>> round(macro_mae([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.1667
    """
    return mean_of_gold_classes(*cost_of_classes(counts, gaps(values)))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{K'} \sum_{i : n_{i\cdot} > 0} \frac{1}{n_{i\cdot}} \sum_j n_{ij} (v_i - v_j)^2",
    references=("baccianella2009",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=2,
    perfect=0.0,
    claims=paper_marks(False, True, True),
    by_class=True,
)
def macro_mse(counts: Counts, *, values: Values) -> Values:
    """Mean squared error of each gold class, averaged over the classes with equal weight.

    Class 1 has (0 + 4) / 2 = 2 on average, the others none.

    >>> round(macro_mse([1, 1, 2, 3], [1, 3, 2, 3]), 4)
    0.6667
    """
    return mean_of_gold_classes(*cost_of_classes(counts, squared_gaps(values)))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\max_{i : n_{i\cdot} > 0} \frac{1}{n_{i\cdot}} \sum_j n_{ij} |v_i - v_j|",
    references=("cruz2014",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=1,
    perfect=0.0,
    by_class=True,
)
def max_mae(counts: Counts, *, values: Values) -> Values:
    """Largest mean absolute error of any gold class.

    >>> max_mae([1, 1, 2, 3], [1, 2, 2, 3])
    0.5
    """
    per_class, _ = cost_of_classes(counts, gaps(values))
    # a class without gold items has no error: fmax skips its NaN
    return np.asarray(np.fmax.reduce(per_class, axis=-1))


def penalty_of(margin: Values, penalty: str) -> Values:
    """Return the penalty of a margin, which is negative where the answer is on the wrong side of a threshold."""
    if penalty == "hinge":
        return np.maximum(0.0, 1.0 - margin)
    if penalty == "logistic":
        return np.logaddexp(0.0, -margin)
    return (margin <= 0).astype(margin.dtype)


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{1}{N} \sum_d \sum_{l=1}^{K-1} f\bigl(\sigma_l(g(d)) (v_{s(d)} - \theta_l)\bigr), \quad "
    r"\theta_l = \tfrac{v_l + v_{l+1}}{2}, \quad \sigma_l(g) = +1 \text{ if } g > l \text{ else } -1",
    references=("rennie2005",),
    greater_is_better=False,
    bounds=(0.0, math.inf),
    undefined_when=TOO_LARGE_OR_SMALL,
    unit=None,
    perfect=None,
    parameters=(
        Parameter(
            "penalty",
            "hinge",
            "the penalty of a margin z: max(0, 1 - z), ln(1 + e^-z), or 1 if z <= 0",
            choices=("hinge", "logistic", "zero_one"),
        ),
    ),
    claims=paper_marks(False, True, False),
)
def threshold_loss(
    counts: Counts, *, values: Values, penalty: str, unanswered: Counts | None = None
) -> Values:
    """All-threshold loss of hard labels: the sum of penalties at all thresholds between neighbouring classes.

    With `penalty="zero_one"` and values one apart it equals the mean absolute error.

    The thresholds are 1.5 and 2.5; the four items cost 0.5, 2, 1 and 0.5.

    >>> threshold_loss([1, 1, 2, 3], [1, 2, 2, 3])
    1.0
    """
    k = len(values)
    # [predicted, threshold], from differences of values, which are exact between neighbours
    margin = (values[:, None] - values[1:]) / 2 + (values[:, None] - values[:-1]) / 2
    # [predicted, gold]: an answer must lie above the thresholds below its gold class, and below the others
    cost = np.zeros((k, k), dtype=values.dtype)
    cost[:, 1:] = running(penalty_of(margin, penalty), axis=1)
    cost[:, :-1] += running(penalty_of(-margin, penalty)[:, ::-1], axis=1)[:, ::-1]
    if unanswered is None:
        return mean_cost(counts, cost.T)
    # the end that is farther in value may lie behind fewer thresholds: the worst answer is the one that costs most
    loss = add(counts * cost.T, axis=(-1, -2)) + add(unanswered * largest(cost, axis=0), axis=-1)
    return np.asarray(loss / (size(counts) + add(unanswered, axis=-1)))


@metric(
    family=Family.ERROR,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{\sum_d v_{s(d)} v_{g(d)}}{\sqrt{\sum_d v_{s(d)}^2} \sqrt{\sum_d v_{g(d)}^2}}",
    references=("ghosh2015",),
    bounds=(-1.0, 1.0),
    undefined_when="all gold or all predicted values are 0",
    claims=paper_marks(False, True, False),
)
def cosine(counts: Counts, *, values: Values) -> Values:
    """Cosine of the angle between the vector of gold values and the vector of answer values.

    It changes if a constant is added to all values. Here it is 16 / sqrt(15 * 18).

    >>> round(cosine([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.9737
    """
    product = add(counts * (values[:, None] * values), axis=(-1, -2))
    squares = values * values
    gold = add(add(counts, axis=-1) * squares, axis=-1)
    predicted = add(add(counts, axis=-2) * squares, axis=-1)
    return clipped(product / root_of_product(gold, predicted))
