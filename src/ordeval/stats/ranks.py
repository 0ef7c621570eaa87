"""Rank systems: their order, the ranks that each may have, and where the order can be cut into tiers."""

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


def better_than(values: Array, p: Array, alpha: float, *, greater_is_better: bool) -> Array:
    """Return better[a, b]: a is significantly better than b, by p[system, system]; never if a score is undefined."""
    apart = values[:, None] - values if greater_is_better else values - values[:, None]
    with np.errstate(invalid="ignore"):
        return np.asarray((apart > TIE) & (p <= alpha))


def rank_intervals(better: Array, ranked: Array) -> tuple[Array, Array]:
    """Return the lowest and the highest rank that each system may have: 1 + those significantly better, and so on.

    Systems that are not `ranked` (their score is undefined) have no rank: 0.
    """
    low, high = 1 + better.sum(axis=0), ranked.sum() - better.sum(axis=1)
    return np.where(ranked, low, 0), np.where(ranked, high, 0)


def tiers_of(order: Sequence[int], better: Array, ranked: Array) -> list[list[int]]:
    """Return the tiers, best first: the order is cut where all systems above are better than all below.

    Systems without a rank share the last tier.
    """
    tiers: list[list[int]] = []
    placed = [s for s in order if ranked[s]]
    start = 0
    for cut in range(1, len(placed) + 1):
        if cut == len(placed) or better[np.ix_(placed[:cut], placed[cut:])].all():
            tiers.append(placed[start:cut])
            start = cut
    rest = [s for s in order if not ranked[s]]
    return [*tiers, rest] if rest else tiers
