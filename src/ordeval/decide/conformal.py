"""Split conformal sets of neighbouring classes, on arrays: columns[class, item] of probabilities, and gold codes.

A set begins with the most probable class and grows to the more probable of its two neighbours (Lu et al. 2022). The
mass of a class in an item is the probability of the set before the class joins it: 0 for the most probable one. A set
holds the classes whose mass is at most a threshold, and the threshold is chosen by the masses of the gold classes.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.rules import AT_A_TIME
from ordeval.stats.chunks import chunks


class Spans(NamedTuple):
    """The lowest and the highest class of each set, as codes."""

    lowest: Array
    highest: Array

    @property
    def sizes(self) -> Array:
        """The number of classes in each set."""
        return self.highest - self.lowest + 1

    def hold(self, codes: Array) -> Array:
        """Tell which sets hold the class of their item."""
        return (self.lowest <= codes) & (codes <= self.highest)


def masses(columns: Array) -> Array:
    """Return the probability[class, item] of the set before each class joins; of equal neighbours, the lower joins."""
    k, n = columns.shape
    items = np.arange(n)
    beyond = np.full((1, n), -1.0)  # what lies beyond the ends is never more probable
    padded = np.concatenate([beyond, columns, beyond])  # a class is one row further down
    low = high = columns.argmax(axis=0) + 1
    mass = padded[low, items]
    found = np.zeros((k, n))
    for _ in range(k - 1):
        below, above = padded[low - 1, items], padded[high + 1, items]
        down = below >= above
        low, high = low - down, high + ~down
        found[np.where(down, low, high) - 1, items] = mass
        mass = mass + np.where(down, below, above)
    return found


def gold_masses(columns: Array, gold: Array) -> Array:
    """Return the mass of each item's gold class."""
    n = columns.shape[1]
    found = np.empty(n)
    for part in chunks(n, most=AT_A_TIME):
        found[part] = np.take_along_axis(masses(columns[:, part]), gold[None, part], axis=0)[0]
    return found


def spans(columns: Array, thresholds: Array) -> Spans:
    """Return the sets of items, by the thresholds[class, item or 1].

    With one threshold for all classes, these are the classes whose mass is at most it. With several, classes between
    two of these belong to the set, too.
    """
    k, n = columns.shape
    found = Spans(*np.empty((2, n), dtype=np.intp))
    for part in chunks(n, most=AT_A_TIME):
        limits = thresholds if thresholds.shape[1] == 1 else thresholds[:, part]
        inside = masses(columns[:, part]) <= limits
        found.lowest[part] = inside.argmax(axis=0)
        found.highest[part] = k - 1 - inside[::-1].argmax(axis=0)
    return found


def rank(level: float, n: float) -> int:
    """Return the rank, among the masses of n items and of a new one, up to which a set must hold the gold class."""
    return math.ceil(Fraction(repr(float(level))) * int(n + 1))


def least_items(level: float) -> int:
    """Return the number of items from which a threshold is finite: level / (1 - level), rounded up."""
    share = Fraction(repr(float(level)))
    return math.ceil(share / (1 - share))


class Calibration(NamedTuple):
    """The masses of gold classes in order, each with the number of items up to it."""

    masses: Array
    items: Array

    @classmethod
    def of(cls, found: Array, count: Array | None = None) -> "Calibration":
        """Sort masses, of which each may stand for several items."""
        if count is None:
            return cls(np.sort(found), np.arange(1, len(found) + 1))
        order = np.argsort(found)
        return cls(found[order], np.cumsum(count[order]))

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.items[-1]) if len(self.items) else 0

    def at(self, place: int) -> float:
        """Return the mass at a rank, counted from 1; infinite beyond the last."""
        return (
            float(self.masses[np.searchsorted(self.items, place)])
            if 0 < place <= self.n
            else np.inf
        )

    def threshold(self, level: float) -> float:
        """Return the least threshold that gives a new item the promised coverage, whatever the probabilities."""
        return self.at(rank(level, self.n))

    def without_each(self, found: Array, level: float) -> Array:
        """Return the threshold for each item that the others alone would give."""
        place = rank(level, self.n - 1)
        low, high = self.at(place), self.at(place + 1)
        # without an item that is not above the rank, the next one takes its place
        return np.where(found <= low, high, low)


def calibrate(
    found: Array, gold: Array, k: int, level: float, *, by_class: bool, count: Array | None = None
) -> tuple[Array, Array]:
    """Return thresholds[class], and for each item [class, item] those that the other items alone would give."""
    if not by_class:
        every = Calibration.of(found, count)
        others = every.without_each(found, level)
        return np.full(k, every.threshold(level)), np.broadcast_to(others, (k, len(found)))
    thresholds = np.empty(k)
    others = np.empty(len(found))
    for code in range(k):
        own = gold == code
        of_class = Calibration.of(found[own], None if count is None else count[own])
        thresholds[code] = of_class.threshold(level)
        others[own] = of_class.without_each(found[own], level)
    each = np.where(np.arange(k)[:, None] == gold, others, thresholds[:, None])
    return thresholds, each
