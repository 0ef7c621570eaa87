"""Score tables by many measures at once.

`cells[..., gold, answer]` is K x (K + 1): the last column holds the items without an answer. Cells are resampled first,
and the policy for missing answers is applied to each resample.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordeval.aliases import Array
from ordeval.errors import NoItemsError, ParameterError, argument
from ordeval.inputs.policy import Policy
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.metrics.float_range import all_moderate
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.stats.chunks import chunks
from ordeval.table import Table
from ordeval.table.folding import fold_to_farthest
from ordeval.threads import MANY_CELLS, in_threads
from ordeval.vocabulary import Family

CELLS_AT_A_TIME = 1 << 18  # are scored together: these, and what is made of them, stay in the cache
DISTRIBUTIONS = ("resampled", "fixed")
DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "macro_f1",
    "mae",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
)
# where all answers are probabilities; the others would be of labels drawn from these
METRICS_OF_PROBABILITIES = (
    "cem_ord",
    "ranked_probability_score",
    "log_loss",
    "brier_score",
    "calibration_error",
)
UNDEFINED = ("omit", "zero", "lowest", "error")
# what a wrong pseudo-item costs at most by an unbounded measure, compared with other answers
MOST_TIMES = 5


def default_metrics(data: Runs | Table) -> tuple[str, ...]:
    """Return the names of the measures for those who name none: others if all answers are probabilities."""
    if not isinstance(data, Runs) or data.answers is None:
        return DEFAULT_METRICS
    soft = (data.predicted > data.scale.k).any(axis=1) & (data.predicted >= data.scale.k).all(
        axis=1
    )
    return METRICS_OF_PROBABILITIES if soft.all() else DEFAULT_METRICS


@dataclass(frozen=True)
class Scorer:
    """The measures, and everything that they need besides the counts."""

    measures: Mapping[str, Metric]
    scale: Scale
    policy: Policy
    distribution: str = "resampled"

    def __post_init__(self) -> None:
        if self.distribution not in DISTRIBUTIONS:
            raise ParameterError(
                f"{argument('distribution', self.distribution)} is not a choice; the class distribution of closeness "
                f"measures is 'resampled' with the items or 'fixed' at the gold's."
            )

    @property
    def k(self) -> int:
        """The number of classes."""
        return self.scale.k

    def seen(self, cells: Array) -> tuple[Array, Array | None]:
        """Return the counts and the unanswered items that the policy gives to the measures."""
        answered, missed = cells[..., : self.k], cells[..., self.k]
        if self.policy.missing == "zero" and missed.any():
            return answered, missed
        if self.policy.missing == "farthest" and missed.any():
            return fold_to_farthest(answered, missed), None
        return answered, None

    def __call__(self, cells: Array, observed: Array | None = None) -> Array:
        """Return values[measure, ...]: NaN where undefined.

        `observed` are the cells before resampling, whose gold closeness measures use if the distribution is fixed.
        """
        values, leading = np.array(self.scale.values, dtype=np.float64), cells.shape[:-2]
        tables, costs = cells.reshape(-1, *cells.shape[-2:]), np.zeros((0, 0))
        if (
            cells.shape[-1] > self.k + 1
        ):  # soft items, and what they cost by the measures that are means over items
            tables, costs = tables[..., : self.k + 1], self.mean_costs(tables)
            observed = None if observed is None else observed[..., : self.k + 1]
        gold = None
        if self.distribution == "fixed" and observed is not None:
            gold = np.broadcast_to(self.gold(observed), (*leading, self.k)).reshape(-1, self.k)
        result = np.empty((len(self.measures), len(tables)))

        def score(part: slice) -> None:
            counts, unanswered = self.seen(tables[part])
            moderate = all_moderate(counts, unanswered)
            for at, measure in enumerate(self.measures.values()):
                if len(costs) and measure.per_item is not None:
                    result[at, part] = costs[self.per_item.index(measure), part]
                    continue
                reference = None
                if gold is not None and "reference" in measure.needs:
                    # A pseudo-item may be of a class that no answered item has.
                    reference = np.where(gold[part] > 0, gold[part], self.gold(tables[part]))
                try:
                    result[at, part] = measure.compute(
                        counts, values, unanswered, reference, moderate=moderate
                    )
                except NoItemsError:
                    result[at, part] = np.nan

        cells_each = self.k * (self.k + 1)
        parts = chunks(len(tables), numbers=cells_each, most=max(1, CELLS_AT_A_TIME // cells_each))
        # Somebody's own function may not be made for threads.
        own = any(measure.family is Family.OWN for measure in self.measures.values())
        if cells_each < MANY_CELLS or own:
            for part in parts:
                score(part)
        else:
            in_threads(score, parts)
        return result.reshape(len(result), *leading)

    def check_observed(self, cells: Array) -> None:
        """Refuse what measures of one's own cannot score: on cells that were not observed they may be undefined."""
        counts, _ = self.seen(cells[..., : self.k + 1])
        for measure in self.measures.values():
            measure.check_observed(counts, self.scale.numbers)

    def check_parts(self) -> None:
        """Refuse measures of one's own that cannot score soft gold."""
        for measure in self.measures.values():
            measure.check_parts(self.scale.numbers)

    @cached_property
    def per_item(self) -> list[Metric]:
        """The measures that are means over items of what each costs."""
        return [measure for measure in self.measures.values() if measure.per_item is not None]

    @cached_property
    def hard_costs(self) -> list[Array]:
        """What a hard item costs by each of the measures of `per_item`: [gold, answer or none, column]."""
        k, values = self.k, self.scale.numbers
        gold, answers = np.eye(k)[:, None], np.eye(k + 1)[None]
        return [measure.item_costs(gold, answers, values) for measure in self.per_item]

    def costs(
        self,
        gold: Array,
        answers: Array,
        upper: Array | None = None,
        items: ScoredItems | None = None,
    ) -> Array:
        """Return what items cost by the measures of `per_item`: [..., column]; see `Metric.item_costs`."""
        values = self.scale.numbers
        return np.concatenate(
            [measure.item_costs(gold, answers, values, upper, items) for measure in self.per_item],
            axis=-1,
        )

    def with_costs(self, gold: Array, answers: Array, items: ScoredItems) -> Array:
        """Return answers[item, class or none] with further columns for what an item costs by each of `per_item`."""
        if not self.per_item:
            return answers
        costs = self.costs(gold, answers, items=items)
        if self.policy.missing == "drop":
            costs = np.where(answers[..., -1:] > 0, 0.0, costs)
        return np.concatenate([answers, costs], axis=-1)

    def column_means(self, tables: Array) -> list[Array]:
        """Return for each of `per_item` the means[..., column] of what the items in tables of soft ones cost."""
        k, counted = self.k, self.policy.missing in {"zero", "farthest"}
        items = tables[..., : k + counted].sum(axis=(-1, -2))
        ends = np.cumsum([each.shape[-1] for each in self.hard_costs])
        with np.errstate(all="ignore"):
            means = tables[..., k + 1 :].sum(axis=-2) / items[..., None]
        return np.split(means, ends[:-1], axis=-1)

    def mean_costs(self, tables: Array) -> Array:
        """Return the scores[measure, table] by `per_item`, from the columns of tables beyond those of answers."""
        means = self.column_means(tables)
        return np.stack([m.from_means(mean) for m, mean in zip(self.per_item, means, strict=True)])

    def widened(self, cells: Array, observed: Array) -> Array:
        """Return cells of answered hard items with the columns of `per_item`, as the `observed` soft ones have them.

        By a measure without a largest cost, an answer that is sure and wrong would outweigh all that was observed. Here
        it costs no more than some times what the observed answers cost, or what even probabilities would.
        """
        k, parts = self.k, []
        even = np.full(k + 1, 1 / k)
        even[k] = 0.0
        means = self.column_means(observed)
        for measure, cost, mean in zip(self.per_item, self.hard_costs, means, strict=True):
            each = cost
            if np.isinf(measure.bounds[1]):
                least = measure.item_costs(np.eye(k), even, self.scale.numbers).max(axis=0)
                most = MOST_TIMES * np.maximum(np.nan_to_num(mean), least)
                each = np.minimum(cost, most[..., None, None, :])
            parts.append(np.einsum("...ga,...gac->...gc", cells, each))
        parts = [cells, *parts]
        leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
        wide = [np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts]
        return np.concatenate(wide, axis=-1)

    def gold(self, cells: Array) -> Array:
        """Return the gold counts of the items that are scored; ones for a table without items."""
        counts, unanswered = self.seen(cells)
        gold = counts.sum(axis=-1) + (0.0 if unanswered is None else unanswered)
        return np.where(gold.sum(axis=-1, keepdims=True) > 0, gold, 1.0)

    def filled(self, scores: Array, undefined: str) -> Array:
        """Return scores[measure, ..., case] with what an undefined one counts as: NaN, 0, or the lowest value."""
        if undefined == "omit" or not np.isnan(scores).any():
            return scores
        filled = scores.copy()
        for at, measure in enumerate(self.measures.values()):
            lowest, highest = measure.bounds
            worst = lowest if measure.greater_is_better else highest
            value = 0.0 if undefined == "zero" else worst if undefined == "lowest" else np.nan
            known = np.isnan(scores[at]) & np.isfinite(value)
            filled[at] = np.where(known, value, scores[at])
            if undefined == "error":
                filled[at] = np.where(
                    np.isnan(scores[at]).any(axis=-1, keepdims=True), np.nan, scores[at]
                )
        return filled
