"""The settings of a measure: each is declared once, and validated, documented and parsed from this declaration."""

import math
from dataclasses import dataclass
from typing import Any

from ordeval.errors import ParameterError, quoted, suggestion


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting of a measure: a choice among words, or a number between two ends."""

    name: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def check(self, value: Any, measure: str) -> Any:
        """Return the value as text or number; raise an error that says what is allowed if the value is not."""
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                near = suggestion(str(value), self.choices)
                raise ParameterError(
                    f"{measure} has no {self.name}={value!r}; it is one of {quoted(self.choices)}.{near}"
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
            return ", ".join(map(repr, self.choices))
        low, high = self.bounds
        return f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
