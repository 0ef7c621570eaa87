"""Columns of answers beside gold, and the scale that they show together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import plain_array, read_column
from ordeval.inputs.choices import ReadingChoices
from ordeval.label_column import FEW, FLOAT_SAMPLE, LabelColumn
from ordeval.labels import finite_number
from ordeval.scale import Scale, declared_scale, infer_scale, words_among_numbers

MANY = 10_000  # answers from which it matters how many different ones there are


def settled(choices: ReadingChoices) -> ReadingChoices:
    """Return the choices with tuples in place of iterators, because they are read more than once."""
    labels, values = choices.labels, choices.values
    if labels is None and values is None:
        return choices
    labels, values = (
        tuple(each) if isinstance(each, Iterator) else each for each in (labels, values)
    )
    return replace(choices, labels=labels, values=values)


def read_answers(
    answers: Any, name: str, gold: LabelColumn, choices: ReadingChoices
) -> LabelColumn:
    """Read a column of answers to the items of gold; `name` is what errors call it."""
    read = plain_array(answers, name, choices.labels)
    if isinstance(read, LabelColumn) and choices.policy.round != "nearest":
        return read
    if choices.policy.round == "nearest" and (choices.labels is not None or gold.distinct()):
        read = scores_merged(read, gold, choices)
    elif not isinstance(read, LabelColumn) and read.dtype.kind == "f" and len(read) > MANY:
        read = fractions_merged(read, gold, choices)
    return read_column(read, name, choices.labels)


def fractions_merged(answers: Array, gold: LabelColumn, choices: ReadingChoices) -> Array:
    """Return floats with one value, the first, for all fractions that cannot be classes.

    A million scores of a regression are then refused, or counted as unknown, as fast as a few.
    """
    if len(np.unique(answers[:FLOAT_SAMPLE])) <= FEW:
        return answers
    known = gold.values if choices.labels is None else choices.labels
    classes = [number for number in map(finite_number, known or ()) if number is not None]
    fraction = np.isfinite(answers) & (answers != np.floor(answers))
    fraction &= ~np.isin(answers, np.array(classes, answers.dtype))
    return np.where(fraction, answers[np.argmax(fraction)], answers)


def scores_merged(answers: Any, gold: LabelColumn, choices: ReadingChoices) -> Any:
    """Return answers with one value for all floats that are rounded to the same class; others as they are."""
    from ordeval.inputs.rounding import NearestClass

    column = isinstance(answers, LabelColumn)
    scale = shown_scale(gold, [answers] if column else [], choices)
    if scale is None:
        return answers
    nearest = NearestClass.on(scale)
    scores = not column and answers.dtype.kind == "f"
    return nearest.merged_floats(answers) if scores else answers


def shown_scale(
    gold: LabelColumn, answers: Sequence[LabelColumn], choices: ReadingChoices
) -> Scale | None:
    """Return the scale that the caller declared, or that the labels show.

    None if gold holds words beside numbers: only whoever counts the items can say in how many.
    """
    if choices.labels is not None:
        return declared_scale(choices.labels, choices.values)
    if not gold.ordered and gold.values is not None:
        some_text = any(isinstance(each, str) for each in gold.values)
        if some_text and words_among_numbers(gold.distinct()):
            return None
    return infer_scale([gold], answers, choices.values, widen=choices.policy.round == "error")
