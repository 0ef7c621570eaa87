"""Compare systems: charts of scores, differences, ranks, test cases, gates over time and plans."""

from typing import Any, Unpack

from ordeval.comparison.comparison import Comparison
from ordeval.comparison.plan import Plan
from ordeval.errors import LabelTypeError, ParameterError
from ordeval.inputs.policy import shows_keywords
from ordeval.report import (
    comparison_figures,
    difference_figures,
    history_figure,
    plan_figure,
    system_figures,
)
from ordeval.report.cases import case_scores
from ordeval.report.chart_input import (
    read_limit,
    read_metric,
    read_system,
    require_comparison,
    require_two_systems,
)
from ordeval.report.looks import Looks, finished
from ordeval.report.offline import Chart
from ordeval.report.system_agreement import system_agreement

__all__ = [
    "cases",
    "critical_difference",
    "differences",
    "forest",
    "history",
    "pairs",
    "power",
    "ranks",
    "systems",
]


@shows_keywords(Looks)
def forest(
    comparison: Comparison,
    *,
    metric: str | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw every system's score with its interval, best first; by the primary measure, or by another one.

    Use it first: it shows who is ahead, how certain that is, and what the best constant answer reaches.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.forest(c)
    """
    name = read_metric(comparison, metric)
    return finished(comparison_figures.forest_figure(comparison, name, read_limit(limit)), looks)


@shows_keywords(Looks)
def differences(
    comparison: Comparison,
    baseline: str | None = None,
    *,
    metric: str | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw every system's difference from one system, which is the best one unless `baseline` names another.

    Use it to see whom a system beats. Each difference has its interval; the colour and the shape of the point say
    whether it is significant. `baseline="constant"` subtracts the best constant answer.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.differences(c, baseline="rand 0.2")
    """
    name = read_metric(comparison, metric)
    if baseline != difference_figures.CONSTANT:
        require_two_systems(comparison)
        if baseline is not None:
            read_system(
                baseline, comparison.systems, "baseline", or_else=difference_figures.CONSTANT
            )
    figure = difference_figures.differences_figure(comparison, baseline, name, read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def pairs(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the difference of every two systems by the primary measure: ● is significant, ≈ is equivalent.

    Use it to look up any pair. A margin in `oe.compare` says which differences are too small to matter.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs, margin=0.05)
    >>> chart = oe.plot.pairs(c)
    """
    return finished(
        comparison_figures.pairs_figure(require_two_systems(comparison), read_limit(limit)), looks
    )


@shows_keywords(Looks)
def ranks(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the ranks that each system may have, from the best to the worst.

    Use it for a leaderboard: a rank alone hides that its neighbours may be as good.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.ranks(c)
    """
    return finished(
        comparison_figures.ranks_figure(require_two_systems(comparison), read_limit(limit)), looks
    )


@shows_keywords(Looks)
def critical_difference(
    comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw the groups of systems that are not significantly different, as bars beside the systems.

    Use it in a paper, where the diagram is known as the critical difference diagram.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.critical_difference(c)
    """
    require_two_systems(comparison)
    figure = difference_figures.critical_difference_figure(comparison, read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def systems(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw how often every two systems give the same answer, as a share of the items; near-duplicates stand together.

    Use it to find systems that are copies of each other, and systems whose errors differ so that they can be
    combined.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.systems(c)
    """
    found = system_agreement(require_two_systems(comparison), read_limit(limit))
    if found is None:
        shared = (
            "the first system alone is drawn"
            if comparison.paired
            else "these systems share no items"
        )
        raise ParameterError(
            f"{shared}; this chart needs the answers of 2 systems to the same items."
        )
    return finished(system_figures.systems_figure(found, len(comparison.order)), looks)


@shows_keywords(Looks)
def cases(
    comparison: Comparison,
    *,
    systems: int | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw every system's score on every test case, by the primary measure, the hardest case first.

    Use it to see whether a system is better everywhere or owes its score to a few test cases.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.cases(c)
    """
    scores = case_scores(require_comparison(comparison))
    if scores is None:
        raise ParameterError(
            "this comparison has no test cases. Give Runs a case for each item (case=...)."
        )
    return finished(
        comparison_figures.cases_figure(scores, systems=systems, cases=read_limit(limit)), looks
    )


@shows_keywords(Looks)
def history(history: Any, *, metric: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the gates of a history over time: the candidate's score, its interval, the margin and the outcome.

    Use it to watch a model from release to release. It takes the file that `ordeval gate --history FILE` writes, or
    its records. Of several measures that of the newest gate is drawn, unless another is named.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> from datetime import UTC, datetime
    >>> from tempfile import TemporaryDirectory
    >>> rng = np.random.default_rng(0)
    >>> gold = rng.integers(1, 6, 400)
    >>> old, *new = (
    ...     np.where(rng.random(400) < p, 3, gold) for p in (0.3, 0.25, 0.2, 0.5, 0.1)
    ... )
    >>> with TemporaryDirectory() as folder:
    ...     for week, answers in enumerate(new, 1):
    ...         gate = oe.gate(old, answers, gold=gold, margin=0.03)
    ...         gate.append_to(
    ...             f"{folder}/gates.jsonl", time=datetime(2026, 3, 7 * week, tzinfo=UTC)
    ...         )
    ...     chart = oe.plot.history(f"{folder}/gates.jsonl")
    """
    return finished(history_figure.history_figure(history, metric), looks)


@shows_keywords(Looks)
def power(plan: Plan, **looks: Unpack[Looks]) -> Chart:
    """Draw the chance of finding a difference, against the number of items; of `oe.plan`.

    Use it before you label more data: it shows how many items are enough.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(
    ...     labels=5, cases=1, items=200, kinds=["prox"], ratios=[0.2, 0.3]
    ... )
    >>> plan = oe.plan(task.runs, difference=0.03)
    >>> chart = oe.plot.power(plan)
    """
    if not isinstance(plan, Plan):
        raise LabelTypeError(
            f"this chart was given a {type(plan).__name__}; it draws a plan. Pass oe.plan(runs)."
        )
    if plan.items is None:
        raise ParameterError(f"this plan gives no number of items: {plan.reason}.")
    return finished(plan_figure.power_figure(plan), looks)
