"""What would the humans have said? `oe.judge.correct(human, judge, unlabelled_judge)`."""

from typing import Any, Unpack

import numpy as np

from ordeval.arguments import check_choice
from ordeval.inputs.policy import Reading, shows_keywords
from ordeval.judge.correction import Correction, corrected_by
from ordeval.judge.correction_words import notes_of, warnings_of
from ordeval.judge.judged import JudgedItems, read_judged
from ordeval.judge.method_names import ALL_METHODS, METHODS, PPI_TUNED, Method
from ordeval.judge.methods import estimates_by, tuned_lambda
from ordeval.stats.distributions import normal_quantile
from ordeval.stats.intervals import check_level


@shows_keywords(Reading)
def correct(
    human: Any,
    judge: Any,
    unlabelled_judge: Any = None,
    *,
    method: Method = "ppi++",
    level: float = 0.95,
    **options: Unpack[Reading],
) -> Correction:
    """Return the mean mark and the class shares as humans would give them, from few of their marks and many of a judge.

    `human` and `judge` are the marks on the same items, in the same order; `unlabelled_judge` are the judge's marks on
    items without a human mark. Where that is left out, the items whose human mark is missing are those. Both may be
    `Ratings`, which are matched by item. Several humans may have marked an item: `Ratings`, or shares of the classes.

    `method` is "ppi++", "ppi" (both equal ppi-python's), "poststratification", "rogan_gladen" or "naive"; the result
    has all of them side by side. The marked items must be a random sample of all; a warning says where they seem not.

    >>> x = correct(
    ...     [1, 2, 2, 3, 3, 3], [1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 2, 3, 3, 3, 3, 3], method="ppi"
    ... )
    >>> x
    Correction(mean=2.6333 [2.0197, 3.2470], naive=2.1875, method='ppi', marked=6, unmarked=10)
    """
    check_choice("method", method, METHODS)
    check_level(level)
    judged = read_judged(human, judge, unlabelled_judge, options)
    return correct_judged(judged, method=method, level=level)


def correct_judged(
    judged: JudgedItems, *, method: str = PPI_TUNED, level: float = 0.95
) -> Correction:
    """Return the correction from counted marks."""
    judged.check(unmarked=True)
    sums = judged.sums
    z = quantile_of(level)
    found = {name: estimates_by(name, sums, z) for name in ALL_METHODS}
    methods = {name: corrected_by(name, found, judged, level) for name in ALL_METHODS}
    lam = tuned_lambda(sums)
    return Correction(
        judged, method, level, methods, float(lam[-1]), float(lam[0]), warnings_of(judged),
        notes_of(judged, methods),
    )  # fmt: skip


def quantile_of(level: float) -> float:
    """Return how many standard errors a normal interval reaches to each side."""
    return float(normal_quantile(np.array((1 + level) / 2)))
