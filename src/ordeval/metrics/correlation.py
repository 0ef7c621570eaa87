"""Correlation measures: do the answers rise with gold? They do not ask whether the answers are right."""

import numpy as np

from ordeval.metrics.core import (
    Counts,
    Values,
    add,
    beyond_cache,
    cached_rows,
    clipped,
    largest,
    other_classes,
    root_of_product,
    running,
    size,
    varied,
    where,
)
from ordeval.metrics.registry import metric, paper_marks
from ordeval.table.mass import times
from ordeval.vocabulary import Family, ScaleType

MANY_CELLS = 1 << 12  # from which on it pays to look whether counts are whole
MOST_IN_PAIRS = 1 << 27  # items whose pairs float64 holds to the last digit, as integers do
CONSTANT = "gold or the predictions are all of one class"
ORDER = r"C - D = \tfrac12 \sum_{d,d'} \mathrm{sign}(g(d) - g(d'))\,\mathrm{sign}(s(d) - s(d'))"


def margins(counts: Counts) -> tuple[Values, Values]:
    """Return the gold and the predicted counts."""
    return add(counts, axis=-1), add(counts, axis=-2)


def centred(margin: Values, values: Values) -> Values:
    """Return the values minus their mean over the items.

    The mean is subtracted twice, because the mean of values far from 0, such as 1e15 + 1 and 1e15 + 2, is rounded;
    the second mean is the rounding error of the first.
    """
    n = add(margin, axis=-1, keepdims=True)
    for _ in range(2):
        values = values - add(margin * values, axis=-1, keepdims=True) / n
    return values


def correlation(counts: Counts, x: Values, y: Values) -> Values:
    """Return the linear correlation of x over gold and y over predictions."""
    gold, predicted = margins(counts)
    x, y = centred(gold, x), centred(predicted, y)
    covariance = add(add(counts * x[..., :, None], axis=-2) * y, axis=-1)
    spread_x, spread_y = add(gold * x * x, axis=-1), add(predicted * y * y, axis=-1)
    return where(
        varied(gold) & varied(predicted),
        clipped(covariance / root_of_product(spread_x, spread_y)),
        np.nan,
    )


def strictly_before(counts: Counts) -> Values:
    """Return, for each cell, the items in rows strictly above and columns strictly to the left, in a new array."""
    items = as_integers(counts)
    before = np.zeros(items.shape, items.dtype)
    inner = before[..., 1:, 1:]
    running(items[..., :-1, :-1], axis=-1, out=inner)
    running(inner, axis=-2, out=inner)
    return before


def as_integers(counts: Counts) -> Counts:
    """Return the counts of tables of many cells as integers; as they are if some are not whole, or too many for pairs.

    Running sums of integers are the same numbers and take a tenth of the time: one of floats waits for the one before.
    """
    if counts.dtype != np.float64 or counts.size < MANY_CELLS:
        return counts
    if not largest(size(counts), axis=None) <= MOST_IN_PAIRS:
        return counts
    whole = counts.astype(np.int64)
    return whole if (whole == counts).all() else counts


def concordance(counts: Counts) -> tuple[Values, Values]:
    """Return the number of concordant and of discordant pairs of items."""
    items = as_integers(counts)
    if items is counts or not beyond_cache(items):
        return pairs_in_order(items), pairs_in_order(items[..., ::-1])
    concordant = whole_pairs_in_order(items)
    gold, predicted = margins(items)
    n = add(gold, axis=-1)
    same = np.einsum("...ij,...ij->...", items, items)
    # All ordered pairs minus those with a tie on a side: of integers, the difference has every digit.
    untied_pairs = n * n - add(gold * gold, axis=-1) - add(predicted * predicted, axis=-1) + same
    return concordant, untied_pairs // 2 - concordant


def whole_pairs_in_order(items: Counts) -> Values:
    """Return what `pairs_in_order` does, for integers: some rows at a time, which stay in the cache."""
    pairs = np.zeros(items.shape[:-2], items.dtype)
    above = np.zeros((*items.shape[:-2], items.shape[-1] - 1), items.dtype)
    for rows in cached_rows(items):
        here = items[..., rows, :]
        left, right = running(here[..., :-1], axis=-1), here[..., 1:]
        running(left, axis=-2, out=left)
        pairs += np.einsum("...ij,...ij->...", left[..., :-1, :], right[..., 1:, :])
        pairs += add(above * add(right, axis=-2), axis=-1)
        above += left[..., -1, :]
    return pairs


