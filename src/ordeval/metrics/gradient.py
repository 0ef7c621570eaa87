"""How a score changes with each count of its table: what linearises a measure, from its kernel alone."""

from typing import Any

import numpy as np

from ordeval.metrics.core import Counts, Values
from ordeval.metrics.metric import Metric
from ordeval.stats.chunks import chunks

STEP = 1e-3  # of the count; errors are of the fourth power of it
SMALLEST = 1e-4  # of all items: the least count whose step is its own share
# The derivative from four tables. Central: of a count that leaves room for two steps down. Forward: at 0 from above,
# without the table itself, because a measure may jump where a class is answered for the first time.
CENTRAL = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12
FORWARD = np.array([1.0, 2.0, 3.0, 4.0]), np.array([-13 / 3, 19 / 2, -7.0, 11 / 6])


def gradient(measure: Metric, counts: Counts, values: Values, reference: Any = None) -> Values:
    """Return the derivative of a score by each count: [..., gold, answer] for counts[..., gold, answer].

    It is found by finite differences, which need only the kernel: the tables next to one table are scored
    together. It is 0 in the rows of classes without gold, and NaN where a score next to the table is undefined.
    """
    counts = np.asarray(counts, dtype=np.float64)
    k = counts.shape[-1]
    flat = counts.reshape(-1, k * k)
    n = flat.sum(axis=-1, keepdims=True)
    step = STEP * np.maximum(flat, SMALLEST * n)
    central = (flat > 2 * step)[..., None]
    offset, weight = (np.where(central, *both) for both in zip(CENTRAL, FORWARD, strict=True))
    slope = np.empty(flat.shape)
    for part in chunks(flat.size, numbers=4 * k * k):
        at = np.arange(flat.size)[part]
        table, cell = np.divmod(at, k * k)
        tables = np.repeat(flat[table][:, None], 4, axis=1)  # [at, step, cells]
        tables[np.arange(len(at)), :, cell] += offset[table, cell] * step[table, cell, None]
        scores = measure.compute(tables.reshape(-1, k, k), values, None, reference)
        with np.errstate(all="ignore"):
            change = (scores.reshape(-1, 4) * weight[table, cell]).sum(axis=-1)
            slope[table, cell] = change / step[table, cell]
    return np.where(counts.any(axis=-1, keepdims=True), slope.reshape(counts.shape), 0.0)
