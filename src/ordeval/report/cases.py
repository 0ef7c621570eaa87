"""The scores on each test case: which cases are hard, and which reverse the order of systems."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.comparison import Comparison
from ordeval.meta.agreement import tau_b
from ordeval.meta.values import mean_of_defined


@dataclass(frozen=True, slots=True)
class Reversal:
    """Two systems whose order on one case is the reverse of their order overall."""

    ahead: str  # overall
    behind: str
    overall: float  # the lead overall
    on_case: float  # the lead of the other system on the case


@dataclass(frozen=True, eq=False)
class CaseScores:
    """The primary measure by system and case, systems best first."""

    metric: str
    greater_is_better: bool
    cases: tuple[Any, ...]
    systems: tuple[str, ...]
    values: Array  # [system, case]
    items: Array  # [case]
    mean: Array  # [case]: over the systems whose score is defined
    best: tuple[int | None, ...]  # [case]: the best system; None where no score is defined
    agreement: Array  # [case]: tau-b between the ranking on the case and the ranking overall
    hardest: tuple[int, ...]  # the cases, the hardest first
    reversals: dict[int, Reversal]  # by case: the largest; the case with the least agreement first


def case_scores(comparison: Comparison) -> CaseScores | None:
    """Return the scores of a comparison on each case; None where there are no cases."""
    scores = comparison.scores
    if not scores.cases:
        return None
    order = list(comparison.order)
    row = scores.metrics.index(comparison.primary)
    up = scores.measures[comparison.primary].greater_is_better
    sign = 1.0 if up else -1.0
    values, overall = scores.case_values[row][order], scores.values[row][order]
    mean = mean_of_defined(values.T)
    agreement = np.array([tau_b(np.stack([overall, column]))[0, 1] for column in values.T])
    reversals = {}
    for case in np.argsort(agreement, kind="stable").tolist():  # NaN is last
        reversal = largest_reversal(sign * overall, sign * values[:, case], comparison.systems)
        if reversal is not None:
            reversals[case] = reversal
    return CaseScores(
        metric=comparison.primary,
        greater_is_better=up,
        cases=scores.cases,
        systems=comparison.systems,
        values=values,
        items=comparison.cells[0].sum(axis=(-1, -2)),
        mean=mean,
        best=tuple(best_system(column, greater_is_better=up) for column in values.T),
        agreement=agreement,
        hardest=tuple(np.argsort(sign * mean, kind="stable").tolist()),
        reversals=reversals,
    )


def best_system(values: Array, *, greater_is_better: bool) -> int | None:
    """Return the system with the best value, the first of those that tie; None where no value is defined."""
    if np.isnan(values).all():
        return None
    return int(np.argmax(ties.best(values, greater_is_better=greater_is_better)))


def largest_reversal(overall: Array, on_case: Array, names: tuple[str, ...]) -> Reversal | None:
    """Return the reversed pair of systems whose smaller lead, overall or on the case, is the largest."""
    lead = overall[:, None] - overall
    back = on_case - on_case[:, None]
    smaller = np.minimum(lead, back)
    a, b = np.unravel_index(int(np.argmax(np.nan_to_num(smaller))), smaller.shape)
    if not smaller[a, b] > 0 or ties.same(smaller[a, b], 0):
        return None
    return Reversal(names[int(a)], names[int(b)], float(lead[a, b]), float(back[a, b]))
