"""How many items would settle it."""

import json
import re

import numpy as np
import pytest
from scipy import stats

import ordeval as oe
from ordeval.errors import LabelTypeError, ParameterError, ScaleError, TableError


def test_two_tables_are_planned_as_independent_samples():
    """Accuracies of 0.8 and 0.7 in 100 items: variance (0.16 + 0.21) * 100 / 99 an item, difference 0.1."""
    a = oe.Table.from_counts([[40, 10], [10, 40]])
    b = oe.Table.from_counts([[35, 15], [15, 35]])
    quantile = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    expected = np.ceil(0.37 * 100 / 99 * (quantile / 0.1) ** 2)
    found = oe.plan(a, b, metric="accuracy")
    assert found.items == expected
    assert found.error == pytest.approx(np.sqrt(0.37 / 99))
    assert not found.paired
    more = np.ceil(0.37 * 100 / 99 * ((stats.norm.ppf(0.995) + stats.norm.ppf(0.9)) / 0.1) ** 2)
    assert oe.plan(a, b, metric="accuracy", power=0.9, level=0.99).items == more


def test_systems_that_err_on_the_same_items_need_fewer():
    """Of 100 items a alone is right on 10, b alone on none: a difference has variance 0.1 - 0.01, times 100/99."""
    gold = np.zeros(100, int)
    a, b = (np.arange(100) >= 20).astype(int), (np.arange(100) >= 30).astype(int)
    runs = oe.Runs.from_labels(gold, {"a": 1 - a, "b": 1 - b}, labels=[0, 1])
    quantile = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    paired = oe.plan(runs, metric="accuracy")
    assert paired.paired
    assert paired.items == np.ceil(0.09 * 100 / 99 * (quantile / 0.1) ** 2)
    apart = oe.plan(*(runs.table.select(system=name) for name in "ab"), metric="accuracy")
    assert apart.items > 3 * paired.items


def test_with_test_cases_the_answer_is_in_cases():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 600)
    a, b = (np.where(rng.random(600) < share, gold, 0) for share in (0.8, 0.7))
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, case=np.repeat(np.arange(20), 30))
    found = oe.plan(runs, metric="accuracy")
    right = ((a == gold).astype(float) - (b == gold)).reshape(20, 30).mean(axis=1)
    quantile = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert found.cases == np.ceil(right.var(ddof=1) * (quantile / right.mean()) ** 2)
    assert found.items == found.cases * 30
    assert "test cases" in str(found)


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
    found = 0
    for trial in range(150):
        items = labels[rng.integers(0, len(labels), n)]
        again = oe.Runs.from_labels(
            items[:, 0], {"a": items[:, 1], "b": items[:, 2]}, labels=range(3)
        )
        pair = oe.compare(again, metrics=["cem_ord"], n_resamples=199, rng=trial).pairs[0]
        found += pair.p <= 0.05
    assert found / 150 == pytest.approx(0.8, abs=0.1)  # three standard errors of 150 trials


def test_no_difference_and_no_value_have_a_reason_and_no_number():
    same = oe.Table.from_counts([[4, 1], [1, 4]])
    found = oe.plan(same, same)
    assert found.items is None
    assert "do not differ in the pilot" in str(found)
    constant = oe.Table.from_counts([[5, 0], [5, 0]])
    undefined = oe.plan(same, constant, metric="kendall_tau_b")
    assert undefined.items is None
    assert "undefined" in undefined.reason
    assert undefined.to_dict()["difference"] is None


def test_however_clear_the_pilot_a_handful_of_items_is_needed():
    """All right against all wrong: n items can at best have 2 / 2^n, which is at most 0.05 from 6 on."""
    right, wrong = oe.Table.from_counts([[5, 0], [0, 5]]), oe.Table.from_counts([[0, 5], [5, 0]])
    assert oe.plan(right, wrong, metric="accuracy").items == 6


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (lambda t: ((t, t), {"power": 1}), ParameterError, "power=1 is no probability"),
        (lambda t: ((t, t), {"level": 95}), ParameterError, "level=95 is no probability"),
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
            lambda t: ((t, oe.Table.from_counts([[0.5, 0], [0, 0.7]])), {}),
            ParameterError,
            "weighted",
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
    assert repr(found) == "Plan(items=294, metric='accuracy', power=0.8, paired=False)"
    assert str(found).startswith(
        "294 items for each of the two (drawn apart) would show the difference of +0.1000"
    )
    assert "<p>294 items" in found._repr_html_()
    assert found.to_dict()["items"] == 294


