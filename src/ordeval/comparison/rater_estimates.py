"""Coefficients of ratings as estimates: what leaving an item, a group of items or a rater out changes.

The sums that a coefficient is a function of are linear in the numbers of items of each kind. So ratings without an
item, without a group of items, and resamples of the items are all rows of such numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordeval.aliases import Array
from ordeval.metrics.metric import Metric
from ordeval.metrics.rater_sums import RaterFeatures, features_of, vote_features
from ordeval.ratings import Ratings
from ordeval.scale import Scale
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import (
    GROUPS,
    Estimate,
    groups_of_items,
    plain_error,
    summed,
    with_pseudo_items,
)
from ordeval.stats.pseudo_items import known, pseudo_answers
from ordeval.stats.streams import Purpose, stream

MOST_KINDS = 2_000  # beyond, groups of items are left out in place of single items
MOST_WORK = 1_000_000_000  # products of numbers, beyond which the same is done
FARTHEST = 8  # steps: a mark of a pseudo-item that is farther off has hardly any chance


@dataclass(frozen=True)
class RatedItems:
    """The kinds of items in ratings, and the coefficients of samples that have so many items of each kind."""

    ratings: Ratings
    measures: Sequence[Metric]

    @cached_property
    def by_rater(self) -> bool:
        """Whether it matters who gave a mark."""
        return any("by_rater" in measure.needs for measure in self.measures)

    @cached_property
    def features(self) -> RaterFeatures:
        """What an item of each kind adds to the sums, but for the marks of each rater."""
        parts = frozenset[str]().union(*(measure.rater_parts for measure in self.measures))
        return features_of(self.ratings, parts - {"by_rater"})

    @cached_property
    def matrix(self) -> Array:
        """The features of each kind of items: of each pattern, where it matters who gave a mark."""
        features = self.features
        return features.matrix[features.kind_of_pattern] if self.by_rater else features.matrix

    @cached_property
    def count(self) -> Array:
        """The number of items of each kind."""
        return self.ratings.count if self.by_rater else self.features.count

    @cached_property
    def marks(self) -> tuple[Array, Array, int]:
        """The pattern of each mark, its place among all raters and classes, and the number of these places."""
        pattern, rater, code = self.ratings.each_mark()
        k = self.ratings.scale.k
        return pattern, rater * k + code, len(self.ratings.raters) * k

    @property
    def numbers(self) -> int:
        """How many numbers one sample asks for."""
        k = self.ratings.scale.k
        return max(len(self.count), 4 * k * k, self.marks[2] if self.by_rater else 0)

    def sums(self, items: Array) -> Array:
        """Return the sums of samples with items[sample, kind], flattened; last, the marks of each rater."""
        sums = items @ self.matrix
        if not self.by_rater:
            return np.asarray(sums)
        pattern, place, places = self.marks
        marks = [np.bincount(place, row[pattern], places) for row in items]
        return np.concatenate([sums, np.reshape(marks, (-1, places))], axis=1)

    def values(self, sums: Array) -> Array:
        """Return the coefficients[measure, sample] of sums[sample, feature]."""
        scale, width = self.ratings.scale, self.matrix.shape[1]
        parts = self.features.sums(sums[:, :width])
        if self.by_rater:
            parts = parts._replace(by_rater=sums[:, width:].reshape(len(sums), -1, scale.k))
        numbers = np.array(scale.values, dtype=np.float64)
        return np.stack([measure.of_sums(parts, numbers) for measure in self.measures])

    def scores(self, items: Array) -> Array:
        """Return the coefficients[measure, sample] of samples with items[sample, kind]."""
        return self.values(self.sums(items.astype(np.float64)))

    @cached_property
    def value(self) -> Array:
        """The coefficients of the ratings themselves: [measure]."""
        return np.asarray(self.scores(self.count[None])[:, 0])

    def left_out(self) -> tuple[Array, Array]:
        """Return the coefficients[measure, unit] without an item of each kind, and how many items are alike.

        Where there are many kinds, the units are groups of items.
        """
        kinds = np.flatnonzero(self.count)
        work = len(kinds) ** 2 * self.matrix.shape[1]
        if len(kinds) > MOST_KINDS or work > MOST_WORK:
            dealt = groups_of_items(self.count.astype(np.int64), numbers=self.numbers)
            left = [self.scores(self.count - some) for some in dealt]
            return np.concatenate(left, axis=1), np.ones(sum(part.shape[1] for part in left))
        left = [self.scores(some) for some in self.without_one(kinds)]
        return np.concatenate(left, axis=1), self.count[kinds].astype(np.float64)

    def without_one(self, kinds: Array) -> Iterator[Array]:
        """Yield items[kind left out, kind], some at a time."""
        for part in chunks(len(kinds), numbers=self.numbers):
            items = np.repeat(self.count[None], part.stop - part.start, axis=0)
            items[np.arange(len(items)), kinds[part]] -= 1
            yield items

    def pseudo_effect(self) -> tuple[Array, Array]:
        """Return by how much a pseudo-item changes the coefficients, and the square of that: means[measure].

        It is of a class as often as marks are, and has as many marks as items usually have. With the chance 1/2 all of
        them agree, else one differs: each class is half as likely as the one a step nearer.
        """
        ratings = self.ratings
        k, number = ratings.scale.k, ratings.marks_of_pattern
        votes = ratings.count @ ratings.votes
        chance = votes[:, None] / max(votes.sum(), 1) * pseudo_answers(k)[:, :k]
        apart = np.abs(np.arange(k)[:, None] - np.arange(k))
        usual, other = np.nonzero((chance > 0) & (apart <= FARTHEST))
        shared = number > 1
        items = int(ratings.count[shared].sum())
        size = round(float(ratings.count[shared] @ number[shared]) / max(items, 1))
        added = pseudo_features(self.features, ratings.scale, usual, other, max(size, 2))
        if self.by_rater:  # nobody in particular
            alone = np.eye(k)
            mark = (alone[usual] * (size - 1) + alone[other]) / len(ratings.raters)
            added = np.concatenate([added, np.tile(mark, len(ratings.raters))], axis=1)
        total = self.sums(self.count[None].astype(np.float64))
        mean, square = np.zeros(len(self.measures)), np.zeros(len(self.measures))
        weight = chance[usual, other] / chance[usual, other].sum()
        for part in chunks(len(usual), numbers=4 * k * k + added.shape[1]):
            change = known(self.values(total + added[part]) - self.value[:, None])
            mean += change @ weight[part]
            square += change**2 @ weight[part]
        return mean, square

    def influences(self) -> tuple[Array, Array]:
        """Return the influence[measure, unit] of each unit, centred, and how many items are alike."""
        left, alike = self.left_out()
        influence = known(self.value[:, None] - left)
        return influence - (summed(influence * alike) / alike.sum())[:, None], alike

    def estimate(self) -> Estimate:
        """Return the coefficients as estimates over items: [measure, 1]."""
        influence, alike = self.influences()
        items = shared_items(self.ratings)
        plain = plain_error(summed(influence**2 * alike), items)
        mean, square = self.pseudo_effect()
        effects = mean[None, :, None], square[None, :, None]
        units = np.full((len(mean), 1), items)
        return with_pseudo_items(self.value[:, None], plain[:, None], effects, units, items)

    def without_each_rater(self) -> Array:
        """Return the coefficients[measure, rater] without each of the raters."""
        everyone = range(len(self.ratings.raters))
        return np.stack(
            [
                RatedItems(
                    self.ratings.of_raters([at for at in everyone if at != left]), self.measures
                ).value
                for left in everyone
            ],
            axis=1,
        )

    def variance_over_marks(self) -> Array:
        """Return how much of the variance[measure] over raters is due to single marks.

        An item without one of its marks is an item of another kind.
        """
        ratings, features = self.ratings, self.features
        k, size = ratings.scale.k, len(ratings.raters)
        marks = MarksOfItems(ratings, numbers=self.numbers)
        kind = features.kind_of_pattern[marks.pattern]
        key = (kind * k + marks.code) * size + (marks.rater if self.by_rater else 0)
        keys, place = np.unique(key, return_inverse=True)
        kind, code, rater = keys // size // k, keys // size % k, keys % size
        votes = np.zeros((len(features.count), k), dtype=np.int64)
        votes[features.kind_of_pattern] = ratings.votes
        total, width = self.sums(self.count[None].astype(np.float64)), self.matrix.shape[1]
        left = np.empty((len(self.measures), len(keys)))
        for part in chunks(len(keys), numbers=total.shape[1] + 4 * k * k):
            row = np.arange(part.stop - part.start)
            fewer = votes[kind[part]]
            fewer[row, code[part]] -= 1
            sums = np.repeat(total, len(row), axis=0)
            sums[:, :width] += vote_features(fewer, features.parts) - features.matrix[kind[part]]
            if self.by_rater:
                sums[row, width + rater[part] * k + code[part]] -= 1
            left[:, part] = self.values(sums)
        influence = known(self.value[:, None] - left)
        by_marks = np.array(["coincided" in measure.rater_parts for measure in self.measures])
        growth = np.where(
            by_marks, marks.growth(lambda m: m * (m > 1)), marks.growth(lambda m: m > 1)
        )
        return marks.variance(influence[:, np.asarray(place).reshape(-1)] * growth[:, None])


class MarksOfItems:
    """Every mark of every pattern; of a sample of the items, always the same, where there are very many patterns."""

    def __init__(self, ratings: Ratings, *, numbers: int) -> None:
        """Choose the patterns; `numbers` is how many numbers a mark asks for."""
        self.ratings, self.count = ratings, ratings.count.astype(np.float64)
        most = max(MOST_WORK // 10 // (numbers * max(ratings.mark.shape[1], 1)), GROUPS)
        if np.count_nonzero(self.count) > most:
            total = self.count.sum()
            drawn = stream(0, Purpose.ITEMS).multinomial(most, self.count / total)
            self.count = drawn * (total / most)
        filled = (ratings.mark < ratings.scale.k) & (self.count > 0)[:, None]
        self.pattern, self.slot = np.nonzero(filled)
        self.rater, self.code = (of[filled].astype(np.intp) for of in (ratings.rater, ratings.mark))

    def growth(self, weight: Callable[[Array], Array]) -> float:
        """Return how much more each mark of a rater changes where all of them are left out at once, on average.

        Items with so many marks have this weight in a coefficient; what is left without a rater weighs less.
        """
        number, count = self.ratings.marks_of_pattern, self.ratings.count
        whole, less = (weight(m).astype(np.float64) for m in (number, np.maximum(number - 1, 0)))
        lost = count @ (number * (whole - less)) / len(self.ratings.raters)
        return float(1 / (1 - lost / (count @ whole)))

    def variance(self, influence: Array) -> Array:
        """Return how much of the variance[measure] over raters is due to single marks, from influence[measure, mark].

        The influence of a rater is about the sum of those of his marks, and an item that he did not mark adds nothing.
        So the marks of an item vary about their sum divided by the number of all raters.
        """
        raters = len(self.ratings.raters)
        squares = summed(influence**2 * self.count[self.pattern])
        sums = np.stack([np.bincount(self.pattern, own, len(self.count)) for own in influence])
        within = squares - summed(sums**2 * self.count) / raters
        return np.asarray(within * (1 - 1 / raters))


def pseudo_features(
    features: RaterFeatures, scale: Scale, usual: Array, other: Array, size: int
) -> Array:
    """Return the features of pseudo-items of so many marks: all but one of the usual class, one of the other."""
    k = scale.k
    codes = np.repeat(usual[None], size, axis=0)
    codes[-1] = other
    slots = np.arange(size)[:, None] * k + codes
    names = tuple(str(at) for at in range(size))
    items = Ratings.from_slots(scale, names, slots)
    own = features_of(items, features.parts)
    return np.asarray(own.matrix[own.kind_of_pattern[items.named_items()[1]]])


def shared_items(ratings: Ratings) -> float:
    """Return the number of items with two marks or more."""
    return float(ratings.count[ratings.marks_of_pattern > 1].sum())
