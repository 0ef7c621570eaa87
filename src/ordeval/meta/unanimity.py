"""Unanimous Improvement Ratio: on how many test cases one system improves on another by every measure at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.arguments import entries
from ordeval.errors import ParameterError
from ordeval.meta.matrix import PairMatrix
from ordeval.meta.ranking import Array, pairs_of
from ordeval.meta.values import asked, read_values
from ordeval.ties import TIE
from ordeval.vocabulary import DEFAULT_REFERENCE

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
        up = (change > -TIE).all(axis=0)
        down = (change < TIE).all(axis=0)
        result[..., chosen, :] = up.astype(np.int8) - down.astype(np.int8)
    return result


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class UIR(PairMatrix):
    """UIR of every system (row) over every other (column), from -1 to 1: matrix[s, s'] = -matrix[s', s].

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> found = oe.meta.uir(made.runs)
    >>> found.names[0], found.names[2]
    ('maj 0.2', 'rand 0.2')
    >>> round(found[found.names[0], found.names[2]], 3)
    0.333
    """

    kind = "uir"
    thing = "system"
    corner = "UIR over"
    settings = ("systems", "reference", "cases", "repeats")

    systems: tuple[Any, ...]  # the names of the systems
    reference: tuple[str, ...]  # the reference measures
    cases: int  # the number of test cases
    repeats: int = 1  # how often the items were divided into parts

    @property
    def names(self) -> Sequence[Any]:
        """The systems."""
        return self.systems

    def __repr__(self) -> str:
        return f"UIR(systems={len(self.systems)}, cases={self.cases}, reference={list(self.reference)})"


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

    An array holds the values of the reference measures themselves, greater is better; `systems` names its systems. Data
    without test cases is cut into `parts` random parts, `repeats` times, and UIR averaged.

    Two measures of two systems on four cases: case 1 is for the first system, case 2 for both, and the others are for
    neither, so that UIR is (2 - 1) / 4.

    >>> uir([[[1, 1, 0, 1], [0, 1, 1, 0]], [[2, 2, 2, 2], [1, 2, 1, 3]]])[0, 1]
    0.25
    """
    if isinstance(data, np.ndarray | list | tuple):
        try:
            values = np.asarray(data, dtype=np.float64)
        except (TypeError, ValueError, ArithmeticError):
            raise ParameterError(
                f"the values are {data!r:.60}; they must be numbers, values[measure, system, case]."
            ) from None
        if values.ndim != 3 or not values.size:
            raise ParameterError(
                f"the values have shape {values.shape}; they must be values[measure, system, case]."
            )
        names = (
            tuple(range(values.shape[1]))
            if systems is None
            else tuple(entries(systems, "systems", "it lists the names of the systems"))
        )
        if len(names) != values.shape[1]:
            raise ParameterError(f"systems has {len(names)} names for {values.shape[1]} systems.")
        measures = tuple(f"measure {at}" for at in range(len(values)))
        matrix = square(unanimous(values).mean(axis=-1), len(names))
        return UIR(systems=names, reference=measures, matrix=matrix, cases=values.shape[2])
    scored = read_values(
        data, reference, parts=parts, repeats=repeats, rng=rng, undefined=undefined
    )
    measures = asked(scored, reference)
    ratio = unanimous(scored.take(measures)).mean(axis=(0, 2))
    return UIR(
        systems=scored.systems,
        reference=measures,
        matrix=square(ratio, len(scored.systems)),
        cases=len(scored.cases),
        repeats=scored.repeats,
    )


def square(ratio: Array, systems: int) -> Array:
    """Return one number for each unordered pair as a matrix of systems, negated below the diagonal."""
    matrix = np.zeros((systems, systems))
    first, second = pairs_of(systems)
    matrix[first, second] = ratio
    matrix[second, first] = 0.0 - ratio
    return matrix
