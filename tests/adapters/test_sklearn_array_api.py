"""Scorers and estimators where scikit-learn computes in the library of its input (`array_api_dispatch=True`)."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

# SciPy reads the variable when it is imported, so this needs a process of its own.
PROGRAM = """
import sys
import warnings

import array_api_strict as xp
import numpy as np
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from ordeval.adapters.sklearn import CutPoints, OrdinalDecision, scorer

warnings.simplefilter("error")
features, gold = load_iris(return_X_y=True)
weight = np.linspace(1, 2, len(gold))
there = xp.Device(sys.argv[1])
data = [xp.asarray(each, device=there) for each in (features, gold, weight)]
scoring = {name: scorer(name) for name in ("cem_ord", "mae", "ranked_probability_score")}
lda = LinearDiscriminantAnalysis()

with config_context(array_api_dispatch=True):
    fitted = lda.fit(*data[:2])
    assert not isinstance(fitted.predict_proba(data[0]), np.ndarray)
    theirs = {name: one(fitted, *data[:2], sample_weight=data[2]) for name, one in scoring.items()}
    in_folds = cross_validate(lda, *data[:2], scoring=scoring, cv=3, error_score="raise")
    models = [OrdinalDecision(lda), OrdinalDecision(GaussianNB()), CutPoints(Ridge(solver="svd"))]
    answers = [model.fit(*data[:2]).predict(data[0]) for model in models]
    weighted = [model.fit(*data).predict(data[0]) for model in models[1:]]
    assert models[0].score(*data[:2]) > 0.9

plain = lda.fit(features, gold)
for name, one in scoring.items():
    assert np.isclose(theirs[name], one(plain, features, gold, sample_weight=weight)), name
for name, scores in cross_validate(lda, features, gold, scoring=scoring, cv=3).items():
    assert "time" in name or np.allclose(in_folds[name], scores), name
for model, found in zip(models, answers, strict=True):
    assert (found == model.fit(features, gold).predict(features)).all(), model
for model, found in zip(models[1:], weighted, strict=True):
    assert (found == model.fit(features, gold, sample_weight=weight).predict(features)).all(), model
print("the same")
"""


@pytest.mark.full  # the classifiers of scikit-learn that support it: 1.8 and later
@pytest.mark.parametrize("device", ["CPU_DEVICE", "device1"])
def test_arrays_of_another_library_are_scored_and_decided_like_those_of_numpy(device):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, device], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "SCIPY_ARRAY_API": "1"}, check=False,
    )  # fmt: skip
    assert result.stdout == "the same\n", result.stderr
