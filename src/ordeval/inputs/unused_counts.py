"""A column that is named like a count or a weight and that nobody asked for.

If rows that stand for several items are scored as one item each, the result is wrong, and nobody is told. So such a
column is an error where every row of a wide table is another combination of labels, and a note elsewhere.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.roles import lower, usual_column

COUNTS = ("n", "count", "counts", "freq", "frequency", "num", "size", "weight", "weights")
FEWEST = 4  # rows that tell counted data from a few items that happen to differ


def unused_count(
    columns: Sequence[str], choices: ReadingChoices, used: Iterable[str]
) -> str | None:
    """Return the column that is named like a count and is not used; None if the caller said what a row stands for."""
    if choices.single_items or choices.columns.get("count") is not None:
        return None
    taken = {*used, *choices.columns.values(), *choices.by}
    free = {lower(name): name for name in reversed(columns) if name not in taken}
    return next((free[name] for name in COUNTS if name in free), None)


def has_items(columns: Sequence[str], where: str) -> bool:
    """Tell whether a column with a usual name for it holds item ids."""
    return usual_column(columns, "item", where) is not None


def unused_count_notes(
    column: str | None, rows: Array, where: str, *, items_named: bool
) -> list[str]:
    """Return the note about such a column; `rows` are the rows that each combination of labels has.

    If each has one row, and there are no item ids, the rows most likely stand for several items: an error.
    """
    if column is None:
        return []
    roles = ("weight", "count") if "weight" in lower(column) else ("count", "weight")
    remedy = " or ".join(argument(role, column) for role in roles)
    single = argument("count", 1)
    n = int(np.sum(rows))
    if items_named or n < FEWEST or (rows > 1).any():
        note = f"column {column!r} of {where} was not used: each row is one item."
        return [f"{note} Pass {remedy} to use it, or {single} to leave out this note."]
    raise DataError(
        f"{where} has a column {column!r} that was not named, and no two of its {n} rows have the same labels. So each "
        f"row seems to stand for several items. Pass {remedy} to use the column, or {single} if each row is one item."
    )
