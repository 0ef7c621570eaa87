"""How often tests at 0.05 find a difference where there is none, and where there is one."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.calibration.coverage import Task, batches, tables_of
from benchmarks.calibration.populations import (
    ALPHA,
    FLIPS,
    GOLD,
    MEASURES,
    TYPICAL,
    as_patterns,
    draw_answers,
    draw_gold,
    expit,
    logit,
    population,
    score_function,
    seeded,
    solved,
    truth,
)
from ordeval.comparison.scorer import Scorer
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.case_tests import wilcoxon_p
from ordeval.stats.differences import Differences, differences, paired_scores
from ordeval.stats.jackknife import Sample, case_sample, item_sample
from ordeval.stats.joint_draws import count_reached
from ordeval.stats.multiple_testing import flipped_p, reached_at
from ordeval.stats.sign_flips import counts_all_flips, flipped_t

K = 5
NEAR, FAR = 0.25, 0.6  # how the errors of the first and of the second system thin out with distance
BY_CLASS = np.array(
    [0.8, 0.4, 0.0, -0.6, -1.2]
)  # the second is weak on the last classes, in logits
BETTER = 0.75  # a system with so many right answers is better than a typical one
SHARED = 0.6  # how far both find the same items hard, where they differ
CASE_SPREAD = 0.5
CASE_ITEMS = 20


def second_right(share: float) -> Any:
    """Return the second system's share of right answers by gold class."""
    return expit(logit(share) + BY_CLASS)


@lru_cache
def equal_share(gold: str, measure: str) -> float:
    """Return the parameter at which the second system has the score of the first by this measure."""
    score, shares = score_function(K, [measure]), GOLD[K, gold]
    aim = truth(population(shares, TYPICAL, NEAR), score)[0]
    return solved(lambda share: truth(population(shares, second_right(share), FAR), score)[0] - aim)


def swap_p(
    patterns: CasePatterns, pair: tuple[int, int], score: Scorer, rng: np.random.Generator
) -> float:
    """Return p of the older test: a coin decides for every item whether the two systems swap their answers.

    Its null hypothesis is that the systems are equal, not that their scores are.
    """
    cells, count = np.unique(patterns.cell[list(pair)], axis=1, return_counts=True)
    drawn = rng.binomial(count, 0.5, size=(FLIPS, cells.shape[1]))
    width = K * (K + 1)
    first, second = (np.eye(width)[cell] for cell in cells)
    swapped = drawn @ (second - first)
    ours = count @ first + swapped
    theirs = count @ second - swapped
    observed = np.stack([count @ first, count @ second]).reshape(2, K, K + 1)
    value = score(observed)[0]
    both = [score(side.reshape(-1, K, K + 1))[0] for side in (ours, theirs)]
    reached = np.abs(both[0] - both[1]) >= abs(value[0] - value[1]) - 1e-12
    return float((reached.sum() + 1) / (FLIPS + 1))


def over_items(
    *, n: int, gold: str, measure: str, better: bool, simulations: int, swaps: int
) -> list[dict[str, Any]]:
    """Return how often each test rejects, for two systems of equal score or with one that is better."""
    rng = seeded("tests", n, gold, measure, better)
    score, shares = score_function(K, [measure]), GOLD[K, gold]
    right = BETTER if better else second_right(equal_share(gold, measure))
    decay, shared = (NEAR, SHARED) if better else (FAR, 0.0)
    found = {"t": 0, "randomisation": 0, "swaps": 0}
    done = 0
    for at, samples in enumerate(batches(simulations)):
        classes = draw_gold(rng, shares, (samples, n))
        hard = rng.standard_normal(classes.shape)
        first = draw_answers(rng, classes, TYPICAL, NEAR, K, difficulty=hard, shared=shared)
        own = right if better else right[classes]
        second = draw_answers(rng, classes, own, decay, K, difficulty=hard, shared=shared)
        patterns = as_patterns(
            np.concatenate([classes, classes]), np.concatenate([first, second]), K
        )
        sample = item_sample([patterns], score)
        a, b = np.arange(samples), np.arange(samples) + samples
        apart = differences(sample, 0, a, b)
        found["t"] += int((apart.p <= ALPHA).sum())
        flipped = randomisation_p(sample, apart, a, b, seed=at, exact=False)
        found["randomisation"] += int((flipped <= ALPHA).sum())
        for pair in zip(a, b, strict=True):
            if done < swaps:
                found["swaps"] += swap_p(patterns, pair, score, rng) <= ALPHA
                done += 1
    return [
        {
            "n": n, "gold": gold, "measure": measure, "test": test, "better": better,
            "found": times / (swaps if test == "swaps" else simulations),
        }
        for test, times in found.items()
    ]  # fmt: skip


