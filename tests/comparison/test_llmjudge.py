"""33 judges on 4,423 items in 25 test cases, with missing answers: the comparison that all this is for."""

import json
import resource

import numpy as np
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
    return oe.compare(runs, metrics=METRICS, n_resamples=999)


def test_all_judges_pairs_and_measures_are_there(comparison):
    assert len(comparison.leaderboard) == 33
    assert len(comparison.scores.cases) == 25
    assert len(comparison.pairs) == 528 * 10
    assert sorted(name for tier in comparison.tiers for name in tier) == sorted(
        comparison.runs.systems
    )
    assert "(3 missing)" in comparison.caption
    assert "528 pairs" in comparison.caption


def test_a_first_tier_holds_nobody_who_is_significantly_worse_than_the_best(comparison):
    best, first = comparison.systems[0], set(comparison.tiers[0])
    for pair in comparison.pairs:
        if pair.metric == "cem_ord" and pair.a == best:
            assert (pair.p_adjusted <= 0.05) == (pair.b not in first)


def test_p_values_are_those_of_scipys_permutation_test_over_cases(comparison):
    """Sampled by SciPy, counted in full by us."""
    scores = comparison.scores
    for pair in comparison.pairs[::400]:
        m = scores.metrics.index(pair.metric)
        a, b = (scores.systems.index(name) for name in (pair.a, pair.b))
        d = scores.case_values[m, a] - scores.case_values[m, b]
        if np.isnan(d).any():
            assert pair.p is None
            assert "undefined" in pair.reason
            continue
        theirs = stats.permutation_test(
            (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=9999, vectorized=True,
            random_state=np.random.default_rng(0),
        ).pvalue  # fmt: skip
        assert pair.p == pytest.approx(theirs, abs=4 * np.sqrt(max(pair.p, 1e-3) / 9999))


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
