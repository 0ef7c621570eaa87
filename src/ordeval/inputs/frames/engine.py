"""What is asked of a data frame or a query engine; the only file that imports narwhals.

The count runs in the engine that holds the data, as one group-by, and at most (K + 2) x (K + 2) rows for each group
come back: K classes, no label, and labels not on the scale.
"""

import functools
import itertools
import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import DataError, LabelTypeError, NoItemsError, OrdevalError, quoted
from ordeval.errors import suggestion as near_to
from ordeval.inputs.patterns import RawColumn, from_objects
from ordeval.inputs.weighting import SumColumns, Totals
from ordeval.labels import is_missing
from ordeval.scale import agreed_order

Frame: TypeAlias = Any  # a narwhals DataFrame or LazyFrame, whatever the engine
LABELS = (nw.String, nw.Boolean, nw.Categorical, nw.Enum, nw.Object, nw.Unknown)
# whose columns may be dictionaries of Arrow, of which narwhals does not tell whether they are ordered
HOLDS_ARROW = {nw.Implementation.PYARROW, nw.Implementation.PANDAS}
ROWS = "count of rows"
INCOMPLETE = "incomplete"
NO_SUMS = SumColumns()
WHOLE = 2.0**52  # the first floating-point number above which all are whole


def read_frame(frame: Any) -> Frame:
    """Return any frame as narwhals sees it."""
    try:
        data: Frame = nw.from_native(frame)
    except TypeError:
        raise LabelTypeError(
            f"this is a {type(frame).__name__}, not a data frame that can be read; pass a frame of pandas, polars, "
            f"PyArrow, DuckDB, Ibis, Dask or PySpark."
        ) from None
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"the frame cannot be read: {first_line(error)}") from error
    return data


def check_columns(
    data: Frame, wanted: Sequence[str], *, label_columns: Sequence[str]
) -> dict[str, Any]:
    """Return the types of a frame's columns; refuse it if one that is wanted is absent, or cannot hold labels."""
    try:
        schema = dict(data.collect_schema())
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"the frame cannot be read: {first_line(error)}") from error
    for column in wanted:
        if not has_column(schema, column):
            near = near_to(str(column), [str(name) for name in schema])
            raise DataError(
                f"the frame has no column {column!r}; it has {quoted(schema, 10)}.{near}"
            )
    for column in label_columns:
        kind = schema[column]
        if not (kind.is_numeric() or isinstance(kind, LABELS)):
            raise LabelTypeError(
                f"column {column!r} has the type {kind}; labels are numbers, text or booleans. Convert it first."
            )
    return schema


def own_order(
    data: Frame, schema: dict[str, Any], columns: Sequence[str]
) -> tuple[Any, ...] | None:
    """Return the order of the classes that the types of the columns define, or None."""
    orders = []
    for column in columns:
        kind = schema[column]
        if isinstance(kind, nw.Enum):
            orders.append(tuple(kind.categories))
        elif isinstance(kind, nw.Categorical) and data.implementation in HOLDS_ARROW:
            read = read_column(nw.to_native(data)[column], column)
            orders.append(read.values or () if read.ordered else ())
    defined = [order for order in orders if order]
    return agreed_order(defined) if defined else None


def grouped(
    data: Frame, schema: dict[str, Any], columns: Sequence[str], sums: SumColumns = NO_SUMS
) -> list[tuple[Any, ...]]:
    """Group by columns in the engine; return the groups, how many rows each has, and what these add up to."""
    as_text = [
        isinstance(schema[column], nw.Enum | nw.Categorical) and not can_group(data, column)
        for column in columns
    ]
    plain = sums == NO_SUMS and not any(as_text) and len({*columns, ROWS}) == len(columns) + 1
    try:
        with warnings.catch_warnings():  # pandas says so of a frame of more than a hundred columns
            warnings.filterwarnings("ignore", "DataFrame is highly fragmented")
            if plain:
                rows = rows_of(data.group_by(*columns).agg(nw.len().alias(ROWS)))
            else:
                rows = rows_of(grouped_under_keys(data, columns, as_text, sums))
    except OrdevalError:
        raise
    except Exception as error:
        raise DataError(f"the engine could not count the frame: {first_line(error)}") from error
    if not rows:
        raise NoItemsError("there are no items: the frame has no rows. Pass at least one.")
    return rows


def can_group(data: Frame, column: str) -> bool:
    """Tell whether the engine groups a column of categories as it should."""
    if data.implementation is nw.Implementation.DASK:
        return False  # its partitions do not agree on the order of their categories
    if data.implementation is nw.Implementation.PANDAS:
        # pandas leaves out what is missing in a dictionary of Arrow
        return not str(nw.to_native(data)[column].dtype).startswith("dictionary")
    return True


