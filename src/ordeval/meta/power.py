"""Discriminative power: the share of system pairs that a measure tells apart (Sakai 2006)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.comparison.pairs import bootstrap_p, check_items, draws_for
from ordeval.comparison.scoring import Scorer, joint_patterns
from ordeval.errors import ParameterError
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array, pairs_of, quotient, weights_of_draws
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import (
    CaseValues,
    asked,
    filled,
    label_measures,
    mean_of_defined,
    read_undefined,
    read_values,
)
from ordeval.metrics import resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import case_weights, resampled_scores
from ordeval.stats.multiple_testing import adjusted, read_correction
from ordeval.stats.streams import Purpose, read_seed


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DiscriminativePower(PerMeasure):
    """The share of system pairs that each measure tells apart at a level."""

    kind = "discriminative_power"
    called = "discriminative power"
    default_over = "systems"
    limits = (0.0, 1.0)
    settings = ("alpha", "level", "n_resamples", "resample", "correction", "systems")
    counts = (("pairs_left_out", "left_out"),)
    in_repr = ("alpha",)

    p: Array  # [measure, pair]: adjusted as `correction` says, NaN where a score is undefined
    alpha: float
    n_resamples: int
    resample: str  # what the test draws again: cases or items
    correction: str


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
    `ordeval.compare`. `correction` adjusts over the pairs ("holm", "bh"); none, as in Sakai's paper, unless asked for.
    The interval draws the systems again. `undefined` says what an undefined score counts as, as in `coverage`; a pair
    that still has one is left out and counted. Holm's correction takes more resamples than `n_resamples` where its
    smallest p could not be significant otherwise.
    """
    seed = read_seed(rng)
    read_undefined(undefined)
    read_amount(n_resamples, "n_resamples", 1)
    read_level(level)
    if not 0 < alpha < 1:
        raise ParameterError(
            f"alpha is {alpha!r}; the level of a test lies between 0 and 1, as in 0.05."
        )
    over_items = isinstance(data, Runs) and len(data.cases) < 2
    source: Any = data
    if not over_items:
        source = read_values(data, metrics, rng=seed, undefined=undefined)
    systems = len(source.systems)
    first, second = pairs_of(systems)
    size = draws_for(n_resamples, len(first), alpha, read_correction(correction))
    if over_items:
        names, observed, drawn = item_draws(source, metrics, size, seed, undefined)
    else:
        names, observed, drawn = case_draws(source, metrics, size, seed)
    # The differences keep their rounding errors: bootstrap_p allows for them itself.
    by_measure = [
        bootstrap_p(resamples[first] - resamples[second], scores[first] - scores[second])
        for scores, resamples in zip(observed, drawn, strict=True)
    ]
    p = adjusted(np.stack(by_measure), correction)
    defined = ~np.isnan(p)
    apart = np.where(defined, p <= alpha, 0.0)
    weights = weights_of_draws(systems, size, np.random.default_rng([seed, systems]))
    mass = weights[:, first] * weights[:, second]  # a system and its own copy are no pair
    return DiscriminativePower(
        metrics=names,
        values=quotient(apart.sum(axis=-1), defined.sum(axis=-1)),
        spread=np.full(len(names), np.nan),
        draws={"systems": quotient(apart @ mass.T, defined.astype(np.float64) @ mass.T)},
        level=level,
        systems=systems,
        left_out=tuple((~defined).sum(axis=-1).tolist()),
        p=p,
        alpha=alpha,
        n_resamples=size,
        resample="items" if over_items else "cases",
        correction=correction,
    )


def item_draws(
    runs: Runs, metrics: Any, size: int, seed: int, undefined: str
) -> tuple[tuple[str, ...], Array, Array]:
    """Draw items again; return the measures, scores[measure, system] and those of resamples[measure, system, draw]."""
    runs = runs.pooled()
    measures = resolve(label_measures() if metrics is None else metrics)
    scorer = Scorer(measures, runs.scale, runs.policy)
    patterns = joint_patterns(runs)
    check_items(patterns, "items", "bootstrap")
    observed = scorer(patterns[0].observed)
    drawn = resampled_scores(
        patterns, scorer, unit="items", size=size, seed=seed, purpose=Purpose.JOINT
    )
    both = np.concatenate([observed[..., None], drawn], axis=-1)
    scores = np.stack(
        [
            filled(one if measure.greater_is_better else -one, measure, undefined)
            for one, measure in zip(both, measures.values(), strict=True)
        ]
    )
    return tuple(measures), scores[..., 0], scores[..., 1:]


def case_draws(
    scored: CaseValues, metrics: Any, size: int, seed: int
) -> tuple[tuple[str, ...], Array, Array]:
    """Draw test cases again, as `ordeval.compare` does; return what `item_draws` returns."""
    names = asked(scored, metrics)
    values = scored.take(names)[:, 0]
    often = case_weights(seed, values.shape[-1], size).astype(np.float64)
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0.0) @ often.T
    return names, mean_of_defined(values), quotient(total, defined.astype(np.float64) @ often.T)
