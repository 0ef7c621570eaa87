"""Sign flips of items, against all flips written out and against SciPy."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.stats import chunks, sign_flips
from tests.examples import grid

DRAWS = 20_000
MEASURES = ["accuracy", "mae", "cem_ord", "weighted_kappa(weights='quadratic')", "kendall_tau_b"]


def systems(seed, items, *, number=3, classes=3):
    """Return gold and systems of some quality; the first is always right."""
    rng = np.random.default_rng(seed)
    gold = np.arange(items) % classes
    answers = {
        f"s{at}": np.where(rng.random(items) < 1 - at / 3, gold, rng.integers(classes, size=items))
        for at in range(number)
    }
    return gold, answers


def t_of(total, square, n):
    """Return |t| of a sum of n contributions with that sum of squares."""
    variance = max(square - total**2 / n, 0.0) * n / (n - 1)
    if variance <= 1e-9 * square:  # all contributions are equal
        return np.inf if total else 0.0
    return abs(total) / sqrt(variance)


def exact_p(parts):
    """Return the share of all sign flips of contributions[item] whose |t| is at least as large as the observed one."""
    n, square = len(parts), sum(x * x for x in parts)
    sums = [
        sum(s * x for s, x in zip(signs, parts, strict=True))
        for signs in product([-1, 1], repeat=n)
    ]
    observed = t_of(sum(parts), square, n)
    return np.mean([t_of(total, square, n) >= observed * (1 - 1e-6) for total in sums])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("items", [4, 7, 9])
def test_randomisation_over_items_is_the_share_of_all_flips_by_every_measure(seed, items):
    gold, answers = systems(seed, items)
    found = oe.compare(
        gold, answers, metrics=MEASURES, test="randomisation", n_resamples=DRAWS, labels=[0, 1, 2]
    )
    sample, pairs = found.scores.samples[0], found.pair_values
    count = sample.count.astype(int)
    for m in range(len(MEASURES)):
        parts = sample.contributions(m)
        for q, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True)):
            if np.isnan(pairs.p[m, q]):
                continue
            expected = exact_p(np.repeat(parts[a] - parts[b], count).tolist())
            spread = sqrt(expected * (1 - expected) / DRAWS)
            assert pairs.p[m, q] == pytest.approx(expected, abs=5 * spread + 2 / DRAWS)


@pytest.mark.parametrize("items", [3, 4, 8])
def test_a_system_right_everywhere_and_one_wrong_everywhere_swap_all_or_nothing(items):
    """All contributions are equal, so that only the two flips with one sign are as far out: 2 / 2^n."""
    gold = np.arange(items) % 2
    found = oe.compare(
        gold, {"right": gold, "wrong": 1 - gold}, metrics="accuracy", primary="accuracy",
        test="randomisation", n_resamples=DRAWS,
    ).pairs[0]  # fmt: skip
    assert found.p == pytest.approx(2 / 2**items, abs=0.02)


@pytest.mark.parametrize("items", [10, 60])
@pytest.mark.parametrize("metric", ["mae", "accuracy"])
def test_randomisation_of_means_over_items_is_scipys_permutation_test_of_pairs(items, metric):
    gold, answers = systems(5, items, number=2)
    found = oe.compare(
        gold, answers, metrics=[metric], primary=metric, test="randomisation", n_resamples=DRAWS
    ).pairs[0]
    cost = [
        (answer != gold if metric == "accuracy" else np.abs(answer - gold)).astype(float)
        for answer in answers.values()
    ]
    expected = stats.permutation_test(
        cost, lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=DRAWS, random_state=0,
    ).pvalue  # fmt: skip
    assert found.p == pytest.approx(expected, abs=5 * sqrt(2 * expected / DRAWS) + 2 / DRAWS)


@grid(
    "kind, test",
    product(["items", "cases", "many items", "tables"], ["t", "randomisation"]),
    every=2,
)
def test_no_measure_changes_the_draws_of_another_and_no_cut_changes_any(kind, test, monkeypatch):
    gold, answers = systems(1, 120, number=4)
    data = oe.Runs.from_labels(
        gold, answers, labels=[0, 1, 2], case=np.arange(120) % 20 if kind == "cases" else None
    )
    if kind == "many items":
        monkeypatch.setattr(sign_flips, "MOST_UNITS", 1)
    if kind == "tables":
        if test == "randomisation":
            return  # which needs the same items
        data = {name: oe.Table.from_labels(gold, answer) for name, answer in answers.items()}

    def p_of(measures):
        found = oe.compare(data, metrics=measures, test=test, n_resamples=300).to_frame("pairs")
        return {tuple(row[:3]): row[6:8] for row in found.itertuples(index=False)}

    together = p_of(MEASURES)
    apart = {key: p for name in MEASURES for key, p in p_of([name]).items()}
    assert together == apart
    monkeypatch.setattr(sign_flips, "DRAWS", 7)
    assert p_of(MEASURES) == together
    if kind != "items":  # of which the cuts are part of the draws
        monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 700)
        assert p_of(MEASURES) == together
