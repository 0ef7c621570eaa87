"""Look at errors: charts of one system's answers, of two systems' answers, and of the gold classes."""

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from ordeval.inputs.policy import shows_keywords
from ordeval.metrics.closeness import proximity as proximity_in_bits
from ordeval.report import class_figures, error_figures
from ordeval.report.chart_input import costs_of_system, costs_of_systems, gold_table
from ordeval.report.looks import Looks, finished
from ordeval.report.offline import Chart

__all__ = [
    "confusion_difference",
    "contingency",
    "costs",
    "error_profile",
    "gold",
    "proximity",
    "recall",
]


@shows_keywords(Looks)
def contingency(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the confusion matrix: gold against answers, as a heat map.

    Use it to see which classes a system takes for each other. It takes an evaluation, a table, or one system of a
    comparison or of runs, as in `oe.plot.contingency(c, system="logit")`.

    >>> import ordeval as oe
    >>> counts = [[24, 5, 1], [6, 38, 6], [1, 9, 10]]
    >>> table = oe.Table.from_counts(counts, labels=["low", "mid", "high"])
    >>> chart = oe.plot.contingency(table)
    """
    return finished(class_figures.contingency_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def recall(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the right answers and the errors of each gold class: right, one class off or farther off, and to which side.

    Use it to find the classes that a system does badly on, and whether it answers too low or too high.

    >>> import ordeval as oe
    >>> counts = [[24, 5, 1], [6, 38, 6], [1, 9, 10]]
    >>> table = oe.Table.from_counts(counts, labels=["low", "mid", "high"])
    >>> chart = oe.plot.recall(table)
    """
    return finished(error_figures.recall_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def error_profile(
    result: Any, *, system: str | Sequence[str] | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw how far the answers are from gold, and to which side, and how many lie within so many classes.

    Use it to compare systems by the size of their errors. It takes an evaluation, a table, runs or a comparison;
    `system` names one system or several, None takes all.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.4])
    >>> chart = oe.plot.error_profile(
    ...     task.runs, system=["prox 0.4", "rand 0.4", "tDisp 0.4"]
    ... )
    """
    costs, names = costs_of_systems(result, system)
    return finished(error_figures.error_profile_figure(costs, names), looks)


@shows_keywords(Looks)
def costs(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw what each kind of error costs in bits, and its share of all lost closeness.

    Use it to find the errors that lower `cem_ord` most: rare large errors, or frequent small ones.

    >>> import ordeval as oe
    >>> counts = [[24, 5, 1], [6, 38, 6], [1, 9, 10]]
    >>> table = oe.Table.from_counts(counts, labels=["low", "mid", "high"])
    >>> chart = oe.plot.costs(table)
    """
    return finished(class_figures.costs_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def confusion_difference(result: Any, a: str, b: str, **looks: Unpack[Looks]) -> Chart:
    """Draw two confusion matrices as one difference: how much more often system a gives each answer than system b.

    Use it to see what changed from one model to the next, class by class.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.4])
    >>> chart = oe.plot.confusion_difference(task.runs, "prox 0.4", "rand 0.4")
    """
    (first, second), names = costs_of_systems(result, [a, b])
    figure = error_figures.confusion_difference_figure(first, second, (names[0], names[1]))
    return finished(figure, looks)


@shows_keywords(Looks)
def gold(result: Any, *, labels: Iterable[Any] | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the gold distribution, of anything that has one or of a column of labels.

    Use it before you choose a measure: with rare classes, accuracy says little.

    >>> import ordeval as oe
    >>> gold = ["low"] * 30 + ["mid"] * 50 + ["high"] * 20
    >>> chart = oe.plot.gold(gold, labels=["low", "mid", "high"])
    """
    table = gold_table(result, labels)
    return finished(class_figures.gold_figure(table.scale, table.gold), looks)


@shows_keywords(Looks)
def proximity(result: Any, *, labels: Iterable[Any] | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw how close the classes are to each other, in bits, as the gold distribution implies.

    Use it to explain closeness measures: an answer earns the bits of its cell.

    >>> import ordeval as oe
    >>> gold = ["low"] * 30 + ["mid"] * 50 + ["high"] * 20
    >>> chart = oe.plot.proximity(gold, labels=["low", "mid", "high"])
    """
    table = gold_table(result, labels)
    bits: Any = proximity_in_bits.from_counts(table.gold)
    return finished(class_figures.proximity_figure(table.scale, bits), looks)
