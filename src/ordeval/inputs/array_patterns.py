"""Arrays whose labels are not all on the scale, or of many systems: counted as patterns of raw labels, then placed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import CHUNK, CodedSide, LabelColumn, read_column
from ordeval.errors import LabelError, LabelTypeError, NoItemsError
from ordeval.inputs.choices import ReadingChoices, TableParts
from ordeval.inputs.counting import count_integers, count_weights, fits_a_table, read_weight
from ordeval.inputs.patterns import GOLD, Codes, Examples, RawColumn, RawPatterns, group
from ordeval.inputs.placing import SHOWN, PlacedPatterns, place
from ordeval.scale import Scale


def place_pair(
    gold: LabelColumn,
    predicted: LabelColumn,
    weight: Array | None,
    *,
    item: Any,
    scale: Scale,
    choices: ReadingChoices,
) -> TableParts:
    """Count two columns as patterns, and let the policies decide about what is missing or off the scale."""
    patterns = pair_patterns((gold.coded(), predicted.coded()), weight)
    examples = examples_in(gold, [predicted], item)
    return place(patterns, ["predicted"], choices, examples, scale=scale, ignored={}).table()


def pair_patterns(sides: tuple[CodedSide, CodedSide], weight: Array | None) -> RawPatterns:
    """Return the distinct pairs of raw labels and how many items have each."""
    width = max(len(values) for _, values in sides)
    if not fits_a_table(width, len(sides[0][0])):
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
    sides = [(of_case, cases or (None,)), gold.coded(), *(column.coded() for column in columns)]
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
    codes, values = column.coded()
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
