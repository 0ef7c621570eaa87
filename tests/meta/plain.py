"""UIR, coverage and robustness written from the formulas of section 5, one system pair and one case at a time."""

import math
from collections.abc import Sequence

__all__ = ["coverage", "robustness", "spearman", "uir"]

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
