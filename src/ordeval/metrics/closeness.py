"""Closeness: an answer earns more the fewer gold items lie between it and the true class (Amigó et al. 2020)."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from ordeval.arguments import is_choice
from ordeval.errors import NoItemsError, ParameterError, TableError
from ordeval.inputs.crosstabs import named_amounts
from ordeval.inputs.named_counts import by_class
from ordeval.metrics import float_range
from ordeval.metrics.core import (
    Counts,
    Values,
    add,
    beyond_cache,
    cached_rows,
    diagonal,
    with_missed,
)
from ordeval.metrics.registry import metric, paper_marks
from ordeval.scale import Scale
from ordeval.table import Table
from ordeval.table.checks import as_counts, as_numbers
from ordeval.table.mass import bits, interval_mass, nominal_mass, ordinal_mass, ordinal_mass_of_rows
from ordeval.vocabulary import Family, ScaleType

ScaleTypeName: TypeAlias = Literal["nominal", "ordinal", "interval"]
RATIO = r"\frac{\sum_d \mathrm{prox}(s(d), g(d))}{\sum_d \mathrm{prox}(g(d), g(d))}"
Worth: TypeAlias = Callable[[Values, Values], Values]
BITS = r"\mathrm{prox}(a, b) = -\log_2 \frac{\mathrm{mass}(a, b)}{N}"


def finite_bits(mass: Values, rest: Values) -> Values:
    """Return the bits, finite even where there is no mass: no item of an empty class can earn them."""
    return bits(np.maximum(mass, no_mass(mass.dtype)), rest)


@lru_cache(maxsize=8)
def no_mass(number: np.dtype[Any]) -> Any:
    """Return a number that replaces a mass of 0: far below any weight that a kernel sees, with finite bits."""
    return number.type(np.finfo(number).tiny) ** 0.75


def shares(mass: Values, rest: Values) -> Values:
    """Return the share of items that are farther away: closeness without the logarithm."""
    return np.asarray(rest / (mass + rest))


def closeness(counts: Counts, worth: Values, gold: Values) -> Values:
    """Return what the answers earn, divided by what the right answers would earn.

    Rows are summed first, in both numerator and denominator, so that a perfect output gives 1 exactly.
    """
    earned = add(add(counts * worth, axis=-1), axis=-1)
    return np.asarray(earned / add(gold * diagonal(worth), axis=-1))


def ordinal_closeness(counts: Counts, worth_of: Worth, gold: Values, weighing: Values) -> Values:
    """Return the closeness on an ordinal scale: of large tables a few rows at a time, which stay in the cache.

    What an answer is worth, `worth_of(mass, rest)`, follows from the classes that closeness is measured by. Every row
    has the same sum, however many are computed together.
    """
    if not beyond_cache(counts):
        return closeness(counts, worth_of(*ordinal_mass(weighing)), gold)
    earned, right = np.empty_like(gold), np.empty(weighing.shape, weighing.dtype)
    for rows in cached_rows(counts):
        worth = worth_of(*ordinal_mass_of_rows(weighing, rows))
        earned[..., rows] = add(counts[..., rows, :] * worth, axis=-1)
        right[..., rows] = worth.diagonal(rows.start, -2, -1)
    return np.asarray(add(earned, axis=-1) / add(gold * right, axis=-1))


def gold_and_reference(
    counts: Counts, unanswered: Counts | None, reference: Values | None
) -> tuple[Values, Values]:
    """Return the gold counts, and the class counts by which closeness is measured."""
    gold = with_missed(add(counts, axis=-1), unanswered)
    return gold, gold if reference is None else reference


@metric(
    family=Family.CLOSENESS,
    scale_type=ScaleType.ORDINAL,
    formula=rf"{RATIO}, \quad {BITS}, \quad "
    r"\mathrm{mass}(a, b) = \tfrac{n_a}{2} + \sum_{x \text{ between } a \text{ and } b} n_x + [a \ne b]\, n_b",
    references=("amigo2020",),
    claims=paper_marks(True, True, True),
)
def cem_ord(
    counts: Counts, *, unanswered: Counts | None = None, reference: Values | None = None
) -> Values:
    """Closeness evaluation measure: an answer earns more the fewer gold items lie between it and the true class.

    Two classes are close if few gold items lie between them. So an error across a frequent class costs more than one
    across a rare class, and a right answer in a rare class earns more than one in a frequent class. No distances
    between classes are assumed.

    With 2, 1 and 1 gold items the right answers earn 2, 3 and 3 bits, and the answer 2 for class 1 earns
    -log2((1/2 + 2) / 4) = 0.678: (2 + 0.678 + 3 + 3) / (2 + 2 + 3 + 3).

    >>> round(cem_ord([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8678
    """
    gold, weighing = gold_and_reference(counts, unanswered, reference)
    return ordinal_closeness(counts, finite_bits, gold, weighing)


@metric(
    family=Family.CLOSENESS,
    scale_type=ScaleType.NOMINAL,
    formula=rf"{RATIO}, \quad {BITS}, \quad \mathrm{{mass}}(a, b) = n_b \text{{ if }} a = b, \text{{ else }} N",
    references=("amigo2020",),
    undefined_when="gold has only one class, so a right answer gives no information",
    claims=paper_marks(True, False, True),
)
def cem_nom(
    counts: Counts, *, unanswered: Counts | None = None, reference: Values | None = None
) -> Values:
    """Closeness on a nominal scale: a right answer earns more in a rare class, and a wrong answer earns nothing.

    It equals accuracy if all classes are equally frequent.

    With 2, 1 and 1 gold items the right answers earn 1, 2 and 2 bits: (1 + 0 + 2 + 2) / (1 + 1 + 2 + 2).

    >>> round(cem_nom([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8333
    """
    gold, weighing = gold_and_reference(counts, unanswered, reference)
    return closeness(counts, finite_bits(*nominal_mass(weighing)), gold)


@metric(
    family=Family.CLOSENESS,
    scale_type=ScaleType.INTERVAL,
    formula=rf"{RATIO}, \quad {BITS}, \quad "
    r"\mathrm{mass}(a, b) = \sum_{x : |v_x - v_b| \le |v_a - v_b|} n_x - \tfrac{n_a}{2}",
    references=("amigo2020",),
    claims=paper_marks(False, True, True),
)
def cem_int(
    counts: Counts,
    *,
    values: Values,
    unanswered: Counts | None = None,
    reference: Values | None = None,
) -> Values:
    """Closeness on an interval scale: an answer earns more the fewer gold items have a value at least as near to gold.

    Values on both sides of the gold value count.

    With 2, 1 and 1 gold items at 1, 2 and 3, the items at 1 and 2 are at least as near to 1 as the answer 2 is, so
    this answer earns -log2((3 - 1/2) / 4) = 0.678 bits. The right answers earn 2, 3 and 3 bits.

    >>> round(cem_int([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8678
    """
    gold, weighing = gold_and_reference(counts, unanswered, reference)
    return closeness(counts, finite_bits(*interval_mass(weighing, values)), gold)


@metric(
    family=Family.CLOSENESS,
    scale_type=ScaleType.ORDINAL,
    formula=rf"{RATIO}, \quad \mathrm{{prox}}(a, b) = 1 - \frac{{\mathrm{{mass}}(a, b)}}{{N}}",
    references=("amigo2020",),
)
def cem_ord_flat(
    counts: Counts, *, unanswered: Counts | None = None, reference: Values | None = None
) -> Values:
    """Closeness without the logarithm: an answer earns the share of items that are farther from gold than it is.

    The paper uses it as a control: it counts the same items as `cem_ord`, as shares instead of bits.

    With 2, 1 and 1 gold items: (0.75 + 0.375 + 0.875 + 0.875) / (0.75 + 0.75 + 0.875 + 0.875).

    >>> round(cem_ord_flat([1, 1, 2, 3], [1, 2, 2, 3]), 4)
    0.8846
    """
    gold, weighing = gold_and_reference(counts, unanswered, reference)
    return ordinal_closeness(counts, shares, gold, weighing)


def expected_closeness(
    counts: Counts, reference: Values | None, unanswered: Counts | None = None
) -> Values:
    """Return the ordinal closeness of soft counts: each item is spread over the classes by its probabilities."""
    gold, weighing = gold_and_reference(counts, unanswered, reference)
    return ordinal_closeness(counts, finite_bits, gold, weighing)


class Proximity:
    """The function `proximity`, as an object because it has a `from_counts`, too."""

    def __init__(self) -> None:
        self.__name__ = self.__qualname__ = "proximity"
        self.__doc__ = type(self).__call__.__doc__
        self.__signature__ = inspect.signature(self.__call__)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Return the object itself. `help` and Sphinx take an object with this method for a function."""
        return self

    def __call__(
        self,
        y_true: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        sample_weight: Any = None,
        count: Any = None,
        scale_type: ScaleTypeName | ScaleType = "ordinal",
    ) -> Values:
        """Return the proximity of every predicted class to every gold class in bits, gold in rows.

        Gold is a column of labels, or the gold labels of a `Table`. An empty class is infinitely close to itself,
        because it has no items.

        With 2, 1 and 1 gold items the answer 1 for class 2 earns -log2((2/2 + 1) / 4) = 1 bit.

        >>> oe.proximity([1, 1, 2, 3]).round(2).tolist()
        [[2.0, 0.68, 0.19], [1.0, 3.0, 1.42], [0.42, 1.42, 3.0]]
        """
        if isinstance(y_true, Table):
            gold = y_true.scaled.gold
            return self.from_counts(gold, values=y_true.scale.values, scale_type=scale_type)
        # it is read on both sides
        column = list(y_true) if isinstance(y_true, Iterator) else y_true
        table = Table.from_labels(
            column, column, labels=labels, values=values, sample_weight=sample_weight, count=count
        )
        return self(table, scale_type=scale_type)

    def from_counts(
        self,
        gold_counts: Any,
        *,
        labels: Iterable[Any] | None = None,
        values: Any = None,
        scale_type: ScaleTypeName | ScaleType = "ordinal",
    ) -> Values:
        """Return the same matrix from gold counts[..., class], with the same leading axes.

        A mapping or a Series of pandas, such as `value_counts` gives, is read by its names; names that are not numbers
        need `labels`, lowest first.

        >>> oe.proximity.from_counts([2, 1, 1]).round(2).tolist()
        [[2.0, 0.68, 0.19], [1.0, 3.0, 1.42], [0.42, 1.42, 3.0]]
        """
        named = named_amounts(gold_counts)
        if named is not None:
            scale = Scale.infer([name for name, _ in named], labels=labels, values=values)
            gold_counts, values = by_class(named, scale), scale.values
        gold = as_counts(gold_counts, "gold_counts")
        if gold.ndim == 0 or gold.shape[-1] == 0:
            raise TableError(
                f"gold_counts has shape {gold.shape}; it must have one count for each class."
            )
        if not gold.any(axis=-1).all():
            raise NoItemsError(
                "there are no items: the gold counts are all 0, so no class is close to another."
            )
        k = gold.shape[-1]
        numbers: Any = as_numbers(range(k) if values is None else values, "values")
        if numbers.shape != (k,) or not (numbers[1:] > numbers[:-1]).all():
            raise TableError(
                f"values is {values!r:.60}; it must have {k} strictly increasing numbers, one for each class."
            )
        if not is_choice(scale_type, set(ScaleType)):
            raise ParameterError(
                f"scale_type={scale_type!r:.60} is not one of {', '.join(ScaleType)}."
            )
        interval = scale_type == ScaleType.INTERVAL
        exponent, number = float_range.number_type(numbers if interval else None, gold)
        if number is None:
            return np.full((*gold.shape, k), np.nan)
        gold, numbers = gold.astype(number), np.ldexp(numbers.astype(number), -exponent)
        match ScaleType(scale_type):
            case ScaleType.ORDINAL:
                mass, rest = ordinal_mass(gold)
            case ScaleType.NOMINAL:
                mass, rest = nominal_mass(gold)
            case ScaleType.INTERVAL:
                mass, rest = interval_mass(gold, numbers)
        with np.errstate(divide="ignore"):
            return bits(mass, rest).astype(np.float64)


proximity = Proximity()
