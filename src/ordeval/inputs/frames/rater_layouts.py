"""The layouts of data frames of raters' marks: wide (a column for each rater) and long (a row for each mark).

A frame in memory is read column by column, so that its items keep their names and their order. An engine groups the
items itself, and only the distinct patterns of marks come back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.arguments import column_names
from ordeval.columns import read_column
from ordeval.errors import DataError, NoItemsError, ParameterError, argument
from ordeval.inputs.array_patterns import read_groups
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.frames import engine
from ordeval.inputs.frames.engine import Frame
from ordeval.inputs.frames.layouts import (
    WHERE,
    required_column,
    role_column,
    with_own_order,
)
from ordeval.inputs.marks import (
    PlacedMarks,
    RawMarks,
    marks_of_columns,
    marks_of_rows,
    named_items,
    named_raters,
    place_marks,
    raw_labels,
    repeated_marks,
)
from ordeval.inputs.patterns import ItemOfCase, from_objects
from ordeval.inputs.placing import SHOWN, repeated_items
from ordeval.inputs.unused_counts import unused_count, unused_count_notes
from ordeval.label_column import from_hashing
from ordeval.labels import MISSING

MOST_RATERS = 60  # for each of which an engine makes a column; of more raters the rows are fetched


def read_wide_frame(frame: Any, raters: Any, choices: ReadingChoices) -> PlacedMarks:
    """Read a frame with a row for each item and a column for each rater."""
    data = engine.read_frame(frame)
    names = column_names(raters, "raters")
    if not names:
        raise ParameterError(
            f"no rater was named; pass {argument('raters', ...)}, the columns that hold the marks of each."
        )
    if len(set(names)) < len(names):
        raise DataError(f"raters is {list(names)!r}; it must name each rater's column once.")
    schema = engine.check_columns(data, names, label_columns=names)
    choices = with_own_order(data, schema, names, choices)
    case, item = (role_column(schema, role, choices, names) for role in ("case", "item"))
    case = case if item is not None else None
    keys = [column for column in (item, case) if column is not None]
    unused = unused_count(engine.numeric_columns(schema), choices, [*names, *keys])
    repeats = 0
    if engine.is_eager(data) and choices.columns.get("count") is None:
        if not len(data):
            raise no_rows()
        columns = [read_column(engine.native_column(data, name), repr(name)) for name in names]
        item_names = None
        if item is not None:
            item_names, of_item = item_column(data, item, case)
            kept = first_rows(of_item, item_names, choices)
            repeats = len(of_item) - len(kept)
            columns = [column.only(kept) for column in columns] if repeats else columns
        marks = marks_of_columns(
            [raw_labels(column) for column in columns], names, item_names=item_names
        )
    else:
        refuse_repeats(data, keys)
        groups, totals = engine.counted_groups(data, schema, names, choices.columns)
        marks = marks_of_columns(groups, names, count=totals[0])
    rows = np.ones(1) if marks.count is None else marks.count
    notes = unused_count_notes(unused, rows, WHERE, items_named=item is not None)
    placed = place_marks(marks, choices, notes)
    return replace(placed, ignored={**placed.ignored, "duplicate": repeats}) if repeats else placed


def item_column(data: Frame, item: str, case: str | None) -> tuple[tuple[Any, ...], Any]:
    """Return the names of the items of a frame in memory, and which of them each row is about."""
    of_case = None if case is None else read_groups(engine.native_column(data, case), repr(case))
    return named_items(read_groups(engine.native_column(data, item), repr(item)), of_case, WHERE)


def first_rows(of_item: Any, names: Sequence[Any], choices: ReadingChoices) -> Any:
    """Return the first row of each item; refuse items with more than one, unless the policy leaves the others out."""
    first = np.unique(of_item, return_index=True)[1]
    if len(first) < len(of_item) and choices.policy.duplicates == "error":
        again = np.flatnonzero(np.bincount(of_item) > 1)[:SHOWN].tolist()
        raise repeated_items(WHERE, [names[at] for at in again])
    return first


def refuse_repeats(data: Frame, keys: Sequence[str]) -> None:
    """Refuse a frame in an engine that has more than one row for an item."""
    repeated = engine.repeated_keys(data, keys, SHOWN) if keys else []
    if repeated:
        items = [row[0] if len(row) == 1 else ItemOfCase(*row) for row in repeated]
        raise repeated_items(WHERE, items)


def read_long_frame(frame: Any, choices: ReadingChoices) -> PlacedMarks:
    """Read a frame with a row for each mark."""
    data = engine.read_frame(frame)
    schema = engine.check_columns(data, [], label_columns=[])
    item, rater, label = (
        required_column(schema, role, choices) for role in ("item", "rater", "label")
    )
    case = role_column(schema, "case", choices, [item, rater, label])
    repeat = role_column(schema, "repeat", choices, [item, rater, label])
    engine.check_columns(data, [], label_columns=[label])
    choices = with_own_order(data, schema, [label], choices)
    columns = {"item": item, "rater": rater, "label": label}
    columns |= {} if case is None else {"case": case}
    columns |= {} if repeat is None else {"repeat": repeat}
    if engine.is_eager(data):
        if not len(data):
            raise no_rows()
        read = {
            role: (read_column if role == "label" else read_groups)(
                engine.native_column(data, name), repr(name)
            )
            for role, name in columns.items()
        }
        return place_marks(marks_of_rows(read, WHERE), choices)
    lazy = LazyMarks(data, schema, columns, choices)
    return lazy.read() if repeat is None else lazy.fetched()


def no_rows() -> NoItemsError:
    """Return the error for a frame without rows."""
    return NoItemsError("there are no items: the frame has no rows. Pass at least one.")


class LazyMarks:
    """A long frame in an engine, which makes a column for each rater and counts the patterns."""

    def __init__(
        self,
        data: Frame,
        schema: dict[str, Any],
        columns: Mapping[str, str],
        choices: ReadingChoices,
    ) -> None:
        self.data, self.schema, self.columns, self.choices = data, schema, columns, choices
        self.keys = [columns[role] for role in ("item", "case") if role in columns]

    def read(self) -> PlacedMarks:
        """Ask for the raters, then for the patterns of their marks."""
        lost = engine.complete_rows(self.data, self.keys)[1]
        if lost:
            raise DataError(
                f"{WHERE} lacks an item id or a test case in {lost} of its rows. Every mark has both; fill the columns."
            )
        rater, label = (self.columns[role] for role in ("rater", "label"))
        pairs = engine.grouped(self.data, self.schema, [rater, label])
        raw = from_objects(row[0] for row in pairs)
        raters, codes = named_raters(raw, WHERE)
        if len(raters) > MOST_RATERS:
            return self.fetched()
        spellings: list[list[Any]] = [[] for _ in raters]
        for code, at in {*zip(raw.codes.tolist(), codes.tolist(), strict=True)}:
            spellings[at].append(raw.values[code])
        answers = engine.answers_by_rater(self.data, self.keys, rater, label, spellings)
        kinds = dict(answers.collect_schema())
        columns, totals = engine.counted_groups(answers, kinds, list(kinds), {})
        marks = marks_of_columns(columns, raters, count=totals[0])
        self.check_single(pairs, marks)
        return place_marks(marks, self.choices)

    def check_single(self, pairs: Sequence[tuple[Any, ...]], marks: RawMarks) -> None:
        """Refuse a rater with two marks on an item: then there are more marks than the patterns hold."""
        labels = from_objects(row[1] for row in pairs)
        there = np.array([label is not MISSING for label in labels.labels])[labels.codes]
        given = sum(row[2] for row, one in zip(pairs, there.tolist(), strict=True) if one)
        there = np.array([label is not MISSING for label in marks.label.labels])
        held = marks.count[marks.item][there[marks.label.codes]].sum()  # type: ignore[index]
        if given == held:
            return
        if self.choices.policy.duplicates == "first":
            raise DataError(
                f"{argument('duplicates', 'first')} needs rows in an order, and this engine has none. Collect the "
                f"frame first."
            )
        keys = [*self.keys, self.columns["rater"]]
        found = engine.repeated_keys(self.data, keys, 1, present=self.columns["label"])
        if not found:
            raise repeated_marks("of a rater on one item")
        *item, rater = found[0]
        of = repr(item[0] if len(item) == 1 else ItemOfCase(*item))
        raise repeated_marks(f"by rater {str(rater)!r} of item {of}")

    def fetched(self) -> PlacedMarks:
        """Fetch the rows: of so many raters, or of the repeats of some, each has marked few of the items."""
        rows = engine.fetched_rows(self.data, list(self.columns.values()))
        columns = zip(self.columns, zip(*rows, strict=True), strict=True)
        read = {role: from_hashing(list(column)) for role, column in columns}
        return place_marks(marks_of_rows(read, WHERE), self.choices)
