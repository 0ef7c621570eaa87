"""Does a judge that marks an item again give the same mark, and does the order of the repeats matter."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.agreement.disagreement import spread_of
from ordeval.comparison.coefficients import coefficient_scores
from ordeval.comparison.results import Score, fields_content, none_if_undefined, reasoned
from ordeval.judge.left_out import NO_INTERVAL, estimates, ratio
from ordeval.judge.matched import Matched
from ordeval.metrics.registry import resolve
from ordeval.ratings import Ratings
from ordeval.stats.multiple_testing import adjusted

ALPHA = "krippendorff_alpha"


@dataclass(frozen=True, slots=True)
class RepeatBias:
    """One repeat (an epoch, or an order of presentation): the mean of its mark minus that of the other repeats.

    In the values of the scale, over the items that it and another repeat marked. `p_adjusted` is corrected over the
    repeats (Holm).
    """

    repeat: Any
    items: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the repeat for JSON."""
        return reasoned(fields_content(self), NO_INTERVAL)


@dataclass(frozen=True, slots=True)
class Consistency:
    """How well the repeats of a judge agree: the share of equal pairs, their mean distance in classes, and alpha."""

    items: int  # with two repeats or more
    equal: float
    distance: float
    alpha: Score
    repeats: tuple[RepeatBias, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the consistency for JSON."""
        repeats = [one.to_dict() for one in self.repeats]
        return {**fields_content(self), "alpha": self.alpha.to_dict(), "repeats": repeats}


def consistency_of(matched: Matched, judge: int, level: float) -> Consistency | None:
    """Return how well the repeats of a judge agree, over all items that it marked; None if it never repeats a mark."""
    places = matched.repeats[matched.names[judge]]
    if len(places) < 2:
        return None
    own = matched.judges.of_raters(places)
    marks, count, votes = own.marks_of_pattern, own.count, own.votes
    again = marks > 1
    items = int(count[again].sum())
    if not items:
        return None
    pairs = marks * (marks - 1)
    equal = (votes * (votes - 1)).sum(axis=1)
    together = float((count * pairs)[again].sum())
    distance = float((count * pairs * np.nan_to_num(spread_of(votes)))[again].sum() / together)
    alpha = coefficient_scores(own, resolve([ALPHA]), level=level)[ALPHA]
    return Consistency(
        items, float((count * equal).sum() / together), distance, alpha, repeat_biases(own, level)
    )


def repeat_biases(own: Ratings, level: float) -> tuple[RepeatBias, ...]:
    """Return how much higher each repeat marks than the others."""
    values, size = own.scale.numbers, len(own.raters)
    pattern, rater, code = own.each_mark()
    kept = own.marks_of_pattern[pattern] > 1
    pattern, rater, code = pattern[kept], rater[kept], code[kept]
    number = own.marks_of_pattern[pattern]
    total = np.bincount(pattern, values[code], len(own.count))[pattern]
    apart = values[code] - (total - values[code]) / (number - 1)
    sums = np.zeros((len(own.count), 2, size))
    sums[pattern, 0, rater], sums[pattern, 1, rater] = 1.0, apart
    step = (values[-1] - values[0]) / max(own.scale.k - 1, 1)
    pseudo = np.stack([np.ones((2, size)), np.outer([step, -step], np.ones(size))], axis=1)
    items = own.count @ sums[:, 0]
    found = estimates(
        lambda part: sums[part].reshape(-1, 2 * size), own.count,
        lambda of: ratio(of[..., size:], of[..., :size]), level, pseudo=pseudo.reshape(2, -1), items=items,
    )  # fmt: skip
    corrected = adjusted(found.p, "holm")
    return tuple(
        RepeatBias(
            getattr(name, "repeat", name), int(items[at]), one.value, one.low, one.high, one.p,
            none_if_undefined(float(corrected[at])),
        )
        for at, name in enumerate(own.raters)
        for one in (found.at(at),)
    )  # fmt: skip
