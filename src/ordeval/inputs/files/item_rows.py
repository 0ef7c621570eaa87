"""A file with a row for each item and columns of numbers: the probabilities of the classes, or one score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument, listed, quoted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.matching import row_count
from ordeval.inputs.files.rater_files import (
    all_rows,
    column_names_of,
    label_column,
    no_class_columns,
    rounding_of_print,
)
from ordeval.inputs.files.sniff import NoUsualNamesError
from ordeval.inputs.files.wide import TABLE, add_wide, check_rows, holds_numbers
from ordeval.inputs.patterns import NullableArray
from ordeval.inputs.roles import NAMES, column_at, lower
from ordeval.inputs.soft import normalised
from ordeval.inputs.unused_counts import unused_count_notes
from ordeval.label_column import LabelColumn
from ordeval.labels import MISSING, finite_number, tidy
from ordeval.one_hot import rounding_of
from ordeval.scale import Scale

GOLD = ("gold", "label")  # other usual names of labels may be those of a model's answers here
LEAST_CLASSES = 2
TYPES = {"FLOAT": "float32", "DOUBLE": "float64"}


@dataclass(frozen=True)
class ItemRows:
    """The rows of a file in their order: numbers[row, column], and what is known of the rows.

    `scale` is that of the columns of classes, None if the numbers are scores.
    """

    numbers: Array
    scale: Scale | None
    beside: Mapping[str, NullableArray]
    name: str  # of the file, without folder and ending
    notes: Sequence[str] = ()

    @property
    def gold(self) -> LabelColumn | None:
        """The gold labels, if they were asked for."""
        return label_column(self.beside["gold"]) if "gold" in self.beside else None

    def weights(self, role: str) -> Array | None:
        """Return the weights or the counts of the rows, NaN where there is no number; None if none were asked for."""
        return self.beside[role].filled(np.nan) if role in self.beside else None

    def names(self, role: str) -> list[Any] | None:
        """Return the items or the test cases of the rows, None where there is none; None if the file does not say."""
        if role not in self.beside:
            return None
        column = self.beside[role]
        return [
            None if absent else name
            for name, absent in zip(column.data.tolist(), column.null.tolist(), strict=True)
        ]


def read_item_rows(
    database: Database,
    source: Source,
    choices: ReadingChoices,
    *,
    gold: str | None = None,
    wants_gold: bool = False,
    score: str | None = None,
) -> ItemRows:
    """Read the columns of classes, or the one of scores, and gold, weights and names beside them.

    The classes are those of the scale in `choices`, or else the columns that are named by numbers. Other columns are
    ignored. A gold column that is not named is found by its name.
    """
    where = repr(source.spec)
    declared = choices.labels
    named = (
        {} if declared is None else {f"p{at}": str(one) for at, one in enumerate(declared.labels)}
    )
    chosen = {**choices.columns, **named, "gold": gold, "score": score}
    try:
        columns = column_names_of(database, source, chosen)
    except NoUsualNamesError as error:  # and so none is what is looked for, as is told below
        columns = error.columns
    if not columns:
        raise DataError(
            f"{where} has no header, so its columns have no names. Write a header into it."
        )
    scale, numbers = (
        None,
        [] if score is None else [columns[column_at(columns, score, "scores", where)]],
    )
    if wants_gold and gold is None:
        gold = gold_column(columns, [*named.values(), *numbers], where)
    if score is None:
        taken = {lower(name) for name in (gold, *choices.columns.values()) if isinstance(name, str)}
        free = [name for name in columns if lower(name) not in taken]
        scale, numbers = class_columns(free, declared, choices.values, source)
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


def gold_column(columns: Sequence[str], used: Sequence[str], where: str) -> str:
    """Return the column that is named as gold labels are."""
    taken = {*map(lower, used)}
    free = {lower(name): name for name in columns if lower(name) not in taken}
    for name in GOLD:
        if name in free:
            return free[name]
    raise DataError(
        f"{where} has no column named {' or '.join(GOLD)}: it has {quoted(columns, 10)}. Name the column of gold "
        f"labels with {argument('gold')}."
    )


def class_columns(
    columns: Sequence[str], declared: Scale | None, values: Any, source: Source
) -> tuple[Scale, list[str]]:
    """Return the classes and their columns: those that the caller declared, or else those that are named by numbers."""
    if declared is None:
        spelled = {name: finite_number(name) for name in columns}
        numeric = sorted({number for number in spelled.values() if number is not None})
        if len(numeric) < LEAST_CLASSES:
            usual = {one for names in NAMES.values() for one in names}
            others = [name for name in columns if lower(name) not in usual]
            raise DataError(
                f"the columns {quoted(others, 10)} of {source.spec!r} do not say which classes there are, and in which "
                f"order: their names are not numbers. Pass {argument('labels', ...)}, lowest first, as the columns "
                f"are named."
            )
        declared = Scale(numeric, values)
    anyhow = {lower(label): at for at, label in enumerate(declared.labels)}
    by_class: dict[int, str] = {}
    for name in columns:
        at = declared.position(name.strip())
        at = anyhow.get(lower(name.strip())) if at is None else at
        if at is not None and at in by_class:
            raise DataError(
                f"{source.spec!r} has two columns for the class {declared.labels[at]!r}, {by_class[at]!r} and "
                f"{name!r}. Rename one of them."
            )
        if at is not None:
            by_class[at] = name
    lacking = [label for at, label in enumerate(declared.labels) if at not in by_class]
    if lacking:
        raise no_class_columns(lacking, columns, source)
    return declared, [by_class[at] for at in range(declared.k)]


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
    names = rows.names("item") or range(1, len(finite) + 1)
    present = np.ones(len(finite), dtype=bool)
    allowed = rounding_of_rows(database, relation, rows.numbers)
    return replace(rows, numbers=normalised(rows.numbers, present, where, names, allowed=allowed))


def rounding_of_rows(database: Database, relation: SourceTable, numbers: Array) -> float:
    """Return how far from 1 the rows may sum by how precisely the file has the numbers.

    Printed numbers are looked at only if a row is off by more than any type would allow.
    """
    k = numbers.shape[1]
    columns = [f"p{at}" for at in range(k)]
    kinds = [TYPES.get(relation.types[column], "") for column in columns]
    allowed = min(rounding_of(kind, k) for kind in kinds)
    if (np.abs(numbers.sum(axis=1) - 1) <= allowed).all():
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


def check_gold(rows: ItemRows, where: str) -> None:
    """Refuse gold labels that are missing or, if the scale is known, not on it."""
    gold = rows.gold
    if gold is None:
        return
    codes, values = gold.coded()
    labels = [tidy(value) for value in values]
    place = [
        None if label is MISSING else 0 if rows.scale is None else rows.scale.position(label)
        for label in labels
    ]
    bad = np.array([at is None for at in place] + [True])[codes]  # the last is that of no label
    if not bad.any():
        return
    row = int(np.argmax(bad))
    label = labels[codes[row]] if codes[row] >= 0 else MISSING
    what = (
        "has no gold label"
        if label is MISSING
        else f"has the gold label {label!r:.60}, which is not one of the classes "
        f"{listed(() if rows.scale is None else rows.scale.labels)}"
    )
    raise DataError(
        f"{named_row(rows, row)} in {where} {what}; {row_count(int(bad.sum()))} of {len(bad)} cannot be used. Correct "
        f"the file, or leave such rows out."
    )


def named_row(rows: ItemRows, row: int) -> str:
    """Name a row by its item, or else by its place."""
    names = rows.names("item")
    return f"row {row + 1}" if names is None or names[row] is None else f"item {names[row]!r}"
