"""Kinds of charts, drawn from arrays: points with intervals, a matrix of cells, bars.

Each is one Altair specification that serves notebooks, papers and the report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.docstrings import classes_with_docstrings
from ordeval.errors import MissingPackageError
from ordeval.formats.names import clean
from ordeval.formats.sheet import Sheet
from ordeval.letters import cut
from ordeval.report import palette

try:
    with classes_with_docstrings("altair"):
        import altair as alt
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "charts need the packages altair and vl-convert-python, and altair is not installed. "
        "Run: pip install 'ordeval[report]'"
    ) from error

Array: TypeAlias = npt.NDArray[Any]
Chart: TypeAlias = alt.LayerChart

FONT = "Arial, Helvetica, sans-serif"
CONFIG: dict[str, Any] = {
    "aria": False,  # the page gives a chart one description; hundreds of labelled marks would not help a listener
    "background": "white",  # for notebooks and papers: `inline_svg` takes it away
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "grid": False,
        "labelColor": palette.INK,
        "titleColor": palette.SOFT,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelLimit": 170,
        "titleLimit": 400,
        "labelPadding": 6,
    },
}
WIDEST_LABEL = 170
WIDEST_SLANTED_LABEL = 110
LONGEST = 60  # letters of a label, more than have room: measuring longer ones takes the most time of a chart
LETTER = 6.2  # pixels of a letter at size 11, for deciding whether labels fit side by side


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart, its title, a description for people who do not see it, and its data as a table."""

    chart: Chart
    title: str
    description: str
    data: Sheet


def layered(layers: Sequence[Any], labels: Sequence[str], **size: Any) -> Chart:
    """Return one chart of several layers, with the looks that all charts share.

    Letters are wider in some fonts than in the one that the labels are measured with, so the longest gets extra room.
    """
    spare = 0.16 * min(LETTER * max(map(len, labels), default=0), WIDEST_LABEL)
    padding = {"left": 4 + round(spare), "right": 10, "top": 4, "bottom": 4}
    chart: Chart = alt.layer(*layers).properties(**size).configure(**CONFIG, padding=padding)
    return chart


def with_data(chart: Chart, data: Sequence[dict[str, Any]]) -> Chart:
    """Return a copy of a chart with its data: added last, because every step of Altair copies all of a chart."""
    copy = chart.copy(deep=False)
    copy.data = alt.InlineData(values=list(data))
    return copy


def finite_or_none(value: float | None) -> float | None:
    """Return a number that JSON can hold, to six decimals; None for one that is undefined or infinite."""
    return None if value is None or not np.isfinite(value) else round(float(value), 6)


def distinct_names(labels: Sequence[Any]) -> list[str]:
    """Return labels as texts that all differ: an axis would put equal ones in one place."""
    seen: dict[str, int] = {}
    names = []
    for label in (cut(clean(label), LONGEST) for label in labels):
        times = seen[label] = seen.get(label, 0) + 1
        names.append(label if times == 1 else f"{label} ({times})")
    return names


def interval_chart(
    names: Sequence[str],
    values: Sequence[float],
    ends: Sequence[tuple[float | None, float | None]],
    groups: Sequence[int],
    *,
    title: str,
    marked: float | None = None,
    whole: bool = False,
) -> Chart:
    """Draw values as points with their intervals as lines, a row for each name.

    The number of a group gives its colour. A dashed line stands at the `marked` value. `whole` values have an axis of
    whole numbers.
    """
    rows = distinct_names(names)
    data = [
        {
            "name": name,
            "value": finite_or_none(value),
            "low": finite_or_none(low),
            "high": finite_or_none(high),
            "group": palette.group_number(group),
        }
        for name, value, (low, high), group in zip(rows, values, ends, groups, strict=True)
        if np.isfinite(value)
    ]
    colour: Any = alt.Color(
        "group:O",
        scale=alt.Scale(domain=list(range(1, len(palette.GROUPS) + 1)), range=list(palette.GROUPS)),
        legend=None,
    )
    steps: dict[str, Any] = {"tickMinStep": 1, "format": "d"} if whole else {}
    axis = alt.Axis(
        grid=True,
        gridColor=palette.LINE,
        title=title,
        orient="top",
        tickCount=6,
        labelColor=palette.SOFT,
        labelFlush=False,
        **steps,
    )
    base = alt.Chart().encode(
        y=alt.Y("name:N", title=None, scale=alt.Scale(domain=rows)),
        color=colour,
        tooltip=[
            alt.Tooltip(f"{field}:{kind}")
            for field, kind in (("name", "N"), ("value", "Q"), ("low", "Q"), ("high", "Q"))
        ],
    )
    scale = alt.Scale(zero=False, nice=not whole, padding=4)
    lines = base.mark_rule(strokeWidth=2, strokeCap="round").encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=46, opacity=1).encode(
        x=alt.X("value:Q", scale=scale, axis=axis)
    )
    layers: list[Any] = [lines, points]
    if marked is not None and np.isfinite(marked):
        place = [{"value": finite_or_none(marked)}]
        line = alt.Chart(alt.InlineData(values=place)).mark_rule(
            strokeDash=[3, 3], color=palette.SOFT
        )
        layers.insert(0, line.encode(x=alt.X("value:Q", scale=scale, axis=axis)))
    return with_data(layered(layers, rows, width=270, height=alt.Step(19)), data)


