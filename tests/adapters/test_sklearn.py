import doctest

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
    found = cross_validate(MODEL, FEATURES, GOLD, scoring=scoring, cv=3, n_jobs=2)
    fitted = MODEL.fit(FEATURES, GOLD)
    assert (found["test_mae"] <= 0).all()
    assert (found["test_ranked_probability_score"] < 0).all()
    assert scoring["mae"](fitted, FEATURES, GOLD) == -oe.mae(GOLD, fitted.predict(FEATURES))
    # By hand: the mean over items of the squared differences of the cumulative probabilities, over the two cuts.
    below = np.cumsum(fitted.predict_proba(FEATURES), axis=1)[:, :2]
    by_hand = ((below - (np.arange(2) >= GOLD[:, None])) ** 2).sum(axis=1).mean() / 2
    assert scoring["ranked_probability_score"](fitted, FEATURES, GOLD) == pytest.approx(-by_hand)


def test_an_unknown_measure_is_named_at_once():
    with pytest.raises(oe.OrdevalError, match="Did you mean cem_ord"):
        adapter.scorer("cem_odr")


def test_the_example_runs():
    assert doctest.testmod(adapter).failed == 0
