"""One number for each measure, with its resamples: what coverage, robustness, power and swap rate have in common."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ordeval.errors import ParameterError, suggestion
from ordeval.formats.json import SCHEMA, ready
from ordeval.formats.result import Result
from ordeval.formats.sheet import CSV, PEOPLE, Cell, Column, Kind, Sheet
from ordeval.meta.ranking import Array
from ordeval.metrics.names import full_name
from ordeval.stats.midranks import midranks
from ordeval.ties import TIE

DIGITS = 2  # decimals of every number about measures


@dataclass(frozen=True)
class Ends:
    """The two ends of an interval, and how many resamples were undefined."""

    low: float
    high: float
    undefined: int = 0

    @property
    def defined(self) -> bool:
        """Whether there is an interval at all."""
        return not np.isnan(self.low + self.high)

    def to_dict(self) -> dict[str, float]:
        """Return the two ends, as JSON has them."""
        return {"low": self.low, "high": self.high}


@dataclass(frozen=True)
class Difference:
    """The value of one measure minus that of another, with its interval on the same resamples."""

    a: str
    b: str
    value: float
    low: float
    high: float

    @property
    def told_apart(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low >= TIE or self.high <= -TIE


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PerMeasure(Result):
    """One number for each measure: looked up by name, with intervals, differences and an order, best first."""

    kind: ClassVar[str]  # the key in JSON and CSV
    called: ClassVar[str]  # the name in headings and errors
    default_over: ClassVar[str] = ""  # what is drawn again for the main interval, if there is one
    limits: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    greater_is_better: ClassVar[bool] = True
    settings: ClassVar[tuple[str, ...]]  # the attributes that `to_dict` gives
    # keys that JSON gives for each measure, and the attributes that hold them
    counts: ClassVar[tuple[tuple[str, str], ...]] = ()
    in_repr: ClassVar[tuple[str, ...]] = ("systems", "cases")

    metrics: tuple[str, ...]
    values: Array
    spread: Array  # standard deviation over random splits; NaN where there is one split
    # values in resamples of systems, cases or both: [measure, resample]
    draws: Mapping[str, Array] = field(default_factory=dict)
    level: float = 0.95
    systems: int
    cases: int = 0
    repeats: int = 1
    split: bool = False  # the cases are random parts of the items
    undefined: str = "omit"
    touched: tuple[int, ...] = ()  # undefined values of each measure
    left_out: tuple[int, ...] = ()  # what each measure leaves undefined; `counts` says what that is

    def __getitem__(self, metric: object) -> float:
        """Return the value of a measure."""
        return float(self.values[self.at(metric)])

    def at(self, metric: object) -> int:
        """Return the position of a measure."""
        name = full_name(metric)
        if name not in self.metrics:
            near = suggestion(name, self.metrics)
            raise ParameterError(f"there is no {self.called} of {name!r} here.{near}")
        return self.metrics.index(name)

    @property
    def order(self) -> list[str]:
        """The measures, best first; those that tie in the order asked for, undefined ones last."""
        undefined = np.isnan(self.values)
        from_best = -self.values if self.greater_is_better else self.values
        ranks = midranks(np.where(undefined, 0.0, from_best))
        return [self.metrics[at] for at in np.lexsort((ranks, undefined))]

    def interval(self, metric: object, over: str | None = None) -> Ends:
        """Return the bootstrap interval of a measure's value; `over` says what was resampled."""
        at = self.at(metric)
        ends = centred_interval(self.resampled(over)[at], self.level, float(self.values[at]))
        lowest, highest = self.limits
        return Ends(max(ends.low, lowest), min(ends.high, highest), ends.undefined)

    def difference(self, a: object, b: object, over: str | None = None) -> Difference:
        """Return the value of `a` minus that of `b`, with the interval on the same resamples."""
        draws = self.resampled(over)
        value = self[a] - self[b]
        ends = centred_interval(draws[self.at(a)] - draws[self.at(b)], self.level, value)
        return Difference(str(a), str(b), value, ends.low, ends.high)

    def resampled(self, over: str | None = None) -> Array:
        """Return the values in each resample: [measure, resample]."""
        over = self.default_over if over is None else over
        if over not in self.draws:
            names = ", ".join(map(repr, self.draws)) or "none: pass resamples="
            raise ParameterError(f"there are no resamples over {over!r}; there are {names}.")
        return self.draws[over]

    def row(self, metric: object) -> dict[str, Any]:
        """Return what `to_dict` gives for one measure."""
        at = self.at(metric)
        row = {"name": self.metrics[at], self.kind: self.values[at], "spread": self.spread[at]}
        if self.default_over:
            intervals = {over: self.interval(metric, over).to_dict() for over in self.draws}
            row |= intervals.get(self.default_over, {"low": None, "high": None})
            row["intervals"] = intervals
        return row | {key: getattr(self, name)[at] for key, name in self.counts}

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the resamples as plain Python objects, best measure first."""
        settings = {name: getattr(self, name) for name in self.settings}
        rows = [self.row(name) for name in self.order]
        content = {"schema": SCHEMA, "kind": self.kind, **settings, "metrics": rows}
        return dict(ready(content))

    def sheet(self) -> Sheet:
        """Return a row for each measure, best first: its value, the spread over splits, its intervals."""
        several_splits = bool(np.isfinite(self.spread).any())
        columns = [
            Column("measure"),
            Column(self.called, Kind.NUMBER, self.greater_is_better, DIGITS, key=self.kind),
            Column("spread", Kind.NUMBER, digits=DIGITS, forms=None if several_splits else CSV),
        ]
        for over in self.draws:
            heading = f"{self.level:.0%} over {over}"
            columns.append(Column(heading, Kind.NUMBER, digits=DIGITS, forms=PEOPLE))
            columns += [Column(f"{over}_{end}", Kind.NUMBER, forms=CSV) for end in ("low", "high")]
        rows = []
        for name in self.order:
            cells = [Cell(name), Cell(self[name]), Cell(float(self.spread[self.at(name)]))]
            for over in self.draws:
                ends = self.interval(name, over)
                cells.append(Cell("", ends.low, ends.high) if ends.defined else Cell(None))
                cells += [Cell(ends.low), Cell(ends.high)]
            rows.append(cells)
        return Sheet(columns, rows, [self.caption] if self.caption else [])

    @property
    def caption(self) -> str:
        """The data behind the table; empty unless a subclass describes them."""
        return ""

    def __repr__(self) -> str:
        best = self.order[0]
        rest = ", ".join(f"{name}={getattr(self, name)}" for name in self.in_repr)
        count = f"best of {len(self.metrics)} measures"
        return f"{type(self).__name__}({best}={self[best]:.3f} {count}, {rest})"


def centred_interval(draws: Array, level: float, estimate: float) -> Ends:
    """Return the percentile interval, shifted so that the median of the resamples equals the estimate.

    A resample repeats cases and systems, so it has more ties and leans to one side, by an amount that says nothing
    about the measure.
    """
    defined = draws[~np.isnan(draws)]
    undefined = len(draws) - len(defined)
    if not defined.size or np.isnan(estimate):
        return Ends(np.nan, np.nan, undefined)
    low, middle, high = np.quantile(defined, [(1 - level) / 2, 0.5, (1 + level) / 2])
    return Ends(float(estimate + low - middle), float(estimate + high - middle), undefined)


def spread_over_splits(values: Array) -> Array:
    """Return the standard deviation of values[measure, split] over the splits; NaN where there is one."""
    several = values.shape[1] > 1
    return np.asarray(values.std(axis=1, ddof=1)) if several else np.full(len(values), np.nan)
