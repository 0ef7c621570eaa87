"""Agreement measures: how well raters on one scale agree, corrected for chance.

Coefficients of any number of raters are functions of `RaterSums`; the formulas that they declare are those of two.
"""

import math

import numpy as np

from ordeval.metrics.agreement_weights import (
    IN_FIXED_UNIT,
    KAPPA_WEIGHTS,
    NAMED,
    Matrix,
    disagreement,
)
from ordeval.metrics.core import (
    Counts,
    Values,
    add,
    clipped,
    gaps,
    running,
    size,
    squared_gaps,
    where,
)
from ordeval.metrics.correlation import margins
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks
from ordeval.table.mass import times
from ordeval.vocabulary import Family, ScaleType

ONE_CLASS = "all labels are of one class, so chance agreement is already 1"
# the weights that each level stands for; the distances of the ordinal level depend on the marks
LEVELS = {"nominal": "identity", "interval": "quadratic", "ratio": "ratio"}


def beyond_chance(counts: Counts, weight: Values, lowest: float = -1.0) -> Values:
    """Return one minus the ratio of observed to chance disagreement, both weighted by weight[gold, predicted].

    If gold and predictions are all of the same class, both are 0, for nothing is apart from itself: 0 / 0 is NaN.
    """
    gold, predicted = margins(counts)
    observed = add(counts * weight, axis=(-1, -2))
    expected = add(times(gold, weight) * predicted, axis=-1) / size(counts)
    return clipped(1 - observed / expected, lowest)


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.INTERVAL,
    formula=r"1 - \frac{\sum_{ij} w_{ij} n_{ij}}{\sum_{ij} w_{ij} n_{i\cdot} n_{\cdot j} / N}, \quad "
    r"w_{ij} = |v_i - v_j| \text{ or } (v_i - v_j)^2",
    references=("cohen1968", "vanbelle2009"),
    bounds=(-1.0, 1.0),
    undefined_when=ONE_CLASS,
    parameters=(
        Parameter(
            "weights",
            "linear",
            "how a disagreement counts: by its distance, by the square of that, each the same (identity), or by 1 "
            "minus the agreement in a matrix",
            choices=KAPPA_WEIGHTS,
            matrix=True,
        ),
    ),
    claims=paper_marks(False, True, True),
)
def weighted_kappa(counts: Counts, *, values: Values, weights: str | Matrix) -> Values:
    """One minus the ratio of observed to chance disagreement, both weighted by distance.

    One item is wrong by 1; by chance the distances would sum to 14/4: 1 - 1 / 3.5.

    >>> round(weighted_kappa([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7143
    """
    if weights == "identity" or not isinstance(weights, str):
        return beyond_chance(counts, disagreement(weights, values), -math.inf)
    return beyond_chance(counts, gaps(values) if weights == "linear" else squared_gaps(values))


def mean_disagreement(pairs: Counts, apart: Values) -> Values:
    """Return the mean of apart[class, class] over pairs[..., class, class] of marks."""
    mean: Values = add(pairs * apart, axis=(-1, -2)) / add(pairs, axis=(-1, -2))
    return mean


def distribution(sums: Counts) -> Values:
    """Return what part of all each class has, over the last axis; 0 everywhere where there is nothing."""
    total = add(sums, axis=-1, keepdims=True)
    return np.where(total > 0, sums / total, 0.0)


def weights_parameter(default: str | None, meaning: str) -> Parameter:
    """Return the setting by which a coefficient weighs disagreements."""
    return Parameter(
        "weights", default, meaning, choices=NAMED, in_fixed_unit=IN_FIXED_UNIT, matrix=True
    )


