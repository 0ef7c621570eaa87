"""The chart of calibration: whether probabilities of ordered classes come true as often as they say."""

from collections.abc import Sequence

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.calibrated import errors_by_chance, weights_of
from ordeval.comparison.captions import interval_words
from ordeval.comparison.results import Score
from ordeval.comparison.score_runs import score_runs
from ordeval.errors import ParameterError
from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics.calibration_bins import ScoredItems, below_cuts, bin_of_items
from ordeval.report import palette
from ordeval.report.charts import (
    GRID,
    SILENT,
    TIP,
    Figure,
    Groups,
    finite_or_none,
)
from ordeval.report.specification import field, layered, marks
from ordeval.runs import Runs
from ordeval.stats.distributions import normal_quantile

LEVEL = 0.95  # of the intervals
ALL = "all classes together"


def calibration_figures(
    runs: Runs, systems: Sequence[int], bins: int, *, named: bool = True
) -> list[Figure]:
    """Return the chart of each of some systems that give probabilities, on all items together."""
    if runs.scale.k < 2:
        raise ParameterError(
            "there is one class, and its probability is always 1; this chart needs at least 2 classes."
        )
    runs = runs.pooled().select([runs.systems[system] for system in systems])
    scores = score_runs(runs, metrics=[f"calibration_error(bins={bins})"], level=LEVEL)
    return [
        calibration_figure(runs, at, bins, scores.score(0, at), named=named)
        for at in range(len(systems))
    ]


def calibration_figure(
    runs: Runs, system: int, bins: int, error: Score, *, named: bool = False
) -> Figure:
    """Draw, for every class, how often gold is at most that class where the probabilities of a system say so.

    The items are cut into bins of about equally many by their probability, as the calibration error does, whose value
    is `error`. If there are more classes than colours, the probabilities of all classes are drawn together. If the
    system is `named`, the title says which it is.
    """
    assert runs.answers is not None  # noqa: S101 - asked only of probabilities
    scale, codes = runs.scale, runs.predicted[system]
    some = codes != scale.k
    thresholds = scale.k - 1
    weight, squares = (each[some] for each in weights_of(runs))
    items = (runs.count if runs.weighting is None else runs.weighting.items)[some]
    predicted = below_cuts(runs.answers[codes[some], :-1])
    happened = runs.gold[some, None] <= np.arange(thresholds)
    names = [f"at most {short(name, 24)}" for name in scale.names[:thresholds]]
    if thresholds > len(palette.GROUPS):
        predicted, happened, names = predicted.reshape(-1, 1), happened.reshape(-1, 1), [ALL]
        weight, squares, items = (np.repeat(each, thresholds) for each in (weight, squares, items))
    rows = [
        (name, *row)
        for at, name in enumerate(names)
        for row in reliability(
            predicted[:, at], happened[:, at], bins, weight=weight, squares=squares, items=items
        )
    ]
    chance = float(errors_by_chance(runs, bins)[system])
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
    scale_of = {"domain": [0, 1]}
    share = f"observed share and {numbers.confidence(LEVEL)} interval"
    upwards = {"scale": scale_of, "axis": {"title": share, **GRID}}
    x = field("predicted:Q", scale=scale_of, axis={"title": "predicted probability", **GRID})
    y = field("observed:Q", **upwards)
    one = {"x": x, "color": look["color"]}
    lines = marks("line", {**one, "y": y}, strokeWidth=1.2, opacity=0.7, **SILENT)
    ends = {"y": field("low:Q", **upwards), "y2": field("high")}
    bars = marks("rule", {**one, **ends}, strokeWidth=1.5, **SILENT)
    dot = {**one, "y": y, "shape": look["shape"], **TIP}
    points = marks("point", dot, filled=True, size=50, opacity=1)
    diagonal = marks(
        "line",
        {"x": x, "y": y},
        data=[{"predicted": 0, "observed": 0}, {"predicted": 1, "observed": 1}],
        strokeDash=[5, 3],
        color=palette.SOFT,
        strokeWidth=1.5,
        **SILENT,
    )
    return Figure(
        layered([diagonal, lines, bars, points], data, width=300, height=300),
        f"Calibration of {short(runs.systems[system])}"
        if named
        else "Calibration of the probabilities",
        f"For each class, the probability that gold is at most that class against how often it is, in bins of items. "
        f"On the dashed diagonal the two are equal; they differ by {numbers.number(error.value)} on average"
        f"{interval_words(error)}. Perfectly calibrated probabilities would differ by about {numbers.number(chance)} "
        f"in samples of this size.",
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
    predicted: Array, happened: Array, bins: int, *, weight: Array, squares: Array, items: Array
) -> list[tuple[float, float, float, float, int]]:
    """Return for each bin of items its mean probability, how often it came true, an interval and the number of items.

    The arrays are over patterns: of each its weight, the sum of its items' squared weights, and their number. Equal
    probabilities are in one bin, so that there may be fewer bins than asked for.
    """
    group = np.zeros(len(predicted), dtype=np.intp)
    place = bin_of_items(predicted, ScoredItems(weight, group), bins)

    def summed(amounts: Array) -> Array:
        return np.bincount(place, weights=amounts, minlength=bins + 2)

    used = summed(weight) > 0
    size, square, number = (summed(each)[used] for each in (weight, squares, items))
    mean, share = (summed(weight * each)[used] / size for each in (predicted, happened))
    low, high = wilson_interval(share, size**2 / square, LEVEL)
    columns = (mean, share, low, high, np.rint(number).astype(np.int64))
    return list(zip(*(column.tolist() for column in columns), strict=True))


def wilson_interval(share: Array, n: Array, level: float) -> tuple[Array, Array]:
    """Return Wilson's interval of a share of n items (Wilson 1927)."""
    z = float(normal_quantile(np.array((1 + level) / 2)))
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
