"""Share work among the cores: NumPy lets go of the interpreter's lock while it computes with large arrays."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

MANY_CELLS = 1 << 16  # of one table, from which on its work is shared
# A scan of items is made of short steps, between which each thread waits for the interpreter's lock. On a machine of 16
# cores, 16 threads took 1.4 to 1.8 times as long as four to count, and no less than four to read a file.
MOST_SCANNING = 4

Part = TypeVar("Part")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def scanning_threads() -> int:
    """Return how many threads share a scan of items: as many as there are cores, but only a few."""
    return min(cores(), MOST_SCANNING)


def in_threads(work: Callable[[Part], object], parts: Iterable[Part]) -> None:
    """Do the work for each part, by as many threads as there are cores. The parts must not depend on each other."""
    from concurrent.futures import ThreadPoolExecutor

    waiting = list(parts)
    threads = min(cores(), len(waiting))
    if threads < 2:
        for part in waiting:
            work(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(work, waiting):
            pass


def ahead(parts: Iterable[Part], cells: int) -> Iterator[Part]:
    """Yield the parts; if a table has so many cells that it pays, a thread makes each while the one before is used."""
    if cells < MANY_CELLS or cores() < 2:
        yield from parts
        return
    from concurrent.futures import ThreadPoolExecutor

    left, end = iter(parts), object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, left, end)
        while (part := coming.result()) is not end:
            coming = pool.submit(next, left, end)
            yield cast("Part", part)
