"""How many random examples a test takes: a third in `make test`, where somebody waits, and all in `make test-full`."""

import os

__all__ = ["ALL", "examples"]

ALL = os.environ.get("ORDEVAL_EXAMPLES") == "all"


def examples(number: int) -> int:
    """Return how many of a number of examples a test takes in this run."""
    return number if ALL else number // 3
