"""Marks as an array or a list of rows, items x raters: read as one column of labels, then taken apart by rater."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import entries, is_masked
from ordeval.columns import (
    as_array,
    frame_columns,
    from_masked,
    from_objects,
    is_array,
    read_column,
)
from ordeval.errors import LabelError, LabelTypeError, NoItemsError
from ordeval.inputs.array_patterns import read_groups
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.marks import (
    PlacedMarks,
    check_rater_names,
    marks_of_columns,
    named_items,
    place_marks,
    raw_labels,
)
from ordeval.inputs.patterns import RawColumn
from ordeval.inputs.rounding import NearestClass
from ordeval.inputs.sides import settled
from ordeval.label_column import LabelColumn
from ordeval.scale import Scale

RULE = "it must hold a row for each item and, in each row, a mark or a gap for each rater"


def read_mark_array(marks: Any, raters: Any, item: Any, choices: ReadingChoices) -> PlacedMarks:
    """Read items x raters, put the marks on the scale, and name raters and items."""
    choices = settled(choices)
    columns, own_names = rater_columns(marks, choices)
    items = len(columns[0].codes)
    if raters is None:
        names = own_names or tuple(f"rater {at + 1}" for at in range(len(columns)))
    else:
        names = check_rater_names(entries(raters, "raters", "it lists names of raters"), "raters")
    if len(names) != len(columns):
        raise LabelError(
            f"marks has {len(columns)} columns and raters is {list(names)!r:.60}; there must be a name for each column."
        )
    item_names = range(items) if item is None else read_item_names(item, items)
    return place_marks(marks_of_columns(columns, names, item_names=item_names), choices)


def read_item_names(item: Any, items: int) -> tuple[Any, ...]:
    """Return the names of the items, which must be as many as there are, and different."""
    column = read_groups(item, "item")
    if len(column) != items:
        raise LabelError(
            f"item names {len(column)} items and there are {items}; it must name each of them."
        )
    names, codes = named_items(column, None, "item")
    if len(names) < items:
        twice = names[int(np.argmax(np.bincount(codes) > 1))]
        raise LabelError(f"item names {twice!r} more than once; each row is another item.")
    return names


def rater_columns(marks: Any, choices: ReadingChoices) -> tuple[list[RawColumn], tuple[str, ...]]:
    """Return the marks of each rater as raw labels, and the names of the raters if the input has any."""
    framed = frame_columns(marks)
    if framed is not None:
        names = check_rater_names([name for name, _ in framed], "the frame")
        read = [read_column(column, f"rater {name!r}") for name, column in framed]
        check_shape((len(read[0]) if read else 0, len(read)))
        return [raw_labels(column) for column in read], names
    flat, shape, by_rater = flattened(marks)
    if choices.policy.round == "nearest" and choices.labels is not None:
        flat = merged_scores(flat, Scale(choices.labels, choices.values))
    column = raw_labels(read_column(flat, "marks"), tidied=False)
    codes = column.codes.reshape(shape[::-1] if by_rater else shape)
    codes = codes if by_rater else codes.T
    return [RawColumn(column.values, row, tidied=False) for row in codes], ()


def merged_scores(flat: Any, scale: Scale) -> Any:
    """Return floats with one value for all that are rounded to the same class; anything else as it is."""
    if not isinstance(flat, np.ndarray) or flat.dtype.kind != "f":
        return flat
    return NearestClass.on(scale).merged_floats(flat)


def flattened(marks: Any) -> tuple[Array | LabelColumn, tuple[int, int], bool]:
    """Return all marks in one row, the numbers of items and of raters, and whether one rater follows another."""
    if is_masked(marks):
        marks = from_masked(marks)
    if not is_array(marks):
        return flattened_rows(marks)
    array = as_array(marks)
    if array.ndim != 2:
        raise LabelError(f"marks has shape {array.shape}; {RULE}.")
    shape = array.shape[0], array.shape[1]
    check_shape(shape)
    by_rater = bool(array.flags.f_contiguous and not array.flags.c_contiguous)
    return (array.T if by_rater else array).ravel(), shape, by_rater


def flattened_rows(marks: Any) -> tuple[Any, tuple[int, int], bool]:
    """Return the marks of a list of rows in one row."""
    rows = listed_in_order(marks)
    if rows is None:
        raise LabelTypeError(f"marks is {marks!r:.60}, a {type(marks).__name__}; {RULE}.")
    for at, row in enumerate(rows):
        rows[at] = listed_in_order(row)
        if rows[at] is None:
            raise LabelTypeError(f"marks holds {row!r:.60} as row {at}; {RULE}.")
    check_shape((len(rows), len(rows[0]) if rows else 0))
    for at, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise LabelError(
                f"row {at} of marks has {len(row)} entries and row 0 has {len(rows[0])}; {RULE}. Fill gaps with None."
            )
    flat = from_objects([mark for row in rows for mark in row], "marks")
    return flat, (len(rows), len(rows[0])), False


def listed_in_order(given: Any) -> list[Any] | None:
    """Return the entries of something that has an order and is not one label; None if it is not so."""
    if isinstance(given, str | bytes | dict | set | frozenset) or not isinstance(given, Iterable):
        return None
    return None if getattr(given, "ndim", 1) == 0 else list(given)


def check_shape(shape: tuple[int, int]) -> None:
    """Refuse marks without an item or without a rater."""
    if not all(shape):
        raise NoItemsError(
            f"there are no marks: marks has {shape[0]} items and {shape[1]} raters. Pass at least one of each."
        )
