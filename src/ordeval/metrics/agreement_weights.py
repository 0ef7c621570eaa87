"""How much of an agreement two marks are: the weights of coefficients, named as in Gwet's handbook, or any matrix."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import ParameterError
from ordeval.inputs.crosstabs import has_names
from ordeval.metrics.core import Values, distances, other_classes

NamedWeights: TypeAlias = Literal[
    "identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"
]
Weights: TypeAlias = NamedWeights | Sequence[Sequence[float]] | Array
KappaWeights: TypeAlias = (
    Literal["linear", "quadratic", "identity"] | Sequence[Sequence[float]] | Array
)
Matrix: TypeAlias = tuple[tuple[float, ...], ...]  # weights of one's own, as they are kept

NAMED: tuple[str, ...] = get_args(NamedWeights)
KAPPA_WEIGHTS = ("linear", "quadratic", "identity")  # of the weighted kappa of two raters
IN_FIXED_UNIT = ("circular",)  # the circle closes one unit of the values beyond the last class


def disagreement(weights: str | Matrix, values: Values) -> Values:
    """Return 1 minus the weight of each pair of classes, from 0 on the diagonal to 1; `values` are the classes'.

    Sums of disagreements, unlike 1 minus sums of weights, lose no digits where raters nearly always agree.
    """
    return cached_disagreement(weights, values.tobytes(), values.dtype.char)


@lru_cache(maxsize=64)
def cached_disagreement(weights: str | Matrix, numbers: bytes, dtype: str) -> Values:
    """Return what `disagreement` does, for values as bytes."""
    values = np.frombuffer(numbers, dtype)
    if isinstance(weights, str):
        with np.errstate(all="ignore"):
            found = by_name(weights, values)
    else:
        found = 1.0 - np.array(weights)
        if len(found) != len(values):
            raise ParameterError(
                f"weights has {len(found)} rows and columns, and the scale has {len(values)} classes. Give a row and "
                f"a column for each class, lowest first."
            )
    found.setflags(write=False)
    return found


def by_name(weights: str, values: Values) -> Values:
    """Return the disagreement of each pair of classes under one of Gwet's weights."""
    k = len(values)
    if weights == "identity":
        return other_classes(k).copy()
    if weights == "ordinal":  # the pairs of classes that an error spans, divided by all pairs
        span = distances(k) + 1.0
        return np.asarray(span * (span - 1) / max(k * (k - 1), 1))
    apart = np.abs(values[:, None] - values)
    if weights == "ratio":
        return ratio(apart, values)
    if weights == "circular":
        around = np.sin(np.pi * apart / (apart.max() + 1)) ** 2
        return np.asarray(around / around.max())
    gap = apart / apart.max()
    if weights == "bipolar":  # an error counts more near either end of the scale than in its middle
        from_low, from_high = values - values[0], values[-1] - values
        room = (from_low[:, None] + from_low) * (from_high[:, None] + from_high)
        return np.where(np.eye(k, dtype=bool), 0.0, apart * apart / room)
    return np.asarray({"linear": gap, "quadratic": gap * gap, "radical": np.sqrt(gap)}[weights])


def ratio(apart: Array, values: Values) -> Values:
    """Return the squares of difference divided by sum, relative to that of the two ends."""
    if values[0] < 0:
        raise ParameterError(
            f"a ratio needs values that start at 0 or above it, and the lowest class has the value {values[0]:g}. Give "
            f"the scale other values, or choose another weighting."
        )
    quotient = np.where(apart > 0, apart / (values[:, None] + values), 0.0)
    quotient /= quotient[0, -1]
    return np.asarray(quotient * quotient)


def as_weights(value: Any, measure: str) -> Matrix:
    """Return a matrix of weights as rows of numbers; raise an error if it is not one."""
    named = has_names(value)
    try:
        matrix = np.zeros(0) if named else np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        matrix = np.zeros(0)
    if named:
        fault = "its rows have names, which are not read"
    elif matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        fault = "it is no square matrix of numbers"
    elif not ((matrix >= 0) & (matrix <= 1)).all():  # NaN is neither
        fault = "some are not numbers from 0 to 1"
    elif (matrix.diagonal() != 1).any():
        fault = "some on the diagonal are not 1"
    elif (matrix != matrix.T).any():
        fault = "row i, column j and row j, column i differ"
    elif len(matrix) > 1 and (matrix == 1).all():
        fault = "all are 1, so that nothing is a disagreement"
    else:
        return tuple(tuple(row) for row in matrix.tolist())
    raise ParameterError(
        f"the weights of {measure} are no matrix of agreement: {fault}. Give rows of numbers, a row and a column "
        f"for each class, lowest first, with 1 on the diagonal, the same numbers above and below it, and none of them "
        f"under 0 or over 1."
    )