def grouped_under_keys(
    data: Frame, columns: Sequence[str], as_text: Sequence[bool], sums: SumColumns
) -> Frame:
    """Group by columns under names of our own: a column may be asked for twice, or read as text."""
    names = [f"key{at}" for at in range(len(columns))]
    keys = [
        (nw.col(column).cast(nw.String) if cast else nw.col(column)).alias(name)
        for column, cast, name in zip(columns, as_text, names, strict=True)
    ]
    asked = questions(sums)
    added = [column.alias(f"sum{at}") for at, (column, _) in enumerate(asked)]
    totals = [
        getattr(nw.col(f"sum{at}"), how)().alias(f"sum{at}{how}")
        for at, (_, ways) in enumerate(asked)
        for how in ways
    ]
    return data.select(*keys, *added).group_by(*names).agg(nw.len().alias(ROWS), *totals)


def questions(sums: SumColumns) -> list[tuple[Any, tuple[str, ...]]]:
    """Return the columns that are looked at, and what is asked of each, in the order of `SumColumns`."""
    every: list[tuple[Any, tuple[str, ...]]] = []
    count = None if sums.count is None else nw.col(sums.count).cast(nw.Float64)
    if count is not None:
        # A number of 2^52 or more has no fraction, and added to a smaller one leaves no room for one: this rounds in
        # every engine. (As narwhals calls them, `round` is beyond Spark 3.5, `//` beyond DuckDB 1.4, `%` beyond Arrow.)
        small = nw.when((count >= 0) & (count < WHOLE)).then(count).otherwise(nw.lit(0.0))
        rounded = (small + WHOLE) - WHOLE
        every += [(count, ("count", "min", "sum")), ((small - rounded).abs(), ("max",))]
    if sums.weight is not None:
        weight = nw.col(sums.weight).cast(nw.Float64)
        scaled = weight * 2.0**-sums.unit if sums.unit else weight
        addends = [weight, scaled * scaled]
        addends += [(weight > 0).cast(nw.Float64)] if sums.some_zero else []
        if count is not None:
            addends = [addend * count for addend in addends]
        every += [(weight, ("count", "min")), *((each, ("sum",)) for each in addends)]
    return every


def counted_groups(
    data: Frame, schema: dict[str, Any], columns: Sequence[str], chosen: Mapping[str, str | None]
) -> tuple[list[RawColumn], Totals]:
    """Group by columns; return the labels of each group, column by column, and what its items add up to."""
    width = len(columns)
    weight, count = (chosen.get(role) for role in ("weight", "count"))
    for role, name in (("weight", weight), ("count", count)):
        if name is not None:
            check_numeric(schema, name, role)

    def ask(sums: SumColumns) -> tuple[list[tuple[Any, ...]], Array, Array]:
        groups = grouped(data, schema, columns, sums)
        came = [[np.nan if is_missing(each) else each for each in row[width:]] for row in groups]
        answers = np.array(came, dtype=np.float64).T
        return groups, answers[0], answers[1:]

    groups, some, totals = SumColumns(weight, count).added_up(ask)
    used = list(itertools.compress(groups, some.tolist()))
    single = [isinstance(schema[name], nw.Float32) for name in columns]
    return [
        from_objects(decimal(row[at]) if single[at] else row[at] for row in used)
        for at in range(width)
    ], totals


def decimal(number: Any) -> Any:
    """Return a number of single precision as the decimal that it is written as."""
    return number if is_missing(number) else float(str(np.float32(number)))


def small_frame(frame: Any, most: int) -> tuple[list[str], list[tuple[Any, ...]], tuple[Any, ...]]:
    """Return the columns and rows of a frame that holds counts, and the order that its first column's type defines."""
    data = read_frame(frame)
    schema = check_columns(data, [], label_columns=[])
    try:
        rows = rows_of(data.head(most + 2))
    except Exception as error:
        raise DataError(f"the engine could not read the frame: {first_line(error)}") from error
    if len(rows) > most + 1:
        raise DataError(
            f"the frame has more than {most} rows; a table of counts has one for each gold class. "
            f"Count items with Table.from_frame(frame, gold=..., predicted=...)."
        )
    columns = list(schema)
    return columns, rows, own_order(data, schema, columns[:1]) or ()


def native_column(data: Frame, column: str) -> Any:
    """Return a column of a frame in memory as its library has it."""
    series = data[column]
    if series.implementation is nw.Implementation.POLARS and series.dtype == nw.String:
        series = series.cast(
            nw.Categorical
        )  # its own table of texts is faster than one of Python's
    return nw.to_native(series)


