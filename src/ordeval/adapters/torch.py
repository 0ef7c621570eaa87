"""Measures as losses for torch: the measure of the soft table of a batch, to be minimised.

A batch is spread over the cells of a contingency table by its probabilities, as `oe.Table.from_soft` does it. That is
done in torch; the table, K x K numbers, then goes to the kernel of the measure, which is the only formula, and the
gradient by its cells comes from the same kernel (`metrics/gradient.py`).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_true, is_whole
from ordeval.errors import (
    LabelError,
    LabelTypeError,
    MissingPackageError,
    NoItemsError,
    ParameterError,
    ScaleError,
)
from ordeval.metrics.gradient import gradient
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.one_hot import ROUNDING
from ordeval.scale import Scale

try:
    import torch
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "losses need the package torch, which is not installed. Run: pip install 'ordeval[torch]'"
    ) from error

__all__ = ["ExpectedLoss", "expected_loss"]

INDICES = {torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8}
SMALLEST = 1e-30  # of all items: smaller counts are 0, for they would need wider numbers
PROBES = 3  # tables on which a measure must have a gradient
FLAT = 1e-6  # of the largest slope: by less than this no answer is better than another
INSTEAD = {
    "cross_entropy": "use torch.nn.CrossEntropyLoss",
    "log_loss": "use torch.nn.CrossEntropyLoss",
    "calibration_error": "use torch.nn.CrossEntropyLoss, which is least where probabilities come true",
    "wasserstein": "use 'mae': for gold labels it is the same, multiplied by the range of the values",
    "manhattan": "use 'accuracy': for gold labels this is 2 * (1 - accuracy)",
}


def expected_loss(
    measure: str | Metric,
    *,
    labels: Iterable[Any] | None = None,
    classes: int | None = None,
    values: Iterable[float] | None = None,
    from_logits: bool = True,
    ignore_index: int = -100,
) -> "ExpectedLoss":
    """Return a loss for torch: how far the expected measure of a batch is from the best.

    The classes are `labels`, lowest first, or so many `classes`; `values` are their numbers, as everywhere. Call the
    loss on logits (or on probabilities, with `from_logits=False`), N x K, and on gold: N class indices from 0, the
    lowest, to K - 1, or N x K shares. It is to be minimised whatever the measure: where greater is better it is the
    upper bound minus the measure, as 1 - cem_ord, and for errors it is the measure itself.

    >>> from ordeval.adapters.torch import expected_loss
    >>> expected_loss("cem_ord", classes=5)
    ExpectedLoss(measure=cem_ord, classes=5)
    """
    chosen = measure if isinstance(measure, Metric) else registry[measure]
    scale = scale_of(labels, classes, values)
    check_gradient(chosen, scale)
    if not is_whole(ignore_index, -(2**63)) or 0 <= ignore_index < scale.k:
        raise ParameterError(
            f"ignore_index={ignore_index!r:.60} cannot mark items to be ignored; it is a whole number that is not the "
            f"index of a class, 0 to {scale.k - 1}."
        )
    return ExpectedLoss(
        chosen,
        scale,
        from_logits=is_true(from_logits, "from_logits"),
        ignore_index=int(ignore_index),
    )


def scale_of(
    labels: Iterable[Any] | None,
    classes: int | None,
    values: Iterable[float] | None,
    name: str = "classes",
    what: str = "a loss",
) -> Scale:
    """Return the classes that a loss or a metric was told of: those of the labels, or so many numbered from 0.

    `name` is what the caller calls the number of classes.
    """
    if (labels is None) == (classes is None):
        raise ParameterError(
            f"{what} needs the classes once: pass labels=[...], lowest first, or {name}=K, their number."
        )
    if classes is not None and not is_whole(classes, 2):
        raise ParameterError(
            f"{name}={classes!r:.60} is not a number of classes; it is a whole number, 2 or more."
        )
    scale = Scale(range(classes or 0) if labels is None else labels, values)
    if scale.k < 2:
        raise ScaleError(
            f"the scale {list(scale.labels)} has one class; {what} needs two or more to choose from."
        )
    return scale


def check_gradient(measure: Metric, scale: Scale) -> None:
    """Refuse a measure that is not a function of the soft table, or whose gradient leads nowhere."""
    if measure.per_item is not None:
        instead = INSTEAD.get(measure.name, "compute it in torch, item by item")
        raise ParameterError(
            f"{measure} cannot be an expected loss: it needs the probabilities of each item, which the soft table does "
            f"not keep. Instead, {instead}."
        )
    rng = np.random.default_rng(0)
    k = scale.k
    tables = rng.dirichlet(np.ones(k), (PROBES, k)) * rng.uniform(10, 50, (PROBES, k, 1))
    slope = gradient(measure, tables, scale.numbers)
    gain = slope - slope.mean(axis=-1, keepdims=True)  # of one answer over another, given gold
    if not np.isfinite(slope).all() or np.abs(gain).max() <= FLAT * np.abs(slope).max():
        what = "its gradient is 0" if np.isfinite(slope).all() else "it is undefined"
        raise ParameterError(
            f"{measure} cannot be an expected loss: on tables of probabilities {what}, so no step improves it. Train "
            f"with another measure and score by this one."
        )


class MeasureOfTable(torch.autograd.Function):
    """The measure of a table as a step of torch's graph: the kernel forward, its finite differences backward."""

    @staticmethod
    def forward(ctx: Any, table: Any, counts: Array, measure: Metric, values: Array) -> Any:
        """Return the measure of the counts, which are what the table holds, on the host."""
        ctx.about = counts, measure, values
        if not np.isfinite(counts).all():
            return table.new_tensor(np.nan)
        value = float(measure.compute(counts, values))
        if np.isnan(value):
            raise NoItemsError(
                f"{measure} of a batch of {counts.sum():.6g} items has no value: {measure.undefined_when}. Make the "
                f"batches larger, and leave out the last one if it is small (drop_last=True)."
            )
        return table.new_tensor(value)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, change: Any) -> Any:
        """Return the derivative by each cell of the table; NaN where the table holds NaN, as torch's own losses do."""
        counts, measure, values = ctx.about
        finite = np.isfinite(counts).all()
        slope = gradient(measure, counts, values) if finite else np.full_like(counts, np.nan)
        return change * change.new_tensor(slope), None, None, None


