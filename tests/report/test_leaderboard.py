"""The leaderboard of the page, and the table that it offers for download."""

import csv
import io
import json
import re

import pytest

import ordeval as oe
from ordeval.report.leaderboard import breakable_parts
from tests.report import comparisons
from tests.report.pages import page_of, section, table, text_of


def board(page):
    """The header and the rows of the leaderboard as text, without the row of the constant answer."""
    html = re.search(r'<table id="board">.*?</tbody>', page, re.DOTALL)[0]
    rows = re.findall(r"<tr(?! class=\"constant\").*?</tr>", html, re.DOTALL)
    return [[text_of(c) for c in re.findall(r"<t[hd].*?</t[hd]>", r, re.DOTALL)] for r in rows]


def download(page):
    """The header and the rows of the table for download."""
    data = re.search(r'id="board-csv">(.*?)</script>', page, re.DOTALL)[1]
    return list(csv.reader(io.StringIO(json.loads(data))))


def test_systems_that_tie_but_for_rounding_both_get_the_star():
    # Both have 1/10, 2/10 and 3/10 of the cases' answers right, but 0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1 as computers add.
    comparison = comparisons.by_right_answers({"up": (1, 2, 3), "down": (3, 2, 1)}, 10, level=None)
    assert comparison.scores.values[0, 0] > comparison.scores.values[0, 1]
    _, *rows = board(page_of(comparison))
    assert [row[2] for row in rows] == ["★best: 0.200", "★best: 0.200"]


def test_the_only_system_gets_no_star():
    assert "★best" not in page_of(comparisons.one_system())


def test_the_row_of_a_system_has_its_ranks_and_its_scores_with_the_primary_first():
    # Accuracy 6/8 and 4/8; on two classes with the values 1 and 2 the error is what accuracy lacks to 1.
    comparison = comparisons.by_right_answers(
        {"b": (2, 2), "a": (4, 2)}, 4, metrics=["mae", "accuracy"], level=None
    )
    higher, lower = "accuracy ↑, higher is better", "mae ↓, lower is better"
    assert board(page_of(comparison)) == [
        ["Rank", "System", higher, "Minus the best", lower],
        ["1 1-2", "a", "★best: 0.750", "", "★best: 0.250"],
        ["2 1-2", "b", "0.500", "-0.250", "0.500"],
    ]


def test_tiers_have_a_column_if_there_are_several_and_a_significant_difference_to_the_best_is_marked():
    # On every one of 8 cases a is 4/8 or 6/8 ahead of b (see test_sentences).
    comparison = comparisons.by_right_answers({"b": (3, 1) * 4, "a": (7, 7) * 4}, 8, level=None)
    assert board(page_of(comparison)) == [
        ["Rank", "Tier", "System", "accuracy ↑, higher is better", "Minus the best"],
        ["1 1", "1", "a", "★best: 0.875", ""],
        ["2 2", "2", "b", "0.250", "-0.625●, significant"],
    ]


