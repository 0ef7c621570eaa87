"""The verdict of a comparison, in one or two sentences."""

from typing import TYPE_CHECKING

from ordeval.comparison.captions import not_beaten_sentence
from ordeval.formats.numbers import in_words, number

if TYPE_CHECKING:
    from ordeval.comparison.comparison import Comparison

MOST_NAMES = 4  # a longer list of systems is cut


def verdict_of(comparison: "Comparison") -> str:
    """Say which systems may be the best by the primary measure, and how many do not beat a constant answer."""
    best, metric = list(comparison.best), comparison.primary
    total, ranked = len(comparison.systems), int(comparison.ranked.sum())
    if not best:
        return f"No system has a score by {metric}."
    if total == 1:
        score = comparison.leaderboard[0].scores[metric]
        first = f"{best[0]} scores {number(score.value, 4)} by {metric}."
    elif len(best) == 1 and ranked > 1:
        others = "the other system" if total == 2 else f"all {total - 1} others"
        first = f"{best[0]} is best by {metric}: significantly better than {others}."
        if comparison.better[comparison.order[0]].sum() < total - 1:
            first = f"{best[0]} is best by {metric}: no other system can be."
    elif len(best) == 1:
        first = f"{best[0]} is the only system with a score by {metric}."
    elif len(best) == 2 and total == 2:
        first = f"No clear winner by {metric}: {best[0]} and {best[1]} cannot be told apart."
    else:
        which = f": {in_words(best)}" if len(best) <= MOST_NAMES else ""
        first = (
            f"No clear winner by {metric}: {len(best)} of {total} systems may be the best{which}."
        )
    return f"{first} {not_beaten_sentence(comparison.baseline, total)}".strip()
