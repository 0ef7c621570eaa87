"""The charts of errors, worked out by hand."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.report.chart_input import costs_of_system
from ordeval.report.error_figures import error_profile_of, percentage_points, recall_figure
from tests.report import comparisons
from tests.report.test_figures import cells, data_of

GOLD, ANSWERS = [1, 1, 2, 3], [1, 2, 2, 1]  # right, one too high, right, two too low


def test_a_profile_has_the_share_of_each_error_and_of_what_lies_within_a_class():
    chart = oe.plot.error_profile(oe.evaluate(GOLD, ANSWERS, level=None))
    shown = {row["column"]: (row["value"], row["side"]) for row in chart.data.values}
    assert shown == {
        "-2": (0.25, "too low"),
        "-1": (0, "too low"),
        "right": (0.5, "right"),
        "+1": (0.25, "too high"),
        "+2": (0, "too high"),
        "within 1": (0.75, "right or nearly right"),
    }


def test_an_item_without_an_answer_is_apart_from_the_errors():
    table = oe.Table.from_labels([1, 2, 2, 1], [1, None, 1, 1], labels=[1, 2], missing="zero")
    shown = {row["column"]: row["value"] for row in oe.plot.error_profile(table).data.values}
    assert shown == {"-1": 0.25, "right": 0.5, "+1": 0, "no answer": 0.25, "within 1": 0.75}


def test_errors_of_six_classes_and_more_share_a_bar():
    count = np.zeros((10, 11))
    count[9, 0], count[9, 3], count[9, 9], count[0, 6] = 1, 2, 3, 4  # -9, -6, right, +6
    profile = error_profile_of(count)
    assert profile.errors[0] == "-6 or more"
    assert profile.errors[-1] == "+6 or more"
    assert profile.shares.tolist() == [0.3, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0, 0.4]
    assert profile.cumulative.tolist() == [0.3] * 5  # within 1 to 5 classes: the right ones alone


def test_several_systems_have_a_row_each_with_their_errors_warm():
    comparison = comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)  # two classes
    chart = oe.plot.error_profile(comparison)
    assert cells(chart, "text", "side", "strength") == {
        ("a", "-1"): ("", "heat", 0), ("a", "right"): ("100", "heat", 1), ("a", "+1"): ("", "heat", 0),
        ("a", "within 1"): ("100", "heat", 1),
        ("b", "-1"): ("25", "warm", 0.25), ("b", "right"): ("50", "heat", 0.5), ("b", "+1"): ("25", "warm", 0.25),
        ("b", "within 1"): ("100", "heat", 1),
    }  # fmt: skip


def test_the_systems_of_a_profile_are_those_asked_for_in_that_order():
    comparison = comparisons.made(systems=4, items=60)
    chart = oe.plot.error_profile(comparison, system=["system 2", "system 0"])
    assert list(dict.fromkeys(row["row"] for row in chart.data.values)) == ["system 2", "system 0"]
    one = oe.plot.error_profile(comparison, system="system 2")
    assert one.to_dict(validate=False)["title"] == "How far the answers of system 2 are from gold"
    with pytest.raises(oe.errors.ParameterError, match="it names one system or lists several"):
        oe.plot.error_profile(comparison, system=[])


# --- by class ---


def test_the_bar_of_a_class_is_cut_by_how_far_and_to_which_side_answers_are():
    # Gold 3 of 4 classes, 10 items: one 1, two 2, four 3, two 4 and one without an answer.
    table = oe.Table.from_labels(
        [3] * 10 + [1], [1, 2, 2, 3, 3, 3, 3, 4, 4, None, 1], labels=[1, 2, 3, 4], missing="zero"
    )
    chart = oe.plot.recall(table)
    parts = {
        row["part"]: (row["from"], row["to"]) for row in chart.data.values if row["name"] == "3"
    }
    assert parts == {
        "2 or more too low": (0, 0.1),
        "1 too low": (0.1, 0.3),
        "right": (0.3, 0.7),
        "1 too high": (0.7, 0.9),
        "no answer": (0.9, 1),
    }
    # mean error of the nine answers: (-2 - 1 - 1 + 1 + 1) / 9 = -0.222
    rows = {row[0]: row[1:] for row in data_of(recall_figure(*costs_of_system(table, None)))}
    assert rows["3"] == ["10", "10.0%", "20.0%", "40.0%", "20.0%", "0.0%", "10.0%", "-0.222"]


# --- two systems ---


def test_the_difference_of_two_systems_has_items_and_percentage_points():
    # Gold 1: a has 4 of 4 right, b 2; gold 2 likewise.
    comparison = comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)
    shown = cells(
        oe.plot.confusion_difference(comparison, "a", "b"), "text", "more", "strength", "side"
    )
    assert shown == {
        ("1", "1"): ("+2", "+50 pp", 1, "heat"),
        ("1", "2"): ("-2", "-50 pp", 1, "warm"),
        ("2", "1"): ("-2", "-50 pp", 1, "warm"),
        ("2", "2"): ("+2", "+50 pp", 1, "heat"),
    }
    tips = cells(oe.plot.confusion_difference(comparison, "a", "b"), "tip")
    assert tips["1", "2"] == "gold 1, answer 2: a 0 (0%), b 2 (50%)"


def test_samples_of_different_size_differ_in_percentage_points_alone():
    chart = oe.plot.confusion_difference(comparisons.independent(), "monday", "tuesday")
    # Gold 3 is taken for 2 on half of Monday's items and for 1 on half of Tuesday's.
    shown = cells(chart, "text")
    assert (shown["3", "1"], shown["3", "2"], shown["3", "3"]) == ("-50 pp", "+50 pp", "")


def test_weights_in_the_cells_of_a_difference_are_short():
    # a gives weight 1/3 to gold 0 as 1 and 2/3 as 0, b the other way round
    comparison = oe.compare(
        [0, 0, 1],
        {"a": [1, 0, 1], "b": [0, 1, 1]},
        labels=[0, 1],
        sample_weight=[1 / 3, 2 / 3, 2],
    )
    shown = cells(oe.plot.confusion_difference(comparison, "a", "b"), "text")
    assert (shown["0", "0"], shown["0", "1"]) == ("+0.333", "-0.333")


def test_a_difference_of_one_percentage_point_is_written_and_one_of_a_fifth_is_not():
    assert [percentage_points(x) for x in (0.01, -0.006, 0.002, 0.0)] == ["+1 pp", "-1 pp", "", ""]


def test_the_description_of_a_difference_says_how_many_more_answers_of_the_first_are_right():
    comparison = comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)  # 50% and 100%
    said = oe.plot.confusion_difference(comparison, "a", "b").to_dict(validate=False)["description"]
    assert said.endswith("Right answers in all: +50 pp.")


def test_a_class_without_items_does_not_have_the_fewest_right_answers():
    table = oe.Table.from_labels([1, 1, 3, 3], [1, 1, 3, 1], labels=[1, 2, 3])
    said = oe.plot.recall(table).to_dict(validate=False)["description"]
    assert said.endswith("Class 3 has the fewest right answers: 50%.")


def test_the_profile_of_a_single_class_is_right_and_has_no_neighbours():
    profile = error_profile_of(np.array([[3.0, 1.0]]))  # 3 right, 1 not answered
    assert profile.errors == ("right",)
    assert profile.shares.tolist() == [0.75]
    assert (profile.within, profile.unanswered) == ((), 0.25)
    assert profile.cumulative.tolist() == []
