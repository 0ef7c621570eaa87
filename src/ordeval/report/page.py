"""The report: a comparison as one self-contained HTML page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ordeval.agreement.agree import agree
from ordeval.aliases import Array, Progress
from ordeval.comparison.calibrated import gives_probabilities
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.leaderboard_sheet import (
    difference_cells,
    difference_columns,
    place_of_constant,
)
from ordeval.comparison.scorer import Scorer
from ordeval.comparison.verdict import listed
from ordeval.formats import names, numbers
from ordeval.formats.csv import to_csv
from ordeval.metrics import Family, Metric, registry
from ordeval.metrics.closeness import proximity
from ordeval.properties import Verdicts, check
from ordeval.report import (
    class_figures,
    comparison_figures,
    difference_figures,
    error_figures,
    leaderboard,
)
from ordeval.report.agreement import agreement_blocks
from ordeval.report.calibration_figure import calibration_figures
from ordeval.report.cases import case_scores
from ordeval.report.drawing import DrawnFigure, FigureDrawer
from ordeval.report.error_costs import error_costs
from ordeval.report.groups import group_numbers, groups_of
from ordeval.report.measure_agreement import measure_agreement
from ordeval.report.method import method_rows, references_for
from ordeval.report.sentences import scale_sentences, summary_of
from ordeval.report.slices import slices_figure
from ordeval.report.system_agreement import system_agreement
from ordeval.report.system_figures import systems_figure
from ordeval.report.template import filled
from ordeval.report.two_systems import two_systems_data
from ordeval.runs import Runs

MOST_CLASSES = 40  # for which a matrix of classes can be read
MOST_BARS = 60
MOST_CALIBRATIONS = 12  # systems whose calibration is drawn
SECONDS = 5.0  # for the formal properties of a measure of one's own, whose function may be slow
BINS = 10  # of items, in the charts of calibration
OTHER_FIGURES = 10  # about as many as a page has beside those of each system


@dataclass(frozen=True, slots=True)
class PageLimits:
    """How much is shown, so that a page of a very large comparison can still be opened and read."""

    systems: int = 40  # in the charts
    details: int = 60  # systems with a section of their own
    # of all contingency tables that are drawn; the systems after these have a table and no drawing
    cells: int = 4000
    cases: int = 60  # in the heat map
    numbers: int = 12_000  # scores by case in the table below the heat map
    pairs: int = 1800  # in the table below the chart of pairs
    errors: int = 60  # in the table below the chart of a system's errors


def render(
    comparison: Comparison,
    *,
    title: str | None = None,
    command: str | None = None,
    files: Sequence[tuple[str, str]] = (),
    limits: PageLimits | None = None,
    progress: Progress = None,
) -> str:
    """Return the report of a comparison as one HTML page. The same comparison gives the same bytes.

    `command` is the command that gives the page again, and `files` are the names of its files with their SHA-256.
    `progress` is called after each figure with the number drawn and about how many there will be.

    >>> from ordeval.report import render
    >>> gold = [1, 2, 3, 3] * 10
    >>> c = oe.compare(gold, {"a": gold, "b": [1, 2, 2, 3] * 10}, metrics=["accuracy"])
    >>> page = render(c, title="Two systems")
    >>> page[:15], "Two systems" in page
    ('<!doctype html>', True)
    """
    limits = limits or PageLimits()
    drawer = FigureDrawer(progress, OTHER_FIGURES + 2 * drawn_systems(comparison, limits))
    content = {
        "kind": "report",
        "title": title or default_title(comparison),
        "c": comparison,
        "limits": limits,
        "facts": page_facts(comparison),
        "summary": summary_of(comparison),
        "groups": groups_of(comparison),
        "group_of": group_numbers(comparison),
        **leaderboard_section(comparison),
        "download": to_csv(comparison.csv_sheet(), for_spreadsheets=True),
        "gaps": leaderboard.reasons_for_gaps(comparison),
        "doubts": leaderboard.doubts(comparison),
        **certainty_section(comparison, drawer, limits),
        "systems": system_sections(comparison, drawer, limits),
        "calibration": calibration_section(comparison, drawer),
        "scale": scale_section(comparison, drawer),
        **cases_section(comparison, drawer, limits),
        "slices_chart": slices_section(comparison, drawer, limits),
        "people": people_section(comparison, drawer),
        **measures_section(comparison, drawer),
        "two_systems": two_systems_data(comparison),
        "method": method_rows(comparison, command),
        "fingerprints": files,
    }
    return filled({**content, "sections": sections_of(content)})


def default_title(comparison: Comparison) -> str:
    """Return the title of a page that was given none."""
    if len(comparison.order) == 1:
        return f"How good is {names.short(comparison.systems[0])}?"
    return f"{numbers.counted(len(comparison.order), 'system')} compared by {comparison.primary}"


def sections_of(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the sections that the page has, with their names in the navigation."""
    several = len(content["c"].order) > 1
    return [
        (target, text)
        for target, text, there in (
            ("answer", "Answer", True),
            ("leaderboard", "Leaderboard" if several else "Scores", True),
            ("certainty", "Certainty", content["ranks"] is not None),
            ("two", "Two systems", several),
            ("people", "Raters", content["people"] is not None),
            ("systems", "Systems" if several else "Errors", True),
            ("calibration", "Calibration", bool(content["calibration"])),
            ("scale", "Scale", True),
            ("cases", "Test cases", content["cases"] is not None),
            ("slices", "Slices", content["slices_chart"] is not None),
            ("measures", "Measures", True),
            ("method", "Method", True),
        )
        if there
    ]


