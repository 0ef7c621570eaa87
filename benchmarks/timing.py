"""How a row of the benchmark is measured: ours and theirs in turn, so that a busy moment hits both."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

__all__ = ["absent", "in_turn", "row", "seconds", "side_by_side", "within"]

LEAST = 2e-3  # seconds that one sample should take, so that the clock is no part of it


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


def side_by_side(
    ours: Callable[[], Any], theirs: Callable[[], Any], *, budget: float = 4.0, repeats: int = 9
) -> tuple[list[float], list[float]]:
    """Time both in turn, as often as fits the budget of seconds; the seconds of one call each.

    What takes microseconds is called many times to a sample, on its own side.
    """
    works = ours, theirs
    once = [
        seconds(work) for work in works
    ]  # the first call may also import, compile or warm a cache
    if max(once) < budget / 3:
        once = [seconds(work) for work in works]
    calls = [max(1, min(1000, round(LEAST / max(one, 1e-7)))) for one in once]
    one_round = sum(one * call for one, call in zip(once, calls, strict=True))
    times: tuple[list[float], list[float]] = [], []
    if one_round > budget / 2:  # once was enough
        return [once[0]], [once[1]]
    for _ in range(max(2, min(repeats, int(budget / one_round)))):
        for work, kept, call in zip(works, times, calls, strict=True):
            kept.append(seconds(lambda work=work, call=call: [work() for _ in range(call)]) / call)
    return times


def absent(work: str, competitor: str, why: str, goal: str = "") -> dict[str, Any]:
    """Return the row of a competitor that could not be measured."""
    return {"work": work, "competitor": competitor, "missing": why, "goal": goal}


def row(
    work: str,
    competitor: str,
    times: tuple[list[float], list[float]],
    goal: str,
    *,
    beyond: float = 0.0,
) -> dict[str, Any]:
    """Return a row: the median time of each, and the median and the spread of the ratio over the repeats.

    `beyond` is a fixed cost of ours, printed with the row, that the goal leaves out.
    """
    ours, theirs = times
    ratios = [b / max(a - beyond, 1e-9) for a, b in zip(ours, theirs, strict=True)]
    return {
        "work": work,
        "competitor": competitor,
        "ours": median(ours) - beyond,
        "theirs": median(theirs),
        "ratio": median(ratios),
        "spread": [min(ratios), max(ratios)],
        "repeats": len(ratios),
        "goal": goal,
    }


def within(
    work: str, taken: Sequence[float], limit: float, *, megabytes: float | None = None
) -> dict[str, Any]:
    """Return the row of work that has no competitor but a limit in seconds; with its peak memory, 2 GB too."""
    goal = f"within {limit:g} s"
    if megabytes is not None:
        goal += ", under 2 GB"
    times = list(taken), [limit] * len(taken)
    memory = {} if megabytes is None else {"megabytes": megabytes}
    return {**row(work, f"a limit of {limit:g} s", times, goal), **memory}
