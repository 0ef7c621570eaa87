"""Any measure over ratings: the mean over ordered pairs of raters, by the items that both marked."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.scoring import Scorer
from ordeval.ratings import Ratings
from ordeval.ratings.slots import pairs_of_marks
from ordeval.stats.jackknife import Estimate, ItemSample
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

    @cached_property
    def keys(self) -> tuple[Array, Array]:
        """The pattern of each ordered pair of marks; and its raters and classes, as one number."""
        patterns, keys = zip(*pairs_of_marks(self.ratings, both_ways=True), strict=True)
        return np.concatenate(patterns), np.concatenate(keys)

    @cached_property
    def pairs(self) -> Array:
        """The pairs of raters that marked an item together: first * raters + second."""
        return np.asarray(np.unique(self.keys[1] // self.ratings.scale.k**2))

    @cached_property
    def tables(self) -> SharedTables:
        """The table of each pair, and the patterns whose items are counted in it."""
        k, (units, keys) = self.ratings.scale.k, self.keys
        kinds, kind = np.unique(keys, return_inverse=True)
        return SharedTables(
            self.count,
            units,
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
        known = ~np.isnan(values)[:, None] & apart
        return averaged(values[:, None], weight, known)
