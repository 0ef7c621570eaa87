"""What is said of a correction in sentences: what humans would have said, what the judge is worth, and warnings."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ordeval.comparison.captions import MOST_LABELS
from ordeval.formats.names import clean, rising, short
from ordeval.formats.numbers import confidence, counted, in_words, interval, number
from ordeval.judge.common_scale import beyond_humans
from ordeval.judge.judged import JudgedItems
from ordeval.judge.method_names import IN_WORDS, NAIVE
from ordeval.judge.methods import merged_strata
from ordeval.judge.sample_check import COINCIDENCE, margin_check, no_random_sample

if TYPE_CHECKING:
    from ordeval.judge.correction import Corrected, CorrectedBy, Correction

DIGITS = 2  # of a mean mark in a sentence
MOST_UNJUDGED = 0.1  # of the humans' items, which a judge may leave out without a warning
FEW_MARKED = 30  # items below which normal intervals are too narrow


def lead_of(correction: "Correction") -> list[str]:
    """Return what stands above the tables: the mean mark before and after, what the judge is worth, the warnings."""
    said = [mean_sentence(correction.mean), worth_sentence(correction.mean, correction.marked)]
    return [*(one for one in said if one), *correction.warnings]


def mean_sentence(mean: "Corrected") -> str:
    """Say what mean mark the judge gives, and what humans would give."""
    naive = f"The judge as it stands gives a mean mark of {number(mean.naive, DIGITS)}"
    if mean.method == NAIVE:
        return f"{naive}, which is not corrected for its errors."
    if math.isnan(mean.value):
        return f"{naive}; corrected by {IN_WORDS[mean.method]} it is undefined: {mean.reason}."
    ends = interval(mean.low, mean.high, DIGITS)
    return (
        f"{naive}; corrected by {IN_WORDS[mean.method]} it is {number(mean.value, DIGITS)} {ends}."
    )


def worth_sentence(mean: "Corrected", marked: int) -> str:
    """Say how many human marks the judge saves."""
    if mean.worth is None:
        return ""
    further = math.floor(mean.worth - marked)
    if further >= 1:
        return (
            f"The judge is worth {counted(further, 'further human mark')}: {math.floor(mean.worth):,} human marks "
            f"alone would give as narrow an interval."
        )
    if mean.worth < 0.99 * marked:
        alone = counted(marked, "human mark")
        return f"This is less precise than the {alone} alone, which give {number(mean.human.value, DIGITS)}."
    return f"The judge adds nothing to the {counted(marked, 'human mark')}: these alone are as precise."


def warnings_of(judged: JudgedItems) -> tuple[str, ...]:
    """Return what may make the corrected numbers wrong."""
    said = []
    if np.count_nonzero(judged.sums.human_counts.sum(axis=1)) == 1:
        said.append(
            "All human marks are of one class: they show no variation, so the intervals are too narrow. Let humans "
            "mark more items."
        )
    elif judged.n < FEW_MARKED:
        said.append(
            f"Humans marked {judged.n} items: with fewer than {FEW_MARKED} the intervals are too narrow."
        )
    people = judged.n + judged.unjudged
    if judged.unjudged > MOST_UNJUDGED * people:
        said.append(
            f"The judge marked only {judged.n:,} of {counted(people, 'item')} that humans marked: are the items named "
            f"alike in both?"
        )
    marks = judged.counts.sum(axis=0) + judged.unmarked
    said += beyond_humans(judged.scale, judged.sums.human_counts.sum(axis=1), marks, "the judge")
    p = margin_check(judged.counts.sum(axis=0), judged.unmarked)
    if p < COINCIDENCE:
        said.append(no_random_sample("the judge marks them differently from the others", p))
    return tuple(said)


def notes_of(judged: JudgedItems, methods: Mapping[str, "CorrectedBy"]) -> tuple[str, ...]:
    """Return what a reader should know of how the numbers were made."""
    sums, said = judged.sums, []
    if np.count_nonzero(sums.size + sums.unmarked) == 1:
        said.append("The judge gives all items the same mark, so it tells nothing about them.")
    beyond = [IN_WORDS[name] for name, found in methods.items() if outside(found)]
    if beyond:
        said.append(
            f"A share by {in_words(beyond)}, or an end of its interval, is below 0 or above 1: these methods do not "
            f"keep to what is possible. Read it as 0 or 1."
        )
    names = judged.scale.names
    together = [
        f"{short(names[at])} with {short(names[to])}"
        for at, to in enumerate(merged_strata(sums).tolist())
        if at != to and sums.size[at] + sums.unmarked[at] > 0
    ]
    if together:
        said.append(
            f"Post-stratification takes items that the judge gave different marks together, because fewer than two of "
            f"one have a human mark: {in_words(together, 5)}."
        )
    if judged.repeats > 1:
        said.append(
            f"The judge marked items up to {judged.repeats} times: the first mark of each counts."
        )
    said += judged.left_out
    if judged.unjudged:
        verb = "was" if judged.unjudged == 1 else "were"
        said.append(
            f"{counted(judged.unjudged, 'item')} with human marks {verb} left out: the judge did not mark "
            f"{'it' if judged.unjudged == 1 else 'them'}."
        )
    return tuple(said)


def outside(found: "CorrectedBy") -> bool:
    """Tell whether a share, or an end of its interval, is below 0 or above 1."""
    ends = [
        end for one in found.shares for end in (one.value, one.low, one.high) if end is not None
    ]
    return any(end < -1e-12 or end > 1 + 1e-12 for end in ends)


def size_sentence(correction: "Correction") -> str:
    """Say how many items there are, and which classes."""
    scale = correction.scale
    classes = rising([clean(name) for name in scale.names], MOST_LABELS)
    said = (
        f"{counted(correction.marked, 'item')} with marks of humans and the judge, {correction.unmarked:,} of the "
        f"judge alone; {counted(scale.k, 'class', 'classes')}: {classes}."
    )
    if list(scale.values) == list(scale.labels):
        return said
    values = ", ".join(f"{value:g}" for value in scale.values[:MOST_LABELS])
    more = ", ..." if scale.k > MOST_LABELS else ""
    return f"{said} The mean mark takes them as the numbers {values}{more}."


def interval_sentence(correction: "Correction") -> str:
    """Say how the intervals were made, and what they rest on."""
    return (
        f"{confidence(correction.level)} normal intervals; they hold if the items that humans marked are a random "
        f"sample of all items."
    )
