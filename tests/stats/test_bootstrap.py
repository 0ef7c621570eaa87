"""Draws, tables and resampled scores, redone with NumPy alone or by hand."""

import numpy as np
import pytest

from ordeval.stats import chunks
from ordeval.stats.bootstrap import (
    CasePatterns,
    case_weights,
    resampled_means,
    resampled_scores,
)
from ordeval.stats.streams import Purpose, stream
from tests.stats.scores import accuracy, both, first_cell

# Cells of a table of two classes, flattened: gold 0 answered 0, 1 or not at all, then gold 1.
RIGHT_0, WRONG_0, NONE_0, WRONG_1, RIGHT_1, NONE_1 = range(6)


def case_of(counts, *cells, k=2):
    return CasePatterns(count=np.array(counts, dtype=float), cell=np.array(cells), k=k)


def redrawn(purpose, at, n, shares, size):
    """The draws of one case: shares ascend, for the least frequent pattern is drawn first."""
    key = np.random.SeedSequence(7, spawn_key=(int(purpose), at))
    return np.random.Generator(np.random.PCG64(key)).multinomial(n, shares, size=size)


def test_the_tables_count_each_pattern_in_the_cell_of_each_system():
    """5 items right by both systems, 1 by the first alone; 3 of gold 1 that the second does not answer."""
    case = case_of([5, 1, 3], [RIGHT_0, RIGHT_0, RIGHT_1], [RIGHT_0, WRONG_0, NONE_1])
    assert case.items == 9
    assert case.observed.tolist() == [[[6, 0, 0], [0, 3, 0]], [[5, 1, 0], [0, 0, 3]]]
    drawn = case.tables(np.array([[2, 7, 0], [0, 0, 9]]))
    assert drawn[0].tolist() == [[[9, 0, 0], [0, 0, 0]], [[2, 7, 0], [0, 0, 0]]]
    assert drawn[1].tolist() == [[[0, 0, 0], [0, 9, 0]], [[0, 0, 0], [0, 0, 9]]]
    assert drawn.dtype == np.float64


def test_each_of_three_systems_has_its_own_table():
    case = case_of([4, 2], [RIGHT_0, RIGHT_1], [WRONG_0, WRONG_1], [NONE_0, NONE_1])
    assert case.observed.tolist() == [
        [[4, 0, 0], [0, 2, 0]],
        [[0, 4, 0], [2, 0, 0]],
        [[0, 0, 4], [0, 0, 2]],
    ]


def test_the_tables_are_the_same_however_many_patterns_are_counted_at_a_time(monkeypatch):
    case = case_of([5, 1, 3], [RIGHT_0, RIGHT_0, RIGHT_1], [RIGHT_0, WRONG_0, NONE_1])
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 24)  # 2 patterns of 2 * 6 cells
    assert case.observed.tolist() == [[[6, 0, 0], [0, 3, 0]], [[5, 1, 0], [0, 0, 3]]]


def test_counts_beyond_what_single_precision_holds_are_exact():
    many = 2**24 + 1  # the first integer that float32 does not have
    case = case_of([many, 2], [RIGHT_0, RIGHT_1])
    assert case.tables(np.array([[many, 2]]))[0, 0, 0, 0] == many
    assert case.observed[0, 0, 0] == many


def test_weights_are_summed_in_double_precision():
    case = case_of([0.1, 0.2], [RIGHT_0, RIGHT_1])
    assert case.observed.tolist() == [[[0.1, 0, 0], [0, 0.2, 0]]]


def test_a_draw_is_numpys_multinomial_with_the_most_frequent_pattern_last():
    case = case_of([5, 1, 3], [RIGHT_0, WRONG_0, RIGHT_1])
    found = np.concatenate(list(case.draws(stream(7, Purpose.ITEMS, 0), 20)))
    expected = redrawn(Purpose.ITEMS, 0, 9, [1 / 9, 3 / 9, 5 / 9], 20)
    np.testing.assert_array_equal(found, expected[:, [2, 0, 1]])


def test_patterns_of_the_same_frequency_are_drawn_in_their_order():
    """Counts 2, 2, ... 2, 1: the last pattern is drawn first, then the others as they come."""
    patterns = 20
    case = case_of([2] * (patterns - 1) + [1], [[RIGHT_0] * patterns][0])
    found = np.concatenate(list(case.draws(stream(7, Purpose.ITEMS, 0), 9)))
    shares = np.array([1.0] + [2.0] * (patterns - 1)) / (2 * patterns - 1)
    expected = redrawn(Purpose.ITEMS, 0, 2 * patterns - 1, shares, 9)
    np.testing.assert_array_equal(found, np.roll(expected, -1, axis=1))


