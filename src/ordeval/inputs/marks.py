"""The marks of several raters, as they came: named, put on the scale, and freed of repeats. Every reader ends here."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.errors import (
    DataError,
    LabelError,
    NoItemsError,
    ScaleError,
    argument,
    by_caller,
    listed,
    quoted,
)
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import Codes, ItemOfCase, RawColumn, entry_name, group
from ordeval.inputs.placing import codes_on, declared_or_inferred_scale
from ordeval.inputs.policy import Policy
from ordeval.inputs.repeated_raters import with_repeats
from ordeval.inputs.rounding import NearestClass
from ordeval.label_column import LabelColumn, hashable
from ordeval.labels import MISSING, canonical, natural_order
from ordeval.scale import Scale, finite_numbers, words_among_numbers

MOST_NUMBERS = (
    2**62
)  # joint numbers of all raters' marks; with more of them each mark is looked at alone


@dataclass(frozen=True, slots=True)
class RawMarks:
    """Marks one by one: the item (or the pattern that stands for some items), the rater and the raw label of each.

    With `count`, how many items each pattern stands for, `pattern_of` says which items these are, where that is known.
    """

    item: Codes
    rater: Codes
    label: RawColumn
    raters: tuple[str, ...]
    items: int  # with those that nobody marked
    item_names: Sequence[Any] | None = None
    count: Array | None = None
    pattern_of: Array | None = None
    single: bool = False  # no rater can have marked an item twice
    side: str = (
        "rater"  # "system" if these are the answers of systems, "gold" if they are labels of nobody
    )

    @property
    def noun(self) -> str:
        """What one of these is called: a rater gives marks, and a system answers."""
        return {"rater": "mark", "system": "answer", "gold": "gold label"}[self.side]

    def first_of(self, which: npt.NDArray[np.bool_]) -> tuple[int, int | None]:
        """Return the first of some marks in the order of the items, and its item, None if that is not known."""
        marks = np.flatnonzero(which)
        item = int(self.item[marks[0]]) if self.count is None else None
        if self.pattern_of is not None:
            ours = np.zeros(self.items, dtype=np.bool_)
            ours[self.item[marks]] = True
            item = int(np.argmax(ours[self.pattern_of]))
            marks = marks[self.item[marks] == self.pattern_of[item]]
        return int(marks[0]), item

    def first(self, which: npt.NDArray[np.bool_]) -> str:
        """Name the rater and the item of the first of some marks, as far as they are known."""
        mark, item = self.first_of(which)
        rater = f"{self.side} {self.raters[self.rater[mark]]!r}"
        if item is None or self.item_names is None:
            return f"by {rater}"
        if self.side == "gold":
            return f"of item {self.item_names[item]!r}"
        return f"by {rater} of item {self.item_names[item]!r}"


@dataclass(frozen=True, slots=True)
class PlacedMarks:
    """Marks on the scale: everything that ratings are made of."""

    scale: Scale
    raw: RawMarks
    mark: Codes  # the class of each mark of `raw`
    policy: Policy
    ignored: dict[str, int]
    touched: dict[str, int]
    notes: tuple[str, ...] = field(default=())


def place_marks(raw: RawMarks, choices: ReadingChoices, notes: Sequence[str] = ()) -> PlacedMarks:
    """Put all marks on one scale and apply the policies; what they refuse is an error that names rater and item."""
    labels = raw.label.labels
    there = np.array([label is not MISSING for label in labels], dtype=np.bool_)
    raw, repeats = without_repeats(only(raw, there[raw.label.codes]), choices.policy)
    raw = by_pattern(raw)
    labels = raw.label.labels
    if not len(raw.item):
        whose = f" of {quoted(raw.raters, 3)}" if raw.raters else ""
        raise NoItemsError(
            f"there are no marks{whose}: every label is missing, or there are none. Check the input."
        )
    scale, codes = place_labels(raw, labels, choices)
    moved = np.zeros(len(codes), dtype=np.bool_)
    if choices.policy.round == "nearest":
        moved = NearestClass.on(scale).move(codes, labels, off=scale.k + 1)
    unknown = codes > scale.k
    if unknown.any() and choices.policy.unknown == "error":
        off = unknown[raw.label.codes]
        if off.any():
            raise off_scale(raw, off, scale, choices.policy)
    touched = {
        "unknown": marks_in(raw, unknown[raw.label.codes]),
        "rounded": marks_in(raw, moved[raw.label.codes]),
    }
    raw = only(raw, ~unknown[raw.label.codes])
    return PlacedMarks(
        scale,
        raw,
        codes[raw.label.codes],
        choices.policy,
        {"duplicate": repeats} if repeats else {},
        {what: times for what, times in touched.items() if times},
        tuple(notes),
    )


def only(raw: RawMarks, which: npt.NDArray[np.bool_]) -> RawMarks:
    """Return some of the marks; the items stay."""
    if which.all():
        return raw
    label = replace(raw.label, codes=raw.label.codes[which])
    return replace(raw, item=raw.item[which], rater=raw.rater[which], label=label)


def marks_in(raw: RawMarks, which: npt.NDArray[np.bool_]) -> int:
    """Return how many marks of items some of the marks stand for."""
    if raw.count is None:
        return int(np.count_nonzero(which))
    return int(raw.count[raw.item[which]].sum())


def without_repeats(raw: RawMarks, policy: Policy) -> tuple[RawMarks, int]:
    """Return the marks with one of each rater on each item, and how many were left out, if the policy allows it."""
    if raw.single:
        return raw, 0
    key = raw.item.astype(np.int64) * len(raw.raters) + raw.rater
    if is_dense(raw):  # a mark for each number that occurs is faster than sorting
        occurs = np.zeros(raw.items * len(raw.raters), dtype=np.bool_)
        occurs[key] = True
        if np.count_nonzero(occurs) == len(key):
            return replace(raw, single=True), 0
    order = np.argsort(key, kind="stable")
    again = order[1:][np.diff(key[order]) == 0]
    kept = np.ones(len(key), dtype=np.bool_)
    kept[again] = False
    if len(again) and policy.duplicates == "error":
        raise repeated_marks(raw.first(~kept), raw.noun)
    return replace(only(raw, kept), single=True), len(again)


def is_dense(raw: RawMarks) -> bool:
    """Tell whether the raters marked so many of the items that a table of items x raters is not mostly empty."""
    return raw.items * len(raw.raters) <= 4 * len(raw.item)


def by_pattern(raw: RawMarks) -> RawMarks:
    """Return the marks of items with those of distinct patterns in their place, where that is easy to do."""
    size = len(raw.raters)
    if raw.count is not None or not is_dense(raw):
        return raw
    values = [None, *raw.label.values]
    table = np.zeros((size, raw.items), dtype=np.min_scalar_type(len(values)))
    table[raw.rater, raw.item] = raw.label.codes + 1
    columns = [RawColumn(values, row, raw.label.tidied) for row in table]
    marks = marks_of_columns(columns, raw.raters, item_names=raw.item_names)
    return only(replace(marks, side=raw.side), marks.label.codes > 0)


def repeated_marks(first: str, noun: str = "mark") -> DataError:
    """Return the error for a rater with more than one mark on an item."""
    apart = f" If the rater marks items several times, name the column that tells these apart: {argument('repeat')}."
    return DataError(
        f"there is more than one {noun} {first}. Remove the others, or pass {argument('duplicates', 'first')} to keep "
        f"the first.{apart if noun == 'mark' else ''}"
    )


def place_labels(
    raw: RawMarks, labels: Sequence[Any], choices: ReadingChoices
) -> tuple[Scale, Codes]:
    """Return the scale that was declared or that the marks of all raters show, and the code of each raw label on it."""
    used = np.flatnonzero(np.bincount(raw.label.codes)).tolist()
    seen = [labels[code] for code in used]
    words = words_among_numbers(seen) if choices.labels is None else []
    if words:
        which = np.isin(raw.label.codes, [code for code in used if labels[code] in words])
        some, every = marks_in(raw, which), marks_in(raw, np.ones_like(which))
        of_all = f"{some} of {every} marks {'is not a number' if some == 1 else 'are not numbers'}"
        missing = by_caller("None, an empty field", "an empty field")
        raise ScaleError(
            f"the marks have {quoted(sorted(words))} among numbers such as {min(finite_numbers(seen))}, so the order "
            f"of the classes is not known; {of_all}, the first {raw.first(which)}. Make such marks "
            f"missing ({missing}), or pass {argument('labels', ...)} lowest first: with them if they are classes, else "
            f"without them and with {argument('unknown', 'missing')}, which leaves them out."
        )
    scale = declared_or_inferred_scale([seen], choices)
    return scale, codes_on(scale, labels, raw.label)


def off_scale(
    raw: RawMarks, off: npt.NDArray[np.bool_], scale: Scale, policy: Policy
) -> LabelError:
    """Return the error for marks that are not on the scale."""
    label = raw.label.values[raw.label.codes[raw.first_of(off)[0]]]
    others = dict.fromkeys(raw.label.values[code] for code in raw.label.codes[off].tolist())
    others.pop(label)
    also = f" Not on it either: {quoted(list(others), 5)}." if others else ""
    some, every = marks_in(raw, off), marks_in(raw, np.ones_like(off))
    remedy = f"Add the class to {argument('labels', ...)}, or pass {argument('unknown', 'missing')} to leave it out."
    if some == every:
        remedy = f"No {raw.noun} is on it: turn them into these classes first, or pass other {argument('labels', ...)}."
    elif policy.round == "error" and scale.is_between_classes(label):
        remedy = (
            f"Pass {argument('round', 'nearest')} to round such marks to the nearest class, halves up, or turn the "
            f"scores into classes first."
        )
    return LabelError(
        f"label {label!r} is not on the scale {listed(scale.labels)} (lowest first); {some} of {every} {raw.noun}s "
        f"{'lies' if some == 1 else 'lie'} outside it, the first {raw.first(off)}.{also} {remedy}"
    )


def marks_of_columns(
    columns: Sequence[RawColumn],
    raters: tuple[str, ...],
    *,
    item_names: Sequence[Any] | None = None,
    count: Array | None = None,
) -> RawMarks:
    """Take a column of raw labels for each rater, over items or, with `count`, over patterns of items.

    Items that have the same marks are brought together first: what follows looks at each pattern once.
    """
    items, limits = len(columns[0].codes), [len(column.values) for column in columns]
    pattern_of = None
    rows = [column.codes for column in columns]
    if count is None and math.prod(limits) < MOST_NUMBERS:
        first, pattern_of = group(np.stack(rows), limits)
        rows = [row[first] for row in rows]
        count, items = np.bincount(pattern_of, minlength=len(first)), len(first)
    values: list[Any] = []
    begin: dict[int, int] = {}  # where the values of a column begin; several may share one list
    for column in columns:
        if id(column.values) not in begin:
            begin[id(column.values)] = len(values)
            values += column.values
    codes = [
        row.astype(np.intp) + begin[id(column.values)]
        for row, column in zip(rows, columns, strict=True)
    ]
    label = RawColumn(values, np.stack(codes, axis=1).ravel(), columns[0].tidied)
    return RawMarks(
        np.repeat(np.arange(items), len(raters)),
        np.tile(np.arange(len(raters)), items),
        label,
        raters,
        items,
        item_names,
        count,
        pattern_of,
        single=True,
    )


def raw_labels(column: LabelColumn, *, tidied: bool = True) -> RawColumn:
    """Return a column of labels as raw labels, the first of which is None, for those that are missing."""
    codes, values = column.coded() if len(column) else (column.data, ())
    if codes.dtype.kind != "i" or len(values) >= np.iinfo(codes.dtype).max:
        codes = codes.astype(np.int64)
    return RawColumn([None, *values], codes + codes.dtype.type(1), tidied)


def named_raters(column: RawColumn, where: str) -> tuple[tuple[str, ...], Codes]:
    """Return the names of the raters in natural order (q2 before q10), and the place of each mark's."""
    names = [None if label is MISSING else str(label) for label in column.labels]
    used = {names[code] for code in np.flatnonzero(np.bincount(column.codes)).tolist()}
    if None in used:
        nameless = np.isin(column.codes, [at for at, name in enumerate(names) if name is None])
        raise DataError(
            f"{where} names no rater in {np.count_nonzero(nameless)} of its {len(nameless)} rows, first in row "
            f"{int(np.argmax(nameless)) + 1}. Every mark has a rater; fill the column."
        )
    raters = tuple(sorted((name for name in used if name is not None), key=natural_order))
    place: dict[str | None, int] = {name: at for at, name in enumerate(raters)}
    table = np.array([place.get(name, 0) for name in names], dtype=np.intp)
    return raters, np.asarray(table[column.codes])


