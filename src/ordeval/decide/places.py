"""The places where a score can be cut, and what lies below each: all that cut points are chosen by."""

from dataclasses import dataclass

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.rules import AT_A_TIME
from ordeval.stats.chunks import chunks


@dataclass(frozen=True)
class Places:
    """The places where a score can be cut: below all items, between two distinct scores, above all items.

    `below[gold, place]` is the weight of the items of a gold class whose score is below the place, and `number[place]`
    the number of distinct scores there. The answer to an item is the number of cuts that lie below its score.
    """

    distinct: Array
    number: Array
    below: Array

    @classmethod
    def of(cls, scores: Array, gold: Array, k: int, weights: Array | None = None) -> "Places":
        """Return the places of finite scores, whose gold classes are codes; items without weight make none."""
        if weights is not None and not weights.all():
            scores, gold, weights = (each[weights > 0] for each in (scores, gold, weights))
        order = np.argsort(scores)
        ordered, gold = scores[order], gold[order]
        heavy = None if weights is None else weights[order]
        last = np.append(ordered[1:] != ordered[:-1], True)  # of the items that have the same score
        ends = slice(None) if last.all() else np.flatnonzero(last)
        distinct = ordered[ends]
        number = np.int32 if len(scores) < np.iinfo(np.int32).max else np.int64
        below = np.zeros((k, len(distinct) + 1), number if heavy is None else np.float64)
        for code, row in enumerate(below):
            own = gold == code
            row[1:] = np.cumsum(own if heavy is None else own * heavy, dtype=row.dtype)[ends]
        return cls(distinct, np.arange(len(distinct) + 1), below)

    @property
    def gold(self) -> Array:
        """The weight of each gold class."""
        return self.below[:, -1].astype(np.float64)

    @property
    def cuts(self) -> int:
        """The number of cuts, one fewer than classes."""
        return len(self.below) - 1

    def only(self, some: Array) -> "Places":
        """Return the places with these indices, and the two ends."""
        kept = np.zeros(len(self.number), dtype=np.bool_)
        kept[some] = kept[0] = kept[-1] = True
        return Places(self.distinct, self.number[kept], self.below[:, kept])

    def of_number(self, number: Array) -> Array:
        """Return the indices of the places below which so many distinct scores lie."""
        return np.searchsorted(self.number, number)

    def of_points(self, points: Array) -> Array:
        """Return the cuts that separate the same scores as these points."""
        return self.of_number(np.searchsorted(self.distinct, points))

    def of_shares(self, shares: Array) -> Array:
        """Return the cuts below which these shares of all items lie, as nearly as can be."""
        total = self.below.sum(axis=0, dtype=np.float64)
        wanted = shares * total[-1]
        above = np.searchsorted(total, wanted).clip(1, len(total) - 1)
        return np.asarray(above - (wanted - total[above - 1] < total[above] - wanted))

    def of_gold_shares(self) -> Array:
        """Return the cuts that answer with each class as often as it is gold, as nearly as can be."""
        return self.of_shares(self.gold.cumsum()[:-1] / self.gold.sum())

    def tables(self, cuts: Array) -> Array:
        """Return the tables[..., gold, answer] of cuts[..., cut], which are indices of places in order."""
        ends = np.zeros((*cuts.shape[:-1], 1), dtype=np.intp)
        edges = np.concatenate([ends, cuts, ends + len(self.number) - 1], axis=-1)
        counts = np.diff(self.below[:, edges], axis=-1).astype(np.float64)
        return np.moveaxis(counts, 0, -2)

    def best_for(self, worth: Array) -> Array:
        """Return the cuts for which worth[gold, answer] is most in sum; of equal ones, those that lie lowest.

        A cut adds what the items below it are worth with the answer below it minus with the answer above it. So the
        best sum over the cuts up to one is its own part and the best sum over those before it, at no higher place.
        """
        step = (worth[:, :-1] - worth[:, 1:]).T
        sums = np.empty((self.cuts, len(self.number)))  # [cut, place]
        for part in chunks(len(self.number), numbers=len(worth), most=AT_A_TIME):
            np.matmul(step, self.below[:, part].astype(np.float64), out=sums[:, part])
        for cut in range(1, self.cuts):
            sums[cut] += np.maximum.accumulate(sums[cut - 1])
        at = len(self.number) - 1
        cuts = np.empty(self.cuts, dtype=np.intp)
        for cut in range(self.cuts - 1, -1, -1):
            at = cuts[cut] = int(sums[cut, : at + 1].argmax())
        return cuts

    def points(self, cuts: Array) -> Array:
        """Return the points midway between the scores next to each cut; infinite where no score is on that side."""
        at = self.number[cuts]
        known = np.concatenate([[-np.inf], self.distinct, [np.inf]])
        low, high = known[at], known[at + 1]
        with np.errstate(invalid="ignore"):
            middle = low / 2 + high / 2
        # between scores that are neighbours as numbers there is nothing: the upper one is the point
        middle = np.where((middle > low) & (middle <= high), middle, high)
        return np.where(np.isinf(low), low, middle)
