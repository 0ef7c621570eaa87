"""The jackknife: how much each unit of a sample, an item or a test case, contributes to a score.

A score minus the score without a unit is the unit's influence. The variance of a score, of a difference of two scores,
and how differences vary together all follow from the influences, with no resampling. Leaving any one item out of a
table gives as many different tables as it has used cells, so that there is no loop over items.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from ordeval.aliases import Array
from ordeval.stats.bootstrap import CasePatterns, Patterns, merged, scores_of_cases
from ordeval.stats.chunks import chunks
from ordeval.stats.pseudo_items import pseudo_effect
from ordeval.stats.score_function import ScoreFunction
from ordeval.stats.soft_patterns import SoftPatterns
from ordeval.stats.streams import Purpose, stream
from ordeval.threads import ahead

MASSES = (1.0, 2.0)  # pseudo-items of the two intervals whose outer ends are taken
GROUPS = 200
MOST_CLASSES = 40  # beyond, the pseudo-items of a table are taken together


@dataclass(frozen=True)
class Estimate:
    """Scores[measure, system] as estimates.

    `centre` and `error` [mass, measure, system] are the score and its standard error with 1 and with 2 pseudo-items,
    `plain` [measure, system] its standard error without any, `pseudo` the variance that 2 of them add to a difference,
    and `units` the number of items or test cases.
    """

    value: Array
    centre: Array
    error: Array
    plain: Array
    pseudo: Array
    units: Array

    def of_systems(self, which: slice) -> "Estimate":
        """Return the estimates of some of the systems."""
        return Estimate(*(getattr(self, part.name)[..., which] for part in fields(self)))


@dataclass(frozen=True)
class ItemSample:
    """A sample of units that contribute to one score: items, or whole test cases of a pooled score.

    `influence[measure, system, place]`; `place[system, unit]` says where a unit's influence stands, and None that it
    stands at its own number.
    """

    estimate: Estimate
    influence: Array
    place: Array | None
    count: Array  # [unit]: how many items are alike
    square: Array  # [unit]: the sum of their squared weights
    units: float  # their effective number
    alike: Array  # [system]: systems that answer everything alike have the same number

    def contributions(self, m: int, part: slice = slice(None)) -> Array:
        """Return what each unit contributes to the score by measure m: they add up to it."""
        influence = self.influence[m]
        if self.place is not None:
            influence = np.take_along_axis(influence, self.place[:, part], axis=-1)
        else:
            influence = influence[:, part]
        n = self.units
        return np.asarray(
            influence * ((n - 1) / n) + self.estimate.value[m][:, None] / self.count.sum()
        )

    def moments(self, m: int) -> Array:
        """Return the sums of squares and products of the contributions of all systems: [system, system]."""
        systems, units = len(self.estimate.value[m]), len(self.count)
        total = np.zeros((systems, systems))
        for part in chunks(units, numbers=systems):
            some = self.contributions(m, part)
            total += (some * self.square[part]) @ some.T
        return total


@dataclass(frozen=True)
class CaseTables:
    """The tables observed[system, gold, answer] of one test case, if the joint answers of the systems are not known."""

    observed: Array
    weight: Array | float = 1.0  # of one effective item, for each system; 1 without weights


@dataclass(frozen=True)
class CaseSample:
    """A sample of test cases whose scores are averaged: scores[measure, system, case], NaN where undefined."""

    estimate: Estimate
    scores: Array


@dataclass(frozen=True)
class IndependentSamples:
    """Samples of their own, one for each system: nothing is paired."""

    estimate: Estimate


Sample = ItemSample | CaseSample | IndependentSamples


def item_sample(
    patterns: Sequence[Patterns], score: ScoreFunction, scores: Array | None = None
) -> ItemSample:
    """Return the sample of the items: of one table, or of several cases whose scores are averaged.

    `scores[measure, system, case]` are those of the cases, if undefined ones count as something; NaN ones are left out.
    """
    if scores is None:
        scores = scores_of_cases(patterns, score)
    defined = ~np.isnan(scores)
    value, cases = mean_where(scores, defined), np.maximum(defined.sum(axis=-1), 1)[..., None]
    start = 0
    influences, places, variances = [], [], []
    grouped = sum(case.leaving_out for case in patterns) > 1
    for case in patterns:
        if grouped:
            influence = without_groups(case, score) / cases
            variances.append((influence**2).sum(axis=-1))
        else:
            influence, place, square = influence_of_items(case, score)
            influence = influence / cases
            places.append(place + start)
            variances.append(summed(influence**2 * square))
            start += influence.shape[-1]
            # by the weight of an item, not by its weight in the table
            if case.factor is not None and isinstance(case, CasePatterns):
                influence = influence * case.factor[:, None]
        influences.append(influence)
    influence = np.concatenate(influences, axis=-1)
    units = sum(case.effective for case in patterns)
    by_cell = len(patterns) == 1 and not grouped and patterns[0].k <= MOST_CLASSES
    effects = pseudo_effects(patterns, score, by_cell=by_cell)
    plain = plain_error(np.sum(variances, axis=0), units)
    estimate = with_pseudo_items(value, plain, effects, np.full(value.shape, units), units)
    if grouped:
        one = np.ones(influence.shape[-1])
        return ItemSample(estimate, influence, None, one, one, float(len(one)), alike(patterns))
    count = np.concatenate([case.count for case in patterns])
    square = np.concatenate([case.squares for case in patterns])
    place = np.concatenate(places, axis=-1)
    return ItemSample(estimate, influence, place, count, square, units, alike(patterns))


def pooled_sample(patterns: Sequence[Patterns], score: ScoreFunction) -> ItemSample:
    """Return the sample of whole test cases whose items are scored together: one case is left out at a time."""
    tables = np.stack([case.observed for case in patterns])
    total = tables.sum(axis=0)
    value, cases = score(total), len(patterns)
    without = np.concatenate(
        [score(total - tables[part], total) for part in chunks(cases, numbers=total.size)], axis=1
    )
    influence = centred(value[..., None] - np.moveaxis(without, 1, -1))
    whole = merged(patterns)
    by_cell = whole.leaving_out <= 1 and whole.k <= MOST_CLASSES
    effects = pseudo_effects([CaseTables(total, whole.weight)], score, by_cell=by_cell)
    plain = plain_error((influence**2).sum(axis=-1), cases)
    estimate = with_pseudo_items(value, plain, effects, np.full(value.shape, float(cases)))
    one = np.ones(cases)
    return ItemSample(estimate, influence, None, one, one, float(cases), alike(patterns))


def case_sample(
    patterns: Sequence[Patterns | CaseTables], score: ScoreFunction, scores: Array
) -> CaseSample:
    """Return the sample of test cases with scores[measure, system, case] that are averaged, undefined ones left out."""
    defined = ~np.isnan(scores)
    cases = defined.sum(axis=-1)
    value = mean_where(scores, defined)
    plain = error_of_mean(scores, defined, value)
    effects = pseudo_effects(patterns, score, by_cell=False)
    estimate = with_pseudo_items(value, plain, effects, cases.astype(np.float64))
    return CaseSample(estimate, scores)


def independent_samples(samples: Sequence[Sample]) -> IndependentSamples:
    """Return samples of one system each as samples that share nothing."""
    parts = [sample.estimate for sample in samples]
    return IndependentSamples(
        Estimate(
            *(
                np.concatenate([getattr(part, name) for part in parts], axis=-1)
                for name in (field.name for field in fields(Estimate))
            )
        )
    )


def alike(patterns: Sequence[Patterns]) -> Array:
    """Return a number for each system that depends on its answers alone, not on the order of the systems."""
    cells = np.concatenate([case.places for case in patterns], axis=-1)
    keys = [row.astype(">u8").tobytes() for row in cells]  # whose order is that of the numbers
    number = {key: at for at, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.intp)


def summed(numbers: Array) -> Array:
    """Return sums over the last axis, added one after the other: zeros among the numbers change no rounding.

    A system's error is then the same whether or not other systems use cells that it does not use.
    """
    if not numbers.shape[-1]:  # a test case without items
        return np.zeros(numbers.shape[:-1])
    return np.asarray(np.add.accumulate(numbers, axis=-1)[..., -1])


def mean_where(scores: Array, known: Array) -> Array:
    """Return the means over the last axis of the scores that are known; NaN where there is none."""
    with np.errstate(all="ignore"):
        return np.asarray(np.where(known, scores, 0.0).sum(axis=-1) / known.sum(axis=-1))


def error_of_mean(scores: Array, known: Array, mean: Array) -> Array:
    """Return the standard error of the mean of the scores that are known; NaN if there are fewer than two."""
    cases = known.sum(axis=-1)
    with np.errstate(all="ignore"):
        squares = np.where(known, scores - mean[..., None], 0.0) ** 2
        variance = squares.sum(axis=-1) / (cases * (cases - 1.0))
    return np.asarray(np.sqrt(np.where(cases > 1, variance, np.nan)))


def centred(influence: Array) -> Array:
    """Return influences[..., unit] that add up to 0; a unit without which a score is undefined has none."""
    known = np.isfinite(influence)
    mean = mean_where(influence, known)
    return np.where(known, influence - mean[..., None], 0.0)


def without_groups(case: Patterns, score: ScoreFunction) -> Array:
    """Return influence[measure, system, group] of groups of items, where single items would be too many."""
    observed = case.observed
    value = score(observed)
    items = np.maximum(np.rint(case.count**2 / case.squares), 1.0).astype(np.int64)
    share = case.count / items
    if isinstance(case, SoftPatterns) and (items == 1).all():
        group = stream(0, Purpose.ITEMS).permutation(len(items)) % GROUPS
        without = score(case.without_groups(group, GROUPS), observed)
        return centred(value[..., None] - np.moveaxis(without, 1, -1))
    dealt = groups_of_items(items, numbers=observed.size)
    tables = (case.tables(case.count - part * share) for part in dealt)
    left = [score(part, observed) for part in ahead(tables, case.k * (case.k + 1))]
    return centred(value[..., None] - np.moveaxis(np.concatenate(left, axis=1), 1, -1))


def influence_of_items(case: Patterns, score: ScoreFunction) -> tuple[Array, Array, Array]:
    """Return influence[measure, system, place] of one item, where each system's patterns stand, and squared weights.

    Hard answers share the cells of a table, and one item of each cell is left out; of soft ones, one of each pattern.
    """
    if isinstance(case, SoftPatterns):
        return *case.without_one(score), np.broadcast_to(case.squares, case.answer.shape)
    assert isinstance(case, CasePatterns)  # noqa: S101 - there is no third kind
    used, influence = without_one(case.observed, score, case.observed)
    return influence, np.searchsorted(used, case.cell), case.square_cells[:, used]


def groups_of_items(items: Array, *, numbers: int) -> Iterator[Array]:
    """Yield dealt[group, pattern], some groups at a time: how many of each pattern's items each group has.

    They are dealt out at random, always in the same way; `numbers` is how many numbers each group asks for besides.
    """
    rng, remaining = stream(0, Purpose.ITEMS), items.copy()
    for part in chunks(GROUPS, numbers=numbers + len(items)):
        dealt = np.empty((part.stop - part.start, len(items)), dtype=np.int64)
        for row, group in enumerate(range(part.start, part.stop)):
            dealt[row] = rng.binomial(remaining, 1 / (GROUPS - group))
            remaining -= dealt[row]
        yield dealt


def without_one(cells: Array, score: ScoreFunction, observed: Array) -> tuple[Array, Array]:
    """Return the cells that any table uses, and influence[measure, table, cell] of one item in each of them.

    The influence is centred: over all items it adds up to 0. An item without which a score is undefined has none, as
    has a cell that a table does not use.
    """
    tables, k = len(cells), cells.shape[-2]
    flat = cells.reshape(tables, -1)
    used = np.flatnonzero(flat.any(axis=0))
    value = score(cells, observed)
    influence = np.zeros((len(value), tables, len(used)))
    count = flat[:, used]
    table, place = np.nonzero(count > 0)
    for part in chunks(len(table), numbers=flat.shape[1]):
        of, cell = table[part], place[part]
        amount = np.minimum(count[of, cell], 1.0)
        changed = flat[of]
        changed[np.arange(len(of)), used[cell]] -= amount
        left = score(np.maximum(changed, 0.0).reshape(-1, k, k + 1), observed[of])
        with np.errstate(all="ignore"):
            influence[:, of, cell] = (value[:, of] - left) / amount
    influence = np.where(np.isfinite(influence), influence, 0.0)
    if not len(used):
        return used, influence
    mean = summed(influence * count)[..., None] / count.sum(axis=-1)[:, None]
    return used, np.where(count > 0, influence - mean, 0.0)


def pseudo_effects(
    cases: Sequence[Patterns | CaseTables], score: ScoreFunction, *, by_cell: bool
) -> tuple[Array, Array]:
    """Return by how much one pseudo-item changes the scores, and the square of that, both [case, measure, system]."""
    systems, parts = len(cases[0].observed), []
    for part in chunks(len(cases), numbers=cases[0].observed.size):
        tables = np.concatenate([case.observed for case in cases[part]])
        weight = np.concatenate([np.broadcast_to(case.weight, (systems,)) for case in cases[part]])
        effect = pseudo_effect(tables, score, weight, by_cell=by_cell)
        parts.append([np.moveaxis(side.reshape(len(side), -1, systems), 1, 0) for side in effect])
    mean, square = (np.concatenate(side) for side in zip(*parts, strict=True))
    return mean, square


def with_pseudo_items(
    value: Array,
    plain: Array,
    effects: tuple[Array, Array],
    units: Array,
    items: float | Array = np.inf,
) -> Estimate:
    """Return the estimate of scores with their errors, from the `pseudo_effects` of the cases.

    The pseudo-items are spread evenly over the cases, whose scores are averaged. Where `items` are the sample it grows
    by the pseudo-items, and each of its items tells so much less.
    """
    cases = len(effects[0])
    mean, square = (np.mean(effect, axis=0) for effect in effects)
    shift, variance = mean / cases, square / cases**2
    growth = [1 + mass / items for mass in MASSES]
    centre = np.stack([value + mass * shift for mass in MASSES])
    error = np.stack(
        [
            np.sqrt(plain**2 + mass * variance) / larger
            for mass, larger in zip(MASSES, growth, strict=True)
        ]
    )
    return Estimate(value, centre, error, plain, MASSES[-1] * variance, units)


def plain_error(variance: Array, units: float) -> Array:
    """Return the standard error from the sum of squared influences; NaN if there is a single unit."""
    if units <= 1:
        return np.full(variance.shape, np.nan)
    return np.asarray(np.sqrt(variance * (units - 1) / units))
