"""Find where to cut a score into classes: exactly where a measure is linear, else by moving cuts while that helps."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.places import Places
from ordeval.decide.rules import plain_rules
from ordeval.decide.search import BETTER, MOST_STEPS, Objective, best_first
from ordeval.inputs.rounding import middle
from ordeval.scale import Scale

MOST_TRIED = 50_000  # combinations of cuts up to which all are tried
MOST_PLACES = 512  # that a search looks at; what it finds is improved among all
FINER = 64  # times as many places, near the cuts that were found, when they are improved
MOST_DIRECTIONS = 729  # in which several cuts are shifted together
FEW_PLACES = 160  # up to which many starts cost nothing
MOST_OF_A_GRID = 4096  # combinations of few places from which a search begins
RANDOM_STARTS = 200
MANY_CLASSES = 20  # beyond, measures are not linearised, and moves end early
MOST_ROUNDS = 100  # of moves
ROUNDS_OF_MANY = 4  # the same for many classes
MOST_PROBED = 30  # classes up to which it is found out whether a measure is linear
MOST_NUMBERS = 250_000  # in tables that are scored together
BETTER_OF_MANY = 1e-6  # by which moves must improve cuts among many places to go on
POLISHED = 3  # starts that end in moves
POLISHED_OF_FEW = 16  # the same, of each kind of start, for few places


class FoundCuts(NamedTuple):
    """Cuts, as indices of places in order, and the measure of their table; larger is better."""

    value: float
    cuts: Array


class BestCuts(NamedTuple):
    """Points that cut a score, the table of the answers, and whether no other points would be better."""

    points: Array
    table: Array
    exact: bool


def best_cuts(objective: Objective, places: Places) -> BestCuts:
    """Return the points that serve a measure best on these items, never worse than rounding to the nearest value."""
    probed = places.cuts < MOST_PROBED
    worth = objective.worth_everywhere(places.gold) if probed else None
    few = combinations(len(places.number), places.cuts) <= MOST_TRIED
    if worth is not None:
        cuts = places.best_for(worth)
    elif few:
        every = every_combination(len(places.number), places.cuts)
        cuts = CutSearch(objective, places).best_of(every).cuts
    else:
        cuts = searched_cuts(objective, places)
    return BestCuts(places.points(cuts), places.tables(cuts), exact=worth is not None or few)


def searched_cuts(objective: Objective, places: Places) -> Array:
    """Return the best cuts that are found: of many places, some are searched, then those near what was found."""
    even = np.linspace(0, 1, places.cuts + 2)[1:-1]
    nearest = places.of_points(nearest_points(objective.scale))
    first = [nearest, places.of_gold_shares(), places.of_shares(even)]
    last = len(places.number) - 1
    gap = 1 + last // MOST_PLACES
    some = places.only(np.concatenate([np.arange(0, last, gap), *first]))
    cuts = CutSearch(objective, some).searched([some.of_number(one) for one in first]).cuts
    cuts = some.number[cuts]
    while gap > 1:
        wide, gap = 4 * gap, 1 + gap // FINER
        around = cuts[:, None] + np.arange(-wide, wide + 1, gap)
        some = places.only(np.append(around.clip(0, last), cuts))
        cuts = some.number[CutSearch(objective, some).improved(some.of_number(cuts)).cuts]
    return np.asarray(cuts)


def nearest_points(scale: Scale) -> Array:
    """Return the points from which the next class is the nearest, as scores are rounded to the values of the scale."""
    return np.array([middle(*pair) for pair in itertools.pairwise(scale.values)], dtype=np.float64)


@dataclass(frozen=True)
class CutSearch:
    """The search for the cuts that serve a measure best, among some places."""

    objective: Objective
    places: Places

    @property
    def many(self) -> bool:
        """Whether the classes are so many that work must be saved."""
        return self.places.cuts >= MANY_CLASSES

    def of(self, cuts: Array) -> FoundCuts:
        """Return cuts with their value."""
        return FoundCuts(float(self.objective(self.places.tables(cuts))), cuts)

    def best_of(self, every: Array) -> FoundCuts:
        """Return the best of every[combination, cut]; of equal ones, the first."""
        values = self.objective(self.places.tables(every))
        at = int(values.argmax())
        return FoundCuts(float(values[at]), every[at])

    def searched(self, first: list[Array]) -> FoundCuts:
        """Return the best cuts that are found from several starts, never worse than the first ones."""
        found = [*map(self.of, first), *self.from_rules(first)]
        if len(self.places.number) <= FEW_PLACES:
            kinds, polished = [found, self.of_grid(), self.from_anywhere()], POLISHED_OF_FEW
        else:
            kinds = [[*found, *self.from_anywhere()]]
            polished = 1 if self.many else POLISHED
        starts = [one for kind in kinds for one in best_first(kind)[:polished]]
        return max([self.moved(one) for one in starts], key=lambda one: one.value)

    def improved(self, cuts: Array) -> FoundCuts:
        """Return cuts that are at least as good as these, found by linearising the measure and by moves."""
        found = [self.of(cuts), *self.linearised(self.places.tables(cuts))]
        return self.moved(best_first(found)[0])

    def from_rules(self, first: list[Array]) -> Iterator[FoundCuts]:
        """Give the cuts that are best for plain rules, and for the measure as it is near several tables."""
        places, gold = self.places, self.places.gold
        rules = plain_rules(self.objective.scale).values()
        plain = [self.of(places.best_for(rule)) for rule in rules]
        yield from plain
        tables = [places.tables(cuts) for cuts in [*first, *(one.cuts for one in plain)]]
        for table in [*tables, np.diag(gold), np.outer(gold, gold / gold.sum())]:
            yield from self.linearised(table)

    def linearised(self, table: Array) -> Iterator[FoundCuts]:
        """Give cuts, each the best for the measure as it is near the table of those before, while they get better."""
        best = -np.inf
        for _ in range(0 if self.many else MOST_STEPS):  # each step scores K ** 2 tables and more
            worth = self.objective.worth_at(table)
            if worth is None:
                return
            found = self.of(self.places.best_for(worth))
            if found.value <= best + BETTER:
                return
            best, table = found.value, self.places.tables(found.cuts)
            yield found

    def from_anywhere(self) -> list[FoundCuts]:
        """Return cuts for which a right answer is worth more or less by class, and any answer something."""
        rng, k = np.random.default_rng(1), len(self.places.below)
        right = rng.dirichlet(np.ones(k), RANDOM_STARTS)[:, :, None] * np.eye(k)
        most = rng.random((RANDOM_STARTS, 1, 1)) / k
        gold = np.maximum(self.places.gold, 1e-9 * self.places.gold.sum())
        worths = (right + most * rng.random((RANDOM_STARTS, k, k))) / gold[:, None]
        return self.of_every(np.array([self.places.best_for(worth) for worth in worths]))

    def of_grid(self) -> list[FoundCuts]:
        """Return all combinations of a few places that are evenly spread."""
        few = len(self.places.number)
        while combinations(few, self.places.cuts) > MOST_OF_A_GRID:
            few -= 1
        grid = np.linspace(0, len(self.places.number) - 1, few).astype(np.intp)
        return self.of_every(grid[every_combination(few, self.places.cuts)])

    def of_every(self, every: Array) -> list[FoundCuts]:
        """Return every[combination, cut] with its value."""
        values = self.objective(self.places.tables(every)).tolist()
        return [FoundCuts(*one) for one in zip(values, every, strict=True)]

    def moved(self, best: FoundCuts) -> FoundCuts:
        """Return cuts that no move of one cut improves, which pushes others along, nor a shift of several cuts."""
        last = len(self.places.number) - 1
        most = max(32, MOST_NUMBERS // len(self.places.below) ** 2)
        everywhere = np.linspace(0, last, min(last + 1, most)).astype(np.intp)
        least = BETTER if last < FEW_PLACES else BETTER_OF_MANY
        for _ in range(ROUNDS_OF_MANY if self.many else MOST_ROUNDS):
            before = best
            for cut in range(self.places.cuts):
                best = better(best, self.best_of(pushed(best.cuts, cut, everywhere)))
            best = self.shifted(best)
            if best.value <= before.value + least:
                break
        return best

    def shifted(self, best: FoundCuts) -> FoundCuts:
        """Return cuts that no shift of some of them by the same number of places improves, the longest shifts first."""
        last = len(self.places.number) - 1
        shifts = directions(self.places.cuts)
        step = max(1, last // 4)
        while step:
            found = self.best_of(np.sort((best.cuts + step * shifts).clip(0, last), axis=-1))
            found = better(best, found)
            step = step if found is not best else step // 2
            best = found
        return best


def better(one: FoundCuts, other: FoundCuts) -> FoundCuts:
    """Return the other cuts if they are better by more than rounding."""
    return other if other.value > one.value + BETTER else one


def pushed(cuts: Array, cut: int, to: Array) -> Array:
    """Return cuts[move, cut] with one cut moved to each of some places, and others pushed along to stay in order."""
    to = to[:, None]
    return np.concatenate(
        [np.minimum(cuts[:cut], to), to, np.maximum(cuts[cut + 1 :], to)], axis=-1
    )


def directions(cuts: int) -> Array:
    """Return shifts[direction, cut] of -1, 0 and 1: all that there are, or, for many, of one cut or all from one on."""
    if 3**cuts <= MOST_DIRECTIONS:
        return np.array(list(itertools.product((-1, 0, 1), repeat=cuts)), dtype=np.intp)
    one, all_from = np.eye(cuts, dtype=np.intp), np.triu(np.ones((cuts, cuts), dtype=np.intp))
    return np.concatenate([one, all_from, -one, -all_from])


def combinations(places: int, cuts: int) -> int:
    """Return how many ways there are to put cuts at places, several at one place or not."""
    return math.comb(places + cuts - 1, cuts)


def every_combination(places: int, cuts: int) -> Array:
    """Return every[combination, cut]."""
    every = list(itertools.combinations_with_replacement(range(places), cuts))
    return np.array(every, dtype=np.intp).reshape(len(every), cuts)
