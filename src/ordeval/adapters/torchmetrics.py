"""Measures as metrics of torchmetrics: a class for each, such as `CemOrd` and `WeightedKappa`.

An update counts pairs of class indices where the tensors are, and waits for nothing. `compute` brings the K x K counts
to the host, where the kernel of the measure, the only formula, scores them.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ordeval.arguments import entries, is_true, is_whole
from ordeval.errors import (
    LabelError,
    LabelTypeError,
    MissingPackageError,
    ParameterError,
)
from ordeval.inputs.weighting import Weighting
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.table import Table

try:
    import torch
    import torchmetrics

    from ordeval.adapters.torch import INDICES, described, scale_of
    from ordeval.adapters.torch_counts import count_pairs, sum_weights
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "metrics for torch need the packages torch and torchmetrics, and one is not installed. Run: "
        "pip install 'ordeval[torch]'"
    ) from error

__all__ = ["OrdinalMetric", "collection", "metric"]


class OrdinalMetric(torchmetrics.Metric):
    """What the metrics of all measures have in common; `CemOrd`, `Mae` and the others derive from it.

    `num_classes` is the number of classes, or `labels` are their names, lowest first; `values` are their numbers, as
    everywhere. Items whose target is `ignore_index` are left out. With `weighted=True` each update takes a weight for
    each item. All other keywords are settings of the measure, or those of every metric of torchmetrics.

    >>> import torch
    >>> from ordeval.adapters.torchmetrics import metric
    >>> mae = metric("mae", num_classes=3)
    >>> mae.update(torch.tensor([0, 2, 2]), torch.tensor([0, 1, 2]))
    >>> round(float(mae.compute()), 3)
    0.333
    """

    is_differentiable = False
    full_state_update = False
    measure: Metric  # the measure
    counts: Any

    def __init__(
        self,
        num_classes: int | None = None,
        *,
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        ignore_index: int | None = None,
        weighted: bool = False,
        **options: Any,
    ) -> None:
        if not hasattr(self, "measure"):
            raise ParameterError(
                "OrdinalMetric is of no measure; call metric('cem_ord', num_classes=5), or the class of a measure."
            )
        own = [each.name for each in self.measure.parameters if each.name in options]
        measure = self.measure.with_parameters(**{name: options.pop(name) for name in own})
        super().__init__(**options)
        self.measure = measure
        self.scale = scale_of(labels, num_classes, values, "num_classes", "a metric")
        self.num_classes = self.scale.k
        if ignore_index is not None and not is_whole(ignore_index, -(2**63)):
            raise ParameterError(
                f"ignore_index={ignore_index!r:.60} cannot mark items to be ignored; it is a whole number or None."
            )
        self.ignore_index = None if ignore_index is None else int(ignore_index)
        self.weighted = is_true(weighted, "weighted")
        cells = self.num_classes**2 + 1  # the last is for labels that are not classes
        counts = (
            torch.zeros(3, cells, dtype=torch.float64)  # items, weights, squares of the weights
            if self.weighted
            else torch.zeros(cells, dtype=torch.int64)
        )
        self.add_state("counts", counts, dist_reduce_fx="sum")

    def update(self, preds: Any, target: Any, sample_weight: Any = None) -> None:
        """Count a batch; nothing is looked at that would make the host wait for the device.

        `target` holds class indices from 0, the lowest, to K - 1, with any number of axes. `preds` holds as many, or
        logits or probabilities with one more axis, the second: N x K, N x K x d, and so on. The largest of them is the
        answer. A label that is not a class is an error when the metric is computed.
        """
        k, ignored = self.num_classes, self.ignore_index
        preds, target = flat_indices(preds, target, k)
        if self.weighted != (sample_weight is not None):
            raise ParameterError(
                "this metric has weighted=True, so each update needs sample_weight=, a weight for each item."
                if self.weighted
                else "this metric takes no sample_weight=. Make it with weighted=True."
            )
        if not self.weighted:
            self.counts = count_pairs(preds, target, k, ignored).add_(self.counts)
            return
        if not isinstance(sample_weight, torch.Tensor) or sample_weight.numel() != len(target):
            tensor = isinstance(sample_weight, torch.Tensor)
            what = described(sample_weight) if tensor else f"{sample_weight!r:.60}"
            raise LabelError(
                f"sample_weight is {what}; it must be a tensor of {len(target)} numbers, one for "
                f"each item."
            )
        sums = sum_weights(preds, target, sample_weight.flatten(), k, ignored)
        self.counts = self.counts + sums

    def compute(self) -> Any:
        """Return the measure of all items, a tensor without axes; NaN if it is undefined or there are none."""
        table = self.table()
        value = self.measure.of_table(table) if table.n else np.nan
        # Apple's GPUs have no float64
        number = torch.float32 if self.counts.device.type == "mps" else torch.float64
        return torch.tensor(value, dtype=number, device=self.counts.device)

    def table(self) -> Table:
        """Return what this process has counted as a table, from which `oe.evaluate` makes intervals."""
        k = self.num_classes
        rows = self.counts.cpu().numpy().reshape(-1, k * k + 1)
        self.check_spare(rows[:, -1])
        cells = rows[:, :-1].reshape(-1, k, k)
        missed = np.zeros(k, dtype=cells.dtype)
        if not self.weighted:
            return Table(self.scale, cells[0], missed)
        items, weights, squares = np.pad(cells, ((0, 0), (0, 0), (0, 1)))
        weighting = Weighting(items.astype(np.int64), squares)
        return Table(self.scale, weights[:, :-1], missed, weighting=weighting)

    def check_spare(self, spare: Any) -> None:
        """Refuse counts that items were left out of, because a label is not a class or a weight not one."""
        if not spare[0]:
            return
        bad_weights = int(spare[1]) if self.weighted else 0
        if bad_weights:
            raise LabelError(
                f"{items_have(bad_weights)} a weight that is negative, NaN or infinite; a weight is a finite number, "
                f"0 or more. Call reset() and update with such weights."
            )
        raise LabelError(
            f"{items_have(int(spare[0]))} a label that is not a class, in preds or in target; class indices are whole "
            f"numbers from 0, the lowest class, to {self.num_classes - 1}, and not labels. Call reset() and update "
            f"with such indices; items whose target is ignore_index= are left out."
        )

    def extra_repr(self) -> str:
        """Return what torch prints between the brackets."""
        settings = str(self.measure).removeprefix(self.measure.name)[1:-1]
        return ", ".join(filter(None, [f"num_classes={self.num_classes}", settings]))

    def _wrap_update(self, update: Callable[..., None]) -> Callable[..., None]:
        """Let torch compile an update once: torchmetrics counts updates, and torch would compile for each number."""
        counting = super()._wrap_update(update)

        @functools.wraps(update)
        def wrapped(*args: Any, **kwargs: Any) -> None:
            if not torch.compiler.is_compiling():
                counting(*args, **kwargs)
                return
            self._computed, self._update_count = None, 1
            with torch.no_grad():
                update(*args, **kwargs)

        return wrapped

    def _apply(self, fn: Callable[[Any], Any], *args: Any) -> Any:
        """Move the counts to another device; another type could not hold them, so they keep theirs."""
        counts, zeros = self.counts, self._defaults["counts"]
        moved = super()._apply(fn, *args)
        moved.counts, moved._defaults["counts"] = counts.to(self.device), zeros.to(self.device)  # noqa: SLF001
        return moved


def metric(measure: str | Metric, num_classes: int | None = None, **options: Any) -> OrdinalMetric:
    """Return the metric of a measure, whose name may carry settings; the options are those of `OrdinalMetric`.

    >>> from ordeval.adapters.torchmetrics import metric
    >>> metric("weighted_kappa(weights='quadratic')", num_classes=5)
    WeightedKappa(num_classes=5, weights='quadratic')
    """
    found = measure if isinstance(measure, Metric) else registry[measure]
    return class_of(found)(num_classes, **{**dict(found.settings), **options})


def collection(
    measures: Any,
    num_classes: int | None = None,
    *,
    prefix: str | None = None,
    postfix: str | None = None,
    **options: Any,
) -> Any:
    """Return a `MetricCollection` of measures that counts each batch once, for all of them.

    `measures` lists measures or their names, which then name the results, or maps other names to them. The options are
    those of `OrdinalMetric`.

    >>> from ordeval.adapters.torchmetrics import collection
    >>> list(collection(["cem_ord", "qwk"], num_classes=5, prefix="val_"))
    ['val_cem_ord', 'val_qwk']
    """
    if not isinstance(measures, Mapping):
        rule = "it lists measures or their names, as ['cem_ord', 'mae']"
        given = [measures] if isinstance(measures, str | Metric) else measures
        measures = {str(one): one for one in entries(given, "measures", rule)}
    if not measures:
        raise ParameterError(
            "no measure was asked for. Name at least one; 'ordeval metrics' lists them."
        )
    dotted = next((name for name in measures if "." in name), None)
    if dotted is not None:
        raise ParameterError(
            f"torch allows no dot in {dotted!r}, which would name a result. Map another name to it, as "
            f"{{'mine': {dotted!r}}}."
        )
    metrics = {name: metric(one, num_classes, **options) for name, one in measures.items()}
    return torchmetrics.MetricCollection(
        metrics, prefix=prefix, postfix=postfix, compute_groups=[list(metrics)]
    )


def class_of(measure: Metric) -> type[OrdinalMetric]:
    """Return the class of a measure's metrics, whatever its settings; a measure that is declared again has another."""
    known = registry.get(measure.name, measure)
    return new_class(known if known.kernel is measure.kernel else measure, measure.kernel)


