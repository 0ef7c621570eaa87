"""The scorer of probabilities takes part in scikit-learn's metadata routing, as its own scorers do."""

import copy
import inspect
import pickle

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, check_scoring, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB

import ordeval as oe
from ordeval.adapters.sklearn import scorer

FEATURES, GOLD = load_iris(return_X_y=True)
WEIGHT = np.random.default_rng(0).uniform(0.1, 5, len(GOLD))
FOLDS = list(StratifiedKFold(3).split(FEATURES, GOLD))
RPS = "ranked_probability_score"


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


def by_hand(weight):
    """The ranked probability score of each fold, negative: the squared differences of both cumulative probabilities."""
    scores = []
    for train, test in FOLDS:
        fitted = GaussianNB().fit(FEATURES[train], GOLD[train])
        below = np.cumsum(fitted.predict_proba(FEATURES[test]), axis=1)[:, :2]
        costs = ((below - (np.arange(2) >= GOLD[test][:, None])) ** 2).sum(axis=1) / 2
        scores.append(-np.average(costs, weights=weight[test]))
    return pytest.approx(scores)


def bayes():
    """A classifier that is trained without weights."""
    return GaussianNB().set_fit_request(sample_weight=False)


@pytest.mark.usefixtures("routing")
def test_requested_weights_reach_the_scorer_in_cross_validation():
    weighted = scorer(RPS, labels=[0, 1, 2]).set_score_request(sample_weight=True)
    params = {"sample_weight": WEIGHT}
    found = cross_val_score(bayes(), FEATURES, GOLD, scoring=weighted, cv=FOLDS, params=params)
    assert found == by_hand(WEIGHT)


@pytest.mark.usefixtures("routing")
def test_weights_go_to_those_of_several_scorers_that_request_them():
    scoring = {
        "weighted": scorer(RPS).set_score_request(sample_weight=True),
        "plain": scorer(RPS).set_score_request(sample_weight=False),
        "labels": scorer("accuracy").set_score_request(sample_weight=True),
        "theirs": make_scorer(accuracy_score).set_score_request(sample_weight=True),
    }
    found = cross_validate(
        bayes(), FEATURES, GOLD, scoring=scoring, cv=FOLDS, params={"sample_weight": WEIGHT}
    )
    assert found["test_weighted"] == by_hand(WEIGHT)
    assert found["test_plain"] == by_hand(np.ones(len(GOLD)))
    assert found["test_labels"] == pytest.approx(found["test_theirs"])


@pytest.mark.usefixtures("routing")
def test_weights_may_have_another_name_and_counts_are_metadata_too():
    named = scorer(RPS).set_score_request(sample_weight="importance")
    found = cross_val_score(
        GaussianNB(), FEATURES, GOLD, scoring=named, cv=FOLDS, params={"importance": WEIGHT}
    )
    assert found == by_hand(WEIGHT)
    times = np.arange(len(GOLD)) % 3
    counted = scorer(RPS).set_score_request(count=True)
    found = cross_val_score(
        GaussianNB(), FEATURES, GOLD, scoring=counted, cv=FOLDS, params={"count": times}
    )
    assert found == by_hand(times)


@pytest.mark.usefixtures("routing")
def test_weights_that_nobody_asked_for_are_an_error():
    """If they were left out silently, the scores would look weighted and not be."""
    for scoring in (scorer(RPS), scorer(RPS).set_score_request(count=True)):
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            cross_validate(
                bayes(), FEATURES, GOLD, scoring=scoring, params={"sample_weight": WEIGHT}
            )


@pytest.mark.usefixtures("routing")
def test_a_grid_search_its_copy_and_a_pickle_keep_the_request():
    weighted = scorer(RPS).set_score_request(sample_weight=True)
    grid = {"var_smoothing": [1e-9]}
    for scoring in (weighted, copy.deepcopy(weighted), pickle.loads(pickle.dumps(weighted))):  # noqa: S301
        search = clone(GridSearchCV(bayes(), grid, scoring=scoring, cv=FOLDS))
        search.fit(FEATURES, GOLD, sample_weight=WEIGHT)
        splits = [search.cv_results_[f"split{at}_test_score"][0] for at in range(3)]
        assert splits == by_hand(WEIGHT)


@pytest.mark.usefixtures("routing")
def test_changing_the_request_of_a_copy_leaves_the_scorer_as_it_was():
    first = scorer(RPS).set_score_request(sample_weight=True)
    copy.deepcopy(first).set_score_request(sample_weight=False)
    assert first.get_metadata_routing().score.requests == {"sample_weight": True}


def test_a_request_without_routing_says_what_to_switch_on():
    with pytest.raises(oe.OrdevalError, match="enable_metadata_routing=True"):
        scorer(RPS).set_score_request(sample_weight=True)


def test_scikit_learn_takes_the_scorer_for_one():
    scoring = scorer(RPS, labels=[0, 1, 2])
    model = LogisticRegression()
    assert check_scoring(model, scoring=scoring) is scoring
    assert get_scorer(scoring) is scoring
    assert scoring._accept_sample_weight()
    # skore and others take a callable whose first three arguments have no default, and whose other ones do
    parameters = list(inspect.signature(scoring).parameters.values())
    assert [one.name for one in parameters[:3]] == ["estimator", "X", "y_true"]
    assert all(one.default is None for one in parameters[3:])


def test_an_error_is_named_as_scikit_learn_names_what_it_negates():
    assert scorer("expected_cem").__name__ == "expected_cem"
    assert scorer(RPS).__name__ == "neg_ranked_probability_score"
    assert repr(scorer(RPS)) == f"ProbabilityScorer(measure=<measure {RPS}>, options={{}})"


@pytest.mark.full  # scikit-learn 1.7 and later: older ones do not pass weights to a scorer without routing
def test_a_grid_search_without_routing_weights_the_scores_as_it_does_for_other_scorers():
    for scoring in (scorer(RPS), {"rps": scorer(RPS), "mae": scorer("mae")}):
        search = GridSearchCV(
            LogisticRegression(max_iter=500), {"C": [1.0]}, scoring=scoring, refit=False, cv=FOLDS
        ).fit(FEATURES, GOLD, sample_weight=WEIGHT)
        name = "score" if callable(scoring) else "rps"
        for at, (train, test) in enumerate(FOLDS):
            fitted = LogisticRegression(max_iter=500).fit(
                FEATURES[train], GOLD[train], sample_weight=WEIGHT[train]
            )
            expected = scorer(RPS)(fitted, FEATURES[test], GOLD[test], sample_weight=WEIGHT[test])
            assert search.cv_results_[f"split{at}_test_{name}"][0] == pytest.approx(expected)
