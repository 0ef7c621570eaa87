"""Marks of simulated humans and judges on the same items."""

import numpy as np
import pandas as pd

import ordeval as oe

CLASSES = [1, 2, 3, 4, 5]
PEOPLE = ("ann", "bob", "cy", "dee")


def panel(seed=0, *, items=300, noise=0.7, judges=None, gaps=0.0):
    """Return ratings of four humans, and of judges by name whose noise and shift are given."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, items)

    def marks(spread, shift=0.0):
        return np.clip(np.rint(truth + shift + rng.normal(0, spread, items)), 1, 5)

    people = np.stack([marks(noise) for _ in PEOPLE], axis=1)
    people[rng.random(people.shape) < gaps] = np.nan
    people[:, 0] = np.where(np.isnan(people).all(axis=1), 3, people[:, 0])
    judges = {"good": (0.5, 0.0), "poor": (2.5, 0.0)} if judges is None else judges
    models = np.stack([marks(*each) for each in judges.values()], axis=1)
    names = [f"item{at}" for at in range(items)]
    return (
        oe.Ratings.from_array(people, raters=PEOPLE, item=names, labels=CLASSES),
        oe.Ratings.from_array(models, raters=list(judges), item=names, labels=CLASSES),
    )


def repeated(marks, *, items=None, name="gpt"):
    """Return the ratings of one judge from marks[item, repeat], with repeats 1, 2, ..."""
    item, repeat = np.nonzero(~np.isnan(np.asarray(marks, dtype=float)))
    columns = {
        "item": item if items is None else np.array(items)[item],
        "rater": [name] * len(item),
        "epoch": repeat + 1,
        "label": np.asarray(marks, dtype=float)[item, repeat].astype(int),
    }
    return oe.Ratings.from_frame(pd.DataFrame(columns), labels=CLASSES)


def marks_of(ratings):
    """Return marks[item, rater] as numbers, NaN where there is none."""
    place = {name: at for at, name in enumerate(ratings.raters)}
    marks = np.full((ratings.n, len(place)), np.nan)
    of, slot = np.nonzero(ratings.mark < ratings.scale.k)
    by_pattern = np.full((len(ratings.count), len(place)), np.nan)
    by_pattern[of, ratings.rater[of, slot]] = np.array(ratings.scale.values)[ratings.mark[of, slot]]
    marks[:] = by_pattern[ratings.pattern_of]
    return marks
