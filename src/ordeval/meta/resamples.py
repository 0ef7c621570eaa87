"""Bootstrap of coverage: systems and cases are resampled, as weights, with the same draws for all measures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.arguments import is_number, is_whole
from ordeval.errors import ParameterError, spelled
from ordeval.meta.ranking import (
    Array,
    cosine,
    differences,
    pairs_of,
    signed_ranks,
    weighted_means,
    weights_of_draws,
    without_rounding,
)
from ordeval.progress import each, portion
from ordeval.stats.chunks import chunks
from ordeval.stats.intervals import MOST_RESAMPLES
from ordeval.stats.midranks import order_of

OVER = ("systems", "cases", "both")


def read_level(level: Any) -> None:
    """Check the confidence level of an interval."""
    if not (is_number(level) and 0 < level < 1):
        raise ParameterError(f"{spelled('level')} is {level!r}; it must lie between 0 and 1.")


def read_amount(amount: Any, name: str, least: int) -> None:
    """Check how often something is drawn."""
    if not is_whole(amount, least):
        raise ParameterError(
            f"{spelled(name)} is {amount!r}; it must be a whole number, {least} or more."
        )
    if amount > MOST_RESAMPLES:
        raise ParameterError(
            f"{spelled(name)} is {amount!r}; it must be at most {MOST_RESAMPLES:,}."
        )


def coverage_of(means: Array, ratio: Array) -> Array:
    """Return Spearman over both directions of all pairs, of means[measure, ..., system] and ratio[..., pair].

    A pair with an undefined score is left out of that measure's correlation, from both sides.
    """
    change = differences(means)
    target = np.broadcast_to(without_rounding(ratio), change.shape)
    return cosine(signed_ranks(change), signed_ranks(np.where(np.isnan(change), np.nan, target)))


def coverage_draws(
    values: Array,
    unanimity: Array,
    over: Sequence[str],
    resamples: int,
    rng: np.random.Generator,
    *,
    progress: Progress = None,
) -> dict[str, Array]:
    """Return coverage in each resample, [measure, resample], from values[measure, split, system, case].

    A resample of systems weights every pair by how often its two systems were drawn; a system and its own copy are no
    pair. A resample of cases weights the cases in every mean and in every UIR. "both" takes the two together. The
    resamples are divided among the random splits, so that the intervals include their variation too.
    """
    _, splits, systems, cases = values.shape
    share = np.full(splits, resamples // splits)
    share[: resamples % splits] += 1
    by_split = []
    for (split, amount), of_split in each(list(enumerate(share.tolist())), progress):
        weights = weights_of_draws(systems, amount, rng)
        parts = list(chunks(amount, numbers=2 * max(systems * (systems - 1) // 2, cases)))
        for part, step in each(parts, of_split):
            often = weights_of_draws(cases, part.stop - part.start, rng)
            by_split.append(
                one_split(
                    values[:, split], unanimity[split], weights[part], often, over, progress=step
                )
            )
    return {one: np.concatenate([draws[one] for draws in by_split], axis=1) for one in over}


def one_split(
    values: Array,
    unanimity: Array,
    weights: Array,
    often: Array,
    over: Sequence[str] = OVER,
    *,
    progress: Progress = None,
) -> dict[str, Array]:
    """Return coverage under system weights[resample, system], case weights[resample, case], or both."""
    first, second = pairs_of(values.shape[1])
    coverage: dict[str, Array] = {}
    mass = weights.take(first, axis=1) * weights.take(second, axis=1)
    if "systems" in over:
        fixed = np.ones((1, values.shape[2]))
        coverage["systems"] = correlated(
            values, unanimity, fixed, (mass,), portion(progress, 0, 0.3)
        )[0]
    redrawn = [one for one in over if one != "systems"]
    if redrawn:
        masses = tuple(None if one == "cases" else mass for one in redrawn)
        draws = correlated(values, unanimity, often, masses, portion(progress, 0.3, 1))
        coverage |= dict(zip(redrawn, draws, strict=True))
    return coverage


def correlated(
    values: Array,
    unanimity: Array,
    times: Array,
    masses: Sequence[Array | None],
    progress: Progress = None,
) -> list[Array]:
    """Return coverage[measure, resample] under case weights times[resample or 1, case], for each mass of the pairs."""
    means = weighted_means(values, times)
    ratio = without_rounding(times @ unanimity.T.astype(np.float64) / values.shape[2])
    order = order_of(np.abs(ratio))
    targets = [signed_ranks(ratio, mass, order) for mass in masses]
    coverage: list[list[Array]] = [[] for _ in masses]
    for at, _ in each(range(len(values)), progress):
        change = differences(means[at].T)
        lacking = np.isnan(change)
        order = order_of(np.abs(change))
        for mass, target, of_mass in zip(masses, targets, coverage, strict=True):
            other = (
                signed_ranks(np.where(lacking, np.nan, ratio), mass) if lacking.any() else target
            )
            of_mass.append(cosine(signed_ranks(change, mass, order), other, mass))
    return [np.stack(of_mass) for of_mass in coverage]
