"""Bootstrap of coverage: systems and cases drawn again, as weights, for all measures on the same draws."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.errors import ParameterError
from ordeval.meta.ranking import Array, cosine, differences, order_of, pairs_of, signed_ranks, tied

OVER = ("systems", "cases", "both")
BLOCK = 2_000_000  # ranks held at a time


def read_level(level: Any) -> None:
    """Check the confidence level of an interval."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise ParameterError(f"level is {level!r}; it must lie between 0 and 1.")


def read_amount(amount: Any, name: str, least: int) -> None:
    """Check how often something is drawn."""
    whole = isinstance(amount, int | np.integer) and not isinstance(amount, bool)
    if not whole or amount < least:
        raise ParameterError(f"{name} is {amount!r}; it must be a whole number, {least} or more.")


def coverage_of(means: Array, ratio: Array) -> Array:
    """Return Spearman over both directions of all pairs, of means[measure, ..., system] and ratio[..., pair].

    A pair with an undefined score is left out of that measure's correlation, from both sides.
    """
    change = differences(means)
    target = np.broadcast_to(tied(ratio), change.shape)
    return cosine(signed_ranks(change), signed_ranks(np.where(np.isnan(change), np.nan, target)))


def drawn(size: int, resamples: int, rng: np.random.Generator) -> Array:
    """Return how often each of `size` things comes up in each resample."""
    return rng.multinomial(size, np.full(size, 1.0 / size), size=resamples).astype(np.float64)


def coverage_draws(
    values: Array, unanimity: Array, over: Sequence[str], resamples: int, rng: np.random.Generator
) -> dict[str, Array]:
    """Return coverage in each resample, [measure, resample], from values[measure, split, system, case].

    A resample of systems weighs every pair by how often its two systems were drawn; a system and its own copy are no
    pair. A resample of cases weighs the cases in every mean and in every UIR. "both" takes the two together. The
    resamples are shared out over the random splits, so that the intervals hold their variation too.
    """
    _, splits, systems, cases = values.shape
    share = np.full(splits, resamples // splits)
    share[: resamples % splits] += 1
    found: dict[str, list[Array]] = {one: [] for one in over}
    for split, amount in enumerate(share.tolist()):
        weights, often = drawn(systems, amount, rng), drawn(cases, amount, rng)
        for one, draws in one_split(
            values[:, split], unanimity[split], weights, often, over
        ).items():
            found[one].append(draws)
    return {one: np.concatenate(parts, axis=1) for one, parts in found.items()}


def one_split(
    values: Array, unanimity: Array, weights: Array, often: Array, over: Sequence[str] = OVER
) -> dict[str, Array]:
    """Return coverage under system weights[resample, system], case weights[resample, case], or both."""
    first, second = pairs_of(values.shape[1])
    found = {one: np.empty((len(values), len(weights))) for one in over}
    block = max(1, BLOCK // len(first))
    for start in range(0, len(weights), block):
        part = slice(start, start + block)
        mass = weights[part][:, first] * weights[part][:, second]
        if "systems" in over:
            fixed = np.ones((1, values.shape[2]))
            found["systems"][:, part] = correlated(values, unanimity, fixed, (mass,))[0]
        redrawn = [one for one in over if one != "systems"]
        if redrawn:
            masses = tuple(None if one == "cases" else mass for one in redrawn)
            for one, draws in zip(
                redrawn, correlated(values, unanimity, often[part], masses), strict=True
            ):
                found[one][:, part] = draws
    return found


def correlated(
    values: Array, unanimity: Array, times: Array, masses: Sequence[Array | None]
) -> list[Array]:
    """Return coverage[measure, resample] under case weights times[resample or 1, case], for each mass of the pairs."""
    there = ~np.isnan(values)
    plain = np.where(there, values, 0.0)
    ratio = tied(times @ unanimity.T.astype(np.float64) / values.shape[2])
    order = order_of(np.abs(ratio))
    usual = [signed_ranks(ratio, mass, order) for mass in masses]
    found: list[list[Array]] = [[] for _ in masses]
    for at in range(len(values)):
        amount = times @ there[at].T
        mean = np.divide(
            times @ plain[at].T, amount, out=np.full(amount.shape, np.nan), where=amount > 0
        )
        change = differences(mean)
        lacking = np.isnan(change)
        order = order_of(np.abs(change))
        for mass, target, kept in zip(masses, usual, found, strict=True):
            other = (
                signed_ranks(np.where(lacking, np.nan, ratio), mass) if lacking.any() else target
            )
            kept.append(cosine(signed_ranks(change, mass, order), other, mass))
    return [np.stack(kept) for kept in found]
