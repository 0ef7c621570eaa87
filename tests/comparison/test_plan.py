"""How many items would settle it."""

import json
import re

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.errors import LabelTypeError, ParameterError, ScaleError, TableError
from tests.examples import grid


def smallest(spread, difference, power=0.8, level=0.95, *, comparisons=1, samples=1):
    """Return the smallest n with n >= spread * ((t(1 - alpha / 2) + t(power)) / difference)^2, by SciPy, one by one."""
    n = 2
    while True:
        freedom = samples * (n - 1)
        t = stats.t.ppf(1 - (1 - level) / 2 / comparisons, freedom) + stats.t.ppf(power, freedom)
        if spread * (t / difference) ** 2 <= n:
            return n
        n += 1


def test_two_tables_are_planned_as_independent_samples():
    """Accuracies of 0.8 and 0.7 in 100 items: variance (0.16 + 0.21) * 100 / 99 an item, difference 0.1.

    With 588 degrees of freedom the quantiles add up to 1.9640 + 0.8423: 0.37374 * 28.063^2 = 294.3, so 295.
    """
    a = oe.Table.from_counts([[40, 10], [10, 40]])
    b = oe.Table.from_counts([[35, 15], [15, 35]])
    found = oe.plan(a, b, metric="accuracy")
    assert found.items == 295 == smallest(0.37 * 100 / 99, 0.1, samples=2)
    assert found.error == pytest.approx(np.sqrt(0.37 / 99))
    assert not found.paired
    more = oe.plan(a, b, metric="accuracy", power=0.9, level=0.99, comparisons=10)
    assert more.items == smallest(0.37 * 100 / 99, 0.1, 0.9, 0.99, comparisons=10, samples=2)


@grid("difference", [0.9, 0.5, 0.31, 0.1, 0.07, -0.02], every=2)
def test_the_number_is_the_smallest_that_agrees_with_its_own_t(difference):
    a = oe.Table.from_counts([[40, 10], [10, 40]])
    b = oe.Table.from_counts([[35, 15], [15, 35]])
    found = oe.plan(a, b, metric="accuracy", difference=difference)
    assert found.items == smallest(0.37 * 100 / 99, difference, samples=2)
    assert (found.difference, found.observed) == (difference, pytest.approx(0.1))


@pytest.mark.parametrize("difference", [0.4, 0.1, 0.03])
@pytest.mark.parametrize("paired", [True, False])
def test_the_difference_that_so_many_items_can_show_is_the_reverse_of_the_number(
    difference, paired
):
    runs = alone_right(10)
    data = (runs,) if paired else tuple(runs.table.select(system=name) for name in "ab")
    found = oe.plan(*data, metric="accuracy", difference=difference, comparisons=3)
    assert found.detectable(found.items) <= difference < found.detectable(found.items - 1)
    with pytest.raises(ParameterError, match="items=1 is not a number of items"):
        found.detectable(1)


def test_over_test_cases_too_the_difference_that_can_be_shown_is_the_reverse():
    runs, _ = over_twenty_cases()
    found = oe.plan(runs, metric="accuracy", difference=0.05)
    assert found.items == 30 * found.cases
    assert found.detectable(found.items) <= 0.05 < found.detectable(found.items - 30)


def test_a_plan_for_a_difference_has_the_ends_of_the_pilots_variance():
    """With 99 degrees of freedom the variance is known to between 99 / 128.4 and 99 / 73.4 of itself (chi-square)."""
    found = oe.plan(alone_right(10), metric="accuracy", difference=0.05)
    spread = 0.09 * 100 / 99
    low, high = (99 / stats.chi2.ppf(tail, 99) for tail in (0.975, 0.025))
    assert found.low == pytest.approx(smallest(spread * low, 0.05), rel=0.005)
    assert found.high == pytest.approx(smallest(spread * high, 0.05), rel=0.005)


def test_a_plan_for_the_pilots_difference_has_the_ends_of_its_interval():
    found = oe.plan(alone_right(10), metric="accuracy")
    (pair,) = oe.compare(alone_right(10), metrics="accuracy", primary="accuracy").pairs
    spread = 0.09 * 100 / 99
    assert found.low == smallest(spread, pair.high)
    assert found.high == smallest(spread, pair.low)
    vague = oe.plan(alone_right(3), metric="accuracy")  # 3 of 100: the interval reaches 0
    assert vague.low < vague.items
    assert vague.high is None


def test_systems_that_err_on_the_same_items_need_fewer():
    """Of 100 items a alone is right on 10, b alone on none: a difference has variance 0.1 - 0.01, times 100/99."""
    runs = alone_right(10)
    paired = oe.plan(runs, metric="accuracy")
    assert paired.paired
    assert paired.items == smallest(0.09 * 100 / 99, 0.1)
    apart = oe.plan(*(runs.table.select(system=name) for name in "ab"), metric="accuracy")
    assert apart.items > 3 * paired.items


