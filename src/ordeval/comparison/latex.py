"""A comparison in LaTeX: booktabs, the best of each column bold, and superscripts for whom a system beats."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.comparison.cells import Array
from ordeval.formats.old_layout import latex_escaped, number

if TYPE_CHECKING:
    from ordeval.comparison.result import Comparison

SAME = 1e-12


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers with runs of three or more joined.

    >>> ranges([2, 4, 5, 6, 9])
    '2,4--6,9'
    """
    runs: list[list[int]] = []
    for one in numbers:
        if runs and one == runs[-1][-1] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ",".join(
        f"{run[0]}--{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )


def latex_table(comparison: "Comparison", label: str | None) -> str:
    """Return a table environment."""
    scores = comparison.scores
    metrics = [comparison.primary, *(name for name in scores.metrics if name != comparison.primary)]
    values = dict(zip(scores.metrics, scores.values, strict=True))
    best = {
        name: best_of(values[name], greater_is_better=scores.measures[name].greater_is_better)
        for name in metrics
    }
    arrows = {
        name: r"$\uparrow$" if scores.measures[name].greater_is_better else r"$\downarrow$"
        for name in metrics
    }
    head = ["", "tier", "system", *(f"{latex_escaped(name)} {arrows[name]}" for name in metrics)]
    place = {standing.system: standing.rank for standing in comparison.leaderboard}
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{rrl{'r' * len(metrics)}}}",
        r"\toprule",
    ]
    lines += [" & ".join(head) + r" \\", r"\midrule"]
    for standing in comparison.leaderboard:
        cells = []
        for name in metrics:
            value = standing.scores[name].value
            shown = number(value) if not np.isnan(value) else "--"
            cells.append(rf"\textbf{{{shown}}}" if abs(value - best[name]) < SAME else shown)
        beaten = ranges(sorted(place[name] for name in standing.beats))
        cells[0] += rf"\textsuperscript{{{beaten}}}" if beaten else ""
        lines.append(
            " & ".join(
                [str(standing.rank), str(standing.tier), latex_escaped(standing.system), *cells]
            )
            + r" \\"
        )
    lines += [r"\bottomrule", r"\end{tabular}"]
    note = "A superscript names the systems, by their number, that a system beats."
    lines.append(rf"\caption{{{latex_escaped(f'{comparison.caption} {note}')}}}")
    if label is not None:
        lines.append(rf"\label{{{label}}}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def best_of(values: Array, *, greater_is_better: bool) -> float:
    """Return the best of the defined values, NaN where there is none."""
    there = values[~np.isnan(values)]
    if not len(there):
        return float("nan")
    return float(there.max() if greater_is_better else there.min())
