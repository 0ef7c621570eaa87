"""How many items would settle what is undecided about a judge."""

import math
from dataclasses import dataclass

from ordeval.comparison.plan import Sizing
from ordeval.formats.numbers import counted, round_up
from ordeval.judge.alt_test import HALF, AltTest
from ordeval.judge.jackknifed_sums import NO_INTERVAL

POWER = 0.8
FEW_ITEMS = 10  # whose spread says little about that of more items


@dataclass(frozen=True, slots=True)
class Needed:
    """The number of items, in all, that would settle it; None with the reason if there is no such number."""

    items: int | None
    reason: str | None = None


NOTHING = Needed(None)


def needed_for_difference(
    apart: float,
    error: float,
    items: float,
    *,
    margin: float,
    level: float,
    plain: float | None = None,
) -> Needed:
    """Return the items at which the interval of judge - human would leave -margin on one side.

    `apart` is above 0 where the judge is better, `error` its standard error on so many items, and `plain` that without
    pseudo-items, whose part of the error shrinks faster.
    """
    beyond = apart + margin
    if math.isnan(beyond):
        return Needed(None, "the difference from a human is undefined")
    if math.isnan(error):
        return Needed(None, NO_INTERVAL)
    sizing = Sizing(POWER, level, 1, 1, 2)
    plain = error if plain is None else plain
    few = max(error**2 - plain**2, 0.0) * items**2
    if abs(beyond) <= plain:
        if items < FEW_ITEMS:
            return Needed(None, f"{counted(int(items), 'item')} tell too little for a forecast")
        if apart < -2 * error:
            return Needed(
                None, f"the difference from a human is about as large as the margin of {margin:g}"
            )
        equal = sizing.units(plain**2 * items, margin, few)
        about = "very many" if equal is None else f"about {round_up(equal):,}"
        return Needed(
            None,
            f"the difference from a human is too uncertain; if the judge is in fact as good as a human, {about} items "
            f"would show it",
        )
    size = sizing.units(plain**2 * items, beyond, few)
    return Needed(None, "it would take too many items") if size is None else Needed(size)


def needed_for_test(test: AltTest) -> Needed:
    """Return the items at which half of the humans would be beaten, if each stays as far from the judge as now.

    A human is then beaten at the threshold that Benjamini and Yekutieli's procedure has for the human in the middle.
    """
    if test.reason is not None:
        return Needed(
            None,
            f"the test takes humans who marked {test.least_items} items or more; let a few humans mark many items "
            f"rather than many humans a few",
        )
    humans = len(test.humans)
    half = math.ceil(HALF * humans)
    harmonic = sum(1 / place for place in range(1, humans + 1))
    threshold = test.q * half / (humans * harmonic)
    sizing = Sizing(POWER, 1 - 2 * threshold, 1, 1, 2)  # one side has half of what two have
    wanted = []
    for one in test.humans:
        below = test.epsilon - one.difference
        spread = one.error**2 * one.items
        size = sizing.units(spread, below) if below > 0 else None
        if size is not None:
            wanted.append(max(size, test.least_items) * test.items / one.items)
    if len(wanted) < half:
        return Needed(
            None,
            f"{counted(humans - len(wanted), 'human')} of {humans} are closer to the others than the judge by more "
            f"than epsilon ({test.epsilon:g}), so that more items would not let it pass the test",
        )
    return Needed(max(math.ceil(sorted(wanted)[half - 1]), test.items + 1))