def over_twenty_cases():
    """Return runs of 20 cases of 30 items, and the differences of two accuracies case by case."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 600)
    a, b = (np.where(rng.random(600) < share, gold, 0) for share in (0.8, 0.7))
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, case=np.repeat(np.arange(20), 30))
    return runs, ((a == gold).astype(float) - (b == gold)).reshape(20, 30).mean(axis=1)


def test_with_test_cases_the_answer_is_in_cases():
    runs, right = over_twenty_cases()
    found = oe.plan(runs, metric="accuracy")
    assert found.cases == smallest(right.var(ddof=1), right.mean())
    assert found.items == found.cases * 30
    assert "test cases" in str(found)


def test_several_comparisons_over_cases_take_as_many_as_their_flips_need():
    """However large the difference, 2 / 2^n is at most 0.05 from n = 6 on."""
    runs, _ = over_twenty_cases()
    assert oe.plan(runs, metric="accuracy", difference=5.0, comparisons=3).cases == 6
    assert oe.plan(runs, metric="accuracy", difference=5.0).cases < 6


@pytest.mark.slow
def test_the_planned_number_has_the_power_asked_for():
    """Plan from a known population, then draw samples of that size: about 80% of them are significant."""
    rng = np.random.default_rng(1)
    place = np.arange(3)
    gold = np.array([0.5, 0.3, 0.2])
    answers = [np.exp(-sharp * np.abs(place[:, None] - place)) for sharp in (1.6, 1.2)]
    first, second = (weight / weight.sum(axis=1, keepdims=True) for weight in answers)
    joint = gold[:, None, None] * first[:, :, None] * second[:, None, :]
    pilot = np.rint(joint * 4000).astype(int)
    labels = np.repeat(np.argwhere(np.ones_like(pilot)), pilot.ravel(), axis=0)
    runs = oe.Runs.from_labels(
        labels[:, 0], {"a": labels[:, 1], "b": labels[:, 2]}, labels=range(3)
    )
    n = oe.plan(runs).items
    found, trials = 0, 1500
    for _ in range(trials):
        items = labels[rng.integers(0, len(labels), n)]
        again = oe.Runs.from_labels(
            items[:, 0], {"a": items[:, 1], "b": items[:, 2]}, labels=range(3)
        )
        found += oe.compare(again, metrics=["cem_ord"]).pairs[0].p <= 0.05
    # 5 points are the contract; the error is 1
    assert found / trials == pytest.approx(0.8, abs=0.05)


@pytest.mark.slow
def test_a_planned_number_of_cases_has_the_power_asked_for():
    """A pilot whose differences vary as those of the cases to come do, and samples of the size that it gives."""
    rng = np.random.default_rng(2)
    # on so many more of the 100 items of a case a is right
    right = np.tile([2, 4, 6, 8, 10, 12], 4)
    answers = {
        "a": np.concatenate([np.arange(100) < 60 + r for r in right]),
        "b": np.concatenate([np.arange(100) < 60 for r in right]),
    }
    case = np.repeat(np.arange(24), 100)
    runs = oe.Runs.from_labels(np.ones(2400, int), answers, case=case, labels=[0, 1])
    d = right / 100
    for power in (0.8, 0.9):
        n = oe.plan(runs, metric="accuracy", difference=0.03, power=power).cases
        drawn = rng.normal(0.03, d.std(ddof=1), (20_000, n))
        reached = stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05
        assert reached.mean() == pytest.approx(power, abs=0.05)


def test_no_difference_and_no_value_have_a_reason_and_no_number():
    same = oe.Table.from_counts([[4, 1], [1, 4]])
    found = oe.plan(same, same)
    assert found.items is None
    assert (
        "do not differ in the pilot, so a plan needs the smallest difference that matters"
        in str(found)
    )
    near = oe.plan(same, oe.Table.from_counts([[5, 0], [2, 3]]))  # 8 of 10 right, either way
    assert near.items is None
    small = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]), oe.Table.from_counts([[40, 10], [12, 38]]), metric="accuracy"
    )  # fmt: skip
    assert small.items is None
    assert "smaller than its standard error, so a plan needs the smallest" in small.reason
    assert oe.plan(same, same, difference=0.1).items > 0
    constant = oe.Table.from_counts([[5, 0], [5, 0]])
    undefined = oe.plan(same, constant, metric="kendall_tau_b")
    assert undefined.items is None
    assert "undefined" in undefined.reason
    assert undefined.to_dict()["difference"] is None


def test_a_pilot_without_any_variation_asks_for_the_fewest_items_that_have_a_t():
    right, wrong = oe.Table.from_counts([[5, 0], [0, 5]]), oe.Table.from_counts([[0, 5], [5, 0]])
    assert oe.plan(right, wrong, metric="accuracy").items == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (lambda t: ((t, t), {"power": 1}), ParameterError, "power=1 is not a probability"),
        (lambda t: ((t, t), {"level": 95}), ParameterError, "level=95 is not a probability"),
        (lambda t: ((t,), {}), LabelTypeError, "two Tables"),
        (
            lambda _: ((oe.Runs.from_labels([0, 1], {"a": [0, 1]}),), {}),
            LabelTypeError,
            "runs of 1 systems",
        ),
        (
            lambda t: ((t, oe.Table.from_counts(np.ones((2, 2, 2)))), {}),
            LabelTypeError,
            "leading axes",
        ),
        (
            lambda t: ((t, t), {"difference": 0}),
            ParameterError,
            "difference=0 cannot be shown by any number of items",
        ),
        (lambda t: ((t, t), {"difference": float("nan")}), ParameterError, "difference=nan cannot"),
        (lambda t: ((t, t), {"difference": True}), ParameterError, "difference=True cannot"),
        (
            lambda t: ((t, t), {"comparisons": 0}),
            ParameterError,
            "comparisons=0 is not a number of comparisons",
        ),
        (
            lambda t: ((t, t), {"comparisons": 1.5}),
            ParameterError,
            "comparisons=1.5 is not a number",
        ),
        (
            lambda t: ((t, oe.Table.from_counts([[1, 0], [0, 0]])), {}),
            ParameterError,
            "at least two",
        ),
        (
            lambda t: ((t, t), {"power": 0.05}),
            ParameterError,
            "power=0.05 is no more than chance alone has",
        ),
        (
            lambda t: ((t, oe.Table.from_counts([[4, 1], [1, 4]], labels=["no", "yes"])), {}),
            ScaleError,
            "yes",
        ),
        (
            lambda t: (
                (t, oe.Table.from_labels([0, 1], [0, None], labels=[0, 1], missing="zero")),
                {},
            ),
            TableError,
            "different policies",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(arguments, error, message):
    given, options = arguments(oe.Table.from_counts([[4, 1], [1, 4]]))
    with pytest.raises(error, match=message):
        oe.plan(*given, **options)


def test_a_plan_shows_itself():
    found = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]),
        oe.Table.from_counts([[35, 15], [15, 35]]),
        metric="accuracy",
    )
    assert repr(found) == "Plan(items=295, metric='accuracy', power=0.8, paired=False)"
    assert str(found).startswith(
        "295 items for each of the two (drawn apart) would show a difference of +0.1000"
    )
    assert "<p>295 items" in found._repr_html_()
    assert found.to_dict()["items"] == 295


def test_pilots_of_unlike_size_are_planned_as_two_samples_of_one_size():
    # 80 of 100 right and 700 of 1,000: the jackknife variances are 0.8 * 0.2 / 99 and 0.7 * 0.3 / 999, and the number
    # for each is that of 100/99 * 0.16 + 1000/999 * 0.21 = 0.37183 an item.
    found = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]),
        oe.Table.from_counts([[350, 150], [150, 350]]),
        metric="accuracy",
    )
    assert found.pilot == 100
    assert found.error == pytest.approx((0.37183 / 100) ** 0.5, rel=1e-4)  # of two pilots of 100
    assert found.items == smallest(0.16 * 100 / 99 + 0.21 * 1000 / 999, 0.1, samples=2)


def test_a_pilot_that_missed_a_class_is_put_on_the_scale_of_the_other():
    gold, answers = [1, 1, 2, 2, 3, 3] * 4, [1, 2, 2, 3, 3, 3] * 4
    wide = oe.Table.from_labels(gold, answers)
    narrow = oe.Table.from_labels([1, 1, 2, 2] * 4, [1, 2, 1, 1] * 4)
    same = oe.Table.from_labels([1, 1, 2, 2] * 4, [1, 2, 1, 1] * 4, labels=[1, 2, 3])
    declared = oe.Table.from_labels(gold, answers, labels=[1, 2, 3])
    measure = "ordinal_classification_index"  # divides by the number of classes less one
    assert oe.plan(wide, narrow, metric=measure) == oe.plan(declared, same, metric=measure)


# --- the plans of a comparison ---


def alone_right(share, items=100):
    """Of the items, a is right on 70 in 100 and b on that share fewer, all of which a has right, too."""
    gold = np.zeros(items, int)
    place = np.arange(items) % 100
    answers = {"a": (place >= 70).astype(int), "b": (place >= 70 - share).astype(int)}
    return oe.Runs.from_labels(gold, answers, labels=[0, 1])


def test_a_comparison_is_planned_at_its_own_level_and_by_its_primary_measure():
    # a alone is right on 10 of 100 items: variance 0.1 - 0.01, times 100/99.
    comparison = oe.compare(
        alone_right(10),
        metrics=["cem_ord", "accuracy"],
        primary="accuracy",
        level=0.9,
        n_resamples=99,
    )
    (plan,) = comparison.planned(power=0.9).plans
    assert (plan.a, plan.b, plan.metric) == ("a", "b", "accuracy")
    assert (plan.items, plan.cases, plan.pilot) == (
        smallest(0.09 * 100 / 99, 0.1, 0.9, 0.9),
        None,
        100,
    )
    assert (plan.power, plan.level) == (0.9, 0.9)
    assert plan.difference == pytest.approx(0.1)
    assert plan.error == pytest.approx((0.09 / 99) ** 0.5)
    assert comparison.plans == ()


def test_the_table_of_plans_has_the_sign_of_the_difference_and_says_what_is_needed():
    runs = alone_right(10, items=1200)
    comparison = oe.compare(runs, metrics=["mae"], primary="mae", n_resamples=99)
    # by MAE a - b is negative
    (plan,) = comparison.planned().plans
    assert plan.items == smallest(0.09 * 1200 / 1199, 0.1)
    table = comparison.planned().sheets()[-1]
    assert [column.name for column in table.columns][2:] == [
        "mae: a - b",
        "items needed",
        "at least",
        "at most",
    ]
    row = table.rows[0]
    assert [cell.value for cell in row[3:]] == [plan.items, plan.low, plan.high]
    text = str(comparison.planned())
    assert re.search(rf"\na  b +-0\.1000 +{plan.items} +{plan.low} +{plan.high}\n", text)
    assert (
        "Needed: how many items it takes to find this difference significant at 0.05 with power 0.8"
        in text
    )


def test_a_comparison_of_many_systems_is_planned_for_all_its_pairs():
    gold = np.zeros(100, int)
    answers = {
        name: (np.arange(100) >= n).astype(int) for name, n in zip("abc", (70, 60, 40), strict=True)
    }
    runs = oe.Runs.from_labels(gold, answers, labels=[0, 1])
    plans = oe.compare(runs, metrics="accuracy", primary="accuracy", n_resamples=99).planned().plans
    assert {plan.comparisons for plan in plans} == {3}
    assert plans[0].items == smallest(0.09 * 100 / 99, 0.1, comparisons=3)


def test_with_test_cases_the_table_of_plans_has_both_numbers():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 600)
    a, b = (np.where(rng.random(600) < share, gold, 0) for share in (0.8, 0.7))
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, case=np.repeat(np.arange(20), 30))
    planned = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99).planned()
    (plan,) = planned.plans
    table = planned.sheets()[-1]
    assert [column.name for column in table.columns][3:5] == ["test cases needed", "items needed"]
    assert [cell.value for cell in table.rows[0]][3:5] == [plan.cases, plan.items]
    assert plan.items == 30 * plan.cases
    assert "Needed: how many test cases it takes to find" in str(planned)


def test_systems_that_do_not_differ_have_a_dash_for_the_number_needed():
    gold = [0, 1, 2] * 20
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": gold})
    planned = oe.compare(runs, metrics=["cem_ord"], n_resamples=99).planned()
    assert re.search(r"\na  b +0\.0000 +\N{EN DASH}¹", str(planned))
    assert planned.to_dict()["plan"][0]["reason"].startswith("they do not differ in the pilot")


def test_a_difference_by_rounding_alone_is_no_difference():
    # Over three cases a is ahead by 0.1 and by 0.2 and behind by 0.3, which in floating point do not add up to 0.
    answers = {
        name: [int(i < n) for n in right for i in range(10)]
        for name, right in {"a": (1, 2, 0), "b": (0, 0, 3)}.items()
    }
    runs = oe.Runs.from_labels([1] * 30, answers, case=np.repeat(list("pqr"), 10), labels=[0, 1])
    found = oe.plan(runs, metric="accuracy")
    assert found.difference != 0
    assert found.items is None
    assert found.reason.startswith("they do not differ in the pilot")


def test_a_plan_is_a_result_in_every_form():
    found = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]),
        oe.Table.from_counts([[35, 15], [15, 35]]),
        metric="accuracy",
    )
    head, row = found.to_csv().splitlines()
    assert head == "a,b,accuracy: a - b,items needed,at least,at most"
    assert row == f"a,b,0.10000000000000009,295,{found.low},"
    assert (
        found.to_markdown().splitlines()[2].startswith(f"| a | b | +0.1000 | 295 | {found.low} |")
    )
    assert json.loads(found.to_json()) == found.to_dict()
    assert rf"a & b & +0.1000 & 295 & {found.low} & " in found.to_latex()
