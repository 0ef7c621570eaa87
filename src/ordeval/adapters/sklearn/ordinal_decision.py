"""A classifier whose probabilities become the answers that serve a measure best."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ordeval.adapters.sklearn.base import RuleClassifier
from ordeval.adapters.sklearn.classes import narrowed, probabilities_on
from ordeval.aliases import Array
from ordeval.columns import as_array
from ordeval.decide.fit import fit
from ordeval.errors import ParameterError


def has_probabilities(model: "OrdinalDecision") -> bool:
    """Tell whether the inner classifier has `predict_proba`."""
    return hasattr(model.estimator, "predict_proba")


class OrdinalDecision(RuleClassifier):
    """Answer with the classes that serve a measure best, given the probabilities of another classifier.

    For ordered classes, this is what scikit-learn's `TunedThresholdClassifierCV` is for two. `fit` asks the classifier
    for the probabilities of items that it was not trained on, fits a rule to them as `oe.decide.fit` does, and trains
    the classifier on all items. `predict` applies the rule to its `predict_proba`. `score` is the accuracy, as of any
    classifier; for a measure, use `scorer`.

    The arguments are:

    - `estimator`: a classifier with `predict_proba`.
    - `metric`: the measure to serve: any of the registry, or a function of counts[..., gold, predicted].
    - `labels`: the classes, lowest first; needed unless they are numbers or of an ordered type.
    - `values`: a number for each class, for measures that use them.
    - `calibrate`: whether probabilities are made to fit the labels first, for a classifier that is too sure or too
      unsure.
    - `greater_is_better`: False if `metric` is a function that returns an error.
    - `cv`: a number of stratified folds, a splitter or a list of (train, test) indices, which hold out no item
      twice; "prefit" for a classifier that is fitted already: then pass `fit` items that it was not trained on.
    - `n_jobs`: how many folds are computed at a time.

    After `fit` it has these attributes:

    - `decision_`: the rule, an `oe.decide.Decision`; its `held_out` tells what it gains on items that it was not
      fitted on, over the most probable class, the median and the rounded mean.
    - `estimator_`: the classifier, trained on all items.
    - `classes_`: the classes that it knows, sorted; all answers are among them.

    >>> from sklearn.linear_model import LogisticRegression
    >>> grades = ["low"] * 4 + ["mid"] * 4 + ["high"] * 4
    >>> model = OrdinalDecision(
    ...     LogisticRegression(), metric="mae", labels=["low", "mid", "high"], cv=3
    ... )
    >>> model.fit([[hours] for hours in range(12)], grades).predict(
    ...     [[1], [5], [11]]
    ... ).tolist()
    ['low', 'mid', 'high']
    """

    _inner_name = "estimator"

    def __init__(
        self,
        estimator: Any,
        *,
        metric: Any = "cem_ord",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        calibrate: bool = False,
        greater_is_better: bool | None = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.labels = labels
        self.values = values
        self.calibrate = calibrate
        self.greater_is_better = greater_is_better
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> "OrdinalDecision":  # noqa: N803
        """Train the classifier, fit the rule to its probabilities of held-out items, and return self.

        `sample_weight` counts for the rule, and for the classifier if its `fit` takes weights. The other `params` go to
        the `fit` of the classifier, or where scikit-learn's metadata routing sends them.
        """
        if not has_probabilities(self):
            raise ParameterError(
                f"{type(self.estimator).__name__} has no predict_proba, and decisions are made from probabilities. "
                f"Pass a classifier that has it, or use CutPoints with a regressor."
            )
        training = self._read(X, y, sample_weight, params)
        self.estimator_ = self._trained(training, training.given)
        self.classes_ = as_array(self.estimator_.classes_)
        scale = narrowed(training.scale, self.classes_, training.codes)
        respond = partial(probabilities_on, scale=scale)
        probabilities, gold = self._held_out(training, training.given, respond)
        self.decision_ = fit(
            probabilities, **gold, metric=self.metric, labels=scale.labels, values=scale.values,
            calibrate=self.calibrate, greater_is_better=self.greater_is_better,
        )  # fmt: skip
        return self

    def predict(self, X: Any) -> Array:  # noqa: N803
        """Return the class for each item that serves the measure best."""
        check_is_fitted(self)
        scale = self.decision_.scale
        answers = self.decision_.predict(probabilities_on(self.estimator_, X, scale))
        return self._as_classes(answers, scale)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:  # noqa: N803
        """Return the probabilities of the inner classifier, with a column for each of `classes_`."""
        check_is_fitted(self)
        return as_array(self.estimator_.predict_proba(X))
