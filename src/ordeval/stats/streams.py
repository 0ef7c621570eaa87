"""Random numbers: one seed, and from it an independent stream for every purpose.

A stream is named by its purpose and, where there is one, by the test case, so that no number depends on how the work is
cut into chunks or on what else is computed.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from ordeval.errors import ParameterError, argument, by_caller


class Purpose(IntEnum):
    """What a stream of random numbers is for."""

    CASES = 0  # which test cases are in a resample
    ITEMS = 1  # which items are in it, for one system
    JOINT = 2  # which items are in it, for all systems together
    SWAPS = 3  # which answers two systems swap in a randomisation test
    PSEUDO_ITEMS = 4  # what pseudo-items change in such a test
    PERIODS = 5  # which items fall into which of two samples that share none


def read_seed(rng: Any) -> int:
    """Return a seed: `rng` itself if it is an integer, one drawn from it if it is a Generator, a fresh one for None."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)  # before np.random is asked for anything, which loads it
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    rule = by_caller("it is an integer of 0 or more, a Generator or None", "it is 0 or more")
    raise ParameterError(f"{argument('rng', rng)} is not a random seed; {rule}.")


def read_generator(rng: Any) -> "np.random.Generator":
    """Return `rng` itself if it is a Generator, or a new one seeded by it."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(read_seed(rng))


def stream(seed: int, purpose: Purpose, *within: int) -> "np.random.Generator":
    """Return the generator of one purpose; further integers, such as a test case, name a stream within it."""
    sequence = np.random.SeedSequence(seed, spawn_key=(int(purpose), *within))
    return np.random.Generator(np.random.PCG64(sequence))
