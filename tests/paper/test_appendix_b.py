"""Amigó et al. 2020, section 4.1 and appendix B: the examples, with the values that are printed there."""

import math

import pytest

import ordeval as oe

CLASSIFICATION = ["accuracy", "macro_accuracy", "macro_f1"]
CORRELATION = [
    "pearson", "spearman", "kendall_tau_a", "kendall_tau_b", "reliability", "sensitivity", "reliability_sensitivity",
]  # fmt: skip
ERRORS = ["mae", "mse", "macro_mae", "macro_mse", "threshold_loss", "cosine"]
FIVE = [1, 2, 3, 4, 5]


def printed(value, decimals):
    """The paper cuts its decimals off: 0.9798 is printed as 0.979."""
    return math.floor(value * 10**decimals) / 10**decimals


@pytest.mark.parametrize("name", CLASSIFICATION + CORRELATION)
def test_appendix_b_monotonicity_both_outputs_score_alike(name):
    measure = oe.registry[name]
    farther = measure([3, 4, 5], [1, 2, 3], labels=FIVE)
    nearer = measure([3, 4, 5], [2, 3, 4], labels=FIVE)
    assert farther == pytest.approx(nearer)


def test_appendix_b_monotonicity_does_not_say_what_it_wants_of_two_measures():
    # Within 1: all three answers go from two places off to one. Kappa: nothing agrees, and by chance 1/9 would, then
    # 2/9: -1/8, then -2/7.
    pairs = [([3, 4, 5], [1, 2, 3]), ([3, 4, 5], [2, 3, 4])]
    assert [oe.accuracy_within(*pair, labels=FIVE) for pair in pairs] == [0, 1]
    assert [oe.cohen_kappa(*pair, labels=FIVE) for pair in pairs] == pytest.approx([-1 / 8, -2 / 7])


@pytest.mark.parametrize("name", [*ERRORS, "pearson"])
def test_appendix_b_invariance_fails_under_ten_plus_the_cube(name):
    measure = oe.registry[name]
    cubes = [10 + x**3 for x in FIVE]
    before = measure([3, 4, 5], [1, 2, 3], labels=FIVE)
    after = measure(
        [cubes[i - 1] for i in (3, 4, 5)], [cubes[i - 1] for i in (1, 2, 3)], labels=cubes
    )
    assert abs(before - after) > 1e-3


@pytest.mark.parametrize(
    "name", ["cem_ord", "cem_nom", "accuracy", "spearman", "kendall_tau_b", "purity"]
)
def test_section_4_1_the_example_of_invariance(name):
    # f(x) = 10 x + x^2 takes 1, 2, 3 to 11, 24, 39.
    measure = oe.registry[name]
    plain = measure([1, 2, 3], [1, 2, 2], labels=[1, 2, 3])
    assert measure([11, 24, 39], [11, 24, 24], labels=[11, 24, 39]) == pytest.approx(
        plain, abs=1e-12
    )


# The error in the large class, then that in the small one; the paper negates errors.
@pytest.mark.parametrize(
    ("name", "large", "small", "decimals"),
    [
        ("accuracy", 3 / 4, 3 / 4, 2),
        ("accuracy_within", 1, 1, 2),
        ("mae", 1 / 4, 1 / 4, 2),
        ("mse", 1 / 4, 1 / 4, 2),
        ("cosine", 0.973, 0.979, 3),
        ("pearson", 0.85, 0.9, 2),
    ],
)
def test_appendix_b_imbalance_prints_these_values(name, large, small, decimals):
    measure = oe.registry[name]
    assert printed(measure([1, 1, 2, 3], [1, 2, 2, 3]), decimals) == pytest.approx(large)
    assert printed(
        measure([1, 1, 2, 3], [1, 1, 2, 2], labels=[1, 2, 3]), decimals
    ) == pytest.approx(small)


def test_appendix_b_imbalance_holds_for_closeness():
    large = oe.cem_ord([1, 1, 2, 3], [1, 2, 2, 3])
    small = oe.cem_ord([1, 1, 2, 3], [1, 1, 2, 2], labels=[1, 2, 3])
    assert large > small
