"""What all charts share: the figure, its rows and tips, its key below the plot; points with intervals; bars.

Each chart is one specification that serves notebooks, papers and the report.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.formats import numbers
from ordeval.formats.names import clean
from ordeval.formats.sheet import Sheet
from ordeval.letters import cut
from ordeval.report import palette
from ordeval.report.specification import (
    WIDEST_LABEL,
    Specification,
    constant,
    expression,
    field,
    layered,
    marks,
    pixels_each,
)

Array: TypeAlias = npt.NDArray[Any]

LONGEST = 34  # letters of a label that have room; of longer ones the middle is left out, because their ends differ
LETTER = 6.2  # pixels of a letter at size 11, for deciding whether labels fit side by side
TIP: dict[str, Any] = {"tooltip": field("tip:N"), "description": field("tip:N")}
GRID: dict[str, Any] = {
    "grid": True,
    "tickCount": 6,
    "labelColor": palette.SOFT,
}  # of an axis of numbers
SILENT: dict[str, Any] = {"aria": False}  # a mark without a description of its own
FAR = 0.6  # of the range of a chart's numbers: what lies farther outside is named at the edge
MANY_ROWS = 20  # from here on rows are lower


@dataclass(frozen=True, eq=False)
class Figure:
    """The specification of a chart, its title, a description for people who do not see it, and its data as a table."""

    spec: Specification
    title: str
    description: str
    data: Sheet


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups that rows belong to: a colour and a shape for each name, the first group first."""

    of_rows: Sequence[str]
    names: Sequence[str]
    colours: Sequence[str] = palette.GROUPS
    shapes: Sequence[str] = palette.SHAPES
    explained: bool = False  # by a legend even if there is only one group

    def encoding(self, offset: float = 8) -> dict[str, Any]:
        """Return how colour and shape tell the groups, with a legend so far below the plot."""
        several = self.explained or len(self.names) > 1
        legend = {"columns": 3, "offset": offset} if several else None
        names = list(self.names)
        looks = {"color": self.colours, "shape": self.shapes}
        return {
            name: field(
                "group:N",
                scale={"domain": names, "range": list(look[: len(names)])},
                legend=legend,
            )
            for name, look in looks.items()
        }


def finite_or_none(value: float | None) -> float | None:
    """Return a number that JSON can hold, to six decimals; None for one that is undefined or infinite."""
    return None if value is None or not np.isfinite(value) else round(float(value), 6)


def distinct_names(labels: Iterable[Any]) -> list[str]:
    """Return labels as texts that all differ: an axis would put equal ones in one place."""
    seen: dict[str, int] = {}
    names = []
    for label in (cut(clean(label), LONGEST) for label in labels):
        times = seen[label] = seen.get(label, 0) + 1
        names.append(label if times == 1 else f"{label} ({times})")
    return names


def name_tip(name: str, value: float | None, low: float | None, high: float | None) -> str:
    """Write what a row shows: its name, value and interval."""
    return f"{name}: {numbers.number(value)} {numbers.interval(low, high)}".rstrip()


def row_axis(rows: Sequence[str], **options: Any) -> dict[str, Any]:
    """Return the settings of a vertical axis of names.

    Letters are wider in some fonts than in the one that the labels are measured with, so they get some extra room.
    """
    longest = max(map(len, rows), default=0)
    return {
        "scale": {"domain": list(rows)},
        "axis": {
            "minExtent": round(min(1.05 * LETTER * longest, WIDEST_LABEL + 16)),
            **options,
        },
    }


def row_height(rows: int) -> float:
    """Return how many pixels a row gets: lower ones if there are many, so that they stay on one screen."""
    return 19 if rows <= MANY_ROWS else 14


def row_bands(rows: Sequence[str]) -> Specification:
    """Return a layer of invisible bands as wide as the plot, one for each row, that carry the tips.

    A point is too small to be hit by a finger.
    """
    names = field("name:N", title=None, **row_axis(rows))
    band = {"x": constant(0), "x2": constant("width"), "y": names}
    return marks("rect", {**band, **TIP}, fill=palette.LINE, fillOpacity=0)


def value_axis(title: str | list[str], **options: Any) -> Specification:
    """Return the axis of values at the top of a chart, with lines through the plot."""
    return {"title": title, "orient": "top", "labelFlush": False, **GRID, **options}


def notes_below(
    texts: Sequence[tuple[float, str]], *, line: int = 0, colour: str = palette.SOFT
) -> Specification:
    """Return a layer of texts below the plot, each with the pixels between it and the left edge."""
    below = constant(expression(f"height + {16 + 17 * line}"))
    return marks(
        "text",
        {"x": constant(0), "y": below, "text": field("note:N")},
        data=[{"at": at, "note": text} for at, text in texts],
        align="left",
        color=colour,
        fontSize=11,
        xOffset=expression("datum.at"),
        **SILENT,
    )


