"""The test cases one by one: which are hard, and on which the ranking turns over."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.compare import Comparison
from ordeval.meta.agreement import tau_b

SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Turn:
    """A pair of systems whose order on one case is the reverse of their order overall."""

    ahead: str  # overall
    behind: str
    overall: float  # by how much
    here: float  # by how much the other is ahead here


@dataclass(frozen=True, eq=False)
class CaseWork:
    """The primary measure by system and case, systems best first."""

    cases: tuple[Any, ...]
    systems: tuple[str, ...]
    values: Array  # [system, case]
    items: Array  # [case]
    mean: Array  # [case]: over the systems with a defined score
    best: tuple[str, ...]  # the system that is best on each case; empty where none is defined
    top: Array  # [case]: the best system's score
    agreement: Array  # [case]: tau-b between the ranking on the case and the ranking overall
    hardest: tuple[int, ...]  # cases, the hardest first
    turned: tuple[int, ...]  # cases, the ranking that differs most first
    turns: tuple[Turn | None, ...]  # [case]


def casework(comparison: Comparison) -> CaseWork | None:
    """Look at the cases of a comparison; None where there are none."""
    scores = comparison.scores
    if not scores.cases:
        return None
    order = list(comparison.order)
    up = scores.measures[comparison.primary].greater_is_better
    values = scores.case_values[comparison.row][order]
    overall = scores.values[comparison.row][order]
    worth = values if up else -values
    whole = overall if up else -overall
    names = comparison.systems
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    mean = np.divide(
        np.where(there, values, 0.0).sum(axis=0),
        count,
        out=np.full(len(count), np.nan),
        where=count > 0,
    )
    first = np.where(there, worth, -np.inf).argmax(axis=0)
    best = tuple(names[s] if count[c] else "" for c, s in enumerate(first.tolist()))
    top = np.where(count > 0, values[first, np.arange(len(first))], np.nan)
    agreement = np.array([tau_b(np.stack([whole, column]))[0, 1] for column in worth.T])
    difficulty = np.where(np.isnan(mean), np.inf, mean if up else -mean)
    return CaseWork(
        cases=scores.cases,
        systems=names,
        values=values,
        items=comparison.cells[0].sum(axis=(-1, -2)),
        mean=mean,
        best=best,
        top=top,
        agreement=agreement,
        hardest=tuple(np.argsort(difficulty, kind="stable").tolist()),
        turned=tuple(
            np.argsort(np.where(np.isnan(agreement), np.inf, agreement), kind="stable").tolist()
        ),
        turns=tuple(largest_turn(whole, column, names) for column in worth.T),
    )


def largest_turn(overall: Array, here: Array, names: tuple[str, ...]) -> Turn | None:
    """Return the reversed pair whose two differences are both large: by the smaller of the two."""
    with np.errstate(invalid="ignore"):
        ahead = overall[:, None] - overall[None, :]
        back = here[None, :] - here[:, None]
        size = np.where((ahead > SAME) & (back > SAME), np.minimum(ahead, back), 0.0)
    a, b = np.unravel_index(int(np.argmax(size)), size.shape)
    if not size[a, b] > 0:
        return None
    return Turn(names[int(a)], names[int(b)], float(ahead[a, b]), float(back[a, b]))
