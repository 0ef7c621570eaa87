"""How items are cut into bins by a probability, and how far the probabilities of a bin are from what happened.

The measure `calibration_error` and the chart of calibration share these bins.
"""

from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.metrics.core import Values, add, running
from ordeval.ties import TIE, rounded


@dataclass(frozen=True)
class ScoredItems:
    """How much each item counts, and the number of the group that it is scored with."""

    weight: Array  # [item]
    group: Array  # [item]


def below_cuts(distribution: Values) -> Values:
    """Return the probability of the lower classes at each of the K - 1 cuts: [..., cut]."""
    return np.asarray(running(distribution, axis=-1)[..., :-1])


def is_sure(probability: Values) -> Array:
    """Tell where a probability is 0 or 1, but for rounding."""
    return np.asarray((probability <= TIE) | (probability >= 1 - TIE))


def bin_of_items(probability: Values, items: ScoredItems, bins: int) -> Array:
    """Return the number of the bin of each item by its probability, so that the bins of a group weigh about the same.

    Items with the same probability are in one bin: that which the middle of their weight falls into. Sure items, whose
    probability is 0 or 1, have no weight here: they have bins of their own.
    """
    value = rounded(probability)
    weight = np.where(is_sure(probability), 0.0, items.weight)
    order = np.lexsort((value, items.group))
    value, weight, group = value[order], weight[order], items.group[order]
    new_group = np.diff(group, prepend=group[:1] - 1) != 0
    tied = np.cumsum(new_group | (np.diff(value, prepend=value[:1] - 1) != 0)) - 1
    of_group = np.cumsum(new_group) - 1
    together = np.bincount(tied, weight)
    before = np.cumsum(together) - together
    total = np.bincount(of_group, weight)
    start = (np.cumsum(total) - total)[of_group]
    with np.errstate(all="ignore"):
        middle = (before[tied] - start + together[tied] / 2) / total[of_group]
        number = np.floor(rounded(bins * middle))
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.clip(np.nan_to_num(number), 0, bins - 1).astype(np.intp)
    return place


def cumulative_gaps(
    gold: Values, answer: Values, *, bins: int, items: ScoredItems | None = None
) -> Values:
    """Return columns[..., column] for each item whose means over items `mean_gap` needs.

    At each cut an item is a gap: the probability of the lower classes minus the gold share of these. The first column
    holds the size of the gaps where the probability is sure: in a bin of zeros, or of ones, all gaps have the same
    sign, and nothing cancels out. Then there is a column for each bin of each cut, in which the gaps of its items stand
    with their signs. Without `items`, all are one group and count the same.
    """
    below, cuts = below_cuts(answer), gold.shape[-1] - 1
    gap = (below - below_cuts(gold)) / np.float64(cuts)
    sure = np.broadcast_to(is_sure(below), gap.shape)
    columns = np.zeros((*gap.shape[:-1], 1 + cuts * bins))
    columns[..., 0] = add(np.where(sure, np.abs(gap), 0.0), axis=-1) if cuts else np.nan
    if sure.all():
        return columns
    flat, below = columns.reshape(-1, columns.shape[-1]), np.broadcast_to(below, gap.shape)
    if items is None:
        items = ScoredItems(np.ones(len(flat)), np.zeros(len(flat), dtype=np.intp))
    for cut in range(cuts):
        place = bin_of_items(below[..., cut].reshape(-1), items, bins)
        signed = np.where(sure[..., cut], 0.0, gap[..., cut]).reshape(-1)
        flat[np.arange(len(flat)), 1 + cut * bins + place] = signed
    return columns


def mean_gap(means: Values) -> Values:
    """Return the mean over the cuts of the absolute gaps of all bins, from the means over items of the columns."""
    return np.asarray(means[..., 0] + add(np.abs(means[..., 1:]), axis=-1))
