"""Pseudo-items: what a sample has not shown yet.

A system without an error so far is not perfect, and an error that was not seen is not impossible. A few pseudo-items
beside the real ones say so: each may be of any class that occurs in gold, and be answered right or wrong, with the same
chance; of the wrong answers each class is half as likely as the one a step nearer.
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
    k = cells.shape[-2]
    occurs = (cells[..., : k + 1].sum(axis=-1) > 0).astype(np.float64)
    classes = np.maximum(occurs.sum(axis=-1, keepdims=True), 1.0)
    return np.asarray((occurs / classes)[..., None] * pseudo_answers(k))


def pseudo_effect(
    cells: Array, score: ScoreFunction, weight: Array | float, *, by_cell: bool
) -> tuple[Array, Array]:
    """Return by how much one pseudo-item changes the scores of cells[table, gold, answer], and the square of that.

    Both are means[measure, table] over where the item may fall; `weight` is that of one item. Without `by_cell` it
    falls on all right answers together or on all wrong ones, which needs two tables in place of one for each cell.
    """
    mean, square = effect_by_side(cells, score, weight, by_cell=by_cell)
    return mean.sum(axis=0), square.sum(axis=0)


def effect_by_side(
    cells: Array, score: ScoreFunction, weight: Array | float, *, by_cell: bool
) -> tuple[Array, Array]:
    """Return what `pseudo_effect` gives as two parts [side, measure, table]: of right answers, and of wrong ones."""
    value, shares = score(cells), pseudo_shares(cells)
    tables, k = len(cells), cells.shape[-2]
    amount = np.broadcast_to(np.asarray(weight, dtype=np.float64), (tables,))
    mean, square = np.zeros((2, *value.shape)), np.zeros((2, *value.shape))
    right = np.eye(k, k + 1, dtype=bool)
    for side, where in enumerate((right, ~right)):
        part = np.where(where, shares, 0.0)
        if not by_cell:
            chance = part.sum(axis=(-1, -2))
            item = part * (amount / np.where(chance > 0, chance, 1.0))[:, None, None]
            change = known(score(cells + as_wide(item, cells, score), cells) - value)
            mean[side], square[side] = change * chance, change**2 * chance
            continue
        chance = part.reshape(tables, -1)
        used = np.flatnonzero(chance.any(axis=0))
        for some in (used[some] for some in chunks(len(used), numbers=cells.size)):
            one: Array = np.zeros((len(some), k * (k + 1)))
            one[np.arange(len(some)), some] = 1.0
            item = as_wide(one.reshape(-1, k, k + 1), cells[:, None], score)
            scores = score(cells[:, None] + item * amount[:, None, None, None], cells[:, None])
            change = known(scores - value[..., None])
            mean[side] += (change * chance[:, some]).sum(axis=-1)
            square[side] += (change**2 * chance[:, some]).sum(axis=-1)
    return mean, square


def as_wide(items: Array, cells: Array, score: ScoreFunction) -> Array:
    """Return hard items[..., gold, answer] with the further columns that the cells of soft ones have."""
    return items if items.shape[-1] == cells.shape[-1] else score.widened(items, cells)


def known(change: Array) -> Array:
    """Return the changes, 0 where one is undefined."""
    return np.where(np.isfinite(change), change, 0.0)
