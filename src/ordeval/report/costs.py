"""What each kind of error costs: the bits that an answer loses, and its share of all that a system lacks to 1."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.scoring import Scorer
from ordeval.formats.old_names import counted, quoted_label
from ordeval.metrics.closeness import proximity
from ordeval.scale import Scale


@dataclass(frozen=True, eq=False)
class Costs:
    """The errors of one system: [gold, answer] with a last column for no answer.

    `share` adds up to 1 over all cells: the part of 1 - cem_ord that a cell is to blame for, averaged over cases as the
    score is.
    """

    scale: Scale
    count: Array
    bits: Array  # lost in all, summed over cases
    share: Array
    lost: float  # 1 - cem_ord

    @property
    def each(self) -> Array:
        """The bits that one such answer loses, on average."""
        return np.divide(self.bits, self.count, out=np.zeros_like(self.bits), where=self.count > 0)

    @property
    def worst(self) -> list[tuple[int, int]]:
        """The cells that cost something, the most costly first."""
        order = np.argsort(-self.share, axis=None, kind="stable")
        cells = [divmod(int(at), self.share.shape[1]) for at in order]
        return [(gold, answer) for gold, answer in cells if self.share[gold, answer] > 0]

    def words(self, gold: int, answer: int) -> str:
        """Say what happened in a cell, how often, and what share of the loss it is."""
        times = self.count[gold, answer]
        often = "once" if times == 1 else f"{counted(times)} times"
        label = quoted_label(self.scale.labels[gold])
        what = (
            f"{label} left unanswered"
            if answer == self.scale.k
            else f"{label} taken for {quoted_label(self.scale.labels[answer])}"
        )
        return f"{what} {often}: {percent(self.share[gold, answer])} of all lost closeness"


def percent(share: float) -> str:
    """Write a share; 0% is said of nothing, and 100% of all."""
    if 0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def costs_of(cells: Array, scorer: Scorer) -> Costs:
    """Return the costs of one system's cells[case, gold, answer] under the policy for missing answers."""
    counts, unanswered = scorer.seen(cells)
    missed = np.zeros(counts.shape[:-1]) if unanswered is None else unanswered
    asked = np.concatenate([counts, missed[..., None]], axis=-1).astype(np.float64)
    asked = asked[asked.sum(axis=(-1, -2)) > 0]  # a case may have lost all items to a policy
    k = scorer.k
    lost = np.zeros_like(asked)
    if not len(asked):
        return Costs(
            scorer.scale, np.zeros((k, k + 1)), np.zeros((k, k + 1)), np.zeros((k, k + 1)), 0.0
        )
    gold = asked.sum(axis=-1)
    worth: Any = proximity.from_counts(gold)
    right = np.where(gold > 0, np.diagonal(worth, axis1=-2, axis2=-1), 0.0)
    with np.errstate(invalid="ignore"):
        lost[..., :k] = np.where(
            asked[..., :k] > 0, asked[..., :k] * (right[..., None] - worth), 0.0
        )
    lost[..., k] = asked[..., k] * right
    possible = (gold * right).sum(axis=-1)
    part = (lost / possible[:, None, None]).mean(axis=0)
    total = float(part.sum())
    share = part / total if total > 0 else np.zeros_like(part)
    return Costs(scorer.scale, asked.sum(axis=0), lost.sum(axis=0), share, total)
