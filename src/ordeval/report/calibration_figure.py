"""The chart of calibration: whether probabilities of ordered classes come true as often as they say."""

from typing import TYPE_CHECKING

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.report import palette
from ordeval.report.charts import (
    GRID,
    SILENT,
    TIP,
    Figure,
    Groups,
    finite_or_none,
    layered,
    of_rows,
)
from ordeval.report.offline import alt
from ordeval.stats.distributions import normal_quantile

if TYPE_CHECKING:
    from ordeval.scale import Scale

LEVEL = 0.95  # of the intervals
ALL = "all classes together"


def calibration_figure(scale: "Scale", gold: Array, probabilities: Array, bins: int) -> Figure:
    """Draw, for every class, how often gold is at most that class where the probabilities say so.

    The items are cut into bins of about equally many by their probability. If there are more classes than colours, the
    probabilities of all classes are drawn together.
    """
    thresholds = scale.k - 1
    predicted = np.cumsum(probabilities, axis=1)[:, :thresholds]
    happened = gold[:, None] <= np.arange(thresholds)
    names = [f"at most {short(name, 24)}" for name in scale.names[:thresholds]]
    if thresholds > len(palette.GROUPS):
        predicted, happened, names = predicted.reshape(-1, 1), happened.reshape(-1, 1), [ALL]
    rows = [
        (name, *row)
        for at, name in enumerate(names)
        for row in reliability(predicted[:, at], happened[:, at], bins)
    ]
    gap = float(np.average([abs(p - o) for _, p, o, *_ in rows], weights=[row[-1] for row in rows]))
    data = [
        {
            "group": name,
            "predicted": finite_or_none(p),
            "observed": finite_or_none(o),
            "low": finite_or_none(low),
            "high": finite_or_none(high),
            "tip": f"{name}: predicted {numbers.number(p, 2)}, observed {numbers.number(o, 2)} "
            f"{numbers.interval(low, high, 2)}, {numbers.counted(n, 'item')}",
        }
        for name, p, o, low, high, n in rows
    ]
    look = Groups([row[0] for row in rows], names, explained=True).encoding()
    scale_of = alt.Scale(domain=[0, 1])
    x = alt.X("predicted:Q", scale=scale_of, axis=alt.Axis(title="predicted probability", **GRID))
    share = alt.Axis(title=f"observed share and {numbers.confidence(LEVEL)} interval", **GRID)
    base = alt.Chart().encode(x=x, color=look["color"])
    lines = base.mark_line(strokeWidth=1.2, opacity=0.7, **SILENT).encode(
        y=alt.Y("observed:Q", scale=scale_of, axis=share)
    )
    bars = base.mark_rule(strokeWidth=1.5, **SILENT).encode(
        y=alt.Y("low:Q", scale=scale_of, axis=share), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=50, opacity=1).encode(
        y=alt.Y("observed:Q", scale=scale_of, axis=share), shape=look["shape"], **TIP
    )
    ends = [{"predicted": 0, "observed": 0}, {"predicted": 1, "observed": 1}]
    diagonal = (
        of_rows(ends)
        .mark_line(strokeDash=[5, 3], color=palette.SOFT, strokeWidth=1.5, **SILENT)
        .encode(x=x, y=alt.Y("observed:Q", scale=scale_of, axis=share))
    )
    return Figure(
        layered([diagonal, lines, bars, points], data, width=300, height=300),
        "Calibration of the probabilities",
        f"For each class, the probability that gold is at most that class against how often it is, in bins of items. "
        f"On the dashed diagonal the two are equal; they differ by {numbers.number(gap)} on average.",
        Sheet(
            [
                Column("gold is"),
                *(Column(part, Kind.NUMBER) for part in ("predicted", "observed", "low", "high")),
                Column("items", Kind.COUNT),
            ],
            [list(map(Cell, row)) for row in rows],
        ),
    )


def reliability(
    predicted: Array, happened: Array, bins: int
) -> list[tuple[float, float, float, float, int]]:
    """Return for each bin of items its mean probability, how often it came true, an interval and the number of items.

    Equal probabilities are in one bin, so that there may be fewer bins than asked for.
    """
    edges = np.unique(np.quantile(predicted, np.linspace(0, 1, bins + 1)[1:-1]))
    place = np.searchsorted(edges, predicted, side="left")
    size = np.bincount(place, minlength=len(edges) + 1)
    used = size > 0
    n = size[used]
    mean = np.bincount(place, weights=predicted, minlength=len(size))[used] / n
    share = np.bincount(place, weights=happened, minlength=len(size))[used] / n
    low, high = wilson_interval(share, n, LEVEL)
    return list(
        zip(mean.tolist(), share.tolist(), low.tolist(), high.tolist(), n.tolist(), strict=True)
    )


def wilson_interval(share: Array, n: Array, level: float) -> tuple[Array, Array]:
    """Return Wilson's interval of a share of n items (Wilson 1927)."""
    z = float(normal_quantile(np.array((1 + level) / 2)))
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
