"""Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz (ACL 2020): every number that the paper prints for its measure."""

import numpy as np
import pytest

import ordeval as oe

# Figure 1, left: section 3.1 gives 7 of 402 as reject, 105 and 90 as the two weak classes and 193 as undecided; the 7
# that remain are accept. Right: 10, 3 and 10 of 376 in the middle; how the other 353 are split is not printed.
REVIEWS = ["reject", "weak reject", "undecided", "weak accept", "accept"]
LEFT = [7, 105, 193, 90, 7]
RIGHT = [176, 10, 3, 10, 177]

# Appendix A, turned so that gold is in rows: the paper prints the systems' answers in rows.
A = np.array([[5, 5, 7], [1, 50, 8], [4, 5, 15]]).T
B = np.array([[7, 12, 4], [1, 45, 8], [2, 3, 18]]).T


def test_section_3_1_prints_the_proximity_of_two_weak_classes_in_both_distributions():
    gold, answer = REVIEWS.index("weak reject"), REVIEWS.index("weak accept")
    assert round(float(oe.proximity.from_counts(LEFT)[gold, answer]), 2) == 0.23
    assert round(float(oe.proximity.from_counts(RIGHT)[gold, answer]), 2) == 4.38


def test_section_3_1_prints_the_worth_of_a_rare_and_of_a_frequent_class():
    worth = oe.proximity.from_counts(LEFT).diagonal()
    assert round(float(worth[REVIEWS.index("reject")]), 2) == 6.84
    assert round(float(worth[REVIEWS.index("undecided")]), 2) == 2.06


def test_figure_1_sums_to_the_totals_that_the_paper_gives_and_labels_give_the_same_matrix():
    assert (sum(LEFT), sum(RIGHT)) == (402, 376)
    gold = np.repeat(REVIEWS, LEFT)
    by_label = oe.proximity(gold, labels=REVIEWS)
    assert np.array_equal(by_label, oe.proximity.from_counts(LEFT))


def test_in_figure_1_the_weak_classes_are_closer_on_the_right_whatever_the_ends_hold():
    for accept in (0, 1, 100, 353):
        ends = [353 - accept, 10, 3, 10, accept]
        assert round(float(oe.proximity.from_counts(ends)[1, 3]), 2) == 4.38


def test_appendix_a_prints_the_proximity_matrix():
    # The paper has the predicted class in rows, we have gold there.
    printed = np.array([[4.32, 0.62, 0.07], [1.32, 1.74, 0.74], [0.23, 0.42, 2.74]]).T
    assert np.array_equal(oe.proximity.from_counts([10, 60, 30]).round(2), printed)


@pytest.mark.parametrize(
    ("counts", "printed", "exact"), [(A, 0.71, 0.7117023174), (B, 0.76, 0.7596200662)]
)
def test_appendix_a_prints_the_two_systems(counts, printed, exact):
    value = oe.cem_ord.from_counts(counts)
    assert round(value, 2) == printed
    assert value == pytest.approx(exact, abs=5e-11)


def test_appendix_a_says_that_both_systems_have_the_same_accuracy():
    assert oe.accuracy.from_counts([A, B]).tolist() == [0.7, 0.7]


def test_proposition_1_accuracy_is_nominal_closeness_where_the_classes_are_equally_frequent():
    rng = np.random.default_rng(0)
    counts = rng.multinomial(12, [0.5, 0.2, 0.2, 0.1], size=(50, 4))  # 12 items of each gold class
    assert oe.cem_nom.from_counts(counts) == pytest.approx(oe.accuracy.from_counts(counts))


def test_appendix_b_counterexample_of_monotonicity_holds_for_classification_and_correlation():
    # M((1,2,3), (3,4,5)) = M((2,3,4), (3,4,5)) on the scale 1 to 5
    for name in ("accuracy", "macro_accuracy", "macro_f1", "pearson", "spearman", "kendall_tau_b"):
        scores = [
            oe.registry[name]([3, 4, 5], s, labels=range(1, 6)) for s in ([1, 2, 3], [2, 3, 4])
        ]
        assert scores[0] == pytest.approx(scores[1])
    assert oe.cem_ord([3, 4, 5], [2, 3, 4]) > oe.cem_ord([3, 4, 5], [1, 2, 3])


@pytest.mark.parametrize(
    ("name", "printed", "digits"),
    [
        ("accuracy", (0.75, 0.75), 2),
        ("accuracy_within", (1.0, 1.0), 2),
        ("mae", (0.25, 0.25), 2),  # the paper prints errors negated
        ("mse", (0.25, 0.25), 2),
        # cosine: (1+2+4+9)/sqrt(15*18) = 0.9737 and (1+1+4+6)/sqrt(15*10) = 0.9798, cut to three digits in print
        ("pearson", (0.85, 0.9), 2),
    ],
)
def test_appendix_b_prints_the_values_of_the_imbalance_counterexample(name, printed, digits):
    gold = [1, 1, 2, 3]
    found = [oe.registry[name](gold, s) for s in ([1, 2, 2, 3], [1, 1, 2, 2])]
    assert [round(value, digits) for value in found] == list(printed)


def test_appendix_b_prints_the_cosines_cut_to_three_digits():
    found = [oe.cosine([1, 1, 2, 3], s) for s in ([1, 2, 2, 3], [1, 1, 2, 2])]
    assert [int(value * 1000) / 1000 for value in found] == [0.973, 0.979]
