"""The layouts of data frames: two columns, wide (a column for each system) and long (a row for each)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ordeval.arguments import column_names
from ordeval.errors import DataError, LabelError, argument, quoted, suggestion
from ordeval.inputs.choices import ReadingChoices, TableParts
from ordeval.inputs.frames import engine
from ordeval.inputs.frames.engine import Frame
from ordeval.inputs.patterns import RawPatterns, entries_of
from ordeval.inputs.placing import PlacedPatterns, place, repeated_items
from ordeval.inputs.policy import Policy
from ordeval.inputs.roles import find_column
from ordeval.inputs.unused_counts import has_items, unused_count, unused_count_notes
from ordeval.labels import MISSING, canonical, natural_order

CASE, ITEM, GOLD, MARK = "key_case", "key_item", "gold", "mark"  # columns of our own
SLICE = "slice"  # and a number
SUMS = {"weight": "sum_weight", "count": "sum_count"}
WHERE = "the frame"


def count_columns(
    frame: Any,
    gold: str,
    predicted: str,
    *,
    by: str | Sequence[str] | None,
    choices: ReadingChoices,
) -> TableParts:
    """Count two columns of a frame, for each group of the columns `by`."""
    groups = list(column_names(by, "by"))
    data = engine.read_frame(frame)
    schema = engine.check_columns(data, [gold, predicted, *groups], label_columns=[gold, predicted])
    choices = with_own_order(data, schema, [gold, predicted], choices)
    keys = [*groups, gold, predicted]
    columns, totals = engine.counted_groups(data, schema, keys, choices.columns)
    patterns = RawPatterns(None, columns[-2], [columns[-1]], *totals)
    unused = unused_count(engine.numeric_columns(schema), choices, keys)
    unused_count_notes(unused, patterns.count, WHERE, items_named=has_items(list(schema), WHERE))
    placed = place(patterns, [predicted], choices, no_examples, ignored={})
    axes, codes = [], []
    for name, column in zip(groups, columns, strict=False):
        entries, of_group = entries_of(column)
        axes.append((name, entries))
        codes.append(of_group[placed.kept])
    return placed.table(axes, codes)


def no_examples(side: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Name no items: an engine keeps its rows to itself."""
    del side, labels
    return []


def with_own_order(
    data: Frame, schema: dict[str, Any], columns: Sequence[str], choices: ReadingChoices
) -> ReadingChoices:
    """Return the choices with the order that the columns' own types define, unless the caller declared another."""
    if choices.labels is not None:
        return choices
    return replace(choices, labels=engine.own_order(data, schema, columns))


def count_frame(
    frame: Any, gold: Any, predicted: str | Sequence[str] | None, choices: ReadingChoices
) -> PlacedPatterns:
    """Count a wide frame or a long one: long if a column of systems is named, or no column of answers."""
    data = engine.read_frame(frame)
    names = column_names(predicted, "predicted")
    if isinstance(gold, str) and names and choices.columns.get("system") is None:
        return count_wide_frame(data, gold, names, choices)
    if len(names) > 1:
        raise DataError(
            f"predicted is {list(names)!r}; a long frame has one column of answers. Name that one."
        )
    return LongFrame(data, gold, names[0] if names else None, choices).count()


def count_wide_frame(
    data: Frame, gold: str, names: Sequence[str], choices: ReadingChoices
) -> PlacedPatterns:
    """Count a frame that has a row for each item and a column for each system."""
    schema = engine.check_columns(data, [gold, *names], label_columns=[gold, *names])
    if len(set(names)) < len(names):
        raise DataError(f"predicted is {list(names)!r}; it must name each system's column once.")
    case, item = (role_column(schema, role, choices, [gold, *names]) for role in ("case", "item"))
    columns = {GOLD: gold, **{f"answer{at}": name for at, name in enumerate(names)}}
    columns |= {CASE: case} if case is not None else {}
    columns |= {ITEM: item} if item is not None else {}
    columns |= {**sum_columns(schema, choices), **slice_columns(schema, choices)}
    unused = unused_count(engine.numeric_columns(schema), choices, list(columns.values()))
    data, repeats = engine.selected(data, columns), 0
    if item is not None:
        keys = [CASE, ITEM] if case is not None else [ITEM]
        data, repeats = without_repeats(data, keys, WHERE, choices.policy)
    return count_joint_answers(data, names, choices, {"duplicate": repeats}, unused)


