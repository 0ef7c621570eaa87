"""The verdict of a comparison, in one or two sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ordeval.comparison.captions import not_beaten_sentence
from ordeval.formats.names import clean
from ordeval.formats.numbers import floored_share, number

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison

MOST_NAMES = 4  # a longer list of systems is cut


def verdict_of(comparison: "Comparison") -> str:
    """Say which systems may be the best by the primary measure, and how many do not beat a constant answer."""
    constant = not_beaten_sentence(comparison.baseline, len(comparison.systems))
    parts = ("".join(best_in_words(comparison)), coverage_sentence(comparison), constant)
    return " ".join(filter(None, parts))


def coverage_sentence(comparison: "Comparison") -> str:
    """Say that the systems were scored on different items, because some left items out; empty if none did."""
    items, answered = comparison.scores.items.sum(axis=-1), comparison.scores.answered.sum(axis=-1)
    if comparison.runs.policy.missing != "drop" or (answered == items).all() or len(items) == 1:
        return ""
    shares = answered / items
    least = int(shares.argmin())
    return (
        f"Each system is scored on the items that it answered (missing='drop'), and these items differ: "
        f"{clean(comparison.scores.systems[least])} answered {floored_share(shares[least])} of all items. Part of a "
        f"difference may come from the items."
    )


def best_in_words(comparison: "Comparison") -> tuple[str, ...]:
    """Say which systems may be the best by the primary measure, in parts: text, name, text, name, ..."""
    best, metric = [clean(name) for name in comparison.best], comparison.primary
    total, ranked = len(comparison.systems), int(comparison.ranked.sum())
    if not best:
        answered = comparison.scores.answered.any()
        none = f"No system has a score by {metric}." if answered else "No system answered anything."
        return (none,)
    if total == 1:
        score = comparison.leaderboard[0].scores[metric]
        return ("", best[0], f" scores {number(score.value, 4)} by {metric}.")
    if len(best) == 1 and ranked == 1:
        return ("", best[0], f" is the only system that can be ranked by {metric}.")
    if len(best) == 1:
        why = "no other system can be"
        if comparison.better[comparison.order[0]].sum() == total - 1:
            others = "the other system" if total == 2 else f"all {total - 1} others"
            why = f"significantly better than {others}"
        return ("", best[0], f" is best by {metric}: {why}.")
    if total == 2:
        return (f"No clear winner by {metric}: ", *listed(best), " cannot be told apart.")
    found = f"No clear winner by {metric}: {len(best)} of {total} systems may be the best"
    return (f"{found}: ", *listed(best), ".") if len(best) <= MOST_NAMES else (f"{found}.",)


def listed(names: Sequence[str]) -> list[str]:
    """Return names as a sentence lists them, in parts: a name, what stands between, a name, ..., a name."""
    parts = [part for name in names for part in (name, ", ")][:-1]
    if len(names) > 1:
        parts[-2] = " and "
    return parts
