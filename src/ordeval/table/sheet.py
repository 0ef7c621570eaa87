"""A table as a sheet: counts with their totals."""

from typing import Any

import numpy as np

from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.table.display import one_line


def counts_sheet(table: Any) -> Sheet:
    """Lay out the counts with their totals, gold in rows; leading axes are summed."""
    pooled = table.pooled() if table.axes else table
    counts = np.asarray(pooled.counts)
    if pooled.unanswered.any():
        counts = np.concatenate([counts, pooled.unanswered[:, None]], axis=1)
    counts = np.concatenate([counts, pooled.gold[:, None]], axis=1)
    counts = np.concatenate([counts, counts.sum(axis=0, keepdims=True)])
    unanswered = ["unanswered"] if pooled.unanswered.any() else []
    names = [*map(str, table.scale.names), *unanswered, "total"]
    columns = [Column("gold \\ predicted"), *(Column(name, Kind.COUNT) for name in names)]
    rows = [
        [Cell(label), *map(Cell, row)]
        for label, row in zip([*map(str, table.scale.names), "total"], counts.tolist(), strict=True)
    ]
    caption = [f"Summed over the leading axes of {one_line(table)}."] if table.axes else []
    return Sheet(columns, rows, caption, one_line(table))
