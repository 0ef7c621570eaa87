"""Read what rules are made of: class probabilities, the scale, and how much each item counts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import LabelError, NoItemsError, ScaleError, listed
from ordeval.inputs.arrays import codes_on_scale
from ordeval.inputs.soft import PROBABILITIES, SoftColumn, check_width, read_rows
from ordeval.inputs.weighting import no_count, read_count, read_weight
from ordeval.scale import Scale
from ordeval.table import Table


@dataclass(frozen=True)
class ProbableItems:
    """The class probabilities of items, columns[class, item], and how much each item counts; None: each as one."""

    scale: Scale
    columns: Array
    weight: Array | None = None

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.columns.shape[1])

    @property
    def weighted(self) -> Array:
        """The probabilities, times the weight of the item."""
        return self.columns if self.weight is None else self.columns * self.weight

    def only(self, which: Array) -> "ProbableItems":
        """Return some of the items."""
        weight = None if self.weight is None else self.weight[which]
        return replace(self, columns=np.ascontiguousarray(self.columns[:, which]), weight=weight)


def read_probabilities(
    probabilities: Any,
    y_true: Any = None,
    *,
    labels: Iterable[Any] | None = None,
    values: Iterable[float] | None = None,
    sample_weight: Any = None,
    count: Any = None,
) -> ProbableItems:
    """Read a row of class probabilities for each item, and the scale that the caller, the columns or gold show."""
    matrix, known = complete_rows(probabilities, labels)
    n, k = matrix.shape
    if labels is not None or known is not None:
        declared: Any = known if labels is None else labels
        scale = Scale(declared, values)
    elif y_true is not None:
        scale = Scale.infer(read_column(y_true, "y_true"), values=values)
    else:
        scale = Scale(range(k), values)
    check_width(SoftColumn(matrix, np.arange(n), known), scale, PROBABILITIES)
    columns = np.ascontiguousarray(matrix.T)
    return ProbableItems(scale, columns, read_weights(sample_weight, count, n))


def columns_for(scale: Scale, probabilities: Any) -> Array:
    """Return columns[class, item] of new items; refuse probabilities of other classes than those of a rule."""
    matrix, _ = complete_rows(probabilities, scale)
    if matrix.shape[1] != scale.k:
        raise ScaleError(
            f"{PROBABILITIES} has {matrix.shape[1]} columns, and this rule is for the {scale.k} classes "
            f"{listed(scale.labels)}. Pass a column for each class, lowest first."
        )
    return np.ascontiguousarray(matrix.T)


def complete_rows(probabilities: Any, labels: Any) -> tuple[Array, Any]:
    """Return rows[item, class] of probabilities, of which none is missing, and the classes of a frame's columns."""
    matrix, present, known = read_rows(probabilities, PROBABILITIES, labels)
    if not len(matrix):
        raise NoItemsError(f"there are no items: {PROBABILITIES} is empty. Pass at least one row.")
    if not present.all():
        many = len(matrix) - int(present.sum())
        rows = "1 row lacks a number" if many == 1 else f"{many} rows lack a number"
        raise LabelError(
            f"the probabilities of item {int(np.argmin(present))} are missing; {rows}. Leave these items out."
        )
    return matrix, known


def read_weights(sample_weight: Any, count: Any, n: int) -> Array | None:
    """Return how much each row counts: its weight times the number of items that it stands for; None if all as one."""
    if sample_weight is None and count is None:
        return None
    weight = np.ones(n) if count is None else read_count(count, n)
    if not weight.any():
        raise no_count()
    if sample_weight is not None:
        items, weight = weight.sum(), weight * read_weight(sample_weight, n)
        if not weight.any():
            raise NoItemsError("there are no items: every weight is 0. Pass one above 0.")
        weight *= items / weight.sum()  # only their ratios matter
    return weight


def read_gold(y_true: Any, scale: Scale, n: int, beside: str = PROBABILITIES) -> Array:
    """Return the code of each item's gold label; refuse what is missing or not on the scale."""
    column = read_column(y_true, "y_true", scale)
    if len(column) != n:
        raise LabelError(
            f"y_true has {len(column)} labels and {beside} has {n} rows; both must have one for each item."
        )
    codes = codes_on_scale(column, scale)
    missing = codes == scale.k
    if missing.any() and not (codes > scale.k).any():
        many = int(missing.sum())
        are = "label is" if many == 1 else "labels are"
        raise LabelError(
            f"{many} gold {are} missing, first at item {int(missing.argmax())}. Leave these items out."
        )
    if (codes >= scale.k).any():
        # raises the error that says what is wrong, and with which item
        Table.from_labels(y_true, y_true, labels=scale.labels)
    return codes
