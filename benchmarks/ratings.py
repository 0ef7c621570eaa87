"""Agreement among many raters: alpha of an array of marks, and its interval, beside the package krippendorff."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.timing import absent, row, side_by_side
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.metrics.registry import resolve

__all__ = ["rows"]

RATERS, CLASSES = 5, 5
RESAMPLES = 9999
ALPHA = "krippendorff_alpha"


def marks_of(items: int) -> Any:
    """Return marks[item, rater] of raters who agree on most items."""
    rng = np.random.default_rng(0)
    true = rng.integers(CLASSES, size=(items, 1))
    near = np.clip(true + rng.integers(-1, 2, size=(items, RATERS)), 0, CLASSES - 1)
    return np.where(rng.random((items, RATERS)) < 0.7, true, near)


def alpha(marks: Any) -> float:
    """Return alpha as a user asks for it, from the array."""
    return oe.krippendorff_alpha(oe.Ratings.from_array(marks))


def interval(marks: Any) -> Any:
    """Return alpha with the ends from resamples, from the array."""
    return coefficient_scores(
        oe.Ratings.from_array(marks), resolve([ALPHA]), method="percentile", n_resamples=RESAMPLES
    )


def their_alpha(marks: Any) -> Callable[[], float]:
    """Return the package's alpha of raters x items."""
    import krippendorff

    data = np.ascontiguousarray(marks.T)
    return lambda: float(krippendorff.alpha(data, level_of_measurement="ordinal"))


def rows(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Time one value against one value, and our interval against one value of theirs."""
    items = 20_000 if quick else 200_000
    marks = marks_of(items)
    size = f"{items * RATERS:,} marks"
    tasks: tuple[tuple[str, Callable[[Any], Any], str, str], ...] = (
        (f"ordinal alpha, {size}", alpha, "krippendorff", "20 times faster"),
        (f"interval of alpha, {RESAMPLES:,} resamples, {size}", interval, "krippendorff, one value", "first"),
    )  # fmt: skip
    for work, ours, name, goal in tasks:
        try:
            theirs = their_alpha(marks)
        except ImportError:
            yield absent(work, name, "not installed", goal)
            continue
        yield row(work, name, side_by_side(lambda ours=ours: ours(marks), theirs), goal)
