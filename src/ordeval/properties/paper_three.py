"""The three properties of Amigó et al. 2020, section 4: ordinal invariance, ordinal monotonicity, imbalance."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from ordeval.metrics.core import Counts
from ordeval.metrics.table_function import as_labels
from ordeval.properties.catalogue import Batch, Case, Property, Relation, Size, enter
from ordeval.properties.enumeration import Outputs, check_sizes, gold_standards, moves, sizes
from ordeval.properties.subject import Evaluate, Labels
from ordeval.properties.words import nth

FAR = 100  # a step so wide that all other steps are small compared with it


def outputs(size: Size) -> Iterator[tuple[int, int, Outputs]]:
    """Yield items, classes and all outputs of every gold standard without empty classes.

    >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
    >>> items, classes, every = next(oe.properties.outputs(size))
    >>> items, classes, len(every), every[:].shape
    (2, 2, 4, (4, 2, 2))
    """
    check_sizes(size.classes, size.items)
    for n, k in sizes(size.classes, size.items):
        for chunk in gold_standards(n, k):
            for gold in chunk.tolist():
                yield n, k, Outputs(tuple(gold))


def renamings(labels: Labels) -> Iterator[Labels]:
    """Yield increasing maps of the labels to other whole numbers: convex, concave, with one far class, shifted.

    Whole numbers, because a function that expects the names of classes may refuse fractions.
    """
    x = np.arange(1, len(labels) + 1)
    steps = np.ones(len(labels) - 1, dtype=np.int64)
    yield 10 * x + x**2  # section 4.1's example
    yield 10 + x**3  # appendix B's
    if len(labels) > 2:
        yield labels[0] + np.concatenate(([0], np.cumsum(np.arange(len(steps), 0, -1))))
    for place in range(len(steps)):
        wide = steps.copy()
        wide[place] = FAR
        yield labels[0] + np.concatenate(([0], np.cumsum(wide)))
    yield labels + 10


def invariance_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield all outputs under each renaming; the order is gold, renaming, output."""
    for n, k, every in outputs(size):
        labels = size.labels(k)
        original = evaluate(every, labels)
        for renamed in renamings(labels):
            show = partial(show_renamed, every, labels, renamed)
            yield Batch(n, k, original, evaluate(every, renamed), show)


def show_renamed(every: Outputs, labels: Labels, renamed: Labels, at: int) -> Case:
    """Show an output under two sets of names for the classes."""
    (table,) = every.tables(np.array([at]))
    gold, output = as_labels(table, labels)
    gold_renamed, output_renamed = as_labels(table, renamed)
    before, after = (", ".join(map(str, names)) for names in (labels, renamed))
    return Case(
        labels,
        gold,
        output,
        output_renamed,
        f"giving the classes {before} the values {after}, in the same order, changes {{measure}} from {{better}} to "
        f"{{worse}}",
        renamed,
        gold_renamed,
    )


