"""Bootstrap without items: a resample is a multinomial draw over the distinct patterns of answers.

For one system the patterns are the cells of its table, for several the distinct joint answers; either way a resample
costs as many draws as there are patterns, however many items there are. Random numbers are consumed one resample
after the other, so that cutting the work into pieces, which bounds the memory, changes no number.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.comparison.cells import Array, Scorer
from ordeval.errors import ParameterError
from ordeval.inputs.patterns import distinct_patterns
from ordeval.runs import Runs
from ordeval.stats.streams import Purpose, stream

Progress = Callable[[int, int], None] | None

RESAMPLES = ("items", "cases", "both")
ROOM = 4_000_000  # numbers held at a time in one piece of work: 32 MB, and a few times that in the measures
EXACT_IN_FLOAT32 = 2**24  # whole numbers up to here are exact, so the sum of a product of counts is


@dataclass(frozen=True)
class Patterns:
    """The patterns of one test case: how many items have each, and the cell that each system puts it in.

    `cell[system, pattern]` is gold * (K + 1) + answer.
    """

    count: Array
    cell: Array
    k: int

    @property
    def items(self) -> int:
        """The number of items."""
        return int(self.count.sum())

    @property
    def observed(self) -> Array:
        """The tables as they are: cells[system, gold, answer]."""
        return np.asarray(self.tables(self.count[None].astype(np.float64))[0])

    def draws(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Yield resamples as counts[resample, pattern], a piece at a time; `size` in all."""
        if not len(self.count):  # a case that lost its items to a policy
            yield np.zeros((size, 0))
            return
        order = np.argsort(
            self.count, kind="stable"
        )  # the last takes what rounding leaves, so let it be the largest
        back = np.argsort(order, kind="stable")
        share = self.count[order] / self.count.sum()
        wide = max(len(self.count), self.cell.shape[0] * self.k * (self.k + 1))
        step = max(1, ROOM // wide)
        for start in range(0, size, step):
            yield rng.multinomial(self.items, share, size=min(step, size - start))[:, back]

    def tables(self, draws: Array) -> Array:
        """Return cells[resample, system, gold, answer]: a product with the patterns' cells as zeros and ones."""
        systems, patterns = self.cell.shape
        width = self.k * (self.k + 1)
        small = draws.dtype.kind in "iu" and self.count.sum() < EXACT_IN_FLOAT32
        exact: Any = np.float32 if small else np.float64
        sums: Array = np.zeros((len(draws), systems * width), dtype=exact)
        place = self.cell + np.arange(systems)[:, None] * width
        step = max(1, 4 * ROOM // (systems * width))
        for start in range(0, patterns, step):
            part = place[:, start : start + step]
            ones: Array = np.zeros((part.shape[1], systems * width), dtype=exact)
            ones[np.arange(part.shape[1]), part] = 1
            sums += draws[:, start : start + step].astype(exact) @ ones
        return sums.reshape(len(draws), systems, self.k, self.k + 1).astype(np.float64)


def system_patterns(cells: Array) -> list[Patterns]:
    """Return, for each case, the patterns of one system: the cells of its table[case, gold, answer] that have items."""
    k = cells.shape[-2]
    flat = cells.reshape(len(cells), -1)
    used = [np.flatnonzero(row) for row in flat]
    return [Patterns(row[at], at[None], k) for row, at in zip(flat, used, strict=True)]


def joint_patterns(runs: Runs) -> list[Patterns]:
    """Return, for each case, the distinct joint answers of all systems.

    Runs from which systems were taken away may have patterns that are alike now; they are merged. They are numbered by
    the systems' names, so that no draw depends on the order in which the systems were given.
    """
    k, cases = runs.scale.k, max(len(runs.cases), 1)
    by_name = sorted(range(len(runs.systems)), key=lambda system: runs.systems[system])
    given = np.argsort(by_name)
    answers = runs.predicted[by_name]
    rows = np.concatenate([runs.case[None], runs.gold[None], answers]).astype(np.intp)
    limits = [cases, k, *[k + 1] * len(runs.systems)]
    (case, gold, *predicted), count = distinct_patterns(rows, limits, runs.count.astype(np.float64))
    cell = (gold * (k + 1) + np.stack(predicted))[given]
    there = [np.flatnonzero((case == at) & (count > 0)) for at in range(cases)]
    return [Patterns(count[at], cell[:, at], k) for at in there]


def resample_unit(asked: str | None, cases: int) -> str:
    """Return what is resampled: whole test cases where there are at least two, unless the user says otherwise."""
    if asked is None:
        return "cases" if cases > 1 else "items"
    if asked not in RESAMPLES:
        raise ParameterError(
            f"resample={asked!r} is no choice; it is one of {', '.join(RESAMPLES)}."
        )
    if asked != "items" and cases < 2:
        found = "one test case" if cases else "no test cases"
        raise ParameterError(
            f"resample={asked!r} needs at least two test cases; the data has {found}. Pass resample='items'."
        )
    return asked


@lru_cache(maxsize=2)  # every system asks for the same
def case_weights(seed: int, cases: int, size: int) -> Array:
    """Return how often each case is in each resample of the cases: weights[resample, case]."""
    weights = stream(seed, Purpose.CASES).multinomial(cases, np.full(cases, 1 / cases), size=size)
    weights.setflags(write=False)
    return weights


def means_of_cases(scores: Array, seed: int, size: int) -> Array:
    """Return the mean of scores[..., case] over the cases of each resample: a product, and no table is touched.

    It is undefined where a case without a score was drawn.
    """
    cases = scores.shape[-1]
    times = case_weights(seed, cases, size).T.astype(np.float64)
    lost = np.isnan(scores)
    if not lost.any():
        return np.asarray(scores @ times / cases)
    return np.where(lost @ times > 0, np.nan, np.where(lost, 0.0, scores) @ times / cases)


def resampled(
    patterns: Sequence[Patterns],
    scorer: Scorer,
    *,
    unit: str,
    size: int,
    seed: int,
    purpose: Purpose,
    progress: Progress = None,
) -> Array:
    """Return values[measure, system, resample]: the mean over cases of each resample, NaN where it is undefined.

    "items" resamples within each case, whose size stays; "cases" resamples whole cases, and needs only their scores;
    "both" resamples cases, and the items of each case as often as it was drawn.
    """
    cases, systems = len(patterns), len(patterns[0].cell)
    if unit == "cases":
        scores = np.stack([scorer(case.observed) for case in patterns], axis=-1)
        return means_of_cases(scores, seed, size)
    total = np.zeros((len(scorer.measures), systems, size))
    times = (
        case_weights(seed, cases, size) if unit == "both" else np.ones((size, cases), dtype=np.intp)
    )
    for at, case in enumerate(patterns):
        owner = np.repeat(
            np.arange(size), times[:, at]
        )  # the resample that each drawn copy of the case belongs to
        observed = case.observed
        done = 0
        for draws in case.draws(stream(seed, purpose, at), len(owner)):
            values = scorer(case.tables(draws), observed)
            add_by_owner(total, values, owner[done : done + len(draws)])
            done += len(draws)
            if progress is not None:
                progress(at * size + min(size, done), cases * size)
    return total / cases


def add_by_owner(total: Array, values: Array, owner: Array) -> None:
    """Add values[measure, drawn, system] to total[measure, system, resample], where one resample may own several.

    First the first copies, then the second ones, and so on: one after the other, so that pieces change no last digit.
    """
    starts = np.flatnonzero(np.diff(owner, prepend=-1))  # the owners come in ascending order
    copy = np.arange(len(owner)) - np.repeat(starts, np.diff(starts, append=len(owner)))
    for one in range(int(copy.max(initial=-1)) + 1):
        here = copy == one
        total[:, :, owner[here]] += np.moveaxis(values[:, here], 1, 2)
