"""How much an item matters (its weight), and how many items a row stands for (its count).

A sum of weights does not show how many items it has. So a `Weighting` accompanies all sums of weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.columns import as_array
from ordeval.errors import LabelError, LabelTypeError, NoItemsError, argument

EXACT = 2**53  # floating-point numbers hold every whole number below it
SQUARABLE = 400  # a weight between 2**-400 and 2**400 can be squared and summed without loss

Groups = TypeVar("Groups")


@dataclass(frozen=True, slots=True, eq=False)
class Weighting:
    """What sums of weights do not tell: how many items each is made of, and the sum of their squared weights.

    Both arrays have the shape of the sums. An item of weight 0 does not matter, so it is not counted. The squares are
    in units of 4**`unit`; that is 0 unless they would be too large or too small for a floating-point number.
    """

    items: Array
    squares: Array
    unit: int = 0

    def __post_init__(self) -> None:
        """Close both arrays to changes: they were made here, and nobody else holds them."""
        self.items.setflags(write=False)
        self.squares.setflags(write=False)

    @classmethod
    def of_counts(cls, counts: Array) -> "Weighting":
        """Return the weighting of items that all have weight 1."""
        return cls(counts, counts.astype(np.float64))

    def mapped(self, function: Callable[[Array], Array]) -> "Weighting":
        """Return the weighting of other sums, made by applying a function to both arrays."""
        return Weighting(function(self.items), function(self.squares), self.unit)

    def in_unit(self, unit: int) -> "Weighting":
        """Return the same weighting with squares in units of 4**unit."""
        return Weighting(self.items, np.ldexp(self.squares, 2 * (self.unit - unit)), unit)

    def equals(self, other: "Weighting") -> bool:
        """Tell whether the items and the squares of two weightings are the same."""
        unit = max(self.unit, other.unit)
        a, b = self.in_unit(unit), other.in_unit(unit)
        return np.array_equal(a.items, b.items) and np.array_equal(a.squares, b.squares)


def unit_of(largest: float) -> int:
    """Return the power of two in which the largest of all weights is to be squared."""
    exponent = int(np.frexp(largest)[1])
    return 0 if abs(exponent) <= SQUARABLE else max(exponent, -1000)  # 2**1000 is a number, too


class Totals(NamedTuple):
    """What the rows of each group add up to: items, and, if they have weights, the weights of these."""

    size: Array  # the number of items, those of weight 0 too
    weight: Array | None = None
    weighting: Weighting | None = None

    def of(self, which: npt.NDArray[np.bool_]) -> "Totals":
        """Return the totals of some of the groups."""
        weight = None if self.weight is None else self.weight[which]
        weighting = self.weighting and self.weighting.mapped(lambda amounts: amounts[which])
        return Totals(self.size[which], weight, weighting)


@dataclass(frozen=True, slots=True)
class RowWeights:
    """How many items each row stands for, and the weight of each of them; None where it is 1."""

    count: Array | None
    weight: Array | None
    unit: int = 0
    some_zero: bool = False  # whether some weights are 0

    def addends(self, part: slice = slice(None)) -> list[Array]:
        """Return what is to be added up over a stretch of rows; `totals` takes the sums in the same order."""
        count = None if self.count is None else self.count[part]
        addends = [] if count is None else [count]
        if self.weight is None:
            return addends
        weight = self.weight[part]
        scaled = np.ldexp(weight, -self.unit) if self.unit else weight
        addends += [weight, scaled * scaled]
        if self.some_zero:
            addends.append((weight > 0).astype(np.float64))
        if count is not None:
            addends[1:] = [count * addend for addend in addends[1:]]
        return addends

    def totals(self, sums: Sequence[Array], rows: Array) -> Totals:
        """Return what each group adds up to, from the sums of the addends and the number of its rows."""
        left = iter(sums)
        count = rows if self.count is None else next(left).astype(np.int64)
        if self.weight is None:
            return Totals(count)
        weight, squares = next(left), next(left)
        items = next(left).astype(np.int64) if self.some_zero else count
        return Totals(count, weight, Weighting(items, squares, self.unit))

    def __getitem__(self, which: npt.NDArray[np.bool_]) -> "RowWeights":
        """Return the counts and the weights of some of the rows."""
        count, weight = (None if a is None else a[which] for a in (self.count, self.weight))
        return RowWeights(count, weight, self.unit, self.some_zero)


@dataclass(frozen=True, slots=True)
class SumColumns:
    """The columns of weights and of counts in a frame or a file, of which an engine adds up each group.

    An engine answers, for a column of counts: how many are there, the least, the sum, the largest distance from a whole
    number; for one of weights: how many are there, the least, the sums of weights and of squares, and, if some weights
    are 0, the number of items of the others.
    """

    weight: str | None = None
    count: str | None = None
    unit: int = 0  # as in `Weighting`
    some_zero: bool = False  # whether some weights are 0

    def added_up(
        self, ask: "Callable[[SumColumns], tuple[Groups, Array, Array]]"
    ) -> "tuple[Groups, npt.NDArray[np.bool_], Totals]":
        """Ask an engine; return the groups that came, which of them have items, and what these items add up to.

        It gives the groups, how many rows each has, and answers[question, group]. It is asked again if some weights
        turn out to be 0, or their squares to leave the range of floating-point numbers: both are rare.
        """
        groups, rows, answers = ask(self)
        totals, better = self.totals(rows, answers)
        if better != self:
            return better.added_up(ask)
        some = totals.size > 0  # a row of count 0 is no row
        if not some.any():
            raise no_count()
        return groups, some, totals.of(some)

    def totals(self, rows: Array, answers: Array) -> "tuple[Totals, SumColumns]":
        """Check an engine's answers; return what the items of each group add up to, and what should have been asked."""
        left, count = iter(answers), rows
        if self.count is not None:
            counted, fewest, count, fraction = (next(left) for _ in range(4))
            if not ((counted == rows) & (fewest >= 0) & (fraction == 0) & np.isfinite(count)).all():
                raise LabelError(
                    f"column {self.count!r} holds a count that is missing, negative or not whole; a count is a whole "
                    f"number, 0 or more. Pass {argument('weight')} to say how much an item matters."
                )
            check_total(count.sum())
        if self.weight is None:
            return Totals(count.astype(np.int64)), self
        weighed, lightest, weight, squares = (next(left) for _ in range(4))
        if not ((weighed == rows) & (lightest >= 0) & np.isfinite(weight)).all():
            raise LabelError(
                f"column {self.weight!r} holds a weight that is missing, negative or not finite; a weight is a finite "
                f"number, 0 or more."
            )
        items = next(left, count).astype(np.int64)
        totals = Totals(count.astype(np.int64), weight, Weighting(items, squares, self.unit))
        some_zero = not bool(lightest.all())
        return totals, replace(self, unit=unit_of(weight.max()), some_zero=some_zero)


