"""Correlation, agreement, clustering, paths and probabilities: each measure as its definition reads, item by item.

The formulas are those of SEMANTICS.md, sections 2 and 4. A value that is undefined is NaN.
"""

import itertools
import math
from collections.abc import Callable, Sequence

from tests.definitions.plain import (
    NAN,
    answer_counts,
    cem_ord,
    definition,
    gold_counts,
    mean,
    ordinal,
    sign,
)
from tests.tables import Items

__all__ = ["ranked"]

# --- correlation and agreement: a missing answer is the end of smaller proximity, the lower one on a tie.


def farthest(data: Items) -> Items:
    n, top = gold_counts(data), data.k - 1
    # prox(top) < prox(0) where mass(top) > mass(0): masses are compared, for they are exact
    return data.answering(lambda g: top if ordinal(top, g, n) > ordinal(0, g, n) else 0)


def linear_correlation(rows: list[tuple[float, float, float]]) -> float:
    mx, my = mean([(x, w) for x, _, w in rows]), mean([(y, w) for _, y, w in rows])
    covariance = sum(w * (x - mx) * (y - my) for x, y, w in rows)
    spread_x = sum(w * (x - mx) ** 2 for x, _, w in rows)
    return covariance / math.sqrt(spread_x * sum(w * (y - my) ** 2 for _, y, w in rows))


def constant(data: Items) -> bool:
    return len(set(data.gold)) == 1 or len(set(data.predicted)) == 1


@definition
def pearson(data: Items) -> float:
    data = farthest(data)
    if constant(data):
        return NAN
    return linear_correlation([(data.values[g], data.values[s], w) for g, s, w in data])


@definition
def spearman(data: Items) -> float:
    data = farthest(data)
    if constant(data):
        return NAN

    def mid_rank(side: list[int], mine: int) -> float:
        weighed = list(zip(side, data.weight, strict=True))
        return sum(w if c < mine else w / 2 if c == mine else 0 for c, w in weighed)

    return linear_correlation(
        [(mid_rank(data.gold, g), mid_rank(data.predicted, s), w) for g, s, w in data]
    )


def pairs(data: Items) -> tuple[float, float, float, float]:
    """Concordant and discordant pairs, pairs that gold tells apart, pairs that the answers tell apart."""
    concordant = discordant = gold_apart = apart = 0.0
    for (g, s, w), (h, t, x) in itertools.combinations(data, 2):
        both = sign(g - h) * sign(s - t)
        concordant += w * x * (both > 0)
        discordant += w * x * (both < 0)
        gold_apart += w * x * (g != h)
        apart += w * x * (s != t)
    return concordant, discordant, gold_apart, apart


@definition
def kendall_tau_a(data: Items) -> float:
    n = sum(data.weight)
    concordant, discordant, *_ = pairs(farthest(data))
    return (concordant - discordant) / (n * (n - 1) / 2) if n > 1 else NAN


@definition
def kendall_tau_b(data: Items) -> float:
    concordant, discordant, gold_apart, apart = pairs(farthest(data))
    return (concordant - discordant) / math.sqrt(gold_apart * apart)


@definition
def stuart_tau_c(data: Items) -> float:
    data = farthest(data)
    concordant, discordant, *_ = pairs(data)
    m = min(len(set(data.gold)), len(set(data.predicted)))
    return 2 * (concordant - discordant) / (sum(data.weight) ** 2 * (m - 1) / m)


@definition
def goodman_kruskal_gamma(data: Items) -> float:
    concordant, discordant, *_ = pairs(farthest(data))
    return (concordant - discordant) / (concordant + discordant)


@definition
def somers_d(data: Items) -> float:
    concordant, discordant, gold_apart, _ = pairs(farthest(data))
    return (concordant - discordant) / gold_apart


def shared(stated: list[int], other: list[int], weight: list[float]) -> float:
    """Mean over items that have a relation of the share of their relations that the other side shares."""
    shares = []
    for a, b, w in zip(stated, other, weight, strict=True):
        related = [
            (sign(a - c) == sign(b - d), x)
            for c, d, x in zip(stated, other, weight, strict=True)
            if c != a
        ]
        if related:
            shares.append((mean(related), w))
    return mean(shares)


@definition
def reliability(data: Items) -> float:
    data = farthest(data)
    return shared(data.predicted, data.gold, data.weight)


