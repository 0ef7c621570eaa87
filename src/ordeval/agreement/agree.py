"""How well do raters agree? `oe.agree(ratings)`."""

from typing import Any

from ordeval.agreement.agreement import Agreement
from ordeval.aliases import Progress
from ordeval.comparison.ceiling import ceiling_sample, human_scores
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.comparison.results import Score
from ordeval.comparison.score_runs import DEFAULT_METHOD
from ordeval.comparison.scorer import Scorer
from ordeval.errors import LabelTypeError
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.ratings import Ratings
from ordeval.stats.streams import read_seed

DEFAULT_COEFFICIENTS = (
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "accuracy",
)
DEFAULT_CEILING = (
    "cem_ord",
    "accuracy",
    "mae",
    "weighted_kappa(weights='quadratic')",
    "kendall_tau_b",
)


def agree(
    ratings: Ratings,
    *,
    metrics: Any = None,
    ceiling: Any = DEFAULT_CEILING,
    level: float | None = 0.95,
    method: str = DEFAULT_METHOD,
    n_resamples: int = 9999,
    resample: str = "items",
    rng: Any = 0,
    progress: Progress = None,
) -> Agreement:
    """Return how well raters agree, what a human reaches against the others, and who and what stands apart.

    The arguments are:

    - `ratings`: the marks of the raters.
    - `metrics`: coefficients of agreement, or their names; any other measure is the mean over pairs of raters.
    - `ceiling`: the measures by which each rater is compared with the others; None leaves it out.
    - `level`: the level of the intervals; None leaves the intervals out.
    - `method`: the kind of interval: "t", "percentile" or "bca".
    - `n_resamples`: how many resamples the intervals "percentile" and "bca" draw.
    - `resample`: what another sample would draw anew: "items", or "both" items and raters (for the coefficients,
      and by t alone).
    - `rng`: a seed, or a generator of NumPy; the same seed gives the same intervals.
    - `progress`: a function that is called with the work done and the whole.

    >>> ratings = oe.Ratings.from_array([[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1]])
    >>> oe.agree(ratings, metrics=["krippendorff_alpha", "accuracy"], level=None)
    Agreement(krippendorff_alpha 0.7054, accuracy 0.6667)
    """
    if not isinstance(ratings, Ratings):
        raise LabelTypeError(
            f"agree was given a {type(ratings).__name__}; it takes the marks of several raters. Pass "
            f"oe.Ratings.from_frame(frame) of a row for each mark, oe.Ratings.from_wide(frame, raters=[...]) of a "
            f"column for each rater, or oe.Ratings.from_array(marks)."
        )
    seed = read_seed(rng)
    coefficients = resolve(DEFAULT_COEFFICIENTS if metrics is None else metrics)
    scores = coefficient_scores(
        ratings, coefficients, level=level, method=method, n_resamples=n_resamples, seed=seed, resample=resample,
        progress=progress,
    )  # fmt: skip
    return Agreement(
        ratings,
        scores,
        {} if ceiling is None else ceiling_scores(ratings, ceiling, level),
        level,
        method,
        0 if level is None or method == "t" else int(n_resamples),
        seed,
        resample,
    )


def ceiling_scores(ratings: Ratings, metrics: Any, level: float | None) -> dict[str, Score]:
    """Return what a human reaches against the others by each measure, with t intervals over items."""
    measures = resolve(metrics)
    scorer = Scorer(measures, ratings.scale, Policy())
    scorer.check_parts()
    estimate = ceiling_sample(ratings, scorer).estimate
    return human_scores(estimate, measures, level)
