"""How to split money between humans and a judge: the best split by hand, by brute force and by simulation."""

import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.judge.budget import TwoPhases
from ordeval.judge.methods import MarkSums, estimates_by

HUMAN, JUDGE = [1, 2, 3, 4, 5] * 20, [1, 2, 3, 4, 4] * 20


def test_the_split_is_the_one_of_the_textbook():
    # rho^2 = 0.8, a human mark costs 1 and one of the judge 0.01: n / M = sqrt(0.2 * 0.01 / 0.8) = 0.05. A budget of
    # 120 buys M items at 0.05 + 0.01 each, 2,000, and 100 human marks: V = 0.2 / 100 + 0.8 / 2000 = 0.0024.
    split = TwoPhases(0.8, 1.0, 0.01).within(120)
    assert (split.humans, split.judged) == (100, 2000)
    assert split.variance == pytest.approx(0.0024)


def test_the_cheapest_split_for_a_precision_is_the_same_split():
    split = TwoPhases(0.8, 1.0, 0.01).reaching(0.0024)
    assert (split.humans, split.judged) == (100, 2000)


@pytest.mark.parametrize("explained", [0.0, 0.05, 0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize(("cost_human", "cost_judge"), [(1, 0.01), (1, 0.2), (3, 1), (1, 2)])
def test_no_other_split_of_the_money_is_better(explained, cost_human, cost_judge):
    phases = TwoPhases(explained, cost_human, cost_judge)
    for budget in (7, 60, 250):
        found = phases.within(budget)
        assert phases.cost(found.humans, found.judged) <= budget * (1 + 1e-9)
        assert found.judged == 0 or found.judged >= found.humans
        best = 1 / max(math.floor(budget / cost_human), 1e-9)
        for humans in range(1, math.floor(budget / (cost_human + cost_judge)) + 1):
            judged = math.floor((budget - humans * cost_human) / cost_judge + 1e-9)
            best = min(best, (1 - explained) / humans + explained / judged)
        assert found.variance == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("explained", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize(("cost_human", "cost_judge"), [(1, 0.01), (3, 1)])
def test_no_other_split_for_the_precision_is_cheaper(explained, cost_human, cost_judge):
    phases = TwoPhases(explained, cost_human, cost_judge)
    for variance in (0.05, 0.004):
        found = phases.reaching(variance)
        assert found.variance <= variance * (1 + 1e-6)
        alone = math.ceil(1 / variance)
        best = alone * cost_human
        for humans in range(1, alone):
            left = variance - (1 - explained) / humans
            if left > 0 and explained:
                judged = max(math.ceil(explained / left - 1e-9), humans)
                best = min(best, phases.cost(humans, judged))
        assert phases.cost(found.humans, found.judged) == pytest.approx(best, rel=2e-3)


def test_the_pilot_gives_the_correlation_and_the_spread():
    plan = oe.judge.plan(HUMAN, JUDGE, budget=500)
    assert plan.correlation == pytest.approx(np.corrcoef(HUMAN, JUDGE)[0, 1])
    assert plan.deviation == pytest.approx(np.std(HUMAN, ddof=1))
    rho = plan.correlation**2
    variance = plan.deviation**2 * ((1 - rho) / plan.humans + rho / plan.judged)
    assert plan.half_width == pytest.approx(1.959964 * math.sqrt(variance))
    assert plan.cost <= 500
    assert plan.humans_alone == 500
    assert plan.half_width_alone == pytest.approx(1.959964 * plan.deviation / math.sqrt(500))
    # humans alone need s^2 / V marks for the same
    assert plan.cost_alone == pytest.approx(plan.deviation**2 / variance)
    assert plan.saving == pytest.approx(1 - plan.cost / plan.cost_alone)


def test_several_humans_make_a_pilot_too():
    people = oe.Ratings.from_array([[1, 2], [2, 2], [3, 3], [3, 4]] * 5)
    plan = oe.judge.plan(people, oe.Ratings.from_array([[1], [2], [3], [3]] * 5), budget=50)
    mean, judge = [1.5, 2, 3, 3.5] * 5, [1, 2, 3, 3] * 5
    assert plan.correlation == pytest.approx(np.corrcoef(mean, judge)[0, 1])
    assert plan.deviation == pytest.approx(np.std(mean, ddof=1))


def test_a_plan_keeps_what_it_promises():
    rng = np.random.default_rng(11)
    shares = np.array([0.2, 0.3, 0.5])
    joint = shares[:, None] * np.array([[0.8, 0.2, 0.0], [0.2, 0.6, 0.2], [0.0, 0.2, 0.8]])
    human, judge = np.divmod(rng.choice(9, 4000, p=joint.ravel()), 3)
    plan = oe.judge.plan(human, judge, target=0.06)
    marked = rng.multinomial(plan.humans, joint.ravel(), 1000).reshape(-1, 3, 3)
    others = rng.multinomial(plan.judged - plan.humans, joint.sum(axis=0), 1000)
    found = [
        estimates_by("ppi++", MarkSums.of_counts(both, alone, np.arange(3.0)), 1.959964)
        for both, alone in zip(marked, others, strict=True)
    ]
    low, high = np.array([(one.low[3], one.high[3]) for one in found]).T
    assert np.mean(high - low) / 2 == pytest.approx(0.06, rel=0.04)
    # the mean mark is 0.3 + 2 * 0.5; 95% of 1,000 draws have a standard error of 0.7%
    assert np.mean((low <= 1.3) & (high >= 1.3)) == pytest.approx(0.95, abs=0.025)


def test_a_judge_that_costs_more_than_it_tells_is_left_out():
    plan = oe.judge.plan(HUMAN, JUDGE, budget=500, cost_judge=2)
    assert (plan.humans, plan.judged, plan.saving) == (500, 0, 0)
    assert "Humans alone do best" in plan.lead[0]
    opposite = oe.judge.plan(HUMAN, [6 - mark for mark in HUMAN], budget=500)
    assert opposite.judged == 0
    assert opposite.correlation == pytest.approx(-1)


def test_a_judge_that_was_always_right_still_needs_humans():
    plan = oe.judge.plan(HUMAN, HUMAN, budget=500)
    # 100 items cannot show that the judge explains more than 0.99 of the variance: n / M = sqrt(0.01 * 0.01 / 0.99)
    assert plan.humans / plan.judged == pytest.approx(math.sqrt(0.0001 / 0.99), rel=0.01)


@pytest.mark.parametrize(
    ("human", "judge", "money", "word"),
    [
        ([3] * 30, [1, 2, 3] * 10, {"budget": 9}, "one class"),
        (HUMAN, JUDGE, {"budget": 0.5}, "single human mark"),
        (HUMAN, JUDGE, {"target": 1e-12}, "more items than there are"),
        (HUMAN, JUDGE, {"budget": 1e300}, "more items than there are"),
    ],
)
def test_no_plan_has_a_reason(human, judge, money, word):
    plan = oe.judge.plan(human, judge, **money)
    assert plan.humans is None
    assert word in plan.reason
    assert word in plan.lead[0]
    assert "No plan" in str(plan)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({}, "neither is given"),
        ({"budget": 5, "target": 1}, "both are given"),
        ({"budget": 0}, "budget=0 is not possible"),
        ({"budget": "much"}, "budget='much' is not possible"),
        ({"budget": math.inf}, "budget=inf"),
        ({"target": -1}, "target=-1"),
        ({"budget": 5, "cost_judge": 0}, "cost_judge=0"),
        ({"budget": 5, "level": 2}, "level=2"),
    ],
)
def test_money_that_nobody_has_is_refused(options, word):
    with pytest.raises(oe.errors.ParameterError, match=word):
        oe.judge.plan(HUMAN, JUDGE, **options)


def test_a_pilot_of_one_item_is_refused():
    with pytest.raises(oe.OrdevalError, match="a single item"):
        oe.judge.plan([1], [1], budget=5)


def test_every_form_of_a_plan_can_be_written():
    plan = oe.judge.plan(HUMAN, JUDGE, budget=500)
    for form in ("text", "json", "csv", "markdown", "latex"):
        assert "357" in plan.write(form)
    assert repr(plan) == "BudgetPlan(humans=357, judged=14300, half_width=0.0423)"
    assert plan.to_dict()["judged"] == 14300
