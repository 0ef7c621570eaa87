"""Cut points from the caller's side: what is read, what is refused, and what the result says."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.errors import DataError, LabelError, LabelTypeError, NoItemsError, ParameterError

SCORES = [0.1, 0.4, 0.35, 0.8, 0.9, 0.7]
GOLD = ["low", "mid", "low", "high", "high", "mid"]
CLASSES = ["low", "mid", "high"]


def noisy(n=400, seed=0):
    """Return gold marks from 1 to 5, and scores that follow them on another unit."""
    rng = np.random.default_rng(seed)
    gold = rng.choice([1, 2, 3, 4, 5], n, p=[0.1, 0.2, 0.4, 0.2, 0.1])
    return 10 * gold + 8 * rng.normal(size=n), gold


def test_points_lie_between_the_classes():
    # low 0.1 0.35, mid 0.4 0.7, high 0.8 0.9: cut midway between 0.35 and 0.4, and between 0.7 and 0.8
    cuts = oe.decide.cut(SCORES, GOLD, metric="mae", labels=CLASSES)
    assert cuts.points == pytest.approx((0.375, 0.75))
    assert cuts.value == 0.0
    assert cuts.exact
    assert cuts.predict([0.0, 0.375, 0.74, 0.75, 9.0]).tolist() == [
        "low",
        "mid",
        "mid",
        "high",
        "high",
    ]


def test_answers_are_labels_of_the_scale():
    scores, gold = noisy()
    cuts = oe.decide.cut(scores, gold, metric="weighted_kappa")
    answers = cuts.predict(scores)
    assert answers.dtype.kind == "i"
    assert oe.weighted_kappa(gold, answers, labels=[1, 2, 3, 4, 5]) == pytest.approx(cuts.value)
    nearest = oe.weighted_kappa(gold, np.clip(np.floor(scores + 0.5), 1, 5), labels=[1, 2, 3, 4, 5])
    assert cuts.value_of["nearest"] == pytest.approx(nearest)


def test_weights_and_counts_are_those_of_the_measures():
    scores, gold = noisy(60)
    weight = np.random.default_rng(1).random(60)
    cuts = oe.decide.cut(scores, gold, metric="mae", sample_weight=weight)
    value = oe.mae(gold, cuts.predict(scores), labels=[1, 2, 3, 4, 5], sample_weight=weight)
    assert cuts.value == pytest.approx(value)
    times = np.arange(60) % 3
    counted = oe.decide.cut(scores, gold, metric="cem_ord", count=times)
    spelled_out = oe.decide.cut(np.repeat(scores, times), np.repeat(gold, times), metric="cem_ord")
    assert counted.points == spelled_out.points
    assert counted.value == pytest.approx(spelled_out.value)


def test_the_measure_may_be_a_function_of_counts():
    def right(counts):
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    scores, gold = noisy(80)
    own = oe.decide.cut(scores, gold, metric=right)
    assert own.value == oe.decide.cut(scores, gold, metric="accuracy").value
    assert own.exact


@pytest.mark.parametrize("make", [list, np.asarray, pd.Series, pl.Series, np.float32])
def test_any_column_of_numbers_is_read(make):
    cuts = oe.decide.cut(make(SCORES), GOLD, metric="mae", labels=CLASSES)
    assert cuts.points == pytest.approx((0.375, 0.75))


@pytest.mark.parametrize(
    ("scores", "error", "words"),
    [
        ([0.1, math.nan, 0.2, 0.3, math.nan, 1], LabelError, "item 1 is missing.*2 items"),
        ([0.1, None, 0.2, 0.3, 0.4, 1], LabelError, "item 1 is missing"),
        ([0.1, math.inf, 0.2, 0.3, 0.4, 1], LabelError, "item 1 is inf"),
        (["0.1"] * 6, LabelTypeError, "'0.1' is not a number"),
        (np.array(["0.1"] * 6), LabelTypeError, "a score is a number"),
        ([10**400] * 6, LabelTypeError, "is not a number"),
        (np.zeros((6, 3)), LabelError, r"shape \(6, 3\).*decide.fit"),
        (pd.DataFrame({"a": SCORES, "b": SCORES}), LabelError, r"shape \(6, 2\)"),
        (np.array(1.0), LabelError, "one number for each item"),
        ("0.1", LabelTypeError, "scores is '0.1'"),
        ([], NoItemsError, "scores is empty"),
        ([0.1, 0.2], LabelError, "6 labels and scores has 2"),
    ],
)  # fmt: skip
def test_what_is_no_score_is_refused(scores, error, words):
    with pytest.raises(error, match=words):
        oe.decide.cut(scores, GOLD, labels=CLASSES)


def test_gold_off_the_scale_is_refused():
    with pytest.raises(LabelError, match="'huge' is not on the scale"):
        oe.decide.cut(SCORES, [*GOLD[:5], "huge"], labels=CLASSES)
    with pytest.raises(LabelError, match="missing"):
        oe.decide.cut(SCORES, [*GOLD[:5], None], labels=CLASSES)


def test_a_measure_without_a_value_is_refused():
    # all scores are equal, so that all answers are
    with pytest.raises(ParameterError, match="kendall_tau_b is undefined wherever"):
        oe.decide.cut([1.0] * 6, GOLD, metric="kendall_tau_b", labels=CLASSES)


def test_a_constant_score_gets_one_answer():
    cuts = oe.decide.cut([1.0] * 5, [1, 2, 2, 2, 3], metric="accuracy")
    assert cuts.points == (-math.inf, math.inf)
    assert cuts.predict([-5, 1, 7]).tolist() == [2, 2, 2]
    assert "Classes 1 and 3 are never answered." in str(cuts)
    again = oe.decide.Cuts.from_json(cuts.to_json())
    assert again.points == cuts.points
    assert json.loads(cuts.to_json())["points"] == ["-inf", "inf"]


def test_one_class_and_one_item_are_enough():
    cuts = oe.decide.cut([1.0, 2.0], ["a", "a"], labels=["a"])
    assert cuts.points == ()
    assert cuts.predict([3.0]).tolist() == ["a"]
    alone = oe.decide.cut([1.0], ["b"], labels=["a", "b"])
    assert alone.points == (-math.inf,)
    assert alone.held_out is None
    assert "not fitted on" not in str(alone)


def test_json_brings_the_points_back():
    scores, gold = noisy()
    cuts = oe.decide.cut(scores, gold, metric="weighted_kappa(weights='linear')")
    again = oe.decide.Cuts.from_json(cuts.to_json())
    assert again.points == cuts.points
    assert again.measure == cuts.measure
    assert again.scale == cuts.scale
    assert (again.predict(scores) == cuts.predict(scores)).all()
    assert again.to_dict()["value"] == cuts.value
    assert again.held_out is None


@pytest.mark.parametrize(
    "change",
    [
        {"points": [1.0]}, {"points": [2.0, 1.0]}, {"points": ["far", 1.0]}, {"points": None}, {"kind": "decision"},
        {"schema": 99}, {"value": None}, {"scale": 3}, {"value_of": {"nearest": "far", "shares": None}}, {"input": {}},
    ],
)  # fmt: skip
def test_json_of_another_kind_is_refused(change):
    cuts = oe.decide.cut(SCORES, GOLD, metric="mae", labels=CLASSES)
    content = {**json.loads(cuts.to_json()), **change}
    with pytest.raises(DataError):
        oe.decide.Cuts.from_json(json.dumps(content))


def test_what_points_gain_is_told_on_items_that_they_were_not_fitted_on():
    scores, gold = noisy(1000)
    cuts = oe.decide.cut(scores, gold, metric="weighted_kappa")
    # Rounding answers 5 to nearly all of these scores, which lie about 10 to 50.
    gain = cuts.held_out.over("nearest")
    assert gain.outcome == "better"
    assert gain.gain == pytest.approx(cuts.held_out.score.value - gain.value)
    assert 0.5 < cuts.held_out.score.value <= cuts.value + 0.02
    assert "significantly better than the rounded score" in " ".join(cuts.lead)
    assert cuts.held_out.folds == 5


def test_the_result_describes_itself():
    scores, gold = noisy()
    cuts = oe.decide.cut(scores, gold, metric="mae")
    assert repr(cuts).startswith("Cuts(mae, points=[")
    text = str(cuts)
    assert "No other cut points are better on these items." in text
    assert text.splitlines()[0].startswith("By mae, these cut points reach ")
    rows = cuts.to_csv().splitlines()
    assert rows[0] == "answer,from,below"
    assert rows[1] == f"1,,{cuts.points[0]!r}"
    assert rows[2] == f"2,{cuts.points[0]!r},{cuts.points[1]!r}"
    assert cuts.to_dict()["kind"] == "cut points"


def test_small_scores_are_shown_with_enough_digits():
    scores, gold = noisy()
    small = oe.decide.cut(np.asarray(scores) / 1e6, gold, metric="mae")
    # classes are about 1e-5 wide, of which three digits need seven decimals, or eight if one is narrower
    decimals = 2 - math.floor(math.log10(min(np.diff(small.points))))
    assert decimals in {7, 8}
    assert f"  {small.points[0]:.{decimals}f}\n" in str(small)
