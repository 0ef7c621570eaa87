"""Every error raised on purpose.

Each derives from `OrdevalError` and from the built-in that a caller would expect, and its message says in one
sentence what was wrong, with the value, what is allowed, and what to do.

>>> try:
...     oe.registry["cem_odr"]
... except oe.errors.MetricError as error:
...     print(error)
there is no measure 'cem_odr'. Did you mean cem_ord? 'ordeval metrics' lists them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from ordeval.letters import readable

__all__ = [
    "DataError",
    "LabelError",
    "LabelTypeError",
    "MeasureError",
    "MetricError",
    "MissingPackageError",
    "NoItemsError",
    "OrdevalError",
    "ParameterError",
    "RaterError",
    "ScaleError",
    "TableError",
]

# Options of the command line that are not spelled as the argument with two hyphens before it.
OPTIONS = {
    "predicted": "--pred",
    "sample_weight": "--weight",
    "n_resamples": "--resamples",
    "rng": "--seed",
    "method": "--interval",
}
_options: ContextVar[bool] = ContextVar("options", default=False)


class OrdevalError(Exception):
    """Anything that ordeval refuses, with the reason, in which nothing from outside is shown as it is.

    >>> try:
    ...     oe.mae([1, 2], [1, 2, 3])
    ... except oe.OrdevalError as error:
    ...     print(type(error).__name__)
    LabelError
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(readable(message))


class ScaleError(OrdevalError, ValueError):
    """The classes or their order cannot be told, or contradict each other.

    >>> oe.mae(["low", "high"], ["low", "low"])
    Traceback (most recent call last):
        ...
    ordeval.errors.ScaleError: cannot tell the order of the classes 'high', 'low': ...
    """


class LabelError(OrdevalError, ValueError):
    """A label is missing, not on the scale, or does not line up with the others.

    >>> oe.mae([1, 2, 3], [1, 2, 7], labels=[1, 2, 3])
    Traceback (most recent call last):
        ...
    ordeval.errors.LabelError: label 7 is not on the scale [1, 2, 3] (lowest ...
    """


class LabelTypeError(OrdevalError, TypeError):
    """The labels are of a kind that cannot be read.

    >>> oe.evaluate([1, 2, 3])
    Traceback (most recent call last):
        ...
    ordeval.errors.LabelTypeError: evaluate lacks y_pred. Pass gold and predicted ...
    """


class NoItemsError(OrdevalError, ValueError):
    """There is nothing to score.

    >>> oe.mae([], [], labels=[1, 2, 3])
    Traceback (most recent call last):
        ...
    ordeval.errors.NoItemsError: there are no items: y_true and y_pred are empty. ...
    """


class TableError(OrdevalError, ValueError):
    """Counts that are not a contingency table, or tables that do not fit together.

    >>> oe.Table.from_counts([[3, 1, 0], [0, 4, 0]])
    Traceback (most recent call last):
        ...
    ordeval.errors.TableError: counts has shape (2, 3); it must end in two equal ...
    """


class ParameterError(OrdevalError, ValueError):
    """A setting that a measure or a procedure does not allow.

    >>> oe.evaluate([1, 2], [1, 2], level=95)
    Traceback (most recent call last):
        ...
    ordeval.errors.ParameterError: level=95 is not a confidence level; it must be ...
    """


class MetricError(OrdevalError, KeyError):
    """A measure that is not in the registry.

    >>> oe.registry["cem_odr"]
    Traceback (most recent call last):
        ...
    ordeval.errors.MetricError: there is no measure 'cem_odr'. Did you mean ...
    """

    def __str__(self) -> str:
        """Return the message itself (a plain KeyError would show it in quotes)."""
        return str(self.args[0])


class MeasureError(OrdevalError, RuntimeError):
    """A measure of one's own that raises, or does not return what its declaration says.

    >>> broken = oe.measure(lambda counts: 1 / 0, greater_is_better=True, name="broken")
    >>> broken([1, 2], [1, 2])
    Traceback (most recent call last):
        ...
    ordeval.errors.MeasureError: the measure broken raised ZeroDivisionError: ...
    """


