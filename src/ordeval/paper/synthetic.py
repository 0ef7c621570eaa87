"""The left half of table 3 on any number of seeds, and which way to decide the paper's open points comes nearest."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from ordeval.aliases import Progress
from ordeval.meta.ranking import Array, pairs_of
from ordeval.meta.resamples import coverage_of
from ordeval.meta.unanimity import unanimous
from ordeval.meta.values import mean_of_defined, read_values
from ordeval.paper.printed import MEASURES, SYNTHETIC_COLUMNS, TABLE3
from ordeval.progress import each
from ordeval.simulate import paper as paper_collection
from ordeval.vocabulary import DEFAULT_REFERENCE

SUSPECTS = ("macro_mae", "mse")  # the two rows that SEMANTICS.md asks to test
ENDS, ERRORS = ("keep", "last"), ("bernoulli", "exact")


def printed_left() -> Array:
    """Return the printed left half: [measure, column]."""
    return np.array([[TABLE3[name][column] for column in SYNTHETIC_COLUMNS] for name in MEASURES])


def left_half(
    seed: int,
    *,
    end: str = "keep",
    errors: str = "bernoulli",
    spread: str = "even",
    undefined: str = "omit",
) -> Array:
    """Make the collection of one seed and return the coverage of every measure in every column: [measure, column]."""
    table = paper_collection(seed, end=end, errors=errors, spread=spread)
    scored = read_values(table, list(MEASURES), undefined=undefined)
    ratio = unanimous(scored.take(DEFAULT_REFERENCE)).mean(axis=-1)[0]
    means = mean_of_defined(scored.values)[:, 0]
    kind = np.array([str(name).split()[0] for name in scored.systems])
    first, second = pairs_of(len(kind))
    columns = []
    for left_out in SYNTHETIC_COLUMNS.values():
        kept = kind != left_out
        columns.append(coverage_of(means[:, kept], ratio[kept[first] & kept[second]]))
    return np.stack(columns, axis=1)


@dataclass(frozen=True)
class Choice:
    """One way of deciding the open points, and how far from the printed half it lies on average."""

    end: str
    errors: str
    undefined: str
    as_printed: float  # mean absolute difference over all 90 numbers
    exchanged: float  # the same with the two suspect rows exchanged
    spread: float  # standard deviation of as_printed over seeds


def distance(ours: Array, printed: Array) -> Array:
    """Return the mean absolute difference from the printed half, over the last two axes."""
    return np.asarray(np.abs(ours - printed).mean(axis=(-1, -2)))


def swapped(printed: Array, a: int, b: int) -> Array:
    """Return the printed half with two rows exchanged."""
    other = printed.copy()
    other[[a, b]] = other[[b, a]]
    return other


def choices(
    seeds: Iterable[int],
    undefined: Iterable[str] = ("omit", "zero", "lowest"),
    progress: Progress = None,
) -> tuple[Choice, ...]:
    """Try the four ways to decide the two open points, and on the nearest each rule for undefined values."""
    seeds, rules = list(seeds), list(undefined)
    printed, names = printed_left(), list(MEASURES)
    exchanged = swapped(printed, *(names.index(name) for name in SUSPECTS))

    ways = list(product(ENDS, ERRORS))
    steps = each(range(len(ways) + len(rules) - 1), progress)

    def tried(end: str, errors: str, rule: str) -> Choice:
        _, step = next(steps)
        settings = {"end": end, "errors": errors, "undefined": rule}
        ours = np.stack([left_half(seed, **settings) for seed, _ in each(seeds, step)])
        by_seed, mean = distance(ours, printed), ours.mean(axis=0)
        return Choice(
            end,
            errors,
            rule,
            as_printed=float(distance(mean, printed)),
            exchanged=float(distance(mean, exchanged)),
            spread=float(by_seed.std(ddof=1)) if len(seeds) > 1 else float("nan"),
        )

    nearest, *others = sorted(
        (tried(end, errors, rules[0]) for end, errors in ways),
        key=lambda choice: choice.as_printed,
    )
    by_rule = [tried(nearest.end, nearest.errors, rule) for rule in rules[1:]]
    return (nearest, *others, *by_rule)


@dataclass(frozen=True)
class Exchange:
    """How the sum of absolute differences changes when two printed rows are exchanged."""

    a: str
    b: str
    before: float  # over the two rows and all columns
    after: float
    least_gain: float  # over the seeds
    greatest_gain: float

    @property
    def gain(self) -> float:
        """By how much the differences shrink."""
        return self.before - self.after


def exchanges(ours: Array, exchanged: tuple[str, str] | None = None) -> tuple[Exchange, ...]:
    """Try every exchange of two printed rows against ours[seed, measure, column], the greatest gain first.

    `exchanged` names two rows that are exchanged before any other exchange is tried.
    """
    printed, names = printed_left(), list(MEASURES)
    if exchanged is not None:
        printed = swapped(printed, *(names.index(name) for name in exchanged))
    # cost[seed, ours, printed]: how far our row lies from each printed row
    cost = np.abs(ours[:, :, None, :] - printed[None, None]).sum(axis=-1)
    mean = np.abs(ours.mean(axis=0)[:, None, :] - printed[None]).sum(axis=-1)
    tried = []
    for a, b in combinations(range(len(names)), 2):
        gains = cost[:, a, a] + cost[:, b, b] - cost[:, a, b] - cost[:, b, a]
        before, after = float(mean[a, a] + mean[b, b]), float(mean[a, b] + mean[b, a])
        tried.append(
            Exchange(names[a], names[b], before, after, float(gains.min()), float(gains.max()))
        )
    return tuple(sorted(tried, key=lambda one: -one.gain))
