"""How to split money between humans and a judge: `oe.judge.plan(human, judge, budget=...)`."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from ordeval.arguments import is_number
from ordeval.errors import ParameterError, argument
from ordeval.formats.json import SCHEMA
from ordeval.formats.numbers import amount, confidence, counted, number, percent
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.inputs.policy import Reading, shows_keywords
from ordeval.judge.correct import quantile_of
from ordeval.judge.judged import JudgedItems, read_judged
from ordeval.judge.methods import moments
from ordeval.stats.intervals import check_level

MOST_ITEMS = 10**15  # a larger number is not a plan


@dataclass(frozen=True, repr=False)
class BudgetPlan(Result):
    """How many items humans and the judge should mark, and how precise the corrected mean mark would be.

    The judge marks `judged` items, and humans `humans` of these. `half_width` is how far the interval would reach to
    each side; `half_width_alone` is that of `humans_alone` human marks for the same money, and `cost_alone` what
    humans alone would cost for the same precision. `saving` is the share of that which the judge saves.

    >>> human, judge = [1, 2, 3, 4, 5] * 20, [1, 2, 3, 4, 4] * 20
    >>> p = oe.judge.plan(human, judge, budget=500)
    >>> p.humans, p.judged, p.cost
    (357, 14300, 500.0)
    """

    humans: int | None  # items that humans should mark
    judged: int | None  # items that the judge should mark
    half_width: float | None  # how far the interval would reach to each side
    cost: float | None  # what the plan costs
    humans_alone: int | None  # marks of humans alone for the same money
    half_width_alone: float | None  # how far their interval would reach
    cost_alone: float | None  # what humans alone would cost for the same precision
    saving: float | None  # the share of that which the judge saves
    correlation: float  # of the judge's marks with the humans' in the pilot
    deviation: float  # the standard deviation of the humans' marks
    pilot: int  # items of the pilot
    budget: float | None  # the money there is
    target: float | None  # how far the interval may reach
    cost_human: float  # what a mark of a human costs
    cost_judge: float  # what a mark of the judge costs
    level: float  # the level of the interval
    reason: str | None = None  # why there is no plan

    @property
    def lead(self) -> Sequence[str]:
        """The plan in a sentence or two."""
        return plan_sentences(self)

    def sheet(self) -> Sheet:
        """Return the two ways to spend the money."""
        return plan_sheet(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {"schema": SCHEMA, **asdict(self)}

    def __repr__(self) -> str:
        width = "none" if self.half_width is None else f"{self.half_width:.4g}"
        return f"BudgetPlan(humans={self.humans}, judged={self.judged}, half_width={width})"


class Split(NamedTuple):
    """So many items marked by humans, and so many by the judge; the variance of the mean is for a deviation of 1."""

    humans: int
    judged: int
    variance: float


@dataclass(frozen=True, slots=True)
class TwoPhases:
    """What the best split depends on: the part of the variance that the judge explains, and what marks cost.

    The judge marks M items and humans n of these: V = s^2 ((1 - rho^2) / n + rho^2 / M), at the cost of n human marks
    and M of the judge (two-phase sampling with regression; Cochran 1977, section 12.6).
    """

    explained: float  # rho^2; 0 if the judge's marks fall where the humans' rise
    cost_human: float
    cost_judge: float

    @property
    def ratio(self) -> float:
        """The best share of the judge's items that humans mark."""
        left = (1 - self.explained) * self.cost_judge
        best = math.sqrt(left / (self.explained * self.cost_human)) if self.explained else 1.0
        return min(best, 1.0)

    def variance(self, humans: float, judged: float) -> float:
        """Return the variance of the mean; without the judge that of the human marks."""
        if not humans:
            return math.inf
        return (1 - self.explained) / humans + self.explained / judged if judged else 1 / humans

    def cost(self, humans: float, judged: float) -> float:
        """Return what the marks cost."""
        return humans * self.cost_human + judged * self.cost_judge

    def within(self, budget: float) -> Split:
        """Return the split with the least variance within a budget; without the judge if humans alone do better."""
        best = budget / (self.cost_human + self.cost_judge / self.ratio) if self.ratio else 0.0
        most = math.floor(budget / (self.cost_human + self.cost_judge))  # n = M
        splits = [self.split(math.floor(budget / self.cost_human), 0)]
        for humans in {math.floor(best) + step for step in (-1, 0, 1)}:
            if 1 <= humans <= most:
                rest = (budget - humans * self.cost_human) / self.cost_judge
                splits.append(self.split(humans, math.floor(rest * (1 + 1e-12))))
        return min(splits, key=lambda split: split.variance)

    def reaching(self, variance: float) -> Split:
        """Return the cheapest split whose variance is small enough."""
        alone = math.ceil(1 / variance - 1e-9)
        splits = [self.split(alone, 0)]
        if self.explained and self.ratio:
            best = (1 - self.explained + self.explained * self.ratio) / variance
            for humans in {math.floor(best) + step for step in (-1, 0, 1, 2)}:
                left = variance - (1 - self.explained) / humans if humans >= 1 else 0.0
                if left > 0:
                    judged = math.ceil(self.explained / left - 1e-9)
                    splits.append(self.split(humans, max(judged, humans)))
        return min(splits, key=lambda split: self.cost(split.humans, split.judged))

    def split(self, humans: int, judged: int) -> Split:
        """Return a split with its variance."""
        return Split(humans, judged, self.variance(humans, judged))


