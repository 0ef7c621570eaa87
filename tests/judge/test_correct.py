"""What humans would have said: the door of `oe.judge.correct`, its result, its words, and what it refuses."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.judge.method_names import ALL_METHODS
from ordeval.judge.methods import MarkSums, estimates_by

HUMAN, JUDGE, OTHERS = [1, 2, 2, 3, 3, 3], [1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 2, 3, 3, 3, 3, 3]


def drawn(n, more, rng, *, shift=0.3):
    """Return marks of humans and of a judge that is too kind: n with both, and more of the judge alone."""
    human = rng.choice(5, n + more, p=[0.1, 0.15, 0.2, 0.3, 0.25]) + 1
    judge = np.clip(human + rng.choice([-1, 0, 1], n + more, p=[0.1, 0.9 - shift, shift]), 1, 5)
    return human[:n], judge[:n], judge[n:]


@pytest.fixture(scope="module")
def correction():
    return oe.judge.correct(*drawn(300, 2000, np.random.default_rng(1)), labels=range(1, 6))


# --- what it says


def test_the_mean_mark_is_that_of_the_judge_plus_what_humans_give_more():
    found = oe.judge.correct(HUMAN, JUDGE, OTHERS, method="ppi")
    # The judge gives the others 23/10. Of the six that both marked, humans give 14/6 and the judge 12/6.
    assert found.mean.value == pytest.approx(2.3 + 2 / 6)
    assert found.mean.naive == pytest.approx((12 + 23) / 16)
    assert found.mean.human.value == pytest.approx(14 / 6)
    assert (found.marked, found.unmarked, found.method) == (6, 10, "ppi")


def test_worth_is_the_number_of_human_marks_that_are_as_precise_alone(correction):
    mean, alone = correction.mean, correction.methods["human"].mean
    assert correction.worth == mean.worth == pytest.approx(300 * (alone.error / mean.error) ** 2)
    assert alone.worth == pytest.approx(300)
    assert correction.methods["naive"].mean.worth is None
    assert correction.worth > 600


def test_all_methods_stand_side_by_side(correction):
    assert list(correction.methods) == list(ALL_METHODS)
    for found in correction.methods.values():
        assert len(found.shares) == 5
        assert sum(share.value for share in found.shares) == pytest.approx(1)
    assert correction.mean is correction.methods["ppi++"].mean
    assert 0 < correction.lam < 1
    assert 0 < correction.lam_shares < correction.lam


def test_the_judge_is_told_to_be_worth_further_human_marks(correction):
    first, second = correction.lead
    value, low, high = (
        f"{getattr(correction.mean, part):.2f}" for part in ("value", "low", "high")
    )
    naive = f"The judge as it stands gives a mean mark of {correction.mean.naive:.2f}"
    assert first == f"{naive}; corrected by PPI++ it is {value} [{low}, {high}]."
    assert second.startswith(
        f"The judge is worth {math.floor(correction.worth) - 300:,} further human marks: "
    )


def test_a_judge_that_says_nothing_is_told_to_add_nothing():
    rng = np.random.default_rng(3)
    human, _, _ = drawn(200, 0, rng)
    found = oe.judge.correct(human, [3] * 200, [3] * 500, labels=range(1, 6))
    assert found.lam == 0
    assert found.worth == pytest.approx(200)
    assert (
        "The judge adds nothing to the 200 human marks: these alone are as precise." in found.lead
    )
    assert any("gives all items the same mark" in note for note in found.notes)


def test_a_method_that_does_worse_than_humans_alone_says_so():
    rng = np.random.default_rng(4)
    human = rng.integers(1, 6, 200)
    found = oe.judge.correct(human, rng.integers(1, 6, 200), rng.integers(1, 6, 300), method="ppi")
    assert found.worth < 200
    assert "less precise than the 200 human marks alone" in found.lead[1]


def test_a_judge_that_cannot_be_inverted_leaves_the_other_methods_as_they_are():
    found = oe.judge.correct(
        [1, 2, 1, 2] * 10, [1, 1, 2, 2] * 10, [1, 2] * 30, method="rogan_gladen"
    )
    assert math.isnan(found.mean.value)
    assert found.mean.low is None
    assert found.worth is None
    assert "singular" in found.mean.reason
    assert "undefined: the judge's marks do not tell" in found.lead[0]
    assert found.methods["ppi++"].mean.value == pytest.approx(1.5)
    assert found.to_dict()["mean"]["value"] is None


def test_shares_that_leave_the_possible_are_kept_and_noted():
    found = oe.judge.correct(HUMAN, JUDGE, OTHERS, method="ppi")
    # 2/10 + 1/6 - 2/6 of class 1 is 1/30, and its interval begins below 0
    assert found.shares[0].value == pytest.approx(1 / 30)
    assert found.shares[0].low < 0
    assert any("below 0 or above 1" in note for note in found.notes)


def test_classes_of_the_judge_that_are_taken_together_are_named():
    found = oe.judge.correct([1, 2, 2, 3, 3, 3] * 6, [2, 2, 2, 3, 3, 3] * 6, [1, 2, 3] * 9)
    assert any("1 with 2" in note for note in found.notes)


def test_words_are_taken_as_numbers_and_the_caption_says_which():
    found = oe.judge.correct(
        ["low", "high"] * 20, ["low", "high"] * 20, ["high"] * 30, labels=["low", "high"]
    )
    assert "takes them as the numbers 0, 1" in str(found)
    assert [share.label for share in found.shares] == ["low", "high"]


# --- warnings


def test_a_sample_that_the_judge_marks_differently_is_warned_of():
    rng = np.random.default_rng(5)
    human, judge, others = drawn(300, 3000, rng)
    easy = judge >= 4
    biased = oe.judge.correct(
        human[easy], judge[easy], np.append(others, judge[~easy]), labels=range(1, 6)
    )
    assert any("no random sample" in warning for warning in biased.warnings)
    assert oe.judge.correct(human, judge, others, labels=range(1, 6)).warnings == ()


def test_human_marks_of_one_class_are_warned_of():
    found = oe.judge.correct([3] * 50, [3] * 25 + [2] * 25, [2, 3] * 100, labels=[1, 2, 3])
    assert any("one class" in warning for warning in found.warnings)
    assert found.worth is None


def test_few_human_marks_are_warned_of():
    assert any("fewer than 30" in text for text in oe.judge.correct(HUMAN, JUDGE, OTHERS).warnings)


# --- forms of input


def test_every_form_of_columns_gives_the_same():
    plain = oe.judge.correct(HUMAN, JUDGE, OTHERS).to_dict()
    for human, judge, others in (
        (np.array(HUMAN), np.array(JUDGE), np.array(OTHERS)),
        (pd.Series(HUMAN), pl.Series(JUDGE), tuple(OTHERS)),
        (iter(HUMAN), iter(JUDGE), iter(OTHERS)),
        ([*map(str, HUMAN)], [*map(str, JUDGE)], [*map(str, OTHERS)]),
    ):
        assert oe.judge.correct(human, judge, others).to_dict() == plain


def test_items_without_a_human_mark_are_the_unlabelled_ones():
    human = [*HUMAN, *[None] * len(OTHERS)]
    assert (
        oe.judge.correct(human, JUDGE + OTHERS).to_dict()
        == oe.judge.correct(HUMAN, JUDGE, OTHERS).to_dict()
    )


def test_ratings_are_matched_by_item():
    rng = np.random.default_rng(2)
    names = [f"q{at}" for at in range(16)]
    order = rng.permutation(16)
    human = oe.Ratings.from_array([[mark] for mark in HUMAN], raters=["ann"], item=names[:6])
    marks = [[(JUDGE + OTHERS)[at]] for at in order]
    judge = oe.Ratings.from_array(marks, raters=["gpt"], item=[names[at] for at in order])
    ours, plain = oe.judge.correct(human, judge), oe.judge.correct(HUMAN, JUDGE, OTHERS)
    assert ours.to_dict() == plain.to_dict()


def test_several_humans_on_an_item_count_with_their_mean_mark():
    people = oe.Ratings.from_array(
        [[1, 2, None], [2, 2, 2], [3, 3, 1], [3, None, None]], item=list("abcd")
    )
    judge = oe.Ratings.from_array(
        [[1], [2], [3], [3], [1], [2]], raters=["gpt"], item=list("abcdef")
    )
    found = oe.judge.correct(people, judge, method="ppi")
    # humans give 1.5, 2, 7/3 and 3, the judge 1, 2, 3 and 3: mean difference (0.5 + 0 - 2/3 + 0) / 4 = -1/24
    assert found.mean.value == pytest.approx(1.5 - 1 / 24)
    assert found.mean.human.value == pytest.approx((1.5 + 2 + 7 / 3 + 3) / 4)
    assert "several humans" in found.methods["rogan_gladen"].mean.reason
    soft = oe.judge.correct(people, [1, 2, 3, 3], [1, 2], method="ppi")
    assert soft.mean.value == pytest.approx(found.mean.value)


def test_an_item_that_the_judge_did_not_mark_is_left_out_and_counted():
    human = oe.Ratings.from_array([[1], [2], [3]], raters=["ann"], item=["a", "b", "z"])
    judge = oe.Ratings.from_array([[1], [2], [2]], raters=["gpt"], item=["a", "b", "c"])
    found = oe.judge.correct(human, judge)
    assert (found.marked, found.unmarked) == (2, 1)
    assert found.to_dict()["input"]["unjudged"] == 1
    assert any("1 item with human marks was left out" in note for note in found.notes)
    dropped = oe.judge.correct([1, 2, 3], [1, 2, None], [2, None], missing="drop")
    assert (dropped.marked, dropped.unmarked, dropped.judged.unjudged) == (2, 1, 1)


def test_of_a_judge_that_marked_items_repeatedly_the_first_marks_count():
    rows = [
        (f"q{at}", "gpt", epoch, mark) for at, mark in enumerate(JUDGE + OTHERS) for epoch in (1, 2)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "epoch", "label"])
    frame.loc[frame.epoch == 2, "label"] = 2
    frame = frame[
        ~((frame.item == "q3") & (frame.epoch == 1))
    ]  # whose first mark is then a 2, as it was
    human = oe.Ratings.from_array([[mark] for mark in HUMAN], item=[f"q{at}" for at in range(6)])
    found = oe.judge.correct(human, oe.Ratings.from_frame(frame))
    assert found.mean == oe.judge.correct(HUMAN, JUDGE, OTHERS).mean
    assert any("up to 2 times: the first mark of each counts" in note for note in found.notes)


# --- what is refused


@pytest.mark.parametrize(
    ("human", "judge", "others", "word"),
    [
        ([1, 2, 3], [1, 2, "4/5"], [1, 2], "'4/5' is not on the scale"),
        ([1, 2, 3], [1, 2, 3], ["N/A", 2], "'N/A' is not on the scale"),
        ([1, 2, "N/A"], [1, 2, 3], [1, 2], "'N/A' among numbers"),
        ([1, 2, 3], [1, 2.5, 3], [2, 2], "2.5 is not on the scale"),
        ([1, 2, 3], [1, 2], [1], "human has 3 marks and judge has 2"),
        ([1, 2, 3], [1, 2, 3], [], "no items that the judge marked alone"),
        ([1, 2, 3], [1, 2, 3], None, "no items that the judge marked alone"),
        ([1], [1], [2, 2], "a single item"),
        ([None, None], [1, 2], None, "no human marks"),
        ([1, 2, 3], [1, None, 3], [2, 2], "1 of 3 answers is missing"),
        (["a", "b"], ["a", "b"], ["a"], "cannot tell the order"),
        ([1, 2], [[0.1, 0.9], [0.5, 0.5]], [1], "shares or probabilities"),
        ([[0.5, 0.5], [0.1, 0.9]], [1, 2], None, "no unlabelled_judge"),
        (5, [1, 2], [1], "human is 5"),
    ],
)
def test_marks_that_say_nothing_are_refused_in_a_sentence(human, judge, others, word):
    with pytest.raises(oe.OrdevalError, match=word.replace("(", r"\(")):
        oe.judge.correct(human, judge, others)


def test_marks_that_are_not_on_a_declared_scale_are_refused_or_left_out():
    with pytest.raises(oe.OrdevalError, match="7 is not on the scale"):
        oe.judge.correct([1, 2, 3], [1, 2, 3], [7, 2], labels=[1, 2, 3])
    kept = oe.judge.correct(
        [1, 2, 3], [1, 2, 3], [7, 2], labels=[1, 2, 3], unknown="missing", missing="drop"
    )
    assert kept.unmarked == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"method": "ppi+"}, r"method='ppi\+' is not a choice.*Did you mean"),
        ({"method": None}, "method=None is not a choice"),
        ({"level": 1}, "level=1 is not"),
        ({"level": None}, "level=None is not"),
        ({"missing": "zero"}, "missing='zero' would score"),
    ],
)
def test_choices_that_there_are_not_are_refused(options, word):
    with pytest.raises(oe.errors.ParameterError, match=word):
        oe.judge.correct(HUMAN, JUDGE, OTHERS, **options)


def test_ratings_that_do_not_fit_are_refused():
    human = oe.Ratings.from_array([[1], [2]], raters=["ann"], item=["a", "b"])
    judge = oe.Ratings.from_array([[1], [2]], raters=["gpt"], item=["x", "y"])
    two = oe.Ratings.from_array([[1, 1], [2, 2]], raters=["gpt", "claude"], item=["a", "b"])
    for given, word in (
        ((human, judge), "marked no item that humans marked"),
        ((human, two), "judges 'gpt', 'claude'"),
        ((human, judge, [1]), "which know their scale"),
        (([1, 2], judge), "human is something else"),
    ):
        with pytest.raises(oe.OrdevalError, match=word):
            oe.judge.correct(*given)


# --- forms of output


def test_json_has_what_programs_count_on(correction):
    content = json.loads(correction.to_json())
    assert content["command"] == "correct"
    assert {"naive", "value", "low", "high", "method"} <= content["mean"].keys()
    assert [share["label"] for share in content["shares"]] == [1, 2, 3, 4, 5]
    assert content["worth"] == correction.worth
    assert content["systems"] == []
    assert [one["method"] for one in content["methods"]] == list(ALL_METHODS)


def test_every_form_can_be_written(correction):
    for form in ("text", "json", "csv", "markdown", "latex"):
        assert "ppi++" in correction.write(form).lower()
    assert correction._repr_html_().count("<table") == 2
    frame = correction.to_frame()
    assert len(frame) == 6 * 6
    assert list(frame.columns)[:4] == ["method", "statistic", "label", "value"]
    assert repr(correction).startswith(f"Correction(mean={correction.mean.value:.4f} [")


def test_classes_are_shown_by_name():
    human, judge, others = drawn(50, 90, np.random.default_rng(6))
    scale = oe.Scale([1, 2, 3, 4, 5]).named(["awful", "bad", "fair", "good", "great"])
    found = oe.judge.correct(human, judge, others, labels=scale)
    assert "awful" in found.to_text(width=80)
    assert found.to_dict()["shares"][0]["label"] == 1


# --- what an interval promises


def test_intervals_of_all_corrections_cover_the_truth():
    rng = np.random.default_rng(8)
    shares = np.array([0.15, 0.25, 0.35, 0.25])
    rows = np.array(
        [[0.8, 0.15, 0.05, 0], [0.1, 0.7, 0.2, 0], [0, 0.1, 0.6, 0.3], [0, 0, 0.1, 0.9]]
    )
    joint = shares[:, None] * rows
    draws = 500
    marked = rng.multinomial(300, joint.ravel(), draws).reshape(-1, 4, 4)
    others = rng.multinomial(3000, joint.sum(axis=0), draws)
    values = np.arange(4.0)
    sums = [MarkSums.of_counts(a, b, values) for a, b in zip(marked, others, strict=True)]
    truth = np.append(shares, shares @ values)
    width = {}
    for method in ("rogan_gladen", "ppi", "ppi++", "poststratification", "human"):
        found = [estimates_by(method, each, 1.959964) for each in sums]
        covered = np.mean([(one.low <= truth) & (truth <= one.high) for one in found], axis=0)
        # 95% of 500 draws have a standard error of 1%
        assert (covered > 0.92).all(), (method, covered)
        assert (covered < 0.985).all(), (method, covered)
        width[method] = np.mean([one.error for one in found], axis=0)
    # PPI++ weighs all classes alike, which may cost a little in one of them
    assert width["ppi++"][-1] < 0.75 * width["human"][-1]
    assert (width["poststratification"] < width["human"]).all()


def test_what_is_worth_no_number_of_human_marks_says_why_in_json():
    found = oe.judge.correct([3] * 40, [1, 3] * 20, [1, 2, 3] * 50).to_dict()
    assert found["worth"] is None
    assert found["reason"] == found["mean"]["reason"]
    assert "no variation" in found["reason"]
    naive = next(one for one in found["methods"] if one["method"] == "naive")
    assert "bias of the judge as it stands is not known" in naive["mean"]["reason"]
    assert all(one["reason"] for one in naive["shares"])


def test_items_without_names_are_matched_only_if_both_sides_have_the_same_number():
    human = oe.Ratings.from_array([[1], [2], [None]], raters=["ann"])
    judge = oe.Ratings.from_array([[1], [2], [2]], raters=["gpt"])
    assert oe.judge.correct(human, judge).marked == 2
    more = oe.Ratings.from_array([[1], [2], [2], [1]], raters=["gpt"])
    with pytest.raises(oe.errors.DataError, match="the items of the humans have no names"):
        oe.judge.correct(human, more)
