"""The classes, lowest first, and a number for each."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.arguments import as_float, entries
from ordeval.columns import in_numpy, read_column
from ordeval.errors import (
    LabelError,
    LabelTypeError,
    NoItemsError,
    ScaleError,
    argument,
    by_caller,
    listed,
    quoted,
    spelled,
)
from ordeval.label_column import LabelColumn
from ordeval.labels import MISSING, canonical, finite_number, number

WIDEST = 1000  # classes in an inferred integer scale: beyond, the labels are most likely identifiers or amounts
FEW = 20  # integers up to which the gaps between those that occur are taken for classes that nobody used
LISTED = 20  # values that an error lists in full, ready to be declared


MOST_DIGITS = 20  # of a number in a message
EXACT = 2**53  # beyond, two integers may be one floating-point number
PLAIN_TEXT = frozenset({str})


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Scale:
    """K classes in order, lowest first, and a value for each.

    The values are the labels themselves where all are numbers and increasing, else 0 to K - 1; `values=` overrides.

    >>> oe.Scale(["low", "mid", "high"])
    Scale(['low', 'mid', 'high'])
    >>> oe.Scale([1, 2, 4]).values
    (1, 2, 4)
    """

    labels: tuple[Any, ...]  # the classes, lowest first
    values: tuple[int | float, ...]  # a number for each class
    # every integer between two ends: may be widened when tables are added
    inferred: bool = field(compare=False)  # whether the classes were found in the data
    index: dict[Any, int] = field(compare=False)
    numbers: npt.NDArray[np.float64] = field(compare=False)  # the values, as kernels take them
    names: tuple[Any, ...] = field(compare=False)  # what the classes are called in print

    def __init__(
        self,
        labels: Iterable[Any],
        values: Iterable[float] | None = None,
        *,
        names: Iterable[str] | None = None,
        inferred: bool = False,
    ) -> None:
        if isinstance(labels, Scale):  # a scale brings its own values and names along
            values = labels.values if values is None else values
            names = labels.names if names is None else names
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
        object.__setattr__(self, "names", classes if names is None else given_names(names, classes))
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
        """Return the scale that gold, the first column, and all predictions together show; `labels` decide if given.

        A prediction can widen a run of integers. It cannot add a class between two others.

        >>> oe.Scale.infer([1, 2, 5], [1, 3, 3])
        Scale([1, 2, 3, 4, 5])
        """
        if labels is not None:
            return cls(labels, values)
        read = [
            column if isinstance(column, LabelColumn) else read_column(column, f"column {at}")
            for at, column in enumerate(columns)
        ]
        scale = infer_scale(read[:1], read[1:], values)
        between = [
            label
            for column in read[1:]
            for label in column.distinct()
            if scale.is_between_classes(label)
        ]
        if between:
            raise ScaleError(
                f"the prediction {between[0]!r} is not among the classes {listed(scale.labels)} of gold, and a "
                f"prediction cannot add a class between them. Round it, or pass {argument('labels', ...)}, lowest "
                f"first."
            )
        return scale

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def named(self, names: Iterable[str]) -> "Scale":
        """Return the scale with names by which its classes are shown; the labels stay what they are.

        >>> oe.Scale([-1, 0, 1]).named(["negative", "neutral", "positive"]).names
        ('negative', 'neutral', 'positive')
        """
        return Scale(self.labels, self.values, names=names, inferred=self.inferred)

    def position(self, label: object) -> int | None:
        """Return the position of a label, whatever its spelling, or None where it is not on the scale.

        >>> oe.Scale(["low", "mid", "high"]).position("high")
        2
        >>> oe.Scale([1, 2, 3]).position("2")
        1
        """
        try:
            one = canonical(label)
            at = self.index.get(one)
        except (TypeError, ValueError, ArithmeticError):  # what cannot be looked up
            return None
        if at is None and isinstance(one, str):
            spelled = number(one)
            at = None if spelled is None else self.index.get(spelled)
        elif at is None and isinstance(one, int | float):
            at = self.index.get(str(one))
        return at

    @property
    def numeric(self) -> bool:
        """Whether all labels are numbers."""
        return all(isinstance(label, int | float) for label in self.labels)

    def is_between_classes(self, label: object) -> bool:
        """Tell whether a label not on the scale is a number that no class could have: 2.5 on a scale of integers."""
        one = finite_number(canonical(label))
        if one is None or not self.numeric or self.position(one) is not None:
            return False
        return isinstance(one, float) or any(isinstance(label, float) for label in self.labels)

    def widened(self, other: "Scale") -> "Scale":
        """Return the scale that holds both, where both are the same or were inferred from integers."""
        if self == other:
            return other if self.inferred else self  # what was declared is not widened later
        if self.inferred and other.inferred:
            low = min(self.labels[0], other.labels[0])
            high = max(self.labels[-1], other.labels[-1])
            return Scale(integers(low, high), inferred=True)
        raise ScaleError(
            f"the scales differ: {self} and {other}; only what has the same classes can be added. "
            f"Pass the same {argument('labels', ...)} to both."
        )

    def __len__(self) -> int:
        return len(self.labels)

    def __str__(self) -> str:
        """Return the scale as a message names it: as Python would make it, or with commas, as an option has it."""
        values = "" if self.values == natural_values(self.labels) else listed(self.values)
        return by_caller(
            repr(self),
            f"scale {listed(self.labels)}{f' with the values {values}' if values else ''}",
        )

    def __repr__(self) -> str:
        shown = list(self.labels)
        if self.values == natural_values(self.labels):
            return f"Scale({shown})"
        return f"Scale({shown}, values={list(self.values)})"


def declared(labels: Any) -> tuple[Any, ...]:
    """Check a declared list of classes and return it with one spelling for each."""
    if isinstance(labels, Scale):
        return labels.labels
    labels = in_numpy(labels)
    unordered = isinstance(labels, str | bytes | set | frozenset)
    if unordered or not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) == 0:
        raise LabelTypeError(
            f"{spelled('labels')} is {labels!r:.60}; it must list the classes, lowest first. Pass "
            f"{argument('labels', ...)}."
        )
    classes: list[Any] = [canonical(label) for label in labels]
    if not classes:
        raise ScaleError(
            f"{spelled('labels')} is empty; a scale has at least one class. List the classes, lowest first."
        )
    if any(label is MISSING for label in classes):
        raise ScaleError(
            f"{spelled('labels')} {quoted(classes)} holds a missing value, which is never a class. Leave it out."
        )
    if any(isinstance(label, float) and math.isinf(label) for label in classes):
        raise ScaleError(
            f"{spelled('labels')} {quoted(classes)} holds infinity; a number that is a class is finite."
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
            f"{spelled('labels')} names {twice!r} more than once; every class has one place in the order."
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
            f"the labels {quoted(classes, 2)} are too large: as floating-point numbers they are equal. "
            f"Pass {argument('labels', ...)} with {argument('values', ...)}, a smaller number for each class."
        )


def given_values(values: Iterable[float], classes: Sequence[Any]) -> tuple[int | float, ...]:
    """Check the values that override the natural ones."""
    try:
        numbers = tuple(canonical(as_float(value)) for value in in_numpy(values))
    except (TypeError, ValueError, ArithmeticError):
        raise ScaleError(
            f"{spelled('values')} is {values!r:.60}; it must have one number for each class."
        ) from None
    finite = [value for value in numbers if isinstance(value, int | float) and math.isfinite(value)]
    if len(finite) != len(classes) or not increasing(finite):
        raise ScaleError(
            f"{spelled('values')} is {listed(numbers)}; it must have {len(classes)} strictly increasing numbers, one "
            f"for each class of {listed(classes)}."
        )
    return tuple(finite)


def given_names(names: Iterable[Any], classes: Sequence[Any]) -> tuple[Any, ...]:
    """Check the names of the classes: one for each, all different."""
    rule = f"it lists {len(classes)} different names, one for each class, lowest first"
    if isinstance(names, str | bytes):
        raise ScaleError(f"names is {names!r:.60}; {rule}.")
    found = tuple(entries(names, "names", rule))
    if len(found) != len(classes) or len(set(map(str, found))) != len(classes):
        raise ScaleError(
            f"the names {quoted(found)} do not fit the classes {quoted(classes)}: pass {len(classes)} different names, "
            f"one for each class, lowest first."
        )
    return found


def increasing(numbers: Sequence[Any]) -> bool:
    """Tell whether each number is above the one before it."""
    return all(a < b for a, b in itertools.pairwise(numbers))


@lru_cache(maxsize=256)
def integer_scale(low: int, high: int) -> Scale:
    """Return the scale of every integer between two ends; kept, because it is asked for most often."""
    return Scale(integers(low, high), inferred=True)


def declared_scale(labels: Any, values: Iterable[float] | None) -> Scale:
    """Return `Scale(labels, values)`; those of plain words are kept, because the same are declared again and again.

    Other labels may be equal and yet not the same, as 1 and True are.
    """
    listed = type(labels) is list or type(labels) is tuple
    if values is None and listed and PLAIN_TEXT.issuperset(map(type, labels)):
        return kept_scale(tuple(labels))
    return Scale(labels, values)


kept_scale = lru_cache(maxsize=256)(Scale)


def integers(low: int, high: int) -> range:
    """Return every integer between two ends, unless they are too many to be classes."""
    if high - low >= WIDEST:
        raise ScaleError(
            f"the labels run from {in_brief(low)} to {in_brief(high)}, {in_brief(high - low + 1)} classes, more than "
            f"the {WIDEST} that are inferred. "
            f"Pass {argument('labels', ...)}, lowest first, if they really are classes."
        )
    return range(low, high + 1)


def in_brief(number: int) -> str:
    """Write a whole number, the first digits of one that is too long to be read."""
    digits = str(number)
    return digits if len(digits) <= MOST_DIGITS else f"{digits[:4]}... ({len(digits)} digits)"


def agreed_order(orders: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the order that the columns' own types agree on."""
    longest = max(orders, key=len)
    for order in orders:
        place = {label: position for position, label in enumerate(longest)}
        positions = [place.get(label, -1) for label in order]
        if -1 in positions or not increasing(positions):
            raise ScaleError(
                f"two columns have different orders: {listed(longest, 5)} and {listed(order, 5)}. "
                f"Pass {argument('labels', ...)}, lowest first, to say which is right."
            )
    return longest


