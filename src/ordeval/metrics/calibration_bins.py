"""How items are cut into bins by a probability, and how far the probabilities of a bin are from what happened.

The measure `calibration_error` and the chart of calibration share these bins.
"""

import math
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
    """Return the number of the bin of each item by its probability: 1 to `bins`, which weigh about the same in a group.

    Items with the same probability are in one bin: that which the middle of their weight falls into. The probability 0
    has a bin of its own, number 0, and so has the probability 1, number `bins` + 1.
    """
    sure = is_sure(probability)
    value, weight = rounded(probability), np.where(sure, 0.0, items.weight)
    order = np.lexsort((value, items.group))
    value, weight, group = value[order], weight[order], items.group[order]
    new_group = np.diff(group, prepend=group[:1] - 1) != 0
    tied = np.cumsum(new_group | (np.diff(value, prepend=value[:1] - 1) != 0)) - 1
    of_group = np.cumsum(new_group) - 1
    together, total = np.bincount(tied, weight), np.bincount(of_group, weight)
    before = (np.cumsum(together) - together)[tied] - (np.cumsum(total) - total)[of_group]
    with np.errstate(all="ignore"):
        middle = (before + together[tied] / 2) / total[of_group]
    place = np.empty(len(order), dtype=np.intp)
    place[order] = 1 + np.clip(np.floor(rounded(bins * np.nan_to_num(middle))), 0, bins - 1)
    return np.where(sure, np.where(probability > 0.5, bins + 1, 0), place)


def cumulative_gaps(
    gold: Values, answer: Values, *, bins: int, items: ScoredItems | None = None
) -> Values:
    """Return columns[..., column] for each item whose means over items `mean_gap` needs.

    At each cut an item is a gap: the probability of the lower classes minus the gold share of these. The first column
    holds the size of the gaps where the probability is sure: in a bin of zeros, or of ones, all gaps have the same
    sign, and nothing cancels out. Then there is a column for each other bin of each cut, in which the gaps of its items
    stand with their signs. Without `items`, all are one group and count the same.
    """
    cuts = gold.shape[-1] - 1
    gap = (below_cuts(answer) - below_cuts(gold)) / np.float64(cuts)
    below = np.broadcast_to(below_cuts(answer), gap.shape)
    sure = is_sure(below)
    columns = np.zeros((*gap.shape[:-1], 1 + cuts * bins))
    columns[..., 0] = add(np.where(sure, np.abs(gap), 0.0), axis=-1) if cuts else np.nan
    if sure.all():
        return columns
    flat = columns.reshape(-1, columns.shape[-1])
    if items is None:
        items = ScoredItems(np.ones(len(flat)), np.zeros(len(flat), dtype=np.intp))
    for cut in range(cuts):
        unsure = np.flatnonzero(~sure[..., cut])
        place = bin_of_items(below[..., cut].reshape(-1), items, bins)[unsure]
        flat[unsure, cut * bins + place] = gap[..., cut].reshape(-1)[unsure]
    return columns


def mean_gap(means: Values) -> Values:
    """Return the mean over the cuts of the absolute gaps of all bins, from the means over items of the columns."""
    return np.asarray(means[..., 0] + add(np.abs(means[..., 1:]), axis=-1))


def gap_by_chance(answer: Values, items: ScoredItems, squares: Values, bins: int) -> Values:
    """Return the calibration error[group] to expect of answer[item, class] if it were perfectly calibrated.

    In a bin the gap then has the mean 0 and the variance of its items, p (1 - p) times their squared weights, and is
    nearly normal, so that its absolute value has the mean sqrt(2 / pi) times its standard deviation.
    """
    below, groups = below_cuts(answer), int(items.group.max(initial=0)) + 1
    cuts, total = below.shape[-1], np.zeros(groups)
    for cut in range(cuts):
        p = below[:, cut]
        place = items.group * (bins + 2) + bin_of_items(p, items, bins)
        variance = np.bincount(place, squares * p * (1 - p), groups * (bins + 2))
        total += np.sqrt(np.maximum(variance, 0.0)).reshape(groups, -1).sum(axis=-1)
    with np.errstate(all="ignore"):
        weight = np.bincount(items.group, items.weight, groups) * np.float64(cuts)
        return np.asarray(math.sqrt(2 / math.pi) * total / weight)
