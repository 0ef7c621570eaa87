"""Bootstrap without items: a resample is a multinomial draw over the distinct patterns of answers.

For one system the patterns are the cells of its table, for several the distinct joint answers; either way a resample
costs as many draws as there are patterns, however many items there are. Random numbers are drawn one resample after the
other, so that cutting the work into chunks, which bounds the memory, changes no number.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.stats.chunks import chunks
from ordeval.stats.score_function import ScoreFunction
from ordeval.stats.streams import Purpose, stream
from ordeval.threads import ahead
from ordeval.ties import rounded

MOST_CELLS = 2_000  # beyond, groups of items are left out in place of single items
MOST_IN_PRODUCT = 1000  # cells of a table up to which a matrix product counts
EXACT_IN_FLOAT32 = 2**24  # float32 holds every integer up to here, so sums of counts are exact


@dataclass(frozen=True, kw_only=True)
class Patterns(ABC):
    """How many items of one test case have each of the distinct patterns of answers."""

    count: Array  # [pattern]: with weights, scaled so that they add up to the number of items
    k: int
    square: Array | None = None  # [pattern]: the sums of squared weights; None if all weights are 1
    # [system]: what its table is multiplied by, where weights and the items left out differ by system; None if by 1
    factor: Array | None = None

    @property
    @abstractmethod
    def width(self) -> int:
        """The numbers of the tables of all systems."""

    @property
    @abstractmethod
    def places(self) -> Array:
        """Numbers[system, pattern] that are equal for two systems where their answers are."""

    @property
    @abstractmethod
    def leaving_out(self) -> float:
        """How much work it is to leave each item out, where 1 is the most that is done."""

    @abstractmethod
    def of_systems(self, which: slice) -> Self:
        """Return the same patterns for some of the systems."""

    @abstractmethod
    def of_system(self, system: int) -> Self:
        """Return the patterns of one system."""

    @abstractmethod
    def tables(self, draws: Array) -> Array:
        """Return cells[resample, system, gold, answer] of draws[resample, pattern]."""

    @abstractmethod
    def merged_with(self, others: Sequence[Self]) -> Self:
        """Return the patterns of this case and of others as those of one."""

    @cached_property
    def observed(self) -> Array:
        """The tables before any resampling: cells[system, gold, answer]."""
        return np.asarray(self.tables(self.count[None].astype(np.float64))[0])

    @property
    def squares(self) -> Array:
        """Return the sum of squared weights of each pattern."""
        return self.count if self.square is None else self.square

    @property
    def effective(self) -> float:
        """Return the effective number of items (Kish): what so many items of equal weight would tell as much as."""
        total = float(self.count.sum())
        if self.square is None or not total:
            return total
        return total**2 / float(self.square.sum())

    @property
    def weight(self) -> float:
        """Return the weight of one effective item; 1 without weights."""
        return (
            float(self.count.sum()) / max(self.effective, 1.0) if self.square is not None else 1.0
        )

    @property
    def items(self) -> int:
        """Return the number of items that a resample draws: the effective number."""
        return round(self.effective)

    def draws(self, rng: "np.random.Generator", size: int) -> Iterator[Array]:
        """Yield `size` resamples as counts[resample, pattern], a chunk at a time."""
        if not len(self.count):  # a policy left all items of this case out
            yield np.zeros((size, 0))
            return
        share = self.count / self.count.sum()
        if self.square is not None:
            share = rounded(share)  # the unit of weights changes their last digits, and no draw
        scale = 1.0 if self.square is None else float(self.count.sum()) / max(self.items, 1)
        numbers = max(len(self.count), self.width)
        for drawn in drawn_counts(share, self.items, rng, size, numbers=numbers):
            yield drawn if self.square is None else drawn * scale


AnyPatterns = TypeVar("AnyPatterns", bound=Patterns)


@dataclass(frozen=True, kw_only=True)
class CasePatterns(Patterns):
    """The distinct patterns of answers in one test case: how many items have each, and where each system counts it.

    `cell[system, pattern]` is the place in the system's flattened table: gold * (K + 1) + answer, where the answer K
    means that there is none.
    """

    cell: Array  # [system, pattern]

    @property
    def width(self) -> int:
        """The numbers of the tables of all systems."""
        return len(self.cell) * self.k * (self.k + 1)

    @property
    def places(self) -> Array:
        """Numbers[system, pattern] that are equal for two systems where their answers are."""
        return self.cell

    @property
    def leaving_out(self) -> float:
        """How much work it is to leave each item out, where 1 is the most that is done."""
        used = np.count_nonzero(np.bincount(self.cell.ravel()))  # np.unique loads masked arrays
        return used / MOST_CELLS

    def merged_with(self, others: Sequence[Self]) -> Self:
        """Return the patterns of this case and of others as those of one."""
        square, cases = None, [self, *others]
        if any(case.square is not None for case in cases):
            square = np.concatenate([case.squares for case in cases])
        count, cell = (
            np.concatenate(parts, axis=-1)
            for parts in zip(*((c.count, c.cell) for c in cases), strict=True)
        )
        return replace(self, count=count, cell=cell, square=square)

    def of_systems(self, which: slice) -> Self:
        """Return the same patterns for some of the systems."""
        factor = None if self.factor is None else self.factor[which]
        return replace(self, cell=self.cell[which], factor=factor)

    def of_system(self, system: int) -> Self:
        """Return the patterns of one system: the cells of its table that have items."""
        used, back = np.unique(self.cell[system], return_inverse=True)
        square = None if self.square is None else np.bincount(back, self.square, len(used))
        count = np.bincount(back, self.count, len(used))
        factor = None if self.factor is None else self.factor[[system]]
        return replace(self, count=count, cell=used[None], square=square, factor=factor)

    @cached_property
    def square_cells(self) -> Array:
        """Return the sums of squared weights in each system's flattened table: [system, cell]."""
        sums = self.tables(np.asarray(self.squares, dtype=np.float64)[None])[0]
        if self.factor is not None:  # squares are multiplied by the square
            sums = sums * self.factor[:, None, None]
        return np.asarray(sums.reshape(len(sums), -1))

    def tables(self, draws: Array) -> Array:
        """Return cells[resample, system, gold, answer] of draws[resample, pattern].

        It is a matrix product with zeros and ones that say which pattern is counted in which cell; in tables of many
        cells these would be nearly all zeros, and the patterns of each cell are added up.
        """
        systems, patterns = self.cell.shape
        width = self.k * (self.k + 1)
        if width > MOST_IN_PRODUCT:
            return self.sparse_tables(draws)
        small = draws.dtype.kind in "iu" and self.count.sum() < EXACT_IN_FLOAT32
        exact: Any = np.float32 if small else np.float64
        sums: Array = np.zeros((len(draws), systems * width), dtype=exact)
        place = self.cell + np.arange(systems)[:, None] * width
        for part in chunks(patterns, numbers=systems * width):
            some = place[:, part]
            ones: Array = np.zeros((some.shape[1], systems * width), dtype=exact)
            ones[np.arange(some.shape[1]), some] = 1
            sums += draws[:, part].astype(exact) @ ones
        tables = sums.reshape(len(draws), systems, self.k, self.k + 1).astype(np.float64)
        return tables if self.factor is None else tables * self.factor[:, None, None]

    def sparse_tables(self, draws: Array) -> Array:
        """Return what `tables` does, by adding up the patterns of each cell."""
        systems, patterns = self.cell.shape
        sums = np.zeros((len(draws), systems, self.k * (self.k + 1)))
        for system, (order, used, starts) in enumerate(self.patterns_by_cell if patterns else ()):
            for part in chunks(len(draws), numbers=patterns):
                sums[part, system, used] = np.add.reduceat(draws[part][:, order], starts, axis=1)
        tables = sums.reshape(len(draws), systems, self.k, self.k + 1)
        return tables if self.factor is None else tables * self.factor[:, None, None]

    @cached_property
    def patterns_by_cell(self) -> list[tuple[Array, Array, Array]]:
        """For each system the order of the patterns by their cells, these cells, and where each begins."""
        orders = [np.argsort(cell, kind="stable") for cell in self.cell]
        return [
            (order, *np.unique(cell[order], return_index=True))
            for order, cell in zip(orders, self.cell, strict=True)
        ]


