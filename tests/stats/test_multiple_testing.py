"""Corrections for many tests, by hand."""

import numpy as np
import pytest

from ordeval.errors import ParameterError
from ordeval.stats.multiple_testing import adjusted, read_correction


def test_holm_multiplies_by_the_tests_that_are_left_and_never_descends():
    """0.01 * 3, 0.02 * 2 and 0.3 * 1; then 0.04 * 3 = 0.12, and 0.05 * 2 = 0.10 is raised to it."""
    np.testing.assert_allclose(adjusted(np.array([0.3, 0.01, 0.02]), "holm"), [0.3, 0.03, 0.04])
    np.testing.assert_allclose(adjusted(np.array([0.05, 0.04, 0.9]), "holm"), [0.12, 0.12, 0.9])


def test_benjamini_and_hochberg_divide_by_the_rank_and_never_descend():
    """0.01 * 3 / 1 = 0.03, 0.02 * 3 / 2 = 0.03, 0.3; then 0.04 * 3 = 0.12 is lowered to 0.05 * 3 / 2 = 0.075."""
    np.testing.assert_allclose(adjusted(np.array([0.3, 0.01, 0.02]), "bh"), [0.3, 0.03, 0.03])
    np.testing.assert_allclose(adjusted(np.array([0.05, 0.04, 0.9]), "bh"), [0.075, 0.075, 0.9])


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_no_adjusted_p_value_is_above_1_and_rows_do_not_mix(correction):
    found = adjusted(np.array([[0.6, 0.7, 0.8], [0.001, 0.6, 0.9]]), correction)
    assert found.max() <= 1.0
    np.testing.assert_allclose(found[1, 0], 0.003)
    if correction == "holm":
        assert found[0].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_a_pair_without_a_p_value_is_no_test(correction):
    found = adjusted(np.array([np.nan, 0.02, np.nan, 0.01]), correction)
    np.testing.assert_allclose(found, [np.nan, 0.02, np.nan, 0.02])
    assert np.isnan(adjusted(np.array([np.nan, np.nan]), correction)).all()


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_no_pairs_have_no_p_values(correction):
    assert adjusted(np.zeros((2, 0)), correction).shape == (2, 0)


def test_a_correction_that_does_not_exist_is_refused_with_those_that_do():
    assert [read_correction(name) for name in ("holm", "bh", "none")] == ["holm", "bh", "none"]
    with pytest.raises(ParameterError) as refused:
        read_correction("sidak")
    assert str(refused.value) == "correction='sidak' is no choice; it is one of holm, bh, none."
