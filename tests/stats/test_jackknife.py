"""Influences and standard errors, against leaving units out one by one, and against SciPy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.comparison.samples import joint_patterns
from ordeval.stats import bootstrap, chunks, jackknife
from ordeval.stats.bootstrap import CasePatterns
from ordeval.stats.differences import differences
from ordeval.stats.jackknife import (
    case_sample,
    independent_samples,
    item_sample,
    pooled_sample,
    without_one,
)
from ordeval.stats.pseudo_items import pseudo_answers, pseudo_effect, pseudo_shares
from tests.stats.scores import accuracy, both
from tests.stats.test_resampling import ITEMWISE, sample, scorer_of

# Cells of a table of two classes, flattened: gold 0 answered 0, 1 or not at all, then gold 1.
RIGHT_0, WRONG_0, NONE_0, WRONG_1, RIGHT_1, NONE_1 = range(6)


def case_of(counts, *cells):
    return CasePatterns(count=np.array(counts, dtype=float), cell=np.array(cells), k=2)


def runs_of(gold, *answers, **options):
    systems = dict(zip("abcdef", answers, strict=False))
    return oe.Runs.from_labels(gold, systems, labels=range(4), **options)


def each_item(sample, m, system):
    """Return the influence of every item, sorted: that of a pattern as often as it has items."""
    values = sample.influence[m, system, sample.place[system]]
    return np.sort(np.repeat(values, sample.count.astype(int)))


@pytest.mark.parametrize("name", ITEMWISE)
def test_the_influence_of_an_item_is_the_score_minus_that_without_it(name):
    gold, first, second = sample(n=60)
    found = item_sample(joint_patterns(runs_of(gold, first, second)), scorer_of([name]))
    keep = ~np.eye(len(gold), dtype=bool)
    for system, answer in enumerate((first, second)):
        left = np.array([ITEMWISE[name](gold[row], answer[row]) for row in keep])
        np.testing.assert_allclose(
            each_item(found, 0, system), np.sort(left.mean() - left), atol=1e-12
        )
        assert found.estimate.value[0, system] == pytest.approx(ITEMWISE[name](gold, answer))


def test_what_the_items_contribute_adds_up_to_the_score():
    gold, first, second = sample(n=60)
    found = item_sample(
        joint_patterns(runs_of(gold, first, second)), scorer_of(["cem_ord", "kendall_tau_b"])
    )
    for m in range(2):
        total = (found.contributions(m) * found.count).sum(axis=-1)
        np.testing.assert_allclose(total, found.estimate.value[m])
        np.testing.assert_allclose(
            found.moments(m), (found.contributions(m) * found.count) @ found.contributions(m).T
        )


def test_the_standard_error_of_accuracy_is_that_of_a_share():
    """A right item has the influence (1 - p) / (n - 1), a wrong one -p / (n - 1); times (n - 1) / n their squares add
    up to p (1 - p) / (n - 1). Against a system that is never right the difference is the accuracy itself.
    """
    gold = np.zeros(50, int)
    answer = (np.arange(50) >= 35).astype(int)  # 0.7 right
    found = item_sample(joint_patterns(runs_of(gold, answer, gold + 1)), scorer_of(["accuracy"]))
    np.testing.assert_allclose(np.unique(each_item(found, 0, 0)), [-0.7 / 49, 0.3 / 49])
    apart = differences(found, 0, np.array([0]), np.array([1]))
    pseudo = found.estimate.pseudo[0].sum()
    assert apart.value[0] == pytest.approx(0.7)
    assert apart.error[0] ** 2 - pseudo == pytest.approx(0.7 * 0.3 / 49)
    assert apart.plain[0] ** 2 == pytest.approx(0.7 * 0.3 / 49)
    assert found.estimate.plain[0, 0] ** 2 == pytest.approx(0.7 * 0.3 / 49)


@pytest.mark.parametrize("name", ["mae", "kendall_tau_b"])
def test_the_error_of_a_difference_is_the_jackknifes_of_the_difference_and_the_pseudo_items(name):
    gold, first, second = sample(n=80)
    found = item_sample(joint_patterns(runs_of(gold, first, second)), scorer_of([name]))
    score = ITEMWISE[name]
    left = np.array(
        [
            score(gold[row], first[row]) - score(gold[row], second[row])
            for row in ~np.eye(len(gold), dtype=bool)
        ]
    )
    n = len(gold)
    apart = differences(found, 0, np.array([0]), np.array([1]))
    expected = (n - 1) / n * ((left - left.mean()) ** 2).sum()  # Tukey's variance
    # ours takes the contributions for independent numbers: (difference / n)^2 less, a share of 1 / n
    assert apart.error[0] ** 2 - found.estimate.pseudo[0].sum() == pytest.approx(expected, rel=0.02)
    assert apart.freedom.tolist() == [n - 1]


def test_an_item_in_a_table_without_it_has_no_influence_and_neither_has_one_without_which_all_is_undefined():
    """Of 1 and 3 items: without the first the share of the first cell is undefined, and the others leave 1/3 each."""
    used, influence = without_one(
        case_of([1, 3], [RIGHT_0, WRONG_0]).observed, both, np.zeros((1, 2, 3))
    )
    assert used.tolist() == [RIGHT_0, WRONG_0]
    # accuracy: 1/4 - 0 = 1/4 and 1/4 - 1/3 = -1/12, which with 1 and 3 items add up to 0
    np.testing.assert_allclose(influence[0, 0], [1 / 4, -1 / 12])
    # the other: 0 and -1/12, whose mean over 4 items is -1/16
    np.testing.assert_allclose(influence[1, 0], [1 / 16, -1 / 12 + 1 / 16])
    two = case_of([2, 1], [RIGHT_0, RIGHT_1], [RIGHT_0, WRONG_1])
    used, influence = without_one(two.observed, accuracy, two.observed)
    assert used.tolist() == [RIGHT_0, WRONG_1, RIGHT_1]
    # the second system: 2/3 - 1/2 for the two right items, 2/3 - 1 for the wrong one, nothing for a cell without items
    np.testing.assert_allclose(influence[0], [[0, 0, 0], [1 / 6, -1 / 3, 0]], atol=1e-15)


def test_over_cases_an_item_has_the_influence_that_it_has_on_the_mean(monkeypatch):
    """3 of 4 right and 2 of 8: without an item 2/3 or 1, and 1/7 or 2/7; half of that for the mean of two cases."""
    cases = [case_of([3, 1], [RIGHT_0, WRONG_0]), case_of([2, 6], [RIGHT_1, WRONG_1])]
    expected = np.array([0.75 - 2 / 3, 0.75 - 1, 0.25 - 1 / 7, 0.25 - 2 / 7]) / 2
    for numbers in (chunks.NUMBERS_AT_A_TIME, 6):  # all tables at a time, then one
        monkeypatch.setattr(chunks, "NUMBERS_AT_A_TIME", numbers)
        found = item_sample(cases, accuracy)
        np.testing.assert_allclose(found.influence[0, 0, found.place[0]], expected)
        assert found.count.tolist() == [3, 1, 2, 6]
        assert found.estimate.value.tolist() == [[0.5]]
        assert found.units == 12


@pytest.mark.later
def test_leaving_out_groups_gives_nearly_the_errors_of_leaving_out_items(monkeypatch):
    rng = np.random.default_rng(0)
    k, n = 70, 8000
    gold = rng.integers(0, k, n)
    answers = {
        name: np.clip(gold + np.rint(rng.normal(0, wide, n)), 0, k - 1).astype(int)
        for name, wide in (("a", 9), ("b", 12))
    }
    runs = oe.Runs.from_labels(gold, answers, labels=range(k))
    patterns, scorer = joint_patterns(runs), scorer_of(["mae", "accuracy", "kendall_tau_b"], k)
    assert len(np.unique(patterns[0].cell)) > bootstrap.MOST_CELLS
    grouped = item_sample(patterns, scorer)
    assert grouped.influence.shape == (3, 2, jackknife.GROUPS)
    monkeypatch.setattr(bootstrap, "MOST_CELLS", 10**9)
    single = item_sample(patterns, scorer)
    np.testing.assert_allclose(grouped.estimate.value, single.estimate.value)
    # a standard deviation of 200 groups is known to 1 / sqrt(2 * 200) = 5%; three of that
    np.testing.assert_allclose(grouped.estimate.error, single.estimate.error, rtol=0.15)
    for m in range(3):
        one, many = (
            differences(each, m, np.array([0]), np.array([1])) for each in (single, grouped)
        )
        assert many.error[0] == pytest.approx(one.error[0], rel=0.15)


def test_groups_split_the_items_of_a_cell_and_not_the_cells(monkeypatch):
    """90,000 items in 4 cells, 0.8 of them right: the standard error is sqrt(0.8 * 0.2 / 90,000)."""
    monkeypatch.setattr(bootstrap, "MOST_CELLS", 1)
    case = case_of([36_000, 9_000, 9_000, 36_000], [RIGHT_0, WRONG_0, WRONG_1, RIGHT_1])
    found = item_sample([case], accuracy)
    np.testing.assert_allclose(found.estimate.error[:, 0, 0], np.sqrt(0.16 / 90_000), rtol=0.15)


def test_the_influence_of_a_pooled_case_is_the_score_minus_that_without_the_case():
    gold, first, second = sample(n=90)
    case = np.arange(90) % 7
    runs = runs_of(gold, first, second, case=case)
    for name in ITEMWISE:
        found = pooled_sample(joint_patterns(runs), scorer_of([name]))
        assert found.units == 7
        for system, answer in enumerate((first, second)):
            left = np.array([ITEMWISE[name](gold[case != c], answer[case != c]) for c in range(7)])
            np.testing.assert_allclose(
                np.sort(found.influence[0, system]), np.sort(left.mean() - left), atol=1e-12
            )
            assert found.estimate.value[0, system] == pytest.approx(ITEMWISE[name](gold, answer))


def cases_with(*scores):
    """Return a sample of cases with these scores: pseudo-items add nothing to any."""
    scores = np.array(scores, dtype=float)[None]
    nothing = np.zeros(scores.shape[:2])
    patterns = [case_of([3, 1], *[[RIGHT_0, WRONG_0]] * scores.shape[1])] * scores.shape[-1]
    found = case_sample(patterns, accuracy, scores)
    return replace(found, estimate=replace(found.estimate, pseudo=nothing))


def test_the_standard_error_of_a_mean_over_cases_is_that_of_scipy():
    scores = np.random.default_rng(0).random(11)
    found = cases_with(scores, np.zeros(11))
    apart = differences(found, 0, np.array([0]), np.array([1]))
    assert apart.value[0] == pytest.approx(scores.mean())
    assert apart.error[0] == pytest.approx(stats.sem(scores))
    assert found.estimate.plain[0, 0] == pytest.approx(stats.sem(scores))


@pytest.mark.parametrize("cases", [2, 5, 25, 60])
def test_the_difference_of_two_systems_over_cases_is_scipys_paired_t_test(cases):
    a, b = np.random.default_rng(cases).normal(0.1, 1, (2, cases))
    apart = differences(cases_with(a, b), 0, np.array([0]), np.array([1]))
    expected = stats.ttest_rel(a, b)
    assert apart.t[0] == pytest.approx(expected.statistic)
    assert apart.p[0] == pytest.approx(expected.pvalue)
    ends = expected.confidence_interval(0.9)
    assert [end[0] for end in apart.interval(0.9)] == pytest.approx([ends.low, ends.high])


def test_a_case_without_a_score_of_one_system_is_left_out_of_the_pair_alone():
    a, b = np.random.default_rng(1).normal(0.1, 1, (2, 9))
    holes = a.copy()
    holes[[2, 5]] = np.nan
    apart = differences(cases_with(holes, b), 0, np.array([0]), np.array([1]))
    kept = ~np.isnan(holes)
    assert apart.p[0] == pytest.approx(stats.ttest_rel(a[kept], b[kept]).pvalue)
    assert apart.freedom.tolist() == [6]


def test_independent_samples_are_compared_as_by_welch():
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.5, 1, 14), rng.normal(0, 3, 40)
    parts = []
    for values in (a, b):
        estimate = cases_with(values).estimate
        error = np.full(estimate.error.shape, stats.sem(values))
        parts.append(cases_with(values))
        parts[-1] = replace(parts[-1], estimate=replace(estimate, error=error))
    apart = differences(independent_samples(parts), 0, np.array([0]), np.array([1]))
    expected = stats.ttest_ind(a, b, equal_var=False)
    assert apart.t[0] == pytest.approx(expected.statistic)
    assert apart.p[0] == pytest.approx(expected.pvalue)


def test_pseudo_items_hardly_change_the_error_of_independent_tables_that_have_many_errors():
    """Accuracies of 80 in 100 and 140 in 200: variances 0.16 / 99 and 0.21 / 199, and two pseudo-items each."""
    a, b = oe.Table.from_counts([[40, 10], [10, 40]]), oe.Table.from_counts([[70, 30], [30, 70]])
    (pair,) = oe.compare({"a": a, "b": b}, metrics="accuracy", primary="accuracy").pairs
    plain = np.sqrt(0.16 / 99 + 0.21 / 199)
    assert pair.error == pytest.approx(plain, rel=0.02)


# --- pseudo-items ---


def test_a_pseudo_item_is_half_right_and_a_class_twice_as_far_half_as_likely():
    """Of three classes the first has neighbours with weights 1 and 1/2: 1/2 * 2/3 and 1/2 * 1/3."""
    expected = [[1 / 2, 1 / 3, 1 / 6, 0], [1 / 4, 1 / 2, 1 / 4, 0], [1 / 6, 1 / 3, 1 / 2, 0]]
    np.testing.assert_allclose(pseudo_answers(3), expected)
    assert pseudo_answers(1).tolist() == [[1, 0]]
    np.testing.assert_allclose(pseudo_answers(9).sum(axis=1), 1.0)


def test_a_pseudo_item_falls_evenly_into_the_classes_that_occur_in_gold():
    cells = np.array([[90.0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 10]])
    np.testing.assert_allclose(pseudo_shares(cells), pseudo_answers(3) * [[1 / 2], [0], [1 / 2]])
    assert pseudo_shares(np.zeros((2, 3))).tolist() == np.zeros((2, 3)).tolist()


def test_the_effect_of_a_pseudo_item_is_the_mean_over_where_it_may_fall():
    """3 of 4 right. One more right item gives 4 / 5, one more wrong 3 / 5: changes of 1/20 and -3/20, each by half.

    There is one right and one wrong answer here, so that all of a kind together are the same.
    """
    cells = case_of([3, 1], [RIGHT_0, WRONG_0]).observed
    mean, square = pseudo_effect(cells, accuracy, 1.0, by_cell=True)
    assert mean[0, 0] == pytest.approx(-1 / 20)
    assert square[0, 0] == pytest.approx((1 / 400 + 9 / 400) / 2)
    mean, square = pseudo_effect(cells, accuracy, 1.0, by_cell=False)
    assert mean[0, 0] == pytest.approx(-1 / 20)
    assert square[0, 0] == pytest.approx((1 / 400 + 9 / 400) / 2)


def test_an_estimate_adds_one_and_two_pseudo_items_to_the_score_and_its_error():
    """The plain variance of 3 in 4 is 0.75 * 0.25 / 3; a pseudo-item shifts by -1/20 and adds 10 / 800.

    Four items and one pseudo-item are five, and an item of five tells 4/5 of what one of four does.
    """
    estimate = item_sample([case_of([3, 1], [RIGHT_0, WRONG_0])], accuracy).estimate
    assert estimate.centre[:, 0, 0].tolist() == pytest.approx([0.75 - 1 / 20, 0.75 - 2 / 20])
    expected = [(0.0625 + 10 / 800) * (4 / 5) ** 2, (0.0625 + 20 / 800) * (4 / 6) ** 2]
    assert (estimate.error[:, 0, 0] ** 2).tolist() == pytest.approx(expected)
    assert estimate.pseudo[0, 0] == pytest.approx(20 / 800)


def test_cases_that_all_score_one_half_have_no_error_of_0():
    """A pseudo-item is right or wrong: either changes an accuracy of 1/2, though their mean does not."""
    cases = [case_of([5, 5], [RIGHT_0, WRONG_0]) for _ in range(6)]
    scores = np.full((1, 1, 6), 0.5)
    assert (case_sample(cases, accuracy, scores).estimate.error > 0.001).all()


@pytest.mark.parametrize("factor", [None, np.array([1.0, 0.5])], ids=["no factor", "a factor"])
def test_tables_without_groups_of_soft_items_are_those_of_the_other_items(factor):
    rng = np.random.default_rng(4)
    gold, rows = rng.integers(3, size=60), rng.dirichlet(np.ones(3), (2, 60))
    weight = rng.random(60)
    systems = dict(zip("ab", rows, strict=True))
    runs = oe.Runs.from_labels(gold, systems, labels=range(3), sample_weight=weight)
    (case,) = joint_patterns(runs, scorer=scorer_of("brier_score", k=3))
    case = replace(case, factor=factor)
    group = np.arange(len(case.count)) % 7
    left = case.without_groups(group, 7)
    for at in range(7):
        (by_draws,) = case.tables(np.where(group == at, 0.0, case.count)[None])
        np.testing.assert_allclose(left[at], by_draws, atol=1e-12)


def test_groups_of_many_soft_items_give_the_error_of_single_items(monkeypatch):
    rng = np.random.default_rng(5)
    rows = rng.dirichlet(np.ones(3), 6000)
    gold = (rows.cumsum(axis=1) < rng.random((6000, 1))).sum(axis=1)

    def error():
        found = oe.evaluate(gold, rows, labels=range(3), metrics=["brier_score", "cem_ord"])
        return np.array([found["brier_score"].error, found["cem_ord"].error])

    single = error()
    monkeypatch.setattr("ordeval.stats.soft_patterns.MOST_TABLES", 100)
    # the error of an error from 200 groups is 1 / sqrt(2 * 199) = 5%
    np.testing.assert_allclose(error(), single, rtol=0.15)
    assert (error() != single).all()


def test_systems_are_numbered_by_their_answers_in_the_order_of_numbers():
    # cells 0, 300 and 5 at the first item: 300 comes last, also where its lowest byte is smaller
    cases = [case_of([1.0, 1.0], [0, 1], [5, 0], [300, 0], [5, 0])]
    assert jackknife.alike(cases).tolist() == [0, 1, 2, 1]
