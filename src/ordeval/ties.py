"""When two values are the same, and which of several is best; every tolerance for ties is the one set here."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array

TIE = 1e-12  # values this close are the same: sums taken in another order differ by less
DECIMALS = 12  # as many decimals as TIE has, for sorting and ranking


def same(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Return, element by element, whether two values are equal or at most TIE apart; NaN is never the same.

    >>> bool(same(0.1 + 0.2, 0.3)), bool(same(np.inf, np.inf)), bool(same(0.3, 0.3 + 1e-9))
    (True, True, False)
    """
    with np.errstate(invalid="ignore"):  # inf - inf
        return np.asarray((np.abs(np.subtract(a, b)) <= TIE) | np.equal(a, b))


def rounded(values: Array) -> Array:
    """Return the values with 12 decimals, so that sorting finds equal those that are the same; 0 has no sign."""
    return np.round(values, DECIMALS) + 0.0


def best(values: Sequence[float] | Array, *, greater_is_better: bool) -> list[bool]:
    """Mark the best of the defined values, and all that are the same; where there is one value, mark none."""
    numbers = np.asarray(values, dtype=np.float64)
    if len(numbers) < 2 or np.isnan(numbers).all():
        return [False] * len(numbers)
    top = np.nanmax(numbers) if greater_is_better else np.nanmin(numbers)
    return [bool(mark) for mark in same(numbers, top)]