def drawn_counts(
    share: Array, items: int, rng: "np.random.Generator", size: int, *, numbers: int
) -> Iterator[Array]:
    """Yield counts[resample, pattern] of so many items drawn by the patterns' shares, a chunk of resamples at a time.

    `numbers` is how many numbers a resample asks for.
    """
    # NumPy gives the last pattern what the rounded shares of the others leave: let that be the most frequent one.
    order = np.argsort(share, kind="stable")
    back, share = np.argsort(order), share[order]
    for part in chunks(size, numbers=numbers):
        yield rng.multinomial(items, share, size=part.stop - part.start)[:, back]


def merged(cases: Sequence[AnyPatterns]) -> AnyPatterns:
    """Return the patterns of all cases as those of one."""
    return cases[0].merged_with(cases[1:])


def observed_tables(cases: Sequence[Patterns]) -> Iterator[tuple[slice, Array]]:
    """Give the tables[case, system, gold, answer] of the cases before any resampling, some cases at a time."""
    for part in chunks(len(cases), numbers=cases[0].observed.size):
        yield part, np.stack([case.observed for case in cases[part]])


def scores_of_cases(cases: Sequence[Patterns], score: ScoreFunction) -> Array:
    """Return the scores[measure, system, case] of test cases."""
    parts = [score(tables) for _, tables in observed_tables(cases)]
    return np.ascontiguousarray(np.moveaxis(np.concatenate(parts, axis=1), 1, -1))


