"""Whether a measure ranks the systems in the same order on other data, from random halves of the test cases."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Progress
from ordeval.errors import DataError
from ordeval.meta.per_measure import PerMeasure, spread_over_splits
from ordeval.meta.ranking import Array, pairs_of, quotient, systems_drawn, weighted_means
from ordeval.meta.resamples import read_amount, read_level
from ordeval.meta.values import asked, mean_of_defined, read_values
from ordeval.progress import each
from ordeval.stats.chunks import chunks
from ordeval.stats.streams import read_generator
from ordeval.ties import TIE

PAIRS_AT_A_TIME = 64  # so that their orders on all halves stay in a core's cache


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SwapRate(PerMeasure):
    """The share of system pairs whose order on one half of the test cases is reversed on the other half.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.split_halves(made.runs, ["cem_ord"], splits=20, resamples=0).swap_rate
    SwapRate(cem_ord=0.132 best of 1 measures, splits=20)
    """

    kind = "swap_rate"
    called = "swap rate"
    default_over = "systems"
    limits = (0.0, 1.0)
    greater_is_better = False
    settings = ("splits", "level", "systems", "cases", "repeats", "undefined")
    in_repr = ("splits",)

    splits: int  # random halvings; `spread` is over them


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankingSimilarity(PerMeasure):
    """The mean of Kendall's tau-b between the rankings of the systems on two halves of the test cases.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> oe.meta.split_halves(
    ...     made.runs, ["cem_ord"], splits=20, resamples=0
    ... ).ranking_similarity
    RankingSimilarity(cem_ord=0.736 best of 1 measures, splits=20)
    """

    kind = "ranking_similarity"
    called = "ranking similarity"
    default_over = "systems"
    settings = ("splits", "level", "systems", "cases", "repeats", "undefined")
    in_repr = ("splits",)

    splits: int  # random halvings; `spread` is over them


class SplitHalves(NamedTuple):
    """The results of random halves of the test cases, for each measure.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> halves = oe.meta.split_halves(made.runs, ["cem_ord"], splits=20, resamples=0)
    >>> round(halves.ranking_similarity["cem_ord"], 3)
    0.736
    """

    swap_rate: SwapRate  # how often the halves swap two systems
    ranking_similarity: RankingSimilarity  # how similarly they rank all systems


def split_halves(
    data: Any,
    metrics: Any = None,
    *,
    splits: int = 1000,
    parts: int = 10,
    repeats: int = 10,
    resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
    progress: Progress = None,
) -> SplitHalves:
    """Return how often two halves of the test cases swap two systems, and how similarly they rank all of them.

    The cases are halved at random, `splits` times. The swap rate (Voorhees and Buckley 2002) is the share of pairs in
    opposite orders on the two halves, where a tie is no swap; the ranking similarity (Sakai 2021, who calls it system
    ranking consistency) is the mean of Kendall's tau-b between the two rankings. The intervals draw the systems again,
    and `resamples=0` leaves them out.

    >>> made = oe.simulate.collection(labels=3, cases=6, items=40, ratios=[0.2, 0.6])
    >>> halves = oe.meta.split_halves(made.runs, ["cem_ord"], splits=20, resamples=0)
    >>> halves.swap_rate
    SwapRate(cem_ord=0.132 best of 1 measures, splits=20)
    """
    read_amount(splits, "splits", 1)
    read_amount(resamples, "resamples", 0)
    read_level(level)
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    names = asked(scored, metrics)
    cases, systems = len(scored.cases), len(scored.systems)
    if cases < 2:
        raise DataError(
            "there is only one test case; it cannot be halved. Without test cases, items are divided into parts."
        )
    halves = random_halves(cases, splits, generator)
    mass = systems_drawn(systems, resamples, generator)
    swapped, alike, swapped_drawn, alike_drawn = compare_halves(
        scored.take(names), halves, mass, progress=progress
    )
    shared: dict[str, Any] = {
        "metrics": names, "level": level, "splits": splits, **scored.shape(names)
    }  # fmt: skip
    return SplitHalves(
        SwapRate(
            values=mean_of_defined(swapped),
            spread=spread_over_splits(swapped),
            draws={"systems": swapped_drawn} if resamples else {},
            **shared,
        ),
        RankingSimilarity(
            values=mean_of_defined(alike),
            spread=spread_over_splits(alike),
            draws={"systems": alike_drawn} if resamples else {},
            **shared,
        ),
    )


def compare_halves(
    values: Array, halves: Array, mass: Array, *, progress: Progress = None
) -> tuple[Array, Array, Array, Array]:
    """Return the swap rate and tau-b of each halving, and both under mass[pair, resample] over all halvings.

    They are [measure, halving] and [measure, resample], from values[measure, cut, system, case]: where the cases are
    random parts, the halvings use the cuts in turn.
    """
    measures, _, systems, _ = values.shape
    by_halving, by_pair = [], []
    parts = list(chunks(measures, numbers=halves[..., 0].size * systems))
    for part, of_part in each(parts, progress):
        for means, _ in each(list(means_on_halves(values[part], halves)), of_part):
            of_halvings, of_pairs = order_counts(means)
            by_halving.append(of_halvings)
            by_pair.append(of_pairs)
    # Drawn systems are weights on the pairs. Sums over all halvings are taken first: without ties the same as a mean.
    return *rates(np.stack(by_halving, axis=1)), *rates(np.stack(by_pair, axis=1) @ mass)


def means_on_halves(values: Array, halves: Array) -> Array:
    """Return the means of values[measure, cut, system, case] on the halves: [measure, system, half, halving]."""
    measures, cuts, systems, _ = values.shape
    means = np.empty((measures, systems, *halves.shape[:2]))
    for cut in range(cuts):
        some = halves[:, cut::cuts]
        on_cut = weighted_means(values[:, cut], some.reshape(-1, some.shape[-1]))
        means[..., cut::cuts] = on_cut.reshape(measures, systems, *some.shape[:2])
    return means


def order_counts(means: Array) -> tuple[Array, Array]:
    """Count how the halves order the pairs of systems, by halving and by pair, from means[system, half, halving].

    The counts are those of swaps, of pairs with a mean on both halves, of pairs in the same order minus swaps, and of
    pairs that the first and the second half order.
    """
    first, second = pairs_of(len(means))
    by_halving, by_pair = np.zeros((5, means.shape[2])), np.zeros((5, len(first)))
    for part in chunks(len(first), most=PAIRS_AT_A_TIME):
        change = means[first[part]] - means[second[part]]  # [pair, half, halving]
        orders = (change >= TIE).astype(np.int8) - (change <= -TIE)
        known = ~np.isnan(change).any(axis=1)  # on both halves
        orders *= known[:, None]
        product = orders[:, 0] * orders[:, 1]
        ranked = np.abs(orders)
        for at, one in enumerate((product < 0, known, product, ranked[:, 0], ranked[:, 1])):
            by_halving[at] += one.sum(axis=0, dtype=np.float64)
            by_pair[at, part] = one.sum(axis=1, dtype=np.float64)
    return by_halving, by_pair


def rates(counts: Array) -> tuple[Array, Array]:
    """Return the swap rate and tau-b from the counts of `order_counts`."""
    swaps, pairs, agreed, one, other = counts
    return quotient(swaps, pairs), quotient(agreed, np.sqrt(one * other))


def random_halves(cases: int, splits: int, rng: np.random.Generator) -> Array:
    """Return which cases are in the first and in the second half, [half, split, case]; an odd one is in neither."""
    shuffled = rng.permuted(np.broadcast_to(np.arange(cases), (splits, cases)), axis=1)
    size = cases // 2
    halves = np.zeros((2, splits, cases))
    np.put_along_axis(halves[0], shuffled[:, :size], 1.0, axis=1)
    np.put_along_axis(halves[1], shuffled[:, size : 2 * size], 1.0, axis=1)
    return halves
