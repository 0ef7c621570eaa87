"""Functions that a user brings: scikit-learn's, a lambda, a broken one."""

import math
import time
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, mean_absolute_error

from ordeval.properties import check


def broken_closeness(gold, predicted):
    """Closeness with half of the lower class in the mass, where half of the predicted one belongs."""
    classes, counts = np.unique(gold, return_counts=True)
    n = dict(zip(classes.tolist(), counts.tolist(), strict=True))

    def bits(answer, right):
        low, high = min(answer, right), max(answer, right)
        between = sum(count for label, count in n.items() if low < label <= high)
        return -math.log2((n[low] / 2 + between) / len(gold))

    earned = sum(bits(p, g) for g, p in zip(gold.tolist(), predicted.tolist(), strict=True))
    return earned / sum(bits(g, g) for g in gold.tolist())


def test_closeness_with_the_half_on_the_wrong_class_is_caught():
    # An item of class 3 put into 2 loses log((n2/2 + n3) / (n3/2)) = log(2 + n2/n3), one of class 1 put into 2
    # log((n1/2 + n2) / (n1/2)) = log(1 + 2 n2/n1). With 2, 1 and 3 items the larger class loses more: log 7/3 against
    # log 2. With n1 = 1 < n3 it never does (2 n2 - n2/n3 >= 1), and upwards it takes 3, 6 and 2 items: 6 are fewest.
    verdict = check(broken_closeness)["imbalance"]
    case = verdict.counterexample
    assert verdict.verdict == "refuted"
    assert case.gold == (1, 1, 2, 3, 3, 3)
    assert (case.better, case.worse) == ((1, 1, 2, 2, 3, 3), (1, 2, 2, 3, 3, 3))
    # all right, worth 6/1, 6/0.5 and 6/1.5 items
    bits = 2 * math.log2(6) + math.log2(12) + 3 * math.log2(4)
    lost = math.log2(7 / 3), math.log2(2)
    assert case.values == pytest.approx([1 - one / bits for one in lost])


def test_the_broken_closeness_prefers_one_end_of_the_scale():
    assert check(broken_closeness, properties="reversal_invariance")[0].verdict == "refuted"


def test_a_lambda_is_judged_in_one_line():
    verdicts = check(lambda gold, predicted: (gold == predicted).mean())
    assert [verdict.verdict for verdict in verdicts] == ["holds", "refuted", "refuted"]
    assert verdicts.metric == "<lambda>"


@pytest.mark.later
@pytest.mark.parametrize(
    ("function", "measure"),
    [(accuracy_score, "accuracy"), (mean_absolute_error, "mae")],
)
def test_a_function_of_scikit_learn_has_the_counterexamples_of_our_own(function, measure):
    size = {"classes": 3, "items": 4, "imbalance_items": 8}
    # a slow machine is no failure
    theirs, ours = (
        check(function, **size, budget=600),
        check(measure, **size),
    )
    for one, other in zip(theirs, ours, strict=True):
        assert (one.verdict, one.checked) == (other.verdict, other.checked)
        if one.counterexample is not None:
            assert one.counterexample.worse == other.counterexample.worse
            assert one.counterexample.values == pytest.approx(other.counterexample.values)


@pytest.mark.later
@pytest.mark.parametrize("items", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_scikit_learns_quadratic_kappa_is_judged_up_to_so_many_items(items):
    def quadratic(gold, predicted):
        return cohen_kappa_score(gold, predicted, weights="quadratic")

    verdicts = check(quadratic, classes=3, items=items, budget=3600)
    assert verdicts.complete
    # Theirs weighs by the place of a label among those seen: it knows no values. All answers 1, or one of them right
    # and as many wrong, have kappa 0.
    assert verdicts["ordinal_invariance"].verdict == "holds"
    assert verdicts["ordinal_monotonicity"].verdict == "refuted"
    assert verdicts["ordinal_monotonicity"].counterexample.values == pytest.approx((0, 0))


def test_a_function_with_settings_keeps_its_name():
    weighted = partial(cohen_kappa_score, weights="linear")
    assert check(weighted, classes=2, items=2).metric == "cohen_kappa_score"


def test_the_direction_is_found_out():
    error = check(lambda g, p: abs(g - p).mean())["ordinal_monotonicity"]
    gain = check(lambda g, p: -abs(g - p).mean())["ordinal_monotonicity"]
    assert error.verdict == gain.verdict == "holds"


def test_a_given_direction_is_obeyed():
    wrong = check(mean_absolute_error, greater_is_better=True)["ordinal_monotonicity"]
    assert wrong.verdict == "refuted"


def test_a_direction_that_cannot_be_told_is_asked_for():
    with pytest.raises(ValueError, match="Pass greater_is_better=True or False"):
        check(lambda *_: 1.0)


def test_a_function_that_raises_has_no_value_there_and_its_message_is_kept():
    def fussy(gold, predicted):
        if len(set(predicted.tolist())) == 1:
            raise ZeroDivisionError("the predictions are constant")
        return -abs(gold - predicted).mean()

    verdict = check(fussy)["ordinal_monotonicity"]
    assert verdict.verdict == "holds"
    assert verdict.undefined > 0
    assert verdict.reason == "fussy raised ZeroDivisionError: the predictions are constant"


def test_a_function_that_always_raises_gets_no_verdict():
    verdicts = check(lambda _: 1.0, greater_is_better=True)
    assert {verdict.verdict for verdict in verdicts} == {"undefined"}
    assert "raised TypeError" in verdicts[0].sentence


def test_the_warnings_of_a_function_are_its_own():
    def loud(gold, predicted):
        warnings.warn("beware", stacklevel=1)
        return (gold == predicted).mean()

    assert check(loud, classes=2, items=2)[0].verdict == "holds"


def test_when_the_time_runs_out_it_is_said_how_far_the_search_came():
    def slow(gold, predicted):
        time.sleep(0.004)
        return -abs(gold - predicted).mean()

    verdict = check(slow, properties="ordinal_monotonicity", budget=0.1, items=9)[0]
    assert not verdict.complete
    assert verdict.verdict == "holds"
    assert 0 < verdict.checked < 5000
    assert f"the time ran out at {verdict.reached[0]} items" in verdict.sentence


@pytest.mark.later
def test_each_property_has_its_share_of_the_time():
    def slow(gold, predicted):
        time.sleep(0.004)
        return -abs(np.argsort(gold) - np.argsort(predicted)).mean() - abs(gold - predicted).mean()

    verdicts = check(
        slow, properties=["perfect_is_best", "ordinal_monotonicity"], budget=1.0, items=9
    )
    assert all(verdict.checked for verdict in verdicts)


def test_infinite_values_compare_as_numbers_do():
    def logarithmic(gold, predicted):
        right = float((gold == predicted).mean())
        return math.log(right) if right else -math.inf

    verdict = check(logarithmic, properties="weak_monotonicity")[0]
    assert (verdict.verdict, verdict.undefined) == ("holds", 0)
