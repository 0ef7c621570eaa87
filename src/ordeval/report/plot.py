"""Charts of results, for notebooks and papers: Altair charts, to be shown, changed or saved (`.save("x.pdf")`).

They are the charts of the report, from the same specifications. All take `title` (a text of one's own, or "" for none),
`width` and `height` (pixels of the plot, without its labels). None of them needs a network.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from ordeval.agreement.agreement import Agreement
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.plan import Plan
from ordeval.decide import Decision
from ordeval.errors import LabelTypeError, ParameterError
from ordeval.inputs.policy import shows_keywords
from ordeval.inputs.soft import Probabilities, is_soft
from ordeval.judge.alt_test import AltTest
from ordeval.judge.validation import Validation
from ordeval.meta.study import Study
from ordeval.metrics.closeness import proximity as proximity_in_bits
from ordeval.properties import Verdicts
from ordeval.report import (
    class_figures,
    comparison_figures,
    difference_figures,
    error_figures,
    history_figure,
    judge_figures,
    measure_figures,
    plan_figure,
    rater_figures,
    system_figures,
)
from ordeval.report.calibration_figure import calibration_figures
from ordeval.report.cases import case_scores
from ordeval.report.chart_input import (
    costs_of_system,
    costs_of_systems,
    gold_table,
    probabilities_of_system,
    read_criterion,
    read_decisions,
    read_judge,
    read_limit,
    read_map,
    read_metric,
    read_system,
    require_agreement,
    require_comparison,
    require_two_systems,
    require_validation,
    soft_gold,
)
from ordeval.report.charts import Chart
from ordeval.report.decision_map import decision_map_figure
from ordeval.report.gain_figure import gains_figure
from ordeval.report.looks import Looks, finished
from ordeval.report.measure_agreement import measure_agreement
from ordeval.report.system_agreement import system_agreement
from ordeval.runs import Runs

__all__ = [
    "agreement",
    "alt_test",
    "bias",
    "calibration",
    "cases",
    "confusion",
    "confusion_difference",
    "contingency",
    "costs",
    "critical_difference",
    "decision_map",
    "differences",
    "disagreement",
    "error_profile",
    "forest",
    "gains",
    "gold",
    "history",
    "judges",
    "meta",
    "pairs",
    "power",
    "properties",
    "proximity",
    "ranks",
    "rater_differences",
    "raters",
    "recall",
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
    """Draw every system's score with its interval, best first; by the primary measure, or by another one."""
    name = read_metric(comparison, metric)
    return finished(comparison_figures.forest_figure(comparison, name, read_limit(limit)), looks)


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


