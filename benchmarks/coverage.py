"""How often 95% intervals hold the truth, and how often tests at 0.05 err where there is no difference.

`python -m benchmarks.coverage` prints the tables of docs/comparison.md; `--trials` and `--resamples` make it shorter.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from ordeval.comparison.pairs import bootstrap_p
from ordeval.comparison.scoring import Scorer, over_cases, system_patterns
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.scale import Scale
from ordeval.stats.bootstrap import CasePatterns, resampled_means, resampled_scores
from ordeval.stats.case_tests import flips_p, paired_t_p, wilcoxon_p
from ordeval.stats.intervals import bootstrap_interval, jackknife_acceleration, leave_one_out
from ordeval.stats.item_tests import swap_p
from ordeval.stats.streams import Purpose

METRICS = ("cem_ord", "macro_mae", "weighted_kappa", "kendall_tau_b")
ITEMS, CLASSES, CASES = 300, 5, 25
# The shares of the gold classes. An answer j to gold i has a probability in proportion to exp(-1.2 |i - j|).
GOLD = {
    "even": (0.2, 0.2, 0.2, 0.2, 0.2),
    "skewed": (0.4, 0.25, 0.15, 0.12, 0.08),
    "very skewed": (0.8, 0.12, 0.05, 0.02, 0.01),
}
SCORER = Scorer(resolve(METRICS), Scale(range(CLASSES)), Policy())


def answers() -> Any:
    """Return the probability of each answer to each gold class."""
    place = np.arange(CLASSES)
    weight = np.exp(-1.2 * np.abs(place[:, None] - place))
    return weight / weight.sum(axis=1, keepdims=True)


def truth(population: Any) -> Any:
    """Return the measures of the whole population: they depend on shares alone."""
    cells = np.concatenate([population, np.zeros((CLASSES, 1))], axis=1)
    return SCORER(cells * 1e9)


def coverage(name: str, trials: int, resamples: int) -> dict[str, Any]:
    """Return the share of samples whose interval holds the truth, by method, over the measures."""
    population = np.array(GOLD[name])[:, None] * answers()
    real = truth(population)
    drawn = np.random.default_rng(1).multinomial(ITEMS, population.ravel(), size=trials)
    hits: dict[str, Any] = {"percentile": np.zeros(len(METRICS)), "bca": np.zeros(len(METRICS))}
    for trial, counts in enumerate(drawn.reshape(trials, CLASSES, CLASSES)):
        cells = np.concatenate([counts, np.zeros((CLASSES, 1))], axis=1)
        patterns = system_patterns(cells[None])
        samples = resampled_scores(
            patterns, SCORER, unit="items", size=resamples, seed=trial, purpose=Purpose.ITEMS
        )[:, 0]
        value = SCORER(cells)
        bend = jackknife_acceleration(*leave_one_out(patterns, SCORER))[:, 0]
        for method, accelerate in (("percentile", None), ("bca", bend)):
            found = bootstrap_interval(samples, value, 0.95, acceleration=accelerate)
            hits[method] += (found.low <= real) & (real <= found.high)
    return {method: share / trials for method, share in hits.items()}


def rejections(name: str, trials: int, resamples: int) -> dict[str, Any]:
    """Return how often two systems that do not differ are told apart at 0.05, by test, over the measures."""
    rng = np.random.default_rng(2)
    population = answers()
    joint = np.array(GOLD[name])[:, None, None] * population[:, :, None] * population[:, None, :]
    drawn = rng.multinomial(ITEMS, joint.ravel(), size=trials)
    wrong = {test: np.zeros(len(METRICS)) for test in ("bootstrap", "randomisation")}
    gold, first, second = np.unravel_index(np.arange(CLASSES**3), (CLASSES,) * 3)
    for trial, counts in enumerate(drawn):
        there = np.flatnonzero(counts)
        cell = np.stack([gold[there] * (CLASSES + 1) + side[there] for side in (first, second)])
        patterns = [CasePatterns(counts[there].astype(float), cell, CLASSES)]
        samples = resampled_scores(
            patterns, SCORER, unit="items", size=resamples, seed=trial, purpose=Purpose.JOINT
        )
        value = SCORER(patterns[0].observed)
        wrong["bootstrap"] += (
            bootstrap_p(samples[:, 0] - samples[:, 1], value[:, 0] - value[:, 1]) <= 0.05
        )
        wrong["randomisation"] += (
            swap_p(patterns, SCORER, (0, 1), size=resamples, seed=trial).p <= 0.05
        )
    return {test: times / trials for test, times in wrong.items()}


def cases_of(rng: np.random.Generator, trials: int, systems: int) -> Any:
    """Draw scores[system, measure, trial, case]: 40 items a case, of varying difficulty and gold."""
    place = np.arange(CLASSES)
    sharp = rng.uniform(0.6, 2.0, size=(trials, CASES, 1, 1))
    ease = np.exp(-sharp * np.abs(place[:, None] - place))
    gold = rng.dirichlet(np.full(CLASSES, 3.0), size=(trials, CASES))[..., None] + 0.02
    population = gold * ease / ease.sum(axis=-1, keepdims=True)
    population /= population.sum(axis=(-1, -2), keepdims=True)
    flat = population.reshape(trials, CASES, -1)
    scores = []
    for _ in range(systems):
        counts = rng.multinomial(40, flat).reshape(trials, CASES, CLASSES, CLASSES)
        scores.append(SCORER(np.concatenate([counts, np.zeros((*counts.shape[:-1], 1))], axis=-1)))
    return np.stack(scores)


def coverage_over_cases(trials: int, resamples: int) -> dict[str, Any]:
    """Return the share of intervals from resampled cases that hold the mean over the cases to come."""
    real = np.nanmean(cases_of(np.random.default_rng(4), 10_000, 1)[0], axis=(-1, -2))
    scores = cases_of(np.random.default_rng(5), trials, 1)[0]
    hits = {"percentile": np.zeros(len(METRICS)), "bca": np.zeros(len(METRICS))}
    defined = np.zeros(len(METRICS))
    for trial in range(trials):
        found = scores[:, trial]
        samples = resampled_means(found, trial, resamples)
        value = found.mean(axis=-1)
        defined += ~np.isnan(value)
        for method, bend in (("percentile", None), ("bca", over_cases(found))):
            ends = bootstrap_interval(samples, value, 0.95, acceleration=bend)
            hits[method] += (ends.low <= real) & (real <= ends.high)
    return {method: share / defined for method, share in hits.items()}


def rejections_over_cases(trials: int, resamples: int) -> dict[str, Any]:
    """Return how often two systems that do not differ are told apart over test cases."""
    scores = cases_of(np.random.default_rng(3), trials, 2)
    difference = scores[0] - scores[1]
    defined = ~np.isnan(difference).any(axis=-1)
    wrong = {"bootstrap": np.zeros(len(METRICS))}
    for trial in range(trials):
        apart = difference[:, trial]
        samples = resampled_means(apart, trial, resamples)
        wrong["bootstrap"] += bootstrap_p(samples, apart.mean(axis=-1)) <= 0.05
    tests = {
        "randomisation": flips_p(difference, size=resamples, seed=0),
        "wilcoxon": wilcoxon_p(difference),
        "t": paired_t_p(difference),
    }
    wrong |= {test: (p <= 0.05).sum(axis=-1) for test, p in tests.items()}
    return {test: times / defined.sum(axis=-1) for test, times in wrong.items()}


def lines(trials: int, resamples: int) -> Iterator[str]:
    """Write both tables in Markdown."""
    yield "| data | interval | " + " | ".join(METRICS) + " |"
    yield "|---|---|" + "---|" * len(METRICS)
    intervals = [(f"items, {name}", coverage(name, trials, resamples)) for name in GOLD]
    intervals.append((f"{CASES} cases", coverage_over_cases(trials, resamples)))
    yield from shown(intervals)
    yield ""
    yield "| data | test | " + " | ".join(METRICS) + " |"
    yield "|---|---|" + "---|" * len(METRICS)
    tests = [(f"items, {name}", rejections(name, trials, resamples)) for name in GOLD]
    tests.append((f"{CASES} cases", rejections_over_cases(trials, resamples)))
    yield from shown(tests)


def shown(tables: list[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """Write a row for each population and method."""
    for data, shares in tables:
        for method, share in shares.items():
            yield f"| {data} | {method} | " + " | ".join(f"{100 * x:.1f}%" for x in share) + " |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=999)
    options = parser.parse_args()
    for line in lines(options.trials, options.resamples):
        print(line, flush=True)
