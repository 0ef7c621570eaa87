"""Counts that come with names: crosstabs, pivots, frames of any library, and mappings."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.errors import LabelTypeError, TableError, argument, quoted
from ordeval.inputs.named_counts import PREDICTED_NAMES, NamedCounts, is_class
from ordeval.scale import WIDEST, Scale

GOLD_NAMES = frozenset({"gold", "true", "actual", "truth", "y_true", "reference", "human"})


def has_names(counts: Any) -> bool:
    """Tell whether counts may come with names: a mapping or a frame, and no array or nested list."""
    kind = type(counts)  # a lazy frame warns if it is asked itself
    frame = hasattr(kind, "columns") or hasattr(kind, "column_names")
    return frame or isinstance(counts, Mapping) or is_pandas(counts)


def is_pandas(counts: Any) -> bool:
    """Tell whether this is an object of pandas, or of a class derived from one."""
    return any(base.__module__.startswith("pandas.") for base in type(counts).__mro__)


def named_amounts(amounts: Any) -> list[tuple[Any, Any]] | None:
    """Return amounts with their names: those of a mapping or of a pandas Series; None if they have none."""
    if isinstance(amounts, Mapping):
        return list(amounts.items())
    index = getattr(amounts, "index", None) if is_pandas(amounts) else None
    if index is None or amounts.ndim != 1 or unnamed(index):  # arrays of pandas have no index
        return None
    return list(zip(index.tolist(), amounts.tolist(), strict=True))


def read_names(counts: Any, declared: Scale | None) -> NamedCounts | None:
    """Return the counts by their names; None if they have none, as an array or a nested list."""
    if isinstance(counts, Mapping):
        return from_mapping(counts)
    if is_pandas(counts):
        return from_pandas(counts, declared)
    if has_names(counts):
        from ordeval.inputs.frames.engine import small_frame

        columns, rows, order = small_frame(counts, WIDEST)
        return from_first_column(columns, rows, declared, order)
    return None


def from_mapping(counts: Mapping[Any, Any]) -> NamedCounts:
    """Read {gold: {predicted: n}}, or {(gold, predicted): n} as a Counter of pairs has it."""
    if counts and all(isinstance(row, Mapping) for row in counts.values()):
        pairs = {(g, p): n for g, row in counts.items() for p, n in row.items()}
        golds = list(counts)
    elif all(isinstance(pair, tuple) and len(pair) == 2 for pair in counts):
        pairs = dict(counts)
        golds = list(dict.fromkeys(gold for gold, _ in counts))
    else:
        raise LabelTypeError(
            f"counts is {counts!r:.60}; a mapping of counts is {{gold: {{predicted: n}}}} or {{(gold, predicted): n}}."
        )
    answers = list(dict.fromkeys(predicted for _, predicted in pairs))
    return NamedCounts(golds, answers, [[pairs.get((g, p), 0) for p in answers] for g in golds])


def from_pandas(counts: Any, declared: Scale | None) -> NamedCounts | None:
    """Read a pandas frame by its index and columns; without an index of names, by its first column."""
    if getattr(counts, "ndim", 0) != 2:
        raise LabelTypeError(
            f"counts is a pandas {type(counts).__name__}; it must have gold classes in rows and predicted classes in "
            f"columns. Pass a frame, as pd.crosstab or .unstack() gives it."
        )
    index, columns = counts.index, counts.columns
    if index.nlevels > 1 or columns.nlevels > 1:
        raise TableError(
            f"the frame has {index.nlevels} levels of row names and {columns.nlevels} of column names; a table of "
            f"counts has one of each. Select one group, or count by one column on each side."
        )
    rows = [counts.iloc[:, at].tolist() for at in range(len(columns))]
    rows = [list(row) for row in zip(*rows, strict=True)]
    if unnamed(index) and unnamed(columns):
        return None
    if unnamed(index) and columns.tolist() != index.tolist():
        first = counts.iloc[:, 0] if len(columns) else index
        return from_first_column(columns.tolist(), rows, declared, own_order(first))
    if lower(index.name) in PREDICTED_NAMES and lower(columns.name) in GOLD_NAMES:
        raise TableError(
            f"the rows are named {index.name!r} and the columns {columns.name!r}; gold classes belong in the rows. "
            f"Pass frame.T."
        )
    orders = [order for order in map(own_order, (index, columns)) if order]
    return NamedCounts(index.tolist(), columns.tolist(), rows, tuple(orders))


def unnamed(index: Any) -> bool:
    """Tell whether a pandas index only numbers its entries, as one does that nobody set."""
    plain = type(index).__name__ == "RangeIndex" and index.name is None
    return plain and index.start == 0 and index.step == 1


def own_order(names: Any) -> tuple[Any, ...]:
    """Return the order that an ordered Categorical defines; nothing for any other pandas column or index."""
    dtype = names.dtype
    return tuple(dtype.categories.tolist()) if getattr(dtype, "ordered", False) else ()


def lower(name: Any) -> str:
    """Return the name of an axis in lower case."""
    return str(name).lower()


def from_first_column(
    columns: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    declared: Scale | None,
    order: tuple[Any, ...],
) -> NamedCounts:
    """Read a frame whose first column holds the gold classes; the others are named by the predicted ones.

    A first column that has the name of a class most likely holds counts, and then the rows have no names.
    """
    if len(columns) < 2:
        raise TableError(
            f"the frame has the columns {quoted(columns)}; a table of counts has one of gold classes and one for each "
            f"predicted class."
        )
    if is_class(columns[0], declared) or columns[0] in order:
        raise TableError(
            f"the rows of the frame have no names, and its first column, {columns[0]!r}, has the name of a class. Put "
            f"the gold classes into the index or into a first column with another name; if there are no names, pass "
            f"the array and {argument('labels', ...)}."
        )
    names, cells = [row[0] for row in rows], [list(row[1:]) for row in rows]
    return NamedCounts(names, list(columns[1:]), cells, (order,) if order else ())