def moved_pairs(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield every output with every single move of one item towards its gold class, on the same side of it.

    Every output is evaluated once, and a move is looked up by its number. The order is gold, worse output, move.

    >>> size = oe.properties.Size(classes=3, items=4, imbalance_items=4)
    >>> pairs = oe.properties.moved_pairs(lambda every, _: every[:][:, 0, 0], size)
    >>> first = next(pairs)
    >>> first.better.tolist(), first.worse.tolist()
    ([1, 1, 0, 1], [1, 0, 0, 0])
    """
    for n, k, every in outputs(size):
        labels = size.labels(k)
        values = evaluate(every, labels)
        for at in every.chunks():
            better = every.moved(at)
            worse, move = np.nonzero(better >= 0)
            better, worse = better[worse, move], at[worse]
            show = partial(show_moved, every, labels, worse, move)
            yield Batch(n, k, values[better], values[worse], show)


def show_moved(every: Outputs, labels: Labels, worse: Counts, move: Counts, at: int) -> Case:
    """Show an output before and after one of its items was moved."""
    gold_class, away, near = moves(every.k)[move[at]]
    (table,) = every.tables(worse[at : at + 1])
    gold, before = as_labels(table, labels)
    place = int(np.argmax((gold == labels[gold_class]) & (before == labels[away])))
    after = before.copy()
    after[place] = labels[near]
    nearer = "to" if near == gold_class else "closer to"
    sentence = (
        f"moving the {nth(place)} item from {labels[away]} to {labels[near]}, {nearer} its gold class "
        f"{labels[gold_class]}, {{change}}"
    )
    return Case(labels, gold, after, before, sentence)


def imbalance_cases(evaluate: Evaluate, size: Size) -> Iterator[Batch]:
    """Yield every gold standard with every three neighbouring classes, the first larger than the third.

    The order is gold, then the three classes by the first, read upwards before downwards.
    """
    for n, k in sizes(size.classes, size.imbalance_items, least=3):
        labels = size.labels(k)
        triples = np.array(
            [
                (first, first + step, first + 2 * step)
                for first, step in product(range(k), (1, -1))
                if 0 <= first + 2 * step < k
            ]
        )
        for golds in gold_standards(n, k):
            which, triple = np.nonzero(golds[:, triples[:, 0]] > golds[:, triples[:, 2]])
            first, middle, third = triples[triple].T
            better = one_error(golds[which], first, middle)
            worse = one_error(golds[which], third, middle)
            show = partial(show_imbalance, better, worse, labels, triples[triple])
            above, below = np.split(evaluate(np.concatenate((better, worse)), labels), 2)
            yield Batch(n, k, above, below, show)


def one_error(golds: Counts, source: Counts, target: Counts) -> Counts:
    """Return perfect outputs in which one item of class `source` is put into class `target`."""
    cases, k = golds.shape
    tables = np.zeros((cases, k, k), dtype=np.int64)
    tables[:, np.arange(k), np.arange(k)] = golds
    tables[np.arange(cases), source, source] -= 1
    tables[np.arange(cases), source, target] += 1
    return tables


def show_imbalance(better: Counts, worse: Counts, labels: Labels, triples: Counts, at: int) -> Case:
    """Show an error in a large and one in a small class."""
    gold, large = as_labels(better[at], labels)
    _, small = as_labels(worse[at], labels)
    counts = better[at].sum(axis=1)
    first, middle, third = triples[at]
    rare = f"{counts[third]} item{'' if counts[third] == 1 else 's'}"
    sentence = (
        f"answering {labels[middle]} for one item of class {labels[first]} ({counts[first]} items) gives {{measure}} "
        f"{{better}}, and for one item of class {labels[third]} ({rare}) {{worse}}; the first should be {{wanted}}"
    )
    return Case(labels, gold, large, small, sentence)


INVARIANCE = enter(
    Property(
        "ordinal_invariance",
        "The value does not change if any strictly increasing function is applied to the class values of both gold "
        "and output.",
        "amigo2020",
        Relation.EQUAL,
        invariance_cases,
    )
)
MONOTONICITY = enter(
    Property(
        "ordinal_monotonicity",
        "Moving answers closer to their gold class, each on the same side of it, strictly raises the value.",
        "amigo2020",
        Relation.HIGHER,
        moved_pairs,
    )
)
IMBALANCE = enter(
    Property(
        "imbalance",
        "Of three neighbouring classes, answering the middle class for one item of the larger outer class gives a "
        "strictly higher value than for one item of the smaller outer class.",
        "amigo2020",
        Relation.HIGHER,
        imbalance_cases,
        items_of=lambda size: size.imbalance_items,
    )
)
PAPER = (INVARIANCE, MONOTONICITY, IMBALANCE)
"""The three properties of Amigó et al. 2020, which `check` looks at unless others are asked for.

>>> [one.name for one in oe.properties.PAPER]
['ordinal_invariance', 'ordinal_monotonicity', 'imbalance']
"""