def sum_columns(schema: Mapping[str, Any], choices: ReadingChoices) -> dict[str, str]:
    """Return the columns of weights and of counts that the caller named, by names of our own."""
    chosen = {}
    for role, own in SUMS.items():
        name = choices.columns.get(role)
        if name is not None:
            engine.check_numeric(schema, name, role)
            chosen[own] = name
    return chosen


def slice_columns(schema: Mapping[str, Any], choices: ReadingChoices) -> dict[str, str]:
    """Return the columns whose groups are slices, by names of our own."""
    absent = [name for name in choices.by if name not in schema]
    if absent:
        raise DataError(
            f"{WHERE} has no column {absent[0]!r} for {argument('by')}; it has {quoted(schema, 10)}."
            f"{suggestion(absent[0], list(map(str, schema)))}"
        )
    return {f"{SLICE}{at}": name for at, name in enumerate(choices.by)}


def role_column(
    schema: Mapping[str, Any], role: str, choices: ReadingChoices, used: Sequence[str] = ()
) -> str | None:
    """Return the column that plays a role: the one that the caller chose, or else one with a usual name."""
    columns = list(schema)
    taken = [columns.index(name) for name in used if name in schema]
    at = find_column(columns, role, choices.columns, WHERE, used=taken)
    return None if at is None else columns[at]


def required_column(
    schema: Mapping[str, Any], role: str, choices: ReadingChoices, used: Sequence[str] = ()
) -> str:
    """Return the column that plays a role which must be played."""
    column = role_column(schema, role, choices, used)
    if column is None:
        raise DataError(
            f"{WHERE} has no column known as {role}; it has {quoted(schema, 10)}. Name it with {argument(role)}."
        )
    return column


def count_joint_answers(
    data: Frame,
    systems: Sequence[str],
    choices: ReadingChoices,
    ignored: Mapping[str, int],
    unused: str | None = None,
) -> PlacedPatterns:
    """Group by test case, gold and all answers; `unused` is a column that looks like one of counts."""
    schema = dict(data.collect_schema())
    labels = [GOLD, *(f"answer{at}" for at in range(len(systems)))]
    slices = [f"{SLICE}{at}" for at in range(len(choices.by))]
    keys = [*([CASE] if CASE in schema else []), *labels, *slices]
    sums = {role: column for role, column in SUMS.items() if column in schema}
    columns, totals = engine.counted_groups(data, schema, keys, sums)
    case = columns.pop(0) if CASE in schema else None
    if case is not None and None in case.values:
        raise LabelError(
            "some items have no test case; every item belongs to one. Fill the column."
        )
    choices = with_own_order(data, schema, labels, choices)
    every = {"not_in_gold": 0, "duplicate": 0, "unreadable": 0, **ignored}
    answers, of_slice = columns[1 : len(labels)], columns[len(labels) :]
    patterns = RawPatterns(
        case, columns[0], answers, *totals, slices=dict(zip(choices.by, of_slice, strict=True))
    )
    notes = unused_count_notes(unused, patterns.count, WHERE, items_named=ITEM in schema)
    return place(patterns, systems, choices, no_examples, ignored=every, notes=notes)


def without_repeats(
    data: Frame, keys: Sequence[str], what: str, policy: Policy
) -> tuple[Frame, int]:
    """Return a frame with each item once, and how many rows were left out, if the policy allows it.

    The item is the last of the keys; rows without an item are all kept.
    """
    groups = engine.grouped(data, dict(data.collect_schema()), keys)
    repeated = [row for row in groups if row[-1] > 1 and canonical(row[-2]) is not MISSING]
    if not repeated:
        return data, 0
    if policy.duplicates == "error":
        items = sorted({str(canonical(row[-2])) for row in repeated}, key=natural_order)
        raise repeated_items(what, items)
    if not engine.is_eager(data):
        raise DataError(
            f"{argument('duplicates', 'first')} needs rows in an order, and this engine has none. Collect the frame "
            f"first."
        )
    return engine.first_of_each(data, keys, ITEM), sum(row[-1] - 1 for row in repeated)


