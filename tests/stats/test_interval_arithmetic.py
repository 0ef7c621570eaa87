"""The arithmetic of intervals: quantiles, BCa's bias and acceleration, and what is left out, by hand or by SciPy."""

import numpy as np
import pytest
from scipy.stats import norm

from ordeval.errors import ParameterError
from ordeval.stats.distributions import normal_quantile
from ordeval.stats.intervals import (
    bca_places,
    bootstrap_interval,
    check_interval_options,
    jackknife_acceleration,
)

NAN = np.nan


def efron(share, acceleration, level):
    """Equation 1.7 of Efron (1987), by SciPy's normal distribution."""
    bias = norm.ppf(share)
    shifted = bias + norm.ppf([(1 - level) / 2, (1 + level) / 2])
    return norm.cdf(bias + shifted / (1 - acceleration * shifted))


def places(samples, value, acceleration=0.0, level=0.95):
    samples = np.array(samples)
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    defined = (~np.isnan(samples)).sum(axis=-1)
    return bca_places(samples, np.array(value), defined, tails, np.array(acceleration))


@pytest.mark.parametrize("size", [*range(2, 30), 101, 3000])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_a_percentile_interval_has_numpys_quantiles_however_many_resamples_there_are(size, level):
    samples = np.random.default_rng(size).normal(size=(3, size))
    found = bootstrap_interval(samples, np.zeros(3), level)
    expected = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    np.testing.assert_allclose([found.low, found.high], expected)
    samples[0, 0] = NAN  # now they are sorted, and no longer only partly
    if size > 2:
        found = bootstrap_interval(samples, np.zeros(3), level)
        expected = np.nanquantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=-1)
        np.testing.assert_allclose([found.low, found.high], expected)


def test_measures_and_systems_have_the_intervals_of_their_rows():
    samples = np.random.default_rng(3).normal(size=(2, 3, 50))
    samples[1, 2, :7] = NAN
    value = np.array([[0.1, 0.2, 0.3], [-0.1, 0.0, 0.5]])
    for acceleration in (None, np.array([[0.1, 0.0, -0.1], [0.2, 0.05, 0.1]])):
        found = bootstrap_interval(samples, value, 0.9, acceleration=acceleration)
        for at in np.ndindex(2, 3):
            bend = None if acceleration is None else acceleration[at]
            alone = bootstrap_interval(samples[at], value[at], 0.9, acceleration=bend)
            np.testing.assert_allclose([part[at] for part in found], alone)


def test_a_single_resample_makes_no_interval():
    for acceleration in (None, np.array([0.0])):
        found = bootstrap_interval(
            np.array([[1.0]]), np.array([1.0]), 0.9, acceleration=acceleration
        )
        np.testing.assert_array_equal([found.low, found.high, found.error], [[NAN]] * 3)
        assert found.undefined.tolist() == [0]


def test_two_defined_resamples_make_an_interval_and_one_or_none_do_not():
    """Of 1 and 3 the quartiles are 1.5 and 2.5; the mean is 2, the squares are 1 + 1, over 2 - 1."""
    samples = np.array([[1.0, NAN, 3.0], [NAN, 2.0, NAN], [NAN, NAN, NAN]])
    for acceleration in (None, np.zeros(3)):
        found = bootstrap_interval(samples, np.full(3, 2.0), 0.5, acceleration=acceleration)
        np.testing.assert_allclose(found.low, [1.5, NAN, NAN])
        np.testing.assert_allclose(found.high, [2.5, NAN, NAN])
        np.testing.assert_allclose(found.error, [np.sqrt(2), NAN, NAN])
        assert found.undefined.tolist() == [1, 2, 3]


def test_an_undefined_value_has_no_interval():
    found = bootstrap_interval(np.array([[1.0, 2.0, 3.0]] * 2), np.array([NAN, 2.0]), 0.5)
    np.testing.assert_allclose([*found.low, *found.high], [NAN, 1.5, NAN, 2.5])
    np.testing.assert_allclose(found.error, [NAN, 1.0])


