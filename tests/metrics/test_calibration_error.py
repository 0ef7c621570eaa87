"""The calibration error by hand, item by item, and in intervals, tests and test cases like every other measure."""

import math
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.comparison.calibrated import errors_by_chance
from ordeval.comparison.samples import joint_patterns
from ordeval.comparison.score_runs import score_runs
from ordeval.comparison.scorer import Scorer
from ordeval.metrics import resolve
from ordeval.metrics.calibration_bins import ScoredItems, bin_of_items
from ordeval.stats.jackknife import item_sample
from tests.examples import examples

RNG = np.random.default_rng(8)
K, N = 4, 60
PROBABILITIES = RNG.dirichlet(np.ones(K), N)
GOLD = RNG.integers(0, K, N)
CASES = np.array(["b", "a", "c"])[RNG.integers(0, 3, N)]
WEIGHTS = RNG.choice([0.5, 1.0, 2.0], N)


def cut_into_bins(rows, bins):
    """Return rows (probability, happened, weight) in bins: 0 and 1 alone, the others by the middle of equal ones."""
    found = {}
    unsure = sorted(row for row in rows if 1e-9 < row[0] < 1 - 1e-9)
    total, before = sum(w for *_, w in unsure), 0.0
    for _, equal in groupby(unsure, key=lambda row: round(row[0], 9)):
        equal = list(equal)  # noqa: PLW2901
        weight = sum(w for *_, w in equal)
        at = math.floor(round(bins * (before + weight / 2) / total, 9))
        found.setdefault(at, []).extend(equal)
        before += weight
    for sure in (0, 1):
        equal = [row for row in rows if abs(row[0] - sure) <= 1e-9]
        if equal:
            found["sure", sure] = equal
    return list(found.values())


def by_definition(gold, probabilities, bins=10, weights=None):
    """Return the mean over thresholds of the expected calibration error, with no array."""
    n, k = len(gold), len(probabilities[0])
    weights = [1.0] * n if weights is None else list(weights)
    errors = []
    for cut in range(k - 1):
        rows = [
            (sum(probabilities[i][: cut + 1]), float(gold[i] <= cut), weights[i]) for i in range(n)
        ]
        error = 0.0
        for items in cut_into_bins(rows, bins):
            size = sum(w for *_, w in items)
            said = sum(p * w for p, _, w in items) / size
            occurred = sum(o * w for _, o, w in items) / size
            error += size / sum(weights) * abs(said - occurred)
        errors.append(error)
    return sum(errors) / len(errors)


def test_two_bins_of_two_thresholds_by_hand():
    # At most 1: 0.1 and 0.3 (neither happens: off by 0.2), 0.5 and 0.7 (both happen: off by 0.4): (0.2 + 0.4) / 2.
    # At most 2: 0.4 and 0.6 (one happens: off by 0), 0.8 and 0.9 (both happen: off by 0.15): (0 + 0.15) / 2.
    rows = [[0.1, 0.3, 0.6], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    found = oe.calibration_error([3, 2, 1, 1], rows, labels=[1, 2, 3], bins=2)
    assert found == pytest.approx((0.3 + 0.075) / 2)


def test_equal_probabilities_are_in_one_bin_and_sure_ones_in_bins_of_their_own():
    # 0.5 four times, of which one happens: off by 0.25; 0 and 1 are right, and would be off by 1/6 in a bin with these.
    rows = [[0.5, 0.5]] * 4 + [[0.0, 1.0], [1.0, 0.0]]
    found = oe.calibration_error([1, 2, 2, 2, 2, 1], rows, labels=[1, 2], bins=1)
    assert found == pytest.approx(4 / 6 * 0.25)


rows_of_three = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)
weighted_items = st.tuples(rows_of_three, st.integers(0, 2), st.sampled_from([0.5, 1.0, 3.0]))


@settings(max_examples=examples(60))
@given(drawn=st.lists(weighted_items, min_size=1, max_size=30), bins=st.sampled_from([1, 2, 3, 10]))
def test_it_is_what_its_definition_says_with_ties_and_weights(drawn, bins):
    rows, gold, weights = map(list, zip(*drawn, strict=True))
    rows = [[x / sum(row) for x in row] for row in rows]
    expected = by_definition(gold, rows, bins, weights)
    options = {"labels": range(3), "sample_weight": weights}
    assert oe.calibration_error(gold, rows, bins=bins, **options) == pytest.approx(
        expected, abs=1e-9
    )
    if any(0 < x < 1 for row in rows for x in row):
        evaluation = oe.evaluate(gold, rows, metrics=[f"ece(bins={bins})"], level=None, **options)
        assert evaluation[f"ece(bins={bins})"].value == pytest.approx(expected, abs=1e-9)