def randomisation_p(
    sample: Sample, apart: Differences, a: Any, b: Any, *, seed: int, exact: bool
) -> Any:
    """Return p-values of the pairs (a, b) by randomisation."""
    t = apart.seen.t[None]
    draws = flipped_t(sample, [0], a, b, size=FLIPS, seed=seed)
    reached = count_reached(reached_at(t), draws, alone=True, largest=False)
    return flipped_p(t, reached, exact=exact)[0]


def draw_cases(
    rng: np.random.Generator, shape: tuple[int, int], share: float, *, better: bool
) -> tuple[Any, Any, Any]:
    """Draw a test case for every sample: gold, and two systems' answers; its difficulty is partly shared."""
    classes = draw_gold(rng, GOLD[K, "skewed"], shape)
    hard, other = CASE_SPREAD * rng.standard_normal((2, shape[0], 1))
    first = draw_answers(rng, classes, expit(logit(TYPICAL) + hard), NEAR, K)
    shift = 0.0 if better else BY_CLASS[classes]
    ease = expit(logit(share) + shift + 0.7 * hard + 0.7 * other)
    return classes, first, draw_answers(rng, classes, ease, NEAR if better else FAR, K)


@lru_cache
def equal_share_over_cases(measure: str) -> float:
    """Return the parameter at which both systems have the same mean over all test cases, by simulation."""
    score = score_function(K, [measure])

    def difference(share: float) -> float:
        classes, first, second = draw_cases(
            seeded("equal cases"), (12_000, CASE_ITEMS), share, better=False
        )
        means = [np.nanmean(score(tables_of(classes, side, K))[0]) for side in (first, second)]
        return float(means[1] - means[0])

    low, high = 0.2, 0.95
    rising = difference(high) > difference(low)
    for _ in range(10):
        middle = (low + high) / 2
        low, high = (low, middle) if (difference(middle) > 0) == rising else (middle, high)
    return (low + high) / 2


def over_cases(*, cases: int, measure: str, better: bool, simulations: int) -> list[dict[str, Any]]:
    """Return how often each test over test cases rejects."""
    rng = seeded("case tests", cases, measure, better)
    score = score_function(K, [measure])
    share = BETTER if better else equal_share_over_cases(measure)
    found = {"t": 0, "randomisation": 0, "wilcoxon": 0}
    for at, samples in enumerate(batches(simulations)):
        patterns = []
        for _ in range(cases):
            classes, first, second = draw_cases(rng, (samples, CASE_ITEMS), share, better=better)
            patterns.append(
                as_patterns(np.concatenate([classes, classes]), np.concatenate([first, second]), K)
            )
        scores = np.stack([score(case.observed) for case in patterns], axis=-1)
        sample = case_sample(patterns, score, scores)
        a, b = np.arange(samples), np.arange(samples) + samples
        apart = differences(sample, 0, a, b)
        exact = counts_all_flips(cases, FLIPS)
        flipped = randomisation_p(sample, apart, a, b, seed=at, exact=exact)
        ranked = wilcoxon_p(paired_scores(sample, 0, a, b)[0])
        for test, p in (("t", apart.p), ("randomisation", flipped), ("wilcoxon", ranked)):
            found[test] += int((p <= ALPHA).sum())
    return [
        {"cases": cases, "measure": measure, "test": test, "better": better, "found": times / simulations}
        for test, times in found.items()
    ]  # fmt: skip


def tasks(simulations: Callable[[int], int]) -> dict[str, Sequence[Task]]:
    """Return the work of each table."""
    many, few = simulations(1_500), simulations(200)
    return {
        "tests": [
            (
                over_items,
                {"n": n, "gold": gold, "measure": measure, "better": better, "simulations": many, "swaps": few},
            )
            for n in (30, 100, 300)
            for gold in ("even", "skewed")
            for measure in MEASURES
            for better in (False, True)
        ],
        "case tests": [
            (over_cases, {"cases": cases, "measure": measure, "better": better, "simulations": many})
            for cases in (10, 25)
            for measure in MEASURES
            for better in (False, True)
        ],
    }  # fmt: skip
