"""Fit the rule that turns class probabilities into the answers that serve a measure best."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.arguments import is_number, is_true
from ordeval.decide.decision import Decision, TrialOfRules
from ordeval.decide.held_out import FOLDS, check_folds
from ordeval.decide.reading import read_gold, read_probabilities
from ordeval.decide.recalibrate import recalibrated
from ordeval.decide.rules import abstention, answers_of, losses_of, ties_of
from ordeval.decide.search import Objective, Search, best_rule
from ordeval.errors import ParameterError, argument
from ordeval.metrics.own import measure_of
from ordeval.stats.intervals import check_interval_options


def fit(
    probabilities: Any,
    y_true: Any = None,
    *,
    metric: Any = "cem_ord",
    labels: Iterable[Any] | None = None,
    values: Iterable[float] | None = None,
    sample_weight: Any = None,
    count: Any = None,
    calibrate: bool = False,
    abstain: float = 0.0,
    greater_is_better: bool | None = None,
    level: float = 0.95,
    folds: int = FOLDS,
) -> Decision:
    """Return the rule whose answers serve a measure best, given class probabilities.

    A rule says what each answer is worth for each gold class, and gives the answer whose expected worth is largest;
    of answers that are worth the same, the lowest. If the measure is linear in the table, no other answers are
    expected to score better (accuracy: the most probable class; MAE: the median; MSE: the class nearest to the
    mean). Otherwise the measure is linearised at the expected table again and again, from several starts, and then
    the worth of single answers is changed while that helps. Of more than 12 classes it is changed for all gold
    classes together; of more than 20 it is not changed, and there are at most two starts.

    The gold labels show what the rule gains over the most probable class, the median and the rounded mean on items
    that it was not fitted on. Pass items that the model was not trained on.

    The arguments are:

    - `probabilities`: a row for each item and a column for each class, lowest first; the columns of a frame are
      found by name.
    - `y_true`: the gold labels, which show what the rule gains; it relies on the probabilities alone unless it
      calibrates them.
    - `metric`: any measure, or a function of counts[..., gold, predicted].
    - `labels`: the classes, lowest first; needed if the type of the labels does not show their order.
    - `values`: a number for each class, for measures that use them.
    - `sample_weight`: how much each item matters; only the ratios of the weights count.
    - `count`: how many items each row stands for.
    - `calibrate`: whether probabilities are made to fit the gold labels first, which helps if the model is too sure
      or not sure enough.
    - `abstain`: the share of items to leave unanswered, those whose answers are expected to lose most; fewer are
      left out if items that are expected to lose the same would have to be treated differently.
    - `greater_is_better`: False if `metric` is a function that returns an error.
    - `level`: the level of the intervals of the gains.
    - `folds`: the number of parts of the items, each answered by a rule that was fitted on the others.

    >>> import numpy as np
    >>> rows = np.array([[0.4, 0.2, 0.4], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]])
    >>> rule = oe.decide.fit(rows, metric="mae", labels=["low", "mid", "high"])
    >>> rule.predict(rows).tolist()
    ['mid', 'mid', 'high']
    """
    measure = measure_of(metric, greater_is_better=greater_is_better)
    check_interval_options(level, 1, "t")
    if not (is_number(abstain) and 0 <= abstain < 1):
        raise ParameterError(
            f"{argument('abstain', abstain)} is not a share of the items; it is 0 or more, and less than 1."
        )
    items = read_probabilities(
        probabilities, y_true, labels=labels, values=values, sample_weight=sample_weight, count=count
    )  # fmt: skip
    measure.check_parts(items.scale.numbers)
    asked = items  # before they are calibrated
    trial = calibration = None
    if y_true is not None:
        gold = read_gold(y_true, items.scale, items.n)
        folds = check_folds(folds, items.n)
        trial = TrialOfRules(
            items=items, gold=gold, folds=folds, level=level, sample_weight=sample_weight, count=count
        )  # fmt: skip
    if is_true(calibrate, "calibrate"):
        if y_true is None:
            raise ParameterError(
                f"{argument('calibrate', calibrate)} makes probabilities fit gold labels, and there are none. Pass "
                f"y_true."
            )
        calibration = recalibrated(items, gold)
        items = replace(items, columns=calibration(items.columns))
    objective = Objective(measure, items.scale)
    weighted = items.weighted
    plain = Search(objective, asked.columns, weighted).plain()
    found = best_rule(
        objective, items.columns, weighted, None if calibration is not None else plain
    )
    if not np.isfinite(found.value):
        raise ParameterError(
            f"{measure} is undefined for all answers to these items: {measure.undefined_when}. Pass other items or "
            f"another measure."
        )
    limit, unanswered = None, 0.0
    if abstain > 0:
        losses = losses_of(found.worth, items.columns, answers_of(found.worth, items.columns))
        limit, unanswered = abstention(losses, items.weight, abstain)
    return Decision(
        measure=measure,
        scale=items.scale,
        worth=found.worth,
        exact=found.exact,
        calibration=calibration,
        expected=objective.measured(found.value),
        expected_of={name: objective.measured(one.value) for name, one in plain.items()},
        n=items.n,
        ties=ties_of(found.worth, items.columns),
        abstain=float(abstain),
        limit=limit,
        unanswered=unanswered,
        trial=trial,
    )
