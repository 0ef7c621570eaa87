"""One column of labels of any library, in one of two forms: whole numbers, or codes into distinct values.

Columns of pandas, polars and Arrow are recognised by what they can do, so none of these libraries is imported.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import LabelError, LabelTypeError
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
            numbers = [self.data.min(), self.data.max()] if ends_only else np.unique(self.data)
            return {number.item() for number in numbers}
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

    def coded(self) -> CodedSide:
        """Return the position of each label among the distinct ones, negative where it is missing, and these."""
        if self.values is not None:
            return self.data, self.values
        low, high = int(self.data.min()), int(self.data.max())
        if high - low < NARROW_RANGE:
            wide = self.data.dtype if self.data.dtype.kind == "u" else np.dtype(np.int64)
            codes = np.empty(len(self.data), dtype=np.min_scalar_type(low - high - 1))
            # computed in the wide type, a cache full at a time, and kept in the narrowest
            np.subtract(self.data, wide.type(low), out=codes, dtype=wide, casting="unsafe")
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


def read_column(labels: Any, name: str) -> LabelColumn:
    """Read a column of labels; `name` is what errors call it."""
    if type(labels) is not np.ndarray:
        labels = unwrap(labels, name)
        if isinstance(labels, LabelColumn):
            return labels
    if labels.ndim != 1:
        raise LabelError(
            f"{name} has {labels.ndim} dimensions (shape {labels.shape}); labels are one-dimensional, one for each "
            f"item. Pass a single column."
        )
    kind = labels.dtype.kind
    if kind in "iu":
        return LabelColumn(labels)
    if kind == "b":
        return LabelColumn(labels.view(np.uint8), (False, True), some_unused=True)
    if kind == "f":
        return from_floats(labels)
    if kind in "US":
        return from_text(labels)
    if kind in "OT":
        return from_hashing(labels.tolist())
    raise LabelTypeError(
        f"{name} has dtype {labels.dtype}, which cannot be a class; labels are numbers, strings or booleans. "
        f"Convert the column first."
    )


def unwrap(labels: Any, name: str) -> Any:
    """Return a NumPy array or a finished column for whatever holds labels."""
    module = type(labels).__module__.partition(".")[0]
    if module == "pandas":
        return from_pandas(labels)
    if module == "polars":
        return from_polars(labels)
    if module == "pyarrow":
        return from_arrow(labels)
    if isinstance(labels, np.ma.MaskedArray):
        return from_masked(labels)
    if hasattr(labels, "__array__"):
        return np.asarray(labels)
    # a set has no order in which its labels could line up with the items
    unfit = isinstance(labels, str | bytes | dict | set | frozenset)
    if unfit or not isinstance(labels, Iterable):
        raise LabelTypeError(
            f"{name} is {labels!r:.60}, a {type(labels).__name__}; it must hold one label for each item. "
            f"Pass a list, an array or a column."
        )
    return from_objects(labels if isinstance(labels, list) else list(labels), name)


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
    return LabelColumn(codes, tuple(values.tolist()))


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
    return LabelColumn(codes, tuple(values.tolist()))


def from_hashing(labels: list[Any]) -> LabelColumn:
    """Read Python objects by looking each up; where the items share a few objects, these are told apart by identity."""
    lookup = CodeOfLabel()
    codes = np.empty(len(labels), dtype=np.int32)
    for start in range(0, len(labels), CHUNK):
        chunk = labels[start : start + CHUNK]
        part = codes[start : start + len(chunk)]
        shared = {id(label): label for label in chunk[:SAMPLE]}
        if len(chunk) > MANY and len(shared) <= FEW_OBJECTS and len(lookup.labels) < NO_CODE:
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


def from_masked(labels: Any) -> Any:
    """Read a masked array: masked items are missing."""
    if labels.ndim != 1 or not labels.mask.any():
        return np.asarray(labels)
    if labels.dtype.kind in "iuf":
        return labels.astype(np.float64).filled(np.nan)
    objects = labels.data.astype(object)
    objects[labels.mask] = None
    return objects


def from_objects(labels: list[Any], name: str) -> Any:
    """Return numbers as an array, and everything else as a finished column."""
    text = bool(labels) and type(labels[0]) is str  # then no array of numbers can come of it
    types = {str} if text else set(map(type, labels))
    if types == {bool}:
        return np.array(labels, dtype=bool)
    if types <= {int, bool}:
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            return from_hashing(labels)
    if types <= {int, float, bool}:
        try:
            return np.array(labels, dtype=np.float64)
        except OverflowError:
            return from_hashing(labels)
    if any(issubclass(kind, list | tuple | np.ndarray | dict | set) for kind in types):
        at = next(
            i
            for i, label in enumerate(labels)
            if isinstance(label, list | tuple | np.ndarray | dict | set)
        )
        raise LabelTypeError(
            f"{name} holds {labels[at]!r:.60} at item {at}, a {type(labels[at]).__name__}; a label is a number, a "
            f"string or a boolean. Pass one label for each item."
        )
    return from_hashing(labels)


def from_pandas(labels: Any) -> Any:
    """Read a pandas Series, Index, Categorical or extension array."""
    dtype: Any = getattr(labels, "dtype", None)
    if getattr(dtype, "categories", None) is not None and hasattr(dtype, "ordered"):
        # A Series holds an array that has its codes at hand; the accessor `cat` would wrap them anew.
        holder = getattr(labels, "array", labels)
        return LabelColumn(
            np.asarray(holder.codes),
            tuple(dtype.categories.tolist()),
            bool(dtype.ordered),
            some_unused=True,
        )
    kind = getattr(dtype, "kind", "O")
    if kind in "iubf" and not isinstance(dtype, np.dtype):
        return from_extension(labels, kind)
    if kind in "iubf" or not hasattr(labels, "factorize") or getattr(labels, "ndim", 1) != 1:
        return np.asarray(labels)
    try:
        codes, categories = labels.factorize()
    except TypeError:  # something unhashable, which hashing names
        return from_hashing(labels.tolist())
    return LabelColumn(np.asarray(codes), tuple(categories.tolist()))


def from_extension(labels: Any, kind: str) -> Any:
    """Read numbers of a pandas extension type, which may hold NA."""
    missing = np.asarray(labels.isna())
    if missing.any() and kind == "b":
        return labels.to_numpy(dtype=object, na_value=None)
    if missing.any() or kind == "f":
        return labels.to_numpy(dtype=np.float64, na_value=np.nan)
    return labels.to_numpy(
        dtype=np.int64 if kind == "i" else np.dtype(kind + ("8" if kind == "u" else "1"))
    )


def from_polars(labels: Any) -> Any:
    """Read a polars Series."""
    dtype: Any = getattr(labels, "dtype", None)
    kind = type(dtype).__name__
    if kind in {"Enum", "Categorical"}:
        codes = labels.to_physical()
        codes = (codes.cast(int).fill_null(-1) if labels.null_count() else codes).to_numpy()
        if kind == "Enum":
            return LabelColumn(codes, tuple(dtype.categories.to_list()), ordered=True)
        seen = labels.drop_nulls().unique()  # the categories of other columns have codes, too
        places = seen.to_physical().cast(int).to_numpy()
        order = np.argsort(places)
        dense = np.where(codes < 0, -1, np.searchsorted(places[order], codes))
        return LabelColumn(dense, tuple(seen.gather(order).to_list()))
    if kind in {"String", "Object", "Null", "List", "Struct", "Array"}:
        return from_objects(labels.to_list(), "the column")
    if dtype is None:  # a frame, an expression
        return not_a_column(labels, "to_series() or get_column(...)")
    return labels.to_numpy()


def from_arrow(labels: Any) -> Any:
    """Read a pyarrow Array or ChunkedArray."""
    if not hasattr(labels, "null_count"):  # a table, a scalar
        return not_a_column(labels, "column(...)")
    if hasattr(labels, "unify_dictionaries"):
        labels = labels.unify_dictionaries()
        labels = labels.combine_chunks() if labels.num_chunks != 1 else labels.chunk(0)
    kind = str(labels.type)
    ordered = False
    if kind.startswith("dictionary"):
        ordered = bool(labels.type.ordered)
    elif kind in {"string", "large_string", "string_view"}:
        labels = labels.dictionary_encode()
    elif labels.type.num_fields:  # lists and structures: let the plain way name one
        return from_objects(labels.to_pylist(), "the column")
    else:
        return labels.to_numpy(zero_copy_only=False)
    indices = labels.indices
    if indices.null_count:
        indices = indices.cast("int64").fill_null(-1)
    codes = indices.to_numpy(zero_copy_only=False)
    return LabelColumn(codes, tuple(labels.dictionary.to_pylist()), ordered, some_unused=True)


def not_a_column(labels: Any, instead: str) -> Any:
    """Refuse what holds columns instead of being one."""
    raise LabelTypeError(
        f"a {type(labels).__module__}.{type(labels).__name__} is not a column of labels. Pass one column of it: "
        f".{instead}."
    )
