"""One column of labels, as it came, made plain: whole numbers, other numbers, codes into categories, or objects.

Columns of pandas, polars and Arrow are recognised by what they can do, so none of these libraries is imported.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from ordeval.errors import LabelError, LabelTypeError

NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z", re.ASCII)
FEW_TEXTS = 32  # distinct ones up to which comparing all items with each is faster than making objects of the items
SAMPLE = 1000  # items that show whether there are more


class Kind(Enum):
    """How the labels of a column are held."""

    INTEGERS = "integers"  # data: a NumPy array of whole numbers or booleans, none missing
    FLOATS = "floats"  # data: a NumPy array of floats, NaN where missing
    CODES = "codes"  # data: positions in `categories`, negative where missing
    OBJECTS = "objects"  # data: a list of Python objects


@dataclass(frozen=True, slots=True)
class Column:
    """The labels of one side, in one of four plain forms."""

    kind: Kind
    data: Any
    categories: tuple[object, ...] = ()
    ordered: bool = False

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.data)


class Missing:
    """The one object that stands for a label that is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


def number(text: str) -> int | float | None:
    """Return the number that a text spells, whole ones as int, or None."""
    if not NUMBER.match(text):
        return None
    try:
        return int(text)
    except ValueError:
        value = float(text)
    if math.isinf(value):  # beyond all numbers that a class could have
        return None
    return int(value) if value.is_integer() else value


def canonical(label: object) -> object:
    """Return one Python object for all spellings of a label: 1, 1.0 and np.int8(1) are 1; None and NaN are MISSING.

    Text stays text: whether a text column spells numbers is a question to the whole column.
    """
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str):
        return label or MISSING
    if isinstance(label, bool | int):
        return label
    if isinstance(label, float) or hasattr(label, "as_integer_ratio"):
        return canonical_number(label)
    return MISSING if is_missing(label) else label


def canonical_number(label: Any) -> object:
    """Return a float, or what can become one (a Decimal, a Fraction, a long double), with whole ones as int."""
    try:
        value = float(label)
    except ValueError:  # a signalling NaN
        return MISSING
    except (OverflowError, TypeError):  # beyond floating point, or the name of a type
        return label
    if math.isnan(value):
        return MISSING
    return int(value) if value.is_integer() else value


def is_missing(label: object) -> bool:
    """Tell whether an object means 'no label': None, NaN, NaT or pandas' NA."""
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return True
    try:
        return bool(label != label)  # noqa: PLR0124
    except (TypeError, ValueError, ArithmeticError):
        return False


def hashable(label: object) -> bool:
    """Tell whether a label can be looked up at all."""
    try:
        hash(label)
    except TypeError:
        return False
    return True


def read_column(labels: Any, name: str) -> Column:
    """Make a column plain; `name` is how errors call it."""
    if type(labels) is not np.ndarray:
        labels = unwrap(labels, name)
        if isinstance(labels, Column):
            return labels
    if labels.ndim != 1:
        raise LabelError(
            f"{name} has {labels.ndim} dimensions (shape {labels.shape}); labels are one-dimensional, one for each "
            f"item. Pass a single column."
        )
    kind = labels.dtype.kind
    if kind in "iub":
        return Column(Kind.INTEGERS, labels)
    if kind == "f":
        return Column(Kind.FLOATS, labels)
    if kind in "US":
        return from_text(labels)
    if kind in "OT":
        return Column(Kind.OBJECTS, labels.tolist())
    raise LabelTypeError(
        f"{name} has dtype {labels.dtype}, which cannot be a class; labels are numbers, strings or booleans. "
        f"Convert the column first."
    )


def unwrap(labels: Any, name: str) -> Any:
    """Return a NumPy array, or a finished Column, for whatever holds labels."""
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


def from_text(labels: Any) -> Column:
    """Read an array of text: a few distinct ones as codes, by comparing all items with each in turn."""
    codes = np.full(len(labels), -1, dtype=np.int8)
    categories: list[Any] = []
    varied = len(set(labels[:SAMPLE].tolist())) > FEW_TEXTS
    while (codes < 0).any():
        if varied or len(categories) == FEW_TEXTS:
            return Column(Kind.OBJECTS, labels.tolist())
        label = labels[np.argmin(codes)]  # the first without a code
        codes[labels == label] = len(categories)
        categories.append(label.item())
    return Column(Kind.CODES, codes, tuple(categories))


def from_masked(labels: Any) -> Any:
    """Read a masked array: what is masked is missing."""
    if labels.ndim != 1 or not labels.mask.any():
        return np.asarray(labels)
    if labels.dtype.kind in "iuf":
        return labels.astype(np.float64).filled(np.nan)
    plain = labels.data.astype(object)
    plain[labels.mask] = None
    return plain


def from_objects(labels: list[Any], name: str) -> Any:
    """Make numbers an array, and leave everything else a list."""
    text = bool(labels) and type(labels[0]) is str  # then no array of numbers can come of it
    types = {str} if text else set(map(type, labels))
    if types == {bool}:
        return np.array(labels, dtype=bool)
    if types <= {int, bool}:
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            return Column(Kind.OBJECTS, labels)
    if types <= {int, float, bool}:
        try:
            return np.array(labels, dtype=np.float64)
        except OverflowError:
            return Column(Kind.OBJECTS, labels)
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
    return Column(Kind.OBJECTS, labels)


def from_pandas(labels: Any) -> Any:
    """Read a pandas Series, Index, Categorical or extension array."""
    dtype: Any = getattr(labels, "dtype", None)
    if getattr(dtype, "categories", None) is not None and hasattr(dtype, "ordered"):
        # A Series holds an array that has its codes at hand; the accessor `cat` would wrap them anew.
        holder = getattr(labels, "array", labels)
        return Column(
            Kind.CODES,
            np.asarray(holder.codes),
            tuple(dtype.categories.tolist()),
            bool(dtype.ordered),
        )
    kind = getattr(dtype, "kind", "O")
    if kind in "iubf" and not isinstance(dtype, np.dtype):
        return from_extension(labels, kind)
    if kind in "iubf" or not hasattr(labels, "factorize") or getattr(labels, "ndim", 1) != 1:
        return np.asarray(labels)
    try:
        codes, categories = labels.factorize()
    except TypeError:  # something unhashable: let the plain way name it
        return Column(Kind.OBJECTS, labels.tolist())
    return Column(Kind.CODES, np.asarray(codes), tuple(categories.tolist()))


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
            return Column(Kind.CODES, codes, tuple(dtype.categories.to_list()), ordered=True)
        seen = labels.drop_nulls().unique()  # the categories of other columns have codes, too
        places = seen.to_physical().cast(int).to_numpy()
        order = np.argsort(places)
        dense = np.where(codes < 0, -1, np.searchsorted(places[order], codes))
        return Column(Kind.CODES, dense, tuple(seen.gather(order).to_list()))
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
    return Column(Kind.CODES, codes, tuple(labels.dictionary.to_pylist()), ordered)


def not_a_column(labels: Any, instead: str) -> Any:
    """Refuse what holds columns instead of being one."""
    raise LabelTypeError(
        f"a {type(labels).__module__}.{type(labels).__name__} is not a column of labels. Pass one column of it: "
        f".{instead}."
    )
