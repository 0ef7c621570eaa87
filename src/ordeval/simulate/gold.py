"""Gold labels for every test case at once: a discretised normal of varying width, or class shares as given."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ordeval.arguments import is_choice
from ordeval.errors import ParameterError

Array: TypeAlias = npt.NDArray[Any]


def deviations_of(span: Any, cases: int, spread: str, rng: np.random.Generator) -> Array:
    """Return one deviation for each case: evenly spaced between the two ends, or drawn uniformly between them."""
    low, high = ends(span)
    if is_choice(spread, {"even"}):
        return np.linspace(low, high, cases)
    if is_choice(spread, {"random"}):
        return rng.uniform(low, high, cases)
    raise ParameterError(
        f"spread is {spread!r}; deviations are spread 'even' or 'random' over the cases."
    )


def ends(span: Any) -> tuple[float, float]:
    """Read the smallest and the largest deviation."""
    try:
        low, high = (float(end) for end in (span if np.ndim(span) else (span, span)))
    except (TypeError, ValueError, ArithmeticError):
        low, high = np.nan, np.nan
    if not 0 <= low <= high < np.inf:
        raise ParameterError(
            f"deviation is {span!r}; it must be a number, or two: the smallest and the largest, 0 or more."
        )
    return low, high


def discretised_normal(
    mean: float, deviations: Array, items: int, k: int, rng: np.random.Generator
) -> Array:
    """Draw normal values around position `mean` (from 0) and put each into the nearest of k classes."""
    drawn = rng.standard_normal((len(deviations), items)) * deviations[:, None] + mean
    return np.asarray(np.clip(np.floor(drawn + 0.5), 0, k - 1), dtype=np.intp)


def read_shares(shares: Any, cases: int, k: int) -> Array:
    """Check class shares, one row for all cases or one for each, and make them sum to 1."""
    try:
        given = np.asarray(shares, dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError):
        raise ParameterError(f"shares is {shares!r:.60}; it must hold numbers.") from None
    good = given.shape in {(k,), (cases, k)} and np.isfinite(given).all() and (given >= 0).all()
    if not good or not (given.sum(axis=-1) > 0).all():
        raise ParameterError(
            f"shares has shape {given.shape}; it must hold {k} shares, none negative and not all 0, or a row of {k} "
            f"for each of {cases} cases."
        )
    return np.broadcast_to(given / given.sum(axis=-1, keepdims=True), (cases, k))


def from_shares(shares: Array, items: int, rng: np.random.Generator) -> Array:
    """Draw the classes of every item from its case's shares."""
    upper = np.cumsum(shares, axis=-1)
    upper[:, -1] = 1.0  # a sum of shares may fall short of 1 by rounding
    drawn = rng.random((len(shares), items))
    return np.asarray((drawn[:, :, None] >= upper[:, None, :]).sum(axis=-1), dtype=np.intp)
