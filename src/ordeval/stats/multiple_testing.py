"""Adjust the p-values of many tests so that one error rate holds for all of them together."""

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import check_choice
from ordeval.stats.joint_draws import Reached, least_first
from ordeval.ties import TIE

CORRECTIONS = ("maxt", "holm", "bh", "none")
ROUNDING = 1e-5  # draws are sums in single precision, and one that ties with the observed must not fall short of it


def read_correction(correction: str) -> str:
    """Return the name of a correction, or refuse one that does not exist."""
    check_choice("correction", correction, CORRECTIONS)
    return correction


def adjusted(p: Array, correction: str) -> Array:
    """Return p-values adjusted over the last axis; NaN stays NaN and does not count as a test.

    "holm" is Holm's step-down procedure, "bh" Benjamini and Hochberg's step-up procedure, and "by" that of Benjamini
    and Yekutieli, which holds however the tests depend on each other; "none" changes nothing.

    >>> adjusted(np.array([0.01, 0.04, 0.03]), "holm").round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    if correction == "none" or not p.shape[-1]:
        return p
    order = np.argsort(p)  # NaN comes last
    ranked = np.take_along_axis(p, order, axis=-1)
    tests = (~np.isnan(p)).sum(axis=-1, keepdims=True)
    place = np.arange(p.shape[-1])
    if correction == "holm":
        steps = np.maximum.accumulate(ranked * (tests - place), axis=-1)
    else:
        harmonic = np.cumsum(1 / (place + 1))[np.maximum(tests, 1) - 1] if correction == "by" else 1
        raised = np.where(np.isnan(ranked), np.inf, ranked * tests * harmonic / (place + 1))
        steps = np.minimum.accumulate(raised[..., ::-1], axis=-1)[..., ::-1]
    result = np.empty_like(p)
    np.put_along_axis(
        result, order, np.where(np.isnan(ranked), np.nan, np.minimum(steps, 1.0)), axis=-1
    )
    return result


def reached_at(t: Array) -> Array:
    """Return the |t| from which on a draw is as far out as the observed one."""
    return np.asarray(np.abs(t) * (1 - ROUNDING) - TIE)


def maximum_p(t: Array, reached: Reached, *, exact: bool) -> Array:
    """Return p-values of t[measure, pair] adjusted by the step-down maximum over joint draws.

    A difference is compared with the largest of all differences that are not larger than it (Westfall and Young 1993),
    so that at most a share alpha of all studies call any difference significant that is not there. `exact` says that
    the draws are all that there are; otherwise one is added to both counts.
    """
    p = share_reached(reached.largest, reached.draws, exact=exact)
    adjusted_p = np.full(t.shape, np.nan)
    for m, enough in enumerate(reached_at(t)):
        order = least_first(enough)[::-1]
        adjusted_p[m, order] = np.minimum(np.maximum.accumulate(p[m, order]), 1.0)
    return adjusted_p


def flipped_p(t: Array, reached: Reached, *, exact: bool) -> Array:
    """Return p by randomisation: the share of sign flips whose |t| is at least as large as the observed one."""
    return np.where(np.isnan(t), np.nan, share_reached(reached.alone, reached.draws, exact=exact))


def share_reached(reached: Array, total: int, *, exact: bool) -> Array:
    """Return the share of draws; one is added to both counts unless the draws are all that there are."""
    return np.asarray(reached / total if exact else (reached + 1.0) / (total + 1.0))
