"""Sets of neighbouring classes that hold the gold class with a promised probability."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ordeval.arguments import is_true
from ordeval.decide.conformal import calibrate, gold_masses, spans
from ordeval.decide.prediction_sets import ClassCoverage, PredictionSets
from ordeval.decide.reading import read_gold, read_probabilities
from ordeval.stats.intervals import check_level


def sets(
    probabilities: Any,
    y_true: Any,
    *,
    level: float = 0.9,
    by_class: bool = False,
    labels: Iterable[Any] | None = None,
    values: Iterable[float] | None = None,
    count: Any = None,
) -> PredictionSets:
    """Return a rule that turns class probabilities into sets of neighbouring classes that hold the gold class.

    A set begins with the most probable class and grows to the more probable of its two neighbours (of equal ones,
    the lower), until it is as large as these items ask for. It then holds the gold class of a new item of the same
    kind with the probability `level` or more, however good the model is: the probability is over these items and
    the new one (split conformal prediction). The better the model, the smaller the sets. Pass items that the model
    was not trained on.

    The result also tells how often sets hold the gold class of items that were left out, and how large they are.

    The arguments are:

    - `probabilities`: a row for each item and a column for each class, lowest first; the columns of a frame are
      found by name.
    - `y_true`: the gold labels.
    - `level`: the probability with which a set holds the gold class.
    - `by_class`: whether the level is promised for each gold class: sets are larger then, and a class with fewer
      than level / (1 - level) items here is in every set. A class between two that a set needs is in the set, too,
      and so may be covered more often than promised.
    - `labels`: the classes, lowest first; needed if the type of the labels does not show their order.
    - `values`: a number for each class, for measures that use them.
    - `count`: how many items each row stands for.

    >>> import numpy as np
    >>> rows = np.array(
    ...     [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]]
    ... )
    >>> gold = ["low", "high", "high", "low"]
    >>> found = oe.decide.sets(rows, gold, level=0.8, labels=["low", "mid", "high"])
    >>> found.predict([[0.6, 0.3, 0.1], [0.1, 0.45, 0.45]]).tolist()
    [['low', 'low'], ['mid', 'high']]
    """
    check_level(level)
    by_class = is_true(by_class, "by_class")
    items = read_probabilities(probabilities, y_true, labels=labels, values=values, count=count)
    gold = read_gold(y_true, items.scale, items.n)
    k, columns, weight = items.scale.k, items.columns, items.weight
    if weight is not None and not weight.all():
        columns, gold, weight = columns[:, weight > 0], gold[weight > 0], weight[weight > 0]
    found = gold_masses(columns, gold)
    thresholds, others = calibrate(found, gold, k, level, by_class=by_class, count=weight)
    left_out = spans(columns, others)
    times = np.ones(len(gold)) if weight is None else weight
    sums = [np.bincount(gold, times * part, k) for part in (1, left_out.hold(gold), left_out.sizes)]
    classes = [
        ClassCoverage(int(n), int(held), int(size)) for n, held, size in zip(*sums, strict=True)
    ]
    return PredictionSets(
        items.scale, float(level), by_class, tuple(thresholds.tolist()), tuple(classes)
    )
