"""A wide file: one row for each item, a column for gold and one for each system."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument, quoted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.long import check_same_roles
from ordeval.inputs.files.matching import (
    label_among,
    named_items,
    repeated_ids,
    slices_of,
)
from ordeval.inputs.files.shapes import check_label_type, text_shapes, typed_shapes
from ordeval.inputs.files.sniff import line_list, row_count
from ordeval.inputs.files.wide_columns import UNUSED, find_positions
from ordeval.inputs.patterns import GOLD, Examples, NullableArray, RawPatterns, from_database
from ordeval.inputs.placing import SHOWN, PlacedPatterns, place, repeated_items
from ordeval.inputs.unused_counts import unused_count_notes
from ordeval.inputs.weighting import SumColumns

TABLE = "wide"
MANY_ROWS = 1000
MOST_BITS = 1 << 30
# Bytes on disk: a smaller text file is parsed once and kept, a larger one is scanned where it lies.
SMALL = 32 << 20


class WideRows(NamedTuple):
    """The patterns of a wide file, before anything is decided about them."""

    patterns: RawPatterns
    systems: list[str]
    examples: Examples
    repeats: int  # rows left out because they repeat an item
    notes: list[str]


def count_wide_rows(
    database: Database, source: Source, gold: str, predicted: Sequence[str], choices: ReadingChoices
) -> PlacedPatterns:
    """Count the distinct rows of a wide file, and put them on the scale."""
    read = read_wide_rows(database, source, gold, predicted, choices)
    ignored = {"not_in_gold": 0, "duplicate": read.repeats, "unreadable": 0}
    return place(
        read.patterns, read.systems, choices, read.examples, ignored=ignored, notes=read.notes
    )


def read_wide_rows(
    database: Database, source: Source, gold: str, predicted: Sequence[str], choices: ReadingChoices
) -> WideRows:
    """Count the distinct rows of a wide file."""
    if not predicted:
        raise DataError(f"no column of answers was named. Name it with {argument('predicted')}.")
    relation, systems, unused = add_wide(database, source, gold, predicted, choices)
    answers = [f"p{at}" for at in range(len(systems))]
    slices = slices_of(relation)
    chosen = [*(['"case"'] if relation.has("case") else []), "gold", *answers, *slices]
    unique, repeats = distinct_items(database, relation, choices)

    def ask(sums: SumColumns) -> tuple[list[NullableArray], Array, Array]:
        questions = ", ".join(["count(*) AS n", *sql.questions(sums)])
        columns = database.arrays(
            f"SELECT {', '.join(chosen)}, {questions} FROM {unique} GROUP BY ALL ORDER BY ALL"
        )
        check_rows(database, relation, columns[-1])
        rows, *answers = (column.filled(np.nan) for column in columns[len(chosen) :])
        return columns[: len(chosen)], rows, np.array(answers)

    sums = SumColumns(choices.columns.get("weight"), choices.columns.get("count"))
    groups, some, totals = sums.added_up(ask)
    arrays = [group[some] for group in groups]
    case = None
    if relation.has("case"):
        case = from_database(arrays.pop(0))
        if any(case.values[code] is None for code in case.occurring):
            raise DataError(
                f"{source.spec!r} has rows without a test case; every item belongs to one. Fill the column."
            )
    columns = [from_database(array) for array in arrays]

    def examples(side: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
        label = "gold" if side == GOLD else f"p{side}"
        shown = "item" if relation.has("item") else "row"
        of_case = '"case"' if relation.has("case") and relation.has("item") else "NULL"
        numbered = f"SELECT *, row_number() OVER () AS row FROM {TABLE}"
        rows = database.rows(
            f"SELECT {of_case}, {shown}, {label} FROM ({numbered}) WHERE {label_among(label, labels)} "
            f"ORDER BY row LIMIT {SHOWN}"
        )
        return named_items(rows)

    named = dict(zip(choices.by, columns[1 + len(systems) :], strict=True))
    patterns = RawPatterns(case, columns[0], columns[1 : 1 + len(systems)], *totals, slices=named)
    notes = unused_count_notes(
        unused if unused and holds_numbers(database) else None,
        patterns.count,
        repr(source.spec),
        items_named=relation.has("item"),
    )
    return WideRows(patterns, systems, examples, repeats, [*database.notes, *notes])


def holds_numbers(database: Database) -> bool:
    """Tell whether the column that is named like a count holds numbers, as far as its first rows show."""
    first = f"SELECT {UNUSED} AS value FROM {TABLE} LIMIT {MANY_ROWS}"
    number = "TRY_CAST(value::VARCHAR AS DOUBLE)"
    return bool(database.rows(f"SELECT count(value) = count({number}) FROM ({first})")[0][0])


def check_rows(database: Database, relation: SourceTable, column: NullableArray) -> None:
    """Refuse a file that has no rows, or some that cannot be read; this is known only after a scan."""
    source = relation.source
    lost, lines = database.rejected(relation)
    lost = lost or (unread_lines(database) if source.form == "jsonl" else 0)
    if lost:
        where = f": {line_list(lines)}" if lines else ""
        raise DataError(
            f"{row_count(lost)} of {source.spec!r} cannot be read{where}. Correct the file."
        )
    if not len(column.data):
        raise DataError(f"{source.spec!r} has no rows. Check the file.")


def unread_lines(database: Database) -> int:
    """Return how many lines hold no JSON object."""
    return int(database.rows(f"SELECT count(*) FROM {TABLE} WHERE unread")[0][0])


def add_wide(
    database: Database,
    source: Source,
    gold: str | None,
    predicted: Sequence[str],
    choices: ReadingChoices,
    *,
    side: str = "predicted",
) -> tuple[SourceTable, list[str], str | None]:
    """Add the columns of a wide file to the database; return its table, the systems' names, and a count not used.

    `side` is the argument that named the columns beside gold.
    """
    answers = {f"p{at}": name for at, name in enumerate(predicted)}
    labels = [*(["gold"] if gold is not None else []), *answers]
    wanted = {**choices.columns, **choices.beside_gold, "gold": gold, **answers}
    names: list[str] = []
    unused: str | None = None
    rejects: str | None = None
    if source.form == "parquet":
        tables: list[tuple[str, dict[str, tuple[str, str]]]] = []
        for typed in typed_shapes(database, source):
            positions = find_positions(typed.names, gold, predicted, choices, source, side=side)
            for role in labels:
                at = positions[role]
                check_label_type(typed.names[at], typed.columns[at][1], source)
            names = [typed.names[positions[role]] for role in answers]
            unused = typed.names[positions[UNUSED]] if UNUSED in positions else None
            tables.append((typed.scan, {role: typed.columns[at] for role, at in positions.items()}))
            check_same_roles(source, tables[0][1], positions)
        select, kind = sql.typed_relation(tables), "VIEW"
    else:
        rejects, selects = f"rejects_{TABLE}", []
        for files, shape in text_shapes(database, source, wanted):
            if shape.headerless:
                first = predicted[0] if gold is None else gold
                raise DataError(
                    f"{files[0]!r} has no header, so it has no column {first!r}; a wide file names its columns."
                )
            positions = find_positions(shape.columns, gold, predicted, choices, source, side=side)
            names = [shape.columns[positions[f"p{at}"]] for at in range(len(predicted))]
            unused = shape.columns[positions[UNUSED]] if UNUSED in positions else None
            if source.form == "jsonl":
                lines = database.lines(files, source, rejects)
                body = sql.json_relation(
                    lines, {role: shape.columns[at] for role, at in positions.items()}
                )
                selects.append(
                    f"SELECT {', '.join(map(sql.name, positions))}, object IS NULL AS unread FROM ({body})"
                )
            else:
                selects.append(database.rows_under(files, source, shape, positions, rejects))
        select = sql.chained(selects, "UNION ALL BY NAME")
        kind = "TABLE" if source.size < SMALL else "VIEW"
    if len(set(names)) < len(names):
        what = "marks" if side == "raters" else "answers"
        raise DataError(f"a column of {what} is named twice: {quoted(names)}. Name each once.")
    database.connection.execute(f"CREATE TEMP {kind} {TABLE} AS {select}")
    relation = database.describe(TABLE, source, lambda _: [], rejects)
    return relation, names, unused if relation.has(UNUSED) else None


def distinct_items(
    database: Database, relation: SourceTable, choices: ReadingChoices
) -> tuple[str, int]:
    """Apply the policy to items with more than one row; return what to count, and how many rows are left out."""
    if not relation.has("item"):
        return TABLE, 0
    by = ["case", "item"] if relation.has("case") else ["item"]
    grouped = ", ".join(map(sql.name, by))
    if surely_unique(database, relation):
        return TABLE, 0
    rows_of = f"SELECT count(*) AS n FROM {TABLE} WHERE item IS NOT NULL GROUP BY {grouped}"
    query = f"SELECT count(*), sum(n) FROM ({rows_of})"
    distinct, rows = database.rows(query)[0]
    repeats = int((rows or 0) - distinct)
    if not repeats:
        return TABLE, 0
    if choices.policy.duplicates == "error":
        raise repeated_items(repr(relation.source.spec), repeated_ids(database, TABLE, by))
    numbered = f"SELECT *, row_number() OVER () AS rn FROM {TABLE}"
    first = f"item IS NULL OR row_number() OVER (PARTITION BY {grouped} ORDER BY rn) = 1"
    return f"(SELECT * EXCLUDE (rn) FROM ({numbered}) QUALIFY {first} ORDER BY rn)", repeats


def surely_unique(database: Database, relation: SourceTable) -> bool:
    """Tell whether integer ids are all different, by one bit for each: much cheaper than grouping them."""
    if relation.types["item"] not in sql.INTEGERS - {"HUGEINT", "UHUGEINT", "UBIGINT"}:
        return False
    low, high, n = database.rows(f"SELECT min(item), max(item), count(item) FROM {TABLE}")[0]
    if not n or high - low >= min(64 * n, MOST_BITS):
        return False
    bits = f"bitstring_agg(item::BIGINT, '{low}'::BIGINT, '{high}'::BIGINT)"
    return bool(database.rows(f"SELECT bit_count({bits}) FROM {TABLE}")[0][0] == n)
