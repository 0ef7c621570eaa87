"""Swap rate and ranking similarity against their definitions, pair by pair and halving by halving."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import ordeval as oe
from ordeval.meta.split_halves import compare_halves, random_halves
from tests.meta import plain


@pytest.fixture(scope="module")
def made():
    return oe.simulate.collection(
        labels=4, cases=12, items=50, deviation=(0.7, 1.2), ratios=[0.1, 0.5, 0.9], rng=2
    )


@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(2, 7), st.integers(1, 4))
def test_ties_and_undefined_scores_are_as_in_the_definition(seed, systems, cases, splits):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (systems, cases)) / 2
    values[rng.random((systems, cases)) < 0.15] = np.nan
    halves = random_halves(cases, splits, rng)
    halvings = [[np.flatnonzero(half) for half in halving] for halving in halves.swapaxes(0, 1)]
    nobody = np.zeros((systems * (systems - 1) // 2, 0))
    swapped, alike, *_ = compare_halves(values[None, None], halves, nobody)
    for (found,), definition in ((swapped, plain.swap_rate), (alike, plain.ranking_similarity)):
        expected = definition(values, halvings)
        assert plain.mean(found.tolist()) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("numbers", [4_000_000, 1])
def test_many_measures_and_cuts_are_compared_as_each_of_them_alone(numbers, monkeypatch):
    # 13 systems have more pairs than are compared at a time; the halvings use the three cuts in turn.
    monkeypatch.setattr("ordeval.stats.chunks.NUMBERS_AT_A_TIME", numbers)
    rng = np.random.default_rng(7)
    values = rng.integers(0, 4, (3, 3, 13, 6)) / 3
    values[rng.random(values.shape) < 0.2] = np.nan
    halves = random_halves(6, 8, rng)
    mass = rng.integers(0, 3, (78, 4)).astype(float)
    swapped, alike, swapped_drawn, _ = compare_halves(values, halves, mass)
    first, second = np.triu_indices(13, k=1)
    for measure, scores in enumerate(values):
        swaps, known = np.zeros(78), np.zeros(78)
        for at in range(8):
            halving = [np.flatnonzero(half) for half in halves[:, at]]
            of_cut = scores[at % 3]
            expected = (
                plain.swap_rate(of_cut, [halving]),
                plain.ranking_similarity(of_cut, [halving]),
            )
            found = swapped[measure, at], alike[measure, at]
            assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
            for pair, systems in enumerate(zip(first, second, strict=True)):
                for one, other in plain.orders_on_both(of_cut[list(systems)], halving):
                    swaps[pair] += one * other == -1
                    known[pair] += 1
        assert swapped_drawn[measure] == pytest.approx(swaps @ mass / (known @ mass))


def test_each_half_has_half_of_the_cases_and_an_odd_one_is_in_neither():
    for cases in (6, 7):
        first, second = random_halves(cases, 50, np.random.default_rng(0))
        assert (first.sum(axis=1) == 3).all()
        assert (second.sum(axis=1) == 3).all()
        assert (first + second).max() == 1


def test_two_cases_that_disagree_swap_all_pairs_and_two_that_agree_swap_none():
    gold = [0, 1, 2, 0, 1, 2]
    turned = {"a": [0, 1, 2, 1, 1, 1], "b": [1, 1, 1, 0, 1, 2]}
    agreed = {"a": [0, 1, 2, 0, 1, 2], "b": [1, 1, 1, 1, 1, 1]}
    case = [1, 1, 1, 2, 2, 2]
    both = [
        oe.meta.split_halves(oe.Runs.from_labels(gold, systems, case=case), ["mae"], splits=10)
        for systems in (turned, agreed)
    ]
    assert [found.swap_rate["mae"] for found in both] == [1, 0]
    assert [found.ranking_similarity["mae"] for found in both] == [-1, 1]


def test_both_count_pairs_between_the_same_random_halves(made):
    splits = 50
    found = oe.meta.split_halves(made.table, ["mae"], splits=splits, rng=9)
    order = np.random.default_rng(9).permuted(np.broadcast_to(np.arange(12), (splits, 12)), axis=1)
    scores = oe.mae(made.table)
    swapped, taus = 0, []
    for row in order:
        halves = [scores[:, half].mean(axis=1).round(12) for half in (row[:6], row[6:])]
        left, right = (half[:, None] - half for half in halves)
        swapped += (left * right < 0).sum() / 2
        taus.append(kendalltau(*halves).statistic)
    assert found.swap_rate["mae"] == pytest.approx(swapped / (splits * 105))
    assert found.ranking_similarity["mae"] == pytest.approx(np.mean(taus))
    assert found.ranking_similarity.spread[0] == pytest.approx(np.std(taus, ddof=1))


def test_without_ties_one_says_what_the_other_says():
    # Every pair agrees or swaps, so tau is the share that agrees minus the share that swaps: 1 - 2 * swap rate.
    rng = np.random.default_rng(3)
    values = rng.random((1, 8, 10))
    halves = random_halves(10, 20, rng)
    weights = rng.multinomial(8, np.full(8, 1 / 8), size=30)
    first, second = np.triu_indices(8, k=1)
    mass = (weights[:, first] * weights[:, second]).T.astype(float)
    swapped, alike, swapped_drawn, alike_drawn = compare_halves(values[None], halves, mass)
    assert alike == pytest.approx(1 - 2 * swapped)
    assert alike_drawn == pytest.approx(1 - 2 * swapped_drawn)


def test_a_system_drawn_twice_weighs_its_pairs_twice(made):
    found = oe.meta.split_halves(made.table, ["mae"], splits=20, resamples=3, rng=4)
    rng = np.random.default_rng(4)
    halves = random_halves(12, 20, rng)
    halvings = [[np.flatnonzero(half) for half in halving] for halving in halves.swapaxes(0, 1)]
    often = rng.multinomial(15, np.full(15, 1 / 15), size=3)
    scores = oe.mae(made.table)
    for at, times in enumerate(often):
        above = below = 0
        for a in range(15):
            for b in range(a + 1, 15):
                mass = times[a] * times[b]
                above += mass * plain.swap_rate(scores[[a, b]], halvings)
                below += mass
        assert found.swap_rate.draws["systems"][0, at] == pytest.approx(above / below)


def test_many_cases_agree_more_than_few(made):
    few = oe.simulate.collection(
        labels=4, cases=12, items=5, deviation=(0.7, 1.2), ratios=[0.1, 0.5, 0.9], rng=2
    )
    one, other = (oe.meta.split_halves(data.table, ["cem_ord"]) for data in (made, few))
    assert one.swap_rate["cem_ord"] < other.swap_rate["cem_ord"]
    assert one.ranking_similarity["cem_ord"] > other.ranking_similarity["cem_ord"]


def test_intervals_hold_the_value_and_can_be_left_out(made):
    for part in oe.meta.split_halves(made.table, ["mae", "cem_ord"]):
        for name in part.metrics:
            ends = part.interval(name)
            assert ends.low <= part[name] <= ends.high
    for part in oe.meta.split_halves(made.table, ["mae"], resamples=0):
        assert part.draws == {}


def test_data_without_cases_is_cut_into_parts_which_are_halved(made):
    found = oe.meta.split_halves(made.runs.pooled(), ["mae"], parts=6, repeats=3)
    assert (found.swap_rate.cases, found.swap_rate.repeats) == (6, 3)
    assert 0 < found.swap_rate["mae"] < 0.5


def test_both_show_themselves(made):
    for result in oe.meta.split_halves(made.table, ["mae", "mse"], splits=5):
        assert "\n" not in repr(result)
        assert "mae" in str(result)
        assert "<table " in result._repr_html_()
        assert result.to_dict()["schema"] == 1
        assert {"low", "high"} <= set(result.to_dict()["metrics"][0])
