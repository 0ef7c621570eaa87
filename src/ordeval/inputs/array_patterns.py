"""Arrays whose labels are not all on the scale, or of many systems: counted as patterns of raw labels, then placed."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import LabelError, LabelTypeError, NoItemsError
from ordeval.inputs.choices import ReadingChoices, TableParts
from ordeval.inputs.counting import count_joint, fits_a_table
from ordeval.inputs.patterns import (
    GOLD,
    Codes,
    Examples,
    ItemOfCase,
    RawColumn,
    RawPatterns,
    group,
)
from ordeval.inputs.placing import SHOWN, PlacedPatterns, place
from ordeval.inputs.sides import read_answers, settled, shown_scale
from ordeval.inputs.soft import SoftSides
from ordeval.inputs.weighting import RowWeights, Totals, read_rows
from ordeval.label_column import CHUNK, CodedSide, LabelColumn
from ordeval.scale import Scale

# The most cells of a table of joint answers: a larger one would leave the cache, and sorting is as fast.
MOST_CELLS = 1 << 20


def place_pair(
    gold: LabelColumn,
    predicted: LabelColumn,
    rows: RowWeights | None,
    *,
    examples: Examples,
    scale: Scale | None,
    choices: ReadingChoices,
) -> TableParts:
    """Count two columns as patterns, and let the policies decide about what is missing or not on the scale."""
    patterns = joint_patterns([side.coded(as_is=True) for side in (gold, predicted)], rows)
    return place(patterns, ["predicted"], choices, examples, scale=scale, ignored={}).table()


def joint_patterns(sides: Sequence[CodedSide], rows: RowWeights | None) -> RawPatterns:
    """Return the distinct joint raw labels of any number of sides and what the items of each add up to."""
    n, limits = len(sides[0][0]), [len(values) + 1 for _, values in sides]
    if fits_a_table(math.prod(limits), n) and math.prod(limits) <= MOST_CELLS:
        counts, *sums = count_joint([codes for codes, _ in sides], limits, rows)
        there = np.flatnonzero(counts)
        found = np.unravel_index(there, limits)
        totals, sums = Totals(counts[there]), [each[there] for each in sums]
    else:
        codes_of = np.stack([codes.astype(np.int64) + 1 for codes, _ in sides])
        first, inverse = group(codes_of, limits)
        found = tuple(codes_of[:, first])
        totals = Totals(np.bincount(inverse, minlength=len(first)))
        if rows is not None:
            sums = [np.bincount(inverse, each, minlength=len(first)) for each in rows.addends()]
    if rows is not None:
        totals = rows.totals(sums, totals.size)
    columns = [raw_column(values, codes) for (_, values), codes in zip(sides, found, strict=True)]
    return RawPatterns(None, columns[0], columns[1:], *totals)


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
    count: Any,
    by: Any,
    choices: ReadingChoices,
) -> PlacedPatterns:
    """Read, check and count gold and the answers of any number of systems to the same items."""
    if not (hasattr(systems, "items") and hasattr(type(systems), "__len__") and len(systems)):
        raise LabelTypeError(
            f"systems is {systems!r:.60}; it must map at least one system's name to its answers."
        )
    choices = settled(choices)
    soft = SoftSides.read(y_true, systems, choices)
    choices = soft.choices
    gold = soft.placeholder(GOLD) or read_column(y_true, "y_true", choices.labels)
    n = len(gold)
    if not n:
        raise NoItemsError("there are no items: y_true is empty. Pass at least one label.")
    columns = [
        soft.placeholder(at) or read_answers(column, f"system {name!r}", gold, choices)
        for at, (name, column) in enumerate(systems.items())
    ]
    for name, column in zip(systems, columns, strict=True):
        if len(column) != n:
            who = name if name == "y_pred" else f"system {name!r}"
            raise LabelError(
                f"y_true has {n} labels and {who} has {len(column)}; both must have one label for each item."
            )
    rows, kept = read_rows(sample_weight, count, n)
    if kept is not None:
        gold, columns = gold.only(kept), [column.only(kept) for column in columns]
    scale = shown_scale(gold, columns, choices)
    cases, of_case = read_cases(case, n, kept)
    slicings = read_slicings(by, n, kept)
    labels = [column.coded(as_is=True) for column in (gold, *columns)]
    sides = [(of_case, cases or (None,)), *labels]
    groups = [column.coded(as_is=True) for column in slicings.values()]
    joint = joint_patterns([*sides, *groups, *soft.coded(kept)], rows)
    ends = len(sides) - 1, len(sides) - 1 + len(groups)
    predicted, slices = joint.predicted[1 : ends[0]], joint.predicted[slice(*ends)]
    patterns = replace(
        joint,
        gold=joint.predicted[0],
        predicted=predicted,
        slices=dict(zip(slicings, slices, strict=True)),
    )
    case_of = (lambda at: cases[of_case[at]]) if cases else None
    examples = examples_in(gold, columns, item, kept, case_of)
    placed = place(
        patterns, [str(name) for name in systems], choices, examples, scale=scale, ignored={}
    )
    codes = placed.rows
    codes[0] = joint.gold.codes[placed.kept] - 1  # the first side is the test case
    kinds = [column.codes[placed.kept] - 1 for column in joint.predicted[ends[1] :]]
    return soft.put_into(replace(placed, cases=cases, rows=codes), kinds)


def read_slicings(by: Any, n: int, kept: npt.NDArray[np.bool_] | None) -> dict[str, LabelColumn]:
    """Return the columns of slices by name: of a mapping or a frame of columns, or of one column."""
    if by is None:
        return {}
    if hasattr(type(by), "collect"):  # a lazy frame
        by = by.collect()
    if isinstance(by, Mapping):
        named = dict(by)
    elif hasattr(by, "columns"):  # a frame; one of Arrow has its names elsewhere
        named = {name: by[name] for name in getattr(by, "column_names", by.columns)}
    else:
        named = {getattr(by, "name", None) or "slice": by}
    columns = {str(name): read_groups(column, f"by {name!r}") for name, column in named.items()}
    for name, column in columns.items():
        if len(column) != n:
            raise LabelError(
                f"by {name!r} has {len(column)} values for {n} items; it must name the slice of each item."
            )
    if kept is None:
        return columns
    return {name: column.only(kept) for name, column in columns.items()}


def read_groups(column: Any, name: str) -> LabelColumn:
    """Read a column that says which test case or slice each item is of; unlike classes, these may be dates of NumPy."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        fine = np.datetime_data(column.dtype)[0] in {"ns", "ps", "fs", "as"}  # than Python's dates
        return read_column((column.astype("M8[us]") if fine else column).tolist(), name)
    return read_column(column, name)


