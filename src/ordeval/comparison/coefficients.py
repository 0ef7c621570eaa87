"""Coefficients of agreement, and any other measure over ratings, with their intervals."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ordeval.aliases import Array, Progress
from ordeval.arguments import check_choice, check_progress
from ordeval.comparison.ceiling import check_shared
from ordeval.comparison.pair_means import PairMeans
from ordeval.comparison.rater_estimates import RatedItems, shared_items
from ordeval.comparison.results import ONE_ITEM, Score, as_score, too_few_resamples
from ordeval.comparison.score_runs import DEFAULT_METHOD
from ordeval.comparison.scorer import Scorer
from ordeval.errors import ParameterError, argument
from ordeval.inputs.policy import Policy
from ordeval.metrics.metric import Metric
from ordeval.ratings import Ratings
from ordeval.stats.bootstrap import drawn_counts
from ordeval.stats.intervals import (
    BootstrapInterval,
    bootstrap_interval,
    check_interval_options,
    jackknife_acceleration,
)
from ordeval.stats.jackknife import Estimate
from ordeval.stats.streams import Purpose, stream
from ordeval.stats.t_intervals import scaled_ends, t_interval, z_ends

RESAMPLED = ("items", "both")
FEWEST_RATERS = 3  # without one of them, two are left to agree


def coefficient_scores(
    ratings: Ratings,
    measures: Mapping[str, Metric],
    *,
    level: float | None = 0.95,
    method: str = DEFAULT_METHOD,
    n_resamples: int = 9999,
    seed: int = 0,
    resample: str = "items",
    progress: Progress = None,
) -> dict[str, Score]:
    """Return the coefficients of ratings, and the means over pairs of raters by other measures, with intervals.

    `resample` says what another sample would draw anew: "items", with the same raters, or "both". Both presumes that
    the raters, too, are a random sample, and that raters and items were drawn independently. The variance over raters,
    by leaving one rater out at a time, is added to that over items; the luck of single marks is part of both, so that
    it is taken off once, by leaving one mark out at a time. With few raters the interval is wide: three say little
    about all others.
    """
    check_interval_options(level, n_resamples, method)
    check_progress(progress)
    check_resample(resample, method, len(ratings.raters))
    check_shared(ratings)
    found: dict[str, Score] = {}
    for own in alike(measures):
        one = next(iter(own.values()))
        rated: RatedItems | PairMeans
        if one.rater_parts:
            rated = RatedItems(ratings, tuple(own.values()))
        else:
            rated = PairMeans(ratings, Scorer(own, ratings.scale, Policy()))
        low, high, error, undefined = (np.full(len(own), np.nan) for _ in range(4))
        drawn = method != "t" and shared_items(ratings) > 1
        if level is not None and shared_items(ratings) > 1:
            if not drawn:
                low, high, error = by_t(rated, own, level, raters_too=resample == "both")
            else:
                low, high, error, undefined = by_resamples(
                    rated, level, n_resamples, seed, bca=method == "bca", progress=progress
                )
        for m, (name, measure) in enumerate(own.items()):
            missing = 0 if np.isnan(undefined[m]) else int(undefined[m])
            found[name] = as_score(
                name, rated.value[m], low[m], high[m], error[m], level=level, undefined=missing,
                undefined_when=f"undefined when {measure.undefined_when}",
                alone=too_few_resamples(missing, n_resamples) if drawn else ONE_ITEM,
            )  # fmt: skip
    return {name: found[name] for name in measures}


def check_resample(resample: str, method: str, raters: int) -> None:
    """Refuse what cannot be drawn anew."""
    check_choice("resample", resample, RESAMPLED)
    if resample == "both" and method != "t":
        raise ParameterError(
            f"{argument('resample', resample)} goes with {argument('method', 't')}, not with {method!r}: a rater who "
            f"is drawn twice agrees with himself. Pass {argument('resample', 'items')} for this method."
        )
    if resample == "both" and raters < FEWEST_RATERS:
        raise ParameterError(
            f"{argument('resample', resample)} needs at least {FEWEST_RATERS} raters; there are {raters}. Pass "
            f"{argument('resample', 'items')}."
        )


def alike(measures: Mapping[str, Metric]) -> list[dict[str, Metric]]:
    """Return the measures in groups that look at the same: votes, who gave a mark, or pairs of raters."""
    groups: dict[tuple[bool, bool], dict[str, Metric]] = {}
    for name, measure in measures.items():
        looks_at = bool(measure.rater_parts), "by_rater" in measure.needs
        groups.setdefault(looks_at, {})[name] = measure
    return list(groups.values())


def by_t(
    rated: RatedItems | PairMeans, measures: Mapping[str, Metric], level: float, *, raters_too: bool
) -> tuple[Array, Array, Array]:
    """Return the ends and the standard errors[measure] by Student's t."""
    estimate = rated.estimate()
    if raters_too:
        estimate = with_raters(estimate, rated.without_each_rater(), rated.variance_over_marks())
    ends_of = z_ends if isinstance(rated, RatedItems) else scaled_ends
    bounds = [measure.bounds for measure in measures.values()]
    low, high = t_interval(estimate, bounds, level, ends_of)
    return low[:, 0], high[:, 0], estimate.error[0][:, 0]


def with_raters(estimate: Estimate, without: Array, marks: Array) -> Estimate:
    """Return the estimate over items and raters, from the scores[measure, rater] without each rater.

    The variances over items and over raters are added, minus the variance[measure] that single marks have in both; the
    result is no less than either of the two. The degrees of freedom are Satterthwaite's.
    """
    known = ~np.isnan(without)
    raters = known.sum(axis=1)[:, None]
    with np.errstate(all="ignore"):
        mean = np.where(known, without, 0.0).sum(axis=1, keepdims=True) / raters
        apart = np.where(known, without - mean, 0.0)
        over_raters = (apart**2).sum(axis=1, keepdims=True) * (raters - 1) / raters
        over_raters = np.where(raters > 1, over_raters, np.nan)
        over_items = estimate.error[0] ** 2
        both = np.maximum(over_items + np.maximum(over_raters - marks[:, None], 0.0), over_raters)
        freedom = both**2 / (
            over_items**2 / np.maximum(estimate.units - 1, 1.0)
            + over_raters**2 / np.maximum(raters - 1, 1)
        )
    more = both - over_items
    return replace(
        estimate,
        error=np.sqrt(estimate.error**2 + more),
        plain=np.sqrt(estimate.plain**2 + more),
        units=freedom + 1,
    )


def by_resamples(
    rated: RatedItems | PairMeans,
    level: float,
    size: int,
    seed: int,
    *,
    bca: bool,
    progress: Progress,
) -> BootstrapInterval:
    """Return the interval[measure] from resamples of the items; it always holds the value."""
    items, done = int(rated.count.sum()), 0
    draws = []
    rng, numbers = stream(seed, Purpose.ITEMS), rated.numbers
    for drawn in drawn_counts(rated.count / items, items, rng, size, numbers=numbers):
        draws.append(rated.scores(drawn))
        done += len(drawn)
        if progress is not None:
            progress(done, size)
    acceleration = None
    if bca:
        influence, number = rated.influences()
        acceleration = jackknife_acceleration(influence, number, np.full(len(number), number.sum()))
    found = bootstrap_interval(
        np.concatenate(draws, axis=1), rated.value, level, acceleration=acceleration
    )
    return found._replace(
        low=np.minimum(found.low, rated.value), high=np.maximum(found.high, rated.value)
    )
