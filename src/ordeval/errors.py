"""Every error raised on purpose.

Each derives from `OrdevalError` and from the built-in that a caller would expect, and its message says in one
sentence what was wrong, with the value, what is allowed, and what to do.
"""

from collections.abc import Iterable, Sequence


class OrdevalError(Exception):
    """Anything that ordeval refuses, with the reason."""


class ScaleError(OrdevalError, ValueError):
    """The classes or their order cannot be told, or contradict each other."""


class LabelError(OrdevalError, ValueError):
    """A label is missing, off the scale, or does not line up with the others."""


class LabelTypeError(OrdevalError, TypeError):
    """The labels are of a kind that cannot be read."""


class NoItemsError(OrdevalError, ValueError):
    """There is nothing to score."""


class TableError(OrdevalError, ValueError):
    """Counts that are no contingency table, or tables that do not fit together."""


class ParameterError(OrdevalError, ValueError):
    """A setting that a measure or a procedure does not allow."""


class MetricError(OrdevalError, KeyError):
    """A measure that is not in the registry."""

    def __str__(self) -> str:
        """Return the message itself (a plain KeyError would show it in quotes)."""
        return str(self.args[0])


class DataError(OrdevalError, ValueError):
    """A file or a frame that cannot be read as labels."""


class MissingPackageError(OrdevalError, ImportError):
    """Something was asked for that an optional package brings, and it is not installed."""


def quoted(labels: Iterable[object], limit: int = 5) -> str:
    """List labels for a message: the first few, and how many more there are."""
    everything = list(labels)
    shown = ", ".join(repr(label) for label in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return ' Did you mean X?' where one of the known words is near, else nothing."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]}?" if near else ""