class LongFrame:
    """A frame with a row for each system and item; gold is a column of it, or a frame of its own."""

    def __init__(
        self, data: Frame, gold: Any, predicted: str | None, choices: ReadingChoices
    ) -> None:
        self.data, self.choices = data, choices
        self.schema = dict(data.collect_schema())
        self.own_gold = isinstance(gold, str)
        self.gold_frame = data if self.own_gold else engine.read_frame(gold)
        if self.gold_frame.implementation is not data.implementation:
            raise DataError(
                "gold and answers are frames of different libraries; pass two of one kind."
            )
        schema = dict(self.gold_frame.collect_schema())
        used = [gold] if self.own_gold else []
        self.label = predicted or required_column(self.schema, "label", choices, used)
        self.gold_label = gold if self.own_gold else required_column(schema, "label", choices)
        engine.check_columns(data, [self.label], label_columns=[self.label])
        engine.check_columns(self.gold_frame, [self.gold_label], label_columns=[self.gold_label])
        self.system = role_column(self.schema, "system", choices)
        self.keys = {ITEM: required_column(self.schema, "item", choices)}
        self.gold_keys = {ITEM: required_column(schema, "item", choices)}
        case = role_column(self.schema, "case", choices)
        gold_case = role_column(schema, "case", choices)
        if case is not None and gold_case is not None:
            self.keys[CASE] = case
        if gold_case is not None:
            self.gold_keys[CASE] = gold_case

    def count(self) -> PlacedPatterns:
        """Join each system's answers to gold, and count."""
        policy, on = self.choices.policy, sorted(self.keys)
        joint, repeats = without_repeats(self.gold(), on, "gold", policy)
        required = [*self.keys.values(), *([self.system] if self.system is not None else [])]
        self.data, unreadable = engine.complete_rows(self.data, required)
        systems, not_in_gold = self.systems(), 0
        for at, (system, value) in enumerate(systems.items()):
            answers, again = without_repeats(
                self.answers(value, at), on, f"system {system!r}", policy
            )
            repeats += again
            joint = engine.left_join(joint, answers.rename({MARK: f"{MARK}{at}"}), on)
            given, answered = marked_rows(answers, MARK), marked_rows(joint, f"{MARK}{at}")
            if not answered:
                raise DataError(
                    f"no answer of {system!r} is about an item of gold. Check the columns of items and test cases."
                )
            not_in_gold += given - answered
        ignored = {"not_in_gold": not_in_gold, "duplicate": repeats, "unreadable": unreadable}
        return count_joint_answers(joint, list(systems), self.choices, ignored)

    def gold(self) -> Frame:
        """Return gold, each row of which must name its item."""
        schema = dict(self.gold_frame.collect_schema())
        beside = {**sum_columns(schema, self.choices), **slice_columns(schema, self.choices)}
        columns = {**self.gold_keys, GOLD: self.gold_label, **beside}
        gold = engine.selected(self.gold_frame, columns)
        lost = engine.complete_rows(gold, list(self.gold_keys))[1]
        if lost:
            raise DataError(
                f"gold lacks an item id or a test case in {lost} of its rows. Every gold row needs both; fill the "
                f"columns."
            )
        return gold.unique() if self.own_gold else gold

    def systems(self) -> dict[str, Any]:
        """Return the names of the systems, and each as it is in its column."""
        if self.system is None:
            return {self.label: None}
        rows = engine.grouped(self.data, self.schema, [self.system])
        names = {str(canonical(row[0])): row[0] for row in rows}
        return {name: names[name] for name in sorted(names, key=natural_order)}

    def answers(self, system: Any, at: int) -> Frame:
        """Return one system's answers, marked."""
        data = self.data
        if self.system is not None:
            data = engine.rows_where(data, self.system, self.schema[self.system], system)
        return engine.with_mark(
            engine.selected(data, {**self.keys, f"answer{at}": self.label}), MARK
        )


def marked_rows(data: Frame, mark: str) -> int:
    """Return how many rows bear a mark."""
    rows = engine.grouped(data, dict(data.collect_schema()), [mark])
    return sum(row[-1] for row in rows if canonical(row[0]) is not MISSING)