def spread_of(data: Iterable[Mapping[str, Any]]) -> tuple[float, float]:
    """Return the lowest and the highest number that a chart of intervals shows."""
    ends = [row[end] for row in data for end in ("low", "value", "high") if row[end] is not None]
    return min(ends, default=0.0), max(ends, default=0.0)


def marked_values(
    marked: Mapping[str, float],
    shown: tuple[float, float] | None,
    at_value: Mapping[str, Any],
) -> list[Specification]:
    """Return layers of dashed lines at values that matter, each with its name below the plot.

    `at_value` are the scale and the axis. A value far from all that is `shown` would squeeze the rest together: it is
    named at the edge instead.
    """
    lowest, highest = (-np.inf, np.inf) if shown is None else shown
    known = {name: float(value) for name, value in marked.items() if np.isfinite(value)}
    room = FAR * (highest - lowest) or np.inf
    near = {name: x for name, x in known.items() if lowest - room <= x <= highest + room}
    layers: list[Specification] = []
    look: dict[str, Any] = {"color": palette.SOFT, **SILENT}
    for place, (name, x) in enumerate(known.items()):
        # each name on a line of its own
        below = constant(expression(f"height + {10 + 13 * place}"))
        note = {"y": below, "text": field("note:N")}
        if name in near:
            data = [{"value": finite_or_none(x), "note": name}]
            there = {"x": field("value:Q", **at_value)}
            layers += [
                marks("rule", there, data=data, strokeDash=[5, 3], strokeWidth=1.5, **look),
                marks("text", {**there, **note}, data=data, fontSize=11, **look),
            ]
        else:
            words = f"{name}: {numbers.number(x)}"
            at_left = x < lowest
            edge = {"x": constant(0 if at_left else "width"), **note}
            side = "left" if at_left else "right"
            data = [{"note": f"← {words}" if at_left else f"{words} →"}]
            layers.append(marks("text", edge, data=data, fontSize=11, align=side, **look))
    return layers


def interval_chart(
    names: Sequence[str],
    values: Sequence[float],
    ends: Sequence[tuple[float | None, float | None]],
    groups: Groups,
    *,
    title: str | list[str],
    marked: Mapping[str, float] | None = None,
    at_edge: bool = True,
    tips: Sequence[str] | None = None,
    more: Sequence[Specification] = (),
    width: float = 290,
) -> Specification:
    """Draw values as points with their intervals as lines, a row for each name.

    A dashed line stands at each `marked` value, with its name; one far from everything else is named `at_edge`. `more`
    layers are drawn beside and below the plot.
    """
    rows = distinct_names(names)
    data = [
        {
            "name": name,
            "value": finite_or_none(value),
            "low": finite_or_none(low),
            "high": finite_or_none(high),
            "group": group,
            "tip": name_tip(name, value, low, high) if tips is None else tips[at],
        }
        for at, (name, value, (low, high), group) in enumerate(
            zip(rows, values, ends, groups.of_rows, strict=True)
        )
        if np.isfinite(value)
    ]
    at_value = {
        "scale": {"zero": False, "nice": True, "padding": 4},
        "axis": value_axis(title),
    }
    below = marked_values(marked or {}, spread_of(data) if at_edge else None, at_value)
    named = sum(map(math.isfinite, (marked or {}).values()))  # each on a line of its own
    look = groups.encoding(13 + 13 * max(named, 1) if below or more else 8)
    row = {
        "y": field("name:N", title=None, **row_axis(rows)),
        "color": look["color"],
    }
    lines = marks(
        "rule",
        {**row, "x": field("low:Q", **at_value), "x2": field("high")},
        strokeWidth=2,
        strokeCap="round",
        **SILENT,
    )
    points = marks(
        "point",
        {**row, "x": field("value:Q", **at_value), "shape": look["shape"]},
        filled=True,
        size=46,
        opacity=1,
        **SILENT,
    )
    layers = [*below, lines, points, *more, row_bands(rows)]
    return layered(layers, data, width=width, height=pixels_each(row_height(len(rows))))


def bar_chart(names: Sequence[Any], values: Array, texts: Sequence[str]) -> Specification:
    """Draw bars, one below the other, with a text at the end of each."""
    rows = distinct_names(names)
    data = [
        {"name": name, "value": finite_or_none(value), "text": text, "tip": f"{name}: {text}"}
        for name, value, text in zip(rows, values, texts, strict=True)
    ]
    bar = {
        "y": field("name:N", title=None, **row_axis(rows)),
        "x": field("value:Q", axis=None, scale={"domainMin": 0}),
    }
    bars = marks("bar", {**bar, **TIP}, color=palette.HEAT, height={"band": 0.72})
    text = marks(
        "text",
        {**bar, "text": field("text:N")},
        color=palette.INK,
        align="left",
        dx=5,
        fontSize=11,
        **SILENT,
    )
    return layered([bars, text], data, width=260, height=pixels_each(26))
