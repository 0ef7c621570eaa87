"""Small files with a row for each item and columns of numbers, read by Python alone if they are without a fault.

The result is what the engine would return. Where there is anything to refuse or to choose between, it is None.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.item_columns import (
    ItemRows,
    check_gold,
    choose_columns,
    names_of_classes,
    rounding_of_printed,
    sum_to_1,
    with_sums_of_1,
)
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.small_files import SmallWide, counted_unchanged, small_wide
from ordeval.inputs.files.small_marks import texts_column
from ordeval.inputs.files.small_text import small_tables
from ordeval.inputs.marks import named_items
from ordeval.inputs.patterns import NullableArray
from ordeval.inputs.soft import normalised
from ordeval.one_hot import rounding_of

PLAIN_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def read_small_items(
    source: Source,
    choices: ReadingChoices,
    *,
    gold: str | None,
    wants_gold: bool,
    score: str | None,
) -> ItemRows | None:
    """Read probabilities or scores, and gold beside them; None if the engine has to."""
    chosen = {**choices.columns, **names_of_classes(choices), "gold": gold, "score": score}

    def work() -> ItemRows | None:
        tables = small_tables([source], chosen)
        if tables is None:
            return None
        of_gold, names, scale = choose_columns(
            tables[0].columns, source, choices, gold=gold, wants_gold=wants_gold, score=score
        )
        read = small_wide(source, of_gold, names, choices, table=tables[0])
        numbers = None if read is None else numbers_in(read)
        if read is None or numbers is None:
            return None
        beside = {
            role: NullableArray(
                np.array(texts, dtype=object), np.array([text is None for text in texts])
            )
            for role, texts in read.columns.items()
            if role in ("gold", "item", "case")
        }
        rows, where = ItemRows(numbers, scale, beside, source.name), repr(source.spec)
        check_gold(rows, where)
        if scale is None:
            return rows
        allowed = rounding_of("", len(names))
        if not sum_to_1(numbers, allowed):
            allowed = printed_rounding(read)
        return with_sums_of_1(rows, where, allowed)

    return counted_unchanged(work, [source])


def read_small_probabilities(
    source: Source, classes: Sequence[Any], choices: ReadingChoices
) -> tuple[tuple[Any, ...], Array] | None:
    """Read the items of a file and the probabilities of the classes for each; None if the engine has to."""
    columns = [str(label) for label in classes]

    def work() -> tuple[tuple[Any, ...], Array] | None:
        named = {f"p{at}": name for at, name in enumerate(columns)}
        tables = small_tables([source], {**choices.columns, **named})
        if tables is None:
            return None
        read = small_wide(source, None, columns, choices, table=tables[0])
        numbers = None if read is None or "item" not in read.columns else numbers_in(read)
        if read is None or numbers is None:
            return None
        keys = {role: texts_column(read.columns[role]) for role in read.identity}
        items = named_items(keys["item"], keys.get("case"), repr(source.spec))[0]
        present = np.ones(len(numbers), dtype=bool)
        allowed = printed_rounding(read)
        return items, normalised(numbers, present, repr(source.spec), items, allowed=allowed)

    return counted_unchanged(work, [source])


def numbers_in(read: SmallWide) -> Array | None:
    """Return numbers[row, column]; None if a field holds none, or one that is not finite or spelled in another way."""
    columns = []
    for at in range(len(read.answers)):
        texts = read.columns[f"p{at}"]
        if not all(text is not None and PLAIN_NUMBER.fullmatch(text) for text in texts):
            return None
        columns.append(np.array(texts, dtype=object).astype(np.float64))
    numbers = np.stack(columns, axis=1)
    return numbers if np.isfinite(numbers).all() else None


def printed_rounding(read: SmallWide) -> float:
    """Return how far from 1 the rows may sum by how many decimals the columns have."""
    k = len(read.answers)
    return min(rounding_of_printed(read.columns[f"p{at}"], k) for at in range(k))
