"""Cut work into chunks that fit in memory. No number may depend on where the cuts are."""

from collections.abc import Iterator

# How many numbers a chunk holds: 32 MB, and a few times that while measures are computed.
NUMBERS_AT_A_TIME = 4_000_000


def chunks(length: int, *, numbers: int = 1, most: int | None = None) -> Iterator[slice]:
    """Yield slices that together cover `length` rows of so many numbers each, at most `most` rows at a time."""
    step = max(1, NUMBERS_AT_A_TIME // numbers)
    step = step if most is None else min(step, most)
    for start in range(0, length, step):
        yield slice(start, min(start + step, length))
