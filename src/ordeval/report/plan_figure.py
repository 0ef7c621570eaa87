"""The chart of a plan: the chance of finding a difference against the number of items."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import GRID, SILENT, TIP, Figure
from ordeval.report.specification import constant, field, layered, marks
from ordeval.stats.distributions import one_t_quantile, t_cdf

if TYPE_CHECKING:
    from ordeval.comparison.plan import Plan

POINTS = 60  # of the curve


def power_figure(plan: "Plan") -> Figure:
    """Draw the power of a plan against the number of items, with the number that it needs."""
    assert plan.items is not None  # noqa: S101 - `plot.power` refuses a plan without a number
    most = max(2.0 * plan.items, 1.2 * plan.pilot, 10.0)
    least = max(2.0, math.ceil(2.0 * plan.pilot / plan.units))  # a test needs two items or cases
    items = np.unique(np.rint(np.linspace(least, most, POINTS)).astype(int))
    power = power_with(plan, items)
    pair = f"{short(plan.a)} and {short(plan.b)}"
    data = [
        {"items": n, "power": round(p, 6), "tip": f"{numbers.counted(n, 'item')}: power {numbers.number(p, 2)}"}
        for n, p in zip(items.tolist(), power.tolist(), strict=True)
    ]  # fmt: skip
    each = "" if plan.paired else " for each of the two"
    x = field(
        "items:Q",
        scale={"domain": [0, most], "nice": False},
        axis={"title": f"items{each}", **GRID},
    )
    y = field(
        "power:Q",
        scale={"domain": [0, 1]},
        axis={"title": "power: chance of a significant difference", **GRID},
    )
    place, note = {"x": x, "y": y}, field("note:N")
    size = numbers.counted(plan.items, "item")
    if plan.cases is not None:
        size = f"{numbers.counted(plan.cases, 'test case')} ({size})"
    needed = [{"items": plan.items, "power": plan.power, "note": size}]
    reached = round(float(power_with(plan, np.array([plan.pilot]))[0]), 6)
    pilot = [{"items": plan.pilot, "power": reached, "note": "pilot"}]
    dashes: dict[str, Any] = {"strokeDash": [5, 3], "color": palette.SOFT, **SILENT}
    dot: dict[str, Any] = {"filled": True, "opacity": 1}
    beside: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 8, **SILENT}
    blue = palette.GROUPS[1]
    layers = [
        marks("rule", {**place, "y2": constant("height")}, data=needed, **dashes),
        marks("rule", {**place, "x2": constant(0)}, data=needed, **dashes),
        marks("line", place, strokeWidth=2, color=blue, **SILENT),
        marks("point", {**place, **TIP}, size=14, color=blue, **dot),
        marks("point", place, data=needed, size=80, shape="diamond", color=palette.GROUPS[3], **dot, **SILENT),
        marks("text", {**place, "text": note}, data=needed, dy=6, fontSize=12, color=palette.INK, **beside),
        marks("point", place, data=pilot, size=60, shape="square", color=palette.GROUPS[0], **dot, **SILENT),
        marks("text", {**place, "text": note}, data=pilot, dy=4, fontSize=11, color=palette.SOFT, **beside),
    ]  # fmt: skip
    return Figure(
        layered(layers, data, width=360, height=240),
        f"Power to find a difference of {numbers.number(abs(plan.difference), 4)} in {plan.metric}",
        f"The chance that the difference between {pair} is significant at {1 - plan.level:.3g}, against the number of "
        f"items{each}. A power of {plan.power:g} takes {size}; the pilot had "
        f"{numbers.amount(plan.pilot)}.",
        Sheet(
            [Column("items", Kind.COUNT), Column("power", Kind.NUMBER)],
            [[Cell(n), Cell(p)] for n, p in zip(items.tolist(), power.tolist(), strict=True)],
        ),
    )


def power_with(plan: "Plan", items: Array) -> Array:
    """Return the chance that each number of items would make the planned difference significant.

    It is what `Plan.items` solves for: the t of the difference minus the quantile of the test is the t of the power.
    """
    sample = np.maximum(items / plan.pilot * plan.units, 2.0)
    freedom = (sample - 1) * (1 if plan.paired else 2)
    tail = (1 - plan.level) / (2 * plan.comparisons)
    error = plan.error * np.sqrt(plan.units / sample)
    with np.errstate(divide="ignore"):
        t = np.where(error > 0, abs(plan.difference) / error, math.inf)
    quantile = np.array([one_t_quantile(1 - tail, f) for f in freedom.tolist()])
    return np.asarray(t_cdf(np.minimum(t - quantile, 1e6), freedom))