def matrix_chart(
    rows: Sequence[Any],
    columns: Sequence[Any],
    strength: Array,
    texts: Sequence[Sequence[str]] | None = None,
    small_texts: Sequence[Sequence[str]] | None = None,
    *,
    row_title: str | None = None,
    column_title: str | None = None,
    step: float = 46,
    row_step: float | None = None,
    warm: bool = False,
) -> Chart:
    """Draw cells whose colour is as strong as strength[row, column], from -1 to 1; negative cells are warm.

    `texts` stand in the cells, `small_texts` below them. NaN leaves a cell without colour.
    """
    row_names, column_names = distinct_names(rows), distinct_names(columns)
    data = []
    for r, row in enumerate(row_names):
        for c, column in enumerate(column_names):
            value = float(np.nan_to_num(strength[r, c]))
            data.append(
                {
                    "row": row,
                    "column": column,
                    "strength": round(min(abs(value), 1.0), 3),
                    "side": "warm" if warm or value < 0 else "heat",
                    "text": "" if texts is None else texts[r][c],
                    "more": "" if small_texts is None else small_texts[r][c],
                }
            )
    empty = empty_matrix(
        tuple(row_names),
        tuple(column_names),
        titles=(row_title, column_title),
        steps=(step, row_step or step),
        texts=texts is not None,
        small_texts=small_texts is not None,
    )
    return with_data(empty, data)


@lru_cache(maxsize=64)
def empty_matrix(
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    *,
    titles: tuple[str | None, str | None],
    steps: tuple[float, float],
    texts: bool,
    small_texts: bool,
) -> Chart:
    """Return a matrix without data, kept for the next one of its shape: all systems of a report share it."""
    (row_title, column_title), (step, row_step) = titles, steps
    longest = max(map(len, columns), default=1)
    angle = (
        0
        if longest * LETTER <= step - 3 or columns == tuple(map(str, range(1, len(columns) + 1)))
        else -45
    )
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
        y=alt.Y("row:N", scale=alt.Scale(domain=list(rows)), axis=alt.Axis(title=row_title)),
        tooltip=[alt.Tooltip(f"{field}:N") for field in ("row", "column", "text", "more")],
    )
    side = alt.Scale(domain=["heat", "warm"], range=[palette.HEAT, palette.WARM])
    layers: list[Any] = [
        base.mark_rect(stroke=palette.LINE, strokeWidth=1).encode(
            color=alt.Color("side:N", scale=side, legend=None),
            fillOpacity=alt.FillOpacity(
                "strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None
            ),
        )
    ]
    if texts:
        text = base.mark_text(
            color=palette.INK, fontSize=12 if step >= 34 else 9, dy=-6 if small_texts else 0
        )
        layers.append(text.encode(text="text:N").transform_filter(alt.datum.text != ""))
    if small_texts:
        small = base.mark_text(color=palette.INK, fontSize=9, dy=8)
        layers.append(small.encode(text="more:N").transform_filter(alt.datum.more != ""))
    return layered(layers, rows, width=alt.Step(step), height=alt.Step(row_step))


def bar_chart(names: Sequence[Any], values: Array, texts: Sequence[str]) -> Chart:
    """Draw bars, one below the other, with a text at the end of each."""
    rows = distinct_names(names)
    data = [
        {"name": name, "value": finite_or_none(value), "text": text}
        for name, value, text in zip(rows, values, texts, strict=True)
    ]
    base = alt.Chart().encode(
        y=alt.Y("name:N", title=None, scale=alt.Scale(domain=rows)),
        x=alt.X("value:Q", axis=None, scale=alt.Scale(domainMin=0)),
        tooltip=[alt.Tooltip("name:N"), alt.Tooltip("text:N")],
    )
    bars = base.mark_bar(color=palette.HEAT, height=alt.RelativeBandSize(band=0.72))
    text = base.mark_text(color=palette.INK, align="left", dx=5, fontSize=11).encode(text="text:N")
    return with_data(layered([bars, text], rows, width=260, height=alt.Step(26)), data)
