"""Read one score for each item: the output of a regression, a latent variable, the mean mark of several judges."""

from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import read_column, unwrap
from ordeval.errors import LabelError, LabelTypeError, NoItemsError
from ordeval.label_column import LabelColumn
from ordeval.labels import canonical, finite_number

NAME = "scores"
LARGEST = float(np.finfo(np.float64).max)


def read_scores(scores: Any) -> Array:
    """Return one finite number for each item; refuse what is missing, infinite or text."""
    check_shape(getattr(scores, "shape", None))
    array = scores if type(scores) is np.ndarray else unwrap(scores, NAME)
    if isinstance(array, LabelColumn):
        array = from_labels(array)
    check_shape(array.shape)
    if array.dtype.kind == "O":
        array = from_labels(read_column(array.reshape(-1), NAME))
    if array.dtype.kind not in "biuf":
        raise LabelTypeError(
            f"{NAME} has dtype {array.dtype}; a score is a number. Convert the column first."
        )
    numbers = array.reshape(-1).astype(np.float64, copy=False)
    if not len(numbers):
        raise NoItemsError(f"there are no items: {NAME} is empty. Pass at least one score.")
    fits = np.isfinite(numbers)
    if not fits.all():
        at = int(np.argmin(fits))
        many = len(fits) - int(fits.sum())
        what = "missing" if np.isnan(numbers[at]) else f"{numbers[at]}"
        raise LabelError(
            f"the score of item {at} is {what}; a score is a finite number. Leave out the "
            f"{'item that has' if many == 1 else f'{many} items that have'} none."
        )
    return numbers


def check_shape(shape: Any) -> None:
    """Refuse scores that are no column."""
    if isinstance(shape, tuple) and not (len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)):
        classes = " Probabilities of classes are for decide.fit." if len(shape) == 2 else ""
        raise LabelError(
            f"{NAME} has shape {tuple(shape)}; it must hold one number for each item.{classes}"
        )


def from_labels(column: LabelColumn) -> Array:
    """Return the numbers that a column of labels holds, NaN where one is missing."""
    codes, values = column.coded() if len(column) else (column.data, ())
    numbers = np.full(len(values) + 1, np.nan)
    for at, value in enumerate(values):
        number = None if isinstance(value, str) else finite_number(canonical(value))
        if number is None or abs(number) > LARGEST:
            raise LabelTypeError(
                f"the score {value!r:.60} is not a number that can be cut; a score is a finite number. Convert {NAME} "
                f"first."
            )
        numbers[at] = number
    return numbers[np.where(codes < 0, -1, codes)]
