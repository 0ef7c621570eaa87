"""How similarly two measures rank the systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.meta.matrix import PairMatrix
from ordeval.meta.ranking import Array, differences, quotient
from ordeval.meta.values import asked, mean_of_defined, read_values


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankAgreement(PairMatrix):
    """Kendall's tau-b between the system rankings of every two measures.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.rank_agreement(made.runs, ["cem_ord", "mae"])
    RankAgreement(measures=2, systems=10)
    """

    kind = "rank_agreement"
    thing = "measure"
    corner = "tau-b"
    settings = ("systems", "metrics")

    metrics: tuple[str, ...]  # the names of the measures
    systems: int  # the number of systems

    @property
    def names(self) -> Sequence[str]:
        """The measures."""
        return self.metrics

    def __repr__(self) -> str:
        return f"RankAgreement(measures={len(self.metrics)}, systems={self.systems})"


def rank_agreement(
    data: Any,
    metrics: Any = None,
    *,
    parts: int = 10,
    repeats: int = 10,
    rng: Any = 0,
    undefined: str = "omit",
) -> RankAgreement:
    """Return Kendall's tau-b between the rankings of the systems by every two measures, greater values first.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> round(oe.meta.rank_agreement(made.runs, ["cem_ord", "mae"])["cem_ord", "mae"], 3)
    0.956
    """
    scored = read_values(data, metrics, parts=parts, repeats=repeats, rng=rng, undefined=undefined)
    names = asked(scored, metrics)
    means = mean_of_defined(scored.take(names))
    matrix = tau_b(mean_of_defined(means.transpose(0, 2, 1)))
    return RankAgreement(metrics=names, matrix=matrix, systems=len(scored.systems))


def tau_b(values: Array) -> Array:
    """Return Kendall's tau-b between every two rows of values[measure, system], over the pairs that both define."""
    change = differences(values)
    defined = (~np.isnan(change)).astype(np.float64)
    signs = np.where(defined > 0, np.sign(change), 0.0)
    ranked = np.abs(signs)
    # below: the pairs that each of the two measures ranks, among those that both define
    return quotient(signs @ signs.T, np.sqrt((ranked @ defined.T) * (defined @ ranked.T)))
