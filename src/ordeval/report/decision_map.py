"""The map of a decision: which answer a rule gives to all rows of probabilities of three classes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.regions import Region, regions_of
from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.report import palette
from ordeval.report.charts import (
    SILENT,
    TIP,
    Figure,
    distinct_names,
    finite_or_none,
)
from ordeval.report.specification import field, layered, marks

if TYPE_CHECKING:
    from ordeval.decide import Decision

NO_ANSWER = "no answer"
# The answers from the lowest to the highest, by how many there are; the names in the plot tell further ones apart.
COLOURS = (
    (palette.SOFT_PALE,),
    (palette.WARM_PALE, palette.HEAT_PALE),
    (palette.WARM_PALE, palette.SOFT_PALE, palette.HEAT_PALE),
    (palette.WARM, palette.WARM_PALE, palette.HEAT_PALE, palette.HEAT),
    (palette.WARM, palette.WARM_PALE, palette.SOFT_PALE, palette.HEAT_PALE, palette.HEAT),
)
HEIGHT = 3**0.5 / 2  # of a triangle whose sides are 1
ROOM = 0.03  # of the triangle: a smaller region has no room for a name
MARGIN = 0.06  # around the triangle, for the names at its corners


def decision_map_figure(decision: "Decision", classes: Sequence[int]) -> Figure:
    """Draw the triangle of all probabilities of three classes, lowest at the left, coloured by the answer."""
    regions = regions_of(decision, classes)
    names = distinct_names(decision.scale.names)
    answers = sorted({one.answer for one in regions if one.answer is not None})
    listed = [names[at] for at in answers]
    palette_of = COLOURS[min(len(answers), len(COLOURS)) - 1]
    colours = [palette_of[at % len(palette_of)] for at in range(len(answers))]
    if any(one.answer is None for one in regions):
        listed, colours = [*listed, NO_ANSWER], [*colours, palette.PAPER]
    scale_x = {"domain": [-MARGIN, 1 + MARGIN], "nice": False}
    scale_y = {"domain": [-2 * MARGIN, HEIGHT + 2 * MARGIN], "nice": False}
    place: dict[str, Any] = {
        "x": field("x:Q", scale=scale_x, axis=None),
        "y": field("y:Q", scale=scale_y, axis=None),
    }
    around = {**place, "order": field("order:Q")}
    fill = field(
        "group:N",
        scale={"domain": listed, "range": colours},
        legend={"columns": 3, "symbolType": "square", "symbolStrokeColor": palette.LINE},
    )
    part = field("part:N")
    borders = [
        {**row, "part": at}
        for at, middle in enumerate(np.array([[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]]))
        for row in placed(np.array([np.full(3, 1 / 3), middle]))
    ]
    at_corners = [
        {**row, "note": short(names[code], 18)}
        for code, row in zip(classes, placed(np.eye(3)), strict=True)
    ]
    largest = {one.answer: one for one in sorted(regions, key=lambda one: one.share)}
    inside = [
        {**row, "note": short(name_of(one, names), 14)}
        for one in largest.values()
        if one.share > ROOM
        for row in placed(one.outline.mean(axis=0, keepdims=True))
    ]
    note = {**place, "text": field("note:N")}
    corner: dict[str, Any] = {"fontSize": 12, "color": palette.INK, **SILENT}
    layers = [
        marks(
            "line", {**around, "fill": fill, "detail": part, **TIP},
            interpolate="linear-closed", stroke=palette.PAPER, strokeWidth=1, strokeJoin="round",
        ),
        marks("line", around, data=placed(np.eye(3)[[0, 1, 2, 0]]), color=palette.SOFT, strokeWidth=1, **SILENT),
        marks(
            "line", {**around, "detail": part}, data=borders, color=palette.INK, strokeDash=[5, 3], strokeWidth=1.2,
            **SILENT,
        ),
        marks("text", note, data=at_corners[::2], baseline="top", dy=6, **corner),
        marks("text", note, data=at_corners[1:2], baseline="bottom", dy=-6, **corner),
        marks("text", note, data=inside, fontSize=11, color=palette.SOFT, **SILENT),
    ]  # fmt: skip
    return Figure(
        layered(layers, outlines(regions, names), width=320, height=300),
        f"Answers that serve {decision.measure}",
        described(regions, names, [names[at] for at in classes], decision),
        corner_sheet(regions, decision, classes),
    )


def name_of(one: Region, names: Sequence[str]) -> str:
    """Return the name of a region's answer."""
    return NO_ANSWER if one.answer is None else names[one.answer]


def placed(rows: Array) -> list[dict[str, Any]]:
    """Return where probabilities of three classes lie: the lowest at the left, the middle one at the top."""
    x, y = rows[:, 2] + rows[:, 1] / 2, rows[:, 1] * HEIGHT
    return [
        {"x": finite_or_none(at_x), "y": finite_or_none(at_y), "order": order}
        for order, (at_x, at_y) in enumerate(zip(x.tolist(), y.tolist(), strict=True))
    ]


def outlines(regions: Sequence[Region], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of data that draw the regions."""
    data = []
    for part, one in enumerate(regions):
        name = name_of(one, names)
        tip = f"{name}: {numbers.percent(one.share)} of the triangle"
        data += [{**row, "group": name, "part": part, "tip": tip} for row in placed(one.outline)]
    return data


def described(
    regions: Sequence[Region], names: Sequence[str], corners: Sequence[str], decision: "Decision"
) -> str:
    """Describe the map for people who do not see it."""
    share: dict[str, float] = {}
    for one in regions:
        share[name_of(one, names)] = share.get(name_of(one, names), 0.0) + one.share
    parts = ", ".join(f"{name} {numbers.percent(part)}" for name, part in share.items())
    others = "" if decision.scale.k == 3 else ", if all other classes have the probability 0"
    return (
        f"The triangle of all probabilities of {numbers.in_words([clean(name) for name in corners])}{others}: at a "
        f"corner a class is certain, and halfway between two corners two classes are equally probable. The colour is "
        f"the answer of the rule for {decision.measure}; the dashed lines are where the most probable class changes. "
        f"Parts of the triangle: {parts}."
    )


def corner_sheet(regions: Sequence[Region], decision: "Decision", classes: Sequence[int]) -> Sheet:
    """Return the probabilities at the corners of each region."""
    names = [clean(name) for name in decision.scale.names]
    columns = [Column("answer"), *(Column(f"P({names[at]})", Kind.NUMBER) for at in classes)]
    rows = [(name_of(one, names), *corner) for one in regions for corner in one.corners.tolist()]
    return value_sheet(columns, rows)