@lru_cache(maxsize=256)
def kept_order(*orders: tuple[str, ...]) -> Scale:
    """Return the scale of the order that columns of plain words agree on, as `declared_scale` does of one."""
    return Scale(agreed_order(orders))


def infer_scale(
    gold: Sequence[LabelColumn],
    answers: Sequence[LabelColumn],
    values: Iterable[float] | None = None,
    *,
    widen: bool = True,
) -> Scale:
    """Return the scale of gold's labels, which integers among the answers make wider if it is one of integers.

    No other answer makes a class: it is not on the scale. With `widen=False` none does. Gold may be in several columns.
    """
    orders = [column.values or () for column in (*gold, *answers) if column.ordered]
    if orders:
        plain = values is None and PLAIN_TEXT.issuperset(map(type, itertools.chain(*orders)))
        return kept_order(*orders) if plain else Scale(agreed_order(orders), values)
    labels, others = seen_in(gold), seen_in(answers)
    if not labels:  # every gold label is missing, which may be allowed
        gold, answers, labels, others = [*gold, *answers], [], others, set()
    own = class_numbers(labels, others)
    whole = [label for label in finite_numbers(others) if isinstance(label, int)] if widen else []
    if all(isinstance(label, bool) for label in (*own, *whole)):
        return Scale([False, True], values)
    if not all(isinstance(label, int) for label in own):
        return Scale(sorted(set(own)), values)
    low, high = int(min([*own, *whole])), int(max([*own, *whole]))
    run = integers(low, high)
    if len(run) > FEW:
        seen = seen_in([*gold, *answers] if widen else gold, ends_only=False)
        occurring = {int(label) for label in finite_numbers(seen) if isinstance(label, int)}
        check_density(low, high, occurring)
    return Scale(run, values, inferred=values is None)


