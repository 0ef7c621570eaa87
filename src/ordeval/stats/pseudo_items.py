"""Pseudo-items: what a sample has not shown yet.

A system without an error so far is not perfect, and an error that was not seen is not impossible. A few pseudo-items
beside the real ones say so: half of each is answered right, half wrong, a class twice as far being half as likely. They
are spread evenly over the classes that occur in gold, so that a rare class gets its part.
"""

from functools import lru_cache

import numpy as np

from ordeval.aliases import Array

WRONG = 0.5  # the share of a pseudo-item that is answered wrong
FARTHER = 0.5  # how likely a class is, compared with the one a step nearer to the right answer


@lru_cache(maxsize=8)
def pseudo_answers(k: int) -> Array:
    """Return the answers[gold, answer] of a pseudo-item of each class; the last column, no answer, is empty."""
    distance = np.abs(np.arange(k)[:, None] - np.arange(k))
    wrong = np.where(distance > 0, FARTHER ** (distance - 1.0), 0.0)
    shares = wrong / np.maximum(wrong.sum(axis=1, keepdims=True), 1.0 if k == 1 else 0.0)
    right = np.eye(k) if k == 1 else (1 - WRONG) * np.eye(k)
    answers = np.zeros((k, k + 1))
    answers[:, :k] = right + WRONG * shares
    answers.setflags(write=False)
    return answers


def pseudo_cells(cells: Array, mass: Array | float) -> Array:
    """Return the cells[..., gold, answer] of so many pseudo-items, for tables with these cells."""
    occurs = (cells.sum(axis=-1) > 0).astype(np.float64)
    classes = np.maximum(occurs.sum(axis=-1, keepdims=True), 1.0)
    shares = np.asarray(mass)[..., None] * occurs / classes
    return np.asarray(shares[..., None] * pseudo_answers(cells.shape[-2]))
