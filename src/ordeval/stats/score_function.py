"""The type of functions that score tables."""

from typing import Protocol

from ordeval.aliases import Array


class ScoreFunction(Protocol):
    """Any function that scores tables by one or more measures."""

    def __call__(self, cells: Array, observed: Array | None = None, /) -> Array:
        """Return values[measure, ...] of cells[..., gold, answer]; NaN where a measure is undefined.

        `observed` are the cells before they were resampled, for measures that keep the observed class distribution.
        """

    def widened(self, cells: Array, observed: Array, /) -> Array:
        """Return cells of hard answers with the columns for what items cost that `observed` soft ones have."""
