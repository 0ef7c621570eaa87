"""Validations of judges to draw: usual ones, and ones with odd names, repeats and slices."""

from functools import cache

import numpy as np

import ordeval as oe

CLASSES = [1, 2, 3, 4, 5]
# a tag, letters that turn the direction of writing, a name without an end, one that only differs late, an escape code
HOSTILE = (
    "</script><script>alert(1)</script>",
    "\u202egnp.exe \u05d0\u05d1",
    "x" * 300,
    "x" * 299 + "y",
    "\x1b[31mred<img src=x onerror=alert(2)>",
)


def ratings(columns, *, labels=CLASSES, items=None):
    """Ratings of the marks of raters by name, all of the same length."""
    marks = np.array(list(columns.values()), dtype=float).T
    return oe.Ratings.from_array(marks, raters=list(columns), item=items, labels=labels)


@cache
def made(judges=("good", "fair", "poor"), humans=("ann", "bob", "cy"), *, items=120, sliced=False):
    """Humans around a true class, and judges of whom each errs more than the one before."""
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, items)

    def marks(spread, shift=0.0):
        return np.clip(np.rint(truth + shift + rng.normal(0, spread, items)), 1, 5)

    people = ratings({name: marks(0.7) for name in humans})
    models = ratings({name: marks(0.4 + 0.7 * at, 0.1) for at, name in enumerate(judges)})
    by = {"kind": ["essay" if at % 3 else "poem" for at in range(items)]} if sliced else None
    return oe.judge.validate(people, models, by=by)


@cache
def repeated():
    """A judge that marks every item three times, in one long frame."""
    import pandas as pd

    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, 60)
    rows = [
        (at, epoch, int(np.clip(mark + rng.integers(-1, 2), 1, 5)))
        for at, mark in enumerate(truth)
        for epoch in (1, 2, 3)
    ]
    frame = pd.DataFrame(rows, columns=["item", "epoch", "label"]).assign(rater="gpt")
    people = {name: np.clip(truth + rng.integers(-1, 2, 60), 1, 5) for name in ("ann", "bob")}
    return oe.judge.validate(
        ratings(people, items=list(range(60))), oe.Ratings.from_frame(frame, labels=CLASSES)
    )


@cache
def hostile():
    """Judges and humans whose names try to be more than text."""
    return made(HOSTILE, tuple(f"{name} (human)" for name in HOSTILE), items=60, sliced=True)


@cache
def disagreeing():
    """Humans who agree by chance alone, and a judge that always gives the middle."""
    rng = np.random.default_rng(2)
    people = {name: rng.integers(1, 6, 200) for name in ("ann", "bob", "cy")}
    return oe.judge.validate(ratings(people), ratings({"middle": np.full(200, 3)}))
