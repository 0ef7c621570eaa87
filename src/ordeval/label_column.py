"""A column of labels in one of two forms, whole numbers or codes into distinct values, and how arrays become one."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import LabelTypeError
from ordeval.labels import MISSING, canonical

CHUNK = 1 << 17  # items that are coded at a time: they stay in a core's own cache
FEW = 64  # distinct values up to which comparing all items with each is faster than looking each item up
FEW_TEXTS = 32  # the same for arrays of text, whose items are compared letter by letter
FEW_OBJECTS = 16  # the same for Python objects, which are compared by identity
SAMPLE = 64  # items that show whether a column shares its objects
MANY = 2000  # objects from which comparing addresses is faster than looking each up
TEXT_SAMPLE = 1000  # items that show whether an array of text has few distinct values
FLOAT_SAMPLE = 256  # items that show most of the distinct values of an array of floats
NO_CODE = 1 << 14
NARROW_RANGE = 1000  # whole numbers between two ends that are told apart without sorting them

# The position of each item's label among the distinct ones, negative where it is missing, and these.
CodedSide: TypeAlias = tuple[Array, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The labels of one side: whole numbers as they are, or the positions of each item's label in `values`.

    A negative position is a missing label. `ordered` says that the values come in the order of the classes,
    `some_unused` that some of them may not occur.
    """

    data: Array
    values: tuple[Any, ...] | None = None
    ordered: bool = False
    some_unused: bool = False

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.data)

    def distinct(self, *, ends_only: bool = True) -> set[Any]:
        """Return the labels that occur, in one spelling each; of whole numbers only the smallest and the largest."""
        if not len(self):
            return set()
        if self.values is None:
            return set(ends(self.data) if ends_only else np.unique(self.data).tolist())
        used = self.occurring() if self.some_unused else self.values
        unhashable = next((label for label in used if not hashable(label)), None)
        if unhashable is not None:
            raise LabelTypeError(
                f"the label {unhashable!r:.60} is a {type(unhashable).__name__}, which cannot be a class; a label is "
                f"a number, a string or a boolean."
            )
        return {canonical(label) for label in used} - {MISSING}

    def occurring(self) -> Sequence[Any]:
        """Return those of the values that occur."""
        values = self.values or ()
        if len(values) <= FEW:
            return [value for code, value in enumerate(values) if (self.data == code).any()]
        counts = np.bincount(self.data[self.data >= 0].astype(np.intp, copy=False))
        return [values[code] for code in np.flatnonzero(counts).tolist()]

    def coded(self, *, as_is: bool = False) -> CodedSide:
        """Return the position of each label among the distinct ones, negative where it is missing, and these.

        `as_is` says that whole numbers from 0 need not be copied, as each is its own position.
        """
        if self.values is not None:
            return self.data, self.values
        from_0 = as_is and not np.minimum.reduce(self.data[:CHUNK])  # as far as can be seen
        codes: Array = np.empty(0 if from_0 else len(self.data), dtype=np.int8)
        low, high = ends(self.data, codes)
        if high - low < NARROW_RANGE:
            if from_0 and low == 0:
                return self.data, range(high + 1)
            # A narrow type loses what does not fit, and subtracting the lowest label brings it back.
            narrow = np.min_scalar_type(low - high - 1)
            if from_0 or narrow != codes.dtype:
                codes = self.data.astype(narrow)
            lowest = np.array(low, dtype=self.data.dtype).astype(codes.dtype)
            if lowest:
                codes -= lowest
            return codes, range(low, high + 1)
        values, codes = np.unique(self.data, return_inverse=True)
        return codes, values.tolist()

    def only(self, kept: Array) -> "LabelColumn":
        """Return the labels of some of the items."""
        return replace(self, data=self.data[kept], some_unused=True)

    def item(self, at: int) -> Any:
        """Return the label of one item as it came; None where it is missing."""
        if self.values is None:
            return self.data[at].item()
        code = int(self.data[at])
        return None if code < 0 else self.values[code]


def ends(numbers: Array, narrow: Array | None = None) -> tuple[int, int]:
    """Return the smallest and the largest of whole numbers, both from one pass through memory.

    On the way the numbers are copied into a narrow array, if there is one; what does not fit loses its upper bits.
    """
    found = []
    for start in range(0, len(numbers), CHUNK):
        chunk = numbers[start : start + CHUNK]
        found.append((np.minimum.reduce(chunk), np.maximum.reduce(chunk)))
        if narrow is not None and len(narrow):
            np.copyto(narrow[start : start + CHUNK], chunk, casting="unsafe")
    return int(min(low for low, _ in found)), int(max(high for _, high in found))


def from_floats(labels: Array) -> LabelColumn:
    """Read an array of floats, NaN where a label is missing: a few distinct values by comparing all items with each."""
    codes = np.empty(len(labels), dtype=np.int8)
    values = np.unique(labels[:FLOAT_SAMPLE])
    values = values[values == values][:FEW]  # noqa: PLR0124 - NaN alone differs from itself
    for start in range(0, len(labels), CHUNK):
        chunk, part = labels[start : start + CHUNK], codes[start : start + CHUNK]
        compare_with(values, 0, chunk, part)
        if part.min() >= 0:
            continue
        others = chunk[(part < 0) & ~np.isnan(chunk)]
        if others.size:
            fresh = np.unique(others)
            if len(values) + len(fresh) > FEW:
                return from_many_floats(labels)
            compare_with(fresh, len(values), chunk, part)
            values = np.concatenate([values, fresh])
    return LabelColumn(codes, decimals(values))


