"""What an estimator says of items that it was not trained on."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from ordeval.aliases import Array
from ordeval.errors import DataError, ParameterError

Splits = list[tuple[Array, Array]]
DEFAULT = 5


def splits_of(cv: Any, features: Any, y: Array, **options: Any) -> Splits:
    """Return the items to train on and those to hold out, for each fold; no item is held out twice."""
    if cv is None:
        cv = DEFAULT
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        return stratified(int(cv), y)
    if isinstance(cv, str | bool | float):
        raise ParameterError(
            f"cv={cv!r:.60} does not say how to split the items; it is a number of folds, a splitter of "
            f"scikit-learn, a list of pairs of indices, or 'prefit' for an estimator that is fitted already."
        )
    given = check_cv(cv, y, classifier=True).split(features, y, **options)
    every = np.arange(len(y))  # of which ranges and masks select some, as lists of indices do
    splits = [(every[np.asarray(train)], every[np.asarray(test)]) for train, test in given]
    held_out = np.concatenate([test for _, test in splits])
    if len(np.unique(held_out)) < len(held_out):
        raise ParameterError(
            f"cv={cv!r:.60} holds out some items more than once, and each may count once. Pass a splitter "
            f"that does not repeat itself, such as StratifiedKFold."
        )
    return splits


def stratified(folds: int, y: Array) -> Splits:
    """Return the folds of scikit-learn's `StratifiedKFold`, and make them where a class has fewer items than folds.

    There scikit-learn warns, or refuses. The rarest class of an ordered scale is often that rare.
    """
    if folds < 2:
        raise ParameterError(f"cv={folds!r:.60} is not a number of folds; it is 2 or more.")
    n = len(y)
    if n < 2:
        raise DataError(
            f"there is {n} item (n_samples = {n}), and cross-validation needs 2 or more. Pass more items, or a fitted "
            f"estimator with cv='prefit'."
        )
    folds = min(folds, n)
    _, first, codes = np.unique(y, return_index=True, return_inverse=True)
    # the classes are numbered by where they first occur, as scikit-learn does it
    codes = first.argsort().argsort()[codes.reshape(-1)]
    dealt = np.arange(n) % folds  # to the items sorted by class
    of_class = np.sort(codes)
    fold_of = np.empty(n, dtype=np.intp)
    fold_of[np.argsort(codes, kind="stable")] = dealt[np.lexsort((dealt, of_class))]
    return [(np.flatnonzero(fold_of != at), np.flatnonzero(fold_of == at)) for at in range(folds)]


def held_out(
    estimator: Any,
    features: Any,
    target: Any,
    splits: Splits,
    *,
    respond: Callable[[Any, Any], Array],
    params: Mapping[str, Any],
    n_jobs: int | None,
) -> tuple[Array, Array]:
    """Return which items are held out in some fold, and what `respond(fitted, features)` gives for each."""
    responses = Parallel(n_jobs=n_jobs)(
        delayed(of_fold)(clone(estimator), features, target, fold, respond=respond, params=params)
        for fold in splits
    )
    where = np.concatenate([test for _, test in splits])
    order = np.argsort(where)
    return where[order], np.concatenate(responses)[order]


def of_fold(
    estimator: Any,
    features: Any,
    target: Any,
    fold: tuple[Array, Array],
    *,
    respond: Callable[[Any, Any], Array],
    params: Mapping[str, Any],
) -> Array:
    """Return the responses to the held-out items of one fold, by an estimator that is trained on the others."""
    train, test = fold
    seen, of_seen = _safe_split(estimator, features, target, train)
    estimator.fit(seen, of_seen, **_check_method_params(features, params, indices=train))
    others, _ = _safe_split(estimator, features, target, test, train)
    return respond(estimator, others)