def leaderboard_section(comparison: Comparison) -> dict[str, Any]:
    """Return the rows and the columns of the leaderboard behind the names of the systems."""
    board = comparison.sheet().seen_in("page")
    start = [column.name for column in board.columns].index("system") + 1
    # on a phone the first columns are in sight: the measures, before the share of answered items
    order = sorted(
        range(start, len(board.columns)), key=lambda at: board.columns[at].greater_is_better is None
    )
    cells = [[row[at] for at in order] for row in board.rows]
    return {
        "board": board,
        "board_columns": [board.columns[at] for at in order],
        "board_rows": leaderboard.board_rows(comparison, cells),
        "constant_place": place_of_constant(comparison) + 0.5,  # between two ranks
        "from_best": dict(zip(comparison.systems, difference_cells(comparison), strict=True)),
        "difference": difference_columns(comparison)[0],
        "measure_names": [comparison.scores.metrics[m] for m in comparison.measure_order],
    }


def page_facts(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what was compared, as amounts and their nouns."""
    facts = [
        numbers.counted(len(comparison.order), "system"),
        numbers.counted(scored_cells(comparison).sum(), "item"),
        numbers.counted(comparison.runs.scale.k, "class", "classes"),
    ]
    if len(comparison.scores.cases) > 1:
        facts.insert(2, numbers.counted(len(comparison.scores.cases), "test case"))
    if comparison.ranked.sum() > 1:
        facts.append(numbers.counted(len(comparison.best), "winner", "possible winners"))
    return [(amount, noun) for amount, _, noun in (fact.partition(" ") for fact in facts)]


def scored_cells(comparison: Comparison) -> Array:
    """Return cells[case, gold, answer] with every item once: of the first system, or of all if they share no items."""
    cells = comparison.cells
    return np.asarray(cells[0] if comparison.paired else cells.sum(axis=0))


def certainty_section(
    comparison: Comparison, drawer: FigureDrawer, limits: PageLimits
) -> dict[str, Any]:
    """Draw the scores, the ranks and the differences of several systems; None for what too few of them have."""
    drawn: dict[str, Any] = dict.fromkeys(
        ("forest", "ranks", "from_best_chart", "pairs", "alike", "duplicates")
    )
    if len(comparison.order) == 1:
        return drawn
    most, ranked = limits.systems, int(comparison.ranked.sum())
    if ranked:
        forest = comparison_figures.forest_figure(comparison, limit=most)
        drawn |= {"forest": drawer.draw(forest)}
    if ranked > 1:
        ranks = comparison_figures.ranks_figure(comparison, most)
        from_best = difference_figures.differences_figure(comparison, limit=most)
        pairs = comparison_figures.pairs_figure(comparison, most)
        drawn |= {
            "ranks": drawer.draw(ranks),
            "from_best_chart": drawer.draw(from_best),
            "pairs": drawer.draw(pairs, rows=limits.pairs),
        }
    alike = system_agreement(comparison, most)
    if alike:
        figure = systems_figure(alike, len(comparison.order))
        duplicates = [
            ("every item" if alike.identical(group) else "nearly all items", ("", *listed(group)))
            for group in alike.near_duplicates
        ]
        drawn |= {"alike": drawer.draw(figure, rows=limits.pairs), "duplicates": duplicates}
    return drawn


def people_section(comparison: Comparison, drawer: FigureDrawer) -> dict[str, Any] | None:
    """Return how the systems do beside a human, and how well the raters agree; None unless raters made the gold."""
    runs = comparison.runs
    beside = comparison.scores.beside_human
    if not isinstance(runs, Runs) or runs.ratings is None or beside is None:
        return None
    agreement = agree(runs.ratings, ceiling=list(beside.human), level=comparison.scores.level)
    systems = [comparison.scores.systems.index(name) for name in comparison.systems]
    metric = comparison.primary if comparison.primary in beside.human else next(iter(beside.human))
    return {
        "sentences": agreement.lead,
        "beside": beside.sheet(metric, systems),
        "metric": metric,
        "blocks": [one for one in agreement_blocks(agreement, drawer) if one.target != "ceiling"],
    }


def drawn_systems(comparison: Comparison, limits: PageLimits) -> int:
    """Return how many systems have their answers and the costs of their errors drawn: the first ones, up to a limit."""
    k = comparison.runs.scale.k
    most = min(limits.systems, max(1, limits.cells // (2 * k * k))) if k <= MOST_CLASSES else 0
    return min(most, len(comparison.order))


def system_sections(
    comparison: Comparison, drawer: FigureDrawer, limits: PageLimits
) -> list[dict[str, Any]]:
    """Return the section of each system: its answers, what its errors cost, and the worst of them in words."""
    scorer = Scorer({}, comparison.runs.scale, comparison.runs.policy)
    readable = comparison.runs.scale.k <= MOST_CLASSES
    drawn = drawn_systems(comparison, limits)
    sections = []
    for one in comparison.leaderboard[: limits.details]:
        cells = comparison.cells[comparison.scores.systems.index(one.system)]
        costs = error_costs(cells, scorer)
        answers = class_figures.contingency_figure(costs, one.system) if readable else None
        section: dict[str, Any] = {
            "standing": one,
            "score": one.scores[comparison.primary],
            "summary": costs.summary,
            "worst": [costs.sentence(*cell) for cell in costs.most_costly[:3]],
            "answers": answers,
            "answers_chart": None,
            "costs_chart": None,
            "profile": None
            if len(comparison.order) > 1
            else drawer.draw(error_figures.error_profile_figure([costs], [one.system])),
        }
        if answers is not None and one.rank <= drawn:
            section["answers_chart"] = drawer.draw(answers)
            if costs.most_costly:
                figure = class_figures.costs_figure(costs, one.system)
                section["costs_chart"] = drawer.draw(figure, rows=limits.errors)
        sections.append(section)
    return sections


def calibration_section(comparison: Comparison, drawer: FigureDrawer) -> list[DrawnFigure]:
    """Draw the calibration of the first systems that give probabilities; none if gold is soft, or there are none."""
    runs = comparison.runs
    if not isinstance(runs, Runs) or runs.shares is not None or runs.scale.k < 2:
        return []
    probabilistic = gives_probabilities(runs)
    places = map(comparison.scores.systems.index, comparison.systems)
    first = [at for at in places if probabilistic[at]][:MOST_CALIBRATIONS]
    return (
        [drawer.draw(figure) for figure in calibration_figures(runs, first, BINS)] if first else []
    )


def scale_section(comparison: Comparison, drawer: FigureDrawer) -> dict[str, Any]:
    """Return the gold distribution and the proximity of the classes that it implies, with sentences."""
    scale = comparison.runs.scale
    gold = scored_cells(comparison).sum(axis=(0, 2))
    bits: Any = proximity.from_counts(gold)
    return {
        "gold": drawer.draw(class_figures.gold_figure(scale, gold))
        if scale.k <= MOST_BARS
        else None,
        "proximity": drawer.draw(class_figures.proximity_figure(scale, bits))
        if scale.k <= MOST_CLASSES
        else None,
        "sentences": scale_sentences(scale, gold, bits),
    }


def cases_section(
    comparison: Comparison, drawer: FigureDrawer, limits: PageLimits
) -> dict[str, Any]:
    """Return the scores by case and their heat map; if there are too many numbers, the table has the hardest cases."""
    scores = case_scores(comparison)
    if scores is None or len(scores.cases) == 1:
        return {"cases": None, "cases_chart": None}
    figure = comparison_figures.cases_figure(scores, systems=limits.systems, cases=limits.cases)
    rows = max(1, limits.numbers // min(limits.systems, len(scores.systems)))
    return {"cases": scores, "cases_chart": drawer.draw(figure, rows=rows)}


def slices_section(
    comparison: Comparison, drawer: FigureDrawer, limits: PageLimits
) -> DrawnFigure | None:
    """Draw the slices; None if none were asked for."""
    if not comparison.slices:
        return None
    return drawer.draw(slices_figure(comparison, limits.cases), rows=limits.pairs)


def measures_section(comparison: Comparison, drawer: FigureDrawer) -> dict[str, Any]:
    """Return how alike the measures rank the systems, their formal properties and their references."""
    agreement = measure_agreement(comparison)
    metrics = comparison.scores.metrics if agreement is None else agreement.metrics
    return {
        "agreement": agreement,
        "agreement_chart": None
        if agreement is None
        else drawer.draw(comparison_figures.agreement_figure(agreement)),
        "properties": [
            {"metric": name, "verdicts": list(verdicts_on(registry[name], registry[name].kernel))}
            for name in metrics
        ],
        "references": references_for(comparison, metrics),
    }


@cache
def verdicts_on(measure: Metric, kernel: Any) -> Verdicts:  # noqa: ARG001 - a part of the key
    """Search for counterexamples to the paper's three properties; the data do not matter, so the answer is kept.

    The kernel tells a measure from another one of the same name, as a notebook may define.
    """
    return check(measure, budget=SECONDS if measure.family is Family.OWN else None)
