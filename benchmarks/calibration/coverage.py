"""How often 95% intervals hold the value of the population."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.calibration.populations import (
    FLIPS,
    GOLD,
    LEVEL,
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
    truth,
)
from ordeval.comparison.scorer import Scorer
from ordeval.stats.bootstrap import CasePatterns, merged, resampled_means, resampled_scores
from ordeval.stats.intervals import acceleration_of, bootstrap_interval, jackknife_acceleration
from ordeval.stats.jackknife import case_sample, item_sample, pooled_sample
from ordeval.stats.streams import Purpose
from ordeval.stats.t_intervals import t_interval

SYSTEMS = {"typical": TYPICAL, "99% right": 0.99, "99.9% right": 0.999}
DECAYS = (0.25, 0.5)
SIZES = (30, 100, 300, 1000)
CASE_SYSTEMS = {"typical": TYPICAL, "99% right": 0.99}
CASE_NUMBERS = (5, 10, 25, 100)
CASE_SIZES = (10, 50)
CASE_SPREAD = 0.5  # standard deviation of a case's difficulty, in logits
CLUSTER_SPREAD = 1.0  # of pooled cases, whose gold shares vary as well
BATCH = 200
RARE = 10  # the product warns of a class with fewer gold items


def bounds_of(score: Scorer) -> list[tuple[float, float]]:
    """Return the bounds of the measures."""
    return [measure.bounds for measure in score.measures.values()]


def perfect(score: Scorer) -> Any:
    """Return the best value of each measure."""
    return np.array(
        [m.bounds[1] if m.greater_is_better else m.bounds[0] for m in score.measures.values()]
    )


class Hits:
    """Counts, by measure, of intervals that hold the truth, among the samples where the score is defined."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.held = np.zeros(len(real))
        self.samples = np.zeros(len(real))

    def add(self, low: Any, high: Any) -> None:
        """Count intervals with the ends [measure, sample]."""
        real = self.real[:, None]
        self.held += ((low <= real + 1e-12) & (real <= high + 1e-12)).sum(axis=1)
        self.samples += (~np.isnan(low)).sum(axis=1)

    @property
    def coverage(self) -> list[float]:
        """Return the shares."""
        return list((self.held / np.maximum(self.samples, 1)).tolist())


def batches(simulations: int) -> Iterator[int]:
    """Yield how many samples are worked out together."""
    for start in range(0, simulations, BATCH):
        yield min(BATCH, simulations - start)


def expected_errors(shares: Any, score: Scorer, n: int) -> Any:
    """Return how many errors each score rests on: ((perfect - score) / standard error)^2 of the population."""
    k, size = len(shares), 1e9
    cells = np.concatenate([shares, np.zeros((k, 1))], axis=1).ravel() * size
    used = np.flatnonzero(cells)
    sample = item_sample([CasePatterns(count=cells[used], cell=used[None], k=k)], score)
    error = sample.estimate.error[0][:, 0] * np.sqrt(size / n)
    return ((perfect(score) - sample.estimate.value[:, 0]) / error) ** 2


