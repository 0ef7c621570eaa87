"""What coefficients of agreement are functions of: a few sums over items, for two raters or any number of them.

Each sum is linear in the numbers of items. So one formula serves a table of two raters, the ratings of many with gaps,
and any resample of these: a resample is a product of drawn counts with what an item of each pattern adds.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.inputs.patterns import group
from ordeval.metrics.core import add
from ordeval.ratings import Ratings
from ordeval.table.mass import times


class RaterSums(NamedTuple):
    """Sums over items, with any leading axes; None where nobody asked for them.

    `agreed[..., K, K]` spreads each item that has m >= 2 marks evenly over its m (m - 1) ordered pairs of marks, 1 in
    all. `coincided[..., K, K]` does the same with m in all: Krippendorff's matrix of coincidences. `shares[..., K]`
    spreads each item that has a mark over its marks, 1 in all. `by_rater[..., R, K]` counts the marks of each rater.
    """

    agreed: Array | None = None
    coincided: Array | None = None
    shares: Array | None = None
    by_rater: Array | None = None

    @classmethod
    def of_table(cls, counts: Array, parts: Collection[str] | None = None) -> "RaterSums":
        """Return the sums of two raters who both marked every item, from counts[..., first's mark, second's mark]."""
        wanted = cls._fields if parts is None else parts
        agreed = coincided = shares = by_rater = None
        if "agreed" in wanted or "coincided" in wanted:
            coincided = counts + counts.swapaxes(-1, -2)
            agreed = coincided / 2
        if "shares" in wanted or "by_rater" in wanted:
            by_rater = np.stack([add(counts, axis=-1), add(counts, axis=-2)], axis=-2)
            shares = add(by_rater, axis=-2) / 2
        return cls(agreed, coincided, shares, by_rater)

    @classmethod
    def of_ratings(cls, ratings: Ratings, parts: Collection[str] | None = None) -> "RaterSums":
        """Return the sums of all items of the ratings."""
        wanted = set(cls._fields if parts is None else parts)
        others = wanted - {"by_rater"}
        sums = features_of(ratings, others).total if others else cls()
        if others == wanted:
            return sums
        k, size = ratings.scale.k, len(ratings.raters)
        pattern, rater, mark = ratings.each_mark()
        marks = np.bincount(rater * k + mark, ratings.count[pattern], size * k)
        return sums._replace(by_rater=marks.reshape(size, k))

    def astype(self, number: Any) -> "RaterSums":
        """Return the same sums as numbers of another type."""
        return RaterSums(*(None if part is None else part.astype(number) for part in self))


PARTS = frozenset(RaterSums._fields)


@dataclass(frozen=True, slots=True, eq=False)
class RaterFeatures:
    """What an item of each kind adds to the sums: `count @ matrix` are the sums of all items, flattened.

    Items are of one kind if they have the same votes. The marks of each rater are none of these sums: a feature of
    every rater and class would be too many where there are many raters.
    """

    count: Array  # [kind]: how many items are of it
    matrix: Array  # [kind, feature]
    kind_of_pattern: Array  # [pattern of the ratings]: its kind
    parts: tuple[str, ...]  # of RaterSums, in the order of their columns
    k: int

    def sums(self, flat: Array) -> RaterSums:
        """Return flat[..., feature] as the sums that it stands for."""
        k, start, found = self.k, 0, {}
        both = pair_places(k)
        for part in self.parts:
            columns = flat[..., start : (start := start + width(part, k))]
            found[part] = columns if part == "shares" else columns[..., both]
        return RaterSums(**found)

    @property
    def total(self) -> RaterSums:
        """The sums of all items."""
        return self.sums(times(self.count, self.matrix))


def features_of(ratings: Ratings, parts: Collection[str]) -> RaterFeatures:
    """Return what an item of each kind adds to these parts of the sums; `by_rater` is not one of them.

    Kinds come in the order of their votes, so that neither the order of the items nor the names of the raters changes
    the rounding of a sum.
    """
    k, votes = ratings.scale.k, ratings.votes
    first, kind_of_pattern = group(votes.T, [int(votes.max(initial=0)) + 1] * k)
    count = np.bincount(kind_of_pattern, ratings.count, len(first)).astype(np.int64)
    asked = tuple(part for part in RaterSums._fields if part in parts)
    matrix = vote_features(votes[first], asked)
    return RaterFeatures(count, matrix, kind_of_pattern, asked, k)


def vote_features(votes: Array, parts: Collection[str]) -> Array:
    """Return what an item with votes[kind, class] adds to these parts, but for the marks of each rater."""
    marks = votes.sum(axis=1, keepdims=True)
    one, two = np.maximum(marks, 1), np.maximum(marks - 1, 1)
    lower, upper = np.triu_indices(votes.shape[1])
    pairs = votes[:, lower] * (votes[:, upper] - (lower == upper))  # 0 where there is one mark
    columns: dict[str, Callable[[], Array]] = {
        "agreed": lambda: pairs / (one * two),
        "coincided": lambda: pairs / two,
        "shares": lambda: votes / one,
    }
    empty = np.zeros((len(votes), 0))
    return np.concatenate([empty, *(of() for part, of in columns.items() if part in parts)], axis=1)


def width(part: str, k: int) -> int:
    """Return the number of columns of a part; a symmetric matrix is held as its upper half."""
    return k if part == "shares" else k * (k + 1) // 2


def pair_places(k: int) -> Array:
    """Return the column of each pair of classes in the upper half of a symmetric matrix."""
    places = np.empty((k, k), dtype=np.intp)
    lower, upper = np.triu_indices(k)
    places[lower, upper] = places[upper, lower] = np.arange(len(lower))
    return places
