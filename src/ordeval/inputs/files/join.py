"""Gold and answers brought together by (test case, item) inside the engine."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.errors import DataError, LabelError, OrdevalError, argument, flag, quoted, suggestion
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.join_many import MANY_LABELS, JoinMany
from ordeval.inputs.files.join_one import JoinOne
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.long import add_long
from ordeval.inputs.files.matching import (
    JoinedFiles,
    label_among,
    named_items,
    no_readable_rows,
    repeated_ids,
    slices_of,
    unreadable_gold,
)
from ordeval.inputs.files.sniff import line_list, row_count
from ordeval.inputs.patterns import NullableArray, RawPatterns, from_database
from ordeval.inputs.placing import SHOWN, PlacedPatterns, place, repeated_items
from ordeval.inputs.roles import NAMES
from ordeval.inputs.weighting import SumColumns
from ordeval.labels import natural_order, number
from ordeval.scale import Scale

MANY_SYSTEMS = 10_000  # in one file: beyond, the column holds something else


def join_files(
    database: Database, gold_source: Source, sources: Sequence[Source], choices: ReadingChoices
) -> PlacedPatterns:
    """Read gold and the systems' files, and return the patterns of their joint answers."""
    gold = add_gold(database, gold_source, choices)
    try:
        return join_systems(database, gold, sources, choices)
    except OrdevalError as error:
        if len(sources) == 1 or not is_whole(database, gold, choices):
            raise
        told = f"{error} {way_out()}'ordeval check' lists the problems of all files."
        raise type(error)(told) from None


def way_out() -> str:
    """Say how a bad file among several may be left out, as the beginning of a sentence."""
    return f"Pass {flag('skip_bad')} to leave out files that cannot be scored; "


def join_systems(
    database: Database, gold: SourceTable, sources: Sequence[Source], choices: ReadingChoices
) -> PlacedPatterns:
    """Read the systems' files, and return the patterns of their joint answers."""
    numeric = all_numeric(database, gold, choices.labels)
    answers = [add_answers(database, source, choices, numeric=numeric) for source in sources]
    check_chosen(choices, database)
    systems = systems_of(database, answers)
    joined = joint_answers(database, gold, answers, systems, choices)
    return finish(database, joined, answers, systems, choices)


def add_gold(database: Database, source: Source, choices: ReadingChoices) -> SourceTable:
    """Add gold to the database, with its weights, counts and slices; refuse it if some of its rows do not fit."""
    chosen = {role: choices.columns.get(role) for role in NAMES}
    gold = add_long(database, source, {**chosen, **choices.beside_gold}, "gold")
    check_gold(database, gold)
    return gold


def add_answers(
    database: Database, source: Source, choices: ReadingChoices, *, numeric: bool
) -> SourceTable:
    """Add a system's file to the database; with `numeric`, an answer that is not a number cannot be read."""
    chosen = {role: choices.columns.get(role) for role in NAMES}
    return add_long(database, source, chosen, "system", numeric=numeric)


def joint_answers(
    database: Database,
    gold: SourceTable,
    answers: Sequence[SourceTable],
    systems: Sequence[str],
    choices: ReadingChoices,
) -> JoinedFiles:
    """Join answers to gold: one system in one way and several in another."""
    if len(systems) == 1:
        return JoinOne(database, gold, answers[0], choices).count()
    return JoinMany(database, gold, answers, systems, choices).count()


def is_whole(database: Database, gold: SourceTable, choices: ReadingChoices) -> bool:
    """Tell whether gold itself has no fault."""
    try:
        place_gold(database, gold, choices)
    except OrdevalError:
        return False
    return True


