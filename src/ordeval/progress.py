"""How far work has come: the steps of a part, reported as steps of the whole."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ordeval.aliases import Progress

FINE = 1000  # the steps into which the whole is divided

Item = TypeVar("Item")


def portion(progress: Progress, low: float, high: float) -> Progress:
    """Return a progress that reports a part of the work, which lies between two shares of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(
        round(FINE * (low + (high - low) * done / max(total, 1))), FINE
    )


def each(items: Sequence[Item], progress: Progress) -> Iterator[tuple[Item, Progress]]:
    """Yield items, each with a progress for the work on it, and report when it is done."""
    for at, item in enumerate(items):
        yield item, portion(progress, at / len(items), (at + 1) / len(items))
        if progress is not None:
            progress(at + 1, len(items))
