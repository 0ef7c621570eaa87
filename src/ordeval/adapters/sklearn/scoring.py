"""Measures as scikit-learn's scorers, with the sign and the kind of prediction that each needs."""

from dataclasses import dataclass, field
from typing import Any, Self

from sklearn import get_config
from sklearn.metrics import make_scorer
from sklearn.utils.metadata_routing import MetadataRequest

from ordeval.adapters.sklearn.classes import probabilities_on
from ordeval.columns import read_column
from ordeval.errors import ParameterError
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.scale import Scale, infer_scale


def scorer(measure: str | Metric, **options: Any) -> Any:
    """Return a scorer for `cross_validate`, `GridSearchCV` and the like, where greater is always better.

    Errors come out negative, as scikit-learn's own do, and the probabilistic measures are given `predict_proba`.
    `options` are what the measure takes beside the labels, such as `labels=[...]`, which it needs wherever a fold may
    lack a class at an end of the scale, unless y is of an ordered type.

    >>> from ordeval.adapters.sklearn import scorer
    >>> scorer("mae", labels=[1, 2, 3])
    make_scorer(mae, greater_is_better=False, response_method='predict', labels=[1, 2, 3])
    >>> scorer("expected_cem", labels=[1, 2, 3])
    ProbabilityScorer(measure=<measure expected_cem>, options={'labels': [1, 2, 3]})
    """
    chosen = registry[str(measure)]
    if chosen.takes_probabilities:
        return ProbabilityScorer(chosen, options)
    return make_scorer(
        chosen, greater_is_better=chosen.greater_is_better, response_method="predict", **options
    )


@dataclass(eq=False)
class ProbabilityScorer:
    """A scorer of `predict_proba`, which takes part in scikit-learn's metadata routing.

    An estimator has its classes in the order of the alphabet, and only those that it was trained on; `make_scorer`
    drops their names, and of two classes it keeps one. Here each column goes to its place on the scale. That is why
    this is no scorer of scikit-learn's own class: other programs take these apart, and call the measure by themselves.

    >>> from ordeval.adapters.sklearn import scorer
    >>> scorer("log_loss", labels=[1, 2, 3])
    ProbabilityScorer(measure=<measure log_loss>, options={'labels': [1, 2, 3]})
    """

    measure: Metric  # the measure
    options: dict[str, Any] = field(
        default_factory=dict
    )  # what the measure takes beside the labels
    # which metadata are wanted; None: nobody has said so, and scikit-learn asks for it if there are weights
    requests: dict[str, bool | str | None] = field(
        default_factory=lambda: {"sample_weight": None}, init=False, repr=False
    )

    @property
    def __name__(self) -> str:
        """The name in the tables of other programs: that of the measure, after 'neg_' if the sign is changed."""
        return str(self.measure) if self.measure.greater_is_better else f"neg_{self.measure}"

    # Metadata are named one by one, because skore takes `**metadata` for an argument that is missing.
    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803
        y_true: Any,
        *,
        sample_weight: Any = None,
        count: Any = None,
    ) -> float:
        """Score a fitted estimator."""
        given = {"sample_weight": sample_weight, "count": count}
        options = self.options | {name: value for name, value in given.items() if value is not None}
        labels, values = options.pop("labels", None), options.pop("values", None)
        if labels is None:  # what an estimator was trained on are gold labels, too
            both = [read_column(each, "y_true") for each in (y_true, estimator.classes_)]
            scale = infer_scale(both, (), values)
        else:
            scale = Scale(labels, values)
        shares = probabilities_on(estimator, X, scale)
        value = self.measure(y_true, shares, labels=scale.labels, values=scale.values, **options)
        return float(value) if self.measure.greater_is_better else -float(value)

    def set_score_request(self, **requests: bool | str | None) -> Self:
        """Say which metadata this scorer wants, as `sample_weight=True` or by another name; return the scorer."""
        if not get_config()["enable_metadata_routing"]:
            raise ParameterError(
                "set_score_request has no effect while metadata are not routed. Call "
                "sklearn.set_config(enable_metadata_routing=True) first."
            )
        self.requests = {**self.requests, **requests}
        return self

    def get_metadata_routing(self) -> Any:
        """Return which metadata this scorer wants."""
        wanted = MetadataRequest(owner=repr(self))
        for name, alias in self.requests.items():
            wanted.score.add_request(param=name, alias=alias)
        return wanted

    def _accept_sample_weight(self) -> bool:
        """Tell scikit-learn 1.7 and later that weights may be passed where metadata are not routed."""
        return True