@functools.cache
def new_class(measure: Metric, kernel: Any) -> type[OrdinalMetric]:  # noqa: ARG001 - a part of the key
    """Make the class of a measure's metrics, once; refuse a measure that is not a function of the counts."""
    if measure.takes_probabilities:
        raise ParameterError(
            f"{measure} cannot be a metric of torchmetrics here: it needs the probabilities of each item, which counts "
            f"do not keep. Collect them, and pass them to oe.evaluate."
        )
    about = {
        "__module__": __name__,
        "__doc__": f"{measure.summary}\n\n    A metric of torchmetrics; see `OrdinalMetric`.",
        "measure": measure,
        "higher_is_better": measure.greater_is_better,
    }
    return type(measure.name.title().replace("_", ""), (OrdinalMetric,), about)


def __getattr__(name: str) -> type[OrdinalMetric]:
    """Return the class of a measure by its name: `CemOrd` is that of `cem_ord`."""
    measure = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    if measure in list(registry) and name[:1].isupper():
        return class_of(registry[measure])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the classes beside what is written here."""
    classes = [class_of(one).__name__ for one in registry.values() if not one.takes_probabilities]
    return sorted([*globals(), *classes])


def flat_indices(preds: Any, target: Any, k: int) -> tuple[Any, Any]:
    """Return answers and gold with one axis; of logits the place of the largest, -1 where they hold NaN."""
    whole = getattr(preds, "dtype", None) in INDICES and getattr(target, "dtype", None) in INDICES
    if whole and preds.ndim == 1 and preds.shape == target.shape:
        return preds, target
    for name, given in {"preds": preds, "target": target}.items():
        if not isinstance(given, torch.Tensor):
            raise LabelTypeError(f"{name} is {given!r:.60}; it must be a tensor of torch.")
        if not (given.dtype in INDICES or given.dtype == torch.bool or given.is_floating_point()):
            raise LabelTypeError(
                f"{name} is {described(given)}; class indices are whole numbers, 0 to {k - 1}."
            )
    if preds.ndim > 1 and preds.shape == (*target.shape[:1], k, *target.shape[1:]):
        if not preds.is_floating_point():
            raise LabelTypeError(
                f"preds is {described(preds)}; logits and probabilities are floating-point numbers."
            )
        largest, answers = preds.max(dim=1)
        preds = answers.masked_fill(largest.isnan(), -1)
    elif preds.shape != target.shape:
        raise LabelError(
            f"preds is {described(preds)} and target is {described(target)}; preds must have the shape of target, or "
            f"one more axis, the second, of {k} classes. Pass preds first, and then target, as torchmetrics does."
        )
    return preds.reshape(-1), target.reshape(-1)


def items_have(many: int) -> str:
    """Write how many items have something."""
    return "1 item has" if many == 1 else f"{many} items have"
