"""The order of the classes comes from the type of y, through all that scikit-learn does with y."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_validate, train_test_split
from sklearn.naive_bayes import GaussianNB

from ordeval.adapters.sklearn import CutPoints, OrdinalDecision, scorer

FEATURES, progress = load_diabetes(return_X_y=True)
CODES = np.digitize(progress, np.quantile(progress, [0.4, 0.8, 0.95]))
ORDER = ["none", "mild", "severe", "grave", "beyond"]  # not the alphabet's, and nobody has the last
OF_ARROW = pa.DictionaryArray.from_arrays(pa.array(CODES, pa.int8()), pa.array(ORDER), ordered=True)
IN_PANDAS = {
    "pandas Series": pd.Series(pd.Categorical.from_codes(CODES, ORDER, ordered=True)),
    "pandas Categorical": pd.Categorical.from_codes(CODES, ORDER, ordered=True),
    "pandas with another index": pd.Series(
        pd.Categorical.from_codes(CODES, ORDER, ordered=True), index=CODES.cumsum()[::-1] + 900
    ),
    "pandas with a type of Arrow": pd.Series(
        pd.arrays.ArrowExtensionArray(pa.chunked_array([OF_ARROW]))
    ),
}
ELSEWHERE = {
    "polars": pl.Series(np.array(ORDER)[CODES].tolist(), dtype=pl.Enum(ORDER)),  # scikit-learn 1.5
    "Arrow": OF_ARROW,  # 1.7
    "Arrow in chunks": pa.chunked_array([OF_ARROW[:200], OF_ARROW[200:]]),
}
EVERY = [
    *(pytest.param(name, column) for name, column in IN_PANDAS.items()),
    *(
        pytest.param(name, column, marks=pytest.mark.full)  # of the newest scikit-learn
        for name, column in ELSEWHERE.items()
    ),
]
NUMBERS = {name: scorer(name, labels=range(5)) for name in ("cem_ord", "ranked_probability_score")}
ORDERED = {name: scorer(name) for name in NUMBERS}
MODELS = [OrdinalDecision(GaussianNB(), metric="mae"), CutPoints(LinearRegression(), metric="mae")]


@pytest.mark.parametrize(("name", "y"), EVERY)
def test_scorers_find_the_order_in_every_fold(name, y):
    """As with numbers in place of the words; a class that nobody has counts for the measures that know it."""
    split = {"cv": 3, "error_score": "raise"}
    found = cross_validate(GaussianNB(), FEATURES, y, scoring=ORDERED, **split)
    expected = cross_validate(GaussianNB(), FEATURES, CODES, scoring=NUMBERS, **split)
    for scored in ORDERED:
        assert found[f"test_{scored}"] == pytest.approx(expected[f"test_{scored}"])


@pytest.mark.parametrize(("name", "y"), EVERY)
def test_a_grid_search_and_a_split_keep_the_order(name, y):
    grid = {"metric": ["accuracy", "macro_mae"]}
    best = [
        GridSearchCV(
            OrdinalDecision(GaussianNB(), cv=2), grid, scoring=scoring["cem_ord"], cv=2, error_score="raise"
        ).fit(FEATURES, gold).best_score_
        for scoring, gold in ((ORDERED, y), (NUMBERS, CODES))
    ]  # fmt: skip
    assert best[0] == pytest.approx(best[1])
    scores = []
    for scoring, gold in ((ORDERED, y), (NUMBERS, CODES)):
        train, test, gold_train, gold_test = train_test_split(
            FEATURES, gold, stratify=CODES, random_state=0
        )
        fitted = GaussianNB().fit(train, gold_train)
        scores.append([one(fitted, test, gold_test) for one in scoring.values()])
    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("model", MODELS, ids=["OrdinalDecision", "CutPoints"])
@pytest.mark.parametrize("name", [*IN_PANDAS, *ELSEWHERE])
def test_estimators_find_the_order_when_they_are_fitted(name, model):
    y = {**IN_PANDAS, **ELSEWHERE}[name]
    in_words = model.fit(FEATURES, y).predict(FEATURES)
    in_numbers = model.fit(FEATURES, CODES).predict(FEATURES)
    assert (in_words == np.array(ORDER)[in_numbers]).all()


@pytest.mark.parametrize("model", MODELS, ids=["OrdinalDecision", "CutPoints"])
@pytest.mark.parametrize(("name", "y"), EVERY)
def test_estimators_find_the_order_in_every_fold(name, y, model):
    found = cross_validate(model, FEATURES, y, scoring=ORDERED["cem_ord"], cv=2)
    expected = cross_validate(model, FEATURES, CODES, scoring=NUMBERS["cem_ord"], cv=2)
    assert found["test_score"] == pytest.approx(expected["test_score"])


def test_an_unordered_type_has_no_order():
    y = pd.Series(pd.Categorical.from_codes(CODES, ORDER))
    for scoring in ORDERED.values():
        with pytest.raises(ValueError, match="cannot tell the order"):
            cross_validate(GaussianNB(), FEATURES, y, scoring=scoring, error_score="raise")
