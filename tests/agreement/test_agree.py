"""`oe.agree`: the coefficients, the ceiling, and every form of the result."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe
from ordeval.agreement.sheets import MOST_RATERS
from ordeval.agreement.words import threshold_words
from ordeval.comparison.results import Score
from ordeval.report import render_agreement
from tests.agreement.marks import CLASSES, ratings_of, simulated
from tests.calls import calls_of

DEFAULT = [
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "accuracy",
]


@pytest.fixture(scope="module")
def ratings():
    return ratings_of(simulated(0, items=150, raters=5, each=3, random=True))


@pytest.fixture(scope="module")
def agreement(ratings):
    return oe.agree(ratings)


def test_the_coefficients_are_those_of_the_measures_with_intervals_around_them(ratings, agreement):
    assert list(agreement) == DEFAULT
    for name, score in agreement.items():
        assert score.value == pytest.approx(getattr(oe, name)(ratings), abs=1e-12)
        assert score.low < score.value < score.high


def test_any_measure_can_be_asked_for_and_an_alias_finds_it(ratings):
    found = oe.agree(ratings, metrics=["qwk", "alpha"], ceiling=["mae"], level=None)
    assert list(found) == ["weighted_kappa(weights='quadratic')", "krippendorff_alpha"]
    assert found["alpha"] == found["krippendorff_alpha"]
    assert list(found.ceiling) == ["mae"]
    with pytest.raises(oe.OrdevalError, match=r"'cem_ord' was not computed; there are"):
        found["cem_ord"]


def test_the_ceiling_is_the_mean_over_raters_of_their_scores_against_the_shares_of_the_others():
    # Three raters, two items: 1 1 2 and 3 3 3. The first and the second agree with half of the others on the first
    # item, the third with none; all agree on the second: (0.75 + 0.75 + 0.5) / 3.
    found = oe.agree(ratings_of([[1, 1, 2], [3, 3, 3]]), ceiling=["accuracy"])
    assert found.ceiling["accuracy"].value == pytest.approx(2 / 3)


def test_no_ceiling_and_no_level_leave_both_out(ratings):
    found = oe.agree(ratings, ceiling=None, level=None)
    assert dict(found.ceiling) == {}
    assert found.to_dict()["ceiling"] == {}
    assert found["krippendorff_alpha"].low is None
    assert found.raters["r0"].difference.low is None
    assert "A human reaches" not in found.to_text()
    assert "No intervals were asked for." in found.to_text()
    assert "[" not in found.to_text(width=120)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "95% t intervals from the jackknife, over items."),
        ({"level": 0.9, "resample": "both"}, "90% t intervals from the jackknife, over items and raters for the"),
        (
            {"method": "percentile", "n_resamples": 99, "rng": 3},
            "95% percentile bootstrap intervals for the coefficients, 99 resamples of items, seed 3; else t intervals",
        ),
    ],
)  # fmt: skip
def test_the_caption_says_how_the_intervals_were_made(ratings, options, sentence):
    found = oe.agree(ratings, metrics=["krippendorff_alpha"], **options)
    assert sentence in " ".join(found.to_text(width=None).split())


@pytest.mark.parametrize(
    ("value", "low", "high", "words"),
    [
        (0.85, 0.81, 0.9, "at least 0.8, which Krippendorff asks for before marks are relied on"),
        (0.85, 0.75, 0.9, "above 0.667, .*; it may or may not reach the 0.8 that he asks for"),
        (0.7, 0.68, 0.75, "above 0.667, .*, and below the 0.8 that he asks for"),
        (0.7, 0.6, 0.75, "it may or may not reach 0.667, the least"),
        (0.5, 0.4, 0.6, "below 0.667, the least that Krippendorff accepts for tentative conclusions"),
        (0.7, None, None, "above 0.667"),
    ],
)  # fmt: skip
def test_alpha_is_put_in_words_as_far_as_its_interval_can_tell(value, low, high, words):
    assert re.fullmatch(
        f"{words}.*", threshold_words(Score("krippendorff_alpha", value, low, high))
    )


def test_the_answer_comes_first_in_sentences(agreement):
    lead = " ".join(agreement.lead)
    assert lead.startswith("Krippendorff's alpha is 0.")
    assert "A human reaches 0." in lead
    assert "1 of 5 raters stands apart: r1 marks at random." in lead
    assert "Without r1, Krippendorff's alpha is 0." in lead
    assert "most often confused are" in lead
    assert agreement.to_text().startswith(agreement.lead[0])


def test_a_class_with_nearly_all_marks_is_named_because_alpha_is_low_then():
    # 19 of 20 items have the marks 1 and 1, the last 1 and 2: 39 of 40 marks are 1.
    found = oe.agree(ratings_of([[1, 1]] * 19 + [[1, 2]]))
    assert (
        "98% of the marks are 1: with so little variety alpha and the kappas can be low"
        in found.to_text()
    )
    assert found["accuracy"].value == 0.95
    assert abs(found["krippendorff_alpha"].value) < 0.01


def test_coefficients_that_count_only_equal_marks_are_named(agreement, ratings):
    said = "fleiss_kappa, conger_kappa, brennan_prediger and accuracy count only equal marks as agreement"
    assert said in agreement.to_text()
    weighted = oe.agree(ratings, metrics=["krippendorff_alpha", "fleiss_kappa(weights='linear')"])
    assert "only equal marks" not in weighted.to_text()


def test_json_has_what_the_contract_names_and_more(agreement, ratings):
    content = json.loads(agreement.to_json())
    assert (content["schema"], content["command"]) == (1, "agree")
    assert (content["raters"], content["items"], content["marks"]) == (5, 150, 450)
    assert [one["name"] for one in content["coefficients"]] == DEFAULT
    assert content["coefficients"][0]["value"] == agreement["krippendorff_alpha"].value
    assert content["ceiling"]["cem_ord"].keys() >= {"value", "low", "high"}
    assert content["scale"]["labels"] == CLASSES
    assert [one["name"] for one in content["rater_profiles"]] == list(ratings.raters)
    assert content["rater_profiles"][1]["verdicts"] == ["at random"]
    assert len(content["pairs"]) == 10
    assert len(content["disagreement"]) == 150
    assert np.array(content["confusion"]).sum() == 150 * 6
    assert content == json.loads(json.dumps(agreement.to_dict()))


@pytest.mark.parametrize(
    ("what", "rows", "columns"),
    [
        ("coefficients", 6, ["coefficient", "value", "low", "high", "error", "reason"]),
        ("ceiling", 5, ["metric", "value", "low", "high", "error", "reason"]),
        ("pairs", 30, ["a", "b", "items", "metric", "value", "low", "high", "error", "reason"]),
        ("items", 150, ["item", "spread", "1", "2", "3", "4", "5"]),
    ],
)
def test_frames_have_every_part(agreement, what, rows, columns):
    frame = agreement.to_frame(what, backend="pandas")
    assert isinstance(frame, pd.DataFrame)
    assert (len(frame), list(frame)) == (rows, columns)


def test_the_frame_of_raters_names_who_stands_apart(agreement):
    frame = agreement.to_frame("raters", backend="polars")
    assert isinstance(frame, pl.DataFrame)
    assert frame["verdict"].to_list() == ["", "at random", "", "", ""]


def test_a_part_that_does_not_exist_is_refused(agreement):
    with pytest.raises(oe.OrdevalError, match="what='rater' is not a part of this result"):
        agreement.to_frame("rater")


@pytest.mark.parametrize("width", [60, 80, 140])
def test_text_fits_its_width(agreement, width):
    assert max(map(len, agreement.to_text(width=width).splitlines())) <= width


def test_every_form_has_every_table(agreement):
    for text in (agreement.to_markdown(), agreement.to_latex(), agreement._repr_html_()):
        for word in ("brennan", "human reaches", "at random", "spread", "r4"):
            assert word in text
    rows = agreement.to_csv().splitlines()
    assert rows[0].startswith("coefficient,value")
    assert len(rows) == 7
    assert repr(agreement).startswith("Agreement(krippendorff_alpha 0.")


def test_names_of_classes_are_shown_and_labels_are_kept_in_json():
    scale = oe.Scale([1, 2, 3]).named(["bad", "fair", "good"])
    ratings = oe.Ratings.from_array([[1, 1], [2, 3], [3, 1]], labels=[1, 2, 3])
    found = oe.agree(replace(ratings, scale=scale))
    assert "most often confused are bad and good" in found.to_text()
    assert found.to_dict()["scale"]["labels"] == [1, 2, 3]
    assert found.to_dict()["disagreement"][0]["marks"][0] == {"label": 1, "raters": 1}


def test_names_from_outside_cannot_steer_a_terminal_or_open_a_tag():
    hostile = "\x1b[31m<b>&"
    ratings = oe.Ratings.from_array(
        simulated(0, items=60, raters=3, each=3), raters=[hostile, "b", "c"], labels=CLASSES,
        item=[f"\x1b{at}<i>" for at in range(60)],
    )  # fmt: skip
    found = oe.agree(ratings)
    assert "\x1b" not in found.to_text()
    assert "\x1b" not in found.to_json()
    assert "<b>" not in found._repr_html_()
    assert "<i>" not in found._repr_html_()


def test_one_rater_is_refused():
    with pytest.raises(oe.OrdevalError, match="two raters or more"):
        oe.agree(ratings_of([[1], [2]]))


def test_raters_who_share_no_item_are_refused():
    with pytest.raises(oe.OrdevalError, match="no two raters marked the same item"):
        oe.agree(ratings_of([[1, np.nan], [np.nan, 2]]))


def test_what_is_no_ratings_is_refused():
    with pytest.raises(
        TypeError, match="agree was given a list; it takes the marks of several raters"
    ):
        oe.agree([[1, 2], [2, 2]])


def test_marks_that_are_all_equal_have_stated_values_and_reasons():
    found = oe.agree(ratings_of([[3, 3, 3]] * 20))
    assert np.isnan(found["krippendorff_alpha"].value)
    assert found["accuracy"].value == 1.0
    text = found.to_text()
    assert text.startswith("Krippendorff's alpha is undefined: all marks are of one class.")
    assert "All marks on the same item are equal." in text
    assert "None of the 3 raters stands apart" in text
    assert found.to_dict()["coefficients"][0]["value"] is None


def test_items_with_one_mark_or_none_are_counted_and_said_to_tell_nothing():
    marks = [[1, 2], [2, 2], [3, 3], [4, np.nan], [np.nan, np.nan], [np.nan, np.nan]]
    text = oe.agree(ratings_of(marks)).to_text()
    assert "2 raters, 6 items, 7 marks (0 to 2 on an item)" in text
    assert "1 item has a single mark and tells nothing about agreement." in text
    assert "2 items have no mark and tell nothing about agreement." in text


def test_a_single_shared_item_has_values_without_intervals():
    found = oe.agree(ratings_of([[1, 2, 3]]))
    assert found["accuracy"].value == 0.0
    assert found["accuracy"].low is None
    assert found["accuracy"].reason == "a single item shows no variation"
    assert "without an interval: a single item shows no variation." in found.lead[0]
    assert "Krippendorff accepts" not in found.lead[0]


def test_two_raters_are_shown_without_who_stands_apart():
    text = oe.agree(ratings_of([[1, 2], [2, 2], [3, 3]])).to_text()
    assert "difference" in text
    assert "stand apart" not in text
    assert "alpha without" not in text


@pytest.mark.later
def test_items_that_were_counted_elsewhere_are_left_out_of_every_form(ratings):
    found = oe.agree(replace(ratings, item_names=None, pattern_of=None))
    assert found.to_dict()["disagreement"] == []
    assert "disagree most" not in found.to_text()
    assert 'id="items"' not in render_agreement(found)


def test_a_long_scale_lists_the_classes_that_are_confused_most():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 20, 100)
    marks = np.stack([truth, np.minimum(truth + rng.integers(0, 2, 100), 19)], axis=1)
    found = oe.agree(oe.Ratings.from_array(marks, labels=list(range(20))))
    assert "Classes that raters confuse most:" in found.to_text(width=80)


def test_alpha_of_the_stars_is_as_the_data_set_prints_it(shared):
    folder = shared / "data" / "llm_judges2025"
    found = oe.agree(
        oe.Ratings.from_file(folder / "restaurant_stars_humans.csv.gz"), metrics=["krippendorff_alpha"]
    )  # fmt: skip
    assert round(found["krippendorff_alpha"].value, 4) == 0.6788
    assert found.raters["human02"].verdicts == ("at random",)


def test_few_items_of_each_rater_are_not_passed_off_as_proof():
    few = oe.Ratings.from_array(np.tile([[1, 2, 2, 3]], (4, 1)))
    said = "None of the 4 raters stands apart significantly; half of them share 4 items or fewer with others"
    assert said in " ".join(oe.agree(few).lead)
    alike = oe.Ratings.from_array(np.tile([[1, 1, 1], [2, 2, 2], [3, 3, 3]], (10, 1)))
    assert "None of the 3 raters stands apart significantly." in oe.agree(alike).lead


def test_marks_that_were_left_out_or_rounded_are_counted(tmp_path):
    (tmp_path / "odd.csv").write_text(
        "item,rater,label\np,ann,1\np,bob,2\np,ann,2\nq,ann,2\nq,bob,n/a\nr,ann,1.7\nr,bob,2\n"
    )
    ratings = oe.Ratings.from_file(
        tmp_path / "odd.csv", labels=[1, 2], unknown="missing", duplicates="first", round="nearest"
    )
    text = oe.agree(ratings).to_text(width=400)
    assert "1 mark was not on the scale and left out." in text
    assert "1 mark was rounded to the nearest class." in text
    assert "1 mark was left out because the rater had marked the item before." in text


def test_items_without_names_are_said_to_be_numbers():
    marks = [[1, 2], [2, 2], [3, 1]]
    assert "the first is 0" in oe.agree(oe.Ratings.from_array(marks)).to_text(width=200)
    named = oe.Ratings.from_array(marks, item=["p", "q", "r"])
    assert "the first is 0" not in oe.agree(named).to_text(width=200)


@pytest.mark.later
def test_hundreds_of_raters_take_fewer_calls_than_pairs_and_a_page_or_two(shared):
    ratings = oe.Ratings.from_file(shared / "data" / "lewidi2025" / "sarcasm_dev.csv.gz")
    raters = len(ratings.raters)
    assert raters > 800 > MOST_RATERS
    text = ""

    def work():
        nonlocal text
        text = oe.agree(ratings).to_text(width=80)

    assert calls_of(work) < raters * (raters - 1) / 2
    assert len(text.splitlines()) < 80
    assert "raters stands apart significantly" in text


def test_a_rater_who_reads_the_scale_upside_down_marks_against_the_others():
    truth = np.arange(200) % 5 + 1
    marks = np.stack([truth, truth, truth, 6 - truth], axis=1)  # the last one has read 5 for 1
    found = oe.agree(oe.Ratings.from_array(marks, raters=["ann", "bob", "cy", "dora"]))
    # with equal shares of 1 to 5, the quadratic weighted kappa of x and 6 - x is -1
    said = "dora marks against the others (agreement -1.00): is the scale reversed?"
    assert f"1 of 4 raters stands apart: {said}" in found.lead
    assert found.raters["dora"].verdicts == ("against the others",)
    assert "Without dora, Krippendorff's alpha is 1.000." in found.lead
