"""Pairs of raters: the measures of the items that both marked."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.agreement.pairs import METRICS, RaterPairs
from tests.agreement.marks import CLASSES, ratings_of, simulated


@pytest.fixture(scope="module")
def marks():
    return simulated(0, items=80, raters=5, each=3)


def test_every_two_raters_are_scored_as_evaluate_scores_them(marks):
    pairs = RaterPairs(ratings_of(marks), 0.95)
    assert len(pairs) == 10
    for pair in pairs:
        a, b = marks[:, int(pair.a[1:])], marks[:, int(pair.b[1:])]
        both = ~np.isnan(a) & ~np.isnan(b)
        assert pair.items == both.sum()
        expected = oe.evaluate(a[both], b[both], labels=CLASSES, metrics=list(METRICS))
        for name, score in pair.scores.items():
            assert (score.value, score.low, score.high) == pytest.approx(
                (expected[name].value, expected[name].low, expected[name].high)
            )


def test_a_pair_is_the_same_alone_in_a_slice_and_in_the_list(marks):
    pairs = RaterPairs(ratings_of(marks), 0.95)
    everything = list(pairs)
    assert pairs[3] == everything[3]
    assert pairs[-1] == everything[-1]
    assert list(pairs[2:5]) == everything[2:5]


def test_pairs_are_ranked_by_their_agreement_if_they_share_enough_items(marks):
    marks = marks.copy()
    marks[5:, 4] = np.nan  # the last rater shares few items with everybody
    pairs = RaterPairs(ratings_of(marks), None)
    ranked = pairs.rows(pairs.ranked)
    assert all("r4" not in (pair.a, pair.b) for pair in ranked)
    kappas = [pair.scores[METRICS[2]].value for pair in ranked]
    assert kappas == sorted(kappas, reverse=True)
    assert len(kappas) == 6


def test_without_a_level_pairs_have_no_intervals(marks):
    pair = RaterPairs(ratings_of(marks), None)[0]
    assert {(score.low, score.high) for score in pair.scores.values()} == {(None, None)}
    assert "low" not in pair.to_dict()["scores"]["accuracy"]


def test_a_single_common_item_has_a_value_and_a_reason_for_the_missing_interval():
    pair = RaterPairs(ratings_of([[1, 2], [3, np.nan]]), 0.95)[0]
    assert (pair.items, pair.scores["accuracy"].value) == (1, 0.0)
    assert pair.scores["accuracy"].reason == "a single item shows no variation"


def test_the_matrix_of_pairs_is_symmetric_and_empty_where_two_share_nothing():
    ratings = ratings_of([[1, 1, np.nan], [2, 3, np.nan], [np.nan, 2, 2]])
    scores, items = RaterPairs(ratings, None).matrix([2, 0, 1], "accuracy")
    # In the order r2, r0, r1: r2 and r0 share nothing, r2 and r1 one item, r0 and r1 two, of which one is equal.
    assert items.tolist() == [[0, 0, 1], [0, 0, 2], [1, 2, 0]]
    np.testing.assert_array_equal(
        scores, [[np.nan, np.nan, 1], [np.nan, np.nan, 0.5], [1, 0.5, np.nan]]
    )
