"""Small functions that kernels share: sums of rows and columns, and when a value is undefined.

Of a single table, sums over all cells are NumPy's scalars, and stay so: the same arithmetic with an array without axes
takes five times as long.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ordeval.stats.chunks import chunks

Counts: TypeAlias = npt.NDArray[Any]
Values: TypeAlias = npt.NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])


FEW = 30  # classes up to which matrices of all pairs of classes are kept
MANY = 1000  # classes up to which those of one scale are
CACHED = (
    1 << 16
)  # cells of a table up to which the arrays that a kernel makes of it stay in the cache

# The same as .sum(), .cumsum() and .max(), but faster, because no Python code runs in between.
add, running, largest = np.add.reduce, np.add.accumulate, np.maximum.reduce


def quietly(function: Function) -> Function:
    """Let a function divide by zero and overflow without a warning: NaN or infinity in its result says that."""
    if not np.__version__.startswith("1."):
        return np.errstate(all="ignore")(function)  # takes half as long as a with statement

    @wraps(function)
    def quiet(*args: Any, **given: Any) -> Any:
        # The decorator of NumPy 1 keeps one state for all calls, and mixes up those within others.
        with np.errstate(all="ignore"):
            return function(*args, **given)

    return quiet  # type: ignore[return-value]


def beyond_cache(counts: Counts) -> bool:
    """Tell whether single tables have so many cells that it pays to look at some rows at a time."""
    return bool(counts.ndim > 1 and counts.shape[-2] * counts.shape[-1] > CACHED)


def cached_rows(counts: Counts) -> Iterator[slice]:
    """Yield slices that together cover the rows of tables, so many at a time as stay in the cache."""
    rows = counts.shape[-2]
    return chunks(rows, most=max(1, CACHED * rows // counts.size))


def size(counts: Counts) -> Values:
    """Return the number of items, over the leading axes."""
    total: Values = add(counts, axis=(-1, -2))
    return total


def diagonal(counts: Counts) -> Values:
    """Return the number of right answers for each class."""
    return counts.diagonal(0, -2, -1)


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


def gaps(values: Values) -> Values:
    """Return the absolute difference between any two values."""
    return pairs_of_values(values)[0]


def squared_gaps(values: Values) -> Values:
    """Return the square of the difference between any two values."""
    return pairs_of_values(values)[1]


def pairs_of_values(values: Values) -> tuple[Values, Values]:
    """Return the absolute and the squared difference between any two values, made once for scales of few classes.

    Of scales with more classes, the last one's are kept.
    """
    made = kept_pairs if len(values) <= FEW else last_pairs if len(values) <= MANY else new_pairs
    return made(values.tobytes(), values.dtype.char)


def new_pairs(numbers: bytes, dtype: str) -> tuple[Values, Values]:
    """Return what `pairs_of_values` does, for values as bytes."""
    values = np.frombuffer(numbers, dtype)
    apart = np.abs(values[:, None] - values)
    square = apart * apart
    apart.setflags(write=False)
    square.setflags(write=False)
    return apart, square


kept_pairs, last_pairs = lru_cache(maxsize=64)(new_pairs), lru_cache(maxsize=1)(new_pairs)


def where(condition: Any, yes: Any, no: Any) -> Values:
    """Return one of two values where a condition holds, and the other elsewhere: np.where, but faster for a scalar."""
    several = isinstance(condition, np.ndarray)
    values: Values = np.where(condition, yes, no) if several else yes if condition else no
    return values


def clipped(values: Values, low: float = -1.0, high: float = 1.0) -> Values:
    """Clip values that rounding has moved beyond the bounds of a ratio: a perfect output scores 1, not 1 + 2e-16."""
    if values.ndim == 0 and low <= values <= high:
        return values
    bounded: Values = np.minimum(np.maximum(values, low), high)
    return bounded


def root_of_product(x: Values, y: Values) -> Values:
    """Return the square root of x * y, exactly x where both are equal, so that a perfect output scores exactly 1."""
    return where(x == y, x, np.sqrt(x) * np.sqrt(y))


def varied(margin: Values) -> npt.NDArray[np.bool_]:
    """Tell where more than one class occurs."""
    several: npt.NDArray[np.bool_] = add(margin > 0, axis=-1) > 1
    return several


def mean_of_gold_classes(per_class: Values, gold: Values) -> Values:
    """Average over the classes that occur in gold."""
    occurs = gold > 0
    mean: Values = add(np.where(occurs, per_class, 0.0), axis=-1) / add(occurs, axis=-1)
    return mean
