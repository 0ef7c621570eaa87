"""Gold and several systems: one grouping by item, in which each system is a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError, argument, quoted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.matching import (
    JoinedFiles,
    beside_gold,
    keys,
    named_items,
    no_overlap,
    no_readable_rows,
    repeated_ids,
    slices_of,
    unreadable_gold,
)
from ordeval.inputs.patterns import GOLD, NullableArray, RawColumn, RawPatterns, from_database
from ordeval.inputs.placing import SHOWN, repeated_items
from ordeval.inputs.weighting import SumColumns

MANY_LABELS = 100_000
MANY_COLUMNS = 100  # systems that have a column each
IN_A_LIST = "answers"  # the column of all answers, where there are more
SPELLED, WHO = "spelled", "who"  # types of the database: labels as they are spelled, and systems


@dataclass(frozen=True, slots=True)
class ItemGroups:
    """The groups of the grouping: the codes of gold and answers, and how many items and rows they stand for."""

    case: NullableArray
    codes: list[NullableArray]  # gold's, then each system's
    slices: list[NullableArray]
    bad: Any  # rows without an item
    items: Any
    rows: Any
    golds: Any  # rows of gold among them
    repeats: Any  # answers beyond the first of each system
    sums: Array  # [question, group]: what the engine answers of weights and counts

    @property
    def in_gold(self) -> Any:
        """Which groups are items of gold."""
        return ~self.codes[0].null


class JoinMany:
    """The join of gold and several systems in a database."""

    def __init__(
        self,
        database: Database,
        gold: SourceTable,
        answers: Sequence[SourceTable],
        systems: Sequence[str],
        choices: ReadingChoices,
    ) -> None:
        self.database, self.gold, self.answers = database, gold, answers
        self.systems, self.choices, self.policy = list(systems), choices, choices.policy
        self.sums = SumColumns(choices.columns.get("weight"), choices.columns.get("count"))
        self.kinds = {kind: f"{kind}_{database.number()}" for kind in (SPELLED, WHO)}
        self.item_keys = keys([gold, *answers], "item")
        self.cased = gold.has("case")
        cased = [source for source in [gold, *answers] if self.cased and source.has("case")]
        self.case_keys = (
            dict(zip([source.table for source in cased], keys(cased, "case"), strict=True))
            if cased
            else {}
        )
        self.spelled = self.spellings()

    def count(self) -> JoinedFiles:
        """Count, and see to duplicates."""
        for relation in self.answers:
            if not self.database.rows(f"SELECT 1 FROM {relation.table} LIMIT 1"):
                raise no_readable_rows(self.database, relation)
        self.check_cases()
        for kind, words in ((SPELLED, self.spelled), (WHO, self.systems)):
            names = ", ".join(map(sql.literal, words))
            self.database.connection.execute(
                f"CREATE TEMP TYPE {self.kinds[kind]} AS ENUM ({names})"
            )
        groups = self.grouped(self.sums, first=False)
        bad = int(groups.golds[groups.bad].sum())
        if bad:
            raise unreadable_gold(self.gold, bad, self.gold.bad_lines(SHOWN))
        gold_repeats = int((groups.golds - groups.items)[groups.in_gold].sum())
        repeats = int(groups.repeats[groups.in_gold].sum())
        if gold_repeats or repeats:
            if self.policy.duplicates == "error":
                raise self.duplicates(in_gold=bool(gold_repeats))
            again = self.grouped(self.sums, first=True)
            return self.joined(again, gold_repeats + repeats, first=True)
        return self.joined(groups, 0, first=False)

    def spellings(self) -> list[str]:
        """Return all labels as they are spelled, nothing first."""
        union = sql.chained(
            [
                f"SELECT DISTINCT label::VARCHAR AS label FROM {relation.table}"
                for relation in [self.gold, *self.answers]
            ],
            "UNION",
        )
        query = f"SELECT label FROM ({union}) WHERE label <> '' ORDER BY 1 LIMIT {MANY_LABELS + 1}"
        spellings = [text for (text,) in self.database.rows(query)]
        if len(spellings) > MANY_LABELS:
            raise DataError(
                f"there are more than {MANY_LABELS} different labels, such as {quoted(spellings[:3])}; these are not "
                f"classes. Name the column of labels with {argument('label')}."
            )
        return ["", *spellings]

    def check_cases(self) -> None:
        """Refuse files without test cases where gold needs them to tell its items apart."""
        if self.cased and not all(relation.has("case") for relation in self.answers):
            twice = repeated_ids(self.database, self.gold.table, ["item"])
            if twice:
                raise repeated_items(f"gold, {self.gold.source.spec!r},", twice, cases_differ=True)

    def rows(self, *, first: bool) -> str:
        """Select all rows of gold (who 0) and the systems (who 1 to S): key, who, code of the label, again."""
        selects = [
            self.select(at, relation, first=first)
            for at, relation in enumerate([self.gold, *self.answers])
        ]
        again = "row_number() OVER (PARTITION BY kc, ki, who ORDER BY rn) > 1" if first else "false"
        code = f"enum_code(label::{self.kinds[SPELLED]})"
        union = sql.chained(selects, "UNION ALL")
        chosen = ["kc", "ki", "who", f"{code} AS code", f"{again} AS again", *self.beside]
        return f"SELECT {', '.join(chosen)} FROM ({union})"

    @property
    def beside(self) -> list[str]:
        """The columns of weights, counts and slices, as SQL writes them."""
        return [sql.name(column) for column in beside_gold(self.gold)]

    def select(self, at: int, relation: SourceTable, *, first: bool) -> str:
        """Select the rows of one file."""
        who = "0"
        if relation is not self.gold:
            who = (
                str(1 + self.systems.index(relation.source.name))
                if not relation.has("system")
                else ""
            )
            who = who or f"1 + enum_code(TRY_CAST(system AS {self.kinds[WHO]}))::INTEGER"
        case = self.case_keys.get(relation.table, "NULL")
        nulls = [f"NULL AS {column}" for column in self.beside]
        beside = self.beside if relation is self.gold else nulls
        select = (
            f"SELECT {case} AS kc, {self.item_keys[at]} AS ki, {who} AS who, coalesce(label::VARCHAR, '') AS label"
            f"{''.join(f', {column}' for column in beside)}"
            f"{', row_number() OVER () AS rn' if first else ''} FROM {relation.table}"
        )
        if not self.cased or relation.has("case"):
            return select
        golds = f"SELECT {self.case_keys[self.gold.table]} AS kc, {self.item_keys[0]} AS ki FROM {self.gold.table}"
        return f"SELECT a.* REPLACE (g.kc AS kc) FROM ({select}) a LEFT JOIN ({golds}) g ON a.ki = g.ki"

    def grouped(self, sums: SumColumns, *, first: bool) -> ItemGroups:
        """Run the grouping: by item, then by joint answers; answers that are about no item of gold are one group."""
        slices, golds_own = slices_of(self.gold), "FILTER (WHERE who = 0 AND NOT again)"
        answers, answered = self.columns_of_answers()
        every = ["c0", *answers, *slices]
        chosen = {
            "c0": f"any_value(code) {golds_own}",
            **answers,
            **{column: f"any_value({column}) {golds_own}" for column in self.beside},
            "n": "count(*)",
            "ng": "count(*) FILTER (WHERE who = 0)",
            "who": "count(DISTINCT who)" if IN_A_LIST in answers else "NULL",
        }
        items = (
            f"SELECT kc, ki, {', '.join(f'{asked} AS {column}' for column, asked in chosen.items())} "
            f"FROM ({self.rows(first=first)}) GROUP BY kc, ki"
        )
        asked = "ki IS NOT NULL AND c0 IS NOT NULL"
        shown = ", ".join(f"CASE WHEN {asked} THEN {column} END" for column in ["kc", *every])
        counts = ["count(*)", "sum(n)", "sum(ng)", f"sum(n - ng - ({answered}))"]
        questions = [*(f"{count}::BIGINT" for count in counts), *sql.questions(sums)]
        arrays = self.database.arrays(
            f"SELECT {shown}, ki IS NULL, {', '.join(questions)} FROM ({items}) "
            f"GROUP BY {', '.join(str(at) for at in range(1, len(every) + 3))} ORDER BY ALL"
        )
        case, gold, *groups, bad = arrays[: len(every) + 2]
        n, rows, golds, repeats, *sums_of = arrays[len(every) + 2 :]
        labels, of_slice = groups[: len(answers)], groups[len(answers) :]
        if IN_A_LIST in answers:
            labels = self.taken_apart(labels[0])
        added = np.array([column.filled(np.nan) for column in sums_of])
        added = added.reshape(len(sums_of), len(n.data))
        return ItemGroups(
            case, [gold, *labels], of_slice, bad.data.astype(bool), n.data, rows.data, golds.data,
            repeats.data, added,
        )  # fmt: skip

    def columns_of_answers(self) -> tuple[dict[str, str], str]:
        """Write what is asked for an item's answers, by column, and how many systems answer it.

        Each system has a column, unless there are so many that the engine takes longer to plan the query than to run
        it: then all answers are one list.
        """
        theirs = "FILTER (WHERE who > 0 AND NOT again)"
        if len(self.systems) > MANY_COLUMNS:
            code = f"(who::BIGINT * {len(self.spelled)} + code)"
            return {IN_A_LIST: f"list_sort(list({code}) {theirs})"}, "who - (ng > 0)::INTEGER"
        columns = {
            f"c{at}": f"any_value(code) FILTER (WHERE who = {at} AND NOT again)"
            for at in range(1, len(self.systems) + 1)
        }
        return columns, sql.chained([f"({column} IS NOT NULL)::INTEGER" for column in columns], "+")

    def taken_apart(self, lists: NullableArray) -> list[NullableArray]:
        """Return the codes of each system, from lists of the answers that each group has."""
        kind = np.min_scalar_type(len(self.spelled))
        codes = np.zeros((len(self.systems), len(lists.data)), dtype=kind)
        null = np.ones(codes.shape, dtype=bool)
        for group in np.flatnonzero(~lists.null).tolist():
            who, code = np.divmod(np.asarray(lists.data[group]), len(self.spelled))
            codes[who - 1, group] = code
            null[who - 1, group] = False
        return [NullableArray(*row) for row in zip(codes, null, strict=True)]

    def joined(self, groups: ItemGroups, duplicate: int, *, first: bool) -> JoinedFiles:
        """Take the groups apart."""

        def ask(sums: SumColumns) -> tuple[ItemGroups, Array, Array]:
            asked = groups if sums == self.sums else self.grouped(sums, first=first)
            return asked, asked.items[asked.in_gold], asked.sums[:, asked.in_gold]

        groups, some, totals = self.sums.added_up(ask)
        in_gold = groups.in_gold
        kept = in_gold.copy()
        kept[in_gold] = some
        for system, codes in zip(self.systems, groups.codes[1:], strict=True):
            if codes.null[kept].all():
                raise self.nothing_in_common(system)
        gold, *answers = (
            self.raw(codes[kept], boolean=boolean)
            for codes, boolean in zip(groups.codes, self.booleans(), strict=True)
        )
        slices = [from_database(column[kept]) for column in groups.slices]
        named = dict(zip(self.choices.by, slices, strict=True))
        case = from_database(groups.case[kept]) if self.cased else None
        return JoinedFiles(
            RawPatterns(case, gold, answers, *totals, slices=named),
            not_in_gold=int(groups.rows[~in_gold & ~groups.bad].sum()),
            duplicate=duplicate,
            unreadable=int(groups.rows[groups.bad].sum()),
            examples=self.examples,
        )

    def booleans(self) -> list[bool]:
        """Tell whether gold's labels, and each system's, are booleans by their type and not words."""
        of_type = {
            relation.source.name: relation.types["label"] == "BOOLEAN" for relation in self.answers
        }
        several = all(of_type.values())  # systems in a column are named there
        golds = self.gold.types["label"] == "BOOLEAN"
        return [golds, *(of_type.get(system, several) for system in self.systems)]

    def raw(self, codes: NullableArray, *, boolean: bool) -> RawColumn:
        """Return the labels that codes stand for; no row and no label are the same: no answer."""
        used, inverse = np.unique(codes.filled(0), return_inverse=True)
        words: list[Any] = [self.spelled[code] or None for code in used.tolist()]
        if boolean:
            words = [None if word is None else word == "true" for word in words]
        return RawColumn(words, inverse.astype(np.intp))

    def nothing_in_common(self, system: str) -> DataError:
        """Return the error for a system that is about other items."""
        rows = self.rows(first=False)
        theirs, ours = (
            [item for (item,) in self.database.rows(
                f"SELECT ki FROM ({rows}) WHERE who = {who} AND ki IS NOT NULL LIMIT 2")]
            for who in (1 + self.systems.index(system), 0)
        )  # fmt: skip
        return no_overlap(system, theirs, ours)

    def duplicates(self, *, in_gold: bool) -> DataError:
        """Return the error for ids that occur more than once."""
        if in_gold:
            by = ["case", "item"] if self.cased else ["item"]
            items = repeated_ids(self.database, self.gold.table, by)
            return repeated_items(f"gold, {self.gold.source.spec!r},", items, in_gold=True)
        repeated = self.database.rows(
            f"SELECT who, kc, ki FROM ({self.rows(first=False)}) WHERE who > 0 AND ki IS NOT NULL "
            f"GROUP BY kc, ki, who HAVING count(*) > 1 ORDER BY who, ki, kc LIMIT {SHOWN}"
        )
        who = repeated[0][0]
        cases_differ = not self.cased and any(relation.has("case") for relation in self.answers)
        named = named_items([(case, item, one) for one, case, item in repeated])
        items = [item for item, one in named if one == who]
        return repeated_items(f"system {self.systems[who - 1]!r}", items, cases_differ=cases_differ)

    def examples(self, side: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return the first few items whose label is one of these, each with it; for None, those without an answer."""
        code_of = {text: str(code) for code, text in enumerate(self.spelled)}
        words = ["" if value is None else spelling(value) for value in labels]
        codes = ", ".join(code_of[word] for word in words)
        who = 0 if side == GOLD else side + 1
        rows = f"SELECT kc, ki, code FROM ({self.rows(first=False)})"
        if side == GOLD or None not in labels:
            query = f"{rows} WHERE who = {who} AND code IN ({codes})"
        else:
            answered = f"bool_or(who = {who} AND code NOT IN ({codes})) OVER (PARTITION BY kc, ki)"
            query = f"{rows} QUALIFY who = 0 AND NOT {answered}"
        found = self.database.rows(f"{query} ORDER BY 2, 1 LIMIT {SHOWN}")
        return named_items([(case, item, self.spelled[code]) for case, item, code in found])


def spelling(label: Any) -> str:
    """Return a label as the engine writes it."""
    return str(label).lower() if isinstance(label, bool) else str(label)
