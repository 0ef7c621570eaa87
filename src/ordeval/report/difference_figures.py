"""Charts of differences: every system against one other or the constant answer; systems that are not different."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import (
    TIP,
    Figure,
    Groups,
    distinct_names,
    interval_chart,
    notes_below,
    row_axis,
)
from ordeval.report.comparison_figures import (
    groups_in,
    pair_tip,
    standings_by,
    systems_shown,
    turned,
)
from ordeval.report.leaderboard import short_measure_name
from ordeval.report.specification import constant, expression, field, marks
from ordeval.stats.differences import differences

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison

BETTER, WORSE, UNDECIDED, UNTESTED = (
    "significantly better",
    "significantly worse",
    "not significantly different",
    "not tested",
)
LOOKS = {
    BETTER: (palette.GROUPS[0], "triangle-up"),
    WORSE: (palette.GROUPS[3], "triangle-down"),
    UNDECIDED: (palette.GROUPS[5], "circle"),
    UNTESTED: (palette.SOFT, "cross"),
}
CONSTANT = "constant"  # the name of the best constant answer, unless a system has it
BAR_STEP = 8  # pixels between the bars that join systems


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """How far a system is from the one that all are held against, and whether that is significant."""

    system: str
    value: float
    ends: tuple[float | None, float | None]
    p: float | None
    outcome: str


def differences_figure(
    comparison: "Comparison",
    baseline: str | None = None,
    metric: str | None = None,
    limit: int | None = None,
) -> Figure:
    """Draw each system's score minus that of the best system, of a named one, or of the best constant answer."""
    name = comparison.primary if metric is None else metric
    ranking = [standing.system for standing in standings_by(comparison, name)]
    reference = ranking[0] if baseline is None else baseline
    constant = reference == CONSTANT and CONSTANT not in ranking
    found = {
        row.system: row
        for row in (
            from_constant(comparison, name)
            if constant
            else from_system(comparison, name, reference)
        )
    }
    rows = [found[system] for system in ranking if system in found][:limit]
    called = f"always {short(comparison.baseline.name, 24)}" if constant else short(reference)
    level = comparison.scores.level
    up = comparison.scores.measures[name].greater_is_better
    drawn = {row.outcome for row in rows if np.isfinite(row.value)}
    present = [outcome for outcome in LOOKS if outcome in drawn] or [UNTESTED]
    said = [] if level is None else [f"{numbers.confidence(level)} interval"]
    if not constant and comparison.corrected:
        said.append("significance corrected for all pairs")
    chart = interval_chart(
        [row.system for row in rows],
        [row.value for row in rows],
        [row.ends for row in rows],
        Groups(
            [row.outcome for row in rows],
            present,
            [LOOKS[outcome][0] for outcome in present],
            [LOOKS[outcome][1] for outcome in present],
            explained=True,
        ),
        title=[
            f"difference in {short_measure_name(name)} ({'higher' if up else 'lower'} is better)",
            *(["; ".join(said)] if said else []),
        ],
        marked={"no difference": 0.0},
        at_edge=False,
        tips=[pair_tip(row.system, called, row.value, row.ends, row.p) for row in rows],
    )
    amounts = [sum(row.outcome == outcome for row in rows) for outcome in LOOKS]
    untested = f" {amounts[3]} could not be tested." if amounts[3] else ""
    return Figure(
        chart,
        f"Differences in {name} to {called}",
        f"A point for {name} of {systems_shown(len(rows), len(found))} minus that of {called}, with a line for its "
        f"interval; a dashed line stands at 0. {amounts[0]} are significantly better, {amounts[1]} significantly worse "
        f"and {amounts[2]} not significantly different.{untested}",
        Sheet(
            [
                Column("system"),
                *(Column(part, Kind.NUMBER, digits=4, sign=True) for part in ("difference", "low", "high")),
                Column("p" if constant else "p adjusted", Kind.P_VALUE),
                Column("the system is"),
            ],
            [
                [Cell(clean(row.system)), *map(Cell, (row.value, *row.ends, row.p, row.outcome))]
                for row in rows
            ],
        ),
    )  # fmt: skip


def from_system(comparison: "Comparison", metric: str, reference: str) -> Iterator[DifferenceRow]:
    """Give every other system's difference to a named one, tested as the comparison tests its pairs."""
    values = comparison.pair_values
    assert values is not None  # noqa: S101 - there are two systems or more
    m, r = comparison.scores.metrics.index(metric), comparison.scores.systems.index(reference)
    for q in np.flatnonzero((values.first == r) | (values.second == r)).tolist():
        pair = comparison.pair_difference(values, m, q)
        ends, p = (pair.low, pair.high), pair.p_adjusted
        better, worse = (BETTER, WORSE) if pair.b == reference else (WORSE, BETTER)
        undecided = UNTESTED if p is None else UNDECIDED
        words = {"better": better, "worse": worse}.get(pair.outcome or "", undecided)
        if pair.b == reference:
            yield DifferenceRow(pair.a, pair.difference, ends, p, words)
        else:
            yield DifferenceRow(pair.b, -pair.difference, turned(ends), p, words)


