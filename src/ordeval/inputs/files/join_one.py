"""Gold and one system: one join.

A full join tells everything at once: items without an answer, answers without an item and, as a row that matches twice
is counted twice, whether an id occurs more than once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import DataError
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files import sql
from ordeval.inputs.files.engine import Database, SourceTable
from ordeval.inputs.files.matching import (
    JoinedFiles,
    beside_gold,
    keys,
    label_among,
    named_items,
    no_overlap,
    no_readable_rows,
    repeated_ids,
    slices_of,
    unreadable_gold,
)
from ordeval.inputs.patterns import GOLD, NullableArray, RawPatterns, from_database
from ordeval.inputs.placing import SHOWN, repeated_items
from ordeval.inputs.weighting import SumColumns

FLAGS = 3  # columns of a full join that say what its rows are
HERE, NO_ITEM = (
    1,
    2,
)  # what the column `here` of a side holds; NULL where a row of the other side matches none


@dataclass(frozen=True, slots=True)
class JoinGroups:
    """The groups of a full join: which sides they have, what they hold, and how many rows they stand for."""

    in_gold: Any
    in_answers: Any
    again: Any  # a later answer to an item that has one
    bad: Any  # a row without an item
    case: NullableArray
    gold: NullableArray
    answer: NullableArray
    slices: list[NullableArray]
    count: Any
    sums: Array  # [question, group]: what the engine answers of weights and counts

    def rows(self, which: Any) -> int:
        """Return how many rows some of the groups stand for."""
        return int(self.count[which].sum())


class JoinOne:
    """The join of gold and one system in a database."""

    def __init__(
        self, database: Database, gold: SourceTable, answers: SourceTable, choices: ReadingChoices
    ) -> None:
        self.database, self.gold, self.answers, self.choices = database, gold, answers, choices
        self.policy = choices.policy
        self.sums = SumColumns(choices.columns.get("weight"), choices.columns.get("count"))
        self.by_case = gold.has("case") and answers.has("case")
        self.by = ["case", "item"] if self.by_case else ["item"]
        pairs = [keys([gold, answers], column) for column in self.by]
        self.keys = [[pair[side] for pair in pairs] for side in (0, 1)]
        self.on = " AND ".join(f"g.k{at} = s.k{at}" for at in range(len(self.by)))

    def count(self) -> JoinedFiles:
        """Count, and see to duplicates."""
        n_gold, n_answers = self.rows_in(self.gold), self.rows_in(self.answers)
        if not n_answers:
            raise no_readable_rows(self.database, self.answers)
        counted = self.counted(self.sums, first=False)
        matched = counted.rows(counted.in_gold & counted.in_answers)
        unanswered = counted.rows(counted.in_gold & ~counted.in_answers)
        alone = counted.rows(counted.in_answers & ~counted.in_gold)
        bad = counted.rows(counted.in_gold & counted.bad)
        if bad:
            raise unreadable_gold(self.gold, bad, self.gold.bad_lines(SHOWN))
        # g * s rows match where an id occurs g and s times: their sum is that of g, and that of s, only if all are 1.
        unique = matched == n_gold - unanswered == n_answers - alone
        gold_repeats = self.gold_repeats() if unanswered or not unique else 0
        if unique and not gold_repeats:
            return self.joined(counted, 0, first=False)
        distinguishable = self.by_case or not self.gold.has("case") or not gold_repeats
        if self.policy.duplicates == "error" or not distinguishable:
            raise self.duplicates(in_gold=bool(gold_repeats))
        return self.joined(self.counted(self.sums, first=True), gold_repeats, first=True)

    def rows_in(self, relation: SourceTable) -> int:
        """Return how many rows a relation has."""
        return int(self.database.rows(f"SELECT count(*) FROM {relation.table}")[0][0])

    def counted(self, sums: SumColumns, *, first: bool) -> JoinGroups:
        """Run the join."""
        slices = slices_of(self.gold)
        case = 'g."case"' if self.gold.has("case") else "NULL"
        asked = ", ".join([*slices, "count(*) AS n", *sql.questions(sums)])
        columns = self.database.arrays(
            f"{self.sides(first=first)} SELECT g.here, s.here, {'s.again' if first else 'false'}, "
            f"{case}, g.label, s.label, {asked} "
            f"FROM g FULL JOIN s ON {self.on} GROUP BY ALL ORDER BY ALL"
        )
        here, there, again = (flag.filled(0) for flag in columns[:FLAGS])
        of_case, gold, answer, *groups = columns[FLAGS : FLAGS + 3 + len(slices)]
        count, *answers = columns[FLAGS + 3 + len(slices) :]
        added = np.array([column.filled(np.nan) for column in answers])
        added = added.reshape(len(answers), len(count.data))
        return JoinGroups(
            in_gold=here > 0,
            in_answers=there > 0,
            again=again.astype(bool),
            bad=(here == NO_ITEM) | (there == NO_ITEM),
            case=of_case,
            gold=gold,
            answer=answer,
            slices=groups,
            count=count.data,
            sums=added,
        )

    def sides(self, *, first: bool) -> str:
        """Write the two sides of the join."""
        return (
            f"WITH g AS ({self.side(self.gold, 0, first=first)}), "
            f"s AS ({self.side(self.answers, 1, first=first)})"
        )

    def side(self, relation: SourceTable, at: int, *, first: bool) -> str:
        """Select one side; where the `first` rows count, gold's others are gone and an answer's are marked."""
        item = "item" if relation.types["item"] == "VARCHAR" else "item::VARCHAR AS item"
        chosen = [f"{key} AS k{i}" for i, key in enumerate(self.keys[at])]
        # A byte that the join carries, so that it need not carry the keys
        here = f"CASE WHEN {self.keys[at][-1]} IS NULL THEN {NO_ITEM} ELSE {HERE} END::UTINYINT"
        chosen += [item, "label", f"{here} AS here"]
        chosen += ['"case"'] if relation.has("case") else []
        chosen += map(sql.name, beside_gold(relation))
        select = f"SELECT {', '.join(chosen)}"
        if not first:
            return f"{select} FROM {relation.table}"
        again = f"row_number() OVER (PARTITION BY {', '.join(self.keys[at])} ORDER BY rn) > 1"
        numbered = f"(SELECT *, row_number() OVER () AS rn FROM {relation.table})"
        rows = f"{select}, {again} AS again FROM {numbered}"
        return f"SELECT * FROM ({rows}) WHERE NOT again" if relation is self.gold else rows

    def gold_repeats(self) -> int:
        """Return how many gold rows repeat an item."""
        grouped = f"SELECT count(*) AS n FROM {self.gold.table} GROUP BY {', '.join(self.keys[0])}"
        return int(self.database.rows(f"SELECT sum(n) - count(*) FROM ({grouped})")[0][0])

    def duplicates(self, *, in_gold: bool) -> DataError:
        """Return the error for ids that occur more than once."""
        relation = self.gold if in_gold else self.answers
        what = f"{'gold, ' if in_gold else ''}{relation.source.spec!r}{',' if in_gold else ''}"
        cases_differ = not self.by_case and relation.has("case")
        items = repeated_ids(self.database, relation.table, self.by)
        return repeated_items(what, items, cases_differ=cases_differ, in_gold=in_gold)

    def joined(self, counted: JoinGroups, gold_repeats: int, *, first: bool) -> JoinedFiles:
        """Take the counts apart."""
        if not (counted.in_gold & counted.in_answers).any():
            raise self.nothing_in_common()

        def ask(sums: SumColumns) -> tuple[JoinGroups, Array, Array]:
            groups = counted if sums == self.sums else self.counted(sums, first=first)
            kept = groups.in_gold & ~groups.again
            return groups, groups.count[kept], groups.sums[:, kept]

        counted, some, totals = self.sums.added_up(ask)
        kept = counted.in_gold & ~counted.again
        kept[kept] = some
        alone = counted.in_answers & ~counted.in_gold
        case = from_database(counted.case[kept]) if self.gold.has("case") else None
        gold, answer = from_database(counted.gold[kept]), from_database(counted.answer[kept])
        slices = [from_database(column[kept]) for column in counted.slices]
        named = dict(zip(self.choices.by, slices, strict=True))
        return JoinedFiles(
            RawPatterns(case, gold, [answer], *totals, slices=named),
            not_in_gold=counted.rows(alone & ~counted.bad),
            duplicate=counted.rows(counted.in_gold & counted.again) + gold_repeats,
            unreadable=counted.rows(alone & counted.bad),
            examples=self.examples,
        )

    def nothing_in_common(self) -> DataError:
        """Return the error for a system that is about other items."""
        theirs, ours = (
            [
                item
                for (item,) in self.database.rows(
                    f"SELECT item FROM {table} WHERE item IS NOT NULL LIMIT 2"
                )
            ]
            for table in (self.answers.table, self.gold.table)
        )
        if not theirs:
            return no_readable_rows(self.database, self.answers)
        return no_overlap(self.answers.source.name, theirs, ours)

    def examples(self, side: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return the first few items whose label is one of these, each with its label."""
        label = "g.label" if side == GOLD else "s.label"
        case = 'g."case"' if self.gold.has("case") else "NULL"
        rows = self.database.rows(
            f"{self.sides(first=False)} SELECT {case}, g.item, {label} FROM g LEFT JOIN s ON {self.on} "
            f"WHERE {label_among(label, labels)} ORDER BY 2, 1 LIMIT {SHOWN}"
        )
        return named_items(rows)
