"""What the functions of `ordeval.plot` are given, checked and taken apart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ordeval.agreement.agreement import Agreement
from ordeval.arguments import entries, is_choice, is_whole
from ordeval.comparison.calibrated import gives_probabilities
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.evaluate import Evaluation
from ordeval.comparison.samples import cells_of, scaled
from ordeval.comparison.scorer import Scorer
from ordeval.decide import Cuts, Decision
from ordeval.errors import LabelTypeError, ParameterError, argument, listed, quoted, suggestion
from ordeval.judge.validation import JudgeVerdict, Validation
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.study import Study
from ordeval.metrics.names import ALIASES, full_name
from ordeval.report.error_costs import ErrorCosts, error_costs
from ordeval.runs import Runs
from ordeval.table import Table

CORNERS = 3  # of a triangle
LEAST_SHARP = 0.05  # below it, calibrated probabilities hardly depend on those that were given


def require_comparison(comparison: Any) -> Comparison:
    """Return a comparison, and refuse anything else."""
    if not isinstance(comparison, Comparison):
        raise LabelTypeError(
            f"this chart was given a {type(comparison).__name__}; it draws a comparison. Pass oe.compare(runs)."
        )
    return comparison


def require_agreement(agreement: Any) -> Agreement:
    """Return an agreement of raters, and refuse anything else."""
    if not isinstance(agreement, Agreement):
        raise LabelTypeError(
            f"this chart was given a {type(agreement).__name__}; it draws the agreement of raters. Pass "
            f"oe.agree(ratings)."
        )
    return agreement


def require_validation(validation: Any) -> Validation:
    """Return the validation of judges, and refuse anything else."""
    if not isinstance(validation, Validation):
        raise LabelTypeError(
            f"this chart was given a {type(validation).__name__}; it draws the validation of judges. Pass "
            f"oe.judge.validate(humans, judges)."
        )
    return validation


def read_judge(validation: Any, judge: Any) -> JudgeVerdict:
    """Return one judge of a validation; None is the best."""
    found = require_validation(validation)
    return found.best if judge is None else found[judge]


def read_map(decision: Any, classes: Any) -> tuple[Decision, list[int]]:
    """Return a decision, and the places on its scale of the three classes whose probabilities are drawn."""
    if not isinstance(decision, Decision):
        raise LabelTypeError(
            f"this chart was given a {type(decision).__name__}; it draws a decision. Pass oe.decide.fit(probabilities)."
        )
    scale, rule = decision.scale, "it names three classes of the scale"
    if classes is None and scale.k != CORNERS:
        chosen = (
            f", or name three of them, classes={[*scale.labels[:2], scale.labels[-1]]!r}"
            if scale.k > 3
            else ""
        )
        raise ParameterError(
            f"the scale has {scale.k} classes, and this map is a triangle, for 3. Draw oe.plot.gains{chosen}."
        )
    asked = list(scale.labels) if classes is None else entries(classes, "classes", rule)
    places = {scale.position(label) for label in asked}
    if len(asked) != CORNERS or len(places) != CORNERS or None in places:
        raise ParameterError(f"classes is {classes!r:.60}; {rule}, {listed(scale.labels)}.")
    change = decision.calibration
    if change is not None and (scale.k > CORNERS or change.sharpness <= LEAST_SHARP):
        why = (
            "more than 3 classes"
            if scale.k > CORNERS
            else "probabilities that have nothing to do with gold"
        )
        raise ParameterError(
            f"this rule calibrates {why}, of which there is no such map. Pass a rule without calibration."
        )
    return decision, sorted(place for place in places if place is not None)


def read_decisions(decisions: Any) -> dict[str, Decision | Cuts]:
    """Return decisions and cuts by name: that of the measure, unless the caller gives names."""
    given = [decisions] if isinstance(decisions, Decision | Cuts) else decisions
    if isinstance(given, Mapping):
        named = {str(name): one for name, one in given.items()}
    else:
        every = entries(
            given,
            "decisions",
            "it is one decision, a list of them, or a mapping from names to them",
        )
        named = {}
        for one in every:
            name = brief_name(str(getattr(one, "measure", "")))
            named[name if name not in named else f"{name} ({len(named) + 1})"] = one
    for one in named.values():
        if not isinstance(one, Decision | Cuts):
            raise LabelTypeError(
                f"this chart was given a {type(one).__name__}; it draws decisions. Pass oe.decide.fit(...), or several."
            )
    if not named:
        raise ParameterError("there is nothing to draw: no decision was given.")
    return named


def brief_name(measure: str) -> str:
    """Return a short name of a measure, if it has one, else its name."""
    return next(
        (alias for alias, full in ALIASES.items() if full == measure and "(" in full), measure
    )


def require_two_systems(comparison: Any) -> Comparison:
    """Return a comparison of at least two systems, and refuse anything else."""
    if len(require_comparison(comparison).order) < 2:
        raise ParameterError(
            "there is one system; this chart sets systems against each other. Compare at least 2."
        )
    return require_comparison(comparison)


def read_limit(limit: int | None, name: str = "limit") -> int | None:
    """Return how many systems, cases or bins are drawn, and refuse a chart of none."""
    if limit is not None and not is_whole(limit, 1):
        raise ParameterError(
            f"{name}={limit!r:.60} draws nothing; pass 1 or more, or None for all."
        )
    return limit


def read_metric(comparison: Any, metric: Any) -> str | None:
    """Return the name of a measure of a comparison; None stays None, the primary measure."""
    metrics = require_comparison(comparison).scores.metrics
    name = None if metric is None else full_name(metric)
    if name is not None and name not in metrics:
        raise ParameterError(
            f"{name!r} is not in this comparison; there are {', '.join(metrics)}.{suggestion(name, metrics)}"
        )
    return name


def read_criterion(study: Study, criterion: Any, name: str) -> PerMeasure:
    """Return what a study has found about its measures by one criterion."""
    parts = {
        part.kind: part for part in (study.coverage, study.robustness, study.power, *study.halves)
    }
    if not is_choice(criterion, parts):
        raise ParameterError(
            f"{argument(name, criterion):.80} is not a criterion; it is one of {', '.join(parts)}."
        )
    return parts[criterion]


def read_system(system: Any, offered: Sequence[str], name: str, *, or_else: str = "") -> str:
    """Return the name of a system; refuse one that is not there."""
    if not is_choice(system, offered):
        problem = "names no system" if system is None else f"asks for system {system!r:.60}"
        also = f", or {or_else!r} for the best constant answer" if or_else else ""
        raise ParameterError(
            f"the call {problem}; pass {name}=..., one of {quoted(offered)}{also}."
        )
    return str(system)


def costs_of_system(result: Any, system: str | None) -> tuple[ErrorCosts, str]:
    """Return the answers of one system with what they cost, and its name; a comparison offers its best by default."""
    data, names, offered = systems_in(result)
    if system is None and (isinstance(result, Comparison) or len(names) == 1):
        system = offered[0]
    system = read_system(system, offered, "system")
    return costs_in(data, names.index(system)), system


def soft_gold() -> LabelTypeError:
    """Return the error for a chart of how often labels are at most a class, if gold has no labels."""
    return LabelTypeError(
        "gold is soft; this chart shows how often labels are at most a class. Pass one gold label for each item."
    )


def probabilities_of_system(result: Any, system: str | None) -> tuple[Runs, int]:
    """Return runs and the place of a system that gives probabilities; by default the best, or the only one."""
    if isinstance(result, Evaluation):
        result = result.scores.data
    data, names, offered = systems_in(result)
    if not isinstance(data, Runs) or data.answers is None:
        raise LabelTypeError(
            "there are no probabilities in what this chart was given. Pass gold labels and a row of probabilities for "
            "each item, or a result that was made of these."
        )
    if data.shares is not None:
        raise soft_gold()
    probabilistic = gives_probabilities(data)
    offered = [name for name in offered if probabilistic[names.index(name)]]
    if system is None and (isinstance(result, Comparison) or len(offered) == 1):
        system = offered[0]
    return data.pooled(), names.index(read_system(system, offered, "system"))


def costs_of_systems(result: Any, system: Any) -> tuple[list[ErrorCosts], list[str]]:
    """Return the answers of several systems with what they cost, and their names; None takes all."""
    data, names, offered = systems_in(result)
    rule = "it names one system or lists several"
    asked = (
        offered
        if system is None
        else [system]
        if isinstance(system, str)
        else entries(system, "system", rule)
    )
    if not asked:
        raise ParameterError(f"system is {system!r:.60}; {rule}.")
    chosen = [read_system(name, offered, "system") for name in asked]
    return [costs_in(data, names.index(name)) for name in chosen], chosen


def systems_in(result: Any) -> tuple[Runs | Table, Sequence[str], Sequence[str]]:
    """Return the answers in a result, the names of their systems, and the same names, best first if that is known."""
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
    return data, names, result.systems if isinstance(result, Comparison) else names


def costs_in(data: Runs | Table, at: int) -> ErrorCosts:
    """Return the answers of the system in one place, with what they cost."""
    return error_costs(cells_of(data)[at], Scorer({}, data.scale, data.policy))


def gold_table(result: Any, labels: Iterable[Any] | None) -> Table:
    """Return one table with the gold labels of anything that has them; weights add up to the number of items."""
    data = result.runs if isinstance(result, Comparison) else result
    if isinstance(result, Comparison) and isinstance(data, Table):
        return scaled(data, pooled=False).pooled()  # samples that share no items
    table = data.table if isinstance(data, Evaluation | Runs) else data
    if isinstance(table, Table):
        names = [axis.name for axis in table.axes]
        if "system" in names:  # every system answers the same gold
            table = table.select(system=table.axes[names.index("system")].labels[0])
        return scaled(table, pooled=False).pooled()
    return Table.from_labels(table, table, labels=labels)
