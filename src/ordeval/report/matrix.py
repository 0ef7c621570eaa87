"""A matrix of cells whose colours are as strong as their values, with a scale of colours below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.formats.names import isolated
from ordeval.report import palette
from ordeval.report.charts import (
    LETTER,
    SILENT,
    TIP,
    Array,
    distinct_names,
    notes_below,
    row_axis,
)
from ordeval.report.specification import (
    Specification,
    constant,
    expression,
    field,
    layered,
    marks,
    pixels_each,
)

WIDEST_SLANTED_LABEL = 140
SWATCH = 12  # pixels
SWATCHES = 5  # of one side


@dataclass(frozen=True, slots=True)
class ColourKey:
    """What the colours of a matrix mean: the text at the weak end, that at the strong one, and marks in the cells.

    A `diverging` key has the negative end first, and nothing in its middle.
    """

    low: str
    high: str
    diverging: bool = False
    marks: tuple[str, ...] = ()  # each explains a mark, on a line of its own

    def layers(self, *, warm: bool) -> list[Specification]:
        """Return the swatches with their texts, and the lines below them."""
        strengths = np.linspace(
            -1 if self.diverging else 0, 1, 2 * SWATCHES - 1 if self.diverging else SWATCHES
        )
        start = LETTER * len(self.low) + 14
        swatches = [
            {
                "at": start + SWATCH * at,
                "strength": round(abs(float(strength)), 3),
                "side": side_of(float(strength), warm=warm),
            }
            for at, strength in enumerate(strengths)
        ]
        place = {"x": constant(0), "y": constant(expression("height + 16"))}
        boxes = marks(
            "square",
            {**place, **FILL},
            data=swatches,
            size=SWATCH**2,
            opacity=1,
            stroke=palette.LINE,
            strokeWidth=1,
            xOffset=expression("datum.at"),
            **SILENT,
        )
        ends = [(0.0, self.low), (start + SWATCH * len(swatches), self.high)]
        lines = [notes_below([(0, text)], line=1 + at) for at, text in enumerate(self.marks)]
        return [boxes, notes_below(ends), *lines]


FILL: dict[str, Any] = {
    "fill": field(
        "side:N",
        scale={"domain": ["heat", "warm"], "range": [palette.HEAT, palette.WARM]},
        legend=None,
    ),
    "fillOpacity": field("strength:Q", scale={"domain": [0, 1], "range": [0, 1]}, legend=None),
}


def side_of(strength: float, *, warm: bool) -> str:
    """Return which of the two colours a strength has."""
    return "warm" if warm or strength < 0 else "heat"


def matrix_chart(
    rows: Sequence[Any],
    columns: Sequence[Any],
    strength: Array,
    texts: Sequence[Sequence[str]] | None = None,
    small_texts: Sequence[Sequence[str]] | None = None,
    *,
    tips: Sequence[Sequence[str]],
    key: ColourKey,
    row_title: str | None = None,
    column_title: str | None = None,
    step: float = 46,
    row_step: float | None = None,
    warm: bool = False,
    numbered: bool = False,
) -> Specification:
    """Draw cells whose colour is as strong as strength[row, column], from -1 to 1; negative cells are warm.

    `texts` stand in the cells, `small_texts` below them; a tip says what a cell shows, and a cell without one is left
    out of the tips. NaN leaves a cell without colour. Rows and columns are `numbered` from 1 on if asked for.
    """
    row_names, column_names = distinct_names(rows), distinct_names(columns)
    if numbered:
        row_names, column_names = (
            [f"{at}. {isolated(name)}" for at, name in enumerate(names, 1)]
            for names in (row_names, column_names)
        )
    data = []
    for r, row in enumerate(row_names):
        for c, column in enumerate(column_names):
            value = float(np.nan_to_num(strength[r, c]))
            data.append(
                {
                    "row": row,
                    "column": column,
                    "strength": round(min(abs(value), 1.0), 3),
                    "side": side_of(value, warm=warm),
                    "text": "" if texts is None else texts[r][c],
                    "more": "" if small_texts is None else small_texts[r][c],
                    "tip": tips[r][c],
                }
            )
    layers = cell_layers(
        row_axis(row_names, title=row_title),
        column_axis(column_names, column_title, step),
        font_size=12 if step >= 34 else 9,
        texts=texts is not None,
        small_texts=small_texts is not None,
    )
    size = {"width": pixels_each(step), "height": pixels_each(row_step or step)}
    return layered([*layers, *key.layers(warm=warm)], data, **size)


def column_axis(names: Sequence[str], title: str | None, step: float) -> dict[str, Any]:
    """Return the settings of an axis of columns of so many pixels, whose names are slanted if they are long."""
    longest = max(map(len, names), default=1)
    angle = 0 if longest * LETTER <= step - 3 else -45
    axis = {
        "title": title,
        "orient": "top",
        "labelAngle": angle,
        "labelOverlap": "parity" if angle == 0 or step < 12 else False,
        "labelSeparation": 4,
        "labelLimit": WIDEST_SLANTED_LABEL if angle else max(30, round(step + 8)),
    }
    return {"scale": {"domain": list(names)}, "axis": axis}


def cell_layers(
    rows: dict[str, Any],
    columns: dict[str, Any],
    *,
    font_size: int,
    texts: bool,
    small_texts: bool,
) -> list[Specification]:
    """Return the cells, and the texts in them."""
    cell = {"x": field("column:N", **columns), "y": field("row:N", **rows)}
    look: dict[str, Any] = {"color": palette.INK, **SILENT}
    layers = [marks("rect", {**cell, **FILL, **TIP}, stroke=palette.LINE, strokeWidth=1)]
    if texts:
        layers.append(
            marks(
                "text",
                {**cell, "text": field("text:N")},
                transform=[{"filter": "(datum.text !== '')"}],
                fontSize=font_size,
                dy=-6 if small_texts else 0,
                **look,
            )
        )
    if small_texts:
        layers.append(
            marks(
                "text",
                {**cell, "text": field("more:N")},
                transform=[{"filter": "(datum.more !== '')"}],
                fontSize=9,
                dy=8,
                **look,
            )
        )
    return layers
