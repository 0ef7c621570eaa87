"""Rules for many classes: exact where the measure is linear, never worse than plain answers, and at a bounded cost."""

import itertools

import numpy as np
import pytest

import ordeval as oe
from ordeval.decide import search
from tests.examples import grid


def rows_of(k, n=300, seed=0):
    """Return probabilities of k classes that are near each other on the scale."""
    rng = np.random.default_rng(seed)
    place, width = k * rng.random((n, 1)), 1 + k / 10 * rng.random((n, 1))
    rows = np.exp(-(((np.arange(k) - place) / width) ** 2)) + 1e-9
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("k", [21, 30])
def test_linear_measures_of_many_classes_are_served_exactly(k):
    rows, places = rows_of(k), np.arange(k)
    best = {
        "accuracy": rows.argmax(axis=1),
        "mae": (rows.cumsum(axis=1) < 0.5).sum(axis=1),
        "mse": (((places[:, None] - places) ** 2) @ rows.T).argmin(axis=0),
        # what an error costs in its class, divided by the size of the class
        "macro_mae": (rows / rows.sum(axis=0) @ np.abs(places[:, None] - places)).argmin(axis=1),
    }
    for name, answers in best.items():
        rule = oe.decide.fit(rows, metric=name)
        assert rule.exact
        assert (rule.predict(rows) == answers).all()


def test_a_class_that_has_no_probability_anywhere_is_worth_nothing_and_harms_nothing():
    rows = np.insert(rows_of(21), 3, 0.0, axis=1)
    rule = oe.decide.fit(rows, metric="mae", labels=range(22))
    assert rule.exact
    assert not rule.worth[3].any()
    assert (rule.predict(rows) == (rows.cumsum(axis=1) < 0.5).sum(axis=1)).all()


@grid(
    "metric, k",
    itertools.product(["qwk", "macro_f1", "min_sensitivity", "rmse", "max_mae"], [13, 21, 30]),
    every=3,
)
def test_rules_for_many_classes_are_never_worse_than_plain_answers(metric, k):
    rule = oe.decide.fit(rows_of(k, 200), metric=metric)
    sign = 1 if rule.measure.greater_is_better else -1
    assert all(sign * rule.expected >= sign * value - 1e-9 for value in rule.expected_of.values())


@pytest.mark.later
def test_measures_that_are_linear_only_in_parts_are_not_taken_for_linear():
    for name in ("purity", "max_mae", "min_sensitivity", "auoc"):
        assert not oe.decide.fit(rows_of(21, 100), metric=name).exact


@pytest.mark.later
@pytest.mark.parametrize(("k", "slopes"), [(35, 8), (64, 2)])
def test_the_search_of_many_classes_takes_no_more_slopes_than_it_may(k, slopes, monkeypatch):
    # (50 / 35) ** 4 is 4.2: four from each of two starts; 64 classes get two from one start
    counted = []
    slope = search.gradient
    monkeypatch.setattr(search, "MOST_NUMBERS", 4 * 50.0**4)
    monkeypatch.setattr(search, "BETTER", -1.0)  # so that no start ends early

    def counting(*args):
        counted.append(args)
        return slope(*args)

    monkeypatch.setattr(search, "gradient", counting)
    monkeypatch.setattr(search.Search, "moved", None)  # nothing is exchanged
    rule = oe.decide.fit(rows_of(k, 100), metric="qwk")
    assert len(counted) == slopes
    assert rule.expected > max(rule.expected_of.values())


@pytest.mark.later
def test_of_more_than_twelve_classes_the_worth_of_an_answer_changes_for_all_gold_classes(
    monkeypatch,
):
    moves = []
    moved = search.Search.moved

    def noting(self, tried):
        moves.extend(move.gold for move in tried)
        return moved(self, tried)

    monkeypatch.setattr(search.Search, "moved", noting)
    oe.decide.fit(rows_of(13, 100), metric="macro_f1")
    assert set(moves) == {None}
    oe.decide.fit(rows_of(6, 100), metric="macro_f1")
    assert set(moves) == {None, *range(6)}