def seen_in(columns: Iterable[LabelColumn], *, ends_only: bool = True) -> set[Any]:
    """Return the labels that occur in columns; with `ends_only`, of whole numbers only the smallest and largest."""
    return set().union(*(column.distinct(ends_only=ends_only) for column in columns))


def finite_numbers(labels: Iterable[Any]) -> list[int | float]:
    """Return those of the labels that are finite numbers or spell one."""
    return [one for one in map(finite_number, labels) if one is not None]


def class_numbers(labels: set[Any], others: set[Any]) -> list[Any]:
    """Return gold's labels as numbers; refuse labels without an order, because an order is never guessed."""
    if not labels:
        raise NoItemsError(
            "there are no items: every label is missing, or there are none. Check the input."
        )
    words = words_among_numbers(labels)
    if words:
        raise words_in_gold(words, min(finite_numbers(labels)))
    numbers: list[Any] = [number(label) if isinstance(label, str) else label for label in labels]
    if any(isinstance(value, float) and math.isinf(value) for value in numbers):
        raise LabelError(
            "a label is infinite; a class is a finite number. Remove it or make it missing (NaN)."
        )
    if any(not isinstance(label, int | float) for label in numbers):
        shown = sorted(labels | others, key=str)
        texts = all(isinstance(label, str) for label in shown)
        kind = by_caller("plain strings", "words") if texts else "not all numbers"
        ordered_type = by_caller(", or an ordered type", "")
        raise ScaleError(
            f"cannot tell the order of the classes {quoted(shown)}: they are {kind}. "
            f"Pass {argument('labels', ...)} lowest first{ordered_type}."
        )
    return numbers


