"""The raters one by one: do they mark too high or too low, do they mark at random, and what does each add."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.agreement.table_estimates import estimate_of_spread, scorer_of, weighted_median
from ordeval.aliases import Array
from ordeval.comparison.ceiling import marks_of
from ordeval.comparison.results import Score, as_score, none_if_undefined
from ordeval.metrics.agreement import krippendorff_alpha
from ordeval.metrics.rater_sums import features_of
from ordeval.ratings import Ratings
from ordeval.stats.distributions import t_quantile, t_two_sided
from ordeval.stats.jackknife import Estimate
from ordeval.stats.multiple_testing import adjusted
from ordeval.stats.t_intervals import t_interval

AGREEMENT = "weighted_kappa(weights='quadratic')"  # with the others: 0 is what chance gives
TOO_HIGH, TOO_LOW, AT_RANDOM = "too high", "too low", "at random"
AGAINST = "against the others"
ALPHA = 0.05  # if no level is asked for
PSEUDO_ITEMS = 2.0  # one a class above the others and one a class below: two marks prove little
ALONE = "undefined when a rater shares no item with others, or all marks are equal"
AT_ONCE = 100  # of so many raters, the one who is farthest out is named in a step


@dataclass(frozen=True, slots=True)
class RaterProfile:
    """One rater against the others, on the items that others marked too.

    `difference` is the mean of the rater's mark minus the mean mark of the others, in classes; raters who are found to
    mark too high or too low are not counted among the others. `agreement` is the quadratic weighted kappa between the
    rater's marks and the shares of the others. `verdicts` holds "too high" or "too low", and "at random",
    or "against the others" if the agreement is significantly below 0.
    """

    rater: str
    marks: int  # items that the rater marked
    items: int  # of these, items that others marked too
    difference: Score
    p: float | None
    p_adjusted: float | None
    agreement: Score
    alpha_without: float | None  # Krippendorff's alpha of all other raters
    verdicts: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the rater for JSON."""
        return {
            "name": self.rater,
            "marks": self.marks,
            "items": self.items,
            "difference": self.difference.to_dict(),
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "agreement": {"metric": self.agreement.metric, **self.agreement.to_dict()},
            "alpha_without": self.alpha_without,
            "verdicts": list(self.verdicts),
        }


@dataclass(frozen=True, eq=False)
class RaterDifferences:
    """How much higher each rater marks than the others, in classes, and whether that is significant: [rater]."""

    value: Array
    low: Array
    high: Array
    error: Array
    p: Array
    p_adjusted: Array
    apart: Array  # 1 too high, -1 too low, 0 neither


