"""One measure of one run of a model: what the adapters of evaluation frameworks have in common.

A framework collects gold and answers item by item and hands them over as lists, at the end of a run that may have
taken hours. So every setting is checked when the scorer is made, before the run.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordeval.comparison.captions import ONE_SYSTEM
from ordeval.comparison.results import Score
from ordeval.comparison.score_runs import DEFAULT_METHOD, score_runs
from ordeval.errors import NoItemsError, ParameterError
from ordeval.inputs.policy import CHOICES, Reading, read_options
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import registry
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.stats.intervals import check_interval_options

__all__ = ["RunScorer"]


@dataclass(frozen=True, eq=False)
class RunScorer:
    """A measure with everything that it needs to score the lists of a framework."""

    measure: Metric
    scale: Scale
    level: float | None
    policies: Mapping[str, Any]  # what to do with answers that are missing or not on the scale

    @classmethod
    def of(cls, measure: str | Metric, level: float | None, options: Reading) -> "RunScorer":
        """Check the settings, and return the scorer; `options` say how labels are read, as in `evaluate`."""
        chosen = measure if isinstance(measure, Metric) else registry[measure]
        labels, values, _ = read_options(options, Reading)
        if labels is None:
            raise ParameterError(
                "a run may lack some of the classes, so it does not show their order. Pass labels=[...], lowest first."
            )
        check_interval_options(level, 1, DEFAULT_METHOD)
        policies = {name: choice for name, choice in options.items() if name in CHOICES}
        return cls(chosen, Scale(labels, values), level, policies)

    def score(self, gold: Any, answers: Any, *, clusters: Any = None, item: Any = None) -> Score:
        """Score all items together; `clusters` are groups of items that another sample would draw whole.

        Without items the score is NaN. With a single cluster there is no interval: nothing shows how clusters vary.
        """
        try:
            scale: Any = self.scale  # which brings its values along
            runs = Runs.from_labels(
                gold, {ONE_SYSTEM: answers}, case=clusters, item=item, labels=scale, **self.policies
            )
            level = None if len(runs.cases) == 1 else self.level
            scores = score_runs(runs, metrics=[self.measure], level=level, pooled=True)
        except NoItemsError as error:
            return Score(str(self.measure), math.nan, reason=str(error), level=self.level)
        return scores.score(0, 0)
