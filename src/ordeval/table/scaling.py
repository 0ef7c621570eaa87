"""Weights multiplied by a constant, so that they sum to the number of items: what measures see.

Then a measure that counts items (the pairs of tau-a, the n - 1 of alpha) finds as many as there are, and one that does
not finds the same shares as before.
"""

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import LabelError
from ordeval.inputs.weighting import Weighting


def scaled_to_items(
    cells: Array, weight: Array, items: Array, weighting: Weighting
) -> tuple[Array, Weighting]:
    """Return cells[..., gold, answer] and their weighting for weights that sum to items[...] instead of weight[...]."""
    mantissa, exponent = np.frexp(weight)  # first by a power of two, so that nothing overflows
    factor = np.divide(items, mantissa, out=np.ones(np.shape(weight)), where=mantissa > 0)
    factor, exponent = factor[..., None, None], exponent[..., None, None]
    with np.errstate(all="ignore"):  # under missing="drop" the weight of those dropped may be any
        sums = np.ldexp(cells, -exponent) * factor
        squares = np.ldexp(weighting.squares, 2 * (weighting.unit - exponent)) * factor**2
    lost = (cells > 0) & (sums < np.finfo(np.float64).tiny)
    if lost.any():
        raise LabelError(
            f"the weights differ too much: beside a sum of {weight.max():g}, weights of {cells[lost].min():g} are "
            f"rounded to 0. Pass 0 for items that do not matter, or weights that differ less."
        )
    return sums, Weighting(weighting.items, squares)
