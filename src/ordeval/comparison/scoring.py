"""Score tables by many measures at once, and make of data the samples that intervals and tests need.

`cells[..., gold, answer]` is K x (K + 1): the last column holds the items without an answer. Cells are resampled first,
and the policy for missing answers is applied to each resample.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import check_choice
from ordeval.errors import LabelTypeError, NoItemsError, ParameterError, argument, by_caller, listed
from ordeval.inputs.patterns import added_up, group
from ordeval.inputs.policy import Policy
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.metrics.metric import Metric
from ordeval.runs import Runs
from ordeval.scale import Scale
from ordeval.stats.bootstrap import CasePatterns, Patterns, merged, scores_of_cases
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import Sample, case_sample, item_sample, pooled_sample
from ordeval.stats.soft_patterns import SoftPatterns
from ordeval.table import Table
from ordeval.table.folding import fold_to_farthest
from ordeval.table.mass import farthest_ends

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
UNITS = ("items", "cases")
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
        for part in chunks(len(tables), numbers=self.k * (self.k + 1)):
            counts, unanswered = self.seen(tables[part])
            for at, measure in enumerate(self.measures.values()):
                if len(costs) and measure.per_item is not None:
                    result[at, part] = costs[self.per_item.index(measure), part]
                    continue
                reference = None
                if gold is not None and "reference" in measure.needs:
                    # A pseudo-item may be of a class that no answered item has.
                    reference = np.where(gold[part] > 0, gold[part], self.gold(tables[part]))
                try:
                    result[at, part] = measure.compute(counts, values, unanswered, reference)
                except NoItemsError:
                    result[at, part] = np.nan
        return result.reshape(len(result), *leading)

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


def cells_of(data: Runs | Table, *, pooled: bool = False) -> Array:
    """Return cells[system, case, gold, answer] as floats; one system or one case if the data has no such axis.

    Weights are scaled so that those of each table, or if `pooled` of all cases together, add up to the number of items.
    """
    table = data.table if isinstance(data, Runs) else data
    cells = scaled(table, pooled=pooled).cells.astype(np.float64)
    names = [axis.name for axis in table.axes]
    systems = len(table.axes[names.index("system")].labels) if "system" in names else 1
    return np.asarray(cells.reshape(systems, -1, *cells.shape[-2:]))


def scores_by_case(data: Runs | Table, cells: Array, scorer: Scorer) -> Array:
    """Return the scores[measure, system, case] of data whose cells[system, case, gold, answer] these are."""
    if not (isinstance(data, Runs) and data.soft and scorer.per_item):
        return scorer(cells)
    patterns = joint_patterns(data, scorer=scorer)
    if not data.cases:
        return scores_of_cases([merged(patterns)], scorer)
    scores = scores_of_cases(patterns, scorer)
    return np.asarray(scores[..., np.argsort(by_name(data.cases))])


def scaled(table: Table, *, pooled: bool) -> Table:
    """Return a table with its weights scaled, those of all test cases by one constant if they are scored together."""
    if table.weighting is None:
        return table
    return table.scaled_along("case") if pooled else table.scaled


def squares_of(table: Table, *, pooled: bool) -> Array | None:
    """Return the sums of squared weights in `cells_of` a table; None without weights."""
    weighting = scaled(table, pooled=pooled).weighting
    return None if weighting is None else np.asarray(weighting.squares)


def system_patterns(
    table: Table, s: int, constant: int | None = None, *, pooled: bool = False
) -> list[CasePatterns]:
    """Return, for each case, the patterns of system s: the cells of its table that have items.

    With a `constant` a second system answers every item with that class. If the cases are to be `pooled`, the weights
    of items of different cases keep their ratios.
    """
    cells, squares = cells_of(table, pooled=pooled)[s], squares_of(table, pooled=pooled)
    k = cells.shape[-2]
    flat = cells.reshape(len(cells), -1)
    square = None if squares is None else squares.reshape(-1, *flat.shape)[s]
    patterns = []
    for at in by_name(names_of(table)[1]) or [0]:
        row = flat[at]
        used = np.flatnonzero(row)
        cell = used[None]
        if constant is not None:
            cell = np.stack([used, used // (k + 1) * (k + 1) + constant])
        patterns.append(
            CasePatterns(
                count=row[used],
                cell=cell,
                k=k,
                square=None if square is None else square[at, used],
            )
        )
    return patterns


def by_name(cases: Sequence[Any]) -> list[int]:
    """Return the places of the cases in the order of their names, so that no draw depends on the order of the items."""
    return sorted(range(len(cases)), key=lambda case: str(cases[case]))


def joint_patterns(
    runs: Runs,
    constant: int | None = None,
    *,
    pooled: bool = False,
    scorer: Scorer | None = None,
) -> list[Patterns]:
    """Return, for each case (each cluster of pooled runs), the distinct joint answers of all systems.

    Those of soft runs hold what items cost by the measures of the scorer, if one is given.

    Runs from which systems were removed may have patterns that are equal now; they are merged. Patterns are numbered by
    the systems' names, so that no draw depends on the order in which the systems were given. With a `constant` one more
    system answers every item with that class. If the cases are `pooled`, now or before, the weights of items of
    different cases keep their ratios.
    """
    names = runs.cases or runs.clusters
    k, cases = runs.scale.k, max(len(names), 1)
    sorted_systems = by_name(runs.systems)
    as_given = np.argsort(sorted_systems)
    predicted = runs.predicted[sorted_systems]
    rows = np.concatenate([runs.case[None], runs.gold[None], predicted]).astype(np.intp)
    kinds = k if runs.shares is None else len(runs.shares)
    answer_kinds = k + 1 if runs.answers is None else len(runs.answers)
    first, inverse = group(rows, [cases, kinds, *[answer_kinds] * len(runs.systems)])
    case, gold, *answers = rows[:, first]
    count = added_up(inverse, len(first), runs.count.astype(np.float64))
    square = factors = None
    scored_as = np.zeros_like(case) if pooled or not runs.cases else case
    if runs.weighting is not None:
        items, squares = (
            added_up(inverse, len(first), np.asarray(amount, dtype=np.float64))
            for amount in (runs.weighting.items, runs.weighting.squares)
        )
        # First by a power of two, so that nothing overflows; 0 is of a case whose items all weigh nothing.
        mantissa, exponent = np.frexp(np.bincount(scored_as, count, cases))
        factor = np.bincount(scored_as, items, cases) / np.where(mantissa > 0, mantissa, 1.0)
        factor, exponent = factor[scored_as], exponent[scored_as]
        count = np.ldexp(count, -exponent) * factor
        square = np.ldexp(squares, 2 * (runs.weighting.unit - exponent)) * factor**2
        if runs.policy.missing == "drop":
            answered = np.stack(answers)[as_given] != k  # codes of distributions are larger
            if constant is not None:
                answered = np.concatenate([answered, np.ones((1, len(case)), dtype=bool)])
            factors = items_by_weight(answered, items, count, scored_as, cases)
    given = np.stack(answers)[as_given]
    if constant is not None:
        given = np.concatenate([given, np.full((1, len(gold)), constant)])
    make: Callable[..., Patterns] = hard_patterns(k, gold, given)
    if runs.soft:
        make = soft_patterns(runs, scorer, gold, given, count=count, scored_as=scored_as)
    patterns: list[Patterns] = []
    by_case = np.argsort(case, kind="stable")
    ends = np.searchsorted(case[by_case], np.arange(cases + 1))
    for place in by_name(names) or [0]:
        at = by_case[ends[place] : ends[place + 1]]
        at = at[count[at] > 0]
        squared = None if square is None else square[at]
        own = None if factors is None else factors[:, scored_as[at[0]] if len(at) else 0]
        patterns.append(make(at, count=count[at], k=k, square=squared, factor=own))
    return patterns


def hard_patterns(k: int, gold: Array, answers: Array) -> Callable[..., CasePatterns]:
    """Return what makes the patterns of some of the distinct labels, gold[pattern] and answers[system, pattern]."""
    cell = gold * (k + 1) + answers
    return lambda at, **counted: CasePatterns(cell=cell[:, at], **counted)


def soft_patterns(
    runs: Runs,
    scorer: Scorer | None,
    gold: Array,
    answers: Array,
    *,
    count: Array,
    scored_as: Array,
) -> Callable[..., SoftPatterns]:
    """Return what makes the patterns of some of the distinct answers, whose codes stand for distributions.

    Patterns with the same number in `scored_as` are scored together.
    """
    k = runs.scale.k
    shares = np.eye(k) if runs.shares is None else runs.shares
    columns = np.eye(k + 1) if runs.answers is None else runs.answers
    costs = np.zeros((0, *answers.shape))
    if scorer is not None and scorer.per_item:
        upper = None
        if runs.policy.missing == "farthest":
            mass = [np.bincount(scored_as, count * share) for share in shares.T[:, gold]]
            upper = farthest_ends(np.stack(mass, axis=-1))[scored_as]
        items = ScoredItems(count, scored_as)
        each = [scorer.costs(shares[gold], columns[given], upper, items) for given in answers]
        costs = np.moveaxis(np.stack(each), -1, 0)
        if runs.policy.missing == "drop":
            costs = np.where(answers == k, 0.0, costs)
    return lambda at, **counted: SoftPatterns(
        gold=gold[at], answer=answers[:, at], shares=shares, answers=columns, costs=costs[..., at],
        **counted,
    )  # fmt: skip


def items_by_weight(
    answered: Array, items: Array, weight: Array, group_of: Array, size: int
) -> Array:
    """Return the number of answered items over their weight for [system, group]; 1 where there are none.

    Where unanswered items are left out, each system's table is made of other items, and its weights are to add up to
    their number.
    """
    factors = np.ones((len(answered), size))
    for system, given in enumerate(answered):
        total = np.bincount(group_of, weight * given, size)
        number = np.bincount(group_of, items * given, size)
        np.divide(number, total, out=factors[system], where=total > 0)
    return factors


def sampling_unit(requested: str | None, cases: int) -> str:
    """Return what another sample would draw anew: whole test cases where there are at least two, else items."""
    if requested is None:
        return "cases" if cases > 1 else "items"
    check_choice("resample", requested, UNITS)
    if requested == "cases" and cases < 2:
        number = "one test case" if cases else "no test cases"
        raise ParameterError(
            f"{argument('resample', requested)} needs at least two test cases; the data has {number}. Pass "
            f"{argument('resample', 'items')}."
        )
    return requested


def samples_of(
    data: Runs | Table,
    scorer: Scorer,
    *,
    unit: str,
    undefined: str,
    constant: int,
    pooled: bool = False,
) -> list[Sample]:
    """Return the sample of all systems, or one for each system of a table; the last system of each is the constant.

    With `pooled` the cases are scored together.
    """
    groups: list[Sequence[Patterns]]
    if isinstance(data, Runs):
        pooled = pooled or (bool(data.clusters) and not data.cases)
        groups = [joint_patterns(data, constant, pooled=pooled, scorer=scorer)]
    else:
        systems = len(cells_of(data))
        groups = [system_patterns(data, s, constant, pooled=pooled) for s in range(systems)]
    return [
        one_sample(group, scorer, unit=unit, undefined=undefined, pooled=pooled) for group in groups
    ]


def one_sample(
    patterns: Sequence[Patterns], scorer: Scorer, *, unit: str, undefined: str, pooled: bool
) -> Sample:
    """Return the sample of items, of cases that are scored together, or of cases whose scores are averaged."""
    if pooled:
        if unit == "cases":
            return pooled_sample(patterns, scorer)
        return item_sample([merged(patterns)], scorer)
    scores = scores_of_cases(patterns, scorer)
    of_cases = scorer.filled(scores, undefined) if len(patterns) > 1 else scores
    sample = item_sample if unit == "items" else case_sample
    return sample(patterns, scorer, of_cases)


def names_of(data: Runs | Table) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names of the systems and of the cases; a table without an axis of systems is called "system"."""
    if isinstance(data, Runs):
        return data.systems, data.cases
    axes = {axis.name: axis.labels for axis in data.axes}
    if tuple(axes) not in {(), ("system",), ("case",), ("system", "case")}:
        raise LabelTypeError(
            f"this table has the axes {listed(axes)}; scores with intervals are of systems and cases, in that order. "
            + by_caller(
                "Pass table.pooled() or one group of it, table.select(...).",
                "Pass a table of these alone.",
            )
        )
    return tuple(map(str, axes.get("system", ("system",)))), axes.get("case", ())