def test_repeated_items_and_counts_have_the_same_error():
    times = np.arange(N) % 3 + 1
    repeated = oe.calibration_error(np.repeat(GOLD, times), np.repeat(PROBABILITIES, times, axis=0))
    assert oe.calibration_error(GOLD, PROBABILITIES, count=times) == pytest.approx(repeated)
    assert oe.calibration_error(GOLD, PROBABILITIES, sample_weight=times * 0.1) == pytest.approx(
        repeated
    )


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["even", "weighted"])
def test_test_cases_are_cut_into_bins_each_by_itself_and_pooled_ones_together(weights):
    sharp = PROBABILITIES**2 / (PROBABILITIES**2).sum(axis=1, keepdims=True)
    systems = {"plain": PROBABILITIES, "sharp": sharp}
    runs = oe.Runs.from_labels(GOLD, systems, case=CASES, labels=range(K), sample_weight=weights)
    every = np.ones(N) if weights is None else weights
    pooled = oe.compare(runs.pooled(), metrics=["ece"], primary="ece")
    averaged = oe.compare(runs, metrics=["ece"], primary="ece")
    for one in pooled.leaderboard:
        expected = by_definition(GOLD, systems[one.system].tolist(), weights=every)
        assert one.scores["calibration_error"].value == pytest.approx(expected, abs=1e-9)
        assert one.scores["calibration_error"].low <= expected
    scores = averaged.scores
    for s, name in enumerate(scores.systems):
        for c, case in enumerate(scores.cases):
            some = np.flatnonzero(case == CASES)
            expected = by_definition(GOLD[some], systems[name][some].tolist(), weights=every[some])
            assert scores.case_values[0, s, c] == pytest.approx(expected, abs=1e-9)


def test_the_influence_of_an_item_is_the_score_minus_that_without_it_in_the_same_bins():
    """Without an item, its bin has one gap less, and all bins are divided by N - 1."""
    runs = oe.Runs.from_labels(GOLD, {"a": PROBABILITIES}, labels=range(K))
    scorer = Scorer(resolve(["calibration_error"]), runs.scale, runs.policy)
    sample = item_sample(joint_patterns(runs, scorer=scorer), scorer)
    gaps = []  # one dictionary of bins for each cut: the items in each, with their gaps
    for cut in range(K - 1):
        rows = [(sum(PROBABILITIES[i, : cut + 1]), float(GOLD[i] <= cut), 1.0) for i in range(N)]
        gaps.append([{p: p - o for p, o, _ in items} for items in cut_into_bins(rows, 10)])
    left = []
    for item in range(N):
        total = 0.0
        for cut in range(K - 1):
            own = sum(PROBABILITIES[item, : cut + 1])
            total += sum(abs(sum(g for p, g in part.items() if p != own)) for part in gaps[cut])
        left.append(total / (K - 1) / (N - 1))
    found = np.sort(sample.influence[0, 0, sample.place[0]])
    np.testing.assert_allclose(found, np.sort(np.mean(left) - np.array(left)), atol=1e-12)


def test_a_constant_and_a_missing_answer_cost_as_sure_answers_do():
    # Gold 1 of classes 1 to 3 without an answer is given 3, which is off by 1 at both thresholds.
    rows = [[0.2, 0.3, 0.5], [np.nan] * 3]
    alone = oe.calibration_error([3], rows[:1], labels=[1, 2, 3])
    both = oe.calibration_error([3, 1], rows, labels=[1, 2, 3], missing="zero")
    assert both == pytest.approx((alone + 1) / 2)
    assert oe.calibration_error([3, 1], rows, labels=[1, 2, 3], missing="drop") == alone


def test_bootstrap_intervals_keep_the_bins_and_hold_the_score():
    for method in ("percentile", "bca"):
        score = oe.evaluate(GOLD, PROBABILITIES, metrics=["ece"], method=method, n_resamples=199)[
            "ece"
        ]
        assert 0 <= score.low <= score.value <= score.high <= 1
        assert score.high > score.low


