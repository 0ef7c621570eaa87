"""Random marks of several raters, with gaps; and ratings of marks that are written out item by item."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import ordeval as oe

__all__ = ["random_marks", "ratings_of"]


def ratings_of(marks: Any, labels: Sequence[Any], **options: Any) -> oe.Ratings:
    """Return ratings of marks[item][rater]; None and NaN are gaps."""
    labels = list(labels)
    given = [
        (item, rater, labels.index(mark))
        for item, row in enumerate(marks)
        for rater, mark in enumerate(row)
        if mark is not None and mark == mark  # noqa: PLR0124 - NaN differs from itself
    ]
    item, rater, mark = np.array(given, dtype=int).reshape(-1, 3).T
    names = tuple(f"rater {at}" for at in range(len(marks[0])))
    scale = oe.Scale(labels, **options)
    return oe.Ratings.from_marks(scale, names, item=item, rater=rater, mark=mark, items=len(marks))


def random_marks(
    seed: int, items: int, raters: int, labels: Sequence[float], gaps: float = 0.3
) -> np.ndarray:
    """Return marks[item, rater] by raters who agree more often than chance would have it; NaN is a gap.

    Each rater leaves items out, some items have one mark or none, and classes are not equally frequent.
    """
    rng = np.random.default_rng(seed)
    k = len(labels)
    truth = np.minimum(rng.geometric(0.4, size=(items, 1)) - 1, k - 1)
    marks = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], size=(items, raters)), 0, k - 1)
    marks = np.where(rng.random(marks.shape) < 0.1, rng.integers(k, size=marks.shape), marks)
    found = np.asarray(labels, dtype=float)[marks]
    found[rng.random(found.shape) < gaps] = np.nan
    if gaps:
        found[0], found[1, 1:] = np.nan, np.nan
    return found
