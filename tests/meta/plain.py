"""Definitions written out: UIR, coverage and robustness from section 5, split halves, and Sakai's bootstrap test."""

import math
import random
from collections.abc import Sequence

SAME = 1e-12


def ranks(values: Sequence[float]) -> list[float]:
    """Mid-ranks from 1: one more than the values below, and half of the other ties."""
    below = [sum(other < value - SAME for other in values) for value in values]
    ties = [sum(abs(other - value) < SAME for other in values) for value in values]
    return [1 + b + (t - 1) / 2 for b, t in zip(below, ties, strict=True)]


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's correlation of the mid-ranks; NaN where one side does not vary."""
    a, b = ranks(x), ranks(y)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    above = sum((p - mean_a) * (q - mean_b) for p, q in zip(a, b, strict=True))
    below = math.sqrt(sum((p - mean_a) ** 2 for p in a) * sum((q - mean_b) ** 2 for q in b))
    return above / below if below else math.nan


def improves(values, s, other, case) -> bool:
    """s >= other on this case by every measure, values[measure][system][case]."""
    return all(measure[s][case] - measure[other][case] >= -SAME for measure in values)


def uir(values, s: int, other: int) -> float:
    """The share of cases on which s improves on other unanimously, less the share on which other does."""
    cases = range(len(values[0][0]))
    ups = sum(improves(values, s, other, t) for t in cases)
    downs = sum(improves(values, other, s, t) for t in cases)
    return (ups - downs) / len(cases)


def mean(values: Sequence[float]) -> float:
    there = [value for value in values if not math.isnan(value)]
    return sum(there) / len(there) if there else math.nan


def coverage(scores, reference) -> float:
    """Spearman over all ordered pairs of systems of m(s) - m(s') and UIR(s, s'); scores[system][case]."""
    means = [mean(row) for row in scores]
    pairs = [(s, other) for s in range(len(means)) for other in range(len(means)) if s != other]
    pairs = [(s, other) for s, other in pairs if not math.isnan(means[s] - means[other])]
    return spearman(
        [means[s] - means[other] for s, other in pairs],
        [uir(reference, s, other) for s, other in pairs],
    )


def robustness(scores) -> float:
    """The mean, over pairs of cases, of Spearman between the system scores; scores[system][case]."""
    cases = range(len(scores[0]))
    found = []
    for a in cases:
        for b in cases:
            both = [
                (row[a], row[b])
                for row in scores
                if not math.isnan(row[a]) and not math.isnan(row[b])
            ]
            if a < b and len(both) > 1:
                found.append(spearman(*zip(*both, strict=True)))
    return mean(found)


def order(a: float, b: float) -> int:
    """1 if a is above b, -1 if it is below, 0 on a tie."""
    return 0 if abs(a - b) < SAME else 1 if a > b else -1


def orders_on(scores, half, s: int, other: int) -> int | None:
    """The order of two systems by their means over some cases; None if one of them has none. scores[system][case]."""
    a, b = (mean([scores[system][case] for case in half]) for system in (s, other))
    return None if math.isnan(a - b) else order(a, b)


def orders_on_both(scores, halves) -> list[tuple[int, int]]:
    """The orders of every pair of systems on the one half and on the other, if both have one."""
    found = []
    for s in range(len(scores)):
        for other in range(s + 1, len(scores)):
            both = tuple(orders_on(scores, half, s, other) for half in halves)
            if None not in both:
                found.append(both)
    return found


def swap_rate(scores, halvings) -> float:
    """The share of pairs in opposite orders on two halves, on average over (half, half) in `halvings`."""
    rates = []
    for halves in halvings:
        orders = orders_on_both(scores, halves)
        swaps = sum(one * other == -1 for one, other in orders)
        rates.append(swaps / len(orders) if orders else math.nan)
    return mean(rates)


def ranking_similarity(scores, halvings) -> float:
    """Kendall's tau-b between the rankings on two halves, on average over (half, half) in `halvings`."""
    taus = []
    for halves in halvings:
        orders = orders_on_both(scores, halves)
        below = math.sqrt(
            sum(one != 0 for one, _ in orders) * sum(other != 0 for _, other in orders)
        )
        taus.append(sum(one * other for one, other in orders) / below if below else math.nan)
    return mean(taus)


def t_statistic(differences: Sequence[float]) -> float:
    """The mean divided by its standard error; infinite if only the mean is not 0, and 0 if both are."""
    n, middle = len(differences), mean(differences)
    error = math.sqrt(sum((one - middle) ** 2 for one in differences) / (n * (n - 1)))
    if error < SAME:
        return 0.0 if abs(middle) < SAME else math.copysign(math.inf, middle)
    return middle / error


def sakai_p(differences: Sequence[float], resamples: int, seed: int) -> float:
    """The paired bootstrap test of Sakai (2006): studentised differences, resampled around a mean of 0."""
    rng = random.Random(seed)  # noqa: S311 - nothing is secret here
    observed = abs(t_statistic(differences))
    middle = mean(differences)
    shifted = [one - middle for one in differences]
    reached = 0
    for _ in range(resamples):
        drawn = rng.choices(shifted, k=len(shifted))
        reached += abs(t_statistic(drawn)) >= observed
    return reached / resamples