def draw(rng, n, sharper=1.0, k=3):
    """Return gold drawn from probabilities, and these made more extreme."""
    truth = rng.dirichlet(np.ones(k), n)
    gold = (rng.random((n, 1)) > truth.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return gold, truth**sharper / (truth**sharper).sum(axis=1, keepdims=True)


def test_what_chance_makes_of_test_cases_is_the_mean_over_them():
    # in one bin of n items that all have the probability 1/2, sqrt(2 / pi) * sqrt(n / 4) / n: for 4 items and for 16
    cases = [1] * 4 + [2] * 16
    runs = oe.Runs.from_labels([0, 1] * 10, {"a": [[0.5, 0.5]] * 20}, labels=[0, 1], case=cases)
    wanted = math.sqrt(2 / math.pi) * (math.sqrt(1) / 4 + math.sqrt(4) / 16) / 2
    assert errors_by_chance(runs, 1) == pytest.approx([wanted])


def test_what_calibrated_probabilities_score_by_chance_is_foretold():
    rng = np.random.default_rng(0)
    samples = [draw(rng, 300) for _ in range(200)]
    seen = np.mean([oe.calibration_error(gold, rows, labels=range(3)) for gold, rows in samples])
    told = np.mean(
        [
            errors_by_chance(oe.Runs.from_labels(gold, {"a": rows}, labels=range(3)), 10)
            for gold, rows in samples[:20]
        ]
    )
    assert told == pytest.approx(seen, rel=0.05)
    caption = oe.evaluate(*samples[0], labels=range(3), level=None).caption
    assert "Perfectly calibrated probabilities would score about 0.05" in caption


def test_what_is_foretold_by_hand():
    # One bin and one threshold: sqrt(2 / pi) sqrt(4 * 0.25) / 4; with weights 1, 1, 2 and 2, sqrt(10 * 0.25) / 6.
    gold, rows = [0, 1, 0, 1], [[0.5, 0.5]] * 4
    for weights, expected in ((None, 1 / 4), ([1, 1, 2, 2], math.sqrt(2.5) / 6)):
        runs = oe.Runs.from_labels(gold, {"a": rows}, sample_weight=weights)
        found = errors_by_chance(runs, 1)
        assert found == pytest.approx([math.sqrt(2 / math.pi) * expected])


@pytest.mark.slow
@pytest.mark.parametrize("sharper", [1.0, 1.3, 2.0])
def test_intervals_hold_the_mean_score_of_samples_of_this_size(sharper):
    """Of 300 intervals that each hold it with 95%, chance may leave 92.5%; where nothing is off, they are wider."""
    rng = np.random.default_rng(5)
    scores = [
        oe.evaluate(*draw(rng, 300, sharper), labels=range(3), metrics=["ece"])["ece"]
        for _ in range(300)
    ]
    mean = np.mean([score.value for score in scores])
    assert np.mean([score.low <= mean <= score.high for score in scores]) >= 0.925


def test_groups_of_items_have_bins_of_their_own_although_they_share_a_probability():
    # The middles of the two items of a group are 1/4 and 3/4 of its weight: the second and the fourth of four bins.
    items = ScoredItems(np.ones(4), np.array([0, 0, 1, 1]))
    assert bin_of_items(np.array([0.2, 0.5, 0.5, 0.8]), items, 4).tolist() == [2, 4, 2, 4]


def test_systems_beside_a_human_are_cut_into_bins_for_each_rater():
    rng = np.random.default_rng(4)
    marks = rng.integers(1, 4, (40, 3)).astype(float)
    marks[:25, 0] = marks[30:, 1] = np.nan  # ann and bob share five items, and cy all of theirs
    rows = rng.dirichlet(np.ones(3), 40)
    ratings = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy"], labels=[1, 2, 3])
    scores = score_runs(oe.Runs.from_labels(ratings, {"a": rows}), metrics=["ece"])
    system, human = [], []
    for rater in range(3):
        some = np.flatnonzero(~np.isnan(marks[:, rater]))
        votes = np.array([[np.sum(np.delete(row, rater) == c) for c in (1, 2, 3)] for row in marks])
        others = votes[some] / votes[some].sum(axis=1, keepdims=True)
        system.append(oe.calibration_error(others, rows[some], labels=[1, 2, 3]))
        # a mark is sure, so that its error is its distance from the others
        own = marks[some, rater, None] <= [1, 2]
        human.append(np.abs(own - others.cumsum(axis=1)[:, :-1]).mean())
    assert scores.beside_human.values[0, 0] == pytest.approx(np.mean(system))
    assert scores.ceiling["calibration_error"].value == pytest.approx(np.mean(human))


def test_items_without_an_answer_count_in_what_is_foretold_unless_they_are_left_out():
    # As above: sqrt(4 * 0.25) over 4 items, or over 5 with the one that is surely wrong.
    rows = [[0.5, 0.5]] * 4 + [[np.nan, np.nan]]
    for missing, items in (("drop", 4), ("zero", 5)):
        runs = oe.Runs.from_labels([0, 1, 0, 1, 0], {"a": rows}, missing=missing, labels=[0, 1])
        assert errors_by_chance(runs, 1) == pytest.approx([math.sqrt(2 / math.pi) / items])
