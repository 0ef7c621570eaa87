"""The charts of classes, each with its title, its description and its data as a table.

They show what was answered, what the errors cost, how the gold labels are distributed and how close the classes are.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.formats import numbers
from ordeval.formats.names import clean, quoted_label, short
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, text_sheet
from ordeval.report.charts import Figure, bar_chart
from ordeval.report.matrix import ColourKey, matrix_chart
from ordeval.report.specification import Specification
from ordeval.report.stacked_bars import shares_of

if TYPE_CHECKING:
    from ordeval.report.error_costs import ErrorCosts
    from ordeval.scale import Scale

NO_ANSWER = "no answer"
# Up to so many classes a cell has room for a text, and for a second one below it.
ROOM_FOR_TEXT, ROOM_FOR_SMALL_TEXT, ROOM_FOR_BITS = 24, 12, 16


def contingency_figure(costs: "ErrorCosts", name: str) -> Figure:
    """Draw gold against answers: how many items, and which share of their gold class."""
    answers = answer_columns(costs)
    chart, data = counts_matrix(
        costs.scale.names,
        answers,
        costs.count[:, : len(answers)],
        titles=("gold", "answer"),
        whole="the gold class",
    )
    return Figure(
        chart,
        f"Answers of {short(name)}",
        f"Gold classes in rows, answers in columns; {numbers.percent(costs.share_off_by(0))} of the items are on the "
        "diagonal.",
        data,
    )


def counts_matrix(
    rows: Sequence[Any],
    columns: Sequence[Any],
    counts: Array,
    *,
    titles: tuple[str, str],
    whole: str,
    words: tuple[str, str] | None = None,
) -> tuple[Specification, Sheet]:
    """Draw counts[row, column] with their shares of the row, and return their table, too.

    `titles` are those of rows and columns, which `words` replace in the tips; `whole` names what a row is of.
    """
    shares = shares_of(counts)
    texts = [
        [amount_and_share(*cell) for cell in zip(*parts, strict=True)]
        for parts in zip(counts, shares, strict=True)
    ]
    k = len(rows)
    chart = matrix_chart(
        rows,
        columns,
        shares,
        [[numbers.amount_in_cell(cell) if cell else "" for cell in row] for row in counts]
        if k <= ROOM_FOR_TEXT
        else None,
        percentages(shares) if k <= ROOM_FOR_SMALL_TEXT else None,
        tips=cell_tips(rows, columns, texts, words or titles),
        key=ColourKey("0%", f"100% of {whole}"),
        row_title=titles[0],
        column_title=titles[1],
        **cell_size(len(columns)),
    )
    data = text_sheet(
        [titles[0], *map(clean, columns)],
        [[clean(label), *row] for label, row in zip(rows, texts, strict=True)],
    )
    return chart, data


def costs_figure(costs: "ErrorCosts", name: str) -> Figure:
    """Draw each cell's share of the lost closeness, and the bits that one such answer loses."""
    scale, answers = costs.scale, answer_columns(costs)
    shares, each = costs.share[:, : len(answers)], costs.bits_each[:, : len(answers)]
    largest = float(shares.max(initial=0.0))
    chart = matrix_chart(
        scale.names,
        answers,
        shares / (largest or 1.0),
        percentages(shares) if scale.k <= ROOM_FOR_TEXT else None,
        [[f"{numbers.number(x, 2)} b" if x > 0 else "" for x in row] for row in each]
        if scale.k <= ROOM_FOR_SMALL_TEXT
        else None,
        tips=cell_tips(
            scale.names,
            answers,
            [
                [
                    f"{numbers.percent(x)} of the loss, {numbers.number(b, 2)} b each" if x else ""
                    for x, b in zip(*rows, strict=True)
                ]
                for rows in zip(shares, each, strict=True)
            ],
        ),
        key=ColourKey("0%", f"{numbers.percent(largest)} of the loss"),
        row_title="gold",
        column_title="answer",
        warm=True,
        **cell_size(len(answers)),
    )
    worst = costs.most_costly[:1]
    summary = f"Most costly: {costs.sentence(*worst[0])}." if worst else "Nothing was lost."
    return Figure(
        chart,
        f"What the errors of {short(name)} cost",
        f"Each cell's share of the closeness that was lost, and the bits that one such answer loses. {summary}",
        Sheet(
            [
                Column("gold"),
                Column("answer"),
                Column("times", Kind.COUNT),
                Column("bits each", Kind.NUMBER),
                Column("bits in all", Kind.NUMBER),
                Column("share of the loss", Kind.NUMBER),
            ],
            [
                [
                    Cell(clean(scale.names[g])),
                    Cell(clean(answers[a])),
                    *map(Cell, (costs.count[g, a], each[g, a], f"{costs.bits[g, a]:,.1f}")),
                    Cell(numbers.percent(shares[g, a], 1)),
                ]
                for g, a in costs.most_costly
            ],
        ),
    )


