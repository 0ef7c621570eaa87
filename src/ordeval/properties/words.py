"""The words of a verdict: which item, which labels, how a value changed."""

import math
from collections.abc import Iterable

from ordeval.ties import same

FIRST = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def nth(place: int) -> str:
    """Write a place, counted from 0, in words: 'third', '12th'."""
    return FIRST[place] if place < len(FIRST) else ordinal(place + 1)


def ordinal(number: int) -> str:
    """Write an ordinal number in digits: '1st', '12th', '22nd'."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def spaced(labels: Iterable[object]) -> str:
    """Write labels one after the other, separated by spaces."""
    return " ".join(map(str, labels))


def figures(x: float, y: float) -> tuple[str, str]:
    """Write two values with three decimals, or with as many more as show that they differ."""
    if math.isnan(x) or math.isnan(y):
        return tuple("undefined" if math.isnan(v) else f"{v:.3f}" for v in (x, y))  # type: ignore[return-value]
    for digits in range(3, 16):
        texts = f"{x:.{digits}f}", f"{y:.{digits}f}"
        if texts[0] != texts[1] or same(x, y):
            return texts
    return repr(x), repr(y)


def change(measure: str, before: float, after: float, *, greater_is_better: bool) -> str:
    """Say how a value changed: 'lowers cosine from 0.926 to 0.912', 'leaves accuracy at 0.333'."""
    first, then = figures(before, after)
    if math.isnan(before) or math.isnan(after):
        return f"takes {measure} from {first} to {then}"
    if first == then:
        return f"leaves {measure} at {first}"
    verb = "raises" if after > before else "lowers"
    aside = "" if greater_is_better else " (lower is better)"
    return f"{verb} {measure} from {first} to {then}{aside}"
