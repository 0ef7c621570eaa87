"""Cut one continuous score into classes so that a measure is served best."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ordeval.columns import read_column
from ordeval.decide.cut_points import Cuts, TrialOfPoints
from ordeval.decide.cut_search import best_cuts, nearest_points
from ordeval.decide.held_out import FOLDS, check_folds
from ordeval.decide.places import Places
from ordeval.decide.reading import read_gold, read_weights
from ordeval.decide.scores import NAME, read_scores
from ordeval.decide.search import Objective
from ordeval.errors import ParameterError
from ordeval.metrics.own import measure_of
from ordeval.scale import Scale
from ordeval.stats.intervals import check_interval_options


def cut(
    scores: Any,
    y_true: Any,
    *,
    metric: Any = "cem_ord",
    labels: Iterable[Any] | None = None,
    values: Iterable[float] | None = None,
    sample_weight: Any = None,
    count: Any = None,
    greater_is_better: bool | None = None,
    level: float = 0.95,
    folds: int = FOLDS,
) -> Cuts:
    """Return the points that cut a score into classes so that a measure is served best.

    A score below the first point is answered with the lowest class, and a score equal to a point with the class above
    it. Points lie midway between neighbouring scores of these items; they are infinite beside a class that is best
    never answered. If the measure is linear in the table given gold (and there are at most 30 classes), or if there
    are few ways to cut, no points are better on these items. Otherwise points are found from several starts and moved
    while that helps.

    The result also tells what the points gain over rounding the score to the nearest class, and over giving each class
    its share of gold, on items that they were not fitted on.

    The arguments are:

    - `scores`: one number for each item, such as the output of a regression or the mean mark of several judges; it
      need not be in the unit of the classes, and a higher score must mean a higher class.
    - `y_true`: the gold labels.
    - `metric`: any measure, or a function of counts[..., gold, predicted].
    - `labels`: the classes, lowest first; needed if the type of the labels does not show their order.
    - `values`: a number for each class, for measures that use them.
    - `sample_weight`: how much each item matters; only the ratios of the weights count.
    - `count`: how many items each row stands for.
    - `greater_is_better`: False if `metric` is a function that returns an error.
    - `level`: the level of the intervals of the gains.
    - `folds`: the number of parts of the items, each answered by points that were fitted on the others.

    >>> scores = [0.1, 0.4, 0.35, 0.8, 0.9, 0.7]
    >>> gold = ["low", "mid", "low", "high", "high", "mid"]
    >>> cuts = oe.decide.cut(scores, gold, metric="mae", labels=["low", "mid", "high"])
    >>> cuts.predict([0.2, 0.5, 0.76]).tolist()
    ['low', 'mid', 'high']
    """
    measure = measure_of(metric, greater_is_better=greater_is_better)
    check_interval_options(level, 1, "t")
    numbers = read_scores(scores)
    n = len(numbers)
    shown = read_column(y_true, "y_true", labels)
    scale = Scale.infer(shown, labels=labels, values=values)
    gold = read_gold(shown, scale, n, NAME)
    weight = read_weights(sample_weight, count, n)
    folds = check_folds(folds, n)
    places = Places.of(numbers, gold, scale.k, weight)
    objective = Objective(measure, scale)
    found = best_cuts(objective, places)
    others = {
        "nearest": places.of_points(nearest_points(scale)),
        "shares": places.of_gold_shares(),
    }
    tables = [found.table, *map(places.tables, others.values())]
    value, *of_others = map(objective.measured, objective(np.stack(tables)).tolist())
    if math.isnan(value):
        raise ParameterError(
            f"{measure} is undefined wherever these scores are cut: {measure.undefined_when}. Pass other items or "
            f"another measure."
        )
    return Cuts(
        measure=measure,
        scale=scale,
        points=tuple(found.points.tolist()),
        exact=found.exact,
        value=value,
        value_of=dict(zip(others, of_others, strict=True)),
        n=n,
        trial=TrialOfPoints(
            scores=numbers,
            weight=weight,
            gold=gold,
            folds=folds,
            level=level,
            sample_weight=sample_weight,
            count=count,
        ),
    )
