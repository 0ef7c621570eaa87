"""Probabilities and quantiles of the normal distribution, tails of Student's t and of chi-squared, over arrays.

NumPy has none of them; Python's own functions are called value by value, which is fast enough for arrays that are as
short as there are systems or pairs.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.aliases import Array

NEAR_ZERO = 1e-300
SETTLED = 4e-16  # the continued fraction changes no digit any more
MOST_STEPS = 400
FEW = 100  # values up to which Python's numbers take less time than arrays
# Degrees of freedom from which a quantile of t is the normal one and a few corrections.
MANY_DEGREES = 1000
# The normal quantile of the usual interval of 95%, with all its digits: nobody waits for the import of NormalDist.
USUAL, ITS_QUANTILE = 0.975, 1.9599639845400536


def normal_cdf(x: Array) -> Array:
    """Return the probability that a standard normal value is below x, precise far out in both tails."""
    # Not NormalDist.cdf: before Python 3.13 it is 0 below -8.3.
    tail = np.frompyfunc(math.erfc, 1, 1)(-x / math.sqrt(2))
    return np.asarray(0.5 * tail, dtype=np.float64)


def normal_quantile(p: Array) -> Array:
    """Return the value that a standard normal one is below with probability p: -inf at 0, inf at 1."""
    from statistics import NormalDist  # slow to import, and seldom needed

    ends = np.where(p == 0, -np.inf, np.where(p == 1, np.inf, np.nan))
    inside = (p > 0) & (p < 1)
    quantile = np.frompyfunc(NormalDist().inv_cdf, 1, 1)(np.where(inside, p, 0.5))
    return np.where(inside, np.asarray(quantile, dtype=np.float64), ends)


def incomplete_beta(a: Array, b: float, x: Array, rest: Array) -> Array:
    """Return the regularised incomplete beta function I_x(a, b), by a continued fraction (Abramowitz & Stegun 26.5.8).

    `rest` is 1 - x: passed in, because 1 minus an x close to 1 would lose its digits.
    """
    a, x, rest = np.broadcast_arrays(a, x, rest)
    # Beyond this x only the fraction of the other side converges quickly, and I_x(a, b) = 1 - I_1-x(b, a).
    mirrored = x > (a + 1) / (a + b + 2)
    p, q, y = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, rest, x)
    with np.errstate(all="ignore"):
        front = np.exp(
            p * np.log(y) + q * np.log(np.where(mirrored, x, rest)) - np.log(p) - log_beta(p, q)
        )
        part = front * beta_fraction(p, q, y)
    return np.asarray(np.where(mirrored, 1 - part, part))


def log_beta(p: Array, q: Array) -> Array:
    """Return the logarithm of the beta function B(p, q)."""
    gamma = np.frompyfunc(math.lgamma, 1, 1)
    return np.asarray(gamma(p) + gamma(q) - gamma(p + q), dtype=np.float64)


def beta_fraction(p: Array, q: Array, y: Array) -> Array:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    if y.size <= FEW:
        numbers = np.stack([p, q, y]).reshape(3, -1).T.tolist()
        each = [lentz(a, b, x, one_away_from_zero, moves) for a, b, x in numbers]
        return np.array(each).reshape(y.shape)
    # To settle once is enough for each value: rounding may change its last digit again.
    moving = np.ones(y.shape, dtype=bool)

    def some_move(change: Array) -> bool:
        np.logical_and(moving, moves(change), out=moving)
        return bool(moving.any())

    fraction: Array = lentz(p, q, y, away_from_zero, some_move)
    return fraction


def lentz(p: Any, q: Any, y: Any, away: Callable[[Any], Any], go_on: Callable[[Any], bool]) -> Any:
    """Return the fraction for arrays or for numbers, given how these keep away from 0 and whether they still change."""
    c, d = 1.0, 1 / away(1 - (p + q) * y / (p + 1))
    value = d
    for m in range(1, MOST_STEPS):
        even = m * (q - m) * y / ((p + 2 * m - 1) * (p + 2 * m))
        d, c = 1 / away(1 + even * d), away(1 + even / c)
        value = value * d * c
        odd = -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1))
        d, c = 1 / away(1 + odd * d), away(1 + odd / c)
        value = value * d * c
        if not go_on(d * c - 1):
            break
    return value


def moves(change: Any) -> Any:
    """Return whether a step changed a digit: not where the value is undefined, which no step defines."""
    return abs(change) >= SETTLED


def one_away_from_zero(x: float) -> float:
    """Return a number, or a tiny one if it is nearer to 0 than that."""
    return NEAR_ZERO if abs(x) < NEAR_ZERO else x


def away_from_zero(x: Array) -> Array:
    """Return x, or a tiny number where x is nearer to 0 than that: a denominator must not be 0."""
    return np.where(np.abs(x) < NEAR_ZERO, NEAR_ZERO, x)


def t_two_sided(t: Array, freedom: Array) -> Array:
    """Return the probability that Student's t lies at least as far from 0 as t does."""
    with np.errstate(all="ignore"):
        x = freedom / (freedom + t * t)
        rest = np.where(np.isinf(t), 1.0, t * t / (freedom + t * t))
    return incomplete_beta(freedom / 2, 0.5, x, rest)


