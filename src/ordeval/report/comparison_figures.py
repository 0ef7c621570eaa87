"""The charts of a comparison, each with its title, its description and its data as a table.

`ordeval.plot` hands out the charts; the report shows all of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval import ties
from ordeval.comparison.human import A_HUMAN
from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, text_sheet
from ordeval.report import palette
from ordeval.report.charts import (
    SILENT,
    Figure,
    Groups,
    distinct_names,
    interval_chart,
    row_axis,
    row_bands,
    row_height,
    value_axis,
)
from ordeval.report.groups import groups_of
from ordeval.report.leaderboard import short_measure_name
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.specification import field, layered, marks, pixels_each

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison
    from ordeval.comparison.results import Standing
    from ordeval.report.cases import CaseScores
    from ordeval.report.measure_agreement import MeasureAgreement

MANY = 14  # up to so many columns a cell is wide enough for a number
MARKS = {"better": "●", "worse": "●", "equivalent": "≈"}  # in the cell of a difference
LATER = "Later tiers"  # all groups that share the last colour


def groups_in(comparison: "Comparison", systems: Sequence[str]) -> Groups:
    """Return the groups of some systems, by the names that the page gives them; late groups are one."""
    groups = groups_of(comparison)
    last = len(palette.GROUPS)
    names = [
        group.name if len(groups) <= last or group.number < last else LATER for group in groups
    ]
    name_of = {
        system: name for group, name in zip(groups, names, strict=True) for system in group.systems
    }
    present = [name_of[system] for system in systems]
    return Groups(present, list(dict.fromkeys(names)))


def forest_figure(
    comparison: "Comparison", metric: str | None = None, limit: int | None = None
) -> Figure:
    """Draw every system's score with its interval, best first, and the best constant answer."""
    name = comparison.primary if metric is None else metric
    standings = standings_by(comparison, name)[:limit]
    scores = [standing.scores[name] for standing in standings]
    level = comparison.scores.level
    up = comparison.scores.measures[name].greater_is_better
    interval = "" if level is None else f" and {numbers.confidence(level)} interval"
    constant = comparison.baseline.scores.get(name, np.nan)
    always = f"always {short(comparison.baseline.name, 24)}"
    human = comparison.ceiling.get(name)
    chart = interval_chart(
        [standing.system for standing in standings],
        [score.value for score in scores],
        [(score.low, score.high) for score in scores],
        groups_in(comparison, [standing.system for standing in standings]),
        title=f"{name}{interval} ({'higher' if up else 'lower'} is better)",
        marked={always: constant} if human is None else {always: constant, A_HUMAN: human.value},
    )
    lines = "" if level is None else " with a line for its interval"
    known = (
        "" if np.isnan(constant) else f" A dashed line marks {always}: {numbers.number(constant)}."
    )
    if human is not None:
        known += f" Another marks what a human reaches: {numbers.number(human.value)}."
    return Figure(
        chart,
        f"{name} of {systems_shown(len(standings), len(comparison.order))}",
        f"A point for each system's {name}{lines}, best first. "
        f"{short(standings[0].system)} is first with {numbers.number(scores[0].value)}.{known}",
        Sheet(
            [
                Column("system"),
                Column("tier", Kind.COUNT),
                *(Column(part, Kind.NUMBER) for part in (name, "low", "high")),
            ],
            [
                [Cell(clean(s.system)), *map(Cell, (s.tier, score.value, score.low, score.high))]
                for s, score in zip(standings, scores, strict=True)
            ],
        ),
    )


def systems_shown(shown: int, of: int) -> str:
    """Write how many systems a chart shows: 'every system', 'the first 40 of 200 systems'."""
    return "every system" if shown >= of else f"the first {shown} of {of} systems"


def standings_by(comparison: "Comparison", metric: str) -> list[Any]:
    """Return the rows of the leaderboard, best first by any measure; an undefined score is last."""
    if metric == comparison.primary:
        return list(comparison.leaderboard)
    sign = -1.0 if comparison.scores.measures[metric].greater_is_better else 1.0

    def place(standing: Any) -> tuple[bool, float]:
        value = sign * standing.scores[metric].value
        return bool(np.isnan(value)), float(np.nan_to_num(value))

    return sorted(comparison.leaderboard, key=place)


