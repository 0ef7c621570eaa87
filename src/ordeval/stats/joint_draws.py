"""Draws of many differences together, of which only some pairs are held at a time, however many pairs there are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.stats.chunks import chunks

NUMBERS_IN_CACHE = 1 << 15


@dataclass(frozen=True, slots=True)
class JointDraws:
    """A stretch of `size` draws; `squared_t` gives t^2[pair, draw] of the pairs at some places, in a new array."""

    size: int
    squared_t: Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Reached:
    """In how many of all draws each pair has at least enough, over [measure, pair]; 0 where enough is NaN.

    `alone` counts the |t| of the pair itself, `largest` that of itself or of any pair for which no more is enough. Both
    are 0 if they were not asked for.
    """

    alone: Array
    largest: Array
    draws: int


def count_reached(
    enough: Array,
    draws: Iterable[Iterable[JointDraws]],
    *,
    alone: bool,
    largest: bool,
    progress: Progress = None,
    size: int = 0,
) -> Reached:
    """Return in how many draws |t| is at least enough[measure, pair], from stretches of draws of each measure.

    Both counts come from one pass. `progress` is told how many of `size` draws are done.
    """
    orders = [least_first(row) for row in enough]
    squares = np.where(enough > 0, enough**2, -1.0)  # every draw reaches 0
    by_itself, by_largest = np.zeros(enough.shape), np.zeros(enough.shape)
    total = 0
    for measures in draws:
        drawn = 0
        for m, stretch in enumerate(measures):
            count_stretch(
                stretch, squares[m], orders[m],
                by_itself[m] if alone else None, by_largest[m] if largest else None,
            )  # fmt: skip
            drawn = stretch.size
        total += drawn
        if progress is not None:
            progress(total, max(size, total))
    return Reached(by_itself, by_largest, total)


def least_first(enough: Array) -> Array:
    """Return the places of the pairs whose enough[pair] is a number, the least first."""
    defined = np.flatnonzero(~np.isnan(enough))
    return np.asarray(defined[np.argsort(enough[defined], kind="stable")])


def count_stretch(
    stretch: JointDraws, squares: Array, order: Array, alone: Array | None, largest: Array | None
) -> None:
    """Add to the counts[pair] in how many draws of one stretch t^2 is at least squares[pair], some pairs at a time."""
    so_far = np.zeros(stretch.size)
    for part in chunks(len(order), most=max(1, NUMBERS_IN_CACHE // stretch.size)):
        some = order[part]
        drawn, least = stretch.squared_t(some), squares[some, None]
        if alone is not None:
            alone[some] += np.count_nonzero(drawn >= least, axis=1)
        if largest is not None:
            for row in drawn:  # ufunc.accumulate over rows takes ten times as long
                so_far = np.maximum(row, so_far, out=row)
            largest[some] += np.count_nonzero(drawn >= least, axis=1)
