"""The scores that systems would have if humans had marked all items, from few human marks and a judge's many.

Some items are marked by humans and by the judge, the others by the judge alone. To the score on the human marks is
added how much the items with human marks differ from the others in something that the judge knows of every item: a
*control*. It is the influence that an item would have on the score, computed from the judge's mark in place of the
human one. The better it follows the influence of the human mark, the narrower the interval (Angelopoulos et al. 2023).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.scorer import Scorer
from ordeval.judge.method_names import HUMAN, NAIVE, POSTSTRATIFIED, PPI, PPI_TUNED, ROGAN_GLADEN
from ordeval.judge.methods import inverse_of
from ordeval.stats.chunks import chunks
from ordeval.stats.jackknife import MOST_CLASSES, Estimate, with_pseudo_items
from ordeval.stats.pseudo_items import pseudo_effect

About: TypeAlias = Literal["items", "population"]
ABOUT: tuple[str, ...] = get_args(About)
PRIOR = 1.0  # items in each class of the judge whose human mark is taken to be the same


class Combined(NamedTuple):
    """Scores by one method, their standard errors, and how far they rest on the judge; all [measure, system].

    `trust` is 0 for the human marks alone, and 1 where only what humans and the judge differ in is left to chance.
    """

    value: Array
    error: Array
    trust: Array


@dataclass(frozen=True)
class TwoParts:
    """The items with human marks as patterns, and all others as tables of judge and answer.

    `answer[system, pattern]` and the last axis of `unmarked` have one more place than classes: no answer.
    """

    scorer: Scorer
    human: Array  # [pattern, class]: the shares of the humans who gave each class
    judge: Array  # [pattern]
    answer: Array  # [system, pattern]
    count: Array  # [pattern]
    unmarked: Array  # [system, judge, answer]
    about: str  # "items": these items, "population": all items that they are a random sample of

    @property
    def n(self) -> float:
        """The number of items with human marks."""
        return float(self.count.sum())

    @property
    def several(self) -> bool:
        """Whether some items have different marks of several humans."""
        return bool(((self.human > 0) & (self.human < 1)).any())

    @property
    def others(self) -> float:
        """The number of items that the judge marked alone."""
        return float(self.unmarked[0].sum())

    @property
    def rest(self) -> float:
        """The share of all items that humans did not mark."""
        return self.others / (self.n + self.others)

    def table_of(self, gold: Array, share: Array | float = 1.0) -> Array:
        """Return the tables[system, gold, answer] of the items with human marks, or of a share of each."""
        k, systems = self.scorer.k, len(self.answer)
        place = gold * (k + 1) + self.answer
        tables = [np.bincount(row, self.count * share, k * (k + 1)) for row in place]
        return np.reshape(tables, (systems, k, k + 1))

    @cached_property
    def by_human(self) -> Array:
        """The tables[system, human, answer] of the items with human marks."""
        parts = [
            self.table_of(np.full(len(self.judge), h), share)
            for h, share in enumerate(self.human.T)
        ]
        return np.asarray(np.sum(parts, axis=0))

    @cached_property
    def by_judge(self) -> Array:
        """The tables[system, judge, answer] of all items: the judge as it stands."""
        return self.table_of(self.judge) + self.unmarked

    @cached_property
    def together(self) -> Array:
        """How often human and judge gave each class to the same item: [human, judge]."""
        return np.stack(
            [np.bincount(self.judge, self.count * share, self.scorer.k) for share in self.human.T]
        )

    @cached_property
    def value(self) -> Array:
        """The scores[measure, system] on the human marks alone."""
        return self.scorer(self.by_human)

    @cached_property
    def human_influence(self) -> Array:
        """The influence[measure, system, human, answer] of an item on the scores on the human marks."""
        return influence_tables(self.by_human, self.scorer)

    @cached_property
    def influence(self) -> Array:
        """The influence[measure, system, pattern] of each item with a human mark; over all items it adds up to 0."""
        found = self.of_humans(self.human_influence)
        return np.asarray(found - (found @ self.count / self.n)[..., None])

    def of_humans(self, tables: Array) -> Array:
        """Return amounts[measure, system, pattern] from tables[measure, system, human, answer]."""
        systems = np.arange(len(self.answer))[:, None]
        return np.asarray(
            sum(share * tables[:, systems, h, self.answer] for h, share in enumerate(self.human.T))
        )

    def estimates(self) -> dict[str, Combined]:
        """Return the scores and their standard errors by each method.

        The judge as it stands has no error: it is wrong in a way that its own marks cannot show.
        """
        naive = self.scorer(self.by_judge)
        judged = influence_tables(self.by_judge, self.scorer)
        control = at_patterns(judged, self.judge, self.answer)
        nothing = np.zeros_like(control), np.zeros_like(judged)
        return {
            HUMAN: self.combined(*nothing, weight=0.0),
            NAIVE: Combined(naive, np.full(naive.shape, np.nan), np.ones(naive.shape)),
            ROGAN_GLADEN: self.rogan_gladen(),
            PPI: self.combined(control, judged, weight=1.0),
            PPI_TUNED: self.combined(control, judged),
            POSTSTRATIFIED: self.combined(*self.translated()),
        }

    def translated(self) -> tuple[Array, Array]:
        """Return the control of each pattern and of each cell: what the human marks would be, seen from the judge's.

        It is the mean influence over the marks that humans gave where the judge gave this class. A pattern's own item
        is left out of that mean, so that the control cannot follow the luck of that item.
        """
        size = self.together.sum(axis=0) + PRIOR
        sums = np.einsum("hj,mxha->mxja", self.together, self.human_influence)
        control = (sums + PRIOR * self.human_influence) / size[:, None]
        here, own = (
            at_patterns(control, self.judge, self.answer),
            self.of_humans(self.human_influence),
        )
        rest = size[self.judge] - 1.0
        return (here * size[self.judge] - own) / rest, control

    def combined(self, here: Array, cells: Array, *, weight: float | None = None) -> Combined:
        """Return the corrected scores and their errors by a control, with the weight that makes the error smallest.

        The control is here[measure, system, pattern] on the items with human marks, cells[measure, system, judge,
        answer] on the others.
        """
        n, others, rest = self.n, self.others, self.rest
        marked = here @ self.count / n
        unmarked = (cells * self.unmarked).sum(axis=(-1, -2)) / others
        apart = here - marked[..., None]
        if weight is None:
            with np.errstate(all="ignore"):
                slope = (self.influence * apart) @ self.count / (apart**2 @ self.count)
            share = np.where(np.isfinite(slope), np.clip(slope * rest, 0.0, 1.0), 0.0)
        else:
            share = np.full(marked.shape, weight)
        value = self.value + share * (unmarked - marked)
        target = rest if self.about == "items" else 1.0
        left = target * self.influence - share[..., None] * apart
        trust = np.clip(share / target, 0.0, 1.0)
        with np.errstate(all="ignore"):
            variance = left**2 @ self.count / (n - 1)
            if self.about == "items":
                return Combined(value, np.sqrt(variance * (1 / n + 1 / others)), trust)
            spread = (cells - unmarked[..., None, None]) ** 2 * self.unmarked
            error = np.sqrt(variance / n + share**2 * spread.sum(axis=(-1, -2)) / others**2)
            return Combined(value, error, trust)

    def rogan_gladen(self) -> Combined:
        """Return the scores on tables whose judge was turned into humans by the inverse of P(judge | human).

        It presumes that what a judge makes of a human's class does not depend on the system's answer.
        """
        k, n, others = self.scorer.k, self.n, self.others
        if self.several:
            nothing = np.full(self.value.shape, np.nan)
            return Combined(nothing, nothing, np.ones_like(nothing))
        value = self.scorer(turned(self.together[None], self.unmarked))
        here = np.zeros(
            (*value.shape, k, k)
        )  # what one item with a human mark adds: [.., human, judge]
        for at in np.argwhere(self.together > 0):
            left = self.together.copy()
            left[tuple(at)] -= 1.0
            changed = self.scorer(turned(left[None], self.unmarked))
            here[(..., *at)] = (value - changed) * (n - 1) / n
        cells = np.zeros((*value.shape, k, k + 1))
        for judge, answer in np.ndindex(k, k + 1):
            step = np.where(self.unmarked[:, judge, answer] > 0, -1.0, 1.0)
            changed = self.unmarked.copy()
            changed[:, judge, answer] += step
            after = self.scorer(turned(self.together[None], changed))
            cells[..., judge, answer] = (after - value) * step * (others + step) / others
        # an item without which the inverse is undefined tells nothing of how it varies
        here, cells = (np.where(np.isfinite(part), part, 0.0) for part in (here, cells))
        marked = (here[..., self.judge] * self.human.T).sum(axis=-2)
        unmarked = at_patterns(cells, self.judge, self.answer)
        if self.about == "items":
            everywhere = self.influence / (n + others)
            marked, unmarked = marked - everywhere, unmarked - everywhere
            spread = self.variance(unmarked)
        else:
            mean = (cells * self.unmarked).sum(axis=(-1, -2), keepdims=True) / others
            spread = ((cells - mean) ** 2 * self.unmarked).sum(axis=(-1, -2)) / others
        error = np.sqrt(n * self.variance(marked) + others * spread)
        return Combined(value, error, np.ones_like(value))

    def variance(self, amounts: Array) -> Array:
        """Return the variance of amounts[..., pattern] over the items with human marks."""
        mean = (amounts @ self.count / self.n)[..., None]
        with np.errstate(all="ignore"):
            return np.asarray((amounts - mean) ** 2 @ self.count / (self.n - 1))

    def estimate(self, found: Combined) -> Estimate:
        """Return scores with their errors as estimates, which a few pseudo-items keep from being too certain.

        On the human marks alone these are items that may be answered wrong. As far as a score rests on the judge, what
        was not seen yet is a judge that differs from the humans: it may do so in favour of the system or against it, so
        that the centre stays, and each such item counts in full, where one that may be right or wrong counts half.
        """
        tables = self.by_human
        by_cell = self.scorer.k <= MOST_CLASSES
        mean, square = pseudo_effect(tables, self.scorer, 1.0, by_cell=by_cell)
        left = self.rest if self.about == "items" else 1.0
        units = np.full(found.value.shape, self.n)
        effects = mean * left * (1 - found.trust), square * left * (1 + found.trust**2)
        return with_pseudo_items(
            found.value, found.error, (effects[0][None], effects[1][None]), units, self.n
        )

    def worth(self, errors: Mapping[str, Array], method: str) -> Array:
        """Return how many human marks alone would give as small an error[measure, system] as a method does."""
        alone, corrected = errors[HUMAN] ** 2 * self.n, errors[method] ** 2
        if self.about == "items":
            alone = alone / self.rest
            corrected = corrected + alone / (self.n + self.others)
        with np.errstate(all="ignore"):
            return np.asarray(np.where(corrected > 0, alone / corrected, np.nan))


def at_patterns(tables: Array, gold: Array, answer: Array) -> Array:
    """Return amounts[measure, system, pattern] from tables[measure, system, gold, answer]."""
    systems = np.arange(len(answer))[:, None]
    return np.asarray(tables[:, systems, gold[None], answer])


def influence_tables(cells: Array, scorer: Scorer) -> Array:
    """Return by how much an item in each cell of cells[system, gold, answer] moves the mean that a score is like.

    The result is [measure, system, gold, answer]: a score changes by this over the number of items. An item is left out
    of a cell that has one, and added to one that has none; one without which a score is undefined moves nothing.
    """
    systems, k, width = cells.shape
    value, items = scorer(cells), cells.sum(axis=(-1, -2))
    flat = cells.reshape(systems, -1)
    result = np.empty((len(value), systems, k * width))
    every = np.arange(systems * k * width)
    for part in chunks(len(every), numbers=k * width):
        system, cell = np.divmod(every[part], k * width)
        step = np.where(flat[system, cell] >= 1.0, -1.0, 1.0)
        changed = flat[system]
        changed[np.arange(len(system)), cell] += step
        after = scorer(changed.reshape(-1, k, width))
        moved = (after - value[:, system]) * step * (items[system] + step)
        result[:, system, cell] = np.where(np.isfinite(moved), moved, 0.0)
    return result.reshape(len(value), systems, k, width)


def turned(together: Array, tables: Array) -> Array:
    """Return tables[system, human, answer] from those of the judge; no cell has fewer than no items."""
    return np.asarray(np.maximum(inverse_of(together) @ tables, 0.0))
