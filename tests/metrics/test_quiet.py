"""Kernels divide by zero without a warning, and leave to their callers how NumPy tells them of their own."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.metrics import core


def quotient(x, y):
    return np.float64(x) / y


@pytest.mark.parametrize("version", ["1.26.4", "2.0.0", np.__version__])
def test_a_quiet_function_changes_nothing_for_its_caller_even_within_another(monkeypatch, version):
    monkeypatch.setattr(np, "__version__", version)
    quiet = core.quietly(quotient)
    twice = core.quietly(lambda x, y: (quiet(x, y), quotient(x, y)))
    with np.errstate(divide="raise", over="warn"):
        before = np.geterr()
        assert quiet(1.0, 0.0) == np.inf
        assert twice(1.0, 0.0) == (np.inf, np.inf)
        assert np.geterr() == before
        with pytest.raises(FloatingPointError):
            quotient(1.0, 0.0)


def test_a_measure_that_is_undefined_raises_nothing_where_the_caller_wants_errors():
    with np.errstate(all="raise"):
        assert np.isnan(oe.weighted_kappa([1, 1], [1, 1]))
        assert np.isnan(oe.krippendorff_alpha([1, 1], [1, 1]))
        with pytest.raises(FloatingPointError):
            quotient(1.0, 0.0)
