"""The estimators behind a correction: sums worked by hand, published numbers, and what happens at the edges."""

import math

import numpy as np
import pytest

from ordeval.judge.method_names import (
    HUMAN,
    NAIVE,
    POSTSTRATIFIED,
    PPI,
    PPI_TUNED,
    ROGAN_GLADEN,
)
from ordeval.judge.methods import MarkSums, estimates_by, merged_strata, tuned_lambda
from ordeval.stats.distributions import normal_quantile

# What llm_judge_reporting, the implementation of Lee et al. (2025), returns, as its port to R keeps it to be tested
# against (github.com/jansim/LLM-judge-repoRting, tests/testthat/fixtures). p is the share that the judge calls correct,
# q0 its specificity and q1 its sensitivity; then the sizes, alpha, the ends, and the point estimate.
LEE = [
    (0.4, 0.7, 0.9, 1000, 200, 200, 0.05, 0.05635072484160894, 0.2627330257859588, 0.1666666666666668),
    (0.5, 0.8, 0.8, 500, 100, 100, 0.05, 0.3799746588561528, 0.6200253411438469, 0.5),
    (0.62, 0.85, 0.93, 2000, 150, 350, 0.05, 0.5544774781496563, 0.6456327845409667, 0.6025641025641025),
    (0.1, 0.95, 0.6, 300, 50, 80, 0.1, 0.0, 0.17813731660303905, 0.09090909090909102),
    (0.9, 0.6, 0.99, 10000, 1000, 1000, 0.01, 0.8273348478706124, 0.8686713102464316, 0.8474576271186443),
    (0.05, 0.9, 0.9, 1000, 200, 200, 0.05, 0.0, 0.0, 0.0),
    (0.97, 0.9, 0.9, 1000, 200, 200, 0.05, 1.0, 1.0, 1.0),
    (0.3333, 0.777, 0.888, 123, 45, 67, 0.2, 0.012521172499902977, 0.2816724189695818, 0.16586466165413544),
    (0.0, 1.0, 1.0, 50, 10, 10, 0.05, 0.0, 0.09568563633822108, 0.0),
    (1.0, 1.0, 1.0, 50, 10, 10, 0.05, 0.9043143636617791, 1.0, 1.0),
]  # fmt: skip


def quantile(level):
    return float(normal_quantile(np.array((1 + level) / 2)))


@pytest.mark.parametrize("published", LEE)
def test_rogan_gladen_of_two_classes_is_as_published(published):
    p, q0, q1, size, below, above, alpha, low, high, point = published
    counts = np.array([[q0 * below, (1 - q0) * below], [(1 - q1) * above, q1 * above]])
    sums = MarkSums.of_counts(counts, np.array([(1 - p) * size, p * size]), np.array([0.0, 1.0]))
    found = estimates_by(ROGAN_GLADEN, sums, quantile(1 - alpha))
    # the share of the upper class, and, on the values 0 and 1, the mean
    for at in (1, 2):
        ours = found.value[at], found.low[at], found.high[at]
        assert ours == pytest.approx((point, low, high), rel=1e-9, abs=1e-9)
    assert found.value[0] == pytest.approx(1 - point)
    assert (found.low[0], found.high[0]) == pytest.approx((1 - high, 1 - low), rel=1e-9, abs=1e-9)


# Humans gave 1 four times and 2 six times; the judge agrees on three of the former and on four of the latter, and gives
# five other items 1 and fifteen 2.
COUNTS = np.array([[3, 1], [2, 4]])
SUMS = MarkSums.of_counts(COUNTS, np.array([5, 15]), np.array([1.0, 2.0]))


def test_the_judge_as_it_stands_is_its_share_among_all_items():
    found = estimates_by(NAIVE, SUMS, 2.0)
    # 10 of 30 items are 1: the mean is 2 - 1/3, the variance 1/3 * 2/3 = 2/9, its error sqrt(2 / 9 / 30)
    assert found.value == pytest.approx([1 / 3, 2 / 3, 5 / 3])
    assert found.error == pytest.approx([math.sqrt(2 / 270)] * 3)
    assert found.low[2] == pytest.approx(5 / 3 - 2 * math.sqrt(2 / 270))


