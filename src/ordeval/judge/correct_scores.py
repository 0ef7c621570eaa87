"""Scores of systems as humans would give them, from few human marks and a judge's many: `oe.judge.correct_scores`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import check_choice
from ordeval.comparison.results import ONE_ITEM, Score, as_score, none_if_undefined
from ordeval.comparison.scorer import DEFAULT_METRICS, Scorer
from ordeval.errors import DataError, LabelError, LabelTypeError, MetricError
from ordeval.formats.names import short
from ordeval.formats.numbers import counted
from ordeval.inputs.policy import Reading, shows_keywords
from ordeval.judge.common_scale import beyond_humans
from ordeval.judge.corrected_scores import CorrectedScore, CorrectedScores
from ordeval.judge.method_names import (
    HUMAN,
    METHODS,
    NAIVE,
    POSTSTRATIFIED,
    PPI_TUNED,
    ROGAN_GLADEN,
    Method,
)
from ordeval.judge.sample_check import COINCIDENCE, margin_check, no_random_sample
from ordeval.judge.score_methods import ABOUT, About, Combined, TwoParts
from ordeval.metrics.metric import Metric
from ordeval.metrics.registry import resolve
from ordeval.ratings import Ratings
from ordeval.runs import Runs
from ordeval.stats.intervals import check_interval_options
from ordeval.stats.multiple_testing import adjusted
from ordeval.stats.t_intervals import t_interval

THE_JUDGE = "the judge"
TUNED = (PPI_TUNED, POSTSTRATIFIED)


@shows_keywords(Reading)
def correct_scores(
    human: Any,
    judge: Any,
    systems: Mapping[str, Any],
    unlabelled_judge: Any,
    unlabelled_systems: Mapping[str, Any],
    *,
    metrics: Any = None,
    method: Method = "poststratification",
    level: float | None = 0.95,
    about: About = "items",
    **options: Unpack[Reading],
) -> CorrectedScores:
    """Return the scores that systems would have if humans had marked all items, with intervals.

    The humans' items must be a random sample of all items. By "poststratification" and "ppi++" the standard error
    is never larger than that of the human marks alone. The result has the scores by all methods.

    In the example the answers are right on 4 of 6 items by the humans and by the judge alike, and on 6 of 8 by the
    judge alone: 4/6 + 8/14 (6/8 - 4/6) = 0.7143.

    The arguments are:

    - `human`: the humans' marks on some items; if several humans marked an item, `Ratings` or a row of shares.
    - `judge`: the judge's marks on the same items, in the same order.
    - `systems`: the answers of each system to the same items, by its name.
    - `unlabelled_judge`: the judge's marks on the items that it marked alone.
    - `unlabelled_systems`: the answers of each system to these items.
    - `metrics`: the measures, or their names.
    - `method`: "poststratification", "ppi++", "ppi", "rogan_gladen" or "naive".
    - `level`: the level of the intervals; None leaves the intervals out.
    - `about`: what the intervals are about: "items", the scores on all these items, or "population", the scores on
      all items that these are a random sample of.

    >>> human, judge, a = [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 2], [1, 2, 3, 2, 2, 1]
    >>> many, answers = [1, 2, 3, 3, 2, 1, 2, 3], [1, 2, 2, 3, 2, 2, 2, 3]
    >>> oe.judge.correct_scores(
    ...     human,
    ...     judge,
    ...     {"a": a},
    ...     many,
    ...     {"a": answers},
    ...     metrics=["accuracy"],
    ...     method="ppi++",
    ... )
    CorrectedScores(a: accuracy 0.7143 [0.4786, 0.9004])
    """
    measures = resolve(list(DEFAULT_METRICS) if metrics is None else metrics)
    check_choice("method", method, METHODS)
    check_choice("about", about, ABOUT)
    check_interval_options(level, 1, "t")
    check_same_systems(systems, unlabelled_systems)
    check_lengths("human", human, {"judge": judge, **named_systems(systems)})
    check_lengths("unlabelled_judge", unlabelled_judge, named_systems(unlabelled_systems))
    marked = read_part(human, judge, systems, options)
    scale = marked.scale
    options = {**options, "labels": scale.labels, "values": scale.values}
    gold = [scale.labels[0]] * number_of(
        unlabelled_judge
    )  # which nobody knows, and nobody looks at
    if not gold:
        raise DataError(
            "there are no items that the judge marked alone, so there is nothing to correct. Score the systems on the "
            "human marks with evaluate."
        )
    unmarked = read_part(gold, unlabelled_judge, unlabelled_systems, options)
    unmarked = unmarked.select(list(marked.systems))
    check_hard(marked, unmarked, measures)
    scorer = Scorer(measures, scale, marked.policy)
    left_out = without_judge(marked) + without_judge(unmarked)
    marked, unmarked = (
        judged(marked, "that humans marked"),
        judged(unmarked, "that humans did not mark"),
    )
    shares = np.eye(scale.k) if marked.shares is None else marked.shares
    parts = TwoParts(
        scorer, shares[marked.gold], marked.predicted[0].astype(np.intp),
        marked.predicted[1:].astype(np.intp), marked.count.astype(np.float64), tables_of(unmarked), about,
    )  # fmt: skip
    return CorrectedScores(
        scores_of(parts, measures, marked.systems[1:], method, level),
        scale,
        marked.policy,
        method,
        level,
        about,
        int(parts.n),
        int(parts.others),
        (
            *left_out_sentence(left_out),
            *beyond_humans(
                scale, parts.together.sum(axis=1), parts.by_judge[0].sum(axis=-1), "the judge"
            ),
            *sample_warnings(parts, marked.systems[1:]),
        ),
    )


def check_same_systems(systems: Any, others: Any) -> None:
    """Refuse systems that have no answers to one of the two parts."""
    for name, part in (("systems", systems), ("unlabelled_systems", others)):
        if not isinstance(part, Mapping):
            raise LabelTypeError(
                f"{name} is a {type(part).__name__}; it is the answers of each system by its name, as in "
                f'{name}={{"a": [...], "b": [...]}}.'
            )
    apart = [
        *(name for name in systems if name not in others),
        *(name for name in others if name not in systems),
    ]
    if apart:
        where = (
            "the items that humans did not mark"
            if apart[0] in systems
            else "the items that humans marked"
        )
        raise DataError(
            f"system {apart[0]!r:.60} has no answers to {where}. Pass the answers of the same systems to both parts."
        )


def named_systems(systems: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers by what a sentence calls the systems."""
    return {f"system {name!r:.60}": answers for name, answers in systems.items()}


