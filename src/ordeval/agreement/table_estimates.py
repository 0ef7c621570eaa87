"""Scores of many tables, each a sample of its own, with the errors that intervals are made of."""

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.scorer import Scorer
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.scale import Scale
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import (
    MOST_CLASSES,
    CaseTables,
    Estimate,
    pseudo_effects,
    summed,
    with_pseudo_items,
    without_one,
)


def scorer_of(metrics: tuple[str, ...], scale: Scale) -> Scorer:
    """Return what scores tables of marks by measures of the registry; no mark in a table is missing."""
    return Scorer(resolve(list(metrics)), scale, Policy())


def as_cells(tables: Array) -> Array:
    """Return tables[table, K, K] with an empty column of unanswered items."""
    return np.concatenate([tables, np.zeros((*tables.shape[:-1], 1))], axis=-1)


def estimate_of(cells: Array, scorer: Scorer, squares: Array, items: Array) -> Estimate:
    """Return the scores[measure, table] of cells, from the sums of the squared influences of their items."""
    with np.errstate(all="ignore"):
        plain = np.sqrt(np.where(items > 1, squares * (items - 1) / items, np.nan))
    effects = pseudo_effects([CaseTables(cells)], scorer, by_cell=cells.shape[-2] <= MOST_CLASSES)
    units = np.broadcast_to(items, plain.shape).astype(np.float64)
    # the items of each table are a sample of their own, so their numbers are an array
    return with_pseudo_items(scorer(cells), plain, effects, units, np.maximum(items, 1.0))


def estimate_of_counts(tables: Array, scorer: Scorer) -> Estimate:
    """Return the scores[measure, table] of whole items counted in tables[table, K, K]."""
    cells = as_cells(tables.astype(np.float64))
    used, influence = without_one(cells, scorer, cells)
    count = cells.reshape(len(cells), -1)[:, used]
    return estimate_of(cells, scorer, summed(influence**2 * count), count.sum(axis=-1))


def estimate_of_spread(
    tables: Array, scorer: Scorer, *, table: Array, spread: Array, column: Array, count: Array
) -> Estimate:
    """Return the scores[measure, table] of items that are spread over the rows of one column of their table.

    `count` items each add spread[row] to the column of a table; one of them is left out at a time.
    """
    cells = as_cells(tables)
    value = scorer(cells)
    left = np.empty((len(value), len(table)))
    for part in chunks(len(table), numbers=cells[0].size if len(cells) else 1):
        changed = cells[table[part]]
        changed[np.arange(len(changed)), :, column[part]] -= spread[part]
        left[:, part] = scorer(np.maximum(changed, 0.0))
    influence = value[:, table] - left
    influence = np.where(np.isfinite(influence), influence, 0.0)
    size = len(cells)
    items = np.bincount(table, count, size)
    with np.errstate(all="ignore"):
        mean = np.stack([np.bincount(table, count * one, size) / items for one in influence])
    apart = influence - mean[:, table]
    squares = np.stack([np.bincount(table, count * one**2, size) for one in apart])
    return estimate_of(cells, scorer, squares, items)


def weighted_median(values: Array, weights: Array) -> float:
    """Return the median of the values that are defined, each counted as often as its weight says."""
    known = ~np.isnan(values) & (weights > 0)
    if not known.any():
        return float("nan")
    order = np.argsort(values[known], kind="stable")
    ranked, below = values[known][order], np.cumsum(weights[known][order])
    half = below[-1] / 2
    low = int(np.searchsorted(below, half))
    high = int(np.searchsorted(below, half, side="right"))
    return float((ranked[low] + ranked[min(high, len(ranked) - 1)]) / 2)
