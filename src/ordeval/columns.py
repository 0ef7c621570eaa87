"""One column of labels of any library: lists, arrays, columns of pandas, polars and Arrow, and classes as columns.

These libraries are recognised by what their columns can do, so none of them is imported.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_masked
from ordeval.errors import LabelTypeError, quoted
from ordeval.label_column import FEW, LabelColumn, from_floats, from_hashing, from_text
from ordeval.labels import canonical
from ordeval.one_hot import one_hot_codes

HOST = 1  # the number of the memory that NumPy sees among the devices of DLPack
MOST_KEPT = 32  # types of pandas
CATEGORIES: dict[int, tuple[Any, tuple[Any, ...]]] = {}


def read_column(labels: Any, name: str, classes: Any = None) -> LabelColumn:
    """Read a column of labels; `name` is what errors call it.

    `classes` are those that the caller declared, lowest first: one-hot columns without names of their own are these.
    """
    if type(labels) is not np.ndarray or labels.ndim != 1:
        labels = plain_array(labels, name, classes)
        if isinstance(labels, LabelColumn):
            return labels
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


def plain_array(labels: Any, name: str, classes: Any = None) -> Any:
    """Return a one-dimensional array or a finished column; an array with a single column is read as that column."""
    array = labels if type(labels) is np.ndarray else unwrap(labels, name)
    if isinstance(array, LabelColumn) or array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    return from_one_hot(array, name, classes)


def from_one_hot(matrix: Array, name: str, classes: Any) -> LabelColumn:
    """Read an array with a column for each class: the declared classes if their number fits, else 0 to K - 1."""
    codes = one_hot_codes(matrix, name)
    k = matrix.shape[1]
    given = getattr(classes, "labels", classes)
    # `Scale` refuses what lists nothing.
    declared = tuple(given) if isinstance(given, Iterable) else ()
    return LabelColumn(codes, declared if len(declared) == k else tuple(range(k)), ordered=True)


def unwrap(labels: Any, name: str) -> Any:
    """Return a NumPy array or a finished column for whatever holds labels."""
    if isinstance(labels, LabelColumn):
        return labels
    kind: Any = type(labels)
    library = library_of(kind)
    if library is not None:
        columns = frame_columns(labels)
        return library(labels) if columns is None else from_frame(columns, name)
    if is_masked(labels):
        return from_masked(labels)
    if is_array(labels):
        return as_array(labels)
    # a set has no order in which its labels could line up with the items
    unfit = isinstance(labels, str | bytes | dict | set | frozenset)
    if unfit or not isinstance(labels, Iterable):
        raise LabelTypeError(
            f"{name} is {labels!r:.60}, a {type(labels).__name__}; it must hold one label for each item. "
            f"Pass a list, an array or a column."
        )
    objects = labels if isinstance(labels, list) else list(labels)
    read = from_tensors if objects and is_tensor(objects[0]) else from_objects
    return read(objects, name)


def is_array(given: Any) -> bool:
    """Tell whether something is an array of any library: it shows NumPy its numbers, or any library, by DLPack."""
    return hasattr(given, "__array__") or hasattr(given, "__dlpack__")


def is_tensor(given: Any) -> bool:
    """Tell whether something is a tensor of torch; an open text file can be detached, too, but is on no device."""
    return hasattr(given, "detach") and hasattr(given, "cpu")


def as_array(given: Any) -> Array:
    """Return an array of NumPy: of a tensor its values alone, and as float32 what NumPy has no type for (bfloat16)."""
    if is_tensor(given):  # with a gradient, or on another device
        given = given.detach().cpu()
        given = given.float() if is_bfloat16(given) else given
    array = visible_array(given)
    return array.astype(np.float32) if is_bfloat16(array) else array


def in_numpy(given: Any) -> Any:
    """Return an array of another library as one of NumPy, and anything else as it is."""
    if isinstance(given, np.ndarray):  # which may be masked
        return given
    other = hasattr(given, "__dlpack__") or is_tensor(given)
    return as_array(given) if other else given


def visible_array(given: Any) -> Array:
    """Return an array of NumPy; those of other libraries that NumPy cannot see come by DLPack, from any device."""
    if not hasattr(given, "__dlpack__"):
        return np.asarray(given)
    if hasattr(given, "__array__"):
        try:
            return np.asarray(given)
        except (RuntimeError, TypeError):
            pass  # it is on another device, or shows itself by DLPack alone
    try:
        on_host = given.__dlpack_device__()[0] == HOST
        return np.from_dlpack(given) if on_host else np.from_dlpack(given, device="cpu")
    except (TypeError, RuntimeError, BufferError) as error:  # NumPy before 2.1 asks for no copy
        raise LabelTypeError(
            f"an array of the type {type(given).__module__}.{type(given).__name__} cannot be copied to NumPy: "
            f"{error}. Copy it to the CPU first."
        ) from error


def is_bfloat16(given: Any) -> bool:
    """Tell whether something holds numbers of 16 bits with the range of float32, by the name of its type."""
    return type_name(given) == "bfloat16"


def type_name(given: Any) -> str:
    """Return the name of the type of the numbers in an array or a tensor, such as 'float16'; '' if it has none."""
    return str(getattr(given, "dtype", "")).rpartition(".")[2].lower()


def frame_columns(labels: Any) -> list[tuple[Any, Any]] | None:
    """Return the columns of a frame with their names; None if this is not a frame in memory."""
    kind: Any = type(labels)
    way = frame_way(kind)
    if way == "pandas":
        return [(name, labels.iloc[:, at]) for at, name in enumerate(labels.columns)]
    if way == "polars":
        return list(zip(labels.columns, labels.get_columns(), strict=True))
    if way == "arrow":
        return list(zip(labels.schema.names, labels.itercolumns(), strict=True))
    return None


# What something is depends on its type alone, which is asked once: to ask a column of pandas or polars for what it
# does not have takes longer than to count its labels.
@lru_cache(maxsize=1024)
def can(kind: Any, what: str) -> bool:
    """Tell whether things of a type have an attribute."""
    return hasattr(kind, what)


@lru_cache(maxsize=256)
def library_of(kind: Any) -> Callable[[Any], Any] | None:
    """Return how the columns of a type's library are read; None if it is none of the libraries of columns."""
    return LIBRARIES.get(kind.__module__.partition(".")[0])


