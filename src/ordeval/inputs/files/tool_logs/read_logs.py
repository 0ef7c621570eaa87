"""The logs of evaluation tools become marks: raters are named, and what cannot be one scale is refused."""

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ordeval.errors import DataError, argument, by_caller, quoted, suggestion
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.tool_logs import inspect_ai
from ordeval.inputs.files.tool_logs.logged import LoggedMark, ToolLog
from ordeval.inputs.files.tool_logs.recognise import tool_log
from ordeval.inputs.marks import PlacedMarks, marks_of_rows, place_marks
from ordeval.label_column import from_hashing
from ordeval.labels import MISSING, canonical

MOST_CLASSES = 10  # that an error writes out


def read_logs(
    sources: Sequence[Source], choices: ReadingChoices, raters: Sequence[str]
) -> PlacedMarks | None:
    """Read files of evaluation tools as marks; None if no file is one. `raters` are columns of a wide table."""
    logs = [log for source in sources if (log := tool_log(source)) is not None]
    if not logs:
        return None
    if len(logs) < len(sources):
        known = {log.file for log in logs}
        other = next(source.spec for source in sources if source.files[0] not in known)
        raise DataError(
            f"{logs[0].file!r} is a file of {logs[0].tool}, and {other!r} is not one of an evaluation tool. Read them "
            f"apart, and add the ratings."
        )
    check_columns({**choices.columns, "raters": raters or None}, logs[0])
    check_tasks(logs)
    if choices.policy.duplicates == "error" and len(logs) > 1:
        check_once(logs)
    marks = chosen_marks(logs, choices.columns.get("label"))
    marks, absent = without_labels(marks, lambda label: canonical(label) is MISSING, "empty,")
    choices, marks, notes = on_one_scale(marks, choices)
    several = len({mark.model for mark in marks}) > 1
    raters = [f"{mark.metric} ({mark.model})" if several else mark.metric for mark in marks]
    columns = {
        "item": [mark.item for mark in marks],
        "rater": raters,
        "label": [mark.label for mark in marks],
        "repeat": [mark.repeat for mark in marks],
    }
    read = {role: from_hashing(column) for role, column in columns.items()}
    raw = marks_of_rows(read, "the log" if len(logs) == 1 else "the logs")
    every = [note for log in logs for note in log.notes]
    return place_marks(raw, replace(choices, columns={}), [*every, *absent, *notes])


def check_columns(columns: Mapping[str, Any], log: ToolLog) -> None:
    """Refuse the names of columns, of which a log has none but the measure that holds the marks."""
    for role, name in columns.items():
        if name is not None and role != "label":
            raise DataError(
                f"{argument(role)} names a column of a table, and {log.file!r} is a file of {log.tool}, which has "
                f"none. Leave it out."
            )


def check_tasks(logs: Sequence[ToolLog]) -> None:
    """Refuse logs of different tasks, in which one id stands for different items."""
    tasks = sorted({log.task for log in logs})
    known: dict[Any, str] = {}
    for log in logs:
        other = next(
            (at for at, text in log.documents.items() if known.get(at, text) != text), None
        )
        if other is not None:
            raise DataError(
                f"{log.file!r} has another document {other!r} than a file before it: they are of different tasks. Read "
                f"the files of one task at a time."
            )
        known |= log.documents
    if len(tasks) > 1:
        raise DataError(
            f"the logs are of different tasks, {quoted(tasks, 5)}, so the same id may stand for different items. Read "
            f"the logs of one task at a time."
        )


def check_once(logs: Sequence[ToolLog]) -> None:
    """Refuse two logs of the same judge: what it said of an item could be in both."""
    before: dict[LoggedMark, str] = {}
    for log in logs:
        marks = (mark._replace(item=str(mark.item), label=None) for mark in log.marks)
        here = dict.fromkeys(marks, log.file)
        again = next((mark for mark in here if mark in before), None)
        if again is not None:
            raise DataError(
                f"{before[again]!r} and {log.file!r} both have a mark by {again.metric!r} of item {again.item!r}, of "
                f"the same model. Pass one of them, or {argument('duplicates', 'first')}; repeats of a judge are "
                f"epochs of one log."
            )
        before |= here


