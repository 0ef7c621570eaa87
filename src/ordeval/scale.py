"""The classes, lowest first, and a number for each."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.columns import LabelColumn, read_column
from ordeval.errors import (
    LabelError,
    LabelTypeError,
    NoItemsError,
    ScaleError,
    argument,
    quoted,
)
from ordeval.labels import MISSING, canonical, number

WIDEST = 1000  # classes in an inferred integer scale: beyond, the labels are most likely identifiers or amounts


EXACT = 2**53  # beyond, two integers may be one floating-point number


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Scale:
    """K classes in order, lowest first, and a value for each.

    The values are the labels themselves where all are numbers and increasing, else 0 to K - 1; `values=` overrides.

    >>> Scale(["low", "mid", "high"])
    Scale(['low', 'mid', 'high'])
    >>> Scale([1, 2, 4]).values
    (1, 2, 4)
    """

    labels: tuple[Any, ...]
    values: tuple[int | float, ...]
    inferred: bool = field(
        compare=False
    )  # every integer between two ends: may be widened when tables are added
    index: dict[Any, int] = field(compare=False)
    numbers: npt.NDArray[np.float64] = field(compare=False)  # the values, as kernels take them

    def __init__(
        self,
        labels: Iterable[Any],
        values: Iterable[float] | None = None,
        *,
        inferred: bool = False,
    ) -> None:
        if isinstance(labels, Scale) and values is None:  # a scale brings its own values along
            values = labels.values
        classes = declared(labels)
        object.__setattr__(self, "labels", classes)
        object.__setattr__(
            self, "index", {label: position for position, label in enumerate(classes)}
        )
        object.__setattr__(
            self,
            "values",
            natural_values(classes) if values is None else given_values(values, classes),
        )
        object.__setattr__(self, "inferred", inferred)
        numbers = np.array(self.values, dtype=np.float64)
        numbers.setflags(write=False)
        object.__setattr__(self, "numbers", numbers)

    @classmethod
    def infer(
        cls,
        *columns: Any,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
    ) -> "Scale":
        """Return the scale that gold and all predictions together show; `labels` decide where they are given.

        >>> Scale.infer([1, 2, 5], [1, 3, 3])
        Scale([1, 2, 3, 4, 5])
        """
        if labels is not None:
            return cls(labels, values)
        read = [
            column if isinstance(column, LabelColumn) else read_column(column, f"column {at}")
            for at, column in enumerate(columns)
        ]
        orders = [column.values or () for column in read if column.ordered]
        if orders:
            return cls(agreed_order(orders), values)
        seen = [column.distinct() for column in read]
        if any(seen) and all(isinstance(label, bool) for labels in seen for label in labels):
            return cls([False, True], values)
        if any(isinstance(label, float) for labels in seen for label in labels):
            seen = [column.distinct(ends_only=False) for column in read]
        classes, integers = infer_order(set().union(*seen))
        return cls(classes, values, inferred=integers and values is None)

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def position(self, label: object) -> int | None:
        """Return the position of a label, whatever its spelling, or None where it is not on the scale."""
        try:
            one = canonical(label)
            at = self.index.get(one)
        except TypeError:
            return None
        if at is None and isinstance(one, str):
            spelled = number(one)
            at = None if spelled is None else self.index.get(spelled)
        elif at is None and isinstance(one, int | float):
            at = self.index.get(str(one))
        return at

    def widened(self, other: "Scale") -> "Scale":
        """Return the scale that holds both, where both are the same or were inferred from integers."""
        if self == other:
            return other if self.inferred else self  # what was declared is not widened later
        if self.inferred and other.inferred:
            low = min(self.labels[0], other.labels[0])
            high = max(self.labels[-1], other.labels[-1])
            return Scale(integers(low, high), inferred=True)
        raise ScaleError(
            f"the scales differ: {self} and {other}; tables add where their classes are the same. "
            f"Pass the same {argument('labels', ...)} to both."
        )

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        shown = list(self.labels)
        if self.values == natural_values(self.labels):
            return f"Scale({shown})"
        return f"Scale({shown}, values={list(self.values)})"


def declared(labels: Any) -> tuple[Any, ...]:
    """Check a declared list of classes and return it with one spelling for each."""
    if isinstance(labels, Scale):
        return labels.labels
    unordered = isinstance(labels, str | bytes | set | frozenset)
    if unordered or not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) == 0:
        raise LabelTypeError(
            f"labels is {labels!r:.60}; it must list the classes, lowest first. Pass {argument('labels', ...)}."
        )
    classes: list[Any] = [canonical(label) for label in labels]
    if not classes:
        raise ScaleError(
            "labels is empty; a scale has at least one class. List the classes, lowest first."
        )
    if any(label is MISSING for label in classes):
        raise ScaleError(
            f"labels {quoted(classes)} holds a missing value, which is never a class. Leave it out."
        )
    if any(isinstance(label, float) and math.isinf(label) for label in classes):
        raise ScaleError(
            f"labels {quoted(classes)} holds infinity; a number that is a class is finite."
        )
    if any(isinstance(label, str) for label in classes):
        numbers = [number(label) if isinstance(label, str) else label for label in classes]
        classes = classes if None in numbers else numbers
    try:
        distinct_labels = set(classes)
    except TypeError:
        raise LabelTypeError(
            f"labels {quoted(classes)} holds something unhashable; a label is a number, a string or a boolean."
        ) from None
    if len(distinct_labels) < len(classes):
        twice = next(label for label in classes if classes.count(label) > 1)
        raise ScaleError(
            f"labels names {twice!r} more than once; every class has one place in the order."
        )
    return tuple(classes)


def natural_values(classes: Sequence[Any]) -> tuple[int | float, ...]:
    """Return the labels themselves if all are numbers and increasing, else 0 to K - 1."""
    if all(isinstance(label, int | float) for label in classes) and increasing(classes):
        if max(-classes[0], classes[-1]) >= EXACT:
            check_distinct(classes)
        return tuple(int(label) if isinstance(label, bool) else label for label in classes)
    return tuple(range(len(classes)))


def check_distinct(classes: Sequence[Any]) -> None:
    """Refuse integers so large that two of them are one floating-point number: errors between them would be 0."""
    try:
        distinct_values = increasing([float(label) for label in classes])
    except OverflowError:
        distinct_values = False
    if not distinct_values:
        raise ScaleError(
            f"the labels {quoted(classes, 2)} are too large to be told apart as floating-point numbers. "
            f"Pass {argument('labels', ...)} with {argument('values', ...)}, a smaller number for each class."
        )


def given_values(values: Iterable[float], classes: Sequence[Any]) -> tuple[int | float, ...]:
    """Check the values that override the natural ones."""
    try:
        numbers = tuple(canonical(float(value)) for value in values)
    except (TypeError, ValueError, OverflowError):
        raise ScaleError(f"values is {values!r}; it must hold one number for each class.") from None
    finite = [value for value in numbers if isinstance(value, int | float) and math.isfinite(value)]
    if len(finite) != len(classes) or not increasing(finite):
        raise ScaleError(
            f"values is {list(numbers)}; it must hold {len(classes)} strictly increasing numbers, one for each class "
            f"of {list(classes)}."
        )
    return tuple(finite)


def increasing(numbers: Sequence[Any]) -> bool:
    """Tell whether each number is above the one before it."""
    return all(a < b for a, b in itertools.pairwise(numbers))


@lru_cache(maxsize=256)
def integer_scale(low: int, high: int) -> Scale:
    """Return the scale of every integer between two ends; kept, because it is asked for most often."""
    return Scale(integers(low, high), inferred=True)


def integers(low: int, high: int) -> range:
    """Return every integer between two ends, unless they are too many to be classes."""
    if high - low >= WIDEST:
        raise ScaleError(
            f"the labels run from {low} to {high}, {high - low + 1} classes, more than the {WIDEST} that are inferred. "
            f"Pass {argument('labels', ...)}, lowest first, if they really are classes."
        )
    return range(low, high + 1)


def agreed_order(orders: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the order that the columns' own types agree on."""
    longest = max(orders, key=len)
    for order in orders:
        place = {label: position for position, label in enumerate(longest)}
        positions = [place.get(label, -1) for label in order]
        if -1 in positions or not increasing(positions):
            raise ScaleError(
                f"two columns have different orders: [{quoted(longest)}] and [{quoted(order)}]. "
                f"Pass {argument('labels', ...)}, lowest first, to say which holds."
            )
    return longest


def infer_order(labels: set[Any]) -> tuple[Iterable[Any], bool]:
    """Return the classes in order, and whether they are a run of integers; an order is never guessed."""
    if not labels:
        raise NoItemsError(
            "there are no items: every label is missing, or there are none. Check the input."
        )
    numbers: list[Any] = [number(label) if isinstance(label, str) else label for label in labels]
    if any(isinstance(value, float) and math.isinf(value) for value in numbers):
        raise LabelError(
            "a label is infinite; a class is a finite number. Remove it or make it missing (NaN)."
        )
    if any(not isinstance(label, int | float) for label in numbers):
        shown = sorted(labels, key=str)
        kind = (
            "plain strings" if all(isinstance(label, str) for label in shown) else "not all numbers"
        )
        raise ScaleError(
            f"cannot tell the order of the classes {quoted(shown)}: they are {kind}. "
            f"Pass {argument('labels', ...)} lowest first, or an ordered type."
        )
    if all(isinstance(value, int) for value in numbers):
        return integers(int(min(numbers)), int(max(numbers))), True
    return sorted(set(numbers)), False
