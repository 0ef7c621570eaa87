"""The parts of the report that are drawn: each system, the scale, the test cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from ordeval.comparison.compare import Comparison
from ordeval.comparison.scoring import Scorer
from ordeval.metrics.closeness import proximity
from ordeval.report import class_figures, figures
from ordeval.report.casework import CaseWork
from ordeval.report.costs import Costs, costs_of, percent
from ordeval.report.figures import Figure
from ordeval.report.svg import inline_svg
from ordeval.report.words import scale_words


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is drawn, so that a page stays a page: every number that fits a table is in a table."""

    systems: int = 40  # in the charts
    details: int = 60  # systems with a section of their own
    cells: int = 4000  # of contingency tables that are drawn; systems beyond have their table alone
    cases: int = 60  # in the heat map
    numbers: int = 12_000  # of scores by case that are listed
    pairs: int = 1800  # that are listed


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure in the page; `left_out` rows of its table are not listed."""

    figure: Figure
    svg: Markup
    rows: Sequence[tuple[str, ...]]
    left_out: int


class Drawing:
    """Draws one figure after the other, and numbers them."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, figure: Figure, *, most: int | None = None) -> Drawn:
        """Draw a figure, with at most so many rows of data."""
        self.number += 1
        svg = inline_svg(
            figure.chart,
            identity=f"figure-{self.number}",
            title=figure.title,
            description=figure.description,
        )
        rows = figure.rows if most is None else figure.rows[:most]
        return Drawn(figure, Markup(svg), rows, len(figure.rows) - len(rows))  # noqa: S704 - made of escaped text


def systems_of(comparison: Comparison, drawing: Drawing, limits: Limits) -> list[dict[str, Any]]:
    """Return the section of each system: its table, its costs, and the worst of them in words."""
    runs = comparison.runs
    scorer = Scorer({}, runs.scale, runs.policy)
    k = runs.scale.k
    drawn_systems = min(limits.systems, max(1, limits.cells // (2 * k * k)))
    sections = []
    for one in comparison.leaderboard[: limits.details]:
        cells = comparison.cells[comparison.scores.systems.index(one.system)]
        costs = costs_of(cells, scorer)
        counts = costs.count
        table = (
            class_figures.contingency_figure(runs.scale, counts, one.system) if k <= 40 else None
        )
        priced = class_figures.costs_figure(costs, one.system) if costs.worst else None
        charted = one.rank <= drawn_systems and k <= 40
        sections.append(
            {
                "standing": one,
                "score": one.scores[comparison.primary],
                "costs": costs,
                "worst": [costs.words(*cell) for cell in costs.worst[:3]],
                "in_short": in_short(costs),
                "matrix": drawing(table) if table is not None and charted else None,
                "table": table,
                "cost_chart": drawing(priced, most=60) if charted and priced is not None else None,
            }
        )  # fmt: skip
    return sections


def in_short(costs: Costs) -> str:
    """Say in a line what a system gets wrong."""
    k = costs.scale.k
    total = costs.count.sum()
    right = float(np.trace(costs.count[:, :k])) / total if total else 0.0
    near = (
        sum(float(np.trace(costs.count[:, :k], offset=o)) for o in (-1, 1)) / total
        if total
        else 0.0
    )
    return f"{percent(right)} right, {percent(near)} one class off"


def scale_of(comparison: Comparison, drawing: Drawing) -> dict[str, Any]:
    """Return the gold distribution and the proximity matrix that it implies, with words."""
    runs = comparison.runs
    gold = comparison.cells[0].sum(axis=(0, 2))
    bits = proximity.from_counts(gold)
    return {
        "gold": drawing(class_figures.gold_figure(runs.scale, gold))
        if runs.scale.k <= 60
        else None,
        "proximity": drawing(class_figures.proximity_figure(runs.scale, bits))
        if runs.scale.k <= 40
        else None,
        "words": scale_words(runs.scale, gold, bits),
        "natural": list(runs.scale.values),
    }


def cases_of(
    work: CaseWork | None, comparison: Comparison, drawing: Drawing, limits: Limits, *, up: bool
) -> Drawn | None:
    """Return the heat map of systems and cases; where there are too many numbers, its table has the hardest cases."""
    if work is None:
        return None
    figure = figures.cases_figure(
        work, comparison.primary, greater_is_better=up, systems=limits.systems, cases=limits.cases
    )
    return drawing(
        figure, most=max(1, limits.numbers // max(1, min(limits.systems, len(work.systems))))
    )


def turned_of(work: CaseWork) -> list[int]:
    """Return the cases on which the ranking differs most from the ranking overall."""
    return [
        case
        for case in work.turned[:8]
        if work.turns[case] is not None and not np.isnan(work.agreement[case])
    ]
