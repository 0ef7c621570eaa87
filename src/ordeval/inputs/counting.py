"""Count how often each pair of codes occurs: the only pass over the items.

Items are counted in chunks that stay in the cache. If there are few classes, several items are counted with one
increment. Large inputs are counted by several threads: NumPy lets go of the interpreter's lock in nearly every step of
the loop.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.inputs.weighting import RowWeights
from ordeval.label_column import CHUNK
from ordeval.threads import scanning_threads

MANY = 1 << 14  # items from which counting several at once pays for its longer preparation
LARGE = 1 << 20  # items from which a second thread pays for its start
# The most cells of a table in which several items are counted at once: a larger one would push the items out of the
# cache. A table also takes time to add up, so it has few cells for each item.
TOGETHER = 1 << 14
ITEMS_OF_A_CELL = 8
MOST_AT_ONCE = 8  # items
# Items of a chunk that is counted so, where there are many chunks, and labels of it that are read at a time. The labels
# stay in the cache, as the codes of a chunk do, which are shorter; threads wait less for each other the fewer steps
# there are.
GROUPED = 3 << 17
READ = 3 << 15
ONE = np.intp(1)
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
    threads = min(scanning_threads(), len(starts))
    if threads < 2:
        parts = [stretch(start) for start in starts]
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(stretch, starts))
    return [np.add.reduce(each) for each in zip(*parts, strict=True)]


def integer_range(gold: Array, predicted: Array) -> tuple[int, int]:
    """Return the smallest and the largest of all labels of two integer arrays.

    Of a thousand labels, the place of the largest is found four times as fast as the largest by `max`.
    """
    low = min(gold.item(gold.argmin()), predicted.item(predicted.argmin()))
    return low, max(gold.item(gold.argmax()), predicted.item(predicted.argmax()))


def count_integers(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool = False
) -> Array | None:
    """Count two arrays of integers between `low` and `high`, or return None where a label lies outside.

    `checked` says that none does, so nobody needs to look again.
    """
    n, k = len(gold), high - low + 1
    if n < MANY:
        counts = count_chunk(gold, predicted, low, high, checked=checked)
    else:
        at_once = items_at_once(k * k, n)
        starts = deque(range(0, n, chunk_size(at_once, n)))
        count = count_chunks if at_once == 1 else partial(count_groups, at_once=at_once)
        work = partial(count, gold, predicted, low, high, starts, checked=checked)
        threads = min(scanning_threads(), n // (LARGE // 2)) if n >= LARGE else 1
        counts = work() if threads < 2 else in_threads(work, threads)
    return None if counts is None else counts.reshape(k, k)


def in_threads(work: Callable[[], Array | None], threads: int) -> Array | None:
    """Return the sum of what the threads counted, this one among them; None if one met a label that lies outside."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads - 1) as pool:
        jobs = [pool.submit(work) for _ in range(threads - 1)]
        parts = [work(), *(job.result() for job in jobs)]
    counted = [part for part in parts if part is not None]
    return np.add.reduce(counted) if len(counted) == threads else None


