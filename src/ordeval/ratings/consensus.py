"""One label from several marks: the most frequent one, the median, or the one that is closest to all."""

from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.arguments import is_choice
from ordeval.errors import ParameterError, argument, suggestion
from ordeval.table.mass import bits, ordinal_mass

RULES = ("majority", "median", "closest")


def consensus_codes(rule: Any, votes: Array, count: Array) -> Array:
    """Return a class for each row of votes[pattern, class], K where there are no votes; `count` are its items."""
    if not is_choice(rule, RULES):
        near = suggestion(str(rule), RULES)
        raise ParameterError(
            f"{argument('rule', rule)} is no rule of consensus; it is one of {', '.join(RULES)}.{near}"
        )
    k = votes.shape[1]
    total = votes.sum(axis=1)
    if rule == "majority":
        chosen = lower_median((votes == votes.max(axis=1, keepdims=True)).astype(np.int64))
    elif rule == "median":
        chosen = lower_median(votes)
    else:
        chosen = closest(votes, count)
    return np.where(total > 0, chosen, k)


def lower_median(votes: Array) -> Array:
    """Return the class of the lower median of each row's votes."""
    below = votes.cumsum(axis=1)
    return np.asarray(np.argmax(2 * below >= below[:, -1:], axis=1))


def closest(votes: Array, count: Array) -> Array:
    """Return the class with the highest expected proximity to each row's votes; the lowest of several.

    How close two classes are depends on how many items lie between them: those of all rows, spread over their votes.
    """
    shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    gold = count @ shares
    mass, rest = ordinal_mass(gold)
    with np.errstate(all="ignore"):
        worth = np.where(gold[:, None] > 0, bits(mass, rest), 0.0)  # [gold, answer]
        worth = np.where(mass > 0, worth, 0.0)
    return np.asarray(np.argmax(np.round(shares @ worth, 12), axis=1))
