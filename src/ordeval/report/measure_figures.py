"""The charts about measures: how they do by two criteria, and which formal properties they have."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, text_sheet
from ordeval.report import palette
from ordeval.report.charts import (
    GRID,
    LETTER,
    SILENT,
    TIP,
    Figure,
    distinct_names,
    finite_or_none,
)
from ordeval.report.leaderboard import short_measure_name
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.specification import expression, field, layered, marks

if TYPE_CHECKING:
    from ordeval.meta.per_measure import PerMeasure
    from ordeval.properties import Verdicts

WIDTH, HEIGHT = 440, 340
LINE_HEIGHT, POINT = 12, 4  # pixels
LABEL_OFFSETS = (
    ("left", 7.0, 0.0), ("right", -7.0, 0.0), ("center", 0.0, -11.0), ("center", 0.0, 11.0),
    ("left", 6.0, -9.0), ("left", 6.0, 9.0), ("right", -6.0, -9.0), ("right", -6.0, 9.0),
)  # fmt: skip
PROPERTY_MARKS = {
    "holds": ("✓", 0.55),
    "refuted": ("✗", -0.55),
}  # and the strength of their colours


def meta_figure(across: "PerMeasure", up: "PerMeasure") -> Figure:
    """Draw every measure as a point by two criteria, with its name where there is room."""
    metrics = [name for name in across.order if np.isfinite(across[name]) and np.isfinite(up[name])]
    names = distinct_names(map(short_measure_name, metrics))
    x, y = (np.array([part[name] for name in metrics]) for part in (across, up))
    horizontal, vertical = domain_of(x), domain_of(y)
    places = label_places(
        (x - horizontal[0]) / (horizontal[1] - horizontal[0]) * WIDTH,
        (vertical[1] - y) / (vertical[1] - vertical[0]) * HEIGHT,
        names,
    )
    data = [
        {
            "name": name,
            "x": finite_or_none(at),
            "y": finite_or_none(height),
            "align": "left" if place is None else place[0],
            "dx": 0 if place is None else place[1],
            "dy": 0 if place is None else place[2],
            "text": "" if place is None else name,
            "tip": f"{name}: {across.called} {numbers.number(at, 2)}, {up.called} {numbers.number(height, 2)}",
        }
        for name, at, height, place in zip(names, x.tolist(), y.tolist(), places, strict=True)
    ]
    place = {
        "x": field("x:Q", scale={"domain": horizontal}, axis={"title": titled(across), **GRID}),
        "y": field("y:Q", scale={"domain": vertical}, axis={"title": titled(up), **GRID}),
    }
    text = marks(
        "text", {**place, "text": field("text:N")},
        color=palette.INK, fontSize=11, align=expression("datum.align"), baseline="middle",
        xOffset=expression("datum.dx"), yOffset=expression("datum.dy"), **SILENT,
    )  # fmt: skip
    dots = {**place, **TIP}
    points = marks("point", dots, filled=True, size=46, opacity=1, color=palette.GROUPS[1])
    best = names[0] if names else "none"
    return Figure(
        layered([text, points], data, width=WIDTH, height=HEIGHT),
        f"Measures by {across.called} and {up.called}",
        f"A point for each of {numbers.counted(len(names), 'measure')}: {across.called} to the right, {up.called} "
        f"upwards. The first by {across.called} is {best}.",
        Sheet(
            [
                Column("measure"),
                *(
                    Column(part.called, Kind.NUMBER, part.greater_is_better)
                    for part in (across, up)
                ),
            ],
            [[Cell(name), Cell(across[name]), Cell(up[name])] for name in metrics],
        ),
    )


def titled(part: "PerMeasure") -> str:
    """Name a criterion, and the direction in which it is better."""
    return f"{part.called} ({'higher' if part.greater_is_better else 'lower'} is better)"


def domain_of(values: Array) -> list[float]:
    """Return the ends of an axis with some room beyond the values."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5
    return [low - room, high + room]


def label_places(x: Array, y: Array, names: Sequence[str]) -> list[tuple[str, float, float] | None]:
    """Return how the name of each point is aligned and how far from it, in pixels, so that it covers nothing.

    None: there is no such place.
    """
    taken = [(px - POINT, py - POINT, px + POINT, py + POINT) for px, py in zip(x, y, strict=True)]
    places: list[tuple[str, float, float] | None] = []
    for px, py, name in zip(x.tolist(), y.tolist(), names, strict=True):
        width, half = LETTER * len(name), LINE_HEIGHT / 2
        found = None
        for align, dx, dy in LABEL_OFFSETS:
            left = px + dx - {"left": 0.0, "center": width / 2, "right": width}[align]
            box = (left, py + dy - half, left + width, py + dy + half)
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= WIDTH + 60 and box[3] <= HEIGHT
            if inside and not any(overlap(box, other) for other in taken):
                found = (align, dx, dy)
                taken.append(box)
                break
        places.append(found)
    return places


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Tell whether two boxes (left, top, right, bottom) share a point."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def properties_figure(verdicts: "Verdicts") -> Figure:
    """Draw which measure has which formal property: ✓ where no counterexample was found, ✗ where there is one."""
    metrics = verdicts.metrics
    found = {(one.metric, one.property): one for one in verdicts}
    properties = list(dict.fromkeys(one.property for one in verdicts))
    outcomes = [
        [found[m, p].verdict if (m, p) in found else "" for p in properties] for m in metrics
    ]
    marks = [[PROPERTY_MARKS.get(one, (numbers.DASH, 0))[0] for one in row] for row in outcomes]
    strength = np.array(
        [[PROPERTY_MARKS.get(one, ("", 0.0))[1] for one in row] for row in outcomes]
    )
    spoken = [name.replace("_", " ") for name in properties]
    sound = [m for m, row in zip(metrics, outcomes, strict=True) if set(row) == {"holds"}]
    chart = matrix_chart(
        [short_measure_name(name) for name in metrics],
        spoken,
        strength,
        marks,
        tips=[
            [
                one and f"{short_measure_name(m)}, {p}: {one}"
                for p, one in zip(spoken, row, strict=True)
            ]
            for m, row in zip(metrics, outcomes, strict=True)
        ],
        key=ColourKey("refuted", "holds", diverging=True),
        step=46,
        row_step=22,
    )
    return Figure(
        chart,
        "Formal properties of the measures",
        f"A cell for each of {numbers.counted(len(metrics), 'measure')} and "
        f"{numbers.counted(len(properties), 'property', 'properties')}. All of them hold for: "
        f"{numbers.in_words(sound, 6) if sound else 'none'}.",
        text_sheet(
            ["measure", *spoken],
            [[name, *(one or numbers.DASH for one in row)] for name, row in zip(metrics, outcomes, strict=True)],
        ),
    )  # fmt: skip