def decimals(values: Array) -> tuple[Any, ...]:
    """Return floats as Python's; a number of single or half precision is the decimal that it is written as."""
    if values.dtype.itemsize < 8:
        return tuple(float(str(value)) for value in values)
    return tuple(values.tolist())


def compare_with(values: Array, first: int, chunk: Array, codes: Array) -> None:
    """Write the codes, counted from `first`, of the items that are equal to one of the values."""
    if not first:
        codes.fill(-1)
    same = np.empty(len(chunk), dtype=np.bool_)
    one = same.view(np.int8)
    # Adding 0 or 1 times a number is much faster than writing where a mask says.
    for code, value in enumerate(values, first + 1):
        np.equal(chunk, value, out=same)
        codes += one * np.int8(code)


def from_many_floats(labels: Array) -> LabelColumn:
    """Read an array of floats with many distinct values, by sorting."""
    defined = ~np.isnan(labels)
    values, inverse = np.unique(labels[defined], return_inverse=True)
    codes = np.full(len(labels), -1, dtype=np.intp)
    codes[defined] = inverse
    return LabelColumn(codes, decimals(values))


def from_hashing(labels: list[Any]) -> LabelColumn:
    """Read Python objects by looking each up; if the items share a few objects, these are found by identity."""
    lookup = CodeOfLabel()
    codes = np.empty(len(labels), dtype=np.int32)
    for start in range(0, len(labels), CHUNK):
        chunk = labels[start : start + CHUNK]
        part = codes[start : start + len(chunk)]
        many = len(chunk) > MANY and len(lookup.labels) < NO_CODE
        shared = {id(label): label for label in chunk[:SAMPLE]} if many else {}
        if many and len(shared) <= FEW_OBJECTS:
            part[:] = lookup.by_identity(chunk, list(shared.values()))
        else:
            part[:] = lookup.codes(chunk)
    return LabelColumn(codes, tuple(lookup.labels))


class CodeOfLabel(dict[Any, bytes]):
    """From a label to its code, as the four bytes of a number; a label met for the first time gets the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[Any] = []

    def __missing__(self, label: Any) -> bytes:
        if canonical(label) is MISSING:  # not kept: every NaN may be another object
            return (-1).to_bytes(4, sys.byteorder, signed=True)
        return self.setdefault(label, self.next_code(label))

    def next_code(self, label: Any) -> bytes:
        """Return the next code, for a label that has none."""
        self.labels.append(label)
        return (len(self.labels) - 1).to_bytes(4, sys.byteorder)

    def codes(self, labels: list[Any]) -> Array:
        """Return the code of each label: the bytes of all, joined, are the array."""
        try:
            joined = b"".join(map(self.__getitem__, labels))
        except TypeError:
            joined = b"".join(map(self.careful_code, labels))
        return np.frombuffer(joined, dtype=np.int32)

    def careful_code(self, label: Any) -> bytes:
        """Return a label's code; what cannot be looked up (a list, a NumPy integer beside its Decimal) gets its own."""
        try:
            return self[label]
        except TypeError:
            return self.next_code(label)

    def by_identity(self, labels: list[Any], shared: list[Any]) -> Array:
        """Return the code of each label, if all are one of the shared objects; else look all up.

        NumPy keeps the addresses of objects. They are compared as numbers and never followed, and since the shared
        objects are held meanwhile, no other object can have their address.
        """
        objects = np.fromiter(labels, dtype=object, count=len(labels))
        addresses = np.asarray(Addresses(objects))
        codes = np.full(len(labels), NO_CODE, dtype=np.int16)
        same = np.empty(len(labels), dtype=np.bool_)
        for label, code in zip(shared, self.codes(shared).tolist(), strict=True):
            np.equal(addresses, id(label), out=same)
            codes -= same * np.int16(NO_CODE - code)
        return self.codes(labels) if (codes == NO_CODE).any() else codes


class Addresses:
    """An array of objects, seen by NumPy as an array of where they lie in memory."""

    def __init__(self, objects: Array) -> None:
        self.objects = objects  # kept alive with this
        interface = objects.__array_interface__
        self.__array_interface__ = {
            "version": interface["version"],
            "typestr": np.dtype(np.intp).str,
            "shape": interface["shape"],
            "data": interface["data"],
        }


def hashable(label: object) -> bool:
    """Tell whether a label can be looked up at all."""
    try:
        hash(label)
    except TypeError:
        return False
    return True


def from_text(labels: Any) -> LabelColumn:
    """Read an array of text: a few distinct values by comparing all items with each."""
    codes = np.full(len(labels), -1, dtype=np.int8)
    categories: list[Any] = []
    varied = len(set(labels[:TEXT_SAMPLE].tolist())) > FEW_TEXTS
    while (codes < 0).any():
        if varied or len(categories) == FEW_TEXTS:
            return from_hashing(labels.tolist())
        label = labels[np.argmin(codes)]  # the first without a code
        codes[labels == label] = len(categories)
        categories.append(label.item())
    return LabelColumn(codes, tuple(categories))
