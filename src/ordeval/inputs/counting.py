"""Count how often each pair of codes occurs: the only pass over the items.

Items are counted in chunks that stay in the cache. Narrow codes are counted two items to an increment, and large inputs
by as many threads as there are cores: NumPy lets go of the interpreter's lock in every step of the loop.
"""

import itertools
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.inputs.weighting import RowWeights
from ordeval.label_column import CHUNK

MANY = 1 << 14  # items from which counting two at once pays for its longer preparation
LARGE = 1 << 20  # items from which a second thread pays for its start
# The most cells with which two items are counted at once: a larger table of pairs would leave the cache.
PAIRED = 64
NARROW = 256  # pairs of codes that fit one byte
SMALL_TABLE = 1 << 16  # cells of a table that costs little, however few the items


def count_joint(
    sides: Sequence[Array], limits: Sequence[int], rows: RowWeights | None = None
) -> list[Array]:
    """Count the joint codes of any number of sides, and add up what each row adds; flat arrays, the counts first.

    A side holds codes from -1, no label, to its limit minus 2. The cells are numbered with the last side fastest.
    """
    n, cells = len(sides[0]), math.prod(limits)
    # Numbers of two bytes are added several at a time. Codes below 0 wrap around, and the shift brings them back.
    number: Any = np.uint16 if cells <= 1 << 16 else np.intp

    def stretch(start: int) -> list[Array]:
        sums: list[Array] = []
        for at in range(start, min(start + LARGE, n), CHUNK):
            part = slice(at, at + CHUNK)
            cell = sides[0][part].astype(number)
            for side, limit in zip(sides[1:], limits[1:], strict=True):
                cell *= number(limit)
                cell += side[part].astype(number, copy=False)
            cell += number(shift)
            added = [np.bincount(cell, minlength=cells)]
            if rows is not None:
                added += [np.bincount(cell, each, minlength=cells) for each in rows.addends(part)]
            sums = [a + b for a, b in zip(sums, added, strict=True)] if sums else added
        return sums

    shift = 0  # what the codes would add up to if all were 1 instead of 0
    for limit in limits:
        shift = shift * limit + 1
    # The stretches do not depend on the number of cores: sums of floats depend on their order.
    starts = range(0, n, LARGE)
    threads = min(cores(), len(starts))
    if threads < 2:
        parts = [stretch(start) for start in starts]
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(stretch, starts))
    return [np.add.reduce(each) for each in zip(*parts, strict=True)]


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
    """Tell whether all integers of a chunk lie between two ends; unsigned ones from 0 need one look, not two."""
    if chunk.dtype.kind == "u" and low == 0:
        return int(np.maximum.reduce(chunk)) <= high
    return low <= int(np.minimum.reduce(chunk)) and int(np.maximum.reduce(chunk)) <= high


def count_range(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool
) -> Array | None:
    """Count one stretch of two integer arrays."""
    k = high - low + 1
    if not checked and low == 0:  # negative numbers, read as unsigned, are beyond any class
        gold, predicted = unsigned(gold), unsigned(predicted)
    if len(gold) >= MANY and k * k <= PAIRED:
        return count_narrow(gold, predicted, low, high, checked=checked)
    counts: Array | None = None
    for start in range(0, len(gold), CHUNK):
        g, p = gold[start : start + CHUNK], predicted[start : start + CHUNK]
        if not (checked or (within(g, low, high) and within(p, low, high))):
            return None
        pair = g.astype(np.intp)
        pair *= k
        pair += p if p.dtype == pair.dtype else p.astype(np.intp)
        if low:
            pair -= wrapped_to_64_bits(low * (k + 1))
        part = np.bincount(pair, minlength=k * k)
        counts = part if counts is None else counts + part
    return None if counts is None else counts.reshape(k, k)


def wrapped_to_64_bits(number: int) -> int:
    """Return an integer modulo 2**64 as a signed one, as sums of int64 wrap around."""
    return (number + 2**63) % 2**64 - 2**63


def unsigned(labels: Array) -> Array:
    """Return the same memory read as unsigned integers."""
    return labels.view(labels.dtype.str.replace("i", "u")) if labels.dtype.kind == "i" else labels


def count_narrow(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool
) -> Array | None:
    """Count codes of one byte, two items to an increment.

    The codes of two neighbours, read as one 16-bit number, are a + 256 b; as a + cells * b they count in a table small
    enough for the innermost cache, whose two margins add up to the counts.
    """
    n, k = len(gold), high - low + 1
    cells = k * k
    pairs = np.zeros(cells * cells, dtype=np.int64)
    size = min(CHUNK, n)
    codes, other = np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.uint8)
    upper, wide = np.empty(size // 2, dtype=np.uint16), np.empty(size // 2, dtype=np.intp)
    offset = np.uint8((low * (k + 1)) % NARROW)
    even = n - n % 2
    for start in range(0, even, CHUNK):
        stop = min(start + CHUNK, even)
        g, p = gold[start:stop], predicted[start:stop]
        if not (checked or (within(g, low, high) and within(p, low, high))):
            return None
        code, more, half = codes[: stop - start], other[: stop - start], (stop - start) // 2
        np.copyto(code, g, casting="unsafe")
        np.copyto(more, p, casting="unsafe")
        np.multiply(code, np.uint8(k), out=code)
        np.add(code, more, out=code)
        if offset:
            np.subtract(code, offset, out=code)
        two, second, pair = code.view(np.uint16), upper[:half], wide[:half]
        np.right_shift(two, np.uint16(8), out=second)
        np.multiply(second, np.uint16(NARROW - cells), out=second)
        np.subtract(two, second, out=two)
        np.copyto(pair, two)
        pairs += np.bincount(pair, minlength=len(pairs))
    square = pairs.reshape(cells, cells)
    counts: Array = (square.sum(axis=0) + square.sum(axis=1)).reshape(k, k)
    if n % 2:
        last = int(gold[-1]) - low, int(predicted[-1]) - low
        if not (min(last) >= 0 and max(last) < k):
            return None
        counts[last] += 1
    return counts


def fits_a_table(cells: int, items: int) -> bool:
    """Tell whether counting into a table of so many cells is cheap for so many items."""
    return cells <= max(4 * items, SMALL_TABLE)