def test_the_human_marks_alone_are_their_mean():
    found = estimates_by(HUMAN, SUMS, 2.0)
    # 4 of 10, variance 0.24
    assert found.value == pytest.approx([0.4, 0.6, 1.6])
    assert found.error == pytest.approx([math.sqrt(0.024)] * 3)


def test_ppi_adds_what_humans_give_more_than_the_judge():
    found = estimates_by(PPI, SUMS, 2.0)
    # The judge gives the others 1.75, and the marked 1.5 where humans give 1.6: 1.75 + 0.1. Human minus judge is 1
    # twice, -1 once and else 0: variance 0.3 - 0.01 = 0.29, over 10; the judge's own variance 0.1875, over 20.
    assert found.value == pytest.approx([0.15, 0.85, 1.85])
    assert found.error == pytest.approx([math.sqrt(0.029 + 0.009375)] * 3)


def test_ppi_tuned_weighs_the_judge_by_its_covariance_with_the_humans():
    # Covariance: the mean product of the marks of upper class, 0.4, minus 0.6 * 0.5: 0.1. Variance of all 30 marks of
    # the judge: 2/9 * 30/29. The weight is 0.1 / ((1 + 10/20) * 60/261).
    weight = 0.1 / (1.5 * 60 / 261)
    assert tuned_lambda(SUMS) == pytest.approx([weight] * 3)
    found = estimates_by(PPI_TUNED, SUMS, 2.0)
    # Human minus weight times judge has the variance 0.24 - 2 * weight * 0.1 + weight^2 * 0.25.
    error = math.sqrt((0.24 - 0.2 * weight + 0.25 * weight**2) / 10 + weight**2 * 0.1875 / 20)
    assert found.value[2] == pytest.approx(1.6 + weight * 0.25)
    assert found.error == pytest.approx([error] * 3)


def test_poststratification_weighs_the_humans_means_by_the_marks_of_the_judge():
    found = estimates_by(POSTSTRATIFIED, SUMS, 2.0)
    # Of the judge's 1, a third of all items, humans give 2/5 a 2; of its 2, 4/5: 1/3 * 2/5 + 2/3 * 4/5 = 2/3. Within:
    # 5 * 0.24 / 4 = 0.3 and 5 * 0.16 / 4 = 0.2; between: 1/3 * (4/15)^2 + 2/3 * (2/15)^2 = 24/675.
    assert found.value == pytest.approx([1 / 3, 2 / 3, 5 / 3])
    variance = (1 / 9) * 0.3 / 5 + (4 / 9) * 0.2 / 5 + 24 / 675 / 30
    assert found.error == pytest.approx([math.sqrt(variance)] * 3)


def test_rogan_gladen_of_three_classes_inverts_what_the_judge_does():
    # Shares of 0.2, 0.3 and 0.5 become, by these rows, the margin below, exactly.
    rows = np.array([[0.8, 0.2, 0.0], [0.1, 0.7, 0.2], [0.0, 0.3, 0.7]])
    counts = rows * np.array([[50], [60], [70]])
    margin = np.array([0.2, 0.3, 0.5]) @ rows
    sums = MarkSums.of_counts(counts, margin * 1000, np.array([1.0, 2.0, 4.0]))
    found = estimates_by(ROGAN_GLADEN, sums, quantile(0.95))
    assert found.value == pytest.approx([0.2, 0.3, 0.5, 0.2 + 0.6 + 2.0])
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()


def test_the_error_of_rogan_gladen_is_that_of_many_samples():
    rng = np.random.default_rng(5)
    rows = np.array([[0.8, 0.15, 0.05], [0.1, 0.7, 0.2], [0.05, 0.25, 0.7]])
    shares = np.array([0.25, 0.35, 0.4])
    joint = shares[:, None] * rows
    marked = rng.multinomial(3000, joint.ravel(), 1000).reshape(-1, 3, 3)
    others = rng.multinomial(30_000, joint.sum(axis=0), 1000)
    found = [
        estimates_by(ROGAN_GLADEN, MarkSums.of_counts(a, b, np.arange(3.0)), 1.96)
        for a, b in zip(marked, others, strict=True)
    ]
    spread = np.std([one.value for one in found], axis=0)
    assert np.mean([one.error for one in found], axis=0) == pytest.approx(spread, rel=0.08)


