"""The settings of a measure: each is declared once, and validated, documented and parsed from this declaration."""

import math
from dataclasses import dataclass
from typing import Any

from ordeval.errors import ParameterError, suggestion
from ordeval.metrics.agreement_weights import as_weights


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting of a measure: a choice among words, a matrix of weights, or a number between two ends.

    >>> setting = oe.accuracy_within.parameters[0]
    >>> setting.name, setting.default, setting.allowed
    ('n', 1, '0 to 1e+06')
    """

    name: str  # its name
    default: Any  # the value if none is given
    meaning: str  # what it does, in words
    choices: tuple[str, ...] = ()  # the words that it may be
    bounds: tuple[float, float] = (-math.inf, math.inf)  # the lowest and the highest number
    matrix: bool = False  # weights may be given class by class, too
    # the choices under which values in another unit mean something else
    in_fixed_unit: tuple[str, ...] = ()  # choices that depend on the unit of the values

    def check(self, value: Any, measure: str) -> Any:
        """Return the value as text or number; raise an error that says what is allowed if the value is not."""
        if value is None and self.default is None:
            return None
        if self.matrix and value is not None and not isinstance(value, str):
            return as_weights(value, measure)
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                near = suggestion(str(value), self.choices)
                raise ParameterError(
                    f"{measure} has no {self.name}={value!r}; it is one of {self.allowed}.{near}"
                )
            return value
        low, high = self.bounds
        integral = isinstance(self.default, int)
        try:
            number = float(value)
            good = (
                low <= number <= high
                and (number.is_integer() or not integral)
                and not isinstance(value, str | bool)
            )
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            kind = "a whole number" if integral else "a number"
            raise ParameterError(
                f"{measure} has no {self.name}={value!r}; it is {kind} from {low:g} to {high:g}."
            )
        return int(number) if integral else number

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return ", ".join(map(repr, self.choices)) + (" or a matrix" if self.matrix else "")
        low, high = self.bounds
        return f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
