"""Cells from patterns whose gold or answers are distributions: each item is spread over the cells of its classes."""

import numpy as np

from ordeval.aliases import Array

AT_A_TIME = 1 << 16  # patterns that are spread at once


def spread_cells(
    gold: Array,
    answer: Array,
    amounts: Array,
    k: int,
    *,
    shares: Array | None,
    answers: Array | None,
    case: Array | None = None,
    cases: int = 1,
) -> Array:
    """Return cells[case, gold, answer] of one system: counts[g, p] += amount * share[g] * answer[p].

    `gold` and `answer` are codes of distributions, or of classes where `shares` or `answers` is None; the answer K is
    none. If all are classes in truth, every sum is of whole items, and the cells are those of the ordinary table.
    """
    rows = np.eye(k) if shares is None else shares
    columns = np.eye(k + 1) if answers is None else answers
    cells = np.zeros((cases, k, k + 1))
    if case is None:
        order, ends = np.arange(len(gold)), np.array([0, len(gold)])
    else:
        order = np.argsort(case, kind="stable")
        ends = np.searchsorted(case[order], np.arange(cases + 1))
    for at in range(cases):
        for start in range(ends[at], ends[at + 1], AT_A_TIME):
            some = order[start : min(start + AT_A_TIME, ends[at + 1])]
            weighted = rows[gold[some]] * np.asarray(amounts[some], dtype=np.float64)[:, None]
            cells[at] += weighted.T @ columns[answer[some]]
    return cells
