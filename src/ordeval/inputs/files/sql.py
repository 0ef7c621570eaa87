"""The SQL of reading files: a table function for each format, and one shape (case, item, label, system) for all.

Only text is made here. In every relation an item of NULL marks a row that could not be read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from glob import escape

from ordeval.errors import DataError
from ordeval.inputs.files.plain_files import full_name
from ordeval.inputs.files.sniff import Shape
from ordeval.inputs.roles import SLICE
from ordeval.inputs.weighting import SumColumns

INTEGERS = frozenset(
    {
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "UHUGEINT",
    }
)
FLOATS = frozenset({"FLOAT", "DOUBLE"})
# Joined with others they become floats.
BEYOND_INT64 = frozenset({"HUGEINT", "UBIGINT", "UHUGEINT"})
# The types that keys keep: systems, raters and repeats are names, and so is a test case that is no integer of 64 bits.
KEYS = {
    "system": frozenset[str](),
    "rater": frozenset[str](),
    "repeat": frozenset[str](),
    "item": INTEGERS,
    "case": INTEGERS - BEYOND_INT64,
}
NAMES_OF_SLICES = INTEGERS | FLOATS | {"VARCHAR", "BOOLEAN"}
MOST_DIGITS = 15  # of a decimal number that a float tells from its neighbours
NOT_A_DELIMITER = "\x01\x02\x03"  # a line is one column: nothing in a text file splits it
NUMBER = r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*"  # as ordeval.labels reads one


def literal(text: str) -> str:
    """Write a text as SQL does."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"{text!r} is no text in UTF-8, so the engine cannot look for it."
        ) from None
    return "'" + text.replace("'", "''") + "'"


def literals(texts: Sequence[str]) -> str:
    """Write a list of texts as SQL does."""
    return f"[{', '.join(map(literal, texts))}]"


def name(text: str) -> str:
    """Write a name as SQL does."""
    return '"' + text.replace('"', '""') + '"'


