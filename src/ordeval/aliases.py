"""Types that every room uses."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]

Progress: TypeAlias = Callable[[int, int], None] | None
"""A function that is called, as work goes on, with the number of steps done and the number of all steps."""
