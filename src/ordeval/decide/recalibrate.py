"""Make probabilities of a model that is too sure, or not sure enough, fit gold labels."""

from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.reading import ProbableItems

LEAST = 1e-6  # probabilities below it count as this much: a model that says 0 is never believed
MOST_ITEMS = 20_000  # which are more than enough for K + 1 numbers
MOST_STEPS = 50
SETTLED = 1e-9  # a step below it changes nothing


class Recalibration(NamedTuple):
    """How probabilities are changed: log p, times the sharpness, plus the offset of the class, up to a constant."""

    sharpness: float
    offsets: tuple[float, ...]

    def __call__(self, columns: Array) -> Array:
        """Return columns[class, item] of changed probabilities."""
        offsets = np.array(self.offsets)[:, None]
        return softmax(self.sharpness * np.log(np.maximum(columns, LEAST)) + offsets)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {"sharpness": self.sharpness, "offsets": list(self.offsets)}


def softmax(logits: Array) -> Array:
    """Return probabilities from columns[class, item] of logits."""
    shares = np.exp(logits - logits.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0))


def recalibrated(items: ProbableItems, gold: Array, seed: int = 0) -> Recalibration:
    """Return the change that makes the gold labels most probable (vector scaling, Guo et al. 2017).

    A penalty that weighs about as much as one item keeps the change small where there are few items. The function is
    convex, and Newton's steps are halved until they help.
    """
    k, n = items.columns.shape
    some = np.arange(n)
    if n > MOST_ITEMS:
        some = np.random.default_rng(seed).choice(n, MOST_ITEMS, replace=False, shuffle=False)
    logs = np.log(np.maximum(items.columns[:, some], LEAST))
    weight = np.ones(len(some)) if items.weight is None else items.weight[some]
    hit = gold[some] == np.arange(k)[:, None]
    at = np.concatenate([[1.0], np.zeros(k)])  # no change

    def cost(at: Array) -> float:
        logits = at[0] * logs + at[1:, None]
        highest = logits.max(axis=0)
        surprise = (
            np.log(np.exp(logits - highest).sum(axis=0))
            + highest
            - logits[hit.argmax(axis=0), np.arange(len(some))]
        )
        away = at - np.eye(1, k + 1)[0]
        return float(weight @ surprise + away @ away / 2)

    now = cost(at)
    for _ in range(MOST_STEPS):
        shares = softmax(at[0] * logs + at[1:, None])
        off = (shares - hit) * weight
        slope = np.concatenate([[(off * logs).sum()], off.sum(axis=1)]) + at - np.eye(1, k + 1)[0]
        weighted = shares * weight
        mean = (shares * logs).sum(axis=0)
        curve = np.eye(k + 1)
        curve[0, 0] += (weighted * logs**2).sum() - weight @ mean**2
        curve[0, 1:] = curve[1:, 0] = (weighted * (logs - mean)).sum(axis=1)
        curve[1:, 1:] += np.diag(weighted.sum(axis=1)) - weighted @ shares.T
        step = np.linalg.solve(curve, slope)
        while (after := cost(at - step)) > now and np.abs(step).max() > SETTLED:
            step = step / 2
        at, now = at - step, min(after, now)
        if np.abs(step).max() <= SETTLED:
            break
    return Recalibration(float(at[0]), tuple(at[1:].tolist()))
