"""The numbers behind the part of the page in which a reader sets any two systems against each other."""

from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.comparison.comparison import Comparison
from ordeval.comparison.pairs import outcome_of
from ordeval.formats.names import clean, short
from ordeval.formats.numbers import SMALLEST_P, number
from ordeval.report.class_figures import NO_ANSWER
from ordeval.report.leaderboard import short_measure_name
from ordeval.report.system_agreement import same_answers
from ordeval.runs import Runs
from ordeval.stats.chunks import chunks

MOST_SYSTEMS = 200  # that can be chosen: all pairs of these are a megabyte
ALL_MEASURES = 60  # systems up to which the differences by every measure are there, not only by the primary one
MOST_CASE_SCORES = 40_000
MOST_CELLS = 100_000  # of all contingency tables
OUTCOMES = {"better": "b", "worse": "w", "equivalent": "e"}  # any other is u


def two_systems_data(comparison: Comparison) -> dict[str, Any] | None:
    """Return scores, differences, answers and scores by case of the systems, best first; None for a single system.

    What belongs to a pair stands in the order of the pairs: the first system with each below it, then the second.
    """
    values, scores = comparison.pair_values, comparison.scores
    if values is None:
        return None
    order = np.array(comparison.order[:MOST_SYSTEMS])
    measures = comparison.measure_order if len(order) <= ALL_MEASURES else [comparison.row]
    pairs = pairs_among(len(comparison.order), len(order))
    cells, scale = comparison.cells[order].sum(axis=1), comparison.runs.scale
    written_p = np.where(values.p_adjusted < SMALLEST_P, 0.0, values.p_adjusted)
    cases = scores.cases if len(scores.cases) * len(order) <= MOST_CASE_SCORES else ()
    return {
        "systems": [clean(comparison.scores.systems[s]) for s in order],
        "measures": [
            {"name": short_measure_name(name), "up": scores.measures[name].greater_is_better}
            for name in (scores.metrics[m] for m in measures)
        ],
        # as the leaderboard writes them: a number that is rounded twice may end in another digit
        "values": [[number(x) for x in scores.values[m, order].tolist()] for m in measures],
        "differences": [
            [
                rounded(part[m, pairs])
                for part in (values.difference, values.low, values.high, written_p)
            ]
            for m in measures
        ],
        "outcomes": [outcome_letters(comparison, m, pairs) for m in measures],
        "margin": None if comparison.margin is None else f"{comparison.margin:g}",
        "corrected": comparison.corrected,
        "intervals": scores.level is not None,
        "paired": comparison.paired,
        "classes": [short(name, 24) for name in scale.names],
        "nothing": NO_ANSWER if cells[..., -1].any() else None,
        "answers": rounded(cells.reshape(len(order), -1), 6) if cells.size <= MOST_CELLS else None,
        "cases": [clean(case) for case in cases],
        "by_case": rounded(scores.case_values[comparison.row][order], 6) if cases else [],
        "together": None
        if not isinstance(comparison.runs, Runs)
        else [rounded(part, 6) for part in answers_together(comparison.runs, order)],
    }


def pairs_among(systems: int, first: int) -> Array:
    """Return the places of the pairs of the first systems among the pairs of all."""
    _, second = np.triu_indices(systems, 1)
    ahead = np.repeat(np.arange(systems), np.arange(systems)[::-1])
    return np.flatnonzero((ahead < first) & (second < first))


def outcome_letters(comparison: Comparison, m: int, pairs: Array) -> str:
    """Return a letter for what the first system of each pair is: better, worse, equivalent or undecided."""
    values, name = comparison.pair_values, comparison.scores.metrics[m]
    assert values is not None  # noqa: S101 - there are two systems or more
    up = comparison.scores.measures[name].greater_is_better
    found = (outcome_of(values, m, q, comparison.alpha, up=up) for q in pairs.tolist())
    return "".join(OUTCOMES.get(outcome or "", "u") for outcome in found)


def answers_together(runs: Runs, order: Array) -> tuple[Array, Array, Array, Array]:
    """Return four shares of the items for each pair: both right, only the first, only the second, the same answer.

    Soft gold is a label drawn from the shares, and probabilities are answers drawn from them.
    """
    both, alone = np.zeros((len(order), len(order))), np.zeros(len(order))
    weight = runs.count / runs.count.sum()
    k = runs.scale.k
    shares = np.eye(k) if runs.shares is None else runs.shares
    rows = np.eye(k + 1) if runs.answers is None else runs.answers
    for part in chunks(len(weight), numbers=len(order) * k):
        gold = shares[runs.gold[part]] * weight[part, None]  # [item, class]
        answers = rows[runs.predicted[order, part]][..., :k]  # [system, item, class]
        alone += (answers * gold).sum(axis=(1, 2))
        both += np.einsum("sic,tic,ic->st", answers, answers, gold, optimize=True)
    same = same_answers(runs, order.tolist())
    a, b = np.triu_indices(len(order), 1)
    return both[a, b], alone[a] - both[a, b], alone[b] - both[a, b], same[a, b]


def rounded(numbers: Array, digits: int = 4) -> list[Any]:
    """Return an array as lists for JSON, to so many decimals; None where a number is undefined."""
    if numbers.ndim > 1:
        return [rounded(part, digits) for part in numbers]
    values = np.round(numbers.astype(np.float64), digits)
    return [None if not np.isfinite(x) else int(x) if x == int(x) else x for x in values.tolist()]
