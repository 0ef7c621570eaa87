"""Small functions that kernels share: sums of rows and columns, and when a value is undefined."""

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Counts: TypeAlias = npt.NDArray[Any]
Values: TypeAlias = npt.NDArray[np.float64]


# The same as .sum(), .cumsum() and .max(), but faster, because no Python code runs in between.
add, running, largest = np.add.reduce, np.add.accumulate, np.maximum.reduce


def size(counts: Counts) -> Values:
    """Return the number of items, over the leading axes."""
    return np.asarray(add(counts, axis=(-1, -2)))


def diagonal(counts: Counts) -> Values:
    """Return the number of right answers for each class."""
    return np.asarray(counts.diagonal(axis1=-2, axis2=-1))


def with_missed(gold: Values, unanswered: Counts | None) -> Values:
    """Return the gold counts with the items that have no answer."""
    return gold if unanswered is None else gold + unanswered


@lru_cache(maxsize=64)
def distances(k: int) -> npt.NDArray[np.int64]:
    """Return how many positions lie between any two of k classes."""
    position = np.arange(k)
    between = np.asarray(np.abs(position[:, None] - position))
    between.setflags(write=False)
    return between


@lru_cache(maxsize=64)
def other_classes(k: int) -> Values:
    """Return 1 for two different classes and 0 for twice the same class.

    A product with it gives the items in other classes. Subtracting from the sum would lose one item beside 2**60.
    """
    others = 1.0 - np.eye(k)
    others.setflags(write=False)
    return others


def clipped(values: Values, low: float = -1.0, high: float = 1.0) -> Values:
    """Clip values that rounding has moved beyond the bounds of a ratio: a perfect output scores 1, not 1 + 2e-16."""
    return np.asarray(np.minimum(np.maximum(values, low), high))


def root_of_product(x: Values, y: Values) -> Values:
    """Return the square root of x * y, exactly x where both are equal, so that a perfect output scores exactly 1."""
    return np.where(x == y, x, np.sqrt(x) * np.sqrt(y))


def varied(margin: Values) -> npt.NDArray[np.bool_]:
    """Tell where more than one class occurs."""
    return np.asarray(add(margin > 0, axis=-1) > 1)


def one_class(counts: Counts) -> npt.NDArray[np.bool_]:
    """Tell where gold and predictions are all of the same class, so that agreement means nothing."""
    return ~varied(add(counts, axis=-1) + add(counts, axis=-2))


def mean_of_gold_classes(per_class: Values, gold: Values) -> Values:
    """Average over the classes that occur in gold."""
    occurs = gold > 0
    return np.asarray(add(np.where(occurs, per_class, 0.0), axis=-1) / add(occurs, axis=-1))
