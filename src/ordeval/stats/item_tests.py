"""Randomisation by items: under no difference, whose answer is whose is a coin flip for every item.

Items on which two systems answer alike do not matter. Those with the same gold and the same two answers are one group,
of which a binomial number keeps its answers as they are: no loop over items. Where few groups allow it, all splits are
counted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ordeval.comparison.cells import Array, Scorer
from ordeval.stats.bootstrap import ROOM, Patterns
from ordeval.stats.streams import Purpose, stream

SAME = 1e-12
PIECE = 4_000  # splits at a time, fewer where the tables are large


class Randomised(NamedTuple):
    """p for each measure, whether all splits were counted, and how many were undefined."""

    p: Array
    exact: bool
    undefined: Array


@dataclass(frozen=True)
class Groups:
    """The discordant items of two systems in one case: how many each group has, and how a split makes both tables."""

    size: Array  # [group]
    first: Array  # the first system's cells if no group keeps its answers the lower way
    second: Array
    move: Array  # [group, cell]: what one item more on the lower side changes in the first table

    def tables(self, lower: Array) -> tuple[Array, Array]:
        """Return both systems' cells[split, gold, answer] where lower[split, group] items keep the lower first."""
        change = (lower.astype(np.float64) @ self.move).reshape(-1, *self.first.shape)
        return self.first + change, self.second - change


def groups_of(case: Patterns, a: int, b: int) -> Groups:
    """Gather the items of a case by gold and by the two answers, whichever system gave which."""
    k, width = case.k, case.k + 1
    gold, x, y = case.cell[a] // width, case.cell[a] % width, case.cell[b] % width
    joint = np.bincount(
        (gold * width + x) * width + y, weights=case.count, minlength=k * width * width
    )
    joint = joint.reshape(k, width, width)
    both = joint + joint.transpose(0, 2, 1)
    g, low, high = np.nonzero(np.triu(both, 1))
    size = both[g, low, high]
    same = joint[:, np.arange(width), np.arange(width)]
    first, second = same.copy(), same.copy()
    np.add.at(first, (g, high), size)
    np.add.at(second, (g, low), size)
    move = np.zeros((len(g), k, width))
    at = np.arange(len(g))
    move[at, g, low] += 1
    move[at, g, high] -= 1
    return Groups(size.astype(np.int64), first, second, move.reshape(len(g), k * width))


def swap_p(
    patterns: Sequence[Patterns], scorer: Scorer, pair: tuple[int, int], *, size: int, seed: int
) -> Randomised:
    """Return the share of splits whose difference (of means over cases) is at least as far from 0 as the observed one.

    All splits are counted, with their probabilities, where there are at most `size` of them; else `size` are drawn and
    one is added to both counts.
    """
    cases = [groups_of(case, *pair) for case in patterns]
    sizes = np.concatenate([case.size for case in cases])
    observed = np.mean([scorer(case.observed[list(pair)]) for case in patterns], axis=0)
    far = np.abs(observed[:, 0] - observed[:, 1]) - SAME
    exact = math.prod((sizes + 1).tolist()) <= size
    splits, chance = every_split(sizes) if exact else (drawn_splits(sizes, size, seed), None)
    step = max(1, min(PIECE, ROOM // (scorer.k * (scorer.k + 1))))
    difference = np.concatenate(
        [
            difference_of(cases, scorer, splits[at : at + step])
            for at in range(0, len(splits), step)
        ],
        axis=-1,
    )
    lost = np.isnan(difference)
    with np.errstate(invalid="ignore"):
        reached = np.abs(difference) >= far[:, None]
        if chance is not None:
            p = (reached * chance).sum(axis=-1) / (~lost * chance).sum(axis=-1)
        else:
            p = (reached.sum(axis=-1) + 1.0) / ((~lost).sum(axis=-1) + 1.0)
    return Randomised(np.where(np.isnan(far), np.nan, np.minimum(p, 1.0)), exact, lost.sum(axis=-1))


def difference_of(cases: Sequence[Groups], scorer: Scorer, splits: Array) -> Array:
    """Return the difference[measure, split] of the two systems' means over cases."""
    total = np.zeros((len(scorer.measures), len(splits)))
    start = 0
    for case in cases:
        stop = start + len(case.size)
        first, second = case.tables(splits[:, start:stop])
        total += scorer(first) - scorer(second)
        start = stop
    return total / len(cases)


def every_split(sizes: Array) -> tuple[Array, Array]:
    """Return all splits[split, group] and the probability of each."""
    splits, chance = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    for n in sizes.tolist():
        some = np.array([math.comb(n, i) / 2**n for i in range(n + 1)])
        splits = np.hstack(
            [np.repeat(splits, n + 1, axis=0), np.tile(np.arange(n + 1), len(splits))[:, None]]
        )
        chance = np.repeat(chance, n + 1) * np.tile(some, len(chance))
    return splits, chance


def drawn_splits(sizes: Array, size: int, seed: int) -> Array:
    """Draw splits[split, group]: each item of a group stays or is swapped by a coin flip."""
    rng = stream(seed, Purpose.SWAPS)
    # In the narrowest type that holds the largest group: a million draws of a hundred groups are 100 MB, not 800.
    splits: Array = np.empty((size, len(sizes)), dtype=np.min_scalar_type(sizes.max(initial=0)))
    for at, n in enumerate(sizes.tolist()):  # one size at a time: its tables are set up once
        splits[:, at] = rng.binomial(n, 0.5, size=size)
    return splits
