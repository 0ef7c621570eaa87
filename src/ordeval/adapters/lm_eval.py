"""Measures as aggregations of lm-evaluation-harness, with intervals and standard errors.

A task's `process_results` gives for each document the pair (gold, answer) under the name of a metric, and the
aggregation of that metric gets the list of all pairs. The harness makes standard errors for its own aggregations alone:
for another metric NAME it writes "N/A" as NAME_stderr, and a metric of that name that comes later takes this place.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, Unpack, get_args

from ordeval.adapters.run_scorer import RunScorer
from ordeval.arguments import check_choice
from ordeval.errors import DataError, MissingPackageError, ParameterError
from ordeval.inputs.policy import Reading
from ordeval.metrics.metric import Metric

try:
    import lm_eval  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "ordeval.adapters.lm_eval needs the package lm-eval, which is not installed. Run: "
        "pip install 'ordeval[lm-eval]'"
    ) from error

__all__ = ["Aggregation", "aggregation", "metric_list"]

Part = Literal["value", "stderr", "low", "high"]
PARTS = {"value": "value", "stderr": "error", "low": "low", "high": "high"}  # as a score has them


class Aggregation:
    """One number of the score of a run: the measure, its standard error, or an end of its interval.

    It is not a dataclass: the harness would write the inside of one into the results, where it now writes the repr.

    >>> from ordeval.adapters.lm_eval import aggregation
    >>> aggregation("mae", labels=[1, 2, 3])([(1, 1), (2, 3), (3, 3), (1, 2)])
    0.5
    """

    def __init__(self, scorer: RunScorer, part: str) -> None:
        self.scorer, self.part = scorer, part

    def __repr__(self) -> str:
        known = {"part": self.part, "level": self.scorer.level, **self.scorer.policies}
        settings = "".join(f", {name}={setting!r}" for name, setting in known.items())
        return f"aggregation({str(self.scorer.measure)!r}, labels={[*self.scorer.scale.labels]}{settings})"

    def __call__(self, items: Sequence[Any]) -> float:
        """Score all documents: (gold, answer) of each, or (gold, answer, cluster) if clusters are to be drawn whole."""
        sizes = {len(item) if isinstance(item, tuple | list) else 0 for item in items}
        if sizes not in ({2}, {3}):
            raise DataError(
                f"the first item is {items[0]!r:.60}; an item is (gold, answer), or (gold, answer, cluster) for every "
                f"document. Return these from process_results."
            )
        gold, answers, *clusters = zip(*items, strict=True)
        score = self.scorer.score(gold, answers, clusters=clusters[0] if clusters else None)
        number = getattr(score, PARTS[self.part])
        return math.nan if number is None else number


def aggregation(
    measure: str | Metric,
    *,
    part: Part = "value",
    level: float = 0.95,
    **options: Unpack[Reading],
) -> Aggregation:
    """Return an aggregation for a task, in Python or in YAML (`aggregation: !function utils.NAME`).

    `part` is what it gives: the "value" of the measure, its "stderr", or the "low" or "high" end of its interval.
    `labels` are the classes, lowest first; `values`, `missing`, `unknown`, `gold_missing` and `round` say how answers
    are read, as in `oe.evaluate`.

    >>> from ordeval.adapters.lm_eval import aggregation
    >>> mae = aggregation("mae", labels=[1, 2, 3])
    >>> mae([(1, 1), (2, 3), (3, 3), (1, 2)])
    0.5
    """
    check_choice("part", part, tuple(PARTS))
    if level is None:
        raise ParameterError(
            "level=None is not a confidence level; it must be between 0 and 1, such as 0.95. For the measure alone, "
            "leave the other parts out."
        )
    return Aggregation(RunScorer.of(measure, level, options), part)


def metric_list(
    measure: str | Metric,
    *,
    name: str | None = None,
    level: float = 0.95,
    **options: Unpack[Reading],
) -> list[dict[str, Any]]:
    """Return what a task has as its `metric_list`: the measure, its standard error and both ends of its interval.

    They are called NAME, NAME_stderr, NAME_low and NAME_high, and `process_results` gives each of them the same pair,
    in this order. NAME is that of the measure unless `name` is given.

    >>> from ordeval.adapters.lm_eval import metric_list
    >>> [one["metric"] for one in metric_list("mae", labels=[1, 2, 3])]
    ['mae', 'mae_stderr', 'mae_low', 'mae_high']
    """
    every = {
        part: aggregation(measure, part=part, level=level, **options) for part in get_args(Part)
    }
    chosen = every["value"].scorer.measure
    return [
        {
            "metric": (name or str(chosen)) + ("" if part == "value" else f"_{part}"),
            "aggregation": one,
            "higher_is_better": chosen.greater_is_better,
        }
        for part, one in every.items()
    ]
