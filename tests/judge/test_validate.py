"""`oe.judge.validate`: verdicts, what they rest on, and every form of the result."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.judge import validate
from ordeval.judge.alt_test import AltTest, HumanTest
from ordeval.judge.needed import needed_for_difference, needed_for_test
from ordeval.judge.validate import verdict_of
from ordeval.judge.validation import JudgeAgreement
from tests.examples import examples
from tests.judge.panels import CLASSES, PEOPLE, marks_of, panel, repeated

MEASURES = ["cem_ord", "accuracy", "mae", "weighted_kappa(weights='quadratic')", "kendall_tau_b"]


@pytest.fixture(scope="module")
def both():
    return panel(gaps=0.3)


@pytest.fixture(scope="module")
def found(both):
    return validate(*both)


def test_a_judge_as_noisy_as_a_human_is_fit_and_a_much_noisier_one_is_not(found):
    assert found["good"].verdict == "fit"
    assert found["poor"].verdict == "unfit"
    assert found.best.name == "good"
    assert repr(found) == "Validation('good': fit, 'poor': unfit)"


def test_judge_and_human_are_scored_against_the_shares_of_the_same_others(both, found):
    humans, judges = both
    marks, answers = marks_of(humans), marks_of(judges)
    for measure in MEASURES:
        scores = {"human": [], "good": [], "poor": []}
        for person in range(len(PEOPLE)):
            others = np.delete(marks, person, axis=1)
            kept = ~np.isnan(marks[:, person]) & ~np.isnan(others).all(axis=1)
            shares = np.stack([(others[kept] == label).sum(axis=1) for label in CLASSES], axis=1)
            shares = shares / shares.sum(axis=1, keepdims=True)
            for name, answer in zip(scores, (marks[:, person], *answers.T), strict=True):
                table = oe.Table.from_soft(
                    shares, answer[kept].astype(int).tolist(), labels=CLASSES
                )
                scores[name].append(float(oe.registry[measure](table)))
        for name in ("good", "poor"):
            one = found[name].agreement[measure]
            assert one.judge == pytest.approx(np.mean(scores[name]), abs=1e-9)
            assert one.human == pytest.approx(np.mean(scores["human"]), abs=1e-9)
            assert one.difference == pytest.approx(one.judge - one.human, abs=1e-9)
            assert one.low < one.difference < one.high
            assert found[name].ceiling[measure].value == pytest.approx(one.human, abs=1e-12)


def fake_test(passed):
    return AltTest("gpt", 1.0, 1.0, passed, 0.2, 0.05, "rmse", (), {}, 100, 0, 30)


# SEMANTICS, section 9: unfit where high < -margin, whatever the test says; fit where the test is passed and
# low >= -margin; undecided otherwise. The margin is 0.05.
@pytest.mark.parametrize(
    ("low", "high", "passed", "verdict"),
    [
        (-0.2, -0.06, True, "unfit"),
        (-0.2, -0.06, False, "unfit"),
        (-0.04, 0.02, True, "fit"),
        (-0.05, 0.02, True, "fit"),
        (-0.04, 0.02, False, "undecided"),
        (-0.06, 0.02, True, "undecided"),
        (-0.2, -0.05, True, "undecided"),
        (None, None, True, "undecided"),
    ],
)
def test_the_verdict_follows_from_the_interval_and_the_test(low, high, passed, verdict):
    one = JudgeAgreement("cem_ord", 0.5, 0.5, 0.0, low, high, None)
    assert verdict_of(fake_test(passed), one, 0.05, up=True) == verdict
    if low is not None:  # of an error, a judge that has more is worse
        turned = JudgeAgreement("mae", 0.5, 0.5, 0.0, -high, -low, None)
        assert verdict_of(fake_test(passed), turned, 0.05, up=False) == verdict


def test_by_an_error_a_judge_with_the_larger_one_is_unfit(both):
    found = validate(*both, primary="mae", margin=0.1)
    assert found.primary == "mae"
    assert (found["good"].verdict, found["poor"].verdict) == ("fit", "unfit")
    assert "by mae (lower is better)" in found["poor"].reason


def test_items_that_a_judge_did_not_mark_are_left_out_for_it_on_both_sides(both):
    humans, judges = both
    marks = marks_of(judges)
    marks[::3, 0] = np.nan
    less = oe.Ratings.from_array(marks, raters=judges.raters, item=judges.items, labels=CLASSES)
    found = validate(humans, less)
    kept = [at for at in range(humans.n) if at % 3]
    names = [humans.items[at] for at in kept]
    few = validate(
        oe.Ratings.from_array(marks_of(humans)[kept], raters=PEOPLE, item=names, labels=CLASSES),
        oe.Ratings.from_array(marks[kept][:, :1], raters=["good"], item=names, labels=CLASSES),
    )
    one = found["good"]
    assert (one.items, one.unjudged, few["good"].unjudged) == (200, 100, 0)
    for measure in MEASURES:
        for part in ("judge", "human", "difference", "low", "high"):
            expected = getattr(few["good"].agreement[measure], part)
            near = 1e-4 if part in {"low", "high"} else 1e-9  # pseudo-items are of all items
            assert getattr(one.agreement[measure], part) == pytest.approx(expected, abs=near)
    assert one.alt_test.winning_rate == few["good"].alt_test.winning_rate
    assert one.bias.mean == pytest.approx(few["good"].bias.mean)
    assert "good did not mark 100 items, left out." in found.to_text(width=300)
    with pytest.raises(oe.OrdevalError, match=r"judge 'good' did not mark 100 of 300 items"):
        validate(humans, less, missing="error")
    worse = validate(humans, less, missing="zero")["good"]
    assert worse.agreement["cem_ord"].judge < one.agreement["cem_ord"].judge
    assert worse.alt_test.items == one.alt_test.items


def test_marks_on_items_of_no_human_are_ignored_and_counted(both):
    humans, judges = both
    more = oe.Ratings.from_array(
        np.concatenate([marks_of(judges), [[1, 2], [3, np.nan]]]),
        raters=judges.raters, item=[*judges.items, "x", "y"], labels=CLASSES,
    )  # fmt: skip
    found = validate(humans, more)
    assert (found["good"].ignored, found["poor"].ignored) == (2, 1)
    assert found["good"].agreement == validate(humans, judges)["good"].agreement
    assert "2 marks of good on items of no human are ignored." in found.to_text(width=300)


def test_a_judge_with_repeats_reaches_what_its_single_calls_reach_on_average(both):
    # The mean over repeats of a measure that is linear in the answers, as mae and accuracy are.
    humans, judges = both
    runs = {name: judges.select([name]) for name in judges.raters}
    single = [validate(humans, each, metrics=["mae", "accuracy"]) for each in runs.values()]
    again = repeated(marks_of(judges), items=judges.items)
    found = validate(humans, again, metrics=["mae", "accuracy"])
    assert list(found) == ["gpt"]
    for measure in ("mae", "accuracy"):
        mean = np.mean([next(iter(each.values())).agreement[measure].judge for each in single])
        assert found["gpt"].agreement[measure].judge == pytest.approx(mean, abs=1e-9)
    tests = [next(iter(each.values())).alt_test for each in single]
    for at, one in enumerate(found["gpt"].alt_test.humans):
        parts = [test.humans[at] for test in tests]
        assert one.advantage == pytest.approx(np.mean([part.advantage for part in parts]))
        assert one.difference == pytest.approx(np.mean([part.difference for part in parts]))
    assert found["gpt"].consistency is not None
    assert single[0]["good"].consistency is None


def test_the_needed_items_bring_the_interval_to_the_margin_with_the_power_asked_for():
    # n = spread * ((z(0.975) + z(0.8)) / (difference + margin))^2 = 0.04 * (2.8016 / 0.03)^2 = 348.8, and by t more
    found = needed_for_difference(-0.02, 0.02, 100.0, margin=0.05, level=0.95)
    assert 348.8 <= found.items <= 352
    at_margin = needed_for_difference(-0.06, 0.02, 100.0, margin=0.05, level=0.95)
    assert at_margin.items is None
    assert "about as large as the margin" in at_margin.reason


def test_a_pilot_says_how_many_items_would_show_a_judge_that_is_as_good_as_a_human():
    # The difference can be 0 as well as the margin. If it is 0, n = 20 * 0.06^2 * (2.8016 / 0.05)^2 = 226.05 items,
    # and by t a few more, which two digits make 230.
    pilot = needed_for_difference(-0.03, 0.06, 20.0, margin=0.05, level=0.95)
    assert pilot.items is None
    assert pilot.reason.endswith(
        "if the judge is in fact as good as a human, about 230 items would show it"
    )
    few = needed_for_difference(-0.03, 0.06, 6.0, margin=0.05, level=0.95)
    assert few.reason == "6 items tell too little for a forecast"


def test_every_other_judge_is_named_with_the_reason_why_it_is_not_fit():
    judges = {"good": (0.5, 0.0), "fair": (0.5, 0.0), "off": (0.5, 1.5), "near": (0.85, 0.0)}
    found = validate(*panel(3, items=200, judges=judges))
    lead = found.to_text(width=400).split("\n\n")[0].splitlines()
    assert {name: found[name].verdict for name in judges} == {
        "good": "fit", "fair": "fit", "off": "unfit", "near": "undecided",
    }  # fmt: skip
    assert sum(line.endswith(" is fit, too.") for line in lead) == 1
    off = next(line for line in lead if line.startswith("off is unfit: "))
    assert "worse than a human by more than 0.05 (" in off
    near = next(line for line in lead if line.startswith("near is undecided: "))
    assert "settle it" in near


def test_a_crowd_of_whom_nobody_marked_thirty_items_is_told_what_the_test_takes():
    rng = np.random.default_rng(2)
    quality = rng.integers(1, 6, 200)
    rows = [
        (item, f"w{worker}", int(np.clip(np.rint(quality[item] + rng.normal(0, 0.7)), 1, 5)))
        for item in range(200)
        for worker in rng.choice(100, 3, replace=False).tolist()
    ]
    crowd = oe.Ratings.from_frame(pd.DataFrame(rows, columns=["item", "rater", "label"]))
    judge = pd.DataFrame({"item": range(200), "rater": "gpt", "label": quality})
    one = validate(crowd, oe.Ratings.from_frame(judge))["gpt"]
    assert one.verdict == "undecided"
    assert "does not pass" not in one.reason
    assert "the alternative annotator test cannot be made (no human marked 30 items" in one.reason
    assert "let a few humans mark many items rather than many humans a few" in one.needed_reason


@pytest.mark.parametrize("items", [5, 10, 20])
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("primary", ["cem_ord", "mae"])
def test_more_items_are_needed_than_there_are_even_if_all_marks_are_alike(items, odd, primary):
    # What is open is then the width that pseudo-items give the interval, which shrinks with the number of items.
    def verdict_on(number):
        marks = np.stack([np.arange(number) % 5 + 1] * 3, axis=1)
        judge = oe.Ratings.from_array(marks[:, :1], raters=["gpt"])
        marks[::items, 0] += odd
        humans = oe.Ratings.from_array(marks)
        return validate(humans, judge, least_items=3, primary=primary)["gpt"]

    found = verdict_on(items)
    assert found.verdict == "undecided"
    assert found.needed > items
    assert verdict_on(found.needed).verdict == "fit"


def human_at(difference):
    return HumanTest("h", 100, 0.5, difference, 0.05, 0.5, 0.5, False)


def test_the_test_needs_the_items_at_which_half_of_the_humans_would_be_beaten():
    # Of three humans two must be beaten, at q * 2 / (3 * (1 + 1/2 + 1/3)) = 0.018182, one-sided: z = 2.0928. The second
    # of them lies 0.1 below epsilon: n = 0.05^2 * 100 * ((2.0928 + 0.8416) / 0.1)^2 = 215.3, by t a little more; each
    # marked half of the 200 items.
    humans = (human_at(0.0), human_at(0.1), human_at(0.19))
    test = AltTest("gpt", 0.0, 0.5, False, 0.2, 0.05, "rmse", humans, {}, 200, 0, 30)
    assert 2 * 215.3 <= needed_for_test(test).items <= 2 * 221
    ahead = (human_at(0.0), human_at(0.3), human_at(0.4))
    never = needed_for_test(
        AltTest("gpt", 0.0, 0.5, False, 0.2, 0.05, "rmse", ahead, {}, 200, 0, 30)
    )
    assert never.items is None
    assert "2 humans of 3 are closer to the others" in never.reason


def test_of_two_humans_one_that_can_be_beaten_is_enough_and_takes_more_items_than_there_are():
    # One of two humans is beaten at q / (2 * 1.5) = 0.0167, one-sided: z = 2.128; n = 0.25 ((2.128 + 0.842) / 0.2)^2
    # = 55 items would do, but there are 100 already, which were not enough.
    humans = (human_at(0.0), human_at(0.3))
    test = AltTest("gpt", 0.0, 0.5, False, 0.2, 0.05, "rmse", humans, {}, 100, 0, 30)
    assert needed_for_test(test).items == 101


def test_what_is_undecided_says_how_many_items_would_settle_it():
    found = validate(*panel(3, items=100, judges={"gpt": (0.7, 0.0)}))["gpt"]
    assert found.verdict == "undecided"
    assert found.needed > 100
    assert "items marked by humans and the judge would settle it (there are 100)." in found.reason
    found = validate(*panel(3, items=100, judges={"gpt": (0.8, 0.0)}))["gpt"]
    assert (found.verdict, found.needed) == ("undecided", None)
    assert f"How many items would settle it cannot be told: {found.needed_reason}." in found.reason


def test_humans_who_disagree_and_a_constant_that_does_as_well_are_said_beside_a_good_verdict():
    # All humans mark at random around 3, and so the constant 3 is as good as any of them.
    rng = np.random.default_rng(0)
    marks = rng.choice([2, 3, 4], (400, 4), p=[0.2, 0.6, 0.2])
    humans = oe.Ratings.from_array(marks, raters=PEOPLE, labels=CLASSES)
    judge = oe.Ratings.from_array(np.full((400, 1), 3), raters=["gpt"], labels=CLASSES)
    one = validate(humans, judge)["gpt"]
    assert one.verdict == one.constant.verdict == "fit"
    assert (
        "The humans agree little with each other (Krippendorff's alpha 0.0"
        in one.reason.replace("-", "")
    )
    assert "Always answering 3 would be called fit, too" in one.reason
    assert one.unused_classes == (2, 4)


def test_the_best_constant_is_held_to_what_a_judge_is_held_to(both, found):
    humans, _ = both
    constant = found["good"].constant
    always = oe.Ratings.from_array(
        [[constant.label]] * humans.n, raters=["always"], item=humans.items, labels=CLASSES
    )
    one = validate(humans, always)["always"]
    same, other = constant.agreement, one.agreement["cem_ord"]
    assert (same.judge, same.human, same.low, same.high) == pytest.approx(
        (other.judge, other.human, other.low, other.high)
    )
    assert (constant.verdict, constant.passed) == (one.verdict, one.alt_test.passed)
    assert constant.winning_rate == one.alt_test.winning_rate


def test_a_slice_is_scored_as_its_items_are_alone(both):
    humans, judges = both
    groups = ["odd" if at % 2 else "even" for at in range(humans.n)]
    found = validate(humans, judges, by={"parity": groups})
    kept = [at for at, group in enumerate(groups) if group == "even"]
    names = [humans.items[at] for at in kept]
    alone = validate(
        oe.Ratings.from_array(marks_of(humans)[kept], raters=PEOPLE, item=names, labels=CLASSES),
        oe.Ratings.from_array(marks_of(judges)[kept], raters=judges.raters, item=names, labels=CLASSES),
    )  # fmt: skip
    for name in judges.raters:
        even, odd = found[name].slices
        expected = alone[name].agreement["cem_ord"]
        assert (even.by, even.value, even.items, odd.value) == ("parity", "even", 150, "odd")
        assert even.difference == pytest.approx(expected.difference, abs=1e-9)
        assert even.low == pytest.approx(expected.low, abs=1e-4)
        assert even.apart == pytest.approx(even.difference - odd.difference, abs=1e-9)
        assert even.p_adjusted == pytest.approx(min(1, 2 * even.p))
        assert (
            found[name].agreement["cem_ord"] == validate(humans, judges)[name].agreement["cem_ord"]
        )
    by_item = {"parity": dict(zip(humans.items, groups, strict=True))}
    assert validate(humans, judges, by=by_item)["good"].slices == found["good"].slices
    plain = validate(humans, judges, by=by_item["parity"])["good"].slices
    assert [one.by for one in plain] == ["slice", "slice"]
    assert "parity = even" in found.to_text(width=100)


def test_a_slice_in_which_the_judge_is_worse_is_found():
    humans, judges = panel(1, items=600, judges={"gpt": (0.5, 0.0)})
    marks = marks_of(judges)
    groups = np.arange(600) % 3
    marks[groups == 1, 0] = np.random.default_rng(0).integers(1, 6, 200)
    bad = oe.Ratings.from_array(marks, raters=["gpt"], item=judges.items, labels=CLASSES)
    slices = {one.value: one for one in validate(humans, bad, by={"group": groups})["gpt"].slices}
    assert slices[1].p_adjusted < 0.001
    assert slices[1].difference < -0.1 < slices[0].difference
    lonely = validate(humans, bad, by=["a"] + ["b"] * 599)["gpt"].slices[0]
    assert (lonely.items, lonely.low, lonely.reason) == (1, None, None)


def test_the_text_begins_with_the_verdict_on_the_best_judge_and_its_reason(found):
    text = found.to_text(width=100)
    assert text.startswith(
        "good is fit to mark in place of a human: against the same humans it reaches 0."
    )
    assert "poor is unfit: it is worse than a human by more than 0.05 (" in text
    assert "differ a little from those beside a human" in " ".join(text.split())
    for heading in (
        "good beside a human:", "The alternative annotator test of good:", "How good marks, class by class:",
        "Items of good to read first:", "The judges ranked as systems, against the shares of all humans:",
    ):  # fmt: skip
        assert heading in text
    assert found.comparison.best == ("good",)
    for form in ("markdown", "latex", "csv"):
        assert "undefined" not in found.write(form)
    assert "<table" in found._repr_html_()


def test_the_json_has_the_keys_that_are_promised(found):
    content = json.loads(found.to_json())
    assert content["command"] == "judge"
    one = content["judges"][0]
    assert {"name", "verdict", "reason", "alt_test", "agreement", "bias", "unused_classes"} <= set(
        one
    )
    assert {"winning_rate", "advantage", "passed", "epsilon"} <= set(one["alt_test"])
    assert {"judge", "human", "difference", "low", "high"} <= set(one["agreement"]["cem_ord"])
    assert isinstance(one["bias"]["mean"], float)
    assert [each["label"] for each in one["bias"]["by_class"]] == CLASSES
    assert one["unused_classes"] == []
    assert [each["name"] for each in content["ranking"]] == ["good", "poor"]
    assert np.sum(one["table"]) == pytest.approx(300)


def test_frames_have_a_row_for_each_part(found):
    judges = found.to_frame()
    assert list(judges["metric"][:5]) == MEASURES
    assert judges["value"][0] == found["good"].agreement["cem_ord"].judge
    assert len(found.to_frame("humans")) == 8
    assert len(found.to_frame("classes")) == 10
    assert len(found.to_frame("slices")) == 0
    assert isinstance(found.to_frame("items"), pd.DataFrame)
    with pytest.raises(oe.OrdevalError, match="what='x' is not a part of this result"):
        found.to_frame("x")
    with pytest.raises(oe.OrdevalError, match=r"what=\[\] is not a part of this result"):
        found.to_frame([])
    with pytest.raises(oe.OrdevalError, match=r"there is no judge \[\] among"):
        found[[]]


@pytest.mark.parametrize(
    ("given_as", "said"),
    [
        ({"level": None}, r"level=None leaves a verdict without ground"),
        ({"level": 1.0}, r"level=1.0 leaves a verdict without ground"),
        ({"margin": 0}, r"margin=0 is not a margin"),
        ({"margin": None}, r"margin=None leaves a verdict without ground"),
        ({"missing": "keep"}, r"missing='keep' is not a choice"),
        ({"primary": "cem"}, None),
        ({"metrics": ["nope"]}, r"there is no measure 'nope'"),
        ({"by": ["a"]}, r"by 'slice' has 1 values for 300 items"),
    ],
)
def test_settings_that_make_no_sense_are_refused(both, given_as, said):
    if said is None:
        assert validate(*both, **given_as).primary == "cem_ord"
        return
    with pytest.raises(oe.OrdevalError, match=said):
        validate(*both, **given_as)


def test_an_unknown_judge_and_one_without_shared_items_are_named(both, found):
    with pytest.raises(
        oe.OrdevalError, match=r"there is no judge 'god' among 'good', 'poor'. Did you mean good"
    ):
        found["god"]
    humans, judges = both
    marks = np.full((300, 2), np.nan)
    marks[:, 0] = marks_of(judges)[:, 0]
    alone = int(np.flatnonzero((~np.isnan(marks_of(humans))).sum(axis=1) == 1)[0])
    marks[alone, 1] = 3
    few = oe.Ratings.from_array(marks, raters=judges.raters, item=judges.items, labels=CLASSES)
    with pytest.raises(
        oe.OrdevalError, match=r"judge 'poor' marked no item that two humans or more marked"
    ):
        validate(humans, few)


def test_humans_with_repeats_and_items_without_names_are_refused():
    humans = repeated([[1, 2]] * 3, name="ann") + repeated([[3]] * 3, name="bob")
    judge = oe.Ratings.from_array([[1]] * 3, raters=["gpt"])
    with pytest.raises(oe.OrdevalError, match=r"human 'ann' marked items 2 times"):
        validate(humans, judge)
    humans = oe.Ratings.from_array([[1, 2, 3]] * 4)
    with pytest.raises(
        oe.OrdevalError, match=r"the items of the humans have no names, .* 4 and 3 items"
    ):
        validate(humans, judge)


def test_marks_on_another_scale_are_noticed():
    humans, judges = panel(judges={"gpt": (0.5, 0.0)})
    marks = marks_of(judges) * 20
    free = oe.Ratings.from_array(marks_of(humans), raters=PEOPLE, item=humans.items)
    with pytest.raises(oe.OrdevalError, match="labels"):
        validate(
            free,
            oe.Ratings.from_array(
                marks, raters=["gpt"], item=judges.items, labels=range(0, 101, 20)
            ),
        )
    doubled = oe.Ratings.from_array(marks / 10, raters=["gpt"], item=judges.items)
    assert "are both on the same scale?" in validate(free, doubled).lead[-1]
    once = marks_of(judges)
    once[0] = 9
    single = oe.Ratings.from_array(once, raters=["gpt"], item=judges.items)
    said = validate(free, single).notes[-1]
    assert said.startswith(
        f"1 of {len(once)} marks of gpt is beyond those of all humans, who use 1 to 5"
    )
    with pytest.raises(oe.OrdevalError, match="a judge gave the mark 6, which is not on the scale"):
        validate(humans, doubled)


def test_a_mark_between_the_classes_of_the_humans_is_refused():
    humans = oe.Ratings.from_array([[1, 2], [2, 2], [3, 3]], item=list("pqr"))
    judge = oe.Ratings.from_array([[1.0], [2.5], [3.0]], raters=["gpt"], item=list("pqr"))
    with pytest.raises(
        oe.OrdevalError,
        match=r"a judge gave the mark 2.5, which is not on the humans' scale .*round='nearest'",
    ):
        validate(humans, judge)


def test_few_items_give_values_without_a_verdict():
    humans = oe.Ratings.from_array([[1, 2], [2, 2]], raters=["ann", "bob"], labels=CLASSES)
    judge = oe.Ratings.from_array([[1], [2]], raters=["gpt"], labels=CLASSES)
    one = validate(humans, judge)["gpt"]
    assert one.verdict == "undecided"
    assert math.isnan(one.alt_test.winning_rate)
    assert "no human marked 30 items" in one.reason
    single = validate(
        oe.Ratings.from_array([[1, 2]], raters=["ann", "bob"], labels=CLASSES),
        oe.Ratings.from_array([[1]], raters=["gpt"], labels=CLASSES),
    )
    assert single["gpt"].agreement["accuracy"].low is None
    assert "which says nothing yet, because there are too few items" in single["gpt"].reason
    assert "undecided" in single.to_text(width=80)
    content = json.loads(single.to_json())["judges"][0]
    for part in (content["agreement"]["accuracy"], content["bias"], content["constant"]):
        assert None in part.values()
        assert part["reason"]
    assert all("reason" in each for each in content["bias"]["by_class"] if None in each.values())


VERDICTS = {
    "restaurant_stars": dict.fromkeys(
        ("gemini_flash", "gemini_pro", "gpt-4o", "llama-31", "gpt-4o-mini", "mistral-v03"), "fit"
    ),
    "prompt_quality": {
        "gpt-4o": "fit", "gpt-4o-mini": "fit", "gemini_flash": "undecided", "mistral-v03": "undecided",
        "gemini_pro": "undecided", "llama-31": "undecided",
    },
}  # fmt: skip


@pytest.mark.later
@pytest.mark.parametrize(("name", "epsilon"), [("restaurant_stars", 0.1), ("prompt_quality", 0.15)])
def test_the_verdicts_on_real_judges_follow_from_the_test_and_the_ceiling(shared, name, epsilon):
    folder = shared / "data" / "llm_judges2025"
    humans, judges = (
        oe.Ratings.from_file(folder / f"{name}_{side}.csv.gz") for side in ("humans", "judges")
    )
    found = validate(humans, judges, epsilon=epsilon)
    ceiling = oe.agree(humans, ceiling=MEASURES).ceiling
    for judge, one in found.items():
        assert one.verdict == VERDICTS[name][judge]
        for (
            measure
        ) in MEASURES:  # all judges marked all items, so the human is the same as without them
            assert one.agreement[measure].human == pytest.approx(ceiling[measure].value)
    if name == "prompt_quality":
        assert (
            "The humans agree little with each other (Krippendorff's alpha 0.25"
            in found.best.reason
        )
        assert "Always answering 4 would pass the test, too" in found.best.reason


some_mark = st.one_of(st.none(), st.integers(1, 3))


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(
    rows=st.lists(st.tuples(*[some_mark] * 5), min_size=1, max_size=12),
    least=st.sampled_from([2, 30]),
    missing=st.sampled_from(["drop", "zero", "farthest"]),
    copies=st.sampled_from([1, 9]),
)
def test_any_few_marks_give_a_result_in_every_form_or_a_refusal(rows, least, missing, copies):
    rows = rows * copies
    names = [f"item{at}" for at in range(len(rows))]
    options = {"labels": CLASSES, "item": names}
    humans = oe.Ratings.from_array([row[:3] for row in [(1, 2, 1), *rows[1:]]], **options)
    marks = np.array(
        [[np.nan if mark is None else mark for mark in row[3:]] for row in rows], dtype=float
    )
    marks[0] = 1
    judges = repeated(marks, items=names) + oe.Ratings.from_array(
        marks[:, :1], raters=["b"], **options
    )
    found = validate(
        humans,
        judges,
        least_items=least,
        missing=missing,
        by=["xy"[at % 2] for at in range(len(rows))],
    )
    assert list(found) == ["gpt", "b"]
    for one in found.values():
        assert one.verdict in {"fit", "unfit", "undecided"}
        low, high = one.agreement["cem_ord"].low, one.agreement["cem_ord"].high
        if low is not None:
            assert low <= one.agreement["cem_ord"].difference <= high
    json.loads(found.to_json())
    for form in ("text", "csv", "markdown", "latex"):
        assert found.write(form)


def test_the_sentence_on_an_unfit_judge_says_how_it_errs():
    truth = np.arange(200) % 5 + 1
    humans = oe.Ratings.from_array(np.stack([truth] * 3, axis=1))
    marks = np.stack([truth, np.minimum(truth + 1, 5), np.full(200, 3)], axis=1)
    judges = oe.Ratings.from_array(marks, raters=["good", "kind", "three"], labels=CLASSES)
    lead = validate(humans, judges).lead
    # kind adds 1 to four classes of five: 0.8 on average; three is as often too high as too low
    kind, three = (next(each for each in lead if each.startswith(name)) for name in ("kind", "three"))  # fmt: skip
    assert kind.startswith("kind is unfit: it is worse than a human by more than 0.05 (-")
    assert kind.endswith(" by cem_ord); it marks 0.80 too high and never gives 1.")
    assert three.endswith(" by cem_ord); it never gives 1, 2, 4 and 5.")
