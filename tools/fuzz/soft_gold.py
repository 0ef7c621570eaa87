"""Soft gold beside labels or probabilities, and a plain count of it item by item."""

import math
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import ordeval as oe
from tools.fuzz.plain import Refused
from tools.fuzz.trial import Finding, Outcome, Try, attempt

ROUNDING = 1e-9


@dataclass(frozen=True)
class SoftItems:
    """The shares of each item, its answer (a code, a row of probabilities, or None), and how they are counted."""

    k: int
    shares: list[list[float]]
    answers: list[Any]
    weight: list[float] | None
    missing: str
    refused: bool  # some row is no distribution

    @property
    def hard(self) -> bool:
        """Whether the answers are labels."""
        return not any(isinstance(answer, list) for answer in self.answers)

    def read(self) -> oe.Table:
        """Count the items as the package does."""
        nothing = None if self.hard else [math.nan] * self.k
        answers = [nothing if answer is None else answer for answer in self.answers]
        return oe.Table.from_soft(
            np.array(self.shares), answers, labels=range(self.k), sample_weight=self.weight,
            missing=self.missing,
        )  # fmt: skip

    def answer(self, at: int) -> list[float]:
        """Return the probability of each class, and of no answer, that an item was given."""
        answer = self.answers[at]
        if answer is None:
            return [0.0] * self.k + [1.0]
        given = answer if isinstance(answer, list) else [float(c == answer) for c in range(self.k)]
        return [*given, 0.0]

    def cells(self) -> list[list[float]]:
        """Count the items one by one, or raise `Refused`."""
        if self.refused or (None in self.answers and self.missing == "error"):
            raise Refused
        cells = [[0.0] * (self.k + 1) for _ in range(self.k)]
        for at, shares in enumerate(self.shares):
            weight = self.weight[at] if self.weight else 1.0
            for g, share in enumerate(shares):
                for p, part in enumerate(self.answer(at)):
                    cells[g][p] += share * part * weight
        return cells


def distribution(rng: Random, k: int) -> list[float]:
    """Draw the shares of some votes."""
    votes = [rng.choice([0, 0, 1, 2]) for _ in range(k)]
    votes[rng.randrange(k)] += 1
    return [vote / sum(votes) for vote in votes]


def draw_soft(rng: Random) -> SoftItems:
    """Draw a few items; some have no answer, and the shares of some do not sum to 1 or are below 0."""
    k, n = rng.randint(2, 5), rng.choice([1, 2, 6])
    shares = [distribution(rng, k) for _ in range(n)]
    refused = rng.random() < 0.3
    if refused:
        shares[-1][0] += rng.choice([0.5, -2, math.inf])
    hard = rng.random() < 0.5
    answers: list[Any] = [rng.randrange(k) if hard else distribution(rng, k) for _ in range(n)]
    if n > 1 and rng.random() < 0.3:
        answers[0] = None
    weight = [rng.choice([0.5, 1.0, 3.0]) for _ in range(n)] if rng.random() < 0.3 else None
    return SoftItems(k, shares, answers, weight, rng.choice(["error", "zero", "drop"]), refused)


def soft(rng: Random) -> Try:
    """Draw soft gold and answers, and compare their table and their distance with those of a loop."""
    items = draw_soft(rng)

    def judge() -> Outcome:
        table, error = attempt(items.read)
        try:
            cells = items.cells()
        except Refused:
            if error is None:
                raise Finding("a soft table instead of an error") from None
            return Outcome("refused")
        if error is not None:
            return Outcome("stricter", str(error)[:60])
        if not np.allclose(table.cells, cells, rtol=ROUNDING, atol=ROUNDING):
            raise Finding(f"cells {table.cells.tolist()} instead of {cells}", "another soft table")
        check_distance(items)
        return Outcome("answered")

    return Try(f"{items}", judge)


def check_distance(items: SoftItems) -> None:
    """Compare the Wasserstein distance with the sum over classes of what differs below each."""
    if items.hard or None in items.answers or items.weight:
        return
    below = np.cumsum(items.shares, axis=1) - np.cumsum(items.answers, axis=1)
    plain = np.abs(below).sum() / len(below)
    value = oe.wasserstein(np.array(items.shares), items.answers, labels=range(items.k))
    if not math.isclose(value, plain, rel_tol=ROUNDING, abs_tol=ROUNDING):
        raise Finding(f"wasserstein {value} instead of {plain}", "another distance")
