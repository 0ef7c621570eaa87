"""Every two raters who marked the same items: how often and how well they agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from ordeval.agreement.raters import AGREEMENT
from ordeval.agreement.table_estimates import as_cells, estimate_of_counts, scorer_of
from ordeval.aliases import Array
from ordeval.comparison.results import Score, as_score
from ordeval.comparison.scorer import Scorer
from ordeval.ratings import Ratings
from ordeval.stats.chunks import chunks
from ordeval.stats.t_intervals import t_interval

METRICS = ("krippendorff_alpha", "accuracy", AGREEMENT)  # all the same in both directions
ENOUGH = 10  # items: two raters who share fewer agree well or badly by chance
AT_A_TIME = 500  # pairs whose intervals are made together


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters, the number of items that both marked, and how well they agree on them."""

    a: str
    b: str
    items: int
    scores: dict[str, Score]

    def to_dict(self) -> dict[str, Any]:
        """Return the pair for JSON."""
        scores = {name: score.to_dict() for name, score in self.scores.items()}
        return {"a": self.a, "b": self.b, "items": self.items, "scores": scores}


@dataclass(frozen=True, eq=False, repr=False)
class RaterPairs(Sequence[RaterPair]):
    """The pairs of raters who marked an item together, in the order of the raters.

    Of 850 raters there may be 360,000 pairs, so each is made when it is asked for.
    """

    ratings: Ratings
    level: float | None

    @cached_property
    def scorer(self) -> Scorer:
        """What scores the pairs."""
        return scorer_of(METRICS, self.ratings.scale)

    @cached_property
    def items(self) -> Array:
        """How many items both raters of each pair marked."""
        return np.asarray(self.ratings.pair_tables[2].sum(axis=(-1, -2)))

    @cached_property
    def values(self) -> Array:
        """The scores of all pairs: [measure, pair]."""
        tables = self.ratings.pair_tables[2]
        return np.concatenate(
            [
                self.scorer(as_cells(tables[part].astype(np.float64)))
                for part in chunks(len(tables), numbers=max(tables[:1].size, 1))
            ]
            or [np.zeros((len(METRICS), 0))],
            axis=1,
        )

    @cached_property
    def ranked(self) -> Array:
        """The places of the pairs that share enough items to be compared, those that agree best first.

        By the quadratic weighted kappa, which is seldom undefined; undefined ones come last.
        """
        value = self.values[METRICS.index(AGREEMENT)]
        enough = np.flatnonzero(self.items >= ENOUGH)
        return np.asarray(enough[np.argsort(-value[enough], kind="stable")])

    def matrix(self, places: Sequence[int], metric: str) -> tuple[Array, Array]:
        """Return the scores of some raters with each other, and how many items they share: [rater, rater]."""
        first, second, _ = self.ratings.pair_tables
        new = np.full(len(self.ratings.raters), -1)
        new[list(places)] = np.arange(len(places))
        chosen = np.flatnonzero((new[first] >= 0) & (new[second] >= 0))
        a, b = new[first[chosen]], new[second[chosen]]
        scores, items = np.full((len(places),) * 2, np.nan), np.zeros((len(places),) * 2)
        for row, column in ((a, b), (b, a)):
            scores[row, column] = self.values[METRICS.index(metric), chosen]
            items[row, column] = self.items[chosen]
        return scores, items

    def rows(self, places: Array) -> list[RaterPair]:
        """Return the pairs at these places; their intervals are made together."""
        first, second, tables = self.ratings.pair_tables
        low = high = error = np.full((len(METRICS), len(places)), np.nan)
        if self.level is not None and len(places):
            estimate = estimate_of_counts(tables[places], self.scorer)
            bounds = [measure.bounds for measure in self.scorer.measures.values()]
            low, high = t_interval(estimate, bounds, self.level)
            error = estimate.error[0]
        names = self.ratings.raters
        return [
            RaterPair(
                names[int(first[place])],
                names[int(second[place])],
                int(self.items[place]),
                {
                    metric: self.score(m, place, (low[m, at], high[m, at], error[m, at]))
                    for m, metric in enumerate(METRICS)
                },
            )
            for at, place in enumerate(places.tolist())
        ]

    def score(self, m: int, place: int, parts: tuple[float, float, float]) -> Score:
        """Return the score of a pair by a measure; a note says why something is missing."""
        measure = self.scorer.measures[METRICS[m]]
        return as_score(
            METRICS[m], self.values[m, place], *parts, level=self.level,
            undefined_when=f"undefined when {measure.undefined_when}",
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, at: int) -> RaterPair: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[RaterPair, ...]: ...
    def __getitem__(self, at: int | slice) -> RaterPair | tuple[RaterPair, ...]:
        places = range(len(self))[at]
        if isinstance(places, int):
            return self.rows(np.array([places]))[0]
        return tuple(self.rows(np.array(places, dtype=np.intp)))

    def __iter__(self) -> Iterator[RaterPair]:
        for part in chunks(len(self), most=AT_A_TIME):
            yield from self.rows(np.arange(part.start, part.stop))

    def __repr__(self) -> str:
        return f"<{len(self)} pairs of raters>"