def words_among_numbers(labels: Iterable[Any]) -> list[str]:
    """Return the texts that are not numbers, if the other labels are numbers."""
    every = list(labels)
    words = [label for label in every if isinstance(label, str) and number(label) is None]
    return words if 0 < len(words) == len(every) - len(finite_numbers(every)) < len(every) else []


def words_in_gold(words: Sequence[Any], beside: float, how_many: str = "") -> ScaleError:
    """Return the error for gold labels that are words where the others are numbers."""
    missing = by_caller("None, an empty field", "an empty field")
    return ScaleError(
        f"gold has {quoted(sorted(words))} among numbers such as {beside}, so the order of the classes is not known"
        f"{how_many}. Make such labels missing ({missing}) and pass {argument('gold_missing', 'drop')} to "
        f"leave the items out, or pass {argument('labels', ...)} lowest first if they are classes."
    )


def check_density(low: int, high: int, seen: Iterable[int]) -> None:
    """Refuse a long run of integers of which fewer than half occur: codes and marks are not a run of classes."""
    occurring = sorted(seen)
    size = high - low + 1
    if size <= FEW or 2 * len(occurring) >= size:
        return
    listed: list[Any] = occurring
    if len(occurring) > LISTED:
        listed = [*occurring[: LISTED // 2], ..., occurring[-1]]
    raise ScaleError(
        f"the labels run from {low} to {high}, and only {len(occurring)} of these {size} integers occur: "
        f"{quoted(occurring)}. Pass {argument('labels', listed)} if these are the classes, or list all "
        f"classes, lowest first."
    )
