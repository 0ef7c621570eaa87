"""Where measures stand by one criterion over all collections: ranks, and differences from the measure advised."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordeval.formats.numbers import interval, number
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array
from ordeval.paper.sakai_collections import uses_order
from ordeval.stats.differences import Differences, mean_and_variance
from ordeval.stats.midranks import midranks
from ordeval.stats.multiple_testing import adjusted
from ordeval.ties import TIE

ADVISED = "weighted_kappa"  # with linear weights
LEVEL = 0.95
SUPPORTED, CONTRADICTED, OPEN = "supported", "contradicted", "neither supported nor contradicted"


@dataclass(frozen=True)
class Against:
    """The measure advised minus another one: the mean over the collections, and on how many it is above and below."""

    name: str
    value: float
    low: float
    high: float
    p: float  # adjusted for all measures by Holm's method
    above: int
    below: int
    clearly_above: int  # collections with a significant difference over resampled systems
    clearly_below: int

    @property
    def evidence(self) -> str:
        """The difference with its interval, and the collections that show it."""
        ends = interval(self.low, self.high)
        return (
            f"{number(self.value, sign=True)}{ends and ' '}{ends} (above 0 on {self.above}, significantly on "
            f"{self.clearly_above}; below 0 on {self.below}, significantly on {self.clearly_below})"
        )


@dataclass(frozen=True, eq=False)
class MeasureStanding:
    """One criterion on all collections, one result for each."""

    title: str
    results: Sequence[PerMeasure]
    alpha: float = 0.05

    @property
    def metrics(self) -> tuple[str, ...]:
        """The measures."""
        return self.results[0].metrics

    @property
    def values(self) -> Array:
        """The value of every measure on every collection: [measure, collection]."""
        return np.stack([one.values for one in self.results], axis=-1)

    @cached_property
    def ranks(self) -> Array:
        """The rank of every measure on every collection, 1 for the best: [measure, collection]; ties share a rank."""
        return midranks(-self.values.T).T + 0.5

    @cached_property
    def mean_rank(self) -> dict[str, float]:
        """The mean rank over the collections, the best measure first."""
        mean = self.ranks.mean(axis=-1)
        return {self.metrics[at]: float(mean[at]) for at in np.argsort(mean, kind="stable")}

    @property
    def ordered(self) -> list[str]:
        """The measures that use the order of the classes, the best mean rank first."""
        return [name for name in self.mean_rank if uses_order(name)]

    def place(self, name: str, among: Iterable[str] | None = None) -> int:
        """Return the place of a measure by mean rank, among all or some; measures that tie share a place."""
        own, others = self.mean_rank[name], self.metrics if among is None else among
        return 1 + sum(self.mean_rank[one] < own - TIE for one in others)

    def below_best(self, collection: int, name: str) -> bool:
        """Tell whether a measure is significantly below the best one of a collection, over resampled systems."""
        result = self.results[collection]
        return result.difference(result.order[0], name).told_apart

    @cached_property
    def against(self) -> dict[str, Against]:
        """The measure advised minus every other one. The collections are the sample."""
        rows = [name for name in self.metrics if name != ADVISED]
        at = [self.metrics.index(name) for name in rows]
        apart = self.values[self.metrics.index(ADVISED)] - self.values[at]
        defined = ~np.isnan(apart)
        cases = defined.sum(axis=-1).astype(np.float64)
        mean, variance = mean_and_variance(np.where(defined, apart, 0.0), cases)
        found = Differences(mean, np.sqrt(variance), cases - 1, np.sqrt(variance))
        low, high = found.interval(LEVEL)
        p = adjusted(found.p, "holm")
        return {
            name: Against(
                name=name,
                value=float(mean[row]),
                low=float(low[row]),
                high=float(high[row]),
                p=float(p[row]),
                above=int((apart[row] >= TIE).sum()),
                below=int((apart[row] <= -TIE).sum()),
                clearly_above=self.clearly(ADVISED, name),
                clearly_below=self.clearly(name, ADVISED),
            )
            for row, name in enumerate(rows)
        }

    def clearly(self, a: str, b: str) -> int:
        """Return on how many collections `a` is significantly above `b`, over resampled systems."""
        differences = (result.difference(a, b) for result in self.results)
        return sum(one.told_apart and one.value > 0 for one in differences)

    @property
    def beaten_by(self) -> list[str]:
        """The measures that use the order and are significantly above the one advised, over the collections."""
        others = (self.against[name] for name in self.ordered if name != ADVISED)
        return [one.name for one in others if one.value < 0 and one.p <= self.alpha]

    @property
    def verdict(self) -> str:
        """Whether the advice is supported, contradicted, or neither, among the measures that use the order."""
        if self.place(ADVISED, self.ordered) == 1:
            return SUPPORTED
        return CONTRADICTED if self.beaten_by else OPEN
