"""Measures as scikit-learn's scorers, with the sign and the kind of prediction that each needs."""

from dataclasses import dataclass, field
from typing import Any

from sklearn.metrics import make_scorer

from ordeval.adapters.sklearn.classes import probabilities_on
from ordeval.columns import read_column
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.scale import Scale, infer_scale


def scorer(measure: str | Metric, **options: Any) -> Any:
    """Return a scorer for `cross_validate`, `GridSearchCV` and the like, where greater is always better.

    Errors come out negative, as scikit-learn's own do, and the probabilistic measures are given `predict_proba`.
    `options` are what the measure takes beside the labels, such as `labels=[...]`, which it needs wherever a fold may
    lack a class at an end of the scale.

    >>> scorer("mae", labels=[1, 2, 3])
    make_scorer(mae, greater_is_better=False, response_method='predict', labels=[1, 2, 3])
    >>> scorer("expected_cem", labels=["low", "mid", "high"])
    ProbabilityScorer(measure=<measure expected_cem>, options={'labels': ['low', 'mid', 'high']})
    """
    chosen = registry[str(measure)]
    if chosen.takes_probabilities:
        return ProbabilityScorer(chosen, options)
    return make_scorer(
        chosen, greater_is_better=chosen.greater_is_better, response_method="predict", **options
    )


@dataclass(frozen=True)
class ProbabilityScorer:
    """A scorer of `predict_proba`.

    An estimator has its classes in the order of the alphabet, and only those that it was trained on; `make_scorer`
    drops their names, and of two classes it keeps one. Here each column goes to its place on the scale.
    """

    measure: Metric
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, features: Any, gold: Any, **weights: Any) -> float:
        """Score a fitted estimator; `sample_weight` is the only other option."""
        options = {**self.options, **weights}
        labels, values = options.pop("labels", None), options.pop("values", None)
        if labels is None:  # what an estimator was trained on are gold labels, too
            both = [read_column(each, "y_true") for each in (gold, estimator.classes_)]
            scale = infer_scale(both, (), values)
        else:
            scale = Scale(labels, values)
        shares = probabilities_on(estimator, features, scale)
        value = self.measure(gold, shares, labels=scale.labels, values=scale.values, **options)
        return float(value) if self.measure.greater_is_better else -float(value)
