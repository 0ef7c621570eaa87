"""What the page says around the leaderboard: why values are missing or doubtful, and how measures are named."""

import re

from ordeval.comparison.comparison import Comparison
from ordeval.formats.names import short
from ordeval.formats.numbers import in_words


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