def is_frame(labels: Any) -> bool:
    """Tell whether something is a data frame of one of the libraries of columns, in memory."""
    kind: Any = type(labels)
    return library_of(kind) is not None and frame_way(kind) is not None


def is_column(labels: Any) -> bool:
    """Tell whether something is a column by its type alone, as those of polars and Arrow are, which have no `ndim`."""
    kind: Any = type(labels)
    return library_of(kind) is not None and not can(kind, "ndim") and frame_way(kind) is None


@lru_cache(maxsize=256)
def frame_way(kind: Any) -> str | None:
    """Return the library whose way of giving its columns this type of frame has; None if it is not one in memory."""
    if can(kind, "iloc") and can(kind, "columns"):
        return "pandas"
    if can(kind, "get_columns"):
        return "polars"
    return "arrow" if can(kind, "itercolumns") else None


def from_frame(columns: list[tuple[Any, Any]], name: str) -> Any:
    """Read a frame: its only column, or one column for each class, whose names are the labels."""
    if len(columns) == 1:
        return unwrap(columns[0][1], name)
    names = [canonical(each) for each, _ in columns]
    parts = [np.asarray(column) for _, column in columns]
    matrix = np.column_stack(parts) if parts else np.empty((0, 0))
    return LabelColumn(one_hot_codes(matrix, name, names), tuple(names))


def from_masked(labels: Any) -> Any:
    """Read a masked array: masked items are missing."""
    if not labels.mask.any():
        return np.asarray(labels)
    if labels.dtype.kind == "f":
        return labels.filled(np.nan)
    if labels.dtype.kind in "iu":
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


def from_tensors(labels: list[Any], name: str) -> Array:
    """Read a list of tensors of torch, each of which holds one label, or one row with a column for each class."""
    arrays = [as_array(label) for label in labels]
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        raise LabelTypeError(
            f"{name} holds tensors of the shapes {quoted(sorted(shapes))}; each must hold one label. Join "
            f"batches first, as torch.cat does."
        )
    return np.stack(arrays)


def from_pandas(labels: Any) -> Any:
    """Read a pandas Series, Index, Categorical or extension array."""
    dtype: Any = getattr(labels, "dtype", None)
    if getattr(dtype, "categories", None) is not None and hasattr(dtype, "ordered"):
        # A Series holds an array that has its codes at hand; the accessor `cat` would wrap them anew.
        holder = getattr(labels, "array", labels)
        return LabelColumn(
            np.asarray(holder.codes),
            categories_of(dtype.categories),
            bool(dtype.ordered),
            some_unused=True,
        )
    if str(getattr(dtype, "pyarrow_dtype", "")).startswith("dictionary"):
        return from_arrow(getattr(labels, "array", labels).__arrow_array__())
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


def categories_of(index: Any) -> tuple[Any, ...]:
    """Return the categories of a pandas type; those of the last few are kept with their index, which cannot change."""
    kept = CATEGORIES.get(id(index))
    if kept is not None:
        return kept[1]
    labels = tuple(index.tolist())
    if len(labels) <= FEW:
        if len(CATEGORIES) >= MOST_KEPT:
            CATEGORIES.clear()
        CATEGORIES[id(index)] = (
            index,
            labels,
        )  # while the index is held, no other object has its identity
    return labels


def from_extension(labels: Any, kind: str) -> Any:
    """Read numbers of a pandas extension type, which may hold NA."""
    missing = np.asarray(labels.isna())
    if missing.any() and kind == "b":
        return labels.to_numpy(dtype=object, na_value=None)
    if kind == "f":
        return labels.to_numpy(dtype=f"f{labels.dtype.itemsize}", na_value=np.nan)
    if missing.any():
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
        place_of = np.full(
            places.max(initial=-1) + 2, -1, dtype=np.int32
        )  # the last is that of no label, -1
        place_of[places] = np.arange(len(places))
        return LabelColumn(place_of[codes], tuple(seen.to_list()))
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


LIBRARIES: dict[str, Callable[[Any], Any]] = {
    "pandas": from_pandas,
    "polars": from_polars,
    "pyarrow": from_arrow,
}
