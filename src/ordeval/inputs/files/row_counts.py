"""Rows of text that were counted without the engine, put on the scale as the engine would."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.patterns import RawPatterns, from_objects
from ordeval.inputs.placing import PlacedPatterns, place

Texts: TypeAlias = tuple[str | None, ...]


def placed(
    rows: Mapping[Texts, int],
    systems: Sequence[str],
    choices: ReadingChoices,
    *,
    by_case: bool,
    flags: int = 0,
    not_in_gold: int = 0,
) -> PlacedPatterns | None:
    """Put counted rows on the scale, in the order in which the engine groups them: by their text, missing ones last.

    Their first columns may be flags that only count for the order, then come the case, gold, answers and slices.
    Return None where the engine has to say what is wrong: there are no rows, or a row has no case.
    """
    if not rows:
        return None
    ordered = sorted(rows, key=lambda row: [(value is None, value or "") for value in row])
    columns = [
        from_objects(value or None for value in column) for column in zip(*ordered, strict=True)
    ][flags:]
    case = columns.pop(0) if by_case else None
    if case is not None and None in case.values:
        return None
    count = np.array([rows[row] for row in ordered], dtype=np.int64)
    sides = 1 + len(systems)
    slices = dict(zip(choices.by, columns[sides:], strict=True))
    patterns = RawPatterns(case, columns[0], columns[1:sides], count, slices=slices)
    ignored = {"not_in_gold": not_in_gold, "duplicate": 0, "unreadable": 0}
    return place(patterns, systems, choices, lambda *_: [], ignored=ignored)