def chained(parts: Sequence[str], operator: str) -> str:
    """Join parts by an operator, one half to the other and so on: the engine reads expressions only so deep."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return f"({chained(parts[:half], operator)} {operator} {chained(parts[half:], operator)})"


def file_list(files: Sequence[str]) -> str:
    """Write a list of files by their full names, escaped: DuckDB would read brackets and stars as a pattern."""
    return "[" + ", ".join(literal(escape(full_name(file))) for file in files) + "]"


def both_spellings(names: Iterable[str]) -> list[str]:
    """Return full names of files as they are and, where that is another text, as a pattern that matches them alone."""
    return list(dict.fromkeys(text for name in names for text in (name, escape(name))))


def csv_scan(
    files: Sequence[str],
    compression: str,
    columns: Sequence[str],
    options: Mapping[str, str],
    rejects: str,
) -> str:
    """Scan text files with these columns; rows that do not fit go to the tables of rejects."""
    typed = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    settings = {
        "auto_detect": "false",
        "columns": "{" + typed + "}",
        "compression": literal(compression),
        "store_rejects": "true",
        "rejects_table": literal(f"{rejects}_errors"),
        "rejects_scan": literal(f"{rejects}_scans"),
        "strict_mode": "true",  # by looser rules what stands beyond the last column is dropped
        "max_line_size": "10000000",
        "hive_partitioning": "false",  # a folder's name is no column
        "buffer_size": "12000000",  # what a thread takes at a time: the engine's own is so large that one has it all
        **options,
    }
    return f"read_csv({file_list(files)}, {', '.join(f'{key}={value}' for key, value in settings.items())})"


def lines_of(files: Sequence[str], compression: str, rejects: str) -> str:
    """Scan the lines of text files, one row for each, blank ones too (NULL)."""
    options = {"delim": literal(NOT_A_DELIMITER), "quote": "''", "escape": "''", "header": "false"}
    return csv_scan(files, compression, ["line"], options, rejects)


def json_objects(file: str) -> str:
    """Select the JSON in a file packed with zstd: the entries of a list, or one object."""
    scan = f"read_json_objects({literal(file)}, format='auto', compression='zstd')"
    return f"SELECT json::VARCHAR FROM {scan}"


def csv_relation(
    files: Sequence[str],
    compression: str,
    shape: Shape,
    chosen: Mapping[str, int],
    rejects: str,
) -> str:
    """Select columns of text files that have a header."""
    columns = [f"c{at}" for at in range(len(shape.columns))]
    options = {
        "delim": literal(shape.delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "header": "true",
        "skip": str(shape.blank),
    }
    scan = csv_scan(files, compression, columns, options, rejects)
    return (
        f"SELECT {', '.join(f'c{at} AS {name(role)}' for role, at in chosen.items())} FROM {scan}"
    )


def unquoted(field: str) -> str:
    """Write a field without the quotes around it; NULL if nothing is left."""
    inside = f"replace(substr({field}, 2, length({field}) - 2), '\"\"', '\"')"
    whole = f"(starts_with({field}, '\"') AND ends_with({field}, '\"') AND length({field}) >= 2)"
    return f"nullif(trim(CASE WHEN {whole} THEN {inside} ELSE {field} END), '')"


def evall_relation(lines: str, *, side: str, numeric: bool) -> str:
    """Select EvALL's three columns from lines; with `numeric`, a line whose answer is not a number is unreadable."""
    parts = f"SELECT *, string_split(line, chr(9)) AS parts FROM {lines} WHERE line IS NOT NULL"
    fields = ", ".join(
        f"{unquoted(f'parts[{at}]')} AS {role}"
        for at, role in ((1, '"case"'), (2, "id"), (3, "label"))
    )
    fits = 'len(parts) = 3 AND "case" IS NOT NULL AND id IS NOT NULL'
    if side == "system":
        fits += " AND label IS NOT NULL"
        if numeric:
            fits += f" AND regexp_full_match(label, {literal(NUMBER)})"
    return (
        f"SELECT *, CASE WHEN {fits} THEN id END AS item FROM (SELECT *, {fields} FROM ({parts}))"
    )


def json_relation(lines: str, keys: Mapping[str, str]) -> str:
    """Select the values of keys from lines that hold one JSON object each."""
    is_object = "json_valid(line) AND starts_with(ltrim(line), '{')"  # a number is JSON too
    rows = f"SELECT *, CASE WHEN {is_object} THEN line END AS object FROM {lines} WHERE trim(line) <> ''"
    fields = ", ".join(
        f"nullif(json_extract_string(object, {literal(json_path(key))}), '') AS {name(role)}"
        for role, key in keys.items()
    )
    return f"SELECT *, {fields} FROM ({rows})"


def json_path(key: str) -> str:
    """Write the path of a key at the top of an object."""
    return '$."' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


def keys_among(lines: str, names: Iterable[str]) -> str:
    """Ask for the keys of all JSON objects that have one of these names, in whatever case."""
    is_object = "json_valid(line) AND starts_with(ltrim(line), '{')"
    every = f"SELECT DISTINCT unnest(json_keys(CASE WHEN {is_object} THEN line END)) AS key FROM {lines}"
    return (
        f"SELECT key FROM ({every}) WHERE lower(key) IN ({', '.join(map(literal, sorted(names)))})"
    )


def head_of_lines(lines: str, size: int) -> str:
    """Ask for the first lines: as many as it takes to fill some bytes."""
    length = "strlen(coalesce(line, '')) + 1"
    before = f"sum({length}) OVER (ROWS UNBOUNDED PRECEDING) - ({length})"
    some = f"SELECT line FROM {lines} LIMIT {size}"
    return (
        f"SELECT line FROM (SELECT line, {before} AS before FROM ({some})) WHERE before <= {size}"
    )


def parquet_scan(files: Sequence[str]) -> str:
    """Scan Parquet files that have the same columns."""
    return f"read_parquet({file_list(files)}, hive_partitioning=false)"


