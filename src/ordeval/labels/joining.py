"""Gold and answers brought together by (test case, item) inside the engine.

One system is one join. A full join tells everything at once: items without an answer, answers without an item and, as a
row matched twice is counted twice, whether any id occurs more than once. Several systems are one grouping by item, each
system a column.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import DataError, LabelError, quoted
from ordeval.labels import sql
from ordeval.labels.columns import number
from ordeval.labels.files import SHOWN, Database, Relation
from ordeval.labels.paths import Source
from ordeval.labels.patterns import (
    GOLD,
    Examples,
    Found,
    Patterns,
    Raw,
    from_array,
    natural_order,
    no_overlap,
    resolve,
)
from ordeval.labels.policies import Policy

__all__ = ["Options", "join_files"]

MANY_LABELS = 100_000
MANY_SYSTEMS = 1000
SPELLED, WHO = (
    "spelled",
    "who",
)  # types of the database: the labels as they are spelled, and the systems


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller said about the scale, the policies and the columns."""

    labels: Any
    values: Any
    policy: Policy
    told: Mapping[str, str | None]


def join_files(
    database: Database, gold_source: Source, sources: Sequence[Source], options: Options
) -> Found:
    """Read gold and the systems' files, and return the patterns of their joint answers."""
    told = dict(options.told)
    gold = database.add(gold_source, told, "gold")
    check_gold_rows(database, gold)
    numeric = spells_numbers(database, gold, options.labels)
    answers = [database.add(source, told, "system", numeric=numeric) for source in sources]
    for role in ("case", "system"):
        if told.get(role) and not any(relation.has(role) for relation in [gold, *answers]):
            raise DataError(
                f"no file has the column {told[role]!r} for {role}=. Check its spelling."
            )
    systems = systems_of(database, answers)
    if len(systems) == 1:
        joined = Pair(database, gold, answers[0], options.policy).count()
    else:
        joined = Many(database, gold, answers, systems, options.policy).count()
    return finish(database, joined, answers, systems, options)


@dataclass(frozen=True, slots=True)
class Joined:
    """What the engine counted."""

    patterns: Patterns
    not_in_gold: int
    duplicate: int
    unreadable: int  # rows without an item, beside the lines that did not fit
    examples: Examples


def finish(
    database: Database,
    joined: Joined,
    answers: Sequence[Relation],
    systems: Sequence[str],
    options: Options,
) -> Found:
    """Add up what was left out, apply the policies, and say in an error what could not be read."""
    unreadable, notes = joined.unreadable, []
    for relation in answers:
        lost, lines = database.rejected(relation)
        unreadable += lost
        if joined.unreadable or lost:
            bad = relation.bad_lines(SHOWN) if joined.unreadable else []
            notes += note(relation, sorted([*lines, *bad])[:SHOWN])
    if unreadable:
        rows = "1 row" if unreadable == 1 else f"{unreadable} rows"
        lines_read = f": {'; '.join(notes)}" if notes else ""
        notes = [
            f"{rows} of the systems' files could not be read and count as missing answers{lines_read}."
        ]
    if len(systems) > len(answers) == 1 or len(systems) == 1:
        pass
    ignored = {
        "not_in_gold": joined.not_in_gold,
        "duplicate": joined.duplicate,
        "unreadable": unreadable,
    }
    try:
        return resolve(
            joined.patterns,
            systems,
            options.policy,
            options.labels,
            options.values,
            joined.examples,
            ignored,
            notes,
        )
    except LabelError as error:
        if not notes:
            raise
        raise LabelError(f"{error} Of the answers, {notes[0]}") from None


def note(relation: Relation, lines: Sequence[tuple[int, str]]) -> list[str]:
    """Say which lines of a file could not be read."""
    if not lines:
        return []
    told = ", ".join(f"line {line} ({why})" for line, why in lines)
    return [f"{relation.source.spec} at {told}"]


def check_gold_rows(database: Database, gold: Relation) -> None:
    """Refuse gold that has no rows, or rows that cannot be read."""
    lost, lines = database.rejected(gold)
    if lost:
        raise unread_gold(gold, lost, lines)
    if not database.rows(f"SELECT 1 FROM {gold.table} LIMIT 1"):
        raise DataError(
            f"{gold.source.spec!r} has no rows: there are no gold labels. Check the file."
        )