class ExpectedLoss(torch.nn.Module):
    """The expected measure of a batch as a loss; `expected_loss` makes one.

    `measure` is the measure and `scale` its classes.

    >>> import torch
    >>> from ordeval.adapters.torch import expected_loss
    >>> loss = expected_loss("mae", classes=3)
    >>> round(float(loss(torch.zeros(1, 3), torch.tensor([0]))), 3)
    1.0
    """

    def __init__(
        self, measure: Metric, scale: Scale, *, from_logits: bool, ignore_index: int
    ) -> None:
        super().__init__()
        self.measure = measure
        self.scale = scale
        self.from_logits = from_logits
        self.ignore_index = ignore_index

    def extra_repr(self) -> str:
        """Return what torch prints between the brackets."""
        given = {
            "measure": self.measure,
            "classes": self.scale.k,
            "from_logits": None if self.from_logits else False,
        }
        return ", ".join(f"{name}={value}" for name, value in given.items() if value is not None)

    @torch.compiler.disable
    def forward(self, answers: Any, gold: Any, weight: Any = None) -> Any:
        """Return the loss of a batch, a tensor without axes; NaN if the answers hold NaN.

        `answers` are logits or probabilities, N x K, `gold` N class indices or N x K shares, and `weight` says how
        much each item matters. Nothing flows back into gold and weights.
        """
        check_shapes(answers, gold, weight, self.scale.k)
        # the precision of the sums is not that of the model; Apple's GPUs have no float64
        number = torch.float32 if answers.device.type == "mps" else torch.float64
        with torch.no_grad():
            shares, bad_gold = self.gold_shares(gold, answers.device, number)
            if weight is not None:
                weight = weight.to(answers.device, number)
                shares = shares * weight[:, None]
            kept = shares.any(dim=1)
        # an item that is left out has no influence, whatever its answer holds
        rows = torch.where(kept[:, None], answers, torch.zeros_like(answers)).to(number)
        probabilities = rows.softmax(dim=1) if self.from_logits else rows
        table = shares.T @ probabilities
        bad_answers = torch.zeros_like(kept)
        if not self.from_logits:
            off = (rows.sum(dim=1) - 1).abs() > max(ROUNDING, torch.finfo(answers.dtype).eps)
            bad_answers = kept & ((rows < 0).any(dim=1) | off)
        bad_weight = torch.zeros_like(kept)
        if weight is not None:
            bad_weight = ~((weight >= 0) & weight.isfinite())
        # one transfer to the host: the table, and how many items are not as they should be
        wrong = torch.stack([bad_gold.sum(), bad_answers.sum(), bad_weight.sum()])
        moved = torch.cat([table.detach().reshape(-1), wrong.to(number)]).cpu().double().numpy()
        if moved[-3:].any():
            self.refuse((gold, bad_gold), (answers, bad_answers), (weight, bad_weight))
        counts = moved[:-3].reshape(table.shape)
        counts[counts < SMALLEST * counts.sum()] = 0.0
        value = MeasureOfTable.apply(table, counts, self.measure, self.scale.numbers)
        if self.measure.greater_is_better:
            best = self.measure.bounds[1]
            value = (best if np.isfinite(best) else 0.0) - value
        return value.to(torch.promote_types(answers.dtype, torch.float32))

    def gold_shares(self, gold: Any, device: Any, number: Any) -> tuple[Any, Any]:
        """Return the share of each class in the gold of each item, and which items have no such gold."""
        k = self.scale.k
        gold = gold.to(device)
        if gold.ndim == 2:
            shares = gold.to(number)
            precision = torch.finfo(gold.dtype).eps
            whole = (shares.sum(dim=1) - 1).abs() <= max(ROUNDING, precision)
            return shares, ~(whole & (shares >= 0).all(dim=1))
        shares = (gold[:, None] == torch.arange(k, device=device)).to(number)
        return shares, ((gold < 0) | (gold >= k)) & (gold != self.ignore_index)

    def refuse(self, gold: Any, answers: Any, weight: Any) -> None:
        """Say what is wrong with a batch; each argument is a tensor and which of its items are wrong."""
        k = self.scale.k
        whole = f"whole numbers from 0, the lowest class, to {k - 1}, and not labels"
        rules = {
            "gold": f"it holds class indices, {whole}, or shares that are 0 or more and sum to 1",
            "answers": "with from_logits=False each row is 0 or more and sums to 1. Pass from_logits=True for logits",
            "weight": "weights are finite and 0 or more",
        }
        for (name, rule), (given, bad) in zip(rules.items(), (gold, answers, weight), strict=True):
            if bad.any():
                at = int(bad.int().argmax())
                shown = given[at].tolist()
                wrong = int(bad.sum())
                many = "1 item is" if wrong == 1 else f"{wrong} items are"
                raise LabelError(
                    f"{name} is {shown!r:.60} at item {at} of the batch; {rule}. {many} wrong."
                )


