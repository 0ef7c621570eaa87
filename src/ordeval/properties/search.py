"""Search the cases, smallest first, until one breaks the property, all sizes are done, or the time is over."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Progress
from ordeval.arguments import check_progress, is_number, is_true, is_whole
from ordeval.errors import ParameterError, spelled
from ordeval.metrics.core import Counts, Values
from ordeval.properties.catalogue import Batch, Property, Size, find_properties
from ordeval.properties.enumeration import Outputs
from ordeval.properties.paper_three import PAPER
from ordeval.properties.subject import (
    Clock,
    Labels,
    OutOfTimeError,
    Subject,
    as_subject,
)
from ordeval.properties.verdict import Counterexample, Verdict, Verdicts
from ordeval.properties.words import change, figures


class Defaults(NamedTuple):
    """How far a search goes by default: a function is called on one case after the other, a kernel on thousands."""

    classes: int
    items: int
    imbalance_items: int
    budget: float | None


OF_MEASURES = Defaults(4, 6, 30, None)
OF_FUNCTIONS = Defaults(3, 5, 15, 30.0)


class SearchProgress(NamedTuple):
    """Where a search stands.

    >>> steps = []
    >>> verdicts = oe.properties.check("accuracy", items=3, progress=steps.append)
    >>> steps[-1].metric, steps[-1].property
    ('accuracy', 'imbalance')
    """

    metric: str  # the measure
    property: str  # the property
    items: int  # the items of the cases at hand
    classes: int  # the classes of the cases at hand
    checked: int  # the cases checked so far


def check(
    metric: Any,
    *,
    properties: Iterable[str | Property] | None = None,
    classes: int | None = None,
    items: int | None = None,
    imbalance_items: int | None = None,
    greater_is_better: bool | None = None,
    labels_from: int = 1,
    budget: float | None = None,
    progress: Callable[[SearchProgress], None] | None = None,
) -> Verdicts:
    """Search all small cases for one that breaks a property, and return a verdict for each property.

    The arguments are:

    - `metric`: a measure, its name, or any function f(y_true, y_pred) that returns a number.
    - `properties`: properties or their names; by default the three of Amigó et al. 2020, and `catalogue` has all.
    - `classes`: the largest number of classes: 4 by default for a measure, 3 for a function.
    - `items`: the largest number of items: 6 by default for a measure, 5 for a function.
    - `imbalance_items`: the same for imbalance, which has few cases: 30 by default for a measure, 15 for a
      function.
    - `greater_is_better`: whether higher is better; by default this is found out by trying a function.
    - `labels_from`: the label of the first class.
    - `budget`: how many seconds the search may take; by default 30 for a function, and no limit for a measure.
    - `progress`: a function that is called with a `SearchProgress`.

    >>> found = oe.properties.check("accuracy")["ordinal_monotonicity"]
    >>> found.verdict
    'refuted'
    >>> found.counterexample.worse, found.counterexample.better, found.counterexample.gold
    ((1, 1, 1), (1, 1, 2), (1, 2, 3))
    """
    if greater_is_better is not None:
        greater_is_better = is_true(greater_is_better, "greater_is_better")
    subject = as_subject(metric, greater_is_better)
    chosen = find_properties(PAPER if properties is None else properties)
    defaults = OF_FUNCTIONS if subject.one_by_one else OF_MEASURES
    size = Size(
        checked_size(classes, defaults.classes, "classes", 2),
        checked_size(items, defaults.items, "items", 2),
        checked_size(imbalance_items, defaults.imbalance_items, "imbalance_items", 2),
        labels_from,
    )
    seconds = defaults.budget if budget is None else budget
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise ParameterError(
            f"{spelled('budget')} is {budget!r}; it must be a number of seconds above 0."
        )
    if not is_whole(labels_from, -(2**31)) or labels_from > 2**31:
        raise ParameterError(
            f"labels_from is {labels_from!r:.60}; it must be the lowest label, such as 0 or 1."
        )
    check_progress(progress)
    clock = Clock(seconds)
    verdicts = []
    for left, one in zip(range(len(chosen), 0, -1), chosen, strict=True):
        verdicts.append(judge(subject, one, size, clock.share(left), progress))
    return Verdicts(tuple(verdicts))


def checked_size(value: int | None, default: int, name: str, least: int) -> int:
    """Return a given size, or the default; refuse anything that is not a number of classes or items."""
    if value is None:
        return default
    if not is_whole(value, least):
        raise ParameterError(
            f"{spelled(name)} is {value!r}; it must be a whole number of at least {least}."
        )
    return int(value)


def by_property(
    progress: Progress, properties: Sequence[Property]
) -> Callable[[SearchProgress], None] | None:
    """Return a progress of `check` that reports the properties that have been searched."""
    if progress is None:
        return None
    names = [one.name for one in properties]
    return lambda at: progress(names.index(at.property), len(names))


def judge(
    subject: Subject,
    one: Property,
    size: Size,
    clock: Clock,
    progress: Callable[[SearchProgress], None] | None = None,
) -> Verdict:
    """Search the cases of one property, and return the verdict."""
    sign = 1.0 if subject.greater_is_better else -1.0
    checked = undefined = 0
    broken_case: Counterexample | None = None
    undefined_case: Counterexample | None = None
    complete, reached = True, None

    def evaluate(tables: Counts | Outputs, labels: Labels) -> Values:
        return sign * subject.values(tables, labels, clock)

    try:
        for batch in one.cases(evaluate, size):
            reached = batch.items, batch.classes
            undefined_here = np.isnan(batch.better) | np.isnan(batch.worse)
            broken = one.relation.broken(batch.better, batch.worse) & ~undefined_here
            end = int(np.argmax(broken)) + 1 if broken.any() else len(broken)
            if undefined_case is None and undefined_here[:end].any():
                undefined_case = counterexample(subject, batch, int(np.argmax(undefined_here)))
            undefined += int(np.count_nonzero(undefined_here[:end]))
            checked += end - int(np.count_nonzero(undefined_here[:end]))
            if progress is not None:
                progress(SearchProgress(subject.name, one.name, *reached, checked))
            if broken.any():
                broken_case = counterexample(subject, batch, end - 1)
                break
    except OutOfTimeError:
        complete = False
    return Verdict(
        metric=subject.name,
        property=one.name,
        verdict="refuted" if broken_case else "holds" if checked else "undefined",
        checked=checked,
        classes=size.classes,
        items=one.items_of(size),
        paper=subject.claims.get(one.name),
        counterexample=broken_case,
        undefined=undefined,
        undefined_example=undefined_case,
        complete=complete,
        reached=None if complete else reached,
        reason=reason_for_no_value(subject, checked, undefined, complete=complete),
    )


def reason_for_no_value(
    subject: Subject, checked: int, undefined: int, *, complete: bool
) -> str | None:
    """Say why some cases, or all, have no value; None where all have one."""
    if undefined:
        return subject.why_undefined()
    if checked:
        return None
    return "there is no case of this size" if complete else "the time ran out before the first case"


def counterexample(subject: Subject, batch: Batch, at: int) -> Counterexample:
    """Return one case as labels, with its two values in their natural sign and a sentence."""
    case = batch.show(at)
    better, worse = (float(values[at]) for values in (batch.better, batch.worse))
    if not subject.greater_is_better:
        better, worse = 0.0 - better, 0.0 - worse
    texts = figures(better, worse)
    sentence = case.sentence.format(
        measure=subject.name,
        better=texts[0],
        worse=texts[1],
        wanted="higher" if subject.greater_is_better else "lower",
        change=change(subject.name, worse, better, greater_is_better=subject.greater_is_better),
    )
    if math.isnan(better) or math.isnan(worse):
        sentence += f" ({subject.why_undefined()})"
    sides = {
        name: None if labels is None else tuple(np.asarray(labels).tolist())
        for name in ("labels", "gold", "better", "worse", "labels_worse", "gold_worse")
        for labels in [getattr(case, name)]
    }
    return Counterexample(values=(better, worse), sentence=sentence, **sides)  # type: ignore[arg-type]
