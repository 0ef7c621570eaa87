"""Checks of counts that were made elsewhere."""

from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import host_array
from ordeval.errors import ParameterError, TableError


def as_numbers(numbers: Any, name: str) -> Array:
    """Return what should be finite numbers as float64."""
    try:
        given = host_array(numbers)
        array = None if np.iscomplexobj(given) else np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError):
        array = None
    if array is None:
        raise ParameterError(f"{name} is {numbers!r:.60}; it must hold numbers.")
    if not np.isfinite(array).all():
        raise ParameterError(f"{name} is {numbers!r:.60}; it must hold finite numbers.")
    return array


def read_counts(
    counts: Any, unanswered: Any, *, weighted: bool | None = None
) -> tuple[Array, Array]:
    """Check counts[..., gold, predicted] and the unanswered items of each gold class."""
    answered = as_counts(counts, "counts")
    if answered.ndim < 2 or answered.shape[-1] != answered.shape[-2] or answered.shape[-1] == 0:
        rectangular = answered.ndim == 2 and answered.size > 0
        hint = (
            " Counts with names may lack a class on one side: pass a frame." if rectangular else ""
        )
        raise TableError(
            f"counts has shape {answered.shape}; it must end in two equal sizes, K x K, gold in rows and predicted in "
            f"columns.{hint}"
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


def owned(array: Array) -> Array:
    """Return an array that nobody can change: itself if it is such a one already, else a copy."""
    holder: Any = array if array.base is None else array.base
    if not array.flags.writeable and isinstance(holder, np.ndarray) and not holder.flags.writeable:
        return array
    return frozen(array.copy())


def frozen(array: Array) -> Array:
    """Return a new array that nobody else holds, closed to changes."""
    array.setflags(write=False)
    return array


def check_sum(*amounts: Array) -> None:
    """Refuse counts that add up to more than a number of their type can hold."""
    whole = all(each.dtype.kind != "f" for each in amounts)
    with np.errstate(over="ignore"):
        total: Any = sum(each.sum(dtype=np.float64) for each in amounts)
    if whole and total >= 2.0**62:  # beyond, the rounded sum does not decide
        total = sum(sum(each.ravel().tolist()) for each in amounts)
    if not np.isfinite(float(total)) or (whole and total >= 2**63):
        raise TableError(
            f"the counts add up to {total:g}, which is too much: the sum of whole counts must be below 2**63, that of "
            f"others finite. Divide all counts by the same number; only measures that count items will differ."
        )


def as_counts(counts: Any, name: str) -> Array:
    """Return counts as int64, or as float64 where they are not whole by type."""
    try:
        array = np.asarray(host_array(counts))
    except ValueError:
        raise TableError(f"{name} is ragged; it must be an array of shape (..., K, K).") from None
    if array.dtype.kind not in "iubf":
        raise ParameterError(
            f"{name} holds something other than numbers; counts are numbers, 0 or more."
        )
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
