"""A regressor whose numbers are cut into the classes that serve a measure best."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ordeval.adapters.sklearn.base import RuleClassifier
from ordeval.adapters.sklearn.classes import narrowed
from ordeval.aliases import Array
from ordeval.columns import as_array
from ordeval.decide.cut import cut
from ordeval.errors import ParameterError


class CutPoints(RuleClassifier):
    """Answer with the classes that serve a measure best, given the numbers that a regressor predicts.

    `fit` trains the regressor on the values of the classes, asks it for its predictions of items that it was not
    trained on, and finds where to cut them, as `oe.decide.cut` does. `predict` cuts what the regressor, trained on all
    items, predicts. `score` is the accuracy, as of any classifier; for a measure, use `scorer`.

    The arguments are:

    - `regressor`: a regressor, or anything else whose `predict` gives a larger number for a higher class.
    - `metric`: the measure to serve: any of the registry, or a function of counts[..., gold, predicted].
    - `labels`: the classes, lowest first; needed unless they are numbers or of an ordered type.
    - `values`: a number for each class, on which the regressor is trained; the labels themselves if they are
      numbers, else 0, 1, 2 and so on.
    - `greater_is_better`: False if `metric` is a function that returns an error.
    - `cv`: a number of stratified folds, a splitter or a list of (train, test) indices, which hold out no item
      twice; "prefit" for a regressor that is fitted already: then pass `fit` items that it was not trained on.
    - `n_jobs`: how many folds are computed at a time.

    After `fit` it has these attributes:

    - `cuts_`: the points, an `oe.decide.Cuts`; its `held_out` tells what they gain on items that they were not fitted
      on, over rounding to the nearest class.
    - `regressor_`: the regressor, trained on all items.
    - `classes_`: the classes of y, sorted; all answers are among them.

    >>> from sklearn.linear_model import LinearRegression
    >>> grades = ["low"] * 4 + ["mid"] * 4 + ["high"] * 4
    >>> model = CutPoints(
    ...     LinearRegression(), metric="mae", labels=["low", "mid", "high"], cv=3
    ... )
    >>> model.fit([[hours] for hours in range(12)], grades).predict(
    ...     [[1], [5], [11]]
    ... ).tolist()
    ['low', 'mid', 'high']
    """

    _inner_name = "regressor"

    def __init__(
        self,
        regressor: Any,
        *,
        metric: Any = "cem_ord",
        labels: Iterable[Any] | None = None,
        values: Iterable[float] | None = None,
        greater_is_better: bool | None = None,
        cv: Any = 5,
        n_jobs: int | None = None,
    ) -> None:
        self.regressor = regressor
        self.metric = metric
        self.labels = labels
        self.values = values
        self.greater_is_better = greater_is_better
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> "CutPoints":  # noqa: N803
        """Train the regressor, cut what it predicts of held-out items, and return self.

        `sample_weight` counts for the points, and for the regressor if its `fit` takes weights. The other `params` go
        to the `fit` of the regressor, or where scikit-learn's metadata routing sends them.
        """
        training = self._read(X, y, sample_weight, params)
        target = training.scale.numbers[training.codes]
        self.classes_ = np.unique(training.y)
        if len(self.classes_) < 2:
            raise ParameterError(
                f"y has one class, {self.classes_.tolist()[0]!r}, and there is nothing to cut. Pass items of two "
                f"classes or more."
            )
        self.regressor_ = self._trained(training, target)
        scale = narrowed(training.scale, self.classes_, training.codes)
        scores, gold = self._held_out(training, target, predicted_by)
        self.cuts_ = cut(
            scores, **gold, metric=self.metric, labels=scale.labels, values=scale.values,
            greater_is_better=self.greater_is_better,
        )  # fmt: skip
        return self

    def predict(self, X: Any) -> Array:  # noqa: N803
        """Return the class of each item in which the prediction of the regressor lies."""
        check_is_fitted(self)
        answers = self.cuts_.predict(predicted_by(self.regressor_, X))
        return self._as_classes(answers, self.cuts_.scale)

    # One number for each item does not tell classes apart that have no order, as those of scikit-learn's checks.

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "poor_score": True}


def predicted_by(fitted: Any, features: Any) -> Array:
    """Return one number for each item."""
    return as_array(fitted.predict(features))
