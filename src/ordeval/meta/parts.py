"""Divide items into random parts of equal size, many times, without listing the items.

Items with the same gold and answers are one pattern, so a part is a draw without replacement from the pattern counts:
a multivariate hypergeometric.
"""

from typing import Any

import numpy as np

from ordeval.errors import DataError, argument
from ordeval.formats.numbers import counted
from ordeval.meta.ranking import Array
from ordeval.meta.resamples import read_amount
from ordeval.runs import Runs
from ordeval.stats.streams import read_generator
from ordeval.table import Axis, Table


def part_counts(count: Array, parts: int, repeats: int, rng: np.random.Generator) -> Array:
    """Return how many items of each pattern fall into each part: [pattern, repeat, part]."""
    items = count.astype(np.int64)
    total = int(items.sum())
    if total < 2 * parts:
        raise DataError(
            f"there {'is' if total == 1 else 'are'} {counted(total, 'item')}, too few for {parts} parts of at least 2. "
            f"Pass fewer, as in {argument('parts', 2)}, or more items."
        )
    sizes = np.full(parts, total // parts)
    sizes[: total % parts] += 1
    drawn = np.empty((len(items), repeats, parts), dtype=np.int64)
    for repeat in range(repeats):
        left = items
        for part in range(parts - 1):
            drawn[:, repeat, part] = rng.multivariate_hypergeometric(
                left, sizes[part], method="marginals"
            )
            left = left - drawn[:, repeat, part]
        drawn[:, repeat, -1] = left
    return drawn


def split_counts(runs: Runs, parts: int, repeats: int, rng: Any) -> Table:
    """Return the tables of random parts, with the axes split, system and case."""
    read_amount(parts, "parts", 2)
    read_amount(repeats, "repeats", 1)
    if runs.weighting is not None:
        raise DataError(
            "weighted items cannot be divided into random parts. Give the test case of each item, or no weights."
        )
    if runs.soft:
        raise DataError(
            "soft gold and probabilities cannot be divided into random parts. Give the test case of each item, or "
            "labels: ratings.consensus()."
        )
    drawn = part_counts(runs.count, parts, repeats, read_generator(rng))
    k, flat = runs.scale.k, drawn.reshape(len(drawn), -1)
    counts = np.zeros((len(runs.systems), k * (k + 1), flat.shape[1]), dtype=np.int64)
    for system, answers in enumerate(runs.predicted):
        cell = runs.gold.astype(np.intp) * (k + 1) + answers
        order = np.argsort(cell, kind="stable")
        used, start = np.unique(cell[order], return_index=True)
        for one, patterns in zip(used, np.split(order, start[1:]), strict=True):
            counts[system, one] = flat[patterns].sum(axis=0)  # np.add.reduceat is slower
    shaped = counts.reshape(len(runs.systems), k, k + 1, repeats, parts).transpose(3, 0, 4, 1, 2)
    axes = (
        Axis("split", tuple(range(repeats))),
        Axis("system", runs.systems),
        Axis("case", tuple(range(1, parts + 1))),
    )
    return Table(
        runs.scale, shaped[..., :k].copy(), shaped[..., k].copy(), axes, runs.policy, runs.touched
    )
