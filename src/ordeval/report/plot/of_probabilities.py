"""Check probabilities and decisions: whether probabilities come true, and what rules gain from them."""

from collections.abc import Iterable
from typing import Any, Unpack

from ordeval.decide import Decision
from ordeval.inputs.policy import shows_keywords
from ordeval.inputs.soft import Probabilities, is_soft
from ordeval.report.calibration_figure import calibration_figures
from ordeval.report.chart_input import (
    probabilities_of_system,
    read_decisions,
    read_limit,
    read_map,
    soft_gold,
)
from ordeval.report.decision_map import decision_map_figure
from ordeval.report.gain_figure import gains_figure
from ordeval.report.looks import Looks, finished
from ordeval.report.offline import Chart
from ordeval.runs import Runs

__all__ = [
    "calibration",
    "decision_map",
    "gains",
]


@shows_keywords(Looks)
def calibration(
    y_true: Any,
    probabilities: Any = None,
    *,
    system: str | None = None,
    labels: Iterable[Any] | None = None,
    sample_weight: Any = None,
    count: Any = None,
    bins: int = 10,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw whether probabilities come true: how often gold is at most a class, against how often they say so.

    Use it before you trust or combine probabilities. `probabilities` has a row for each item and a column for each
    class, lowest first; in place of gold and probabilities an evaluation can stand, or runs or a comparison with
    the name of one `system`. The items are cut into `bins` of about equally many, as `calibration_error` does,
    whose value the description has; each share has Wilson's 95% interval. `sample_weight` says how much each item
    matters, `count` how many items each row stands for.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.dirichlet([2, 3, 1], 600)
    >>> gold = (rows.cumsum(axis=1) < rng.random((600, 1))).sum(axis=1)
    >>> sure = rows**2 / (rows**2).sum(axis=1, keepdims=True)  # a model that is too sure
    >>> chart = oe.plot.calibration(gold, sure)
    """
    if probabilities is None:
        runs, at = probabilities_of_system(y_true, system)
    elif is_soft(y_true):
        raise soft_gold()
    else:
        given = {"y_pred": Probabilities(probabilities)}
        weights = {"sample_weight": sample_weight, "count": count}
        runs, at = Runs.from_labels(y_true, given, labels=labels, **weights), 0
    figure = calibration_figures(
        runs, [at], read_limit(bins, "bins") or 10, named=len(runs.systems) > 1
    )[0]
    return finished(figure, looks)


@shows_keywords(Looks)
def gains(decisions: Any, **looks: Unpack[Looks]) -> Chart:
    """Draw what rules gain over plain answers on items that they were not fitted on, with intervals.

    Use it to decide whether a rule of `oe.decide` is worth having. It takes one decision or cuts, a list of them,
    or a mapping from names to them. If they serve different measures, a gain is shown as a share of what the plain
    answers lack to a perfect score.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(1)
    >>> rows = rng.dirichlet([4, 1.5, 0.8], 400)
    >>> gold = (rows.cumsum(axis=1) < rng.random((400, 1))).sum(axis=1)
    >>> rules = [
    ...     oe.decide.fit(rows, gold, metric=name) for name in ("qwk", "cem_ord", "mae")
    ... ]
    >>> chart = oe.plot.gains(rules)
    """
    return finished(gains_figure(read_decisions(decisions)), looks)


@shows_keywords(Looks)
def decision_map(
    decision: Decision, *, classes: Iterable[Any] | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw which answer a rule gives to all probabilities of three classes, as a triangle; of `oe.decide.fit`.

    Use it to explain a rule. The dashed lines are where the most probable class changes. If the scale has more
    classes, `classes` names three of them, and the others have the probability 0.

    >>> import numpy as np
    >>> import ordeval as oe
    >>> rng = np.random.default_rng(1)
    >>> rows = rng.dirichlet([4, 1.5, 0.8], 400)
    >>> gold = (rows.cumsum(axis=1) < rng.random((400, 1))).sum(axis=1)
    >>> chart = oe.plot.decision_map(oe.decide.fit(rows, gold, metric="qwk"))
    """
    return finished(decision_map_figure(*read_map(decision, classes)), looks)
