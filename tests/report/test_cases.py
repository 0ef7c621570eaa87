"""The test cases one by one: which are hard, who is best on them, and where the order of systems is reversed."""

import pytest

import ordeval as oe
from ordeval.report.cases import case_scores
from tests.report import comparisons
from tests.report.pages import page_of, section, table, text_of

HARDEST, REVERSED = (
    "The hardest cases",
    "Cases on which the ranking differs most from the ranking overall",
)
DASH = "\N{EN DASH}"
# Right answers of 4, so that accuracy is, by case and overall:
#     A   4/4  4/4  1/4    9/12 = 0.750
#     B   2/4  2/4  3/4    7/12 = 0.583
#     C   1/4  0/4  1/4    2/12 = 0.167
# mean  7/12 6/12 5/12
RIGHT = {"C": (1, 0, 1), "A": (4, 4, 1), "B": (2, 2, 3)}


@pytest.mark.parametrize(
    ("metric", "scores"),
    [
        ("accuracy", {"c3": ("0.417", "0.750"), "c2": ("0.500", "1.000"), "c1": ("0.583", "1.000")}),
        ("mae", {"c3": ("0.583", "0.250"), "c2": ("0.500", "0.000"), "c1": ("0.417", "0.000")}),
    ],
)  # fmt: skip
def test_the_hardest_cases_come_first_with_their_mean_and_their_best_system(metric, scores):
    page = page_of(comparisons.by_right_answers(RIGHT, 4, metrics=[metric], primary=metric))
    assert table(page, HARDEST)[1:] == [
        ["c3", "4", scores["c3"][0], "B", scores["c3"][1]],
        ["c2", "4", scores["c2"][0], "A", scores["c2"][1]],
        ["c1", "4", scores["c1"][0], "A", scores["c1"][1]],
    ]


@pytest.mark.parametrize("metric", ["accuracy", "mae"])
def test_a_reversal_names_the_systems_and_both_leads(metric):
    # On c3 B is 2/4 ahead of A and overall 2/12 behind. Of the three pairs A-B is reversed, B-C as overall, and A-C
    # tied on the case: tau-b is (1 - 1) / sqrt(3 * 2) = 0. On c1 and c2 the order is that overall.
    page = page_of(comparisons.by_right_answers(RIGHT, 4, metrics=[metric], primary=metric))
    assert table(page, REVERSED)[1:] == [
        ["c3", "0.00", "B is 0.500 ahead of A here, 0.167 behind overall"]
    ]


def test_of_several_reversals_the_one_whose_smaller_lead_is_largest_is_told():
    # Overall a 17/24, b 15/24, c 10/24 (right of 8 on 3 cases). On c3 b leads a by 3/8 and c leads a by 2/8.
    # a-b: leads 2/24 and 3/8, the smaller 2/24; a-c: leads 7/24 and 2/8, the smaller 6/24: it is told.
    right = {"a": (8, 7, 2), "b": (5, 5, 5), "c": (3, 3, 4)}
    page = page_of(comparisons.by_right_answers(right, 8))
    assert table(page, REVERSED)[1] == [
        "c3", "-0.33", "c is 0.250 ahead of a here, 0.292 behind overall",
    ]  # fmt: skip


def test_cases_with_ties_do_not_hide_a_case_with_a_reversal():
    # On c1 to c8 s1 is ahead and the others tie: tau-b is 5 / sqrt(15 * 5) = 0.58, and nothing is reversed.
    # On c9 s2 and s3 change places: tau-b is (14 - 1) / 15 = 0.87. c10 is in order, with s2 ahead of s3 by 4/20.
    # Overall s2 is ahead by (4/20 - 1/20) / 10 = 0.015.
    last = [(20, 20), (9, 16), (10, 12), (8, 8), (4, 4), (0, 0)]
    right = {f"s{n}": (*[4 if n == 1 else 2] * 8, *two) for n, two in enumerate(last, 1)}
    page = page_of(comparisons.by_right_answers(right, 20, level=None))
    assert table(page, REVERSED)[1:] == [
        ["c9", "0.87", "s3 is 0.050 ahead of s2 here, 0.015 behind overall"]
    ]


