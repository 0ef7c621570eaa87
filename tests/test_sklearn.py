"""A measure works wherever scikit-learn's functions do: tested with the real thing."""

import copy
import math
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_validate, permutation_test_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import ordeval as oe

LABELS = [n for n, m in oe.registry.items() if not m.takes_probabilities]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.mark.parametrize("name", LABELS)
def test_a_measure_is_a_scorer_and_its_direction_is_its_sign(name, wine):
    metric = oe.registry[name]
    features, classes = wine
    model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(features, classes)
    scorer = make_scorer(metric, greater_is_better=metric.greater_is_better)
    sign = 1 if metric.greater_is_better else -1
    assert scorer(model, features, classes) == pytest.approx(
        sign * metric(classes, model.predict(features))
    )
    assert name in repr(scorer)
    twin = pickle.loads(pickle.dumps(copy.deepcopy(scorer)))  # noqa: S301
    assert twin(model, features, classes) == scorer(model, features, classes)


def test_settings_and_weights_pass_through_a_scorer(wine):
    features, classes = wine
    model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(features, classes)
    weight = np.linspace(0.5, 2, len(classes))
    scorer = make_scorer(oe.weighted_kappa, weights="quadratic", labels=[0, 1, 2])
    theirs = cohen_kappa_score(
        classes, model.predict(features), weights="quadratic", sample_weight=weight
    )
    assert scorer(model, features, classes, sample_weight=weight) == pytest.approx(theirs)


@pytest.mark.later
def test_cross_validation_in_two_processes_gives_what_one_gives(wine):
    scoring = {str(m): make_scorer(m) for m in (oe.cem_ord, oe.registry["accuracy_within(n=0)"])}
    model = make_pipeline(StandardScaler(), LogisticRegression())
    alone = cross_validate(model, *wine, scoring=scoring, cv=3)
    together = cross_validate(model, *wine, scoring=scoring, cv=3, n_jobs=2)
    for name in scoring:
        assert together[f"test_{name}"] == pytest.approx(alone[f"test_{name}"])
        assert (together[f"test_{name}"] > 0.9).all()


def test_a_grid_search_refits_by_a_measure(wine):
    depths = {"max_depth": [1, 3]}
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        depths,
        scoring={
            "cem": make_scorer(oe.cem_ord),
            "mae": make_scorer(oe.mae, greater_is_better=False),
        },
        refit="cem",
        cv=3,
    ).fit(*wine)
    assert search.best_params_ == {"max_depth": 3}
    assert (search.cv_results_["mean_test_mae"] <= 0).all()
    assert clone(search).get_params()["scoring"]["cem"] is not None
    assert clone(search).fit(*wine).best_score_ == search.best_score_


def test_text_classes_are_scored_with_their_order(wine):
    features, classes = wine
    order = ["poor", "fair", "fine"]
    text = np.array(order)[classes]
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    scores = cross_validate(model, features, text, scoring=make_scorer(oe.mae, labels=order), cv=3)
    numbers = cross_validate(model, features, classes, scoring=make_scorer(oe.mae), cv=3)
    assert scores["test_score"].shape == (3,)
    assert np.isfinite(scores["test_score"]).all()
    assert np.isfinite(numbers["test_score"]).all()


def test_an_error_of_ours_is_a_failed_score_and_no_crash(wine):
    features, classes = wine
    text = np.array(["poor", "fair", "fine"])[classes]  # and no order is given
    model = DecisionTreeClassifier(max_depth=1, random_state=0)
    scorer = make_scorer(oe.cem_ord)
    with pytest.warns(UserWarning, match="cannot tell the order of the classes"):
        failed = cross_validate(model, features, text, scoring=scorer, cv=3, error_score=math.nan)
    assert np.isnan(failed["test_score"]).all()
    with pytest.raises(ValueError, match="cannot tell the order of the classes"):
        cross_validate(model, features, text, scoring=scorer, cv=3, error_score="raise")


def test_class_probabilities_are_scored_by_the_probabilistic_measures(wine):
    features, classes = wine
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(features, classes)
    for metric in (oe.ranked_probability_score, oe.expected_cem):
        scorer = make_scorer(metric, response_method="predict_proba")
        assert scorer(model, features, classes) == metric(classes, model.predict_proba(features))
    assert oe.expected_cem(classes, model.predict_proba(features)) > 0.9


def test_a_permutation_test_takes_a_measure(wine):
    score, permuted, p = permutation_test_score(
        DecisionTreeClassifier(max_depth=2, random_state=0),
        *wine,
        scoring=make_scorer(oe.cem_ord),
        n_permutations=9,
        cv=2,
        random_state=0,
    )
    assert score > permuted.max()
    assert p == pytest.approx(0.1)
