"""A wide file: one row for each item, a column for gold and one for each rater."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.errors import DataError, quoted
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import SHOWN, Database, Relation, check_label_type
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.matching import (
    duplicate_error,
    having_label,
    lines_told,
    repeated,
    rows_told,
)
from ordeval.inputs.patterns import GOLD, Found, Options, Patterns, from_array, resolve
from ordeval.inputs.roles import NAMES, column_of

TABLE = "wide"
MOST_BITS = 1 << 30
SMALL = (
    32 << 20
)  # bytes on disk below which text is parsed once and kept; more is scanned where it lies


def count_wide(
    database: Database, source: Source, gold: str, predicted: Sequence[str], options: Options
) -> Found:
    """Count the distinct rows of a wide file."""
    if not predicted:
        raise DataError("no column of answers was named. Pass predicted=['...'] (--pred).")
    relation, systems = add_wide(database, source, gold, predicted, options)
    answers = [f"p{at}" for at in range(len(systems))]
    chosen = [*(['"case"'] if relation.has("case") else []), "gold", *answers]
    rows_, repeats = distinct_items(database, relation, options)
    arrays = database.arrays(
        f"SELECT {', '.join(chosen)}, count(*) AS n FROM {rows_} GROUP BY ALL ORDER BY ALL"
    )
    count = arrays.pop().data
    lost, lines = database.rejected(relation)  # all of them are known after the scan alone
    lost = lost or (unread_lines(database) if source.form == "jsonl" else 0)
    if lost:
        where = f": {lines_told(lines)}" if lines else ""
        raise DataError(
            f"{rows_told(lost)} of {source.spec!r} cannot be read{where}. Mend the file."
        )
    if not len(count):
        raise DataError(f"{source.spec!r} has no rows. Check the file.")
    case = None
    if relation.has("case"):
        case = from_array(arrays.pop(0))
        if any(case.values[code] is None for code in np.unique(case.codes).tolist()):
            raise DataError(
                f"{source.spec!r} has rows without a test case; every item belongs to one. Fill the column."
            )
    columns = [from_array(array) for array in arrays]
    ignored = {"not_in_gold": 0, "duplicate": repeats, "unreadable": 0}

    def examples(side: int, raw: Sequence[Any]) -> list[Any]:
        condition = having_label("gold" if side == GOLD else f"p{side}", raw)
        shown = "item" if relation.has("item") else "row"
        numbered = f"SELECT *, row_number() OVER () AS row FROM {TABLE}"
        return [
            name
            for (name,) in database.rows(
                f"SELECT {shown} FROM ({numbered}) WHERE {condition} ORDER BY row LIMIT {SHOWN}"
            )
        ]

    patterns = Patterns(case, columns[0], columns[1:], count)
    return resolve(patterns, systems, options, examples, ignored=ignored)


def unread_lines(database: Database) -> int:
    """Return how many lines hold no JSON object."""
    return int(database.rows(f"SELECT count(*) FROM {TABLE} WHERE unread")[0][0])


def add_wide(
    database: Database, source: Source, gold: str, predicted: Sequence[str], options: Options
) -> tuple[Relation, list[str]]:
    """Make the columns of a wide file known, and return the systems' names."""
    told = dict(options.told)
    wanted = {**told, "gold": gold, **{f"p{at}": name for at, name in enumerate(predicted)}}
    if source.form == "parquet":
        scan = database.parquet(source)
        columns = database.columns_of(scan)
        chosen = choose([name for name, _ in columns], told, gold, predicted, source)
        for role in ("gold", *(f"p{at}" for at in range(len(predicted)))):
            check_label_type(*columns[chosen[role]], source)
        names = [columns[chosen[f"p{at}"]][0] for at in range(len(predicted))]
        select, kind, rejects = sql.typed_relation(scan, columns, chosen), "VIEW", None
    else:
        rejects, selects, names = f"rejects_{TABLE}", [], []
        for files, shape in database.shapes(source, wanted):
            if shape.headerless:
                raise DataError(
                    f"{files[0]!r} has no header, so it has no column {gold!r}; a wide file names its columns."
                )
            chosen = choose(shape.columns, told, gold, predicted, source)
            names = [shape.columns[chosen[f"p{at}"]] for at in range(len(predicted))]
            if source.form == "jsonl":
                lines = database.lines(files, source, rejects)
                body = sql.json_relation(
                    lines, {role: shape.columns[at] for role, at in chosen.items()}
                )
                selects.append(
                    f"SELECT {', '.join(map(sql.name, chosen))}, object IS NULL AS unread FROM ({body})"
                )
            else:
                selects.append(database.rows_under(files, source, shape, chosen, rejects))
        select = " UNION ALL BY NAME ".join(selects)
        kind = "TABLE" if source.size < SMALL else "VIEW"
    if len(set(names)) < len(names):
        raise DataError(f"a column of answers is named twice: {quoted(names)}. Name each once.")
    database.connection.execute(f"CREATE TEMP {kind} {TABLE} AS {select}")
    return database.relation(TABLE, source, lambda _: [], rejects), names


def choose(
    columns: Sequence[str],
    told: dict[str, str | None],
    gold: str,
    predicted: Sequence[str],
    source: Source,
) -> dict[str, int]:
    """Return which columns hold what: gold, the answers, and the test case and the item where there are such."""
    where = repr(source.spec)
    chosen = {"gold": column_of(columns, gold, "gold= (--gold)", where)}
    chosen |= {
        f"p{at}": column_of(columns, name, "predicted= (--pred)", where)
        for at, name in enumerate(predicted)
    }
    lowered = [column.lower() for column in columns]
    for role in ("case", "item"):
        name = told.get(role)
        if name is not None:
            chosen[role] = column_of(columns, name, f"{role}= (--{role})", where)
            continue
        known = next((one for one in NAMES[role] if one in lowered), None)
        if known is not None and lowered.index(known) not in chosen.values():
            chosen[role] = lowered.index(known)
    return chosen


def distinct_items(database: Database, relation: Relation, options: Options) -> tuple[str, int]:
    """See to items that have more than one row; return what to count, and how many rows are left out."""
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
    if options.policy.duplicates == "error":
        raise duplicate_error(repr(relation.source.spec), repeated(database, TABLE, by))
    numbered = f"SELECT *, row_number() OVER () AS rn FROM {TABLE}"
    first = f"item IS NULL OR row_number() OVER (PARTITION BY {grouped} ORDER BY rn) = 1"
    return f"(SELECT * EXCLUDE (rn) FROM ({numbered}) QUALIFY {first})", repeats


def surely_unique(database: Database, relation: Relation) -> bool:
    """Tell whether whole-numbered ids are all different, by a bit for each: a fraction of what grouping them costs."""
    if relation.types["item"] not in sql.INTEGERS - {"HUGEINT", "UHUGEINT", "UBIGINT"}:
        return False
    low, high, n = database.rows(f"SELECT min(item), max(item), count(item) FROM {TABLE}")[0]
    if not n or high - low >= min(64 * n, MOST_BITS):
        return False
    bits = f"bitstring_agg(item::BIGINT, '{low}'::BIGINT, '{high}'::BIGINT)"
    return bool(database.rows(f"SELECT bit_count({bits}) FROM {TABLE}")[0][0] == n)