def unread_gold(gold: Relation, lost: int, lines: Sequence[tuple[int, str]]) -> DataError:
    """Return the error for gold rows that cannot be read."""
    rows = "1 row" if lost == 1 else f"{lost} rows"
    where = (
        ", ".join(f"line {line} ({why})" for line, why in lines)
        or "they have no item id or no test case"
    )
    return DataError(
        f"{rows} of gold, {gold.source.spec!r}, cannot be read: {where}. Gold must be whole; mend the file."
    )


def spells_numbers(database: Database, gold: Relation, labels: Any) -> bool:
    """Tell whether the classes are numbers, so that an answer which is none could not be meant."""
    if labels is not None:
        return all(not isinstance(label, str) or number(label) is not None for label in labels)
    if gold.types["label"] != "VARCHAR":
        return True
    seen = [
        text
        for (text,) in database.rows(f"SELECT DISTINCT label FROM {gold.table} LIMIT {MANY_LABELS}")
        if text
    ]
    return all(number(text) is not None for text in seen)


def systems_of(database: Database, answers: Sequence[Relation]) -> list[str]:
    """Return the systems of all files, each of which must be in one file alone."""
    found: dict[str, Relation] = {}
    for relation in answers:
        if not relation.has("system"):
            names = [relation.source.name]
        else:
            distinct = f"SELECT DISTINCT system FROM {relation.table} WHERE item IS NOT NULL LIMIT {MANY_SYSTEMS + 1}"
            names = sorted((name for (name,) in database.rows(distinct)), key=natural_order)
            if len(names) > MANY_SYSTEMS:
                raise DataError(
                    f"the column of systems in {relation.source.spec!r} has more than {MANY_SYSTEMS} names, such as "
                    f"{quoted(names, 3)}; name the right one with system= (--system)."
                )
            if not names:
                raise empty(database, relation)
        for name in names:
            if name in found:
                raise DataError(
                    f"two systems are named {name!r}, in {found[name].source.spec!r} and {relation.source.spec!r}. Rename one; "
                    f"parts of one table are passed as a glob."
                )
            found[name] = relation
    return list(found)


def empty(database: Database, relation: Relation) -> DataError:
    """Return the error for a system's file that has no row to read."""
    lost, lines = database.rejected(relation)
    lines = lines or relation.bad_lines(SHOWN)
    where = f": {', '.join(f'line {line} ({why})' for line, why in lines)}" if lines else ""
    return DataError(
        f"{relation.source.spec!r} has no rows that can be read{where}. Check the file."
    )


def keys(relations: Sequence[Relation], column: str) -> list[str]:
    """Write the join key of each relation: as it is where all have the same kind, else as text."""
    kinds = {relation.types[column] for relation in relations}
    if kinds <= sql.INTEGERS or kinds == {"VARCHAR"}:
        return [sql.name(column) for _ in relations]
    return [sql.text_key(sql.name(column), relation.types[column]) for relation in relations]


def flagged(relation: Relation, columns: str, by: str) -> str:
    """Select rows with `again`: whether one of the same key came before, in the order of the file."""
    numbered = f"SELECT *, row_number() OVER () AS rn FROM {relation.table}"
    again = f"row_number() OVER (PARTITION BY {by} ORDER BY rn) > 1"
    return f"SELECT {columns}, {again} AS again FROM ({numbered})"


def having_label(column: str, raw: Sequence[Any]) -> str:
    """Write the condition that a label is one of these, as they came."""
    spelled = [sql.literal(str(value)) for value in raw if value is not None]
    spelled += [sql.literal(str(value).lower()) for value in raw if isinstance(value, bool)]
    parts = [f"{column}::VARCHAR IN ({', '.join(spelled)})"] if spelled else []
    if None in raw:
        parts += [f"{column} IS NULL", f"{column}::VARCHAR = 'nan'"]
    return f"({' OR '.join(parts)})" if parts else "false"


def repeated(database: Database, relation: Relation, by: Sequence[str]) -> list[Any]:
    """Return the first few ids that occur more than once."""
    grouped = ", ".join(map(sql.name, by))
    query = f"SELECT item FROM {relation.table} WHERE item IS NOT NULL GROUP BY {grouped} HAVING count(*) > 1 ORDER BY ALL LIMIT {SHOWN}"
    return [item for (item,) in database.rows(query)]


