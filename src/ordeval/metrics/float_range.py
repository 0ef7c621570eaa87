"""Keep the kernels from overflow and underflow, whatever the size of counts and values.

A kernel multiplies up to four counts, or two counts and the square of a difference of values. Numbers of moderate
size then stay well within the range of float64, and they are used unchanged. Values of another size are divided by a
power of two, which changes no digit, and the result is multiplied back. If numbers within one table or scale differ
too much in size, a type with a wider range of exponents is used; on a machine without such a type the result is NaN.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from ordeval.metrics.core import Counts, Values, beyond_cache, cached_rows

LARGEST = 100  # counts and values below 2**100 are moderate
SMALLEST_COUNT = -250  # and counts above 2**-250,
SMALLEST_STEP = -100  # and values that differ by more than 2**-100 of the largest
BITS_OF_LARGEST, BITS_OF_SMALLEST = np.ldexp(1.0, [LARGEST, SMALLEST_COUNT]).view(np.uint64)
ONE = np.uint64(1)
WIDE: Any = np.longdouble if np.finfo(np.longdouble).maxexp > 8 * 1024 else None


def are_moderate(counts: Counts) -> bool:
    """Tell whether all counts are 0 or of moderate size; whole counts are below 2**63.

    As unsigned integers, the bits of non-negative numbers rise with the numbers, and 0 minus 1 wraps to the largest.
    """
    if counts.dtype.kind != "f" or not counts.size:
        return True
    bits = counts.view(np.uint64)
    if not beyond_cache(counts):
        return within_ends(bits)
    return all(within_ends(bits[..., rows, :]) for rows in cached_rows(counts))


def within_ends(bits: Counts) -> bool:
    """Tell whether the numbers with these bits are 0 or of moderate size."""
    smallest = np.minimum.reduce(bits - ONE, axis=None)
    return bool(
        smallest >= BITS_OF_SMALLEST - ONE and np.maximum.reduce(bits, axis=None) <= BITS_OF_LARGEST
    )


@lru_cache(maxsize=256)
def unit_of_values(numbers: bytes) -> tuple[int, bool]:
    """Return the power of two to divide values by, 0 if they are moderate, and whether they differ too much in size."""
    values = np.frombuffer(numbers)
    exponent = int(np.frexp(np.abs(values).max())[1])
    relative = np.ldexp(values, -exponent)
    sizes = np.concatenate([np.abs(relative[values != 0]), np.diff(relative)])
    uneven = bool(sizes.size) and bool(sizes.min() < np.ldexp(1.0, SMALLEST_STEP))
    return (exponent if abs(exponent) > LARGEST else 0), uneven


def all_moderate(*amounts: Counts | None) -> bool:
    """Tell whether all amounts that are given are of moderate size."""
    for counts in amounts:  # noqa: SIM110 - half a microsecond less for each call of a measure
        if counts is not None and not are_moderate(counts):
            return False
    return True


def number_type(values: Values | None, *amounts: Counts | None) -> tuple[int, Any]:
    """Return the power of two to divide the values by, and the type of number that a kernel needs.

    That is float64, or a wider one where products could overflow or underflow; None if the machine has no wider one.
    """
    exponent, uneven = (0, False) if values is None else unit_of_values(values.tobytes())
    return exponent, WIDE if uneven or not all_moderate(*amounts) else np.float64


def in_unit(result: Values, exponent: int) -> Values:
    """Return a result times 2**exponent, NaN where float64 cannot hold it: too large, or too small but not 0."""
    product = np.asarray(np.ldexp(result, exponent)).astype(np.float64)
    return np.where(np.isinf(product) | ((product == 0) & (result != 0)), np.nan, product)