def gold_figure(scale: "Scale", gold: Array) -> Figure:
    """Draw how many items each gold class has."""
    total = float(gold.sum())
    shares = gold / total if total else np.zeros(scale.k)
    most = int(np.argmax(gold))
    return Figure(
        bar_chart(
            scale.names,
            gold,
            [f"{numbers.amount(n)} ({numbers.percent(x)})" for n, x in zip(gold, shares, strict=True)],
        ),
        "Gold distribution",
        f"A bar for each of {numbers.counted(scale.k, 'class', 'classes')}, lowest first; "
        f"{quoted_label(scale.names[most])} is the most frequent with {numbers.percent(shares[most])} of the items.",
        Sheet(
            [Column("class"), Column("items", Kind.COUNT), Column("share", Kind.NUMBER)],
            [
                [Cell(clean(label)), Cell(n), Cell(numbers.percent(x, 1))]
                for label, n, x in zip(scale.names, gold, shares, strict=True)
            ],
        ),
    )  # fmt: skip


def proximity_figure(scale: "Scale", bits: Array) -> Figure:
    """Draw how close every answer is to every gold class, in bits."""
    finite = np.where(np.isfinite(bits), bits, np.nan)
    largest = np.nanmax(finite, initial=0.0, where=~np.isnan(finite)) or 1.0
    texts = [["∞" if np.isinf(x) else numbers.number(x, 2) for x in row] for row in bits]
    chart = matrix_chart(
        scale.names,
        scale.names,
        finite / largest,
        texts if scale.k <= ROOM_FOR_BITS else None,
        tips=cell_tips(
            scale.names, scale.names, [[f"{text} bits" for text in row] for row in texts]
        ),
        key=ColourKey("0", f"{numbers.number(float(largest), 2)} bits"),
        row_title="gold",
        column_title="answer",
        **cell_size(scale.k),
    )
    return Figure(
        chart,
        "Proximity of the classes in bits",
        "Gold classes in rows, answers in columns: the bits that an answer earns. Right answers are on the diagonal.",
        text_sheet(
            ["gold", *map(clean, scale.names)],
            [[clean(label), *row] for label, row in zip(scale.names, texts, strict=True)],
        ),
    )


def answer_columns(costs: "ErrorCosts") -> list[Any]:
    """Return the answers that get a column: all classes, and 'no answer' if an item was left unanswered."""
    unanswered = costs.count[:, costs.scale.k].any()
    return [*costs.scale.names, *([NO_ANSWER] if unanswered else [])]


def cell_tips(
    rows: Sequence[Any],
    columns: Sequence[Any],
    texts: Sequence[Sequence[str]],
    words: tuple[str, str] = ("gold", "answer"),
) -> list[list[str]]:
    """Write which cell a text is of: 'gold 1, answer 2: ...'; nothing for a cell without a text."""
    heads = [a if a is NO_ANSWER else f"{words[1]} {short(a, 24)}" for a in columns]
    return [
        [text and f"{words[0]} {short(g, 24)}, {a}: {text}" for a, text in zip(heads, row, strict=True)]
        for g, row in zip(rows, texts, strict=True)
    ]  # fmt: skip


def amount_and_share(count: float, share: float) -> str:
    """Write the items of a cell and their share of the gold class."""
    return f"{numbers.amount(count)} ({numbers.percent(share)})" if count else "0"


def percentages(shares: Array) -> list[list[str]]:
    """Write shares[row, column] in whole percent, for small cells."""
    texts = [[numbers.percent_in_cell(share) for share in row] for row in shares]
    return [[text and f"{text}%" for text in row] for row in texts]


def cell_size(columns: int) -> dict[str, Any]:
    """Return how wide and high the cells of a matrix are: one of five classes fits a phone."""
    if columns <= 6:
        return {"step": 48, "row_step": 36}
    return {"step": max(22, 300 / columns + 6), "row_step": max(20, min(34, 260 / columns + 8))}