def duplicate_error(what: str, items: Sequence[Any], *, one_case: bool) -> DataError:
    """Return the error for ids that occur more than once."""
    shown = quoted(items, SHOWN)
    if not one_case:
        return DataError(
            f"{what} has more than one row for {shown}, and gold and the system's file do not both have a column of test "
            f"cases to tell them apart. Add one to the other file, or name it with case= (--case)."
        )
    return DataError(
        f"{what} has more than one row for item {shown}. Remove the others, or pass duplicates='first' to keep the first."
    )


class Pair:
    """Gold and one system: one join."""

    def __init__(
        self, database: Database, gold: Relation, answers: Relation, policy: Policy
    ) -> None:
        self.database, self.gold, self.answers, self.policy = database, gold, answers, policy
        self.by_case = gold.has("case") and answers.has("case")
        self.by = ["case", "item"] if self.by_case else ["item"]
        pairs = [keys([gold, answers], column) for column in self.by]
        self.keys = [[pair[side] for pair in pairs] for side in (0, 1)]
        self.on = " AND ".join(f"g.k{at} = s.k{at}" for at in range(len(self.by)))

    def side(self, relation: Relation, at: int, *, first: bool) -> str:
        """Select one side of the join."""
        chosen = [f"{key} AS k{i}" for i, key in enumerate(self.keys[at])]
        chosen += ["item", "label", f"1::{sql.COUNTED} AS here"]
        chosen += ['"case"'] if relation.has("case") else []
        if not first:
            return f"SELECT {', '.join(chosen)} FROM {relation.table}"
        rows = flagged(relation, ", ".join(chosen), ", ".join(self.keys[at]))
        return f"SELECT * FROM ({rows}) WHERE NOT again OR item IS NULL" if at == 0 else rows

    def query(self, *, first: bool) -> str:
        """Write the join that counts."""
        case = 'g."case"' if self.gold.has("case") else "NULL"
        again = "s.again" if first else "false"
        return (
            f"WITH g AS ({self.side(self.gold, 0, first=first)}), s AS ({self.side(self.answers, 1, first=first)}) "
            f"SELECT g.here, s.here, {again}, CASE WHEN g.here IS NULL OR s.here IS NULL THEN coalesce(g.item IS NULL, true) "
            f"AND coalesce(s.item IS NULL, true) END, {case}, g.label, s.label, count(*) FROM g FULL JOIN s ON {self.on} "
            f"GROUP BY ALL ORDER BY ALL"
        )

    def rows_in(self, relation: Relation) -> int:
        """Return how many rows a relation has."""
        return int(self.database.rows(f"SELECT count(*) FROM {relation.table}")[0][0])

    def count(self) -> Joined:
        """Count, and see to duplicates."""
        n_gold, n_answers = self.rows_in(self.gold), self.rows_in(self.answers)
        if not n_answers:
            raise empty(self.database, self.answers)
        counted = self.counted(first=False)
        matched, unanswered, alone = (int(counted.count[which].sum()) for which in counted.parts)
        self.check_gold(counted)
        twice_in_gold = self.gold_repeats() if unanswered or matched != n_answers - alone else 0
        if matched == n_gold - unanswered == n_answers - alone and not twice_in_gold:
            return self.joined(counted, 0)
        if self.policy.duplicates == "error":
            raise self.duplicates(twice=bool(twice_in_gold))
        if twice_in_gold and self.gold.has("case") and not self.by_case:
            raise self.duplicates(twice=True)
        return self.joined(self.counted(first=True), twice_in_gold)

    def counted(self, *, first: bool) -> "Counted":
        """Run the join."""
        arrays = self.database.arrays(self.query(first=first))
        return Counted(
            *(np.ma.filled(array, 0).astype(bool) for array in arrays[:4]),
            *arrays[4:7],
            np.ma.getdata(arrays[7]),
        )

    def check_gold(self, counted: "Counted") -> None:
        """Refuse gold rows without an item."""
        bad = int(counted.count[counted.in_gold & ~counted.in_answers & counted.bad].sum())
        if bad:
            raise unread_gold(self.gold, bad, self.gold.bad_lines(SHOWN))

    def gold_repeats(self) -> int:
        """Return how many gold rows repeat an item."""
        grouped = ", ".join(self.keys[0])
        query = f"SELECT count(*), sum(n) FROM (SELECT count(*) AS n FROM {self.gold.table} GROUP BY {grouped})"
        distinct, rows = self.database.rows(query)[0]
        return int(rows - distinct)

    def duplicates(self, *, twice: bool) -> DataError:
        """Return the error for ids that occur more than once."""
        relation = self.gold if twice else self.answers
        cases_differ = self.gold.has("case") != self.answers.has("case") and relation.has("case")
        what = f"gold, {relation.source.spec!r}," if twice else f"{relation.source.spec!r}"
        items = repeated(self.database, relation, self.by)
        return duplicate_error(what, items, one_case=not cases_differ)

    def joined(self, counted: "Counted", gold_repeats: int) -> Joined:
        """Take the counts apart."""
        count = counted.count
        there = counted.in_gold & ~counted.again
        alone = counted.in_answers & ~counted.in_gold
        if not (counted.in_gold & counted.in_answers).any():
            raise self.nothing_in_common()
        case = None
        if self.gold.has("case"):
            case = from_array(counted.case[there])
        patterns = Patterns(
            case, from_array(counted.gold[there]), [from_array(counted.answer[there])], count[there]
        )
        return Joined(
            patterns,
            not_in_gold=int(count[alone & ~counted.bad].sum()),
            duplicate=int(count[counted.in_gold & counted.again].sum()) + gold_repeats,
            unreadable=int(count[alone & counted.bad].sum()),
            examples=self.examples,
        )

    def nothing_in_common(self) -> DataError:
        """Return the error for a system that is about other items."""
        theirs, ours = (
            [
                row[0]
                for row in self.database.rows(
                    f"SELECT item FROM {relation.table} WHERE item IS NOT NULL LIMIT 2"
                )
            ]
            for relation in (self.answers, self.gold)
        )
        if not theirs:
            return empty(self.database, self.answers)
        return no_overlap(self.answers.source.name, theirs, ours)

    def examples(self, side: int, raw: Sequence[Any]) -> list[Any]:
        """Return the first few items whose label is one of these."""
        condition = having_label("g.label" if side == GOLD else "s.label", raw)
        query = (
            f"WITH g AS ({self.side(self.gold, 0, first=False)}), s AS ({self.side(self.answers, 1, first=False)}) "
            f"SELECT g.item FROM g LEFT JOIN s ON {self.on} WHERE {condition} ORDER BY 1 LIMIT {SHOWN}"
        )
        return [item for (item,) in self.database.rows(query)]


