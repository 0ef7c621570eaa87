"""Charts of results, for notebooks and papers: Altair charts, to be shown, changed or saved (`.save("x.pdf")`).

They are the charts of the report, from the same specifications. All take `title` (a text of one's own, or "" for none),
`width` and `height` (pixels of the plot, without its labels). None of them needs a network.
"""

from collections.abc import Iterable
from typing import Any, Unpack

from ordeval.arguments import is_choice, is_whole
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.evaluate import Evaluation
from ordeval.comparison.scoring import Scorer, cells_of
from ordeval.errors import LabelTypeError, ParameterError, quoted, suggestion
from ordeval.inputs.policy import shows_keywords
from ordeval.metrics.closeness import proximity as proximity_in_bits
from ordeval.metrics.names import full_name
from ordeval.report import class_figures, comparison_figures
from ordeval.report.cases import case_scores
from ordeval.report.charts import Chart
from ordeval.report.error_costs import ErrorCosts, error_costs
from ordeval.report.looks import Looks, finished
from ordeval.report.measure_agreement import measure_agreement
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


@shows_keywords(Looks)
def forest(
    comparison: Comparison,
    *,
    metric: str | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw every system's score with its interval, best first; by the primary measure, or by another one."""
    metrics = require_comparison(comparison).scores.metrics
    metric = None if metric is None else full_name(metric)
    if metric is not None and metric not in metrics:
        raise ParameterError(
            f"{metric!r} is not in this comparison; there are {', '.join(metrics)}.{suggestion(metric, metrics)}"
        )
    return finished(comparison_figures.forest_figure(comparison, metric, read_limit(limit)), looks)


@shows_keywords(Looks)
def pairs(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the difference of every two systems by the primary measure: ● is significant, ≈ is equivalent."""
    return finished(
        comparison_figures.pairs_figure(require_two_systems(comparison), read_limit(limit)), looks
    )


@shows_keywords(Looks)
def ranks(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the ranks that each system may have, from the best to the worst."""
    return finished(
        comparison_figures.ranks_figure(require_two_systems(comparison), read_limit(limit)), looks
    )


@shows_keywords(Looks)
def contingency(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw gold against answers as a heat map: of an evaluation, a table, or one system of a comparison or of runs."""
    return finished(class_figures.contingency_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def costs(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw what each kind of error costs in bits, and its share of all lost closeness."""
    return finished(class_figures.costs_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def gold(result: Any, *, labels: Iterable[Any] | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the gold distribution of anything that has one, or of a column of labels."""
    table = gold_table(result, labels)
    return finished(class_figures.gold_figure(table.scale, table.gold), looks)


@shows_keywords(Looks)
def proximity(result: Any, *, labels: Iterable[Any] | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw how close the classes are to each other, in bits, as the gold distribution implies."""
    table = gold_table(result, labels)
    bits: Any = proximity_in_bits.from_counts(table.gold)
    return finished(class_figures.proximity_figure(table.scale, bits), looks)


@shows_keywords(Looks)
def cases(
    comparison: Comparison,
    *,
    systems: int | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw the primary measure of every system on every test case, the hardest case first."""
    scores = case_scores(require_comparison(comparison))
    if scores is None:
        raise ParameterError(
            "this comparison has no test cases. Give Runs a case for each item (case=...)."
        )
    return finished(
        comparison_figures.cases_figure(scores, systems=systems, cases=read_limit(limit)), looks
    )


@shows_keywords(Looks)
def agreement(comparison: Comparison, **looks: Unpack[Looks]) -> Chart:
    """Draw how alike the measures rank the systems: Kendall's tau-b."""
    measures = measure_agreement(require_two_systems(comparison))
    assert measures is not None  # noqa: S101 - there are two systems or more
    return finished(comparison_figures.agreement_figure(measures), looks)


def require_comparison(comparison: Any) -> Comparison:
    """Return a comparison, and refuse anything else."""
    if not isinstance(comparison, Comparison):
        raise LabelTypeError(
            f"this chart was given a {type(comparison).__name__}; it draws a comparison. Pass oe.compare(runs)."
        )
    return comparison


def require_two_systems(comparison: Any) -> Comparison:
    """Return a comparison of at least two systems, and refuse anything else."""
    if len(require_comparison(comparison).order) < 2:
        raise ParameterError(
            "there is one system; this chart sets systems against each other. Compare at least 2."
        )
    return require_comparison(comparison)


def read_limit(limit: int | None) -> int | None:
    """Return how many systems or cases are drawn, and refuse a chart of none."""
    if limit is not None and not is_whole(limit, 1):
        raise ParameterError(f"limit={limit!r:.60} draws nothing; pass 1 or more, or None for all.")
    return limit


def costs_of_system(result: Any, system: str | None) -> tuple[ErrorCosts, str]:
    """Return the answers of one system with what they cost, and its name; a comparison offers its best by default."""
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
    if isinstance(data, Runs):
        names = data.systems
    else:
        axes = {axis.name: axis.labels for axis in data.axes}
        names = tuple(map(str, axes.get("system", ("the system",))))
    offered = result.systems if isinstance(result, Comparison) else names
    if system is None and (isinstance(result, Comparison) or len(names) == 1):
        system = offered[0]
    if system is None or not is_choice(system, names):
        problem = "names no system" if system is None else f"asks for system {system!r:.60}"
        raise ParameterError(f"the call {problem}; pass system=..., one of {quoted(offered)}.")
    cells = cells_of(data)[names.index(system)]
    return error_costs(cells, Scorer({}, data.scale, data.policy)), system


def gold_table(result: Any, labels: Iterable[Any] | None) -> Table:
    """Return one table with the gold labels of anything that has them."""
    data = result.runs if isinstance(result, Comparison) else result
    if isinstance(result, Comparison) and isinstance(data, Table):
        return data.pooled()  # samples that share no items
    table = data.table if isinstance(data, Evaluation | Runs) else data
    if isinstance(table, Table):
        names = [axis.name for axis in table.axes]
        if "system" in names:  # every system answers the same gold
            table = table.select(system=table.axes[names.index("system")].labels[0])
        return table.pooled()
    return Table.from_labels(table, table, labels=labels)
