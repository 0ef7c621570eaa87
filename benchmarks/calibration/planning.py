"""How often the sample that was planned really shows the difference."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.calibration.coverage import Task, batches, tables_of
from benchmarks.calibration.populations import (
    ALPHA,
    GOLD,
    TYPICAL,
    as_patterns,
    draw_answers,
    draw_gold,
    population,
    score_function,
    seeded,
    truth,
)
from benchmarks.calibration.testing import CASE_ITEMS, NEAR, SHARED, K, draw_cases
from ordeval.stats.differences import differences
from ordeval.stats.jackknife import case_sample, item_sample

MEASURES = (
    "accuracy",
    "cem_ord",
    "mae",
    "macro_f1",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
)
POWER = 0.8
BETTER = {"small": 0.70, "large": 0.78}  # shares of right answers of the second system
LARGE, SMALL = 1_000_000, 1_000  # items of a pilot
LARGE_CASES, SMALL_CASES = 4_000, 100
PILOTS = 10  # small ones, whose plans are averaged


def pair_of_samples(rng: np.random.Generator, shape: tuple[int, int], right: float) -> Any:
    """Draw gold, and the answers of a typical and of a better system."""
    gold = draw_gold(rng, GOLD[K, "skewed"], shape)
    hard = rng.standard_normal(shape)
    both = [
        draw_answers(rng, gold, share, NEAR, K, difficulty=hard, shared=SHARED)
        for share in (TYPICAL, right)
    ]
    return gold, *both


def power_with(
    rng: np.random.Generator, n: int, right: float, measure: str, simulations: int
) -> float:
    """Return how often the t test finds the difference with n items."""
    score, found = score_function(K, [measure]), 0
    for samples in batches(simulations):
        gold, first, second = pair_of_samples(rng, (samples, n), right)
        patterns = as_patterns(np.concatenate([gold, gold]), np.concatenate([first, second]), K)
        a, b = np.arange(samples), np.arange(samples) + samples
        found += int((differences(item_sample([patterns], score), 0, a, b).p <= ALPHA).sum())
    return found / simulations


def over_items(*, measure: str, size: str, simulations: int) -> list[dict[str, Any]]:
    """Return the planned number of items and the power it has: from a large pilot, and for a given difference."""
    rng, right = seeded("plan", measure, size), BETTER[size]
    score = score_function(K, [measure])
    real = [
        truth(population(GOLD[K, "skewed"], share, NEAR), score)[0] for share in (TYPICAL, right)
    ]
    pilots = [("large pilot", LARGE, None)]
    pilots += [("difference=", SMALL, float(real[1] - real[0]))] * PILOTS
    rows = []
    for how, pilot, difference in pilots:
        gold, first, second = pair_of_samples(rng, (1, pilot), right)
        runs = oe.Runs.from_labels(gold[0], {"a": first[0], "b": second[0]}, labels=range(K))
        plan = oe.plan(runs, power=POWER, metric=measure, difference=difference)
        share = simulations if difference is None else max(simulations // PILOTS, 1)
        reached = power_with(rng, plan.items, right, measure, share)
        rows.append(
            {"unit": "items", "how": how, "measure": measure, "size": size, "planned": plan.items, "power": reached}
        )  # fmt: skip
    return rows


def over_cases(*, measure: str, size: str, simulations: int) -> list[dict[str, Any]]:
    """Return the planned number of test cases and the power it has."""
    rng, right = seeded("plan cases", measure, size), BETTER[size]
    score = score_function(K, [measure])
    gold, *both = draw_cases(rng, (50_000, CASE_ITEMS), right, better=True)
    real = [np.nanmean(score(tables_of(gold, side, K))[0]) for side in both]
    pilots = [("large pilot", LARGE_CASES, None)] if size == "large" else []
    pilots += [("difference=", SMALL_CASES, float(real[1] - real[0]))] * PILOTS
    rows = []
    for how, pilot, difference in pilots:
        gold, first, second = draw_cases(rng, (pilot, CASE_ITEMS), right, better=True)
        case = np.repeat(np.arange(pilot), CASE_ITEMS)
        answers = {"a": first.ravel(), "b": second.ravel()}
        runs = oe.Runs.from_labels(gold.ravel(), answers, case=case, labels=range(K))
        plan = oe.plan(runs, power=POWER, metric=measure, difference=difference)
        share = simulations if difference is None else max(simulations // PILOTS, 1)
        found = 0
        for samples in batches(share):
            patterns = []
            for _ in range(plan.cases):
                gold, first, second = draw_cases(rng, (samples, CASE_ITEMS), right, better=True)
                patterns.append(
                    as_patterns(np.concatenate([gold, gold]), np.concatenate([first, second]), K)
                )
            scores = np.stack([score(one.observed) for one in patterns], axis=-1)
            a, b = np.arange(samples), np.arange(samples) + samples
            apart = differences(case_sample(patterns, score, scores), 0, a, b)
            found += int((apart.p <= ALPHA).sum())
        rows.append(
            {"unit": "cases", "how": how, "measure": measure, "size": size, "planned": plan.cases,
             "power": found / share}
        )  # fmt: skip
    return rows


def tasks(simulations: Callable[[int], int]) -> dict[str, Sequence[Task]]:
    """Return the work of the table."""
    each = simulations(750)
    return {
        "plans": [
            (work, {"measure": measure, "size": size, "simulations": each})
            for work in (over_items, over_cases)
            for measure in MEASURES
            for size in BETTER
        ]
    }
