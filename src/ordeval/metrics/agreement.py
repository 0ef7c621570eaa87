"""Agreement measures: how well two raters on one scale agree, corrected for chance."""

import math
from functools import lru_cache

import numpy as np

from ordeval.metrics.core import Counts, Values, add, clipped, one_class, running, size
from ordeval.metrics.correlation import margins
from ordeval.metrics.metric import Family, ScaleType
from ordeval.metrics.parameters import Parameter
from ordeval.metrics.registry import metric, paper_marks
from ordeval.table.mass import times

ONE_CLASS = "gold and predictions are all of one class, so chance agreement is already 1"


def beyond_chance(counts: Counts, weight: Values) -> Values:
    """Return one minus the ratio of observed to chance disagreement, both weighted by weight[gold, predicted]."""
    gold, predicted = margins(counts)
    observed = add(counts * weight, axis=(-1, -2))
    expected = add(times(gold, weight) * predicted, axis=-1) / size(counts)
    return np.where(one_class(counts), np.nan, clipped(1 - observed / expected))


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
            "how a disagreement counts: by its distance or by the square of its distance",
            choices=("linear", "quadratic"),
        ),
    ),
    claims=paper_marks(False, True, True),
)
def weighted_kappa(counts: Counts, *, values: Values, weights: str) -> Values:
    """One minus the ratio of observed to chance disagreement, both weighted by distance.

    One item is wrong by 1; by chance the distances would sum to 14/4: 1 - 1 / 3.5.

    >>> round(weighted_kappa([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7143
    """
    distance = np.abs(values[:, None] - values)
    return beyond_chance(counts, distance if weights == "linear" else distance * distance)


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
            "how the classes are treated: as ranks, values or names",
            choices=("ordinal", "interval", "nominal"),
        ),
    ),
)
def krippendorff_alpha(counts: Counts, *, values: Values, level: str) -> Values:
    """Agreement of two raters: one minus the ratio of observed disagreement to that between random pairs of labels.

    The random pairs are drawn from the labels of both raters together. On the ordinal level the distance between two
    classes is the number of labels between them. Here 3, 3 and 2 labels fall on the classes, so the squared distances
    are 9, 30.25 and 6.25: 1 - 7 * 18 / 600.

    >>> round(krippendorff_alpha([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.79
    """
    gold, predicted = margins(counts)
    labels = gold + predicted
    if level == "nominal":
        distance = 1.0 - np.eye(len(values))
    elif level == "interval":
        distance = np.abs(values[:, None] - values)
    else:
        # the difference of two middles is the sum from c to k minus half of both ends
        middle = running(labels, axis=-1) - labels / 2
        distance = middle[..., :, None] - middle[..., None, :]
    apart = distance * distance
    observed = 2 * add(counts * apart, axis=(-1, -2))
    expected = add(add(labels[..., None, :] * apart, axis=-1) * labels, axis=-1)
    n = 2 * size(counts)
    # weights may sum to less than two labels, and then there are no pairs of labels
    undefined = one_class(counts) | (n <= 1)
    return np.where(undefined, np.nan, 1 - (n - 1) * observed / expected)


@lru_cache(maxsize=64)
def ordinal_credit(k: int) -> Values:
    """Return Gwet's ordinal weights: one minus the pairs of classes that an error spans, divided by all pairs."""
    span = np.abs(np.arange(k)[:, None] - np.arange(k)) + 1.0
    pairs = span * (span - 1) / 2
    return np.asarray(1 - pairs / max(pairs.max(), 1.0))


@metric(
    family=Family.AGREEMENT,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{p_a - p_e}{1 - p_e}, \quad p_a = \sum_{ij} w_{ij} \tfrac{n_{ij}}{N}, \quad "
    r"p_e = \frac{\sum_{ij} w_{ij}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k), \quad "
    r"\pi_k = \tfrac{n_{k\cdot} + n_{\cdot k}}{2 N}",
    references=("gwet2008", "gwet2014"),
    bounds=(-math.inf, 1.0),  # with many classes p_e may be near 1 while p_a is far below it
    undefined_when="the scale has only one class",
    parameters=(
        Parameter(
            "weights",
            "ordinal",
            "the credit for a near miss: by spanned classes, distance, squared distance, or none",
            choices=("ordinal", "linear", "quadratic", "identity"),
        ),
    ),
)
def gwet_ac2(counts: Counts, *, values: Values, weights: str) -> Values:
    """Agreement above chance with credit for near misses; chance agreement stays low if one class is very frequent.

    Neighbours get 2/3 of the credit on this scale: p_a = 11/12, p_e = 17/18 * 21/32.

    >>> round(gwet_ac2([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7808
    """
    k = len(values)
    distance = np.abs(values[:, None] - values) / (values[-1] - values[0])
    if weights == "ordinal":
        credit = ordinal_credit(k)
    elif weights == "identity":
        credit = np.eye(k)
    else:
        credit = 1 - (distance if weights == "linear" else distance * distance)
    n = size(counts)
    gold, predicted = margins(counts)
    observed = add(counts * credit, axis=(-1, -2)) / n
    share = (gold + predicted) / (2 * n)[..., None]
    chance = credit.sum() / np.float64(k * (k - 1)) * add(share * (1 - share), axis=-1)
    return np.asarray((observed - chance) / (1 - chance))


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
    return beyond_chance(counts, (values[:, None] - values) ** 2)
