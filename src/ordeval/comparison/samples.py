"""Make of data the patterns and samples that intervals and tests need, and find the best constant answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import check_choice
from ordeval.comparison.scorer import Scorer
from ordeval.errors import LabelTypeError, ParameterError, argument, by_caller, listed
from ordeval.inputs.patterns import added_up, group
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.runs import Runs
from ordeval.stats.bootstrap import CasePatterns, Patterns, merged, scores_of_cases
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import Sample, case_sample, item_sample, mean_where, pooled_sample
from ordeval.stats.soft_patterns import SoftPatterns
from ordeval.table import Table
from ordeval.table.mass import farthest_ends

UNITS = ("items", "cases")
MOST_CONSTANTS = 50  # constant answers that are tried


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


def best_constant(data: Runs | Table, scorer: Scorer, metric: str) -> int:
    """Return the class that, as the answer to every item, scores best by a measure; the most frequent one on a tie.

    On a long scale the most frequent classes are tried.
    """
    alone = replace(scorer, measures={metric: scorer.measures[metric]})
    up = scorer.measures[metric].greater_is_better
    if isinstance(data, Runs) and data.soft:
        return best_constant_of_soft(data, alone, greater_is_better=up)
    cells = cells_of(data)
    if isinstance(data, Runs):
        cells = cells[:1]  # all systems have the same gold; tables of their own have each its own
    gold = cells.sum(axis=-1)  # [system, case, class]
    tried = np.argsort(-gold.sum(axis=(0, 1)), kind="stable")[:MOST_CONSTANTS]
    scores = np.empty((len(tried), *cells.shape[:2]))
    for part in chunks(len(tried), numbers=cells.size):
        tables = np.zeros((part.stop - part.start, *cells.shape))
        for table, answer in zip(tables, tried[part], strict=True):
            table[..., answer] = gold
        scores[part] = alone(tables)[0]
    means = mean_where(scores, ~np.isnan(scores)).mean(axis=-1)
    return best_of(tried, means, greater_is_better=up)


def best_of(tried: Array, means: Array, *, greater_is_better: bool) -> int:
    """Return the class with the best of the means, the first of those tried on a tie, or if all are undefined."""
    if np.isnan(means).all():
        return int(tried[0])
    return int(tried[np.nanargmax(means) if greater_is_better else np.nanargmin(means)])


def best_constant_of_soft(runs: Runs, scorer: Scorer, *, greater_is_better: bool) -> int:
    """Return the class that, as the answer to every item, scores best where gold or answers are distributions."""
    shares = np.eye(runs.scale.k) if runs.shares is None else runs.shares
    frequency = np.bincount(runs.gold, runs.count, len(shares)) @ shares
    tried = np.argsort(-frequency, kind="stable")[:MOST_CONSTANTS]
    constants = replace(
        runs,
        systems=tuple(map(str, range(len(tried)))),
        predicted=np.repeat(tried[:, None], len(runs.count), axis=1),
    )
    scores = scores_by_case(constants, cells_of(constants), scorer)[0]
    means = mean_where(scores, ~np.isnan(scores))
    return best_of(tried, means, greater_is_better=greater_is_better)


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
