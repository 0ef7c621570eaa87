"""The slices of a comparison on the page: a chart of the first system, and the data of all."""

from typing import TYPE_CHECKING

from ordeval.formats import numbers
from ordeval.formats.names import clean, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import Figure, Groups, interval_chart

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison

LIKE_THE_REST, APART = "not significantly different from the rest", "different from the rest"
COLOURS = (palette.GROUPS[5], palette.GROUPS[3])  # grey, and one that stands out


def slices_figure(comparison: "Comparison", limit: int | None = None) -> Figure:
    """Draw the first system's score in every slice with its interval; slices that differ from the rest stand out."""
    name, first = comparison.primary, comparison.leaderboard[0]
    slices = comparison.slices[:limit]
    scores = [one.score(name, first.system) for one in slices]
    p = [one.difference(name, first.system).p_adjusted for one in slices]
    apart = [value is not None and value <= comparison.alpha for value in p]
    level = comparison.scores.level
    interval = "" if level is None else f" and {numbers.confidence(level)} interval"
    chart = interval_chart(
        [one.name for one in slices],
        [score.value for score in scores],
        [(score.low, score.high) for score in scores],
        Groups(
            [APART if differs else LIKE_THE_REST for differs in apart],
            [LIKE_THE_REST, APART],
            COLOURS,
        ),
        title=f"{name}{interval} of {short(first.system)}",
        marked={"all items": first.scores[name].value},
    )
    return Figure(
        chart,
        f"{name} of {short(first.system)} in every slice",
        f"A dot for each of {numbers.counted(len(slices), 'slice')}. In {sum(apart)} of them the score differs "
        f"significantly from that on the rest of the items.",
        slices_table(comparison),
    )


def slices_table(comparison: "Comparison") -> Sheet:
    """Return the scores of all systems by the primary measure in every slice, and how they differ from the rest."""
    name = comparison.primary
    columns = [
        Column("slice"),
        Column("system"),
        Column("items", Kind.COUNT),
        *(Column(part, Kind.NUMBER) for part in (name, "low", "high")),
        *(
            Column(part, Kind.NUMBER, sign=True)
            for part in ("minus the rest", "difference low", "difference high")
        ),
        Column("p adjusted", Kind.P_VALUE),
    ]
    rows = []
    for one in comparison.slices:
        for system in comparison.systems:
            score, apart = one.score(name, system), one.difference(name, system)
            cells = (score.value, score.low, score.high, apart.value, apart.low, apart.high)
            start = (clean(one.name), clean(system), one.items)
            rows.append([Cell(value) for value in (*start, *cells, apart.p_adjusted)])
    return Sheet(columns, rows)
