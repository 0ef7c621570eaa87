"""Raters one by one: differences from the others, agreement with them, and who stands apart."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import ordeval as oe
from ordeval.agreement.raters import RaterProfiles, mean_differences
from tests.agreement.marks import CLASSES, ratings_of, simulated


def profiles(marks, level=0.95):
    return RaterProfiles(ratings_of(marks), level)


def verdicts(found):
    return {name: one.verdicts for name, one in found.items() if one.verdicts}


def long(marks):
    item, rater = np.nonzero(~np.isnan(marks))
    return pd.DataFrame({"item": item, "rater": rater, "mark": marks[item, rater]})


def test_the_difference_is_the_mean_of_a_mark_minus_the_mean_of_the_others_marks():
    # Item 1: 1, 2, 3; item 2: 4, 4, and no third mark. The first rater: 1 - 2.5 and 4 - 4, on average -0.75; the
    # second: 2 - 2 and 4 - 4, 0; the third: 3 - 1.5 = 1.5, on one item.
    found = profiles([[1, 2, 3], [4, 4, np.nan]])
    assert [one.difference.value for one in found.values()] == [-0.75, 0.0, 1.5]
    assert [one.items for one in found.values()] == [2, 2, 1]


@pytest.mark.parametrize("seed", range(5))
def test_differences_are_those_of_pandas_where_nobody_stands_apart(seed):
    marks = simulated(seed, items=60, raters=6, each=3)
    frame = long(marks)
    by_item = frame.groupby("item")["mark"]
    others = (by_item.transform("sum") - frame["mark"]) / (by_item.transform("count") - 1)
    expected = (frame["mark"] - others).groupby(frame["rater"]).mean()
    found = profiles(marks)
    assert not found.differences.apart.any()
    assert [one.difference.value for one in found.values()] == pytest.approx(expected.tolist())


def test_raters_who_stand_apart_are_not_counted_among_the_others():
    marks = simulated(3, shifted=1.0)
    found = profiles(marks)
    assert verdicts(found) == {"r0": ("too high",)}
    without = profiles(marks[:, 1:])
    for at in range(1, 5):
        value = found[f"r{at}"].difference.value
        assert value == pytest.approx(without[f"r{at - 1}"].difference.value)


def test_the_interval_of_a_difference_holds_it_and_is_never_of_width_0():
    # The second rater is always one class above the first: nothing varies.
    found = profiles([[1, 2], [2, 3], [3, 4], [4, 5]])
    one = found["r1"].difference
    assert one.value == 1.0
    assert one.low < 1.0 <= one.high


@pytest.mark.parametrize("seed", range(3))
def test_the_agreement_with_the_others_is_the_kappa_of_all_pairs_each_item_weighing_the_same(seed):
    marks = simulated(seed, items=50, raters=5, each=4)
    frame = long(marks)
    pairs = frame.merge(frame, on="item", suffixes=("", "_other")).query("rater != rater_other")
    pairs["weight"] = 1 / pairs.groupby(["item", "rater"])["mark"].transform("count")
    found = profiles(marks)
    for rater, some in pairs.groupby("rater"):
        kappa = cohen_kappa_score(
            some["mark_other"], some["mark"], weights="quadratic", labels=CLASSES, sample_weight=some["weight"]
        )  # fmt: skip
        assert found[f"r{rater}"].agreement.value == pytest.approx(kappa, abs=1e-12)


def test_the_error_of_an_agreement_is_that_of_the_jackknife():
    marks = simulated(1, items=25, raters=4, each=3)
    found = profiles(marks)
    rated = np.flatnonzero(~np.isnan(marks[:, 0]))
    left = np.array(
        [profiles(np.delete(marks, item, axis=0))["r0"].agreement.value for item in rated]
    )
    n = len(rated)
    # The variance of the jackknife is (n - 1) / n times the sum of squares.
    error = np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    assert found.agreement.plain[0, 0] == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_alpha_without_a_rater_is_that_of_the_package_krippendorff(seed):
    marks = simulated(seed, items=40, raters=5, each=3)
    for at, one in enumerate(profiles(marks).values()):
        expected = krippendorff.alpha(
            np.delete(marks, at, axis=1).T, value_domain=CLASSES, level_of_measurement="ordinal"
        )
        assert one.alpha_without == pytest.approx(expected, abs=1e-12)


def test_a_shifted_rater_is_too_high_or_too_low_and_a_random_one_at_random():
    found = profiles(simulated(0, items=400, shifted=-0.8, random=True))
    assert verdicts(found) == {"r0": ("too low",), "r1": ("at random",)}


def test_of_two_raters_neither_stands_apart():
    marks = simulated(0, items=300, raters=2, each=2, shifted=1.5)
    found = profiles(marks)
    assert verdicts(found) == {}
    assert found["r0"].p_adjusted < 1e-6


def test_of_two_camps_of_equal_size_nobody_stands_apart():
    truth = np.tile([1.0, 2, 3, 4], 25)
    assert verdicts(profiles(np.stack([truth, truth, truth + 1, truth + 1], axis=1))) == {}


def test_a_rater_of_few_items_is_not_called_random():
    # On the two items of the last rater the agreement is below chance, and that shows nothing.
    marks = simulated(0, items=100, raters=5, each=5)
    marks[:, 4] = np.nan
    marks[:2, 4] = 6 - np.nan_to_num(marks[:2, 0], nan=3)
    found = profiles(marks)
    assert found["r4"].agreement.value < 0
    assert found["r4"].verdicts == ()


def test_the_order_and_the_names_of_raters_change_no_number():
    marks = simulated(2, shifted=0.8, random=True)
    order = [3, 0, 4, 1, 2]
    found, turned = profiles(marks), profiles(marks[:, order])
    for new, old in enumerate(order):
        a, b = found[f"r{old}"], turned[f"r{new}"]
        assert (a.verdicts, a.items, a.marks) == (b.verdicts, b.items, b.marks)
        assert a.difference.value == pytest.approx(b.difference.value)
        assert a.agreement.low == pytest.approx(b.agreement.low)


def test_a_rater_who_shares_no_item_has_no_numbers_and_the_reason_says_why():
    found = profiles([[1, 2, np.nan], [3, 3, np.nan], [np.nan, np.nan, 4]])
    one = found["r2"]
    assert (one.marks, one.items, one.p, one.verdicts) == (1, 0, None, ())
    assert np.isnan(one.difference.value)
    assert "shares no item" in one.difference.reason


def test_an_unknown_rater_is_refused_with_a_suggestion():
    found = RaterProfiles(oe.Ratings.from_array([[1, 2], [2, 2]], raters=["anna", "bert"]), None)
    with pytest.raises(oe.OrdevalError, match=r"no rater 'ana' among .*Did you mean anna"):
        found["ana"]
    assert "ana" not in found
    assert found.get("ana") is None


@pytest.mark.slow
@pytest.mark.parametrize(("items", "raters", "each"), [(100, 5, 3), (200, 10, 3), (200, 60, 4)])
def test_few_studies_call_a_rater_apart_who_is_not(items, raters, each):
    seeds = range(400)
    wrong = 0
    for seed in seeds:
        found = profiles(simulated(seed, items=items, raters=raters, each=each))
        wrong += len(found.standing_apart) > 0
    # 5% are allowed; the binomial distribution of 400 studies adds two standard deviations.
    assert wrong / len(seeds) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(seeds))


@pytest.mark.slow
def test_raters_who_stand_apart_are_found_and_make_no_others_look_so():
    seeds, found_both, wrong = range(200), 0, 0
    for seed in seeds:
        found = profiles(simulated(seed, items=300, raters=6, each=4, shifted=0.6, random=True))
        named = verdicts(found)
        found_both += named.get("r0") == ("too high",) and named.get("r1") == ("at random",)
        wrong += bool(named.keys() - {"r0", "r1"})
    assert found_both / len(seeds) > 0.9
    assert wrong / len(seeds) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / len(seeds))


@pytest.mark.slow
@pytest.mark.parametrize("items", [100, 400])
def test_the_intervals_of_a_rater_hold_the_value_of_the_population_in_about_95_of_100_samples(
    items,
):
    population = profiles(simulated(999, items=200_000, raters=3, each=3))
    true = population["r0"].difference.value, population["r0"].agreement.value
    assert not population.differences.apart.any()
    seeds, held = range(500), np.zeros(2)
    for seed in seeds:
        found = profiles(simulated(seed, items=items, raters=3, each=3))
        everyone = mean_differences(found.shared, np.ones(3, dtype=bool))
        value, centre, error = everyone[:3, 0]
        reach = (
            1.96 * error if items == 400 else 1.984 * error
        )  # t of 399 and 99 degrees of freedom
        ends = min(centre - reach, value), max(centre + reach, value)
        agreement = found["r0"].agreement
        held += [ends[0] <= true[0] <= ends[1], agreement.low <= true[1] <= agreement.high]
    # 93 to 97% are promised; 500 samples add two standard deviations of 1%.
    assert (held / len(seeds) >= 0.93 - 0.02).all()
    assert (held / len(seeds) <= 0.97 + 0.02).all()
