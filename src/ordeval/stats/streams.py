"""Where the chance comes from: one seed, and a stream of its own for every purpose.

A stream is named by its purpose and, where there is one, by the test case, so that no number depends on how the work is
cut into pieces or on what else is computed.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from ordeval.errors import ParameterError


class Purpose(IntEnum):
    """What a stream of random numbers is for."""

    CASES = 0  # which test cases a resample has
    ITEMS = 1  # which items, for one system
    JOINT = 2  # which items, for all systems together
    SWAPS = 3  # whose answer is whose, in a randomisation test


def read_seed(rng: Any) -> int:
    """Return the seed that `rng` stands for: an integer itself, a draw from a Generator, or a fresh one for None."""
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    raise ParameterError(
        f"rng={rng!r} is no source of chance; it is an integer of 0 or more, a Generator or None."
    )


def read_generator(rng: Any) -> np.random.Generator:
    """Return the generator that `rng` is or stands for."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(read_seed(rng))


def stream(seed: int, purpose: Purpose, *which: int) -> np.random.Generator:
    """Return the random numbers for one purpose."""
    sequence = np.random.SeedSequence(seed, spawn_key=(int(purpose), *which))
    return np.random.Generator(np.random.PCG64(sequence))
