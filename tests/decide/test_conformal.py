"""Conformal sets on arrays: what they promise, over many splits and item by item."""

import math

import numpy as np
import pytest

from ordeval.aliases import Array
from ordeval.decide.conformal import (
    Calibration,
    calibrate,
    gold_masses,
    least_items,
    masses,
    rank,
    spans,
)

SPLITS = 200


def simulated(n: int, k: int = 5, seed: int = 0) -> tuple[Array, Array]:
    """Return columns of probabilities of a latent variable, and gold classes that are drawn from them."""
    rng = np.random.default_rng(seed)
    place, width = 1.5 * rng.normal(size=n), 0.3 + rng.random(n)
    below = 1 / (1 + np.exp(-(np.linspace(-2, 2, k - 1)[:, None] - place) / width))
    edges = np.concatenate([np.zeros((1, n)), below, np.ones((1, n))])
    return np.diff(edges, axis=0), (rng.random(n) > below).sum(axis=0)


def grown(row: list[float]) -> list[float]:
    """Return the masses of one item as the definition says, one class at a time."""
    found = [0.0] * len(row)
    low = high = row.index(max(row))
    mass = row[low]
    while high - low + 1 < len(row):
        below = row[low - 1] if low > 0 else -1.0
        above = row[high + 1] if high + 1 < len(row) else -1.0
        if below >= above:
            low -= 1
            found[low], mass = mass, mass + below
        else:
            high += 1
            found[high], mass = mass, mass + above
    return found


def covered(columns: Array, gold: Array, level: float, *, by_class: bool) -> tuple[Array, Array]:
    """Return whether sets hold the gold class, of items that a random half was calibrated without; -1: in that half."""
    k, n = columns.shape
    rng = np.random.default_rng(5)
    found = np.full((SPLITS, n), -1)
    sizes = np.empty(SPLITS)
    own = gold_masses(columns, gold)
    for split in range(SPLITS):
        half, other = np.split(rng.permutation(n), [n // 2])
        thresholds, _ = calibrate(own[half], gold[half], k, level, by_class=by_class)
        sets = spans(columns[:, other], thresholds[:, None])
        found[split, other] = sets.hold(gold[other])
        sizes[split] = sets.sizes.mean()
    return found, sizes


def test_masses_by_hand() -> None:
    # The set begins with 0.4, grows to 0.3 on the right, then the left, 0.2, then the right, 0.1.
    row = np.array([[0.2], [0.4], [0.3], [0.1]])
    assert masses(row)[:, 0] == pytest.approx([0.7, 0.0, 0.4, 0.9])
    # of two equal neighbours the lower joins first; of two equal classes to begin with, the lower
    equal = np.array([[0.25], [0.5], [0.25]])
    assert masses(equal)[:, 0] == pytest.approx([0.5, 0.0, 0.75])
    assert masses(np.array([[0.5], [0.5]]))[:, 0] == pytest.approx([0.0, 0.5])


def test_masses_are_those_of_the_definition_item_by_item() -> None:
    rng = np.random.default_rng(0)
    for k in range(1, 8):
        columns = rng.dirichlet(np.ones(k), 50).T
        columns = np.concatenate([columns, np.round(columns, 1)], axis=1)
        expected = np.array([grown(row) for row in columns.T.tolist()]).T
        np.testing.assert_allclose(masses(columns), expected, atol=1e-15)


def test_the_rank_is_that_of_the_decimal_level() -> None:
    # 0.55 * 100 = 55, though in floating point it is a little more
    assert math.ceil(0.55 * 100) == 56
    assert rank(0.55, 99) == 55
    assert rank(0.9, 9) == 9
    assert rank(0.9, 8) == 9  # more than there are: 9 > 8
    assert [least_items(level) for level in (0.5, 0.9, 0.95, 0.99)] == [1, 9, 19, 99]


def test_the_threshold_is_the_mass_at_the_rank() -> None:
    # 4 items at 80%: the rank is 0.8 * 5 = 4, the largest mass; at 60% it is 3; at 90% there are too few items.
    calibration = Calibration.of(np.array([0.3, 0.0, 0.9, 0.5]))
    assert calibration.threshold(0.8) == 0.9
    assert calibration.threshold(0.6) == 0.5
    assert calibration.threshold(0.9) == np.inf


def test_a_row_that_stands_for_three_items_counts_three_times() -> None:
    found, times = np.array([0.3, 0.0, 0.9, 0.5]), np.array([3, 1, 2, 1])
    once, often = Calibration.of(found, times), Calibration.of(np.repeat(found, times))
    for level in (0.3, 0.5, 0.7, 0.8, 0.9):
        assert once.threshold(level) == often.threshold(level)
        each = once.without_each(found, level)
        assert (
            np.repeat(each, times).tolist()
            == often.without_each(np.repeat(found, times), level).tolist()
        )


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("level", [0.3, 0.8, 0.95])
def test_leaving_an_item_out_is_calibrating_without_it(level: float, *, by_class: bool) -> None:
    columns, gold = simulated(40, k=3, seed=2)
    found = np.round(gold_masses(columns, gold), 1)  # with ties
    _, each = calibrate(found, gold, 3, level, by_class=by_class)
    for item in range(40):
        others = np.arange(40) != item
        alone, _ = calibrate(found[others], gold[others], 3, level, by_class=by_class)
        assert each[:, item].tolist() == alone.tolist()


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.99])
def test_coverage_is_what_was_promised(level: float) -> None:
    columns, gold = simulated(1000)
    found, _ = covered(columns, gold, level, by_class=False)
    assert found[found >= 0].mean() == pytest.approx(level, abs=0.015)


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_coverage_by_class_is_what_was_promised(level: float) -> None:
    columns, gold = simulated(1500)
    found, _ = covered(columns, gold, level, by_class=True)
    for code in range(5):
        own = found[:, gold == code]
        assert own[own >= 0].mean() == pytest.approx(level, abs=0.015)


