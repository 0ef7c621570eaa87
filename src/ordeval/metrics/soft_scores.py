"""Score soft gold and class probabilities by one measure."""

from typing import Any

import numpy as np

from ordeval.errors import LabelTypeError, NoItemsError
from ordeval.inputs.soft import Probabilities, is_soft, matrix_of
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.runs import Runs
from ordeval.table.mass import farthest_ends

SYSTEM = "y_pred"


def score_soft(measure: Any, y_true: Any, y_pred: Any, *, reference: Any, **options: Any) -> float:
    """Return the score of distributions by a measure: of the soft table, or the mean of what the items cost."""
    if measure.takes_probabilities:
        if not is_soft(y_true):
            check_probabilities(measure, y_pred)
        if is_table(y_pred):  # whatever its rows sum to, which is checked later
            y_pred = Probabilities(y_pred)
    runs = Runs.from_labels(y_true, {SYSTEM: y_pred}, **options)
    if not runs.count.any():
        raise NoItemsError(
            f"there are no items to score: all weights or counts of {measure} are 0."
        )
    if measure.per_item is None or not runs.soft:
        return float(measure.of_table(runs.table.select(system=SYSTEM), reference=reference))
    shares = np.eye(runs.scale.k) if runs.shares is None else runs.shares
    answers = np.eye(runs.scale.k + 1) if runs.answers is None else runs.answers
    gold, missing = shares[runs.gold], runs.policy.missing
    weight = runs.count.astype(np.float64)
    weight = np.ldexp(weight, -np.frexp(weight.max())[1])  # only their ratios matter
    upper = farthest_ends(weight @ gold) if missing == "farthest" else None
    if missing == "drop":
        weight = np.where(runs.predicted[0] == runs.scale.k, 0.0, weight)
        if not weight.any():
            raise NoItemsError(f"there are no items to score by {measure}: none has an answer.")
    items = ScoredItems(weight, np.zeros(len(weight), dtype=np.intp))
    given = answers[runs.predicted[0]]
    costs = measure.item_costs(gold, given, runs.scale.numbers, upper, items)
    means = (costs * weight[:, None]).sum(axis=0) / weight.sum()
    return float(measure.from_means(means))


def is_table(y_pred: Any) -> bool:
    """Tell whether answers are a table of numbers and not labels."""
    matrix = None if hasattr(y_pred, "pattern_shares") else matrix_of(y_pred)[0]
    return matrix is not None and matrix.ndim == 2


def check_probabilities(measure: Any, y_pred: Any) -> None:
    """Refuse labels where gold holds labels, too: the measure is made for probabilities."""
    matrix = matrix_of(y_pred)[0]
    if matrix is None:
        raise LabelTypeError(
            f"{measure} takes class probabilities, a row of numbers for each item, but was given {y_pred!r:.60}. Pass "
            f"the output of predict_proba."
        )
    if matrix.ndim != 2:
        raise LabelTypeError(
            f"{measure} takes class probabilities, one row for each item and one column for each class; the shape is "
            f"{matrix.shape}. Pass the output of predict_proba."
        )
