"""Intervals hold the truth, and tests err, as often as they say: by simulation.

The populations are described in benchmarks/coverage.py, which prints the tables of the documentation; here a smaller
setting runs every time and the full one under `slow`.
"""

import numpy as np
import pytest

from benchmarks.coverage import (
    GOLD,
    METRICS,
    coverage,
    coverage_over_cases,
    rejections,
    rejections_over_cases,
)
from tests.conftest import ROOT

RARE = METRICS.index("macro_mae")


def bounds(share, trials):
    """Four standard errors of a share around it."""
    return 4 * np.sqrt(share * (1 - share) / trials)


@pytest.mark.parametrize("gold", ["even", "skewed"])
def test_intervals_hold_the_truth_about_as_often_as_they_say(gold):
    for shares in coverage(gold, 150, 299).values():
        assert (np.abs(shares - 0.95) < bounds(0.95, 150) + 0.01).all()


def test_intervals_from_resampled_cases_hold_the_mean_over_cases_to_come():
    for shares in coverage_over_cases(300, 199).values():
        assert (np.abs(shares - 0.95) < bounds(0.95, 300) + 0.01).all()


def test_tests_err_about_as_often_as_they_say():
    for shares in rejections("skewed", 150, 199).values():
        assert (np.abs(shares - 0.05) < bounds(0.05, 150)).all()
    over_cases = rejections_over_cases(300, 199)
    for test in ("randomisation", "wilcoxon", "t"):
        assert (np.abs(over_cases[test] - 0.05) < bounds(0.05, 300)).all()


@pytest.mark.slow
@pytest.mark.parametrize("gold", ["even", "skewed"])
def test_95_per_cent_intervals_hold_the_truth_in_93_to_97_of_100_samples(gold):
    for shares in coverage(gold, 2000, 999).values():
        assert (shares >= 0.93).all()
        assert (shares <= 0.97).all()


@pytest.mark.slow
def test_intervals_over_25_cases_hold_the_truth_in_93_to_97_of_100_samples():
    for shares in coverage_over_cases(2000, 999).values():
        assert (shares >= 0.93).all()
        assert (shares <= 0.97).all()


@pytest.mark.slow
def test_where_a_class_has_3_of_300_items_macro_averages_are_covered_less_and_the_others_as_they_should():
    found = coverage("very skewed", 2000, 999)
    others = [m for m in range(len(METRICS)) if m != RARE]
    for shares in found.values():
        assert (shares[others] >= 0.93).all()
        assert (shares[others] <= 0.97).all()
    assert found["bca"][RARE] < found["percentile"][RARE] < 0.93


@pytest.mark.slow
@pytest.mark.parametrize("gold", list(GOLD))
def test_randomisation_errs_in_3_5_to_6_5_per_cent_of_trials_without_a_difference(gold):
    found = rejections(gold, 2000, 999)
    tests = ["randomisation"] if gold == "very skewed" else list(found)
    for test in tests:
        assert (found[test] >= 0.035).all(), test
        assert (found[test] <= 0.065).all(), test


@pytest.mark.slow
def test_tests_over_cases_err_in_3_5_to_6_5_per_cent_and_the_bootstrap_a_little_more():
    found = rejections_over_cases(2000, 999)
    for test in ("randomisation", "wilcoxon", "t"):
        assert (found[test] >= 0.035).all(), test
        assert (found[test] <= 0.065).all(), test
    assert (found["bootstrap"] < 0.10).all()


def test_the_documentation_prints_a_row_for_every_population_and_method():
    page = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    for data in [*(f"items, {gold}" for gold in GOLD), "25 cases"]:
        for method in ("percentile", "bca", "bootstrap", "randomisation"):
            assert f"| {data} | {method} |" in page
    assert "`python -m benchmarks.coverage`" in page
