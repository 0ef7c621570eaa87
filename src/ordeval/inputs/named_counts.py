"""Counts with the names of their rows (gold) and columns (predicted), put in the order of the scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import LabelError, TableError, argument, by_caller, listed
from ordeval.labels import MISSING, canonical, number, tidy
from ordeval.scale import Scale, agreed_order

# What crosstabs and spreadsheets call a row or a column of sums.
TOTALS = frozenset({"all", "total"})
LARGEST = 2**63
# What people call the side of the answers; if the rows have such a name, gold is in the columns.
PREDICTED_NAMES = frozenset({"pred", "predicted", "prediction", "y_pred", "system", "model"})


@dataclass(frozen=True)
class NamedCounts:
    """Counts by names: one row for each gold class, one column for each predicted class, in any order."""

    rows: Sequence[Any]
    columns: Sequence[Any]
    cells: Sequence[Sequence[Any]]
    orders: tuple[tuple[Any, ...], ...] = ()  # of the classes, where the names' own type has one
    notes: tuple[str, ...] = ()  # what a reader should know of the file that they came from

    def placed(self, declared: Scale | None, values: Iterable[float] | None) -> tuple[Scale, Array]:
        """Return the scale that was declared or that the names show, and the counts in its order."""
        if declared is None and self.orders:
            declared = Scale(agreed_order(self.orders), values)
        rows, columns = list(map(tidy, self.rows)), list(map(tidy, self.columns))
        counts = read_cells(self.cells, rows, columns)
        counts, rows, columns = without_totals(counts, rows, columns, declared)
        counts, rows, columns = without_missing(counts, rows, columns)
        scale = Scale.infer(rows, columns, values=values) if declared is None else declared
        gold, of_gold = places(rows, np.asarray(counts.any(axis=1)), "row", scale)
        predicted, of_predicted = places(columns, np.asarray(counts.any(axis=0)), "column", scale)
        placed = np.zeros((scale.k, scale.k), counts.dtype)
        placed[np.ix_(gold, predicted)] = counts[np.ix_(of_gold, of_predicted)]
        return scale, placed


def read_cells(cells: Sequence[Sequence[Any]], rows: list[Any], columns: list[Any]) -> Array:
    """Return the counts: whole numbers as int64; an empty cell is 0, as pivots leave it."""
    numbers = [
        [
            read_cell(cell, f"gold {row!r} and predicted {column!r}")
            for cell, column in zip(line, columns, strict=True)
        ]
        for line, row in zip(cells, rows, strict=True)
    ]
    whole = all(isinstance(count, int) for line in numbers for count in line)
    counts = np.array(numbers, dtype=np.int64 if whole else np.float64)
    return counts.reshape(len(rows), len(columns))


def read_cell(cell: Any, where: str) -> int | float:
    """Return one count; `where` says what it is the count of."""
    count = canonical(cell)
    if count is MISSING:
        return 0
    if not isinstance(count, int | float):
        raise TableError(f"the count for {where} is {cell!r:.60}; a count is a number.")
    if not 0 <= count < LARGEST:
        raise TableError(
            f"the count for {where} is {count!r}; a count is 0 or more, and below 2**63."
        )
    return count


def without_totals(
    counts: Array, rows: list[Any], columns: list[Any], declared: Scale | None
) -> tuple[Array, list[Any], list[Any]]:
    """Leave out a row and a column of sums; one that holds anything else is refused."""
    row, column = total_at(rows, declared), total_at(columns, declared)
    own_rows = [at for at in range(len(rows)) if at != row]
    own_columns = [at for at in range(len(columns)) if at != column]
    own = counts[np.ix_(own_rows, own_columns)]
    kept = [rows[at] for at in own_rows], [columns[at] for at in own_columns]
    sums = {
        "row": (None if row is None else counts[row, own_columns], own.sum(axis=0)),
        "column": (None if column is None else counts[own_rows, column], own.sum(axis=1)),
    }
    if row is not None and column is not None:
        sums["corner"] = counts[row, column], own.sum()
    for side, (found, right) in sums.items():
        if found is not None and not np.allclose(found, right, rtol=1e-12, atol=0):
            name = columns[column or 0] if side == "column" else rows[row or 0]
            raise TableError(
                f"the {side} {name!r} does not hold the sums of the others. Leave it out, or name it in "
                f"{argument('labels', ...)} if it is a class."
            )
    return own, *kept


def total_at(names: list[Any], declared: Scale | None) -> int | None:
    """Return where the sums stand among rows or columns, if anywhere."""
    return next((at for at, name in enumerate(names) if is_total(name, declared)), None)


def without_missing(
    counts: Array, rows: list[Any], columns: list[Any]
) -> tuple[Array, list[Any], list[Any]]:
    """Leave out rows and columns without a name, which may hold no items."""
    own_rows = [at for at, name in enumerate(rows) if name is not MISSING]
    own_columns = [at for at, name in enumerate(columns) if name is not MISSING]
    own = counts[np.ix_(own_rows, own_columns)]
    lost = counts[own_rows].sum() - own.sum()
    if lost:
        raise LabelError(
            f"a column without a name holds {lost:g} of the items, which have no answer. "
            + by_caller(
                "Leave it out, or pass it to Table.from_counts as unanswered=, so that these items earn nothing.",
                "Leave it out; for --missing zero, pass the answers item by item.",
            )
        )
    if counts.sum() - own.sum():
        raise LabelError(
            f"a row without a name holds {counts.sum() - own.sum():g} of the items, which have no gold label. Leave "
            f"it out."
        )
    return own, [rows[at] for at in own_rows], [columns[at] for at in own_columns]


def places(
    names: Sequence[Any], used: Sequence[bool] | Array, side: str, scale: Scale
) -> tuple[list[int], list[int]]:
    """Return the places of names on the scale, and which names they are; a name off it may have no items."""
    found: dict[int, int] = {}
    for at, name in enumerate(names):
        place = scale.position(name)
        if place is None:
            if used[at]:
                raise LabelError(
                    f"the {side} {name!r} is not on the scale {listed(scale.labels, 10)} (lowest first), and has "
                    f"items. Pass {argument('labels', ...)} with every class."
                )
        elif place in found:
            raise TableError(
                f"the {side} {name!r} is the same class as {names[found[place]]!r}; each class is named once. Add "
                f"the two up first."
            )
        else:
            found[place] = at
    return list(found), list(found.values())


def by_class(amounts: Sequence[tuple[Any, Any]], scale: Scale) -> Array:
    """Return amounts that come with the names of their classes, in the order of the scale."""
    names = [tidy(name) for name, _ in amounts]
    counts = np.array([read_cell(amount, f"class {name!r}") for name, amount in amounts])
    own, of_names = places(names, counts > 0, "class", scale)
    placed = np.zeros(scale.k, counts.dtype)
    placed[own] = counts[of_names]
    return placed


def is_class(name: Any, declared: Scale | None) -> bool:
    """Tell whether a name is that of a class: one that is declared, or a number if none are."""
    if declared is not None:
        return declared.position(name) is not None
    return number(name) is not None if isinstance(name, str) else isinstance(name, int | float)


def is_total(name: Any, declared: Scale | None) -> bool:
    """Tell whether a name says that sums stand under it: "All" or "Total", unless that is a class."""
    return isinstance(name, str) and name.lower() in TOTALS and not is_class(name, declared)
