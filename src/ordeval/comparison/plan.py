"""How many items would settle it: from a pilot to the size at which its difference would be significant."""

import html
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ordeval import ties
from ordeval.aliases import Array
from ordeval.comparison.results import none_if_undefined
from ordeval.comparison.scoring import (
    Scorer,
    are_whole,
    cells_of,
    joint_patterns,
    system_patterns,
)
from ordeval.errors import LabelTypeError, ParameterError, argument
from ordeval.formats.json import SCHEMA
from ordeval.formats.result import Result
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.registry import resolve
from ordeval.runs import Runs
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.distributions import normal_quantile
from ordeval.stats.intervals import leave_one_out
from ordeval.table import Axis, Table


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """The number of items, or of test cases, at which the pilot's difference would be significant with that power.

    `items` (and `cases`) are None if no number can be given; `reason` says why.
    """

    a: str
    b: str
    metric: str
    difference: float
    error: float  # standard error of the difference in the pilot
    pilot: int  # items of the pilot
    items: int | None
    cases: int | None  # if test cases are the sample
    power: float
    level: float
    paired: bool
    reason: str | None = None

    def sheet(self) -> Sheet:
        """Return the plan as one row."""
        return plan_sheet([self])

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        undefined_as_none = {
            "difference": none_if_undefined(self.difference),
            "error": none_if_undefined(self.error),
        }
        return {"schema": SCHEMA, **asdict(self), **undefined_as_none}

    def __repr__(self) -> str:
        cases = "" if self.cases is None else f", cases={self.cases}"
        return f"Plan(items={self.items}{cases}, metric={self.metric!r}, power={self.power:g}, paired={self.paired})"

    def __str__(self) -> str:
        """Return the answer in a sentence."""
        if self.items is None:
            return f"No number of items can be given for {self.a} and {self.b}: {self.reason}."
        size = (
            f"{self.items:,} items"
            if self.cases is None
            else f"{self.cases:,} test cases ({self.items:,} items)"
        )
        how = "answered by both" if self.paired else "for each of the two (drawn apart)"
        pilot = f"pilot: {self.pilot:,} items, standard error {self.error:.4f}"
        return (
            f"{size} {how} would show the difference of {self.difference:+.4f} in {self.metric} between {self.a} and "
            f"{self.b} ({pilot}) at {1 - self.level:.3g} with power {self.power:g}."
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
    ]
    rows = [
        [
            Cell(plan.a),
            Cell(plan.b),
            Cell(plan.difference),
            *([Cell(plan.cases)] if in_cases else []),
            Cell(plan.items),
        ]
        for plan in plans
    ]
    caption = (
        f"Needed: the number of {'test cases' if in_cases else 'items'} at which this difference would be significant "
        f"at {1 - first.level:.3g}, uncorrected, with power {first.power:g}, if the difference stays the same and its "
        f"standard error shrinks with the square root of that number."
    )
    return Sheet(columns, rows, [caption])


def plan(
    table_a: Any,
    table_b: Any = None,
    *,
    power: float = 0.8,
    metric: Any = "cem_ord",
    level: float = 0.95,
) -> Plan:
    """Return how many items would settle which of two systems is better, if they differ as much as in this pilot.

    Two tables do not tell which items both systems got wrong, so they are taken as two independent samples, and the
    answer is the number of items for each. Systems that answer the same items mostly err on the same ones, and then
    fewer items are enough: pass `Runs` of two systems to take this into account. If the runs have test cases, the cases
    are the sample, and the answer is a number of cases.

    The standard error comes from the jackknife. It is assumed to shrink with the square root of the number of items,
    the difference to stay the same, and its distribution to be normal:
    n = pilot * ((z(1 - alpha / 2) + z(power)) * error / difference)^2.

    In the example an answer is right with a variance of 0.16 and 0.21, times 100 / 99 because the jackknife divides by
    n - 1; the difference is 0.1, and the quantiles add up to 1.96 + 0.84: 0.3737 * (2.80 / 0.1)^2.

    >>> a = Table.from_counts([[40, 10], [10, 40]])
    >>> b = Table.from_counts([[35, 15], [15, 35]])
    >>> plan(a, b, metric="accuracy").items
    294
    """
    check_probabilities(power, level)
    if isinstance(table_a, Runs):
        if table_b is not None or len(table_a.systems) != 2:
            raise LabelTypeError(
                f"plan was given runs of {len(table_a.systems)} systems; it takes runs of two and nothing else. "
                f"Pass runs.select([a, b])."
            )
        return plan_pairs(table_a, [(0, 1)], power=power, metric=metric, level=level)[0]
    if not (isinstance(table_a, Table) and isinstance(table_b, Table)):
        raise LabelTypeError("plan takes two Tables, or oe.Runs of two systems on the same items.")
    for table in (table_a, table_b):
        if table.axes:
            raise LabelTypeError(
                f"{table!r} has leading axes; plan takes single tables. Pass table.pooled()."
            )
    both = as_system(table_a, "a") + as_system(table_b, "b")  # on one scale, under one policy
    scorer = Scorer(resolve(metric), both.scale, both.policy)
    values, variances, sizes = [], [], []
    for cells in cells_of(both):
        value, influence, weight, size = one_pilot(system_patterns(cells), scorer)
        values.append(value[0, 0])
        variances.append(variance(influence[0, 0], weight, size))
        sizes.append(size)
    name, spread = next(iter(scorer.measures)), float(np.dot(variances, sizes))
    planned = plan_for(
        ("a", "b"), name, values[0] - values[1], spread, pilot=min(sizes), power=power, level=level, paired=False
    )  # fmt: skip
    return replace(planned, error=math.sqrt(sum(variances)))


