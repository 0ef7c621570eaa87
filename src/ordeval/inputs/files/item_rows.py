"""A file with a row for each item and columns of numbers: the probabilities of the classes, or one score."""

from collections.abc import Sequence

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.item_columns import (
    ItemRows,
    check_gold,
    choose_columns,
    named_row,
    names_of_classes,
    rounding_of_print,
    sum_to_1,
    with_sums_of_1,
)
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.rater_files import all_rows, column_names_of
from ordeval.inputs.files.sniff import NoUsualNamesError, row_count
from ordeval.inputs.files.wide import TABLE, add_wide, check_rows, holds_numbers
from ordeval.inputs.unused_counts import unused_count_notes
from ordeval.one_hot import rounding_of

TYPES = {"FLOAT": "float32", "DOUBLE": "float64"}


def read_item_rows(
    database: Database,
    source: Source,
    choices: ReadingChoices,
    *,
    gold: str | None = None,
    wants_gold: bool = False,
    score: str | None = None,
) -> ItemRows:
    """Read the columns of classes, or the one of scores, and gold, weights and names beside them."""
    where = repr(source.spec)
    chosen = {**choices.columns, **names_of_classes(choices), "gold": gold, "score": score}
    try:
        columns = column_names_of(database, source, chosen)
    except NoUsualNamesError as error:  # and so none is what is looked for, as is told below
        columns = error.columns
    if not columns:
        raise DataError(
            f"{where} has no header, so its columns have no names. Write a header into it."
        )
    gold, numbers, scale = choose_columns(
        columns, source, choices, gold=gold, wants_gold=wants_gold, score=score
    )
    relation, _, unused = add_wide(database, source, gold, numbers, choices)
    every = [f"p{at}" for at in range(len(numbers))]
    sums = [role for role in ("weight", "count") if relation.has(role)]
    beside = [role for role in ("gold", "item", "case") if relation.has(role)]
    fields = [
        f"TRY_CAST({sql.name(role)} AS DOUBLE) AS {sql.name(role)}" for role in [*every, *sums]
    ]
    arrays = all_rows(
        database, f"SELECT {', '.join([*fields, *map(sql.name, beside)])} FROM {TABLE}"
    )
    check_rows(database, relation, arrays[0])
    read = dict(zip([*every, *sums, *beside], arrays, strict=True))
    found = unused if wants_gold and unused is not None and holds_numbers(database) else None
    notes = unused_count_notes(found, np.array([2]), where, items_named=True)
    rows = ItemRows(
        np.stack([read.pop(role).filled(np.nan) for role in every], axis=1),
        scale, read, source.name, [*database.notes, *notes],
    )  # fmt: skip
    return checked(database, relation, rows, numbers)


def checked(
    database: Database, relation: SourceTable, rows: ItemRows, columns: Sequence[str]
) -> ItemRows:
    """Refuse a row that lacks a number or a gold label, or whose probabilities do not sum to 1."""
    where = repr(relation.source.spec)
    finite = np.isfinite(rows.numbers)
    if not finite.all():
        row, at = divmod(int(np.argmin(finite)), len(columns))
        numbered = f"SELECT p{at}::VARCHAR AS found, row_number() OVER () AS row FROM {TABLE}"
        found = database.rows(f"SELECT found FROM ({numbered}) WHERE row = {row + 1}")[0][0]
        what = "is empty" if found is None else f"holds {found!r:.60}, which is not a finite number"
        raise DataError(
            f"column {columns[at]!r} of {named_row(rows, row)} in {where} {what}; "
            f"{row_count(int((~finite).any(axis=1).sum()))} of {len(finite)} cannot be used. Correct the file, or "
            f"leave such rows out."
        )
    check_gold(rows, where)
    if rows.scale is None:
        return rows
    return with_sums_of_1(rows, where, rounding_of_rows(database, relation, rows.numbers))


def rounding_of_rows(database: Database, relation: SourceTable, numbers: Array) -> float:
    """Return how far from 1 the rows may sum by how precisely the file has the numbers.

    Printed numbers are looked at only if a row is off by more than any type would allow.
    """
    k = numbers.shape[1]
    columns = [f"p{at}" for at in range(k)]
    kinds = [TYPES.get(relation.types[column], "") for column in columns]
    allowed = min(rounding_of(kind, k) for kind in kinds)
    if sum_to_1(numbers, allowed):
        return allowed
    printed = [column for column in columns if relation.types[column] == "VARCHAR"]
    if len(printed) < k:
        return allowed
    most = database.rows(f"SELECT {', '.join(map(decimals_of, columns))} FROM {TABLE}")[0]
    return min(rounding_of_print(one, k) for one in most)


def decimals_of(column: str) -> str:
    """Return SQL for the most decimals that a column of printed numbers has; 6.8e-05 has six."""
    digits, exponent = (f"split_part(lower(trim({column})), 'e', {part})" for part in (1, 2))
    power = f"coalesce(TRY_CAST({exponent} AS INTEGER), 0)"
    return f"max(length(split_part({digits}, '.', 2)) - {power})"
