"""The door: labels or counts in, whatever they look like; checked counts out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.errors import (
    LabelError,
    LabelTypeError,
    NoItemsError,
    ParameterError,
    TableError,
    quoted,
)
from ordeval.inputs.counting import CHUNK, count_integers, count_pairs, integer_range
from ordeval.inputs.encoding import Chunks, encoder, places
from ordeval.inputs.policy import Policy
from ordeval.labels import Column, Kind, read_column
from ordeval.scale import WIDEST, Scale, integer_scale

Array: TypeAlias = npt.NDArray[Any]

SHOWN = 5  # items that an error names


@dataclass(frozen=True, slots=True)
class Counted:
    """What one pass over the items found."""

    scale: Scale
    answered: Array
    missed: Array
    touched: dict[str, int]


def read_labels(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Iterable[Any] | None,
    values: Iterable[float] | None,
    sample_weight: Any,
    item: Any,
    policy: Policy,
) -> Counted:
    """Read, check and count two columns of labels."""
    gold, predicted = read_column(y_true, "y_true"), read_column(y_pred, "y_pred")
    if isinstance(labels, Iterator):  # it is looked at more than once
        labels = tuple(labels)
    n = len(gold)
    if n != len(predicted):
        raise LabelError(
            f"y_true has {n} labels and y_pred has {len(predicted)}; they must be as long as each other, item by item."
        )
    if n == 0:
        raise NoItemsError(
            "there are no items: y_true and y_pred are empty. Pass at least one label."
        )
    if sample_weight is None and gold.kind is Kind.INTEGERS and predicted.kind is Kind.INTEGERS:
        counted = count_whole_numbers(gold.data, predicted.data, labels, values)
        if counted is not None:
            return counted
    scale = Scale.infer(gold, predicted, labels=labels, values=values)
    weight = None if sample_weight is None else read_weight(sample_weight, n)
    codes = encoder(gold, scale), encoder(predicted, scale)
    return split(scale, (gold, predicted), codes, weight=weight, item=item, policy=policy)


def count_whole_numbers(
    gold: Array, predicted: Array, labels: Iterable[Any] | None, values: Iterable[float] | None
) -> Counted | None:
    """Count integers without looking each up, where the scale is a run of integers and all labels lie on it."""
    if gold.dtype.kind == "b" or predicted.dtype.kind == "b":
        return None
    if labels is not None:
        scale = Scale(labels, values)
        low, high = scale.labels[0], scale.labels[-1]
        if not (
            isinstance(low, int)
            and isinstance(high, int)
            and scale.labels == tuple(range(low, high + 1))
        ):
            return None
        counts = count_integers(gold, predicted, low, high)
        return None if counts is None else whole(scale, counts)
    low, high = integer_range(gold[:CHUNK], predicted[:CHUNK])
    scale = integer_scale(low, high)
    counts = count_integers(gold, predicted, low, high, checked=len(gold) <= CHUNK)
    if counts is None:  # a later item lies outside what the first ones showed
        low, high = integer_range(gold, predicted)
        scale = integer_scale(low, high)
        counts = count_integers(gold, predicted, low, high, checked=True)
    if values is not None:
        scale = Scale(scale.labels, values)
    return None if counts is None else whole(scale, counts)


def count_categories(gold: Column, predicted: Column, scale: Scale) -> Array | None:
    """Count two categorical columns by their own codes, then move each count to its place on the scale.

    Returns None where a label is missing, or where there are so many categories that their table would be the larger
    part of the work.
    """
    width = max(len(gold.categories), len(predicted.categories))
    if gold.kind is not Kind.CODES or predicted.kind is not Kind.CODES:
        return None
    if not 0 < width <= min(len(gold), WIDEST):
        return None
    counts = count_integers(gold.data, predicted.data, 0, width - 1)
    if counts is None:
        return None
    rows, columns = places(gold, scale), places(predicted, scale)
    items = np.zeros((scale.k + 2, scale.k + 2), dtype=np.int64)
    if rows == columns == list(range(scale.k)):  # the scale is the columns' own
        items[: scale.k, : scale.k] = counts
    else:
        np.add.at(items, np.ix_(rows, columns), counts[: len(rows), : len(columns)])
    return items


def whole(scale: Scale, counts: Array) -> Counted:
    """Return counts in which no label was missing."""
    return Counted(scale, counts, np.zeros(scale.k, dtype=counts.dtype), {})


def split(
    scale: Scale,
    columns: tuple[Column, Column],
    codes: tuple[Chunks, Chunks],
    *,
    weight: Array | None,
    item: Any,
    policy: Policy,
) -> Counted:
    """Count pairs of codes and take the table, the missed and the refused items apart, as the policy says."""
    n, k = len(columns[0]), scale.k
    items = count_categories(*columns, scale)
    if items is None:
        items = count_pairs(*codes, n, k + 2, None)
    names = None if item is None else read_column(item, "item")
    if names is not None and len(names) != n:
        raise LabelError(
            f"item names {len(names)} items and there are {n}; it must name each of them."
        )

    def at(side: int, code: int) -> str:
        return where(codes[side], code, n, names)

    if items[k + 1].any():
        count = int(items[k + 1].sum())
        raise off_scale(columns[0], codes[0], scale, what="gold labels", count=count, names=names)
    if items[k].any() and policy.gold_missing == "error":
        raise LabelError(
            f"{int(items[k].sum())} of {n} gold labels are missing, first at {at(0, k)}; an item without a gold label "
            f"cannot be scored. Remove it, or pass gold_missing='drop'."
        )
    unknown, missing = int(items[:k, k + 1].sum()), int(items[:k, k].sum())
    if unknown and policy.unknown == "error":
        raise off_scale(columns[1], codes[1], scale, what="predictions", count=unknown, names=names)
    if missing and policy.missing == "error":
        raise LabelError(
            f"{missing} of {n} predictions are missing, first at {at(1, k)}. Pass missing='zero', 'farthest' or 'drop' "
            f"to say what an item without an answer is worth."
        )
    if unknown and policy.missing == "error":
        raise LabelError(
            f"{unknown} of {n} predictions are off the scale and count as missing, first at {at(1, k + 1)}. "
            f"Pass missing='zero', 'farthest' or 'drop' to say what such an item is worth."
        )
    counts = items if weight is None else count_pairs(*codes, n, k + 2, weight)
    touched = {"missing": missing, "unknown": unknown, "gold_missing": int(items[k].sum())}
    missed = counts[:k, k] + counts[:k, k + 1]
    return Counted(
        scale, counts[:k, :k].copy(), missed, {name: n for name, n in touched.items() if n}
    )


def where(codes: Chunks, code: int, n: int, names: Column | None) -> str:
    """Name the first items that have a code, for a message."""
    found: list[int] = []
    for start in range(0, n, CHUNK):
        found += (start + np.flatnonzero(codes(start, min(start + CHUNK, n)) == code)).tolist()
        if len(found) >= SHOWN:
            break
    shown = [str(at) if names is None else repr(item_name(names, at)) for at in found[:SHOWN]]
    return f"{'item' if len(shown) == 1 else 'items'} {', '.join(shown)}"


def item_name(names: Column, at: int) -> object:
    """Return the name of the item at a position."""
    if names.kind is Kind.CODES:
        return names.categories[int(names.data[at])]
    value = names.data[at]
    return value.item() if isinstance(value, np.generic) else value


def off_scale(
    column: Column, codes: Chunks, scale: Scale, *, what: str, count: int, names: Column | None
) -> LabelError:
    """Return the error for a label that is not on the scale."""
    code, n = scale.k + 1, len(column)
    start = next(s for s in range(0, n, CHUNK) if (codes(s, min(s + CHUNK, n)) == code).any())
    first = start + int(np.argmax(codes(start, min(start + CHUNK, n)) == code))
    place = where(codes, code, n, names).split(",")[0].replace("items", "item")
    return LabelError(
        f"label {item_name(column, first)!r} is not on the scale [{quoted(scale.labels, 12)}] (lowest first); "
        f"{count} of {n} {what} lie outside it, first at {place}. Add the class to labels=[...]"
        + (", or pass unknown='missing'." if what == "predictions" else ".")
    )


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


def as_numbers(numbers: Any, name: str) -> Array:
    """Return what should be finite numbers as float64."""
    try:
        array = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} is {numbers!r:.60}; it must hold numbers.") from None
    if not np.isfinite(array).all():
        raise ParameterError(f"{name} is {numbers!r:.60}; it must hold finite numbers.")
    return array


def read_counts(
    counts: Any, unanswered: Any, *, weighted: bool | None = None
) -> tuple[Array, Array]:
    """Check counts[..., gold, predicted] and the unanswered items of each gold class."""
    answered = as_counts(counts, "counts")
    if answered.ndim < 2 or answered.shape[-1] != answered.shape[-2] or answered.shape[-1] == 0:
        raise TableError(
            f"counts has shape {answered.shape}; it must end in two equal sizes, K x K, gold in rows and predicted in "
            f"columns."
        )
    if unanswered is None:
        missed = np.zeros(answered.shape[:-1], dtype=answered.dtype)
    else:
        missed = as_counts(unanswered, "unanswered")
        if missed.shape != answered.shape[:-1]:
            raise TableError(
                f"unanswered has shape {missed.shape}; it must have {answered.shape[:-1]}, one per gold class."
            )
    if weighted or (weighted is None and answered.dtype != missed.dtype):
        return answered.astype(np.float64), missed.astype(np.float64)
    return answered, missed


def as_counts(counts: Any, name: str) -> Array:
    """Return counts as int64, or as float64 where they are not whole by type."""
    try:
        array = np.asarray(counts)
    except ValueError:
        raise TableError(f"{name} is ragged; it must be an array of shape (..., K, K).") from None
    if array.dtype.kind not in "iubf":
        raise ParameterError(f"{name} has dtype {array.dtype}; counts are numbers.")
    if array.dtype == np.uint64 and array.size and array.max() >= 2**63:
        raise TableError(f"{name} holds {array.max()}; a whole count is below 2**63.")
    if array.dtype.kind == "f":
        array = array.astype(np.float64, copy=False)
        if not np.isfinite(array).all():
            raise TableError(
                f"{name} holds NaN or infinity; a count is a finite number, 0 or more."
            )
    elif array.dtype != np.int64:
        array = array.astype(np.int64)
    if array.size and array.min() < 0:
        raise TableError(f"{name} holds {array.min()}; a count is 0 or more.")
    return array