def test_resamples_equal_to_the_value_count_half_in_the_bias():
    """Below 2 lies one of eight, and three are equal to it: the share is (1 + 3 / 2) / 8."""
    samples = [1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    np.testing.assert_allclose(places(samples, 2.0), efron(2.5 / 8, 0.0, 0.95), rtol=1e-12)


def test_resamples_that_differ_from_the_value_by_rounding_are_equal_to_it():
    """A 1e-13 off is equal; 1e-11 below is below, and above is above: (1 + 2 / 2) / 4, not 1 / 4 or 3 / 4."""
    samples = [0.5 - 1e-11, 0.5 - 1e-13, 0.5 + 1e-13, 0.5 + 1e-11]
    np.testing.assert_allclose(places(samples, 0.5), efron(0.5, 0.0, 0.95), rtol=1e-12)
    below = [0.5 - 1e-11, 0.5 - 1e-11, 0.5 - 1e-13, 0.5 + 1e-11]
    np.testing.assert_allclose(places(below, 0.5), efron(2.5 / 4, 0.0, 0.95), rtol=1e-12)


def test_the_share_below_the_value_is_one_of_the_defined_resamples():
    samples = [1.0, NAN, 3.0, 4.0, NAN, 5.0]
    np.testing.assert_allclose(places(samples, 2.0), efron(1 / 4, 0.0, 0.95), rtol=1e-12)


@pytest.mark.parametrize("acceleration", [-0.2, 0.05, 0.3])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bias_and_acceleration_move_the_ends_by_efrons_equation(acceleration, level):
    samples = np.random.default_rng(1).normal(size=999)
    share = (samples < 0.3).mean()
    expected = efron(share, acceleration, level)
    np.testing.assert_allclose(places(samples, 0.3, acceleration, level), expected, rtol=1e-12)
    found = bootstrap_interval(samples, np.array(0.3), level, acceleration=np.array(acceleration))
    np.testing.assert_allclose([found.low, found.high], np.quantile(samples, expected))


def test_where_all_resamples_lie_on_one_side_both_ends_are_the_nearest_one():
    """The share is 0; taken for 1e-12 its quantile is -7, so the ends lie beyond 12 deviations."""
    samples = np.linspace(1, 2, 99)
    found = bootstrap_interval(samples, np.array(0.0), 0.95, acceleration=np.array(0.0))
    assert [found.low, found.high] == pytest.approx([1.0, 1.0], abs=1e-12)
    found = bootstrap_interval(samples, np.array(9.0), 0.95, acceleration=np.array(0.0))
    assert [found.low, found.high] == pytest.approx([2.0, 2.0], abs=1e-12)


def test_the_acceleration_is_a_sixth_of_the_skewness_of_the_influences():
    """Influences 1, 1 and -2, each times (3 - 1) / 3: cubes 8/27 (1 + 1 - 8), squares 4/9 (1 + 1 + 4)."""
    expected = (8 / 27 * -6) / (6 * (4 / 9 * 6) ** 1.5)
    size = np.full(3, 3.0)
    apart = jackknife_acceleration(np.array([1.0, 1.0, -2.0]), np.ones(3), size)
    assert apart == pytest.approx(expected)
    weighted = jackknife_acceleration(np.array([1.0, -2.0]), np.array([2.0, 1.0]), size[:2])
    assert weighted == pytest.approx(expected)
    passed_over = jackknife_acceleration(
        np.array([1.0, NAN, 1.0, -2.0, np.inf]), np.ones(5), np.full(5, 3.0)
    )
    assert passed_over == pytest.approx(expected)


def test_units_of_a_small_group_weigh_less_than_those_of_a_large_one():
    """Of 2 units each has 1/2 of its influence, of 4 each 3/4: 0.5, -0.5, 1.5, 0, -0.75, -0.75."""
    influence = np.array([1.0, -1.0, 2.0, 0.0, -1.0, -1.0])
    size = np.array([2.0, 2.0, 4.0, 4.0, 4.0, 4.0])
    cubes, squares = 1.5**3 - 2 * 0.75**3, 2 * 0.5**2 + 1.5**2 + 2 * 0.75**2
    expected = cubes / (6 * squares**1.5)
    found = jackknife_acceleration(influence, np.ones(6), size)
    assert found == pytest.approx(expected)
    # one table of influences for two systems, one of them of opposite sign and a tenth of the size
    both_systems = jackknife_acceleration(np.stack([influence, -0.1 * influence]), np.ones(6), size)
    assert both_systems.tolist() == pytest.approx([expected, -expected])


def test_where_the_acceleration_cancels_a_tail_that_end_is_the_last_resample():
    """The upper quantile z is shifted to z / (1 - a z), which is infinite where a is 1 / z."""
    z = norm.ppf(0.95)
    assert 1 - (1 / z) * z == 0
    found = places([-1.0, 1.0], 0.0, 1 / normal_quantile(np.array(0.95)), level=0.9)
    assert found[1] == 1.0


def test_units_without_influence_have_no_acceleration():
    for influence in (0.0, 1e-120):  # squares of the second are too small for a double
        found = jackknife_acceleration(np.full((2, 3), influence), np.ones(3), np.full(3, 3.0))
        assert found.tolist() == [0.0, 0.0]


LEVEL = "level={} is not a confidence level; it must be between 0 and 1, such as 0.95, or None for no interval."
AMOUNT = "n_resamples={} is not a number of resamples; it is a whole number of at least 1."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0, 9, "bca"), LEVEL.format(0)),
        ((1.0, 9, "bca"), LEVEL.format(1.0)),
        ((NAN, 9, "bca"), LEVEL.format("nan")),
        (("0.5", 9, "bca"), LEVEL.format("'0.5'")),
        ((0.5, 0, "bca"), AMOUNT.format(0)),
        ((0.5, True, "bca"), AMOUNT.format("True")),
        ((0.5, 9.0, "bca"), AMOUNT.format(9.0)),
        ((0.5, 9, "z"), "method='z' is not a kind of interval; it is one of t, percentile, bca."),
    ],
)
def test_an_interval_that_cannot_be_is_refused_with_what_can(given, message):
    with pytest.raises(ParameterError) as refused:
        check_interval_options(*given)
    assert str(refused.value) == message


def test_one_resample_any_level_and_every_method_may_be_asked_for():
    check_interval_options(None, 1, "percentile")
    check_interval_options(0.001, np.int64(7), "bca")
    check_interval_options(0.999, 9999, "t")
