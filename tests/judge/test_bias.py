"""How a judge marks: bias by sums worked by hand, classes that it merges, repeats, and the items to read first."""

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.judge import validate
from ordeval.judge.left_out import estimates, ratio
from tests.judge.panels import CLASSES, marks_of, panel, repeated


def judged(rows, judge, **options):
    """Return the verdict on a judge from rows of the humans' marks."""
    humans = oe.Ratings.from_array(rows, labels=CLASSES, **options)
    marks = [[each] for each in judge]
    return validate(humans, oe.Ratings.from_array(marks, raters=["gpt"], labels=CLASSES, **options))["gpt"]  # fmt: skip


def test_a_mean_has_the_interval_of_the_t_test():
    numbers = np.array([0.3, 1.2, -0.4, 2.2, 0.9, 0.9])
    found = estimates(
        lambda part: np.stack([np.ones(len(numbers[part])), numbers[part]], axis=1), np.ones(6, dtype=int),
        lambda sums: ratio(sums[..., 1:], sums[..., :1]), 0.9,
    ).at(0)  # fmt: skip
    test = stats.ttest_1samp(numbers, 0)
    low, high = test.confidence_interval(0.9)
    assert (found.value, found.low, found.high, found.p) == pytest.approx(
        (numbers.mean(), low, high, test.pvalue)
    )


def test_the_interval_of_a_ratio_is_that_of_leaving_one_item_out():
    rng = np.random.default_rng(0)
    sums, count = rng.random((5, 2)) + 0.5, np.array([1, 2, 1, 3, 1])
    found = estimates(
        lambda part: sums[part], count, lambda of: of[..., :1] / of[..., 1:], 0.95
    ).at(0)
    items = np.repeat(sums, count, axis=0)
    left = np.array([np.delete(items, at, axis=0).sum(axis=0) for at in range(8)])
    values = left[:, 0] / left[:, 1]
    error = np.sqrt(7 / 8 * ((values - values.mean()) ** 2).sum())
    whole = items[:, 0].sum() / items[:, 1].sum()
    assert found.high - whole == pytest.approx(stats.t.ppf(0.975, 7) * error)


def test_the_bias_is_the_mean_of_the_judges_mark_minus_the_mean_of_the_humans():
    # 2 - 1.5, 3 - 3, 5 - 4.5: (0.5 + 0 + 0.5) / 3
    one = judged([[1, 2], [3, 3], [4, 5]], [2, 3, 5])
    assert one.bias.mean == pytest.approx(1 / 3)
    assert one.bias.low < 1 / 3 < one.bias.high


def interval_with_two_more(numbers, step, level=0.95):
    """Return the t interval and p of numbers, to which one of `step` and one of -step are added."""
    numbers = np.asarray(numbers, dtype=float)
    more = np.append(numbers, [step, -step])
    error, freedom = more.std(ddof=1) / np.sqrt(len(more)), len(numbers) - 1
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
    p = 2 * stats.t.sf(abs(more.mean()) / error, freedom)
    return more.mean() - reach, more.mean() + reach, p


def test_intervals_of_bias_have_one_item_more_on_each_side_that_is_a_mean_step_apart():
    # The steps of the values 0, 10 and 100 are 50 on average.
    options = {"labels": ["low", "mid", "high"], "values": [0, 10, 100]}
    rows = [["low", "mid"], ["mid", "mid"], ["high", "mid"], ["high", "high"]]
    judge = [["mid"], ["low"], ["high"], ["mid"]]
    one = validate(
        oe.Ratings.from_array(rows, raters=["a", "b"], **options),
        oe.Ratings.from_array(judge, raters=["gpt"], **options),
    )["gpt"]
    apart = [10 - 5, 0 - 10, 100 - 55, 10 - 100]
    assert one.bias.mean == pytest.approx(np.mean(apart))
    assert (one.bias.low, one.bias.high, one.bias.p) == pytest.approx(
        interval_with_two_more(apart, 50)
    )
    # shares of "mid": the judge's minus the humans' on each item, and once all, once none
    mid = one.bias.by_class[1]
    low, high, _ = interval_with_two_more([1 - 0.5, 0 - 1, 0 - 0.5, 1 - 0], 1)
    assert (mid.share_low, mid.share_high) == pytest.approx((low, high))


