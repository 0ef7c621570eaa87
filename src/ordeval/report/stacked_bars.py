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
    Chart,
    distinct_names,
    finite_or_none,
    layered,
    row_axis,
)
from ordeval.report.offline import alt

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
) -> Chart:
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
    fill = alt.Fill(
        "part:N",
        scale=alt.Scale(domain=[names[at] for at in used], range=[colours[at] for at in used]),
        legend=alt.Legend(symbolType="square", columns=3),
    )
    y = alt.Y("name:N", **row_axis(rows, title=title))
    x = alt.Scale(domain=[0, 1])
    base = alt.Chart().encode(y=y)
    bars = base.mark_bar(
        stroke=palette.PAPER, strokeWidth=1.5, height=alt.RelativeBandSize(band=0.8)
    ).encode(x=alt.X("from:Q", scale=x, axis=None), x2="to:Q", fill=fill, **TIP)
    text = base.mark_text(color=palette.INK, fontSize=11, **SILENT).encode(
        x=alt.X("middle:Q", scale=x, axis=None), text="text:N"
    )
    beside = (
        alt.Chart(
            alt.InlineData(
                values=[{"name": row, "note": note} for row, note in zip(rows, notes, strict=True)]
            )
        )
        .mark_text(color=palette.SOFT, fontSize=11, align="left", dx=8, **SILENT)
        .encode(y=y, x=alt.value("width"), text="note:N")
    )
    return layered([bars, text, beside], data, width=360, height=alt.Step(28))


def shares_of(parts: Array) -> Array:
    """Return the parts of each row as shares; 0 in an empty row."""
    total = parts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(parts, total, out=np.zeros(parts.shape), where=total > 0))
