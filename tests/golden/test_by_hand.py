"""Small cases worked by hand from the definitions: golden numbers that need no data beside the checkout.

Bits are -log2(mass / N), with the mass between answer and gold class as section 3 of the paper defines it.
"""

from math import log2

import numpy as np
import pytest

import ordeval as oe

# One item of the lowest class, two of the middle, one of the highest: N = 4.
#   a right answer: lowest and highest -log2(0.5 / 4) = 3 bits, middle -log2(1 / 4) = 2; all four 3 + 2 + 2 + 3 = 10
#   lowest answered middle: mass 2/2 + 1 = 2, so 1 bit
#   middle answered lowest (or highest): mass 1/2 + 2 = 2.5, so -log2(2.5 / 4) = log2(1.6) bits
#   highest answered lowest: mass 1/2 + 2 + 1 = 3.5, so log2(8 / 7) bits
GOLD = [1, 2, 2, 3]

CLOSENESS = [
    # all right, and all right but for one middle item that is called lowest
    ("cem_ord", [1, 2, 2, 3], 1.0),
    ("cem_ord", [1, 1, 2, 3], (3 + log2(1.6) + 2 + 3) / 10),
    # each item at the other end, the middle ones at the lower
    ("cem_ord", [3, 1, 1, 1], (log2(8 / 7) + 2 * log2(1.6) + log2(8 / 7)) / 10),
    # lowest called middle, one middle item right, no answer to the other two: they earn nothing and still count
    ("cem_ord", [2, 2, None, None], (1 + 2) / 10),
    ("cem_ord", [1, None, None, 3], (3 + 3) / 10),
    ("cem_ord", [None, None, None, None], 0.0),
    # nominal: a right answer has the bits of its class, -log2(1/4) = 2, -log2(2/4) = 1, 2, and a wrong one none
    ("cem_nom", [1, 1, 2, 3], (2 + 0 + 1 + 2) / 6),
    ("cem_nom", [2, 2, None, None], 1 / 6),
    # interval: both neighbours are as near to the middle class as the answer is, so lowest for middle is 4 - 0.5 of 4
    ("cem_int", [1, 1, 2, 3], (3 + log2(8 / 7) + 2 + 3) / 10),
    ("cem_int", [2, 2, None, None], (1 + 2) / 10),
    # flat: 1 - mass / N is 7/8, 3/4, 3/4 and 7/8 for right answers, 13/4 in all; lowest called middle is 1 - 2/4
    ("cem_ord_flat", [1, 2, 2, 3], 1.0),
    ("cem_ord_flat", [2, 2, None, None], (1 / 2 + 3 / 4) / (13 / 4)),
]


@pytest.mark.parametrize(("name", "predicted", "worked"), CLOSENESS)
def test_closeness_of_four_items_with_nothing_for_a_missing_answer(name, predicted, worked):
    value = oe.registry[name](GOLD, predicted, labels=[1, 2, 3], missing="zero")
    assert value == pytest.approx(worked, abs=1e-12)


def test_closeness_of_four_items_comes_out_of_one_batch_of_tables():
    cases = [(predicted, worked) for name, predicted, worked in CLOSENESS if name == "cem_ord"]
    tables = [
        oe.Table.from_labels(GOLD, predicted, labels=[1, 2, 3], missing="zero")
        for predicted, _ in cases
    ]
    counts, unanswered = (
        np.stack([getattr(table, part) for table in tables]) for part in ("counts", "unanswered")
    )
    batch = oe.cem_ord.from_counts(counts, unanswered=unanswered)
    assert batch == pytest.approx([worked for _, worked in cases], abs=1e-12)


