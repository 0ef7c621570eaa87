"""How a row of the benchmark is measured: ours and theirs in turn, so that a busy moment hits both."""

import time
from collections.abc import Callable
from typing import Any

__all__ = ["in_turn", "row", "seconds"]


def seconds(work: Callable[[], Any]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turn(
    ours: Callable[[], Any], theirs: Callable[[], Any], *, repeats: int = 7, calls: int = 1
) -> tuple[list[float], list[float]]:
    """Time both, one after the other, several times; the seconds of one call each."""
    times: tuple[list[float], list[float]] = [], []
    ours()
    theirs()
    for _ in range(repeats):
        for work, kept in zip((ours, theirs), times, strict=True):
            kept.append(seconds(lambda work=work: [work() for _ in range(calls)]) / calls)
    return times


def row(
    work: str,
    competitor: str,
    times: tuple[list[float], list[float]],
    goal: str,
    *,
    beyond: float = 0.0,
) -> dict[str, Any]:
    """Return a row: the best time of each, and the spread of the ratio over the repeats.

    `beyond` is a fixed cost of ours, printed with the row, that the goal leaves out.
    """
    ours, theirs = times
    ratios = sorted(b / max(a - beyond, 1e-9) for a, b in zip(ours, theirs, strict=True))
    return {
        "work": work,
        "competitor": competitor,
        "ours": min(ours) - beyond,
        "theirs": min(theirs),
        "ratio": min(theirs) / max(min(ours) - beyond, 1e-9),
        "spread": [ratios[0], ratios[-1]],
        "goal": goal,
    }
