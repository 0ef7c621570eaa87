"""Which column of a table plays which role: test case, item, label, system, rater, repeat. Files and frames ask."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ordeval.errors import DataError, argument, quoted, suggestion

# The names that a column is found by, best first; whether `gold` or `pred` is the better label depends on the side.
NAMES = {
    "case": ("case", "test_case", "topic", "query"),
    "item": ("item", "id", "item_id", "doc"),
    "label": ("label", "value", "gold", "prediction", "pred", "score", "rating", "grade"),
    "system": ("system", "run", "model"),
    "rater": ("rater", "annotator", "worker", "judge", "model"),
    "repeat": ("repeat", "epoch"),
}
LABEL_NAMES = {
    "gold": ("gold", "label", "value", "prediction", "pred", "score", "rating", "grade"),
    "system": ("prediction", "pred", "label", "value", "gold", "score", "rating", "grade"),
}
# The roles of the columns of a long table, by what it holds: gold, the answers of systems, or the marks of raters.
LONG_ROLES = {
    "gold": ("case", "item", "label", "system"),
    "system": ("case", "item", "label", "system"),
    "rater": ("case", "item", "label", "rater", "repeat"),
}
SLICE = "slice"  # and a number: the role of a column whose groups are slices
USUAL_NAMES = frozenset(name for names in NAMES.values() for name in names)


@dataclass(frozen=True, slots=True)
class Roles:
    """The position of the column that plays each role; None where the table has no such column."""

    case: int | None
    item: int | None
    label: int
    system: int | None = None
    rater: int | None = None
    repeat: int | None = None
    beside: Mapping[str, int] = field(default_factory=dict)  # beside gold: weights, counts, slices

    def positions(self) -> dict[str, int]:
        """Return the roles that are played, each with its column's position."""
        every = {role: getattr(self, role) for role in NAMES}
        return {role: at for role, at in every.items() if at is not None} | dict(self.beside)


def column_at(columns: Sequence[str], name: str, role: str, where: str) -> int:
    """Return the position of the column that the caller named; its case matters only if two differ by nothing else."""
    exact = [at for at, column in enumerate(columns) if column == name]
    matches = exact or [at for at, column in enumerate(columns) if lower(column) == lower(name)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise DataError(
            f"{where} has {len(matches)} columns {name!r}; the names of columns must be different. Rename the others."
        )
    near = suggestion(str(name), [str(column) for column in columns])
    raise DataError(
        f"{where} has no column {name!r} for {argument(role)}; it has {quoted(columns, 10)}.{near}"
    )


def lower(name: object) -> str:
    """Return a column's name in lower case; frames may have names that are not text."""
    return str(name).lower()


def usual_column(
    columns: Sequence[str], role: str, where: str, *, side: str = "", used: Iterable[int] = ()
) -> int | None:
    """Return the position of the first column with a usual name for a role, or None; `used` play another role."""
    names = LABEL_NAMES.get(side, NAMES[role]) if role == "label" else NAMES[role]
    taken = set(used)
    free = [at for at in range(len(columns)) if at not in taken]
    lowered = {lower(columns[at]) for at in free}
    name = next((name for name in names if name in lowered), None)
    return (
        None if name is None else free[column_at([columns[at] for at in free], name, role, where)]
    )


def find_column(
    columns: Sequence[str],
    role: str,
    chosen: Mapping[str, str | None],
    where: str,
    *,
    used: Iterable[int] = (),
) -> int | None:
    """Return the position of the column that the caller chose for a role, else of one with a usual name.

    A column that the caller chose for one role is not taken for another because of its name.
    """
    name = chosen.get(role)
    if name is not None:
        return column_at(columns, name, role, where)
    others = {lower(other) for other in chosen.values() if other is not None}
    claimed = [at for at, column in enumerate(columns) if lower(column) in others]
    return usual_column(columns, role, where, used=[*used, *claimed])


def long_roles(
    columns: Sequence[str], chosen: Mapping[str, str | None], side: str, where: str
) -> Roles:
    """Find the columns of a long table of one side; a name that the caller chose may stand in another file alone.

    That is not so of weights, counts and slices: whoever names them asks this table for them. What the caller chose
    is found first: a column that plays one role by choice plays no other by its usual name.
    """
    lowered = {lower(column) for column in columns}
    here = {
        role: column_at(columns, name, spoken_role(role), where)
        for role, name in chosen.items()
        if name is not None and (role not in NAMES or lower(name) in lowered)
    }
    used = [at for role, at in here.items() if spoken_role(role) != "by"]
    at: dict[str, int | None] = {}
    for role in LONG_ROLES[side]:
        at[role] = here.get(role)
        if at[role] is None:
            at[role] = usual_column(columns, role, where, side=side, used=used)
        if at[role] is None and role in {"item", "label"}:
            name = chosen.get(role)
            if name is not None:
                column_at(columns, name, role, where)
            # a column that plays another role is not offered again
            free = [column for place, column in enumerate(columns) if place not in used]
            raise no_column(free, role, where, side)
    label = at["label"]
    assert label is not None  # noqa: S101 - refused above
    beside = {role: place for role, place in here.items() if role not in NAMES}
    return Roles(
        at["case"], at["item"], label, at.get("system"), at.get("rater"), at.get("repeat"), beside
    )


def spoken_role(role: str) -> str:
    """Return the argument that names a column of a role."""
    return "by" if role.startswith(SLICE) else role


def no_column(columns: Sequence[str], role: str, where: str, side: str) -> DataError:
    """Return the error for a long table without a column that it must have."""
    what = {"label": "labels", "item": "item ids", "rater": "raters"}[role]
    others = [column for column in columns if lower(column) not in USUAL_NAMES]
    name = argument(role, *others) if len(others) == 1 else argument(role)
    wide = f" If the table has a column for each rater, name these: {argument('raters', ...)}."
    wide = wide if side == "rater" else ""
    return DataError(
        f"{where} has no column of {what}: it has {quoted(columns, 10)}, and such a column is named "
        f"{', '.join(NAMES[role])}. Name it with {name}.{wide}"
    )
