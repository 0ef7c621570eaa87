"""Draws of many differences together, of which only some pairs are held at a time, however many pairs there are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import chunks

NUMBERS_IN_CACHE = 1 << 17


@dataclass(frozen=True, slots=True)
class JointDraws:
    """A stretch of `size` draws; `t` gives |t|[pair, draw] of the pairs at some places."""

    size: int
    t: Callable[[Array], Array]


def count_reached(
    enough: Array, order: Array, draws: Iterable[JointDraws], *, largest_so_far: bool
) -> tuple[Array, int]:
    """Return in how many draws each pair in `order` has at least enough[pair], and how many draws there are.

    With `largest_so_far` a pair has, in each draw, the largest |t| of itself and of all pairs before it in the order.
    """
    reached, total = np.zeros(len(enough)), 0
    for stretch in draws:
        largest = np.zeros(stretch.size)
        for part in chunks(len(order), most=max(1, NUMBERS_IN_CACHE // stretch.size)):
            some = order[part]
            drawn = stretch.t(some)
            if largest_so_far:
                np.maximum(drawn[0], largest, out=drawn[0])
                np.maximum.accumulate(drawn, axis=0, out=drawn)
                largest = drawn[-1]
            with np.errstate(invalid="ignore"):
                reached[some] += np.count_nonzero(drawn >= enough[some, None], axis=1)
        total += stretch.size
    return reached, total