def from_constant(comparison: "Comparison", metric: str) -> Iterator[DifferenceRow]:
    """Give every system's difference to the best constant answer; each is tested by itself."""
    scores = comparison.scores
    m, level = scores.metrics.index(metric), scores.level
    up = scores.measures[metric].greater_is_better
    names = iter(scores.systems)
    for sample in scores.samples:
        last = sample.estimate.value.shape[1] - 1  # the constant
        apart = differences(sample, m, np.arange(last), np.full(last, last))
        low, high = apart.interval(0.95 if level is None else level)
        for value, p, *ends in zip(apart.value, apart.p, low, high, strict=True):
            outcome = UNTESTED if np.isnan(p) else UNDECIDED
            if p <= comparison.alpha:
                outcome = BETTER if (value > 0) == up else WORSE
            shown = (
                (None, None)
                if level is None or np.isnan(ends[0])
                else (float(ends[0]), float(ends[1]))
            )
            known = None if np.isnan(p) else float(p)
            yield DifferenceRow(next(names), float(value), shown, known, outcome)


def critical_difference_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """Draw the systems by score, with bars that join those among which no difference is significant."""
    name, standings = comparison.primary, comparison.leaderboard[:limit]
    systems = [one.system for one in standings]
    runs = joined_runs(comparison, len(systems))
    rows, columns = distinct_names(systems), bar_columns(runs)
    bars = [
        {
            "first": rows[first],
            "last": rows[last],
            "place": column,
            "tip": f"No significant difference among ranks {first + 1} to {last + 1}",
        }
        for (first, last), column in zip(runs, columns, strict=True)
    ]
    more = []
    if bars:
        ends = {"y": field("first:N", title=None, **row_axis(rows)), "y2": field("last")}
        more = [
            marks(
                "rule",
                {"x": constant(0), **ends, **TIP},
                data=bars,
                strokeWidth=3,
                strokeCap="round",
                color=palette.INK,
                xOffset=expression(f"width + 16 + {BAR_STEP} * datum.place"),
            ),
            notes_below([(0, "bars join systems that are not significantly different")]),
        ]
    up = comparison.scores.measures[name].greater_is_better
    chart = interval_chart(
        systems,
        [one.scores[name].value for one in standings],
        [(None, None) for _ in standings],
        groups_in(comparison, systems),
        title=f"{name} ({'higher' if up else 'lower'} is better)",
        more=more,
        width=240,
    )
    part = (
        ""
        if len(systems) == len(comparison.order)
        else f", the first {len(systems)} of {len(comparison.order)}"
    )
    joined = [
        [f"{first + 1}-{last + 1}" for first, last in runs if first <= at <= last]
        for at in range(len(systems))
    ]
    return Figure(
        chart,
        f"Systems that are not significantly different{part}",
        f"Systems by {name}, best first. {numbers.counted(len(runs), 'bar')} at the side "
        f"{'joins' if len(runs) == 1 else 'join'} neighbours among which no difference is significant at "
        f"{comparison.alpha:g} after correction.",
        Sheet(
            [
                Column("rank", Kind.COUNT),
                Column("system"),
                Column(name, Kind.NUMBER),
                Column("not significantly different among ranks"),
            ],
            [
                [Cell(one.rank), Cell(clean(one.system)), Cell(one.scores[name].value), Cell(", ".join(bar))]
                for one, bar in zip(standings, joined, strict=True)
            ],
        ),
    )  # fmt: skip


def joined_runs(comparison: "Comparison", shown: int) -> list[tuple[int, int]]:
    """Return the longest runs of neighbours on the leaderboard without a significant difference: first and last place.

    A run has at least two systems and lies within no other; systems without a score are in none.
    """
    order = [s for s in comparison.order[:shown] if comparison.ranked[s]]
    apart = (comparison.better | comparison.better.T)[np.ix_(order, order)]
    runs: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not apart[first : last + 1, last + 1].any():
            last += 1
        if last > first and not (runs and runs[-1][1] >= last):
            runs.append((first, last))
    return runs


def bar_columns(runs: list[tuple[int, int]]) -> list[int]:
    """Return the column of each bar: the first in which no earlier bar reaches it."""
    ends: list[int] = []  # where the last bar of each column ends
    columns = []
    for first, last in runs:
        column = next((at for at, end in enumerate(ends) if end < first), len(ends))
        ends[column : column + 1] = [last]
        columns.append(column)
    return columns
