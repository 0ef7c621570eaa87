"""Rank systems: their order, the tiers of those that cannot be told apart, and how certain each rank is."""

import math
from collections.abc import Sequence

import numpy as np

from ordeval.aliases import Array
from ordeval.ties import DECIMALS, TIE


def best_first(values: Array, names: Sequence[str], *, greater_is_better: bool) -> list[int]:
    """Return the systems in order, best first: equal ones by name, undefined ones last."""
    losses = (-values if greater_is_better else values).tolist()

    def place(system: int) -> tuple[bool, float, str]:
        undefined = math.isnan(losses[system])
        loss = 0.0 if undefined else round(losses[system], DECIMALS)
        return undefined, loss, names[system]

    return sorted(range(len(names)), key=place)


def tiers_of(order: Sequence[int], values: Array, p: Array, alpha: float) -> list[list[int]]:
    """Return the tiers, best first, from adjusted p[system, system].

    The best system and all that are not significantly worse form the first tier; then the same among the rest. Systems
    whose score is undefined cannot be compared, and share the last tier.
    """
    remaining = [s for s in order if not np.isnan(values[s])]
    tiers = []
    while remaining:
        best = remaining[0]
        tier = [s for s in remaining if s == best or not p[best, s] <= alpha]
        tiers.append(tier)
        remaining = [s for s in remaining if s not in tier]
    undefined = [s for s in order if np.isnan(values[s])]
    return [*tiers, undefined] if undefined else tiers


def rank_shares(samples: Array, *, greater_is_better: bool) -> Array:
    """Return shares[system, rank]: the share of samples[system, resample] in which a system is first, second, ...

    Equal systems share the better rank; an undefined one is behind all others.
    """
    systems = len(samples)
    worth = np.where(np.isnan(samples), -np.inf, samples if greater_is_better else -samples)
    shares = np.zeros((systems, systems))
    for s in range(systems):
        ahead = (worth > worth[s] + TIE).sum(axis=0)
        shares[s] = np.bincount(ahead, minlength=systems) / samples.shape[1]
    return shares
