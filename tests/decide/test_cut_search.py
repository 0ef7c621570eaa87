"""Where to cut a score: against all combinations of cuts on tiny sets, counted item by item."""

import itertools

import numpy as np
import pytest

import ordeval as oe
from ordeval.aliases import Array
from ordeval.decide import cut_search
from ordeval.decide.cut_search import CutSearch, best_cuts, directions, searched_cuts
from ordeval.decide.places import Places
from ordeval.decide.search import Objective
from tests.examples import grid

LINEAR = (
    "accuracy", "mae", "mse", "macro_mae", "macro_accuracy", "cem_ord", "cem_int",
    "accuracy_within", "threshold_loss",
)  # fmt: skip
OTHERS = (
    "weighted_kappa", "macro_f1", "kendall_tau_b", "geometric_mean", "max_mae", "mutual_information",
    "krippendorff_alpha", "spearman", "ordinal_classification_index", "lin_ccc",
)  # fmt: skip


def objective(measure: str, k: int) -> Objective:
    return Objective(oe.registry[measure], oe.Scale(range(k)))


def tiny(seed: int) -> tuple[Array, Array, int, Array | None]:
    """Return scores that say much or little of gold, often equal, on their own unit or not; weighted or not."""
    rng = np.random.default_rng(seed)
    k = 3 + seed % 2
    n = int(rng.integers(4, 11))
    gold = rng.integers(0, k, n)
    scores = gold * rng.choice([0.3, 1.0]) + rng.normal(size=n)
    scores = np.round(scores) if seed % 3 == 0 else scores
    return scores, gold, k, rng.random(n) + 0.1 if seed % 5 == 0 else None


def best_of_all(
    measure: Objective, scores: Array, gold: Array, k: int, weights: Array | None
) -> float:
    """Return the best value of all ways to cut, each item counted on its own."""
    levels = np.unique(scores)
    points = [-np.inf, *(levels[1:] + levels[:-1]) / 2, np.inf]
    every = np.array(list(itertools.combinations_with_replacement(points, k - 1)))
    answers = (scores[:, None] >= every[:, None]).sum(axis=2)  # [combination, item]
    tables = np.zeros((len(every), k, k))
    at = np.broadcast_to(np.arange(len(every))[:, None], answers.shape)
    np.add.at(tables, (at, gold, answers), 1.0 if weights is None else weights)
    return float(measure(tables).max())


@pytest.mark.parametrize("sets", [40, pytest.param(200, marks=pytest.mark.slow)])
@grid("measure", LINEAR, every=3)
def test_a_linear_measure_has_no_better_cuts(measure: str, sets: int) -> None:
    for seed in range(sets):
        scores, gold, k, weights = tiny(seed)
        wanted = objective(measure, k)
        places = Places.of(scores, gold, k, weights)
        worth = wanted.worth_everywhere(places.gold)
        assert worth is not None
        value = float(wanted(places.tables(places.best_for(worth))))
        best = best_of_all(wanted, scores, gold, k, weights)
        assert value == pytest.approx(best, abs=1e-9), (measure, seed)


@pytest.mark.parametrize("sets", [6, pytest.param(200, marks=pytest.mark.slow)])
@grid("measure", OTHERS, every=3)
def test_moves_find_the_best_cuts_of_tiny_sets(measure: str, sets: int) -> None:
    equal, defined = 0, 0
    for seed in range(sets):
        scores, gold, k, weights = tiny(seed)
        wanted = objective(measure, k)
        best = best_of_all(wanted, scores, gold, k, weights)
        if best == -np.inf:
            continue
        places = Places.of(scores, gold, k, weights)
        value = float(wanted(places.tables(searched_cuts(wanted, places))))
        assert value >= best - 0.01, (measure, seed)
        defined += 1
        equal += value > best - 1e-9
    assert defined > 0.9 * sets
    assert equal >= 0.95 * defined


@pytest.mark.parametrize("measure", ["weighted_kappa", "max_mae", "macro_f1"])
def test_few_combinations_are_all_tried(measure: str) -> None:
    for seed in range(20):
        scores, gold, k, weights = tiny(seed)
        wanted = objective(measure, k)
        found = best_cuts(wanted, Places.of(scores, gold, k, weights))
        assert found.exact
        best = best_of_all(wanted, scores, gold, k, weights)
        assert float(wanted(found.table)) == pytest.approx(best, abs=1e-12)


def test_the_points_give_the_table_that_was_found() -> None:
    for seed in range(60):
        scores, gold, k, weights = tiny(seed)
        found = best_cuts(objective("mae", k), Places.of(scores, gold, k, weights))
        answers = (scores[:, None] >= found.points).sum(axis=1)
        table = np.zeros((k, k))
        np.add.at(table, (gold, answers), 1.0 if weights is None else weights)
        np.testing.assert_allclose(found.table, table, atol=1e-12)
        assert (np.diff(found.points[np.isfinite(found.points)]) >= 0).all()


def test_cuts_lie_midway_between_neighbouring_scores() -> None:
    # Gold 0 0 1 1 2 with the scores 1 2 4 4 9: the cuts that make no error are between 2 and 4, and between 4 and 9.
    places = Places.of(np.array([4.0, 1.0, 9.0, 2.0, 4.0]), np.array([1, 0, 2, 0, 1]), 3)
    found = best_cuts(objective("mae", 3), places)
    assert found.points.tolist() == [3.0, 6.5]
    assert found.table.tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 1]]