@dataclass(frozen=True, eq=False, repr=False)
class RaterProfiles(Mapping[str, RaterProfile]):
    """The profile of each rater by name, made when it is asked for."""

    ratings: Ratings
    level: float | None

    def __len__(self) -> int:
        return len(self.ratings.raters)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ratings.raters)

    def __getitem__(self, name: str) -> RaterProfile:
        return self.profile(self.ratings.place_of(name))

    def __repr__(self) -> str:
        return f"<profiles of {len(self)} raters>"

    @property
    def alpha(self) -> float:
        """The level of significance."""
        return ALPHA if self.level is None else 1 - self.level

    @cached_property
    def shared(self) -> "MarksBesideOthers":
        """The marks on items that others marked too."""
        return MarksBesideOthers(self.ratings)

    @cached_property
    def marks(self) -> Array:
        """How many items each rater marked."""
        pattern, rater, _ = self.ratings.each_mark()
        return np.bincount(rater, self.ratings.count[pattern], len(self)).astype(np.int64)

    @cached_property
    def shared_items(self) -> Array:
        """How many items each rater marked that others marked too."""
        return np.bincount(self.shared.rater, self.shared.count, len(self)).astype(np.int64)

    @cached_property
    def differences(self) -> RaterDifferences:
        """How much higher each rater marks than the others."""
        return differences_from_others(self.shared, ~self.at_random, self.alpha)

    @cached_property
    def agreement(self) -> Estimate:
        """The agreement of each rater with the shares of the others: [measure, rater]."""
        return self.shared.estimate(len(self))

    @cached_property
    def agreement_ends(self) -> tuple[Array, Array]:
        """The ends of the intervals of the agreement with the others: [rater]."""
        low, high = t_interval(self.agreement, [(-1.0, 1.0)], 1 - self.alpha)
        return low[0], high[0]

    @cached_property
    def typical(self) -> float:
        """The agreement with the others that the raters have in the median, each weighted by the number of items."""
        return weighted_median(self.agreement.value[0], self.shared_items.astype(np.float64))

    @cached_property
    def at_random(self) -> Array:
        """Whether a rater agrees with the others no better than chance, and significantly worse than is typical.

        Few items show nothing: a rater who agrees as well as others may also be no better than chance on them.
        """
        estimate = self.agreement
        freedom = np.maximum(estimate.units[0] - 1, 1.0)
        error = estimate.error[-1][0]
        with np.errstate(all="ignore"):  # where the others gave one class alone nothing varies
            t = np.where(error > ties.TIE, (estimate.centre[-1][0] - self.typical) / error, np.nan)
        p = adjusted(np.where(np.isfinite(t), t_two_sided(t, freedom), np.nan), "holm")
        with np.errstate(invalid="ignore"):
            return np.asarray((t < 0) & (p <= self.alpha) & (self.agreement_ends[0] <= 0))

    @cached_property
    def alpha_without(self) -> Array:
        """Krippendorff's alpha without each rater."""
        return alpha_without_each(self.ratings)

    @cached_property
    def standing_apart(self) -> Array:
        """The places of the raters who stand apart, those farthest from the others first."""
        apart = np.flatnonzero((self.differences.apart != 0) | self.at_random)
        far = np.where(np.isnan(self.differences.value[apart]), 0, self.differences.value[apart])
        return np.asarray(apart[np.argsort(-np.abs(far), kind="stable")])

    def verdicts(self, place: int) -> tuple[str, ...]:
        """Return how a rater stands apart, in words; nothing if not at all."""
        side = {1: TOO_HIGH, -1: TOO_LOW}.get(int(self.differences.apart[place]))
        random = AGAINST if float(self.agreement_ends[1][place]) < 0 else AT_RANDOM
        return tuple(filter(None, (side or "", random if bool(self.at_random[place]) else "")))

    def profile(self, place: int) -> RaterProfile:
        """Return the profile of the rater at a place."""
        apart, (low, high) = self.differences, self.agreement_ends
        return RaterProfile(
            self.ratings.raters[place],
            int(self.marks[place]),
            int(self.shared_items[place]),
            as_score(
                "difference", apart.value[place], apart.low[place], apart.high[place], apart.error[place],
                level=self.level, undefined_when=ALONE,
            ),
            none_if_undefined(apart.p[place]),
            none_if_undefined(apart.p_adjusted[place]),
            as_score(
                AGREEMENT, self.agreement.value[0, place], low[place], high[place], self.agreement.error[0][0, place],
                level=self.level, undefined_when=ALONE,
            ),
            none_if_undefined(self.alpha_without[place]),
            self.verdicts(place),
        )  # fmt: skip


class MarksBesideOthers:
    """Each mark on an item that others marked too, with the marks of the others."""

    def __init__(self, ratings: Ratings) -> None:
        shared = np.flatnonzero(ratings.marks_of_pattern > 1)
        marks = marks_of(ratings, shared)
        self.scale = ratings.scale
        self.pattern, self.rater, self.mark = shared[marks.unit], marks.rater, marks.code
        self.count = ratings.count[self.pattern].astype(np.float64)
        self.shares = marks.shares[marks.others]  # of the others
        self.patterns = len(ratings.count)

    def differences(self, among_others: Array) -> tuple[Array, Array]:
        """Return each mark minus the mean of those of the others, and whether there are others.

        `among_others[rater]` says who counts as one of the others.
        """
        counts = among_others[self.rater].astype(np.float64)
        marked = counts * self.mark
        total = np.bincount(self.pattern, marked, self.patterns)[self.pattern] - marked
        size = np.bincount(self.pattern, counts, self.patterns)[self.pattern] - counts
        with np.errstate(all="ignore"):
            return np.asarray(self.mark - total / size), np.asarray(size > 0)

    def estimate(self, raters: int) -> Estimate:
        """Return the agreement of each rater with the shares of the others."""
        k = self.scale.k
        tables = np.stack(
            [
                np.bincount(
                    self.rater * k + self.mark, self.count * self.shares[:, g], raters * k
                ).reshape(raters, k)
                for g in range(k)
            ],
            axis=1,
        )
        return estimate_of_spread(
            tables,
            scorer_of((AGREEMENT,), self.scale),
            table=self.rater,
            spread=self.shares,
            column=self.mark,
            count=self.count,
        )


