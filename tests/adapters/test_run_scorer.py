"""What the adapters of evaluation frameworks have in common: one measure of one run."""

import math

import pytest

import ordeval as oe
from ordeval.adapters.run_scorer import RunScorer

LABELS = [1, 2, 3]
GOLD, ANSWERS = [1, 1, 2, 3], [1, 2, 2, 3]


def test_a_run_is_scored_as_evaluate_scores_it():
    for measure in ("cem_ord", "mae", oe.weighted_kappa):
        found = RunScorer.of(measure, 0.9, {"labels": LABELS}).score(GOLD, ANSWERS)
        expected = oe.evaluate(GOLD, ANSWERS, labels=LABELS, metrics=[measure], level=0.9)
        assert [found] == [*expected.values()]


def test_classes_keep_the_values_that_they_were_given():
    options = {"labels": ["low", "high"], "values": [0, 10]}
    found = RunScorer.of("mae", None, options).score(["low", "high"], ["high", "high"])
    assert found.value == (10 + 0) / 2


def test_items_of_one_cluster_are_scored_with_all_others_and_drawn_together():
    scorer = RunScorer.of("accuracy", 0.95, {"labels": LABELS})
    gold, answers = [1] * 40, [1, 2] * 20
    alone = scorer.score(gold, answers)
    # in pairs that are right or wrong together there are half as many units, and in mixed pairs nothing varies
    alike = scorer.score(gold, [1, 1, 2, 2] * 10, clusters=[at // 2 for at in range(40)])
    mixed = scorer.score(gold, answers, clusters=[at // 2 for at in range(40)])
    assert alone.value == alike.value == mixed.value == 0.5
    assert alone.error == pytest.approx(math.sqrt(0.25 / 39), rel=0.03)
    assert alike.error == pytest.approx(math.sqrt(0.25 / 19), rel=0.05)
    assert mixed.error < 0.5 * alone.error


def test_clusters_are_not_averaged():
    scorer = RunScorer.of("accuracy", 0.95, {"labels": LABELS})
    # three right in one cluster and one wrong in the other: 3 of 4, and not the mean of 1 and 0
    assert scorer.score([1] * 4, [1, 1, 1, 2], clusters=list("aaab")).value == 3 / 4


def test_answers_that_are_missing_or_not_on_the_scale_count_as_the_policies_say():
    gold, answers = [1, 1, 2, 3], [1, None, "?", 2]
    for missing, expected in {"drop": 1 / 2, "zero": (0 + 2 + 1 + 1) / 4}.items():
        options = {"labels": LABELS, "missing": missing, "unknown": "missing"}
        assert RunScorer.of("mae", 0.95, options).score(gold, answers).value == expected
    with pytest.raises(oe.errors.LabelError, match="missing"):
        RunScorer.of("mae", 0.95, {"labels": LABELS, "unknown": "missing"}).score(gold, answers)


def test_a_single_cluster_has_a_score_and_no_interval():
    found = RunScorer.of("mae", 0.95, {"labels": LABELS}).score(GOLD, ANSWERS, clusters=["a"] * 4)
    assert found.value == 1 / 4
    assert (found.low, found.high, found.error) == (None, None, None)


def test_a_run_without_items_scores_nan():
    found = RunScorer.of("mae", 0.95, {"labels": LABELS}).score([], [])
    assert math.isnan(found.value)
    assert "there are no items" in found.reason


@pytest.mark.parametrize(
    ("measure", "level", "options", "message"),
    [
        ("mea", 0.95, {"labels": LABELS}, "there is no measure 'mea'"),
        ("mae", 0.95, {}, "Pass labels="),
        ("mae", 95, {"labels": LABELS}, "level=95 is not a confidence level"),
        ("mae", 0.95, {"labels": [1, 1]}, "more than once"),
        ("mae", 0.95, {"labels": LABELS, "missing": "none"}, "is not a policy"),
    ],
)
def test_every_setting_is_checked_before_there_is_a_run(measure, level, options, message):
    with pytest.raises(oe.OrdevalError, match=message):
        RunScorer.of(measure, level, options)


def test_an_option_that_does_not_exist_is_refused_with_the_ones_that_do():
    with pytest.raises(TypeError, match=r"there is no argument 'mising'.*Did you mean missing"):
        RunScorer.of("mae", 0.95, {"labels": LABELS, "mising": "zero"})