def test_a_class_is_held_against_the_other_humans_on_the_same_items():
    # A human gives 5 twice: on the first item the judge gives 3 and the other human 4, on the second 4 and 5 (each of
    # two humans gives 5 there, and the other one 5): judge (3 + 4 + 4) / 3, others (4 + 5 + 5) / 3.
    one = judged([[5, 4], [5, 5], [1, 1]], [3, 4, 1])
    five = one.bias.by_class[4]
    assert (five.label, five.marks) == (5, 3)
    assert five.judge == pytest.approx(11 / 3)
    assert five.others == pytest.approx(14 / 3)
    assert five.difference == pytest.approx(-1)
    # Shares: the humans give 5 on half of the first item and all of the second, (0.5 + 1) / 3, the judge never.
    assert (five.human_share, five.judge_share) == pytest.approx((0.5, 0))
    assert five.share_difference == pytest.approx(-0.5)
    assert one.bias.by_class[1].marks == 0
    assert np.isnan(one.bias.by_class[1].difference)
    assert one.unused_classes == (5,)


def test_a_judge_that_marks_like_a_human_shows_no_bias_although_both_regress_to_the_mean():
    humans, judges = panel(5, items=2000, noise=1.0, judges={"gpt": (1.0, 0.0)})
    one = validate(humans, judges)["gpt"]
    top = one.bias.by_class[4]
    assert top.others < 4.7  # not the class itself
    assert all(abs(each.difference) < 0.15 for each in one.bias.by_class)
    assert one.collapsed_classes == ()


def test_a_judge_that_marks_half_a_class_higher_and_avoids_an_end_is_said_to():
    humans, judges = panel(6, items=800, judges={"gpt": (0.5, 0.0)})
    marks = marks_of(judges)
    marks[marks[:, 0] == 1, 0] = 2
    kind = oe.Ratings.from_array(marks, raters=["gpt"], item=judges.items, labels=CLASSES)
    one = validate(humans, kind)["gpt"]
    assert one.unused_classes == (1,)
    assert one.bias.low > 0
    assert [each.label for each in one.bias.avoided] == [1]
    text = validate(humans, kind).to_text(width=200)
    assert "gpt never gives 1, which humans do" in text
    assert "On average gpt marks 0." in text


def test_two_classes_that_the_judge_merges_are_found_and_others_are_not():
    humans, judges = panel(7, items=800, noise=0.5, judges={"gpt": (0.5, 0.0)})
    assert validate(humans, judges)["gpt"].collapsed_classes == ()
    marks = marks_of(judges)
    merged = np.isin(marks[:, 0], [2, 3])
    marks[merged, 0] = np.random.default_rng(0).integers(2, 4, int(merged.sum()))
    blind = oe.Ratings.from_array(marks, raters=["gpt"], item=judges.items, labels=CLASSES)
    found = validate(humans, blind)
    (pair,) = found["gpt"].collapsed_classes
    assert (pair.lower, pair.upper) == (2, 3)
    assert pair.judge < 0.6 < pair.human
    assert "hardly tells 2 from 3, which humans tell apart" in found.to_text(width=300)


def test_a_judge_that_marks_a_class_higher_tells_all_classes_apart():
    humans, judges = panel(9, items=800, noise=0.5, judges={"gpt": (0.5, 1.0)})
    assert validate(humans, judges)["gpt"].bias.low > 0.6
    assert {each.upper for each in validate(humans, judges)["gpt"].collapsed_classes} <= {5}


def test_the_probability_of_the_higher_mark_is_that_of_mann_and_whitney():
    # The judge's marks where a human gives 1 and where one gives 2, as far as they are 1 or 2, against SciPy's U.
    rng = np.random.default_rng(2)
    rows = [[c, c] for c in rng.integers(1, 3, 60)]
    judge = rng.integers(1, 4, 60)
    low, high = (judge[[row[0] == c for row in rows] & (judge < 3)] for c in (1, 2))
    expected = stats.mannwhitneyu(high, low).statistic / (len(low) * len(high))
    (pair,) = judged(rows, judge.tolist()).collapsed_classes
    assert (pair.lower, pair.upper, pair.human) == (1, 2, 1.0)
    assert pair.judge == pytest.approx(expected)


