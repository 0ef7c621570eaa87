"""The SQL of reading files: a table function for each format, and one shape (case, item, label, system) for all.

Only text is made here. In every relation an item of NULL marks a row that could not be read.
"""

from collections.abc import Mapping, Sequence
from glob import escape

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
NOT_A_DELIMITER = "\x01\x02\x03"  # a line is one column: nothing in a text file splits it
NUMBER = r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*"  # as ordeval.labels reads one


def literal(text: str) -> str:
    """Write a text as SQL does."""
    return "'" + text.replace("'", "''") + "'"


def name(text: str) -> str:
    """Write a name as SQL does."""
    return '"' + text.replace('"', '""') + '"'


def file_list(files: Sequence[str]) -> str:
    """Write a list of files, their names escaped: DuckDB would read brackets and stars as a pattern."""
    return "[" + ", ".join(literal(escape(file)) for file in files) + "]"


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
        "buffer_size": "12000000",  # what a thread takes at a time: the engine's own is so large that one has it all
        **options,
    }
    return f"read_csv({file_list(files)}, {', '.join(f'{key}={value}' for key, value in settings.items())})"


def lines_of(files: Sequence[str], compression: str, rejects: str) -> str:
    """Scan the lines of text files, one row for each, blank ones too (NULL)."""
    options = {"delim": literal(NOT_A_DELIMITER), "quote": "''", "escape": "''", "header": "false"}
    return csv_scan(files, compression, ["line"], options, rejects)


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


def parquet_scan(files: Sequence[str]) -> str:
    """Scan Parquet files, their columns united by name."""
    united = ", union_by_name=true" if len(files) > 1 else ""
    return f"read_parquet({file_list(files)}{united})"


def typed_relation(scan: str, columns: Sequence[tuple[str, str]], chosen: Mapping[str, int]) -> str:
    """Select columns of a typed table, labels and ids in types that can be grouped and joined as they are."""
    fields = []
    for role, at in chosen.items():
        column, kind = columns[at]
        field = name(column)
        if kind.startswith("DECIMAL"):
            field = f"{field}::DOUBLE"
        elif kind.startswith("ENUM"):
            field = f"{field}::VARCHAR"
        elif role == "system":
            field = f"nullif({field}::VARCHAR, '')"
        elif role in {"item", "case"} and kind == "VARCHAR":
            field = f"nullif({field}, '')"
        elif role.startswith(SLICE) and kind not in INTEGERS | FLOATS | {"VARCHAR", "BOOLEAN"}:
            field = f"{field}::VARCHAR"
        elif role in {"item", "case"} and kind not in INTEGERS:
            field = text_key(field, kind)
        fields.append(f"{field} AS {name(role)}")
    return f"SELECT {', '.join(fields)} FROM {scan}"


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
