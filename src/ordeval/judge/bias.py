"""How a judge's marks lie beside those of the humans: higher or lower, class by class, and at the ends of the scale."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.results import fields_content, reasoned
from ordeval.judge.left_out import NO_INTERVAL, Estimates, estimates, ratio
from ordeval.judge.matched import JudgedUnits

CHANCE = 0.5  # the probability of the higher mark, where two classes cannot be told apart
MOST_CLASSES = 20  # neighbours on a longer scale are nearly the same to humans, too
NO_MARKS = "no human gave this class to an item that another human and the judge marked, too"
FEW_MARKS = 10  # with fewer marks of a class, it is not said to be told apart or not
PSEUDO = np.array(
    [1.0, -1.0]
)  # two pseudo-items, one a class above the humans and one a class below


@dataclass(frozen=True, slots=True)
class ClassBias:
    """One class: what the judge gives where a human gives it, and how often both give it.

    `judge` is the mean mark of the judge on the items that a human gave this class, once for each such mark, `others`
    the mean mark of the other humans on the same items, and `difference` judge minus others. Both lie nearer to the
    middle of the scale than the class itself, so that only their difference is bias. `judge_share` and `human_share`
    are the shares of the class among all marks.
    """

    label: Any
    name: Any
    marks: int  # of a human, on items that another human and the judge marked
    judge: float
    others: float
    difference: float
    low: float | None
    high: float | None
    judge_share: float
    human_share: float
    share_difference: float
    share_low: float | None
    share_high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the class for JSON; its name is for people."""
        content = fields_content(self, without=("name",))
        return reasoned(content, NO_INTERVAL if self.marks else NO_MARKS)


