"""Classes that come as one column each: exactly one 1 in every row, and zeros elsewhere."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import LabelError, quoted

# How far from 1 the probabilities of an item may sum, however precise their type is.
ROUNDING = 1e-6
PRECISION = {"bfloat16": 2.0**-7, "float16": 2.0**-10, "halffloat": 2.0**-10, "float32": 2.0**-23}


def rounding_of(type_name: str, k: int) -> float:
    """Return how far from 1 the probabilities of k classes may sum, by the precision of the type that holds them.

    Adding up k numbers and dividing by their sum rounds k times, by half of the precision at most.
    """
    return max(ROUNDING, k * PRECISION.get(type_name, 0.0) / 2)


def one_hot_codes(matrix: Array, name: str, columns: Sequence[Any] | None = None) -> Array:
    """Return the position of the 1 in each row; refuse what is not one-hot, and say what to pass instead.

    `columns` are the names of a frame's columns, for the message.
    """
    if matrix.ndim == 2 and matrix.shape[1] > 1 and matrix.dtype.kind in "iubf":
        ones = matrix == 1
        if (ones.sum(axis=1) == 1).all() and (ones | (matrix == 0)).all():
            return np.asarray(np.argmax(ones, axis=1))
        if is_probabilities(matrix):
            raise LabelError(
                f"{name} has shape {matrix.shape} and rows that sum to 1: these are probabilities. Pass them to "
                f"oe.Table.from_soft, oe.evaluate or oe.compare, or pass the most probable class of each item: "
                f".argmax(axis=1)."
            )
    what = f"{matrix.ndim} dimensions (shape {matrix.shape})"
    if columns is not None:
        what = f"{len(columns)} columns, {quoted(columns)}"
    numbers = matrix.ndim == 2 and matrix.dtype.kind == "f"
    other = (
        " If these are probabilities, they must be 0 or more and sum to 1 in each row."
        if numbers
        else ""
    )
    raise LabelError(
        f"{name} has {what}; labels are one-dimensional, one for each item. Pass a single column.{other}"
    )


def is_probabilities(matrix: Array) -> bool:
    """Tell whether the rows of a matrix could be the probabilities of classes."""
    if matrix.dtype.kind != "f" or not len(matrix):
        return False
    sums = matrix.sum(axis=1, dtype=np.float64)
    allowed = rounding_of(str(matrix.dtype), matrix.shape[1])
    return bool((matrix >= 0).all() and (np.abs(sums - 1) <= allowed).all())
