"""The items to read first: where a judge is farther from the humans than they are from each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from ordeval.agreement.disagreement import spread_of
from ordeval.aliases import Array
from ordeval.judge.matched import Matched
from ordeval.scale import Scale


@dataclass(frozen=True, slots=True)
class ItemToRead:
    """An item, how many humans gave each class, and the shares of the judge's marks.

    `distance` is the mean distance, in classes, of the judge's marks from those of the humans, `spread` that between
    two humans, 0 if only one marked the item, and `gap` the distance minus the spread.
    """

    item: Any
    votes: tuple[int, ...]
    answer: tuple[float, ...]
    distance: float
    spread: float
    scale: Scale

    @property
    def gap(self) -> float:
        """How much farther the judge is from the humans than they are from each other, in classes."""
        return self.distance - self.spread

    def to_dict(self) -> dict[str, Any]:
        """Return the item for JSON."""
        humans, judge = (
            [
                {"label": label, name: part}
                for label, part in zip(self.scale.labels, parts, strict=True)
                if part
            ]
            for name, parts in (("humans", self.votes), ("share", self.answer))
        )
        return {
            "item": self.item,
            "gap": self.gap,
            "distance": self.distance,
            "spread": self.spread,
            "humans": humans,
            "judge": judge,
        }


@dataclass(frozen=True, eq=False, repr=False)
class ItemsToRead(Sequence[ItemToRead]):
    """The items that a judge and a human marked, those first on which the judge is farthest from the humans.

    Each is made when it is asked for.
    """

    matched: Matched
    judge: int

    @cached_property
    def distance(self) -> Array:
        """The mean distance of the judge's marks from those of the humans, in classes: [item], NaN without a mark."""
        matched = self.matched
        votes = matched.humans.votes
        with np.errstate(all="ignore"):
            shares = votes / votes.sum(axis=1, keepdims=True)
        place = np.arange(matched.k)
        far = shares @ np.abs(place[:, None] - place)  # [pattern, class of the judge]
        by_item = np.einsum(
            "ic,ic->i", far[matched.pattern], matched.rows[matched.answer[self.judge], :-1]
        )
        return np.where(matched.answered[self.judge], by_item, np.nan)

    @cached_property
    def spread(self) -> Array:
        """The mean distance between two humans, in classes: [item], 0 if only one marked it."""
        return np.nan_to_num(spread_of(self.matched.humans.votes))[self.matched.pattern]

    @cached_property
    def order(self) -> Array:
        """The places of the items, the first to read first."""
        gap = self.distance - self.spread
        order = np.lexsort((-np.nan_to_num(self.distance), -gap))  # NaN comes last
        return np.asarray(order[: int((~np.isnan(gap)).sum())])

    def row(self, at: int) -> ItemToRead:
        """Return the item at a place of the order."""
        matched, place = self.matched, int(self.order[at])
        return ItemToRead(
            matched.items[place],
            tuple(matched.humans.votes[matched.pattern[place]].tolist()),
            tuple(matched.rows[matched.answer[self.judge, place], :-1].tolist()),
            float(self.distance[place]),
            float(self.spread[place]),
            matched.humans.scale,
        )

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, at: int) -> ItemToRead: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ItemToRead, ...]: ...
    def __getitem__(self, at: int | slice) -> ItemToRead | tuple[ItemToRead, ...]:
        places = range(len(self))[at]
        return self.row(places) if isinstance(places, int) else tuple(map(self.row, places))

    def __iter__(self) -> Iterator[ItemToRead]:
        return map(self.row, range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} items, the first to read first>"
