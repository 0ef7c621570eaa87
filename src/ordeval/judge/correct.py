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

    The marked items must be a random sample of all; a warning says where they seem not to be one. The result has the
    numbers by all methods side by side.

    The arguments are:

    - `human`: the humans' marks on some items, in the order of `judge`; if several humans marked an item, `Ratings`
      or the shares of the classes.
    - `judge`: the judge's marks on the same items; of `Ratings`, items are matched by name.
    - `unlabelled_judge`: the judge's marks on items without a human mark; by default the items whose human mark is
      missing.
    - `method`: "ppi++", "ppi" (both give the same numbers as ppi-python), "poststratification", "rogan_gladen" or
      "naive".
    - `level`: the level of the intervals.

    >>> human, judge = [1, 2, 2, 3, 3, 3], [1, 1, 2, 2, 3, 3]
    >>> x = oe.judge.correct(human, judge, [1, 1, 2, 2, 2, 3, 3, 3, 3, 3], method="ppi")
    >>> round(x.mean.value, 4), round(x.mean.low, 4), round(x.mean.high, 4)
    (2.6333, 2.0197, 3.247)
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
