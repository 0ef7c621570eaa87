"""Where people disagree: which classes they confuse, on which items, and around which classes most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from ordeval.aliases import Array
from ordeval.ratings import Ratings
from ordeval.ratings.consensus import lower_median
from ordeval.scale import Scale
from ordeval.table import Table


class ConfusedClasses(NamedTuple):
    """Two classes, how many pairs of marks on the same item give one and the other, and their share of all pairs."""

    low: int  # the codes of the classes
    high: int
    pairs: int
    share: float


def confusion_table(ratings: Ratings) -> Table:
    """Return all ordered pairs of marks on the same item: in the row one rater's, in the column another's."""
    votes = ratings.votes
    with_oneself = np.diag(ratings.count @ votes)
    counts: Array = votes.T @ (ratings.count[:, None] * votes) - with_oneself
    return Table(ratings.scale, counts, np.zeros(ratings.scale.k, dtype=counts.dtype))


def most_confused(table: Table) -> list[ConfusedClasses]:
    """Return the pairs of classes that people confuse, the most frequent first."""
    counts, k = table.counts, table.scale.k
    total = max(int(counts.sum()) // 2, 1)
    found = [
        ConfusedClasses(a, b, int(counts[a, b]), int(counts[a, b]) / total)
        for a in range(k)
        for b in range(a + 1, k)
        if counts[a, b]
    ]
    return sorted(found, key=lambda one: -one.pairs)


def spread_of(votes: Array) -> Array:
    """Return the mean distance in classes between two marks of an item, for votes[item, class]; NaN for single marks.

    Between class k and the next lie as many pairs as there are marks below times marks above.
    """
    below = votes.cumsum(axis=1)
    marks = below[:, -1:]
    with np.errstate(all="ignore"):
        pairs = marks * (marks - 1) / 2
        apart = (below * (marks - below)).sum(axis=1, keepdims=True)
        return np.asarray(np.where(marks > 1, apart / pairs, np.nan)[:, 0])


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """An item, how many raters gave each class, and the mean distance between two of its marks, in classes."""

    item: Any
    votes: tuple[int, ...]
    spread: float
    scale: Scale

    def to_dict(self) -> dict[str, Any]:
        """Return the item for JSON."""
        marks = [
            {"label": label, "raters": votes}
            for label, votes in zip(self.scale.labels, self.votes, strict=True)
            if votes
        ]
        return {"item": self.item, "spread": self.spread, "marks": marks}


@dataclass(frozen=True, eq=False, repr=False)
class DisputedItems(Sequence[DisputedItem]):
    """The items with at least two marks, those on which people disagree most first.

    Empty if the items were counted where the data is kept: then single items are not known.
    """

    ratings: Ratings

    @cached_property
    def spread(self) -> Array:
        """The spread of each pattern."""
        return spread_of(self.ratings.votes)

    @cached_property
    def order(self) -> Array:
        """The places of the items, the most disputed first."""
        if self.ratings.item_names is None or self.ratings.pattern_of is None:
            return np.zeros(0, dtype=np.intp)
        spread = self.spread[self.ratings.pattern_of]
        order = np.argsort(-spread, kind="stable")  # NaN comes last
        return np.asarray(order[: int((~np.isnan(spread)).sum())])

    def row(self, at: int) -> DisputedItem:
        """Return the item at a place of the order."""
        names, pattern_of = self.ratings.named_items()
        place = int(self.order[at])
        pattern = int(pattern_of[place])
        votes = tuple(self.ratings.votes[pattern].tolist())
        return DisputedItem(names[place], votes, float(self.spread[pattern]), self.ratings.scale)

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, at: int) -> DisputedItem: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[DisputedItem, ...]: ...
    def __getitem__(self, at: int | slice) -> DisputedItem | tuple[DisputedItem, ...]:
        places = range(len(self))[at]
        return self.row(places) if isinstance(places, int) else tuple(map(self.row, places))

    def __iter__(self) -> Iterator[DisputedItem]:
        return map(self.row, range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} items with at least two marks, the most disputed first>"


def spread_by_class(ratings: Ratings) -> Array:
    """Return how many items have their (lower) median mark in each class, by how far apart their marks lie.

    counts[class, 0] is of items on which all marks are equal, [class, 1] of those whose marks lie in two neighbouring
    classes, and [class, 2] of those whose marks lie farther apart. Items with fewer than two marks are left out.
    """
    shared = ratings.marks_of_pattern > 1
    votes, count = ratings.votes[shared], ratings.count[shared]
    given = votes > 0
    k = ratings.scale.k
    lowest = np.argmax(given, axis=1)
    highest = k - 1 - np.argmax(given[:, ::-1], axis=1)
    apart = np.minimum(highest - lowest, 2)
    key = lower_median(votes) * 3 + apart
    return np.bincount(key, count, 3 * k).reshape(k, 3).astype(np.int64)
