"""Soft gold and probabilities: each measure in its soft form, and the measures of distributions."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import rel_entr
from scipy.stats import wasserstein_distance

import ordeval as oe
from tests.tables import measures

K = 5
LABELS = [1, 2, 3, 5, 9]
ALL = [metric for metric in measures() if "reference" not in str(metric)]
SOFT = ["wasserstein", "manhattan", "cross_entropy", "soft_jensen_shannon", "soft_rps"]


def draw(n=120, seed=0):
    """Return gold codes, answer codes, shares of raters and probabilities."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, K, n)
    answers = np.clip(gold + rng.integers(-1, 2, n), 0, K - 1)
    return gold, answers, rng.dirichlet(np.ones(K), n), rng.dirichlet(np.ones(K), n)


GOLD, ANSWERS, SHARES, PROBABILITIES = draw()


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_on_one_hot_rows_a_soft_value_is_the_hard_one_bit_for_bit(metric):
    hard = metric(oe.Table.from_labels(GOLD, ANSWERS, labels=range(K), values=LABELS))
    rows, columns = np.eye(K)[GOLD], np.eye(K)[ANSWERS]
    for shares, predicted in ((rows, ANSWERS), (rows, columns)):
        table = oe.Table.from_soft(shares, predicted, labels=range(K), values=LABELS)
        assert metric(table) == hard
    # one row of 120 is no label, so that all others are read as distributions, too: its items are counted apart
    spread = oe.Table.from_soft(
        [*rows, [0.5, 0.5, 0, 0, 0]], [*columns, [0.25, 0, 0, 0, 0.75]], labels=range(K)
    )
    one = oe.Table.from_soft([[0.5, 0.5, 0, 0, 0]], [[0.25, 0, 0, 0, 0.75]], labels=range(K))
    counts = oe.Table.from_labels(GOLD, ANSWERS, labels=range(K)).counts + one.counts
    assert (spread.counts == counts).all()


def test_a_soft_table_spreads_an_item_over_its_row_and_its_column():
    # (0.5, 0.5, 0) x (0.25, 0, 0.75) = 0.125 and 0.375 in the first two rows
    table = oe.Table.from_soft([[0.5, 0.5, 0]], [[0.25, 0, 0.75]], labels=["a", "b", "c"])
    assert table.counts.tolist() == [[0.125, 0, 0.375], [0.125, 0, 0.375], [0, 0, 0]]
    assert table.n == 1
    weighted = oe.Table.from_soft(
        [[0.5, 0.5], [0.0, 1.0]], [0, 1], labels=[0, 1], sample_weight=[3, 1]
    )
    assert weighted.counts.tolist() == [[1.5, 0], [1.5, 1]]


def test_the_soft_form_of_a_measure_is_its_mean_over_gold_labels_that_are_drawn():
    """Linear measures: accuracy is the mean share of the class answered, mae the mean expected distance."""
    values = np.array(LABELS, dtype=float)
    options = {"labels": LABELS}
    answers = values[ANSWERS]
    rows = np.arange(len(GOLD))
    assert oe.accuracy(SHARES, answers, **options) == pytest.approx(SHARES[rows, ANSWERS].mean())
    distance = np.abs(values[None] - answers[:, None])
    assert oe.mae(SHARES, answers, **options) == pytest.approx((SHARES * distance).sum(1).mean())


def test_the_measures_of_distributions_agree_with_scipy():
    values = np.array(LABELS, dtype=float)
    pairs = list(zip(SHARES, PROBABILITIES, strict=True))
    expected = {
        # over the range of the values, from 1 to 9
        "wasserstein": np.mean([wasserstein_distance(values, values, s, p) for s, p in pairs]) / 8,
        "manhattan": np.abs(SHARES - PROBABILITIES).sum(axis=1).mean(),
        "cross_entropy": -(SHARES * np.log(PROBABILITIES)).sum(axis=1).mean(),
        "soft_jensen_shannon": np.mean(
            [(rel_entr(s, (s + p) / 2) + rel_entr(p, (s + p) / 2)).sum() / 2 for s, p in pairs]
        )
        / np.log(2),
        "soft_rps": ((SHARES - PROBABILITIES).cumsum(axis=1)[:, :-1] ** 2).sum(axis=1).mean()
        / (K - 1),
    }
    for name, value in expected.items():
        assert oe.registry[name](SHARES, PROBABILITIES, labels=LABELS) == pytest.approx(value)
    by_classes = oe.wasserstein(SHARES, PROBABILITIES, labels=LABELS, divide_by="classes")
    assert by_classes == pytest.approx(expected["wasserstein"] * 4 / 5)
    assert oe.wasserstein.bounds == (0, 1)