@definition
def sensitivity(data: Items) -> float:
    data = farthest(data)
    return shared(data.gold, data.predicted, data.weight)


@definition
def reliability_sensitivity(data: Items) -> float:
    r, s = reliability(data), sensitivity(data)
    if math.isnan(r) or math.isnan(s):
        return NAN
    return 2 * r * s / (r + s) if r + s else 0.0


@definition
def weighted_kappa(data: Items, *, weights: str) -> float:
    data, power = farthest(data), 1 if weights == "linear" else 2

    def gap(g: int, s: int) -> float:
        return (
            int(g != s) if weights == "identity" else abs(data.values[g] - data.values[s]) ** power
        )

    observed = mean([(gap(g, s), w) for g, s, w in data])
    return 1 - observed / mean([(gap(g, t), w * x) for g, _, w in data for _, t, x in data])


def credit(weights: str | tuple, v: Sequence[float]) -> list[list[float]]:
    """Gwet's weights (2014, section 3.5) of every pair of classes with the values v."""
    k, low, high = len(v), v[0], v[-1]

    def of_pair(a: int, b: int) -> float:
        if a == b:
            return 1.0
        if weights == "identity":
            return 0.0
        if weights == "ordinal":  # one less the pairs of classes from a to b over all pairs
            return 1 - math.comb(abs(a - b) + 1, 2) / math.comb(k, 2)
        if weights == "bipolar":
            room = (v[a] - low + (v[b] - low)) * (high - v[a] + (high - v[b]))
            return 1 - (v[a] - v[b]) ** 2 / room
        gap = abs(v[a] - v[b]) / (high - low)
        return (
            1
            - {"linear": lambda: gap, "quadratic": lambda: gap**2}.get(
                weights, lambda: math.sqrt(gap)
            )()
        )

    return [[of_pair(a, b) for b in range(k)] for a in range(k)]


@definition
def krippendorff_alpha(data: Items, *, level: str, weights: str | None) -> float:
    """Krippendorff 2011: every item is a unit with two values; n is the number of values."""
    data = farthest(data)
    given = [(c, w) for g, s, w in data for c in (g, s)]
    n = [sum(w for c, w in given if c == k) for k in range(data.k)]
    earned = None if weights is None else credit(weights, data.values)

    def squared(c: int, k: int) -> float:
        if earned is not None:
            return 1 - earned[c][k]
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (data.values[c] - data.values[k]) ** 2
        low, high = sorted((c, k))
        return (sum(n[low : high + 1]) - (n[c] + n[k]) / 2) ** 2

    total = sum(n)
    if total <= 1:  # weights may add up to less than one pair of values
        return NAN
    observed = sum(2 * w * squared(g, s) for g, s, w in data) / total
    expected = sum(w * x * squared(c, k) for c, w in given for k, x in given)
    return 1 - observed / (expected / (total * (total - 1)))


def above_chance(data: Items, weights: str, chance: Callable[[Items, list, list], float]) -> float:
    """(p_a - p_e) / (1 - p_e), with p_e of the data, the weights and the shares of all labels."""
    data = farthest(data)
    earned = credit(weights, data.values)
    agreed = mean([(earned[g][s], w) for g, s, w in data])
    shares = [mean([((g == c) + (s == c), w) for g, s, w in data]) / 2 for c in range(data.k)]
    by_chance = chance(data, earned, shares)
    return (agreed - by_chance) / (1 - by_chance)


@definition
def gwet_ac2(data: Items, *, weights: str) -> float:
    def chance(data: Items, earned: list, shares: list) -> float:
        everything = sum(sum(row) for row in earned)
        apart = sum(share * (1 - share) for share in shares)
        return everything / (data.k * (data.k - 1)) * apart

    return above_chance(data, weights, chance)


@definition
def fleiss_kappa(data: Items, *, weights: str) -> float:
    def chance(data: Items, earned: list, shares: list) -> float:
        if len({*data.gold, *data.predicted}) == 1:
            return 1.0
        both = itertools.product(range(data.k), repeat=2)
        return sum(earned[a][b] * shares[a] * shares[b] for a, b in both)

    return above_chance(data, weights, chance)


@definition
def conger_kappa(data: Items, *, weights: str) -> float:
    def chance(data: Items, earned: list, _: list) -> float:
        if len({*data.gold, *data.predicted}) == 1:
            return 1.0
        return mean([(earned[g][t], w * x) for g, _, w in data for _, t, x in data])

    return above_chance(data, weights, chance)


