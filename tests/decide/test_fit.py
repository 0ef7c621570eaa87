"""`oe.decide.fit`: what goes in, what comes out, what it gains, and what it refuses."""

import json
from math import log

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.decide.reading import ProbableItems
from ordeval.decide.recalibrate import recalibrated
from ordeval.decide.words import gain_words, warning_of
from ordeval.scale import Scale

LABELS = ["low", "mid", "high"]


def model(n=600, k=3, seed=0, sharpness=1.0):
    """Return gold drawn from probabilities, and these probabilities as a model says them: p ** sharpness."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.array([3.0, 1.0, 0.6, 0.4, 0.3][:k]), n)
    gold = (rows.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1)
    said = rows**sharpness
    return gold, said / said.sum(axis=1, keepdims=True)


def test_answers_are_labels_of_the_scale():
    gold, rows = model()
    rule = oe.decide.fit(rows, np.array(LABELS)[gold], metric="qwk", labels=LABELS)
    answers = rule.predict(rows)
    assert set(answers.tolist()) <= set(LABELS)
    assert answers.dtype.kind == "U"
    numbers = oe.decide.fit(rows, gold + 1, metric="qwk", labels=[1, 2, 3]).predict(rows)
    assert numbers.dtype.kind == "i"
    np.testing.assert_array_equal(np.array(LABELS)[numbers - 1], answers)


def test_a_row_that_was_not_fitted_gets_the_answer_of_the_rule():
    # accuracy: the most probable class
    rule = oe.decide.fit([[0.5, 0.3, 0.2]], metric="accuracy", labels=LABELS)
    assert rule.predict([[0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]).tolist() == ["high", "mid"]


def test_the_columns_of_a_frame_are_found_by_name():
    gold, rows = model()
    names = np.array(LABELS)[gold]
    rule = oe.decide.fit(rows, names, metric="macro_f1", labels=LABELS)
    shuffled = {LABELS[at]: rows[:, at] for at in (2, 0, 1)}
    for frame in (pd.DataFrame(shuffled), pl.DataFrame(shuffled)):
        other = oe.decide.fit(frame, names, metric="macro_f1", labels=LABELS)
        np.testing.assert_allclose(other.worth, rule.worth)
        np.testing.assert_array_equal(other.predict(frame), rule.predict(rows))
        np.testing.assert_array_equal(rule.predict(frame), rule.predict(rows))


def test_gold_labels_show_the_scale_if_nothing_is_declared():
    gold, rows = model()
    assert oe.decide.fit(rows, gold + 1, metric="mae").scale.labels == (1, 2, 3)
    assert oe.decide.fit(rows, metric="mae").scale.labels == (0, 1, 2)


def test_a_count_is_as_many_rows_and_a_weight_as_many_items():
    gold, rows = model(n=60)
    times = np.arange(60) % 3
    repeated = np.repeat(np.arange(60), times)
    plain = oe.decide.fit(rows[repeated], metric="qwk")
    counted = oe.decide.fit(rows, metric="qwk", count=times)
    weighted = oe.decide.fit(rows, metric="qwk", sample_weight=times / 7)
    assert counted.expected == pytest.approx(plain.expected, abs=1e-9)
    assert weighted.expected == pytest.approx(plain.expected, abs=1e-9)
    everything = oe.decide.fit(rows, gold, metric="qwk", count=times).held_out
    assert everything.over("mode").value == pytest.approx(
        oe.weighted_kappa(gold[repeated], rows[repeated].argmax(axis=1), weights="quadratic")
    )


def test_the_expected_value_is_that_of_the_table_that_the_probabilities_let_expect():
    # accuracy of two items by their most probable class: (0.6 + 0.9) / 2
    rule = oe.decide.fit([[0.6, 0.4], [0.1, 0.9]], metric="accuracy")
    assert rule.expected == pytest.approx(0.75)
    assert rule.expected_of["mode"] == pytest.approx(0.75)


@pytest.mark.later
def test_what_is_expected_comes_true_if_the_probabilities_do():
    gold, rows = model(n=20_000)
    for name in ("qwk", "macro_f1", "cem_ord", "mae"):
        rule = oe.decide.fit(rows, gold, metric=name)
        score = rule.held_out.score
        assert score.value == pytest.approx(rule.expected, abs=0.02)
        assert score.low <= score.value <= score.high


def test_the_gain_is_that_of_comparing_answers_of_rules_fitted_without_the_item():
    gold, rows = model(n=300)
    rule = oe.decide.fit(rows, gold, metric="macro_f1", folds=3)
    fold_of = np.random.default_rng(0).permutation(300) % 3
    answers = np.empty(300, dtype=int)
    for fold in range(3):
        out = fold_of == fold
        answers[out] = oe.decide.fit(rows[~out], metric="macro_f1").predict(rows[out])
    mode = rows.argmax(axis=1)
    compared = oe.compare(
        gold, {"rule": answers, "mode": mode}, metrics=["macro_f1"], primary="macro_f1", labels=[0, 1, 2]
    )  # fmt: skip
    pair = compared.pairs[0]
    sign = 1 if pair.a == "rule" else -1
    gain = rule.held_out.over("mode")
    assert gain.gain == pytest.approx(sign * pair.difference)
    assert gain.value == pytest.approx(oe.macro_f1(gold, mode))
    assert sorted([gain.low, gain.high]) == pytest.approx(
        sorted([sign * pair.low, sign * pair.high])
    )
    assert rule.held_out.score.value == pytest.approx(oe.macro_f1(gold, answers))


def test_a_gain_is_positive_where_the_rule_has_the_smaller_error():
    gold, rows = model(n=2000)
    rule = oe.decide.fit(rows, gold, metric="macro_mae")
    gain = rule.held_out.over("mode")
    assert rule.held_out.score.value < gain.value
    assert gain.gain == pytest.approx(gain.value - rule.held_out.score.value)
    assert 0 < gain.low <= gain.gain <= gain.high
    assert gain.outcome == "better"
    assert "significantly better than the most probable class" in str(rule)


def test_the_rule_of_accuracy_gains_nothing_over_the_most_probable_class():
    gold, rows = model()
    rule = oe.decide.fit(rows, gold, metric="accuracy")
    assert rule.held_out.over("mode").gain == 0
    assert "no better and no worse than the most probable class" in str(rule)


def test_a_rule_that_plain_answers_beat_is_announced():
    # The most probable class is near gold, and the rest of the mass says nothing.
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 5, 800)
    near = np.clip(gold + rng.integers(-1, 2, 800), 0, 4)
    rows = rng.dirichlet(np.full(5, 0.5), 800) + np.eye(5)[near]
    text = str(oe.decide.fit(rows / 2, gold, metric="qwk"))
    assert "The probabilities do not fit the gold labels" in text
    assert "calibrate=True" in text


def test_of_several_plain_answers_that_beat_a_rule_the_best_is_named():
    def worse(over, gain):
        return oe.decide.Gain(over, 0.5 - gain, gain, 2 * gain, gain / 2, 0.001, "worse")

    # the rule reaches 0.5, the median 0.6 and the rounded mean 0.7
    gains = (worse("median", -0.1), worse("mean", -0.2))
    said = warning_of(oe.decide.HeldOut(None, gains, 5), calibrated=True)
    assert said[0].endswith(
        "the rounded mean is significantly better. Answer with the rounded mean."
    )


@pytest.mark.later
def test_calibration_finds_the_sharpness_of_a_model_that_is_too_sure():
    # p ** 3 is said in place of p: the power 1/3 leads back
    gold, rows = model(n=20_000, sharpness=3.0)
    rule = oe.decide.fit(rows, gold, metric="qwk", calibrate=True)
    assert rule.calibration.sharpness == pytest.approx(1 / 3, abs=0.02)
    assert rule.calibration.offsets == pytest.approx((0, 0, 0), abs=0.05)
    plain = oe.decide.fit(rows, gold, metric="qwk")
    assert rule.held_out.score.value > plain.held_out.score.value
    assert abs(rule.expected - rule.held_out.score.value) < 0.03
    assert abs(plain.expected - plain.held_out.score.value) > 0.05


def test_calibration_is_where_the_penalised_likelihood_is_flat():
    # one item (0.8, 0.2) of class 1: minimise -log q1 + ((s - 1)^2 + b0^2 + b1^2) / 2; by symmetry b0 = -b1
    items = ProbableItems(Scale([0, 1]), np.array([[0.8], [0.2]]))
    found = recalibrated(items, np.array([1]))
    s, (b0, b1) = found.sharpness, found.offsets
    assert b0 == pytest.approx(-b1)
    q0 = 1 / (1 + np.exp((s * log(0.2) + b1) - (s * log(0.8) + b0)))
    # the derivatives by s, and by b1, of the sum above
    assert q0 * (log(0.8) - log(0.2)) + s - 1 == pytest.approx(0, abs=1e-6)
    assert -q0 + b1 == pytest.approx(0, abs=1e-6)


def test_calibration_sees_weights_as_so_many_items_and_only_their_ratios():
    gold, rows = model(n=60, sharpness=2.0)
    times = np.arange(60) % 3
    repeated = np.repeat(np.arange(60), times)
    expected = oe.decide.fit(rows[repeated], gold[repeated], calibrate=True).calibration
    # 60 rows that count 0, 1 or 2 times are 60 items
    for weights in ({"count": times}, {"sample_weight": times}, {"sample_weight": 1000 * times}):
        found = oe.decide.fit(rows, gold, calibrate=True, **weights).calibration
        assert found.sharpness == pytest.approx(expected.sharpness)
        assert found.offsets == pytest.approx(expected.offsets)


def test_abstaining_leaves_out_the_items_that_are_expected_to_lose_most():
    # by accuracy an answer is expected to lose 1 minus its probability: 0.1, 0.4, 0.45, 0.3
    rows = np.array([[0.9, 0.1], [0.6, 0.4], [0.45, 0.55], [0.3, 0.7]])
    rule = oe.decide.fit(rows, metric="accuracy", labels=["no", "yes"], abstain=0.25)
    assert rule.predict(rows).tolist() == ["no", "no", None, "yes"]
    assert rule.limit == pytest.approx(0.45)
    assert "unanswered" in str(rule)
    assert oe.decide.fit(rows, metric="accuracy").predict(rows).tolist() == [0, 0, 1, 1]


def test_items_that_lose_the_same_are_left_out_together_or_not_at_all():
    # by accuracy they lose 0.1, 0.4, 0.4 and 0.4: a half would part the last three
    rows = np.array([[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.6, 0.4]])
    rule = oe.decide.fit(rows, metric="accuracy", abstain=0.5)
    assert rule.limit is None
    assert rule.predict(rows).tolist() == [0, 0, 1, 0]
    assert "all lose the same, and are more than 50.0% of these items" in str(rule)
    rule = oe.decide.fit(rows, metric="accuracy", abstain=0.8)
    assert rule.predict(rows).tolist() == [0, None, None, None]
    assert rule.unanswered == pytest.approx(0.75)
    assert "75.0% of these items" in str(rule)


def test_a_row_that_stands_for_several_items_is_as_many_where_the_rule_abstains():
    # they lose 0.1 (6 items), 0.4 (3 items) and 0.45 (1 item): a third has room for the last one alone, 0.4 for four
    rows, count = np.array([[0.9, 0.1], [0.6, 0.4], [0.45, 0.55]]), [6, 3, 1]
    for share, unanswered in ((0.33, 0.1), (0.4, 0.4)):
        rule = oe.decide.fit(rows, metric="accuracy", count=count, abstain=share)
        assert rule.unanswered == pytest.approx(unanswered)
    assert rule.predict(rows).tolist() == [0, None, None]


def test_plain_answers_whose_score_is_undefined_are_left_out_of_the_words_and_read_back():
    # the most probable class is always the first, and a correlation with a constant is undefined
    rows = [[0.6, 0.1, 0.3], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    rule = oe.decide.fit(rows, metric="kendall_tau_b")
    assert np.isnan(rule.expected_of["mode"])
    assert "most probable class, reach" not in str(rule)
    assert np.isnan(oe.decide.Decision.from_json(rule.to_json()).expected_of["mode"])
    with_gold = oe.decide.fit(rows * 4, [0, 1, 2] * 4, metric="kendall_tau_b")
    assert "the gain over the most probable class is undefined" in str(with_gold)


def test_a_gain_that_is_shown_as_zero_is_called_as_good():
    gain = oe.decide.Gain("mode", 0.5, -0.0004, -0.01, 0.01, 0.9, "undecided")
    assert gain_words(gain) == "about as good as the most probable class (gain [-0.010, 0.010])"


def test_a_rule_of_another_size_than_its_scale_is_refused():
    gold, rows = model()
    for part in ("worth", "calibration"):
        content = oe.decide.fit(rows, gold, calibrate=True).to_dict()
        if part == "worth":
            content["worth"] = [[1, 0], [0, 1]]
        else:
            content["calibration"]["offsets"] = [0, 0]
        with pytest.raises(oe.errors.DataError, match="and its scale has 3"):
            oe.decide.Decision.from_json(json.dumps(content))


def test_a_function_of_counts_is_a_measure():
    def right(counts):
        return counts.diagonal(axis1=-2, axis2=-1).sum(axis=-1)

    def wrong(counts):
        return counts.sum(axis=(-1, -2)) - right(counts)

    gold, rows = model()
    mode = rows.argmax(axis=1)
    for function, up in ((right, None), (wrong, False)):
        rule = oe.decide.fit(rows, gold, metric=function, greater_is_better=up)
        np.testing.assert_array_equal(rule.predict(rows), mode)
        assert rule.held_out.over("mode").gain == 0
    assert "By right," in str(oe.decide.fit(rows, metric=right))


def test_a_function_may_not_have_the_name_of_a_measure():
    def accuracy(counts):
        return counts[..., 0, 0]

    with pytest.raises(oe.errors.ParameterError, match="there is a measure 'accuracy' already"):
        oe.decide.fit([[0.5, 0.5]], metric=accuracy)


def test_a_function_may_take_the_values_of_the_classes():
    def distance(counts, values):
        return (counts * np.abs(values[:, None] - values)).sum(axis=(-1, -2))

    rule = oe.decide.fit(
        [[0.4, 0.15, 0.45]], metric=distance, greater_is_better=False, labels=[0, 1, 10]
    )
    assert rule.predict([[0.4, 0.15, 0.45]]).tolist() == [1]


def test_a_rule_is_written_as_json_and_read_back():
    gold, rows = model()
    rule = oe.decide.fit(rows, gold, metric="qwk", calibrate=True, abstain=0.1)
    text = rule.to_json()
    again = oe.decide.Decision.from_json(text)
    np.testing.assert_array_equal(again.predict(rows), rule.predict(rows))
    content = json.loads(text)
    assert content["command"] == "decide"
    assert content["metric"] == "weighted_kappa(weights='quadratic')"
    assert content["held_out"]["gains"][0]["over"] == "mode"
    assert content["expected"] == rule.expected
    assert again.held_out is None


def test_a_rule_for_a_function_is_read_back_without_the_function():
    def right(counts):
        return counts.diagonal(axis1=-2, axis2=-1).sum(axis=-1)

    _, rows = model()
    again = oe.decide.Decision.from_json(oe.decide.fit(rows, metric=right).to_json())
    np.testing.assert_array_equal(again.predict(rows), rows.argmax(axis=1))
    assert again.measure.name == "right"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "cuts"}, "'decision' is read"),
        ({"schema": 9}, "schema 9"),
        ({"worth": [[1, 2]]}, "the worth of this rule"),
        ({"worth": "high"}, "the worth of this rule"),
        ({"scale": None}, "the scale of this rule"),
        ({"calibration": {"sharpness": 1}}, "the calibration of this rule"),
    ],
)
def test_json_that_holds_no_rule_is_refused(change, words):
    content = json.loads(oe.decide.fit([[0.5, 0.5]], metric="mae").to_json())
    with pytest.raises(oe.OrdevalError, match=words):
        oe.decide.Decision.from_json(json.dumps({**content, **change}))
    with pytest.raises(oe.OrdevalError, match="not JSON"):
        oe.decide.Decision.from_json("{")


@pytest.mark.parametrize(
    ("rows", "gold", "options", "words"),
    [
        ([[0.5, 0.6]], None, {}, "they must be 0 or more and sum to 1"),
        ([[0.5, float("nan")], [0.5, 0.5]], None, {}, "item 0 are missing; 1 row lacks a number"),
        (np.zeros((0, 3)), None, {}, "no items"),
        ([0.2, 0.8], None, {}, "a row of numbers for each item"),
        ([[0.5, 0.5]], [0, 1], {}, "both must have one for each item"),
        ([[0.5, 0.5]], ["huge"], {"labels": ["a", "b"]}, "label 'huge' is not on the scale"),
        ([[0.5, 0.5]], [None], {"labels": ["a", "b"]}, "missing"),
        ([[0.5, 0.5]], None, {"labels": ["a", "b", "c"]}, "3 classes"),
        ([[0.5, 0.5], [0.5, 0.5]], ["good", "bad"], {}, "order of the classes"),
        ([[0.5, 0.5]], None, {"metric": "cem_odr"}, "Did you mean cem_ord"),
        ([[0.5, 0.5]], None, {"abstain": 1}, "abstain=1 is not a share"),
        ([[0.5, 0.5]], None, {"calibrate": True}, "Pass y_true"),
        ([[0.5, 0.5]], [0], {"folds": 1, "labels": [0, 1]}, "folds=1"),
        ([[0.5, 0.5]], [0], {"level": 2}, "level=2"),
        ([[0.5, 0.5]], None, {"sample_weight": [0]}, "no items"),
        ([[0.5, 0.5]], None, {"count": [0]}, "no items"),
        ([[1.0, 0.0]], None, {"metric": "kendall_tau_b"}, "undefined for all answers"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(rows, gold, options, words):
    with pytest.raises(oe.OrdevalError, match=words):
        oe.decide.fit(rows, gold, **options)


def test_probabilities_for_other_classes_are_refused():
    rule = oe.decide.fit([[0.5, 0.3, 0.2]], metric="mae", labels=LABELS)
    with pytest.raises(oe.OrdevalError, match="2 columns, and this rule is for the 3 classes"):
        rule.predict([[0.5, 0.5]])
    with pytest.raises(oe.OrdevalError, match="high"):
        rule.predict(pd.DataFrame({"low": [0.5], "mid": [0.2], "tall": [0.3]}))


def test_one_item_and_one_fold_more_than_items_are_enough():
    rule = oe.decide.fit([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]], [0, 2], metric="mae", folds=9)
    assert rule.held_out.folds == 2
    alone = oe.decide.fit([[0.5, 0.5]], [1], metric="accuracy", labels=[0, 1])
    assert alone.held_out is None
    assert "pass two items or more" in str(alone)
