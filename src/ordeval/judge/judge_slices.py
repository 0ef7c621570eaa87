"""Slices of a validation: groups of items on which judge and human are scored beside the whole."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordeval.comparison.results import none_if_undefined
from ordeval.inputs.array_patterns import read_slicings
from ordeval.judge.matched import JudgedUnits, Matched
from ordeval.judge.validation import JudgeAgreement, JudgeSlice
from ordeval.label_column import LabelColumn
from ordeval.ratings.matching import places_of
from ordeval.stats.differences import Differences
from ordeval.stats.multiple_testing import adjusted

UNSHARED = "no item of the slice was marked by the judge and two humans"
Scored = Callable[[JudgedUnits], tuple[JudgeAgreement, Differences] | None]


def read_by(by: Any, matched: Matched) -> dict[str, LabelColumn]:
    """Return the columns of slices, each with a value for every item: given as columns or by the names of items."""
    if isinstance(by, Mapping):
        if all(isinstance(column, Mapping) for column in by.values()):
            by = {name: values_by_name(column, matched) for name, column in by.items()}
        elif all(isinstance(value, str) or np.ndim(value) == 0 for value in by.values()):
            by = values_by_name(by, matched)
    columns = read_slicings(by, matched.humans.n, None)
    kept = np.zeros(matched.humans.n, dtype=np.bool_)
    kept[matched.place] = True
    return {name: column.only(kept) for name, column in columns.items()}


def values_by_name(values: Mapping[Any, Any], matched: Matched) -> list[Any]:
    """Return the value of each item of the humans, by its name; None where it has none."""
    known = [*values.values(), None]
    return [known[at] for at in places_of(matched.humans.items, tuple(values)).tolist()]


def slices_of(
    slicings: Mapping[str, LabelColumn], matched: Matched, judge: int, score: Scored
) -> tuple[JudgeSlice, ...]:
    """Return the slices of one judge, each also held against the rest of the items."""
    parts = []
    for name, column in slicings.items():
        codes, values = column.coded()
        for code in np.unique(codes).tolist():
            inside = np.asarray(codes == code)
            own = score(matched.units(judge, np.flatnonzero(inside)))
            rest = None if inside.all() else score(matched.units(judge, np.flatnonzero(~inside)))
            items = int((inside & matched.answered[judge]).sum())
            parts.append((name, None if code < 0 else values[code], items, own, rest))
    apart = [
        None if own is None or rest is None else independent(own[1], rest[1])
        for *_, own, rest in parts
    ]
    p = np.array([np.nan if one is None else float(one.p[0]) for one in apart])
    corrected = adjusted(p, "holm")
    found = []
    for at, (name, value, items, own, _) in enumerate(parts):
        difference, ours = apart[at], None if own is None else own[0]
        numbers: tuple[float, float, float, float | None, float | None]
        numbers = (np.nan, np.nan, np.nan, None, None)
        if ours is not None:
            numbers = ours.judge, ours.human, ours.difference, ours.low, ours.high
        found.append(
            JudgeSlice(
                name, value, items, *numbers,
                None if difference is None else none_if_undefined(float(difference.value[0])),
                none_if_undefined(float(p[at])), none_if_undefined(float(corrected[at])),
                UNSHARED if ours is None else None,
            )
        )  # fmt: skip
    return tuple(found)


def independent(own: Differences, rest: Differences) -> Differences:
    """Return the difference of two differences on items that are not the same (Welch and Satterthwaite)."""
    squares = own.error**2, rest.error**2
    both = squares[0] + squares[1]
    with np.errstate(all="ignore"):
        parts = squares[0] ** 2 / np.maximum(own.freedom, 1) + squares[1] ** 2 / np.maximum(
            rest.freedom, 1
        )
        freedom = np.where(parts > 0, both**2 / parts, own.freedom)
    return Differences(
        own.value - rest.value, np.sqrt(both), freedom, np.hypot(own.plain, rest.plain)
    )
