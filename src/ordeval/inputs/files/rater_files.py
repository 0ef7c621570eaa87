"""Files of raters' marks: long ones, with a row for each mark, and wide ones, with a column for each rater."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.item_columns import (
    label_column,
    no_class_columns,
    rounding_of_printed,
)
from ordeval.inputs.files.join import check_chosen
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.long import add_long
from ordeval.inputs.files.matching import keys
from ordeval.inputs.files.shapes import text_shapes, typed_shapes
from ordeval.inputs.files.sniff import line_list, row_count
from ordeval.inputs.files.wide import add_wide, check_rows, distinct_items, holds_numbers
from ordeval.inputs.marks import (
    PlacedMarks,
    marks_of_columns,
    marks_of_rows,
    named_items,
    place_marks,
    raw_labels,
)
from ordeval.inputs.patterns import NullableArray, RawColumn, from_database
from ordeval.inputs.placing import SHOWN
from ordeval.inputs.roles import LONG_ROLES, lower, no_column
from ordeval.inputs.soft import normalised
from ordeval.inputs.unused_counts import unused_count_notes
from ordeval.inputs.weighting import SumColumns
from ordeval.one_hot import rounding_of


def read_long_marks(
    database: Database,
    sources: Sequence[Source],
    choices: ReadingChoices,
    side: str = "rater",
    *,
    one_rater: bool = False,
) -> PlacedMarks:
    """Read files with a row for each mark; where a file does not name the raters, its name is that of one.

    A single file must name them, unless it may be of `one_rater`. The answers of systems are read in the same way:
    `side` is then "system".
    """
    if choices.columns.get("count") is not None:
        raise DataError(
            f"{argument('count')} is for wide files, whose rows stand for items; a row of a long file is one mark. "
            f"Leave it out, or name the columns of a wide file with {argument('raters')}."
        )
    chosen = {role: choices.columns.get(role) for role in LONG_ROLES[side]}
    tables = [add_long(database, source, chosen, side) for source in sources]
    check_chosen(choices, database)
    if side == "rater" and len(tables) == 1 and not (one_rater or tables[0].has("rater")):
        if not database.columns:
            raise DataError(
                f"{sources[0].spec!r} has no header, so it does not name the raters. Write a header into it, or pass "
                f"a file for each rater."
            )
        raise no_column(list(database.columns), "rater", repr(sources[0].spec), "rater")
    by_case = tables[0].has("case")
    if any(table.has("case") != by_case for table in tables):
        raise DataError(
            f"some of the files have a column of test cases and others have none. Add it to all of them, or name "
            f"another with {argument('case')}."
        )
    for table in tables:
        check_readable(database, table)
    query = sql.chained(selects(tables, side, by_case=by_case), "UNION ALL")
    item, rater, label, repeat, *case = map(label_column, all_rows(database, query))
    where = repr(sources[0].spec) if len(sources) == 1 else "the input"
    columns = {"item": item, "rater": rater, "label": label}
    columns |= {"case": case[0]} if case else {}
    columns |= {"repeat": repeat} if any(table.has("repeat") for table in tables) else {}
    marks = replace(marks_of_rows(columns, where), side=side)
    return place_marks(marks, choices, database.notes)


def selects(tables: Sequence[SourceTable], side: str, *, by_case: bool) -> list[str]:
    """Write what selects the item, the rater, the label and the repeat of every mark, and its test case, if any."""
    of_item = keys(tables, "item")
    of_case = keys(tables, "case") if by_case else [""] * len(tables)
    same_label = len({table.types["label"] for table in tables}) == 1
    parts = []
    for table, item, case in zip(tables, of_item, of_case, strict=True):
        rater = sql.name(side) if table.has(side) else sql.literal(table.source.name)
        label = "label" if same_label else sql.text_key("label", table.types["label"])
        repeat = "repeat" if table.has("repeat") else "NULL::VARCHAR"
        fields = [item, rater, label, repeat, *([case] if by_case else [])]
        named = ", ".join(f"{field} AS c{at}" for at, field in enumerate(fields))
        parts.append(f"SELECT {named} FROM {table.table}")
    return parts


def all_rows(database: Database, query: str) -> list[NullableArray]:
    """Return the columns of a query, row by row, in order.

    They are kept in a table first: DuckDB 1.4.0 loses rows of nested unions that are fetched as they come.
    """
    database.connection.execute(f"CREATE TEMP TABLE marks AS {query}")
    return database.arrays("SELECT * FROM marks")


def check_readable(database: Database, table: SourceTable) -> None:
    """Refuse a long file that has no rows, or some that cannot be read."""
    lost, lines = database.rejected(table)
    nameless, rows = database.rows(
        f"SELECT count(*) FILTER (item IS NULL), count(*) FROM {table.table}"
    )[0]
    if lost or nameless:
        shown = sorted([*lines, *table.bad_lines(SHOWN)])[:SHOWN]
        where = line_list(shown) or "no item id, no rater or no test case"
        raise DataError(
            f"{row_count(lost + nameless)} of {table.source.spec!r} cannot be read: {where}. Every mark has an item "
            f"and a rater; correct the file."
        )
    if not rows:
        raise DataError(f"{table.source.spec!r} has no rows. Check the file.")


def read_wide_marks(
    database: Database,
    source: Source,
    raters: Sequence[str],
    choices: ReadingChoices,
    side: str = "raters",
) -> PlacedMarks:
    """Read a file with a row for each item and a column for each rater, or for each system; `side` says which."""
    for role in ("rater", "label", "repeat"):
        if choices.columns.get(role) is not None:
            raise DataError(
                f"{argument(role)} names a column of a long file, and {argument('raters')} the columns of a wide one. "
                f"Leave one of them out."
            )
    relation, names, unused = add_wide(database, source, None, raters, choices, side=side)
    unique, repeats = distinct_items(database, relation, choices)
    answers = [f"p{at}" for at in range(len(names))]
    counted = choices.columns.get("count")
    if counted is not None:
        columns, count = counted_rows(database, relation, unique, answers, counted)
        marks = marks_of_columns(columns, tuple(names), count=count)
    else:
        identity = [role for role in ("item", "case") if relation.has(role)]
        fields = ", ".join([*map(sql.name, identity), *answers])
        arrays = all_rows(database, f"SELECT {fields} FROM {unique}")
        check_rows(database, relation, arrays[-1])
        read = dict(zip([*identity, *answers], map(label_column, arrays), strict=True))
        item_names = None
        if "item" in read:
            item_names = named_items(read["item"], read.get("case"), repr(source.spec))[0]
        columns = [raw_labels(read[answer]) for answer in answers]
        marks = marks_of_columns(columns, tuple(names), item_names=item_names)
    notes = unused_count_notes(
        unused if unused and holds_numbers(database) else None,
        np.ones(1) if marks.count is None else marks.count,
        repr(source.spec),
        items_named=relation.has("item"),
    )
    marks = replace(marks, side="rater" if side == "raters" else "system")
    placed = place_marks(marks, choices, [*database.notes, *notes])
    if repeats:
        placed.ignored["duplicate"] = repeats
    return placed


def counted_rows(
    database: Database, relation: SourceTable, table: str, answers: Sequence[str], count: str
) -> tuple[list[RawColumn], Array]:
    """Return the distinct rows of a wide file whose rows stand for several items, and their numbers of items."""

    def ask(sums: SumColumns) -> tuple[list[NullableArray], Array, Array]:
        asked = ", ".join([*answers, "count(*) AS n", *sql.questions(sums)])
        arrays = database.arrays(f"SELECT {asked} FROM {table} GROUP BY ALL ORDER BY ALL")
        check_rows(database, relation, arrays[-1])
        rows, *sums_of_rows = (column.filled(np.nan) for column in arrays[len(answers) :])
        return arrays[: len(answers)], rows, np.array(sums_of_rows)

    groups, some, totals = SumColumns(None, count).added_up(ask)
    return [from_database(group[some]) for group in groups], totals[0]


def read_probabilities(
    database: Database, source: Source, classes: Sequence[Any], choices: ReadingChoices
) -> tuple[tuple[Any, ...], Array]:
    """Read a file with a row for each item and a column for each class, named as the class: items, and their rows."""
    chosen = {**choices.columns, **{f"p{at}": str(label) for at, label in enumerate(classes)}}
    check_class_columns(column_names_of(database, source, chosen), classes, source)
    relation, _, _ = add_wide(database, source, None, [str(label) for label in classes], choices)
    if not relation.has("item"):
        raise no_column(list(database.columns), "item", repr(source.spec), "system")
    unique, _ = distinct_items(database, relation, choices)
    identity = [role for role in ("item", "case") if relation.has(role)]
    answers = [f"p{at}" for at in range(len(classes))]
    arrays = database.arrays(
        f"SELECT {', '.join([*map(sql.name, identity), *answers])} FROM {unique}"
    )
    check_rows(database, relation, arrays[-1])
    names = dict(zip(identity, map(label_column, arrays), strict=False))
    items = named_items(names["item"], names.get("case"), repr(source.spec))[0]
    columns, rounding = [], []
    for column, label in zip(arrays[len(identity) :], classes, strict=True):
        try:
            columns.append(column.filled(np.nan).astype(np.float64))
            rounding.append(rounding_of_column(column.data, len(classes)))
        except (TypeError, ValueError):
            raise DataError(
                f"the column {str(label)!r} of {source.spec!r} holds something that is not a number; it must hold the "
                f"probability of the class. Correct the file."
            ) from None
    matrix = np.stack(columns, axis=1)
    present = np.asarray(~np.isnan(matrix).any(axis=1))
    return items, normalised(matrix, present, repr(source.spec), items, allowed=min(rounding))


def rounding_of_column(numbers: Array, k: int) -> float:
    """Return how far from 1 the probabilities of k classes may sum by how precisely a file has one of their columns.

    Printed numbers may each be off by half a unit of the last decimal that the column has. A sum that is farther from 1
    than NEARLY is refused all the same.
    """
    if numbers.dtype.kind != "O":
        return rounding_of(str(numbers.dtype), k)
    return rounding_of_printed(numbers.tolist(), k)


def check_class_columns(columns: Sequence[str], classes: Sequence[Any], source: Source) -> None:
    """Refuse a file of probabilities that does not have a column for each class."""
    known = {lower(column) for column in columns}
    lacking = [label for label in classes if lower(label) not in known]
    if lacking:
        raise no_class_columns(lacking, columns, source)


def column_names_of(
    database: Database, source: Source, chosen: Mapping[str, str | None]
) -> list[str]:
    """Return the names of the columns of a file, some of which the caller chose; none if it has no header."""
    if source.form == "parquet":
        return [name for shape in typed_shapes(database, source) for name in shape.names]
    shapes = [shape for _, shape in text_shapes(database, source, chosen)]
    return [name for shape in shapes if not shape.headerless for name in shape.columns]
