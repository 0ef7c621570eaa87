"""The numbers behind the choice of two systems, worked out by hand."""

import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.report import two_systems
from ordeval.report.two_systems import answers_together, pairs_among, rounded, two_systems_data
from tests.report import comparisons

# Of 8 items in 2 cases; gold is 0 0 1 1 in both. By accuracy: a 7/8, c 5/8, b 4/8.
GOLD = [0, 0, 1, 1] * 2
ANSWERS = {
    "a": [0, 0, 1, 1, 0, 0, 1, 0],
    "b": [0, 1, 1, 0, 0, 1, 1, 0],
    "c": [0, 0, 1, 0, 0, 0, 0, 0],
}


def compared(answers=ANSWERS, **options):
    options = {"metrics": ["accuracy", "mae"], "primary": "accuracy", "n_resamples": 99, **options}
    case = options.pop("case", ["x"] * 4 + ["y"] * 4)
    return oe.compare(oe.Runs.from_labels(GOLD, answers, case=case, labels=[0, 1]), **options)


def test_a_single_system_has_no_pairs():
    assert two_systems_data(compared({"a": ANSWERS["a"]})) is None


def test_systems_stand_best_first_with_their_scores_by_every_measure():
    data = two_systems_data(compared())
    assert data["systems"] == ["a", "c", "b"]
    assert data["measures"] == [{"name": "accuracy", "up": True}, {"name": "mae", "up": False}]
    assert data["values"] == [["0.875", "0.625", "0.500"], ["0.125", "0.375", "0.500"]]
    assert (data["classes"], data["nothing"], data["intervals"]) == (["0", "1"], None, True)


def test_differences_are_in_the_order_of_the_pairs_with_their_intervals_and_p_values():
    comparison = compared()
    data = two_systems_data(comparison)
    # a - c, a - b, c - b
    assert data["differences"][0][0] == [0.25, 0.375, 0.125]
    assert data["differences"][1][0] == [-0.25, -0.375, -0.125]
    for pair, low, high, p in zip(comparison.pairs[:3], *data["differences"][0][1:], strict=True):
        assert (low, high) == (round(pair.low, 4), round(pair.high, 4))
        assert p == round(pair.p_adjusted, 4)
        assert low <= pair.difference <= high


def test_answers_are_counted_by_gold_and_answer_with_no_answer_last():
    data = two_systems_data(compared())
    # a: gold 0 all right; gold 1 three right, one as 0. The third of each row is no answer.
    assert data["answers"][0] == [4, 0, 0, 1, 3, 0]
    assert data["answers"][1] == [4, 0, 0, 3, 1, 0]  # c
    unanswered = {**ANSWERS, "b": [None, *ANSWERS["b"][1:]]}
    runs = oe.Runs.from_labels(GOLD, unanswered, labels=[0, 1], missing="zero")
    found = two_systems_data(oe.compare(runs, metrics=["accuracy"], primary="accuracy"))
    assert found["nothing"] == "no answer"
    assert found["answers"][found["systems"].index("b")][2] == 1


def test_scores_by_case_are_those_of_the_primary_measure():
    data = two_systems_data(compared())
    assert data["cases"] == ["x", "y"]
    assert data["by_case"] == [[1, 0.75], [0.75, 0.5], [0.5, 0.5]]  # a, c, b


def test_answers_of_two_systems_to_the_same_items_are_counted_together():
    # Items that are right: a 1-7; b 1 3 5 7; c 1 2 3 5 6.
    # a and c: both 5 of 8, only a 2 (4 and 7), only c none; the same answer to all items but these 2: 6.
    # a and b: both 4, only a 3, only b none, the same 5.
    # c and b: both 3 (1 3 5), only c 2 (2 and 6), only b 1 (7), the same 5 (4 and 8 are wrong alike).
    both, first, second, same = two_systems_data(compared())["together"]
    assert both == [0.625, 0.5, 0.375]
    assert first == [0.25, 0.375, 0.25]
    assert second == [0, 0, 0.125]
    assert same == [0.75, 0.625, 0.625]


def test_items_count_with_their_weights_when_answers_are_counted_together():
    runs = oe.Runs.from_labels(
        [0, 0, 1], {"a": [0, 1, 1], "b": [0, 0, 0]}, labels=[0, 1], sample_weight=[1, 2, 5]
    )
    # of 8: both right 1, only a 5, only b 2, the same answer 1
    found = answers_together(runs, np.array([0, 1]))
    assert [part.tolist() for part in found] == [[0.125], [0.625], [0.25], [0.125]]


def test_an_item_that_both_leave_unanswered_is_right_for_neither():
    runs = oe.Runs.from_labels(
        [0, 1], {"a": [None, 1], "b": [None, 0]}, labels=[0, 1], missing="zero"
    )
    found = answers_together(runs, np.array([0, 1]))
    assert [part.tolist() for part in found] == [[0], [0.5], [0], [0.5]]


def test_samples_that_share_no_items_have_no_answers_together():
    assert two_systems_data(comparisons.independent())["together"] is None


