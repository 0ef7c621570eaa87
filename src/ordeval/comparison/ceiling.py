"""The ceiling: what a human reaches against the other raters, and systems held to the same.

Each rater in turn is scored against the shares of the others, on the items that the rater and at least one other
marked; the ceiling is the mean over the raters. A system is scored on the same items against the same others, so that
its difference from the human is paired.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.pair_means import part_that_differs
from ordeval.comparison.results import ONE_ITEM, Score, as_score
from ordeval.comparison.scorer import Scorer
from ordeval.errors import DataError, quoted
from ordeval.inputs.patterns import group
from ordeval.metrics.calibration_bins import ScoredItems
from ordeval.metrics.metric import Metric
from ordeval.ratings import Ratings
from ordeval.stats.jackknife import Estimate, ItemSample
from ordeval.stats.t_intervals import t_interval
from ordeval.stats.table_means import SharedTables


@dataclass(frozen=True)
class SharedMarks:
    """Every mark of every unit that has another mark beside it: its unit, its rater, its code, and the others."""

    unit: Array  # [mark]
    rater: Array  # [mark]
    code: Array  # [mark]
    others: Array  # [mark]: the place of the other marks' shares
    shares: Array  # [place, class]


def ceiling_sample(
    ratings: Ratings,
    scorer: Scorer,
    *,
    unit_pattern: Array | None = None,
    unit_count: Array | None = None,
    answers: Sequence[Array] = (),
    cluster: Array | None = None,
) -> ItemSample:
    """Return the sample of the items whose first system is the human, and whose further ones are those of `answers`.

    A unit is items that are alike: `unit_pattern[unit]` is their place among the patterns of the ratings,
    `unit_count[unit]` their number, and each matrix of `answers` has a row of K + 1 shares for each unit, the last for
    no answer. Without units the patterns themselves are the units. Items with fewer than two marks are left out, and so
    is a rater for whom a measure is undefined. With `cluster[unit]` whole clusters of items are the sample.
    """
    tables = ceiling_tables(
        ratings, unit_pattern=unit_pattern, unit_count=unit_count, answers=answers
    )
    weight = np.bincount(tables.kind, tables.count[tables.unit], len(tables.table))
    items = ScoredItems(weight, tables.table)
    tables = replace(tables, answer=scorer.with_costs(tables.gold, tables.answer, items))
    same = [
        next(at for at, one in enumerate(answers) if np.array_equal(one, own)) for own in answers
    ]
    if cluster is not None:
        cluster = np.unique(
            cluster[shared_units(ratings, unit_pattern, unit_count)[2]], return_inverse=True
        )[1]
    sample = tables.sample(scorer, cluster)
    return replace(sample, alike=np.array([0, *(at + 1 for at in same)]))


def ceiling_tables(
    ratings: Ratings,
    *,
    unit_pattern: Array | None = None,
    unit_count: Array | None = None,
    answers: Sequence[Array] = (),
) -> SharedTables:
    """Return the tables of the human and of each system against the others of each rater; see `ceiling_sample`."""
    check_shared(ratings)
    k = ratings.scale.k
    pattern, count, shared = shared_units(ratings, unit_pattern, unit_count)
    if not len(shared):
        raise DataError(
            "no item that the systems were given has the marks of two raters or more; the ceiling needs such items."
        )
    marks = marks_of(ratings, pattern[shared])
    parts = [one_system(marks, marks.code, np.eye(k, k + 1))]
    for matrix in answers:
        code, rows = distinct_rows(np.asarray(matrix, dtype=np.float64)[shared])
        parts.append(one_system(marks, code[marks.unit], rows))
    starts = np.cumsum([0, *(len(part.table) for part in parts[:-1])])
    members = len(ratings.raters)
    return SharedTables(
        count[shared],
        np.tile(marks.unit, len(parts)),
        np.concatenate([part.kind + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.table + at * members for at, part in enumerate(parts)]),
        np.concatenate([part.gold for part in parts]),
        np.concatenate([part.answer for part in parts]),
        systems=len(parts),
        members=members,
        by_items=False,
        # A mark that differs from the others is wrong, and a small part of the others of each other mark.
        wrong_in=np.array([part_that_differs(ratings), *np.ones(len(parts) - 1)]),
    )


def shared_units(
    ratings: Ratings, unit_pattern: Array | None, unit_count: Array | None
) -> tuple[Array, Array, Array]:
    """Return the pattern and the count of each unit, and the units whose items two raters or more marked."""
    pattern = np.arange(len(ratings.count)) if unit_pattern is None else unit_pattern
    count = ratings.count if unit_count is None else unit_count
    return pattern, count, np.flatnonzero((ratings.marks_of_pattern[pattern] > 1) & (count > 0))


def human_scores(
    estimate: Estimate,
    measures: Mapping[str, Metric],
    level: float | None,
    *,
    alone: str = ONE_ITEM,
) -> dict[str, Score]:
    """Return what a human, the first system of an estimate, reaches by each measure, with t intervals.

    `alone` says why there is no interval, if there is none.
    """
    human = estimate.of_systems(slice(1))
    low = high = np.full(human.value.shape, np.nan)
    if level is not None:
        low, high = t_interval(human, [measure.bounds for measure in measures.values()], level)
    return {
        name: as_score(
            name, human.value[m, 0], low[m, 0], high[m, 0], human.error[0][m, 0], level=level, alone=alone,
            undefined_when=f"undefined for every rater: undefined when {measure.undefined_when}",
        )
        for m, (name, measure) in enumerate(measures.items())
    }  # fmt: skip


def check_shared(ratings: Ratings) -> None:
    """Refuse ratings in which nobody can be held against another."""
    if len(ratings.raters) < 2:
        named = f"only one rater, {quoted(ratings.raters)}" if ratings.raters else "no rater"
        raise DataError(
            f"there is {named}; agreement and the ceiling hold raters against each other, so they take the marks of "
            f"two raters or more."
        )
    if not (ratings.count * (ratings.marks_of_pattern > 1)).any():
        raise DataError(
            "no two raters marked the same item, so no rater can be held against another. Add marks of a second rater "
            "to some of the items."
        )


@dataclass(frozen=True)
class SystemKinds:
    """The distinct ways in which marks are counted for one system: see `SharedTables`."""

    kind: Array  # [mark]
    table: Array  # [kind]
    gold: Array  # [kind, class]
    answer: Array  # [kind, class or no answer]


def one_system(marks: SharedMarks, code: Array, rows: Array) -> SystemKinds:
    """Return the kinds of a system whose answer to the item of each mark is rows[code]."""
    keys = np.stack([marks.rater, marks.others, code])
    limits = [int(marks.rater.max()) + 1, len(marks.shares), len(rows)]
    first, kind = group(keys, limits)
    rater, others, answer = keys[:, first]
    return SystemKinds(kind, rater, marks.shares[others], rows[answer])


def marks_of(ratings: Ratings, pattern: Array) -> SharedMarks:
    """Return the marks of units with these patterns, and the shares of the other marks beside each."""
    of, rater, code = ratings.each_mark()
    votes = ratings.votes[of]
    votes[np.arange(len(of)), code] -= 1
    distinct, others = group(votes.T, [int(votes.max(initial=0)) + 1] * ratings.scale.k)
    shares = votes[distinct] / np.maximum(votes[distinct].sum(axis=1, keepdims=True), 1)
    number = ratings.marks_of_pattern
    start, size = (np.cumsum(number) - number)[pattern], number[pattern]
    unit = np.repeat(np.arange(len(pattern)), size)
    place = np.arange(len(unit)) - np.repeat(np.cumsum(size) - size, size) + start[unit]
    return SharedMarks(unit, rater[place], code[place], others[place], shares)


def distinct_rows(matrix: Array) -> tuple[Array, Array]:
    """Return the place of each row among the distinct rows, and these."""
    code = matrix.argmax(axis=1)  # labels, which need no sorting
    labels = np.eye(matrix.shape[1])
    if np.array_equal(matrix, labels[code]):
        return code, labels
    rows, back = np.unique(matrix, axis=0, return_inverse=True)
    return np.asarray(back).reshape(-1), rows
