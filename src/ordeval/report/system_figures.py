"""The chart of systems that answer alike."""

from typing import TYPE_CHECKING

from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report.charts import Figure
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.system_agreement import NEAR_DUPLICATES

if TYPE_CHECKING:
    from ordeval.report.system_agreement import SystemAgreement

ROOM_FOR_PERCENT = 24  # up to so many systems a cell has room for its share


def systems_figure(agreement: "SystemAgreement", of: int | None = None) -> Figure:
    """Draw how often every two systems give the same answer; `of` is how many systems there are."""
    systems, share = agreement.systems, agreement.share
    n = len(systems)
    lowest = float(share.min())
    span = (1 - lowest) or 1.0
    marks = [
        ["=" if at != other and cell >= NEAR_DUPLICATES else "" for other, cell in enumerate(row)]
        for at, row in enumerate(share)
    ]
    few = n <= ROOM_FOR_PERCENT
    chart = matrix_chart(
        systems,
        systems,
        0.04 + 0.96 * (share - lowest) / span,
        [[numbers.percent_in_cell(cell) for cell in row] for row in share] if few else marks,
        tips=[
            [
                ""
                if a == b
                else f"{short(a, 30)} and {short(b, 30)}: {numbers.percent(cell)} the same"
                for b, cell in zip(systems, row, strict=True)
            ]
            for a, row in zip(systems, share, strict=True)
        ],
        key=ColourKey(
            numbers.percent(lowest),
            "100% of the answers are the same",
            marks=() if few else (f"= at least {NEAR_DUPLICATES:.0%}",),
        ),
        step=26 if few else 16,
        row_step=20 if few else 16,
    )
    groups = [
        numbers.in_words([short(name) for name in group], 4) for group in agreement.near_duplicates
    ]
    nearly = "; ".join(groups) or "none"
    shown = f"{n} systems" if of is None or n >= of else f"the first {n} of {of} systems"
    return Figure(
        chart,
        f"Agreement between {shown}",
        f"The share of items on which two systems give the same answer, from {numbers.percent(lowest)} to 100%. "
        f"Systems that agree most stand together. The same on at least {NEAR_DUPLICATES:.0%} of the items: {nearly}.",
        Sheet(
            [Column("a"), Column("b"), Column("same answers", Kind.NUMBER)],
            [
                [Cell(clean(systems[a])), Cell(clean(systems[b])), Cell(numbers.percent(share[a, b], 1))]
                for a in range(n)
                for b in range(a + 1, n)
            ],
        ),
    )  # fmt: skip