def marks_of_rows(columns: Mapping[str, LabelColumn], where: str) -> RawMarks:
    """Return the marks of a long table, from its columns by role: item, rater and label, and any case and repeat."""
    names, of_item = named_items(columns["item"], columns.get("case"), where)
    raters, of_rater = named_raters(raw_labels(columns["rater"]), where)
    if "repeat" in columns:
        raters, of_rater = with_repeats(raters, of_rater, columns["repeat"], where)
    return RawMarks(of_item, of_rater, raw_labels(columns["label"]), raters, len(names), names)


def named_items(
    item: LabelColumn, case: LabelColumn | None, where: str
) -> tuple[tuple[Any, ...], Codes]:
    """Return the names of the items in the order in which they come, and which of them each row is about."""
    names, codes = distinct_names(item, "an item id", where)
    if case is None:
        return names, codes
    cases, of_case = distinct_names(case, "a test case", where)
    both, codes = in_order_of_appearance(of_case.astype(np.int64) * len(names) + codes)
    pairs = (divmod(number, len(names)) for number in both.tolist())
    return tuple(ItemOfCase(names[at], cases[of]) for of, at in pairs), codes


def distinct_names(column: LabelColumn, what: str, where: str) -> tuple[tuple[Any, ...], Codes]:
    """Return the distinct names in a column, in the order in which they come, and the place of each row's."""
    codes, values = column.coded()
    plain = isinstance(values, range) or (set(map(type, values)) <= {str} and "" not in values)
    read: Sequence[Any] = values if plain else [entry_name(canonical(value)) for value in values]
    absent = codes < 0
    if not plain and any(name is MISSING for name in read):
        absent |= np.isin(codes, [at for at, name in enumerate(read) if name is MISSING])
    if absent.any():
        raise DataError(
            f"{where} lacks {what} in {np.count_nonzero(absent)} of its {len(codes)} rows, first in row "
            f"{int(np.argmax(absent)) + 1}. Every mark has one; fill the column."
        )
    odd = None if plain else next((name for name in read if not hashable(name)), None)
    if odd is not None:
        raise DataError(
            f"{where} has {odd!r:.60}, a {type(odd).__name__}, in place of {what}; that is a number, text or a date. "
            f"Convert the column."
        )
    found, codes = in_order_of_appearance(codes)
    names = [read[code] for code in found.tolist()]
    distinct = names if plain else list(dict.fromkeys(names))
    if len(distinct) == len(names):
        return tuple(names), codes
    place = {name: at for at, name in enumerate(distinct)}
    return tuple(distinct), np.array([place[name] for name in names], dtype=np.intp)[codes]


def in_order_of_appearance(numbers: Array) -> tuple[Array, Codes]:
    """Return the distinct numbers in the order in which they come, and the place of each among them."""
    first, inverse = group(numbers[None], [int(numbers.max(initial=0)) + 1])
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return numbers[first[order]], place[inverse]


def check_rater_names(names: Iterable[Any], source: str) -> tuple[str, ...]:
    """Return the names of raters as text; refuse one that is empty or named twice."""
    found = [MISSING if (label := canonical(name)) is MISSING else str(label) for name in names]
    if MISSING in found:
        raise DataError(f"{source} has a rater without a name; every rater has one. Name each.")
    if len(set(found)) < len(found):
        raise DataError(f"{source} names a rater twice: {quoted(found)}. Name each once.")
    return tuple(map(str, found))
