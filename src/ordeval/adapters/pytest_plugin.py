"""A fixture for pytest: a test that fails if a candidate is worse than its baseline.

pytest loads this file whenever it starts, so that nothing else of the package is imported before the fixture is called.
"""

import warnings
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from ordeval.comparison.gate_result import Gate

__all__ = ["InconclusiveGateWarning", "ordeval_gate"]

INCONCLUSIVE = ("fail", "warn", "pass")


class InconclusiveGateWarning(UserWarning):
    """A gate that neither passes nor fails, in a test that only wants to be warned of it.

    >>> from ordeval.adapters.pytest_plugin import InconclusiveGateWarning
    >>> issubclass(InconclusiveGateWarning, UserWarning)
    True
    """


@pytest.fixture(scope="session")
def ordeval_gate() -> "Callable[..., Gate]":
    """Return a function that calls `oe.gate` with its arguments, and fails the test if the gate fails.

    `inconclusive` says what an inconclusive gate does: "fail" (the default: what is not shown has not passed), "warn"
    or "pass". It returns the gate.

    >>> def test_the_new_model_is_as_good_as_the_old_one(ordeval_gate):
    ...     gold, old, new = [1, 2, 3] * 99, [1, 2, 2] * 99, [1, 2, 3] * 99
    ...     ordeval_gate(old, new, gold=gold, metric="accuracy", margin=0.02)
    """

    def checked(
        baseline: Any, candidate: Any, *, inconclusive: str = "fail", **options: Any
    ) -> "Gate":
        __tracebackhide__ = True
        from ordeval.arguments import check_choice
        from ordeval.comparison.gate import gate

        check_choice("inconclusive", inconclusive, INCONCLUSIVE)
        result = gate(baseline, candidate, **options)
        said = " ".join(filter(None, (result.verdict, result.settling)))
        undecided = result.outcome == "inconclusive"
        if result.outcome == "fail" or (undecided and inconclusive == "fail"):
            pytest.fail(said, pytrace=False)
        if undecided and inconclusive == "warn":
            warnings.warn(said, InconclusiveGateWarning, stacklevel=2)
        return result

    return checked
