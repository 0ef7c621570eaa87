"""How much of the gold lies between two classes: what closeness, and the farthest class, are made of.

mass[..., gold b, predicted a] is the amount of items at least as close to b as a is, with half of a's own (section 3.1
of Amigó et al. 2020). It is a function of the gold counts alone.
"""

import math
from functools import lru_cache

import numpy as np

from ordeval.aliases import Array

# Two distances are the same if they differ by no more than the rounding of the values: 0.3 - 0.2 and 0.2 - 0.1 are one
# distance. What differs by more than a billionth of the distance is no rounding.
VALUE_ROUNDING = 8 * np.finfo(np.float64).eps
SAME_DISTANCE = 1e-9
SAME_MASS = 1e-12  # relative: sums of equal weights are equal, however they are rounded
LN_2 = math.log(2)
FEW = 30  # classes up to which sums over stretches of classes are products with a matrix of zeros and ones


def times(margin: Array, matrix: Array) -> Array:
    """Return margin[..., x] times matrix[x, y], summed over x.

    The same for one table as for that table among many: what a fast product of matrices rounds depends on how many
    there are.
    """
    return np.asarray(np.einsum("...x,xy->...y", margin, matrix))


def bits(mass: Array, rest: Array) -> Array:
    """Return the information, in bits, that an item lies within the mass: -log2(mass / N) = log2(1 + rest / mass)."""
    information = np.asarray(rest / mass)
    np.log1p(information, out=information)
    information /= LN_2
    return information


def ordinal_mass(gold: Array) -> tuple[Array, Array]:
    """Return the mass, every class from a to b minus half of a, and the rest: all that is not in it.

    The mass is n_a / 2 + those between + n_b, or n_a / 2 where a = b.
    """
    k = gold.shape[-1]
    if k <= FEW:
        return inside_and_outside(gold, ordinal_members(k))
    return ordinal_mass_of_rows(gold, slice(None))


def ordinal_mass_of_rows(gold: Array, rows: slice) -> tuple[Array, Array]:
    """Return what `ordinal_mass` does, by running sums, for some of the classes b."""
    upper = np.add.accumulate(gold, axis=-1)
    middle = (upper - gold * 0.5)[..., None, :]
    lower = upper - gold
    mass = upper[..., rows, None] - middle
    np.maximum(mass, middle - lower[..., rows, None], out=mass)
    return mass, upper[..., -1:, None] - mass


def nominal_mass(gold: Array) -> tuple[Array, Array]:
    """Return the mass, which is n_b where a = b and everything elsewhere, and the rest."""
    k = gold.shape[-1]
    same = np.eye(k)
    rest = np.where(same, times(gold, 1 - same)[..., :, None], 0.0)
    total = np.add.reduce(gold, axis=-1)[..., None, None]
    return np.where(same, gold[..., :, None], total), rest


def interval_mass(gold: Array, values: Array) -> tuple[Array, Array]:
    """Return the mass, every x whose value is at most as far from b's as a's is, minus half of a; and the rest."""
    k = gold.shape[-1]
    if k <= FEW:
        return inside_and_outside(gold, interval_members(values.tobytes(), values.dtype.char))
    first, last = within_distance(values)
    below = np.zeros((*gold.shape[:-1], k + 1), dtype=gold.dtype)
    np.add.accumulate(gold, axis=-1, out=below[..., 1:])
    mass = below[..., last] - below[..., first] - (gold * 0.5)[..., None, :]
    return mass, below[..., -1:, None] - mass


def inside_and_outside(gold: Array, parts: Array) -> tuple[Array, Array]:
    """Return the items of the mass and of the rest, from the part of each class in either.

    Sums of parts have no differences of large numbers: a rare class beside one of 2**60 items keeps its items.
    """
    k = gold.shape[-1]
    sums = times(gold, parts).reshape(*gold.shape[:-1], 2, k, k)
    return sums[..., 0, :, :], sums[..., 1, :, :]


@lru_cache(maxsize=FEW)
def ordinal_members(k: int) -> Array:
    """Return the parts of each class for the ordinal mass."""
    b, a = np.indices((k, k))
    return members(np.minimum(a, b), np.maximum(a, b) + 1)


@lru_cache(maxsize=64)
def interval_members(values: bytes, dtype: str) -> Array:
    """Return the parts of each class for the interval mass."""
    return members(*within_distance(np.frombuffer(values, dtype)))


def members(first: Array, last: Array) -> Array:
    """Return the parts of each class in the mass and in the rest, as a matrix [class, (mass or rest, b, a)].

    The mass holds all classes from first[b, a] to just before last[b, a], but only half of a.
    """
    k = len(first)
    x = np.arange(k)[:, None, None]
    mass = ((first <= x) & (x < last)) - 0.5 * (x == np.arange(k))
    return np.asarray(np.stack([mass, 1 - mass], axis=1).reshape(k, 2 * k * k))


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
    mass, _ = ordinal_mass(gold)
    rounding = SAME_MASS * gold.sum(axis=-1, keepdims=True)
    return np.asarray(mass[..., -1] - mass[..., 0] > rounding)
