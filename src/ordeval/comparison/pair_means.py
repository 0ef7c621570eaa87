"""Any measure over ratings: the mean over ordered pairs of raters, by the items that both marked."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.rater_estimates import MarksOfItems
from ordeval.comparison.scorer import Scorer
from ordeval.ratings import Ratings
from ordeval.stats.jackknife import Estimate, ItemSample
from ordeval.stats.pseudo_items import known
from ordeval.stats.table_means import SharedTables, averaged


def part_that_differs(ratings: Ratings) -> float:
    """Return what part of the pairs of an item's marks differ if one mark does: 2 of m, the usual number of marks."""
    number = ratings.marks_of_pattern
    shared = ratings.count * (number > 1)
    return 2.0 * float(shared.sum()) / float(shared @ number)


@dataclass(frozen=True)
class PairMeans:
    """The tables of all ordered pairs of raters, and the mean scores of samples with so many items of each pattern."""

    ratings: Ratings
    scorer: Scorer

    @cached_property
    def count(self) -> Array:
        """The number of items of each pattern; those with a single mark take no part."""
        return self.ratings.count * (self.ratings.marks_of_pattern > 1)

    @property
    def slots(self) -> int:
        """The largest number of marks of an item."""
        return int(self.ratings.mark.shape[1])

    @cached_property
    def marks(self) -> Array:
        """The two marks[2, pair] of each ordered pair of marks, as pattern * slots + slot."""
        k, mark = self.ratings.scale.k, self.ratings.mark
        found = [
            np.flatnonzero(mark[:, later] < k) * self.slots + np.array(order)[:, None]
            for later in range(1, self.slots)
            for earlier in range(later)
            for order in ((earlier, later), (later, earlier))
        ]
        return np.concatenate(found, axis=1)

    @cached_property
    def keys(self) -> Array:
        """The raters and classes of each ordered pair of marks, as one number."""
        k, size = self.ratings.scale.k, len(self.ratings.raters)
        first, second = self.ratings.rater.ravel()[self.marks].astype(np.int64)
        code, other = self.ratings.mark.ravel()[self.marks].astype(np.int64)
        return np.asarray(((first * size + second) * k + code) * k + other)

    @cached_property
    def pairs(self) -> Array:
        """The pairs of raters that marked an item together: first * raters + second."""
        return np.asarray(np.unique(self.keys // self.ratings.scale.k**2))

    @cached_property
    def tables(self) -> SharedTables:
        """The table of each pair, and the patterns whose items are counted in it."""
        k = self.ratings.scale.k
        kinds, kind = np.unique(self.keys, return_inverse=True)
        return SharedTables(
            self.count,
            self.marks[0] // self.slots,
            np.asarray(kind).reshape(-1),
            np.searchsorted(self.pairs, kinds // k**2),
            np.eye(k)[kinds // k % k],
            np.eye(k, k + 1)[kinds % k],
            systems=1,
            members=len(self.pairs),
            by_items=True,
            wrong_in=np.array([part_that_differs(self.ratings)]),
        )

    @property
    def numbers(self) -> int:
        """How many numbers one sample asks for."""
        return self.tables.numbers

    def scores(self, items: Array) -> Array:
        """Return the means[measure, sample] of samples with items[sample, pattern]."""
        return np.asarray(self.tables.means(self.scorer, items)[:, 0])

    @cached_property
    def sample(self) -> ItemSample:
        """The sample of the items."""
        return self.tables.sample(self.scorer)

    @property
    def value(self) -> Array:
        """The means of the ratings themselves: [measure]."""
        return np.asarray(self.sample.estimate.value[:, 0])

    def influences(self) -> tuple[Array, Array]:
        """Return the influence[measure, unit] of each unit, centred, and how many items are alike."""
        return self.sample.influence[:, 0], self.sample.count

    def estimate(self) -> Estimate:
        """Return the means as estimates over items: [measure, 1]."""
        return self.sample.estimate

    def without_each_rater(self) -> Array:
        """Return the means[measure, rater] without each of the raters."""
        values = self.scorer(self.tables.observed[0])
        weight = self.tables.weights(self.tables.observed[0])
        size = len(self.ratings.raters)
        left = np.arange(size)[:, None]
        apart = (self.pairs // size != left) & (self.pairs % size != left)
        defined = ~np.isnan(values)[:, None] & apart
        return averaged(values[:, None], weight, defined)

    def variance_over_marks(self) -> Array:
        """Return how much of the variance[measure] over raters is due to single marks."""
        k, tables = self.ratings.scale.k, self.tables
        marks = MarksOfItems(self.ratings, numbers=2 * self.slots * k * (k + 1))
        place = np.full(self.ratings.mark.size, len(marks.pattern))
        place[marks.pattern * self.slots + marks.slot] = np.arange(len(marks.pattern))
        unit = place[self.marks.ravel()]
        chosen = unit < len(marks.pattern)
        left = tables.means_without(
            self.scorer, unit[chosen], np.tile(tables.kind, 2)[chosen], len(marks.pattern)
        )
        growth = marks.growth(lambda m: m * (m - 1))
        return marks.variance(known(self.value[:, None] - left[:, 0]) * growth)
