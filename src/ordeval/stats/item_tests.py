"""Randomisation by items: if two systems do not differ, who gave which of two answers is a coin flip for every item.

Items that both systems answer alike do not matter. Items with the same gold and the same two answers form a group. In
each group the lower of the two answers is the first system's for a binomial number of items, so that there is no loop
over items; such a choice of numbers is a split. Where few groups allow it, all splits are counted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.chunks import chunks
from ordeval.stats.score_function import ScoreFunction
from ordeval.stats.streams import Purpose, stream
from ordeval.ties import TIE

SPLITS_AT_A_TIME = 4_000  # fewer where the tables are large


class SwapTest(NamedTuple):
    """The p-value of each measure, whether all splits were counted, and how many splits were undefined."""

    p: Array
    exact: bool
    undefined: Array


@dataclass(frozen=True)
class DiscordantGroups:
    """The items of one case that two systems answer differently, by group, and both tables as a split makes them."""

    size: Array  # [group]: the number of items
    first: Array  # the first system's cells if it gave the higher answer to every item
    second: Array  # the second system's cells then
    move: Array  # [group, cell]: how the first table changes with every item whose lower answer it gave

    def tables(self, lower: Array) -> tuple[Array, Array]:
        """Return both systems' cells[split, gold, answer] if the first has lower[split, group] of the lower answers."""
        change = (lower.astype(np.float64) @ self.move).reshape(-1, *self.first.shape)
        return self.first + change, self.second - change


def discordant_groups(case: CasePatterns, a: int, b: int) -> DiscordantGroups:
    """Return the items of a case grouped by gold and by the two answers of systems a and b, whoever gave which."""
    k, width = case.k, case.k + 1
    gold, x, y = case.cell[a] // width, case.cell[a] % width, case.cell[b] % width
    joint = np.bincount(
        (gold * width + x) * width + y, weights=case.count, minlength=k * width * width
    )
    joint = joint.reshape(k, width, width)
    both = joint + joint.transpose(0, 2, 1)
    g, low, high = np.nonzero(np.triu(both, 1))
    size = both[g, low, high]
    alike = joint[:, np.arange(width), np.arange(width)]
    first, second = alike.copy(), alike.copy()
    np.add.at(first, (g, high), size)
    np.add.at(second, (g, low), size)
    move = np.zeros((len(g), k, width))
    at = np.arange(len(g))
    move[at, g, low] = 1
    move[at, g, high] = -1
    return DiscordantGroups(size.astype(np.int64), first, second, move.reshape(len(g), k * width))


def swap_p(
    patterns: Sequence[CasePatterns],
    score: ScoreFunction,
    pair: tuple[int, int],
    *,
    size: int,
    seed: int,
) -> SwapTest:
    """Return the share of splits whose difference (of means over cases) is at least as far from 0 as the observed one.

    All splits are counted, with their probabilities, where there are at most `size` of them; else `size` are drawn and
    one is added to both counts.
    """
    cases = [discordant_groups(case, *pair) for case in patterns]
    sizes = np.concatenate([case.size for case in cases])
    observed = np.mean([score(case.observed[list(pair)]) for case in patterns], axis=0)
    distance = np.abs(observed[:, 0] - observed[:, 1]) - TIE
    exact = math.prod((sizes + 1).tolist()) <= size
    splits, chance = every_split(sizes) if exact else (drawn_splits(sizes, size, seed), None)
    parts = chunks(len(splits), numbers=cases[0].first.size, most=SPLITS_AT_A_TIME)
    difference = np.concatenate(
        [score_differences(cases, score, splits[part]) for part in parts], axis=1
    )
    undefined = np.isnan(difference)
    with np.errstate(invalid="ignore"):
        reached = np.abs(difference) >= distance[:, None]
        if chance is not None:
            p = (reached * chance).sum(axis=1) / (~undefined * chance).sum(axis=1)
        else:
            p = (reached.sum(axis=1) + 1) / ((~undefined).sum(axis=1) + 1)
    return SwapTest(np.where(np.isnan(distance), np.nan, p), exact, undefined.sum(axis=1))


def score_differences(
    cases: Sequence[DiscordantGroups], score: ScoreFunction, splits: Array
) -> Array:
    """Return the difference[measure, split] of the two systems' means over cases."""
    total: Any = 0.0
    start = 0
    for case in cases:
        stop = start + len(case.size)
        first, second = case.tables(splits[:, start:stop])
        total = total + (score(first) - score(second))
        start = stop
    return np.asarray(total / len(cases))


def every_split(sizes: Array) -> tuple[Array, Array]:
    """Return all splits[split, group] and the probability of each."""
    splits, chance = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    for n in sizes.tolist():
        binomial = np.array([math.comb(n, i) / 2**n for i in range(n + 1)])
        splits = np.hstack(
            [np.repeat(splits, n + 1, axis=0), np.tile(np.arange(n + 1), len(splits))[:, None]]
        )
        chance = np.repeat(chance, n + 1) * np.tile(binomial, len(chance))
    return splits, chance


def drawn_splits(sizes: Array, size: int, seed: int) -> Array:
    """Return random splits[split, group]: for each item of a group a coin flip tells who gave the lower answer."""
    rng = stream(seed, Purpose.SWAPS)
    # In the narrowest type that holds the largest group: a million draws of a hundred groups are 100 MB, not 800.
    splits: Array = np.empty((size, len(sizes)), dtype=np.min_scalar_type(sizes.max(initial=0)))
    for at, n in enumerate(sizes.tolist()):  # group by group: NumPy is set up for one n at a time
        splits[:, at] = rng.binomial(n, 0.5, size=size)
    return splits
