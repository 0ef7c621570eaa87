import importlib
import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import ordeval as oe
from ordeval.adapters import sklearn as adapter

FEATURES, GOLD = load_iris(return_X_y=True)
MODEL = LogisticRegression(max_iter=500)


def test_an_error_is_negated_and_a_probabilistic_measure_gets_probabilities():
    scoring = {
        name: adapter.scorer(name, labels=[0, 1, 2])
        for name in ("cem_ord", "mae", "ranked_probability_score", "expected_cem")
    }
    found = cross_validate(MODEL, FEATURES, GOLD, scoring=scoring, cv=3)
    fitted = MODEL.fit(FEATURES, GOLD)
    assert (found["test_mae"] <= 0).all()
    assert (found["test_ranked_probability_score"] < 0).all()
    assert scoring["mae"](fitted, FEATURES, GOLD) == -oe.mae(GOLD, fitted.predict(FEATURES))
    # By hand: the mean over items of the squared differences of the cumulative probabilities, over the two cuts.
    below = np.cumsum(fitted.predict_proba(FEATURES), axis=1)[:, :2]
    by_hand = ((below - (np.arange(2) >= GOLD[:, None])) ** 2).sum(axis=1).mean() / 2
    assert scoring["ranked_probability_score"](fitted, FEATURES, GOLD) == pytest.approx(-by_hand)


@pytest.mark.later
def test_processes_that_share_the_work_give_the_scores_of_one():
    scoring = {name: adapter.scorer(name) for name in ("cem_ord", "mae")}
    alone, shared = (
        cross_validate(MODEL, FEATURES, GOLD, scoring=scoring, cv=3, n_jobs=jobs) for jobs in (1, 2)
    )
    for name in ("test_cem_ord", "test_mae"):
        assert shared[name].tolist() == alone[name].tolist()


def test_an_unknown_measure_is_named_at_once():
    with pytest.raises(oe.OrdevalError, match="Did you mean cem_ord"):
        adapter.scorer("cem_odr")


def test_the_columns_of_predict_proba_go_to_their_places_on_the_scale():
    """scikit-learn sorts classes by the alphabet: 'high', 'low', 'mid'."""
    names = np.array(["low", "mid", "high"])
    by_name = LogisticRegression(max_iter=500).fit(FEATURES, names[GOLD])
    assert list(by_name.classes_) == ["high", "low", "mid"]
    shares = by_name.predict_proba(FEATURES)[:, [1, 2, 0]]
    for measure in (oe.expected_cem, oe.ranked_probability_score):
        found = adapter.scorer(measure, labels=list(names))(by_name, FEATURES, names[GOLD])
        assert abs(found) == pytest.approx(measure(GOLD, shares))


def test_a_class_that_the_estimator_never_saw_has_no_probability():
    seen = GOLD != 1
    fitted = LogisticRegression(max_iter=500).fit(FEATURES[seen], GOLD[seen])
    shares = np.insert(fitted.predict_proba(FEATURES), 1, 0.0, axis=1)
    found = adapter.scorer("expected_cem")(fitted, FEATURES, GOLD)
    assert found == pytest.approx(oe.expected_cem(GOLD, shares))
    with pytest.raises(oe.OrdevalError, match="the estimator knows the class 2"):
        adapter.scorer("expected_cem", labels=[0, 1])(fitted, FEATURES[:100], GOLD[:100])


def test_two_classes_have_two_probabilities():
    two = GOLD < 2
    weight = np.linspace(1, 2, two.sum())
    fitted = LogisticRegression(max_iter=500).fit(FEATURES[two], GOLD[two])
    # By hand: one cut, below which the probability is that of class 0.
    by_hand = np.average(
        (fitted.predict_proba(FEATURES[two])[:, 0] - (GOLD[two] == 0)) ** 2, weights=weight
    )
    found = adapter.scorer("ranked_probability_score")(
        fitted, FEATURES[two], GOLD[two], sample_weight=weight
    )
    assert found == pytest.approx(-by_hand)


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("ordeval.adapters.sklearn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(oe.OrdevalError, match="Run: pip install scikit-learn"):
        importlib.import_module("ordeval.adapters.sklearn")
