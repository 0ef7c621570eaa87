"""How many items would settle it: from a pilot to the size at which a difference would be significant, and back."""

import html
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.arguments import is_number, is_whole
from ordeval.comparison.inputs import read_tables
from ordeval.comparison.results import none_if_undefined
from ordeval.comparison.samples import samples_of, sampling_unit
from ordeval.comparison.scorer import Scorer
from ordeval.errors import LabelTypeError, ParameterError, argument
from ordeval.formats.json import SCHEMA
from ordeval.formats.names import short
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.registry import resolve
from ordeval.runs import Runs
from ordeval.stats.differences import Differences, differences
from ordeval.stats.distributions import normal_quantile, one_t_quantile
from ordeval.stats.jackknife import independent_samples
from ordeval.table import Table

MOST_ROUNDS = 100
MOST_ITEMS = 10**15  # a larger number is no plan


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """The number of items, or of test cases, at which a difference would be significant with that power.

    `items` (and `cases`) are None if no number can be given; `reason` says why. `low` and `high` are an interval for
    the number of items; `high` is None if there may be no difference at all.

    >>> a, b = (
    ...     oe.Table.from_counts(counts)
    ...     for counts in ([[40, 10], [10, 40]], [[35, 15], [15, 35]])
    ... )
    >>> p = oe.plan(a, b, metric="accuracy", difference=0.1)
    >>> p.items
    295
    >>> round(p.detectable(295), 1)
    0.1
    """

    a: str  # the first system
    b: str  # the second system
    metric: str  # the measure
    difference: float  # that is planned for
    observed: float  # in the pilot
    error: float  # standard error of the difference in the pilot
    pilot: int  # items of the pilot
    items: int | None  # the number of items needed
    low: int | None  # the lower end of an interval for this number
    high: int | None  # the upper end; None if there may be no difference
    cases: int | None  # if test cases are the sample
    power: float  # the probability with which the difference is to be found
    level: float  # 1 minus the level of significance
    comparisons: int  # how many differences will be tested together
    paired: bool  # whether both systems answer the same items
    units: float  # items or cases of the pilot
    reason: str | None = None  # why no number can be given

    def detectable(self, items: int) -> float:
        """Return the smallest difference that so many items (for each of two samples, if unpaired) would show.

        >>> a, b = (
        ...     oe.Table.from_counts(counts)
        ...     for counts in ([[40, 10], [10, 40]], [[35, 15], [15, 35]])
        ... )
        >>> round(oe.plan(a, b, metric="accuracy", difference=0.1).detectable(1200), 3)
        0.049
        """
        if not is_whole(items, 2):
            raise ParameterError(f"items={items!r} is not a number of items; it is 2 or more.")
        sample = max(items / self.pilot * self.units, 2.0)
        spread = self.error**2 * self.units
        freedom = (sample - 1) * (1 if self.paired else 2)
        return reach(freedom, self.power, self.level, self.comparisons) * math.sqrt(spread / sample)

    def sheet(self) -> Sheet:
        """Return the plan as one row."""
        return plan_sheet([self])

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        numbers = ("difference", "observed", "error")
        defined = {name: none_if_undefined(getattr(self, name)) for name in numbers}
        return {"schema": SCHEMA, **asdict(self), **defined}

    def __repr__(self) -> str:
        cases = "" if self.cases is None else f", cases={self.cases}"
        return f"Plan(items={self.items}{cases}, metric={self.metric!r}, power={self.power:g}, paired={self.paired})"

    def __str__(self) -> str:
        """Return the answer in a sentence."""
        pair = f"{short(self.a)} and {short(self.b)}"
        if self.items is None:
            return f"No number of items can be given for {pair}: {self.reason}."
        size = f"{self.items:,} items"
        if self.cases is not None:
            size = f"{self.cases:,} test cases ({self.items:,} items)"
        how = "answered by both" if self.paired else "for each of the two (drawn apart)"
        ends = (
            ""
            if self.low is None
            else f", {self.low:,} to {self.high:,} items"
            if self.high
            else f", {self.low:,} items or more"
        )
        pilot = f"pilot: {self.pilot:,} items, standard error {self.error:.4f}{ends}"
        corrected = f" for {self.comparisons} comparisons" if self.comparisons > 1 else ""
        return (
            f"{size} {how} would show a difference of {self.difference:+.4f} in {self.metric} between {pair} "
            f"({pilot}) at {1 - self.level:.3g}{corrected} with power {self.power:g}."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def plan_sheet(plans: Sequence[Plan]) -> Sheet:
    """Return a row for each plan: the difference, and how many items (or test cases) it would need."""
    first = plans[0]
    in_cases = any(plan.cases is not None for plan in plans)
    columns = [
        Column("a"),
        Column("b"),
        Column(f"{first.metric}: a - b", Kind.NUMBER, digits=4, sign=True),
        *([Column("test cases needed", Kind.COUNT)] if in_cases else []),
        Column("items needed", Kind.COUNT),
        Column("at least", Kind.COUNT),
        Column("at most", Kind.COUNT),
    ]
    rows = [
        [
            Cell(plan.a),
            Cell(plan.b),
            Cell(plan.difference),
            *([Cell(plan.cases)] if in_cases else []),
            Cell(plan.items, note=plan.reason or ""),
            Cell(plan.low),
            Cell(plan.high),
        ]
        for plan in plans
    ]
    comparisons = f" in {first.comparisons} comparisons" if first.comparisons > 1 else ""
    caption = (
        f"Needed: how many {'test cases' if in_cases else 'items'} it takes to find this difference significant at "
        f"{1 - first.level:.3g}{comparisons} with power {first.power:g}, by Student's t. At least and at most: an "
        f"interval for the number of items; without an upper end there may be no difference at all."
    )
    return Sheet(columns, rows, [caption], least=4)


def plan(
    data: Any,
    other: Any = None,
    *,
    power: float = 0.8,
    difference: float | None = None,
    comparisons: int = 1,
    metric: Any = "cem_ord",
    level: float = 0.95,
) -> Plan:
    """Return how many items would settle which of two systems is better, from this pilot.

    Two tables do not show which items both systems got wrong, so they are taken as two independent samples, and the
    answer is the number of items for each. Systems that answer the same items mostly err on the same ones, and then
    fewer items are enough: pass `Runs` of two systems. If the runs have test cases, the cases are the sample.

    The standard error is assumed to shrink with the square root of the number of items:
    n = pilot * ((t(1 - alpha / 2) + t(power)) * error / difference)^2, with the t of n - 1 degrees of freedom.

    In the example an answer is right with a variance of 0.16 and 0.21, times 100 / 99 because the jackknife divides by
    n - 1; the quantiles add up to 1.964 + 0.842: 0.3737 * (2.806 / 0.1)^2 = 294.3.

    The arguments are:

    - `data`: `Runs` of two systems, or the `Table` of the first.
    - `other`: the `Table` of the second system; none with `Runs`.
    - `power`: the probability with which the difference is to be found.
    - `difference`: the smallest difference that matters; by default the one of the pilot.
    - `comparisons`: how many differences will be tested together.
    - `metric`: the measure.
    - `level`: 1 minus the level of significance.

    >>> a = oe.Table.from_counts([[40, 10], [10, 40]])
    >>> b = oe.Table.from_counts([[35, 15], [15, 35]])
    >>> oe.plan(a, b, metric="accuracy", difference=0.1).items
    295
    """
    check_probabilities(power, level)
    check_difference(difference, comparisons)
    if isinstance(data, Runs):
        if other is not None or len(data.systems) != 2:
            raise LabelTypeError(
                f"plan was given runs of {len(data.systems)} systems; it takes runs of two and nothing else. "
                f"Pass runs.select([a, b])."
            )
        return plan_pairs(
            data,
            [(0, 1)],
            power=power,
            metric=metric,
            level=level,
            difference=difference,
            comparisons=comparisons,
        )[0]
    if not (isinstance(data, Table) and isinstance(other, Table)):
        raise LabelTypeError("plan takes two Tables, or oe.Runs of two systems on the same items.")
    for table in (data, other):
        if table.axes:
            raise LabelTypeError(
                f"{table!r} has leading axes; plan takes single tables. Pass table.pooled()."
            )
    both = read_tables({"a": data, "b": other})
    scorer = Scorer(resolve(metric), both.scale, both.policy)
    samples = samples_of(both, scorer, unit="items", undefined="omit", constant=0)
    joint = independent_samples(samples)
    apart = differences(joint, 0, np.array([0]), np.array([2]))  # each is followed by the constant
    smaller = min(float(data.effective), float(other.effective))
    check_pilot(smaller)
    sizes = np.array([float(data.effective), float(other.effective)])
    spread = float((joint.estimate.plain[0, [0, 2]] ** 2 * sizes).sum())
    balanced = replace(apart, plain=np.array([math.sqrt(spread / smaller)]))
    return plan_for(
        ("a", "b"), next(iter(scorer.measures)), balanced, 0, pilot=smaller, units=smaller, power=power, level=level,
        paired=False, in_cases=False, difference=difference, comparisons=comparisons,
    )  # fmt: skip


def plan_pairs(
    runs: Runs,
    pairs: list[tuple[int, int]],
    *,
    power: float = 0.8,
    metric: Any = "cem_ord",
    level: float = 0.95,
    difference: float | None = None,
    comparisons: int = 1,
) -> list[Plan]:
    """Return a plan for each pair of systems; all systems answered the same items."""
    check_probabilities(power, level)
    check_difference(difference, comparisons)
    scorer = Scorer(resolve(metric), runs.scale, runs.policy)
    cases = len(runs.cases or runs.clusters)
    unit = sampling_unit(None, cases)
    check_pilot(cases if unit == "cases" else runs.n)
    sample = samples_of(runs, scorer, unit=unit, undefined="omit", constant=0)[0]
    first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    apart = differences(sample, 0, first, second)
    units = float(cases) if unit == "cases" else float(sample.estimate.units[0, 0])
    return [
        plan_for(
            (runs.systems[a], runs.systems[b]), next(iter(scorer.measures)), apart, at, pilot=float(runs.n),
            units=units, power=power, level=level, paired=True, in_cases=unit == "cases", difference=difference,
            comparisons=comparisons,
        )
        for at, (a, b) in enumerate(pairs)
    ]  # fmt: skip


def check_probabilities(power: Any, level: Any) -> None:
    """Refuse a power or a level that is not between 0 and 1, or a power that chance alone would reach."""
    for name, value in (("power", power), ("level", level)):
        if not (is_number(value) and 0 < value < 1):
            raise ParameterError(
                f"{argument(name, value)} is not a probability; it lies between 0 and 1, as in {argument(name, 0.8)}."
            )
    if power <= 1 - level + ties.TIE:
        raise ParameterError(
            f"{argument('power', power)} is no more than chance alone has at {argument('level', level)}; ask for more "
            f"than {1 - level:.3g}."
        )


def check_difference(difference: Any, comparisons: Any) -> None:
    """Refuse a difference of 0 and a number of comparisons below 1."""
    if difference is not None and not (is_number(difference) and difference != 0):
        raise ParameterError(
            f"{argument('difference', difference)} cannot be shown by any number of items; pass the smallest "
            f"difference that matters, as in {argument('difference', 0.02)}."
        )
    if not is_whole(comparisons, 1):
        raise ParameterError(
            f"{argument('comparisons', comparisons)} is not a number of comparisons; it is a whole number of 1 or more."
        )


def check_pilot(units: float) -> None:
    """Refuse a pilot of fewer than two items."""
    if units < 2:
        raise ParameterError(
            f"the pilot has {units:g} items; it takes at least two to see how much a score varies."
        )


def reach(freedom: float, power: float, level: float, comparisons: int) -> float:
    """Return how many standard errors a difference needs to be found with that power."""
    tail = (1 - level) / (2 * comparisons)
    return one_t_quantile(1 - tail, freedom) + one_t_quantile(power, freedom)


@dataclass(frozen=True, slots=True)
class Sizing:
    """What the number of units depends on, besides the difference and how much it varies."""

    power: float
    level: float
    comparisons: int
    samples: int  # 1 if both systems answer the same items, else 2
    least: int  # units with which a difference can be significant at all

    def units(self, spread: float, difference: float, few: float = 0.0) -> int | None:
        """Return the number of units at which a difference is found; None if there are not so many anywhere.

        `spread` is the variance of the difference times the number of units, and `few` the part of the variance that
        pseudo-items add, times the square of that number. It is the smallest number that agrees with its own t
        quantiles; fewer units have heavier tails.
        """

        def wanted(size: int) -> float:
            errors = reach((size - 1) * self.samples, self.power, self.level, self.comparisons)
            return (spread + few / size) * (errors / difference) ** 2

        size, short = self.least, self.least - 1
        for _ in range(MOST_ROUNDS):
            enough = wanted(size)
            if not enough < MOST_ITEMS:
                return None
            if enough <= size:
                break
            size, short = max(size + 1, math.ceil(min(enough, 2 * size))), size
        while size - short > 1:
            middle = (size + short) // 2
            size, short = (middle, short) if wanted(middle) <= middle else (size, middle)
        return size


def plan_for(
    names: tuple[str, str],
    metric: str,
    apart: Differences,
    at: int,
    *,
    pilot: float,
    units: float,
    power: float,
    level: float,
    paired: bool,
    in_cases: bool,
    difference: float | None,
    comparisons: int,
) -> Plan:
    """Return the plan of one pair from its difference in the pilot."""
    observed, error = float(apart.value[at]), float(apart.plain[at])
    spread, target = error**2 * units, observed if difference is None else float(difference)
    flips = in_cases and comparisons > 1  # the joint sign flips of few cases cannot be significant
    least = math.ceil(1 - math.log2(1 - level)) if flips else 2
    sizing = Sizing(power, level, comparisons, 1 if paired else 2, least)

    def items(of: float, scale: float = 1.0) -> int | None:
        size = sizing.units(spread * scale, of) if of else None
        return size if size is None or not in_cases else math.ceil(size * pilot / units)

    low = high = sample = None
    reason = None
    if math.isnan(observed) or math.isnan(error):
        reason = f"{metric} is undefined in the pilot"
    elif difference is not None:
        sample = sizing.units(spread, target)
        smaller, larger = variance_range(units - 1, level)
        low, high = items(target, smaller), items(target, larger)
    elif ties.same(observed, 0.0):
        reason = (
            "they do not differ in the pilot, so a plan needs the smallest difference that matters"
        )
    elif abs(observed) < float(apart.error[at]):
        reason = (
            "their difference in the pilot is smaller than its standard error, so a plan needs the smallest "
            "difference that matters"
        )
    else:
        sample = sizing.units(spread, observed)
        ends = [float(end[at]) for end in apart.interval(level)]
        near, far = sorted(abs(end) for end in ends)
        low, high = items(far), items(near) if ends[0] * ends[1] > 0 else None
    if sample is None and reason is None:
        reason = "it would take more items than there are anywhere"
    total = sample if sample is None or not in_cases else math.ceil(sample * pilot / units)
    return Plan(
        a=names[0],
        b=names[1],
        metric=metric,
        difference=target,
        observed=observed,
        error=error,
        pilot=round(pilot),
        items=total,
        low=low,
        high=high,
        cases=sample if in_cases else None,
        power=power,
        level=level,
        comparisons=comparisons,
        paired=paired,
        units=units,
        reason=reason,
    )


def variance_range(freedom: float, level: float) -> tuple[float, float]:
    """Return by which factors the true variance may differ from the pilot's (Wilson and Hilferty's chi-square)."""
    z = float(normal_quantile(np.array((1 + level) / 2)))
    freedom = max(freedom, 1.0)
    spread = z * math.sqrt(2 / (9 * freedom))
    middle = 1 - 2 / (9 * freedom)
    return 1 / (middle + spread) ** 3, 1 / max(middle - spread, 0.05) ** 3
