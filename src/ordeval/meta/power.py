"""Discriminative power: the share of system pairs that a measure tells apart (Sakai 2006)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ordeval.comparison.pairs import bootstrap_p, check_items, draws_for
from ordeval.comparison.scoring import Scorer, joint_patterns
from ordeval.errors import ParameterError
from ordeval.meta.coverage import Interval, plain, quantiles
from ordeval.meta.display import interval, number
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array, pairs_of
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import (
    CaseValues,
    filled,
    label_measures,
    mean_over_cases,
    read_undefined,
    read_values,
)
from ordeval.metrics import resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import case_weights, resampled_scores
from ordeval.stats.multiple_testing import adjusted, read_correction
from ordeval.stats.streams import Purpose, read_seed

SCHEMA = 1


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativePower(PerMeasure):
    """The share of system pairs told apart at a level, for each measure."""

    what: ClassVar[str] = "discriminative power"

    metrics: tuple[str, ...]
    values: Array
    draws: Array  # [measure, resample of systems]
    p: Array  # [measure, pair]: adjusted as `correction` says, NaN where a score is undefined
    alpha: float
    level: float
    systems: int
    n_resamples: int
    resample: str
    correction: str
    left_out: tuple[int, ...]  # pairs without a difference, of each measure

    def interval(self, metric: object) -> Interval:
        """Return the bootstrap interval over systems."""
        at = self.at(metric)
        low, high, undefined = quantiles(self.draws[at], self.level, float(self.values[at]))
        return Interval(max(low, 0.0), min(high, 1.0), undefined)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the p-values as plain Python objects."""
        rows = []
        for name in self.order:
            at, found = self.at(name), self.interval(name)
            rows.append(
                {
                    "name": name, "discriminative_power": plain(self.values[at]), "low": plain(found.low),
                    "high": plain(found.high), "pairs_left_out": self.left_out[at],
                }
            )  # fmt: skip
        head = {
            "schema": SCHEMA,
            "kind": "discriminative_power",
            "alpha": self.alpha,
            "level": self.level,
        }
        test = {
            "n_resamples": self.n_resamples,
            "resample": self.resample,
            "correction": self.correction,
        }
        return {**head, **test, "systems": self.systems, "metrics": rows}

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table."""
        rows = []
        for name in self.order:
            found = self.interval(name)
            rows.append([name, number(self[name], 3), interval(found.low, found.high, 3)])
        return ["measure", "pairs told apart", f"{self.level:.0%} over systems"], rows

    def __repr__(self) -> str:
        best = self.order[0]
        return f"DiscriminativePower({best}={self[best]:.3f} best of {len(self.metrics)} measures, alpha={self.alpha})"


def discriminative_power(
    data: Any,
    metrics: Any = None,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    n_resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
) -> DiscriminativePower:
    """Return the share of system pairs whose difference is significant at `alpha` by the paired bootstrap.

    Test cases are drawn again where there are several, items where there are none: the resamples of
    `ordeval.compare`. `correction` adjusts over the pairs ("holm", "bh"); none, as Sakai has it, unless asked for. The
    interval draws the systems again. `undefined` says what an undefined score counts as, as in
    `coverage`; a pair that still has one is left out and counted. Holm's correction takes
    more resamples than `n_resamples` where its smallest p could not be significant otherwise.
    """
    seed = read_seed(rng)
    read_undefined(undefined)
    if isinstance(data, Runs) and len(data.cases) < 2:
        runs = data.pooled()
        measures = resolve(label_measures() if metrics is None else metrics)
        scorer = Scorer(measures, runs.scale, runs.policy)
        patterns = joint_patterns(runs)
        check_items(patterns, "items", "bootstrap")
        observed = scorer(patterns[0].observed)
        size = resamples_for(n_resamples, len(runs.systems), alpha, correction)
        drawn = resampled_scores(
            patterns, scorer, unit="items", size=size, seed=seed, purpose=Purpose.JOINT
        )
        scores = [
            filled(one if measure.greater_is_better else -one, measure, undefined)
            for one, measure in zip(
                np.concatenate([observed[..., None], drawn], axis=-1),
                measures.values(),
                strict=True,
            )
        ]
        every = np.stack(scores)
        return told_apart(
            tuple(measures), every[..., 0], every[..., 1:].transpose(0, 2, 1),
            alpha=alpha, correction=correction, level=level, unit="items", seed=seed,
        )  # fmt: skip
    scored = read_values(data, metrics, rng=seed, undefined=undefined)
    return power_of_values(
        scored,
        scored.metrics,
        alpha=alpha,
        correction=correction,
        n_resamples=n_resamples,
        level=level,
        seed=seed,
    )


def power_of_values(
    scored: CaseValues,
    metrics: tuple[str, ...],
    *,
    alpha: float = 0.05,
    correction: str = "none",
    n_resamples: int = 999,
    level: float = 0.95,
    seed: int = 0,
) -> DiscriminativePower:
    """Return discriminative power from scores over test cases, drawn again as `ordeval.compare` draws them."""
    values = scored.take(metrics)[:, 0]
    size = resamples_for(n_resamples, values.shape[1], alpha, correction)
    often = case_weights(seed, values.shape[-1], size).astype(np.float64)
    there = ~np.isnan(values)
    above, amount = np.where(there, values, 0.0) @ often.T, there.astype(np.float64) @ often.T
    drawn = np.divide(above, amount, out=np.full(above.shape, np.nan), where=amount > 0)
    observed = mean_over_cases(values)
    return told_apart(
        tuple(metrics), observed, drawn.transpose(0, 2, 1),
        alpha=alpha, correction=correction, level=level, unit="cases", seed=seed,
    )  # fmt: skip


def resamples_for(asked: int, systems: int, alpha: float, correction: str) -> int:
    """Check the test, and return how many resamples it takes: as many as `ordeval.compare` would draw."""
    read_amount(asked, "n_resamples", 1)
    if not 0 < alpha < 1:
        raise ParameterError(
            f"alpha is {alpha!r}; the level of a test lies between 0 and 1, as in 0.05."
        )
    pairs = systems * (systems - 1) // 2
    return draws_for(asked, pairs, alpha, read_correction(correction))


def told_apart(
    metrics: tuple[str, ...],
    observed: Array,
    drawn: Array,
    *,
    alpha: float,
    correction: str,
    level: float,
    unit: str,
    seed: int,
) -> DiscriminativePower:
    """Count the pairs told apart, and draw the systems again for the interval."""
    read_level(level)
    systems, size = observed.shape[-1], drawn.shape[1]
    first, second = pairs_of(systems)
    # Not rounded: a resample as far off as the observed difference is told by less than rounding would add.
    change = observed[:, first] - observed[:, second]
    pairs = [
        bootstrap_p(some[:, first].T - some[:, second].T, one)
        for one, some in zip(change, drawn, strict=True)
    ]
    p = adjusted(np.stack(pairs), correction)
    there = ~np.isnan(p)
    apart = np.where(there, p <= alpha, 0.0)
    rng = np.random.default_rng([seed, systems])
    weights = rng.multinomial(systems, np.full(systems, 1 / systems), size=size).astype(np.float64)
    mass = weights[:, first] * weights[:, second]  # a system and its own copy are no pair
    above, below = apart @ mass.T, there.astype(np.float64) @ mass.T
    draws = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    amount = there.sum(axis=-1)
    values = np.divide(apart.sum(axis=-1), amount, out=np.full(len(p), np.nan), where=amount > 0)
    left_out = tuple((~there).sum(axis=-1).tolist())
    return DiscriminativePower(
        metrics, values, draws, p, alpha, level, systems, size, unit, correction, left_out
    )
