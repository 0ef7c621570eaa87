"""Two tables into one: scales widened where they were inferred, axes united by name, counts added."""

import itertools
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import TableError, argument, by_caller, quoted
from ordeval.inputs.policy import Policy
from ordeval.inputs.weighting import Weighting
from ordeval.scale import FEW, Scale, check_density
from ordeval.table.checks import check_sum


@dataclass(frozen=True, slots=True)
class Merged:
    """The parts of a merged table."""

    scale: Scale
    answered: Array
    missed: Array
    axes: tuple[tuple[str, tuple[Any, ...]], ...]
    weighting: Weighting | None


def policies_apart(policy: Policy, other: Policy) -> str:
    """Write the choices of a policy that another policy does not share."""
    choices, others = asdict(policy), asdict(other)
    return ", ".join(
        argument(name, choices[name]) for name in choices if choices[name] != others[name]
    )


def merged(a: Any, b: Any) -> Merged:
    """Add two tables that were counted under the same policy, over axes of the same names."""
    if a.policy != b.policy:
        raise TableError(
            f"the tables were counted under different policies, {policies_apart(a.policy, b.policy)} and "
            f"{policies_apart(b.policy, a.policy)}. Count both with the same policy."
        )
    names = [axis.name for axis in a.axes], [axis.name for axis in b.axes]
    if names[0] != names[1]:
        remedy = by_caller(
            "Sum over the others first: table.pooled(...).", "Count both in the same way."
        )
        raise TableError(
            f"one table has the axes ({quoted(names[0])}) and the other ({quoted(names[1])}); only tables with the "
            f"same axes can be added. {remedy}"
        )
    scale = a.scale.widened(b.scale)
    entries = [
        tuple(dict.fromkeys(one.labels + two.labels))
        for one, two in zip(a.axes, b.axes, strict=True)
    ]
    shape = tuple(len(labels) for labels in entries)
    known = [{entry: place for place, entry in enumerate(labels)} for labels in entries]
    at = []  # where the cells of each table lie in the cells of both
    for table in (a, b):
        classes = [scale.index[label] for label in table.scale.labels]
        places = [
            np.array([place[entry] for entry in axis.labels], dtype=np.intp)
            for place, axis in zip(known, table.axes, strict=True)
        ]
        at.append(np.ix_(*places, classes, [*classes, scale.k]))

    def united(one: Array, other: Array) -> Array:
        check_sum(one, other)
        sums = np.zeros((*shape, scale.k, scale.k + 1), np.result_type(one, other))
        sums[at[0]] += one
        sums[at[1]] += other
        return sums

    cells, weighting = united(a.cells, b.cells), None
    # If one pass over all items would be refused, the sum of its parts is refused, too.
    if scale.inferred and scale.k > FEW:
        square = np.asarray(cells.any(axis=tuple(range(len(shape)))))
        occurring = np.asarray(square.any(axis=1) | square[:, :-1].any(axis=0))
        check_density(
            scale.labels[0], scale.labels[-1], itertools.compress(scale.labels, occurring)
        )
    if a.weighting is not None or b.weighting is not None:
        own = [table.weighting or Weighting.of_counts(table.cells) for table in (a, b)]
        unit = max(each.unit for each in own)
        one, other = (each.in_unit(unit) for each in own)
        items, squares = united(one.items, other.items), united(one.squares, other.squares)
        weighting = Weighting(items, squares, unit)
    axes = tuple((name, labels) for name, labels in zip(names[0], entries, strict=True))
    answered, missed = cells[..., :-1].copy(), cells[..., -1].copy()
    return Merged(scale, answered, missed, axes, weighting)
