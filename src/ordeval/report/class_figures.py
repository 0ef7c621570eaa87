"""What each chart of classes shows: answers, their costs, the gold distribution and how close the classes are."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.aliases import Array
from ordeval.formats.old_names import counted, plural, quoted_label, short, shown
from ordeval.report.charts import bars, matrix
from ordeval.report.figures import Figure

if TYPE_CHECKING:
    from ordeval.report.costs import Costs
    from ordeval.scale import Scale


def contingency_figure(scale: "Scale", counts: Array, name: str) -> Figure:
    """Gold against answers: how many items, and what share of their gold class; counts[gold, answer (and none)]."""
    k = scale.k
    gone = counts.shape[1] > k and counts[:, k].any()
    there = counts if gone else counts[:, :k]
    gold = counts.sum(axis=1, keepdims=True)
    share = np.divide(there, gold, out=np.zeros(there.shape), where=gold > 0)
    answers = [*scale.labels, *(["no answer"] if gone else [])]
    right = float(np.trace(counts[:, :k])) / max(float(counts.sum()), 1e-300)
    return Figure(
        matrix(
            scale.labels,
            answers,
            share,
            [[counted(cell) if cell else "" for cell in row] for row in there] if k <= 24 else None,
            [[f"{100 * x:.0f}%" if x >= 0.005 else "" for x in row] for row in share]
            if k <= 12
            else None,
            row_title="gold",
            column_title="answer",
            **cell_size(len(answers)),
        ),
        f"Answers of {short(name)}",
        f"Gold classes in rows, answers in columns; {100 * right:.0f}% of the items are on the diagonal.",
        ("gold", *map(shown, answers)),
        tuple(
            (
                shown(label),
                *(
                    f"{counted(n)} ({100 * x:.0f}%)" if n else "0"
                    for n, x in zip(row, part, strict=True)
                ),
            )
            for label, row, part in zip(scale.labels, there, share, strict=True)
        ),
    )


def costs_figure(costs: "Costs", name: str) -> Figure:
    """What share of the lost closeness each cell is to blame for."""
    scale, k = costs.scale, costs.scale.k
    gone = bool(costs.count[:, k].any())
    width = k + 1 if gone else k
    share, bits, each = costs.share[:, :width], costs.bits[:, :width], costs.each[:, :width]
    largest = share.max(initial=0.0) or 1.0
    answers = [*scale.labels, *(["no answer"] if gone else [])]
    worst = costs.worst[:1]
    told = f" Most costly: {costs.words(*worst[0])}." if worst else " Nothing was lost."
    return Figure(
        matrix(
            scale.labels,
            answers,
            share / largest,
            [[f"{100 * x:.0f}%" if x >= 0.005 else "" for x in row] for row in share] if k <= 24 else None,
            [[f"{x:.2f} b" if x > 0 else "" for x in row] for row in each] if k <= 12 else None,
            row_title="gold",
            column_title="answer",
            warm=True,
            **cell_size(len(answers)),
        ),
        f"What the errors of {short(name)} cost",
        f"Each cell's share of the closeness that was lost, and the bits that one such answer loses.{told}",
        ("gold", "answer", "times", "bits each", "bits in all", "share of the loss"),
        tuple(
            (
                shown(scale.labels[g]), shown(answers[a]), counted(costs.count[g, a]), f"{each[g, a]:.3f}",
                f"{bits[g, a]:,.1f}", f"{100 * share[g, a]:.1f}%",
            )
            for g, a in costs.worst
        ),
        left=2,
    )  # fmt: skip


def gold_figure(scale: "Scale", gold: Array) -> Figure:
    """How many items each gold class has."""
    total = float(gold.sum())
    share = gold / total if total else np.zeros_like(gold, dtype=float)
    most = int(np.argmax(gold))
    return Figure(
        bars(
            scale.labels,
            gold,
            [f"{counted(n)} ({100 * x:.0f}%)" for n, x in zip(gold, share, strict=True)],
            title="items",
        ),
        "Gold distribution",
        f"A bar for each of {plural(scale.k, 'class', 'classes')}, lowest first; "
        f"{quoted_label(scale.labels[most])} is the most frequent with {100 * share[most]:.0f}% of the items.",
        ("class", "items", "share"),
        tuple(
            (shown(c), counted(n), f"{100 * x:.1f}%")
            for c, n, x in zip(scale.labels, gold, share, strict=True)
        ),
    )


def proximity_figure(scale: "Scale", bits: Array) -> Figure:
    """How close every answer is to every gold class, in bits."""
    finite = np.where(np.isfinite(bits), bits, np.nan)
    largest = np.nanmax(finite, initial=0.0, where=~np.isnan(finite)) or 1.0
    texts = [["∞" if np.isinf(x) else f"{x:.2f}" for x in row] for row in bits]
    return Figure(
        matrix(
            scale.labels,
            scale.labels,
            finite / largest,
            texts if scale.k <= 16 else None,
            row_title="gold",
            column_title="answer",
            **cell_size(scale.k),
        ),
        "Proximity of the classes in bits",
        "Gold classes in rows, answers in columns: the bits that an answer earns. Right answers are on the diagonal.",
        ("gold", *map(shown, scale.labels)),
        tuple((shown(label), *row) for label, row in zip(scale.labels, texts, strict=True)),
    )


def cell_size(columns: int) -> dict[str, Any]:
    """Return how wide and high the cells are: a matrix of five classes fits a phone."""
    if columns <= 6:
        return {"step": 48, "row_step": 36}
    return {"step": max(22, 300 / columns + 6), "row_step": max(20, min(34, 260 / columns + 8))}
