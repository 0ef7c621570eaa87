"""Many systems, classes and slices: what people wait for longest, and whether it grows with the pairs alone."""

from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.limits import answers, labels_of
from benchmarks.timing import in_turn, row, seconds, within

__all__ = ["rows"]

CLASSES, MEASURES = 5, 6
SYSTEMS = 100, 300
MOST_SECONDS = 20.0
MOST_FOR_JSON = 10.0
SLICES = 8


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time all pairs of many systems, many classes, the correction by max-T, and slices."""
    yield from pairs(*((20, 60) if quick else SYSTEMS), repeats=2)
    yield classes(100 if quick else 1000, repeats=2)
    yield corrected(33)
    yield slices(10**7)


def pairs(few: int, many: int, *, repeats: int) -> Iterator[dict[str, Any]]:
    """Time the comparison of all pairs of few and of many systems, what a pair of each takes, and the JSON of many."""
    runs = {systems: answers(systems, 1000, CLASSES) for systems in (few, many)}
    times = {systems: [0.0] * repeats for systems in runs}
    oe.compare(runs[few])  # imports what it needs
    for at in range(repeats):  # in turn, so that a busy moment hits both
        times[few][at] = seconds(lambda: oe.compare(runs[few]))
        times[many][at] = seconds(lambda: oe.compare(runs[many]))
    for systems, taken in times.items():
        work = f"compare {systems} systems, {comb(systems, 2):,} pairs, {MEASURES} measures"
        yield within(work, taken, MOST_SECONDS)
    of_many, of_few = ([one / comb(size, 2) for one in times[size]] for size in (many, few))
    yield row(
        f"compare, for each pair of {many} systems",
        f"the same for each pair of {few} systems",
        (of_many, of_few),
        "at most 1.3 times the time",
    )
    found = oe.compare(runs[many], correction="holm")  # as many pairs, and sooner
    taken = [seconds(lambda: sum(map(len, found.pieces("json")))) for _ in range(repeats)]
    yield within(f"JSON of {comb(many, 2):,} pairs, {MEASURES} measures", taken, MOST_FOR_JSON)


def classes(k: int, *, repeats: int) -> dict[str, Any]:
    """Time intervals from resamples of a table of many classes, most of whose cells are empty."""
    items, resamples = 100_000, 999
    table = oe.Table.from_labels(*labels_of(items, k), labels=range(k))
    work = partial(oe.evaluate, table, method="percentile", n_resamples=resamples)
    name = f"evaluate {items:,} items, {k:,} classes, {resamples} resamples"
    return within(name, [seconds(work) for _ in range(repeats)], MOST_SECONDS)


def corrected(systems: int) -> dict[str, Any]:
    """Time the correction by max-T, which draws sign flips of all pairs together, against Holm's, which draws none."""
    compare = partial(oe.compare, answers(systems, 1000, CLASSES))
    times = in_turn(compare, lambda: compare(correction="holm"), repeats=5)
    work = f"compare {systems} systems, max-T"
    return row(work, "the same with Holm's correction", times, "at most 10 times the time")


def slices(n: int) -> dict[str, Any]:
    """Time scores of slices and of what is not in them against the scores of the whole alone."""
    gold, predicted = labels_of(n, CLASSES)
    evaluate = partial(oe.evaluate, gold, predicted)
    part = np.arange(n) * 7 % SLICES
    times = in_turn(lambda: evaluate(by={"part": part}), evaluate, repeats=5)
    work = f"evaluate {n:,} items in {SLICES} slices"
    return row(work, "the same without slices", times, "at most 8 times the time")
