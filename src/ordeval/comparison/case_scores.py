"""The score of every test case with its interval, and the table for programs that has cases and slices as rows."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.about import whole_number
from ordeval.comparison.results import none_if_undefined
from ordeval.comparison.samples import by_name, joint_patterns, system_patterns
from ordeval.comparison.scorer import Scorer
from ordeval.comparison.scores import Scores
from ordeval.formats.frames import check_part, frame_of_rows
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.runs import Runs
from ordeval.stats.jackknife import independent_samples, item_sample
from ordeval.stats.t_intervals import t_interval

if TYPE_CHECKING:
    from ordeval.stats.bootstrap import Patterns


def case_intervals(scores: Scores) -> tuple[Array, Array]:
    """Return the ends [measure, system, case] of t intervals for the scores of each case: its items are the sample.

    They are NaN for a case with a single item, and if no intervals were asked for.
    """
    low, high = (np.full(scores.case_values.shape, np.nan) for _ in range(2))
    data = scores.data
    if scores.level is None or not scores.cases:
        return low, high
    scorer = Scorer(scores.measures, data.scale, data.policy, scores.distribution)
    groups: list[Sequence[Patterns]]
    if isinstance(data, Runs):
        groups = [joint_patterns(data, scorer=scorer)]
    else:
        groups = [system_patterns(data, s) for s in range(len(scores.systems))]
    bounds = [measure.bounds for measure in scores.measures.values()]
    for place, case in enumerate(by_name(scores.cases)):
        patterns = [group[place] for group in groups]
        if min(len(each.count) for each in patterns):
            samples = [item_sample([each], scorer) for each in patterns]
            ends = t_interval(independent_samples(samples).estimate, bounds, scores.level)
            low[..., case], high[..., case] = ends
    return low, high


def case_cells(scores: Scores, c: int, s: int, measures: Sequence[int]) -> list[Cell]:
    """Return the scores of a system in a test case, with their intervals."""
    low, high = scores.case_intervals
    return [
        Cell(
            float(scores.case_values[m, s, c]),
            none_if_undefined(low[m, s, c]),
            none_if_undefined(high[m, s, c]),
        )
        for m in measures
    ]


def case_sheet(scores: Scores, measures: Sequence[int], systems: Sequence[int]) -> Sheet:
    """Return a row for each test case and system."""
    several = len(systems) > 1
    columns = [Column("test case"), Column("items", Kind.COUNT)]
    columns += [Column("system")] if several else []
    rows = [
        [
            Cell(case),
            Cell(whole_number(scores.items[s, c])),
            *([Cell(scores.systems[s])] if several else []),
            *case_cells(scores, c, s, measures),
        ]
        for c, case in enumerate(scores.cases)
        for s in systems
    ]
    words = "The interval of a test case is over its items."
    caption = [words] if scores.level is not None else []
    return Sheet([*columns, *scores.score_columns(measures)], rows, caption, least=len(columns) + 1)


def with_details(
    board: Sheet, scores: Scores, measures: Sequence[int], systems: Sequence[int]
) -> Sheet:
    """Return a sheet for programs with more rows: one for each slice and system, and one for each case and system."""
    if not (scores.slices or scores.per_case):
        return board
    board = board.seen_in("csv")
    names = [scores.metrics[m] for m in measures]
    before = [Column("by"), Column("slice")] if scores.slices else []
    before += [Column("case")] if scores.per_case else []
    after = []
    for name in names if scores.slices else []:
        ends = scores.level is not None
        after += [
            Column(f"{name}_difference", Kind.NUMBER, interval=ends),
            Column(f"{name}_p_adjusted", Kind.P_VALUE),
        ]
    none = [Cell("")] * len(after)
    rows = [[*[Cell("")] * len(before), *row, *none] for row in board.rows]
    keys = [column.key or column.name for column in board.columns]

    def row(known: dict[str, Any], cells: Sequence[Cell]) -> list[Cell]:
        own = dict(zip(names, cells, strict=True))
        return [own.get(key) or Cell(known.get(key, "")) for key in keys]

    for one in scores.slices:
        start = [Cell(one.by), Cell("" if one.value is None else one.value)]
        start += [Cell("")] if scores.per_case else []
        own = one.scores.score_cells(measures, systems)
        for s, cells in zip(systems, own, strict=True):
            known = place_of(one.scores, s)
            rows.append([*start, *row(known, cells), *difference_cells(one.apart, measures, s)])
    if scores.per_case:
        start = [Cell("")] * (len(before) - 1)
        rows += [
            [
                *start,
                Cell(case),
                *row(place_of(scores, s, c), case_cells(scores, c, s, measures)),
                *none,
            ]
            for c, case in enumerate(scores.cases)
            for s in systems
        ]
    return Sheet([*before, *board.columns, *after], rows, board.caption)


def place_of(scores: Scores, s: int, case: int | None = None) -> dict[str, Any]:
    """Return the name of a system, and how many items it has and answered, in one test case or in all."""
    items, answered = (
        counts[s].sum() if case is None else counts[s, case]
        for counts in (scores.items, scores.answered)
    )
    return {
        "system": scores.systems[s],
        "items": whole_number(items),
        "answered": whole_number(answered),
    }


def difference_cells(apart: Array, measures: Sequence[int], s: int) -> list[Cell]:
    """Return, for each measure, the difference from the rest with its interval, and its adjusted p."""
    cells = []
    for m in measures:
        value, low, high, _, p = (none_if_undefined(number) for number in apart[:, m, s])
        cells += [Cell(value, low, high), Cell(p)]
    return cells


def detail_frame(scores: Scores, what: str, backend: str | None, others: Sequence[str]) -> Any:
    """Return a frame of the "cases" or "slices", a row for each system and measure; `others` are the other parts."""
    check_part(what, (*others, *DETAILS))
    names, rows_of = DETAILS[what]
    return frame_of_rows(names, rows_of(scores), backend)


def case_rows(scores: Scores) -> Iterator[tuple[Any, ...]]:
    """Give a row for each test case, system and measure."""
    for c, case in enumerate(scores.cases):
        for s, system in enumerate(scores.systems):
            cells = case_cells(scores, c, s, range(len(scores.metrics)))
            for metric, cell in zip(scores.metrics, cells, strict=True):
                items = whole_number(scores.items[s, c])
                yield case, system, items, metric, cell.value, cell.low, cell.high


def slice_rows(scores: Scores) -> Iterator[tuple[Any, ...]]:
    """Give a row for each slice, system and measure."""
    for one in scores.slices:
        for s, system in enumerate(scores.systems):
            items = whole_number(one.scores.items[s].sum())
            for metric in scores.metrics:
                score, apart = one.score(metric, system), one.difference(metric, system)
                own = (score.value, score.low, score.high)
                yield one.by, one.value, system, items, metric, *own, *apart.to_dict().values()


DETAILS = {
    "cases": (("case", "system", "items", "metric", "value", "low", "high"), case_rows),
    "slices": (
        (
            "by", "slice", "system", "items", "metric", "value", "low", "high",
            "difference", "difference_low", "difference_high", "p", "p_adjusted",
        ),
        slice_rows,
    ),
}  # fmt: skip
