"""Robustness: how similarly a measure ranks the systems on different test cases."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.errors import DataError
from ordeval.meta.per_measure import PerMeasure, spread_over_splits
from ordeval.meta.ranking import Array, case_ranks, quotient, weights_of_draws
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import asked, mean_of_defined, read_values
from ordeval.stats.chunks import chunks
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
    of_splits, draws, left_out = [], [], []
    values = scored.take(names)
    for part in chunks(len(names), numbers=cases * max(scored.repeats * cases, resamples)):
        matrices = np.array([[case_correlations(one) for one in splits] for splits in values[part]])
        defined = np.isfinite(matrices).astype(np.float64)  # [measure, split, case, case]
        known_or_zero = np.where(defined > 0, matrices, 0.0)
        pairs = defined.sum(axis=(2, 3))
        of_splits.append(quotient(known_or_zero.sum(axis=(2, 3)), pairs))
        left_out.append(scored.repeats * cases * (cases - 1) - pairs.sum(axis=1))
        draws.append(quotient(drawn_sums(known_or_zero, often), drawn_sums(defined, often)))
    by_split = np.concatenate(of_splits)
    return Robustness(
        metrics=names,
        values=mean_of_defined(by_split),
        spread=spread_over_splits(by_split),
        draws={"cases": np.concatenate(draws)} if resamples else {},
        level=level,
        left_out=tuple((np.concatenate(left_out).astype(np.int64) // 2).tolist()),
        **scored.shape(names),
    )


def drawn_sums(matrices: Array, often: Array) -> Array:
    """Return the sums of matrices[measure, split, case, case] over the pairs of drawn cases: [measure, resample].

    A resample of cases weights each pair by how often its two cases came up; a case and its copy are no pair. The
    resamples use the random splits in turn.
    """
    measures, splits, _, _ = matrices.shape
    sums = np.empty((measures, len(often)))
    for split in range(splits):
        times = often[split::splits]
        rows = np.tensordot(times, matrices[:, split], axes=(1, 1))  # [resample, measure, case]
        sums[:, split::splits] = (rows * times[:, None]).sum(axis=-1).T
    return sums
