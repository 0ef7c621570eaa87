"""How many items would settle a gate that is inconclusive."""

import math
from dataclasses import dataclass

import numpy as np

from ordeval.comparison.plan import Sizing
from ordeval.comparison.score_runs import without_constants
from ordeval.comparison.scores import Scores
from ordeval.runs import Runs
from ordeval.stats.differences import differences
from ordeval.stats.jackknife import CaseSample, independent_samples
from ordeval.ties import TIE


@dataclass(frozen=True, slots=True)
class ItemsNeeded:
    """The number of items, and of test cases where these are the sample; None with a reason if there is no number.

    For samples that share no items it is the number for each of the two. `outcome` is what so many items would show.
    """

    items: int | None = None
    cases: int | None = None
    outcome: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """How much a difference varies.

    `spread` is its variance times the number of units, `few` the part of the variance that pseudo-items add, times the
    square of that number.
    """

    spread: float
    few: float
    units: float  # of the smaller sample: effective items, or test cases
    items: float  # in each unit
    samples: int


def items_needed(
    scores: Scores,
    pair: tuple[int, int],
    goodness: float,
    *,
    margin: float,
    power: float,
    level: float,
) -> ItemsNeeded:
    """Return how many items would show, with that power, that a gate passes or that it fails.

    `goodness` is the observed difference, above 0 where the candidate is better. If it is the true one, a pass is
    found as soon as its distance from -margin is, and a fail as soon as its distance from 0 is: the larger of the two
    distances takes fewer items.
    """
    distance = max(goodness + margin, -goodness)
    if math.isnan(distance):
        return ItemsNeeded(reason="the difference is undefined here")
    if distance <= TIE:
        return ItemsNeeded(
            reason="the two do not differ here, and with a margin of 0 no number of items shows that they never do"
        )
    found = spread_of(scores, pair)
    if math.isnan(found.spread):
        return ItemsNeeded(reason="what there is does not show how much the difference varies")
    size = Sizing(power, level, 1, found.samples, 2).units(found.spread, distance, found.few)
    if size is None:
        return ItemsNeeded(reason="it would take more items than there are anywhere")
    size = max(size, math.floor(found.units) + 1)
    return ItemsNeeded(
        items=math.ceil(size * found.items - TIE),
        cases=size if scores.resample == "cases" else None,
        outcome="pass" if goodness + margin >= -goodness else "fail",
    )


def spread_of(scores: Scores, pair: tuple[int, int]) -> Spread:
    """Return how much the difference of two systems varies, by the only measure of the scores."""
    both = list(pair)
    items = scores.items[both].sum(axis=-1)
    if not isinstance(scores.data, Runs):
        estimate = independent_samples(without_constants(scores)).estimate
        units, plain, error = (
            part[..., both]
            for part in (estimate.units[0], estimate.plain[0], estimate.error[-1, 0])
        )
        few = np.maximum(error**2 - plain**2, 0.0) * units**2
        spread = float((plain**2 * units).sum())
        return Spread(spread, float(few.sum()), float(units.min()), float((items / units).max()), 2)
    sample = scores.samples[0]
    apart = differences(sample, 0, *(np.array([one]) for one in pair))
    variance, seen = float(apart.error[0]) ** 2, float(apart.plain[0]) ** 2
    in_cases = isinstance(sample, CaseSample)  # of which each pair has those where both are defined
    units = float(apart.freedom[0]) + 1 if in_cases else float(sample.estimate.units[0, pair[0]])
    few = max(variance - seen, 0.0) * units**2
    return Spread(seen * units, few, units, float(items.max()) / units, 1)
