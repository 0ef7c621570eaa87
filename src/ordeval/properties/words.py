"""The words of a verdict: which item, which labels, how a value changed."""

import math
from collections.abc import Iterable

TOLERANCE = 1e-12  # values nearer to each other than this are equal
ORDINALS = [
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
]


def nth(place: int) -> str:
    """Return the ordinal number of a place counted from 0: 'third', '12th'."""
    if place < len(ORDINALS):
        return ORDINALS[place]
    number = place + 1
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def label_text(labels: Iterable[object]) -> str:
    """Return labels in a row, separated by spaces."""
    return " ".join(map(str, labels))


def figures(x: float, y: float) -> tuple[str, str]:
    """Return two values as text, with three decimals, or as many more as show that they differ."""
    if math.isnan(x) or math.isnan(y):
        return tuple("undefined" if math.isnan(v) else f"{v:.3f}" for v in (x, y))  # type: ignore[return-value]
    for digits in range(3, 16):
        shown = f"{x:.{digits}f}", f"{y:.{digits}f}"
        if shown[0] != shown[1] or abs(x - y) <= TOLERANCE:
            return shown
    return repr(x), repr(y)


def change(measure: str, before: float, after: float, *, greater_is_better: bool) -> str:
    """Say how a value changed: 'lowers cosine from 0.926 to 0.912', 'leaves accuracy at 0.333'."""
    first, then = figures(before, after)
    if math.isnan(before) or math.isnan(after):
        return f"takes {measure} from {first} to {then}"
    if first == then:
        return f"leaves {measure} at {first}"
    verb = "raises" if after > before else "lowers"
    aside = "" if greater_is_better else ", where lower is better"
    return f"{verb} {measure} from {first} to {then}{aside}"
