"""When two values are the same, and which of several is best: decided here and nowhere else."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

TIE = 1e-12  # values that differ by less are equal: sums taken in another order differ by less


def same(a: Any, b: Any) -> Any:
    """Tell where two values are equal up to rounding; an undefined value is equal to nothing."""
    with np.errstate(invalid="ignore"):
        return np.abs(np.subtract(a, b)) < TIE


def best(values: Sequence[float] | npt.NDArray[Any], *, greater_is_better: bool) -> list[bool]:
    """Mark the best of the defined values, and all that tie with it; where there is one value, mark none."""
    numbers = np.asarray(values, dtype=np.float64)
    if len(numbers) < 2 or np.isnan(numbers).all():
        return [False] * len(numbers)
    top = np.nanmax(numbers) if greater_is_better else np.nanmin(numbers)
    return [bool(mark) for mark in same(numbers, top)]
