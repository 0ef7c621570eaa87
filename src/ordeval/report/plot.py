"""Charts of results, for notebooks and papers: Altair charts, to be shown, changed or saved (`.save("x.pdf")`).

They are the charts of the report, from the same specifications.
"""

from collections.abc import Iterable
from typing import Any

from ordeval.aliases import Array
from ordeval.comparison.compare import Comparison
from ordeval.comparison.evaluate import Evaluation
from ordeval.comparison.scoring import Scorer, cells_of
from ordeval.errors import LabelTypeError, ParameterError, quoted, suggestion
from ordeval.metrics.closeness import proximity as proximity_in_bits
from ordeval.report import class_figures, figures
from ordeval.report.casework import casework
from ordeval.report.charts import Chart
from ordeval.report.costs import costs_of
from ordeval.report.measures import measure_agreement
from ordeval.runs import Runs
from ordeval.table import Table

__all__ = [
    "agreement",
    "cases",
    "contingency",
    "costs",
    "forest",
    "gold",
    "pairs",
    "proximity",
    "ranks",
]


def forest(comparison: Comparison, *, metric: str | None = None, limit: int | None = None) -> Chart:
    """Every system's score with its interval, best first."""
    checked(comparison)
    if metric is not None and metric not in comparison.scores.metrics:
        known = comparison.scores.metrics
        raise ParameterError(
            f"{metric!r} is not in this comparison; there are {', '.join(known)}.{suggestion(metric, known)}"
        )
    return figures.forest_figure(comparison, metric, limit).chart


def pairs(comparison: Comparison, *, limit: int | None = None) -> Chart:
    """The difference of every two systems by the primary measure, with a dot where it is significant."""
    return figures.pairs_figure(several(comparison), limit).chart


def ranks(comparison: Comparison, *, limit: int | None = None) -> Chart:
    """How often each system takes each rank when the data are resampled."""
    return figures.ranks_figure(several(comparison), limit).chart


def contingency(result: Any, *, system: str | None = None) -> Chart:
    """Gold against answers as a heat map: of an evaluation, a table, or one system of a comparison or of runs."""
    cells, scorer, name = one_system(result, system)
    counts, missed = scorer.seen(cells.sum(axis=0))
    return class_figures.contingency_figure(scorer.scale, with_column(counts, missed), name).chart


def costs(result: Any, *, system: str | None = None) -> Chart:
    """What each kind of error costs in bits, and its share of all lost closeness."""
    cells, scorer, name = one_system(result, system)
    return class_figures.costs_figure(costs_of(cells, scorer), name).chart


def gold(result: Any, *, labels: Iterable[Any] | None = None) -> Chart:
    """The gold distribution: of anything that has one, or of a column of labels."""
    table = gold_table(result, labels)
    return class_figures.gold_figure(table.scale, table.gold).chart


def proximity(result: Any, *, labels: Iterable[Any] | None = None) -> Chart:
    """How close the classes are to each other, in bits, as the gold distribution implies."""
    table = gold_table(result, labels)
    return class_figures.proximity_figure(
        table.scale, proximity_in_bits.from_counts(table.gold)
    ).chart


def cases(comparison: Comparison, *, systems: int | None = None, limit: int | None = None) -> Chart:
    """The primary measure of every system on every test case, the hardest case first."""
    work = casework(checked(comparison))
    if work is None:
        raise ParameterError(
            "this comparison has no test cases. Give Runs a case for each item (case=...)."
        )
    up = comparison.scores.measures[comparison.primary].greater_is_better
    return figures.cases_figure(
        work, comparison.primary, greater_is_better=up, systems=systems, cases=limit
    ).chart


def agreement(comparison: Comparison) -> Chart:
    """How alike the measures rank the systems: Kendall's tau-b."""
    found = measure_agreement(several(comparison))
    assert found is not None  # noqa: S101 - there are two systems or more
    return figures.agreement_figure(found).chart


def checked(comparison: Any) -> Comparison:
    """Refuse what is no comparison."""
    if not isinstance(comparison, Comparison):
        raise LabelTypeError(
            f"this chart was given a {type(comparison).__name__}; it draws a comparison. Pass oe.compare(runs)."
        )
    return comparison


def several(comparison: Any) -> Comparison:
    """Refuse a comparison of one system."""
    if len(checked(comparison).order) < 2:
        raise ParameterError(
            "there is one system; this chart sets systems against each other. Compare at least 2."
        )
    return checked(comparison)


def one_system(result: Any, system: str | None) -> tuple[Array, Scorer, str]:
    """Return cells[case, gold, answer] of one system, with what it takes to score them, and its name."""
    data = (
        result.runs
        if isinstance(result, Comparison)
        else result.table
        if isinstance(result, Evaluation)
        else result
    )
    if not isinstance(data, Runs | Table):
        raise LabelTypeError(
            f"this chart was given a {type(result).__name__}; it draws an evaluation, a comparison, runs or a table."
        )
    if isinstance(result, Comparison):
        names = result.systems
    elif isinstance(data, Runs):
        names = data.systems
    else:
        names = next(
            (tuple(map(str, axis.labels)) for axis in data.axes if axis.name == "system"),
            ("the system",),
        )
    chosen = (
        names[0]
        if system is None and (isinstance(result, Comparison) or len(names) == 1)
        else system
    )
    if chosen not in names:
        told = "names no system" if system is None else f"asks for system {system!r}"
        raise ParameterError(f"the call {told}; pass system=..., one of {quoted(names)}.")
    order = data.systems if isinstance(data, Runs) else names
    return cells_of(data)[order.index(chosen)], Scorer({}, data.scale, data.policy), chosen


def with_column(counts: Array, missed: Array | None) -> Array:
    """Return counts with the unanswered items as a last column, where there are any."""
    import numpy as np

    return counts if missed is None else np.concatenate([counts, missed[..., None]], axis=-1)


def gold_table(result: Any, labels: Iterable[Any] | None) -> Table:
    """Return a table with the gold of anything that has one, its axes summed."""
    if isinstance(result, Comparison | Runs):
        runs = result.runs if isinstance(result, Comparison) else result
        return runs.select(runs.systems[:1]).table.pooled()
    table = result.table if isinstance(result, Evaluation) else result
    if isinstance(table, Table):
        names = [axis.name for axis in table.axes]
        if "system" in names:  # every system answers the same gold
            table = table.select(system=table.axes[names.index("system")].labels[0])
        return table.pooled()
    return Table.from_labels(table, table, labels=labels)
