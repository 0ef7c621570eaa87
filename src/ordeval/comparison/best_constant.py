"""The best constant answer: the class that scores best if it is the answer to every item."""

from dataclasses import replace

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.samples import cells_of, scores_by_case
from ordeval.comparison.scorer import Scorer
from ordeval.runs import Runs
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import mean_where
from ordeval.table import Table

MOST_CONSTANTS = 50  # constant answers that are tried


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
