"""Equivalence and non-inferiority: two one-sided tests against statsmodels, and outcomes by constructed examples."""

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

import ordeval as oe
from ordeval.comparison.pairs import compare_pairs
from ordeval.errors import ParameterError
from ordeval.metrics.registry import resolve
from tests.stats.test_differences import over_cases


def outcome(only_a, only_b, n, metric="accuracy", **options):
    """Return what the better of a and b is to the other, where each alone is right on so many of n items."""
    gold = np.zeros(n, int)
    a, b = gold.copy(), gold.copy()
    b[:only_a], a[only_a : only_a + only_b] = 1, 1
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, labels=[0, 1])
    (pair,) = oe.compare(runs, metrics=metric, primary=metric, **options).pairs
    return pair.outcome


@pytest.mark.parametrize("metric", ["accuracy", "mae"])
@pytest.mark.parametrize(
    ("only_a", "only_b", "n", "expected"),
    [
        (100, 20, 1000, "better"),  # 0.08 apart, error 0.011
        (20, 18, 1000, "equivalent"),  # 0.002 apart, error 0.006: both ends within 0.03
        (
            57,
            40,
            1000,
            "not worse",
        ),  # 0.017 apart, error 0.010: surely above -0.03, maybe above 0.03
        (6, 5, 40, "undecided"),  # 0.025 apart, error 0.08
    ],
)
def test_a_margin_tells_equivalent_and_not_worse_from_undecided(
    metric, only_a, only_b, n, expected
):
    assert outcome(only_a, only_b, n, metric, margin=0.03) == expected
    without = "better" if expected == "better" else "undecided"
    assert outcome(only_a, only_b, n, metric) == without


@pytest.mark.parametrize("seed", range(4))
def test_equivalence_over_cases_is_the_larger_p_of_two_one_sided_tests(seed):
    a, b = np.random.default_rng(seed).normal(0.7, 0.1, (2, 20))
    found = compare_pairs(
        over_cases(np.stack([a, b])), resolve(["accuracy"]), [0, 1], test="t", correction="none", level=0.95,
        margin=0.08, size=9, seed=0,
    )  # fmt: skip
    p, lower, _ = ttost_paired(a, b, -0.08, 0.08)
    assert found.equivalent[0, 0] == pytest.approx(p)
    assert found.not_worse[0, 0] == pytest.approx(lower[1])


def test_the_p_values_of_a_margin_are_corrected_over_the_pairs():
    scores = np.random.default_rng(1).normal(0.7, 0.1, (3, 20))
    arguments = {"test": "t", "level": 0.95, "margin": 0.08, "size": 99, "seed": 0}
    plain, holm = (
        compare_pairs(
            over_cases(scores), resolve(["accuracy"]), [0, 1, 2], correction=how, **arguments
        )
        for how in ("none", "maxt")
    )
    p = plain.equivalent[0]
    by_hand = np.maximum.accumulate(np.sort(p) * [3, 2, 1]).clip(max=1)
    np.testing.assert_allclose(np.sort(holm.equivalent[0]), by_hand)


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), "wide", True])
def test_what_is_no_margin_is_refused(margin):
    with pytest.raises(ParameterError, match="is not a margin; it is a number above 0"):
        outcome(6, 5, 40, margin=margin)


def test_the_interval_of_a_difference_stays_within_what_two_scores_can_differ_by():
    """Three items, all right against one right: t with 2 degrees of freedom would reach beyond 1."""
    pair = oe.compare([1, 2, 3], {"a": [1, 2, 3], "b": [1, 1, 1]}, metrics=["accuracy"]).pairs[-1]
    assert pair.metric == "accuracy"
    assert -1 <= pair.low < 0 < pair.high == 1