@shows_keywords(Reading)
def plan(
    human: Any,
    judge: Any,
    *,
    budget: float | None = None,
    target: float | None = None,
    cost_human: float = 1.0,
    cost_judge: float = 0.01,
    level: float = 0.95,
    **options: Unpack[Reading],
) -> BudgetPlan:
    """Return how many items humans and the judge should mark, from a pilot of items that both marked.

    With a `budget` the plan gives the most precise mean mark for the money. With a `target` it is the cheapest plan
    that reaches this precision.

    The arguments are:

    - `human`: the humans' marks on the items of the pilot.
    - `judge`: the judge's marks on the same items, in the same order.
    - `budget`: the money there is, in the unit of the two costs.
    - `target`: how far the interval may reach to each side; in place of a budget.
    - `cost_human`: what one mark of a human costs.
    - `cost_judge`: what one mark of the judge costs.
    - `level`: the level of the interval.

    >>> human, judge = [1, 2, 3, 4, 5] * 20, [1, 2, 3, 4, 4] * 20
    >>> oe.judge.plan(human, judge, budget=500)
    BudgetPlan(humans=357, judged=14300, half_width=0.0423)
    """
    check_money(budget, target, cost_human, cost_judge, level)
    judged = read_judged(human, judge, None, options)
    return plan_judged(
        judged, budget=budget, target=target, cost_human=cost_human, cost_judge=cost_judge, level=level
    )  # fmt: skip


def plan_judged(
    judged: JudgedItems,
    *,
    budget: float | None,
    target: float | None,
    cost_human: float,
    cost_judge: float,
    level: float,
) -> BudgetPlan:
    """Return the plan from counted marks."""
    check_money(budget, target, cost_human, cost_judge, level)
    judged.check(unmarked=False)
    deviation, correlation = deviation_and_correlation(judged)
    # A pilot of n items cannot show that a judge explains all of the variance: one more item might prove it wrong.
    explained = min(max(correlation, 0.0) ** 2, 1 - 1 / judged.n)
    phases = TwoPhases(explained, cost_human, cost_judge)
    z = quantile_of(level)
    about: dict[str, Any] = {
        "correlation": correlation, "deviation": deviation, "pilot": judged.n, "budget": budget, "target": target,
        "cost_human": cost_human, "cost_judge": cost_judge, "level": level,
    }  # fmt: skip
    nothing: dict[str, Any] = dict.fromkeys(
        ("humans", "judged", "half_width", "cost", "humans_alone", "half_width_alone", "cost_alone", "saving")
    )  # fmt: skip
    if not deviation:
        return BudgetPlan(
            **nothing, **about, reason="all human marks of the pilot are of one class"
        )

    def reach(variance: float) -> float:
        return z * deviation * math.sqrt(variance)

    if target is not None:
        variance = (target / (z * deviation)) ** 2
        if not 1 / variance < MOST_ITEMS:
            return BudgetPlan(
                **nothing, **about, reason="it would take more items than there are anywhere"
            )
        split = phases.reaching(variance)
        alone = math.ceil(1 / variance - 1e-9)
    else:
        if not float(budget or 0) / min(cost_human, cost_judge) < MOST_ITEMS:
            return BudgetPlan(
                **nothing, **about, reason="the budget pays for more items than there are anywhere"
            )
        split = phases.within(float(budget or 0))
        alone = math.floor(float(budget or 0) / cost_human)
    if not split.humans:
        return BudgetPlan(
            **nothing, **about, reason="the budget does not pay for a single human mark"
        )
    cost = phases.cost(split.humans, split.judged)
    cost_alone = cost_human / split.variance
    return BudgetPlan(
        split.humans, split.judged, reach(split.variance), cost, alone or None, reach(1 / alone) if alone else None,
        cost_alone, max(1 - cost / cost_alone, 0.0), **about,
    )  # fmt: skip


