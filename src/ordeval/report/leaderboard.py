"""The leaderboard of the report: one sheet, which the page shows and its download holds."""

import re
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.comparison.compare import Comparison
from ordeval.formats.names import short
from ordeval.formats.numbers import in_words
from ordeval.formats.sheet import PEOPLE, Cell, Column, Kind, Sheet


def leaderboard_sheet(comparison: Comparison) -> Sheet:
    """Return rank, tier, system and scores, the primary measure first, and where items are unanswered their share."""
    measures, scores = comparison.measure_order, comparison.scores
    columns = [Column("rank", Kind.COUNT), Column("tier", Kind.COUNT), Column("system")]
    columns += scores.score_columns(measures)
    cells = scores.score_cells(measures, comparison.order)
    rows = [
        [Cell(one.rank), Cell(one.tier), Cell(one.system), *row]
        for one, row in zip(comparison.leaderboard, cells, strict=True)
    ]
    answered = answered_shares(comparison)
    if not ties.same(answered, 1).all():
        columns.append(Column("answered", Kind.SHARE, forms=PEOPLE))
        for row, share in zip(rows, answered[list(comparison.order)].tolist(), strict=True):
            row.append(Cell(share))
    return Sheet(columns, rows)


def answered_shares(comparison: Comparison) -> Any:
    """Return the share of the items that each system answered, in the order of the data; 1 where there are none."""
    cells = comparison.cells
    items = cells.sum(axis=(1, 2, 3))
    answered = cells[..., :-1].sum(axis=(1, 2, 3))
    return np.divide(answered, items, out=np.ones(len(items)), where=items > 0)


def reasons_for_gaps(comparison: Comparison) -> list[str]:
    """Say why values or intervals are missing, each reason once, with the systems that it concerns."""
    systems: dict[str, list[str]] = {}
    for (metric, system), reason in comparison.scores.reasons.items():
        systems.setdefault(f"{metric}: {reason}", []).append(short(system))
    everybody = len(comparison.order)
    return [
        f"{reason} ({'all systems' if len(names) == everybody else in_words(names, 3)})."
        for reason, names in systems.items()
    ]


def short_measure_name(metric: str) -> str:
    """Return a measure's name with the values of its settings.

    >>> short_measure_name("weighted_kappa(weights='linear')")
    'weighted_kappa (linear)'
    """
    name, _, settings = metric.partition("(")
    values = re.findall(r"=\s*['\"]?([^,)'\"]+)", settings)
    return f"{name} ({', '.join(values)})" if values else name


def breakable_parts(name: str) -> list[str]:
    """Cut a name where a line may break: after an underscore, unless only a few letters follow.

    >>> breakable_parts("kendall_tau_b")
    ['kendall_', 'tau_b']
    """
    parts = re.findall(r"[^_]+_?|_", name)
    if len(parts) > 1 and len(parts[-1]) < 4:
        parts[-2:] = ["".join(parts[-2:])]
    return parts
