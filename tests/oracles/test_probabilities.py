"""Scores of probabilities against scikit-learn, scoringrules and SciPy, with weights."""

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn import metrics as sk

import ordeval as oe

RNG = np.random.default_rng(2)
SIZES = [(2, 40), (3, 200), (7, 500)]


def draw(k, n):
    rows = RNG.dirichlet(np.full(k, 0.7), n)
    rows[::9] = np.eye(k)[
        RNG.integers(0, k, len(rows[::9]))
    ]  # some are sure, and some of these are wrong
    return RNG.integers(0, k, n), rows, RNG.gamma(2, 1, n)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("k", "n"), SIZES)
def test_log_loss_is_that_of_scikit_learn(k, n):
    gold, rows, weights = draw(k, n)
    options = {"labels": list(range(k))}
    assert oe.log_loss(gold, rows, **options) == close(sk.log_loss(gold, rows, **options))
    theirs = sk.log_loss(gold, rows, sample_weight=weights, **options)
    assert oe.log_loss(gold, rows, sample_weight=weights, **options) == close(theirs)
    found = oe.evaluate(gold, rows, metrics=["logloss"], sample_weight=weights, **options)
    assert found["log_loss"].value == close(theirs)


@pytest.mark.parametrize(("k", "n"), SIZES)
def test_the_brier_score_is_the_sum_over_the_classes_of_that_of_scikit_learn(k, n):
    gold, rows, weights = draw(k, n)
    for given in ({}, {"sample_weight": weights}):
        theirs = sum(sk.brier_score_loss(gold == at, rows[:, at], **given) for at in range(k))
        assert oe.brier_score(gold, rows, labels=range(k), **given) == close(theirs)


@pytest.mark.parametrize(("k", "n"), SIZES)
def test_the_ranked_probability_score_is_that_of_scoringrules_over_the_cuts(k, n, scoringrules):
    gold, rows, weights = draw(k, n)
    each = scoringrules.rps_score(gold + 1, rows) / (k - 1)
    assert oe.ranked_probability_score(gold, rows, labels=range(k)) == close(each.mean())
    found = oe.ranked_probability_score(gold, rows, labels=range(k), sample_weight=weights)
    assert found == close(np.average(each, weights=weights))


def test_the_log_loss_of_soft_gold_is_its_entropy_and_the_divergence_by_scipy():
    shares, rows = RNG.dirichlet(np.ones(4), 50), RNG.dirichlet(np.ones(4), 50)
    theirs = np.mean([entropy(s) + entropy(s, p) for s, p in zip(shares, rows, strict=True)])
    assert oe.log_loss(shares, rows, labels=range(4)) == close(theirs)
