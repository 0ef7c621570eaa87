"""The tail of chi-squared beside SciPy's."""

import pytest
from scipy.stats import chi2

from ordeval.stats.distributions import chi_squared_tail


@pytest.mark.parametrize("freedom", [1, 2, 3, 8, 35, 400])
@pytest.mark.parametrize("ratio", [1e-6, 0.1, 0.8, 1.0, 1.3, 3.0, 20.0])
def test_the_tail_is_that_of_scipy(freedom, ratio):
    x = freedom * ratio
    assert chi_squared_tail(x, freedom) == pytest.approx(chi2.sf(x, freedom), rel=1e-9, abs=1e-300)


def test_nothing_is_certain_and_no_value_is_below_zero():
    assert chi_squared_tail(0.0, 3) == 1.0
    assert chi_squared_tail(-1.0, 3) == 1.0
