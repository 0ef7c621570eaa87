"""How two samples that share no items differ in the shares of their classes: yesterday's labels and today's."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.results import none_if_undefined
from ordeval.formats.numbers import number, p_in_sentence
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.registry import registry
from ordeval.stats.chunks import chunks
from ordeval.stats.streams import Purpose, stream
from ordeval.table import Table
from ordeval.ties import TIE

MOST_ITEMS = 10**9  # that NumPy draws from without replacement
SIDES = ("gold", "predicted")


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the class shares of two samples are apart, and how likely so much is if the items come from one source.

    `nmd` and `rnod` are the normalised match distance and the root normalised order-aware divergence, with the
    baseline's shares in the place of gold. `p` is that of the distance `nmd` when items are dealt out to the two
    samples at random; None with a `reason` where items cannot be.
    """

    of: str  # "gold" or "predicted"
    nmd: float
    rnod: float
    p: float | None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the shift for JSON."""
        content = {
            "nmd": none_if_undefined(self.nmd), "rnod": none_if_undefined(self.rnod), "p": self.p,
        }  # fmt: skip
        return content if self.reason is None else {**content, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Drift:
    """How the class shares of two samples differ, in gold and in the answers."""

    gold: Shift
    predicted: Shift
    level: float

    @property
    def shifts(self) -> tuple[Shift, Shift]:
        """Both shifts, that of gold first."""
        return self.gold, self.predicted

    def to_dict(self) -> dict[str, Any]:
        """Return the drift for JSON."""
        return {shift.of: shift.to_dict() for shift in self.shifts}

    def sentence(self) -> str:
        """Say whether the class shares of gold and of the answers differ significantly."""
        return f"{shift_in_words(self.gold, self.level)}; {shift_in_words(self.predicted, self.level)}."

    def sheet(self) -> Sheet:
        """Return a row for gold and one for the answers."""
        columns = [
            Column("class shares of"),
            Column("NMD", Kind.NUMBER, digits=4, key="nmd"),
            Column("RNOD", Kind.NUMBER, digits=4, key="rnod"),
            Column("p", Kind.P_VALUE),
        ]
        rows = [
            [Cell(shift.of), Cell(shift.nmd), Cell(shift.rnod), Cell(shift.p, note=shift.reason or "")]
            for shift in self.shifts
        ]  # fmt: skip
        caption = (
            "NMD, RNOD: how far the class shares of the two samples are apart, 0 for equal shares. p: how often items "
            "dealt out at random give an NMD as large."
        )
        return Sheet(columns, rows, [caption], lead=[self.sentence()], title="Drift")


def shift_in_words(shift: Shift, level: float) -> str:
    """Say whether class shares differ; part of a sentence that begins with the gold labels."""
    name = "The gold labels" if shift.of == "gold" else "the answers"
    if math.isnan(shift.nmd):
        return f"{name} cannot be compared: {shift.reason}"
    if shift.p is None:
        return f"{name} have class shares {number(shift.nmd, 4)} apart by NMD"
    differ = "differ" if shift.p <= 1 - level + TIE else "do not differ"
    return f"{name} {differ} significantly in their class shares ({p_in_sentence(shift.p)})"


def drift_of(baseline: Table, candidate: Table, *, size: int, seed: int, level: float) -> Drift:
    """Return how two tables of samples that share no items differ in the shares of their classes."""
    cases = bool(baseline.axes)
    shifts = []
    for at, side in enumerate(SIDES):
        margins = [getattr(table.pooled(), side) for table in (baseline, candidate)]
        why = None
        if cases:
            why = "whole test cases are the sample, and single items are not dealt out"
        elif any(table.weighting is not None for table in (baseline, candidate)) or any(
            (margin % 1).any() for margin in margins
        ):
            why = "items that weigh differently or are spread over classes are not dealt out"
        elif sum(margin.sum() for margin in margins) >= MOST_ITEMS:
            why = f"{MOST_ITEMS:,} items or more are not dealt out"
        shifts.append(shift_of(side, *margins, why=why, size=size, seed=seed, within=at))
    return Drift(shifts[0], shifts[1], level)


def shift_of(
    side: str, before: Array, after: Array, *, why: str | None, size: int, seed: int, within: int
) -> Shift:
    """Return the shift from one margin to another; `why` is the reason for no p-value."""
    if not (before.any() and after.any()):
        return Shift(side, math.nan, math.nan, None, "one of the samples has no answers")
    nmd, rnod = (
        float(apart(name, before, after)) for name in ("normalised_match_distance", "rnod")
    )
    if math.isnan(nmd):
        return Shift(side, nmd, rnod, None, "the scale has only one class")
    if why is not None:
        return Shift(side, nmd, rnod, None, why)
    first, both = before.astype(np.int64), (before + after).astype(np.int64)
    rng, k = stream(seed, Purpose.PERIODS, within), len(first)
    as_far = 0
    for part in chunks(size, numbers=k * k):
        # class by class, so that the time does not grow with the number of items
        dealt = rng.multivariate_hypergeometric(
            both, int(first.sum()), size=part.stop - part.start, method="marginals"
        )
        drawn = apart("normalised_match_distance", dealt, both - dealt)
        as_far += int((np.asarray(drawn) >= nmd - TIE).sum())
    return Shift(side, nmd, rnod, (as_far + 1) / (size + 1))


def apart(measure: str, before: Array, after: Array) -> Any:
    """Return how far margins[..., class] are apart, by a measure of the two margins of a table.

    It is that of the table whose margins they are and whose rows are all alike, so that samples may differ in size.
    """
    shares = [margin / margin.sum(axis=-1, keepdims=True) for margin in (before, after)]
    return registry[measure].from_counts(shares[0][..., :, None] * shares[1][..., None, :])