def test_coverage_of_all_leaves_some_classes_with_less() -> None:
    columns, gold = simulated(1500)
    found, _ = covered(columns, gold, 0.9, by_class=False)
    least = min(found[:, gold == code][found[:, gold == code] >= 0].mean() for code in range(5))
    assert least < 0.86


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_ties_do_not_break_the_promise(level: float) -> None:
    columns, gold = simulated(600, k=4)
    columns = np.round(columns * 4) / 4  # few different rows, which need not sum to 1
    found, _ = covered(columns, gold, level, by_class=False)
    assert found[found >= 0].mean() >= level - 0.005  # of 200 halves, at random
    found, _ = covered(np.full((4, 600), 0.25), gold, level, by_class=False)
    assert found[found >= 0].mean() >= level - 0.005


def test_misleading_probabilities_do_not_break_the_promise() -> None:
    columns, gold = simulated(600)
    found, sizes = covered(columns[::-1].copy(), gold, 0.9, by_class=False)
    assert found[found >= 0].mean() == pytest.approx(0.9, abs=0.015)
    assert sizes.mean() > covered(columns, gold, 0.9, by_class=False)[1].mean() + 0.5


def test_a_handful_of_items_keeps_the_promise_by_large_sets() -> None:
    columns, gold = simulated(4)
    own = gold_masses(columns, gold)
    thresholds, _ = calibrate(own, gold, 5, 0.9, by_class=False)
    sets = spans(columns, thresholds[:, None])
    assert sets.lowest.tolist() == [0] * 4
    assert sets.highest.tolist() == [4] * 4
    # 4 items are enough for 80%: over many calibrations, 4 of 5 new items are covered, or more
    columns, gold = simulated(5000, seed=3)
    own = gold_masses(columns, gold).reshape(1000, 5)
    hit = [mass[4] <= Calibration.of(mass[:4]).threshold(0.8) for mass in own]
    assert np.mean(hit) == pytest.approx(0.8, abs=0.04)  # three standard errors


def test_sets_hold_neighbours_and_the_most_probable_class() -> None:
    rng = np.random.default_rng(7)
    columns = rng.dirichlet(np.full(6, 0.4), 500).T
    for limit in (0.0, 0.3, 0.8, np.inf):
        inside = masses(columns) <= limit
        sets = spans(columns, np.full((6, 1), limit))
        assert (inside.sum(axis=0) == sets.sizes).all()  # no gaps
        assert sets.hold(columns.argmax(axis=0)).all()


def test_a_class_without_gold_is_in_every_set_by_class() -> None:
    columns, gold = simulated(300, k=4)
    kept = gold != 3
    columns, gold = columns[:, kept], gold[kept]
    thresholds, each = calibrate(gold_masses(columns, gold), gold, 4, 0.8, by_class=True)
    assert np.isinf(thresholds[3])
    assert np.isfinite(thresholds[:3]).all()
    assert (spans(columns, each).highest == 3).all()
