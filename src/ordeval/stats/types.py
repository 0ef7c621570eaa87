"""Types that the statistics share: arrays, functions that score tables, functions that are told of progress."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]

Progress: TypeAlias = Callable[[int, int], None] | None
"""A function that is called, as work goes on, with the number of steps done and that of all steps."""


class ScoreFunction(Protocol):
    """Any function that scores tables by one or more measures."""

    def __call__(self, cells: Array, observed: Array | None = None, /) -> Array:
        """Return values[measure, ...] of cells[..., gold, answer]; NaN where a measure is undefined.

        `observed` are the cells before they were resampled, for measures that keep the observed class distribution.
        """
