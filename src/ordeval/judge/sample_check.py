"""Are the items that humans marked a random sample? Then the judge marks them like the others."""

import numpy as np

from ordeval.aliases import Array
from ordeval.formats.numbers import p_in_sentence
from ordeval.stats.distributions import chi_squared_tail

COINCIDENCE = 0.01  # below, a difference is no coincidence
FEWEST = 5.0  # expected items with human marks in a cell; rarer ones are taken together


def margin_check(marked: Array, unmarked: Array) -> float:
    """Return how likely two parts of one random split differ so much: p of the chi-squared test of homogeneity.

    `marked` and `unmarked` are the numbers of items in the same cells, such as the judge's classes. NaN if there are
    fewer than two cells to compare.

    In the example 12, 18, 28 and 42 items are expected: 4/12 + 4/18 + 4/28 + 4/42 = 0.794, with one degree of freedom.

    >>> round(margin_check(np.array([10, 20]), np.array([30, 40])), 4)
    0.373
    """
    rows = np.stack([np.ravel(marked), np.ravel(unmarked)]).astype(np.float64)
    rows = rows[:, rows.sum(axis=0) > 0]
    share = rows.sum(axis=1) / max(rows.sum(), 1.0)
    if rows.shape[1] < 2 or not share.all():
        return float("nan")
    rows = rows[:, np.argsort(rows.sum(axis=0), kind="stable")]
    rare = np.flatnonzero(np.cumsum(rows.sum(axis=0)) * share.min() >= FEWEST)
    first = int(rare[0]) if len(rare) else rows.shape[1] - 1
    merged = np.concatenate(
        [rows[:, : first + 1].sum(axis=1, keepdims=True), rows[:, first + 1 :]], axis=1
    )
    if merged.shape[1] < 2:
        return float("nan")
    expected = share[:, None] * merged.sum(axis=0)
    statistic = float(((merged - expected) ** 2 / expected).sum())
    return chi_squared_tail(statistic, merged.shape[1] - 1)


def no_random_sample(seen: str, p: float) -> str:
    """Warn that the items with human marks differ from the others in what was seen."""
    return (
        f"The items that humans marked are no random sample of all items: {seen} ({p_in_sentence(p)}). Corrected "
        f"numbers can then be wrong. Let humans mark items drawn at random."
    )
