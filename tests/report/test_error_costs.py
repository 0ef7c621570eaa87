"""What an error costs: by hand, against the definition, and against the paper's appendix A."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.scorer import Scorer
from ordeval.inputs.policy import Policy
from ordeval.report.error_costs import error_costs
from ordeval.scale import Scale


def costs(counts, missed=None, labels=None, missing="zero"):
    """Costs of counts[case, gold, answer]."""
    counts = np.asarray(counts, dtype=float)
    k = counts.shape[-1]
    missed = np.zeros(counts.shape[:-1]) if missed is None else np.asarray(missed, dtype=float)
    cells = np.concatenate([counts, missed[..., None]], axis=-1)
    return error_costs(cells, Scorer({}, Scale(labels or range(k)), Policy(missing)))


def test_one_error_bears_the_whole_loss():
    # Gold 2, 1, 1: right answers are worth 2, 3 and 3 bits, class 1 given for class 0 -log2(2.5 / 4) = 0.678.
    found = costs([[[1, 1, 0], [0, 1, 0], [0, 0, 1]]])
    assert found.bits[0, 1] == pytest.approx(2 - 0.678, abs=5e-4)
    assert found.bits_each[0, 1] == pytest.approx(2 - 0.678, abs=5e-4)
    assert found.share[0, 1] == pytest.approx(1)
    assert found.most_costly == [(0, 1)]


def test_the_costs_of_appendix_a_are_the_differences_of_its_proximities():
    # Printed there: prox of negative to itself 4.32, neutral for it 1.32, positive for it 0.23; 1 and 4 items.
    found = costs([[[5, 1, 4], [5, 50, 5], [7, 8, 15]]], labels=["negative", "neutral", "positive"])
    assert found.bits[0, 1] == pytest.approx(1 * (4.32 - 1.32), abs=0.02)
    assert found.bits[0, 2] == pytest.approx(4 * (4.32 - 0.23), abs=0.05)
    assert found.bits_each[0, 2] == pytest.approx(4.32 - 0.23, abs=0.02)


def test_a_cell_bears_its_part_of_what_the_mean_score_lacks_to_1():
    """By the definition: the lost bits of a cell over the bits of a perfect output, averaged over cases."""
    counts = np.random.default_rng(0).integers(0, 9, (7, 4, 4))
    missing_score = 1 - oe.cem_ord.from_counts(counts).mean()
    found = costs(counts)
    part = np.zeros((4, 4))
    for case in counts:
        gold = case.sum(axis=1)
        bits = oe.metrics.closeness.proximity.from_counts(gold)
        perfect = sum(gold[g] * bits[g, g] for g in range(4))
        for g in range(4):
            for a in range(4):
                part[g, a] += case[g, a] * (bits[g, g] - bits[g, a]) / perfect / len(counts)
    assert found.share[:, :4] * missing_score == pytest.approx(part)
    assert found.share.sum() == pytest.approx(1)


def test_cases_weigh_alike_however_many_items_they_have():
    # Two classes, half of the items each: every error loses -log2(1/4) + log2(3/4) = log2(3) bits of the 2 that are
    # possible for each item. The first case has 1 error in 4 items, a quarter; the second 5 in 40, an eighth. So the
    # one error is 2/3 of the loss, although the five lose more bits.
    found = costs([[[1, 1], [0, 2]], [[20, 0], [5, 15]]])
    assert found.share[0, 1] == pytest.approx(2 / 3)
    assert found.share[1, 0] == pytest.approx(1 / 3)
    assert found.bits[1, 0] == pytest.approx(5 * np.log2(3))
    assert found.most_costly == [(0, 1), (1, 0)]


def test_an_error_that_costs_little_is_one_nevertheless():
    # One error against 300 of the same cost.
    found = costs([[[1000, 300], [1, 999]]])
    assert found.share[1, 0] < 0.01
    assert found.most_costly == [(0, 1), (1, 0)]
    assert found.sentence(1, 0) == "'1' taken for '0' once: under 1% of all lost closeness"


def test_an_unanswered_item_loses_the_bits_of_its_right_answer_and_is_named():
    # One of two items of the lower class is unanswered: it loses -log2(1 / 4) = 2 bits.
    found = costs([[[1, 0], [0, 2]]], missed=[[1, 0]], labels=["low", "high"])
    assert found.bits[0, 2] == pytest.approx(2)
    assert found.sentence(0, 2) == "'low' left unanswered once: 100% of all lost closeness"


def test_an_unanswered_item_counts_as_the_farther_end_if_the_policy_says_so():
    found = costs([[[1, 0, 0], [0, 2, 0], [0, 0, 1]]], missed=[[1, 0, 0]], missing="farthest")
    assert found.count[0].tolist() == [1, 0, 1, 0]
    assert found.most_costly == [(0, 2)]


def test_an_error_that_happened_twice_is_told_with_its_number():
    found = costs([[[1, 2], [0, 3]]], labels=["low", "high"])
    assert found.sentence(0, 1) == "'low' taken for 'high' 2 times: 100% of all lost closeness"


def test_an_error_is_told_in_words_with_its_count_and_its_share():
    counts = [[[10, 0, 0], [0, 10, 0], [12, 0, 8]]]
    found = costs(counts, labels=["bad", "good", "very good"])
    assert (
        found.sentence(2, 0) == "'very good' taken for 'bad' 12 times: 100% of all lost closeness"
    )


def test_the_summary_has_the_shares_of_right_answers_and_of_those_one_class_off_either_way():
    # Of 20 items 9 are right; 3 are one class too high, 2 one too low; 4 are two classes off and 2 unanswered.
    counts = [[[3, 2, 3], [1, 4, 1], [1, 1, 2]]]
    found = costs(counts, missed=[[1, 0, 1]])
    assert found.count.sum() == 20
    assert found.summary == "45% right, 25% one class off"
    assert found.share_off_by(2) == pytest.approx(4 / 20)


def test_a_perfect_output_costs_nothing():
    found = costs([np.diag([3, 4, 5])])
    assert not found.bits.any()
    assert not found.share.any()
    assert found.most_costly == []
    assert found.summary == "100% right, 0% one class off"


def test_a_case_without_items_counts_for_nothing():
    alone = costs([[[1, 1, 0], [2, 1, 0], [0, 0, 1]]])
    beside = costs([[[1, 1, 0], [2, 1, 0], [0, 0, 1]], np.zeros((3, 3))])
    assert beside.share == pytest.approx(alone.share)


def test_where_all_items_are_left_out_nothing_is_lost():
    found = costs(np.zeros((2, 3, 3)))
    assert found.most_costly == []
    assert found.summary == "0% right, 0% one class off"


def test_no_answer_loses_less_than_nothing():
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert (costs(rng.integers(0, 5, (3, 5, 5)) + np.eye(5)).bits >= 0).all()


def test_parts_of_items_are_told_to_three_digits():
    found = costs([[[1, 33.0824, 0], [0, 1, 0], [0, 0, 12_345]]])
    assert "'0' taken for '1' 33.1 times" in found.sentence(0, 1)
    assert "12,345 times" in found.sentence(2, 2)
