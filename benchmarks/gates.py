"""Does `oe.gate` keep its promises on real data? Print a board of error rates and of power, and write its page.

The items of a real set, with their gold labels and the answers of its systems, are the population, so that the true
scores are known. Samples of it are drawn with replacement and given to `oe.gate`. `--samples` says how many for each
row, `--page FILE` writes the board as a page. The data lies in ../shared/data, beside the repository, and is not part
of it.
"""

import argparse
import math
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ordeval as oe
from benchmarks.corrected import read
from benchmarks.written import write_page

SETS = ("LLMJudge", "RuSentNE")
MEASURES = ("cem_ord", "accuracy", "weighted_kappa(weights='quadratic')", "mae")
ITEMS = (300, 1000)
MARGIN = 0.02
POWER = 0.8
REPLACED = 0.25  # of the candidate's answers, by those of a much poorer system
ABOUT = """\
Written by `make gated`. The items of a real set (LLMJudge: {LLMJudge:,} items in 4 classes; RuSentNE: {RuSentNE:,} in
3), with their gold labels and the answers of its systems, are the population, so that the true scores are known.
{samples:,} samples are drawn for each row, with replacement, and given to `oe.gate` at the level 0.95. Paired samples
are of the same items; independent ones are drawn apart, as tables. A rate of 5% is known to within {errors[0]:.1f}
points, one of 80% to within {errors[1]:.1f} (two standard errors).

Two systems of *equal score* and different errors are the two most accurate ones, which swap their answers in half of
the items. A *regression* is planted: the candidate is the best system, with {replaced:.0%} of its answers replaced by
those of the least accurate system."""


@dataclass(frozen=True)
class Population:
    """Joint answers of baseline and candidate with their shares, and the true scores."""

    gold: Any
    baseline: Any
    candidate: Any
    share: Any
    k: int

    def table(self, answers: Any, share: Any) -> oe.Table:
        """Return the table of one system."""
        cells = np.bincount(self.gold * self.k + answers, share, self.k**2).reshape(self.k, self.k)
        return oe.Table.from_counts(cells, labels=range(self.k))

    def difference(self, metric: str) -> float:
        """Return the true difference, candidate - baseline."""
        measure = oe.registry[metric]
        scores = [measure(self.table(side, self.share)) for side in (self.candidate, self.baseline)]
        return float(scores[0] - scores[1])

    def draw(self, rng: np.random.Generator, n: int, *, paired: bool) -> dict[str, Any]:
        """Draw a sample; return what `oe.gate` takes."""
        if paired:
            return self.answers(rng.multinomial(n, self.share))
        tables = [
            self.table(side, rng.multinomial(n, self.share))
            for side in (self.baseline, self.candidate)
        ]
        return {"baseline": tables[0], "candidate": tables[1], "n_resamples": 1}

    def answers(self, count: Any) -> dict[str, Any]:
        """Return the answers of both to so many items of each kind."""
        return {
            "baseline": self.baseline, "candidate": self.candidate, "gold": self.gold, "count": count,
            "labels": range(self.k),
        }  # fmt: skip


