"""What each chart of systems shows: the chart, what it says in words, and its data as a table.

Everything that is drawn is drawn from here: `oe.plot` hands the chart out, the report shows all three.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.formats.old_layout import chance
from ordeval.formats.old_names import isolated, plural, short, shown
from ordeval.formats.old_text import floored
from ordeval.report.charts import Chart, intervals, matrix

if TYPE_CHECKING:
    from ordeval.comparison.compare import Comparison
    from ordeval.report.casework import CaseWork
    from ordeval.report.measures import Agreement

MANY = 14  # up to here a cell of a matrix of systems is wide enough for a number
DASH = "–"  # noqa: RUF001 - longer than a minus, so that it is not taken for one


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart, its title, a description for those who do not see it, and its data."""

    chart: Chart
    title: str
    description: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1  # so many columns of the table are text


def value(number: float | None, digits: int = 3) -> str:
    """Write a value, a dash where it is undefined."""
    return DASH if number is None or not np.isfinite(number) else f"{number:.{digits}f}"


def forest_figure(
    comparison: "Comparison", metric: str | None = None, limit: int | None = None
) -> Figure:
    """Every system's score with its interval."""
    name = comparison.primary if metric is None else metric
    standings = sorted_by(comparison, name)[:limit]
    scores = [standing.scores[name] for standing in standings]
    asked = comparison.scores.level is not None
    low, high = (
        np.array([np.nan if end is None else end for end in ends])
        for ends in ([s.low for s in scores], [s.high for s in scores])
    )
    up = comparison.scores.measures[name].greater_is_better
    level = (
        ""
        if comparison.scores.level is None
        else f" and {100 * comparison.scores.level:g}% interval"
    )
    first = scores[0] if scores else None
    told = (
        ""
        if first is None
        else f" {short(standings[0].system)} is first with {value(first.value)}."
    )
    chart = intervals(
        [standing.system for standing in standings],
        np.array([score.value for score in scores]),
        low if asked else None,
        high if asked else None,
        [standing.tier for standing in standings],
        title=f"{name}{level} ({'higher' if up else 'lower'} is better)",
    )
    return Figure(
        chart,
        f"{name} of every system",
        f"A dot for each system's {name}{' with a line for its interval' if asked else ''}, best first.{told}",
        ("system", "tier", name, "low", "high"),
        tuple(
            (
                shown(s.system),
                str(s.tier),
                value(score.value, 4),
                value(score.low, 4),
                value(score.high, 4),
            )
            for s, score in zip(standings, scores, strict=True)
        ),
    )


def sorted_by(comparison: "Comparison", metric: str) -> list[Any]:
    """Return the leaderboard, best first by any measure."""
    if metric == comparison.primary:
        return list(comparison.leaderboard)
    sign = -1.0 if comparison.scores.measures[metric].greater_is_better else 1.0
    worth = {one.system: sign * one.scores[metric].value for one in comparison.leaderboard}
    return sorted(
        comparison.leaderboard,
        key=lambda one: (np.isnan(worth[one.system]), np.nan_to_num(worth[one.system])),
    )


def pairs_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """The difference of every two systems, and whether it is significant."""
    systems = comparison.systems[:limit]
    place = {name: at for at, name in enumerate(systems)}
    n = len(systems)
    difference, significant = np.full((n, n), np.nan), np.zeros((n, n), dtype=bool)
    rows = []
    up = comparison.scores.measures[comparison.primary].greater_is_better
    for pair in comparison.pairs:
        if pair.metric != comparison.primary or pair.a not in place or pair.b not in place:
            continue
        a, b = place[pair.a], place[pair.b]
        real = pair.p_adjusted is not None and pair.p_adjusted <= comparison.alpha
        difference[a, b], difference[b, a] = pair.difference, -pair.difference
        significant[a, b] = significant[b, a] = real
        rows.append(
            (
                shown(pair.a), shown(pair.b), value(pair.difference, 4), value(pair.low, 4), value(pair.high, 4),
                chance(pair.p), chance(pair.p_adjusted), "yes" if real else "no", value(pair.win, 3),
            )
        )  # fmt: skip
    largest = np.nanmax(np.abs(difference), initial=0.0, where=~np.isnan(difference)) or 1.0
    strength = (difference if up else -difference) / largest
    many = n > MANY
    dots = [["●" if real else "" for real in row] for row in significant]
    texts = [[f"{x:+.3f}" if np.isfinite(x) else "" for x in row] for row in difference]
    found = int(significant.sum()) // 2
    chart = matrix(
        [f"{rank}. {isolated(name)}" for rank, name in enumerate(systems, 1)],
        [str(rank) for rank in range(1, n + 1)],
        strength,
        dots if many else texts,
        dots if significant.any() and not many else None,
        step=16 if many else 50,
        row_step=16 if many else 32,
        column_title="less the system of this rank",
    )
    return Figure(
        chart,
        f"Paired differences in {comparison.primary}",
        f"A matrix of {n} by {n} systems, best first. {found} of {len(rows)} differences are significant at "
        f"{comparison.alpha:g}.",
        ("a", "b", "a - b", "low", "high", "p", "p adjusted", "significant", "a wins"),
        tuple(rows),
        left=2,
    )


