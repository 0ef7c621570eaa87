"""Patterns of raw labels with counts: what arrays, frames and files become before anything is decided about them.

Items with the same case, gold label and answers are one pattern. There are few of them however many items there are,
so that whatever follows looks at each distinct label once and never at items.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.arguments import is_masked
from ordeval.inputs.weighting import Weighting
from ordeval.labels import MISSING, canonical, is_missing, natural_order, tidy, unboxed

Codes: TypeAlias = npt.NDArray[np.intp]

SMALL_TABLE = 1 << 16  # cells that cost little, however few the items
GOLD = -1  # the side of an example that is not a system's


class ItemOfCase(NamedTuple):
    """An item and its test case, as messages name them."""

    item: Any
    case: Any

    def __repr__(self) -> str:
        return f"{self.item!r} of case {self.case!r}"


# A side and raw labels -> the first few items that have one of them, each with its label.
Examples: TypeAlias = Callable[[int, Sequence[Any]], list[tuple[Any, Any]]]


@dataclass(frozen=True, slots=True)
class RawColumn:
    """One side of the patterns: its distinct labels as they came, and which of them each pattern has."""

    values: Sequence[Any]
    codes: Codes
    tidied: bool = True  # text is read as people mean it, without spaces around it

    @property
    def labels(self) -> list[Any]:
        """The distinct labels in one spelling each, MISSING where there is none."""
        read = tidy if self.tidied else canonical
        return [read(value) for value in self.values]

    @property
    def occurring(self) -> list[int]:
        """The codes that some pattern has, ascending."""
        # not np.unique, which loads masked arrays
        return np.flatnonzero(np.bincount(self.codes)).tolist()

    def used(self, which: npt.NDArray[np.bool_] | None = None) -> list[Any]:
        """Return the raw labels that occur, in all patterns or in some."""
        some = self if which is None else replace(self, codes=self.codes[which])
        return [self.values[code] for code in some.occurring]


@dataclass(frozen=True, slots=True)
class RawPatterns:
    """The patterns of all sides, and how many items each stands for."""

    case: RawColumn | None
    gold: RawColumn
    predicted: Sequence[RawColumn]
    count: Array
    weight: Array | None = None  # the sum of the items' weights, if they are weighted
    weighting: Weighting | None = None  # of these sums
    slices: Mapping[str, RawColumn] = field(default_factory=dict)  # columns of slices, by name


@dataclass(frozen=True, slots=True)
class NullableArray:
    """A column as a database returns it: values, and which of them are null."""

    data: Array
    null: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, array: Any) -> "NullableArray":
        """Take an array apart that may be masked."""
        if is_masked(array):
            return cls(array.data, np.broadcast_to(array.mask, array.shape))
        values = np.asarray(array)
        return cls(values, np.zeros(values.shape, dtype=bool))

    def __getitem__(self, which: npt.NDArray[np.bool_]) -> "NullableArray":
        """Return some of the rows."""
        return NullableArray(self.data[which], self.null[which])

    def filled(self, value: Any) -> Array:
        """Return the values with another in place of null."""
        return np.where(self.null, value, self.data)


def from_objects(values: Iterable[Any]) -> RawColumn:
    """Make a side of Python objects, one for each pattern; NaN of any kind is None."""
    places: dict[Any, int] = {}
    cleaned = (None if is_missing(value) else unboxed(value) for value in values)
    codes = [places.setdefault((type(value), value), len(places)) for value in cleaned]
    return RawColumn([value for _, value in places], np.array(codes, dtype=np.intp))


def from_database(column: NullableArray) -> RawColumn:
    """Make a side of a column that a database returned, one value for each pattern; NaN is None."""
    data, null = column.data, column.null
    if data.dtype.kind not in "iubf":
        pairs = zip(data.tolist(), null.tolist(), strict=True)
        return from_objects(None if absent else value for value, absent in pairs)
    if data.dtype.kind == "f":
        null = null | np.isnan(data)
    distinct, codes = np.unique(data[~null], return_inverse=True)
    every = np.full(data.shape, len(distinct), dtype=np.intp)
    every[~null] = codes
    # A number of single precision is the decimal that it is written as.
    single = data.dtype == np.float32
    values = [float(str(value)) for value in distinct] if single else distinct.tolist()
    return RawColumn([*values, None], every)


def entries_of(column: RawColumn) -> tuple[tuple[Any, ...], Codes]:
    """Return the names that occur in a column of groups, in order, and the place of each pattern's among them.

    A pattern without a name belongs to the entry None, which comes last.
    """
    names = [None if label is MISSING else entry_name(label) for label in column.labels]
    used = {names[code] for code in column.occurring}
    entries = tuple(sorted(used, key=entry_order))
    position = {entry: at for at, entry in enumerate(entries)}
    table = np.array([position.get(name, 0) for name in names], dtype=np.intp)
    return entries, np.asarray(table[column.codes])


def entry_name(label: Any) -> Any:
    """Return one object for every spelling of a group's name."""
    return label.to_pydatetime() if hasattr(label, "to_pydatetime") else label


def entry_order(entry: Any) -> tuple[Any, ...]:
    """Return a key that sorts numbers by value, then texts as people do, then missing names."""
    if entry is None:
        return (2, 0, ())
    if isinstance(entry, int | float):
        return (0, entry, ())
    return (1, 0, natural_order(entry))


def added_up(inverse: Array, size: int, amounts: Array | None) -> Array:
    """Add up the amounts of each group's items; without amounts, count the items."""
    sums = np.bincount(inverse, weights=amounts, minlength=size)
    if amounts is not None and amounts.dtype.kind != "f":  # counts of counts: exact below 2**53
        sums = sums.astype(np.int64)
    return sums


def group(rows: Array, limits: Sequence[int]) -> tuple[Array, Array]:
    """Return the first item of each distinct column of rows[side, item], in ascending order, and each item's group."""
    cells, items = math.prod(limits), rows.shape[1]
    if cells < 2**62:
        key = np.zeros(items, dtype=np.int64)
        for row, limit in zip(rows, limits, strict=True):
            key *= limit
            key += row.astype(np.int64)
        if cells <= max(4 * items, SMALL_TABLE):
            return by_marking(key, cells)
    else:
        wide = np.ascontiguousarray(rows.T.astype(">u4" if max(limits) > 255 else "u1"))
        key = wide.view(f"V{wide.shape[1] * wide.itemsize}").ravel()
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse


def by_marking(key: Array, cells: int) -> tuple[Array, Array]:
    """Return what `np.unique` would, of numbers below `cells`: a mark for each that occurs is faster than sorting."""
    marks = np.zeros(cells, dtype=np.bool_)
    marks[key] = True
    used = np.flatnonzero(marks)
    place = np.empty(cells, dtype=np.intp)
    place[used] = np.arange(len(used))
    inverse = place[key]
    first = np.empty(len(used), dtype=np.intp)
    first[inverse[::-1]] = np.arange(len(key))[::-1]  # the first item of a group is written last
    return first, inverse
