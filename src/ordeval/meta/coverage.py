"""Coverage: how well differences in one measure follow unanimous improvements over several (Amigó et al. 2020, 5.1)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ordeval.errors import ParameterError
from ordeval.meta.display import grid_text, interval, number
from ordeval.meta.per_measure import PerMeasure
from ordeval.meta.ranking import Array, differences
from ordeval.meta.resamples import OVER, coverage_draws, coverage_of, read_amount, read_level
from ordeval.meta.unanimity import unanimous
from ordeval.meta.values import DEFAULT_REFERENCE, CaseValues, asked, read_values
from ordeval.metrics import resolve
from ordeval.stats.streams import read_generator

SCHEMA = 1
FEW_SYSTEMS = (
    20  # below, simulated 95% intervals over systems hold the truth in fewer than 85 of 100 samples
)


@dataclass(frozen=True)
class Interval:
    """Two ends of an interval, and how many resamples were undefined."""

    low: float
    high: float
    undefined: int = 0


@dataclass(frozen=True)
class Difference:
    """How much more one measure covers than another, on the same resamples."""

    a: str
    b: str
    value: float
    low: float
    high: float

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(PerMeasure):
    """Coverage of every measure, best first, with the spread over random splits and bootstrap intervals."""

    what: ClassVar[str] = "coverage"

    metrics: tuple[str, ...]
    reference: tuple[str, ...]
    values: Array
    spread: Array  # standard deviation over random splits; NaN with test cases
    draws: dict[str, Array] = field(
        default_factory=dict
    )  # over systems, cases, both: [measure, resample]
    level: float = 0.95
    systems: int = 0
    cases: int = 0
    repeats: int = 1
    undefined: str = "omit"
    touched: tuple[int, ...] = ()  # undefined values of each measure
    left_out: tuple[
        int, ...
    ] = ()  # system pairs without a difference, of each measure, over all splits
    split: bool = False  # the cases are random parts

    def interval(self, metric: object, over: str = "both") -> Interval:
        """Return the bootstrap interval of a measure's coverage over systems, cases, or both drawn again."""
        at = self.at(metric)
        low, high, undefined = quantiles(
            self.resampled(over)[at], self.level, float(self.values[at])
        )
        return Interval(max(low, -1.0), min(high, 1.0), undefined)

    def difference(self, a: object, b: object, over: str = "both") -> Difference:
        """Return how much more `a` covers than `b`, with the interval on the same resamples."""
        draws = self.resampled(over)
        value = self[a] - self[b]
        low, high, _ = quantiles(draws[self.at(a)] - draws[self.at(b)], self.level, value)
        return Difference(str(a), str(b), value, low, high)

    def resampled(self, over: str) -> Array:
        """Return the coverage in each resample."""
        if over not in self.draws:
            known = ", ".join(map(repr, self.draws)) or "none: pass resamples="
            raise ParameterError(f"there are no resamples over {over!r}; there are {known}.")
        return self.draws[over]

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the resamples as plain Python objects."""
        rows = []
        for name in self.order:
            at = self.at(name)
            row: dict[str, Any] = {
                "name": name,
                "coverage": plain(self.values[at]),
                "spread": plain(self.spread[at]),
            }
            row["intervals"] = {}
            for over in self.draws:
                found = self.interval(name, over)
                row["intervals"][over] = {"low": plain(found.low), "high": plain(found.high)}
            row["undefined_values"], row["pairs_left_out"] = self.touched[at], self.left_out[at]
            rows.append(row)
        head = {
            "schema": SCHEMA,
            "kind": "coverage",
            "reference": list(self.reference),
            "level": self.level,
        }
        shape = {
            "systems": self.systems,
            "cases": self.cases,
            "repeats": self.repeats,
            "undefined": self.undefined,
        }
        return {**head, **shape, "metrics": rows}

    def grid(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table."""
        split = bool(np.isfinite(self.spread).any())
        columns = ["measure", "coverage", *(["spread"] if split else [])]
        columns += [f"{self.level:.0%} over {over}" for over in self.draws]
        rows = []
        for name in self.order:
            at = self.at(name)
            row = [
                name,
                number(self.values[at], 3),
                *([number(self.spread[at], 3)] if split else []),
            ]
            found = [self.interval(name, over) for over in self.draws]
            rows.append(row + [interval(one.low, one.high, 3) for one in found])
        return columns, rows

    @property
    def caption(self) -> str:
        """What the table rests on."""
        times = "once" if self.repeats == 1 else f"{self.repeats} times"
        cases = f"{self.cases} random parts, {times}" if self.split else f"{self.cases} cases"
        text = f"coverage of {', '.join(self.reference)} over the pairs of {self.systems} systems on {cases}"
        if self.draws and self.systems < FEW_SYSTEMS:
            text += f"; with only {self.systems} systems the intervals over systems are too narrow"
        if sum(self.touched):
            names = [f"{m} {n}" for m, n in zip(self.metrics, self.touched, strict=True) if n]
            text += f"; undefined values ({self.undefined}): {', '.join(names)}"
        return text

    def __repr__(self) -> str:
        best = self.order[0]
        rest = f"systems={self.systems}, cases={self.cases}"
        return f"Coverage({best}={self[best]:.3f} best of {len(self.metrics)} measures, {rest})"

    def __str__(self) -> str:
        return f"{grid_text(*self.grid())}\n{self.caption}"