def test_the_case_with_the_least_agreement_comes_first():
    # Overall a > b > c. c2 swaps b and c: tau-b is (2 - 1) / 3; c3 is the reverse: tau-b is -1.
    right = {"a": (8, 8, 2), "b": (4, 2, 3), "c": (0, 3, 4)}
    page = page_of(comparisons.by_right_answers(right, 8))
    assert [row[:2] for row in table(page, REVERSED)[1:]] == [["c3", "-1.00"], ["c2", "0.33"]]


def test_at_most_eight_cases_are_listed_in_each_table():
    # Odd cases go to a by 3/4, even ones to b by 1/4.
    right = {"a": (4, 2) * 10, "b": (1, 3) * 10}
    page = page_of(comparisons.by_right_answers(right, 4, level=None))
    assert len(table(page, HARDEST)) == len(table(page, REVERSED)) == 1 + 8


def test_where_no_order_is_reversed_the_page_says_so():
    page = section(page_of(comparisons.by_right_answers({"a": (4, 3), "b": (2, 3)}, 4)), "cases")
    assert "On no test case is the order of two systems the reverse" in text_of(page)


def test_of_systems_that_tie_on_a_case_but_for_rounding_the_better_overall_is_its_best():
    # On 'tied' both have a half of the weight right, but the sum of 'a' is rounded up; on 'other' b is better.
    runs = oe.Runs.from_labels(
        [2] * 8, {"a": [2, 2, 2, 1, 1, 1, 1, 1], "b": [1, 1, 1, 2, 2, 2, 2, 2]}, labels=[1, 2],
        case=["tied"] * 4 + ["other"] * 4, sample_weight=[0.1, 0.2, 0.3, 0.6, 1, 1, 1, 1],
    )  # fmt: skip
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)
    by_case = comparison.scores.case_values[0][:, comparison.scores.cases.index("tied")]
    assert by_case[0] > by_case[1]
    best = {row[0]: row[3] for row in table(page_of(comparison), HARDEST)}
    assert best["tied"] == "b"
    assert not case_scores(comparison).reversals


def test_a_case_on_which_no_score_is_defined_is_last_and_has_dashes():
    gold = [1, 2, 3] * 3
    flat = {"a": [1, 2, 3, 2, 2, 2, 1, 3, 2], "b": [1, 3, 2, 1, 1, 1, 1, 2, 3]}
    runs = oe.Runs.from_labels(gold, flat, case=["x"] * 3 + ["flat"] * 3 + ["y"] * 3)
    comparison = oe.compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b", level=None)
    assert table(page_of(comparison), HARDEST)[-1] == ["flat", "3", DASH, DASH, DASH]


def test_runs_without_test_cases_have_no_scores_by_case():
    assert case_scores(comparisons.one_system()) is None
    assert '<section id="cases"' not in page_of(comparisons.one_system())


def test_one_test_case_has_no_section_and_a_single_system_a_point_for_each_case():
    one_case = comparisons.by_right_answers({"a": (4,), "b": (2,)}, 4)
    assert '<section id="cases"' not in page_of(one_case)
    # 1/4, 4/4 and 2/4 right: c1 is the hardest, and the mean is 7/12.
    alone = comparisons.by_right_answers({"a": (1, 4, 2)}, 4, level=None)
    page = page_of(alone)
    assert table(page, "accuracy by test case")[1:] == [
        ["c1", "0.250"],
        ["c3", "0.500"],
        ["c2", "1.000"],
    ]
    assert table(page, HARDEST)[0] == ["Case", "Items", "Score"]
    assert REVERSED not in page
    data = oe.plot.cases(alone).to_dict(validate=False)["datasets"].values()
    (mean,) = [
        row["value"] for rows in data for row in rows if row.get("note") == "mean of all cases"
    ]
    assert mean == pytest.approx(7 / 12, abs=1e-6)