def test_repeats_are_compared_in_pairs():
    # Pairs of marks of the judge: 1 1 2 has one equal pair of three, 1 class apart twice; 4 4 has one of one.
    marks = [[1, 1, 2], [4, 4, np.nan], [5, np.nan, np.nan]]
    humans = oe.Ratings.from_array([[1, 2], [4, 4], [5, 5]], item=[0, 1, 2], labels=CLASSES)
    again = validate(humans, repeated(marks))["gpt"].consistency
    assert again.items == 2
    assert again.equal == pytest.approx(2 / 4)
    assert again.distance == pytest.approx(2 / 4)
    assert again.alpha.value == pytest.approx(oe.krippendorff_alpha(repeated(marks)))
    # The third repeat gives 2 where the others give 1.
    assert [(each.repeat, each.items) for each in again.repeats] == [(1, 2), (2, 2), (3, 1)]
    assert again.repeats[2].difference == pytest.approx(1)
    assert again.repeats[0].difference == pytest.approx((-0.5 + 0) / 2)


def test_the_interval_of_a_repeat_has_one_item_more_on_each_side():
    marks = [[1, 1, 2], [4, 3, 4], [5, 2, 4]]
    humans = oe.Ratings.from_array([[1, 2], [4, 4], [5, 5]], item=[0, 1, 2], labels=CLASSES)
    first = validate(humans, repeated(marks))["gpt"].consistency.repeats[0]
    expected = interval_with_two_more([1 - 1.5, 4 - 3.5, 5 - 3], 1)
    assert (first.low, first.high, first.p) == pytest.approx(expected)


def test_a_repeat_that_stands_alone_differs_from_nothing():
    humans = oe.Ratings.from_array([[1, 2], [4, 4], [5, 5]], item=[0, 1, 2], labels=CLASSES)
    marks = [[1, 2, np.nan], [4, 4, np.nan], [np.nan, np.nan, 5]]
    third = validate(humans, repeated(marks))["gpt"].consistency.repeats[2]
    assert third.items == 0
    assert third.to_dict()["difference"] is None
    assert third.p_adjusted is None


def test_an_order_of_presentation_that_matters_is_found():
    humans, judges = panel(8, items=300, judges={"a": (0.4, 0.0), "b": (0.4, 0.4), "c": (0.4, 0.0)})
    again = repeated(marks_of(judges), items=judges.items)
    found = validate(humans, again)
    repeats = found["gpt"].consistency.repeats
    moved = [each.repeat for each in repeats if each.p_adjusted < 0.01 and each.difference > 0.2]
    assert moved == [2]
    text = found.to_text(width=200)
    assert "some repeats differ from the others" in text
    assert "The repeats of gpt:" in text
    assert found.to_dict()["judges"][0]["consistency"]["repeats"][1]["repeat"] == 2


def test_the_items_to_read_first_are_those_where_the_judge_is_far_and_the_humans_agree():
    # distance of the judge from the humans minus their spread: 4 - 0, 2 - 0, (2 + 2) / 2 - 4 = -2, 0 - 0
    rows, judge = [[1, 5], [2, 2], [3, 3], [1, 1]], [3, 2, 5, 5]
    one = judged(rows, judge, item=["split", "fine", "off", "far"])
    read = list(one.disagreement)
    assert [each.item for each in read] == ["far", "off", "fine", "split"]
    assert [each.gap for each in read] == [4, 2, 0, -2]
    assert read[0].votes == (2, 0, 0, 0, 0)
    assert read[0].answer == (0, 0, 0, 0, 1)
    assert read[0].to_dict()["judge"] == [{"label": 5, "share": 1.0}]
    assert len(one.disagreement[:2]) == 2
    assert one.disagreement[-1].item == "split"


@pytest.mark.slow
def test_the_intervals_of_the_bias_cover_it():
    # 300 panels of a judge that marks 0.3 higher before rounding; the true bias is that of very many items.
    def bias(seed, items):
        both = panel(seed, items=items, judges={"gpt": (0.6, 0.3)})
        return validate(*both, metrics=["mae"], primary="mae")["gpt"].bias

    true = bias(10_000, 200_000)
    runs = [bias(seed, 100) for seed in range(300)]
    covered = np.mean([run.low <= true.mean <= run.high for run in runs])
    assert 0.92 <= covered <= 0.98
    classes = [
        each.low <= true.by_class[at].difference <= each.high
        for run in runs for at, each in enumerate(run.by_class) if each.low is not None
    ]  # fmt: skip
    assert 0.92 <= np.mean(classes) <= 0.985
    shares = [
        each.share_low <= true.by_class[at].share_difference <= each.share_high
        for run in runs for at, each in enumerate(run.by_class)
    ]  # fmt: skip
    assert 0.93 <= np.mean(shares) <= 0.98