def check_shapes(answers: Any, gold: Any, weight: Any, k: int) -> None:
    """Refuse what is not a batch: N x K numbers, N indices or N x K shares, and N weights."""
    for name, given in {"answers": answers, "gold": gold, "weight": weight}.items():
        if not isinstance(given, torch.Tensor) and not (given is None and name == "weight"):
            raise LabelTypeError(f"{name} is {given!r:.60}; it must be a tensor of torch.")
    if answers.ndim != 2 or answers.shape[1] != k or not answers.is_floating_point():
        raise LabelError(
            f"answers are {described(answers)}; they must be N x {k} real numbers, a row for each item and a column "
            f"for each class, lowest first. Flatten what has more axes."
        )
    n = len(answers)
    indices = gold.shape == (n,) and gold.dtype in INDICES
    if not indices and not (gold.shape == (n, k) and gold.is_floating_point()):
        raise LabelError(
            f"gold is {described(gold)}; it must be {n} class indices (whole numbers from 0, the lowest class, to "
            f"{k - 1}) or {n} x {k} shares."
        )
    if weight is not None and weight.shape != (n,):
        raise LabelError(
            f"weight is {described(weight)}; it must be {n} numbers, one for each item."
        )


def described(given: Any) -> str:
    """Write the shape and the type of a tensor."""
    return f"{' x '.join(map(str, given.shape)) or 'one number'} of {given.dtype}"
