"""What each kind of error costs: the bits that an answer loses, and its share of the distance to a perfect score."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.scorer import Scorer
from ordeval.formats.names import quoted_label
from ordeval.formats.numbers import amount, amount_in_cell, percent
from ordeval.metrics.closeness import proximity
from ordeval.scale import Scale


@dataclass(frozen=True, eq=False)
class ErrorCosts:
    """The answers of one system and what they lost: arrays [gold, answer], with a last column for no answer.

    `share` adds up to 1: the part of 1 - cem_ord that each cell is responsible for. Like the score, it is an average
    over the test cases.
    """

    scale: Scale
    count: Array
    bits: Array  # that all answers of a cell lost, summed over cases
    share: Array

    @property
    def bits_each(self) -> Array:
        """The bits that one such answer loses, on average."""
        return np.divide(self.bits, self.count, out=np.zeros_like(self.bits), where=self.count > 0)

    @property
    def most_costly(self) -> list[tuple[int, int]]:
        """The cells (gold, answer) that cost something, the most costly first."""
        order = np.argsort(-self.share, axis=None, kind="stable")
        cells = [divmod(int(at), self.share.shape[1]) for at in order]
        return [(gold, answer) for gold, answer in cells if self.share[gold, answer] > 0]

    def share_off_by(self, classes: int) -> float:
        """Return the share of the items whose answer is so many classes away from gold; 0: the right answers."""
        total = float(self.count.sum())
        answered = self.count[:, : self.scale.k]
        away = sum(float(np.trace(answered, offset)) for offset in {classes, -classes})
        return away / total if total else 0.0

    @property
    def summary(self) -> str:
        """The shares of right and nearly right answers, in words."""
        return (
            f"{percent(self.share_off_by(0))} right, {percent(self.share_off_by(1))} one class off"
        )

    def sentence(self, gold: int, answer: int) -> str:
        """Say what happened in a cell, how often, and what share of the loss it is."""
        times = float(self.count[gold, answer])
        whole = (
            times.is_integer()
        )  # items of soft gold and probabilities are spread over many cells
        often = "once" if times == 1 else f"{(amount if whole else amount_in_cell)(times)} times"
        label = quoted_label(self.scale.names[gold])
        what = (
            f"{label} left unanswered"
            if answer == self.scale.k
            else f"{label} taken for {quoted_label(self.scale.names[answer])}"
        )
        return f"{what} {often}: {percent(self.share[gold, answer])} of all lost closeness"


def error_costs(cells: Array, scorer: Scorer) -> ErrorCosts:
    """Return what the errors in cells[case, gold, answer] of one system cost, under the policy for missing answers."""
    answered, unanswered = scorer.seen(cells)
    missed = np.zeros(answered.shape[:-1]) if unanswered is None else unanswered
    counts = np.concatenate([answered, missed[..., None]], axis=-1).astype(np.float64)
    counts = counts[counts.sum(axis=(-1, -2)) > 0]  # a case may have lost all items to a policy
    if not len(counts):
        empty = np.zeros((scorer.k, scorer.k + 1))
        return ErrorCosts(scorer.scale, empty, empty, empty)
    gold = counts.sum(axis=-1)
    earned: Any = proximity.from_counts(gold)
    right = np.where(gold > 0, np.diagonal(earned, axis1=-2, axis2=-1), 0.0)
    # no answer earns nothing
    earned = np.concatenate([earned, np.zeros((*gold.shape, 1))], axis=-1)
    with np.errstate(invalid="ignore"):  # the bits of a class that gold never uses are infinite
        lost = np.where(counts > 0, counts * (right[..., None] - earned), 0.0)
    perfect = (gold * right).sum(axis=-1)
    share = (lost / perfect[:, None, None]).mean(axis=0)
    total = float(share.sum())
    return ErrorCosts(
        scorer.scale, counts.sum(axis=0), lost.sum(axis=0), share / total if total > 0 else share
    )
