"""Arrays, lists and columns of labels in: counted as raw labels, then put on the scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import CHUNK, LabelColumn, read_column
from ordeval.errors import LabelError, LabelTypeError, NoItemsError
from ordeval.inputs.counting import count_integers, count_weights, integer_range
from ordeval.inputs.patterns import GOLD, Codes, Examples, RawColumn, RawPatterns, group
from ordeval.inputs.placing import (
    SHOWN,
    PlacedPatterns,
    ReadingChoices,
    TableParts,
    place,
)
from ordeval.scale import WIDEST, Scale, integer_scale

# The position of each item's label among the distinct ones, negative where it is missing, and these.
CodedSide: TypeAlias = tuple[Array, Sequence[Any]]

SMALL_TABLE = 1 << 16  # cells of a table that costs little, however few the items


def count_pair(
    y_true: Any, y_pred: Any, *, sample_weight: Any, item: Any, choices: ReadingChoices
) -> TableParts:
    """Read, check and count two columns of labels."""
    gold, predicted = read_column(y_true, "y_true"), read_column(y_pred, "y_pred")
    n = len(gold)
    if n != len(predicted):
        raise LabelError(
            f"y_true has {n} labels and y_pred has {len(predicted)}; they must be as long as each other, item by item."
        )
    if n == 0:
        raise NoItemsError(
            "there are no items: y_true and y_pred are empty. Pass at least one label."
        )
    if isinstance(choices.labels, Iterator):  # it is looked at more than once
        choices = replace(choices, labels=tuple(choices.labels))
    if sample_weight is None and gold.values is None and predicted.values is None:
        parts = count_on_integer_scale(gold.data, predicted.data, choices)
        if parts is not None:
            return parts
    weight = None if sample_weight is None else read_weight(sample_weight, n)
    scale = Scale.infer(gold, predicted, labels=choices.labels, values=choices.values)
    sides = coded(gold), coded(predicted)
    counts = None if weight is not None else count_if_all_on_scale(*sides, scale)
    if counts is not None:
        return TableParts(scale, counts, np.zeros(scale.k, dtype=counts.dtype), {})
    patterns = pair_patterns(sides, weight)
    examples = examples_in(gold, [predicted], item)
    return place(patterns, ["predicted"], choices, examples, scale=scale, ignored={}).table()


def count_on_integer_scale(
    gold: Array, predicted: Array, choices: ReadingChoices
) -> TableParts | None:
    """Count integers without looking any up, if the scale is a run of integers and all labels lie on it; else None."""
    if choices.labels is not None:
        scale = Scale(choices.labels, choices.values)
        low, high = scale.labels[0], scale.labels[-1]
        if not (
            isinstance(low, int)
            and isinstance(high, int)
            and high - low + 1 == scale.k  # or the range below might be too long for the memory
            and scale.labels == tuple(range(low, high + 1))
        ):
            return None
        counts = count_integers(gold, predicted, low, high)
    else:
        low, high = integer_range(gold[:CHUNK], predicted[:CHUNK])
        scale = integer_scale(low, high)
        counts = count_integers(gold, predicted, low, high, checked=len(gold) <= CHUNK)
        if counts is None:  # a later item lies outside what the first ones showed
            low, high = integer_range(gold, predicted)
            scale = integer_scale(low, high)
            counts = count_integers(gold, predicted, low, high, checked=True)
        if choices.values is not None:
            scale = Scale(scale.labels, choices.values)
    if counts is None:
        return None
    return TableParts(scale, counts, np.zeros(scale.k, dtype=counts.dtype), {})


def count_if_all_on_scale(gold: CodedSide, predicted: CodedSide, scale: Scale) -> Array | None:
    """Count two sides if every label is there and on the scale, so that no policy has anything to say; else None."""
    width = max(len(gold[1]), len(predicted[1]))
    if width * width > max(4 * len(gold[0]), SMALL_TABLE):
        return None
    rows, columns = (positions_on(scale, values) for _, values in (gold, predicted))
    if -1 in rows or -1 in columns:
        return None
    counts = count_integers(gold[0], predicted[0], 0, width - 1)  # None if a label is missing
    if counts is None or rows == columns == list(range(scale.k)):
        return counts
    table = np.zeros((scale.k, scale.k), dtype=np.int64)
    counts = counts[: len(rows), : len(columns)]
    if len({*rows}) == len(rows) and len({*columns}) == len(columns):
        table[np.ix_(rows, columns)] = counts
    else:  # two spellings of one class
        np.add.at(table, np.ix_(rows, columns), counts)
    return table


def positions_on(scale: Scale, values: Sequence[Any]) -> list[int]:
    """Return the position of each label on the scale, -1 where it is not on it."""
    if values == scale.labels:
        return list(range(scale.k))
    return [-1 if at is None else at for at in map(scale.position, values)]


def pair_patterns(sides: tuple[CodedSide, CodedSide], weight: Array | None) -> RawPatterns:
    """Return the distinct pairs of raw labels and how many items have each."""
    width = max(len(values) for _, values in sides)
    if width * width > max(4 * len(sides[0][0]), SMALL_TABLE):
        return joint_patterns(sides, weight)
    counts = count_integers(sides[0][0], sides[1][0], -1, width - 1)
    assert counts is not None  # noqa: S101 - codes lie between the ends
    rows = np.nonzero(counts)
    sums = None
    if weight is not None:
        sums = count_weights(sides[0][0], sides[1][0], -1, width - 1, weight)[rows]
    columns = [raw_column(values, codes) for (_, values), codes in zip(sides, rows, strict=True)]
    return RawPatterns(None, columns[0], columns[1:], counts[rows], sums)


def joint_patterns(sides: Sequence[CodedSide], weight: Array | None) -> RawPatterns:
    """Return the distinct joint raw labels of any number of sides and how many items have each."""
    rows = np.stack([codes.astype(np.int64) + 1 for codes, _ in sides])
    first, inverse = group(rows, [len(values) + 1 for _, values in sides])
    columns = [
        raw_column(values, codes) for (_, values), codes in zip(sides, rows[:, first], strict=True)
    ]
    count = np.bincount(inverse, minlength=len(first))
    sums = None if weight is None else np.bincount(inverse, weight, minlength=len(first))
    return RawPatterns(None, columns[0], columns[1:], count, sums)


def raw_column(values: Sequence[Any], codes: Array) -> RawColumn:
    """Make a side of codes counted from 1, in which 0 means that the label is missing."""
    return RawColumn([None, *values], codes.astype(np.intp), tidied=False)


def coded(column: LabelColumn) -> CodedSide:
    """Return the position of each label among the distinct ones, negative where it is missing, and these."""
    if column.values is not None:
        return column.data, column.values
    low, high = integer_range(column.data, column.data)
    if high - low < WIDEST:
        wide = column.data.dtype if column.data.dtype.kind == "u" else np.dtype(np.int64)
        codes = (column.data.astype(wide) - wide.type(low)).astype(np.intp)
        return codes, range(low, high + 1)
    values, codes = np.unique(column.data, return_inverse=True)
    return codes, values.tolist()


def count_systems(
    y_true: Any,
    systems: Mapping[str, Any],
    *,
    case: Any,
    item: Any,
    sample_weight: Any,
    choices: ReadingChoices,
) -> PlacedPatterns:
    """Read, check and count gold and the answers of any number of systems to the same items."""
    if not (hasattr(systems, "items") and len(systems)):
        raise LabelTypeError(
            f"systems is {systems!r:.60}; it must map at least one system's name to its answers."
        )
    gold = read_column(y_true, "y_true")
    n = len(gold)
    if not n:
        raise NoItemsError("there are no items: y_true is empty. Pass at least one label.")
    answers = {
        str(name): read_column(column, f"system {name!r}") for name, column in systems.items()
    }
    for name, column in answers.items():
        if len(column) != n:
            raise LabelError(
                f"y_true has {n} labels and system {name!r} has {len(column)}; they must be as long as each other, "
                f"item by item."
            )
    columns = list(answers.values())
    scale = Scale.infer(gold, *columns, labels=choices.labels, values=choices.values)
    weight = None if sample_weight is None else read_weight(sample_weight, n)
    cases, of_case = read_cases(case, n)
    sides = [(of_case, cases or (None,)), coded(gold), *map(coded, columns)]
    joint = joint_patterns(sides, weight)
    patterns = RawPatterns(None, joint.predicted[0], joint.predicted[1:], joint.count, joint.weight)
    examples = examples_in(gold, columns, item)
    placed = place(patterns, list(answers), choices, examples, scale=scale, ignored={})
    rows = placed.rows
    rows[0] = joint.gold.codes[placed.kept] - 1  # the first side is the test case
    return replace(placed, cases=cases, rows=rows)


def read_cases(case: Any, n: int) -> tuple[tuple[Any, ...], Codes]:
    """Return the distinct test cases, in the order in which they come, and the code of each item's."""
    if case is None:
        return (), np.zeros(n, dtype=np.intp)
    column = read_column(case, "case")
    if len(column) != n:
        raise LabelError(
            f"case names {len(column)} test cases for {n} items; it must name one for each item."
        )
    codes, values = coded(column)
    if (codes < 0).any():
        raise LabelError(
            "case is missing for some items; every item belongs to a test case. Fill the column."
        )
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.argsort(order)
    return tuple(values[code] for code in distinct[order].tolist()), position[inverse]


