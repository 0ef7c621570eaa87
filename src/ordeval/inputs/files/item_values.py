"""A further column of a file of marks, which says something about the items: the slice that each is of."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.errors import DataError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database
from ordeval.inputs.files.item_columns import label_column
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.long import add_long
from ordeval.inputs.files.matching import keys
from ordeval.inputs.files.rater_files import column_names_of
from ordeval.inputs.marks import named_items
from ordeval.inputs.roles import lower


def values_of_items(
    database: Database, sources: Sequence[Source], column: str, choices: ReadingChoices
) -> dict[Any, Any] | None:
    """Return the value of each item in a column of the files that have it; None if none has.

    An item may have several rows, which must then have the same value.
    """
    chosen = {role: choices.columns.get(role) for role in ("item", "case")} | {"label": column}
    having = [
        source
        for source in sources
        if lower(column) in map(lower, column_names_of(database, source, chosen))
    ]
    if not having:
        return None
    tables = [add_long(database, source, chosen, "gold") for source in having]
    by_case = all(table.has("case") for table in tables)
    fields = [keys(tables, "item"), ["label::VARCHAR"] * len(tables)]
    fields += [keys(tables, "case")] if by_case else []
    parts = [
        f"SELECT {', '.join(f'{field} AS c{at}' for at, field in enumerate(row))} FROM {table.table}"
        for table, row in zip(tables, zip(*fields, strict=True), strict=True)
    ]
    # a column may say nothing of an item in one row, and say it in another
    query = f"SELECT DISTINCT * FROM ({sql.chained(parts, 'UNION ALL')}) WHERE c1 IS NOT NULL"
    item, value, *case = map(label_column, database.arrays(query))
    names, of_item = named_items(item, case[0] if case else None, repr(having[0].spec))
    rows = np.bincount(of_item, minlength=len(names))
    codes, values = value.coded()
    if (rows > 1).any():
        at = int(np.argmax(rows))
        some = sorted(str(values[code]) for code in codes[of_item == at][:2].tolist())
        raise DataError(
            f"the column {column!r} of {having[0].spec!r} has several values for item {names[at]!r}, {some[0]!r} and "
            f"{some[1]!r}; an item is of one slice. Name a column about the items."
        )
    return {
        names[at]: values[code] for at, code in zip(of_item.tolist(), codes.tolist(), strict=True)
    }