def parquet_schema(file: str) -> str:
    """Ask for the elements of a Parquet file's schema, their names and numbers of parts first."""
    kinds = "type, converted_type, logical_type, scale, precision"
    return f"SELECT name, num_children, {kinds} FROM parquet_schema({literal(escape(full_name(file)))})"


def typed_relation(tables: Sequence[tuple[str, Mapping[str, tuple[str, str]]]]) -> str:
    """Select columns of typed tables, given by role with their types, one table after another.

    Labels and ids come in types that can be grouped and joined as they are. What has several types in several tables
    comes as text, in which a number is the same from every type.
    """
    fields = [
        {role: typed_field(role, *column) for role, column in columns.items()}
        for _, columns in tables
    ]
    mixed = {
        role
        for role in fields[0]
        if len(kinds := {field[role][1] for field in fields}) > 1
        and not kinds <= INTEGERS - BEYOND_INT64
    }
    selects = []
    for (scan, _), field in zip(tables, fields, strict=True):
        chosen = [
            f"{text_key(*each) if role in mixed else each[0]} AS {name(role)}"
            for role, each in field.items()
        ]
        selects.append(f"SELECT {', '.join(chosen)} FROM {scan}")
    return chained(selects, "UNION ALL")


def typed_field(role: str, column: str, kind: str) -> tuple[str, str]:
    """Write a column of a typed table as its role needs it; return its type with it."""
    field = name(column)
    if kind.startswith("DECIMAL"):
        return decimal_field(role, field, kind)
    if role in KEYS:
        plain = kind in KEYS[role]
        return (field, kind) if plain else (f"nullif({text_key(field, kind)}, '')", "VARCHAR")
    if kind.startswith("ENUM") or (role.startswith(SLICE) and kind not in NAMES_OF_SLICES):
        return f"{field}::VARCHAR", "VARCHAR"
    return field, kind


def decimal_field(role: str, field: str, kind: str) -> tuple[str, str]:
    """Write a column of decimal numbers without losing a digit: 12.00 and the integer 12 are one id."""
    digits, places = (int(text) for text in re.findall(r"\d+", kind))
    if role in {"weight", "count"} or (role not in KEYS and digits <= MOST_DIGITS):
        return f"{field}::DOUBLE", "DOUBLE"
    if role == "item" and not places:
        return f"{field}::HUGEINT", "HUGEINT"
    text = f"{field}::VARCHAR"
    return f"rtrim(rtrim({text}, '0'), '.')" if places else text, "VARCHAR"


def text_key(column: str, kind: str) -> str:
    """Write an id as text: a whole number in a column of floats is spelled as the number."""
    if kind in FLOATS:
        integer = f"isfinite({column}) AND {column} = trunc({column}) AND abs({column}) < 1e18"
        return f"CASE WHEN {integer} THEN {column}::BIGINT::VARCHAR ELSE {column}::VARCHAR END"
    return column if kind == "VARCHAR" else f"{column}::VARCHAR"


def questions(sums: SumColumns) -> list[str]:
    """Write what is asked of the columns of weights and counts, in the order of `SumColumns`."""
    count, weight = 'TRY_CAST("count" AS DOUBLE)', "TRY_CAST(weight AS DOUBLE)"
    every, times = [], ""
    if sums.count is not None:
        every = [f"count({count})", f"min({count})", f"sum({count})"]
        every.append(f"max(abs({count} - round({count})))")
        times = f" * {count}"
    if sums.weight is not None:
        scaled = f"({weight} * {2.0**-sums.unit!r}::DOUBLE)"
        addends = [weight, f"{scaled} * {scaled}"]
        addends += [f"({weight} > 0)::INTEGER"] if sums.some_zero else []
        # fsum makes up for what rounding loses, and so for most of what the order of the rows changes
        every += [
            f"count({weight})",
            f"min({weight})",
            *(f"fsum({each}{times})" for each in addends),
        ]
    return [f"{each} AS sum{at}" for at, each in enumerate(every)]
