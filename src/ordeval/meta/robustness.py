"""Robustness: how similarly a measure ranks the systems on different test cases."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import DataError
from ordeval.meta.per_measure import PerMeasure, spread_over_splits
from ordeval.meta.ranking import Array, case_ranks, quotient, weights_of_draws
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import asked, mean_of_defined, read_values
from ordeval.stats.midranks import midranks
from ordeval.stats.streams import read_generator


def case_correlations(values: Array) -> Array:
    """Return Spearman between the system rankings of every two cases, from values[system, case]: [case, case].

    Over the systems that both cases define; NaN on the diagonal and where a ranking is one tie or has one system.
    """
    scores = values.T
    if np.isnan(scores).any():
        matrix = np.stack([correlations_with(one, scores) for one in scores])
    else:
        ranks = case_ranks(scores)
        matrix = np.clip(ranks @ ranks.T, -1.0, 1.0)
    np.fill_diagonal(matrix, np.nan)
    return np.asarray(matrix)


def correlations_with(one: Array, scores: Array) -> Array:
    """Return Spearman between one case and each of scores[case, system], over the systems that both define: [case]."""
    one = np.broadcast_to(one, scores.shape)
    lacking = np.isnan(one) | np.isnan(scores)
    middle = (~lacking).sum(axis=-1, keepdims=True) / 2
    # NaN come last in the ranking and leave the other ranks as they are.
    a, b = (
        np.where(lacking, 0.0, midranks(np.where(lacking, np.nan, side)) - middle)
        for side in (one, scores)
    )
    below = np.sqrt(np.einsum("ci,ci->c", a, a) * np.einsum("ci,ci->c", b, b))
    return quotient(np.einsum("ci,ci->c", a, b), below)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Robustness(PerMeasure):
    """The mean Spearman correlation of system rankings over pairs of test cases, for each measure.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.robustness(made.runs, ["cem_ord", "mae"], resamples=0)
    Robustness(cem_ord=0.836 best of 2 measures, systems=10, cases=6)
    """

    kind = called = "robustness"
    default_over = "cases"
    settings = ("level", "systems", "cases", "repeats", "undefined")
    counts = (("undefined_values", "touched"), ("case_pairs_left_out", "left_out"))


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
    """Return how similarly each measure ranks the systems on different test cases.

    The mean, over pairs of test cases, of Spearman's correlation of the system scores (section 5.4 of the paper). With
    `undefined="omit"` a pair of cases is correlated over the systems that both define, and left out where fewer than
    two remain or all are tied; the intervals draw the cases again, and `resamples=0` leaves them out.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> round(oe.meta.robustness(made.runs, ["cem_ord"], resamples=0)["cem_ord"], 3)
    0.836
    """
    read_level(level)
    read_amount(resamples, "resamples", 0)
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    names = asked(scored, metrics)
    cases = len(scored.cases)
    if cases < 2:
        raise DataError(
            "there is only one test case; robustness needs at least 2. Without cases, items are divided into parts."
        )
    often = weights_of_draws(cases, resamples, generator)
    turn = np.arange(resamples) % scored.repeats  # the resamples use the random splits in turn
    by_split, draws, left_out = [], [], []
    for values in scored.take(names):
        matrices = np.stack([case_correlations(one) for one in values])  # [split, case, case]
        defined = np.isfinite(matrices).astype(np.float64)
        known_or_zero = np.where(defined > 0, matrices, 0.0)
        pairs = defined.sum(axis=(1, 2))
        by_split.append(quotient(known_or_zero.sum(axis=(1, 2)), pairs))
        left_out.append(int(len(matrices) * cases * (cases - 1) - pairs.sum()) // 2)
        # A resample of cases weights each pair by how often its two cases came up; a case and its copy are no pair.
        above, below = np.empty(resamples), np.empty(resamples)
        for split, turns in enumerate(turn == np.arange(scored.repeats)[:, None]):
            times = often[turns]
            above[turns] = (times @ known_or_zero[split] * times).sum(axis=1)
            below[turns] = (times @ defined[split] * times).sum(axis=1)
        draws.append(quotient(above, below))
    of_splits = np.stack(by_split)
    return Robustness(
        metrics=names,
        values=mean_of_defined(of_splits),
        spread=spread_over_splits(of_splits),
        draws={"cases": np.stack(draws)} if resamples else {},
        level=level,
        left_out=tuple(left_out),
        **scored.shape(names),
    )
