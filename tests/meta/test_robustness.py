"""Robustness against its formula, and its bootstrap against cases drawn one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval.meta.robustness import case_correlations
from ordeval.meta.values import read_values
from tests.meta import plain


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=5, cases=6, items=40, mean=1, deviation=(0.6, 1.5), ratios=[0.2, 0.5, 1], rng=4
    )


@pytest.mark.parametrize("name", ["cem_ord", "mae", "accuracy", "spearman"])
def test_it_equals_the_formula_case_pair_by_case_pair(made, name):
    found = oe.meta.robustness(made.table, [name], resamples=0)
    assert found[name] == pytest.approx(plain.robustness(oe.registry[name](made.table)), abs=1e-12)


@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(2, 5))
def test_ties_and_undefined_scores_are_as_in_the_formula(seed, systems, cases):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (systems, cases)) / 2
    values[rng.random((systems, cases)) < 0.15] = np.nan
    expected = plain.robustness(values)
    matrix = case_correlations(values)
    found = np.nanmean(matrix) if np.isfinite(matrix).any() else np.nan
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_by_hand_two_cases_that_agree_and_one_that_turns_them_round():
    # Rankings of three systems: 1 2 3, 1 2 3, 3 2 1. Spearman of the three pairs of cases: 1, -1, -1.
    values = np.array([[1.0, 10.0, 3.0], [2.0, 20.0, 2.0], [3.0, 30.0, 1.0]])
    assert np.nanmean(case_correlations(values)) == pytest.approx(-1 / 3)


def test_cases_drawn_again_are_weights_on_their_pairs(made):
    found = oe.meta.robustness(made.table, ["mae"], resamples=5, rng=1)
    often = np.random.default_rng(1).multinomial(6, np.full(6, 1 / 6), size=5)
    matrix = case_correlations(oe.mae(made.table))
    for at, times in enumerate(often):
        chosen = np.repeat(np.arange(6), times)
        pairs = [matrix[a, b] for a in chosen for b in chosen if a != b]
        assert found.draws["cases"][0, at] == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("numbers", [4_000_000, 1])
def test_resamples_use_the_random_splits_in_turn_for_every_measure(made, numbers, monkeypatch):
    monkeypatch.setattr("ordeval.stats.chunks.NUMBERS_AT_A_TIME", numbers)
    names = ["mae", "pearson", "cem_ord"]
    scored = read_values(made.runs.pooled(), names, parts=5, repeats=3)
    found = oe.meta.robustness(scored, names, resamples=7, rng=1)
    often = np.random.default_rng(1).multinomial(5, np.full(5, 1 / 5), size=7)
    for measure, values in enumerate(scored.take(names)):
        matrices = [case_correlations(one) for one in values]
        assert found.spread[measure] == pytest.approx(
            np.std([np.nanmean(one) for one in matrices], ddof=1)
        )
        assert found.left_out[measure] == sum(np.isnan(one).sum() - 5 for one in matrices) // 2
        for at, times in enumerate(often):
            chosen = np.repeat(np.arange(5), times)
            pairs = [matrices[at % 3][a, b] for a in chosen for b in chosen if a != b]
            assert found.draws["cases"][measure, at] == pytest.approx(np.nanmean(pairs))


def test_it_shows_itself(made):
    found = oe.meta.robustness(made.table, ["cem_ord", "mae"], resamples=9)
    assert repr(found).endswith("best of 2 measures, systems=15, cases=6)")
    assert str(found).splitlines()[0].startswith("measure")
    assert "<table " in found._repr_html_()
    assert {row["name"] for row in found.to_dict()["metrics"]} == {"cem_ord", "mae"}
