"""Correct uses, in which a type checker must find no mistake. `assert_type` states the type that it must infer.

This file is read by mypy and pyright, and never run.
"""

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import ordeval as oe
from ordeval import cem_ord, weighted_kappa

Values = npt.NDArray[np.float64]

gold = ["low", "mid", "mid", "high"]
answers = np.array(["low", "high", "mid", "high"])
order = ["low", "mid", "high"]
weight = [1, 2, 1, 1.5]
counts = np.eye(3)

# labels give a number
assert_type(cem_ord(gold, answers, labels=order), float)
assert_type(oe.mae(gold, answers, labels=order, values=[0, 1, 5], sample_weight=weight), float)
assert_type(oe.accuracy(y_true=gold, y_pred=answers, labels=tuple(order), missing="drop"), float)
assert_type(oe.cem_ord([1, None], [1, 2], gold_missing="drop", unknown="missing"), float)
assert_type(oe.cem_ord([1, 2], [1.2, 1.7], round="nearest"), float)
assert_type(oe.cem_ord(gold, answers, labels=order, reference=[10, 20, 10]), float)
assert_type(oe.expected_cem(gold, np.eye(3)[[0, 1, 1, 2]], labels=order), float)

# settings
assert_type(weighted_kappa(gold, answers, weights="quadratic", labels=order), float)
assert_type(oe.gwet_ac2(gold, answers, weights="identity", labels=order, missing="zero"), float)
assert_type(oe.accuracy_within([1, 2, 3], [1, 3, 1], n=1), float)
assert_type(oe.ordinal_classification_index([1, 2], [1, 2], beta=0.5, gamma=1), float)
quadratic = oe.weighted_kappa.with_parameters(weights="quadratic")
assert_type(quadratic([1, 2], [1, 2]), float)

# a table gives a number or an array, and so do counts; one table as nested lists gives a number
table = oe.Table.from_labels(gold, answers, labels=order)
assert_type(oe.cem_ord(table), float | Values)
assert_type(oe.threshold_loss(table, penalty="logistic"), float | Values)
assert_type(oe.cem_ord(table, reference=[10, 20, 10]), float | Values)
assert_type(oe.rmse.from_counts(counts, values=[0, 1, 5]), float | Values)
assert_type(oe.rmse.from_counts([[2, 1], [0, 1]]), float)
assert_type(oe.mae.from_counts({"low": {"mid": 2}}, labels=order), float | Values)
assert_type(oe.weighted_kappa.from_counts(((2, 1), (0, 1)), weights="linear"), float)


def agreement(ratings: oe.Ratings) -> None:
    """Score the marks of several raters, which gives a number."""
    assert_type(oe.krippendorff_alpha(ratings, level="ratio"), float)
    assert_type(oe.fleiss_kappa(ratings, weights=[[1, 0.5], [0.5, 1]]), float)
    assert_type(oe.gwet_ac1(ratings, weights=np.eye(3)), float)
    assert_type(oe.mae(ratings), float)


def judged(humans: oe.Ratings, judges: oe.Ratings, marks: list[int]) -> None:
    """Validate judges, and correct what they say."""
    assert_type(oe.judge.validate(humans, judges, missing="zero")["gpt"].verdict, str)
    assert_type(oe.judge.alt_test(humans, judges).passed, bool)
    assert_type(oe.judge.correct(humans, judges).mean.value, float)
    assert_type(oe.judge.correct(marks, marks, marks, method="ppi", labels=[1, 2]).marked, int)
    found = oe.judge.correct_scores(marks, marks, {"a": marks}, marks, {"a": marks}, about="items")
    assert_type(found["a"]["cem_ord"].value, float)
    assert_type(oe.judge.plan(marks, marks, budget=5).humans, int | None)


# a measure is a value, and a function
measures: list[oe.Metric] = [oe.cem_ord, oe.weighted_kappa, oe.registry["mae"]]
assert_type([measure.name for measure in measures], list[str])
assert_type(oe.mae.bounds, tuple[float, float])
assert_type([measure(gold, answers, labels=order) for measure in measures], list[float])
assert_type(oe.registry["weighted_kappa"]([1, 2], [1, 2], weights="linear"), float)
function: Callable[[Any, Any], float] = oe.mae


def best(measure: oe.Metric) -> float:
    """Return the score of one answer, by any measure."""
    return measure(gold, answers, labels=order)


best(oe.cem_ord)
best(oe.weighted_kappa)


class Holder:
    """A measure as an attribute of a class is the measure."""

    measure = oe.mae


assert_type(Holder().measure([1, 2], [1, 2]), float)

# what is loaded later is known as well
runs = oe.Runs.from_labels([1, 2], {"a": [1, 2], "b": [2, 2]})
assert_type(oe.compare(runs).primary, str)
oe.evaluate([1, 2], [1, 2], metrics=[oe.cem_ord, "mae"])
oe.plan(runs)
assert_type(oe.gate("a", "b", runs=runs).needed, int | None)
assert_type(oe.properties.check(oe.mae)["imbalance"].checked, int)
oe.meta.coverage(runs)
oe.simulate.paper(rng=0)
oe.paper.table2()
oe.plot.forest(oe.compare(runs))
assert_type(oe.proximity(gold, labels=order, scale_type="nominal"), Values)
try:
    oe.Scale([])
except oe.errors.ScaleError as error:
    refusal: oe.OrdevalError = error


# measures of one's own: with brackets, without, and of labels
@oe.measure(greater_is_better=True, bounds=(0, 1))
def share_of_lowest(counts: Values) -> Values:
    """Share of the answers that are the lowest class."""
    return np.asarray(counts[..., 0].sum(axis=-1) / counts.sum(axis=(-1, -2)))


assert_type(share_of_lowest, oe.Metric)
assert_type(
    oe.measure(lambda counts: counts[..., 0, 0], greater_is_better=True, name="first"), oe.Metric
)
assert_type(oe.measure.from_labels(max, greater_is_better=True, name="largest"), oe.Metric)
oe.compare(runs, metrics=["cem_ord", share_of_lowest])
