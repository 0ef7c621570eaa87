"""What joining one system and joining many have in common: keys, conditions, and errors about rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.errors import DataError, quoted
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.sniff import line_list, row_count
from ordeval.inputs.patterns import Examples, ItemOfCase, RawPatterns
from ordeval.inputs.placing import SHOWN
from ordeval.inputs.roles import SLICE


@dataclass(frozen=True, slots=True)
class JoinedFiles:
    """The patterns that a join found, and how many rows it left out."""

    patterns: RawPatterns
    not_in_gold: int
    duplicate: int
    unreadable: int  # rows without an item, beside the lines that did not fit
    examples: Examples


def keys(relations: Sequence[SourceTable], column: str) -> list[str]:
    """Write the join key of each relation: as it is where all have the same kind, else as text."""
    kinds = {relation.types[column] for relation in relations}
    if kinds <= sql.INTEGERS or kinds == {"VARCHAR"}:
        return [sql.name(column) for _ in relations]
    return [sql.text_key(sql.name(column), relation.types[column]) for relation in relations]


def label_among(column: str, raw: Sequence[Any]) -> str:
    """Write the condition that a label is one of these, as they came."""
    spelled = [sql.literal(str(value)) for value in raw if value is not None]
    spelled += [sql.literal(str(value).lower()) for value in raw if isinstance(value, bool)]
    parts = [f"{column}::VARCHAR IN ({', '.join(spelled)})"] if spelled else []
    if None in raw:
        parts += [f"{column} IS NULL", f"{column}::VARCHAR = 'nan'"]
    return f"({' OR '.join(parts)})" if parts else "false"


def named_items(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, Any]]:
    """Return items with their labels, from rows of test case, item and label; a test case may be NULL."""
    return [(item if case is None else ItemOfCase(item, case), label) for case, item, label in rows]


def slices_of(relation: SourceTable) -> list[str]:
    """Return the columns of a table whose groups are slices."""
    return [column for column in relation.types if column.startswith(SLICE)]


def beside_gold(relation: SourceTable) -> list[str]:
    """Return the columns of gold that hold no label and no key: weights, counts and slices."""
    return [
        *(column for column in ("weight", "count") if relation.has(column)),
        *slices_of(relation),
    ]


def repeated_ids(database: Database, table: str, by: Sequence[str]) -> list[Any]:
    """Return the first few ids that occur more than once."""
    case = '"case"' if "case" in by else "NULL"
    query = (
        f"SELECT {case}, item, NULL FROM {table} WHERE item IS NOT NULL GROUP BY {', '.join(map(sql.name, by))} "
        f"HAVING count(*) > 1 ORDER BY item, 1 LIMIT {SHOWN}"
    )
    return [item for item, _ in named_items(database.rows(query))]


def unreadable_gold(gold: SourceTable, lost: int, lines: Sequence[tuple[int, str]]) -> DataError:
    """Return the error for gold rows that cannot be read."""
    where = line_list(lines) or "no item id, or no test case"
    return DataError(
        f"{row_count(lost)} of gold, {gold.source.spec!r}, cannot be read: {where}. Every row of gold is needed; "
        f"correct the file."
    )


def no_readable_rows(database: Database, relation: SourceTable) -> DataError:
    """Return the error for a system's file that has no row to read."""
    lines = database.rejected(relation)[1] or relation.bad_lines(SHOWN)
    where = f": {line_list(lines)}" if lines else ""
    return DataError(
        f"{relation.source.spec!r} has no rows that can be read{where}. Check the file."
    )


def no_overlap(system: str, theirs: Sequence[Any], ours: Sequence[Any]) -> DataError:
    """Return the error for a system none of whose answers is about an item of gold."""
    return DataError(
        f"no answer of {system!r} is about an item of gold: its items are named like {quoted(theirs, 2)} and gold's "
        f"like {quoted(ours, 2)}. Check the columns of items and test cases."
    )