@shows_keywords(Looks)
def differences(
    comparison: Comparison,
    baseline: str | None = None,
    *,
    metric: str | None = None,
    limit: int | None = None,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw every system's score minus that of one: the best, the system that `baseline` names, or a constant answer.

    `baseline="constant"` is the best constant answer. Each difference has its interval; the colour and the shape of the
    point say whether it is significant.
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
def critical_difference(
    comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw the systems by the primary measure, with bars that join those that are not significantly different."""
    require_two_systems(comparison)
    figure = difference_figures.critical_difference_figure(comparison, read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def systems(comparison: Comparison, *, limit: int | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw on which share of the items every two systems give the same answer; near-duplicates stand together."""
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
def error_profile(
    result: Any, *, system: str | Sequence[str] | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw how far the answers are from gold, and to which side, and how many lie within so many classes.

    Of an evaluation, a table, runs or a comparison; `system` names one system or several, None takes all.
    """
    costs, names = costs_of_systems(result, system)
    return finished(error_figures.error_profile_figure(costs, names), looks)


@shows_keywords(Looks)
def recall(result: Any, *, system: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw for each gold class how many answers are right, one class off or farther off, and to which side."""
    return finished(error_figures.recall_figure(*costs_of_system(result, system)), looks)


@shows_keywords(Looks)
def confusion_difference(result: Any, a: str, b: str, **looks: Unpack[Looks]) -> Chart:
    """Draw how much more often system a gives each answer to each gold class than system b."""
    (first, second), names = costs_of_systems(result, [a, b])
    figure = error_figures.confusion_difference_figure(first, second, (names[0], names[1]))
    return finished(figure, looks)


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
    """Draw whether gold is at most a class as often as the probabilities say, for every class but the highest.

    `probabilities` has a row for each item and a column for each class, lowest first; in place of gold and
    probabilities an evaluation can stand, or runs or a comparison with the name of one `system`. The items are cut into
    `bins` of about equally many, as `calibration_error` does, whose value the description has; each share has Wilson's
    95% interval. `sample_weight` says how much each item matters, `count` how many items each row stands for.
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
def decision_map(
    decision: Decision, *, classes: Iterable[Any] | None = None, **looks: Unpack[Looks]
) -> Chart:
    """Draw which answer a rule gives to all probabilities of three classes, as a triangle; of `oe.decide.fit`.

    The dashed lines are where the most probable class changes. If the scale has more classes, `classes` names three of
    them, and the others have the probability 0.
    """
    return finished(decision_map_figure(*read_map(decision, classes)), looks)


@shows_keywords(Looks)
def gains(decisions: Any, **looks: Unpack[Looks]) -> Chart:
    """Draw what rules gain over plain answers on items that they were not fitted on, with intervals.

    Of one decision or cuts, a list of them, or a mapping from names to them. If they serve different measures, a gain
    is shown as a share of what the plain answers lack to a perfect score.
    """
    return finished(gains_figure(read_decisions(decisions)), looks)


@shows_keywords(Looks)
def meta(study: Study, x: str = "coverage", y: str = "robustness", **looks: Unpack[Looks]) -> Chart:
    """Draw the measures of `oe.meta.study` by two criteria.

    The criteria are coverage, robustness, discriminative_power, swap_rate and ranking_similarity.
    """
    if not isinstance(study, Study):
        raise LabelTypeError(
            f"this chart was given a {type(study).__name__}; it draws a study of measures. Pass oe.meta.study(runs)."
        )
    parts = (read_criterion(study, x, "x"), read_criterion(study, y, "y"))
    return finished(measure_figures.meta_figure(*parts), looks)


@shows_keywords(Looks)
def properties(verdicts: Verdicts, **looks: Unpack[Looks]) -> Chart:
    """Draw which measures have which formal properties, from `oe.properties.check`; verdicts add up with `+`."""
    if not isinstance(verdicts, Verdicts):
        raise LabelTypeError(
            f"this chart was given a {type(verdicts).__name__}; it draws verdicts. Pass oe.properties.check(metric)."
        )
    return finished(measure_figures.properties_figure(verdicts), looks)


@shows_keywords(Looks)
def history(history: Any, *, metric: str | None = None, **looks: Unpack[Looks]) -> Chart:
    """Draw the gates of a history over time: the candidate's score, its interval, the margin and the outcome.

    Takes the file that `ordeval gate --history FILE` writes, or its records. Of several measures that of the newest
    gate is drawn, unless another is named.
    """
    return finished(history_figure.history_figure(history, metric), looks)


@shows_keywords(Looks)
def power(plan: Plan, **looks: Unpack[Looks]) -> Chart:
    """Draw the chance of finding the difference of a plan against the number of items."""
    if not isinstance(plan, Plan):
        raise LabelTypeError(
            f"this chart was given a {type(plan).__name__}; it draws a plan. Pass oe.plan(runs)."
        )
    if plan.items is None:
        raise ParameterError(f"this plan gives no number of items: {plan.reason}.")
    return finished(plan_figure.power_figure(plan), looks)


@shows_keywords(Looks)
def raters(agreement: Agreement, *, limit: int | None = 40, **looks: Unpack[Looks]) -> Chart:
    """Draw how well every two raters agree: the quadratic weighted kappa of the items that both marked.

    Of more raters than the limit, those who stand apart and those with most items are drawn; None draws all.
    """
    figure = rater_figures.raters_figure(require_agreement(agreement), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def rater_differences(
    agreement: Agreement, *, limit: int | None = 40, **looks: Unpack[Looks]
) -> Chart:
    """Draw by how much each rater marks higher or lower than the others, in classes, with the interval."""
    figure = rater_figures.rater_differences_figure(require_agreement(agreement), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def confusion(agreement: Agreement, **looks: Unpack[Looks]) -> Chart:
    """Draw which classes people confuse: the marks of another rater where one rater gives the class of the row."""
    return finished(rater_figures.confusion_figure(require_agreement(agreement)), looks)


@shows_keywords(Looks)
def disagreement(agreement: Agreement, **looks: Unpack[Looks]) -> Chart:
    """Draw where people disagree: for each class, how far apart the marks of the items lie whose median it is."""
    return finished(rater_figures.disagreement_figure(require_agreement(agreement)), looks)


@shows_keywords(Looks)
def judges(validation: Validation, *, limit: int | None = 40, **looks: Unpack[Looks]) -> Chart:
    """Draw how far each judge is from a human by the primary measure, with the interval and the margin, best first."""
    figure = judge_figures.judges_figure(require_validation(validation), read_limit(limit))
    return finished(figure, looks)


@shows_keywords(Looks)
def alt_test(
    result: AltTest | Validation,
    judge: str | None = None,
    *,
    limit: int | None = 40,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw the alternative annotator test: for each human, how often the human is closer to the others than the judge.

    Of a validation, that of the best judge unless another is named.
    """
    if not isinstance(result, AltTest):
        result = read_judge(result, judge).alt_test
    if not result.humans:
        raise ParameterError(f"there is nothing to draw: {result.reason}.")
    return finished(judge_figures.alt_test_figure(result, read_limit(limit)), looks)


@shows_keywords(Looks)
def bias(
    validation: Validation,
    judge: str | None = None,
    *,
    limit: int | None = 60,
    **looks: Unpack[Looks],
) -> Chart:
    """Draw how much higher or lower a judge marks than the other humans, class by class; the best judge by default."""
    one, level = read_judge(validation, judge), validation.level
    return finished(judge_figures.bias_figure(one, level, read_limit(limit)), looks)
