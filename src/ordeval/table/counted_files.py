"""Tables from files that hold counts: a matrix, or the JSON of a table."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ordeval.arguments import entries
from ordeval.errors import DataError, OrdevalError, TableError, argument
from ordeval.inputs.files.locate import Source, find
from ordeval.inputs.files.matrix import read_matrix, stored_json
from ordeval.scale import Scale
from ordeval.table.checks import check_sum
from ordeval.table.table import Table


def read_counted_file(
    path: Any, labels: Iterable[Any] | None, values: Iterable[float] | None
) -> Table:
    """Read a file of counts; refuse any other file."""
    given = (
        None if values is None else entries(values, "values", "it holds one number for each class")
    )
    table = table_or_reason(find(path), None if labels is None else Scale(labels, given), given)
    if isinstance(table, str):
        raise DataError(
            f"{str(path)!r} is neither a matrix of counts nor the JSON of a table: {table}."
        )
    return table


def table_or_reason(
    source: Source,
    declared: Scale | None,
    values: list[float] | None,
    tell: Callable[[str], None] | None = None,
) -> Table | str:
    """Read a file of counts; if it does not hold counts, return the reason. `tell` is called with each note."""
    text = stored_json(source, "table")
    if text is not None:
        return counted_on(Table.from_json(text), source, declared, values)
    named = read_matrix(source, declared)
    if isinstance(named, str):
        return named
    if tell is not None:
        for note in named.notes:
            tell(note)
    try:
        scale, counts = named.placed(declared, values)
    except OrdevalError as error:
        raise DataError(f"{source.spec!r} cannot be read: {error}") from None
    check_sum(counts)
    return Table(scale, counts, np.zeros(scale.k, counts.dtype))


def counted_on(
    table: Table, source: Source, declared: Scale | None, values: list[float] | None
) -> Table:
    """Return a table that was counted before, if it is on the scale that the caller declared."""
    wanted = Scale(table.scale.labels, values) if declared is None and values else declared
    if wanted is not None and wanted != table.scale:
        raise TableError(
            f"{source.spec!r} was counted on the {table.scale}, which is not the {wanted} that was asked for. Leave "
            f"{argument('labels')} and {argument('values')} out, or count again."
        )
    return table