def chosen_marks(logs: Sequence[ToolLog], metric: str | None) -> list[LoggedMark]:
    """Return the marks of the measure that the caller chose, or of all of them."""
    marks = [mark for log in logs for mark in log.marks]
    metrics = list(dict.fromkeys(mark.metric for mark in marks))
    where = repr(logs[0].file) if len(logs) == 1 else f"{logs[0].file!r} and the others"
    if not marks:
        raise DataError(
            f"there are no marks: {where} {'has' if len(logs) == 1 else 'have'} no scores. "
            f"{' '.join(logs[0].notes) or 'Check that the run was scored.'}"
        )
    if metric is not None:
        if metric not in metrics:
            raise DataError(
                f"no score in {where} is named {metric!r}; there are {quoted(metrics, 10)}."
                f"{suggestion(metric, metrics)}"
            )
        return [mark for mark in marks if mark.metric == metric]
    if len(metrics) > 1 and any(log.one_metric for log in logs):
        raise which_metric(f"{where} has several measures", metrics)
    return marks


def which_metric(why: str, metrics: Sequence[str]) -> DataError:
    """Return the error for scores of which the caller must choose one."""
    return DataError(
        f"{why}: {quoted(metrics, 10)}. Choose the one that holds the marks, as with {choosing(metrics[0])}."
    )


def choosing(metric: str) -> str:
    """Write the argument that chooses a score, in quotes if a shell would split its name."""
    return argument("label", by_caller(metric, shlex.quote(metric)))


def on_one_scale(
    marks: list[LoggedMark], choices: ReadingChoices
) -> tuple[ReadingChoices, list[LoggedMark], list[str]]:
    """Refuse marks that cannot be on one scale; the words of Inspect AI have an order of their own."""
    metrics = list(dict.fromkeys(mark.metric for mark in marks))
    odd = next((mark for mark in marks if isinstance(mark.label, dict | list)), None)
    if odd is not None:
        raise DataError(
            f"the score {odd.metric!r} of item {odd.item!r} is {odd.label!r:.40}, which is no single value. Choose "
            f"another with {argument('label')}."
        )
    if choices.labels is not None:
        return choices, marks, []
    words = {mark.metric for mark in marks if is_word(mark.label)}
    if words and words != {*metrics}:
        raise which_metric("some scores are words and others are numbers", metrics)
    seen = {mark.label for mark in marks if mark.label is not None}
    if seen and seen <= {*inspect_ai.ORDER, inspect_ai.NO_ANSWER}:
        labels = [label for label in inspect_ai.ORDER if label in seen]
        silent = "'N', no answer,"
        marks, notes = without_labels(marks, lambda label: label == inspect_ai.NO_ANSWER, silent)
        return replace(choices, labels=labels), marks, notes
    continuous = [mark for mark in marks if is_fraction(mark.label)]
    if continuous:
        raise fractions(continuous, marks, metrics)
    return choices, marks, []


def without_labels(
    marks: list[LoggedMark], absent: Callable[[Any], bool], what: str
) -> tuple[list[LoggedMark], list[str]]:
    """Return the marks, some of which are none, and a note of how many that is."""
    kept = [mark._replace(label=None) if absent(mark.label) else mark for mark in marks]
    times = sum(absent(mark.label) for mark in marks)
    note = f"{times} of {len(marks)} scores {'is' if times == 1 else 'are'} {what} and so no mark."
    return kept, [note] if times else []


def is_word(label: Any) -> bool:
    """Tell whether a score is text that spells no number."""
    if not isinstance(label, str):
        return False
    try:
        float(label)
    except ValueError:
        return True
    return False


def is_fraction(label: Any) -> bool:
    """Tell whether a score is a number that is not whole."""
    return is_finite(label) and not float(label).is_integer()


def is_finite(label: Any) -> bool:
    """Tell whether a score is a finite number."""
    return isinstance(label, int | float) and math.isfinite(label)


def fractions(
    some: Sequence[LoggedMark], marks: Sequence[LoggedMark], metrics: Sequence[str]
) -> DataError:
    """Return the error for scores that are numbers between classes, with what to paste."""
    metric = some[0].metric
    numbers = [mark.label for mark in marks if mark.metric == metric and is_finite(mark.label)]
    others = [name for name in metrics if name != metric]
    words = [
        *([choosing(metric)] if others else []),
        argument("labels", likely_classes(numbers)),
        argument("round", "nearest"),
    ]
    paste = by_caller(", ", " ").join(words)
    other = f" The other scores are {quoted(others, 5)}." if others else ""
    return DataError(
        f"the scores of {metric!r} are not whole, such as {some[0].label!r}, so the classes are not known. Give the "
        f"classes, lowest first, and round to them, as with {paste}.{other}"
    )


def likely_classes(numbers: Sequence[float]) -> Any:
    """Return classes that scores might be rounded to: quarters from 0 to 1, or else whole numbers."""
    low, high = math.floor(min(numbers)), math.ceil(max(numbers))
    if low >= 0 and high <= 1:
        return [0, 0.25, 0.5, 0.75, 1]
    return list(range(low, high + 1)) if high - low <= MOST_CLASSES else ...
