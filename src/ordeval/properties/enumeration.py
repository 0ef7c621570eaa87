"""All small gold standards, and all outputs for each, as tables that are made when they are asked for.

The order is that of a dictionary: a gold standard or an output is read as its list of labels, the items sorted by gold
class and then by answer.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, islice
from typing import NamedTuple

import numpy as np

from ordeval.errors import ParameterError
from ordeval.metrics.core import Counts

CHUNK = 1 << 14  # tables at once: with their intermediate results they stay in a core's cache
MOST = 1 << 25  # outputs of one gold standard: their values take 256 MB


class Move(NamedTuple):
    """One item of gold class `gold` goes from class `away` to `near`, nearer to its gold class on the same side."""

    gold: int
    away: int
    near: int


def compositions(n: int, k: int) -> Iterator[Counts]:
    """Yield all ways to put n items into k classes, in chunks of counts[way, class]."""
    ways = combinations_with_replacement(range(k), n)
    while chunk := list(islice(ways, CHUNK)):
        labels = np.array(chunk, dtype=np.int64).reshape(len(chunk), n)
        yield np.stack([np.count_nonzero(labels == c, axis=1) for c in range(k)], axis=1)


@lru_cache(maxsize=256)
def all_compositions(n: int, k: int) -> Counts:
    """Return all ways to put n items into k classes: counts[way, class]."""
    ways = np.concatenate(list(compositions(n, k)))
    ways.setflags(write=False)
    return ways


def sizes(classes: int, items: int, *, least: int = 2) -> Iterator[tuple[int, int]]:
    """Yield (items, classes) from the smallest on: fewest items, then fewest classes."""
    for n in range(least, items + 1):
        for k in range(least, min(n, classes) + 1):
            yield n, k


def gold_standards(n: int, k: int) -> Iterator[Counts]:
    """Yield all gold counts of n items in k classes, none of them empty, in chunks of counts[way, class]."""
    few = math.comb(n - 1, k - 1) <= CHUNK  # then they are kept for the next measure
    for chunk in [all_compositions(n - k, k)] if few else compositions(n - k, k):
        yield chunk + 1


@lru_cache(maxsize=64)
def moves(k: int) -> tuple[Move, ...]:
    """Return every single move towards gold on a scale of k classes."""
    return tuple(
        Move(gold, away, near)
        for gold in range(k)
        for away in range(k)
        for near in (range(away + 1, gold + 1) if away < gold else range(away - 1, gold - 1, -1))
    )


@lru_cache(maxsize=4096)
def moved_ways(n: int, k: int, away: int, near: int) -> Counts:
    """Return, for each way to put n items into k classes, the way with one item moved; -1 where none can be."""
    ways = all_compositions(n, k)
    weight = (n + 1) ** np.arange(k, dtype=np.int64)
    keys = ways @ weight
    order = np.argsort(keys)
    moved_keys = keys - weight[away] + weight[near]
    places = order[np.searchsorted(keys[order], moved_keys, side="left") % len(keys)]
    return np.where(ways[:, away] > 0, places, -1)


@dataclass(frozen=True)
class Outputs:
    """All outputs for one gold standard, numbered in dictionary order; a slice makes tables[i, gold, predicted].

    In each row an output puts the items of a gold class into the classes in some way, and the number of the output has
    these ways for digits. So nothing is stored, and moving one item changes one digit.
    """

    gold: tuple[int, ...]

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.gold)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The number of ways in which the items of each gold class can be answered."""
        return tuple(math.comb(n + self.k - 1, self.k - 1) for n in self.gold)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """By how much the number of an output grows when the digit of a row grows by 1."""
        return tuple(math.prod(self.bases[row + 1 :]) for row in range(self.k))

    def __len__(self) -> int:
        return math.prod(self.bases)

    def digit(self, at: Counts, row: int) -> Counts:
        """Return the way in which a row is answered in the outputs numbered `at`."""
        return np.asarray(at // self.strides[row] % self.bases[row])

    def tables(self, at: Counts) -> Counts:
        """Return the outputs numbered `at`."""
        rows = [all_compositions(n, self.k)[self.digit(at, row)] for row, n in enumerate(self.gold)]
        return np.stack(rows, axis=1)

    def __getitem__(self, part: slice) -> Counts:
        start, stop, _ = part.indices(len(self))
        return self.tables(np.arange(start, stop))

    def chunks(self) -> Iterator[Counts]:
        """Yield the numbers of all outputs, a chunk at a time."""
        for start in range(0, len(self), CHUNK):
            yield np.arange(start, min(start + CHUNK, len(self)))

    def moved(self, at: Counts) -> Counts:
        """Return what each single move makes of the outputs numbered `at`: [output, move], -1 where there is none."""
        columns = []
        for gold, away, near in moves(self.k):
            digit = self.digit(at, gold)
            way = moved_ways(self.gold[gold], self.k, away, near)[digit]
            columns.append(np.where(way < 0, -1, at + (way - digit) * self.strides[gold]))
        return np.stack(columns, axis=1)

    @property
    def perfect(self) -> int:
        """The number of the perfect output."""
        right = [
            int(np.argmax(all_compositions(n, self.k)[:, row] == n))
            for row, n in enumerate(self.gold)
        ]
        return sum(digit * stride for digit, stride in zip(right, self.strides, strict=True))


def check_sizes(classes: int, items: int) -> None:
    """Refuse sizes at which the values of one gold standard's outputs would not fit in memory.

    The gold standard whose classes are equally large has the most outputs.
    """
    for k in range(2, min(classes, items) + 1):
        each, more = divmod(items, k)
        largest = Outputs((each + 1,) * more + (each,) * (k - more))
        if math.prod(largest.bases) > MOST:
            raise ParameterError(
                f"{items} items of {k} classes have gold standards with {math.prod(largest.bases):,} outputs, more "
                f"than the {MOST:,} that fit in memory at once. Ask for fewer classes or items."
            )
