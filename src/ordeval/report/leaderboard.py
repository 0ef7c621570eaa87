"""The leaderboard of the page: its rows with the constant answer, and what is doubtful."""

import re
from collections.abc import Sequence

from ordeval.comparison.comparison import Comparison
from ordeval.comparison.leaderboard_sheet import place_of_constant
from ordeval.comparison.results import Standing
from ordeval.formats.names import short
from ordeval.formats.numbers import in_words
from ordeval.formats.sheet import Cell


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


def doubts(comparison: Comparison) -> dict[str, str]:
    """Return why the intervals of a measure may be too narrow, by the measure."""
    warnings = {name: comparison.scores.warning(name) for name in comparison.scores.metrics}
    return {name: f"{name} {warning}." for name, warning in warnings.items() if warning}


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


def board_rows(
    comparison: Comparison, cells: Sequence[Sequence[Cell]]
) -> list[tuple[Standing | None, Sequence[Cell]]]:
    """Return the rows of the leaderboard with their cells; the constant answer stands at its place, without either."""
    rows: list[tuple[Standing | None, Sequence[Cell]]] = list(
        zip(comparison.leaderboard, cells, strict=True)
    )
    rows.insert(place_of_constant(comparison), (None, ()))
    return rows