@dataclass(frozen=True, slots=True)
class Bias:
    """How much higher a judge marks than the humans, in the values of the scale, and class by class."""

    mean: float
    low: float | None
    high: float | None
    p: float | None
    by_class: tuple[ClassBias, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the bias for JSON."""
        content = {**fields_content(self), "by_class": [one.to_dict() for one in self.by_class]}
        return reasoned(content, NO_INTERVAL)

    @property
    def avoided(self) -> tuple[ClassBias, ...]:
        """The classes that the judge gives significantly less often than the humans."""
        return tuple(
            one for one in self.by_class if one.share_high is not None and one.share_high < 0
        )

    @property
    def preferred(self) -> tuple[ClassBias, ...]:
        """The classes that the judge gives significantly more often than the humans."""
        return tuple(
            one for one in self.by_class if one.share_low is not None and one.share_low > 0
        )


@dataclass(frozen=True, slots=True)
class CollapsedClasses:
    """Two neighbouring classes that humans tell apart and the judge does not, or hardly.

    `judge` is the probability that, of two items that a human gave the lower and the upper class, the judge gives the
    higher mark to the latter (a tie counts half), where it gives one of these two classes to both; `human` is the same
    of another human. 1/2 is chance.
    """

    lower: Any  # labels
    upper: Any
    names: tuple[Any, Any]
    judge: float
    low: float
    high: float
    human: float

    def to_dict(self) -> dict[str, Any]:
        """Return the classes for JSON."""
        return fields_content(self, without=("names",))


def bias_of(units: JudgedUnits, level: float) -> Bias:
    """Return how the marks of a judge lie beside those of the humans; all units have both."""
    scale = units.humans.scale
    k, values = scale.k, scale.numbers
    votes = units.humans.votes[units.pattern]
    answer = units.answer[:, :-1]
    shares = votes / votes.sum(axis=1, keepdims=True)
    step = (values[-1] - values[0]) / max(k - 1, 1)
    apart = (answer - shares) @ values
    mean = estimates(
        lambda part: np.column_stack([np.ones(len(apart[part])), apart[part]]),
        units.count,
        lambda sums: ratio(sums[..., 1:], sums[..., :1]),
        level,
        pseudo=np.column_stack([np.ones(2), step * PSEUDO]),
    ).at(0)
    by_class = means_by_class(units, level, step)
    used = estimates(
        lambda part: np.column_stack([np.ones(len(apart[part])), answer[part] - shares[part]]),
        units.count,
        lambda sums: ratio(sums[..., 1:], sums[..., :1]),
        level,
        # one item to which the judge gives a class that no human gives, and one the other way round
        pseudo=np.column_stack([np.ones(2), np.outer(PSEUDO, np.ones(k))]),
    )
    given, human = (units.count @ each / units.items for each in (answer, shares))
    classes = []
    for at in range(k):
        apart_here, use = by_class.apart.at(at), used.at(at)
        classes.append(
            ClassBias(
                scale.labels[at], scale.names[at], int(by_class.marks[at]), float(by_class.judge[at]),
                float(by_class.others[at]), apart_here.value, apart_here.low, apart_here.high, float(given[at]),
                float(human[at]), use.value, use.low, use.high,
            )
        )  # fmt: skip
    return Bias(mean.value, mean.low, mean.high, mean.p, tuple(classes))


@dataclass(frozen=True)
class MeansByClass:
    """Of each class that a human gives: the marks, the means of judge and other humans, and how they differ."""

    marks: Array
    judge: Array
    others: Array
    apart: Estimates


def means_by_class(units: JudgedUnits, level: float, step: float) -> MeansByClass:
    """Return the mean marks of the judge and of the other humans where a human gives each class."""
    units = units.only(units.shared)
    scale = units.humans.scale
    k, values = scale.k, scale.numbers
    votes = units.humans.votes[units.pattern].astype(np.float64)
    judge = units.answer[:, :-1] @ values
    total, number = votes @ values, votes.sum(axis=1)

    def features(part: slice) -> Array:
        others = (total[part, None] - values) / np.maximum(number[part, None] - 1, 1)
        mine = votes[part]
        return np.concatenate([mine, mine * judge[part, None], mine * others], axis=1)

    def apart(sums: Array) -> Array:
        return ratio(sums[..., k : 2 * k] - sums[..., 2 * k :], sums[..., :k])

    around = np.stack([np.ones((2, k)), values + step * PSEUDO[:, None], np.tile(values, (2, 1))])
    found = estimates(
        features, units.count, apart, level, items=units.count @ (votes > 0),
        pseudo=np.moveaxis(around, 0, 1).reshape(2, -1),
    )  # fmt: skip
    sums = np.zeros(3 * k) if not len(votes) else units.count @ features(slice(None))
    marks, mine, theirs = sums.reshape(3, k)
    return MeansByClass(marks, ratio(mine, marks), ratio(theirs, marks), found)


def unused_classes(units: JudgedUnits) -> tuple[Any, ...]:
    """Return the labels that humans gave these items and the judge never did."""
    votes = units.count @ units.humans.votes[units.pattern]
    given = units.count @ units.answer[:, :-1]
    labels = units.humans.scale.labels
    return tuple(
        label for label, by, own in zip(labels, votes, given, strict=True) if by and not own
    )


def collapsed_classes(units: JudgedUnits, level: float) -> tuple[CollapsedClasses, ...]:
    """Return the neighbouring classes that the judge cannot tell apart although the humans can.

    Among marks of the two classes, the humans' probability of the higher mark is above 1/2, and that of the judge may
    be 1/2 or is nearer to it than to the humans'. A judge that marks all items a class higher would look so, too;
    therefore its probability among all of its marks must be significantly below the humans'.
    """
    units = units.only(units.shared)
    scale = units.humans.scale
    k = scale.k
    votes = units.humans.votes[units.pattern].astype(np.float64)
    number = votes.sum(axis=1)
    marks = units.count @ votes
    if not 1 < k <= MOST_CLASSES or not len(votes):
        return ()

    def features(part: slice) -> Array:
        mine, answer = votes[part], units.answer[part, :-1]
        others = (mine[:, None, :] - np.eye(k)) / (number[part, None, None] - 1)
        both = np.stack([np.broadcast_to(answer[:, None], others.shape), others], axis=1)
        return np.asarray((mine[:, None, :, None] * both).reshape(len(mine), -1))

    lower = np.arange(k - 1)

    def higher(sums: Array) -> Array:
        tables = sums.reshape(*sums.shape[:-1], 2, k, k)
        whole = higher_mark(tables[..., :-1, :], tables[..., 1:, :])
        pair = np.stack([lower, lower + 1], axis=1)
        among = (tables[..., (lower + up)[:, None], pair] for up in (0, 1))
        both = np.stack([higher_mark(*among), whole], axis=-3)  # [among the two or all, who, class]
        return both.reshape(*sums.shape[:-1], 4 * (k - 1))

    found = estimates(features, units.count, higher, level)
    collapsed = []
    for at in range(k - 1):
        own, human, of_all, humans_all = (found.at(at + part * (k - 1)) for part in range(4))
        enough = min(marks[at], marks[at + 1]) >= FEW_MARKS
        if not enough or None in {own.low, own.high, human.low, of_all.high}:
            continue
        low, high, least, most = (float(end or 0) for end in (own.low, own.high, human.low, of_all.high))  # fmt: skip
        nearer = low <= CHANCE or high < (CHANCE + human.value) / 2
        if least > CHANCE and nearer and most < humans_all.value:
            names = scale.names[at], scale.names[at + 1]
            collapsed.append(
                CollapsedClasses(
                    scale.labels[at], scale.labels[at + 1], names, own.value, low, high, human.value
                )
            )
    return tuple(collapsed)


def higher_mark(lower: Array, upper: Array) -> Array:
    """Return the probability that a mark from upper[..., class] is higher than one from lower; a tie counts half."""
    below = lower.cumsum(axis=-1) - lower / 2
    return ratio((upper * below).sum(axis=-1), lower.sum(axis=-1) * upper.sum(axis=-1))