def pairs_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """Draw the difference of every two systems by the primary measure, and its outcome."""
    systems = comparison.systems[:limit]
    place = {name: at for at, name in enumerate(systems)}
    n = len(systems)
    difference = np.full((n, n), np.nan)
    marks = [["" for _ in systems] for _ in systems]
    tips = [["" for _ in systems] for _ in systems]
    rows = []
    all_pairs = len(comparison.order) * (len(comparison.order) - 1) // 2
    for pair in comparison.pairs[:all_pairs]:  # by the primary measure
        if pair.a not in place or pair.b not in place:
            continue
        a, b = place[pair.a], place[pair.b]
        difference[a, b] = round(pair.difference, ties.DECIMALS)  # so that a tie is exactly 0
        difference[b, a] = -difference[a, b]
        marks[a][b] = marks[b][a] = MARKS.get(pair.outcome or "", "")
        ends, p = (pair.low, pair.high), pair.p_adjusted
        tips[a][b] = pair_tip(systems[a], systems[b], difference[a, b], ends, p)
        tips[b][a] = pair_tip(systems[b], systems[a], difference[b, a], turned(ends), p)
        values = (
            clean(pair.a), clean(pair.b), pair.difference, pair.low, pair.high, pair.p, pair.p_adjusted,
            pair.outcome or "", pair.win,
        )  # fmt: skip
        rows.append([Cell(value) for value in values])
    up = comparison.scores.measures[comparison.primary].greater_is_better
    largest = np.nanmax(np.abs(difference), initial=0.0, where=~np.isnan(difference)) or 1.0
    texts = [
        ["" if np.isnan(x) else numbers.number(x, sign=True) for x in row] for row in difference
    ]
    many = n > MANY
    worse, better = (
        numbers.number(x, sign=True) for x in ((-largest, largest) if up else (largest, -largest))
    )
    explained = [f"● significant at {comparison.alpha:g}"]
    if any("≈" in row for row in marks):
        explained.append(f"≈ equivalent: less than {comparison.margin:g} apart")
    chart = matrix_chart(
        systems,
        systems,
        (difference if up else -difference) / largest,
        marks if many else texts,
        marks if any(map(any, marks)) and not many else None,
        tips=tips,
        key=ColourKey(
            f"row worse {worse}", f"{better} row better", diverging=True, marks=tuple(explained)
        ),
        step=16 if many else 50,
        row_step=16 if many else 32,
        column_title="minus the column's system",
        numbered=True,
    )
    return Figure(
        chart,
        f"{'Paired differences' if comparison.paired else 'Differences'} in {comparison.primary}",
        f"A matrix of {n} by {n} systems, best first. {sum(row.count('●') for row in marks) // 2} of {len(rows)} "
        f"differences are significant at {comparison.alpha:g}.",
        Sheet(
            [
                Column("a"),
                Column("b"),
                *(Column(part, Kind.NUMBER, digits=4) for part in ("a - b", "low", "high")),
                Column("p", Kind.P_VALUE),
                Column("p adjusted", Kind.P_VALUE),
                Column("a is"),
                Column("a ahead again", Kind.NUMBER),
            ],
            rows,
        ),
    )


def pair_tip(
    a: str, b: str, difference: float, ends: tuple[float | None, float | None], p: float | None
) -> str:
    """Write the difference of two systems, its interval and its p-value."""
    tested = "" if p is None else f", {numbers.p_in_sentence(p)}"
    interval = f" {numbers.interval(*ends)}".rstrip()
    value = numbers.number(difference, sign=True)
    return f"{short(a, 30)} minus {short(b, 30)}: {value}{interval}{tested}"


def turned(ends: tuple[float | None, float | None]) -> tuple[float | None, float | None]:
    """Return the interval of b minus a from that of a minus b."""
    low, high = ends
    return (None, None) if low is None or high is None else (-high, -low)


def ranks_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """Draw the ranks that each system may have as a band, with a point at its rank by score."""
    standings = comparison.leaderboard[:limit]
    groups = groups_in(comparison, [one.system for one in standings])
    rows = distinct_names(one.system for one in standings)
    ranked = [one for one in standings if one.rank_low is not None]
    data = [
        {
            "name": name,
            "value": one.rank,
            "low": one.rank_low,
            "high": one.rank_high,
            "group": group,
            "tip": f"{name}: rank {one.rank}, may have {ranks_in_words(one)}",
        }
        for name, one, group in zip(rows, standings, groups.of_rows, strict=True)
        if one.rank_low is not None
    ]
    look = groups.encoding()
    row = {"y": field("name:N", title=None, **row_axis(rows)), "color": look["color"]}
    at_rank = {
        "scale": {
            "zero": False,
            "nice": False,
            "domain": [0.4, max(len(comparison.order), 2) + 0.6],
        },
        "axis": value_axis(
            "rank by score, and the ranks that a system may have", tickMinStep=1, format="d"
        ),
    }
    bands = marks(
        "bar",
        {**row, "x": field("from:Q", **at_rank), "x2": field("to")},
        transform=[
            {"calculate": "datum.low - 0.4", "as": "from"},
            {"calculate": "datum.high + 0.4", "as": "to"},
        ],
        fillOpacity=0.32,
        height={"band": 0.74},
        cornerRadius=3,
        **SILENT,
    )
    points = marks(
        "point",
        {**row, "x": field("value:Q", **at_rank), "shape": look["shape"]},
        filled=True,
        size=46,
        opacity=1,
        **SILENT,
    )
    height = pixels_each(row_height(len(rows)))
    chart = layered([bands, points, row_bands(rows)], data, width=290, height=height)
    first = f" {short(ranked[0].system)} may have {ranks_in_words(ranked[0])}." if ranked else ""
    return Figure(
        chart,
        "Ranks that the systems may have",
        f"A band for each of {numbers.counted(len(standings), 'system')}, from the best to the worst rank that it may "
        f"have, with a point at its rank by score.{first}",
        Sheet(
            [Column("system"), *(Column(name, Kind.COUNT) for name in ("rank", "from", "to"))],
            [
                [Cell(clean(one.system)), *map(Cell, (one.rank, one.rank_low, one.rank_high))]
                for one in standings
            ],
        ),
    )