def plain(value: float) -> float | None:
    """Return a Python number, and None for NaN."""
    return None if value != value else float(value)  # noqa: PLR0124


def quantiles(draws: Array, level: float, estimate: float) -> tuple[float, float, int]:
    """Return the two ends of the interval around the estimate, and how many resamples are undefined.

    The percentile interval, moved so that the median of the resamples lies at the estimate: a resample repeats cases
    and systems, has more ties, and so leans to one side by an amount that says nothing about the measure.
    """
    there = draws[~np.isnan(draws)]
    if not there.size or estimate != estimate:  # noqa: PLR0124 - NaN alone differs from itself
        return np.nan, np.nan, len(draws) - len(there)
    low, middle, high = np.quantile(there, [(1 - level) / 2, 0.5, (1 + level) / 2])
    return float(estimate + low - middle), float(estimate + high - middle), len(draws) - len(there)


def coverage(
    data: Any,
    metrics: Any = None,
    *,
    reference: Iterable[Any] = DEFAULT_REFERENCE,
    parts: int = 10,
    repeats: int = 10,
    over: Iterable[str] = OVER,
    resamples: int = 999,
    level: float = 0.95,
    rng: Any = 0,
    undefined: str = "omit",
) -> Coverage:
    """Return how well each measure's differences follow unanimous improvements of the reference measures.

    Spearman's correlation, over all ordered pairs of systems, of m(s) - m(s') and UIR(s, s'). `data` is `Runs`, or a
    table with the axes system and case; runs without test cases are cut into `parts` random parts, `repeats` times, and
    the coverages averaged. `metrics=None` means every measure of labels.

    `over` names what is drawn again for the intervals: "systems", "cases", "both"; `resamples=0` leaves them out.
    `undefined` says what an undefined score counts as: "omit" leaves it out of its system's mean (and a system that has
    no defined score out of that measure's pairs), "zero" and "lowest" put 0 or the lowest score of that measure in its
    place. How many values that touched is part of the result.
    """
    names = tuple(resolve(reference))
    generator = read_generator(rng)
    scored = read_values(
        data, metrics, also=names, parts=parts, repeats=repeats, rng=generator, undefined=undefined
    )
    wanted = asked(scored, metrics)
    return coverage_of_values(
        scored, wanted, names, over=tuple(over), resamples=resamples, level=level, rng=generator
    )


def coverage_of_values(
    scored: CaseValues,
    metrics: Iterable[str],
    reference: tuple[str, ...],
    *,
    over: tuple[str, ...] = OVER,
    resamples: int = 0,
    level: float = 0.95,
    rng: Any = 0,
) -> Coverage:
    """Return coverage from scores that are there already."""
    unknown = [name for name in over if name not in OVER]
    if unknown:
        raise ParameterError(
            f"over holds {unknown[0]!r}; intervals go over 'systems', 'cases' or 'both'."
        )
    read_level(level)
    read_amount(resamples, "resamples", 0)
    names = tuple(metrics)
    unanimity = unanimous(scored.take(reference))
    positions = [scored.metrics.index(name) for name in names]
    values, means = scored.values[positions], scored.means[positions]
    found = coverage_of(means, unanimity.mean(axis=-1))
    generator = read_generator(rng)
    draws = coverage_draws(values, unanimity, over, resamples, generator) if resamples else {}
    repeats = scored.repeats
    return Coverage(
        names,
        reference,
        nanmean(found),
        found.std(axis=1, ddof=1) if repeats > 1 else np.full(len(names), np.nan),
        draws,
        level,
        len(scored.systems),
        len(scored.cases),
        repeats,
        scored.undefined,
        tuple(scored.touched[at] for at in positions),
        tuple(np.isnan(differences(means)).sum(axis=(1, 2)).tolist()),
        scored.split,
    )


def nanmean(values: Array) -> Array:
    """Average over the last axis, leaving NaN out."""
    from ordeval.meta.values import mean_over_cases

    return mean_over_cases(values)
