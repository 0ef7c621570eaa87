"""Runs from data frames: wide ones, with a column for each system, and long ones, with a row for each."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.errors import DataError, LabelError, quoted
from ordeval.inputs.frames import engine as frames
from ordeval.inputs.frames.engine import Frame
from ordeval.inputs.patterns import Found, Options, Patterns, from_list, natural_order, resolve
from ordeval.inputs.policy import Policy
from ordeval.inputs.roles import NAMES
from ordeval.labels import MISSING, canonical

CASE, ITEM, GOLD, HERE = "key_case", "key_item", "gold", "here"  # columns of our own


def frame_runs(
    frame: Any, *, gold: Any, predicted: str | Sequence[str] | None, options: Options
) -> Found:
    """Count a wide frame or a long one: long where a system's column is named, or no answers' are."""
    data = frames.read_frame(frame)
    names = [predicted] if isinstance(predicted, str) else list(predicted or ())
    if isinstance(gold, str) and names and options.told.get("system") is None:
        return count_wide(data, gold, names, options)
    if len(names) > 1:
        raise DataError(
            f"predicted is {names!r}; a long frame has one column of answers. Name that one."
        )
    return Long(data, gold, names[0] if names else None, options).count()


def count_wide(data: Frame, gold: str, names: Sequence[str], options: Options) -> Found:
    """Count a frame that has a row for each item and a column for each system."""
    schema = frames.check_columns(data, [gold, *names], label_columns=[gold, *names])
    if len(set(names)) < len(names):
        raise DataError(f"predicted is {list(names)!r}; it must name each system's column once.")
    case, item = (known(schema, role, options.told, [gold, *names]) for role in ("case", "item"))
    columns = {GOLD: gold, **{f"answer{at}": name for at, name in enumerate(names)}}
    columns |= {CASE: case} if case is not None else {}
    columns |= {ITEM: item} if item is not None else {}
    data, repeats = frames.take(data, columns), 0
    if item is not None:
        data, repeats = once(
            data, [CASE, ITEM] if case is not None else [ITEM], "the frame", options.policy
        )
    return count_joint(data, names, options, {"duplicate": repeats})


def known(
    schema: Mapping[str, Any], role: str, told: Mapping[str, str | None], used: Sequence[str] = ()
) -> str | None:
    """Return the column that plays a role: the one that the caller named, or else one known by its name."""
    name = told.get(role)
    if name is not None:
        if name not in schema:
            raise DataError(
                f"the frame has no column {name!r} for {role}=; it has {quoted(schema, 10)}."
            )
        return name
    lowered = {str(column).lower(): column for column in schema if column not in used}
    return next((lowered[one] for one in NAMES[role] if one in lowered), None)


def needed(
    schema: Mapping[str, Any], role: str, told: Mapping[str, str | None], used: Sequence[str] = ()
) -> str:
    """Return the column that plays a role which must be played."""
    found = known(schema, role, told, used)
    if found is None:
        raise DataError(
            f"the frame has no column known as {role}; it has {quoted(schema, 10)}. Name it with {role}=."
        )
    return found


def count_joint(
    data: Frame, systems: Sequence[str], options: Options, ignored: Mapping[str, int]
) -> Found:
    """Group by test case, gold and all answers."""
    schema = dict(data.collect_schema())
    labels = [GOLD, *(f"answer{at}" for at in range(len(systems)))]
    keys = [CASE, *labels] if CASE in schema else labels
    rows = frames.grouped(data, schema, keys)
    raw = [from_list(row[at] for row in rows) for at in range(len(keys))]
    case = raw.pop(0) if CASE in schema else None
    if case is not None and None in case.values:
        raise LabelError(
            "some items have no test case; every item belongs to one. Fill the column."
        )
    order = frames.own_order(data, schema, labels) if options.labels is None else options.labels
    told = Options(order, options.values, options.policy)
    left_out = {"not_in_gold": 0, "duplicate": 0, "unreadable": 0, **ignored}
    patterns = Patterns(case, raw[0], raw[1:], frames.counts_of(rows, None)[0])
    return resolve(patterns, systems, told, lambda *_: [], ignored=left_out)


def once(data: Frame, keys: Sequence[str], what: str, policy: Policy) -> tuple[Frame, int]:
    """Return a frame with each item once, and how many rows were left out, where the policy allows it.

    The item is the last of the keys; rows that name none are all kept.
    """
    groups = frames.grouped(data, dict(data.collect_schema()), keys)
    rows = [row for row in groups if row[-1] > 1 and canonical(row[-2]) is not MISSING]
    if not rows:
        return data, 0
    if policy.duplicates == "error":
        items = sorted({str(canonical(row[-2])) for row in rows}, key=natural_order)
        raise DataError(
            f"{what} has more than one row for item {quoted(items)}. Remove the others, or pass duplicates='first' to "
            f"keep the first."
        )
    if not frames.is_eager(data):
        raise DataError(
            "duplicates='first' needs rows in an order, and this engine has none. Collect the frame first."
        )
    return frames.first_of_each(data, keys, ITEM), sum(row[-1] - 1 for row in rows)


class Long:
    """A frame with a row for each system and item; gold is a column of it, or a frame of its own."""

    def __init__(self, data: Frame, gold: Any, predicted: str | None, options: Options) -> None:
        self.data, self.options = data, options
        self.schema = dict(data.collect_schema())
        self.own_gold = isinstance(gold, str)
        self.golds = data if self.own_gold else frames.read_frame(gold)
        if self.golds.implementation is not data.implementation:
            raise DataError(
                "gold and answers are frames of different libraries; pass two of one kind."
            )
        told, schema = options.told, dict(self.golds.collect_schema())
        used = [gold] if self.own_gold else []
        self.label = predicted or needed(self.schema, "label", told, used)
        self.gold_label = gold if self.own_gold else needed(schema, "label", told)
        frames.check_columns(data, [self.label], label_columns=[self.label])
        frames.check_columns(self.golds, [self.gold_label], label_columns=[self.gold_label])
        self.system = known(self.schema, "system", told)
        self.keys = {ITEM: needed(self.schema, "item", told)}
        self.gold_keys = {ITEM: needed(schema, "item", told)}
        self.case, self.gold_case = known(self.schema, "case", told), known(schema, "case", told)
        if self.case is not None and self.gold_case is not None:
            self.keys[CASE] = self.case
        if self.gold_case is not None:
            self.gold_keys[CASE] = self.gold_case

    def count(self) -> Found:
        """Join each system's answers to gold, and count."""
        policy, on = self.options.policy, sorted(self.keys)
        joined = self.gold()
        joined, repeats = once(joined, on, "gold", policy)
        needed = [*self.keys.values(), *([self.system] if self.system is not None else [])]
        self.data, unreadable = frames.whole(self.data, needed)
        systems, not_in_gold = self.systems(), 0
        for at, (system, value) in enumerate(systems.items()):
            answers, again = once(self.answers(value, at), on, f"system {system!r}", policy)
            repeats += again
            joined = frames.joined(joined, answers.rename({HERE: f"{HERE}{at}"}), on)
            given, answered = rows_with(answers, HERE), rows_with(joined, f"{HERE}{at}")
            if not answered:
                raise DataError(
                    f"no answer of {system!r} is about an item of gold. Check the columns of items and test cases."
                )
            not_in_gold += given - answered
        ignored = {"not_in_gold": not_in_gold, "duplicate": repeats, "unreadable": unreadable}
        return count_joint(joined, list(systems), self.options, ignored)

    def gold(self) -> Frame:
        """Return gold, each row of which must name its item."""
        golds = frames.take(self.golds, {**self.gold_keys, GOLD: self.gold_label})
        lost = frames.whole(golds, list(self.gold_keys))[1]
        if lost:
            raise DataError(
                f"gold lacks an item id or a test case in {lost} of its rows. Gold must be whole; fill the columns."
            )
        return golds.unique() if self.own_gold else golds

    def systems(self) -> dict[str, Any]:
        """Return the names of the systems, and each as it is in its column."""
        if self.system is None:
            return {self.label: None}
        rows = frames.grouped(self.data, self.schema, [self.system])
        found = {str(canonical(row[0])): row[0] for row in rows}
        return {name: found[name] for name in sorted(found, key=natural_order)}

    def answers(self, system: Any, at: int) -> Frame:
        """Return one system's answers, marked."""
        data = self.data
        if self.system is not None:
            data = frames.having(data, self.system, self.schema[self.system], system)
        return frames.marked(frames.take(data, {**self.keys, f"answer{at}": self.label}), HERE)


def rows_with(data: Frame, mark: str) -> int:
    """Return how many rows bear a mark."""
    rows = frames.grouped(data, dict(data.collect_schema()), [mark])
    return sum(row[-1] for row in rows if canonical(row[0]) is not MISSING)
