"""The marks of some raters, or the answers of systems, brought into the order of the items that others marked."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, quoted
from ordeval.inputs.patterns import ItemOfCase
from ordeval.ratings.ratings import Ratings


def labels_for(items: Sequence[Any], answers: Ratings) -> tuple[dict[str, list[Any]], int]:
    """Return what each rater of `answers` gave the items, None where nothing, and how many marks are of other items."""
    codes, others = codes_for(items, answers)
    labels = [*answers.scale.labels, None]
    columns = {
        name: [labels[code] for code in column.tolist()]
        for name, column in zip(answers.raters, codes, strict=True)
    }
    return columns, int(others.sum())


def codes_for(items: Sequence[Any], answers: Ratings) -> tuple[Array, Array]:
    """Return the code[rater, item] of what each rater gave the items, K where nothing, and marks[rater] on others."""
    names, pattern_of = answers.named_items()
    place = places_of(items, names)
    found = place >= 0
    if not found.any():
        raise no_common_items(answers.raters, items, names)
    k = answers.scale.k
    of, slot = np.nonzero(answers.mark < k)
    by_pattern = np.full((len(answers.raters), len(answers.count)), k, dtype=np.intp)
    by_pattern[answers.rater[of, slot], of] = answers.mark[of, slot]
    unused = np.ones(len(names), dtype=np.bool_)
    unused[place[found]] = False
    others = (by_pattern < k) @ np.bincount(pattern_of[unused], minlength=len(answers.count))
    return np.where(found, by_pattern[:, pattern_of[place]], k), others


def places_of(items: Sequence[Any], among: Sequence[Any]) -> Array:
    """Return the place of each item among others, -1 where it is not there; ids are compared as text.

    Test cases tell items apart only if both sides have them.
    """
    if isinstance(items, tuple) and items == among:
        return np.arange(len(items))
    by_case = all(isinstance(side[0], ItemOfCase) for side in (items, among) if len(side))

    def key(name: Any) -> Any:
        if isinstance(name, ItemOfCase):
            return (str(name.item), str(name.case)) if by_case else str(name.item)
        return str(name)

    known = {key(name): at for at, name in enumerate(among)}
    return np.array([known.get(key(name), -1) for name in items], dtype=np.intp)


def no_common_items(names: Sequence[str], items: Sequence[Any], others: Sequence[Any]) -> DataError:
    """Return the error for answers to other items."""
    who = quoted(names, 3)
    return DataError(
        f"no answer of {who} is about an item that the raters marked: there are items such as {quoted(others, 2)}, and "
        f"the raters have {quoted(items, 2)}. Check the columns of items and test cases."
    )
