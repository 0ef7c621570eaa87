"""The ceiling and systems held to it: by hand, and against a plain loop over raters and items."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.ceiling import ceiling_sample
from ordeval.comparison.scorer import Scorer
from ordeval.errors import DataError
from ordeval.inputs.policy import Policy
from ordeval.metrics.registry import resolve
from ordeval.ratings import Ratings
from ordeval.scale import Scale
from ordeval.stats import table_means
from ordeval.stats.differences import differences
from ordeval.stats.t_intervals import t_interval

NAMES = ("cem_ord", "accuracy", "macro_f1", "mae", "weighted_kappa(weights='quadratic')")
GAP = -1


def scorer_of(names, k, missing="zero"):
    return Scorer(resolve(names), Scale(range(k)), Policy(missing=missing))


def ratings_of(marks, k):
    """Make ratings of an array of items x raters."""
    items, raters = np.shape(marks)
    item, rater = np.nonzero(np.asarray(marks) != GAP)
    return Ratings.from_marks(
        Scale(range(k)),
        tuple(f"rater {at}" for at in range(raters)),
        item=item,
        rater=rater,
        mark=np.asarray(marks)[item, rater],
        items=items,
    )


def drawn(n, raters, k, *, gaps=0.3, seed=0):
    """Draw marks with gaps, and the labels of a system with gaps of its own (k: no answer)."""
    rng = np.random.default_rng(seed)
    true = rng.integers(k, size=n)
    shape = (n, raters)
    near = np.clip(true[:, None] + rng.integers(-1, 2, size=shape), 0, k - 1)
    marks = np.where(rng.random(shape) < 0.6, true[:, None], near)
    answers = np.where(rng.random(n) < 0.6, true, rng.integers(k + 1, size=n))
    return np.where(rng.random(shape) < gaps, GAP, marks), answers


def by_loop(marks, scorer, answers=None):
    """Return the mean scores over raters, item by item."""
    found = []
    for rater in range(marks.shape[1]):
        cells = np.zeros((scorer.k, scorer.k + 1))
        for item, row in enumerate(marks):
            others = [mark for at, mark in enumerate(row) if at != rater and mark != GAP]
            if row[rater] == GAP or not others:
                continue
            given = np.eye(scorer.k + 1)[row[rater]] if answers is None else answers[item]
            for mark in others:
                cells[mark] += given / len(others)
        found.append(scorer(cells))
    return np.nanmean(found, axis=0)


def test_the_ceiling_of_three_raters_and_three_items_is_the_one_worked_by_hand():
    # Marks of a, b, c: 0 0 1, then 1 1 and a gap, then 2 1 2. Accuracy of each against the shares of the others:
    #   a: 1/2 (0 against 0, 1), 1, 1/2 -> 2/3     b: 1/2, 1, 0 -> 1/2     c: 0, 1/2 -> 1/4     mean 17/36
    # and the absolute errors: a: 1/2, 0, 1/2 -> 1/3     b: 1/2, 0, 1 -> 1/2     c: 1, 1/2 -> 3/4     mean 19/36.
    # A system that answers 0, 1, 2 is held to the same others:
    #   those of a: 1/2, 1, 1/2 -> 2/3     of b: 1/2, 1, 1 -> 5/6     of c: 1, 1/2 -> 3/4     mean 27/36.
    ratings = ratings_of([[0, 0, 1], [1, 1, GAP], [2, 1, 2]], 3)
    human = ceiling_sample(ratings, scorer_of(["accuracy", "mae"], 3)).estimate.value
    np.testing.assert_allclose(human[:, 0], [17 / 36, 19 / 36])
    one_hot = np.eye(3, 4)[[0, 1, 2]]
    beside = ceiling_sample(
        ratings,
        scorer_of(["accuracy"], 3),
        unit_pattern=ratings.pattern_of,
        unit_count=np.ones(3),
        answers=[one_hot],
    )
    np.testing.assert_allclose(beside.estimate.value[0], [17 / 36, 27 / 36])
    assert differences(beside, 0, np.array([1]), np.array([0])).value[0] == pytest.approx(10 / 36)


@pytest.mark.parametrize("missing", ["zero", "farthest", "drop"])
@pytest.mark.parametrize("soft", [False, True])
def test_human_and_system_are_scored_as_a_loop_over_items_scores_them(missing, soft):
    k, n = 4, 80
    marks, labels = drawn(n, 4, k)
    scorer = scorer_of(NAMES, k, missing)
    answers = np.eye(k + 1)[labels]
    if soft:
        answers = (answers + np.random.default_rng(1).dirichlet(np.ones(k + 1), size=n)) / 2
    ratings = ratings_of(marks, k)
    sample = ceiling_sample(
        ratings, scorer, unit_pattern=ratings.pattern_of, unit_count=np.ones(n), answers=[answers]
    )
    np.testing.assert_allclose(sample.estimate.value[:, 0], by_loop(marks, scorer))
    np.testing.assert_allclose(sample.estimate.value[:, 1], by_loop(marks, scorer, answers))


def test_the_influence_of_an_item_is_the_mean_minus_that_without_it():
    k, n = 3, 40
    marks, labels = drawn(n, 4, k)
    scorer, answers, ratings = scorer_of(NAMES, k), np.eye(k + 1)[labels], ratings_of(marks, k)
    sample = ceiling_sample(
        ratings, scorer, unit_pattern=ratings.pattern_of, unit_count=np.ones(n), answers=[answers]
    )
    shared = [item for item in range(n) if (marks[item] != GAP).sum() > 1]
    for system, given in enumerate((None, answers)):
        left = []
        for item in shared:
            keep = np.arange(n) != item
            left.append(by_loop(marks[keep], scorer, None if given is None else given[keep]))
        expected = np.mean(left, axis=0) - left
        np.testing.assert_allclose(sample.influence[:, system], expected.T, atol=1e-12)
        # the jackknife's standard error: the root of (n - 1) / n times the sum of squares
        size = len(shared)
        error = np.sqrt((expected**2).sum(axis=0) * (size - 1) / size)
        np.testing.assert_allclose(sample.estimate.plain[:, system], error)


def test_patterns_of_equal_items_give_what_single_items_give():
    marks, _ = drawn(300, 3, 3)
    scorer, ratings = scorer_of(NAMES, 3), ratings_of(marks, 3)
    merged = ceiling_sample(ratings, scorer)
    single = ceiling_sample(
        ratings, scorer, unit_pattern=ratings.pattern_of, unit_count=np.ones(300)
    )
    assert len(merged.count) < len(single.count)
    for field in ("value", "centre", "error", "plain"):
        np.testing.assert_allclose(
            getattr(merged.estimate, field), getattr(single.estimate, field), atol=1e-12
        )


def test_groups_of_items_give_nearly_the_error_of_single_items(monkeypatch):
    marks, labels = drawn(4_000, 5, 4)
    scorer, ratings = scorer_of(NAMES, 4), ratings_of(marks, 4)
    units = {
        "unit_pattern": ratings.pattern_of,
        "unit_count": np.ones(4_000),
        "answers": [np.eye(5)[labels]],
    }
    exact = ceiling_sample(ratings, scorer, **units)
    monkeypatch.setattr(table_means, "MOST_KINDS", 10)
    monkeypatch.setattr(
        table_means, "GROUPS", 1
    )  # single items are left out only where that is less work
    grouped = ceiling_sample(ratings, scorer, **units)
    assert grouped.influence.shape[-1] == 200
    # Two hundred groups estimate a standard error to about 1 / sqrt(400) = 5%.
    np.testing.assert_allclose(grouped.estimate.plain, exact.estimate.plain, rtol=0.2)
    apart = [differences(one, 0, np.array([1]), np.array([0])) for one in (exact, grouped)]
    assert apart[0].value == pytest.approx(apart[1].value)
    assert apart[0].error == pytest.approx(apart[1].error, rel=0.2)


def test_raters_who_agree_on_everything_have_a_ceiling_of_1_and_an_interval_with_a_width():
    marks = np.repeat(np.arange(30)[:, None] % 3, 3, axis=1)
    scorer = scorer_of(["accuracy", "cem_ord"], 3)
    sample = ceiling_sample(ratings_of(marks, 3), scorer)
    np.testing.assert_allclose(sample.estimate.value, 1.0)
    low, high = t_interval(sample.estimate, [(0.0, 1.0)] * 2, 0.95)
    assert (low < 0.97).all()
    assert (high == 1.0).all()


def test_a_rater_for_whom_a_measure_is_undefined_is_left_out():
    # c and those who marked beside c used one class alone, so that kappa is undefined for c, but not for a and b.
    marks = np.array([[0, 0, 0], [0, 0, 0], [1, 1, GAP], [0, 1, GAP]])
    scorer = scorer_of(["weighted_kappa(weights='quadratic')"], 2)
    value = ceiling_sample(ratings_of(marks, 2), scorer).estimate.value[0, 0]
    # a against b and c: 3 of 4 agree, shares 3/4 and 1/2, so chance is 1/2: (3/4 - 1/2) / (1/2) = 1/2; b the same.
    assert value == pytest.approx(0.5)


def test_a_single_rater_and_raters_who_share_no_item_are_refused():
    scorer = scorer_of(["accuracy"], 2)
    with pytest.raises(
        DataError, match="only one rater, 'rater 0'; agreement and the ceiling hold raters"
    ):
        ceiling_sample(ratings_of([[0], [1]], 2), scorer)
    with pytest.raises(DataError, match="no two raters marked the same item"):
        ceiling_sample(ratings_of([[0, GAP], [GAP, 1]], 2), scorer)
    ratings = ratings_of([[0, 0], [GAP, 1]], 2)
    with pytest.raises(DataError, match="no item that the systems were given"):
        ceiling_sample(ratings, scorer, unit_pattern=ratings.pattern_of[1:], unit_count=np.ones(1))


def test_many_classes_are_counted_cell_by_cell_as_few_are_by_a_product(monkeypatch):
    marks, labels = drawn(60, 4, 4)
    ratings, scorer = ratings_of(marks, 4), scorer_of(NAMES, 4)
    soft = (np.eye(5)[labels] + np.random.default_rng(1).dirichlet(np.ones(5), size=60)) / 2
    units = {"unit_pattern": ratings.pattern_of, "unit_count": np.ones(60), "answers": [soft]}
    product = ceiling_sample(ratings, scorer, **units)
    monkeypatch.setattr(table_means, "MOST_IN_PRODUCT", 1)
    np.testing.assert_allclose(
        ceiling_sample(ratings, scorer, **units).estimate.error, product.estimate.error
    )


def test_a_ceiling_that_is_undefined_or_without_an_interval_says_why_in_an_evaluation_too():
    same = oe.Ratings.from_array([[1, 1], [1, 1], [1, 1]], labels=[1, 2])
    tau = oe.evaluate(same, [1, 2, 1], metrics=["kendall_tau_b"]).ceiling["kendall_tau_b"]
    assert tau.to_dict()["value"] is None
    assert tau.error is None
    assert "all of one class" in tau.reason
    single = oe.evaluate(oe.Ratings.from_array([[1, 2]]), [1], metrics=["accuracy"])
    assert single.ceiling["accuracy"].value == 0
    assert single.ceiling["accuracy"].reason == "a single item shows no variation"
