"""Distributions over the classes where a label could stand: the shares of raters, or the probabilities of a model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import (
    as_array,
    can,
    frame_columns,
    is_column,
    is_frame,
    read_column,
    type_name,
)
from ordeval.errors import LabelError, LabelTypeError, ScaleError, argument, listed, quoted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import GOLD
from ordeval.inputs.placing import PlacedPatterns
from ordeval.label_column import CodedSide, LabelColumn
from ordeval.labels import canonical, finite_number
from ordeval.one_hot import ROUNDING, rounding_of
from ordeval.scale import Scale

MOST_MERGED = 20_000  # rows up to which equal ones are found: few of more would be equal
SUMMED = 1e-12  # how far from 1 the sum of a row may be because its numbers were added up
PROBABILITIES = "probabilities"  # what they are called where nothing else is given
NEARLY = 0.05  # how far from 1 the sum of a row may be, to be told from other numbers and refused with a reason


@dataclass(frozen=True)
class SoftColumn:
    """A distribution for each item: the distinct rows[kind, class], and codes[item] into them, -1 where there is none.

    `labels` are the classes that it brings along; None if its columns have no names.
    """

    rows: Array
    codes: Array
    labels: Any = None

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.codes)

    def only(self, kept: Array | None) -> "SoftColumn":
        """Return the distributions of some of the items."""
        return self if kept is None else SoftColumn(self.rows, self.codes[kept], self.labels)


@dataclass(frozen=True)
class Probabilities:
    """A table of numbers that the caller calls probabilities, whatever it looks like."""

    table: Any


def called_shares(side: Any) -> Any:
    """Return shares that the caller calls so, whatever they look like; ratings as they are."""
    return side if holds_ratings(side) else Probabilities(side)


def holds_ratings(side: Any) -> bool:
    """Tell whether one side of the data is `Ratings`, which are made of what is read here."""
    kind: Any = type(side)
    return can(kind, "pattern_shares")


def is_soft(side: Any) -> bool:
    """Tell whether one side of the data is distributions and not labels: ratings, or rows of shares.

    Arrays and frames whose rows all have a single 1 and zeros are labels. Most rows must sum to about 1: another table
    of numbers is not taken for one of shares, and refused as labels.
    """
    kind: Any = type(side)
    if kind is np.ndarray and side.ndim == 1:
        return False
    if isinstance(side, Probabilities) or holds_ratings(side):
        return True
    if isinstance(side, list | tuple):
        if not len(side) or not isinstance(side[0], list | tuple | np.ndarray):
            return False
    elif is_column(side) or (getattr(side, "ndim", None) != 2 and not is_frame(side)):
        return False
    matrix = matrix_of(side)[0]
    if matrix is None or matrix.ndim != 2 or matrix.shape[1] < 2 or not len(matrix):
        return False
    present = matrix[~np.isnan(matrix).any(axis=1)]
    nearly = max(NEARLY, rounding_of(type_of(side), matrix.shape[1]))
    like_shares = (present >= 0).all(axis=1) & (np.abs(present.sum(axis=1) - 1) <= nearly)
    some_between = isinstance(side, list | tuple) or ((present > 0) & (present < 1)).any()
    return bool(some_between and 2 * like_shares.sum() > len(present))


def matrix_of(side: Any) -> tuple[Array | None, Sequence[Any] | None]:
    """Return a table of numbers and the names of its columns, None if these have none; no table if it holds others."""
    columns = frame_columns(side) if is_frame(side) else None
    try:
        if columns is None:
            return real_numbers(side), None
        parts = [real_numbers(column) for _, column in columns]
        return np.stack(parts, axis=1), [name for name, _ in columns]
    except (TypeError, ValueError, OverflowError):
        return None, None


def real_numbers(given: Any) -> Array:
    """Return numbers as float64; those with an imaginary part, which would be dropped, are an error."""
    array = as_array(given)
    if array.dtype.kind == "c":
        raise TypeError
    return array.astype(np.float64, copy=False)


def type_of(side: Any) -> str:
    """Return the name of the type of a table's numbers; of a frame, that of its least precise column."""
    if not is_frame(side):
        return type_name(side)
    names = {type_name(as_array(column)) for _, column in frame_columns(side) or ()}
    return max(names, key=lambda name: rounding_of(name, side.shape[1]), default="")


