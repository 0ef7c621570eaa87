"""The sums that coefficients are functions of: item by item as they are defined, and as products of counts."""

import itertools

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.rater_estimates import RatedItems
from ordeval.metrics.rater_sums import RaterSums
from tests.raters import random_marks, ratings_of

LABELS = [1, 2, 3]
COEFFICIENTS = [measure for measure in oe.registry.values() if measure.rater_parts]
MARKS = [random_marks(seed, 40, raters, LABELS) for seed, raters in enumerate((2, 3, 6))]


def item_by_item(marks):
    """The four sums as their definitions read."""
    k, raters = len(LABELS), marks.shape[1]
    agreed, coincided = np.zeros((2, k, k))
    shares, by_rater = np.zeros(k), np.zeros((raters, k))
    for row in marks:
        given = [(rater, LABELS.index(mark)) for rater, mark in enumerate(row) if mark == mark]  # noqa: PLR0124
        m = len(given)
        for (_, a), (_, b) in itertools.permutations(given, 2):
            agreed[a, b] += 1 / (m * (m - 1))
            coincided[a, b] += 1 / (m - 1)
        for rater, mark in given:
            shares[mark] += 1 / m
            by_rater[rater, mark] += 1
    return RaterSums(agreed, coincided, shares, by_rater)


def same(ours, theirs):
    for part, expected in zip(ours, theirs, strict=True):
        assert (part is None and expected is None) or part == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("marks", MARKS, ids=lambda marks: f"{marks.shape[1]} raters")
def test_the_sums_of_ratings_are_what_their_definitions_say(marks):
    ratings = ratings_of(marks, LABELS)
    same(RaterSums.of_ratings(ratings), item_by_item(marks))


def test_the_sums_of_a_table_are_those_of_two_raters_without_gaps():
    marks = random_marks(1, 40, 2, LABELS, gaps=0.0)
    table = oe.Table.from_labels(*marks.T.astype(int), labels=LABELS)
    same(RaterSums.of_table(table.counts), item_by_item(marks))
    only = RaterSums.of_table(table.counts, {"shares"})
    assert only.agreed is None
    assert only.shares.sum() == 40


@pytest.mark.parametrize("measure", COEFFICIENTS, ids=str)
def test_a_resample_of_items_is_a_product_of_its_counts_with_the_features(measure):
    rng = np.random.default_rng(0)
    for marks in MARKS:
        ratings = ratings_of(marks, LABELS)
        rated = RatedItems(ratings, [measure])
        drawn = rng.integers(len(marks), size=(5, len(marks)))
        kinds = ratings.pattern_of
        if not rated.by_rater:
            kinds = rated.features.kind_of_pattern[kinds]
        counts = np.stack([np.bincount(kinds[row], minlength=len(rated.count)) for row in drawn])
        (found,) = rated.scores(counts)
        expected = [measure(ratings_of(marks[row], LABELS)) for row in drawn]
        assert found == pytest.approx(expected, rel=1e-12)


def test_items_with_the_same_votes_are_one_kind_unless_it_matters_whose_they_are():
    ratings = ratings_of([[1, 2, 2], [2, 1, 2], [2, 2, 1], [1, 1, None], [None, 1, 1]], LABELS)
    assert RatedItems(ratings, [oe.fleiss_kappa]).count.tolist() == [3, 2]
    assert len(RatedItems(ratings, [oe.fleiss_kappa, oe.conger_kappa]).count) == 5
    # 5 raters and 5 classes have (5 + 4)! / (5! 4!) = 126 distributions of votes, however many items
    many = ratings_of(random_marks(0, 3000, 5, range(5), gaps=0.0), range(5))
    assert len(RatedItems(many, [oe.krippendorff_alpha]).count) <= 126 < len(many.count)
