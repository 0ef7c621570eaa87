"""Charts from plain arrays: one Altair specification each, for notebooks, for papers and for the report."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.errors import MissingPackageError
from ordeval.formats.old_names import shown
from ordeval.report import palette

try:
    import altair as alt
except ImportError as error:
    raise MissingPackageError(
        "charts need the packages altair and vl-convert-python, and altair is not installed. "
        "Run: pip install 'ordeval[report]'"
    ) from error

Array: TypeAlias = npt.NDArray[Any]
Chart: TypeAlias = alt.LayerChart

FONT = "Arial, Helvetica, sans-serif"
CONFIG: dict[str, Any] = {
    "aria": False,  # the page gives a chart one description; hundreds of labelled marks tell a listener nothing
    "background": "white",  # a page has its own: `inline_svg` takes this one away
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
WIDEST_TURNED = 110
LETTER = 6.2  # pixels of a letter at size 11, for deciding whether labels fit side by side


def finished(layers: Sequence[Any], labels: Sequence[str], **size: Any) -> Chart:
    """Put layers over each other, and give them the looks that all charts share.

    Letters are wider in some fonts than in the one that the labels are measured with, so the longest has room to spare.
    """
    spare = 0.16 * min(LETTER * max(map(len, labels), default=0), WIDEST_LABEL)
    padding = {"left": 4 + round(spare), "right": 10, "top": 4, "bottom": 4}
    chart: Chart = alt.layer(*layers).properties(**size).configure(**CONFIG, padding=padding)
    return chart


def with_data(chart: Chart, data: Sequence[dict[str, Any]]) -> Chart:
    """Give a chart its data, last of all: Altair copies a chart with all that it holds at every step of its making."""
    filled = chart.copy(deep=False)
    filled.data = alt.InlineData(values=list(data))
    return filled


def number(value: float) -> float | None:
    """Return a number that a specification may hold, short and finite."""
    return round(float(value), 6) if np.isfinite(value) else None


def names_of(labels: Sequence[Any]) -> list[str]:
    """Return labels as text, each different from the others: an axis would put equal ones into one place."""
    seen: dict[str, int] = {}
    names = []
    for label in map(shown, labels):
        times = seen[label] = seen.get(label, 0) + 1
        names.append(label if times == 1 else f"{label} ({times})")
    return names


def intervals(
    names: Sequence[str],
    values: Array,
    low: Array | None,
    high: Array | None,
    tiers: Sequence[int],
    *,
    title: str,
    width: int = 270,
) -> Chart:
    """Values as points with their intervals as lines, a row for each name; a dashed line marks the first value."""
    rows = names_of(names)
    ends = (
        [(None, None)] * len(rows)
        if low is None or high is None
        else list(zip(low, high, strict=True))
    )
    data = [
        {
            "name": name,
            "value": number(value),
            "low": None if least is None else number(least),
            "high": None if most is None else number(most),
            "tier": palette.tier_number(tier),
        }
        for name, value, (least, most), tier in zip(rows, values, ends, tiers, strict=True)
        if np.isfinite(value)
    ]
    colour: Any = alt.Color(
        "tier:O",
        scale=alt.Scale(domain=list(range(1, len(palette.TIERS) + 1)), range=list(palette.TIERS)),
        legend=None,
    )
    axis = alt.Axis(
        grid=True,
        gridColor=palette.LINE,
        title=title,
        orient="top",
        tickCount=6,
        labelColor=palette.SOFT,
        labelFlush=False,
    )
    base = alt.Chart().encode(
        y=alt.Y("name:N", title=None, scale=alt.Scale(domain=rows)),
        color=colour,
        tooltip=[
            alt.Tooltip(f"{field}:{kind}")
            for field, kind in (("name", "N"), ("value", "Q"), ("low", "Q"), ("high", "Q"))
        ],
    )
    scale = alt.Scale(zero=False, nice=True, padding=4)
    lines = base.mark_rule(strokeWidth=2, strokeCap="round").encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=46, opacity=1).encode(
        x=alt.X("value:Q", scale=scale, axis=axis)
    )
    layers: list[Any] = [lines, points]
    if data:
        leader = alt.Chart(alt.InlineData(values=data[:1])).mark_rule(
            strokeDash=[3, 3], color=palette.SOFT
        )
        layers.insert(0, leader.encode(x=alt.X("value:Q", scale=scale, axis=axis)))
    return with_data(finished(layers, rows, width=width, height=alt.Step(19)), data)


def matrix(
    rows: Sequence[Any],
    columns: Sequence[Any],
    strength: Array,
    texts: Sequence[Sequence[str]] | None = None,
    more: Sequence[Sequence[str]] | None = None,
    *,
    row_title: str | None = None,
    column_title: str | None = None,
    step: float = 46,
    row_step: float | None = None,
    warm: bool = False,
) -> Chart:
    """Cells whose colour is as strong as strength[row, column] in -1 to 1; below 0 they take the warm colour.

    `texts` stand in the cells, `more` in small letters below them. NaN leaves a cell without colour.
    """
    row_names, column_names = names_of(rows), names_of(columns)
    data = []
    for r, row in enumerate(row_names):
        for c, column in enumerate(column_names):
            value = strength[r, c]
            there = bool(np.isfinite(value))
            data.append(
                {
                    "row": row,
                    "column": column,
                    "strength": round(min(abs(float(value)), 1.0), 3) if there else 0,
                    "side": "warm" if warm or (there and value < 0) else "heat",
                    "text": "" if texts is None else texts[r][c],
                    "more": "" if more is None else more[r][c],
                }
            )
    empty = empty_matrix(
        tuple(row_names),
        tuple(column_names),
        titles=(row_title, column_title),
        steps=(step, row_step or step),
        texts=texts is not None,
        more=more is not None,
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
    more: bool,
) -> Chart:
    """Return a matrix that waits for its data: the systems of a report have one and the same."""
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
        labelLimit=WIDEST_TURNED if angle else max(30, round(step + 8)),
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
        words = base.mark_text(
            color=palette.INK, fontSize=12 if step >= 34 else 9, dy=-6 if more else 0
        )
        layers.append(words.encode(text="text:N").transform_filter(alt.datum.text != ""))
    if more:
        below = base.mark_text(color=palette.INK, fontSize=9, dy=8)
        layers.append(below.encode(text="more:N").transform_filter(alt.datum.more != ""))
    return finished(layers, rows, width=alt.Step(step), height=alt.Step(row_step))


def bars(
    names: Sequence[Any], values: Array, texts: Sequence[str], *, title: str, width: int = 260
) -> Chart:
    """Bars, one below the other, with what they say at their ends."""
    rows = names_of(names)
    data = [
        {"name": name, "value": number(value), "text": text}
        for name, value, text in zip(rows, values, texts, strict=True)
    ]
    base = alt.Chart().encode(
        y=alt.Y("name:N", title=None, scale=alt.Scale(domain=rows)),
        x=alt.X("value:Q", title=title, axis=None, scale=alt.Scale(domainMin=0)),
        tooltip=[alt.Tooltip("name:N"), alt.Tooltip("text:N")],
    )
    drawn = base.mark_bar(color=palette.HEAT, height=alt.RelativeBandSize(band=0.72))
    words = base.mark_text(color=palette.INK, align="left", dx=5, fontSize=11).encode(text="text:N")
    return with_data(finished([drawn, words], rows, width=width, height=alt.Step(26)), data)