def test_the_ranked_probability_score_of_soft_gold_is_that_of_a_label_drawn_from_it():
    below = PROBABILITIES.cumsum(axis=1)[:, :-1]
    reached = np.arange(K)[:, None] <= np.arange(K - 1)  # [gold, cut]
    per_class = ((below[:, None] - reached) ** 2).sum(axis=2) / (K - 1)
    expected = (SHARES * per_class).sum(axis=1).mean()
    found = oe.ranked_probability_score(SHARES, PROBABILITIES, labels=LABELS)
    assert found == pytest.approx(expected)
    assert oe.soft_rps(SHARES, SHARES, labels=LABELS) == 0


@pytest.mark.parametrize("name", [*SOFT, "log_loss", "brier_score"])
def test_of_many_classes_only_the_pairs_of_labels_that_occur_are_compared(name, monkeypatch):
    rng = np.random.default_rng(0)
    counts, missed = rng.poisson(0.3, (3, 9, 9)) + np.eye(9), rng.poisson(0.3, (3, 9)) * 1.0
    measure = oe.registry[name]
    for unanswered in (None, missed):
        every = measure.from_counts(counts, unanswered=unanswered)
        with monkeypatch.context() as patch:
            patch.setattr("ordeval.metrics.distances.FEW_CLASSES", 8)
            some = measure.from_counts(counts, unanswered=unanswered)
        assert some.tolist() == every.tolist()


def test_a_label_of_a_thousand_classes_is_no_thousand_distributions():
    # all pairs of labels, each two distributions over 1,000 classes, would be 8 GB for one difference of them
    counts = np.zeros((1000, 1000))
    counts[np.arange(1000), np.arange(1000)[::-1]] = 1
    tracemalloc.start()
    assert oe.manhattan.from_counts(counts) == 2.0  # every answer is wrong: |1 - 0| + |0 - 1|
    assert tracemalloc.get_traced_memory()[1] < 300 << 20
    tracemalloc.stop()


def test_a_zero_probability_costs_the_logarithm_of_epsilon():
    soft = [[0.5, 0.5], [0.25, 0.75]]
    # -(0.5 ln 1 + 0.5 ln 1e-6) and -(0.25 ln 1e-6 + 0.75 ln 1)
    expected = -0.375 * np.log(1e-6)
    assert oe.cross_entropy(soft, [0, 1], labels=[0, 1], epsilon=1e-6) == pytest.approx(expected)


@pytest.mark.parametrize("name", SOFT)
def test_weights_and_counts_of_soft_items_are_those_of_repeated_ones(name):
    times = np.arange(len(GOLD)) % 3 + 1
    repeated = np.repeat(SHARES, times, axis=0), np.repeat(PROBABILITIES, times, axis=0)
    expected = oe.registry[name](*repeated, labels=LABELS)
    for given in ({"count": times}, {"sample_weight": times * 0.1}):
        found = oe.registry[name](SHARES, PROBABILITIES, labels=LABELS, **given)
        assert found == pytest.approx(expected)


