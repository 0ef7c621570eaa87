"""Two ratings into one: scales widened where they were inferred, raters united by name, and items by theirs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError
from ordeval.inputs.patterns import ItemOfCase, group
from ordeval.labels import canonical
from ordeval.scale import FEW, Scale, check_density
from ordeval.table.merging import policies_apart


class MergedMarks(NamedTuple):
    """The marks of two ratings, as `Ratings.from_marks` takes them."""

    scale: Scale
    raters: tuple[str, ...]
    marks: dict[str, Any]


class UnitedItems(NamedTuple):
    """The items of two ratings, by their patterns in both, and the names of the items.

    `first` and `second` are the patterns in each, one more than there are where the item is not in it.
    """

    first: Array
    second: Array
    sizes: Array  # how many items have these patterns
    pattern_of: Array | None = None
    names: Sequence[Any] | None = None


def merged(a: Any, b: Any) -> MergedMarks:
    """Add two ratings that were read under the same policy."""
    if a.policy != b.policy:
        raise DataError(
            f"the ratings were read under different policies, {policies_apart(a.policy, b.policy)} and "
            f"{policies_apart(b.policy, a.policy)}. Read both with the same policy."
        )
    scale = a.scale.widened(b.scale)
    raters = tuple(dict.fromkeys(a.raters + b.raters))
    items = united_items(a, b)
    sides = [
        slots_on(each, scale, raters, which)
        for each, which in ((a, items.first), (b, items.second))
    ]
    rater, mark = (np.concatenate([side[at] for side in sides], axis=1) for at in (0, 1))
    item, slot = np.nonzero(mark < scale.k)
    marks = {"item": item, "rater": rater[item, slot], "mark": mark[item, slot]}
    check_single(marks, raters, items)
    if scale.inferred and scale.k > FEW:
        seen = np.unique(marks["mark"]).tolist()
        check_density(scale.labels[0], scale.labels[-1], [scale.labels[code] for code in seen])
    about = {"items": len(items.sizes), "count": items.sizes, "item_names": items.names}
    return MergedMarks(scale, raters, {**marks, **about, "pattern_of": items.pattern_of})


def slots_on(
    ratings: Any, scale: Scale, raters: Sequence[str], which: Array
) -> tuple[Array, Array]:
    """Return the raters and the marks of some patterns, by their places among these raters and on this scale.

    One more than there are patterns is one without a mark.
    """
    of_rater = np.array([*(raters.index(name) for name in ratings.raters), len(raters)])
    of_mark = np.array([*(scale.index[label] for label in ratings.scale.labels), scale.k])
    empty = ((0, 1), (0, 0))
    rater = np.pad(of_rater[ratings.rater], empty, constant_values=len(raters))
    mark = np.pad(of_mark[ratings.mark], empty, constant_values=scale.k)
    return rater[which], mark[which]


def united_items(a: Any, b: Any) -> UnitedItems:
    """Bring the items together: by their names if both have some, one after another if not."""
    sizes = len(a.count), len(b.count)
    if a.item_names is None or b.item_names is None:
        none = [np.full(size, other) for size, other in zip(sizes[::-1], sizes, strict=True)]
        return UnitedItems(
            np.concatenate([np.arange(sizes[0]), none[0]]),
            np.concatenate([none[1], np.arange(sizes[1])]),
            np.concatenate([a.count, b.count]),
        )
    names: Sequence[Any] = range(a.n + b.n)
    of_b = np.arange(a.n, a.n + b.n)  # where the items of the second are among those of both
    if not (isinstance(a.item_names, range) or isinstance(b.item_names, range)):
        place = {item_key(name): at for at, name in enumerate(a.item_names)}
        own = [name for name in b.item_names if item_key(name) not in place]
        place |= {item_key(name): a.n + at for at, name in enumerate(own)}
        names = (*a.item_names, *own)
        of_b = np.array([place[item_key(name)] for name in b.item_names], dtype=np.intp)
    first, second = (np.full(len(names), size, dtype=np.intp) for size in sizes)
    first[: a.n] = a.pattern_of
    second[of_b] = b.pattern_of
    at, pattern_of = group(np.stack([first, second]), [size + 1 for size in sizes])
    return UnitedItems(first[at], second[at], np.bincount(pattern_of), pattern_of, names)


def item_key(name: Any) -> Any:
    """Return what is the same for an item whether its id was read as a number or as text."""
    if isinstance(name, ItemOfCase):
        return str(canonical(name.item)), str(canonical(name.case))
    return str(canonical(name))


def check_single(marks: dict[str, Array], raters: Sequence[str], items: UnitedItems) -> None:
    """Refuse items that one rater has marked in both ratings."""
    key = marks["item"] * len(raters) + marks["rater"]
    order = np.argsort(key, kind="stable")
    again = order[1:][np.diff(key[order]) == 0]
    if not len(again) or items.names is None or items.pattern_of is None:
        return
    at = int(np.argmax(np.isin(items.pattern_of, marks["item"][again])))
    here = again[marks["item"][again] == items.pattern_of[at]]
    raise DataError(
        f"rater {raters[marks['rater'][here[0]]]!r} has marked item {items.names[at]!r} in both ratings; a rater marks "
        f"an item once. Rename the rater or the item in one of them."
    )