def test_draws_come_in_chunks_that_hold_their_tables_or_their_patterns(monkeypatch):
    """Of 60 numbers: 5 resamples of 2 tables with 6 cells, or 3 of 20 patterns."""
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 60)
    rng = np.random.default_rng(0)
    few = case_of([3, 1], [RIGHT_0, WRONG_0], [RIGHT_0, RIGHT_0])
    assert [len(part) for part in few.draws(rng, 12)] == [5, 5, 2]
    many = case_of([1] * 20, [RIGHT_0] * 20)
    assert [len(part) for part in many.draws(rng, 7)] == [3, 3, 1]


@pytest.mark.parametrize("factor", [None, [0.5, 2.0]])
def test_tables_of_many_cells_are_counted_as_those_of_few(monkeypatch, factor):
    """Three patterns of two systems, drawn twice; the first system counts the first two in one cell."""
    cells = np.array([[RIGHT_0, RIGHT_0, WRONG_1], [NONE_0, RIGHT_0, RIGHT_1]])
    case = CasePatterns(
        count=np.array([3, 1, 2]), cell=cells, k=2, factor=factor and np.array(factor)
    )
    draws = np.array([[4, 0, 2], [1, 2, 3]])
    few = case.tables(draws)
    assert (few[:, 0].ravel() / (factor or [1])[0]).tolist() == [
        *(4, 0, 0, 2, 0, 0), *(3, 0, 0, 3, 0, 0)
    ]  # fmt: skip
    monkeypatch.setattr("ordeval.stats.bootstrap.MOST_IN_PRODUCT", 5)
    assert case.tables(draws).tolist() == few.tolist()
    nothing = CasePatterns(count=np.zeros(0), cell=np.zeros((2, 0), dtype=int), k=2)
    assert nothing.tables(np.zeros((4, 0))).tolist() == np.zeros((4, 2, 2, 3)).tolist()


def test_a_case_without_items_is_drawn_as_a_table_without_items():
    case = CasePatterns(count=np.zeros(0), cell=np.zeros((2, 0), dtype=int), k=2)
    (draws,) = case.draws(np.random.default_rng(0), 4)
    assert draws.shape == (4, 0)
    assert case.tables(draws).tolist() == np.zeros((4, 2, 2, 3)).tolist()


def all_weights(*drawn):
    return np.concatenate([some for _, some in case_weights(*drawn)])


def test_a_resample_has_as_many_cases_as_the_data_each_equally_likely():
    key = np.random.SeedSequence(3, spawn_key=(0,))
    rng = np.random.Generator(np.random.PCG64(key))
    np.testing.assert_array_equal(all_weights(3, 4, 50), rng.multinomial(4, [0.25] * 4, size=50))


def test_no_resample_of_cases_depends_on_how_many_are_drawn_at_a_time(monkeypatch):
    whole, means = all_weights(3, 4, 50), resampled_means(np.array([[0.0, 0.5, 1.0]]), 5, 40)
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 12)
    assert [len(some) for _, some in case_weights(3, 4, 50)][:2] == [3, 3]  # 3 x 4 numbers
    np.testing.assert_array_equal(all_weights(3, 4, 50), whole)
    np.testing.assert_array_equal(resampled_means(np.array([[0.0, 0.5, 1.0]]), 5, 40), means)


def test_a_resample_of_cases_is_the_mean_of_the_scores_that_it_has():
    scores = np.array([[0.0, 0.5, 1.0], [1.0, 1.0, np.nan]])
    weights = all_weights(5, 3, 40)
    found = resampled_means(scores, 5, 40)
    np.testing.assert_allclose(found[0], (0.5 * weights[:, 1] + weights[:, 2]) / 3)
    # a resample of the third case alone has no score
    np.testing.assert_allclose(found[1], np.where(weights[:, 2] == 3, np.nan, 1.0))
    assert (weights[:, 2] == 3).any()
    complete = resampled_means(scores[:1], 5, 40)
    np.testing.assert_allclose(complete, found[:1])


# 3 of 4 items right in the first case and 2 of 8 in the second.
TWO_CASES = [case_of([3, 1], [RIGHT_0, WRONG_0]), case_of([2, 6], [RIGHT_1, WRONG_1])]