def pairs_in_order(items: Counts) -> Values:
    """Return the number of pairs of items of which one lies strictly above and to the left of the other."""
    pairs = strictly_before(items)
    pairs *= items
    total: Values = add(pairs, axis=(-1, -2))
    return total


def untied(margin: Values) -> Values:
    """Return the number of pairs of items in different classes: exactly 0 where there is only one class."""
    pairs: Values = add(margin[..., 1:] * running(margin, axis=-1)[..., :-1], axis=-1)
    return pairs


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.INTERVAL,
    formula=r"\frac{\mathrm{cov}(v_g, v_s)}{\sigma(v_g)\,\sigma(v_s)}",
    references=("pearson1895",),
    bounds=(-1.0, 1.0),
    undefined_when=CONSTANT,
    claims=paper_marks(False, False, False),
)
def pearson(counts: Counts, *, values: Values) -> Values:
    """Linear correlation (Pearson's r) of the values of gold and answers.

    Covariance 2/4, variances 2.75/4 and 2/4: 2 / sqrt(5.5).

    >>> round(pearson([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8528
    """
    return correlation(counts, values, values)


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{\mathrm{cov}(r_g, r_s)}{\sigma(r_g)\,\sigma(r_s)}, \quad r = \text{mid-rank}",
    references=("spearman1904",),
    bounds=(-1.0, 1.0),
    undefined_when=CONSTANT,
    claims=paper_marks(True, False, True),
)
def spearman(counts: Counts) -> Values:
    """Rank correlation (Spearman's rho): the linear correlation of ranks, where tied items share their mean rank.

    The ranks are 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4: 3.75 / 4.5.

    >>> round(spearman([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8333
    """
    gold, predicted = margins(counts)
    return correlation(
        counts, running(gold, axis=-1) - gold / 2, running(predicted, axis=-1) - predicted / 2
    )


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{C - D}}{{N (N - 1) / 2}}, \quad {ORDER}",
    references=("kendall1938",),
    bounds=(-1.0, 1.0),
    perfect=None,
    undefined_when="there is only one item, so there are no pairs",
    claims=paper_marks(True, False, False),
)
def kendall_tau_a(counts: Counts) -> Values:
    """Concordant minus discordant pairs of items, divided by all pairs; tied pairs count as neither.

    4 of 6 pairs are concordant, 2 are tied.

    >>> round(kendall_tau_a([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.6667
    """
    concordant, discordant = concordance(counts)
    n = size(counts)
    return where(n > 1, (concordant - discordant) / (n * (n - 1) / 2), np.nan)


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{C - D}}{{\sqrt{{P_g P_s}}}}, \quad P = \text{{pairs not tied in }} g, s, \quad {ORDER}",
    references=("kendall1945",),
    bounds=(-1.0, 1.0),
    undefined_when=CONSTANT,
    claims=paper_marks(True, False, True),
)
def kendall_tau_b(counts: Counts) -> Values:
    """Concordant minus discordant pairs, divided by the geometric mean of the pairs not tied in gold and in answers.

    4 / sqrt(5 * 5).

    >>> round(kendall_tau_b([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8
    """
    concordant, discordant = concordance(counts)
    gold, predicted = margins(counts)
    return clipped((concordant - discordant) / root_of_product(untied(gold), untied(predicted)))


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{2 (C - D)}}{{N^2 (m - 1) / m}}, \quad m = \min(\text{{classes used}}), \quad {ORDER}",
    references=("stuart1953",),
    bounds=(-1.0, 1.0),
    perfect=None,
    undefined_when=CONSTANT,
)
def stuart_tau_c(counts: Counts) -> Values:
    """Concordant minus discordant pairs, divided by the largest value possible with this number of used classes.

    m is the smaller of the number of classes used in gold and in the predictions: 2 * 4 / (16 * 2 / 3).

    >>> round(stuart_tau_c([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.75
    """
    concordant, discordant = concordance(counts)
    gold, predicted = margins(counts)
    n = size(counts)
    m = np.minimum(add(gold > 0, axis=-1), add(predicted > 0, axis=-1))
    return np.asarray(2 * (concordant - discordant) / (n * n * (m - 1) / m))


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{C - D}}{{C + D}}, \quad {ORDER}",
    references=("goodman1954",),
    bounds=(-1.0, 1.0),
    undefined_when="every pair is tied in gold or in the predictions",
)
def goodman_kruskal_gamma(counts: Counts) -> Values:
    """Concordant minus discordant pairs, divided by the pairs that are tied neither in gold nor in the answers.

    No pair is discordant.

    >>> goodman_kruskal_gamma([1, 1, 2, 3], [1, 2, 2, 3])
    1.0
    """
    concordant, discordant = concordance(counts)
    return np.asarray((concordant - discordant) / (concordant + discordant))


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=rf"\frac{{C - D}}{{P_g}}, \quad P_g = \text{{pairs not tied in }} g, \quad {ORDER}",
    references=("somers1962",),
    bounds=(-1.0, 1.0),
    undefined_when="gold is all of one class",
)
def somers_d(counts: Counts) -> Values:
    """Concordant minus discordant pairs, divided by the pairs whose gold classes differ.

    It is Somers' d of the predictions given gold. 4 of the 5 pairs that differ in gold are concordant.

    >>> somers_d([1, 1, 2, 3], [1, 2, 2, 3])
    0.8
    """
    concordant, discordant = concordance(counts)
    return np.asarray((concordant - discordant) / untied(margins(counts)[0]))