@definition
def brennan_prediger(data: Items, *, weights: str) -> float:
    def chance(data: Items, earned: list, _: list) -> float:
        return sum(sum(row) for row in earned) / data.k**2

    return above_chance(data, weights, chance)


@definition
def lin_ccc(data: Items) -> float:
    data = farthest(data)
    if len({*data.gold, *data.predicted}) == 1:  # 0 / 0, which rounding would hide
        return NAN
    rows = [(data.values[g], data.values[s], w) for g, s, w in data]
    mx, my = mean([(x, w) for x, _, w in rows]), mean([(y, w) for _, y, w in rows])
    covariance = mean([((x - mx) * (y - my), w) for x, y, w in rows])
    spread = mean([((x - mx) ** 2 + (y - my) ** 2, w) for x, y, w in rows])
    return 2 * covariance / (spread + (mx - my) ** 2)


# --- clustering: a missing answer belongs to no cluster and still counts among the items.


def cell(data: Items, g: int, s: int) -> float:
    return sum(w for h, t, w in data if (h, t) == (g, s))


@definition
def mutual_information(data: Items) -> float:
    n, gold, answers = sum(data.weight), gold_counts(data), answer_counts(data)
    cells = {(g, s) for g, s, _ in data if s is not None}
    return sum(
        cell(data, g, s) / n * math.log2(cell(data, g, s) / n / (gold[g] / n * answers[s] / n))
        for g, s in cells
    )


@definition
def purity(data: Items) -> float:
    classes = range(data.k)
    return sum(max(cell(data, g, s) for g in classes) for s in classes) / sum(data.weight)


@definition
def inverse_purity(data: Items) -> float:
    classes = range(data.k)
    return sum(max(cell(data, g, s) for s in classes) for g in classes) / sum(data.weight)


@definition
def purity_f(data: Items) -> float:
    p, i = purity(data), inverse_purity(data)
    return 2 * p * i / (p + i) if p + i else 0.0


# --- path: every walk from the first cell to the last is tried; a missing answer is as many positions off as it can be.


def walks(k: int) -> list[list[tuple[int, int]]]:
    def go(r: int, c: int) -> list[list[tuple[int, int]]]:
        if (r, c) == (0, 0):
            return [[(0, 0)]]
        steps = [(r - 1, c), (r, c - 1), (r - 1, c - 1)]
        return [[*way, (r, c)] for a, b in steps if min(a, b) >= 0 for way in go(a, b)]

    return go(k - 1, k - 1)


def most_off(data: Items) -> Items:
    return data.answering(lambda g: data.k - 1 if data.k - 1 - g > g else 0)


@definition
def ordinal_classification_index(data: Items, *, beta: float, gamma: float) -> float:
    data, k = most_off(data), data.k
    n = sum(data.weight)
    d = sum(w * abs(g - s) ** gamma for g, s, w in data if g != s) ** (1 / gamma)
    b = beta / (n * (k - 1) ** gamma) if k > 1 else 0.0
    table = {(r, c): cell(data, r, c) for r in range(k) for c in range(k)}
    return min(
        1 + sum(-table[r, c] / (n + d) + b * table[r, c] * abs(r - c) ** gamma for r, c in way)
        for way in walks(k)
    )


def uniform_lines(data: Items) -> list[tuple[float, float]]:
    """(value at beta = 0, slope) of every walk."""
    data, k = most_off(data), data.k
    gold = gold_counts(data)
    p = {(r, c): cell(data, r, c) / gold[r] if gold[r] else 0.0 for r in range(k) for c in range(k)}
    used = sum(x > 0 for x in gold)
    d = sum(x * abs(r - c) for (r, c), x in p.items())
    return [
        (
            1 - sum(p[at] for at in way) / (used + d),
            sum(p[r, c] * abs(r - c) for r, c in way) / used,
        )
        for way in walks(k)
    ]


@definition
def uniform_ordinal_index(data: Items, *, beta: float) -> float:
    return min(start + beta * slope for start, slope in uniform_lines(data))


