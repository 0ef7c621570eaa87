"""Share work among the cores: NumPy lets go of the interpreter's lock while it computes with large arrays."""

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

Part = TypeVar("Part")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
