"""Compare any number of systems on the same items."""

from typing import Any

import numpy as np

from ordeval.aliases import Progress
from ordeval.comparison.cells import Scorer, joint_patterns
from ordeval.comparison.pairs import compare_pairs, read_test
from ordeval.comparison.result import Comparison
from ordeval.comparison.scores import DEFAULT_METHOD, DEFAULT_METRICS, score_runs
from ordeval.errors import LabelTypeError
from ordeval.metrics.registry import registry, resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import resample_unit
from ordeval.stats.multiple_testing import read_correction
from ordeval.stats.ranks import best_first, tiers_of

ALPHA = 0.05  # where no interval, and so no level, is asked for


def compare(
    runs: Runs,
    *,
    metrics: Any = None,
    primary: Any = "cem_ord",
    level: float | None = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    resample: str | None = None,
    method: str = DEFAULT_METHOD,
    distribution: str = "resampled",
    test: str | None = None,
    correction: str = "holm",
    progress: Progress = None,
) -> Comparison:
    """Compare systems: a leaderboard with intervals, all paired differences, and tiers by the primary measure.

    `resample` is what is drawn ("items", "cases", "both"; whole cases where there are at least two). `test` is
    "randomisation" (the default), "bootstrap", or over test cases "wilcoxon" or "t"; its p-values are corrected over
    all pairs of one measure by `correction`: "holm", "bh" (Benjamini and Hochberg) or "none". Significant means an
    adjusted p of at most 1 - level.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> good, poor = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> compare(Runs.from_labels(gold, {"poor": poor, "good": good}), n_resamples=999).tiers
    (('good',), ('poor',))
    """
    if not isinstance(runs, Runs):
        raise LabelTypeError(
            f"compare was given a {type(runs).__name__}; it takes oe.Runs. Make them with oe.Runs.from_labels(y_true, "
            f"{{'a': ..., 'b': ...}}), Runs.from_files or Runs.from_frame."
        )
    main = registry[primary]
    measures = resolve(DEFAULT_METRICS if metrics is None else metrics)
    leading = next((name for name, measure in measures.items() if measure == main), str(primary))
    if leading not in measures:
        measures = {leading: main, **measures}
    unit = resample_unit(resample, len(runs.cases))
    chosen, correction = read_test(test, unit, len(runs.cases)), read_correction(correction)
    scores = score_runs(
        runs, metrics=list(measures), level=level, n_resamples=n_resamples, rng=rng, resample=unit, method=method,
        distribution=distribution, progress=progress,
    )  # fmt: skip
    alpha = ALPHA if level is None else round(1 - level, 12)  # 1 - 0.9 is a little less than 0.1
    row = list(measures).index(leading)
    order = best_first(scores.values[row], scores.systems, greater_is_better=main.greater_is_better)
    pairs = None
    p = np.full((len(order), len(order)), np.nan)
    if len(order) > 1:
        pairs = compare_pairs(
            joint_patterns(runs),
            Scorer(measures, runs.scale, runs.policy, distribution),
            order,
            unit=unit,
            test=chosen,
            correction=correction,
            alpha=alpha,
            n_resamples=n_resamples,
            seed=scores.seed,
            bca=method == "bca",
            progress=progress,
        )
        p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = pairs.p_adjusted[row]
    tiers = tiers_of(order, scores.values[row], p, alpha)
    return Comparison(
        runs=runs,
        scores=scores,
        primary=leading,
        order=tuple(order),
        tiers=tuple(tuple(scores.systems[s] for s in tier) for tier in tiers),
        pair_values=pairs,
        test=chosen,
        correction=correction,
        alpha=alpha,
    )