@dataclass(frozen=True, slots=True)
class Counted:
    """The rows of a join, grouped."""

    in_gold: Any
    in_answers: Any
    again: Any
    bad: Any
    case: Any
    gold: Any
    answer: Any
    count: Any

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """Matched, gold alone, answers alone."""
        return (
            self.in_gold & self.in_answers,
            self.in_gold & ~self.in_answers,
            self.in_answers & ~self.in_gold,
        )


class Many:
    """Gold and several systems: one grouping by item, a column for each system."""

    def __init__(
        self,
        database: Database,
        gold: Relation,
        answers: Sequence[Relation],
        systems: Sequence[str],
        policy: Policy,
    ) -> None:
        self.database, self.gold, self.answers, self.systems, self.policy = (
            database,
            gold,
            answers,
            systems,
            policy,
        )
        relations = [gold, *answers]
        self.item_keys = keys(relations, "item")
        self.cased = gold.has("case")
        with_case = [relation for relation in relations if relation.has("case")]
        self.case_keys = (
            dict(zip([r.table for r in with_case], keys(with_case, "case"), strict=True))
            if with_case
            else {}
        )

    def rows(self, *, first: bool) -> str:
        """Select all rows of gold (who 0) and the systems (who 1 to S): key, who, code of the label, again."""
        selects = []
        for at, relation in enumerate([self.gold, *self.answers]):
            if at == 0:
                who = "0"
            elif relation.has("system"):
                who = f"1 + enum_code(system::{WHO})::INTEGER"
            else:
                who = str(1 + self.systems.index(relation.source.name))
            case = self.case_keys[relation.table] if self.cased and relation.has("case") else "NULL"
            chosen = f"{case} AS kc, {self.item_keys[at]} AS ki, {who} AS who, coalesce(label::VARCHAR, '') AS label"
            chosen = f"SELECT {chosen}{', row_number() OVER () AS rn' if first else ''} FROM {relation.table}"
            if self.cased and not relation.has("case"):
                chosen = self.with_golds_case(chosen)
            selects.append(chosen)
        union = " UNION ALL ".join(selects)
        again = "row_number() OVER (PARTITION BY kc, ki, who ORDER BY rn) > 1" if first else "false"
        return f"SELECT kc, ki, who, enum_code(label::{SPELLED}) AS code, {again} AS again FROM ({union})"

    def with_golds_case(self, rows: str) -> str:
        """Give rows without a test case the one that gold has for their item."""
        golds = f"SELECT {self.case_keys[self.gold.table]} AS kc, {self.item_keys[0]} AS ki FROM {self.gold.table}"
        return (
            f"SELECT a.* REPLACE (g.kc AS kc) FROM ({rows}) a LEFT JOIN ({golds}) g ON a.ki = g.ki"
        )

    def query(self, *, first: bool) -> str:
        """Write the grouping that counts."""
        codes = [
            f"any_value(code) FILTER (WHERE who = {at} AND NOT again) AS c{at}"
            for at in range(len(self.systems) + 1)
        ]
        items = (
            f"SELECT kc, ki, {', '.join(codes)}, count(*) AS n, count(*) FILTER (WHERE who = 0) AS ng "
            f"FROM ({self.rows(first=first)}) GROUP BY kc, ki"
        )
        asked = "ki IS NOT NULL AND c0 IS NOT NULL"
        shown = [
            f"CASE WHEN {asked} THEN {column} END"
            for column in ["kc", *(f"c{at}" for at in range(len(self.systems) + 1))]
        ]
        present = " + ".join(
            f"(c{at} IS NOT NULL)::INTEGER" for at in range(1, len(self.systems) + 1)
        )
        return (
            f"SELECT {', '.join(shown)}, ki IS NULL, count(*), sum(n)::BIGINT, sum(ng)::BIGINT, "
            f"sum(n - ng - ({present}))::BIGINT FROM ({items}) GROUP BY {', '.join(map(str, range(1, len(shown) + 2)))} "
            f"ORDER BY ALL"
        )

    def count(self) -> Joined:
        """Count, and see to duplicates."""
        for relation in self.answers:
            if not self.database.rows(f"SELECT 1 FROM {relation.table} LIMIT 1"):
                raise empty(self.database, relation)
        if self.cased and not all(relation.has("case") for relation in self.answers):
            twice = repeated(self.database, self.gold, ["item"])
            if twice:
                raise duplicate_error(f"gold, {self.gold.source.spec!r},", twice, one_case=False)
        spelled = self.spellings()
        named = [f"CREATE TYPE {kind} AS ENUM ({', '.join(map(sql.literal, words))})" for kind, words in
                 ((SPELLED, spelled), (WHO, self.systems))]  # fmt: skip
        for statement in named:
            self.database.connection.execute(statement)
        arrays = self.database.arrays(self.query(first=False))
        bad, items, rows, golds, extra = (np.ma.getdata(array) for array in arrays[-5:])
        bad = bad.astype(bool)
        in_gold = ~np.ma.getmaskarray(arrays[1])
        if int(golds[bad].sum()):
            raise unread_gold(self.gold, int(golds[bad].sum()), self.gold.bad_lines(SHOWN))
        gold_extra = int((golds - items)[in_gold].sum())
        answers_extra = int(extra[in_gold].sum())
        if (gold_extra or answers_extra) and self.policy.duplicates == "error":
            raise self.duplicates(gold=bool(gold_extra))
        if gold_extra or answers_extra:
            arrays = self.database.arrays(self.query(first=True))
            bad, items, rows, golds, extra = (np.ma.getdata(array) for array in arrays[-5:])
            bad, in_gold = bad.astype(bool), ~np.ma.getmaskarray(arrays[1])
        columns = [self.raw(array[in_gold], spelled) for array in arrays[1:-5]]
        for system, column in zip(self.systems, columns[1:], strict=True):
            if all(column.values[code] is None for code in np.unique(column.codes).tolist()):
                self.check_overlap(system)
        case = from_array(arrays[0][in_gold]) if self.cased else None
        return Joined(
            Patterns(case, columns[0], columns[1:], items[in_gold]),
            not_in_gold=int(rows[~in_gold & ~bad].sum()),
            duplicate=gold_extra + answers_extra,
            unreadable=int(rows[bad].sum()),
            examples=self.examples,
        )

    def spellings(self) -> list[str]:
        """Return all labels as they are spelled."""
        union = " UNION ".join(
            f"SELECT DISTINCT coalesce(label::VARCHAR, '') AS label FROM {r.table}"
            for r in [self.gold, *self.answers]
        )
        found = [
            text
            for (text,) in self.database.rows(
                f"SELECT label FROM ({union}) ORDER BY 1 LIMIT {MANY_LABELS + 1}"
            )
        ]
        if len(found) > MANY_LABELS:
            raise DataError(
                f"there are more than {MANY_LABELS} different labels, such as {quoted(found[:3])}; these are no classes. "
                f"Name the column of labels with label= (--label)."
            )
        return found if "" in found else ["", *found]

    def raw(self, array: Any, spelled: Sequence[str]) -> Raw:
        """Return a column of codes as the labels they stand for."""
        codes = np.where(np.ma.getmaskarray(array), 0, np.ma.getdata(array)).astype(np.intp)
        position = np.full(len(spelled), 0, dtype=np.intp)
        nothing = spelled.index("")
        codes = np.where(np.ma.getmaskarray(array), nothing, codes)
        used, inverse = np.unique(codes, return_inverse=True)
        del position
        return Raw([spelled[code] or None for code in used.tolist()], inverse.astype(np.intp))

    def check_overlap(self, system: str) -> None:
        """Refuse a system that is about other items; one that merely has no label to show is let through."""
        at = 1 + self.systems.index(system)
        theirs = (
            f"SELECT kc, ki FROM ({self.rows(first=False)}) WHERE who = {at} AND ki IS NOT NULL"
        )
        golds = f"SELECT kc, ki FROM ({self.rows(first=False)}) WHERE who = 0"
        if not self.database.rows(f"({theirs}) INTERSECT ({golds}) LIMIT 1"):
            shown = [
                [row[1] for row in self.database.rows(f"{query} LIMIT 2")]
                for query in (theirs, golds)
            ]
            raise no_overlap(system, *shown)

    def duplicates(self, *, gold: bool) -> DataError:
        """Return the error for ids that occur more than once."""
        if gold:
            items = repeated(self.database, self.gold, ["case", "item"] if self.cased else ["item"])
            return duplicate_error(f"gold, {self.gold.source.spec!r},", items, one_case=True)
        query = (
            f"SELECT who, ki FROM ({self.rows(first=False)}) WHERE who > 0 AND ki IS NOT NULL GROUP BY kc, ki, who HAVING "
            f"count(*) > 1 ORDER BY ALL LIMIT {SHOWN}"
        )
        found = self.database.rows(query)
        cases_differ = not self.cased and any(relation.has("case") for relation in self.answers)
        return duplicate_error(
            f"system {self.systems[found[0][0] - 1]!r}",
            [row[1] for row in found if row[0] == found[0][0]],
            one_case=not cases_differ,
        )

    def examples(self, side: int, raw: Sequence[Any]) -> list[Any]:
        """Return the first few items whose label is one of these."""
        rows = self.rows(first=False)
        spelled = ", ".join(sql.literal("" if value is None else str(value)) for value in raw)
        wanted = f"who = {side + 1} AND code IN (SELECT enum_code(unnest([{spelled}])::{SPELLED}))"
        if side == GOLD or None not in raw:
            query = f"SELECT ki FROM ({rows}) WHERE {wanted.replace(f'who = {side + 1}', 'who = 0') if side == GOLD else wanted}"
        else:
            query = f"SELECT ki FROM (SELECT kc, ki, bool_or(who = {side + 1} AND NOT (code IN (SELECT enum_code(unnest([{spelled}])::{SPELLED})))) AS has FROM ({rows}) GROUP BY kc, ki HAVING bool_or(who = 0)) WHERE NOT has"
        return [item for (item,) in self.database.rows(f"{query} ORDER BY 1 LIMIT {SHOWN}")]


Complaint = Callable[[int, Sequence[Any]], list[Any]]
