"""One label: what it means in whatever spelling, and when it means that there is none."""

import math
import re
from typing import Any

import numpy as np

NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z", re.ASCII)


class Missing:
    """The type of MISSING, which stands for a label that is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


def number(text: str) -> int | float | None:
    """Return the number that a text spells, whole ones as int, or None."""
    if not NUMBER.match(text):
        return None
    try:
        return int(text)
    except ValueError:
        value = float(text)
    if math.isinf(value):  # larger than any class can be
        return None
    return int(value) if value.is_integer() else value


def finite_number(label: object) -> int | float | None:
    """Return the finite number that a label is or spells, or None."""
    one = number(label) if isinstance(label, str) else label
    if isinstance(one, int):  # however large
        return one
    return one if isinstance(one, float) and math.isfinite(one) else None


def canonical(label: object) -> object:
    """Return one Python object for all spellings of a label: 1, 1.0 and np.int8(1) are 1; None and NaN are MISSING.

    Text stays text: whether a text column spells numbers is a question to the whole column.
    """
    label = unboxed(label)
    if isinstance(label, str):
        return label or MISSING
    if isinstance(label, bool | int):
        return label
    if isinstance(label, float) or hasattr(label, "as_integer_ratio"):
        return canonical_number(label)
    return MISSING if is_missing(label) else label


def unboxed(label: Any) -> Any:
    """Return a scalar of NumPy as Python has it: a number of single precision is the decimal that it is written as."""
    if isinstance(label, np.float32 | np.float16):
        return float(str(label))
    return label.item() if isinstance(label, np.generic) else label


def canonical_number(label: Any) -> object:
    """Return a float, or what can become one (a Decimal, a Fraction, a long double), with whole ones as int."""
    try:
        value = float(label)
    except ValueError:  # a signalling NaN
        return MISSING
    except (OverflowError, TypeError):  # beyond floating point, or the name of a type
        return label
    if math.isnan(value):
        return MISSING
    return int(value) if value.is_integer() else value


def is_missing(label: object) -> bool:
    """Tell whether an object means 'no label': None, NaN, NaT or pandas' NA."""
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(label, np.ndarray):
        return False
    try:
        return bool(label != label)  # noqa: PLR0124
    except (TypeError, ValueError, ArithmeticError):
        return False


def tidy(label: Any) -> Any:
    """Return a label from a file or a frame: text without spaces around it; empty text and NaN are MISSING."""
    if isinstance(label, str):
        text = label.strip()
        return MISSING if not text or text.lower() == "nan" else text
    return canonical(label)


def natural_order(name: Any) -> tuple[Any, ...]:
    """Return a key that sorts names as people do: q before q2, and q2 before q10."""
    parts = [
        (0, int(part[:300]), part) if at % 2 else (1, 0, part)  # every second part is digits
        for at, part in enumerate(re.split("([0-9]+)", str(name)))
        if part
    ]
    return (tuple(parts), str(type(name)))