def test_closeness_under_the_other_policies_for_a_missing_answer():
    predicted = [2, 2, None, None]
    # farthest: the middle item is as far from both ends and takes the lower, the highest takes the lowest
    farthest = oe.cem_ord(GOLD, predicted, labels=[1, 2, 3], missing="farthest")
    assert farthest == pytest.approx((1 + 2 + log2(1.6) + log2(8 / 7)) / 10, abs=1e-12)
    # drop: one lowest and one middle item are left, each -log2(0.5 / 2) = 2 bits when right; lowest called middle has
    # the mass 0.5 + 1 of 2
    dropped = oe.cem_ord(GOLD, predicted, labels=[1, 2, 3], missing="drop")
    assert dropped == pytest.approx((log2(2 / 1.5) + 2) / 4, abs=1e-12)


def test_closeness_with_the_class_counts_of_a_training_set():
    # reference 2, 1, 1: right answers have -log2(1/4) = 2, -log2(0.5/4) = 3, 3 bits; lowest called middle has the mass
    # 0.5 + 2 of 4
    value = oe.cem_ord(GOLD, [2, 2, None, 3], labels=[1, 2, 3], missing="zero", reference=[2, 1, 1])
    assert value == pytest.approx((log2(1.6) + 3 + 0 + 3) / (2 + 3 + 3 + 3), abs=1e-12)


def test_closeness_of_two_even_classes():
    # n = 2, 2: right answers have -log2(1/4) = 2 bits, wrong ones -log2(3/4)
    gold, predicted = ["low", "low", "high", "high"], ["low", None, "high", "low"]
    value = oe.cem_ord(gold, predicted, labels=["low", "high"], missing="zero")
    assert value == pytest.approx((2 + 0 + 2 + log2(4 / 3)) / 8, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "worked"),
    [
        ("accuracy", 1 / 4),
        ("macro_accuracy", (0 + 1 / 2 + 0) / 3),
        ("min_sensitivity", 0.0),
        # the largest error possible for the gold class: 1 for the middle one, 2 for the highest
        ("mae", (1 + 0 + 1 + 2) / 4),
        ("mse", (1 + 0 + 1 + 4) / 4),
        ("macro_mae", (1 + (0 + 1) / 2 + 2) / 3),
        ("max_mae", 2.0),
    ],
)
def test_classification_and_error_of_four_items_of_which_two_have_no_answer(name, worked):
    value = oe.registry[name](GOLD, [2, 2, None, None], labels=[1, 2, 3], missing="zero")
    assert value == pytest.approx(worked, abs=1e-12)


# --- the path measures: of all ways through the table from the first cell to the last, the cheapest

# Two gold classes of four, one of the lower called higher: N = 8, D = 1, b = beta / 8. The straight way keeps 7 items,
# 1 - 7/9 = 2/9; the way over the wrong cell keeps all 8 and pays b: 1/9 + beta/8.
EVEN = [[3, 1], [0, 4]]
# Gold 2 and 8, one of the two called higher. OCI: N = 10, D = 1, straight 1 - 9/11 = 2/11, over the wrong cell
# 1 - 10/11 + beta/10. UOC: shares (1/2, 1/2), (0, 1), D = 1/2, straight 1 - 1.5/2.5 = 2/5, over 1 - 2/2.5 + beta/4.
UNEVEN = [[1, 1], [0, 8]]
# A class in the middle with no gold. OCI: N = 9, D = 2, straight 1 - 7/11, over the wrong cell 1 - 9/11 plus
# 2 beta / (9 * 2). UOC: two gold classes with the shares of UNEVEN.
GAP = [[2, 2, 0], [0, 0, 0], [0, 0, 5]]
# Every item wrong: N = D = 8. Straight 1; over a wrong cell 1 - 4/16 + 4 beta/8.
SWAPPED = [[0, 4], [4, 0]]


