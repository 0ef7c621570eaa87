"""The verdict of a comparison, in one or two sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.comparison.captions import MOST_NAMES, not_beaten_sentence
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted, floored_share, number

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison


def verdict_lines(comparison: "Comparison") -> list[str]:
    """Return the verdict in one line, and in a second one that the systems were scored on different items, if so."""
    constant = not_beaten_sentence(comparison.baseline, len(comparison.systems))
    answer = f"{''.join(best_in_words(comparison))} {constant}".strip()
    return [line for line in (answer, coverage_sentence(comparison)) if line]


def coverage_sentence(comparison: "Comparison") -> str:
    """Say that the systems were scored on different items, because some left items out; empty if none did."""
    items, answered = comparison.scores.items.sum(axis=-1), comparison.scores.answered.sum(axis=-1)
    every = np.isclose(answered, items, rtol=1e-9, atol=0).all()  # sums of shares are rounded
    if comparison.runs.policy.missing != "drop" or every or len(items) == 1:
        return ""
    shares = answered / items
    least = int(shares.argmin())
    return (
        f"Each system is scored only on the items that it answered, and these items differ: "
        f"{clean(comparison.scores.systems[least])} answered {floored_share(shares[least])} of all items. Part of a "
        f"difference may come from the items."
    )


def best_in_words(comparison: "Comparison") -> tuple[str, ...]:
    """Say which systems may be the best by the primary measure, in parts: text, name, text, name, ...

    The systems of `comparison.best` are those that no other is significantly better than. So there is no significant
    difference between any two of them; yet one that is outside may not differ significantly from one that is inside.
    """
    best, metric = [clean(name) for name in comparison.best], comparison.primary
    total, ranked = len(comparison.systems), int(comparison.ranked.sum())
    if not best:
        answered = comparison.scores.answered.any()
        none = f"No system has a score by {metric}." if answered else "No system answered anything."
        return (none,)
    if total == 1:
        score = comparison.leaderboard[0].scores[metric]
        return ("", best[0], f" scores {number(score.value)} by {metric}.")
    if len(best) == 1:
        return ("", best[0], f" is {winner_words(comparison, total, ranked)}.")
    found, names = f"No clear winner by {metric}: ", listed(best)
    few = len(best) <= MOST_NAMES
    if len(best) == total:
        alike = " are not significantly different."
        return (found, *names, alike) if few else (f"{found}the {total} systems{alike}",)
    why = " may be the best, because no other is significantly better."
    return (found, *names, why) if few else (f"{found}{len(best)} of {total} systems{why}",)


def winner_words(comparison: "Comparison", total: int, ranked: int) -> str:
    """Say why a system is the only one that may be the best; part of a sentence."""
    metric = comparison.primary
    if ranked == 1:
        return f"the only system that can be ranked by {metric}"
    if comparison.better[comparison.order[0]].sum() < ranked - 1:
        others = "each of the others is significantly worse than some system"
        return f"the only system that may be the best by {metric}: {others}"
    others = {2: "the other system", 3: "both others"}.get(total, f"all {ranked - 1} others")
    if ranked < total:
        others = f"the {counted(ranked - 1, 'other')} that can be ranked"
    return f"best by {metric}: significantly better than {others}"


def listed(names: Sequence[str]) -> list[str]:
    """Return names as a sentence lists them, in parts: a name, what stands between, a name, ..., a name."""
    parts = [part for name in names for part in (name, ", ")][:-1]
    if len(names) > 1:
        parts[-2] = " and "
    return parts