def test_pilots_of_unlike_size_give_the_standard_error_of_their_difference():
    # 80 of 100 right and 700 of 1,000: the jackknife variances are 0.8 * 0.2 / 99 and 0.7 * 0.3 / 999, and the number
    # for each is that of 100/99 * 0.16 + 1000/999 * 0.21 = 0.37183 times (2.80159 / 0.1)^2 = 784.89, which is 291.8.
    found = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]),
        oe.Table.from_counts([[350, 150], [150, 350]]),
        metric="accuracy",
    )
    assert found.error == pytest.approx((0.16 / 99 + 0.21 / 999) ** 0.5)
    assert found.items == 292


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
    # a alone is right on 10 of 100 items: variance 0.1 - 0.01, times 100/99; the quantiles of 0.95 and 0.9 add up to
    # 1.6449 + 1.2816 = 2.9264, so that n is 0.090909 * (2.9264 / 0.1)^2 = 77.85.
    comparison = oe.compare(
        alone_right(10),
        metrics=["cem_ord", "accuracy"],
        primary="accuracy",
        level=0.9,
        n_resamples=99,
    )
    (plan,) = comparison.planned(power=0.9).plans
    assert (plan.a, plan.b, plan.metric) == ("a", "b", "accuracy")
    assert (plan.items, plan.cases, plan.pilot) == (78, None, 100)
    assert (plan.power, plan.level) == (0.9, 0.9)
    assert plan.difference == pytest.approx(0.1)
    assert plan.error == pytest.approx((0.09 / 99) ** 0.5)
    assert comparison.plans == ()


def test_the_table_of_plans_has_the_sign_of_the_difference_and_says_what_is_needed():
    runs = alone_right(10, items=1200)
    comparison = oe.compare(runs, metrics=["mae"], primary="mae", n_resamples=99)
    # 1,200 items: 0.09 * 1200/1199 * (2.8016 / 0.1)^2 = 70.69; by MAE a - b is negative
    table = comparison.planned().sheets()[-1]
    assert [column.name for column in table.columns] == ["a", "b", "mae: a - b", "items needed"]
    text = str(comparison.planned())
    assert "\na  b     -0.1000            71\n" in text
    assert (
        "Needed: the number of items at which this difference would be significant at 0.05, uncorrected, with power "
        "0.8, if the difference stays the same and its standard error shrinks with the square root of that number."
    ) in text


def test_with_test_cases_the_table_of_plans_has_both_numbers():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 600)
    a, b = (np.where(rng.random(600) < share, gold, 0) for share in (0.8, 0.7))
    runs = oe.Runs.from_labels(gold, {"a": a, "b": b}, case=np.repeat(np.arange(20), 30))
    planned = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99).planned()
    (plan,) = planned.plans
    table = planned.sheets()[-1]
    assert [column.name for column in table.columns][3:] == ["test cases needed", "items needed"]
    assert [cell.value for cell in table.rows[0]][3:] == [plan.cases, plan.items]
    assert plan.items == 30 * plan.cases
    assert "the number of test cases at which" in str(planned)


def test_systems_that_do_not_differ_have_a_dash_for_the_number_needed():
    gold = [0, 1, 2] * 20
    runs = oe.Runs.from_labels(gold, {"a": gold, "b": gold})
    planned = oe.compare(runs, metrics=["cem_ord"], n_resamples=99).planned()
    assert re.search(r"\na  b +\+0\.0000 +\N{EN DASH}\n", str(planned))
    assert planned.to_dict()["plan"][0]["reason"] == "they do not differ in the pilot"


def test_a_difference_by_rounding_alone_is_no_difference():
    # Over three cases a is ahead by 0.1 and by 0.2 and behind by 0.3, which in floating point do not add up to 0.
    answers = {
        name: [int(i < n) for n in right for i in range(10)]
        for name, right in {"a": (1, 2, 0), "b": (0, 0, 3)}.items()
    }
    runs = oe.Runs.from_labels([1] * 30, answers, case=np.repeat(list("pqr"), 10), labels=[0, 1])
    found = oe.plan(runs, metric="accuracy")
    assert found.difference != 0
    assert (found.items, found.reason) == (None, "they do not differ in the pilot")


def test_a_plan_is_a_result_in_every_form():
    found = oe.plan(
        oe.Table.from_counts([[40, 10], [10, 40]]),
        oe.Table.from_counts([[35, 15], [15, 35]]),
        metric="accuracy",
    )
    assert found.to_csv() == "a,b,accuracy: a - b,items needed\na,b,0.10000000000000009,294\n"
    assert found.to_markdown().splitlines()[2] == "| a | b | +0.1000 | 294 |"
    assert json.loads(found.to_json()) == found.to_dict()
    assert r"a & b & +0.1000 & 294 \\" in found.to_latex()
