"""A matrix of cells whose colours are as strong as their values, with a scale of colours below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.formats.names import isolated
from ordeval.report import palette
from ordeval.report.charts import (
    LETTER,
    SILENT,
    TIP,
    Array,
    Chart,
    distinct_names,
    layered,
    notes_below,
    of_rows,
    row_axis,
    with_data,
)
from ordeval.report.offline import alt

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

    def layers(self, *, warm: bool) -> list[Any]:
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
        boxes = (
            of_rows(swatches)
            .mark_square(
                size=SWATCH**2, opacity=1, stroke=palette.LINE, strokeWidth=1,
                xOffset=alt.ExprRef("datum.at"), **SILENT,
            )
            .encode(
                x=alt.value(0), y=alt.value(alt.ExprRef("height + 16")), fill=FILL, fillOpacity=FILL_OPACITY
            )
        )  # fmt: skip
        ends = [(0.0, self.low), (start + SWATCH * len(swatches), self.high)]
        lines = [notes_below([(0, text)], line=1 + at) for at, text in enumerate(self.marks)]
        return [boxes, notes_below(ends), *lines]


FILL: Any = alt.Fill(
    "side:N",
    scale=alt.Scale(domain=["heat", "warm"], range=[palette.HEAT, palette.WARM]),
    legend=None,
)
FILL_OPACITY: Any = alt.FillOpacity(
    "strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None
)


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
) -> Chart:
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
    empty = empty_matrix(
        tuple(row_names),
        tuple(column_names),
        key,
        titles=(row_title, column_title),
        steps=(step, row_step or step),
        texts=texts is not None,
        small_texts=small_texts is not None,
        warm=warm,
    )
    return with_data(empty, data)


@lru_cache(maxsize=64)
def empty_matrix(
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    key: ColourKey,
    *,
    titles: tuple[str | None, str | None],
    steps: tuple[float, float],
    texts: bool,
    small_texts: bool,
    warm: bool,
) -> Chart:
    """Return a matrix without data, kept for the next one of its shape: all systems of a report share it."""
    (row_title, column_title), (step, row_step) = titles, steps
    longest = max(map(len, columns), default=1)
    angle = 0 if longest * LETTER <= step - 3 else -45
    axis = alt.Axis(
        title=column_title,
        orient="top",
        labelAngle=angle,
        labelOverlap="parity" if angle == 0 or step < 12 else False,
        labelSeparation=4,
        labelLimit=WIDEST_SLANTED_LABEL if angle else max(30, round(step + 8)),
    )
    base = alt.Chart().encode(
        x=alt.X("column:N", scale=alt.Scale(domain=list(columns)), axis=axis),
        y=alt.Y("row:N", **row_axis(rows, title=row_title)),
    )
    cells = base.mark_rect(stroke=palette.LINE, strokeWidth=1)
    layers: list[Any] = [cells.encode(fill=FILL, fillOpacity=FILL_OPACITY, **TIP)]
    if texts:
        text = base.mark_text(
            color=palette.INK,
            fontSize=12 if step >= 34 else 9,
            dy=-6 if small_texts else 0,
            **SILENT,
        )
        layers.append(text.encode(text="text:N").transform_filter(alt.datum.text != ""))
    if small_texts:
        small = base.mark_text(color=palette.INK, fontSize=9, dy=8, **SILENT)
        layers.append(small.encode(text="more:N").transform_filter(alt.datum.more != ""))
    return layered(
        [*layers, *key.layers(warm=warm)], width=alt.Step(step), height=alt.Step(row_step)
    )
