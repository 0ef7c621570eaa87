"""Runs whose distributions are all sure: every number is that of the same labels, under every policy."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ordeval as oe
from tests.examples import grid

LABELS = [1, 2, 4, 9]
K, N = len(LABELS), 60
RNG = np.random.default_rng(4)
CODES = RNG.choice(K, N, p=[0.4, 0.3, 0.2, 0.1])
GOLD = [LABELS[code] for code in CODES]
SYSTEMS = {
    name: [
        None if lost else LABELS[code]
        for code, lost in zip(
            np.clip(CODES + RNG.integers(-1, 2 + at, N), 0, K - 1), RNG.random(N) < 0.1, strict=True
        )
    ]
    for at, name in enumerate("ab")
}
CASES = RNG.integers(0, 5, N)
METRICS = [
    *("cem_ord", "macro_f1", "kendall_tau_a", "wasserstein", "soft_rps", "cross_entropy"),
    *("log_loss", "brier_score", "calibration_error"),
]
# What an unseen error would cost is bounded for distributions, by what they cost so far, and for labels it is known.
UNBOUNDED = {"cross_entropy", "log_loss"}


def as_soft(runs):
    """Return the same runs with codes of distributions; every class has two, of which the items take either."""
    k = runs.scale.k
    second = np.random.default_rng(0).random((3, len(runs.count))) < 0.5
    gold = np.where(second[0], runs.gold + k, runs.gold)
    answered = runs.predicted < k
    predicted = np.where(second[1:] & answered, runs.predicted + k + 1, runs.predicted)
    answers = np.concatenate([np.eye(k + 1), np.eye(k + 1)[:k]])
    return replace(
        runs, shares=np.tile(np.eye(k), (2, 1)), gold=gold, answers=answers, predicted=predicted
    )


def numbers_of(comparison):
    """Return the scores, the differences and the scores of cases and slices of a comparison."""
    content = comparison.to_dict()
    ends = ("value", "low", "high", "error")
    scores = [
        one["scores"][name].get(end)
        for part in [content, *content.get("slices", [])]
        for one in part["systems"]
        for name in METRICS
        for end in (ends[:1] if name in UNBOUNDED else ends)
    ]
    cases = [
        case["scores"][name]["value"]
        for one in content["systems"]
        for case in one.get("cases", [])
        for name in METRICS
    ]
    ends = ("difference", "low", "high", "p")
    apart = [
        pair[end]
        for pair in content["pairs"]
        for end in (ends[:1] if pair["metric"] in UNBOUNDED else ends)
    ]
    return [np.nan if number is None else number for number in [*scores, *cases, *apart]]


@grid(
    "weighted, cases, missing",
    itertools.product([False, True], [None, "averaged", "pooled"], ["zero", "farthest", "drop"]),
    every=3,
)
def test_sure_distributions_have_the_scores_intervals_and_tests_of_labels(missing, cases, weighted):
    given = {"case": CASES} if cases else {}
    if weighted:
        given["sample_weight"] = RNG.gamma(2, 1, N)
    runs = oe.Runs.from_labels(
        GOLD, SYSTEMS, labels=LABELS, missing=missing, by={"part": np.arange(N) % 2}, **given
    )
    runs = runs.pooled() if cases == "pooled" else runs
    for options in ({"by": "part"}, {"distribution": "fixed"}):
        hard, soft = (
            numbers_of(oe.compare(each, metrics=METRICS, n_resamples=19, **options))
            for each in (runs, as_soft(runs))
        )
        # Labels of one cell are left out together, whatever their weights; soft items find the farther end once, and
        # labels without each case anew.
        tolerance = 0.1 if missing == "farthest" else 0.02 if weighted and not cases else 1e-9
        assert soft == pytest.approx(hard, abs=tolerance, rel=tolerance, nan_ok=True)


@pytest.mark.parametrize("missing", ["zero", "drop"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("pooled", [False, True])
def test_bootstrap_intervals_over_cases_are_those_of_labels(missing, method, pooled):
    runs = oe.Runs.from_labels(
        GOLD, SYSTEMS, labels=LABELS, missing=missing, case=CASES, sample_weight=1.0 + CODES
    )
    runs = runs.pooled() if pooled else runs
    hard, soft = (
        numbers_of(oe.compare(each, metrics=METRICS, method=method, n_resamples=99))
        for each in (runs, as_soft(runs))
    )
    assert soft == pytest.approx(hard, abs=1e-9, nan_ok=True)