def items_at_once(cells: int, n: int) -> int:
    """Return how many items go to one increment of a table that has a cell for each combination of theirs."""
    most = min(TOGETHER, n // ITEMS_OF_A_CELL) if n >= MANY else 0
    at_once = 1
    while at_once < MOST_AT_ONCE and cells ** (at_once + 1) <= most:
        at_once += 1
    return at_once


def chunk_size(at_once: int, n: int) -> int:
    """Return how many of n items a chunk has, in groups of so many."""
    most = CHUNK if at_once == 1 or n < LARGE else GROUPED
    return most - most % at_once


def taken(starts: deque[int]) -> Iterator[int]:
    """Give the starts of the chunks that are left, each to one thread only, so that all finish at the same time."""
    while True:
        try:
            yield starts.popleft()
        except IndexError:
            return


def within(chunk: Array, low: int, high: int) -> bool:
    """Tell whether all integers of a chunk lie between two ends."""
    if low == 0:  # negative numbers, read as unsigned, are beyond any class: one look, not two
        chunk = unsigned(chunk)
    elif chunk.item(chunk.argmin()) < low:
        return False
    largest: int = chunk.item(chunk.argmax())
    return largest <= high


def count_chunks(
    gold: Array, predicted: Array, low: int, high: int, starts: deque[int], *, checked: bool
) -> Array | None:
    """Count chunk by chunk until none is left."""
    counts = np.zeros((high - low + 1) ** 2, dtype=np.intp)
    for start in taken(starts):
        part = slice(start, start + CHUNK)
        found = count_chunk(gold[part], predicted[part], low, high, checked=checked)
        if found is None:
            starts.clear()  # the other threads need not go on
            return None
        counts += found
    return counts


def count_chunk(
    gold: Array, predicted: Array, low: int, high: int, *, checked: bool
) -> Array | None:
    """Count one chunk of two integer arrays, one item after the other; the counts have one axis."""
    if not (checked or (within(gold, low, high) and within(predicted, low, high))):
        return None
    k = high - low + 1
    # Sums wrap around, and subtracting what the lowest labels add up to brings them back.
    narrow = k * k <= 256 and gold.itemsize == predicted.itemsize == 1
    number: Any = np.uint8 if narrow else np.intp
    if narrow:
        gold, predicted = unsigned(gold), unsigned(predicted)
    pair = gold.astype(number, copy=False) * number(k)
    pair += predicted.astype(number, copy=False)
    if low:
        pair -= number(wrapped(low * (k + 1), pair.itemsize, signed=not narrow))
    return np.bincount(pair, minlength=k * k)


def wrapped(number: int, size: int, *, signed: bool) -> int:
    """Return what is left of an integer in so many bytes."""
    kept = number % 256**size
    return int.from_bytes(kept.to_bytes(size, "little"), "little", signed=signed)


def unsigned(labels: Array) -> Array:
    """Return the same memory read as unsigned integers."""
    kind = labels.dtype
    return labels.view(unsigned_type(kind)) if kind.kind == "i" else labels


@lru_cache(maxsize=16)
def unsigned_type(signed: np.dtype[Any]) -> np.dtype[Any]:
    """Return the unsigned type of the same width and order of bytes."""
    return np.dtype(signed.str.replace("i", "u"))


def count_groups(
    gold: Array,
    predicted: Array,
    low: int,
    high: int,
    starts: deque[int],
    *,
    checked: bool,
    at_once: int,
) -> Array | None:
    """Count chunk by chunk until none is left, several items with one increment.

    A chunk is cut into as many stretches of the same length as items are counted at once. The codes of their first
    items, read as the digits of one number, are a cell of a table whose margins add up to the counts; then come the
    second items, and so on.
    """
    k, size = high - low + 1, min(chunk_size(at_once, len(gold)), len(gold))
    cells, length = k * k, size // at_once
    table, counts = np.zeros(cells**at_once, dtype=np.intp), np.zeros(cells, dtype=np.intp)
    codes, other = np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.uint8)
    numbers, index = np.empty(length, dtype=np.uint16), np.empty(length, dtype=np.intp)
    classes, base, offset = np.uint8(k), np.uint16(cells), np.uint8((low * (k + 1)) % 256)
    for start in taken(starts):
        if len(gold) - start < size:  # the end of all
            codes, other = codes[: len(gold) - start], other[: len(gold) - start]
            length = len(codes) // at_once
            numbers, index = numbers[:length], index[:length]
        for side, narrow in ((gold, codes), (predicted, other)):
            for at in range(0, len(narrow), READ):
                part = narrow[at : at + READ]
                labels = side[start + at : start + at + len(part)]
                np.copyto(part, labels, casting="unsafe")  # from memory; looked at in the cache
                if not (checked or within(labels, low, high)):
                    starts.clear()
                    return None
        np.multiply(codes, classes, out=codes)
        np.add(codes, other, out=codes)
        if offset:
            np.subtract(codes, offset, out=codes)
        digits = codes[: length * at_once].reshape(at_once, length)
        np.copyto(numbers, digits[0])
        for digit in digits[1:]:
            np.multiply(numbers, base, out=numbers)
            np.add(numbers, digit, out=numbers)
        np.copyto(index, numbers)
        np.add.at(table, index, ONE)  # bincount would make a table of its own each time
        if length * at_once < len(codes):  # the last few of all
            counts += np.bincount(codes[length * at_once :], minlength=cells)
    for _ in range(at_once):
        by_first = table.reshape(cells, -1)
        counts += by_first.sum(axis=1)
        table = by_first.sum(axis=0)
    return counts


def fits_a_table(cells: int, items: int) -> bool:
    """Tell whether counting into a table of so many cells is cheap for so many items."""
    return cells <= max(4 * items, SMALL_TABLE)
