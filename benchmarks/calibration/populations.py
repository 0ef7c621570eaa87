"""Populations with a known truth, and samples drawn from them.

A system is right with some probability; if it is wrong, a class one step farther is `decay` times as likely. Simulated
samples of one population are handed to `ordeval.stats` as if they were the systems of one comparison, so that hundreds
are worked out at once.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.comparison.scorer import Scorer
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.scale import Scale
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.distributions import normal_cdf

MEASURES = (
    "accuracy",
    "cem_ord",
    "mae",
    "mse",
    "macro_f1",
    "macro_mae",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
    "krippendorff_alpha",
)
GOLD = {
    (3, "even"): (1 / 3, 1 / 3, 1 / 3),
    (3, "skewed"): (0.75, 0.20, 0.05),
    (5, "even"): (0.2, 0.2, 0.2, 0.2, 0.2),
    (5, "skewed"): (0.55, 0.25, 0.12, 0.05, 0.03),
}
TYPICAL = 0.65  # the share of right answers of a typical system
LEVEL = 0.95
ALPHA = 0.05
FLIPS = 999


def seeded(*about: Any) -> np.random.Generator:
    """Return random numbers that depend only on what they are for."""
    return np.random.default_rng(zlib.crc32(repr(about).encode()))


def score_function(k: int, measures: Sequence[str] = MEASURES) -> Scorer:
    """Return the function that scores tables of k classes."""
    return Scorer(resolve(measures), Scale(range(k)), Policy())


def wrong_answers(k: int, decay: float) -> Any:
    """Return shares[gold, answer] of the wrong answers."""
    distance = np.abs(np.arange(k)[:, None] - np.arange(k))
    shares = np.where(distance > 0, decay ** (distance - 1.0), 0.0)
    return shares / shares.sum(axis=1, keepdims=True)


def population(gold: Sequence[float], right: Any, decay: float) -> Any:
    """Return the shares [gold, answer] of all items; `right` may differ by gold class."""
    k = len(gold)
    by_class = np.broadcast_to(np.asarray(right, dtype=np.float64), k)[:, None]
    answers = by_class * np.eye(k) + (1 - by_class) * wrong_answers(k, decay)
    return np.asarray(gold)[:, None] * answers


def with_no_answer(tables: Any) -> Any:
    """Return tables with the empty column of items without an answer."""
    return np.concatenate([tables, np.zeros((*tables.shape[:-1], 1))], axis=-1)


def truth(shares: Any, score: Scorer) -> Any:
    """Return the scores [measure] of a whole population."""
    return score(with_no_answer(shares) * 1e9)


def draw_gold(rng: np.random.Generator, gold: Sequence[float], shape: tuple[int, ...]) -> Any:
    """Draw the gold classes of items."""
    return np.searchsorted(np.cumsum(gold)[:-1], rng.random(shape), side="right")


def draw_answers(
    rng: np.random.Generator,
    gold: Any,
    right: Any,
    decay: float,
    k: int,
    *,
    difficulty: Any = None,
    shared: float = 0.0,
) -> Any:
    """Draw a system's answers; `difficulty` of the items, normal, explains the part `shared` of who is right."""
    luck = rng.random(gold.shape)
    if difficulty is not None:
        own = rng.standard_normal(gold.shape)
        luck = normal_cdf(shared * difficulty + np.sqrt(1 - shared**2) * own)
    edges = np.cumsum(wrong_answers(k, decay), axis=1)[:, :-1]
    wrong = (rng.random(gold.shape)[..., None] >= edges[gold]).sum(axis=-1)
    return np.where(luck < right, gold, wrong)


def as_patterns(gold: Any, answers: Any, k: int) -> CasePatterns:
    """Return samples [sample, item] in the form that the statistics take, each in the place of a system."""
    return CasePatterns(count=np.ones(gold.shape[-1]), cell=gold * (k + 1) + answers, k=k)


def logit(share: Any) -> Any:
    """Return the logarithm of the odds."""
    return np.log(share / (1 - share))


def expit(x: Any) -> Any:
    """Return the share with these odds."""
    return 1 / (1 + np.exp(-x))


def solved(difference: Any, low: float = 1e-4, high: float = 1 - 1e-4) -> float:
    """Return where a monotone function is 0, by halving the bracket."""
    rising = difference(high) > difference(low)
    for _ in range(50):
        middle = (low + high) / 2
        if (difference(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
