"""The only pass over the items: pairs of codes in, how often each pair occurs out.

Items are counted in chunks that stay in the cache. Narrow codes are counted two items to an increment, and large inputs
by as many threads as there are cores: NumPy lets go of the interpreter's lock in every step of the loop.
"""

import itertools
import os
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["count_integers", "count_pairs", "integer_range"]

Array: TypeAlias = npt.NDArray[Any]

CHUNK = 1 << 17  # items: two narrow chunks and their codes stay in a core's own cache
LARGE = 1 << 20  # items from which a second thread pays for its start
PAIRED = 4096  # counters of two items at once that still fit the innermost cache
NARROW = 256  # pairs of codes that fit one byte


def count_pairs(
    gold: Callable[[int, int], Array],
    predicted: Callable[[int, int], Array],
    n: int,
    width: int,
    weight: Array | None,
) -> Array:
    """Count pairs of codes below `width`: counts[gold, predicted], int64, or float64 with weights."""
    counts: Array = np.zeros(width * width, dtype=np.int64 if weight is None else np.float64)
    for start in range(0, n, CHUNK):
        stop = min(start + CHUNK, n)
        pair = gold(start, stop).astype(np.intp)
        pair *= width
        pair += predicted(start, stop)
        counts += np.bincount(
            pair, None if weight is None else weight[start:stop], minlength=width * width
        )
    return counts.reshape(width, width)


def integer_range(gold: Array, predicted: Array) -> tuple[int, int]:
    """Return the smallest and the largest of all labels of two integer arrays."""
    low = min(np.minimum.reduce(gold), np.minimum.reduce(predicted))
    high = max(np.maximum.reduce(gold), np.maximum.reduce(predicted))
    return int(low), int(high)


def count_integers(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool = False
) -> Array | None:
    """Count two arrays of integers between `low` and `high`, or return None where a label lies outside.

    `checked` says that none does, so nobody needs to look again.
    """
    n, k = len(gold), high - low + 1
    threads = min(cores(), n // (LARGE // 2)) if n >= LARGE else 1
    if threads < 2:
        return count_range(gold, predicted, low, high, checked=checked)
    from concurrent.futures import ThreadPoolExecutor

    edges = [n * i // threads for i in range(threads + 1)]
    total = np.zeros((k, k), dtype=np.int64)
    with ThreadPoolExecutor(threads) as pool:
        jobs = [
            pool.submit(
                count_range, gold[start:stop], predicted[start:stop], low, high, checked=checked
            )
            for start, stop in itertools.pairwise(edges)
        ]
        for part in [job.result() for job in jobs]:
            if part is None:
                return None
            total += part
    return total


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def within(chunk: Array, low: int, high: int) -> bool:
    """Tell whether all integers of a chunk lie between two ends; a range from 0 needs one look, not two."""
    if low == 0 and chunk.dtype.kind == "i":
        return int(np.maximum.reduce(chunk.view(f"u{chunk.dtype.itemsize}"))) <= high
    return low <= int(np.minimum.reduce(chunk)) and int(np.maximum.reduce(chunk)) <= high


def count_range(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool
) -> Array | None:
    """Count one stretch of two integer arrays."""
    n, k = len(gold), high - low + 1
    cells = k * k
    if n > CHUNK and cells * cells <= PAIRED:
        return count_narrow(gold, predicted, low, high, checked=checked)
    counts = np.zeros(cells, dtype=np.int64)
    for start in range(0, n, CHUNK):
        g, p = gold[start : start + CHUNK], predicted[start : start + CHUNK]
        if not (checked or (within(g, low, high) and within(p, low, high))):
            return None
        pair = np.multiply(g, k, dtype=np.intp, casting="unsafe")
        pair += p if p.dtype == pair.dtype else p.astype(np.intp)
        if low:
            pair -= low * (k + 1)
        counts += np.bincount(pair, minlength=cells)
    return counts.reshape(k, k)


def count_narrow(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool
) -> Array | None:
    """Count codes of one byte, two items to an increment.

    The codes of two neighbours, read as one 16-bit number, are a + 256 b; a + cells * b counts in a table small enough
    for the innermost cache, and its two margins add up to the counts.
    """
    n, k = len(gold), high - low + 1
    cells = k * k
    pairs = np.zeros(cells * cells, dtype=np.int64)
    codes, other = np.empty(CHUNK, dtype=np.uint8), np.empty(CHUNK, dtype=np.uint8)
    upper, wide = np.empty(CHUNK // 2, dtype=np.uint16), np.empty(CHUNK // 2, dtype=np.intp)
    offset = np.uint8((low * (k + 1)) % NARROW)
    even = n - n % 2
    for start in range(0, even, CHUNK):
        stop = min(start + CHUNK, even)
        g, p, m = gold[start:stop], predicted[start:stop], stop - start
        if not (checked or (within(g, low, high) and within(p, low, high))):
            return None
        code, half = codes[:m], m // 2
        np.copyto(code, g, casting="unsafe")
        np.copyto(other[:m], p, casting="unsafe")
        code *= np.uint8(k)
        code += other[:m]
        if offset:
            code -= offset
        two = code.view(np.uint16)
        np.right_shift(two, 8, out=upper[:half])
        upper[:half] *= np.uint16(NARROW - cells)
        two -= upper[:half]
        np.copyto(wide[:half], two)
        pairs += np.bincount(wide[:half], minlength=cells * cells)
    square = pairs.reshape(cells, cells)
    counts: Array = (square.sum(axis=0) + square.sum(axis=1)).reshape(k, k)
    if n % 2:
        last = int(gold[-1]) - low, int(predicted[-1]) - low
        if not (min(last) >= 0 and max(last) < k):
            return None
        counts[last] += 1
    return counts
