"""The mean of a score over several tables that share their items, and how much each item contributes to it.

An item that several raters marked is counted in a table of each of them. Leaving it out changes these tables and no
other, so that there are as many tables to score anew as there are marks, and fewer where items are alike.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import (
    GROUPS,
    MOST_CLASSES,
    Estimate,
    ItemSample,
    groups_of_items,
    plain_error,
    summed,
    with_pseudo_items,
)
from ordeval.stats.pseudo_items import WRONG, effect_by_side
from ordeval.stats.score_function import ScoreFunction
from ordeval.stats.soft_patterns import without
from ordeval.ties import TIE

MOST_KINDS = 5_000  # of each system; beyond, groups of items are left out in place of single items
MOST_IN_PRODUCT = 200  # cells of a table up to which a matrix product counts
MOST_TABLES = 500  # beyond, the pseudo-items of a table are taken together


@dataclass(frozen=True)
class SharedTables:
    """The tables of systems x members (raters, or pairs of them), and where the items of each unit are counted.

    An entry is a unit and a kind: every item of the unit adds gold x answer of the kind to the kind's table. Tables are
    numbered system * members + member, and the kinds are in the order of their tables.
    """

    count: Array  # [unit]: how many items are alike
    unit: Array  # [entry]
    kind: Array  # [entry]
    table: Array  # [kind]
    gold: Array  # [kind, class]: shares
    answer: Array  # [kind, column]: shares of the classes and of no answer, and what an item costs by some measures
    systems: int
    members: int
    by_items: bool  # whether a table counts in the mean by its items, or each the same
    wrong_in: Array  # [system]: in what part of its tables a pseudo-item is wrong, if it is wrong

    @cached_property
    def cells(self) -> tuple[Array, Array, Array]:
        """The cells that the kinds add to: the kind, the place among the cells of all tables, and the amount."""
        k, width = self.gold.shape[1], self.answer.shape[1]
        kind, gold = np.nonzero(self.gold)
        answers = np.count_nonzero(self.answer, axis=1)
        first = np.cumsum(answers) - answers
        # each gold class with each answer of its kind
        row = np.repeat(np.arange(len(kind)), answers[kind])
        within = np.arange(len(row)) - np.repeat(
            np.cumsum(answers[kind]) - answers[kind], answers[kind]
        )
        answer = np.nonzero(self.answer)[1][first[kind[row]] + within]
        kind, gold = kind[row], gold[row]
        place = (self.table[kind] * k + gold) * width + answer
        return kind, place, self.gold[kind, gold] * self.answer[kind, answer]

    @cached_property
    def observed(self) -> Array:
        """The tables[system, member, gold, answer]."""
        amount = np.bincount(self.kind, self.count[self.unit], len(self.table))
        return np.asarray(self.filled(amount[None])[0])

    def filled(self, amount: Array) -> Array:
        """Return tables[row, system, member, gold, answer] with amount[row, kind] items of each kind."""
        (k, width), tables = (self.gold.shape[1], self.answer.shape[1]), self.systems * self.members
        if k * width > MOST_IN_PRODUCT:  # nearly all of them would be 0
            kind, place, share = self.cells
            rows = [np.bincount(place, row[kind] * share, tables * k * width) for row in amount]
            return np.reshape(rows, (len(amount), self.systems, self.members, k, width))
        cells = np.zeros((len(amount), tables, k, width))
        ends = np.searchsorted(self.table, np.arange(tables + 1))
        for at, (start, stop) in enumerate(pairwise(ends.tolist())):
            if start < stop:
                gold = amount[:, None, start:stop] * self.gold[start:stop].T
                cells[:, at] = gold @ self.answer[start:stop]
        return cells.reshape(len(amount), self.systems, self.members, k, width)

    def weights(self, cells: Array) -> Array:
        """Return how much each of tables[..., gold, answer] counts in the mean."""
        items = cells[..., : cells.shape[-2] + 1].sum(axis=(-1, -2))
        return np.asarray(items if self.by_items else (items > 0).astype(np.float64))

    def sample(self, score: ScoreFunction, cluster: Array | None = None) -> ItemSample:
        """Return the sample of the items, with the mean over the members for each system.

        A member whose score is undefined, its own or that of the first system, is left out of the mean. With
        `cluster[unit]`, numbers from 0, whole clusters of items are the sample.
        """
        values, weight, known = self.scored(score)
        value = averaged(values, weight, known)
        items = float(self.count.sum())
        # Groups ask for all tables anew, so that few marks in many tables are left out one by one all the same.
        grouped = len(self.table) > max(MOST_KINDS, GROUPS * self.members) * self.systems
        clusters = 0 if cluster is None else int(cluster.max()) + 1
        if cluster is not None:
            influence = value[..., None] - self.without_clusters(score, cluster, clusters)
            size = np.ones(clusters)
        elif grouped:
            influence = value[..., None] - self.without_groups(score)
            size = np.ones(influence.shape[-1])
        else:
            influence = value[..., None] - self.without_one(score)
            size = self.count.astype(np.float64)
        influence = np.where(np.isfinite(influence), influence, 0.0)
        influence -= (summed(influence * size) / max(size.sum(), 1.0))[..., None]
        number = float(clusters) or items
        plain = plain_error(summed(influence**2 * size), number)
        effects = self.pseudo_effects(score, values, weight, known, items)
        units = np.full(value.shape, number)
        grows = np.inf if clusters else items  # by the pseudo-items
        estimate: Estimate = with_pseudo_items(value, plain, effects, units, grows)
        return ItemSample(
            estimate, influence, None, size, size, float(size.sum()), np.arange(self.systems)
        )

    def scored(self, score: ScoreFunction) -> tuple[Array, Array, Array]:
        """Return the score of each table, how much it counts in the mean, and whether it is in the mean."""
        values = score(self.observed)
        known = ~np.isnan(values) & ~np.isnan(values[:, :1])
        return values, self.weights(self.observed), known

    def without_one(self, score: ScoreFunction) -> Array:
        """Return the means[measure, system, unit] without one item of each unit."""
        return self.means_without(score, self.unit, self.kind, len(self.count))

    def means_without(self, score: ScoreFunction, unit: Array, kind: Array, units: int) -> Array:
        """Return the means[measure, system, unit] without what each unit holds: an item of each of its kinds.

        `unit` and `kind` [entry] say what the units hold; no unit holds more than one item of a table.
        """
        (k, width), tables = (self.gold.shape[1], self.answer.shape[1]), self.systems * self.members
        values, weight, known = self.scored(score)
        used = np.flatnonzero(np.bincount(kind, minlength=len(self.table)))
        kind, table = np.searchsorted(used, kind), self.table[used]
        cells = self.observed.reshape(tables, k, width)
        of = weight.reshape(tables)[table]
        before = np.where(known, values, 0.0).reshape(len(values), tables)[:, table]
        after, rest = np.empty_like(before), np.empty_like(of)
        for part in chunks(len(used), numbers=k * width):
            whole = cells[table[part]]
            item = self.gold[used[part], :, None] * self.answer[used[part], None, :]
            left = without(whole, item)
            after[:, part], rest[part] = score(left, whole), self.weights(left)
        # An item without which a table has no score leaves that score as it is.
        after = np.where(np.isnan(after), before, after)
        counted = known.reshape(len(values), tables)[:, table]
        loss = np.where(counted, of * before - rest * after, 0.0)
        gone = np.where(counted, of - rest, 0.0)
        total = np.where(known, weight * np.where(known, values, 0.0), 0.0).sum(axis=-1)
        size = np.where(known, weight, 0.0).sum(axis=-1)
        means = np.empty((*total.shape, units))
        system = (table // self.members)[kind]
        for s in range(self.systems):
            at = np.flatnonzero(system == s)
            for m in range(len(values)):
                numerator = total[m, s] - np.bincount(unit[at], loss[m, kind[at]], units)
                divisor = size[m, s] - np.bincount(unit[at], gone[m, kind[at]], units)
                with np.errstate(all="ignore"):
                    means[m, s] = np.where(divisor > TIE, numerator / divisor, np.nan)
        return means

    def without_groups(self, score: ScoreFunction) -> Array:
        """Return the means[measure, system, group] without the items of each of many groups."""
        items = self.count.astype(np.int64)
        dealt = groups_of_items(items, numbers=self.numbers)
        return np.concatenate([self.means(score, items - some) for some in dealt], axis=-1)

    def without_clusters(self, score: ScoreFunction, cluster: Array, clusters: int) -> Array:
        """Return the means[measure, system, cluster] without the items of each cluster."""
        parts = [
            self.means(score, self.count * (cluster != np.arange(part.start, part.stop)[:, None]))
            for part in chunks(clusters, numbers=self.numbers + len(self.count))
        ]
        return np.concatenate(parts, axis=-1)

    @property
    def numbers(self) -> int:
        """How many numbers the means of one sample of the items ask for."""
        return max(self.observed.size, len(self.table))

    def means(self, score: ScoreFunction, items: Array) -> Array:
        """Return the means[measure, system, sample] of samples that have items[sample, unit] of each unit."""
        amount = np.stack(
            [np.bincount(self.kind, row[self.unit], len(self.table)) for row in items]
        )
        cells = self.filled(amount)
        values = score(cells, self.observed)
        known = ~np.isnan(values) & ~np.isnan(values[:, :, :1])
        return np.moveaxis(averaged(values, self.weights(cells), known), 1, -1)

    def pseudo_effects(
        self, score: ScoreFunction, values: Array, weight: Array, known: Array, items: float
    ) -> tuple[Array, Array]:
        """Return by how much a pseudo-item changes the means, and the square of that, both [1, measure, system].

        It is counted in a table with the chance of a real item. It is right in all of them, or wrong in the part of
        them that `wrong_in` says: where one of many marks differs, most pairs of marks agree all the same.
        """
        k, tables = self.gold.shape[1], self.systems * self.members
        cells = self.observed.reshape(tables, k, -1)
        by_cell = k <= MOST_CLASSES and tables <= MOST_TABLES
        (right, wrong), (right_square, wrong_square) = (
            side.reshape(2, *values.shape)
            for side in effect_by_side(cells, score, 1.0, by_cell=by_cell)
        )
        part = self.wrong_in[:, None]
        # Both sides have the chance 1/2; a wrong item is right in the rest of its tables.
        change = right + (1 - part) * right + part * wrong
        square = right_square + (1 - part) ** 2 * right_square + part**2 * wrong_square
        square = square + 2 * part * (1 - part) * right * wrong / WRONG
        chance = self.observed[..., : k + 1].sum(axis=(-1, -2)) / max(items, 1.0)
        share = np.where(known, weight, 0.0)
        with np.errstate(all="ignore"):
            share = np.nan_to_num(share / share.sum(axis=-1, keepdims=True)) * chance
        spread = np.sqrt(np.maximum(square, 0.0))
        mean, root = (share * change).sum(axis=-1), (share * spread).sum(axis=-1)
        return mean[None], root[None] ** 2


def averaged(values: Array, weight: Array, known: Array) -> Array:
    """Return the means over the last axis of the values that are known, by their weights; NaN if there is none."""
    part = np.where(known, weight, 0.0)
    with np.errstate(all="ignore"):
        return np.asarray((part * np.where(known, values, 0.0)).sum(axis=-1) / part.sum(axis=-1))
