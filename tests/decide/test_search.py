"""The rule that is found for a measure, held against theory and against all answers to a few items."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.decide.rules import answers_of
from ordeval.decide.search import Objective, Search, WorthChange
from ordeval.metrics.registry import registry
from ordeval.scale import Scale
from tests.decide.exhaustive import best_of_all, expected_of, few_items
from tests.examples import examples, grid

LINEAR = (
    "accuracy",
    "accuracy_within",
    "mae",
    "mse",
    "rmse",
    "macro_mae",
    "macro_accuracy",
    "cem_ord",
)
SEARCHED = (
    "weighted_kappa", "weighted_kappa(weights='quadratic')", "cohen_kappa", "macro_f1", "macro_precision",
    "kendall_tau_b", "pearson", "spearman", "lin_ccc", "gwet_ac2", "krippendorff_alpha", "auoc",
    "ordinal_classification_index", "mutual_information",
)  # fmt: skip
# The worst class decides: mixed answers may beat every rule.
WORST_CLASS = ("max_mae", "min_sensitivity", "geometric_mean")


def fitted(name, rows):
    """Return the answers of the rule for a measure, as codes, and the rule."""
    rule = oe.decide.fit(rows, metric=name, labels=range(rows.shape[1]))
    return rule.predict(rows), rule


def rows_by_chance(seed, n=400, k=4):
    return np.random.default_rng(seed).dirichlet(np.ones(k), n)


def test_accuracy_asks_for_the_most_probable_class():
    rows = rows_by_chance(1)
    np.testing.assert_array_equal(fitted("accuracy", rows)[0], rows.argmax(axis=1))


def test_mae_asks_for_the_median():
    rows = rows_by_chance(2)
    median = (rows.cumsum(axis=1) < 0.5).sum(axis=1)
    np.testing.assert_array_equal(fitted("mae", rows)[0], median)


def test_mse_asks_for_the_class_nearest_to_the_mean():
    rows = rows_by_chance(3)
    nearest = np.abs((rows @ np.arange(4))[:, None] - np.arange(4)).argmin(axis=1)
    np.testing.assert_array_equal(fitted("mse", rows)[0], nearest)
    np.testing.assert_array_equal(fitted("rmse", rows)[0], nearest)


def test_mae_of_uneven_values_weighs_the_distances():
    # values 0, 1, 10 and probabilities 0.4, 0.15, 0.45: 0 costs 0.15 + 4.5, 1 costs 0.4 + 4.05, 10 costs 4 + 1.35
    rule = oe.decide.fit([[0.4, 0.15, 0.45]], metric="mae", labels=[0, 1, 10])
    assert rule.predict([[0.4, 0.15, 0.45]]).tolist() == [1]
    assert rule.expected == pytest.approx(4.45)


def test_macro_accuracy_divides_by_the_share_of_the_class():
    # gold is expected 1.5, 0.5 times: class 1 wins where p1 / 0.5 > p0 / 1.5, so 0.3 > 0.7 / 3
    rows = np.array([[0.7, 0.3], [0.8, 0.2]])
    assert fitted("macro_accuracy", rows)[0].tolist() == [1, 0]


@pytest.mark.parametrize("name", LINEAR)
def test_a_linear_measure_gets_the_best_of_all_answers(name):
    for seed in range(8):
        rows = few_items(seed)
        answers, rule = fitted(name, rows)
        assert rule.exact
        assert expected_of(name, rows, answers) == pytest.approx(best_of_all(name, rows), abs=1e-9)


@grid("name", SEARCHED, every=2)
def test_a_search_nearly_always_finds_the_best_of_all_answers(name):
    gaps = gaps_of(name, range(5))
    assert max(gaps) <= 0.01
    assert sum(gap > 1e-9 for gap in gaps) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHED)
def test_of_a_hundred_searches_at_least_95_find_the_best_of_all_answers(name):
    gaps = gaps_of(name, range(100))
    assert max(gaps) <= 0.01
    assert sum(gap <= 1e-9 for gap in gaps) >= 95


def gaps_of(name, seeds):
    gaps = []
    for seed in seeds:
        rows = few_items(seed)
        answers, rule = fitted(name, rows)
        gaps.append(best_of_all(name, rows) - expected_of(name, rows, answers))
        # two classes may leave one rule to choose from
        assert not rule.exact or (rule.scale.k == 2 and gaps[-1] <= 1e-9)
    return gaps


@grid("name", sorted(registry), every=3)
def test_no_plain_answers_have_a_better_expected_table(name):
    rows = rows_by_chance(5, n=40, k=3)
    answers, rule = fitted(name, rows)
    up = 1 if registry[name].greater_is_better else -1
    value = expected_of(name, rows, answers)
    assert up * rule.expected == pytest.approx(value, abs=1e-9)
    median = (rows.cumsum(axis=1) < 0.5).sum(axis=1)
    nearest = np.abs((rows @ np.arange(3))[:, None] - np.arange(3)).argmin(axis=1)
    for plain in (rows.argmax(axis=1), median, nearest):
        assert value >= expected_of(name, rows, plain) - 1e-12


@grid("name", WORST_CLASS, every=3)
def test_measures_of_the_worst_class_are_searched_too(name):
    gaps = gaps_of(name, range(8))
    assert min(gaps) <= 1e-9


@pytest.mark.later
def test_many_items_are_searched_in_part_and_keep_what_plain_answers_reach():
    rows = rows_by_chance(6, n=30_000, k=5)
    for name in ("weighted_kappa(weights='quadratic')", "macro_f1"):
        answers, rule = fitted(name, rows)
        small = rows[:2000]
        own = expected_of(name, small, oe.decide.fit(small, metric=name).predict(small))
        assert rule.expected == pytest.approx(own, abs=0.02)
        assert expected_of(name, rows, answers) >= expected_of(name, rows, rows.argmax(axis=1))


@given(st.integers(0, 10**6))
@settings(max_examples=examples(25), deadline=None)
def test_a_rule_does_not_depend_on_the_order_of_the_items(seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(3), 30)
    order = rng.permutation(30)
    a, b = (oe.decide.fit(each, metric="qwk").predict(rows) for each in (rows, rows[order]))
    values = [expected_of("weighted_kappa(weights='quadratic')", rows, each) for each in (a, b)]
    assert values[0] == pytest.approx(values[1], abs=0.01)


def test_a_measure_that_asks_for_other_rules_elsewhere_is_not_called_exact():
    # these ask for more of the answers that are too rare, and which these are depends on the table
    for name in ("rnod", "normalised_match_distance", "jensen_shannon", "purity"):
        assert (
            Objective(registry[name], Scale(range(2))).worth_everywhere(np.array([3.0, 2.0]))
            is None
        )


def test_of_answers_that_are_worth_the_same_the_lowest_is_given():
    rows = np.array([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
    assert answers_of(np.eye(3), rows.T).tolist() == [1, 0, 0]
    assert oe.decide.fit(rows, metric="accuracy").ties == 2


def test_of_answers_that_are_worth_the_same_but_for_rounding_an_item_gets_the_lowest():
    # half of the mass is on 0, so that 0 and 1 have the same absolute error, 0.1 + 0.4 * 3 = 0.5 + 0.4 * 2; as they are
    # added up, 1 is ahead by the last digit
    rule = oe.decide.fit([[0.5, 0.1, 0.0, 0.4]], metric="mae")
    assert rule.predict([[0.5, 0.1, 0.0, 0.4]]).tolist() == [0]
    assert rule.ties == 1


def test_a_measure_that_depends_on_gold_alone_asks_for_no_answer_in_particular():
    def evenness(counts):
        share = counts.sum(axis=-1) / counts.sum(axis=(-1, -2))[..., None]
        return -(share * np.log(share)).sum(axis=-1)

    rows = rows_by_chance(5)
    rule = oe.decide.fit(rows, metric=evenness)
    assert set(rule.predict(rows).tolist()) == {0}
    assert rule.exact
    assert rule.ties == len(rows)


def test_a_measure_that_falls_where_answers_are_nearly_right_has_no_rule_for_all_tables():
    def about_right(counts):  # rises with accuracy up to 0.9, and falls beyond
        share = counts.trace(axis1=-2, axis2=-1) / counts.sum(axis=(-1, -2))
        return np.where(share < 0.9, share, 0.0)

    rows = [[0.97, 0.03]] * 9 + [[0.03, 0.97]] * 9
    rule = oe.decide.fit(rows, metric=about_right)
    # the most probable classes have an accuracy of 0.97, which is worth nothing
    assert rule.expected_of["mode"] == 0
    assert not rule.exact


def test_an_exchange_may_give_up_an_answer_altogether():
    # all items are alike, and all get the worse answer: the better one is worth 0.9
    columns = np.array([[0.9] * 5, [0.1] * 5])
    search = Search(Objective(registry["accuracy"], Scale([0, 1])), columns, columns)
    worse, _ = search.of(np.array([[0.0, 1.0], [0.0, 1.0]]))
    assert worse.value == pytest.approx(0.1)
    (better,) = search.moved([WorthChange(worse, None, 1)])
    assert better.value == pytest.approx(0.9)


def near_table(table):
    """Return a measure that is largest, 0, at one table of shares."""

    def distance(counts):
        share = counts / counts.sum(axis=(-1, -2), keepdims=True)
        return -np.abs(share - table).sum(axis=(-1, -2))

    return distance


def table_of(rows, answers):
    """Return the table of shares that the probabilities let expect."""
    return rows.T @ np.eye(rows.shape[1])[answers] / len(rows)


def test_a_rule_for_many_items_is_never_below_the_plain_answers():
    # a part of the items leads to a rule near the most probable class, which is best on all of them
    rows = rows_by_chance(6, n=5000, k=3)
    rule = oe.decide.fit(rows, metric=near_table(table_of(rows, rows.argmax(axis=1))))
    assert rule.expected == pytest.approx(0, abs=1e-12)


def test_what_a_calibrated_rule_expects_is_the_measure_of_its_own_answers():
    rows = rows_by_chance(7, n=2000, k=3)
    drawn = rows[:, [1, 2, 0]]  # gold follows the probabilities of other classes
    gold = (drawn.cumsum(axis=1) < np.random.default_rng(0).random((2000, 1))).sum(axis=1)
    change = oe.decide.fit(rows, gold, metric="accuracy", calibrate=True).calibration
    calibrated, mode = change(rows.T).T, rows.argmax(axis=1)
    measure = near_table(table_of(calibrated, mode))
    rule = oe.decide.fit(rows, gold, metric=measure, calibrate=True)
    # the plain answers are those of the probabilities as they came
    assert rule.expected_of["mode"] == pytest.approx(0, abs=1e-12)
    assert rule.expected == pytest.approx(measure(table_of(calibrated, rule.predict(rows))))