def over_items(
    *, n: int, k: int, gold: str, system: str, decay: float, simulations: int
) -> list[dict[str, Any]]:
    """Return the coverage of every measure over samples of n items."""
    rng = seeded("items", n, k, gold, system, decay)
    score, right = score_function(k), SYSTEMS[system]
    shares = population(GOLD[k, gold], right, decay)
    hits, warned, inside = Hits(truth(shares, score)), 0, True
    for samples in batches(simulations):
        classes = draw_gold(rng, GOLD[k, gold], (samples, n))
        answers = draw_answers(rng, classes, right, decay, k)
        estimate = item_sample([as_patterns(classes, answers, k)], score).estimate
        low, high = t_interval(estimate, bounds_of(score), LEVEL)
        hits.add(low, high)
        items = (classes[..., None] == np.arange(k)).sum(axis=1)
        warned += int(((items > 0) & (items < RARE)).any(axis=1).sum())
        known = ~np.isnan(low)
        inside &= bool(((low <= estimate.value) & (estimate.value <= high))[known].all())
        inside &= bool((high - low)[known].min() > 0)
    errors = expected_errors(shares, score, n)
    by_class = [measure.by_class for measure in score.measures.values()]
    return [
        {
            "n": n, "k": k, "gold": gold, "system": system, "decay": decay, "measure": measure,
            "coverage": hits.coverage[m], "errors": float(errors[m]), "inside": inside,
            "rarest": n * min(GOLD[k, gold]), "warned": warned / simulations if by_class[m] else 0.0,
        }
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def by_method(*, n: int, k: int, gold: str, system: str, simulations: int) -> list[dict[str, Any]]:
    """Return the coverage of t, percentile and BCa intervals over the same samples."""
    rng = seeded("methods", n, k, gold, system)
    score, right = score_function(k), SYSTEMS[system]
    real = truth(population(GOLD[k, gold], right, DECAYS[0]), score)
    hits = {method: Hits(real) for method in ("t", "percentile", "bca")}
    for trial in range(simulations):
        classes = draw_gold(rng, GOLD[k, gold], (1, n))
        answers = draw_answers(rng, classes, right, DECAYS[0], k)
        cell, count = np.unique(classes[0] * (k + 1) + answers[0], return_counts=True)
        patterns = [CasePatterns(count=count.astype(np.float64), cell=cell[None], k=k)]
        estimate = item_sample(patterns, score).estimate
        value = estimate.value[:, 0]
        hits["t"].add(*t_interval(estimate, bounds_of(score), LEVEL))
        draws = resampled_scores(
            patterns, score, unit="items", size=FLIPS, seed=trial, purpose=Purpose.ITEMS
        )[:, 0]
        bend = acceleration_of(patterns, score, unit="items", pooled=False)[:, 0]
        for method, acceleration in (("percentile", None), ("bca", bend)):
            ends = bootstrap_interval(draws, value, LEVEL, acceleration=acceleration)
            hits[method].add(
                np.minimum(ends.low, value)[:, None], np.maximum(ends.high, value)[:, None]
            )
    return [
        {"n": n, "gold": gold, "system": system, "measure": measure, "method": method, "coverage": found.coverage[m]}
        for method, found in hits.items()
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def draw_case(
    rng: np.random.Generator, *, samples: int, items: int, right: float, shares: Any
) -> tuple[Any, Any]:
    """Draw one test case of some difficulty for every sample: its gold and a system's answers."""
    k = len(shares)
    classes = draw_gold(rng, shares, (samples, items))
    ease = expit(logit(right) + CASE_SPREAD * rng.standard_normal((samples, 1)))
    return classes, draw_answers(rng, classes, ease, DECAYS[0], k)


@lru_cache
def case_truth(items: int, system: str, gold: str) -> tuple[Any, Any]:
    """Return the mean and the standard deviation of the score over all test cases of this kind, by simulation."""
    rng, k = seeded("cases to come", items, system, gold), 5
    score, sums, squares, number = score_function(k), 0.0, 0.0, 0.0
    for _ in range(20):
        classes, answers = draw_case(
            rng, samples=5_000, items=items, right=CASE_SYSTEMS[system], shares=GOLD[k, gold]
        )
        values = score(tables_of(classes, answers, k))
        known = ~np.isnan(values)
        clean = np.where(known, values, 0.0)
        sums, squares = sums + clean.sum(axis=1), squares + (clean**2).sum(axis=1)
        number = number + known.sum(axis=1)
    mean = sums / number
    return mean, np.sqrt(squares / number - mean**2)


def tables_of(gold: Any, answers: Any, k: int) -> Any:
    """Return the tables [sample, gold, answer] of samples [sample, item]."""
    samples, width = len(gold), k * (k + 1)
    place = np.arange(samples)[:, None] * width + gold * (k + 1) + answers
    return (
        np.bincount(place.ravel(), minlength=samples * width)
        .reshape(samples, k, k + 1)
        .astype(np.float64)
    )


def over_cases(
    *, cases: int, items: int, system: str, gold: str, simulations: int
) -> list[dict[str, Any]]:
    """Return the coverage of the mean over so many test cases."""
    rng, k = seeded("cases", cases, items, system, gold), 5
    score = score_function(k)
    real, spread = case_truth(items, system, gold)
    hits = Hits(real)
    for samples in batches(simulations):
        patterns = []
        for _ in range(cases):
            classes, answers = draw_case(
                rng, samples=samples, items=items, right=CASE_SYSTEMS[system], shares=GOLD[k, gold]
            )
            patterns.append(as_patterns(classes, answers, k))
        scores = np.stack([score(case.observed) for case in patterns], axis=-1)
        estimate = case_sample(patterns, score, scores).estimate
        hits.add(*t_interval(estimate, bounds_of(score), LEVEL))
    errors = ((perfect(score) - real) / spread) ** 2 * cases
    return [
        {
            "cases": cases, "items": items, "system": system, "gold": gold, "measure": measure,
            "coverage": hits.coverage[m], "errors": float(errors[m]), "defined": hits.samples[m] / simulations,
        }
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def by_method_over_cases(*, cases: int, simulations: int) -> list[dict[str, Any]]:
    """Return the coverage of t, percentile and BCa intervals of the mean over the same test cases of 50 items."""
    rng, k, items = seeded("case methods", cases), 5, 50
    score = score_function(k)
    real = case_truth(items, "typical", "skewed")[0]
    hits = {method: Hits(real) for method in ("t", "percentile", "bca")}
    for at, samples in enumerate(batches(simulations)):
        patterns = []
        for _ in range(cases):
            drawn = draw_case(
                rng, samples=samples, items=items, right=TYPICAL, shares=GOLD[k, "skewed"]
            )
            patterns.append(as_patterns(*drawn, k))
        scores = np.stack([score(case.observed) for case in patterns], axis=-1)
        estimate = case_sample(patterns, score, scores).estimate
        hits["t"].add(*t_interval(estimate, bounds_of(score), LEVEL))
        draws = resampled_means(scores, at, FLIPS)
        influence = scores - np.nanmean(scores, axis=-1, keepdims=True)
        bend = jackknife_acceleration(influence, np.ones(cases), np.full(cases, float(cases)))
        for method, acceleration in (("percentile", None), ("bca", bend)):
            ends = bootstrap_interval(draws, estimate.value, LEVEL, acceleration=acceleration)
            hits[method].add(ends.low, ends.high)
    return [
        {"cases": cases, "measure": measure, "method": method, "coverage": found.coverage[m]}
        for method, found in hits.items()
        for m, measure in enumerate(MEASURES)
    ]


def pooled(*, cases: int, items: int, simulations: int) -> list[dict[str, Any]]:
    """Return the coverage of a score over the items of clustered cases, by whole cases and by items."""
    rng, k, mix = seeded("pooled", cases, items), 5, 3.0
    score, shares = score_function(k), np.array(GOLD[5, "skewed"])
    draws = expit(logit(TYPICAL) + CLUSTER_SPREAD * seeded("ease").standard_normal(10**6)).mean()
    real = truth(population(shares, draws, DECAYS[0]), score)
    hits = {"whole cases": Hits(real), "items": Hits(real)}
    for samples in batches(simulations):
        patterns = []
        for _ in range(cases):
            own = rng.dirichlet(shares * mix * k, size=samples)
            edges = np.cumsum(own, axis=1)[:, None, :-1]
            classes = (rng.random((samples, items))[..., None] >= edges).sum(axis=-1)
            ease = expit(logit(TYPICAL) + CLUSTER_SPREAD * rng.standard_normal((samples, 1)))
            answers = draw_answers(rng, classes, ease, DECAYS[0], k)
            patterns.append(as_patterns(classes, answers, k))
        hits["whole cases"].add(
            *t_interval(pooled_sample(patterns, score).estimate, bounds_of(score), LEVEL)
        )
        together = [merged(patterns)]
        hits["items"].add(
            *t_interval(item_sample(together, score).estimate, bounds_of(score), LEVEL)
        )
    return [
        {"cases": cases, "items": items, "unit": unit, "measure": measure, "coverage": found.coverage[m]}
        for unit, found in hits.items()
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def weighted(*, n: int, gold: str, simulations: int) -> list[dict[str, Any]]:
    """Return the coverage with exponential weights, and how far a constant factor moves an interval."""
    rng, k, furthest = seeded("weights", n, gold), 5, 0.0
    score = score_function(k)
    hits = Hits(truth(population(GOLD[k, gold], TYPICAL, DECAYS[0]), score))
    effective = 0.0
    for trial in range(simulations):
        classes = draw_gold(rng, GOLD[k, gold], (n,))
        answers = draw_answers(rng, classes, TYPICAL, DECAYS[0], k)
        weights = rng.exponential(size=n)
        found = evaluated(classes, answers, weights)
        effective += found.table.effective / simulations
        hits.add(found.low, found.high)
        if trial < 5:
            other = [evaluated(classes, answers, weights * factor) for factor in (0.01, 100.0)]
            furthest = max(furthest, *(float(np.abs(one.low - found.low).max()) for one in other))
    return [
        {
            "n": n, "gold": gold, "measure": measure, "coverage": hits.coverage[m], "effective": effective,
            "moved": furthest,
        }
        for m, measure in enumerate(MEASURES)
    ]  # fmt: skip


def evaluated(classes: Any, answers: Any, weights: Any) -> Any:
    """Evaluate weighted items as a user would."""
    return oe.evaluate(
        classes, answers, metrics=list(MEASURES), sample_weight=weights, labels=range(5)
    ).scores


Task = tuple[Callable[..., list[dict[str, Any]]], dict[str, Any]]


def tasks(simulations: Callable[[int], int]) -> dict[str, Sequence[Task]]:
    """Return the work of each table; `simulations` says how many are done in place of those asked for."""
    many, some = simulations(1_000), simulations(200)
    return {
        "items": [
            (over_items, {"n": n, "k": k, "gold": gold, "system": system, "decay": decay, "simulations": many})
            for n in SIZES
            for k, gold in GOLD
            for system in SYSTEMS
            for decay in DECAYS
        ],
        "methods": [
            (by_method, {"n": n, "k": 5, "gold": gold, "system": system, "simulations": some})
            for n in (30, 100)
            for gold in ("even", "skewed")
            for system in SYSTEMS
        ],
        "cases": [
            (over_cases, {"cases": cases, "items": items, "system": system, "gold": gold, "simulations": many})
            for cases in CASE_NUMBERS
            for items in CASE_SIZES
            for system in CASE_SYSTEMS
            for gold in ("even", "skewed")
        ],
        "case methods": [
            (by_method_over_cases, {"cases": cases, "simulations": many}) for cases in (5, 10, 25)
        ],
        "pooled": [
            (pooled, {"cases": cases, "items": items, "simulations": many})
            for cases, items in ((10, 50), (25, 50), (25, 200), (100, 50))
        ],
        "weights": [
            (weighted, {"n": n, "gold": gold, "simulations": simulations(500)})
            for n in (100, 300)
            for gold in ("even", "skewed")
        ],
    }  # fmt: skip