def examples_in(gold: LabelColumn, answers: Sequence[LabelColumn], item: Any) -> Examples:
    """Return what finds the first items whose label is one of some raw labels, for a message."""
    names = None if item is None else read_column(item, "item")
    if names is not None and len(names) != len(gold):
        raise LabelError(
            f"item names {len(names)} items and there are {len(gold)}; it must name each of them."
        )

    def examples(side: int, labels: Sequence[Any]) -> list[tuple[Any, Any]]:
        column = gold if side == GOLD else answers[side]
        codes = labels
        if column.values is not None:
            position = {id(value): at for at, value in enumerate(column.values)}
            codes = [-1 if label is None else position[id(label)] for label in labels]
        items: list[int] = []
        for start in range(0, len(column), CHUNK):
            among = np.isin(column.data[start : start + CHUNK], codes)
            if side != GOLD and gold.values is not None:
                among &= gold.data[start : start + CHUNK] >= 0
            items += (start + np.flatnonzero(among)).tolist()
            if len(items) >= SHOWN:
                break
        return [(at if names is None else names.item(at), column.item(at)) for at in items[:SHOWN]]

    return examples


def codes_on_scale(column: LabelColumn, scale: Scale) -> Codes:
    """Return the code of every item's label: its position on the scale, at least K if missing or off it."""
    codes, values = coded(column)
    table = np.array([*positions_on(scale, values), scale.k], dtype=np.intp)[codes]
    return np.where(table < 0, scale.k + 1, table)


def read_weight(weight: Any, n: int) -> Array:
    """Check sample weights: one finite number for each item, none negative."""
    try:
        weights = np.asarray(weight)
        if weights.dtype.kind != "c":  # NumPy would let go of the imaginary part
            weights = weights.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise LabelTypeError(
            f"sample_weight is {weight!r:.60}; it must hold one number for each item."
        ) from None
    if weights.dtype.kind == "c":
        raise LabelTypeError(
            f"sample_weight is {weight!r:.60}, complex numbers; a weight is 0 or more."
        )
    if weights.shape != (n,):
        raise LabelError(
            f"sample_weight has shape {weights.shape}; it must hold one number for each of {n} items."
        )
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise LabelError(
            f"the weight of item {at} is {weights[at]}; a weight is a finite number, 0 or more."
        )
    return weights