def read_cases(
    case: Any, n: int, kept: npt.NDArray[np.bool_] | None
) -> tuple[tuple[Any, ...], Codes]:
    """Return the distinct test cases of the rows kept, in the order in which they come, and the code of each row's."""
    if case is None:
        return (), np.zeros(n if kept is None else np.count_nonzero(kept), dtype=np.int8)
    column = read_groups(case, "case")
    if len(column) != n:
        raise LabelError(
            f"case names {len(column)} test cases for {n} items; it must name one for each item."
        )
    codes, values = (column if kept is None else column.only(kept)).coded()
    if (codes < 0).any():
        raise LabelError(
            "case is missing for some items; every item belongs to a test case. Fill the column."
        )
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.argsort(order)
    return tuple(values[code] for code in distinct[order].tolist()), position[inverse]


def examples_in(
    gold: LabelColumn,
    answers: Sequence[LabelColumn],
    item: Any,
    kept: npt.NDArray[np.bool_] | None,
    case_of: Callable[[int], Any] | None = None,
) -> Examples:
    """Return what finds the first items whose label is one of some raw labels, for a message.

    `kept` are the rows, of all that came, whose labels these are; None means all. `case_of` tells the test case of one
    of these, where there are any.
    """
    names = None if item is None else read_column(item, "item")
    n = len(gold) if kept is None else len(kept)
    if names is not None and len(names) != n:
        raise LabelError(
            f"item names {len(names)} items and there are {n}; it must name each of them."
        )
    came_as = None if kept is None else np.flatnonzero(kept).tolist()

    def name(at: int) -> Any:
        row = at if came_as is None else came_as[at]
        if names is None:
            return row
        return names.item(row) if case_of is None else ItemOfCase(names.item(row), case_of(at))

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
        return [(name(at), column.item(at)) for at in items[:SHOWN]]

    return examples
