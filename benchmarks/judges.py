"""Judges: the alternative annotator test beside a loop over items, and corrected scores beside ppi-python."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import absent, row, side_by_side

__all__ = ["rows"]

HUMANS, CLASSES = 4, 5
SYSTEMS, MARKED, UNMARKED = 33, 300, 10_000


def marks_of(items: int, raters: int) -> Any:
    """Return marks[item, rater] from 1 of raters who agree on most items."""
    rng = np.random.default_rng(0)
    true = rng.integers(CLASSES, size=(items, 1))
    near = np.clip(true + rng.integers(-1, 2, size=(items, raters)), 0, CLASSES - 1)
    return np.where(rng.random((items, raters)) < 0.7, true, near) + 1


def winning_rate(humans: Any, judge: Any) -> float:
    """Return omega as a user asks for it, from two arrays."""
    return oe.judge.alt_test(
        oe.Ratings.from_array(humans), oe.Ratings.from_array(judge, raters=["judge"])
    ).winning_rate


def by_items(humans: Any, judge: Any) -> Callable[[], float]:
    """Return the same by a loop over humans and items, with SciPy's t test and statsmodels' correction."""
    from scipy.stats import ttest_1samp
    from statsmodels.stats.multitest import multipletests

    rows, own = humans.tolist(), judge[:, 0].tolist()

    def score(mark: int, others: list[int]) -> float:
        return -((sum((mark - other) ** 2 for other in others) / len(others)) ** 0.5)

    def omega() -> float:
        p = []
        for left_out in range(HUMANS):
            wins = []
            for marks, mark in zip(rows, own, strict=True):
                others = marks[:left_out] + marks[left_out + 1 :]
                human, model = score(marks[left_out], others), score(mark, others)
                wins.append((human >= model) - (model >= human))
            p.append(ttest_1samp(wins, 0.2, alternative="less").pvalue)
        return float(np.mean(multipletests(p, 0.05, "fdr_by")[0]))

    return omega


def corrected(columns: Any) -> Any:
    """Return all default measures of all systems by all methods."""
    human, judge, *systems = columns
    names = [f"s{at}" for at in range(len(systems))]
    return oe.judge.correct_scores(
        human[:MARKED],
        judge[:MARKED],
        {name: one[:MARKED] for name, one in zip(names, systems, strict=True)},
        judge[MARKED:],
        {name: one[MARKED:] for name, one in zip(names, systems, strict=True)},
        labels=range(1, CLASSES + 1),
    )


def their_accuracy(columns: Any) -> Callable[[], Any]:
    """Return ppi-python's interval of the accuracy of each system, tuned."""
    from ppi_py import ppi_mean_ci

    human, judge, *systems = columns
    first, rest = slice(MARKED), slice(MARKED, None)

    def each() -> list[Any]:
        return [
            ppi_mean_ci(
                (human[first] == one[first]).astype(float),
                (judge[first] == one[first]).astype(float),
                (judge[rest] == one[rest]).astype(float),
                alpha=0.05,
            )
            for one in systems
        ]

    return each


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time both jobs beside what people would write or install."""
    items = 12_500 if quick else 250_000
    marks = marks_of(items, HUMANS + 1)
    humans, judge = marks[:, :HUMANS], marks[:, HUMANS:]
    columns = marks_of(MARKED + UNMARKED, SYSTEMS + 2).T
    tasks: tuple[tuple[str, Callable[[], Any], Callable[[], Callable[[], Any]], str, str], ...] = (
        (
            f"alternative annotator test, {items * HUMANS:,} marks",
            lambda: winning_rate(humans, judge),
            lambda: by_items(humans, judge),
            "a loop over items with SciPy and statsmodels",
            "10 times faster",
        ),
        (
            f"corrected scores, {SYSTEMS} systems, 6 measures",
            lambda: corrected(columns),
            lambda: their_accuracy(columns),
            "ppi-python, accuracy alone",
            "at most 10 times",
        ),
    )
    for work, ours, make, name, goal in tasks:
        try:
            theirs = make()
        except ImportError:
            yield absent(work, name, "not installed", goal)
            continue
        ours()  # imports what it needs
        yield row(work, name, side_by_side(ours, theirs), goal)
