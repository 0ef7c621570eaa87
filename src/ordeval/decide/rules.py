"""A rule: what every answer is worth for every gold class, and the answers that follow from probabilities."""

import numpy as np

from ordeval.aliases import Array
from ordeval.scale import Scale
from ordeval.stats.chunks import chunks

EQUAL = 1e-9  # of the range of a rule: answers that are worth the same but for rounding
AT_A_TIME = 1 << 14  # items whose numbers fit in a fast memory
DIGITS = 12  # to which the worth of an answer is kept, so that what is equal in theory is equal


def plain_rules(scale: Scale) -> dict[str, Array]:
    """Return the rules that people use whatever the measure: the most probable class, the median, the rounded mean."""
    place, value = np.arange(scale.k, dtype=np.float64), scale.numbers
    worth = {
        "mode": np.eye(scale.k),
        "median": -np.abs(place[:, None] - place),
        "mean": -((value[:, None] - value) ** 2),
    }
    return {name: in_normal_form(one) for name, one in worth.items()}


def in_normal_form(worth: Array) -> Array:
    """Return a rule that gives the same answers, with 0 for the worst answer to each class and 1 for the best of all.

    What is added to all answers of a gold class changes no answer, and neither does a factor.
    """
    worth = worth - worth.min(axis=1, keepdims=True)
    largest = worth.max()
    return np.asarray(np.round(worth / largest, DIGITS) if largest > 0 else worth)


def answers_of(worth: Array, columns: Array) -> Array:
    """Return the answer of each item, a code: of answers that are worth the same, the lowest.

    `columns[class, item]` are the probabilities.
    """
    k, n = columns.shape
    answers = np.empty(n, dtype=np.min_scalar_type(k))
    for part in chunks(n, most=AT_A_TIME):
        answers[part] = lowest_best(worth.T @ columns[:, part])
    return answers


def lowest_best(expected: Array) -> Array:
    """Return the lowest of the best answers of each item, from what each is worth: expected[answer, item]."""
    limit = expected.max(axis=0) - EQUAL
    behind = expected[0] < limit  # by more than rounding, as all answers up to this one
    first = behind.astype(np.min_scalar_type(len(expected)))
    for one in expected[1:-1]:
        behind &= one < limit
        first += behind
    return np.asarray(first)


def ties_of(worth: Array, columns: Array) -> int:
    """Return the number of items whose best answer is worth the same as another one."""
    ties = 0
    for part in chunks(columns.shape[1], most=AT_A_TIME):
        expected = worth.T @ columns[:, part]
        best = (expected >= expected.max(axis=0) - EQUAL).sum(axis=0, dtype=np.intp)
        ties += int(np.count_nonzero(best > 1))
    return ties


def losses_of(worth: Array, columns: Array, answers: Array) -> Array:
    """Return what each answer is expected to lose, compared with the right one."""
    n = columns.shape[1]
    losses = np.empty(n)
    for part in chunks(n, most=AT_A_TIME):
        earned = np.take_along_axis(
            worth.T @ columns[:, part], answers[None, part].astype(np.intp), axis=0
        )
        losses[part] = worth.diagonal() @ columns[:, part] - earned[0]
    return losses


def abstention(losses: Array, weight: Array | None, share: float) -> tuple[float | None, float]:
    """Return the expected loss from which items are left unanswered, and the share of the items that this leaves out.

    It is the share that was asked for, or less: items that are expected to lose the same are left out together or not
    at all. The limit is None if no item is left out.
    """
    order = np.argsort(-losses, kind="stable")
    worst_first = losses[order]
    weights = np.ones(len(losses)) if weight is None else weight[order]
    left_out = weights.cumsum() / weights.sum()
    last_of_equals = np.append(worst_first[:-1] - worst_first[1:] > EQUAL, True)
    fits = np.flatnonzero(last_of_equals & (left_out <= share + EQUAL))
    if not len(fits):
        return None, 0.0
    return float(worst_first[fits[-1]]) - EQUAL, float(left_out[fits[-1]])


def expected_table(worth: Array, columns: Array, weighted: Array) -> Array:
    """Return the table that the answers of a rule let expect: [gold, answer].

    `columns[class, item]` are the probabilities, and `weighted` the same times the weight of the item.
    """
    k, n = columns.shape
    table = np.zeros((k, k))
    for part in chunks(n, most=AT_A_TIME):
        answers = lowest_best(worth.T @ columns[:, part])
        hit = answers == np.arange(k, dtype=answers.dtype)[:, None]
        table += weighted[:, part] @ hit.astype(np.float64).T
    return table
