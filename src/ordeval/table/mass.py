"""How much of the gold lies between two classes: what closeness, and the farthest class, are made of.

mass[..., gold b, predicted a] is the amount of items at least as close to b as a is, with half of a's own (section 3.1
of Amigó et al. 2020). It is a function of the gold counts alone.
"""

import numpy as np

from ordeval.aliases import Array

SAME_DISTANCE = 1e-12  # relative: 0.3 - 0.2 and 0.2 - 0.1 are one distance
SAME_MASS = 1e-12  # relative: sums of equal weights are equal, however they are rounded


def ordinal_mass(gold: Array) -> Array:
    """Every class from a to b, both included, less half of a: n_a / 2 + those between + n_b, or n_a / 2 where a = b."""
    upper = np.add.accumulate(gold, axis=-1)
    middle = (upper - gold * 0.5)[..., None, :]
    lower = upper - gold
    return np.asarray(np.maximum(upper[..., None] - middle, middle - lower[..., None]))


def nominal_mass(gold: Array) -> Array:
    """n_b where a = b, else everything."""
    k = gold.shape[-1]
    total = gold.sum(axis=-1)[..., None, None]
    return np.where(np.eye(k, dtype=bool), gold[..., :, None], total)


def interval_mass(gold: Array, values: Array) -> Array:
    """Every x whose value is at most as far from b's as a's is, less half of a."""
    below = np.zeros((*gold.shape[:-1], gold.shape[-1] + 1))
    np.add.accumulate(gold, axis=-1, out=below[..., 1:])
    distance = np.abs(values[:, None] - values)
    reach = distance + SAME_DISTANCE * (values[-1] - values[0])
    first = np.searchsorted(values, values[:, None] - reach, side="left")
    last = np.searchsorted(values, values[:, None] + reach, side="right")
    return np.asarray(below[..., last] - below[..., first] - (gold * 0.5)[..., None, :])


def farthest_ends(gold: Array) -> Array:
    """Return, for each gold class, whether the upper end is the farther one: the end of smaller proximity.

    Smaller proximity is larger mass; on a tie the lower end is meant.
    """
    mass = ordinal_mass(gold)
    rounding = SAME_MASS * gold.sum(axis=-1, keepdims=True)
    return np.asarray(mass[..., -1] - mass[..., 0] > rounding)