def test_the_pairs_of_the_first_systems_are_found_among_those_of_all():
    # Pairs of 4: 01 02 03 12 13 23; among the first 3 systems: 01 02 12.
    assert pairs_among(4, 3).tolist() == [0, 1, 3]
    assert pairs_among(4, 4).tolist() == [0, 1, 2, 3, 4, 5]
    assert pairs_among(4, 1).tolist() == []


def test_beyond_the_most_systems_the_first_alone_are_there(monkeypatch):
    monkeypatch.setattr(two_systems, "MOST_SYSTEMS", 2)
    data = two_systems_data(compared())
    assert data["systems"] == ["a", "c"]
    assert data["differences"][0][0] == [0.25]  # a - c
    assert data["together"][0] == [0.625]
    assert len(data["answers"]) == len(data["by_case"]) == 2


@pytest.mark.parametrize(("most", "measures"), [(3, ["accuracy", "mae"]), (2, ["accuracy"])])
def test_many_systems_have_differences_by_the_primary_measure_alone(monkeypatch, most, measures):
    monkeypatch.setattr(two_systems, "ALL_MEASURES", most)
    data = two_systems_data(compared())
    assert [measure["name"] for measure in data["measures"]] == measures
    assert len(data["differences"]) == len(data["values"]) == len(measures)


@pytest.mark.parametrize(("most", "cases"), [(6, ["x", "y"]), (5, [])])
def test_too_many_scores_by_case_are_left_out(monkeypatch, most, cases):
    monkeypatch.setattr(two_systems, "MOST_CASE_SCORES", most)  # there are 3 times 2
    data = two_systems_data(compared())
    assert data["cases"] == cases
    assert len(data["by_case"]) == (3 if cases else 0)


@pytest.mark.parametrize(("most", "there"), [(18, True), (17, False)])
def test_too_many_cells_of_answers_are_left_out(monkeypatch, most, there):
    monkeypatch.setattr(
        two_systems, "MOST_CELLS", most
    )  # there are 3 systems, 2 classes and 3 answers
    assert (two_systems_data(compared())["answers"] is not None) == there


def test_the_page_is_told_that_no_intervals_were_asked_for():
    assert two_systems_data(compared(level=None))["intervals"] is False


def test_numbers_are_rounded_for_json_and_what_is_undefined_is_none():
    found = rounded(np.array([[0.123456, -0.00001, math.nan], [2.0, math.inf, -1.5]]))
    assert found == [[0.1235, 0, None], [2, None, -1.5]]
    assert [type(x) for x in found[1]] == [int, type(None), float]
    assert math.copysign(1, found[0][1]) == 1
    assert rounded(np.array([0.1234567]), 6) == [0.123457]


def test_names_are_made_safe_to_show():
    data = two_systems_data(compared({"a\u202e\n": ANSWERS["a"], "b": ANSWERS["b"]}))
    assert "\u202e" not in "".join(data["systems"])
    assert "\n" not in "".join(data["systems"])


# Right answers of 4 on six cases: a is better than b by 1/4 on each case, and than c by 1/2 or 3/4.
RIGHT = {"a": (4, 4, 4, 4, 4, 4), "b": (3, 3, 3, 3, 3, 2), "c": (2, 1, 2, 1, 2, 1)}


def test_only_what_was_corrected_is_called_corrected():
    two = {name: RIGHT[name] for name in "ab"}
    assert not two_systems_data(comparisons.by_right_answers(two, 4))["corrected"]
    assert two_systems_data(comparisons.by_right_answers(RIGHT, 4))["corrected"]
    plain = comparisons.by_right_answers(RIGHT, 4, correction="none")
    assert not two_systems_data(plain)["corrected"]


def test_the_outcomes_are_those_of_the_comparison_with_a_margin_too():
    """b and d differ by 1/40 of all answers: within a margin of 0.2."""
    right = {"a": (40,) * 6, "b": (29, 30, 31) * 2, "d": (30, 29, 30) * 2}
    comparison = comparisons.by_right_answers(right, 40, margin=0.2)
    letters = two_systems_data(comparison)["outcomes"]
    assert [pair.outcome for pair in comparison.pairs] == ["better", "better", "equivalent"]
    assert letters == ["bbe"]


def test_a_difference_that_is_just_not_significant_stays_so_although_p_is_rounded():
    """p = 0.05003 is 0.0500 with four decimals."""
    comparison = comparisons.by_right_answers(RIGHT, 4)
    comparison.pair_values.p_adjusted[0] = [0.04998, 0.05003, 0.00007]
    data = two_systems_data(comparison)
    assert data["outcomes"] == ["bub"]
    assert data["differences"][0][3] == [0.05, 0.05, 0]  # the last is written as <0.0001


def test_scores_are_rounded_once_as_on_the_leaderboard():
    """1730/1900 = 0.91053 is 0.911; rounded to 0.9105 first, a browser makes it 0.910."""
    gold = [1, 2] * 950
    answers = [3 - label if at < 170 else label for at, label in enumerate(gold)]
    runs = oe.Runs.from_labels(gold, {"all": gold, "most": answers})
    data = two_systems_data(oe.compare(runs, metrics=["accuracy"], primary="accuracy"))
    assert data["values"] == [["1.000", "0.911"]]