def test_items_are_drawn_within_each_case_from_a_stream_of_its_own():
    found = resampled_scores(
        TWO_CASES, accuracy, unit="items", size=30, seed=7, purpose=Purpose.JOINT
    )
    first = redrawn(Purpose.JOINT, 0, 4, [1 / 4, 3 / 4], 30)[:, 1] / 4
    second = redrawn(Purpose.JOINT, 1, 8, [2 / 8, 6 / 8], 30)[:, 0] / 8
    assert found.shape == (1, 1, 30)
    np.testing.assert_allclose(found[0, 0], (first + second) / 2)


def test_whole_cases_are_drawn_with_the_scores_that_they_have():
    found = resampled_scores(TWO_CASES, both, unit="cases", size=30, seed=7, purpose=Purpose.JOINT)
    weights = all_weights(7, 2, 30)
    np.testing.assert_allclose(found[0, 0], weights @ [0.75, 0.25] / 2)
    # in the second case no item is in the first cell, so its share is undefined, and the first case's is the mean
    np.testing.assert_allclose(found[1, 0], np.where(weights[:, 1] == 2, np.nan, 0.75))


def test_undefined_scores_of_cases_count_as_what_they_are_filled_with():
    found = resampled_scores(
        TWO_CASES,
        both,
        unit="cases",
        size=30,
        seed=7,
        purpose=Purpose.JOINT,
        fill=lambda scores: np.where(np.isnan(scores), 0.0, scores),
    )
    np.testing.assert_allclose(found[1, 0], all_weights(7, 2, 30) @ [0.75, 0.0] / 2)


def test_pooled_cases_are_drawn_whole_and_their_items_scored_together():
    """3 of 4 items right in the first case and 2 of 8 in the second: 5 of 12 with both, 6 of 8 with the first twice."""
    found = resampled_scores(
        TWO_CASES, accuracy, unit="cases", size=30, seed=7, purpose=Purpose.JOINT, pooled=True
    )
    weights = all_weights(7, 2, 30)
    np.testing.assert_allclose(found[0, 0], weights @ [3, 2] / (weights @ [4, 8]))


def test_a_weighted_case_is_drawn_by_its_effective_number_of_items():
    """Weights 2, 1 and 1 tell as much as 4^2 / (4 + 1 + 1) = 2.67 equal ones: 3 are drawn, and scaled to 4."""
    case = CasePatterns(
        count=np.array([2.0, 2.0]),
        cell=np.array([[RIGHT_0, WRONG_0]]),
        k=2,
        square=np.array([4.0, 2.0]),
    )
    assert case.effective == pytest.approx(16 / 6)
    draws = np.concatenate(list(case.draws(np.random.default_rng(0), 50)))
    np.testing.assert_allclose(draws.sum(axis=1), 4.0)
    assert set((draws[:, 0] * 3 / 4).round(9).tolist()) == {0.0, 1.0, 2.0, 3.0}


def test_an_undefined_draw_makes_the_resample_undefined():
    found = resampled_scores(
        TWO_CASES[:1], first_cell, unit="items", size=500, seed=7, purpose=Purpose.ITEMS
    )
    drawn = redrawn(Purpose.ITEMS, 0, 4, [1 / 4, 3 / 4], 500)[:, 1] / 4
    assert (drawn == 0).any()
    np.testing.assert_array_equal(found[0, 0], np.where(drawn > 0, drawn, np.nan))


def test_the_score_function_is_shown_the_observed_tables_beside_the_drawn_ones():
    seen = []

    def remember(cells, observed=None):
        if observed is not None:
            seen.append(observed.tolist())
        return accuracy(cells)

    resampled_scores(TWO_CASES, remember, unit="items", size=3, seed=7, purpose=Purpose.JOINT)
    assert seen == [[[[3, 1, 0], [0, 0, 0]]], [[[0, 0, 0], [6, 2, 0]]]]


def test_progress_counts_the_resamples_of_every_case(monkeypatch):
    """Two resamples of a table with 6 cells at a time; 3 resamples of 2 cases are 6 steps."""
    monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", 12)
    seen = []
    resampled_scores(
        TWO_CASES,
        accuracy,
        unit="items",
        size=3,
        seed=7,
        purpose=Purpose.JOINT,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(2, 6), (3, 6), (5, 6), (6, 6)]
