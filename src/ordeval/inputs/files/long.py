"""Long files: a row for each item, or for each item and system, under a name in the database."""

from collections.abc import Callable, Iterable, Mapping

from ordeval.errors import DataError, argument
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.shapes import check_label_type, text_shapes, typed_shapes
from ordeval.inputs.files.sniff import Shape, why_unread
from ordeval.inputs.roles import NAMES, Roles, long_roles, spoken_role

EVALL_ROLES = Roles(case=0, item=1, label=2)


def add_long(
    database: Database,
    source: Source,
    chosen: Mapping[str, str | None],
    side: str,
    *,
    numeric: bool = False,
) -> SourceTable:
    """Add a long source to the database; `chosen` are the columns that the caller named, by role."""
    table = f"{side}_{database.number()}"
    with database.speaking_of(source):
        if source.form == "parquet":
            return add_typed(database, table, source, chosen, side)
        return add_text(database, table, source, chosen, side, numeric=numeric)


def add_typed(
    database: Database, table: str, source: Source, chosen: Mapping[str, str | None], side: str
) -> SourceTable:
    """Add Parquet files."""
    played: list[Roles] = []
    tables = []
    for shape in typed_shapes(database, source):
        database.columns |= dict.fromkeys(shape.names)
        roles = long_roles(shape.names, chosen, side, repr(source.spec))
        check_label_type(shape.names[roles.label], shape.columns[roles.label][1], source)
        positions = roles.positions()
        if played:
            check_same_roles(source, played[0].positions(), positions)
        played.append(roles)
        tables.append((shape.scan, {role: shape.columns[at] for role, at in positions.items()}))
    select = without_keys(sql.typed_relation(tables), played[0])
    database.connection.execute(f"CREATE TEMP VIEW {table} AS {select}")
    return database.describe(table, source, lambda _: [], None)


def add_text(
    database: Database,
    table: str,
    source: Source,
    chosen: Mapping[str, str | None],
    side: str,
    *,
    numeric: bool,
) -> SourceTable:
    """Add CSV, TSV or JSON lines, each file by its own header."""
    rejects = f"rejects_{table}"
    selects: list[str] = []
    columns: tuple[str, ...] | None = None
    by_line: list[tuple[str, Callable[[str], str]]] = []
    for files, shape in text_shapes(database, source, chosen):
        database.columns |= dict.fromkeys(shape.columns)
        roles = EVALL_ROLES
        if shape.headerless:
            check_no_column_beside(files[0], chosen)
        else:
            roles = long_roles(shape.columns, chosen, side, repr(files[0]))
        positions = roles.positions()
        if shape.headerless or source.form == "jsonl":
            select = line_reader(shape, positions, side, numeric=numeric)
            by_line += [(file, select) for file in files]
            body = select(database.lines(files, source, rejects))
            body = f"SELECT {', '.join(map(sql.name, positions))} FROM ({body})"
        else:
            body = database.rows_under(files, source, shape, positions, rejects)
        if columns is not None:
            check_same_roles(source, columns, positions)
        columns = tuple(positions)
        selects.append(without_keys(body, roles))
    database.connection.execute(f"CREATE TEMP TABLE {table} AS {sql.chained(selects, 'UNION ALL')}")

    def bad_lines(limit: int) -> list[tuple[int, str]]:
        bad: list[tuple[int, str]] = []
        for file, select in by_line:
            lines = database.lines([file], source, rejects)
            numbered = f"(SELECT row_number() OVER () AS rn, line FROM {lines})"
            condition = f"item IS NULL ORDER BY rn LIMIT {limit - len(bad)}"
            rows = database.rows(f"SELECT rn, line FROM ({select(numbered)}) WHERE {condition}")
            bad += [(at, why_unread(line, json=source.form == "jsonl")) for at, line in rows]
        return bad

    return database.describe(table, source, bad_lines, rejects)


def check_same_roles(source: Source, first: Iterable[str], other: Iterable[str]) -> None:
    """Refuse files of one source whose columns play different roles."""
    if list(first) != list(other):
        raise DataError(
            f"the files of {source.spec!r} differ: one has the columns {', '.join(first)} and another "
            f"{', '.join(other)}. Give them the same columns."
        )


def line_reader(
    shape: Shape, positions: Mapping[str, int], side: str, *, numeric: bool
) -> Callable[[str], str]:
    """Return what makes columns out of lines: EvALL's three, or the values of an object's keys."""
    if shape.headerless:
        return lambda lines: sql.evall_relation(lines, side=side, numeric=numeric)
    keys = {role: shape.columns[at] for role, at in positions.items()}
    return lambda lines: sql.json_relation(lines, keys)


def without_keys(select: str, roles: Roles) -> str:
    """Set the item to NULL in rows that lack their test case, system or rater: such rows cannot be read."""
    keys = [column for column in ("case", "system", "rater") if getattr(roles, column) is not None]
    if not keys:
        return select
    complete = " AND ".join(f"{sql.name(key)} IS NOT NULL" for key in keys)
    return f"SELECT * REPLACE (CASE WHEN {complete} THEN item END AS item) FROM ({select})"


def check_no_column_beside(file: str, chosen: Mapping[str, str | None]) -> None:
    """Refuse a column of weights, counts or slices of a file that has no header."""
    for role, name in chosen.items():
        if role not in NAMES:
            raise DataError(
                f"{file!r} has no header, so it has no column {name!r} for {argument(spoken_role(role))}. Write a "
                f"header into it."
            )
