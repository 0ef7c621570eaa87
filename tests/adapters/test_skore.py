"""Scorers in the reports of skore: names, directions and values."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate

import ordeval as oe
from ordeval.adapters.sklearn import scorer

pytestmark = pytest.mark.full

FEATURES, CODES = load_iris(return_X_y=True)
ORDER = ["low", "mid", "high"]  # the alphabet has 'high' first
GOLD = np.array(ORDER)[CODES]
MEASURES = ["cem_ord", "mae", "expected_cem", "ranked_probability_score"]
NAMES = ["cem_ord", "mae", "expected_cem", "neg_ranked_probability_score"]
MODEL = LogisticRegression(max_iter=500)


@pytest.fixture(scope="module")
def report():
    import skore

    split = {
        "X_train": FEATURES[::2],
        "y_train": GOLD[::2],
        "X_test": FEATURES[1::2],
        "y_test": GOLD[1::2],
    }
    made = skore.EstimatorReport(MODEL, **split)
    for measure in MEASURES:
        made.metrics.add(scorer(measure, labels=ORDER))
    return made


def test_a_report_has_the_values_of_the_measures(report):
    """An error of labels is shown as it is; scikit-learn's sign is kept where a scorer is called as a whole."""
    fitted = MODEL.fit(FEATURES[::2], GOLD[::2])
    test = CODES[1::2]
    columns = fitted.predict_proba(FEATURES[1::2])[:, [1, 2, 0]]
    codes = np.array([ORDER.index(word) for word in fitted.predict(FEATURES[1::2])])
    expected = [
        oe.cem_ord(test, codes),
        np.abs(test - codes).mean(),
        oe.expected_cem(test, columns),
        # by hand: the squared differences of both cumulative probabilities
        -((np.cumsum(columns, axis=1)[:, :2] - (np.arange(2) >= test[:, None])) ** 2).mean(),
    ]
    assert [report.metrics.get(name) for name in NAMES] == pytest.approx(expected)


def test_a_report_knows_which_direction_is_better(report):
    frame = report.metrics.summarize(metric=NAMES).frame(favorability=True)
    up = frame["favorability"].str.contains("↗")
    assert up.to_dict() == {
        "cem_ord": True,
        "mae": False,
        "expected_cem": True,
        "neg_ranked_probability_score": True,
    }


def test_a_cross_validated_report_scores_every_fold():
    import skore

    report = skore.CrossValidationReport(MODEL, FEATURES, GOLD, splitter=StratifiedKFold(3))
    scoring = {
        name: scorer(measure, labels=ORDER) for name, measure in zip(NAMES, MEASURES, strict=True)
    }
    for one in scoring.values():
        report.metrics.add(one)
    frame = report.metrics.summarize(metric=NAMES).frame(aggregate=None)
    expected = cross_validate(MODEL, FEATURES, GOLD, scoring=scoring, cv=StratifiedKFold(3))
    for name in NAMES:
        sign = -1 if name == "mae" else 1
        assert frame.loc[name].tolist() == pytest.approx(list(sign * expected[f"test_{name}"]))


def test_two_settings_of_a_measure_need_a_name(report):
    report.metrics.add(scorer("weighted_kappa", labels=ORDER))
    linear = scorer("weighted_kappa(weights='linear')", labels=ORDER)
    report.metrics.add(linear, name="linear_kappa")
    fitted = report.estimator_
    assert report.metrics.get("linear_kappa") == linear(fitted, FEATURES[1::2], GOLD[1::2])
