"""What both estimators share: an inner estimator, trained on all items and on folds, its metadata and its tags."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import Bunch, assert_all_finite, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ordeval.adapters.sklearn.classes import places_on
from ordeval.adapters.sklearn.folds import held_out, splits_of
from ordeval.aliases import Array
from ordeval.columns import as_array, read_column
from ordeval.decide.reading import read_gold
from ordeval.errors import NoItemsError
from ordeval.inputs.arrays import codes_on_scale
from ordeval.scale import Scale

PREFIT = "prefit"


class Training(NamedTuple):
    """The items to train on: their labels as an array, the scale, and the code of each label on it."""

    features: Any
    given: Any  # the labels in the library of the features, where scikit-learn computes in that library
    y: Array
    scale: Scale
    codes: Array
    weight: Any
    routed: Any  # the metadata that the inner estimator and the splitter get


class RuleClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that answers by a rule, which is fitted to what an inner estimator says of held-out items."""

    _inner_name: str  # of the parameter that is the inner estimator

    @property
    def _inner(self) -> Any:
        return getattr(self, self._inner_name)

    @property
    def _is_prefit(self) -> bool:
        return isinstance(self.cv, str) and self.cv == PREFIT

    def _read(self, features: Any, y: Any, weight: Any, params: Mapping[str, Any]) -> Training:
        """Check the items to train on, and find their scale."""
        weight = None if weight is None else as_array(weight)
        if weight is not None and not np.any(weight):
            # scikit-learn's checks want this word
            raise NoItemsError("every sample_weight is zero. Pass one above zero.")
        features, y, _ = indexable(features, y, weight)
        given = column_or_1d(y, warn=True)
        array = as_array(given)
        if array.dtype.kind == "f":  # the target of a regression is no class
            assert_all_finite(array, input_name="y")
            check_classification_targets(array)
        # an ordered type says which class is lowest, an array made of it does not
        column = read_column(y, "y", self.labels)
        scale = Scale.infer(column, labels=self.labels, values=self.values)
        codes = read_gold(y, scale, len(array))
        return Training(features, given, array, scale, codes, weight, self._routed(weight, params))

    def _routed(self, weight: Any, params: Mapping[str, Any]) -> Any:
        """Return what the `fit` of the inner estimator and the `split` of the splitter get beside the items."""
        given = dict(params) if weight is None else {**params, "sample_weight": weight}
        if get_config()["enable_metadata_routing"]:
            return process_routing(self, "fit", **given)
        if "sample_weight" not in inspect.signature(self._inner.fit).parameters:
            given.pop("sample_weight", None)
        return Bunch(estimator=Bunch(fit=given), splitter=Bunch(split={}))

    def _trained(self, training: Training, target: Any) -> Any:
        """Return the inner estimator, trained on all items; one that came fitted, as it is."""
        if self._is_prefit:
            check_is_fitted(self._inner)
            fitted = self._inner
        else:
            fitted = clone(self._inner)
            fitted.fit(training.features, target, **training.routed.estimator.fit)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return fitted

    def _held_out(
        self, training: Training, target: Any, respond: Callable[[Any, Any], Array]
    ) -> tuple[Array, dict[str, Any]]:
        """Return what the inner estimator says of items that it was not trained on, and their labels and weights."""
        features, y, weight, routed = (
            training.features, training.y, training.weight, training.routed
        )  # fmt: skip
        if self._is_prefit:
            return respond(self._inner, features), {"y_true": y, "sample_weight": weight}
        splits = splits_of(self.cv, features, y, **routed.splitter.split)
        where, responses = held_out(
            self._inner, features, target, splits, respond=respond, params=routed.estimator.fit, n_jobs=self.n_jobs
        )  # fmt: skip
        weight = None if weight is None else weight[where]
        return responses, {"y_true": y[where], "sample_weight": weight}

    def _as_classes(self, answers: Array, scale: Scale) -> Array:
        """Return labels of a scale as scikit-learn has them, in the type of y."""
        codes = codes_on_scale(read_column(answers, "answers"), scale)
        return np.asarray(self.classes_[np.argsort(places_on(scale, self.classes_))][codes])

    def get_metadata_routing(self) -> Any:
        """Return which metadata this estimator takes, and where they go."""
        to_fit, to_split = (
            MethodMapping().add(caller="fit", callee=callee) for callee in ("fit", "split")
        )
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(estimator=self._inner, method_mapping=to_fit)
            .add(splitter=self.cv, method_mapping=to_split)
        )

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._inner).input_tags
        return tags

    def _more_tags(self) -> dict[str, Any]:
        """Return what `__sklearn_tags__` does, to scikit-learn before 1.6."""
        from sklearn.utils._tags import _safe_tags

        return {
            name: _safe_tags(self._inner, name) for name in ("pairwise", "allow_nan", "X_types")
        }