def fetched_rows(data: Frame, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return all rows of some columns of a frame in an engine."""
    try:
        return rows_of(data.select(*columns))
    except Exception as error:
        raise DataError(f"the engine could not read the frame: {first_line(error)}") from error


def answers_by_rater(
    data: Frame,
    keys: Sequence[str],
    rater: str,
    label: str,
    spellings: Sequence[Sequence[Any]],
) -> Frame:
    """Make a row for each item, with a column for the mark of each rater, whose name may be spelled in several ways."""
    names = [f"answer{at}" for at in range(len(spellings))]
    schema = dict(data.collect_schema())
    by, mark = nw.col(rater), nw.col(label)
    if isinstance(schema[rater], nw.Enum | nw.Categorical):
        by = by.cast(nw.String)
    if isinstance(schema[label], nw.Enum | nw.Categorical | nw.Boolean):  # which have no largest
        mark = mark.cast(nw.String)
    own = [f"key{at}" for at in range(len(keys))]
    items = [nw.col(key).alias(name) for key, name in zip(keys, own, strict=True)]
    marks = [
        nw.when(by.is_in(list(spelled))).then(mark).alias(name)
        for name, spelled in zip(names, spellings, strict=True)
    ]
    try:
        groups = data.select(*items, *marks).group_by(*own)
        answers = groups.agg(*(nw.col(name).max() for name in names)).select(*names)
        answers.collect_schema()  # a lazy frame raises here
    except Exception as error:
        raise DataError(f"the engine could not count the frame: {first_line(error)}") from error
    return answers


def repeated_keys(
    data: Frame, keys: Sequence[str], most: int, *, present: str | None = None
) -> list[tuple[Any, ...]]:
    """Return the first few combinations of keys that occur in more than one row, as far as a column is not null."""
    if present is not None:
        data = data.filter(~nw.col(present).is_null())
    own = [f"key{at}" for at in range(len(keys))]
    named = [nw.col(key).alias(name) for key, name in zip(keys, own, strict=True)]
    try:
        groups = data.select(*named).group_by(*own).agg(nw.len().alias(ROWS))
        found = groups.filter((nw.col(ROWS) > 1) & ~nw.col(own[0]).is_null())
        return [row[: len(own)] for row in rows_of(found.select(*own, ROWS).head(most))]
    except Exception as error:
        raise DataError(f"the engine could not count the frame: {first_line(error)}") from error


def rows_of(result: Frame) -> list[tuple[Any, ...]]:
    """Return the rows of a small result; through the engine itself where narwhals would need another library."""
    if isinstance(result, nw.DataFrame):
        return list(result.rows())
    native = nw.to_native(result)
    if result.implementation is nw.Implementation.DUCKDB:
        return list(native.fetchall())
    if result.implementation.is_pyspark():
        return [tuple(row) for row in native.collect()]
    return list(result.collect().rows())


def numeric_columns(schema: Mapping[str, Any]) -> list[str]:
    """Return the columns that hold numbers."""
    return [name for name, kind in schema.items() if kind.is_numeric()]


def has_column(schema: Mapping[str, Any], name: Any) -> bool:
    """Tell whether a frame has a column; what cannot be looked up names none."""
    try:
        return name in schema
    except TypeError:
        return False


def check_numeric(schema: Mapping[str, Any], name: str, role: str) -> None:
    """Refuse a column of weights or counts that is absent or holds no numbers."""
    if not has_column(schema, name):
        raise DataError(
            f"the frame has no column {name!r} for {role}=; it has {quoted(schema, 10)}."
        )
    if not schema[name].is_numeric():
        raise LabelTypeError(f"column {name!r} has the type {schema[name]}; a {role} is a number.")


def first_line(error: Exception) -> str:
    """Return the first line of an engine's message."""
    return (str(error).strip().partition("\n")[0] or type(error).__name__).rstrip(".") + "."


def selected(data: Frame, columns: Mapping[str, str]) -> Frame:
    """Select columns under new names."""
    return data.select(*(nw.col(column).alias(name) for name, column in columns.items()))


def with_mark(data: Frame, name: str) -> Frame:
    """Add a column of ones: after a join it is null where the other side had no row."""
    return data.with_columns(nw.lit(1).alias(name))


def rows_where(data: Frame, column: str, kind: Any, value: Any) -> Frame:
    """Keep the rows in which a column has this value; a category is compared as text."""
    named = isinstance(kind, nw.Enum | nw.Categorical)
    return data.filter((nw.col(column).cast(nw.String) if named else nw.col(column)) == value)


def complete_rows(data: Frame, columns: Sequence[str]) -> tuple[Frame, int]:
    """Return the rows in which none of the columns is null, and how many others there are."""
    incomplete = functools.reduce(operator.or_, (nw.col(column).is_null() for column in columns))
    marks = data.select(incomplete.alias(INCOMPLETE))
    groups = grouped(marks, dict(marks.collect_schema()), [INCOMPLETE])
    lost = sum(row[-1] for row in groups if row[0])
    return (data.filter(~incomplete), lost) if lost else (data, 0)


def first_of_each(data: Frame, columns: Sequence[str], item: str) -> Frame:
    """Keep the first row of each item, and all rows without an item."""
    named = data.filter(~nw.col(item).is_null())
    first = named.unique(subset=list(columns), keep="first", maintain_order=True)
    return nw.concat([first, data.filter(nw.col(item).is_null())])


def left_join(one: Frame, other: Frame, on: Sequence[str]) -> Frame:
    """Join the columns of another frame to the rows of one."""
    try:
        result = one.join(other, on=list(on), how="left")
        result.collect_schema()  # a lazy frame raises here
    except Exception as error:
        raise DataError(
            f"gold and answers cannot be joined by their items: {first_line(error)} Give them the same type."
        ) from error
    return result


def is_eager(data: Frame) -> bool:
    """Tell whether the rows of a frame are in memory, and so have an order."""
    return isinstance(data, nw.DataFrame)