@definition
def auoc(data: Items) -> float:
    """The lowest of all lines, integrated exactly: it bends only where two lines cross."""
    lines = sorted(set(uniform_lines(data)))
    crossings = {(a - c) / (d - b) for (a, b), (c, d) in itertools.combinations(lines, 2) if b != d}
    betas = sorted({0.0, 1.0, *(x for x in crossings if 0 < x < 1)})
    lowest = [min(start + beta * slope for start, slope in lines) for beta in betas]
    return sum(
        (b - a) * (x + y) / 2
        for (a, b), (x, y) in zip(
            itertools.pairwise(betas), itertools.pairwise(lowest), strict=True
        )
    )


# --- probabilistic, of hard labels: all probability on the answer; none at all where there is no answer.


@definition
def ranked_probability_score(data: Items) -> float:
    rows = [[float(c == s) for c in range(data.k)] for s in data.predicted]
    worst = [max(g, data.k - 1 - g) for g in data.gold]
    scores = [worst[i] if s is None else ranked(g, rows[i]) for i, (g, s, _) in enumerate(data)]
    return mean(list(zip(scores, data.weight, strict=True))) / (data.k - 1)


def ranked(gold: int, probabilities: Sequence[float]) -> float:
    """Sum over the cuts of the squared difference of the two cumulative distributions."""
    cuts = range(len(probabilities) - 1)
    return sum((sum(probabilities[: cut + 1]) - (gold <= cut)) ** 2 for cut in cuts)


@definition
def expected_cem(data: Items) -> float:
    return cem_ord(data)


@definition
def log_loss(data: Items, *, epsilon: float) -> float:
    return cross_entropy(data, epsilon=epsilon)


@definition
def brier_score(data: Items) -> float:
    # a wrong label is off by 1 in its own class and by 1 in the right one
    return mean_of_worst(data, lambda g, s: 0 if g == s else 2)


@definition
def calibration_error(data: Items, *, bins: int) -> float:
    # Of labels there are two bins at each cut, the answers at or below it and those above. In the first only the items
    # whose gold is above are off, in the second only those whose gold is not.
    return soft_rps(data)


# --- distances of distributions, of hard labels: an item without an answer is as far away as its class allows.


def mean_of_worst(data: Items, cost) -> float:
    """Average a cost of two classes."""
    costs = [
        max(cost(g, a) for a in range(data.k)) if s is None else cost(g, s) for g, s, _ in data
    ]
    return mean(list(zip(costs, data.weight, strict=True)))


@definition
def wasserstein(data: Items, *, divide_by: str) -> float:
    width = data.values[-1] - data.values[0] if data.k > 1 else 1
    moved = mean_of_worst(data, lambda g, s: abs(data.values[g] - data.values[s])) / width
    return moved if divide_by == "range" else moved * (data.k - 1) / data.k


@definition
def manhattan(data: Items) -> float:
    return mean_of_worst(data, lambda g, s: 0 if g == s else 2)


@definition
def cross_entropy(data: Items, *, epsilon: float) -> float:
    return mean_of_worst(data, lambda g, s: 0 if g == s else -float(logarithm(epsilon)))


def logarithm(x: float) -> float:
    from math import log

    return log(x)


@definition
def soft_jensen_shannon(data: Items) -> float:
    return mean_of_worst(data, lambda g, s: 0 if g == s else 1)


@definition
def soft_rps(data: Items) -> float:
    return mean_of_worst(data, lambda g, s: abs(g - s)) / (data.k - 1)


# --- quantification: the shares of the classes alone.


def share_pairs(data: Items) -> list[tuple[float, float]]:
    data = farthest(data)
    n = sum(data.weight)
    return [(a / n, b / n) for a, b in zip(gold_counts(data), answer_counts(data), strict=True)]


@definition
def normalised_match_distance(data: Items) -> float:
    pairs = share_pairs(data)
    cuts = range(1, data.k)
    return sum(abs(sum(a - b for a, b in pairs[:cut])) for cut in cuts) / (data.k - 1)


@definition
def rnod(data: Items) -> float:
    pairs = share_pairs(data)
    occurring = [i for i, (gold, _) in enumerate(pairs) if gold > 0]
    apart = [sum(abs(i - j) * (a - b) ** 2 for j, (a, b) in enumerate(pairs)) for i in occurring]
    return math.sqrt(sum(apart) / len(occurring) / (data.k - 1))


@definition
def jensen_shannon(data: Items) -> float:
    def from_middle(one: float, other: float) -> float:
        return one * math.log2(one / ((one + other) / 2)) if one > 0 else 0

    return sum(from_middle(a, b) + from_middle(b, a) for a, b in share_pairs(data)) / 2
