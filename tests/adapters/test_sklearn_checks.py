"""OrdinalDecision and CutPoints beside the checks that scikit-learn has for every estimator."""

from functools import partial

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_checks

from ordeval.adapters.sklearn import CutPoints, OrdinalDecision
from tests.examples import grid

# The labels of scikit-learn's checks, some of which are words: their order has to be declared. And its checks want the
# most probable class to be the answer, which serves accuracy.
DECLARED = [-1, 0, 1, 2, 3, 4, "one", "two", "three"]
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
CHECKED = [
    OrdinalDecision(TREE, metric="accuracy", labels=DECLARED),
    CutPoints(Ridge(), metric="mae", labels=DECLARED),
]


def checks_of(model):
    """All checks of scikit-learn, but for those that need an environment variable before SciPy is imported."""
    generate = getattr(  # since 1.6
        estimator_checks,
        "estimator_checks_generator",
        partial(estimator_checks.check_estimator, generate_only=True),
    )
    return [(model, check) for model, check in generate(model) if "array_api" not in str(check)]


@grid(
    "model, check",
    [each for model in CHECKED for each in checks_of(model)],
    every=4,
    ids=lambda one: one.func.__name__ if isinstance(one, partial) else type(one).__name__,
)
def test_the_estimators_pass_the_checks_of_scikit_learn(model, check):
    check(model)


# What docs/howto/sklearn.md says of estimators: a check fits words, and another wants the most probable class.
WORDS = {"check_classifiers_classes": "the order of words is not guessed"}
ANSWERS = {"check_classifiers_train": "the answers serve a measure"}


@pytest.mark.full  # scikit-learn 1.6 and later
@pytest.mark.parametrize(
    ("model", "may_fail"),
    [
        (OrdinalDecision(LogisticRegression(tol=0.01)), {**WORDS, **ANSWERS}),
        (CutPoints(Ridge()), WORDS),
    ],
    ids=["OrdinalDecision", "CutPoints"],
)
def test_as_they_are_they_fail_no_checks_but_those_that_the_documentation_names(model, may_fail):
    found = estimator_checks.check_estimator(
        model, expected_failed_checks=may_fail, on_skip=None, on_fail="raise"
    )
    failed = {one["check_name"] for one in found if one["status"] == "xfail"}
    assert {*WORDS} <= failed <= {*may_fail}
    others = {one["check_name"] for one in found if one["status"] not in {"xfail", "passed"}}
    assert others <= {"check_array_api_input"}  # which needs an environment variable