def joint(gold: Any, parts: list[tuple[Any, Any, float]], k: int) -> Population:
    """Return the population in which each pair of columns of answers holds for a share of the items."""
    codes = np.concatenate([(gold * k + old) * k + new for old, new, _ in parts])
    weights = np.concatenate([np.full(len(gold), share / len(gold)) for _, _, share in parts])
    used, place = np.unique(codes, return_inverse=True)
    share = np.bincount(place, weights)
    return Population(used // k**2, used // k % k, used % k, share / share.sum(), k)


def populations(name: str) -> tuple[Population, Population, int]:
    """Return two systems of equal score, a system with a planted regression, and the number of items."""
    data = read(name)
    k = len(data.labels)
    place = {label: at for at, label in enumerate(data.labels)}
    gold, *others = (
        np.array([place[mark] for mark in marks])
        for marks in (data.human, *map(data.answers.get, data.by_accuracy()))
    )
    worst, *_, second, best = others
    equal = joint(gold, [(best, second, 0.5), (second, best, 0.5)], k)
    poorer = joint(gold, [(best, best, 1 - REPLACED), (best, worst, REPLACED)], k)
    return equal, poorer, len(gold)


class Kind(NamedTuple):
    """A kind of gate: by which measure, on which data, of paired samples or of independent ones."""

    name: str
    metric: str
    paired: bool

    def rate(
        self,
        outcome: str,
        population: Population,
        n: int,
        *,
        margin: float,
        samples: int,
        what: str,
    ) -> float:
        """Return how often a gate of samples of n items has an outcome."""
        about = ((self.name, what), self.metric, n, self.paired)
        rng = np.random.default_rng(zlib.crc32(repr(about).encode()))
        gates = (
            oe.gate(
                **population.draw(rng, n, paired=self.paired), metric=self.metric, margin=margin
            )
            for _ in range(samples)
        )
        return sum(gate.outcome == outcome for gate in gates) / samples

    def __str__(self) -> str:
        return f"{self.name} | {self.metric} | {'paired' if self.paired else 'independent'}"


@dataclass(frozen=True)
class Rates:
    """How often gates of one kind give wrong answers, and right ones with the number of items that was planned."""

    loss: float  # of the planted regression
    false_fails: list[float]  # at equal scores, for each of ITEMS
    false_passes: list[float]  # at a loss of the margin
    items: tuple[int, int]  # planned for the regression, and for equal scores
    power: tuple[float, float]  # fails of the regression, and passes of equal scores


def planned(population: Population, metric: str, difference: float, *, paired: bool) -> int:
    """Return how many items `oe.plan` asks for to find a difference, from the whole population as a pilot."""
    pilot = np.rint(population.share * 1_000_000).astype(np.int64)
    settings = {"metric": metric, "difference": difference, "power": POWER}
    if paired:
        given = population.answers(pilot)
        systems = {name: given.pop(name) for name in ("baseline", "candidate")}
        runs = oe.Runs.from_labels(given.pop("gold"), systems, **given)
        return int(oe.plan(runs, **settings).items or 0)
    tables = [population.table(side, pilot) for side in (population.baseline, population.candidate)]
    return int(oe.plan(*tables, **settings).items or 0)


def measured(kind: Kind, equal: Population, poorer: Population, samples: int) -> Rates:
    """Simulate the gates of one kind."""
    loss = abs(poorer.difference(kind.metric))
    rate = partial(kind.rate, samples=samples)
    plans = [(poorer, loss), (equal, MARGIN)]
    items = [planned(of, kind.metric, apart, paired=kind.paired) for of, apart in plans]
    return Rates(
        loss,
        [rate("fail", equal, n, margin=MARGIN, what="equal") for n in ITEMS],
        [rate("pass", poorer, n, margin=loss, what="at the margin") for n in ITEMS],
        (items[0], items[1]),
        (
            rate("fail", poorer, items[0], margin=loss / 10, what="regression"),
            rate("pass", equal, items[1], margin=MARGIN, what="no loss"),
        ),
    )


def board(
    samples: int, sets: Sequence[str] = SETS, measures: Sequence[str] = MEASURES
) -> tuple[dict[Kind, Rates], dict[str, int]]:
    """Return the rates of all kinds of gates, and the numbers of items of the sets."""
    rates, sizes = {}, {}
    for name in sets:
        equal, poorer, sizes[name] = populations(name)
        for metric in measures:
            for paired in (True, False):
                kind = Kind(name, metric, paired)
                rates[kind] = measured(kind, equal, poorer, samples)
            print(f"{name}: {metric}", file=sys.stderr)
    return rates, sizes


def percent(share: float) -> str:
    """Write a rate."""
    return f"{100 * share:.1f}%"


def error_lines(rates: dict[Kind, Rates]) -> list[str]:
    """Write the rates of wrong answers as a table."""
    return [
        "| set | measure | samples | items | fails at equal scores | passes at a loss of the margin |",
        "|---|---|---|---:|---:|---:|",
        *(
            f"| {kind} | {n:,} | {percent(one.false_fails[at])} | {percent(one.false_passes[at])} |"
            for kind, one in rates.items()
            for at, n in enumerate(ITEMS)
        ),
    ]


def power_lines(rates: dict[Kind, Rates]) -> list[str]:
    """Write how often a planted regression fails, and equal scores pass, with the planned number of items."""
    return [
        "| set | measure | samples | loss | items planned | fails | items planned for equal scores | passes |",
        "|---|---|---|---:|---:|---:|---:|---:|",
        *(
            f"| {kind} | {one.loss:.4f} | {one.items[0]:,} | {percent(one.power[0])} | {one.items[1]:,} | "
            f"{percent(one.power[1])} |"
            for kind, one in rates.items()
        ),
    ]


def page(rates: dict[Kind, Rates], sizes: dict[str, int], samples: int) -> str:
    """Write the board as a page."""
    powers = [power for one in rates.values() for power in one.power]
    fails = max(rate for one in rates.values() for rate in one.false_fails)
    passes = max(rate for one in rates.values() for rate in one.false_passes)
    errors = [200 * math.sqrt(rate * (1 - rate) / samples) for rate in (0.05, POWER)]
    about = ABOUT.format(samples=samples, errors=errors, replaced=REPLACED, **sizes)
    wrong = (
        f"At equal scores, with a margin of {MARGIN}, at most {percent(fails)} of the gates fail. Where the candidate "
        f"is worse by exactly the margin, at most {percent(passes)} pass."
    )
    right = (
        f"With the number of items that `oe.plan` asks for, for a power of {POWER:.0%}, the gates find the regression "
        f"(with a margin of a tenth of it) or the equal scores (with a margin of {MARGIN}) in "
        f"{percent(min(powers))} to {percent(max(powers))} of the samples."
    )
    lines = [
        "# Gates on real data",
        "",
        about,
        "",
        "## Wrong answers",
        "",
        wrong,
        "",
        *error_lines(rates),
        "",
        "## Right answers",
        "",
        right,
        "",
        *power_lines(rates),
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Print the board, and write it if a page is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gates", description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    text = page(*board(options.samples), options.samples)
    print(text)
    if options.page is not None:
        write_page(options.page, text)


if __name__ == "__main__":
    main()
