"""Measures as metrics of MLflow: `mlflow.models.evaluate(..., extra_metrics=[metric("cem_ord", labels=[1, 2, 3])])`."""

import inspect
import re
from typing import Any, Unpack

from ordeval.adapters.run_scorer import RunScorer
from ordeval.errors import MissingPackageError, ParameterError
from ordeval.inputs.policy import Reading
from ordeval.metrics.metric import Metric

try:
    from mlflow.metrics import MetricValue
    from mlflow.models import EvaluationMetric, make_metric
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "ordeval.adapters.mlflow needs the package mlflow, which is not installed. Run: pip install 'ordeval[mlflow]'"
    ) from error

__all__ = ["metric"]

COLUMNS = (
    "predictions",
    "targets",
)  # MLflow finds what a function wants by the names of its arguments


def metric(
    measure: str | Metric,
    *,
    name: str | None = None,
    cluster: str | None = None,
    level: float | None = 0.95,
    **options: Unpack[Reading],
) -> EvaluationMetric:
    """Return a metric that logs the measure as NAME, and NAME/low, NAME/high and NAME/stderr.

    NAME is that of the measure unless `name` is given; as MLflow has no brackets in names, settings are joined by
    underscores: weighted_kappa_weights_quadratic. `cluster` is the column of what items have in common: clusters are
    drawn whole. With `level=None` the metric logs the measure alone.

    `labels` are the classes, lowest first; `values`, `missing`, `unknown`, `gold_missing` and `round` say how answers
    are read, as in `oe.evaluate`.

    >>> from ordeval.adapters.mlflow import metric
    >>> metric("qwk", labels=[1, 2, 3]).name
    'weighted_kappa_weights_quadratic'
    """
    scorer = RunScorer.of(measure, level, options)
    title = re.sub(r"\W+", "_", str(scorer.measure)).strip("_") if name is None else name

    def evaluate(predictions: Any, targets: Any, clusters: Any = None) -> MetricValue:
        score = scorer.score(targets, predictions, clusters=clusters)
        parts = {"low": score.low, "high": score.high, "stderr": score.error}
        found = {part: number for part, number in parts.items() if number is not None}
        return MetricValue(aggregate_results={title: score.value, **found})

    evaluate.__signature__ = signature(cluster)  # type: ignore[attr-defined]
    return make_metric(
        eval_fn=evaluate, greater_is_better=scorer.measure.greater_is_better, name=title
    )


def signature(cluster: str | None) -> inspect.Signature:
    """Return the arguments by which MLflow finds the columns that a metric wants."""
    if cluster is not None and not str(cluster).isidentifier():
        raise ParameterError(
            f"cluster={cluster!r:.60} is not a column that MLflow can find; its name has only letters, digits and "
            f"underscores. Rename the column."
        )
    names = COLUMNS if cluster is None else (*COLUMNS, cluster)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(one, kind) for one in names])
