"""A bar for each class, divided into parts whose shares are told by colour."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.report import palette
from ordeval.report.charts import (
    SILENT,
    TIP,
    distinct_names,
    finite_or_none,
    row_axis,
)
from ordeval.report.specification import (
    Specification,
    constant,
    field,
    layered,
    marks,
    pixels_each,
)

ROOM_FOR_TEXT = 0.09  # of a bar


def stacked_bars(
    labels: Sequence[Any],
    parts: Array,
    names: Sequence[str],
    colours: Sequence[str],
    *,
    signs: Sequence[str] | None = None,
    title: str,
    tips: Sequence[Sequence[str]],
    notes: Sequence[str],
) -> Specification:
    """Draw parts[row, part] as shares of their row; a sign before its percentage tells a part in black and white too.

    `names` and `colours` are those of the parts, `notes` are next to the bars, and `title` is that of the rows.
    """
    shares = shares_of(parts)
    rows = distinct_names(labels)
    starts = np.cumsum(shares, axis=1) - shares
    before = [""] * len(names) if signs is None else signs
    data = [
        {
            "name": rows[g],
            "part": names[at],
            "from": finite_or_none(starts[g, at]),
            "to": finite_or_none(starts[g, at] + shares[g, at]),
            "middle": finite_or_none(starts[g, at] + shares[g, at] / 2),
            "text": f"{before[at]} {numbers.percent(shares[g, at])}".strip()
            if shares[g, at] >= ROOM_FOR_TEXT
            else "",
            "tip": tips[g][at],
        }
        for g in range(len(rows))
        for at in range(len(names))
        if parts[g, at] > 0
    ]
    used = [at for at in range(len(names)) if parts[:, at].any()]
    fill = field(
        "part:N",
        scale={"domain": [names[at] for at in used], "range": [colours[at] for at in used]},
        legend={"symbolType": "square", "columns": 3},
    )
    y = field("name:N", **row_axis(rows, title=title))
    along: dict[str, Any] = {"scale": {"domain": [0, 1]}, "axis": None}
    bars = marks(
        "bar",
        {"y": y, "x": field("from:Q", **along), "x2": field("to"), "fill": fill, **TIP},
        stroke=palette.PAPER,
        strokeWidth=1.5,
        height={"band": 0.8},
    )
    text = marks(
        "text",
        {"y": y, "x": field("middle:Q", **along), "text": field("text:N")},
        color=palette.INK,
        fontSize=11,
        **SILENT,
    )
    beside = marks(
        "text",
        {"y": y, "x": constant("width"), "text": field("note:N")},
        data=[{"name": row, "note": note} for row, note in zip(rows, notes, strict=True)],
        color=palette.SOFT,
        fontSize=11,
        align="left",
        dx=8,
        **SILENT,
    )
    return layered([bars, text, beside], data, width=360, height=pixels_each(28))


def shares_of(parts: Array) -> Array:
    """Return the parts of each row as shares; 0 in an empty row."""
    total = parts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(parts, total, out=np.zeros(parts.shape), where=total > 0))
