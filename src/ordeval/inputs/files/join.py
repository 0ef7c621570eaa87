"""Gold and answers brought together by (test case, item) inside the engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.errors import DataError, LabelError, quoted, suggestion
from ordeval.inputs.files.engine import SHOWN, Database, Relation
from ordeval.inputs.files.join_many import MANY_LABELS, Many
from ordeval.inputs.files.join_one import Pair
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.matching import Joined, empty, lines_told, rows_told, unread_gold
from ordeval.inputs.patterns import Found, Options, natural_order, resolve
from ordeval.labels import number

MANY_SYSTEMS = 1000


def join_files(
    database: Database, gold_source: Source, sources: Sequence[Source], options: Options
) -> Found:
    """Read gold and the systems' files, and return the patterns of their joint answers."""
    told = dict(options.told)
    gold = database.add(gold_source, told, "gold")
    check_gold(database, gold)
    numeric = spells_numbers(database, gold, options.labels)
    answers = [database.add(source, told, "system", numeric=numeric) for source in sources]
    check_told(told, list(database.columns))
    systems = systems_of(database, answers)
    if len(systems) == 1:
        joined = Pair(database, gold, answers[0], options.policy).count()
    else:
        joined = Many(database, gold, answers, systems, options.policy).count()
    return finish(database, joined, answers, systems, options)


def check_told(told: Mapping[str, str | None], columns: Sequence[str]) -> None:
    """Refuse the name of a column that no file has; one file may have it and another a name that is known."""
    lowered = {column.lower() for column in columns}
    for role, name in told.items():
        if name is not None and name.lower() not in lowered:
            there = f"they have {quoted(columns, 10)}" if columns else "none has a header"
            raise DataError(
                f"no file has the column {name!r} for {role}= (--{role}); {there}."
                f"{suggestion(name, columns) or ' Check its spelling.'}"
            )


def check_gold(database: Database, gold: Relation) -> None:
    """Refuse gold that has no rows, or rows that do not fit."""
    lost, lines = database.rejected(gold)
    if lost:
        raise unread_gold(gold, lost, lines)
    if not database.rows(f"SELECT 1 FROM {gold.table} LIMIT 1"):
        raise DataError(
            f"{gold.source.spec!r} has no rows: there are no gold labels. Check the file."
        )


def spells_numbers(database: Database, gold: Relation, labels: Any) -> bool:
    """Tell whether the classes are numbers, so that an answer which is none could not be meant."""
    if labels is not None:
        return all(not isinstance(label, str) or number(label) is not None for label in labels)
    if gold.types["label"] != "VARCHAR":
        return True
    seen = database.rows(f"SELECT DISTINCT label FROM {gold.table} LIMIT {MANY_LABELS}")
    return all(number(text) is not None for (text,) in seen if text)


def systems_of(database: Database, answers: Sequence[Relation]) -> list[str]:
    """Return the systems of all files, each of which must be in one file alone."""
    found: dict[str, Relation] = {}
    for relation in answers:
        for name in systems_in(database, relation):
            if name in found:
                raise DataError(
                    f"two systems are named {name!r}, in {found[name].source.spec!r} and {relation.source.spec!r}. "
                    f"Rename one; parts of one table are passed as a glob."
                )
            found[name] = relation
    return list(found)


def systems_in(database: Database, relation: Relation) -> list[str]:
    """Return the systems of one file: those in its column, or else the file's name."""
    if not relation.has("system"):
        return [relation.source.name]
    there = f"SELECT DISTINCT system FROM {relation.table} WHERE item IS NOT NULL"
    names = sorted(
        (name for (name,) in database.rows(f"{there} LIMIT {MANY_SYSTEMS + 1}")), key=natural_order
    )
    if not names:
        raise empty(database, relation)
    if len(names) > MANY_SYSTEMS:
        raise DataError(
            f"the column of systems in {relation.source.spec!r} has more than {MANY_SYSTEMS} names, such as "
            f"{quoted(names[:3])}; name the right one with system= (--system)."
        )
    return names


def finish(
    database: Database,
    joined: Joined,
    answers: Sequence[Relation],
    systems: Sequence[str],
    options: Options,
) -> Found:
    """Add up what was left out, apply the policies, and say in an error what could not be read."""
    unreadable, told = joined.unreadable, []
    for relation in answers:
        lost, lines = database.rejected(relation)
        unreadable += lost
        if joined.unreadable:
            lines = sorted([*lines, *relation.bad_lines(SHOWN)])[:SHOWN]
        if lines:
            told.append(f"{relation.source.spec} at {lines_told(lines)}")
    notes = []
    if unreadable:
        where = f": {'; '.join(told)}" if told else ""
        notes = [f"{rows_told(unreadable)} could not be read and count as no answers{where}."]
    ignored = {
        "not_in_gold": joined.not_in_gold,
        "duplicate": joined.duplicate,
        "unreadable": unreadable,
    }
    try:
        return resolve(
            joined.patterns, systems, options, joined.examples, ignored=ignored, notes=notes
        )
    except LabelError as error:
        if not notes:
            raise
        raise LabelError(f"{error} Of the systems' files, {notes[0]}") from None
