"""Patterns of answers whose gold or answers are distributions: an item is spread over many cells of a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.bootstrap import Patterns
from ordeval.stats.chunks import chunks
from ordeval.stats.score_function import ScoreFunction
from ordeval.ties import TIE

MOST_TABLES = 100_000  # beyond, groups of items are left out in place of single items


@dataclass(frozen=True, kw_only=True)
class SoftPatterns(Patterns):
    """The distinct patterns of one test case: which distribution gold and each system's answer is.

    What an item adds to a system's table is its share of each gold class times its probability of each answer. Beyond
    the K + 1 columns of answers there is one for each of the `costs`, of measures that follow from means over items;
    what all items cost stands in its first row.
    """

    gold: Array  # [pattern]: the row of `shares`
    answer: Array  # [system, pattern]: the row of `answers`
    shares: Array  # [kind, class]
    answers: Array  # [kind, class or no answer]
    costs: Array  # [column, system, pattern]

    def merged_with(self, others: Sequence[Self]) -> Self:
        """Return the patterns of this case and of others as those of one."""
        cases = [self, *others]
        count, gold, answer, costs, squares = (
            np.concatenate(parts, axis=-1)
            for parts in zip(
                *((c.count, c.gold, c.answer, c.costs, c.squares) for c in cases), strict=True
            )
        )
        weighted = any(case.square is not None for case in cases)
        return replace(
            self, count=count, gold=gold, answer=answer, costs=costs,
            square=squares if weighted else None,
        )  # fmt: skip

    def of_systems(self, which: slice) -> Self:
        """Return the same patterns for some of the systems."""
        factor = None if self.factor is None else self.factor[which]
        return replace(self, answer=self.answer[which], costs=self.costs[:, which], factor=factor)

    def of_system(self, system: int) -> Self:
        """Return the patterns of one system."""
        return self.of_systems(slice(system, system + 1))

    @property
    def width(self) -> int:
        """The numbers of the tables of all systems."""
        return len(self.answer) * self.k * (self.k + 1 + len(self.costs))

    @property
    def places(self) -> Array:
        """Numbers[system, pattern] that are equal for two systems where their answers are."""
        return self.answer

    @property
    def leaving_out(self) -> float:
        """How much work it is to leave each item out, where 1 is the most that is done."""
        return self.answer.size / MOST_TABLES

    def added(self, system: int, part: slice) -> Array:
        """Return what one item of each pattern adds to a system's table: [pattern, gold, column]."""
        spread = self.spread(system, part)
        if not len(self.costs):
            return spread
        items = np.zeros((len(spread), self.k, self.k + 1 + len(self.costs)))
        items[..., : self.k + 1] = spread
        items[:, 0, self.k + 1 :] = self.costs[:, system, part].T
        return items

    def spread(self, system: int, part: slice) -> Array:
        """Return the answered and unanswered shares of one item of each pattern: [pattern, gold, answer]."""
        share = self.shares[self.gold[part]]
        answers = self.answers[self.answer[system, part]]
        return np.asarray(share[:, :, None] * answers[:, None, :])

    def tables(self, draws: Array) -> Array:
        """Return cells[resample, system, gold, column] of draws[resample, pattern]."""
        (systems, patterns), k = self.answer.shape, self.k
        tables = np.zeros((len(draws), systems, k, k + 1 + len(self.costs)))
        for part in chunks(patterns, numbers=max(k * (k + 1), len(draws))):
            drawn = draws[:, part].astype(np.float64)
            for system in range(systems):
                some = self.spread(system, part)
                sums = drawn @ some.reshape(len(some), -1)
                tables[:, system, :, : k + 1] += sums.reshape(-1, k, k + 1)
                tables[:, system, 0, k + 1 :] += (
                    self.costs[:, system, part] @ drawn.T
                ).T  # fast by rows
        return tables if self.factor is None else tables * self.factor[:, None, None]

    def without_groups(self, group: Array, groups: int) -> Array:
        """Return the tables[group, system, gold, column] without the patterns of each group, given group[pattern]."""
        observed = self.observed
        tables = np.zeros((groups, *observed.shape))
        for system in range(len(self.answer)):
            for part in chunks(len(group), numbers=observed[system].size):
                items = self.added(system, part) * self.count[part][:, None, None]
                for gold, column in np.ndindex(items.shape[1:]):
                    one = items[:, gold, column]
                    if one.any():
                        tables[:, system, gold, column] += np.bincount(group[part], one, groups)
        if self.factor is not None:
            tables *= self.factor[:, None, None]
        return without(observed, tables)

    def without_one(self, score: ScoreFunction) -> tuple[Array, Array]:
        """Return influence[measure, system, pattern] of one item of each pattern, and where each system's stand."""
        observed, (systems, patterns) = self.observed, self.answer.shape
        value = score(observed)
        influence = np.zeros((len(value), systems, patterns))
        amount = np.minimum(self.count, 1.0)
        factor = np.ones(systems) if self.factor is None else self.factor
        for system in range(systems):
            whole = observed[system]
            for part in chunks(patterns, numbers=whole.size):
                item = self.added(system, part) * (amount[part] * factor[system])[:, None, None]
                left = score(without(whole, item), whole)
                with np.errstate(all="ignore"):
                    influence[:, system, part] = (value[:, system, None] - left) / amount[part]
        influence = np.where(np.isfinite(influence), influence, 0.0)
        mean = (influence * self.count).sum(axis=-1, keepdims=True) / max(self.count.sum(), 1e-300)
        return influence - mean, np.broadcast_to(np.arange(patterns), (systems, patterns))


def without(cells: Array, items: Array) -> Array:
    """Return tables minus some of their items; what only rounding leaves in a cell is nothing.

    What items cost, in the columns beyond the answers, may be below 0.
    """
    left = cells - items
    counted = left[..., : cells.shape[-2] + 1]
    counted[...] = np.where(counted > TIE, counted, 0.0)
    return left