def constant_row(page):
    """The cells of the constant answer, and the names of the systems above it."""
    html = re.search(r'<table id="board">.*?</tbody>', page, re.DOTALL)[0]
    above, row = re.search(r'(.*)<tr class="constant"(.*?)</tr>', html, re.DOTALL).groups()
    cells = [text_of(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
    return cells, re.findall(r'class="t\d" data-name="(\w+)"', above)


def test_the_best_constant_answer_has_a_row_at_its_place_among_the_systems():
    # Of 10 items 6 are of class 1: always answering 1 is right 6 times, and 4 times one class off.
    gold = [1] * 6 + [2] * 4
    systems = {"other": gold[::-1], "right": gold, "same": [1] * 10}
    options = {"metrics": ["accuracy", "mae"], "level": None}
    page = page_of(oe.compare(gold, systems, primary="accuracy", **options))
    assert constant_row(page) == (["", "always 1", "0.600", "", "0.400"], ["right", "same"])
    page = page_of(oe.compare(gold, systems, primary="mae", **options))
    assert constant_row(page) == (["", "always 1", "0.400", "", "0.600"], ["right", "same"])


def test_a_constant_answer_without_a_score_has_the_last_row():
    cells, above = constant_row(page_of(comparisons.undefined()))
    assert {"always 1", "\N{EN DASH}"} <= set(cells)
    assert above == ["varied", "constant"]


def scores_of_one(comparison):
    """The table of the scores of a single system."""
    return table(page_of(comparison), "Scores by every measure")


def test_a_single_system_has_a_row_for_each_measure_beside_the_constant_answer():
    # 6 of 8 answers are right; with two classes of 4 items each a constant is right on 4.
    comparison = comparisons.by_right_answers(
        {"a": (4, 2)}, 4, metrics=["mae", "accuracy"], level=None
    )
    header, *rows = scores_of_one(comparison)
    assert header == ["Measure", "Score", "Always 1", "What it measures"]
    assert [row[:3] for row in rows] == [
        ["accuracy ↑, higher is better", "0.750", "0.500"],
        ["mae ↓, lower is better", "0.250", "0.500"],
    ]


def test_an_interval_that_rests_on_a_rare_class_is_marked_and_explained():
    # Class 3 has two gold items. Accuracy does not treat classes alike, so its interval is not doubted.
    gold = [1] * 20 + [2] * 20 + [3] * 2
    runs = oe.Runs.from_labels(gold, {"s": [*gold[1:], 3]})
    page = page_of(oe.compare(runs, metrics=["accuracy", "macro_f1"], primary="accuracy"))
    accuracy, macro_f1 = table(page, "Scores by every measure")[1:]
    assert not accuracy[2].endswith("†")
    assert macro_f1[2].endswith("†")
    assert (
        "† macro_f1 rests on the rare class 3 (2 items), so its interval may be too narrow."
        in text_of(section(page, "leaderboard"))
    )


def test_the_interval_of_a_score_stands_in_brackets():
    comparison = comparisons.by_right_answers({"a": (4, 2), "b": (2, 2)}, 4)
    score = comparison.leaderboard[0].scores["accuracy"]
    _, first, second = board(page_of(comparison))
    assert first[2] == f"★best: 0.750[{score.low:.3f}, {score.high:.3f}]"
    score = comparison.leaderboard[1].scores["accuracy"]
    assert second[2] == f"0.500[{score.low:.3f}, {score.high:.3f}]"


def test_the_download_holds_the_raw_scores_with_the_ends_of_their_intervals():
    comparison = comparisons.by_right_answers({"a": (2, 1), "b": (1, 1)}, 3)
    header, first, second = download(page_of(comparison))
    ranks = ["rank", "rank_low", "rank_high", "tier", "system", "items", "answered"]
    assert header == [*ranks, "accuracy", "accuracy_low", "accuracy_high"]
    score = comparison.leaderboard[0].scores["accuracy"]
    assert first == ["1", "1", "2", "1", "a", "6", "6", "0.5", repr(score.low), repr(score.high)]
    assert second[:5] == ["2", "1", "2", "1", "b"]
    assert float(second[7]) == 1 / 3


def test_the_download_has_no_ends_where_no_interval_was_asked_for_and_no_text_for_undefined_scores():
    runs = oe.Runs.from_labels([1, 2, 3, 1], {"flat": [2] * 4, "right": [1, 2, 3, 1]})
    metrics = ["accuracy", "kendall_tau_b"]
    page = page_of(oe.compare(runs, metrics=metrics, primary="accuracy", level=None))
    header, _, flat = download(page)
    assert header == [
        "rank",
        "rank_low",
        "rank_high",
        "tier",
        "system",
        "items",
        "answered",
        "accuracy",
        "kendall_tau_b",
    ]
    assert flat == ["2", "1", "2", "1", "flat", "4", "4", "0.25", ""]


def test_the_share_of_answered_items_is_shown_where_one_is_missing_and_is_rounded_down():
    # Of 6 items 'half' answers 3 and 'most' 5: 83.33% and 50%.
    gold = [1, 2, 1, 2, 1, 2]
    systems = {"half": [1, 2, 1, None, None, None], "most": [1, 2, 1, 2, 1, None]}
    runs = oe.Runs.from_labels(gold, systems, missing="zero")
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)
    header, *rows = board(page_of(comparison))
    assert header[4] == "Answered"
    assert [(row[1], row[4]) for row in rows] == [("most", "83.3%"), ("half", "50.0%")]
    header, *_ = board(page_of(comparisons.made(systems=2, items=40, level=None)))
    assert "Answered" not in header


def test_the_download_has_the_number_of_answers_too():
    # Of every six items a answers five and b four.
    header, *rows = download(page_of(comparisons.unanswered()))
    assert header[4:7] == ["system", "items", "answered"]
    assert [(row[4], int(row[6]) / int(row[5])) for row in rows] == [("a", 5 / 6), ("b", 4 / 6)]


def test_an_undefined_score_is_a_dash_that_sorts_last_and_says_why():
    page = page_of(comparisons.undefined())
    reason = "kendall_tau_b: undefined when gold or the predictions are all of one class"
    assert f'data-value="" title="{reason}">\N{EN DASH}</td>' in page


def gaps(constant, varied):
    """The reasons for missing values with so many constant systems, for which Kendall's tau is undefined."""
    gold = [1, 2, 3, 2, 1, 3]
    systems = {f"c{n}": [2] * 6 for n in range(constant)} | dict.fromkeys(varied, gold)
    runs = oe.Runs.from_labels(gold, systems)
    comparison = oe.compare(runs, metrics=["accuracy", "kendall_tau_b"], primary="accuracy", level=None)  # fmt: skip
    return re.findall(
        r"<li><bdi>(kendall.*?)</bdi></li>", section(page_of(comparison), "leaderboard")
    )


def test_a_reason_for_missing_values_names_the_systems_that_it_concerns():
    reason = "kendall_tau_b: undefined when gold or the predictions are all of one class"
    assert gaps(1, "v") == [f"{reason} (c0)."]
    assert gaps(2, "v") == [f"{reason} (c0 and c1)."]
    assert gaps(3, "v") == [f"{reason} (c0, c1 and c2)."]
    assert gaps(5, "v") == [f"{reason} (c0, c1, c2 and 2 more)."]
    assert gaps(2, "") == [f"{reason} (all systems)."]


def test_a_measure_is_named_with_the_values_of_its_settings_and_may_break_after_underscores():
    metrics = ["accuracy", "weighted_kappa(weights='quadratic')", "kendall_tau_b", "macro_f1"]
    comparison = comparisons.by_right_answers({"a": (3, 2), "b": (2, 2)}, 4, metrics=metrics)
    page = page_of(comparison)
    assert "weighted_<wbr>kappa (quadratic)<wbr>" in page
    assert "kendall_<wbr>tau_b<wbr>" in page
    assert ">macro_f1<wbr>" in page  # two letters do not get a line of their own


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("mae", ["mae"]),
        ("macro_mae", ["macro_mae"]),  # three letters do not get a line of their own
        ("mean_rank", ["mean_", "rank"]),
        ("weighted_kappa", ["weighted_", "kappa"]),
    ],
)
def test_a_name_is_broken_only_where_four_letters_or_more_follow(name, parts):
    assert breakable_parts(name) == parts


def test_the_interval_of_a_difference_to_the_best_turns_round_with_it():
    comparison = comparisons.by_right_answers({"a": (4, 3), "b": (2, 2)}, 4)
    (pair,) = comparison.pairs[:1]  # a minus b
    _, _, row = board(page_of(comparison))
    assert row[3] == f"{-pair.difference:.3f}[{-pair.high:.3f}, {-pair.low:.3f}]"


def test_a_heading_sorts_the_best_first_which_may_be_the_highest_or_the_lowest():
    comparison = comparisons.by_right_answers(
        {"a": (3, 2), "b": (2, 2)}, 4, metrics=["accuracy", "mae"], level=None
    )
    headings = re.findall(r'data-down="(\d)" title="[^"]*">(\w+)<wbr>', page_of(comparison))
    assert headings == [("1", "accuracy"), ("0", "mae")]