def shared_relations(counts: Counts, axis: int) -> Values:
    """Return the mean over items of the share of an item's order relations on one side that also hold on the other.

    An item is related to those that lie above or below it: in the output for `axis` -2 (reliability), in gold for -1
    (sensitivity).
    """
    flipped = counts[..., ::-1, ::-1]
    agreeing = strictly_before(counts) + strictly_before(flipped)[..., ::-1, ::-1]
    apart = times(add(counts, axis=axis), other_classes(counts.shape[-1]))
    share = agreeing / np.expand_dims(apart, axis)
    shared = add(np.where(counts > 0, counts * share, 0.0), axis=(-1, -2))
    return np.asarray(shared / size(counts))


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N} \sum_d P\bigl(\mathrm{sign}(g(d') - g(d)) = \mathrm{sign}(s(d') - s(d)) "
    r"\mid s(d') \ne s(d)\bigr)",
    references=("amigo2013",),
    undefined_when="the predictions are all of one class",
    claims=paper_marks(True, False, True),
)
def reliability(counts: Counts) -> Values:
    """Of the order relations between items in the answers, the share that also hold in gold (mean over items).

    The four items have 2/3, 1/2, 1 and 1.

    >>> round(reliability([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7917
    """
    return shared_relations(counts, -2)


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{1}{N} \sum_d P\bigl(\mathrm{sign}(g(d') - g(d)) = \mathrm{sign}(s(d') - s(d)) "
    r"\mid g(d') \ne g(d)\bigr)",
    references=("amigo2013",),
    undefined_when="gold is all of one class",
    claims=paper_marks(True, False, True),
)
def sensitivity(counts: Counts) -> Values:
    """Of the order relations between items in gold, the share that also hold in the answers (mean over items).

    The four items have 1, 1/2, 2/3 and 1.

    >>> round(sensitivity([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7917
    """
    return shared_relations(counts, -1)


@metric(
    family=Family.CORRELATION,
    scale_type=ScaleType.ORDINAL,
    formula=r"\frac{2 R S}{R + S}, \quad \tfrac{0}{0} = 0",
    references=("amigo2013",),
    undefined_when=CONSTANT,
    claims=paper_marks(True, False, True),
)
def reliability_sensitivity(counts: Counts) -> Values:
    """Harmonic mean of reliability and sensitivity; 0 if both are 0.

    >>> round(reliability_sensitivity([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.7917
    """
    r, s = shared_relations(counts, -2), shared_relations(counts, -1)
    return np.where(r + s == 0, 0.0, 2 * r * s / (r + s))
