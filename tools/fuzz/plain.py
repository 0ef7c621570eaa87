"""The plain count that every input is compared with: a dictionary, and the rules for labels as the contract has them.

Nothing here is shared with the package, and there is no NumPy.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WIDEST, ALWAYS_WHOLE = 1000, 20  # classes of an inferred scale, and up to which gaps do not matter


class Refused(Exception):  # noqa: N818 - an outcome, not a mistake
    """The contract says that this input is an error."""


@dataclass(frozen=True)
class PlainTable:
    """The classes, lowest first, and the amount of each (gold class, answer); an answer may be None."""

    classes: list[Any]
    cells: dict[tuple[Any, Any], Any]


def meaning(label: Any) -> Any:
    """Return what a label says: None if nothing, a number for every spelling of it, else the text itself."""
    if isinstance(label, str):
        text = label.strip()
        if not NUMBER.fullmatch(text):
            return label if text else None
        label = float(text)
    if label is None or str(label) in {"nan", "NaT", "<NA>"}:
        return None
    if isinstance(label, bool):
        return label
    return int(label) if label == int(label) else float(label)


def inferred_classes(gold: list[Any], answers: list[Any], *, rounded: bool) -> list[Any]:
    """Return the classes that labels show by themselves."""
    if any(isinstance(label, str) for label in gold) or not gold:
        raise Refused
    numbers = [x for x in answers if not isinstance(x, str)]
    if all(isinstance(label, bool) for label in gold + numbers):
        return [False, True]
    if any(label != int(label) for label in gold):
        return sorted(set(gold))
    seen = set(gold) if rounded else {*gold, *(x for x in numbers if x == int(x))}
    if max(seen) - min(seen) >= WIDEST:
        raise Refused
    classes = list(range(min(seen), max(seen) + 1))
    if len(classes) > ALWAYS_WHOLE and 2 * len(seen) < len(classes):
        raise Refused
    return classes


def nearest(number: Any, classes: list[Any]) -> Any:
    """Return the nearest class, the upper one of two."""
    return min(classes, key=lambda c: (abs(Fraction(c) - Fraction(number)), -c))


def declared_classes(labels: list[Any], *, rounded: bool) -> list[Any]:
    """Return the declared classes: as numbers if all spell one."""
    classes = [meaning(label) for label in labels]
    numeric = not any(isinstance(label, str) for label in classes)
    if rounded and not numeric:
        raise Refused
    return classes if numeric else labels


def placed(answer: Any, classes: list[Any], policies: dict[str, str]) -> Any:
    """Return the class of an answer, or None where the item has none."""
    if answer is not None and answer not in classes:
        if policies["round"] == "nearest" and not isinstance(answer, str):
            return nearest(answer, classes)
        if policies["unknown"] == "error":
            raise Refused
        answer = None
    if answer is None and policies["missing"] == "error":
        raise Refused
    return answer


def plain_count(
    rows: list[tuple[Any, list[Any], Any]], labels: list[Any] | None, policies: dict[str, str]
) -> list[PlainTable]:
    """Count rows of (gold, the answer of each system, amount) into a table for each system, or raise `Refused`."""
    rows = [(meaning(gold), [meaning(a) for a in answers], n) for gold, answers, n in rows if n]
    kept = [row for row in rows if row[0] is not None]
    if not kept or (len(kept) < len(rows) and policies["gold_missing"] == "error"):
        raise Refused
    rounded = policies["round"] == "nearest"
    if labels is None:
        answers = [a for _, given, _ in rows for a in given if a is not None]
        classes = inferred_classes([gold for gold, *_ in kept], answers, rounded=rounded)
    else:
        classes = declared_classes(labels, rounded=rounded)
    if any(gold not in classes for gold, *_ in kept):
        raise Refused
    tables = [Counter[tuple[Any, Any]]() for _ in rows[0][1]]
    for gold, given, amount in kept:
        for table, answer in zip(tables, given, strict=True):
            table[gold, placed(answer, classes, policies)] += amount
    return [PlainTable(classes, dict(table)) for table in tables]
