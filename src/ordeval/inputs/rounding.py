"""The policy round="nearest": a number that is not a class goes to the nearest class, halves up."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ordeval.aliases import Array
from ordeval.errors import ScaleError, argument, listed
from ordeval.label_column import CHUNK, LabelColumn
from ordeval.labels import canonical, finite_number
from ordeval.scale import Scale


@dataclass(frozen=True, slots=True)
class NearestClass:
    """The classes of a numeric scale from the smallest up, and the numbers from which the next one is the nearest."""

    numbers: Sequence[int | float]
    positions: Sequence[int]  # of these classes on the scale
    cuts: Sequence[float]

    @classmethod
    def on(cls, scale: Scale) -> "NearestClass":
        """Take the classes of a scale, whose labels must be numbers."""
        if not scale.numeric:
            raise ScaleError(
                f"{argument('round', 'nearest')} needs classes that are numbers, and not all of the scale "
                f"{listed(scale.labels)} are. Leave it out, or pass numbers as {argument('labels', ...)}."
            )
        positions = sorted(range(scale.k), key=lambda at: scale.labels[at])
        numbers = [+scale.labels[at] for at in positions]  # + makes an integer of a boolean
        cuts = [middle(*pair) for pair in itertools.pairwise(numbers)]
        return cls(numbers, positions, cuts)

    def position(self, label: Any) -> int | None:
        """Return the position of the class that is nearest to a label; None if it is not a finite number."""
        one = finite_number(canonical(label))
        return None if one is None else self.positions[bisect_right(self.cuts, one)]

    def move(
        self, codes: npt.NDArray[np.intp], labels: Sequence[Any], *, off: int
    ) -> npt.NDArray[np.bool_]:
        """Put the nearest class in place of the code `off` of a label, and return which labels that changed."""
        changed = np.zeros(len(codes), dtype=np.bool_)
        for at in np.flatnonzero(codes == off).tolist():
            position = self.position(labels[at])
            if position is not None:
                codes[at], changed[at] = position, True
        return changed

    def merged_floats(self, scores: Array) -> LabelColumn:
        """Read floats so that all that are rounded to the same class are one value: the first of them.

        Millions of different scores become a few values, and which of them rounding changes can still be told.
        """
        with np.errstate(over="ignore"):  # a class may be beyond what half precision can hold
            cuts, numbers = (np.array(each, scores.dtype) for each in (self.cuts, self.numbers))
        beyond = 2 * len(numbers)  # from here: minus infinity, infinity and NaN
        code_of = np.full(beyond + 3, -1, dtype=np.int32)
        values: list[Any] = []
        codes = np.empty(len(scores), dtype=np.int32)
        for start in range(0, len(scores), CHUNK):
            chunk = scores[start : start + CHUNK]
            nearest = np.searchsorted(cuts, chunk, side="right")
            kinds = 2 * nearest + (chunk != numbers[nearest])
            finite = np.isfinite(chunk)
            if not finite.all():
                others = chunk[~finite]
                kinds[~finite] = beyond + np.where(np.isnan(others), 2, others > 0)
            for kind in np.flatnonzero(np.bincount(kinds)).tolist():
                if code_of[kind] < 0 and kind < beyond + 2:
                    code_of[kind] = len(values)
                    values.append(canonical(chunk[np.argmax(kinds == kind)]))
            codes[start : start + CHUNK] = code_of[kinds]
        return LabelColumn(codes, tuple(values))


def middle(low: float, high: float) -> float:
    """Return the number from which the higher of two neighbours is nearest, in decimals: 0.15 between 0.1 and 0.2."""
    from fractions import Fraction  # slow to import, and seldom needed

    exact = (Fraction(repr(low)) + Fraction(repr(high))) / 2
    half = float(exact)
    if (
        Fraction(repr(half)) < exact
    ):  # rounded down: what lies below the middle is nearer to the lower one
        half = math.nextafter(half, math.inf)
    return max(half, math.nextafter(low, math.inf))  # the lower one itself stays where it is
