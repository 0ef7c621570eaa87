"""Unanimous Improvement Ratio: on how many test cases one system improves on another by every measure at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import ParameterError
from ordeval.meta.display import grid_html, grid_text
from ordeval.meta.ranking import Array, pairs_of
from ordeval.meta.values import DEFAULT_REFERENCE, read_values

SCHEMA = 1
SAME = 1e-12  # differences below are rounding
BLOCK = 8_000_000  # values compared at a time


def unanimous(values: Array) -> Array:
    """Return +1, 0 or -1 for every pair and case from values[measure, ..., system, case]: [..., pair, case].

    +1 where the first system of the pair is at least as good by every measure, -1 where the second is, 0 where both
    are or neither. An undefined value improves on nothing, and nothing on it.
    """
    first, second = pairs_of(values.shape[-2])
    result = np.empty((*values.shape[1:-2], len(first), values.shape[-1]), dtype=np.int8)
    block = max(1, BLOCK // max(1, values.size // values.shape[-2]))
    for start in range(0, len(first), block):
        chosen = slice(start, start + block)
        change = values[..., first[chosen], :] - values[..., second[chosen], :]
        up = (change >= -SAME).all(axis=0)
        down = (change <= SAME).all(axis=0)
        result[..., chosen, :] = up.astype(np.int8) - down.astype(np.int8)
    return result


@dataclass(frozen=True, eq=False, repr=False)
class UIR:
    """UIR of every system (row) over every other (column), from -1 to 1: matrix[s, s'] = -matrix[s', s]."""

    systems: tuple[Any, ...]
    reference: tuple[str, ...]
    matrix: Array
    cases: int
    repeats: int

    def __getitem__(self, pair: tuple[Any, Any]) -> float:
        """Return UIR(s, s') by the systems' names."""
        for name in pair:
            if name not in self.systems:
                raise ParameterError(f"there is no system {name!r} here.")
        return float(self.matrix[self.systems.index(pair[0]), self.systems.index(pair[1])])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        return {
            "schema": SCHEMA,
            "kind": "uir",
            "systems": list(self.systems),
            "reference": list(self.reference),
            "cases": self.cases,
            "repeats": self.repeats,
            "matrix": self.matrix.tolist(),
        }

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the matrix."""
        rows = [
            [str(name), *(f"{x:.2f}" for x in row)]
            for name, row in zip(self.systems, self.matrix, strict=True)
        ]
        return ["UIR over", *map(str, self.systems)], rows

    def __repr__(self) -> str:
        return f"UIR(systems={len(self.systems)}, cases={self.cases}, reference={list(self.reference)})"

    def __str__(self) -> str:
        return grid_text(*self.grid())

    def _repr_html_(self) -> str:
        return grid_html(*self.grid())


def uir(
    data: Any,
    *,
    reference: Iterable[Any] = DEFAULT_REFERENCE,
    systems: Iterable[Any] | None = None,
    parts: int = 10,
    repeats: int = 10,
    rng: Any = 0,
    undefined: str = "omit",
) -> UIR:
    """Return UIR between all systems of runs, of a table, or of an array values[measure, system, case].

    An array holds the reference measures themselves, greater is better; `systems` names its systems. Data without test
    cases is cut into `parts` random parts, `repeats` times, and UIR averaged.

    Two measures of two systems on four cases: case 1 is for the first system, case 2 for both, the others for neither,
    so the ratio is (2 - 1) / 4.

    >>> import numpy as np
    >>> values = np.array([[[1, 1, 0, 1], [0, 1, 1, 0]], [[2, 2, 2, 2], [1, 2, 1, 3]]])
    >>> uir(values).matrix.tolist()
    [[0.0, 0.25], [-0.25, 0.0]]
    """
    if isinstance(data, np.ndarray | list | tuple):
        values = np.asarray(data, dtype=np.float64)
        if values.ndim != 3 or not values.size:
            raise ParameterError(
                f"the values have shape {values.shape}; they must be values[measure, system, case]."
            )
        names = tuple(range(values.shape[1])) if systems is None else tuple(systems)
        if len(names) != values.shape[1]:
            raise ParameterError(f"systems has {len(names)} names for {values.shape[1]} systems.")
        measures = tuple(f"measure {at}" for at in range(len(values)))
        return UIR(
            names, measures, square(unanimous(values).mean(axis=-1), len(names)), values.shape[2], 1
        )
    scored = read_values(
        data, reference, parts=parts, repeats=repeats, rng=rng, undefined=undefined
    )
    ratio = unanimous(scored.values).mean(axis=(0, 2))
    return UIR(
        scored.systems,
        scored.metrics,
        square(ratio, len(scored.systems)),
        len(scored.cases),
        scored.repeats,
    )


def square(ratio: Array, systems: int) -> Array:
    """Put one number for each unordered pair into a matrix of systems, negated below the diagonal."""
    matrix = np.zeros((systems, systems))
    first, second = pairs_of(systems)
    matrix[first, second] = ratio
    matrix[second, first] = 0.0 - ratio
    return matrix
