"""Tails of the normal and of Student's t distribution, over arrays."""

import math

import numpy as np

from ordeval.comparison.cells import Array

TINY = 1e-300
SETTLED = 1e-16
STEPS = 400

# Acklam's rational approximation of the normal quantile (relative error 1.15e-9), before one step of Halley's method.
CENTRE_TOP = (
    -3.969683028665376e01,
    2.209460984245205e02,
    -2.759285104469687e02,
    1.383577518672690e02,
    -3.066479806614716e01,
    2.506628277459239e00,
)
CENTRE_BOTTOM = (
    -5.447609879822406e01,
    1.615858368580409e02,
    -1.556989798598866e02,
    6.680131188771972e01,
    -1.328068155288572e01,
    1.0,
)
TAIL_TOP = (
    -7.784894002430293e-03,
    -3.223964580411365e-01,
    -2.400758277161838e00,
    -2.549732539343734e00,
    4.374664141464968e00,
    2.938163982698783e00,
)
TAIL_BOTTOM = (
    7.784695709041462e-03,
    3.224671290700398e-01,
    2.445134137142996e00,
    3.754408661907416e00,
    1.0,
)
TAIL = 0.02425

erfc = np.frompyfunc(
    math.erfc, 1, 1
)  # NumPy has none; the arrays here are as short as there are systems or pairs


def normal_cdf(x: Array) -> Array:
    """Return the probability of a standard normal value below x."""
    return np.asarray(0.5 * erfc(-np.asarray(x, dtype=np.float64) / math.sqrt(2)), dtype=np.float64)


def normal_quantile(p: Array) -> Array:
    """Return the value that a standard normal one lies below with probability p."""
    p = np.asarray(p, dtype=np.float64)
    near = np.minimum(p, 1 - p)  # by symmetry the lower tail is enough
    with np.errstate(all="ignore"):
        middle = near - 0.5
        r = middle * middle
        centre = middle * np.polyval(CENTRE_TOP, r) / np.polyval(CENTRE_BOTTOM, r)
        q = np.sqrt(-2 * np.log(near))
        tail = np.polyval(TAIL_TOP, q) / np.polyval(TAIL_BOTTOM, q)
        x = np.where(near < TAIL, tail, centre)
        step = (normal_cdf(x) - near) * math.sqrt(2 * math.pi) * np.exp(x * x / 2)
        x = np.where(near > 0, x - step / (1 + x * step / 2), -np.inf)
    return np.where(p <= 0.5, x, -x)


def incomplete_beta(a: Array, b: float, x: Array, rest: Array) -> Array:
    """Return the regularised incomplete beta function by its continued fraction (Abramowitz & Stegun 26.5.8).

    `rest` is 1 - x, given so that a small one keeps its digits.
    """
    a, x, rest = np.broadcast_arrays(
        *(np.asarray(array, dtype=np.float64) for array in (a, x, rest))
    )
    mirrored = x > (a + 1) / (
        a + b + 2
    )  # there the fraction of the other side converges, and I_x(a, b) = 1 - I_1-x(b, a)
    p, q, y = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, rest, x)
    with np.errstate(all="ignore"):
        front = np.exp(
            p * np.log(y) + q * np.log(np.where(mirrored, x, rest)) - np.log(p) - log_beta(p, q)
        )
        part = np.where(y > 0, front * continued(p, q, y), 0.0)
    return np.where(mirrored, 1 - part, part)


def log_beta(p: Array, q: Array) -> Array:
    """Return the logarithm of the beta function."""
    gamma = np.frompyfunc(math.lgamma, 1, 1)
    return np.asarray(gamma(p) + gamma(q) - gamma(p + q), dtype=np.float64)


def continued(p: Array, q: Array, y: Array) -> Array:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    c = np.ones_like(y)
    d = 1 / guarded(1 - (p + q) * y / (p + 1))
    value: Array = d.copy()
    for m in range(1, STEPS):
        even = m * (q - m) * y / ((p + 2 * m - 1) * (p + 2 * m))
        d, c = 1 / guarded(1 + even * d), guarded(1 + even / c)
        value = value * d * c
        odd = -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1))
        d, c = 1 / guarded(1 + odd * d), guarded(1 + odd / c)
        value = value * d * c
        if np.all(np.abs(d * c - 1) < SETTLED * 4):
            break
    return value


def guarded(x: Array) -> Array:
    """Keep a denominator away from 0."""
    return np.where(np.abs(x) < TINY, TINY, x)


def t_two_sided(t: Array, freedom: Array) -> Array:
    """Return the probability that Student's t lies at least as far from 0 as t does."""
    t, freedom = np.asarray(t, dtype=np.float64), np.asarray(freedom, dtype=np.float64)
    with np.errstate(all="ignore"):
        x = np.where(np.isinf(t), 0.0, freedom / (freedom + t * t))
        rest = np.where(np.isinf(t), 1.0, t * t / (freedom + t * t))
    return incomplete_beta(freedom / 2, 0.5, x, rest)
