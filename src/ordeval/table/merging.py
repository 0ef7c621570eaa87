"""Two tables into one: scales widened where they were inferred, axes united by name, counts added."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import TableError, quoted
from ordeval.scale import Scale


@dataclass(frozen=True, slots=True)
class Merged:
    """The parts of a merged table."""

    scale: Scale
    answered: Array
    missed: Array
    axes: tuple[tuple[str, tuple[Any, ...]], ...]


def merged(a: Any, b: Any) -> Merged:
    """Add two tables that were counted under the same policy, over axes of the same names."""
    if a.policy != b.policy:
        raise TableError(
            f"the tables were counted under different policies, {a.policy} and {b.policy}. Count them alike."
        )
    names = [axis.name for axis in a.axes], [axis.name for axis in b.axes]
    if names[0] != names[1]:
        raise TableError(
            f"one table has the axes ({quoted(names[0])}) and the other ({quoted(names[1])}); tables add over axes of "
            f"the same names. Sum over the others first: table.pooled(...)."
        )
    scale = a.scale.widened(b.scale)
    entries = [
        tuple(dict.fromkeys(one.labels + two.labels))
        for one, two in zip(a.axes, b.axes, strict=True)
    ]
    shape = tuple(len(labels) for labels in entries)
    dtype = np.result_type(a.answered, b.answered)
    answered = np.zeros((*shape, scale.k, scale.k), dtype=dtype)
    missed = np.zeros((*shape, scale.k), dtype=dtype)
    for table in (a, b):
        classes = np.array([scale.index[label] for label in table.scale.labels])
        known = [{entry: place for place, entry in enumerate(labels)} for labels in entries]
        places = [
            np.array([place[entry] for entry in axis.labels], dtype=np.intp)
            for place, axis in zip(known, table.axes, strict=True)
        ]
        answered[np.ix_(*places, classes, classes)] += table.answered
        missed[np.ix_(*places, classes)] += table.missed
    axes = tuple((name, labels) for name, labels in zip(names[0], entries, strict=True))
    return Merged(scale, answered, missed, axes)
