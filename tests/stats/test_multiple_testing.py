"""Corrections for many tests, by hand."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from ordeval.errors import ParameterError
from ordeval.stats import multiple_testing
from ordeval.stats.joint_draws import JointDraws, count_reached
from ordeval.stats.multiple_testing import adjusted, reached_at, read_correction


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
    assert [read_correction(name) for name in ("maxt", "holm", "bh", "none")] == [
        "maxt",
        "holm",
        "bh",
        "none",
    ]
    with pytest.raises(ParameterError) as refused:
        read_correction("sidak")
    assert (
        str(refused.value)
        == "correction='sidak' is not a choice; it is one of maxt, holm, bh, none."
    )


@pytest.mark.later
@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_corrections_are_those_of_statsmodels(ours, theirs):
    p = np.random.default_rng(0).random((5, 45)) ** 3
    p[0, :10] = 0.01  # ties
    expected = [multipletests(row, method=theirs)[1] for row in p]
    np.testing.assert_allclose(adjusted(p, ours), expected, rtol=1e-12)
    lost = np.concatenate([p, np.full((5, 3), np.nan)], axis=1)
    np.testing.assert_allclose(adjusted(lost, ours)[:, :45], expected, rtol=1e-12)
    assert np.isnan(adjusted(lost, ours)[:, 45:]).all()
    np.testing.assert_array_equal(adjusted(p, "none"), p)


def drawn(*stretches):
    """Return stretches of draws from |t|[draw, pair]."""
    return [[JointDraws(len(t), lambda which, t=t: t.T[which] ** 2)] for t in stretches]


def maximum_p(t, draws, *, exact):
    """Return the p-values of t[pair] by the step-down maximum."""
    reached = count_reached(reached_at(t[None]), draws, alone=False, largest=True)
    return multiple_testing.maximum_p(t[None], reached, exact=exact)[0]


def test_a_step_of_the_maximum_leaves_out_what_was_larger():
    """Of four draws the largest of all pairs reaches 3 once and that of the last two reaches 2 once."""
    draws = np.array([[3.0, 0.0, 0.0], [2.5, 0.5, 1.0], [0.0, 1.0, 2.0], [1.0, 0.5, 0.5]])
    t = np.array([-3.0, 2.0, np.nan])
    np.testing.assert_allclose(maximum_p(t, drawn(draws), exact=True), [1 / 4, 1 / 4, np.nan])
    # drawn and not counted: one more in both counts; and no p-value is below that of a larger difference
    np.testing.assert_allclose(
        maximum_p(t, drawn(draws[:2], draws[2:]), exact=False), [2 / 5, 2 / 5, np.nan]
    )
    t = np.array([3.0, 2.0, 1.0])
    # 3: once. 2 against the last two: once (2.0 in the third draw). 1 against the last alone: 1.0 and 2.0.
    np.testing.assert_allclose(maximum_p(t, drawn(draws), exact=True), [1 / 4, 1 / 4, 2 / 4])


@pytest.mark.parametrize("seed", range(4))
def test_the_maximum_is_never_more_cautious_than_holm_where_all_pairs_are_drawn_alike(seed):
    """Bonferroni's inequality, step by step; it needs that every pair has the same distribution."""
    rng = np.random.default_rng(seed)
    values = rng.exponential(1, 400)
    draws = np.stack([rng.permutation(values) for _ in range(12)], axis=1)
    t = rng.exponential(2.5, 12)
    alone = (draws >= t).mean(axis=0)
    assert (maximum_p(t, drawn(draws), exact=True) <= adjusted(alone, "holm") + 1e-12).all()


def test_pairs_that_are_drawn_as_one_need_no_correction():
    draws = np.random.default_rng(0).exponential(1, 400)
    t = np.array([2.0, 1.0, 3.0])
    alone = (draws[:, None] >= t).mean(axis=0)
    found = maximum_p(t, drawn(np.repeat(draws[:, None], 3, axis=1)), exact=True)
    np.testing.assert_allclose(found, alone)