def read_soft(side: Any, name: str, labels: Any) -> SoftColumn:
    """Read distributions; `labels` are the classes that the caller declared. Rows that hold NaN are missing."""
    if holds_ratings(side):
        codes = np.where(side.marks_of_pattern[side.named_items()[1]] > 0, side.pattern_of, -1)
        return SoftColumn(np.nan_to_num(side.pattern_shares), codes, side.scale)
    side = side.table if isinstance(side, Probabilities) else side
    matrix, present, known = read_rows(side, name, labels)
    rows, inverse = distinct_rows(matrix)
    return SoftColumn(rows, np.where(present, inverse, -1), known)


def read_rows(side: Any, name: str, labels: Any) -> tuple[Array, Array, Any]:
    """Read rows[item, class] of probabilities, 0 where they are missing; which are present; the classes of a frame."""
    matrix, columns = matrix_of(side)
    if matrix is None or matrix.ndim != 2:
        found = f"is {side!r:.60}" if matrix is None else f"has the shape {matrix.shape}"
        raise LabelTypeError(
            f"{name} {found}; it must hold a row of numbers for each item and a column for each class."
        )
    known = None
    if columns is not None:
        known, order = ordered_columns(columns, labels, name)
        matrix = matrix[:, order]
    present: Array = np.ones(len(matrix), dtype=np.bool_)
    some_missing = bool(np.isnan(matrix).any())
    if some_missing:
        present = np.asarray(~np.isnan(matrix).any(axis=1))
    matrix = normalised(matrix, present, name, allowed=rounding_of(type_of(side), matrix.shape[1]))
    return np.nan_to_num(matrix) if some_missing else matrix, present, known


def distinct_rows(matrix: Array) -> tuple[Array, Array]:
    """Return the distinct rows in an order that depends on them alone, and the place of each row among these.

    Many rows are returned as they are.
    """
    if len(matrix) > MOST_MERGED:
        return matrix, np.arange(len(matrix))
    rows = np.ascontiguousarray(matrix + 0.0)  # -0.0 is 0.0
    keys = rows.view(f"V{rows.shape[1] * rows.itemsize}").ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], inverse.reshape(-1)


def ordered_columns(columns: Sequence[Any], labels: Any, name: str) -> tuple[Scale, list[int]]:
    """Return the classes that the names of a frame's columns show, and the columns in the order of these."""
    has = f"{name} has the columns {quoted(columns, 10)}"
    words = [one for one in columns if finite_number(canonical(one)) is None]
    if labels is None and 0 < len(words) < len(columns):
        raise ScaleError(
            f"{has}, some of which are numbers, and others are not; it needs one for each class, and no others. Leave "
            f"out those that are no classes, or pass {argument('labels', ...)}, lowest first, if all are."
        )
    scale = Scale(labels) if labels is not None else Scale.infer(list(columns))
    places = [scale.position(canonical(column)) for column in columns]
    order = [places.index(place) for place in range(scale.k) if place in places]
    if len(order) != scale.k or len(columns) != scale.k:
        raise ScaleError(
            f"{has}; it needs one for each class, named as the classes {listed(scale.labels)}, and no others."
        )
    return scale, order


