"""How single marks become distinct patterns, and patterns pairs of marks.

Slots hold rater and mark as one number, rater * K + mark, in the order of the raters; an empty one holds R * K.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.inputs.patterns import group

if TYPE_CHECKING:
    from ordeval.ratings.ratings import Ratings


class SlotPatterns(NamedTuple):
    """The distinct patterns among items: `rater` and `mark` by [pattern, slot], and the pattern of each item."""

    rater: Array
    mark: Array
    pattern_of: Array


def slots_of_marks(
    item: Array, rater: Array, mark: Array, *, items: int, raters: int, k: int
) -> Array:
    """Return slots[slot, item] of single marks, given as three columns of codes."""
    key = item.astype(np.int64) * max(raters, 1) + rater
    if (key[1:] < key[:-1]).any():
        order = np.argsort(key, kind="stable")
        item, rater, mark = item[order], rater[order], mark[order]
    marks = np.bincount(item, minlength=items)
    slot = np.arange(len(item)) - np.repeat(np.cumsum(marks) - marks, marks)
    empty = raters * k
    slots = np.full((int(marks.max(initial=0)), items), empty, dtype=np.min_scalar_type(empty))
    slots[slot, item] = rater.astype(np.int64) * k + mark
    return slots


def slots_of_raters(ratings: "Ratings", places: Sequence[int]) -> Array:
    """Return slots[slot, pattern] of the raters at these places, who are then numbered in this order."""
    k, size = ratings.scale.k, len(places)
    new = np.full(len(ratings.raters) + 1, size, dtype=np.int64)
    new[list(places)] = np.arange(size)
    rater = new[ratings.rater]
    slots = np.sort(np.where(rater < size, rater * k + ratings.mark, size * k), axis=1)
    filled = int((slots < size * k).sum(axis=1).max(initial=0))
    return np.asarray(slots[:, :filled].T)


def distinct_patterns(slots: Array, *, raters: int, k: int) -> SlotPatterns:
    """Merge the items of slots[slot, item] that have the same marks by the same raters."""
    empty = raters * k
    first, pattern_of = group(slots, [empty + 1] * len(slots))
    distinct, numbers = slots[:, first].T, np.arange(empty + 1)
    rater_of = (numbers // k).astype(np.min_scalar_type(raters))
    mark_of = np.where(numbers < empty, numbers % k, k).astype(np.min_scalar_type(k))
    return SlotPatterns(rater_of[distinct], mark_of[distinct], pattern_of)


def pairs_of_marks(ratings: "Ratings", *, both_ways: bool) -> Iterator[tuple[Array, Array]]:
    """Give, for every two slots, the patterns in which both are filled, and their raters and classes as one number.

    The number is ((first rater * R + second rater) * K + first's mark) * K + second's mark. The first rater is the one
    who comes earlier among the raters; both ways, each pair comes a second time with the other one first.
    """
    k, size = ratings.scale.k, len(ratings.raters)
    for later in range(1, ratings.mark.shape[1]):
        both = np.flatnonzero(ratings.mark[:, later] < k)
        rater, mark = ratings.rater[both].astype(np.int64), ratings.mark[both].astype(np.int64)
        for earlier in range(later):
            ways = [(earlier, later), (later, earlier)]
            for a, b in ways if both_ways else ways[:1]:
                pair = rater[:, a] * size + rater[:, b]
                yield both, (pair * k + mark[:, a]) * k + mark[:, b]


def tables_of_pairs(ratings: "Ratings") -> tuple[Array, Array, Array]:
    """Return the first and the second rater of each pair that marked an item together, and counts[pair, K, K]."""
    k, size = ratings.scale.k, len(ratings.raters)
    found = list(pairs_of_marks(ratings, both_ways=False))
    if not found:
        return np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros((0, k, k), np.int64)
    patterns, keys = (np.concatenate(part) for part in zip(*found, strict=True))
    cells, back = np.unique(keys, return_inverse=True)
    sums = np.bincount(back, ratings.count[patterns], len(cells)).astype(np.int64)
    pairs, place = np.unique(cells // (k * k), return_inverse=True)
    counts = np.zeros((len(pairs), k * k), dtype=np.int64)
    counts[place, cells % (k * k)] = sums
    return pairs // size, pairs % size, counts.reshape(-1, k, k)
