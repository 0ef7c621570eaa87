"""What an error costs: by hand, and against the paper's appendix A."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.cells import Scorer
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
    assert found.share[0, 1] == pytest.approx(1)
    assert found.lost == pytest.approx((2 - 0.678) / 10, abs=5e-5)
    assert found.worst == [(0, 1)]


def test_the_costs_of_appendix_a_are_the_differences_of_its_proximities():
    # Printed there: prox of negative to itself 4.32, neutral for it 1.32, positive for it 0.23; 1 and 4 items.
    found = costs([[[5, 1, 4], [5, 50, 5], [7, 8, 15]]], labels=["negative", "neutral", "positive"])
    assert found.bits[0, 1] == pytest.approx(1 * (4.32 - 1.32), abs=0.02)
    assert found.bits[0, 2] == pytest.approx(4 * (4.32 - 0.23), abs=0.05)
    assert found.lost == pytest.approx(1 - 0.7117023174)


def test_the_shares_add_up_to_all_that_the_score_lacks_averaged_over_cases():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, (7, 4, 4))
    found = costs(counts)
    assert found.share.sum() == pytest.approx(1)
    assert found.lost == pytest.approx(1 - oe.cem_ord.from_counts(counts).mean())


def test_an_unanswered_item_loses_the_bits_of_its_right_answer_and_is_named():
    # One of two items of the lower class is unanswered: it loses -log2(1 / 4) = 2 bits.
    found = costs([[[1, 0], [0, 2]]], missed=[[1, 0]], labels=["low", "high"])
    assert found.bits[0, 2] == pytest.approx(2)
    assert found.words(0, 2) == "'low' left unanswered once: 100% of all lost closeness"


def test_an_error_is_told_in_words_with_its_count_and_its_share():
    counts = [[[10, 0, 0], [0, 10, 0], [12, 0, 8]]]
    found = costs(counts, labels=["bad", "good", "very good"])
    assert found.words(2, 0) == "'very good' taken for 'bad' 12 times: 100% of all lost closeness"


def test_a_perfect_output_costs_nothing():
    found = costs([np.diag([3, 4, 5])])
    assert found.lost == 0
    assert found.worst == []


def test_a_case_without_items_counts_for_nothing():
    found = costs([[[1, 1, 0], [0, 1, 0], [0, 0, 1]], np.zeros((3, 3))])
    assert found.lost == pytest.approx((2 - 0.678) / 10, abs=5e-5)


def test_no_answer_loses_less_than_nothing():
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert (costs(rng.integers(0, 5, (3, 5, 5)) + np.eye(5)).bits >= 0).all()
