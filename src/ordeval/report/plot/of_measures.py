"""Compare measures: how alike they rank, how well they work, and which properties they have."""

from typing import Unpack

from ordeval.comparison.comparison import Comparison
from ordeval.errors import LabelTypeError
from ordeval.inputs.policy import shows_keywords
from ordeval.meta.study import Study
from ordeval.properties import Verdicts
from ordeval.report import comparison_figures, measure_figures
from ordeval.report.chart_input import read_criterion, require_two_systems
from ordeval.report.looks import Looks, finished
from ordeval.report.measure_agreement import measure_agreement
from ordeval.report.offline import Chart

__all__ = [
    "agreement",
    "meta",
    "properties",
]


@shows_keywords(Looks)
def agreement(comparison: Comparison, **looks: Unpack[Looks]) -> Chart:
    """Draw how alike the measures rank the systems, as Kendall's tau-b.

    Use it to see whether the choice of a measure matters for your ranking.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=5, cases=8, items=50, ratios=[0.2, 0.4])
    >>> c = oe.compare(task.runs)
    >>> chart = oe.plot.agreement(c)
    """
    measures = measure_agreement(require_two_systems(comparison))
    assert measures is not None  # noqa: S101 - there are two systems or more
    return finished(comparison_figures.agreement_figure(measures), looks)


@shows_keywords(Looks)
def meta(study: Study, x: str = "coverage", y: str = "robustness", **looks: Unpack[Looks]) -> Chart:
    """Draw the measures by two criteria, of `oe.meta.study`.

    Use it to choose a measure that ranks well and does not depend on chance. The criteria are coverage, robustness,
    discriminative_power, swap_rate and ranking_similarity.

    >>> import ordeval as oe
    >>> task = oe.simulate.collection(labels=3, cases=8, items=50, ratios=[0.2, 0.4])
    >>> study = oe.meta.study(
    ...     task.runs, ["cem_ord", "accuracy", "mae", "macro_mae"], resamples=99
    ... )
    >>> chart = oe.plot.meta(study, "coverage", "discriminative_power")
    """
    if not isinstance(study, Study):
        raise LabelTypeError(
            f"this chart was given a {type(study).__name__}; it draws a study of measures. Pass oe.meta.study(runs)."
        )
    parts = (read_criterion(study, x, "x"), read_criterion(study, y, "y"))
    return finished(measure_figures.meta_figure(*parts), looks)


@shows_keywords(Looks)
def properties(verdicts: Verdicts, **looks: Unpack[Looks]) -> Chart:
    """Draw which measures have which formal properties, from `oe.properties.check`; verdicts add up with `+`.

    Use it to choose a measure by what it promises.

    >>> import ordeval as oe
    >>> verdicts = oe.properties.check("cem_ord", items=3) + oe.properties.check(
    ...     "mae", items=3
    ... )
    >>> chart = oe.plot.properties(verdicts)
    """
    if not isinstance(verdicts, Verdicts):
        raise LabelTypeError(
            f"this chart was given a {type(verdicts).__name__}; it draws verdicts. Pass oe.properties.check(metric)."
        )
    return finished(measure_figures.properties_figure(verdicts), looks)
