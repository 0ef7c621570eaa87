"""Items without an answer, given an answer: how measures that know no 'no answer' see them."""

import numpy as np

from ordeval.aliases import Array
from ordeval.table.mass import farthest_ends


def fold(counts: Array, missed: Array, upper: Array) -> Array:
    """Add the missed items of each gold class to the upper end of the scale where `upper`, else to the lower."""
    folded = counts.copy()
    folded[..., 0] += np.where(upper, 0, missed)
    folded[..., -1] += np.where(upper, missed, 0)
    return folded


def fold_to_farthest(counts: Array, missed: Array) -> Array:
    """Give every missed item the end of smaller proximity to its gold class."""
    return fold(counts, missed, farthest_ends(counts.sum(axis=-1) + missed))


def fold_to_largest_error(counts: Array, missed: Array, values: Array) -> Array:
    """Give every missed item the end whose value differs most from that of its gold class."""
    return fold(counts, missed, values[-1] - values > values - values[0])