def check_lengths(name: str, column: Any, others: Mapping[str, Any]) -> None:
    """Refuse columns about the same items that differ in length; what has no length is refused where it is read."""
    for other, answers in others.items():
        if isinstance(column, Ratings) or not (
            hasattr(column, "__len__") and hasattr(answers, "__len__")
        ):
            continue
        if len(column) != len(answers):
            raise LabelError(
                f"{name} has {len(column):,} marks and {other} has {len(answers):,}; both must have one for each item, "
                f"in the same order."
            )


def number_of(column: Any) -> int:
    """Return how many items a column of labels has."""
    try:
        return len(column)
    except TypeError:
        raise LabelTypeError(
            f"unlabelled_judge is a {type(column).__name__}; it is a column with the judge's mark of each item."
        ) from None


def read_part(gold: Any, judge: Any, systems: Mapping[str, Any], options: Any) -> Runs:
    """Return the judge, first, and the systems as runs on the same items."""
    name = THE_JUDGE
    while name in systems:
        name += "'"
    return Runs.from_labels(gold, {name: judge, **systems}, **options)


def check_hard(marked: Runs, unmarked: Runs, measures: Mapping[str, Metric]) -> None:
    """Refuse probabilities, and measures of distributions where several humans marked an item."""
    if marked.answers is not None or unmarked.answers is not None:
        raise LabelTypeError(
            "the judge or a system gives probabilities; corrected scores are of single classes. Pass labels."
        )
    distances = [name for name, measure in measures.items() if measure.per_item is not None]
    if marked.shares is not None and distances:
        raise MetricError(
            f"{distances[0]} compares distributions, and what the shares of several humans would be on the other items "
            f"is not known. Pass a measure of single classes, such as cem_ord."
        )


def without_judge(runs: Runs) -> int:
    """Return the number of items without a mark of the judge."""
    return int(runs.count[runs.predicted[0] == runs.scale.k].sum())


