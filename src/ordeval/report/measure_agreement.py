"""Whether other measures would rank the systems alike."""

from dataclasses import dataclass

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.scorer import Scorer
from ordeval.meta.agreement import tau_b
from ordeval.meta.values import mean_of_defined
from ordeval.metrics.registry import resolve

# Shown beside the measures of the leaderboard: one or two of each family, so that the reader sees what another choice
# would change.
OTHER_MEASURES = (
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
class MeasureAgreement:
    """How alike every two measures rank the systems, the measures that agree most with the primary one first."""

    metrics: tuple[str, ...]
    tau_b: Array  # [measure, measure]: Kendall's tau-b between the two rankings
    # the systems that each measure puts first, several if they tie; empty where it is undefined for all
    winners: tuple[tuple[str, ...], ...]


def measure_agreement(comparison: Comparison) -> MeasureAgreement | None:
    """Score the systems by the leaderboard's measures and some others; None where there is one system."""
    if len(comparison.order) < 2:
        return None
    measures = {**comparison.scores.measures}
    compared = set(measures.values())
    measures |= {
        name: measure
        for name, measure in resolve(OTHER_MEASURES).items()
        if measure not in compared
    }
    scorer = Scorer(measures, comparison.runs.scale, comparison.runs.policy)
    by_case = scorer.filled(scorer(comparison.cells), comparison.scores.undefined_as)
    values = mean_of_defined(by_case)
    up = np.array([measure.greater_is_better for measure in measures.values()])
    matrix = tau_b(np.where(up[:, None], values, -values))
    names = list(measures)
    primary = names.index(comparison.primary)
    closeness = np.where(np.isnan(matrix[primary]), -2.0, matrix[primary])
    closeness[primary] = 2.0  # above all others, even those that rank alike
    order = np.argsort(-closeness, kind="stable").tolist()
    return MeasureAgreement(
        tuple(names[m] for m in order),
        matrix[np.ix_(order, order)],
        tuple(winners(values[m], comparison, greater_is_better=bool(up[m])) for m in order),
    )


def winners(values: Array, comparison: Comparison, *, greater_is_better: bool) -> tuple[str, ...]:
    """Return the systems with the best value, as the leaderboard orders them; () where no value is defined.

    A system that answered nothing is never the best.
    """
    values = np.where(comparison.scores.answered.sum(axis=-1) > 0, values, np.nan)
    marks = ties.best(values, greater_is_better=greater_is_better)
    return tuple(comparison.scores.systems[at] for at in comparison.order if marks[at])
