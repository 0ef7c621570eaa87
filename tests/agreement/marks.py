"""Marks of simulated raters."""

import numpy as np

import ordeval as oe

CLASSES = [1, 2, 3, 4, 5]


def simulated(seed, *, items=200, raters=5, each=3, shifted=0.0, random=False):
    """Marks[item, rater] around a true class, NaN where a rater has none.

    The first rater may be `shifted` by so many classes, and the second may mark at `random`.
    """
    rng = np.random.default_rng(seed)
    k = len(CLASSES)
    truth = rng.integers(1, k + 1, items).astype(float)
    apart = np.zeros(raters)
    apart[0] = shifted
    noise = rng.normal(0, 0.7, (items, raters))
    marks = np.clip(np.rint(truth[:, None] + apart + noise), 1, k)
    if random:
        marks[:, 1] = rng.integers(1, k + 1, items)
    absent = np.argsort(rng.random((items, raters)), axis=1) >= each
    marks[absent] = np.nan
    return marks


def ratings_of(marks, **options):
    """Ratings of an array of marks, with raters r0, r1, ..."""
    marks = np.asarray(marks, dtype=float)
    names = [f"r{at}" for at in range(marks.shape[1])]
    return oe.Ratings.from_array(marks, raters=names, labels=CLASSES, **options)
