"""Columns found by their names, and the shape of a text file told from its first lines."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ordeval.errors import DataError, quoted, suggestion

# The names that a column is known by, best first; whether `gold` or `pred` is the better label depends on the side.
NAMES = {
    "case": ("case", "test_case", "topic", "query"),
    "item": ("item", "id", "item_id", "doc"),
    "label": ("label", "value", "gold", "prediction", "pred"),
    "system": ("system", "run", "model"),
}
LABELS = {
    "gold": ("gold", "label", "value", "prediction", "pred"),
    "system": ("prediction", "pred", "label", "value", "gold"),
}
KNOWN = frozenset(name for names in NAMES.values() for name in names)
DELIMITERS = (",", "\t", ";", "|")
EVALL = 3  # columns of the format of the EvALL service: test case, id, value


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column (by position) holds what; None where the table has no such column."""

    case: int | None
    item: int | None
    label: int
    system: int | None


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text file is laid out: its delimiter and the names in its header; none in EvALL's format."""

    delimiter: str
    columns: tuple[str, ...]
    blank: int = 0  # lines before the header

    @property
    def headerless(self) -> bool:
        """Whether the file is in EvALL's format."""
        return not self.columns


def shape_of(lines: Sequence[str], form: str, told: Sequence[str], where: str) -> Shape:
    """Tell the delimiter and the header of a text file; `told` are the columns that the caller named."""
    blank, first = next((at, line) for at, line in enumerate(lines) if line.strip())
    usual = {"csv": ",", "tsv": "\t"}.get(form)
    counts = {delimiter: first.count(delimiter) for delimiter in DELIMITERS}
    delimiter = usual if usual and counts[usual] else max(DELIMITERS, key=lambda mark: counts[mark])
    if not counts[delimiter]:
        delimiter = usual or ","
    columns = tuple(name.strip() for name in fields_of(first, delimiter))
    names = {name.lower() for name in columns}
    if names & (KNOWN | {name.lower() for name in told}):
        return Shape(delimiter, columns, blank)
    widths = Counter(line.count("\t") + 1 for line in lines if line.strip())
    if form != "csv" and widths.most_common(1)[0][0] == EVALL:
        return Shape("\t", ())
    raise DataError(
        f"{where} has the columns {quoted(columns, 10)}, none of which is known by name; name them with case=, item= "
        f"and label= (--case, --item, --label)."
    )


def fields_of(line: str, delimiter: str) -> list[str]:
    """Split one line of a text file."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def column_of(columns: Sequence[str], name: str, option: str, where: str) -> int:
    """Return the position of a column that the caller named, by its letters and else whatever their case."""
    exact = [at for at, column in enumerate(columns) if column == name]
    found = exact or [at for at, column in enumerate(columns) if column.lower() == name.lower()]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(
            f"{where} has {len(found)} columns {name!r}; a column's name must be its own. Rename the others."
        )
    near = suggestion(name, list(columns))
    raise DataError(
        f"{where} has no column {name!r} for {option}; it has {quoted(columns, 10)}.{near}"
    )


def roles(columns: Sequence[str], told: Mapping[str, str | None], side: str, where: str) -> Roles:
    """Find the columns of a long table: those that the caller named, else by the names they are known by."""
    found: dict[str, int | None] = {}
    lowered = [column.lower() for column in columns]
    for role, names in NAMES.items():
        name = told.get(role)
        if name is not None and name.lower() in lowered:
            found[role] = column_of(columns, name, f"{role}=", where)
            continue
        known = LABELS[side] if role == "label" else names
        match = next((one for one in known if one in lowered), None)
        if match is not None:
            found[role] = column_of(columns, columns[lowered.index(match)], f"{role}=", where)
        elif name is not None and role in {"item", "label"}:
            found[role] = column_of(columns, name, f"{role}=", where)
        else:
            found[role] = None
    label = found["label"]
    if label is None:
        raise DataError(
            f"{where} has no column of labels: it has {quoted(columns, 10)}, and a column of labels is named "
            f"{', '.join(NAMES['label'])}. Name it with label= (--label)."
        )
    if found["item"] is None:
        raise DataError(
            f"{where} has no column of item ids: it has {quoted(columns, 10)}, and such a column is named "
            f"{', '.join(NAMES['item'])}. Name it with item= (--item)."
        )
    return Roles(found["case"], found["item"], label, found["system"])