def test_a_class_of_the_judge_with_fewer_than_two_human_marks_goes_with_the_nearest():
    # The judge's 1 has one item with a human mark and its 4 none: nearest to them are 2 and, by value, 10.
    counts = np.zeros((4, 4))
    counts[0, 0], counts[1, 1], counts[2, 2] = 1, 5, 5
    sums = MarkSums.of_counts(counts, np.array([1, 1, 1, 3]), np.array([1.0, 2.0, 10.0, 12.0]))
    assert merged_strata(sums).tolist() == [1, 1, 2, 2]
    found = estimates_by(POSTSTRATIFIED, sums, 2.0)
    # the strata have 1 + 5 + 2 and 5 + 4 of 17 items; humans give 11/6 in the first and 10 in the second
    assert found.value[4] == pytest.approx(8 / 17 * 11 / 6 + 9 / 17 * 10)


def test_without_two_marks_in_any_class_of_the_judge_there_is_one_stratum():
    sums = MarkSums.of_counts(np.eye(3), np.array([4, 4, 9]), np.arange(3.0))
    assert len(set(merged_strata(sums).tolist())) == 1
    assert estimates_by(POSTSTRATIFIED, sums, 2.0).value[3] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("counts", "others", "word"),
    [
        ([[5, 5], [5, 5]], [5, 5], "singular"),
        ([[10, 0], [10, 0]], [20, 0], "singular"),  # a constant judge
        ([[0, 0], [3, 7]], [5, 5], "errors there are not known"),
        ([[0, 0], [0, 7]], [0, 9], "one class"),
    ],
)
def test_a_judge_that_cannot_be_inverted_leaves_rogan_gladen_undefined_with_a_reason(
    counts, others, word
):
    sums = MarkSums.of_counts(np.array(counts), np.array(others), np.array([0.0, 1.0]))
    found = estimates_by(ROGAN_GLADEN, sums, 1.96)
    assert np.isnan(found.value).all()
    assert word in found.reason
    for other in (NAIVE, PPI, PPI_TUNED, POSTSTRATIFIED, HUMAN):
        assert np.isfinite(estimates_by(other, sums, 1.96).value).all()


def test_a_constant_judge_has_no_weight():
    sums = MarkSums.of_counts(np.array([[4, 0], [6, 0]]), np.array([20, 0]), np.array([1.0, 2.0]))
    assert tuned_lambda(sums).tolist() == [0, 0, 0]
    ours, alone = (estimates_by(name, sums, 1.96) for name in (PPI_TUNED, HUMAN))
    assert ours.value == pytest.approx(alone.value)
    assert ours.error == pytest.approx(alone.error)


def test_a_judge_that_always_agrees_leaves_ppi_the_error_of_its_own_sample():
    sums = MarkSums.of_counts(
        np.diag([30, 50, 20]), np.array([1, 2, 7]), np.array([1e6, 1e6 + 1, 1e6 + 2])
    )
    found = estimates_by(PPI, sums, 1.96)
    # 0.1, 0.2 and 0.7 of ten items: mean 1.6, variance 0.2 + 2.8 - 2.56 = 0.44
    assert found.value[3] == pytest.approx(1e6 + 1.6, abs=1e-9)
    assert found.error[3] == pytest.approx(math.sqrt(0.044), rel=1e-12)


def test_classes_that_nobody_uses_change_no_method():
    small = MarkSums.of_counts(COUNTS, np.array([5, 15]), np.array([1.0, 2.0]))
    wide = np.zeros((4, 4))
    wide[np.ix_([1, 3], [1, 3])] = COUNTS
    large = MarkSums.of_counts(wide, np.array([0, 5, 0, 15]), np.array([0.0, 1.0, 1.5, 2.0]))
    for method in (NAIVE, ROGAN_GLADEN, PPI, PPI_TUNED, POSTSTRATIFIED, HUMAN):
        ours, theirs = (estimates_by(method, sums, 1.96) for sums in (large, small))
        assert ours.value[[1, 3, 4]] == pytest.approx(theirs.value)
        assert ours.error[[1, 3, 4]] == pytest.approx(theirs.error)
        assert ours.value[[0, 2]] == pytest.approx([0, 0])
