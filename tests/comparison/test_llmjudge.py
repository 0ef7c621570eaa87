"""33 judges on 4,423 items in 25 test cases, with missing answers: the comparison that all this is for."""

import json
import resource

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

import ordeval as oe
from ordeval.cli import main

METRICS = [
    "cem_ord", "accuracy", "macro_f1", "cohen_kappa", "mae", "macro_mae", "kendall_tau_b", "spearman",
    "weighted_kappa(weights='quadratic')", "krippendorff_alpha",
]  # fmt: skip


@pytest.fixture(scope="module")
def files(shared):
    folder = shared / "data" / "llmjudge2024"
    return [str(folder / "gold.csv.gz"), str(folder / "systems.csv.gz")]


@pytest.fixture(scope="module")
def comparison(files):
    runs = oe.Runs.from_files(files[0], [files[1]], missing="zero")
    return oe.compare(runs, metrics=METRICS, n_resamples=199)


def test_all_judges_pairs_and_measures_are_there(comparison):
    assert len(comparison.leaderboard) == 33
    assert len(comparison.scores.cases) == 25
    assert len(comparison.pairs) == 528 * 10
    assert sorted(name for tier in comparison.tiers for name in tier) == sorted(
        comparison.runs.systems
    )
    assert "3 answers are missing (every system" in comparison.caption
    assert "528 pairs" in comparison.caption


def test_the_best_set_holds_all_whom_no_other_judge_is_significantly_better_than(comparison):
    beaten = {
        pair.b
        for pair in comparison.pairs
        if pair.metric == "cem_ord" and pair.p_adjusted <= 0.05 and pair.difference > 0
    }
    assert set(comparison.best) == set(comparison.systems) - beaten
    assert comparison.systems[0] in comparison.best
    assert 1 < len(comparison.best) < 33


def test_no_tier_or_rank_contradicts_a_score_or_a_pair(comparison):
    p = {(pair.a, pair.b): pair.p_adjusted for pair in comparison.pairs if pair.metric == "cem_ord"}
    names = comparison.systems
    for one in comparison.leaderboard:
        assert one.rank_low <= one.rank <= one.rank_high
        assert set(one.beats) == {b for b in names if p.get((one.system, b), 1.0) <= 0.05}
    for above, below in zip(comparison.tiers, comparison.tiers[1:], strict=False):
        assert all(p[a, b] <= 0.05 for a in above for b in below)


def test_22_of_33_judges_are_less_often_right_than_a_constant_answer(files):
    """The numbers of the issue that asked for it: 0.516 as the mean over the 25 test cases (0.453 if pooled)."""
    runs = oe.Runs.from_files(files[0], [files[1]], missing="zero")
    found = oe.compare(runs, metrics="accuracy", primary="accuracy", n_resamples=99)
    assert found.baseline.label == 0
    assert found.baseline.scores["accuracy"] == pytest.approx(0.516, abs=5e-4)
    below = [one for one in found.leaderboard if one.scores["accuracy"].value < 0.516]
    assert len(below) == 22
    assert {one.system for one in below} <= set(found.baseline.not_beaten_by)
    gold = pd.read_csv(files[0])
    by_hand = gold.groupby("case")["label"].apply(lambda labels: (labels == 0).mean()).mean()
    assert found.baseline.scores["accuracy"] == pytest.approx(by_hand)


def test_t_tests_are_those_of_scipy_over_cases_but_for_the_pseudo_items(comparison):
    scores = comparison.scores
    sample = scores.samples[0]
    for pair in comparison.pairs[::97]:
        m = scores.metrics.index(pair.metric)
        a, b = (scores.systems.index(name) for name in (pair.a, pair.b))
        one, two = scores.case_values[m, a], scores.case_values[m, b]
        both = ~np.isnan(one - two)
        theirs = stats.ttest_rel(one[both], two[both])
        pseudo = sample.estimate.pseudo[m, [a, b]].sum()
        assert pair.difference / np.sqrt(pair.error**2 - pseudo) == pytest.approx(
            theirs.statistic, rel=1e-6, abs=1e-9
        )
        assert pair.p >= theirs.pvalue - 1e-12  # pseudo-items make us more cautious


def test_randomisation_is_scipys_permutation_test_over_cases(comparison):
    """Sampled by SciPy and by us."""
    few = comparison.runs.select(list(comparison.systems[::8]))
    found = oe.compare(few, metrics=["cem_ord"], test="randomisation", correction="none")
    scores = found.scores
    for pair in found.pairs:
        a, b = (scores.systems.index(name) for name in (pair.a, pair.b))
        d = scores.case_values[0, a] - scores.case_values[0, b]
        theirs = stats.permutation_test(
            (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=9999, vectorized=True,
            random_state=np.random.default_rng(0),
        ).pvalue  # fmt: skip
        assert pair.p == pytest.approx(theirs, abs=6 * np.sqrt(max(pair.p, 1e-3) / 9999))


@pytest.mark.later
def test_the_command_compares_them_all(files, tmp_path):
    output = tmp_path / "found.json"
    arguments = [
        "compare",
        *files,
        "--missing",
        "zero",
        "--resamples",
        "99",
        "--metrics",
        ",".join(METRICS[:3]),
    ]
    result = CliRunner().invoke(main, [*arguments, "--format", "json", "-o", str(output)])
    assert result.exit_code == 0, result.output
    content = json.loads(output.read_text(encoding="utf-8"))
    assert len(content["systems"]) == 33
    assert len(content["pairs"]) == 528 * 3
    assert content["input"]["cases"] == 25
    assert content["policy"]["missing"] == "zero"


@pytest.mark.slow
def test_the_full_comparison_takes_less_than_4_gigabytes(files):
    runs = oe.Runs.from_files(files[0], [files[1]], missing="zero")
    found = oe.compare(runs, metrics=METRICS, n_resamples=9999)
    assert len(found.pairs) == 5280
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 2**20  # kilobytes