def differences_from_others(
    shared: MarksBesideOthers, tested: Array, alpha: float
) -> RaterDifferences:
    """Return how much higher each rater marks than the others, and who stands apart (Holm's correction, step by step).

    A rater who marks far too high makes all others look too low. So those who stand out most are named first, and then
    no longer counted among the others; those who are not `tested`, because they mark at random, never are. Fewer than
    half of the raters can stand apart.
    """
    raters, waiting = len(tested), tested.copy()
    means = np.full((5, raters), np.nan)
    p_adjusted, apart = np.full(raters, np.nan), np.zeros(raters, dtype=np.int64)
    reached, room = 0.0, (raters - 1) // 2 - int((~tested).sum())
    while True:
        means = np.where(apart == 0, mean_differences(shared, waiting), means)
        value, p = np.abs(means[0]), means[-1]
        corrected = np.maximum(adjusted(np.where(waiting, p, np.nan), "holm"), reached)
        p_adjusted = np.where(waiting, corrected, p_adjusted)
        with np.errstate(invalid="ignore"):
            size = np.where(waiting & (corrected <= alpha), value, 0.0)
        farthest = np.sort(size)[-max(1, raters // AT_ONCE)]
        chosen = (size > 0) & (size >= farthest - ties.TIE)
        if not 0 < chosen.sum() <= room:  # of several who are equally far out all, or none
            break
        apart = np.where(chosen, np.sign(means[0]), apart).astype(np.int64)
        reached = max(reached, float(p_adjusted[chosen].max()))
        waiting &= ~chosen
        room -= int(chosen.sum())
    value, centre, error, freedom, p = means
    reach = t_quantile(np.full(raters, 1 - alpha / 2), freedom) * error
    shown = np.where(np.isnan(centre), np.nan, value)  # the interval always holds the value
    low, high = np.fmin(centre - reach, shown), np.fmax(centre + reach, shown)
    return RaterDifferences(value, low, high, error, p, p_adjusted, apart)


def mean_differences(shared: MarksBesideOthers, among_others: Array) -> Array:
    """Return the mean difference of each rater from the others, its centre, error, degrees of freedom and p-value.

    The centre and what follows from it count two pseudo-items, one a class above the others and one a class below.
    """
    raters = len(among_others)
    difference, known = shared.differences(among_others)
    rater, count, difference = shared.rater[known], shared.count[known], difference[known]
    n, total, squares = (
        np.bincount(rater, weights, raters)
        for weights in (count, count * difference, count * difference**2)
    )
    larger, freedom = n + PSEUDO_ITEMS, np.maximum(n - 1, 1.0)
    with np.errstate(all="ignore"):
        value = np.where(n > 0, total / n, np.nan)
        centre = np.where(n > 1, total / larger, np.nan)  # a single item shows no variation
        variance = (squares + PSEUDO_ITEMS - larger * centre**2) / (larger - 1)
        error = np.sqrt(np.maximum(variance, 0.0) / larger)
        p = np.where(n > 1, t_two_sided(centre / error, freedom), np.nan)
    return np.stack([value, centre, error, freedom, p])


def alpha_without_each(ratings: Ratings) -> Array:
    """Return Krippendorff's alpha without each rater, by what the rater's marks change in the sums over items."""
    k, raters, parts = ratings.scale.k, len(ratings.raters), ("coincided",)
    pattern, rater, _ = ratings.each_mark()
    filled = ratings.mark < k
    slots = np.where(filled, ratings.rater.astype(np.int64) * k + ratings.mark, raters * k)[pattern]
    own = np.nonzero(filled)[1]  # the slot of each mark, which is emptied
    slots[np.arange(len(slots)), own] = raters * k
    left = Ratings.from_slots(ratings.scale, ratings.raters, np.sort(slots, axis=1).T)
    before, after = features_of(ratings, parts), features_of(left, parts)
    change = after.matrix[after.kind_of_pattern[left.named_items()[1]]]
    change -= before.matrix[before.kind_of_pattern[pattern]]
    count = ratings.count[pattern]
    less = [np.bincount(rater, count * column, raters) for column in change.T]
    sums = before.sums(np.maximum(before.count @ before.matrix + np.stack(less, axis=1), 0.0))
    return krippendorff_alpha.of_sums(sums, np.array(ratings.scale.values, dtype=np.float64))
