"""Drift between two samples that share no items: distances of margins, and how likely they are by chance."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.drift import drift_of


def table(gold, predicted=None, **options):
    answers = gold if predicted is None else predicted
    return oe.Table.from_labels(gold, answers, labels=[1, 2, 3], **options)


def test_the_distances_are_those_of_the_two_margins():
    """The shares (1/2, 1/4, 1/4) and (1/4, 1/2, 1/4) are those of the examples of both measures: 1/8 and 0.2282."""
    before, after = table([1, 1, 2, 3]), table([1, 2, 2, 3] * 5)
    drift = oe.gate(before, after).drift
    for shift in drift.shifts:
        assert shift.nmd == pytest.approx(0.125)
        assert shift.rnod == pytest.approx((5 / 96) ** 0.5)


def test_the_baseline_stands_in_the_place_of_gold():
    """Only classes that occur in the baseline are counted, so the divergence depends on the direction.

    From (1, 0, 0) to (1/2, 0, 1/2): from class 1 the distances are 0, 1, 2: 2 / 4, over K - 1 = 2. The other way round
    classes 1 and 3 both see 2 / 4: the same. From (1, 0, 0) to (0, 1/2, 1/2): 1/4 + 2/4, over 2; back, class 2 sees
    1 + 1/4 and class 3 sees 2 + 1/4: their mean, 7/4, over 2.
    """
    one, two = table([1, 1]), table([2, 3])
    assert oe.gate(one, two).drift.gold.rnod == pytest.approx((0.75 / 2) ** 0.5)
    assert oe.gate(two, one).drift.gold.rnod == pytest.approx((1.75 / 2) ** 0.5)


def test_gold_and_answers_are_told_apart():
    gold = [1, 2, 3] * 100
    before, after = table(gold), table(gold, [2] * 300)
    drift = oe.gate(before, after).drift
    assert (drift.gold.nmd, drift.gold.p) == (pytest.approx(0), 1)
    assert drift.predicted.p == 1 / 10_000  # no draw of 9,999 is as far
    assert "The gold labels do not differ significantly" in drift.sentence()
    assert "the answers differ significantly in their class shares (p < 0.001)" in drift.sentence()


def test_p_is_the_share_of_the_ways_to_deal_the_items_out():
    """Of the six ways to deal out two items of class 1 and two of class 3, two put them apart."""
    drift = oe.gate(table([1, 1]), table([3, 3])).drift
    assert drift.gold.p == pytest.approx(1 / 3, abs=0.02)  # of 9,999 draws the error is 0.005
    # one of class 1 beside three of class 3: the first sample holds it in half of the ways, always as far
    assert oe.gate(table([1, 3]), table([3, 3])).drift.gold.p == 1


def test_equal_sources_are_rarely_told_apart():
    """Of 100 pairs of samples of one source, p is at most 0.05 in about 5; more than 12 have a chance of 1 in 1,000."""
    rng = np.random.default_rng(0)
    draws = rng.multinomial(200, [0.5, 0.3, 0.2], (100, 2))
    found = [
        drift_of(
            *map(oe.Table.from_counts, map(np.diag, pair)), size=199, seed=0, level=0.95
        ).gold.p
        for pair in draws
    ]
    assert np.mean(np.array(found) <= 0.05) <= 0.12
    assert 0.4 < np.mean(found) < 0.6


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ([table([1, 2], sample_weight=[0.5, 1]), table([1, 2])], "weigh differently"),
        ([oe.Table.from_soft([[0.5, 0.5, 0], [0, 0, 1]], [1, 3], labels=[1, 2, 3])] * 2, "spread"),
        ([oe.Table.from_counts(np.diag([600_000_000, 1, 1]))] * 2, "1,000,000,000 items"),
    ],
)
def test_items_that_cannot_be_dealt_out_have_a_distance_and_no_p(tables, said):
    shift = oe.gate(*tables).drift.gold
    assert shift.p is None
    assert shift.nmd >= 0
    assert said in shift.reason
    assert said in str(oe.gate(*tables))


def test_a_sample_without_answers_has_no_distance():
    before = oe.Table.from_counts(np.eye(2), unanswered=[0, 0])
    after = oe.Table.from_counts(np.zeros((2, 2)), unanswered=[1, 1])
    shift = oe.gate(before, after).drift.predicted
    assert np.isnan(shift.nmd)
    assert shift.to_dict()["nmd"] is None


def test_the_same_seed_draws_the_same():
    tables = [table([1, 1, 2] * 5), table([1, 3, 3] * 5)]
    first, again, other = (oe.gate(*tables, rng=seed).drift.gold.p for seed in (0, 0, 1))
    assert first == again
    assert first != other
