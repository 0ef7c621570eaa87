"""Ranks and means under weights, against values that are written out as often as they weigh."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordeval.meta.ranking import signed_ranks, weighted_means, weighted_ranks
from ordeval.stats.midranks import order_of
from tests.meta import plain


@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 4), st.booleans())
def test_a_value_that_weighs_twice_has_the_mid_rank_of_two_values(seed, size, resamples, shared):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (1 if shared else resamples, size)) / 3
    weights = rng.integers(0, 3, (resamples, size))
    found = weighted_ranks(order_of(values), weights.astype(float))
    for row, times in enumerate(weights):
        own = values[0 if shared else row]
        written = np.repeat(own, times).tolist()
        ranks = dict(zip(written, plain.ranks(written), strict=True))
        for value, weight, rank in zip(own.tolist(), times, found[row], strict=True):
            if weight:
                assert rank == ranks[value] - 0.5  # the first rank is 1 there and 1/2 here


def test_an_undefined_difference_has_the_rank_0_and_changes_no_other():
    # Absolute values 1, 2, 2 have the mid-ranks 1/2, 2 and 2 of three; nothing and NaN have no sign.
    found = signed_ranks(np.array([2.0, np.nan, -1.0, -2.0]))
    assert found.tolist() == [2.0, 0.0, -0.5, -2.0]
    assert signed_ranks(np.array([0.0, -3.0])).tolist() == [0.0, -1.5]


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 4))
def test_a_mean_counts_a_case_as_often_as_it_weighs_and_no_undefined_one(seed, cases, rows):
    rng = np.random.default_rng(seed)
    values = rng.random((2, 3, cases))
    values[rng.random(values.shape) < 0.3] = np.nan
    weights = rng.integers(0, 3, (rows, cases))
    found = weighted_means(values, weights.astype(float))
    assert found.shape == (2, 3, rows)
    for measure, system, row in np.ndindex(found.shape):
        written = np.repeat(values[measure, system], weights[row]).tolist()
        expected = plain.mean(written)
        assert found[measure, system, row] == pytest.approx(expected, abs=1e-12, nan_ok=True)
