"""How time and memory grow with items, classes, systems and resamples: the exponent of a line fitted on logarithms."""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import seconds

__all__ = ["rows"]


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time each size, then fit."""
    top = 6 if quick else 8
    for kind in (np.int64, np.uint8):
        yield grown(
            f"items, {np.dtype(kind).name}",
            [10**p for p in range(3, top + 1)],
            items(kind),
            "at most 1.05",
        )
    classes = (2, 5, 10, 30, 100) if quick else (2, 5, 10, 30, 100, 300, 1000)
    yield grown("classes, all measures", classes, all_measures, "at most 2.1")
    yield from each_measure(classes[-3:])
    systems = (1, 10, 100) if quick else (1, 10, 100, 1000)
    yield grown("systems, all measures", systems, many_systems, "at most 1.05")
    resamples = [10**p for p in range(2, 5 if quick else 6)]
    yield grown("resamples, 10 measures", resamples, intervals, "at most 1.05")


def grown(
    what: str, sizes: Sequence[int], make: Callable[[int], Callable[[], Any]], goal: str
) -> dict[str, Any]:
    """Return a row: seconds and peak memory beyond the input at each size, and the exponent over the upper sizes.

    Small sizes show a fixed cost, so the line is fitted where a size takes at least three times that of the smallest.
    """
    points = []
    for size in sizes:
        work = make(size)
        work()
        taken = min(seconds(work) for _ in range(5 if size < sizes[-1] else 3))
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        points.append({"size": size, "seconds": taken, "bytes": peak})
    return {
        "work": f"growth in {what}",
        "competitor": "a straight line",
        "exponent": exponent(points, "seconds"),
        "memory": exponent(points, "bytes"),
        "points": points,
        "goal": goal,
    }


def exponent(points: list[dict[str, Any]], key: str) -> float:
    """Fit the power with which something grows."""
    above = [p for p in points if p[key] >= 3 * points[0][key]]
    used = above if len(above) >= 3 else points[-3:]
    return float(
        np.polyfit(np.log([p["size"] for p in used]), np.log([p[key] for p in used]), 1)[0]
    )


def items(kind: Any) -> Callable[[int], Callable[[], Any]]:
    """Count and score n items."""

    def make(n: int) -> Callable[[], Any]:
        gold, predicted = np.random.default_rng(0).integers(0, 5, (2, n), dtype=kind)
        return lambda: oe.cem_ord(gold, predicted)

    return make


def table(k: int) -> oe.Table:
    """Return a table of k classes in which most items lie near the diagonal, some in every cell's reach."""
    rng = np.random.default_rng(0)
    gold = np.arange(20 * k) % k
    predicted = np.clip(gold + np.round(rng.normal(0, 1 + k / 10, len(gold))), 0, k - 1).astype(int)
    return oe.Table.from_labels(gold, predicted, labels=range(k))


def all_measures(k: int) -> Callable[[], Any]:
    """Score one table by every measure that takes labels."""
    counts = table(k)
    return lambda: [measure(counts) for measure in oe.registry.values()]


def each_measure(sizes: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Return the measure that grows fastest over the last numbers of classes, and the one that takes longest."""
    tables = {k: table(k) for k in sizes}
    found = []
    for name, measure in oe.registry.items():
        points = [
            {"size": k, "seconds": min(seconds(lambda m=measure, t=t: m(t)) for _ in range(5))}
            for k, t in tables.items()
        ]
        found.append((exponent(points, "seconds"), name, points))
    slowest = max(found, key=lambda one: one[2][-1]["seconds"])
    for title, (power, name, points) in (("fastest-growing", max(found)), ("slowest", slowest)):
        yield {
            "work": f"growth in classes, {title}: {name}",
            "competitor": "a straight line",
            "exponent": power,
            "points": points,
            "goal": "at most 2.1",
        }


def many_systems(systems: int) -> Callable[[], Any]:
    """Score a stack of tables by every measure."""
    counts = np.random.default_rng(0).multinomial(1000, np.full(25, 1 / 25), size=systems)
    stack = counts.reshape(systems, 5, 5)
    return lambda: [measure.from_counts(stack) for measure in oe.registry.values()]


def intervals(size: int) -> Callable[[], Any]:
    """Resample ten measures of a million items."""
    from benchmarks.comparison import METRICS

    counts = np.random.default_rng(0).multinomial(10**6, np.full(25, 1 / 25)).reshape(5, 5)
    one = oe.Table.from_counts(counts)
    return lambda: oe.evaluate(one, metrics=METRICS, method="percentile", n_resamples=size)