def ranks_in_words(standing: "Standing") -> str:
    """Write the ranks that a system may have: 'rank 2', 'the ranks 1 to 3'."""
    if standing.rank_low == standing.rank_high:
        return f"rank {standing.rank_low}"
    return f"the ranks {standing.rank_low} to {standing.rank_high}"


def cases_figure(
    scores: "CaseScores", *, systems: int | None = None, cases: int | None = None
) -> Figure:
    """Draw every system's score on every case, the hardest case first."""
    chosen = list(scores.hardest[:cases])
    if len(scores.systems) == 1:
        return one_system_cases(scores, chosen)
    names = [clean(name) for name in scores.systems[:systems]]
    case_names = [clean(scores.cases[c]) for c in chosen]
    values = scores.values[:systems][:, chosen]
    defined = values[~np.isnan(values)]
    lowest, low, high, highest = (
        # Colours reach from the 2% to the 98% quantile, so that one outlier does not make all other cells alike.
        np.quantile(defined, [0, 0.02, 0.98, 1]).tolist() if len(defined) else (0.0, 0.0, 1.0, 1.0)
    )
    strength = (values - low) / ((high - low) or 1.0)
    strength = np.clip(strength if scores.greater_is_better else 1 - strength, 0, 1)
    weak, strong = (low, high) if scores.greater_is_better else (high, low)
    few = len(chosen) <= MANY and len(names) <= 60
    chart = matrix_chart(
        names,
        case_names,
        0.04 + 0.96 * strength,
        [[numbers.number(x, 2) for x in row] for row in values] if few else None,
        tips=[
            [
                f"{short(name, 30)}, {short(case, 30)}: {numbers.number(x)}"
                for case, x in zip(case_names, row, strict=True)
            ]
            for name, row in zip(names, values, strict=True)
        ],
        key=ColourKey(f"{numbers.number(weak)} or worse", f"{numbers.number(strong)} or better"),
        column_title="test case, the hardest first",
        step=40 if few else max(9, min(30, round(640 / len(chosen)))),
        row_step=22 if few else 20 if len(names) <= MANY else 14,
    )
    return Figure(
        chart,
        f"{scores.metric} by system and test case",
        f"A cell for each of {len(names)} systems and {numbers.counted(len(chosen), 'test case')}; stronger is better, "
        f"from {numbers.number(lowest)} to {numbers.number(highest)}. The hardest case is {short(case_names[0])}.",
        Sheet(
            [Column("case"), *(Column(name, Kind.NUMBER) for name in names)],
            [
                [Cell(case), *map(Cell, column)]
                for case, column in zip(case_names, values.T, strict=True)
            ],
        ),
    )


def one_system_cases(scores: "CaseScores", chosen: Sequence[int]) -> Figure:
    """Draw the scores of a single system on some cases as points, with the mean over all cases."""
    names = [clean(scores.cases[c]) for c in chosen]
    values = scores.values[0, list(chosen)]
    defined = scores.values[0][~np.isnan(scores.values[0])]
    chart = interval_chart(
        names,
        values.tolist(),
        [(None, None)] * len(names),
        Groups([""] * len(names), [""]),
        title=f"{scores.metric} ({'higher' if scores.greater_is_better else 'lower'} is better)",
        marked={"mean of all cases": float(defined.mean())} if len(defined) else {},
    )
    return Figure(
        chart,
        f"{scores.metric} by test case",
        f"A point for each of {numbers.counted(len(names), 'test case')}, the hardest first: {short(names[0])}.",
        Sheet(
            [Column("case"), Column(scores.metric, Kind.NUMBER)],
            [[Cell(name), Cell(value)] for name, value in zip(names, values.tolist(), strict=True)],
        ),
    )


def agreement_figure(agreement: "MeasureAgreement") -> Figure:
    """Draw how alike every two measures rank the systems."""
    texts = [[numbers.number(x, 2) for x in row] for row in agreement.tau_b]
    places = [str(at) for at in range(1, len(texts) + 1)]
    measures = [short_measure_name(name) for name in agreement.metrics]
    chart = matrix_chart(
        measures,
        measures,
        np.sign(agreement.tau_b) * agreement.tau_b**2,  # so that 0.9 and 0.6 look different
        texts,
        tips=[
            [f"{a} and {b}: {text}" for b, text in zip(measures, row, strict=True)]
            for a, row in zip(measures, texts, strict=True)
        ],
        key=ColourKey("-1 reverse ranking", "1 same ranking", diverging=True),
        step=34,
        row_step=24,
    )
    return Figure(
        chart,
        "Rank agreement of measures",
        f"Kendall's tau-b between the rankings of the systems by {len(texts)} measures: 1 is the same ranking, "
        "-1 the reverse.",
        text_sheet(
            ["measure", *places],
            [
                [f"{at}. {name}", *row]
                for at, name, row in zip(places, agreement.metrics, texts, strict=True)
            ],
        ),
    )
