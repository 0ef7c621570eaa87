"""Arrays, lists and columns of labels in: counted as raw labels, then put on the scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import LabelError, NoItemsError
from ordeval.inputs.choices import ReadingChoices, TableParts
from ordeval.inputs.counting import MANY, count_chunk, count_integers, fits_a_table, integer_range
from ordeval.inputs.sides import read_answers, settled, shown_scale
from ordeval.inputs.weighting import read_rows
from ordeval.label_column import CHUNK, CodedSide, LabelColumn
from ordeval.scale import FEW, Scale, check_density, declared_scale, integer_scale, integers


def count_plain(y_true: Any, y_pred: Any) -> tuple[Array, Scale] | None:
    """Count two arrays of integers that nobody said anything about, of a few items and classes; None if they are not.

    This is what `count_pair` comes to for them, without the steps that settle choices, kinds of columns and gaps.
    """
    if not (
        type(y_true) is type(y_pred) is np.ndarray
        and y_true.dtype.kind in "iu"
        and y_pred.dtype.kind in "iu"
        and y_true.ndim == y_pred.ndim == 1
        and 0 < len(y_true) == len(y_pred) < MANY
    ):
        return None
    low, high = integer_range(y_true, y_pred)
    k = high - low + 1
    if k > FEW:
        return None
    counts = count_chunk(y_true, y_pred, low, high, checked=True)
    return None if counts is None else (counts.reshape(k, k), integer_scale(low, high))


def count_pair(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any,
    count: Any,
    item: Any,
    choices: ReadingChoices,
) -> TableParts:
    """Read, check and count two columns of labels."""
    choices = settled(choices)
    gold = read_column(y_true, "y_true", choices.labels)
    predicted = read_answers(y_pred, "y_pred", gold, choices)
    n = len(gold)
    if n != len(predicted):
        raise LabelError(
            f"y_true has {n} labels and y_pred has {len(predicted)}; both must have one label for each item."
        )
    if n == 0:
        raise NoItemsError(
            "there are no items: y_true and y_pred are empty. Pass at least one label."
        )
    rows, kept = read_rows(sample_weight, count, n)
    if rows is None and gold.values is None and predicted.values is None:
        parts = count_on_integer_scale(gold.data, predicted.data, choices)
        if parts is not None:
            return parts
    if kept is not None:
        gold, predicted = gold.only(kept), predicted.only(kept)
    scale = shown_scale(gold, [predicted], choices)
    counts = None
    if rows is None and scale is not None:
        counts = count_if_all_on_scale(gold.coded(), predicted.coded(), scale)
    if scale is not None and counts is not None:
        return TableParts(scale, counts, np.zeros(scale.k, dtype=counts.dtype), {})
    from ordeval.inputs.array_patterns import examples_in, place_pair

    examples = examples_in(gold, [predicted], item, kept)
    return place_pair(gold, predicted, rows, examples=examples, scale=scale, choices=choices)


def count_on_integer_scale(
    gold: Array, predicted: Array, choices: ReadingChoices
) -> TableParts | None:
    """Count integers without looking any up, if the scale is a run of integers and all labels lie on it; else None."""
    if choices.labels is not None:
        scale = declared_scale(choices.labels, choices.values)
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
        # answers that are rounded make no classes
        shown = predicted if choices.policy.round == "error" else gold
        low, high = integer_range(gold[:CHUNK], shown[:CHUNK])
        run = integers(low, high)
        every = shown is predicted
        counts = count_integers(gold, predicted, low, high, checked=every and len(gold) <= CHUNK)
        if counts is None:  # a later item lies outside what the first ones showed
            low, high = integer_range(gold, shown)
            run = integers(low, high)
            counts = count_integers(gold, predicted, low, high, checked=every)
        if counts is None:
            return None
        # fewer than half of the classes cannot fill a quarter of the table
        if len(run) > FEW and 4 * np.count_nonzero(counts) < len(run) ** 2:
            occurring = counts.any(axis=1) | (counts.any(axis=0) if every else False)
            check_density(low, high, (np.flatnonzero(occurring) + low).tolist())
        values = choices.values
        scale = integer_scale(low, high) if values is None else Scale(run, values)
    if counts is None:
        return None
    return TableParts(scale, counts, np.zeros(scale.k, dtype=counts.dtype), {})


def count_if_all_on_scale(gold: CodedSide, predicted: CodedSide, scale: Scale) -> Array | None:
    """Count two sides if every label is there and on the scale, so that no policy has anything to say; else None."""
    width, k = max(len(gold[1]), len(predicted[1])), scale.k
    if not fits_a_table(width * width, len(gold[0])):
        return None
    rows, columns = (positions_on(scale, values) for _, values in (gold, predicted))
    if -1 in rows or -1 in columns:
        return None
    counts = count_integers(gold[0], predicted[0], 0, width - 1)  # None if a label is missing
    if counts is None or rows == columns == list(range(k)):
        return counts
    table = np.zeros((k, k), dtype=np.int64)
    counts = counts[: len(rows), : len(columns)]
    if len({*rows}) == len(rows) and len({*columns}) == len(columns):
        table[np.ix_(rows, columns)] = counts
    else:  # two spellings of one class
        np.add.at(table, np.ix_(rows, columns), counts)
    return table


def positions_on(scale: Scale, values: Sequence[Any]) -> list[int]:
    """Return the position of each label on the scale, -1 where it is not on it."""
    try:
        if values == scale.labels:
            return list(range(scale.k))
    except (TypeError, ValueError, ArithmeticError):
        pass  # things that cannot be compared are on no scale
    return [-1 if at is None else at for at in map(scale.position, values)]


def codes_on_scale(column: LabelColumn, scale: Scale) -> Array:
    """Return the code of every item's label: its position on the scale, at least K if missing or off it."""
    codes, values = column.coded()
    table = np.array([*positions_on(scale, values), scale.k], dtype=np.intp)[codes]
    return np.where(table < 0, scale.k + 1, table)
