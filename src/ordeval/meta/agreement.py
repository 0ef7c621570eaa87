"""Whether two measures rank the systems alike, and whether a measure's order of two systems holds on other cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import DataError
from ordeval.meta.matrix import PairMatrix
from ordeval.meta.per_measure import PerMeasure, spread_over_splits
from ordeval.meta.ranking import Array, differences, quotient
from ordeval.meta.resamples import read_amount
from ordeval.meta.values import asked, mean_of_defined, read_values
from ordeval.stats.streams import read_generator


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankAgreement(PairMatrix):
    """Kendall's tau-b between the system rankings of every two measures."""

    kind = "rank_agreement"
    thing = "measure"
    corner = "tau-b"
    settings = ("systems", "metrics")

    metrics: tuple[str, ...]
    systems: int

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
    """Return Kendall's tau-b between the rankings of the systems by every two measures, greater values first."""
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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SwapRate(PerMeasure):
    """The share of system pairs whose order on one half of the test cases is reversed on the other half."""

    kind = "swap_rate"
    called = "swap rate"
    greater_is_better = False
    settings = ("splits",)
    in_repr = ("splits",)

    splits: int  # random halvings; `spread` is over them


def swap_rate(
    data: Any,
    metrics: Any = None,
    *,
    splits: int = 100,
    parts: int = 10,
    repeats: int = 10,
    rng: Any = 0,
    undefined: str = "omit",
) -> SwapRate:
    """Return how often two halves of the test cases put two systems in opposite orders (Voorhees and Buckley 2002).

    The cases are halved at random, `splits` times; a tie on either half is no swap.
    """
    read_amount(splits, "splits", 1)
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    names = asked(scored, metrics)
    cases = len(scored.cases)
    if cases < 2:
        raise DataError(
            "there is one test case; it cannot be halved. Let runs without cases be cut into parts."
        )
    halves = random_halves(cases, splits, generator)
    rates = []
    for values in scored.take(names):  # [split, system, case]; the random splits take turns
        turn = np.arange(splits) % len(values)
        defined = ~np.isnan(values)
        known_or_zero = np.where(defined, values, 0.0)
        orders = []
        for half in halves:
            total = np.einsum("rsc,rc->rs", known_or_zero[turn], half)
            amount = np.einsum("rsc,rc->rs", defined[turn].astype(np.float64), half)
            orders.append(np.sign(differences(quotient(total, amount))))
        product = orders[0] * orders[1]
        rates.append(mean_of_defined(np.where(np.isnan(product), np.nan, product < 0)))
    by_halving = np.stack(rates)
    return SwapRate(
        metrics=names,
        values=mean_of_defined(by_halving),
        spread=spread_over_splits(by_halving),
        systems=len(scored.systems),
        cases=cases,
        splits=splits,
    )


def random_halves(cases: int, splits: int, rng: np.random.Generator) -> list[Array]:
    """Return which cases are in the first and in the second half, [split, case] each; an odd one is in neither."""
    shuffled = rng.permuted(np.broadcast_to(np.arange(cases), (splits, cases)), axis=1)
    size = cases // 2
    halves = [np.zeros((splits, cases)), np.zeros((splits, cases))]
    np.put_along_axis(halves[0], shuffled[:, :size], 1.0, axis=1)
    np.put_along_axis(halves[1], shuffled[:, size : 2 * size], 1.0, axis=1)
    return halves