def place_gold(database: Database, gold: SourceTable, choices: ReadingChoices) -> PlacedPatterns:
    """Put gold alone on its scale, and refuse what would be refused in it beside any system."""
    unreadable = database.rows(f"SELECT count(*) FROM {gold.table} WHERE item IS NULL")[0][0]
    if unreadable:
        raise unreadable_gold(gold, unreadable, gold.bad_lines(SHOWN))
    by = ["case", "item"] if gold.has("case") else ["item"]
    keys = ", ".join(map(sql.name, by))
    query = f"SELECT count(*) - count(DISTINCT ({keys})) FROM {gold.table}"
    repeats = int(database.rows(query)[0][0])
    if repeats and choices.policy.duplicates == "error":
        ids = repeated_ids(database, gold.table, by)
        raise repeated_items(f"gold, {gold.source.spec!r},", ids, in_gold=True)
    chosen = ["label", *(['"case"'] if gold.has("case") else []), *slices_of(gold)]

    def ask(sums: SumColumns) -> tuple[list[NullableArray], Any, Any]:
        questions = ", ".join(["count(*) AS n", *sql.questions(sums)])
        arrays = database.arrays(
            f"SELECT {', '.join(chosen)}, {questions} FROM {gold.table} GROUP BY ALL ORDER BY ALL"
        )
        rows, *answers = (column.filled(np.nan) for column in arrays[len(chosen) :])
        return arrays[: len(chosen)], rows, np.array(answers)

    sums = SumColumns(choices.columns.get("weight"), choices.columns.get("count"))
    groups, some, totals = sums.added_up(ask)
    label, *others = (from_database(column[some]) for column in groups)
    case = others.pop(0) if gold.has("case") else None
    patterns = RawPatterns(
        case, label, [], *totals, slices=dict(zip(choices.by, others, strict=True))
    )

    def examples(_: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
        of_case = '"case"' if gold.has("case") else "NULL"
        among = label_among("label", labels)
        query = f"SELECT {of_case}, item, label FROM {gold.table} WHERE {among} ORDER BY 2, 1 LIMIT {SHOWN}"
        return named_items(database.rows(query))

    return place(patterns, [], choices, examples, ignored={"duplicate": repeats})


def check_chosen(choices: ReadingChoices, database: Database) -> None:
    """Refuse the name of a column that no file has; it is enough that one file has it."""
    columns = list(database.columns)
    lowered = {column.lower() for column in columns}
    for role, name in choices.columns.items():
        if name is not None and name.lower() not in lowered:
            instead = f"they have {quoted(columns, 10)}" if columns else "none has a header"
            raise DataError(
                f"no file has the column {name!r} for {argument(role)}; {instead}."
                f"{suggestion(name, columns) or ' Check its spelling.'}"
            )


def check_gold(database: Database, gold: SourceTable) -> None:
    """Refuse gold that has no rows, or rows that do not fit."""
    lost, lines = database.rejected(gold)
    if lost:
        raise unreadable_gold(gold, lost, lines)
    if not database.rows(f"SELECT 1 FROM {gold.table} LIMIT 1"):
        raise DataError(
            f"{gold.source.spec!r} has no rows: there are no gold labels. Check the file."
        )


def all_numeric(database: Database, gold: SourceTable, declared: Scale | None) -> bool:
    """Tell whether all classes are numbers, so that an answer that is not a number cannot be read."""
    if declared is not None:
        return all(
            not isinstance(label, str) or number(label) is not None for label in declared.labels
        )
    if gold.types["label"] != "VARCHAR":
        return True
    seen = database.rows(f"SELECT DISTINCT label FROM {gold.table} LIMIT {MANY_LABELS}")
    return all(number(text) is not None for (text,) in seen if text)


def systems_of(database: Database, answers: Sequence[SourceTable]) -> list[str]:
    """Return the systems of all files, each of which must be in one file alone."""
    holder: dict[str, SourceTable] = {}
    for source in answers:
        for name in systems_in(database, source):
            if name in holder:
                raise DataError(
                    f"two systems are named {name!r}, in {holder[name].source.spec!r} and {source.source.spec!r}. "
                    f"Rename one; parts of one table are passed as a glob with {flag('shards')}."
                )
            holder[name] = source
    return list(holder)


def systems_in(database: Database, source: SourceTable) -> list[str]:
    """Return the systems of one file: those in its column, or else the file's name."""
    if not source.has("system"):
        return [source.source.name]
    distinct = f"SELECT DISTINCT system FROM {source.table} WHERE item IS NOT NULL"
    names = sorted(
        (name for (name,) in database.rows(f"{distinct} LIMIT {MANY_SYSTEMS + 1}")),
        key=natural_order,
    )
    if not names:
        raise no_readable_rows(database, source)
    if len(names) > MANY_SYSTEMS:
        raise DataError(
            f"the column of systems in {source.source.spec!r} has more than {MANY_SYSTEMS} names, such as "
            f"{quoted(names[:3])}; it seems to hold something else, such as ids. Name the right one with "
            f"{argument('system')}, or pass so many systems in several files."
        )
    return names


def finish(
    database: Database,
    joined: JoinedFiles,
    answers: Sequence[SourceTable],
    systems: Sequence[str],
    choices: ReadingChoices,
) -> PlacedPatterns:
    """Add up what was left out, apply the policies, and say in an error what could not be read."""
    unreadable, places = joined.unreadable, []
    notes: list[str] = []
    for source in answers:
        lost, lines = database.rejected(source)
        unreadable += lost
        if joined.unreadable:
            lines = sorted([*lines, *source.bad_lines(SHOWN)])[:SHOWN]
        if lines:
            places.append(f"{source.source.spec} at {line_list(lines)}")
    if unreadable:
        where = f": {'; '.join(places)}" if places else ""
        count_as = "counts as a missing answer" if unreadable == 1 else "count as missing answers"
        notes = [f"{row_count(unreadable)} could not be read and {count_as}{where}."]
    ignored = {
        "not_in_gold": joined.not_in_gold,
        "duplicate": joined.duplicate,
        "unreadable": unreadable,
    }
    hints = [f"Of the systems' files, {note}" for note in notes]
    parts = parts_of_one_table(joined.patterns, answers)
    notes, hints = notes + parts, hints + parts
    try:
        return place(
            joined.patterns,
            systems,
            choices,
            joined.examples,
            ignored=ignored,
            notes=[*notes, *database.notes],
        )
    except LabelError as error:
        raise LabelError(" ".join([str(error), *hints])) from None


def parts_of_one_table(patterns: RawPatterns, answers: Sequence[SourceTable]) -> list[str]:
    """Say that the files of a glob look like parts of one table, not like systems, if no two answer the same item."""
    globs = {source.source.pattern for source in answers}
    if len(answers) < 2 or len(globs) > 1 or "" in globs:
        return []
    answered = [
        np.array([value is not None for value in column.values])[column.codes]
        for column in patterns.predicted
    ]
    if (np.sum(answered, axis=0) > 1).any():
        return []
    hint = f"if they are parts of one table, pass {flag('shards')}."
    return [f"No two files of {globs.pop()!r} answer the same item; {hint}"]
