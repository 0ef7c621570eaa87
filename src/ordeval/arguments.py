"""Recognise arguments of any type before they are compared or looked up: people pass all sorts of things."""

import math
import sys
from collections.abc import Collection, Container, Iterable
from typing import Any

from ordeval.errors import ParameterError, argument, suggestion


def is_of_numpy(value: Any, *kinds: str) -> bool:
    """Tell whether a value is of one of NumPy's types; as long as NumPy is not loaded, nothing is."""
    numpy = sys.modules.get("numpy")  # another thread may be loading it
    return isinstance(value, tuple(getattr(numpy, kind, ()) for kind in kinds))


def is_masked(value: Any) -> bool:
    """Tell whether a value is a masked array; NumPy loads what these need only for somebody who makes one."""
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


def is_number(value: Any) -> bool:
    """Tell whether a value is one finite number, and no truth value."""
    if isinstance(value, bool):
        return False
    if not isinstance(value, int | float) and not is_of_numpy(value, "integer", "floating"):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_whole(value: Any, least: int) -> bool:
    """Tell whether a value is a whole number, and not too small."""
    whole = isinstance(value, int) or is_of_numpy(value, "integer")
    return whole and is_number(value) and int(value) >= least


def is_choice(value: Any, choices: Container[Any]) -> bool:
    """Tell whether a value is one of the words that can be chosen."""
    return isinstance(value, str) and value in choices


def check_choice(name: str, value: Any, choices: Collection[str]) -> None:
    """Refuse an argument that is none of the words that can be chosen."""
    if not is_choice(value, choices):
        near = suggestion(value, list(choices)) if isinstance(value, str) else ""
        raise ParameterError(
            f"{argument(name, value)} is not a choice; it is one of {', '.join(choices)}.{near}"
        )


def is_true(value: Any, name: str) -> bool:
    """Return a truth value; refuse what is none."""
    if not isinstance(value, bool) and not is_of_numpy(value, "bool_"):
        raise ParameterError(f"{name} is {value!r:.60}; it is True or False.")
    return bool(value)


def entries(values: Any, name: str, rule: str) -> list[Any]:
    """Return what an argument holds; refuse what holds nothing, with the rule that says what it should be."""
    try:
        return list(values)
    except TypeError:
        raise ParameterError(f"{name} is {values!r:.60}; {rule}.") from None


def column_names(names: Any, name: str) -> tuple[str, ...]:
    """Return the names of columns, from one name, several or none."""
    if names is None:
        return ()
    rule = "it names one column or lists several"
    several = [names] if isinstance(names, str) else entries(names, name, rule)
    if not all(isinstance(one, str) for one in several):
        raise ParameterError(f"{name} is {names!r:.60}; {rule}.")
    return tuple(several)


def numbers(values: Iterable[Any], name: str, rule: str) -> list[float]:
    """Return what should be real numbers as such: text, dates and imaginary parts are none."""
    try:
        given = [as_float(value) for value in entries(values, name, rule)]
    except (TypeError, ValueError, ArithmeticError):
        raise ParameterError(f"{name} is {values!r:.60}; {rule}.") from None
    return given


def as_float(value: Any) -> float:
    """Return a number as Python's; a masked one, one with an imaginary part and an array of one are none."""
    if isinstance(value, complex) or is_of_numpy(value, "complexfloating"):
        raise TypeError
    if is_masked(value) and value is sys.modules["numpy.ma"].masked:
        raise TypeError
    if getattr(value, "ndim", 0):
        raise TypeError
    return float(value)


def check_progress(progress: Any) -> None:
    """Refuse what cannot be called as work goes on, before the work begins."""
    if progress is not None and not callable(progress):
        raise ParameterError(f"progress is {progress!r:.60}; it must be a function, or None.")
