"""Find the rule that serves a measure best: linearise the measure where it stands, then exchange answers."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from ordeval.aliases import Array
from ordeval.decide.rules import expected_table, in_normal_form, plain_rules
from ordeval.errors import NoItemsError
from ordeval.metrics.gradient import gradient
from ordeval.metrics.metric import Metric
from ordeval.scale import Scale
from ordeval.stats.chunks import chunks

FEW_ITEMS = 256  # up to which random starts cost nothing
MOST_SEARCHED = 1024  # items that every start looks at
MOST_POLISHED = 4096  # items that the best start is improved on; what it finds is tried on all
MOST_POINTS = 256  # tables that are tried along one exchange
MOST_STEPS = 30  # of linearising from one start
STEPS_OF_ALL = 2  # the same on all of many items
RANDOM_STARTS = 24
POLISHED = 3  # starts that end in exchanges
POLISHED_OF_FEW = 16  # the same for few items
BETTER = 1e-10  # by which a rule must be better to replace another one
BETTER_OF_MANY = 1e-5  # the same for many items, a part of which says no more
PROBES = 64  # tables of each kind that show whether a measure asks for the same rule everywhere
SAME = 1e-7  # the largest difference of rules, or of values, that derivatives may make by rounding
FLAT = 1e-9  # of the value: slopes below it are rounding
LINEARISED = 8  # of these, at which the measure is linearised
SEVERAL_CLASSES = (
    12  # more than which the worth of an answer is changed for all gold classes together
)
MANY_CLASSES = 20  # more than which the search is bounded: a slope takes 4 K ** 4 numbers, and there are K ** 2 moves
MOST_NUMBERS = 4e8  # that the slopes from one start may take, of many classes
FEW_NUMBERS = 1 << 14  # of tables that are scored together, as many as fit in a fast memory


class Found(NamedTuple):
    """A rule, and the measure of its expected table; larger is better."""

    value: float
    worth: Array
    exact: bool = False  # whether no rule is better


class WorthChange(NamedTuple):
    """A change of what one answer of a rule is worth, for one gold class, or for all (None)."""

    best: Found
    gold: int | None
    answer: int


@dataclass(frozen=True)
class Objective:
    """A measure to be served: of tables, larger is better, and -inf where it is undefined."""

    measure: Metric
    scale: Scale

    def __call__(self, tables: Array) -> Array:
        """Return the value of each table."""
        try:
            values = self.measure.compute(tables, self.scale.numbers)
        except NoItemsError:
            values = np.full(tables.shape[:-2], np.nan)
        return np.where(np.isnan(values), -np.inf, self.sign * values)

    @property
    def sign(self) -> float:
        """1 if the measure is better the greater it is, else -1."""
        return 1.0 if self.measure.greater_is_better else -1.0

    def measured(self, value: float) -> float:
        """Return the measure itself, of a value for which larger is better; NaN where it is undefined."""
        return self.sign * value if math.isfinite(value) else math.nan

    def worth_at(self, table: Array) -> Array | None:
        """Return the rule that the measure asks for near a table, in normal form; None if it is undefined there."""
        slope = gradient(self.measure, table, self.scale.numbers) * table.sum()
        if not np.isfinite(slope).all():
            return None
        if np.ptp(slope, axis=1).max() <= FLAT * abs(float(self(table))):
            return np.zeros(slope.shape)  # any answer is as good
        return in_normal_form(self.sign * slope)

    def worth_everywhere(self, gold: Array) -> Array | None:
        """Return the one rule that the measure asks for at every table with this gold, so that none is better.

        It is that of every measure that is linear in the table, given gold, or rises with such a one. None if the
        rules differ.
        """
        tables = gold[:, None] * probes(len(gold))
        if len(gold) > MANY_CLASSES:
            return self.worth_if_linear(gold, tables)
        worth = self.worth_at(tables[0])
        if worth is None:
            return None
        values = self(tables)
        if not np.isfinite(values).all():
            return None
        rising = np.diff(values[np.argsort((worth * tables).sum(axis=(-1, -2)))])
        if (rising < -SAME * np.abs(values).max()).any():
            return None
        others = [self.worth_at(table) for table in tables[1:LINEARISED]]
        same = all(one is not None and np.allclose(one, worth, atol=SAME) for one in others)
        return worth if same else None

    def worth_if_linear(self, gold: Array, tables: Array) -> Array | None:
        """Return the one rule that a measure asks for if it is linear between all tables with this gold; else None.

        The value halfway between two tables is then that between their values, and what an answer is worth is what it
        adds if all items of a gold class get it.
        """
        near, far = tables[:-1], tables[1:]
        values, halfway = self(tables), self((near + far) / 2)
        if not (np.isfinite(values).all() and np.isfinite(halfway).all()):
            return None
        between = (values[:-1] + values[1:]) / 2
        if np.abs(halfway - between).max() > FLAT * np.abs(values).max():
            return None
        k = len(gold)
        worth = np.zeros((k, k))
        for one in np.flatnonzero(gold):
            moved = np.repeat(tables[:1], k, axis=0)
            moved[:, one] = gold[one] * np.eye(k)
            worth[one] = self(moved) * (gold.sum() / gold[one])
        return in_normal_form(worth)


def probes(k: int) -> Array:
    """Return tables[table, gold, answer] of shares that show whether a measure asks for the same rule everywhere.

    Some are spread over all answers, some nearly sure; in some all items get the same answer, in some all of a class.
    """
    rng = np.random.default_rng(0)
    spread = [rng.dirichlet(np.full(k, one), (PROBES, k)) for one in (1.0, 0.1, 0.02)]
    one_answer = 0.98 * np.eye(k)[:, None].repeat(k, axis=1) + 0.02 / k
    by_class = np.eye(k)[rng.integers(k, size=(PROBES, k))]
    return np.concatenate([spread[0][:4], one_answer, *spread, by_class])


@dataclass(frozen=True)
class Search:
    """The items that a rule is made for: columns[class, item] of probabilities, and the same times the weights."""

    objective: Objective
    columns: Array
    weighted: Array

    @property
    def few(self) -> bool:
        """Whether the items are so few that nothing needs to be saved."""
        return bool(self.columns.shape[1] <= FEW_ITEMS)

    @property
    def better(self) -> float:
        """By how much a rule must be better to replace another one."""
        return BETTER if self.few else BETTER_OF_MANY

    @property
    def many_classes(self) -> bool:
        """Whether there are so many classes that the search must be bounded."""
        return len(self.columns) > MANY_CLASSES

    def of(self, worth: Array) -> tuple[Found, Array]:
        """Return a rule with its value, and its expected table."""
        table = expected_table(worth, self.columns, self.weighted)
        return Found(float(self.objective(table)), worth), table

    def thinned(self, most: int, rng: np.random.Generator) -> "Search":
        """Return the search over a random part of many items."""
        n = self.columns.shape[1]
        if n <= most:
            return self
        some = np.sort(rng.choice(n, most, replace=False, shuffle=False))
        columns = np.ascontiguousarray(self.columns[:, some])
        if self.weighted is self.columns:
            return Search(self.objective, columns, columns)
        return Search(self.objective, columns, np.ascontiguousarray(self.weighted[:, some]))

    def plain(self) -> dict[str, Found]:
        """Return the mode, the median and the rounded mean as rules, with their values."""
        rules = plain_rules(self.objective.scale)
        return {name: self.of(worth)[0] for name, worth in rules.items()}

    def best(self) -> Found:
        """Return the best rule that is found, never worse than mode, median and rounded mean."""
        every = [self.of(worth) for worth in plain_rules(self.objective.scale).values()]
        if self.many_classes:
            return self.best_of_many_classes(every)
        gold = self.weighted.sum(axis=1)
        share = gold / gold.sum()
        tables = [table for _, table in every]
        tables += [np.diag(gold), self.weighted @ self.columns.T, np.outer(gold, share)]
        found = [one for one, _ in every]
        for table in tables:
            found += self.linearised(table)
        if self.few:
            found += self.from_anywhere()
        starts = best_first(found)[: POLISHED_OF_FEW if self.few else POLISHED]
        return max(self.exchanged(starts), key=lambda one: one.value)

    def best_of_many_classes(self, plain: Sequence[tuple[Found, Array]]) -> Found:
        """Return the best rule that is found from two starts, or from one if a slope is costly, without exchanges."""
        steps = int(MOST_NUMBERS / (4 * len(self.columns) ** 4))
        _, table = max(plain, key=lambda one: one[0].value)
        found = [one for one, _ in plain] + list(self.linearised(table, max(2, steps)))
        if steps > 2:
            found += self.linearised(self.weighted @ self.columns.T, steps)
        return max(found, key=lambda one: one.value)

    def linearised(self, table: Array, steps: int = MOST_STEPS) -> Iterator[Found]:
        """Give rules, each the one that the measure asks for at the table of the rule before, while they get better."""
        best = -np.inf
        for _ in range(steps):
            worth = self.objective.worth_at(table)
            if worth is None:
                return
            found, table = self.of(worth)
            if found.value <= best + self.better:
                return
            best = found.value
            yield found

    def from_anywhere(self) -> list[Found]:
        """Return rules by chance: some in which a right answer is worth most, some that weigh the gold classes."""
        rng, k = np.random.default_rng(1), len(self.columns)
        every = [*(rng.random((RANDOM_STARTS, k, k)) + np.eye(k))]
        for worth in plain_rules(self.objective.scale).values():
            every += [*(rng.exponential(size=(RANDOM_STARTS, k, 1)) * worth)]
        rules = [in_normal_form(worth) for worth in every]
        tables = [expected_table(worth, self.columns, self.weighted) for worth in rules]
        return [*map(Found, self.objective(np.stack(tables)).tolist(), rules)]

    def exchanged(self, starts: Sequence[Found]) -> list[Found]:
        """Return for each start a rule that no change of the worth of one answer improves, for one gold class or all.

        The next changes of all starts are scored together, and each start takes the first that improves it.
        """
        k = len(self.columns)
        single = range(k if k <= SEVERAL_CLASSES else 0)
        moves = [(gold, answer) for answer in range(k) for gold in (None, *single)]
        numbers = self.columns.size * k  # of the tables along one move, or more
        ahead = max(1, min(k + 1, FEW_NUMBERS // (numbers * len(starts))))
        best, at, idle = list(starts), [0] * len(starts), [0] * len(starts)
        while going := [one for one, unmoved in enumerate(idle) if unmoved < len(moves)]:
            asked = [
                (one, WorthChange(best[one], *moves[(at[one] + step) % len(moves)]))
                for one in going
                for step in range(min(ahead, len(moves) - idle[one]))
            ]
            done = set[int]()
            for (one, _), moved in zip(asked, self.moved([move for _, move in asked]), strict=True):
                if one in done:
                    continue
                at[one] += 1
                idle[one] += 1
                if moved is not None:
                    best[one], idle[one] = moved, 0
                    done.add(one)
        return best

    def moved(self, moves: Sequence[WorthChange]) -> list[Found | None]:
        """Return the best rule along each move; None if none is better than the rule from which it starts."""
        numbers = self.columns.size * len(self.columns)
        return [
            moved
            for part in chunks(len(moves), most=max(1, FEW_NUMBERS // numbers))
            for moved in self.moved_together(moves[part])
        ]

    def moved_together(self, moves: Sequence[WorthChange]) -> Iterator[Found | None]:
        """Give the best rule along each of a few moves, whose tables are scored at once."""
        changes, tables = self.tables_along(moves)
        if not len(tables):
            yield from [None] * len(moves)
            return
        values, start = self.objective(tables), 0
        for move, some in zip(moves, changes, strict=True):
            own = values[start : start + len(some)]
            start += len(some)
            best, moved = move.best, None
            if len(own) and own[at := int(own.argmax())] > best.value + self.better:
                worth = best.worth.copy()
                worth[slice(None) if move.gold is None else move.gold, move.answer] += some[at]
                found = self.of(in_normal_form(worth))[0]
                moved = found if found.value > best.value + self.better else None
            yield moved

    def tables_along(self, moves: Sequence[WorthChange]) -> tuple[list[Array], Array]:
        """Return what each move may add to the worth of its answer, and the expected tables, those of all in a row.

        As the worth rises, items leave their best other answer for this one, each at its own point. There is a table
        before the first point, between two, and after the last.
        """
        columns, (k, n), each = self.columns, self.columns.shape, np.arange(len(moves))
        answer = np.array([move.answer for move in moves])
        expected = np.stack([move.best.worth.T @ columns for move in moves])
        own = expected[each, answer]
        expected[each, answer] = -np.inf
        other = expected.argmax(axis=1)
        lead = expected.max(axis=1) - own
        all_alike = np.ones(n)
        share = np.stack([all_alike if one.gold is None else columns[one.gold] for one in moves])
        with np.errstate(all="ignore"):
            points = np.where(share > 0, lead / share, np.where(lead > 0, np.inf, -np.inf))
        changes = [changes_between(one) for one in points]
        ends = np.cumsum([len(one) + 1 for one in changes])
        # the first change at which an item has left; those that never leave are beyond the last
        left = np.stack([np.searchsorted(*both) for both in zip(changes, points, strict=True)])
        left[1:] += ends[:-1, None]
        cell, place = (left * k + other).ravel(), (other + k * each[:, None]).ravel()
        weighted = [np.tile(row, len(moves)) if len(moves) > 1 else row for row in self.weighted]
        leaving = np.stack(
            [np.bincount(cell, row, ends[-1] * k).reshape(-1, k) for row in weighted], axis=1
        )  # [change, gold, other answer]
        before = np.stack([np.bincount(place, row, len(moves) * k) for row in weighted])
        tables = []
        for at, (move, end) in enumerate(zip(moves, ends.tolist(), strict=True)):
            gone = leaving[end - 1 - len(changes[at]) : end - 1].cumsum(axis=0)
            kept = before[:, at * k : at * k + k] - gone
            np.maximum(kept, 0.0, out=kept)
            kept[:, :, move.answer] = gone.sum(axis=2)
            tables.append(kept)
        return changes, np.concatenate(tables) if len(moves) > 1 else tables[0]


def changes_between(points: Array) -> Array:
    """Return a change of worth before the first point, one between any two, and one after the last.

    Of very many points some are left out. Without a finite point there is none.
    """
    points = np.sort(points[np.isfinite(points)])
    if not len(points):
        return points
    points = points[np.append(True, points[1:] != points[:-1])]
    if len(points) > MOST_POINTS:
        points = points[np.linspace(0, len(points) - 1, MOST_POINTS).astype(np.intp)]
    apart = (points[-1] - points[0]) or 1.0
    between = (points[1:] + points[:-1]) / 2
    return np.concatenate([[points[0] - apart / 8], between, [points[-1] + apart / 8]])


class Valued(Protocol):
    """Something that was found, with its value."""

    @property
    def value(self) -> float:
        """The value; larger is better."""


Finding = TypeVar("Finding", bound=Valued)


def best_first(found: Iterable[Finding]) -> list[Finding]:
    """Return the best first; of those with equal values, only the first."""
    ordered = sorted(found, key=lambda one: -one.value)
    return [
        one
        for at, one in enumerate(ordered)
        if not at or one.value < ordered[at - 1].value - BETTER
    ]


def best_rule(
    objective: Objective, columns: Array, weighted: Array, plain: Mapping[str, Found] | None = None
) -> Found:
    """Return the best rule for all items; of many items, a part is searched, and the result improved on all.

    `plain` are the plain rules with their values for these items, if they are known.
    """
    whole = Search(objective, columns, weighted)
    exact = objective.worth_everywhere(weighted.sum(axis=1))
    if exact is not None:
        return whole.of(exact)[0]._replace(exact=True)
    rng = np.random.default_rng(0)
    part = whole.thinned(MOST_SEARCHED, rng)
    found = part.best()
    if part is whole:
        return found
    if not whole.many_classes:
        larger = whole.thinned(MOST_POLISHED, rng)
        (found,) = larger.exchanged([larger.of(found.worth)[0]])
    best, table = whole.of(found.worth)
    better = list(whole.linearised(table, STEPS_OF_ALL))
    plain = whole.plain() if plain is None else plain
    return max([best, *better, *plain.values()], key=lambda one: one.value)