def test_quantification_looks_at_the_shares_of_the_classes_alone():
    # the same answers in another order have the same margins
    order = np.random.default_rng(1).permutation(len(ANSWERS))
    for name in ("normalised_match_distance", "rnod", "jensen_shannon"):
        one, other = (
            oe.registry[name](GOLD, a, labels=range(K)) for a in (ANSWERS, ANSWERS[order])
        )
        assert one == pytest.approx(other, abs=1e-15)
        assert oe.registry[name](GOLD, GOLD, labels=range(K)) == 0
    # all gold in the lowest class, all answers in the highest: every cut is missed; 4 * (1 + 1) / (1 * 4) for rnod
    low, high = [0] * 6, [4] * 6
    assert oe.normalised_match_distance(low, high, labels=range(K)) == 1
    assert oe.rnod(low, high, labels=range(K)) == pytest.approx(1)
    assert oe.jensen_shannon(low, high, labels=range(K)) == 1


def test_soft_gold_comes_as_arrays_frames_and_ratings():
    # the shares of three raters; the second item has two marks
    marks = [[1, 1, 3], [2, None, 3], [3, 3, 3], [1, 2, 2]]
    ratings = oe.Ratings.from_array(marks, raters=["ann", "bob", "cy"])
    shares = [[2 / 3, 0, 1 / 3], [0, 0.5, 0.5], [0, 0, 1], [1 / 3, 2 / 3, 0]]
    np.testing.assert_allclose(ratings.shares(), shares)
    answers = [1, 3, 3, 2]
    expected = oe.cem_ord(shares, answers, labels=[1, 2, 3])
    frame = pd.DataFrame(shares, columns=["1", "2", "3"])
    assert oe.cem_ord(ratings, answers) == pytest.approx(expected)
    assert oe.cem_ord(frame[["3", "1", "2"]], answers) == pytest.approx(expected)
    assert oe.cem_ord(pl.from_pandas(frame), answers) == pytest.approx(expected)
    assert oe.cem_ord(frame, answers, labels=[1, 2, 3]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shares", "predicted", "says"),
    [
        ([[0.5, 0.4], [0.5, 0.5]], [0, 1], "the probabilities of item 0 in y_true are"),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 1, 1], "y_true has 2 labels"),
        ([[0.5, 0.5], [np.nan, 0.5]], [0, 1], "1 of 2 gold labels is missing, first at item 1"),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 7], "label 7 is not on the scale"),
        ([[0.5, 0.5], [0.5, 0.5]], [0, None], "1 of 2 answers is missing, first at item 1"),
        ([[0.5, 0.3, 0.2]] * 2, [[0.5, 0.5]] * 2, "and the scale has"),
    ],
)  # fmt: skip
def test_what_is_no_distribution_or_does_not_fit_is_refused(shares, predicted, says):
    with pytest.raises(oe.OrdevalError) as caught:
        oe.Table.from_soft(shares, predicted)
    assert says in str(caught.value)


def test_an_item_that_nobody_marked_can_be_left_out():
    soft, answers = [[0.5, 0.5], [np.nan, np.nan], [0.0, 1.0]], [0, 1, 1]
    table = oe.Table.from_soft(soft, answers, labels=[0, 1], gold_missing="drop")
    assert table.counts.tolist() == [[0.5, 0], [0.5, 1]]


def test_columns_of_a_frame_that_are_no_classes_are_refused():
    frame = pd.DataFrame({"low": [0.5, 0.2], "high": [0.5, 0.8]})
    with pytest.raises(oe.errors.ScaleError, match="named as the classes"):
        oe.Table.from_soft(frame, ["low", "high"], labels=["low", "mid"])


def test_label_measures_refuse_probabilities_beside_labels_and_say_what_to_do():
    with pytest.raises(oe.errors.LabelError, match=r"these are probabilities\. Pass them to oe"):
        oe.accuracy([0, 1], np.array([[0.5, 0.5], [0.2, 0.8]]))


@pytest.mark.parametrize("make", [list, tuple, np.array])
def test_rows_with_a_single_1_are_answers_however_they_are_written(make):
    rows = make([[0.0, 1.0], [1.0, 0.0]])
    # item 0 is half of either class and answered 1; item 1 is of class 1 and answered 0
    table = oe.Table.from_soft([[0.5, 0.5], [0.0, 1.0]], rows)
    assert table.counts.tolist() == [[0.0, 0.5], [1.0, 0.5]]
    assert oe.evaluate([0, 1], rows, metrics=["accuracy"])["accuracy"].value == 0