CREDIT = "the credit for a near miss, by the values of the classes or by their order"


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.ORDINAL,
    formula=r"1 - (n - 1) \frac{\sum_{ck} o_{ck} \delta^2_{ck}}{\sum_{ck} n_c n_k \delta^2_{ck}}, \quad "
    r"o = n_{ij} + n_{ji}, \quad \delta^{\mathrm{ordinal}}_{ck} = \sum_{g=c}^{k} n_g - \tfrac{n_c + n_k}{2}",
    references=("krippendorff2011",),
    bounds=(-1.0, 1.0),
    undefined_when=ONE_CLASS,
    parameters=(
        Parameter(
            "level",
            "ordinal",
            "how the classes are treated: as ranks, values, values with a zero point, or names",
            choices=("ordinal", "interval", "ratio", "nominal"),
        ),
        weights_parameter(None, "if given, weights take the place of the level"),
    ),
)
def krippendorff_alpha(
    coincided: Counts, *, values: Values, level: str, weights: str | Matrix | None
) -> Values:
    """Agreement of raters: one minus the ratio of observed disagreement to that between random pairs of labels.

    The random pairs are drawn from the labels of all raters together; items with one label have no part in it. On the
    ordinal level the distance between two classes is the number of labels between them. Here 3, 3 and 2 labels fall on
    the classes, so the squared distances are 9, 30.25 and 6.25: 1 - 7 * 18 / 600.

    >>> round(krippendorff_alpha([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.79
    """
    labels = add(coincided, axis=-1)
    chosen = LEVELS.get(level) if weights is None else weights
    if chosen is not None:
        apart = disagreement(chosen, values)
    else:
        # the difference of two middles is the sum from c to k minus half of both ends
        middle = running(labels, axis=-1) - labels / 2
        distance = middle[..., :, None] - middle[..., None, :]
        apart = distance * distance
    observed = add(coincided * apart, axis=(-1, -2))
    expected = add(add(labels[..., None, :] * apart, axis=-1) * labels, axis=-1)
    n = add(labels, axis=-1)
    # weights may sum to less than two labels, and then there are no pairs of labels; of one class, this is 0 / 0
    return where(n <= 1, np.nan, 1 - (n - 1) * observed / expected)


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{p_a - p_e}{1 - p_e}, \quad p_a = \sum_{ij} w_{ij} \tfrac{n_{ij}}{N}, \quad "
    r"p_e = \frac{\sum_{ij} w_{ij}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k), \quad "
    r"\pi_k = \tfrac{n_{k\cdot} + n_{\cdot k}}{2 N}",
    references=("gwet2008", "gwet2014"),
    bounds=(-math.inf, 1.0),  # with many classes p_e may be near 1 while p_a is far below it
    undefined_when="the scale has only one class",
    parameters=(weights_parameter("ordinal", CREDIT),),
)
def gwet_ac2(agreed: Counts, shares: Counts, *, values: Values, weights: str | Matrix) -> Values:
    """Agreement above chance with credit for near misses; chance agreement stays low if one class is very frequent.

    Of several raters, p_a and the shares of the classes are means over items, as for Fleiss' kappa. Neighbours get 2/3
    of the credit on this scale: p_a = 11/12, p_e = 17/18 * 21/32.

    >>> round(gwet_ac2([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7808
    """
    k, apart = len(values), disagreement(weights, values)
    mean = apart.sum() / np.float64(k * k)
    uneven = distribution(shares) - 1 / k
    # 1 - p_e, as a sum without differences: p_e = (1 - mean) * (1 - K / (K - 1) * the sum of squares)
    square = add(uneven * uneven, axis=-1) * k / np.float64(k - 1)
    return np.asarray(1 - mean_disagreement(agreed, apart) / (mean + (1 - mean) * square))


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{p_a - p_e}{1 - p_e}, \quad p_a = \sum_{ij} w_{ij} \tfrac{n_{ij}}{N}, \quad "
    r"p_e = \sum_{ij} w_{ij} \pi_i \pi_j, \quad \pi_k = \tfrac{n_{k\cdot} + n_{\cdot k}}{2 N}",
    references=("fleiss1971", "scott1955", "gwet2014"),
    bounds=(-math.inf, 1.0),  # items with one mark have a part in p_e and none in p_a
    undefined_when=ONE_CLASS,
    parameters=(weights_parameter("identity", CREDIT),),
)
def fleiss_kappa(
    agreed: Counts, shares: Counts, *, values: Values, weights: str | Matrix
) -> Values:
    """Agreement above that of marks drawn at random from those of all raters together; of two raters, Scott's pi.

    Of several raters, p_a is the mean over items of the share of pairs of marks that agree, and the share of a class
    is the mean over items of its share of the marks. Here 3 of 4 items agree, and 3/8, 3/8 and 2/8 of the marks fall
    on the classes: p_e = 22/64.

    >>> round(fleiss_kappa([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.619
    """
    apart = disagreement(weights, values)
    share = distribution(shares)
    expected = add(times(share, apart) * share, axis=-1)
    return np.asarray(1 - mean_disagreement(agreed, apart) / expected)


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{p_a - p_e}{1 - p_e}, \quad p_a = \sum_{ij} w_{ij} \tfrac{n_{ij}}{N}, \quad "
    r"p_e = \sum_{ij} w_{ij} \tfrac{n_{i\cdot} n_{\cdot j}}{N^2}",
    references=("conger1980", "gwet2014"),
    bounds=(-math.inf, 1.0),  # items with one mark have a part in p_e and none in p_a
    undefined_when=ONE_CLASS,
    parameters=(weights_parameter("identity", CREDIT),),
)
def conger_kappa(
    agreed: Counts, by_rater: Counts, *, values: Values, weights: str | Matrix
) -> Values:
    """Agreement above that of raters who each give their own marks in random order; of two raters, Cohen's kappa.

    Of several raters, p_a is that of Fleiss' kappa, and p_e the mean over pairs of raters. Here 3 of 4 items agree; one
    rater gives the classes 2, 1 and 1 times, the other 1, 2 and 1 times: p_e = 5/16.

    >>> round(conger_kappa([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.6364
    """
    apart = disagreement(weights, values)
    share = distribution(by_rater)
    raters = add(share.any(axis=-1), axis=-1)  # those who gave a mark
    # every rater beside those before: no difference of sums, in which a rare class could be lost
    before = running(share, axis=-2)[..., :-1, :]
    expected = add(times(before, apart) * share[..., 1:, :], axis=(-1, -2))
    pairs = raters * (raters - 1) / 2
    return np.asarray(1 - mean_disagreement(agreed, apart) / (expected / pairs))


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.NOMINAL,
    formula=r"\frac{p_a - p_e}{1 - p_e}, \quad p_a = \sum_{ij} w_{ij} \tfrac{n_{ij}}{N}, \quad "
    r"p_e = \tfrac{1}{K^2} \sum_{ij} w_{ij}",
    references=("brennan1981", "gwet2014"),
    bounds=(-math.inf, 1.0),  # weights may make p_e nearly 1
    undefined_when="the scale has only one class",
    parameters=(weights_parameter("identity", CREDIT),),
)
def brennan_prediger(agreed: Counts, *, values: Values, weights: str | Matrix) -> Values:
    """Agreement above that of marks that fall on every class of the scale equally often.

    Of several raters, p_a is that of Fleiss' kappa. Here 3 of 4 items agree, and chance is 1/3: (3/4 - 1/3) / (2/3).

    >>> round(brennan_prediger([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.625
    """
    apart = disagreement(weights, values)
    return np.asarray(1 - mean_disagreement(agreed, apart) / apart.mean())


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{2\,\mathrm{cov}(v_g, v_s)}{\sigma^2(v_g) + \sigma^2(v_s) + (\bar v_g - \bar v_s)^2}",
    references=("lin1989",),
    bounds=(-1.0, 1.0),
    undefined_when=ONE_CLASS,
)
def lin_ccc(counts: Counts, *, values: Values) -> Values:
    """Concordance correlation: linear correlation, reduced if the two means or the two variances differ.

    It equals the quadratic weighted kappa, because variances are divided by n. 2 * 0.5 / (0.6875 + 0.5 + 0.0625).

    >>> round(lin_ccc([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8
    """
    # 1 minus it is the mean square of v_g - v_s, divided by what that would be if gold and answers were independent
    return beyond_chance(counts, squared_gaps(values))
