"""More properties from the literature that help to choose a measure."""

import math
from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np

from ordeval.metrics.core import Counts, Values
from ordeval.metrics.table_function import as_labels
from ordeval.properties.catalogue import Batch, Case, Property, Relation, Size, enter
from ordeval.properties.enumeration import Outputs
from ordeval.properties.paper_three import moved_pairs, outputs
from ordeval.properties.subject import Evaluate, Labels
from ordeval.properties.words import spaced


def symmetry_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield every output that uses all classes, and the same with gold and output exchanged."""
    for n, k, every in outputs(size):
        labels = size.labels(k)
        for at in every.chunks():
            tables = every.tables(at)
            tables = tables[tables.sum(axis=1).all(axis=1)]
            turned = tables.swapaxes(1, 2)
            show = partial(show_two_golds, tables, turned, labels, "exchanging gold and output")
            yield Batch(n, k, evaluate(tables, labels), evaluate(turned, labels), show)


def reversal_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield every output, and the same output on the reversed scale."""
    for n, k, every in outputs(size):
        labels = size.labels(k)
        for at in every.chunks():
            tables = every.tables(at)
            turned = tables[:, ::-1, ::-1]
            show = partial(show_two_golds, tables, turned, labels, "reversing the scale")
            yield Batch(n, k, evaluate(tables, labels), evaluate(turned, labels), show)


def show_two_golds(tables: Counts, turned: Counts, labels: Labels, action: str, at: int) -> Case:
    """Show two cases that should have the same score."""
    gold, output = as_labels(tables[at], labels)
    gold_turned, output_turned = as_labels(turned[at], labels)
    sentence = f"{action} changes {{measure}} from {{better}} to {{worse}}"
    return Case(labels, gold, output, output_turned, sentence, gold_worse=gold_turned)


def perfect_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield the perfect output beside every other."""
    for n, k, every in outputs(size):
        labels = size.labels(k)
        values = evaluate(every, labels)
        others = np.delete(np.arange(len(every)), every.perfect)
        perfect = np.broadcast_to(values[every.perfect], others.shape)
        yield Batch(n, k, perfect, values[others], partial(show_perfect, every, others, labels))


def show_perfect(every: Outputs, others: Counts, labels: Labels, at: int) -> Case:
    """Show an output that is scored no lower than the perfect one."""
    (table,) = every.tables(others[at : at + 1])
    gold, output = as_labels(table, labels)
    sentence = (
        f"for gold {spaced(gold)} the output {spaced(output)} has {{measure}} {{worse}}, and the perfect output has "
        f"{{better}}"
    )
    return Case(labels, gold, gold, output, sentence)


@lru_cache(maxsize=1)
def _factorials(n: int) -> Values:
    return np.array([math.factorial(i) for i in range(n + 1)], dtype=np.float64)


def expected(evaluate: Evaluate, every: Outputs, labels: Labels) -> float:
    """Return the mean value over all orders in which the gold labels can be used as answers."""
    factorial = _factorials(sum(every.gold))
    total = weights = 0.0
    for at in every.chunks():
        tables = every.tables(at)
        tables = tables[(tables.sum(axis=1) == every.gold).all(axis=1)]
        if len(tables):
            orders = 1 / factorial[tables].prod(axis=(1, 2))  # up to a factor that all tables share
            total += float((orders * evaluate(tables, labels)).sum())
            weights += float(orders.sum())
    return total / weights


def chance_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield every gold standard's expected value beside that of the first with as many classes."""
    first: dict[int, tuple[Outputs, float]] = {}
    for n, k, every in outputs(size):
        labels = size.labels(k)
        mean = expected(evaluate, every, labels)
        start, level = first.setdefault(k, (every, mean))
        if every is not start:
            show = partial(show_chance, start, every, labels)
            yield Batch(n, k, np.array([level]), np.array([mean]), show)


def show_chance(start: Outputs, every: Outputs, labels: Labels, at: int) -> Case:
    """Show two gold standards with different expected values."""
    del at
    (first,), (second,) = (one.tables(np.array([one.perfect])) for one in (start, every))
    gold, other = as_labels(first, labels)[0], as_labels(second, labels)[0]
    sentence = (
        f"the gold labels in random order have an expected {{measure}} of {{better}} for gold {spaced(gold)} and of "
        f"{{worse}} for gold {spaced(other)}"
    )
    return Case(labels, gold, gold, other, sentence, gold_worse=other)


SYMMETRY = enter(
    Property(
        "symmetry",
        "Exchanging gold and output does not change the value (if both use every class).",
        "gosgens2021",
        Relation.EQUAL,
        symmetry_cases,
    )
)
REVERSAL = enter(
    Property(
        "reversal_invariance",
        "Reversing the scale does not change the value (if the class values are equally spaced).",
        "mccullagh1978",
        Relation.EQUAL,
        reversal_cases,
    )
)
WEAK_MONOTONICITY = enter(
    Property(
        "weak_monotonicity",
        "Moving answers closer to their gold class, each on the same side of it, never lowers the value.",
        "gosgens2021",
        Relation.AT_LEAST,
        moved_pairs,
    )
)
PERFECT_IS_BEST = enter(
    Property(
        "perfect_is_best",
        "A perfect output has a higher value than every other output for the same gold.",
        "gosgens2021",
        Relation.HIGHER,
        perfect_cases,
    )
)
CHANCE_LEVEL = enter(
    Property(
        "chance_level",
        "The expected value of the gold labels in random order is the same for all gold standards with the same "
        "number of classes.",
        "gosgens2021",
        Relation.EQUAL,
        chance_cases,
    )
)
