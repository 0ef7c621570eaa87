"""The leaderboard as a table: for programs and the page, for people, and for a paper."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ordeval import ties
from ordeval.comparison.captions import (
    human_row_sentence,
    interval_sentence,
    pairs_sentence,
    size_of,
    soft_sentences,
)
from ordeval.comparison.verdict import coverage_sentence
from ordeval.formats.latex import ranges
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted
from ordeval.formats.sheet import CSV, PEOPLE, Cell, Column, Kind, Sheet

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison

MANY_PAIRS = 10  # beyond, people see in the leaderboard how each system differs from the best
NUMBERED = frozenset({"latex", "csv", "page"})  # forms that show the rank as a number
RANKS = (
    "Ranks: those that a system may have, given which differences are significant; a system whose ranks begin with 1 "
    "may be the best."
)


def leaderboard_sheet(comparison: "Comparison") -> Sheet:
    """Return the systems, best first, the primary measure before the others."""
    scores, order = comparison.scores, comparison.order
    columns = [
        Column("", Kind.COUNT, key="rank", forms=NUMBERED),
        Column("ranks", forms=PEOPLE | {"page"}),
        Column("rank_low", Kind.COUNT, forms=CSV),  # a spreadsheet would take 1-3 for a date
        Column("rank_high", Kind.COUNT, forms=CSV),
        Column("tier", Kind.COUNT, forms=NUMBERED),
        Column("system"),
        *scores.coverage_columns(),
        *scores.score_columns(comparison.measure_order),
    ]
    several = len(order) > 1
    rows = [
        [
            Cell(one.rank),
            Cell(one.ranks, leading=several and one.rank_low == 1),
            *map(Cell, (one.rank_low, one.rank_high, one.tier, one.system)),
            *scores.coverage_cells(s),
            *cells,
        ]
        for s, one, cells in zip(
            order,
            comparison.leaderboard,
            scores.score_cells(comparison.measure_order, order),
            strict=True,
        )
    ]
    caption = [comparison.caption]
    return Sheet(columns, rows, caption, floating=True, lead=comparison.lead)


def shown_leaderboard(comparison: "Comparison") -> Sheet:
    """Return the leaderboard for people, the most important columns first, with the best constant answer in its place.

    If there are many pairs, it has the difference of each system to the best, which is then not shown elsewhere.
    """
    board = leaderboard_sheet(comparison).seen_in("text")
    at = [column.name for column in board.columns].index(comparison.primary)
    columns, rows = list(board.columns), [list(row) for row in board.rows]
    caption: list[str] = []
    star = ""
    if len(rows) > 1:
        columns[0] = replace(columns[0], meaning=RANKS)
    # How much was answered (if it is shown) comes after the primary measure: a narrow screen hides the last columns.
    columns[2 : at + 1] = [columns[at], *columns[2:at]]
    for row in rows:
        row[2 : at + 1] = [row[at], *row[2:at]]
    if folds_pairs(comparison):
        best = clean(comparison.systems[0])
        columns[3:3] = difference_columns(comparison)
        for row, cells in zip(rows, difference_cells(comparison), strict=True):
            row[3:3] = cells
        number = counted(comparison.number_of_pairs, "pair")
        caption.append(f"JSON has all {number} by all measures.")
        star = f"significantly worse than {best} (p adjusted is at most {comparison.alpha:g})"
    board = replace(board, columns=columns, rows=rows, caption=caption, star=star, least=3)
    return comparison.scores.with_constant(board, place_of_constant(comparison))


def folds_pairs(comparison: "Comparison") -> bool:
    """Tell whether the pairs are too many for a table of their own."""
    return comparison.number_of_pairs > MANY_PAIRS


def difference_columns(comparison: "Comparison") -> list[Column]:
    """Return the columns for the difference to the best system, its p, and its outcome if there is a margin."""
    ends = comparison.scores.level is not None
    best = clean(comparison.systems[0])
    alone = "; its interval is for this pair alone, p is corrected for all"
    differ = alone if ends and comparison.corrected else ""
    meaning = f"Minus the best: the score of a system minus that of {best}{differ}."
    return [
        Column("minus the best", Kind.NUMBER, sign=True, interval=ends, meaning=meaning),
        Column("p adjusted", Kind.P_VALUE),
        *([Column("than the best")] if comparison.margin else []),
    ]


def difference_cells(comparison: "Comparison") -> list[list[Cell]]:
    """Return, for each system on the leaderboard, its cells under `difference_columns`; those of the best are empty."""
    empty = [Cell("")] * len(difference_columns(comparison))
    rows = [empty]
    for pair in comparison.pairs[
        : len(comparison.order) - 1
    ]:  # of the best with each of the others
        low, high = (None if end is None else -end for end in (pair.high, pair.low))
        cells = [
            Cell(0.0 - pair.difference, low, high),
            Cell(pair.p_adjusted, star=pair.outcome == "better"),
        ]
        if comparison.margin:
            words = {"better": "worse", "equivalent": "equivalent", "undecided": "undecided"}
            cells.append(Cell(words.get(pair.outcome or "", "undecided")))
        rows.append(cells)
    return rows


def place_of_constant(comparison: "Comparison") -> int:
    """Return how many systems stand above the best constant answer: those that score better by the primary measure."""
    up = comparison.scores.measures[comparison.primary].greater_is_better
    value = comparison.baseline.scores[comparison.primary]
    scores = [one.scores[comparison.primary].value for one in comparison.leaderboard]
    if np.isnan(value):
        return len(scores)
    sign = 1 if up else -1
    below = (
        place
        for place, score in enumerate(scores)
        if not (sign * score >= sign * value or ties.same(score, value))
    )
    return next(below, len(scores))


def paper_leaderboard(comparison: "Comparison", *, intervals: bool = False) -> Sheet:
    """Return the leaderboard for a paper, without footnotes, and with intervals only if they are asked for.

    A superscript names the systems that a system beats, by their number on the leaderboard.
    """
    board = leaderboard_sheet(comparison).seen_in("latex")
    at = [column.name for column in board.columns].index(comparison.primary)
    number_of = {one.system: one.rank for one in comparison.leaderboard}
    rows = []
    for one, row in zip(comparison.leaderboard, board.rows, strict=True):
        cells = [replace(cell, note="") for cell in row]  # its mark would be taken for a system
        above = ranges(sorted(number_of[name] for name in one.beats))
        rows.append([*cells[:at], replace(cells[at], above=above), *cells[at + 1 :]])
    caption = paper_caption(comparison, board.columns)
    if intervals:
        caption.append(f"In brackets: {interval_sentence(comparison.scores)}")
    board = replace(board, rows=rows, lead="", caption=caption)
    board = comparison.scores.with_constant(board, place_of_constant(comparison))
    return board if intervals else board.without_intervals()


def paper_caption(comparison: "Comparison", columns: Sequence[Column]) -> list[str]:
    """Say what the table for a paper has: systems, items, directions, and what bold, italics and superscripts mean."""
    several = len(comparison.order) > 1
    directions = {column.greater_is_better for column in columns}
    arrows = [
        f"{arrow}: {words}"
        for up, arrow, words in ((True, "↑", "higher is better"), (False, "↓", "lower is better"))
        if up in directions
    ]
    first = f", best first by {comparison.primary}" if several else ""
    said = [f"{size_of(comparison)}{first}.", f"{'; '.join(arrows)}."]
    said += soft_sentences(comparison.runs, comparison.scores.measures)
    said += filter(None, [human_row_sentence(comparison.scores)])
    said += filter(None, comparison.policy_sentences)
    said += filter(None, [coverage_sentence(comparison)])
    if several:
        said += ["Bold: the best value of each measure.", RANKS]
        said += [
            "A tier ends where every system above is significantly better than every system below."
        ]
    if any(one.beats for one in comparison.leaderboard):
        beaten = (
            "A superscript lists, by their numbers, the systems that a system significantly beats"
        )
        said += [f"{beaten} by {comparison.primary}."]
    if comparison.pair_values is not None:
        said += [pairs_sentence(comparison, comparison.pair_values)]
    human = "what a human reaches, and " if comparison.scores.ceiling else ""
    return [*said, f"Italics: {human}the best constant answer."]