def percent(share: float) -> str:
    """Write a share for a small cell: nothing for next to nothing, and 100 for all alone."""
    whole = 100 if share >= 1 else min(99, round(100 * share))
    return str(whole) if share >= 0.01 else ""


def ranks_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """In how many resamples each system takes each rank."""
    standings = comparison.leaderboard[:limit]
    shares = np.array([one.rank_shares for one in standings])
    total = shares.shape[1]
    used = np.flatnonzero(shares.max(axis=0) >= 0.0005)
    last = int(used[-1]) + 1 if len(used) else total
    middle = [range_of(row) for row in shares]
    chart = matrix(
        [one.system for one in standings],
        [str(rank) for rank in range(1, last + 1)],
        np.sqrt(shares[:, :last]),  # a rank that is taken rarely is still seen
        [[percent(share) for share in row[:last]] for row in shares] if last <= MANY else None,
        column_title="rank" + (" (numbers: % of the resamples)" if last <= MANY else ""),
        step=34 if last <= MANY else max(7, min(16, round(310 / last))),
        row_step=24 if last <= MANY else 16,
    )
    return Figure(
        chart,
        "Distribution of ranks",
        f"How often each of {len(standings)} systems takes each rank when the data are resampled. "
        + (
            f"{short(standings[0].system)} is first in {floored(shares[0, 0])} of the resamples."
            if len(standings)
            else ""
        ),
        ("system", "first in", "median rank", "95% of the resamples"),
        tuple(
            (shown(one.system), floored(row[0]), str(mid[1]), f"{mid[0]} to {mid[2]}")
            for one, row, mid in zip(standings, shares, middle, strict=True)
        ),
    )


def range_of(shares: Array) -> tuple[int, int, int]:
    """Return the ranks at 2.5%, 50% and 97.5% of the resamples."""
    grown = np.cumsum(shares)
    low, middle, high = (int(np.searchsorted(grown, at - 1e-9)) + 1 for at in (0.025, 0.5, 0.975))
    most = len(shares)
    return min(low, most), min(middle, most), min(high, most)


def cases_figure(
    work: "CaseWork",
    metric: str,
    *,
    greater_is_better: bool,
    systems: int | None = None,
    cases: int | None = None,
) -> Figure:
    """Every system's score on every case, the hardest case first."""
    chosen = list(work.hardest[:cases])
    values = work.values[:systems][:, chosen]
    names = work.systems[:systems]
    there = values[~np.isnan(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 1.0)
    ends = np.quantile(there, [0.02, 0.98]) if len(there) else np.array([0.0, 1.0])
    strength = (values - ends[0]) / (
        (ends[1] - ends[0]) or 1.0
    )  # so that one outlier does not make all others alike
    strength = np.clip(strength if greater_is_better else 1 - strength, 0, 1)
    hardest = work.cases[chosen[0]] if chosen else ""
    wide = len(chosen)
    few = wide <= MANY and len(names) <= 60
    return Figure(
        matrix(
            names,
            [work.cases[c] for c in chosen],
            0.04 + 0.96 * strength,
            [[value(x, 2) for x in row] for row in values] if few else None,
            column_title="test case, the hardest first",
            step=40 if few else max(9, min(30, round(640 / max(wide, 1)))),
            row_step=22 if few else 20 if len(names) <= MANY else 14,
        ),
        f"{metric} by system and test case",
        f"A cell for each of {len(names)} systems and {plural(wide, 'test case')}; stronger is better, from "
        f"{value(low)} to {value(high)}. The hardest case is {short(hardest)}.",
        ("case", *map(shown, names)),
        tuple((shown(work.cases[c]), *(value(x) for x in work.values[:systems, c])) for c in chosen),
    )  # fmt: skip


def agreement_figure(agreement: "Agreement") -> Figure:
    """How alike every two measures rank the systems."""
    texts = [[value(x, 2) for x in row] for row in agreement.matrix]
    n = len(agreement.metrics)
    return Figure(
        matrix(
            [f"{at}. {plain_name(name)}" for at, name in enumerate(agreement.metrics, 1)],
            [str(at) for at in range(1, n + 1)],
            np.sign(agreement.matrix) * agreement.matrix**2,  # so that 0.9 and 0.6 look different
            texts,
            step=34,
            row_step=24,
        ),
        "Rank agreement of measures",
        f"Kendall's tau-b between the rankings of the systems by {n} measures: 1 is the same ranking, -1 the reverse.",
        ("measure", *(str(at) for at in range(1, n + 1))),
        tuple(
            (f"{at}. {name}", *row)
            for at, (name, row) in enumerate(zip(agreement.metrics, texts, strict=True), 1)
        ),
    )


def plain_name(metric: str) -> str:
    """Return a measure's name with its settings in short: weighted_kappa (linear)."""
    name, _, settings = metric.partition("(")
    parts = (
        [part.partition("=")[2].strip(" '\"") for part in settings.rstrip(")").split(",")]
        if settings
        else []
    )
    return f"{name} ({', '.join(parts)})" if parts else name
