"""Which measures rank these systems alike, and which formal properties each has."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ordeval.comparison.cells import Array, Scorer
from ordeval.comparison.result import Comparison
from ordeval.meta.agreement import tau_b
from ordeval.meta.values import mean_of_defined
from ordeval.metrics import Metric, registry
from ordeval.metrics.registry import resolve
from ordeval.properties import Verdicts, check

SAME = 1e-12
# Beside those of the leaderboard: one or two of each family, so that the reader sees what another choice would change.
BESIDE = (
    "cem_ord",
    "accuracy",
    "macro_f1",
    "mae",
    "macro_mae",
    "mse",
    "weighted_kappa(weights='linear')",
    "weighted_kappa(weights='quadratic')",
    "krippendorff_alpha",
    "kendall_tau_b",
    "spearman",
    "reliability_sensitivity",
    "mutual_information",
)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Kendall's tau-b between the rankings of the systems by every two measures, nearest to the primary first."""

    metrics: tuple[str, ...]
    matrix: Array
    best: tuple[
        str, ...
    ]  # the system that each measure puts first; empty where it is undefined for all


def measure_agreement(comparison: Comparison) -> Agreement | None:
    """Score the systems by the leaderboard's measures and some more; None where there is nothing to rank."""
    if len(comparison.order) < 2:
        return None
    measures = {**comparison.scores.measures}
    known = set(measures.values())
    measures |= {name: measure for name, measure in resolve(BESIDE).items() if measure not in known}
    scorer = Scorer(measures, comparison.runs.scale, comparison.runs.policy)
    sign = np.array([1.0 if measure.greater_is_better else -1.0 for measure in measures.values()])
    values = mean_of_defined(scorer(comparison.cells)) * sign[:, None]
    matrix = tau_b(values)
    first = list(measures).index(comparison.primary)
    near = np.where(np.isnan(matrix[first]), -2.0, matrix[first])
    near[first] = 2.0
    order = np.argsort(-near, kind="stable").tolist()
    best = tuple(first_by(values[m], comparison) for m in order)
    return Agreement(tuple(list(measures)[m] for m in order), matrix[np.ix_(order, order)], best)


def first_by(worth: Array, comparison: Comparison) -> str:
    """Return the system with the highest worth, of equal ones the one that the comparison ranks first; '' if none."""
    if np.isnan(worth).all():
        return ""
    equal = worth >= np.nanmax(worth) - SAME
    return comparison.scores.systems[next(at for at in comparison.order if equal[at])]


@cache
def verdicts_on(metric: str | Metric) -> Verdicts:
    """Search for counterexamples to the paper's three properties; the search is the same for all data."""
    return check(registry[str(metric)])