def deviation_and_correlation(judged: JudgedItems) -> tuple[float, float]:
    """Return the standard deviation of the humans' marks, and the correlation of the judge's with them."""
    sums = judged.sums
    means, size = sums.means[:, -1:], sums.size
    between = moments(size, means)[1][0]
    variance = float(between + sums.within[:, -1].sum() / sums.n)
    judge = float(moments(size, sums.judged[:, -1:])[1][0])
    if not variance:
        return 0.0, 0.0
    centred = sums.judged[:, -1] - size @ sums.judged[:, -1] / sums.n
    covariance = float(size @ (means[:, 0] * centred)) / sums.n
    correlation = covariance / math.sqrt(variance * judge) if judge else 0.0
    deviation = math.sqrt(variance * sums.n / (sums.n - 1))
    return deviation, float(np.clip(correlation, -1.0, 1.0))


def check_money(budget: Any, target: Any, cost_human: Any, cost_judge: Any, level: Any) -> None:
    """Refuse costs, a budget or a precision that nobody can have."""
    if (budget is None) == (target is None):
        both = "both are given" if budget is not None else "neither is given"
        raise ParameterError(
            f"a plan takes the money that there is or the precision that is wished for, and {both}. Pass "
            f"{argument('budget', 500)} or {argument('target', 0.05)}."
        )
    given = {"budget": budget, "target": target, "cost_human": cost_human, "cost_judge": cost_judge}
    for name, value in given.items():
        if value is not None and not (is_number(value) and 0 < value < math.inf):
            raise ParameterError(
                f"{argument(name, value)} is not possible; it is a number above 0."
            )
    check_level(level)


def plan_sentences(plan: BudgetPlan) -> list[str]:
    """Say how to split the money, and what that saves."""
    if plan.humans is None or plan.half_width is None or plan.cost is None:
        return [f"No plan can be made: {plan.reason}."]
    width = number(plan.half_width, 3)
    if not plan.judged:
        items = counted(plan.humans, "item")
        said = (
            f"Humans alone do best: {items} for {amount(plan.cost)} give the mean mark ± {width}."
        )
        return [said, "The judge's marks cost more than they tell."]
    items = counted(plan.judged, "item")
    spent = f"for {amount(plan.cost)} this gives the mean mark ± {width}"
    sentences = [f"Let humans mark {plan.humans:,} of {items} that the judge marks: {spent}."]
    if plan.cost_alone is not None and plan.saving:
        sentences.append(
            f"Humans alone would cost {amount(round(plan.cost_alone))} for that: the judge saves "
            f"{percent(plan.saving)}."
        )
    return sentences


def plan_sheet(plan: BudgetPlan) -> Sheet:
    """Return a row for humans with the judge, and one for humans alone."""
    columns = [
        Column("who marks"),
        Column("human marks", Kind.COUNT),
        Column("marks of the judge", Kind.COUNT),
        Column("cost", Kind.COUNT),
        Column("mean mark ±", Kind.NUMBER, digits=4),
    ]
    alone = plan.humans_alone
    rows = [
        [
            Cell("humans and the judge", note=plan.reason or ""),
            Cell(plan.humans), Cell(plan.judged), Cell(plan.cost), Cell(plan.half_width),
        ],
        [
            Cell("humans alone"),
            Cell(alone), Cell(0), Cell(None if alone is None else alone * plan.cost_human), Cell(plan.half_width_alone),
        ],
    ]  # fmt: skip
    wish = (
        f"at most {plan.target:g} to each side"
        if plan.target is not None
        else f"a budget of {amount(plan.budget or 0)}"
    )
    caption = (
        f"Planned for {wish}, at {amount(plan.cost_human)} for a human mark and {amount(plan.cost_judge)} for one of "
        f"the judge, from {counted(plan.pilot, 'item')} that both marked: correlation {number(plan.correlation, 2)}, "
        f"standard deviation of the human marks {number(plan.deviation, 2)}. {confidence(plan.level)} normal intervals "
        f"of PPI++."
    )
    return Sheet(columns, rows, [caption], lead=plan_sentences(plan), least=3)