def judged(runs: Runs, which: str) -> Runs:
    """Return the items that the judge marked; an error if there is none."""
    known = np.flatnonzero(runs.predicted[0] != runs.scale.k)
    if not len(known):
        raise DataError(f"the judge marked no item {which}. Check its marks.")
    return runs.only(known)


def tables_of(runs: Runs) -> Array:
    """Return the tables[system, judge, answer] of the items that the judge marked alone."""
    k = runs.scale.k
    row = runs.predicted[0].astype(np.intp) * (k + 1)
    tables = [np.bincount(row + answers, runs.count, k * (k + 1)) for answers in runs.predicted[1:]]
    return np.reshape(tables, (len(tables), k, k + 1))


def scores_of(
    parts: TwoParts,
    measures: Mapping[str, Metric],
    systems: tuple[str, ...],
    method: str,
    level: float | None,
) -> dict[str, dict[str, CorrectedScore]]:
    """Return the corrected scores of each system by each measure."""
    found = parts.estimates()
    worth = parts.worth({name: one.error for name, one in found.items()}, method)
    bounds = [measure.bounds for measure in measures.values()]
    by_method: dict[str, list[list[Score]]] = {}
    lowest, highest = np.array(bounds, dtype=np.float64).reshape(-1, 2, 1).transpose(1, 0, 2)
    alone = parts.estimate(found[HUMAN])
    for name, (value, error, trust) in found.items():
        inside = np.clip(value, lowest, highest)
        estimate = parts.estimate(Combined(inside, error, trust))
        if name in TUNED:  # which would leave a judge aside that makes a score less certain
            estimate = replace(estimate, error=np.fmin(estimate.error, alone.error))
        low, high = t_interval(estimate, bounds, 0.95 if level is None else level)
        why = "undefined when the judge's marks cannot tell the classes of humans apart"
        if parts.several:
            why = "undefined when several humans gave an item different marks"
        by_method[name] = [
            [
                as_score(
                    metric, inside[m, s], low[m, s], high[m, s], error[m, s],
                    level=None if name == NAIVE else level, alone=ONE_ITEM,
                    undefined_when=why if name == ROGAN_GLADEN else f"undefined when {measure.undefined_when}",
                )
                for s in range(len(systems))
            ]
            for m, (metric, measure) in enumerate(measures.items())
        ]  # fmt: skip
    return {
        system: {
            metric: CorrectedScore(
                by_method[method][m][s], method, none_if_undefined(worth[m, s]),
                {name: scores[m][s] for name, scores in by_method.items()},
            )
            for m, metric in enumerate(measures)
        }
        for s, system in enumerate(systems)
    }  # fmt: skip


def left_out_sentence(items: int) -> list[str]:
    """Say how many items have no mark of the judge."""
    verb = (
        "has no mark of the judge and was" if items == 1 else "have no mark of the judge and were"
    )
    return [f"{counted(items, 'item')} {verb} left out."] if items else []


def sample_warnings(parts: TwoParts, systems: tuple[str, ...]) -> list[str]:
    """Warn where the judge marks the items that humans marked differently, or agrees with systems more or less often.

    Items that are easy are those on which judge and systems agree.
    """
    p = [margin_check(parts.together.sum(axis=0), parts.unmarked[0].sum(axis=-1))]
    marked = parts.table_of(parts.judge)
    p += [margin_check(agreed(marked[s]), agreed(parts.unmarked[s])) for s in range(len(systems))]
    together = adjusted(np.array(p), "holm")
    if not (together < COINCIDENCE).any():
        return []
    s = int(np.nanargmin(together)) - 1
    often = f"{more_or_less(marked[s], parts.unmarked[s])} often than on the others"
    seen = f"judge and {short(systems[s])} agree on them {often}"
    if together[0] < COINCIDENCE:
        seen = "the judge marks them differently from the others"
    return [no_random_sample(seen, float(np.nanmin(together)))]


def agreed(table: Array) -> Array:
    """Return on how many items of table[judge, answer] the answer is the judge's mark, and on how many not."""
    same = np.trace(table)
    return np.array([same, table.sum() - same])


def more_or_less(marked: Array, unmarked: Array) -> str:
    """Say whether judge and system agree more or less often on the items that humans marked."""
    share, others = (agreed(table)[0] / table.sum() for table in (marked, unmarked))
    return "more" if share > others else "less"
