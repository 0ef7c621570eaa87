"""Read class probabilities: one row for each item, one column for each class, lowest first."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ordeval.columns import read_column
from ordeval.errors import LabelError, LabelTypeError, NoItemsError, ScaleError
from ordeval.inputs.arrays import codes_on_scale
from ordeval.metrics.core import Values
from ordeval.scale import Scale

ROUNDING = 1e-6  # how far from 1 the probabilities of an item may sum


def read_forecasts(
    y_true: Any,
    probabilities: Any,
    *,
    labels: Iterable[Any] | None,
    values: Iterable[float] | None = None,
    measure: str,
) -> tuple[Scale, Values, Values]:
    """Return the scale, the code of each gold label and the probabilities of its item, checked."""
    if isinstance(labels, Iterator):  # it is looked at more than once
        labels = tuple(labels)
    gold = read_column(y_true, "y_true", labels)
    if not len(gold):
        raise NoItemsError("there are no items: y_true is empty. Pass at least one label.")
    scale = Scale.infer(gold, labels=labels, values=values)
    shares = read_probabilities(probabilities, len(gold), scale, measure)
    codes = codes_on_scale(gold, scale)
    if (codes >= scale.k).any():
        at = int(np.argmax(codes >= scale.k))
        raise LabelError(
            f"the gold label of item {at} is missing or not on the scale {list(scale.labels)} (lowest first)."
        )
    return scale, codes, shares


def read_probabilities(probabilities: Any, n: int, scale: Scale, measure: str) -> Values:
    """Check an N x K array of probabilities."""
    try:
        shares = np.asarray(probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        raise LabelTypeError(
            f"{measure} takes class probabilities, an array of {n} x {scale.k} numbers, but was given "
            f"{probabilities!r:.60}. Pass the output of predict_proba."
        ) from None
    if shares.ndim != 2 or shares.shape[0] != n:
        raise LabelError(
            f"{measure} takes class probabilities, one row for each of {n} items and one column for each of {scale.k} "
            f"classes; the shape is {shares.shape}."
        )
    if shares.shape[1] != scale.k:
        raise ScaleError(
            f"the probabilities have {shares.shape[1]} columns and the scale {scale.k} classes, {list(scale.labels)}. "
            f"Pass labels=[...], one for each column, lowest first."
        )
    bad = ~(
        np.isfinite(shares).all(axis=1)
        & (shares >= 0).all(axis=1)
        & (np.abs(shares.sum(axis=1) - 1) <= ROUNDING)
    )
    if bad.any():
        at = int(np.argmax(bad))
        raise LabelError(
            f"the probabilities of item {at} are {shares[at].tolist()}; they must be 0 or more and sum to 1. "
            f"{int(bad.sum())} items have such rows."
        )
    return shares