class DataError(OrdevalError, ValueError):
    """A file or a frame that cannot be read as labels.

    >>> oe.Runs.from_files("no such file.csv", "mine.csv")
    Traceback (most recent call last):
        ...
    ordeval.errors.DataError: there is no file 'no such file.csv'.
    """


class RaterError(DataError, KeyError):
    """A rater who is not among the raters.

    >>> oe.Ratings.from_array([[1, 2]], raters=["ann", "bob"]).leave_out("cy")
    Traceback (most recent call last):
        ...
    ordeval.errors.RaterError: there is no rater 'cy' among 'ann', 'bob'.
    """

    __str__ = MetricError.__str__


class MissingPackageError(OrdevalError, ImportError):
    """Something was asked for that an optional package brings, and it is not installed.

    >>> raise oe.errors.MissingPackageError("the charts need the package altair.")
    Traceback (most recent call last):
        ...
    ordeval.errors.MissingPackageError: the charts need the package altair.
    """


def quoted(labels: Iterable[object], limit: int = 5) -> str:
    """List labels for a message: the first few, and how many more there are."""
    everything = list(labels)
    shown = ", ".join(repr(label) for label in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def suggestion(
    word: str, known: Sequence[str], meanings: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return ' Did you mean X?' where one of the known words is near, with its meaning if it has one, else nothing."""
    import difflib

    for near in difflib.get_close_matches(word, known, n=1):
        return f" Did you mean {near}{f' ({meanings[near]})' if near in meanings else ''}?"
    return ""


@contextmanager
def speaking_of_options() -> Iterator[None]:
    """Let messages name the options of the command line in place of Python's arguments."""
    token = _options.set(True)
    try:
        yield
    finally:
        _options.reset(token)


def argument(name: str, *values: Any) -> str:
    """Write an argument as the caller would: `missing='zero' or 'drop'` in Python, `--missing zero or drop` in a shell.

    Ellipsis stands for a list of the caller's own: `labels=[...]`, `--labels A,B,C`. A list is written out.

    >>> argument("missing", "zero", "farthest", "drop")
    "missing='zero', 'farthest' or 'drop'"
    >>> argument("labels", [0, 25, 50])
    'labels=[0, 25, 50]'
    """
    if _options.get():
        option = OPTIONS.get(name, f"--{name.replace('_', '-')}")
        words = [
            "A,B,C" if value is ... else written(value, in_a_shell, ",", "{}") for value in values
        ]
        return f"{option} {alternatives(words)}" if words else option
    words = ["[...]" if value is ... else written(value, repr, ", ", "[{}]") for value in values]
    return f"{name}={alternatives(words)}"


def written(value: Any, form: Callable[[Any], str], comma: str, brackets: str) -> str:
    """Write a value, or a list of values, in which Ellipsis stands for those that are left out."""
    if not isinstance(value, list):
        return form(value)
    return brackets.format(comma.join("..." if each is ... else form(each) for each in value))


def in_a_shell(value: object) -> str:
    """Write one value as an option takes it: text as it is, but quoted where a comma would split it."""
    text = "none" if value is None else str(value)
    return '"{}"'.format(text.replace('"', '""')) if {*text} & {*',"'} else text


def spelled(name: str) -> str:
    """Name an argument as the subject of a sentence: `labels` in Python, `--labels` in a shell."""
    return argument(name) if _options.get() else name


def listed(labels: Iterable[object], limit: int = 12) -> str:
    """List labels as the caller would write them: `['low', 'high']` in Python, `low,high` in a shell.

    >>> listed(["low", "high"])
    "['low', 'high']"
    """
    if not _options.get():
        return f"[{quoted(labels, limit)}]"
    everything = list(labels)
    shown = ",".join(in_a_shell(label) for label in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def by_caller(python: str, shell: str) -> str:
    """Return the words for whoever reads the message: the caller of a function, or the user of a command."""
    return shell if _options.get() else python


def flag(name: str) -> str:
    """Write an argument that is true as the caller would: `shards=True` in Python, `--shards` in a shell."""
    return f"--{name.replace('_', '-')}" if _options.get() else f"{name}=True"


def alternatives(words: Sequence[str]) -> str:
    """Join words that exclude each other: 'a, b or c'."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
