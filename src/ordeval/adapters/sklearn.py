"""Measures as scikit-learn's scorers, with the sign and the kind of answer that each asks for."""

from typing import Any

from sklearn.metrics import make_scorer

from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry

__all__ = ["scorer"]


def scorer(measure: str | Metric, **options: Any) -> Any:
    """Return a scorer for `cross_validate`, `GridSearchCV` and the like, where greater is always better.

    Errors come out negative, as scikit-learn's own do, and the probabilistic measures are given `predict_proba`.
    `options` are what the measure takes beside the labels, such as `labels=[...]`, which it needs wherever a fold may
    lack a class at an end of the scale.

    >>> scorer("mae", labels=[1, 2, 3])
    make_scorer(mae, greater_is_better=False, response_method='predict', labels=[1, 2, 3])
    """
    chosen = registry[str(measure)]
    method = "predict" if chosen.from_probabilities is None else "predict_proba"
    return make_scorer(
        chosen, greater_is_better=chosen.greater_is_better, response_method=method, **options
    )
