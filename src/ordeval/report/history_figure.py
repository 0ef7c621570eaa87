"""The chart of a history of gates: scores of the candidates over time, and what came of each gate."""

from typing import Any

from ordeval.comparison.history import OUTCOMES, GateRecord, read_history
from ordeval.errors import ParameterError, quoted
from ordeval.formats import numbers
from ordeval.formats.names import clean
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.names import full_name
from ordeval.report import palette
from ordeval.report.charts import GRID, SILENT, TIP, Figure, Groups, finite_or_none
from ordeval.report.specification import field, layered, marks

COLOURS = (palette.GROUPS[0], palette.GROUPS[4], palette.GROUPS[5])  # of the outcomes
SHAPES = ("circle", "cross", "diamond")


def history_figure(history: Any, metric: str | None = None) -> Figure:
    """Draw the gates by one measure: that of the newest gate if none is named."""
    every = read_history(history)
    if not every:
        raise ParameterError("this history has no gates yet, so that there is nothing to draw.")
    measures = list(dict.fromkeys(record.metric for record in every))
    name = measure_named(metric, measures) if metric is not None else every[-1].metric
    records = [record for record in every if record.metric == name]
    data = [row_of(record) for record in records]
    groups = Groups([row["group"] for row in data], OUTCOMES, COLOURS, SHAPES, explained=True)
    colour = groups.encoding()
    title = [
        f"{name} of the candidate, with its interval",
        "dashes: the baseline with a loss of the margin",
    ]
    upwards = {
        "scale": {"zero": False, "nice": True, "padding": 6},
        "axis": {"title": title, **GRID},
    }
    x = field("time:T", scale={"type": "utc", "padding": 16}, axis={"title": "time (UTC)"})
    dashes = marks(
        "point",
        {"x": x, "y": field("limit:Q", **upwards)},
        shape="stroke",
        size=140,
        strokeWidth=2,
        opacity=1,
        color=palette.SOFT,
        **SILENT,
    )
    lines = marks(
        "rule",
        {"x": x, "y": field("low:Q", **upwards), "y2": field("high"), "color": colour["color"]},
        strokeWidth=2,
        strokeCap="round",
        **SILENT,
    )
    gate = {"x": x, "y": field("value:Q", **upwards), **colour, **TIP}
    points = marks("point", gate, filled=True, size=70, opacity=1)
    failed = sum(record.outcome == "fail" for record in records)
    return Figure(
        layered([dashes, lines, points], data, width=420, height=240),
        f"Gates by {name}",
        f"The score of the candidate of {numbers.counted(len(records), 'gate')} over time, with its interval; "
        f"{numbers.counted(failed, 'gate')} failed.",
        data_sheet(records),
    )


def measure_named(metric: Any, measures: list[str]) -> str:
    """Return the measure that was asked for; refuse one that no gate was by."""
    name = full_name(metric)
    if name not in measures:
        raise ParameterError(
            f"no gate of this history is by {name!r}; there are {quoted(measures)}."
        )
    return name


def row_of(record: GateRecord) -> dict[str, Any]:
    """Return what is drawn of one gate."""
    value, low, high = record.candidate
    before = record.baseline[0]
    loss = record.margin if record.greater_is_better else -record.margin
    when = record.to_dict()["time"]
    named = f"{clean(record.name)}, " if record.name else ""
    ends = numbers.interval(low, high)
    return {
        "time": when,
        "value": finite_or_none(value),
        "low": finite_or_none(low),
        "high": finite_or_none(high),
        "limit": None if before is None else finite_or_none(before - loss),
        "group": record.outcome,
        "tip": f"{named}{when}: {record.outcome}, {numbers.number(value)} {ends}".rstrip(),
    }


def data_sheet(records: list[GateRecord]) -> Sheet:
    """Return a row for each gate."""
    columns = [
        Column("time"),
        Column("name"),
        Column("outcome"),
        Column("candidate", Kind.NUMBER, interval=True),
        Column("baseline", Kind.NUMBER),
        Column("margin", Kind.NUMBER),
    ]
    rows = [
        [
            Cell(record.to_dict()["time"]),
            Cell(record.name or ""),
            Cell(record.outcome),
            Cell(*record.candidate),
            Cell(record.baseline[0]),
            Cell(record.margin),
        ]
        for record in records
    ]
    return Sheet(columns, rows)