def normalised(
    matrix: Array,
    present: Array,
    name: str,
    items: Sequence[Any] | None = None,
    *,
    allowed: float = ROUNDING,
) -> Array:
    """Return rows that sum to 1, so that every item counts as one; refuse rows that are no distributions.

    `items` are the names of the items, if they have any; `allowed` is how far from 1 rounding may have taken a sum.
    """
    sums = matrix @ np.ones(matrix.shape[1])  # faster than .sum(axis=1)
    bad = present & ~(np.abs(sums - 1) <= allowed)
    if (matrix < 0).any():  # differences of cumulative probabilities may be, by rounding
        matrix = np.where((matrix < 0) & (matrix >= -SUMMED), 0.0, matrix)
        bad |= present & (matrix < 0).any(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        item = at if items is None else repr(items[at])
        of = "" if name in {"y_pred", PROBABILITIES} else f" in {name}"
        row = ", ".join(f"{share:.6g}" for share in matrix[at])
        many = int(bad.sum())
        rows = "1 item has such a row" if many == 1 else f"{many} items have such rows"
        advice = "If they were rounded, divide each row by its sum."
        if (matrix[bad] < 0).any():
            advice = "If they are logits, take their softmax."
        raise LabelError(
            f"the probabilities of item {item}{of} are [{row}], with the sum {sums[at]:.7g}; they must be 0 or more "
            f"and sum to 1. {rows}. {advice}"
        )
    off = present & (np.abs(sums - 1) > SUMMED)
    if not off.any():
        return matrix
    return np.where(off[:, None], matrix / np.where(off, sums, 1)[:, None], matrix)


def soft_scale(columns: Iterable[SoftColumn], choices: ReadingChoices) -> Scale | None:
    """Return the classes that the caller declared, or that distributions bring along; None if they bring none."""
    scale = None if choices.labels is None else Scale(choices.labels, choices.values)
    for column in columns:
        if scale is None and column.labels is not None:
            scale = Scale(column.labels, choices.values)
    return scale


def check_width(column: SoftColumn, scale: Scale, name: str) -> None:
    """Refuse distributions over another number of classes, or over other classes."""
    given = None if column.labels is None else Scale(column.labels).labels
    if column.rows.shape[1] != scale.k or (given is not None and given != scale.labels):
        what = (
            f"{column.rows.shape[1]} columns" if given is None else f"the classes {listed(given)}"
        )
        classes = "class" if scale.k == 1 else "classes"
        raise ScaleError(
            f"{name} has {what}, and the scale has {scale.k} {classes}, {listed(scale.labels)}. Pass "
            f"{argument('labels', ...)}, one for each column, lowest first."
        )


@dataclass(frozen=True)
class SoftSides:
    """The sides of the data that are distributions, by their place: GOLD or that of a system.

    Where labels are put on the scale, a placeholder stands for each of these sides: some class, or a missing label
    where there is no distribution. What the policies say of missing labels is said of these, too.
    """

    choices: ReadingChoices
    columns: Mapping[int, SoftColumn]

    @classmethod
    def read(cls, y_true: Any, systems: Mapping[str, Any], choices: ReadingChoices) -> "SoftSides":
        """Find and read the sides that are distributions; if there are any, the choices get the whole scale."""
        sides = {GOLD: ("y_true", y_true)}
        many = len(systems) > 1
        sides |= {
            at: (f"system {name!r}" if many else "y_pred", answers)
            for at, (name, answers) in enumerate(systems.items())
        }
        found = {at: name for at, (name, side) in sides.items() if is_soft(side)}
        if not found:
            return cls(choices, {})
        columns = {at: read_soft(sides[at][1], name, choices.labels) for at, name in found.items()}
        scale = soft_scale(columns.values(), choices)
        if scale is None and GOLD not in columns:
            scale = Scale.infer(read_column(y_true, "y_true"), values=choices.values)
        if scale is None:
            scale = Scale(range(next(iter(columns.values())).rows.shape[1]), choices.values)
        for at, column in columns.items():
            check_width(column, scale, found[at])
        return cls(replace(choices, labels=scale), columns)

    def placeholder(self, at: int) -> LabelColumn | None:
        """Return a column of labels in place of distributions; None if this side holds labels."""
        column = self.columns.get(at)
        if column is None:
            return None
        codes = np.minimum(column.codes, 0)
        return LabelColumn(codes, (self.choices.labels.labels[0],), some_unused=True)

    def coded(self, kept: Array | None) -> list[CodedSide]:
        """Return which distribution each item has, on each of these sides."""
        columns = [column.only(kept) for column in self.columns.values()]
        return [(column.codes, range(len(column.rows))) for column in columns]

    def put_into(self, placed: PlacedPatterns, kinds: Sequence[Array]) -> PlacedPatterns:
        """Return the patterns with distributions in place of the placeholders; `kinds` are those of each side."""
        if not self.columns:
            return placed
        k, rows, shares, answers = placed.scale.k, placed.rows, None, None
        given = [column.rows for at, column in self.columns.items() if at != GOLD]
        if given:  # equal answers of different systems have the same code
            distinct, code = distinct_rows(np.concatenate(given))
            # first each class, and no answer
            answers = np.concatenate([np.eye(k + 1), np.pad(distinct, ((0, 0), (0, 1)))])
        start = 0
        for (at, column), kind in zip(self.columns.items(), kinds, strict=True):
            if at == GOLD:
                shares, rows[1] = column.rows, kind
                continue
            own = code[start : start + len(column.rows)]
            rows[2 + at] = np.where(rows[2 + at] < k, k + 1 + own[kind], k)
            start += len(column.rows)
        return replace(placed, rows=rows, shares=shares, answers=answers)
