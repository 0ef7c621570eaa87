"""What is checked: a measure of the registry, evaluated on batches of tables, or a function of two label sequences."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np

from ordeval.errors import LabelTypeError, ParameterError
from ordeval.metrics import Family, Metric, registry
from ordeval.metrics.core import Counts, Values
from ordeval.metrics.table_function import CountsFunction, LabelsFunction, name_of
from ordeval.properties.enumeration import CHUNK, Outputs

Labels: TypeAlias = Counts

# Tables (an array, or all outputs of a gold standard) and the label of each class -> values, higher is better.
Evaluate: TypeAlias = "Callable[[Counts | Outputs, Labels], Values]"


class OutOfTimeError(Exception):
    """The time given to a search is over. The search itself catches this error."""


class Clock:
    """The time that is left, if it is limited."""

    def __init__(self, seconds: float | None) -> None:
        self.end = math.inf if seconds is None else time.monotonic() + seconds

    def share(self, among: int) -> "Clock":
        """Return a clock for the first of several searches that share what is left."""
        return Clock(
            None if self.end == math.inf else max(self.end - time.monotonic(), 0.0) / among
        )

    def check(self) -> None:
        """Stop the search where the time is over."""
        if time.monotonic() > self.end:
            raise OutOfTimeError


class Subject(Protocol):
    """What a search needs from the measure or function that it checks."""

    name: str
    greater_is_better: bool
    claims: Mapping[str, bool]
    one_by_one: bool  # whether each case takes a call of its own

    def values(self, tables: Counts | Outputs, labels: Labels, clock: Clock) -> Values:
        """Return the value of each table in its natural sign, NaN where it has none."""

    def why_undefined(self) -> str:
        """Say when there is no value."""


class MeasureSubject:
    """A measure of the registry, evaluated on thousands of tables at once."""

    def __init__(self, metric: Metric, greater_is_better: bool | None = None) -> None:  # noqa: FBT001
        self.metric = metric
        self.name = str(metric)
        self.claims = metric.claims
        self.one_by_one = (
            isinstance(metric.kernel, CountsFunction) and not metric.kernel.takes_many_tables
        )
        self.greater_is_better = (
            metric.greater_is_better if greater_is_better is None else greater_is_better
        )
        # A kernel that is not given the labels has one value under all of them. A function of one's own is called
        # again even so: nothing says that it returns the same twice.
        self.ignores_labels = "values" not in metric.needs and metric.family is not Family.OWN
        self.last: tuple[Counts | Outputs, Values] | None = None

    def values(self, tables: Counts | Outputs, labels: Labels, clock: Clock) -> Values:
        """Return the value of each table; the same tables under other labels are evaluated only if labels matter."""
        if not self.ignores_labels:
            return self.evaluated(tables, labels, clock)
        if self.last is None or self.last[0] is not tables:
            self.last = tables, self.evaluated(tables, labels, clock)
        return self.last[1]

    def evaluated(self, tables: Counts | Outputs, labels: Labels, clock: Clock) -> Values:
        """Evaluate the kernel, a chunk of tables at a time."""
        values, numbers = np.empty(len(tables)), labels.astype(np.float64)
        for start in range(0, len(values), CHUNK):
            clock.check()
            part = slice(start, start + CHUNK)
            values[part] = self.metric.compute(tables[part], numbers)
        return values

    def why_undefined(self) -> str:
        """Return when the registry says that the measure is undefined."""
        return f"undefined when {self.metric.undefined_when}"


class FunctionSubject:
    """Any function of gold and predicted labels that returns a number, called on one case after the other.

    A case on which it raises, or returns no number, has no value; the first such message is kept.
    """

    claims: Mapping[str, bool] = {}
    one_by_one = True

    def __init__(self, kernel: LabelsFunction, greater_is_better: bool | None) -> None:  # noqa: FBT001
        self.kernel = kernel
        self.name = kernel.__name__
        self.greater_is_better = (
            self.direction() if greater_is_better is None else greater_is_better
        )

    @property
    def first_error(self) -> str | None:
        """What the function said when it first raised."""
        error = self.kernel.first_error
        return None if error is None else f"{self.name} raised {type(error).__name__}: {error}"

    def values(self, tables: Counts | Outputs, labels: Labels, clock: Clock) -> Values:
        """Evaluate the function on each table."""
        values = np.empty(len(tables))
        for start in range(0, len(values), CHUNK):
            for at, table in enumerate(tables[start : start + CHUNK], start):
                clock.check()
                values[at] = self.kernel.value(table.astype(np.float64), labels)
        return values

    def direction(self) -> bool:
        """Tell whether higher is better: a perfect output scores above most others, or below them."""
        for gold in ((1, 1, 1), (2, 1, 1)):
            outputs = Outputs(gold)
            values = self.values(outputs, np.arange(1, 4), Clock(None))
            above = np.count_nonzero(values < values[outputs.perfect])
            below = np.count_nonzero(values > values[outputs.perfect])
            if above != below:
                return bool(above > below)
        reason = f" ({self.first_error})" if self.first_error else ""
        raise ParameterError(
            f"cannot tell whether higher is better for {self.name}: a perfect output scores neither above nor below "
            f"the others{reason}. Pass greater_is_better=True or False."
        )

    def why_undefined(self) -> str:
        """Return the first error message, if the function raised any."""
        return self.first_error or f"{self.name} returned NaN"


def as_subject(thing: Any, greater_is_better: bool | None) -> Subject:  # noqa: FBT001
    """Return a measure, the name of one, or a function in the form that a search needs."""
    if isinstance(thing, str | Metric):
        measure = registry[thing]  # type: ignore[index]
        if isinstance(measure.kernel, LabelsFunction):
            up = measure.greater_is_better if greater_is_better is None else greater_is_better
            return FunctionSubject(measure.kernel, up)
        return MeasureSubject(measure, greater_is_better)
    if not callable(thing):
        raise LabelTypeError(
            f"cannot check {thing!r:.60}; pass a measure, its name, or a function f(y_true, y_pred) that returns a "
            f"number."
        )
    return FunctionSubject(LabelsFunction(thing, name_of(thing)), greater_is_better)