def t_cdf(t: Array, freedom: Array) -> Array:
    """Return the probability that Student's t lies below t."""
    tail = t_two_sided(t, freedom) / 2
    return np.where(t > 0, 1 - tail, tail)


def t_quantile(p: Array, freedom: Array) -> Array:
    """Return the value that Student's t is below with probability p."""
    p, freedom = np.broadcast_arrays(np.asarray(p, dtype=np.float64), freedom)
    pairs, back = np.unique(np.stack([p.ravel(), freedom.ravel()]), axis=1, return_inverse=True)
    quantiles = np.array([one_t_quantile(*pair) for pair in pairs.T.tolist()])
    return np.asarray(quantiles[back.ravel()].reshape(p.shape))


@lru_cache(maxsize=512)
def one_t_quantile(p: float, freedom: float) -> float:
    """Return one quantile of Student's t: Newton's steps from the normal one, which the tails of t exceed."""
    if not (0 < p < 1 and freedom > 0):
        return math.nan
    if p < 0.5:
        return -one_t_quantile(1 - p, freedom)
    z = ITS_QUANTILE if p == USUAL else float(normal_quantile(np.array(p)))
    if freedom > MANY_DEGREES:  # Fisher's expansion is exact to the last digits here
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / freedom + second / freedom**2 + third / freedom**3
    half = (freedom + 1) / 2
    log_height = math.lgamma(half) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    t, where = z, np.array([freedom])
    for _ in range(MOST_STEPS):
        tail = float(t_two_sided(np.array([t]), where)[0]) / 2
        density = math.exp(log_height - half * math.log1p(t * t / freedom))
        step = (tail - (1 - p)) / density
        # From below, where the density falls, a step never passes the quantile, so the steps grow and then settle.
        t += step
        if abs(step) <= 1e-11 * max(1.0, abs(t)):
            break
    return t


def chi_squared_tail(x: float, freedom: float) -> float:
    """Return the probability that a chi-squared value is at least x (Abramowitz & Stegun 6.5.29 and 6.5.31)."""
    if x <= 0 or freedom <= 0:
        return 1.0
    a, y = freedom / 2, x / 2
    front = math.exp(a * math.log(y) - y - math.lgamma(a))
    if y < a + 1:
        term = total = 1 / a
        step = a
        while term > SETTLED * total:
            step += 1
            term *= y / step
            total += term
        return 1 - front * total
    # Lentz's method for the continued fraction, which converges quickly on this side
    b = y + 1 - a
    c, d = 1 / NEAR_ZERO, 1 / b
    value = d
    for i in range(1, MOST_STEPS):
        part = -i * (i - a)
        b += 2
        d = part * d + b
        c = b + part / c
        d = 1 / (d if abs(d) > NEAR_ZERO else NEAR_ZERO)
        c = c if abs(c) > NEAR_ZERO else NEAR_ZERO
        value *= c * d
        if abs(c * d - 1) < SETTLED:
            break
    return front * value
