"""Numbers without rounding, overflow or underflow, in which the definitions can be computed as they stand.

Sums, products and quotients are those of fractions. Roots, logarithms and powers have fifty digits.
"""

import decimal
import math
import operator
from fractions import Fraction
from functools import total_ordering
from typing import Any

__all__ = ["Exact", "ExactMath"]

DIGITS = decimal.Context(prec=50, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[])


def as_decimal(number: Any) -> decimal.Decimal:
    exact = Fraction(number)
    return DIGITS.divide(decimal.Decimal(exact.numerator), decimal.Decimal(exact.denominator))


@total_ordering
class Exact:
    """A fraction that takes a float for the number that it stands for, where `Fraction` would become a float."""

    def __init__(self, number: Any) -> None:
        self.fraction = number.fraction if isinstance(number, Exact) else Fraction(number)

    def combined(self, other: Any, operation: Any) -> "Exact":
        return Exact(operation(self.fraction, Exact(other).fraction))

    def __add__(self, other: Any) -> "Exact":
        return self.combined(other, operator.add)

    def __sub__(self, other: Any) -> "Exact":
        return self.combined(other, operator.sub)

    def __rsub__(self, other: Any) -> "Exact":
        return Exact(other) - self

    def __mul__(self, other: Any) -> "Exact":
        return self.combined(other, operator.mul)

    def __truediv__(self, other: Any) -> "Exact":
        return self.combined(other, operator.truediv)

    def __rtruediv__(self, other: Any) -> "Exact":
        return Exact(other) / self

    def __pow__(self, power: float) -> "Exact":
        if power == int(power):
            return Exact(self.fraction ** int(power))
        return Exact(DIGITS.power(as_decimal(self.fraction), decimal.Decimal(power)))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Exact":
        return Exact(-self.fraction)

    def __abs__(self) -> "Exact":
        return Exact(abs(self.fraction))

    def __bool__(self) -> bool:
        return bool(self.fraction)

    def __eq__(self, other: object) -> bool:
        return self.fraction == Exact(other).fraction

    def __lt__(self, other: Any) -> bool:
        return self.fraction < Exact(other).fraction

    def __hash__(self) -> int:
        return hash(self.fraction)

    def __repr__(self) -> str:
        return f"{as_decimal(self.fraction):.20g}"


class ExactMath:
    """What the definitions need of the module `math`, for exact numbers."""

    nan, comb, prod = math.nan, staticmethod(math.comb), staticmethod(math.prod)

    @staticmethod
    def isnan(number: Any) -> bool:
        return isinstance(number, float) and math.isnan(number)

    @staticmethod
    def sqrt(number: Any) -> Exact:
        return Exact(DIGITS.sqrt(as_decimal(Exact(number).fraction)))

    @staticmethod
    def exp(number: Any) -> Exact:
        if number < -10_000:  # as a fraction it would have more digits than there is memory for
            return Exact(0)
        return Exact(DIGITS.exp(as_decimal(Exact(number).fraction)))

    @staticmethod
    def log(number: Any) -> Exact:
        near = Exact(number).fraction - 1
        if abs(near) < Fraction(
            1, 10**30
        ):  # fifty digits of the number would leave few of its logarithm
            return Exact(near - near**2 / 2)
        return Exact(DIGITS.ln(as_decimal(Exact(number).fraction)))

    @staticmethod
    def log2(number: Any) -> Exact:
        return ExactMath.log(number) / ExactMath.log(2)
