"""Robustness: whether a measure ranks the systems alike from one test case to another."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ordeval.errors import DataError
from ordeval.meta.coverage import Interval, plain, quantiles
from ordeval.meta.display import interval, number
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array, case_ranks, midranks, tied
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import CaseValues, mean_over_cases, read_values
from ordeval.stats.streams import read_generator

SCHEMA = 1
BLOCK = 4_000_000


def case_correlations(values: Array) -> Array:
    """Return Spearman between the system rankings of every two cases, from values[system, case]: [case, case].

    Over the systems that both cases define; NaN on the diagonal and where a ranking is one tie or has one system.
    """
    scores = values.T
    if not np.isnan(scores).any():
        ranks = case_ranks(scores)
        matrix = np.clip(ranks @ ranks.T, -1.0, 1.0)
    else:
        matrix = np.concatenate(
            [pairwise(scores[start : start + 1], scores) for start in range(len(scores))], axis=0
        )
    np.fill_diagonal(matrix, np.nan)
    return np.asarray(matrix)


def pairwise(one: Array, all_cases: Array) -> Array:
    """Return Spearman between one case and each other over the systems defined in both."""
    a = np.broadcast_to(one, all_cases.shape)
    lacking = np.isnan(a) | np.isnan(all_cases)
    sides = []
    for side in (a, all_cases):
        ranks = midranks(
            np.where(lacking, np.nan, tied(side))
        )  # NaN come last and leave the other ranks alone
        sides.append(np.where(lacking, 0.0, ranks - (~lacking).sum(axis=-1, keepdims=True) / 2))
    above = np.einsum("ci,ci->c", *sides)
    below = np.sqrt(
        np.einsum("ci,ci->c", sides[0], sides[0]) * np.einsum("ci,ci->c", sides[1], sides[1])
    )
    found = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return np.asarray(found[None])


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(PerMeasure):
    """The mean Spearman correlation of system rankings over pairs of test cases, for each measure."""

    what: ClassVar[str] = "robustness"

    metrics: tuple[str, ...]
    values: Array
    spread: Array  # standard deviation over random splits; NaN with test cases
    draws: Array  # [measure, resample of cases]
    level: float
    systems: int
    cases: int
    repeats: int
    undefined: str
    touched: tuple[int, ...]
    left_out: tuple[
        int, ...
    ]  # pairs of cases whose correlation is undefined, of each measure, over all splits

    def interval(self, metric: object) -> Interval:
        """Return the bootstrap interval over test cases."""
        at = self.at(metric)
        low, high, undefined = quantiles(self.draws[at], self.level, float(self.values[at]))
        return Interval(max(low, -1.0), min(high, 1.0), undefined)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the resamples as plain Python objects."""
        rows = []
        for name in self.order:
            at, found = self.at(name), self.interval(name)
            rows.append(
                {
                    "name": name,
                    "robustness": plain(self.values[at]),
                    "spread": plain(self.spread[at]),
                    "low": plain(found.low),
                    "high": plain(found.high),
                    "undefined_values": self.touched[at],
                    "case_pairs_left_out": self.left_out[at],
                }
            )
        head = {
            "schema": SCHEMA,
            "kind": "robustness",
            "level": self.level,
            "systems": self.systems,
            "cases": self.cases,
        }
        return {**head, "repeats": self.repeats, "undefined": self.undefined, "metrics": rows}

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table."""
        rows = []
        for name in self.order:
            found = self.interval(name)
            rows.append([name, number(self[name], 3), interval(found.low, found.high, 3)])
        return ["measure", "robustness", f"{self.level:.0%} over cases"], rows

    def __repr__(self) -> str:
        best = self.order[0]
        rest = f"systems={self.systems}, cases={self.cases}"
        return f"Robustness({best}={self[best]:.3f} best of {len(self.metrics)} measures, {rest})"


def robustness(
    data: Any,
    metrics: Any = None,
    *,
    parts: int = 10,
    repeats: int = 10,
    resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
) -> Robustness:
    """Return how alike each measure ranks the systems from one test case to another.

    The mean, over pairs of test cases, of Spearman's correlation of the system scores (section 5.4 of the paper). With
    `undefined="omit"` a pair of cases is correlated over the systems that both define, and left out where fewer than
    two remain or all are tied; the intervals draw the cases again.
    """
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    return robustness_of_values(
        scored, scored.metrics, resamples=resamples, level=level, rng=generator
    )


def robustness_of_values(
    scored: CaseValues,
    metrics: tuple[str, ...],
    *,
    resamples: int = 0,
    level: float = 0.95,
    rng: Any = 0,
) -> Robustness:
    """Return robustness from scores that are there already."""
    read_level(level)
    read_amount(resamples, "resamples", 0)
    cases = len(scored.cases)
    if cases < 2:
        raise DataError(
            "there is one test case; robustness compares at least 2. Let runs without cases be cut into parts."
        )
    generator = read_generator(rng)
    often = generator.multinomial(cases, np.full(cases, 1 / cases), size=resamples).astype(
        np.float64
    )
    values, draws, left_out = [], [], []
    for of_splits in scored.take(metrics):
        matrices = np.stack([case_correlations(one) for one in of_splits])
        there = np.isfinite(matrices).astype(np.float64)
        plain_matrices = np.where(there > 0, matrices, 0.0)
        above, below = plain_matrices.sum(axis=(1, 2)), there.sum(axis=(1, 2))
        values.append(np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0))
        left_out.append(int(len(matrices) * cases * (cases - 1) - below.sum()) // 2)
        # A resample of cases weighs each pair by how often its two cases came up; a case and its copy are no pair. The
        # random splits take turns.
        turn = np.arange(resamples) % len(matrices)
        top = (
            np.einsum("rc,rcd,rd->r", often, plain_matrices[turn], often)
            if resamples
            else np.empty(0)
        )
        bottom = np.einsum("rc,rcd,rd->r", often, there[turn], often) if resamples else np.empty(0)
        draws.append(np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0))
    found = np.stack(values)
    positions = [scored.metrics.index(name) for name in metrics]
    return Robustness(
        tuple(metrics),
        mean_over_cases(found),
        found.std(axis=1, ddof=1) if found.shape[1] > 1 else np.full(len(found), np.nan),
        np.stack(draws),
        level,
        len(scored.systems),
        cases,
        scored.repeats,
        scored.undefined,
        tuple(scored.touched[at] for at in positions),
        tuple(left_out),
    )
