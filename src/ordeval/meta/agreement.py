"""Whether two measures rank the systems alike, and whether a measure's order of two systems holds on other cases."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import DataError, ParameterError
from ordeval.meta.coverage import plain
from ordeval.meta.display import grid_html, grid_text, number
from ordeval.meta.ranking import Array, differences
from ordeval.meta.resamples import read_amount
from ordeval.meta.values import CaseValues, mean_over_cases, read_values
from ordeval.stats.streams import read_generator

SCHEMA = 1


@dataclass(frozen=True, eq=False, repr=False)
class RankAgreement:
    """Kendall's tau-b between the system rankings of every two measures."""

    metrics: tuple[str, ...]
    matrix: Array
    systems: int

    def __getitem__(self, pair: tuple[object, object]) -> float:
        """Return the agreement of two measures."""
        names = [str(one) for one in pair]
        lacking = [name for name in names if name not in self.metrics]
        if lacking:
            raise ParameterError(f"there is no measure {lacking[0]!r} here.")
        return float(self.matrix[self.metrics.index(names[0]), self.metrics.index(names[1])])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        matrix = [[plain(value) for value in row] for row in self.matrix]
        head = {"schema": SCHEMA, "kind": "rank_agreement", "systems": self.systems}
        return {**head, "metrics": list(self.metrics), "matrix": matrix}

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the matrix."""
        rows = [
            [name, *(number(value) for value in row)]
            for name, row in zip(self.metrics, self.matrix, strict=True)
        ]
        return ["tau-b", *self.metrics], rows

    def __repr__(self) -> str:
        return f"RankAgreement(measures={len(self.metrics)}, systems={self.systems})"

    def __str__(self) -> str:
        return grid_text(*self.grid())

    def _repr_html_(self) -> str:
        return grid_html(*self.grid())


def rank_agreement(
    data: Any,
    metrics: Any = None,
    *,
    parts: int = 10,
    repeats: int = 10,
    rng: Any = 0,
    undefined: str = "omit",
) -> RankAgreement:
    """Return Kendall's tau-b between the rankings that the measures give the systems, each turned greater-is-better."""
    scored = read_values(data, metrics, parts=parts, repeats=repeats, rng=rng, undefined=undefined)
    matrix = tau_b(mean_over_cases(scored.means.transpose(0, 2, 1)))
    return RankAgreement(scored.metrics, matrix, len(scored.systems))


def tau_b(values: Array) -> Array:
    """Return Kendall's tau-b between every two rows of values[measure, system], over the pairs that both define."""
    change = differences(values)
    there = (~np.isnan(change)).astype(np.float64)
    signs = np.where(there > 0, np.sign(change), 0.0)
    apart = np.abs(signs)
    above = signs @ signs.T
    below = np.sqrt(
        (apart @ there.T) * (there @ apart.T)
    )  # pairs that each ranks, among those that both define
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0))


@dataclass(frozen=True, eq=False, repr=False)
class SwapRate:
    """The share of system pairs whose order on one half of the test cases is reversed on the other."""

    metrics: tuple[str, ...]
    values: Array
    spread: Array  # standard deviation over the random halvings
    splits: int

    def __getitem__(self, metric: object) -> float:
        """Return the swap rate of a measure."""
        if str(metric) not in self.metrics:
            raise ParameterError(f"there is no swap rate of {str(metric)!r} here.")
        return float(self.values[self.metrics.index(str(metric))])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects."""
        rows = [
            {"name": name, "swap_rate": plain(value), "spread": plain(spread)}
            for name, value, spread in zip(self.metrics, self.values, self.spread, strict=True)
        ]
        return {"schema": SCHEMA, "kind": "swap_rate", "splits": self.splits, "metrics": rows}

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows, best first."""
        order = np.argsort(self.values, kind="stable")
        rows = [
            [self.metrics[at], number(self.values[at], 3), number(self.spread[at], 3)]
            for at in order
        ]
        return ["measure", "swap rate", "spread"], rows

    def __repr__(self) -> str:
        return f"SwapRate(measures={len(self.metrics)}, splits={self.splits})"

    def __str__(self) -> str:
        return grid_text(*self.grid())

    def _repr_html_(self) -> str:
        return grid_html(*self.grid())


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
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    return swap_rate_of_values(scored, scored.metrics, splits=splits, rng=generator)


def swap_rate_of_values(
    scored: CaseValues, metrics: tuple[str, ...], *, splits: int = 100, rng: Any = 0
) -> SwapRate:
    """Return swap rates from scores that are there already."""
    read_amount(splits, "splits", 1)
    cases = len(scored.cases)
    if cases < 2:
        raise DataError(
            "there is one test case; it cannot be halved. Let runs without cases be cut into parts."
        )
    generator = read_generator(rng)
    ordered = generator.permuted(np.broadcast_to(np.arange(cases), (splits, cases)), axis=1)
    half = cases // 2
    sides = [np.zeros((splits, cases)), np.zeros((splits, cases))]
    np.put_along_axis(sides[0], ordered[:, :half], 1.0, axis=1)
    np.put_along_axis(
        sides[1], ordered[:, half : 2 * half], 1.0, axis=1
    )  # an odd case out belongs to neither
    rates = []
    for of_splits in scored.take(metrics):
        there = ~np.isnan(of_splits)
        filled = np.where(there, of_splits, 0.0)
        turn = np.arange(splits) % len(of_splits)
        orders = []
        for side in sides:
            above = np.einsum("rsc,rc->rs", filled[turn], side)
            amount = np.einsum("rsc,rc->rs", there[turn].astype(np.float64), side)
            mean = np.divide(above, amount, out=np.full(above.shape, np.nan), where=amount > 0)
            orders.append(np.sign(differences(mean)))
        rates.append(
            mean_over_cases(
                np.where(np.isnan(orders[0] + orders[1]), np.nan, orders[0] * orders[1] < 0)
            )
        )
    found = np.stack(rates)
    spread = found.std(axis=1, ddof=1) if splits > 1 else np.full(len(found), np.nan)
    return SwapRate(tuple(metrics), mean_over_cases(found), spread, splits)
