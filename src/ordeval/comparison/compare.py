"""Compare any number of systems: on the same items, or on items of their own."""

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from ordeval.aliases import Progress
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.inputs import read_data
from ordeval.comparison.pairs import compare_pairs, read_test
from ordeval.comparison.score_runs import ALPHA, DEFAULT_METHOD, score_runs, without_constants
from ordeval.comparison.score_slices import with_slices
from ordeval.comparison.scorer import default_metrics
from ordeval.errors import ParameterError, argument
from ordeval.inputs.policy import Reading, shows_keywords
from ordeval.metrics.names import full_name
from ordeval.metrics.registry import registry, resolve
from ordeval.progress import portion
from ordeval.runs import Runs
from ordeval.stats.intervals import check_interval_options
from ordeval.stats.jackknife import independent_samples
from ordeval.stats.multiple_testing import read_correction
from ordeval.stats.ranks import best_first, better_than


@shows_keywords(Reading)
def compare(
    data: Any,
    systems: Mapping[str, Any] | None = None,
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
    correction: str | None = None,
    undefined: str = "omit",
    margin: float | None = None,
    by: Any = None,
    progress: Progress = None,
    **options: Unpack[Reading],
) -> Comparison:
    """Compare systems: a leaderboard with intervals and ranks, all differences, and the set of the best.

    Takes `Runs`; gold labels and the answers of each system, `compare(y_true, {"a": ya, "b": yb})`; or tables that
    share no items, `compare({"monday": table_a, "tuesday": table_b})` or one table with an axis `system`, which are
    compared as independent samples. A difference is significant if its adjusted p-value is at most 1 - level.

    The arguments are:

    - `data`: `Runs`, gold labels (then `systems` has the answers), or tables.
    - `systems`: the answers of each system by its name, if `data` is gold labels.
    - `metrics`: the measures of the leaderboard, or their names; by default the most common ones.
    - `primary`: the measure that ranks the systems.
    - `level`: the level of the intervals; None leaves the intervals out.
    - `n_resamples`: how many resamples or random sign flips intervals and tests draw.
    - `rng`: a seed, or a generator of NumPy; the same seed gives the same result.
    - `resample`: what another sample would draw anew, "items" or "cases"; by default cases, if there are at least
      two.
    - `method`: the kind of interval: "t", "percentile" or "bca".
    - `distribution`: "resampled", or "fixed": then every resample keeps the class shares of the gold labels, which
      closeness measures use.
    - `test`: the test of differences: "t" (the default), "randomisation", or over test cases "wilcoxon".
    - `correction`: how p-values are corrected over all pairs of a measure: "maxt" (the step-down maximum over joint
      sign flips, the default), "holm", "bh" (Benjamini and Hochberg) or "none".
    - `undefined`: what a test case without a score counts as: nothing ("omit"), 0 ("zero"), the "lowest" value of
      the measure, or "error": then there is no mean.
    - `margin`: the smallest difference that matters; with it a difference can also be "equivalent" or "not worse".
    - `by`: slices to score beside the whole: names of those that the runs were read with, or with labels the slice
      of each item.
    - `progress`: a function that is called with the work done and the whole.

    >>> gold = [1, 1, 2, 2, 3, 3] * 20
    >>> good, poor = [1, 1, 2, 2, 3, 2] * 20, [2, 1, 3, 2, 1, 2] * 20
    >>> c = oe.compare(gold, {"poor": poor, "good": good}, metrics=["cem_ord", "accuracy"])
    >>> c.best
    ('good',)
    >>> [row.system for row in c.leaderboard]
    ['good', 'poor']
    >>> c.pairs[0].outcome
    'better'
    """
    check_interval_options(level, n_resamples, method)
    check_margin(margin)
    runs, names = read_data(data, systems, options, by)
    main = registry[primary]
    measures = resolve(default_metrics(runs) if metrics is None else metrics)
    leading = next(
        (name for name, measure in measures.items() if measure == main), full_name(primary)
    )
    if leading not in measures:
        measures = {leading: main, **measures}
    scores = score_runs(
        runs, metrics=measures, primary=leading, level=level, n_resamples=n_resamples, rng=rng,
        resample=resample, method=method, distribution=distribution, undefined=undefined,
        progress=portion(progress, 0, 0.5),
    )  # fmt: skip
    paired = isinstance(runs, Runs)
    chosen = read_test(test, scores.resample, paired=paired)
    if correction is None:
        correction = "holm" if chosen == "wilcoxon" else "maxt"
    correction = read_correction(correction)
    if correction == "maxt" and chosen == "wilcoxon":
        raise ParameterError(
            f"{argument('correction', 'maxt')} is of differences divided by their errors, and "
            f"{argument('test', 'wilcoxon')} of ranks. Pass {argument('correction', 'holm')}."
        )
    alpha = ALPHA if level is None else round(1 - level, 12)  # 1 - 0.9 is a little less than 0.1
    row = list(measures).index(leading)
    values, up = scores.values[row], main.greater_is_better
    answered = scores.answered.sum(axis=-1) > 0
    placed = np.where(answered, values, np.nan)  # who answered nothing is behind all others
    order = best_first(placed, scores.systems, greater_is_better=up)
    pairs = None
    p = np.full((len(order), len(order)), np.nan)
    if len(order) > 1:
        pairs = compare_pairs(
            scores.samples[0] if paired else independent_samples(without_constants(scores)),
            measures, order, test=chosen, correction=correction, level=1 - alpha, margin=margin,
            size=n_resamples, seed=scores.seed, progress=portion(progress, 0.5, 1),
        )  # fmt: skip
        p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = pairs.p_adjusted[row]
    return Comparison(
        runs=runs,
        scores=with_slices(scores, runs, names, correction=correction),
        primary=leading,
        order=tuple(order),
        better=better_than(placed, p, alpha, greater_is_better=up),
        ranked=~np.isnan(placed),
        pair_values=pairs,
        test=chosen,
        correction=correction,
        alpha=alpha,
        margin=margin,
    )


def check_margin(margin: Any) -> None:
    """Refuse a margin that is not a number above 0."""
    real = isinstance(margin, int | float) and not isinstance(margin, bool)
    if margin is not None and not (real and margin > 0):
        raise ParameterError(
            f"{argument('margin', margin)} is not a margin; it is a number above 0, in units of the measure."
        )