def case_weights(seed: int, cases: int, size: int) -> Iterator[tuple[slice, Array]]:
    """Give weights[resample, case], some resamples at a time: how often each resample of the cases has each case."""
    rng, share = stream(seed, Purpose.CASES), np.full(cases, 1 / cases)
    for part in chunks(size, numbers=cases):
        drawn = rng.multinomial(cases, share, size=part.stop - part.start)
        yield part, drawn.astype(np.float64)


def resampled_means(scores: Array, seed: int, size: int) -> Array:
    """Return the means[..., resample] of scores[..., case] over the cases of each resample that have a score.

    No table is needed: it is a product with the case weights. The mean is NaN where no drawn case has a score.
    """
    cases = scores.shape[-1]
    rows = scores.reshape(-1, 1, cases)  # each by itself, so that no other row changes its rounding
    defined = ~np.isnan(rows)
    known, means = np.where(defined, rows, 0.0), np.empty((len(rows), 1, size))
    for part, weights in case_weights(seed, cases, size):
        drawn = float(cases) if defined.all() else defined @ weights.T
        with np.errstate(all="ignore"):
            means[..., part] = known @ weights.T / drawn
    return means.reshape(*scores.shape[:-1], size)


def resampled_scores(
    patterns: Sequence[Patterns],
    score: ScoreFunction,
    *,
    unit: str,
    size: int,
    seed: int,
    purpose: Purpose,
    pooled: bool = False,
    fill: Callable[[Array], Array] = lambda scores: scores,
    progress: Progress = None,
) -> Array:
    """Return values[measure, system, resample]: the mean over the cases of each resample, NaN where it is undefined.

    "items" resamples the items within each case, as many as it has; "cases" resamples whole cases. `pooled` cases are
    scored together; the scores of others are averaged, after `fill` has replaced what is undefined.
    """
    if unit == "cases" and pooled:
        tables = np.stack([case.observed for case in patterns])
        whole = tables.sum(axis=0)
        drawn = [
            score(np.tensordot(weights[some], tables, axes=1), whole)
            for _, weights in case_weights(seed, len(patterns), size)
            for some in chunks(len(weights), numbers=whole.size)
        ]
        return np.moveaxis(np.concatenate(drawn, axis=1), 1, 2)
    if unit == "cases":
        return resampled_means(fill(scores_of_cases(patterns, score)), seed, size)
    cases, systems = len(patterns), len(patterns[0].places)
    measures = len(score(patterns[0].observed))
    total = np.zeros((measures, systems, size))
    for at, case in enumerate(patterns):
        done = 0
        resampled = map(case.tables, case.draws(stream(seed, purpose, at), size))
        for tables in ahead(resampled, case.k * (case.k + 1)):
            values = score(tables, case.observed)
            total[..., done : done + len(tables)] += np.moveaxis(values, 1, 2)
            done += len(tables)
            if progress is not None:
                progress(at * size + done, cases * size)
    return total / cases
