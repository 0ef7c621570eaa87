"""Closeness, classification and error: each measure as its definition reads, item by item, in plain Python.

The formulas are those of SEMANTICS.md, sections 2 to 4. A value that is undefined is NaN.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import wraps

from tests.tables import Items

__all__ = [
    "DEFINITIONS",
    "NAN",
    "answer_counts",
    "bits",
    "cem_ord",
    "definition",
    "gold_counts",
    "mean",
    "ordinal",
    "sign",
]

NAN = math.nan
EPSILON = 2.0**-52  # of a floating-point number
DEFINITIONS: dict[str, Callable[..., float]] = {}


def definition(function: Callable[..., float]) -> Callable[..., float]:
    """Take a definition in under its own name; a division by nothing is an undefined value."""

    @wraps(function)
    def guarded(data: Items, **settings: float | str) -> float:
        try:
            return function(data, **settings)
        except ZeroDivisionError:
            return NAN

    DEFINITIONS[function.__name__] = guarded
    return guarded


def mean(pairs: Sequence[tuple[float, float]]) -> float:
    """Average of (number, weight)."""
    return sum(x * w for x, w in pairs) / sum(w for _, w in pairs)


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def gold_counts(data: Items) -> list[float]:
    return [sum(w for g, _, w in data if g == c) for c in range(data.k)]


def answer_counts(data: Items) -> list[float]:
    return [sum(w for _, s, w in data if s == c) for c in range(data.k)]


# --- closeness: section 3. Under missing="zero" an item without an answer has proximity 0 and stays below the line.


def closeness(
    data: Items, mass: Callable[[int, int, list[float]], float], worth: Callable
) -> float:
    n = data.reference or gold_counts(data)
    earned = sum(w * worth(mass(s, g, n) / sum(n)) for g, s, w in data if s is not None)
    return earned / sum(w * worth(mass(g, g, n) / sum(n)) for g, _, w in data)


def ordinal(a: int, b: int, n: list[float]) -> float:
    """Items between a and b, both ends included; those in a itself count half."""
    return sum(n[x] / 2 if x == a else n[x] for x in range(len(n)) if min(a, b) <= x <= max(a, b))


def bits(share: float) -> float:
    return -math.log2(share)


@definition
def cem_ord(data: Items) -> float:
    return closeness(data, ordinal, bits)


@definition
def cem_ord_flat(data: Items) -> float:
    return closeness(data, ordinal, lambda share: 1 - share)


@definition
def cem_nom(data: Items) -> float:
    return closeness(data, lambda a, b, n: n[b] if a == b else sum(n), bits)


@definition
def cem_int(data: Items) -> float:
    v = data.values

    def mass(a: int, b: int, n: list[float]) -> float:
        distance = abs(v[a] - v[b])
        # a difference that the rounding of the values can make is none
        rounding = min(8 * EPSILON * max(abs(v[a]), abs(v[b])), distance * 1e-9)
        near = sum(n[x] for x in range(len(n)) if abs(v[x] - v[b]) <= distance + rounding)
        return near - n[a] / 2

    return closeness(data, mass, bits)


# --- classification: an answer that is not there matches no class.


@definition
def accuracy(data: Items) -> float:
    return mean([(s == g, w) for g, s, w in data])


@definition
def accuracy_within(data: Items, *, n: int) -> float:
    return mean([(s is not None and abs(s - g) <= n, w) for g, s, w in data])


def recall(data: Items, c: int) -> float:
    return mean([(s == c, w) for g, s, w in data if g == c])


def precision(data: Items, c: int) -> float:
    given = [(g == c, w) for g, s, w in data if s == c]
    return mean(given) if given else 0.0


def gold_classes(data: Items) -> list[int]:
    return sorted({g for g, _, w in data if w > 0})


@definition
def macro_accuracy(data: Items) -> float:
    return mean([(recall(data, c), 1) for c in gold_classes(data)])


@definition
def macro_precision(data: Items) -> float:
    return mean([(precision(data, c), 1) for c in gold_classes(data)])


@definition
def macro_f1(data: Items) -> float:
    def f1(c: int) -> float:
        p, r = precision(data, c), recall(data, c)
        return 2 * p * r / (p + r) if p + r else 0.0

    return mean([(f1(c), 1) for c in gold_classes(data)])


@definition
def geometric_mean(data: Items) -> float:
    recalls = [recall(data, c) for c in gold_classes(data)]
    return math.prod(recalls) ** (1 / len(recalls))


@definition
def min_sensitivity(data: Items) -> float:
    return min(recall(data, c) for c in gold_classes(data))


@definition
def cohen_kappa(data: Items) -> float:
    n = sum(data.weight)
    chance = sum(a * b for a, b in zip(gold_counts(data), answer_counts(data), strict=True)) / n**2
    return (accuracy(data) - chance) / (1 - chance)


# --- error: the largest error possible for its gold class stands in for a missing answer.


def costs(data: Items, cost: Callable[[int, int], float]) -> list[tuple[int, float, float]]:
    """(gold, cost, weight) of every item, a missing answer at the highest cost that its gold class can have."""
    worst = {g: max(cost(g, s) for s in range(data.k)) for g in set(data.gold)}
    return [(g, worst[g] if s is None else cost(g, s), w) for g, s, w in data]


def absolute(data: Items) -> list[tuple[int, float, float]]:
    return costs(data, lambda g, s: abs(data.values[g] - data.values[s]))


def squared(data: Items) -> list[tuple[int, float, float]]:
    return costs(data, lambda g, s: (data.values[g] - data.values[s]) ** 2)


def per_class(found: list[tuple[int, float, float]]) -> list[float]:
    return [mean([(x, w) for g, x, w in found if g == c]) for c in sorted({g for g, _, _ in found})]


@definition
def mae(data: Items) -> float:
    return mean([(x, w) for _, x, w in absolute(data)])


@definition
def mse(data: Items) -> float:
    return mean([(x, w) for _, x, w in squared(data)])


@definition
def rmse(data: Items) -> float:
    return math.sqrt(mse(data))


@definition
def macro_mae(data: Items) -> float:
    return mean([(x, 1) for x in per_class(absolute(data))])


@definition
def macro_mse(data: Items) -> float:
    return mean([(x, 1) for x in per_class(squared(data))])


@definition
def max_mae(data: Items) -> float:
    return max(per_class(absolute(data)))


@definition
def threshold_loss(data: Items, *, penalty: str) -> float:
    penalties = {
        "hinge": lambda z: max(0.0, 1 - z),
        "logistic": lambda z: max(0.0, -z) + math.log(1 + math.exp(-abs(z))),  # ln(1 + e^-z)
        "zero_one": lambda z: float(z <= 0),
    }
    thetas = [(a + b) / 2 for a, b in itertools.pairwise(data.values)]

    def cost(g: int, s: int) -> float:
        margins = [data.values[s] - theta for theta in thetas]
        return sum(
            penalties[penalty](z if data.values[g] > theta else -z)
            for z, theta in zip(margins, thetas, strict=True)
        )

    return mean([(x, w) for _, x, w in costs(data, cost)])


@definition
def cosine(data: Items) -> float:
    v = data.values
    data = data.answering(lambda g: data.k - 1 if v[-1] - v[g] > v[g] - v[0] else 0)
    product = sum(w * v[g] * v[s] for g, s, w in data)
    lengths = sum(w * v[g] ** 2 for g, _, w in data), sum(w * v[s] ** 2 for _, s, w in data)
    return product / math.sqrt(lengths[0] * lengths[1])