def as_system(table: Table, name: str) -> Table:
    """Return a single table as the table of one system, so that it can be added to that of another."""
    axis = (Axis("system", (name,)),)
    return table.rearranged(lambda array: array[None], axis)


def plan_pairs(
    runs: Runs,
    pairs: list[tuple[int, int]],
    *,
    power: float = 0.8,
    metric: Any = "cem_ord",
    level: float = 0.95,
) -> list[Plan]:
    """Return a plan for each pair of systems; all systems answered the same items."""
    check_probabilities(power, level)
    scorer = Scorer(resolve(metric), runs.scale, runs.policy)
    name = next(iter(scorer.measures))
    patterns = joint_patterns(runs)
    cases = len(runs.cases)
    names = [(runs.systems[a], runs.systems[b]) for a, b in pairs]
    first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    if cases > 1:
        per_case = np.stack([scorer(case.observed)[0] for case in patterns], axis=-1)
        apart = per_case[first] - per_case[second]
        differences, spreads, pilot = apart.mean(axis=-1), apart.var(axis=-1, ddof=1), float(runs.n)
    else:
        value, influence, weight, pilot = one_pilot(patterns, scorer)
        differences = value[0, first] - value[0, second]
        spreads = np.array(
            [variance(influence[0, a] - influence[0, b], weight, pilot) * pilot for a, b in pairs]
        )
    sample = cases if cases > 1 else None
    return [
        plan_for(
            both,
            name,
            difference,
            spread,
            pilot=pilot,
            power=power,
            level=level,
            paired=True,
            cases=sample,
        )
        for both, difference, spread in zip(
            names, differences.tolist(), spreads.tolist(), strict=True
        )
    ]


def check_probabilities(power: Any, level: Any) -> None:
    """Refuse a power or a level that is not between 0 and 1, or a power that chance alone would reach."""
    for name, value in (("power", power), ("level", level)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise ParameterError(
                f"{name}={value!r} is no probability; it lies between 0 and 1, as in {name}=0.8."
            )
    if power <= 1 - level + ties.TIE:
        raise ParameterError(
            f"{argument('power', power)} is no more than chance alone has at {argument('level', level)}; ask for more "
            f"than {1 - level:.3g}."
        )


def one_pilot(patterns: list[CasePatterns], scorer: Scorer) -> tuple[Array, Array, Array, float]:
    """Return the values, the influence of leaving out an item of each pattern, the patterns' sizes, and their sum."""
    case = patterns[0]
    if not are_whole(case.count):
        raise ParameterError(
            "the pilot's items are weighted; only counts of items tell how many more it takes."
        )
    if case.items < 2:
        raise ParameterError(
            f"the pilot has {case.items} items; it takes at least two to see how much a score varies."
        )
    influence, weight, _ = leave_one_out(patterns, scorer)
    return scorer(case.observed), influence, weight, float(case.items)


def variance(influence: Array, weight: Array, size: float) -> float:
    """Return the jackknife variance; items without which the measure is undefined are passed over."""
    return float(
        (np.where(np.isfinite(influence), influence, 0.0) ** 2 * weight).sum() * (size - 1) / size
    )


def plan_for(
    names: tuple[str, str],
    metric: str,
    difference: float,
    spread: float,
    *,
    pilot: float,
    power: float,
    level: float,
    paired: bool,
    cases: int | None = None,
) -> Plan:
    """Return the plan from `spread`, the variance of the difference times the number of items (or of cases)."""
    units = pilot if cases is None else cases
    error = math.sqrt(spread / units) if spread >= 0 else math.nan
    reason, sample = None, None
    if math.isnan(difference):
        reason = f"{metric} is undefined in the pilot"
    elif ties.same(difference, 0.0):
        reason = "they do not differ in the pilot"
    else:
        quantile = float(
            normal_quantile(np.array((1 + level) / 2)) + normal_quantile(np.array(power))
        )
        # However regular the pilot, no test by signs reaches alpha with fewer than 1 - log2(alpha) items.
        least = math.ceil(1 - math.log2(1 - level))
        sample = max(math.ceil(spread * (quantile / difference) ** 2), least)
    items = sample
    if cases is not None and sample is not None:
        items = math.ceil(sample * pilot / cases)
    return Plan(
        a=names[0],
        b=names[1],
        metric=metric,
        difference=float(difference),
        error=error,
        pilot=int(pilot),
        items=items,
        cases=None if cases is None else sample,
        power=power,
        level=level,
        paired=paired,
        reason=reason,
    )
