"""The alternative annotator test, which asks whether a judge is as close to the other humans as a human is.

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge. Each human in turn is left out;
on every item of that human, both the human and the judge are scored against the remaining humans.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.arguments import is_number, is_whole
from ordeval.comparison.ceiling import marks_of
from ordeval.comparison.results import fields_content, none_if_undefined
from ordeval.errors import DataError, ParameterError, argument, quoted
from ordeval.formats.json import head
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted, in_words, number, percent
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.inputs.patterns import group
from ordeval.judge.matched import JudgedUnits, match, one_judge
from ordeval.metrics.closeness import finite_bits
from ordeval.metrics.registry import registry
from ordeval.ratings import Ratings
from ordeval.stats.distributions import t_cdf
from ordeval.stats.multiple_testing import adjusted
from ordeval.table.mass import ordinal_mass

HALF = 0.5  # the winning rate from which on the test is passed
LEAST_ITEMS = 30  # with fewer items of a human, the t test says little: the authors' own limit
MOST_NAMES = 5
SCORES = ("rmse", "accuracy", "mae", "cem_ord")


@dataclass(frozen=True, slots=True)
class HumanTest:
    """One human who is left out: how often the judge is at least as close to the others, and the test of that.

    `advantage` is the share of items on which the judge's score is at least that of the human, and `difference` the
    share on which the human's is at least that of the judge, minus this. The human is beaten if the difference is
    significantly below epsilon.

    >>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
    >>> judges = oe.Ratings.from_array(
    ...     [[1, 3], [3, 3], [5, 1]] * 20, raters=["good", "poor"]
    ... )
    >>> first = oe.judge.alt_test(humans, judges.select(["good"])).humans[0]
    >>> first.items, first.beaten
    (60, True)
    """

    rater: str  # the human who is left out
    items: int  # the number of items
    advantage: float  # how often the judge is at least as close to the others
    difference: float  # how much more often the human is, as a share
    error: float  # the standard error of the difference
    p: float  # the p-value
    p_adjusted: float  # the p-value, corrected for the number of tests
    beaten: bool  # whether the judge beats the human

    def to_dict(self) -> dict[str, Any]:
        """Return the human for JSON."""
        return fields_content(self)


@dataclass(frozen=True, eq=False, repr=False)
class AltTest(Result):
    """The alternative annotator test of one judge.

    `winning_rate` (omega) is the share of the tested humans whom the judge beats, `advantage` (rho) how often the judge
    is at least as close to the other humans as the human who is left out, and `passed` says that at least half of the
    humans are beaten. `left_out` are the humans with too few items.

    >>> humans = oe.Ratings.from_array([[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20)
    >>> judges = oe.Ratings.from_array(
    ...     [[1, 3], [3, 3], [5, 1]] * 20, raters=["good", "poor"]
    ... )
    >>> t = oe.judge.alt_test(humans, judges.select(["good"]))
    >>> t.passed, t.winning_rate, len(t.humans)
    (True, 1.0, 3)
    """

    judge: str  # the name of the judge
    winning_rate: float  # the share of the tested humans whom the judge beats
    advantage: float  # how often the judge is at least as close to the others
    passed: bool  # whether at least half of the humans are beaten
    epsilon: float  # how much a human's work is worth more
    q: float  # the share of false discoveries
    score: str  # how close a mark is to those of the others
    humans: tuple[HumanTest, ...]  # the test of each human
    left_out: Mapping[str, int]  # humans with too few items, and how many they have
    items: int  # that two humans or more and the judge marked
    items_left_out: int  # items that fewer than two humans marked
    least_items: int  # humans with fewer items are left out
    reason: str | None = None  # why nobody could be tested

    def sheet(self) -> Sheet:
        """Return a row for each tested human."""
        columns = [
            Column("human"),
            Column("items", Kind.COUNT),
            Column("advantage", Kind.NUMBER),
            Column("human minus judge", Kind.NUMBER, sign=True),
            Column("p", Kind.P_VALUE, key="p_adjusted"),
            Column("beaten"),
        ]
        rows = [
            [
                Cell(one.rater),
                Cell(one.items),
                Cell(one.advantage),
                Cell(one.difference),
                Cell(one.p_adjusted),
                Cell("yes" if one.beaten else "no"),
            ]
            for one in self.humans
        ]
        return Sheet(columns, rows, self.caption, lead=[self.sentence])

    @property
    def sentence(self) -> str:
        """Say whether the judge passes, and why."""
        name = clean(self.judge)
        if self.reason is not None:
            return f"The alternative annotator test cannot be made: {self.reason}."
        beaten = sum(one.beaten for one in self.humans)
        done = "passes" if self.passed else "does not pass"
        return (
            f"{name} {done} the alternative annotator test: it beats {beaten} of {counted(len(self.humans), 'human')} "
            f"(winning rate {number(self.winning_rate, 2)}, and half are needed); on {percent(self.advantage)} of the "
            f"items it is at least as close to the other humans as the human who is left out."
        )

    @property
    def caption(self) -> list[str]:
        """How the test was made, and what was left out."""
        how = (
            f"Each human in turn is scored against the others, and so is the judge, on the same items, by "
            f"{self.score}. Advantage: the share of items on which the judge is at least as close. A human is beaten "
            f"if human minus judge (wins, ties count for both) is significantly below epsilon = {self.epsilon:g} (t "
            f"test, Benjamini and Yekutieli's correction, at {self.q:g})."
        )
        said = [how]
        if self.judge in {*(one.rater for one in self.humans), *self.left_out}:
            said.append(
                f"The judge {clean(self.judge)} is not the human of that name: their marks differ."
            )
        if self.left_out:
            names = in_words([clean(name) for name in self.left_out], MOST_NAMES)
            said.append(f"Left out, with fewer than {self.least_items} items: {names}.")
        if self.items_left_out:
            verb = "is" if self.items_left_out == 1 else "are"
            said.append(
                f"{counted(self.items_left_out, 'item')} {verb} left out: not marked by the judge, or by fewer than "
                f"two humans."
            )
        return said

    def content(self) -> dict[str, Any]:
        """Return the test for JSON, without what stands at the head of a result."""
        content = {
            "winning_rate": none_if_undefined(self.winning_rate),
            "advantage": none_if_undefined(self.advantage),
            "passed": self.passed,
            "epsilon": self.epsilon,
            "q": self.q,
            "score": self.score,
            "items": self.items,
            "items_left_out": self.items_left_out,
            "humans": [one.to_dict() for one in self.humans],
            "left_out": dict(self.left_out),
        }
        return content if self.reason is None else {**content, "reason": self.reason}

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {**head("alt_test"), "judge": self.judge, **self.content()}

    def __repr__(self) -> str:
        done = "passed" if self.passed else "not passed"
        return (
            f"AltTest({self.judge!r}: winning_rate={number(self.winning_rate, 2)}, "
            f"advantage={number(self.advantage, 2)}, {done})"
        )


def alt_test(
    humans: Ratings,
    judge: Ratings,
    *,
    epsilon: float = 0.2,
    score: str = "rmse",
    q: float = 0.05,
    least_items: int = LEAST_ITEMS,
) -> AltTest:
    """Return whether a judge is at least as close to the other humans as a human is (Calderon et al. 2025).

    The arguments are:

    - `humans`: the marks of at least two humans.
    - `judge`: the marks of one judge, matched with those of the humans by item.
    - `epsilon`: how much a human's work is worth more than the judge's, as a share of items: 0.2 for experts, 0.15
      for skilled annotators, 0.1 for crowd workers.
    - `score`: how close a mark is to those of the others: "rmse", "mae", "accuracy", "cem_ord" (in bits), or a
      measure of distributions, such as "wasserstein".
    - `q`: the share of false discoveries.
    - `least_items`: humans with fewer items are left out.

    >>> humans = oe.Ratings.from_array(
    ...     [[1, 2, 1], [3, 3, 3], [4, 5, 5]] * 20, raters=["ann", "bob", "cy"]
    ... )
    >>> judge = oe.Ratings.from_array([[1], [3], [5]] * 20, raters=["gpt"])
    >>> oe.judge.alt_test(humans, judge)
    AltTest('gpt': winning_rate=1.00, advantage=1.00, passed)
    """
    settings = AltTestSettings(epsilon, score, q, least_items)
    one_judge(judge)
    matched = match(humans, judge, "alt_test")
    return tested(matched.names[0], matched.units(0), settings)


@dataclass(frozen=True, slots=True)
class AltTestSettings:
    """What the test is made with."""

    epsilon: float
    score: str
    q: float = 0.05
    least_items: int = LEAST_ITEMS

    def __post_init__(self) -> None:
        if not (is_number(self.epsilon) and 0 <= self.epsilon < 1):
            raise ParameterError(
                f"{argument('epsilon', self.epsilon)} is not a share of items; it is a number from 0 to below 1, as "
                f"in {argument('epsilon', 0.2)}."
            )
        if not (is_number(self.q) and 0 < self.q < 1):
            raise ParameterError(
                f"the share q of false discoveries is {self.q!r:.60}; it lies between 0 and 1, as 0.05 does."
            )
        if not is_whole(self.least_items, 2):
            raise ParameterError(
                f"the least number of items of a human is {self.least_items!r:.60}; it is a whole number of 2 or more."
            )
        check_score(self.score)


def check_score(score: Any) -> None:
    """Refuse a score that no single item has."""
    if isinstance(score, str) and (score in SCORES or registry[score].per_item is not None):
        return
    others = [name for name, measure in registry.items() if measure.per_item is not None]
    raise ParameterError(
        f"{argument('score', score)} is not a score of single items; it is one of {quoted(SCORES, 9)}, or a measure "
        f"of distributions: {quoted(others, 9)}."
    )


def tested(name: str, units: JudgedUnits, settings: AltTestSettings) -> AltTest:
    """Return the test of one judge on items that a human marked."""
    wins = wins_of(units.only(units.answered & units.shared), settings.score)
    return result_of_wins(name, wins, units.items, settings)


@dataclass(frozen=True, eq=False)
class Wins:
    """The sums over the items of each human: how many there are, the judge's wins, and human's minus judge's wins."""

    raters: tuple[str, ...]
    items: Array  # [human]
    judge: Array
    difference: Array
    square: Array  # of the differences
    shared: int  # items in all


def wins_of(units: JudgedUnits, score: str) -> Wins:
    """Return who is closer to the others, on the items of each human; a tie counts for both."""
    humans = units.humans
    size = len(humans.raters)
    if not len(units.count):
        raise DataError(
            "the judge marked no item that two humans or more marked, so it cannot be held against them. Let the "
            "judge mark such items."
        )
    marks = marks_of(humans, units.pattern)
    worth = worth_of_marks(marks.shares, humans, units, score)
    first, kind = group(np.stack([marks.others, marks.code]), [len(worth), humans.scale.k])
    given, own = worth[marks.others[first]], marks.code[first]
    mine = np.take_along_axis(given, own[:, None], axis=1)
    even = ties.same(given, mine)
    ahead = (given > mine) | even  # [kind, class]: a mark of this class is at least as close
    behind = (given < mine) | even
    answer = units.answer[marks.unit, :-1]
    judge = (ahead[kind] * answer).sum(axis=1)
    apart = (behind[kind] * answer).sum(axis=1) - judge
    count = units.count[marks.unit].astype(np.float64)
    items, won, difference, square = (
        np.bincount(marks.rater, weights, size)
        for weights in (count, count * judge, count * apart, count * apart**2)
    )
    return Wins(humans.raters, items, won, difference, square, units.items)


def worth_of_marks(shares: Array, humans: Ratings, units: JudgedUnits, score: str) -> Array:
    """Return how close each class is to the others with these shares: [others, class], more is closer."""
    scale = humans.scale
    # Who is closer does not depend on the unit of the values, and so must not what counts as a tie.
    values = (scale.numbers - scale.numbers[0]) / (np.ptp(scale.numbers) or 1.0)
    if score == "rmse":
        return np.asarray(-np.sqrt(shares @ (values[:, None] - values) ** 2))
    if score == "mae":
        return np.asarray(-(shares @ np.abs(values[:, None] - values)))
    if score == "accuracy":
        return shares
    if score == "cem_ord":
        gold = (units.count @ humans.votes[units.pattern]).astype(np.float64)
        return np.asarray(shares @ finite_bits(*ordinal_mass(gold)))
    measure = registry[score]
    answers = np.eye(scale.k, scale.k + 1)
    costs = measure.from_means(measure.item_costs(shares[:, None], answers[None], scale.numbers))
    return costs if measure.greater_is_better else -costs


def result_of_wins(name: str, wins: Wins, items: int, settings: AltTestSettings) -> AltTest:
    """Return the test from the sums over the items of each human."""
    enough = np.flatnonzero(wins.items >= settings.least_items)
    n = wins.items[enough]
    mean = wins.difference[enough] / n
    variance = np.maximum(wins.square[enough] - n * mean**2, 0.0) / (n - 1)
    error = np.sqrt(np.where(variance > ties.TIE, variance, 0.0) / n)
    below = mean - settings.epsilon
    with np.errstate(all="ignore"):
        t = np.where(error > 0, below / error, 0.0)
    # Differences that are all alike leave no doubt on which side of epsilon they are.
    p = np.where(error > 0, t_cdf(t, n - 1.0), np.where(below < -ties.TIE, 0.0, 1.0))
    corrected = adjusted(p, "by")
    beaten = corrected <= settings.q
    advantage = wins.judge[enough] / n
    humans = tuple(
        HumanTest(
            wins.raters[human], int(n[at]), float(advantage[at]), float(mean[at]), float(error[at]), float(p[at]),
            float(corrected[at]), bool(beaten[at]),
        )
        for at, human in enumerate(enough.tolist())
    )  # fmt: skip
    few = {
        name: int(wins.items[at])
        for at, name in enumerate(wins.raters)
        if wins.items[at] < settings.least_items
    }
    reason = None
    if not humans:
        reason = f"no human marked {settings.least_items} items or more that another human and the judge marked too"
    rate = float(beaten.mean()) if humans else math.nan
    return AltTest(
        name, rate, float(advantage.mean()) if humans else math.nan, rate >= HALF, settings.epsilon, settings.q,
        settings.score, humans, few, wins.shared, items - wins.shared, settings.least_items, reason,
    )  # fmt: skip
