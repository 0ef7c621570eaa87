"""How much of the gold lies between two classes: what closeness, and the farthest class, are made of.

mass[..., gold b, predicted a] is the amount of items at least as close to b as a is, with half of a's own (section 3.1
of Amigó et al. 2020). It is a function of the gold counts alone.
"""

from functools import lru_cache

import numpy as np

from ordeval.aliases import Array

# Two distances are the same if they differ by no more than the rounding of the values: 0.3 - 0.2 and 0.2 - 0.1 are one
# distance. What differs by more than a billionth of the distance is no rounding.
VALUE_ROUNDING = 8 * np.finfo(np.float64).eps
SAME_DISTANCE = 1e-9
SAME_MASS = 1e-12  # relative: sums of equal weights are equal, however they are rounded
FEW = 30  # classes up to which sums over stretches of classes are products with a matrix of zeros and ones


def ordinal_mass(gold: Array) -> Array:
    """Every class from a to b, both included, less half of a: n_a / 2 + those between + n_b, or n_a / 2 where a = b."""
    k = gold.shape[-1]
    if k <= FEW:
        return np.asarray((gold @ ordinal_members(k)).reshape(*gold.shape, k))
    upper = np.add.accumulate(gold, axis=-1)
    middle = (upper - gold * 0.5)[..., None, :]
    lower = upper - gold
    return np.asarray(np.maximum(upper[..., None] - middle, middle - lower[..., None]))


@lru_cache(maxsize=FEW)
def ordinal_members(k: int) -> Array:
    """Return the part of class x that the ordinal mass of (gold b, predicted a) holds, as [x, b * k + a]."""
    b, a = np.indices((k, k))
    return members(np.minimum(a, b), np.maximum(a, b) + 1)


def members(first: Array, last: Array) -> Array:
    """Return the part of class x in the mass of all classes from first[b, a] to just before last[b, a], less half of a.

    Sums of these parts have no differences of large numbers: a rare class beside one of 2**60 items keeps its items.
    """
    k = len(first)
    x = np.arange(k)[:, None, None]
    parts = ((first <= x) & (x < last)) - 0.5 * (x == np.arange(k))
    return np.asarray(parts.reshape(k, k * k))


def nominal_mass(gold: Array) -> Array:
    """n_b where a = b, else everything."""
    k = gold.shape[-1]
    total = gold.sum(axis=-1)[..., None, None]
    return np.where(np.eye(k, dtype=bool), gold[..., :, None], total)


def interval_mass(gold: Array, values: Array) -> Array:
    """Every x whose value is at most as far from b's as a's is, less half of a."""
    k = gold.shape[-1]
    if k <= FEW:
        parts = interval_members(values.tobytes(), values.dtype.char)
        return np.asarray((gold @ parts).reshape(*gold.shape, k))
    first, last = within_distance(values)
    below = np.zeros((*gold.shape[:-1], k + 1), dtype=gold.dtype)
    np.add.accumulate(gold, axis=-1, out=below[..., 1:])
    return np.asarray(below[..., last] - below[..., first] - (gold * 0.5)[..., None, :])


@lru_cache(maxsize=64)
def interval_members(values: bytes, dtype: str) -> Array:
    """Return the part of class x that the interval mass of (gold b, predicted a) holds, as [x, b * k + a]."""
    return members(*within_distance(np.frombuffer(values, dtype)))


def within_distance(values: Array) -> tuple[Array, Array]:
    """Return the first class that is as near to class b as class a is, and the one after the last, as [b, a]."""
    distance, size = np.abs(values[:, None] - values), np.abs(values)
    rounding = VALUE_ROUNDING * np.maximum(size[:, None], size)
    reach = distance + np.minimum(rounding, SAME_DISTANCE * distance)
    first = np.searchsorted(values, values[:, None] - reach, side="left")
    return first, np.searchsorted(values, values[:, None] + reach, side="right")


def farthest_ends(gold: Array) -> Array:
    """Return, for each gold class, whether the upper end is the farther one: the end of smaller proximity.

    Smaller proximity is larger mass; on a tie the lower end is meant.
    """
    mass = ordinal_mass(gold)
    rounding = SAME_MASS * gold.sum(axis=-1, keepdims=True)
    return np.asarray(mass[..., -1] - mass[..., 0] > rounding)