def read_rows(
    sample_weight: Any, count: Any, n: int
) -> tuple[RowWeights | None, npt.NDArray[np.bool_] | None]:
    """Read the weights and counts of n rows, None if there are neither; and which rows stand for an item, None if all.

    Weights and counts are those of the rows that stand for an item.
    """
    if sample_weight is None and count is None:
        return None, None
    weight, unit, some_zero = None, 0, False
    if sample_weight is not None:
        weight = read_weight(sample_weight, n)
        unit, some_zero = unit_of(np.maximum.reduce(weight)), not np.minimum.reduce(weight)
    times = None if count is None else read_count(count, n)
    rows = RowWeights(times, weight, unit, some_zero)
    if times is None or times.all():
        return rows, None
    if not times.any():
        raise no_count()
    kept = times > 0
    return rows[kept], kept


def read_weight(weight: Any, n: int) -> Array:
    """Check sample weights: one finite number for each item, none negative."""
    weights = as_column(weight, n, "sample_weight", "a weight is 0 or more")
    # NaN is the least and the largest of whatever it is among
    if n and not (np.minimum.reduce(weights) >= 0 and np.maximum.reduce(weights) < np.inf):
        at = int(np.argmin(np.isfinite(weights) & (weights >= 0)))
        raise LabelError(
            f"the weight of item {at} is {weights[at]}; a weight is a finite number, 0 or more."
        )
    with np.errstate(over="ignore"):
        total = np.add.reduce(weights)
    if not np.isfinite(total):
        raise LabelError(
            f"the weights, up to {weights.max():g}, are too large to be added up. Divide all by one number: only "
            f"their ratios matter."
        )
    return weights


def read_count(count: Any, n: int) -> Array:
    """Check how many items the rows stand for: one whole number for each row, 0 or more."""
    counts = as_column(count, n, "count", "a count is a whole number, 0 or more")
    fits = (counts >= 0) & (counts == np.floor(counts)) & (counts < np.inf)
    if not fits.all():
        at = int(np.argmin(fits))
        raise LabelError(
            f"the count of row {at} is {counts[at]:g}; a count is a whole number, 0 or more. Pass "
            f"{argument('sample_weight')} to say how much an item matters."
        )
    check_total(np.add.reduce(counts))
    return counts


def no_count() -> NoItemsError:
    """Return the error for rows none of which stands for an item."""
    return NoItemsError("there are no items: every count is 0. Pass at least one count above 0.")


def check_total(total: float) -> None:
    """Refuse counts that add up to more than can be counted exactly."""
    if total >= EXACT:
        raise LabelError(f"the counts add up to {total:g} items; there may be fewer than 2**53.")


def as_column(numbers: Any, n: int, name: str, rule: str) -> Array:
    """Return what should be one number for each of n items as float64."""
    try:
        column = as_array(numbers)
        if column.dtype.kind != "c":  # NumPy would let go of the imaginary part
            column = column.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise LabelTypeError(
            f"{name} is {numbers!r:.60}; it must hold one number for each item."
        ) from None
    if column.dtype.kind == "c":
        raise LabelTypeError(f"{name} is {numbers!r:.60}, complex numbers; {rule}.")
    if column.shape != (n,):
        raise LabelError(
            f"{name} has shape {column.shape}; it must hold one number for each of {n} items."
        )
    return column