def test_a_cut_between_numbers_that_are_neighbours_belongs_to_the_upper_class() -> None:
    low = 1.0
    high = np.nextafter(low, 2)
    found = best_cuts(objective("mae", 2), Places.of(np.array([low, high]), np.array([0, 1]), 2))
    assert found.points.tolist() == [high]


def test_huge_scores_are_cut_between_them() -> None:
    scores = np.array([-1.7e308, 1.6e308, 1.7e308])
    found = best_cuts(objective("mae", 3), Places.of(scores, np.array([0, 1, 2]), 3))
    assert (scores[:, None] >= found.points).sum(axis=1).tolist() == [0, 1, 2]


def test_equal_scores_are_never_separated() -> None:
    # All items have one score: gold is mostly 1, and the only answers that can be given are one class for all.
    places = Places.of(np.full(5, 0.5), np.array([0, 1, 1, 1, 2]), 3)
    found = best_cuts(objective("accuracy", 3), places)
    assert found.points.tolist() == [-np.inf, np.inf]
    assert found.table.sum(axis=0).tolist() == [0, 5, 0]


def test_a_class_that_never_pays_is_never_answered() -> None:
    # No gold is 0 or 2: there is nothing below the first cut, and nothing between the last two.
    places = Places.of(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 1, 3, 3]), 4)
    found = best_cuts(objective("accuracy", 4), places)
    assert found.points.tolist() == [-np.inf, 2.5, 2.5]


def test_one_class_needs_no_cut() -> None:
    places = Places.of(np.array([1.0, 2.0]), np.array([0, 0]), 1)
    found = best_cuts(objective("mae", 1), places)
    assert found.points.tolist() == []
    assert found.table.tolist() == [[2]]


@pytest.mark.parametrize("measure", ["weighted_kappa", "macro_f1", "max_mae"])
def test_of_many_places_the_search_among_some_loses_nothing_that_matters(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    gold = rng.choice(4, 3000, p=[0.1, 0.3, 0.4, 0.2])
    scores = gold + rng.normal(size=3000)
    wanted, places = objective(measure, 4), Places.of(scores, gold, 4)
    some = float(wanted(places.tables(searched_cuts(wanted, places))))
    monkeypatch.setattr(cut_search, "MOST_PLACES", 4000)
    every = float(wanted(places.tables(searched_cuts(wanted, places))))
    assert some == pytest.approx(every, abs=1e-3)
    nearest = places.of_points(np.array([0.5, 1.5, 2.5]))
    assert some >= float(wanted(places.tables(nearest)))


def test_cuts_among_many_places_are_refined_to_single_places() -> None:
    rng = np.random.default_rng(3)
    gold = rng.choice(4, 5000, p=[0.1, 0.3, 0.4, 0.2])
    wanted = objective("weighted_kappa", 4)
    places = Places.of(gold + rng.normal(size=5000), gold, 4)
    cuts = searched_cuts(wanted, places)
    value = float(wanted(places.tables(cuts)))
    nearby = cuts + np.arange(-12, 13)[:, None, None] * np.eye(3, dtype=np.intp)
    assert float(wanted(places.tables(nearby)).max()) <= value + 1e-6


def test_several_cuts_shifted_together_find_what_single_moves_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The worst class decides: to help it, one cut after the other would first harm another class.
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 300)
    wanted, places = objective("max_mae", 4), Places.of(gold + rng.normal(size=300), gold, 4)
    together = float(wanted(places.tables(searched_cuts(wanted, places))))
    monkeypatch.setattr(cut_search, "directions", lambda cuts: np.zeros((1, cuts), dtype=np.intp))
    alone = float(wanted(places.tables(searched_cuts(wanted, places))))
    assert together > alone + 0.005


def test_items_without_weight_make_no_places() -> None:
    scores, gold = np.array([0.0, 1.0, 5.0]), np.array([0, 1, 1])
    found = best_cuts(objective("mae", 2), Places.of(scores, gold, 2, np.array([1.0, 0.0, 1.0])))
    assert found.points.tolist() == [2.5]


def test_the_search_is_never_worse_than_rounding() -> None:
    # The scores are nearly on the values, so that rounding is right but for 3 items in 100.
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 5, 2000)
    scores = gold + rng.uniform(-0.515, 0.515, 2000)
    wanted, places = objective("weighted_kappa", 5), Places.of(scores, gold, 5)
    rounded = float(wanted(places.tables(places.of_points(np.arange(4) + 0.5))))
    found = CutSearch(wanted, places).of(searched_cuts(wanted, places))
    assert found.value >= rounded > 0.98


def test_of_many_cuts_one_is_shifted_or_all_from_one_on() -> None:
    assert len(directions(4)) == 3**4
    assert len(directions(9)) == 4 * 9
    assert directions(9)[1].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert directions(9)[10].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]


def test_items_of_weight_two_are_two_items() -> None:
    scores, gold = np.array([0.1, 0.4, 0.2, 0.9, 0.7]), np.array([0, 1, 1, 2, 0])
    weights = np.array([1.0, 2.0, 1.0, 3.0, 2.0])
    once = Places.of(scores, gold, 3, weights)
    times = weights.astype(int)
    twice = Places.of(np.repeat(scores, times), np.repeat(gold, times), 3)
    for measure in ("mae", "weighted_kappa", "cem_ord"):
        one, other = (best_cuts(objective(measure, 3), each) for each in (once, twice))
        assert one.points.tolist() == other.points.tolist()
        assert one.table.tolist() == other.table.tolist()
