"""Pseudo-items: what a sample has not shown yet.

A system without an error so far is not perfect, and an error that was not seen is not impossible. A few pseudo-items
beside the real ones say so: half of each is answered right, half wrong, a class twice as far being half as likely. They
are spread evenly over the classes that occur in gold, so that a rare class gets its part.
"""

from functools import lru_cache

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.chunks import chunks
from ordeval.stats.score_function import ScoreFunction

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


def pseudo_shares(cells: Array) -> Array:
    """Return where one pseudo-item falls: shares[..., gold, answer] that add up to 1, for tables with these cells."""
    occurs = (cells.sum(axis=-1) > 0).astype(np.float64)
    classes = np.maximum(occurs.sum(axis=-1, keepdims=True), 1.0)
    return np.asarray((occurs / classes)[..., None] * pseudo_answers(cells.shape[-2]))


def pseudo_effect(
    cells: Array, score: ScoreFunction, weight: Array | float, *, by_cell: bool
) -> tuple[Array, Array]:
    """Return by how much one pseudo-item changes the scores of cells[table, gold, answer], and the square of that.

    Both are means[measure, table] over where the item may fall; `weight` is that of one item. Without `by_cell` the
    item is taken as a whole, which needs one table in place of one for each cell.
    """
    value, shares = score(cells), pseudo_shares(cells)
    amount = np.broadcast_to(np.asarray(weight, dtype=np.float64), cells.shape[:1])
    if not by_cell:
        change = known(score(cells + amount[:, None, None] * shares, cells) - value)
        return change, change**2 / WRONG
    tables, k = len(cells), cells.shape[-2]
    flat, chance = cells.reshape(tables, -1), shares.reshape(tables, -1)
    used = np.flatnonzero(chance.any(axis=0))
    mean, square = np.zeros_like(value), np.zeros_like(value)
    for part in chunks(len(used), numbers=flat.size):
        some = used[part]
        more = np.repeat(flat[:, None], len(some), axis=1)
        more[:, np.arange(len(some)), some] += amount[:, None]
        scores = score(more.reshape(tables, len(some), k, k + 1), cells[:, None])
        change = known(scores - value[..., None])
        mean += (change * chance[:, some]).sum(axis=-1)
        square += (change**2 * chance[:, some]).sum(axis=-1)
    return mean, square


def known(change: Array) -> Array:
    """Return the changes, 0 where one is undefined."""
    return np.where(np.isfinite(change), change, 0.0)
