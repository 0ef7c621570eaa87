"""The options `--labels`, `--values` and `--names`: lists with commas, and the scale that they declare."""

import csv
import io
from collections.abc import Callable
from typing import Any, TypeVar

from ordeval.cli.help import CLASSES, option
from ordeval.errors import ParameterError, ScaleError

Command = TypeVar("Command", bound=Callable[..., Any])


CLASS_OPTIONS = (
    option(CLASSES, "--labels", metavar="A,B,C", help="The classes, lowest first."),
    option(CLASSES, "--values", metavar="X,Y,Z", help="A number for each class, increasing."),
    option(CLASSES, "--names", metavar="A,B,C", help="What the classes are called in print, lowest first."),
)  # fmt: skip


def scale_options(command: Command) -> Command:
    """Give a command that reads tables `--labels` and `--values`, for matrices whose names have no order."""
    labels, values, _ = CLASS_OPTIONS
    decorated: Command = labels(values(command))
    return decorated


def split_list(text: str) -> list[str]:
    """Split a list at its commas; a label that has one is put in double quotes."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True))
    except csv.Error as error:
        raise ParameterError(
            f"{text[:60]!r} cannot be read as a list with commas: {error}."
        ) from None
    if len(rows) > 1:
        raise ParameterError(
            f"{text[:60]!r} has more than one line. Write a list on one line, with commas; a name with a line break in "
            f"it is put in double quotes."
        )
    return [part.strip() for row in rows for part in row]


def numbers(text: str) -> list[float]:
    """Read a list of numbers."""
    try:
        return [float(part) for part in split_list(text)]
    except ValueError:
        raise ParameterError(
            f"--values is {text!r}; it is one number for each class, as in --values 0,1,2.5."
        ) from None


def read_scale(
    labels: str | None, values: str | None
) -> tuple[list[str] | None, list[float] | None]:
    """Return the labels and the values that were declared; a scale that contradicts itself is wrong usage."""
    from ordeval.scale import Scale

    classes = None if labels is None else split_list(labels)
    given = None if values is None else numbers(values)
    if classes is not None and len(classes) == 1 and classes[0]:
        raise ParameterError(
            f"--labels names one class, {classes[0]!r}. Name all classes with commas between them, lowest first, as in "
            f"--labels low,mid,high."
        )
    if classes is not None:
        try:
            Scale(classes, given)
        except ScaleError as error:
            raise ParameterError(str(error)) from error
    return classes, given
