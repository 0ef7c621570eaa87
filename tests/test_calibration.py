"""The simulations behind docs/evidence/calibration.md measure what users get."""

import numpy as np

import ordeval as oe
from benchmarks.calibration.coverage import bounds_of
from benchmarks.calibration.populations import (
    GOLD,
    MEASURES,
    as_patterns,
    draw_answers,
    draw_gold,
    score_function,
    seeded,
)
from ordeval.stats.differences import differences
from ordeval.stats.jackknife import item_sample
from ordeval.stats.t_intervals import t_interval

SAMPLES, ITEMS, K = 4, 40, 5


def two_systems():
    rng = seeded("test")
    gold = draw_gold(rng, GOLD[K, "skewed"], (SAMPLES, ITEMS))
    return gold, draw_answers(rng, gold, 0.9, 0.25, K), draw_answers(rng, gold, 0.7, 0.25, K)


def test_samples_in_the_place_of_systems_get_the_intervals_that_evaluate_gives():
    gold, answers, _ = two_systems()
    score = score_function(K)
    estimate = item_sample([as_patterns(gold, answers, K)], score).estimate
    low, high = t_interval(estimate, bounds_of(score), 0.95)
    for s in range(SAMPLES):
        found = oe.evaluate(gold[s], answers[s], metrics=list(MEASURES), labels=range(K)).scores
        np.testing.assert_allclose(low[:, s], found.low[:, 0], atol=1e-12)
        np.testing.assert_allclose(high[:, s], found.high[:, 0], atol=1e-12)


def test_pairs_of_samples_get_the_p_values_that_compare_gives():
    gold, first, second = two_systems()
    both = as_patterns(np.concatenate([gold, gold]), np.concatenate([first, second]), K)
    sample = item_sample([both], score_function(K))
    a, b = np.arange(SAMPLES), np.arange(SAMPLES) + SAMPLES
    for m, name in enumerate(MEASURES):
        p = differences(sample, m, a, b).p
        for s in range(SAMPLES):
            systems = {"a": first[s], "b": second[s]}
            found = oe.compare(gold[s], systems, metrics=[name], primary=name, labels=range(K))
            assert abs(found.pairs[0].p - p[s]) < 1e-12
