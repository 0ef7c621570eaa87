"""The chart of a plan: the chance of finding a difference against the number of items."""

import math
from typing import TYPE_CHECKING

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import GRID, SILENT, TIP, Figure, layered, of_rows
from ordeval.report.offline import alt
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
    x = alt.X(
        "items:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=alt.Axis(title=f"items{each}", **GRID)
    )  # fmt: skip
    y = alt.Y(
        "power:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(title="power: chance of a significant difference", **GRID),
    )
    base = alt.Chart().encode(x=x, y=y)
    curve = base.mark_line(strokeWidth=2, color=palette.GROUPS[1], **SILENT)
    dots = base.mark_point(filled=True, size=14, opacity=1, color=palette.GROUPS[1]).encode(**TIP)
    size = numbers.counted(plan.items, "item")
    if plan.cases is not None:
        size = f"{numbers.counted(plan.cases, 'test case')} ({size})"
    needed = [{"items": plan.items, "power": plan.power, "note": size}]
    target = of_rows(needed).encode(x=x, y=y)
    down = target.mark_rule(strokeDash=[5, 3], color=palette.SOFT, **SILENT).encode(
        y2=alt.value("height")
    )
    across = target.mark_rule(strokeDash=[5, 3], color=palette.SOFT, **SILENT).encode(
        x2=alt.value(0)
    )
    mark = target.mark_point(
        filled=True, size=80, opacity=1, shape="diamond", color=palette.GROUPS[3], **SILENT
    )
    text = target.mark_text(
        align="left", baseline="top", dx=8, dy=6, fontSize=12, color=palette.INK, **SILENT
    ).encode(text="note:N")
    reached = round(float(power_with(plan, np.array([plan.pilot]))[0]), 6)
    pilot = [{"items": plan.pilot, "power": reached, "note": "pilot"}]
    start = of_rows(pilot).encode(x=x, y=y)
    layers = [
        down, across, curve, dots, mark, text,
        start.mark_point(filled=True, size=60, opacity=1, shape="square", color=palette.GROUPS[0], **SILENT),
        start.mark_text(align="left", baseline="top", dx=8, dy=4, fontSize=11, color=palette.SOFT, **SILENT).encode(
            text="note:N"
        ),
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