@pytest.mark.parametrize(
    ("counts", "beta", "worked"),
    [
        (EVEN, 0.75, 1 / 9 + 3 / 32),
        (EVEN, 0.25, 1 / 9 + 1 / 32),
        (EVEN, 1.0, 2 / 9),  # 1/9 + 1/8 is dearer than the straight way
        (UNEVEN, 0.75, 1 / 11 + 3 / 40),
        (UNEVEN, 1.0, 2 / 11),  # 1/11 + 1/10 is dearer
        (GAP, 0.75, 2 / 11 + 1 / 12),
        (SWAPPED, 0.75, 1.0),  # 3/4 + 3/8 is dearer
        (SWAPPED, 0.25, 3 / 4 + 1 / 8),
        (np.diag([1, 2, 3]), 0.75, 0.0),
    ],
)
def test_the_ordinal_classification_index_of_small_tables(counts, beta, worked):
    value = oe.ordinal_classification_index.from_counts(counts, beta=beta)
    assert value == pytest.approx(worked, abs=1e-12)


def test_the_exponent_of_the_ordinal_classification_index():
    # four of 16 items two classes off: D is 8 with the exponent 1 and sqrt(4 * 2^2) = 4 with 2; the straight way keeps
    # 12, so 1 - 12/24 and 1 - 12/20, and the way over the corner keeps as many and pays
    counts = [[0, 0, 4], [0, 4, 0], [0, 0, 8]]
    index = oe.ordinal_classification_index
    assert index.from_counts(counts) == pytest.approx(1 / 2, abs=1e-12)
    assert index.from_counts(counts, gamma=2) == pytest.approx(2 / 5, abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "quarter", "three_quarters", "area"),
    [
        # shares (3/4, 1/4), (0, 1): the ways cost 2/9 and 1/9 + beta/8, which meet at beta = 8/9. The area is
        # 1/9 * 8/9 + (8/9)^2 / 16 up to there and 2/9 * 1/9 after it
        (EVEN, 1 / 9 + 1 / 32, 1 / 9 + 3 / 32, 14 / 81),
        # 2/5 and 1/5 + beta/4 meet at 4/5: 1/5 * 4/5 + (4/5)^2 / 8 + 2/5 * 1/5
        (UNEVEN, 1 / 5 + 1 / 16, 1 / 5 + 3 / 16, 8 / 25),
        (GAP, 1 / 5 + 1 / 16, 1 / 5 + 3 / 16, 8 / 25),
        # D = 2: straight 1, over a wrong cell 1 - 1/4 + beta/2, which meet at 1/2: 3/4 * 1/2 + 1/16 + 1/2
        (SWAPPED, 3 / 4 + 1 / 8, 1.0, 15 / 16),
        (np.diag([1, 2, 3]), 0.0, 0.0, 0.0),
    ],
    ids=["even", "uneven", "gap", "swapped", "right"],
)
def test_the_uniform_indices_of_small_tables_and_their_areas(counts, quarter, three_quarters, area):
    index = oe.uniform_ordinal_index
    assert index.from_counts(counts, beta=0.25) == pytest.approx(quarter, abs=1e-12)
    assert index.from_counts(counts) == pytest.approx(three_quarters, abs=1e-12)
    assert oe.auoc.from_counts(counts) == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "worked"),
    [
        ("ordinal_classification_index", 1 / 9 + 3 / 32),
        ("uniform_ordinal_index", 1 / 9 + 3 / 32),
        ("auoc", 14 / 81),
        # agreement: observed 7/8, by chance 4/8 * 3/8 + 4/8 * 5/8 = 1/2
        ("weighted_kappa", 3 / 4),
        # correlation: 3 * 4 concordant pairs and none discordant, of 16 apart in gold and 15 in the answers
        ("kendall_tau_b", 12 / 240**0.5),
    ],
)
def test_path_agreement_and_correlation_see_the_farthest_class_in_place_of_a_missing_answer(
    name, worked
):
    """The table is EVEN once the one missing answer to the lower class is taken as the higher."""
    gold, predicted = [0] * 4 + [1] * 4, [0, 0, 0, None, 1, 1, 1, 1]
    value = oe.registry[name](gold, predicted, labels=[0, 1], missing="zero")
    assert value == pytest.approx(worked, abs=1e-9)
