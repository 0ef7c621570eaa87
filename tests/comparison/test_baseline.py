"""The best constant answer: its class, its scores, and who does not beat it, by hand."""

import numpy as np
import pytest

import ordeval as oe

# 5 of 1, 3 of 2 and 4 of 3.
GOLD = [1] * 5 + [2] * 3 + [3] * 4


def test_the_best_constant_is_the_most_frequent_class_by_accuracy_and_the_median_by_error():
    """By accuracy 1 has 5 / 12. Errors: 1 has 3 + 8 = 11, 2 has 5 + 4 = 9, 3 has 10 + 3 = 13."""
    by_accuracy = oe.evaluate(GOLD, GOLD, metrics=["accuracy", "mae"]).baseline
    assert (by_accuracy.label, by_accuracy.metric) == (1, "accuracy")
    assert by_accuracy.scores == pytest.approx({"accuracy": 5 / 12, "mae": 11 / 12})
    by_error = oe.compare(GOLD, {"a": GOLD}, metrics=["accuracy", "mae"], primary="mae").baseline
    assert (by_error.label, by_error.metric) == (2, "mae")
    assert by_error.scores == pytest.approx({"accuracy": 3 / 12, "mae": 9 / 12})


def test_with_test_cases_the_constant_is_scored_as_the_mean_over_cases():
    """Case x has 3 of 1 in 4, case y 2 of 1 and 6 of 2: always 1 has (3/4 + 2/8) / 2, always 2 (1/4 + 6/8) / 2."""
    gold, case = [1, 1, 1, 2] + [1] * 2 + [2] * 6, ["x"] * 4 + ["y"] * 8
    runs = oe.Runs.from_labels(gold, {"a": gold}, case=case)
    found = oe.compare(runs, metrics="accuracy", primary="accuracy").baseline
    assert (found.label, found.scores["accuracy"]) == (2, 0.5)  # a tie: the more frequent one
    pooled = oe.compare(runs.pooled(), metrics="accuracy", primary="accuracy").baseline
    assert (pooled.label, pooled.scores["accuracy"]) == (2, pytest.approx(7 / 12))


def test_who_does_not_beat_the_constant_is_named_and_the_verdict_counts_them():
    gold = np.array([1, 1, 1, 2] * 25)  # always 1 has 0.75
    answers = {
        "good": np.where(np.arange(100) < 95, gold, 3),
        "close": np.where(np.arange(100) < 78, gold, 3),
        "bad": np.where(np.arange(100) < 50, gold, 3),
        "constant": np.ones(100, int),
    }
    found = oe.compare(gold, answers, labels=[1, 2, 3], metrics="accuracy", primary="accuracy")
    assert set(found.baseline.not_beaten_by) == {"close", "bad", "constant"}
    assert "3 systems do not significantly beat always answering 1." in found.verdict
    assert found.to_dict()["baseline"] == {
        "label": 1, "metric": "accuracy", "scores": {"accuracy": 0.75},
        "not_beaten_by": list(found.baseline.not_beaten_by),
    }  # fmt: skip


def test_the_constant_takes_no_part_in_ranks_and_pairs():
    gold = [1, 1, 1, 2] * 25
    found = oe.compare(gold, {"a": gold, "b": [1, 1, 2, 2] * 25})
    assert len(found.leaderboard) == 2
    assert {(pair.a, pair.b) for pair in found.pairs} == {("a", "b")}
    alone = oe.compare(gold, {"a": gold, "b": [1, 1, 2, 2] * 25}, correction="none")
    assert [pair.p for pair in found.pairs] == [pair.p for pair in alone.pairs]


@pytest.mark.parametrize("order", [("monday", "tuesday"), ("tuesday", "monday")])
def test_the_constant_of_independent_tables_does_not_depend_on_their_order(order):
    """Always 1 has 9 / 10 on monday and 3 / 10 on tuesday, always 2 has 1 / 10 and 7 / 10: 0.6 against 0.4."""
    tables = {
        "monday": oe.Table.from_counts([[8, 1], [0, 1]], labels=[1, 2]),
        "tuesday": oe.Table.from_counts([[2, 1], [1, 6]], labels=[1, 2]),
    }
    found = oe.compare(
        {name: tables[name] for name in order}, metrics="accuracy", primary="accuracy"
    ).baseline
    assert found.label == 1
    assert found.scores["accuracy"] == pytest.approx(0.6)
