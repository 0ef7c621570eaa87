"""The charts of differences, worked out by hand."""

import pytest

import ordeval as oe
from ordeval.report.difference_figures import (
    bar_columns,
    critical_difference_figure,
    differences_figure,
    from_constant,
    joined_runs,
)
from tests.report import comparisons
from tests.report.test_figures import RIGHT, data_of, two_against_one


def rows(chart):
    return {row["name"]: (row["value"], row["group"]) for row in chart.data.values}


UNDECIDED = "not significantly different"


def test_differences_are_to_the_best_system_unless_another_is_named():
    # accuracy 1, 0.75 and 0.5; with two test cases nothing is significant
    comparison = comparisons.by_right_answers(RIGHT, 4)
    assert rows(oe.plot.differences(comparison)) == {
        "b": (-0.25, UNDECIDED),
        "c": (-0.5, UNDECIDED),
    }
    assert rows(oe.plot.differences(comparison, "b")) == {
        "a": (0.25, UNDECIDED),
        "c": (-0.25, UNDECIDED),
    }


def test_differences_by_another_measure_are_to_the_best_by_that_measure():
    # A errs twice by 3 classes (error 6/8), B three times by 1 (3/8): B is the best by error, A by accuracy.
    gold = [1, 1, 1, 1, 4, 4, 4, 4]
    runs = oe.Runs.from_labels(
        gold, {"A": [4, 1, 1, 1, 1, 4, 4, 4], "B": [2, 2, 1, 1, 3, 4, 4, 4]}, labels=[1, 2, 3, 4]
    )
    comparison = oe.compare(runs, metrics=["accuracy", "mae"], primary="accuracy")
    assert rows(oe.plot.differences(comparison)) == {"B": (-0.125, UNDECIDED)}
    assert rows(oe.plot.differences(comparison, metric="mae")) == {"A": (0.375, UNDECIDED)}


def test_differences_to_the_constant_answer_are_drawn_for_every_system():
    # Half of the items are of each class, so always 1 is right on half of them.
    chart = oe.plot.differences(comparisons.by_right_answers(RIGHT, 4), "constant")
    assert {name: value for name, (value, _) in rows(chart).items()} == {
        "a": 0.5,
        "b": 0.25,
        "c": 0,
    }
    assert chart.to_dict(validate=False)["title"] == "Differences in accuracy to always 1"


def test_a_system_named_constant_is_that_system():
    comparison = comparisons.by_right_answers({"constant": (4, 4), "b": (2, 2)}, 4)
    assert rows(oe.plot.differences(comparison, "constant")) == {"b": (-0.5, UNDECIDED)}


def test_significant_differences_have_a_colour_and_a_shape_of_their_own():
    # a and b beat c on each of 8 cases (p = 4/256), and tie with each other.
    chart = oe.plot.differences(two_against_one(8), "c")
    better = "significantly better"
    assert rows(chart) == {"a": (0.5, better), "b": (0.5, better)}
    chart = oe.plot.differences(two_against_one(8), "a")
    assert rows(chart) == {"b": (0, UNDECIDED), "c": (-0.5, "significantly worse")}
    (points,) = [
        layer
        for layer in chart.to_dict(validate=False)["layer"]
        if layer["mark"]["type"] == "point"
    ]
    shape = points["encoding"]["shape"]["scale"]
    assert dict(zip(shape["domain"], shape["range"], strict=True)) == {
        "significantly worse": "triangle-down",
        UNDECIDED: "circle",
    }


@pytest.mark.parametrize("baseline", ["a", "c"])
def test_an_interval_turns_round_with_its_difference(baseline):
    comparison = two_against_one(8)
    pair = comparison.pairs[1]  # a minus c
    other = {"a": "c", "c": "a"}[baseline]
    (row,) = [
        row for row in oe.plot.differences(comparison, baseline).data.values if row["name"] == other
    ]
    ends = (pair.low, pair.high) if baseline == "c" else (-pair.high, -pair.low)
    assert (row["low"], row["high"]) == tuple(round(end, 6) for end in ends)


def test_the_table_of_differences_has_their_p_values():
    assert [row[-2:] for row in data_of(differences_figure(two_against_one(8)))] == [
        ["1.0000", UNDECIDED],
        ["0.0156", "significantly worse"],
    ]


@pytest.mark.parametrize("baseline", [None, "constant"])
def test_a_difference_without_a_value_is_not_tested_and_has_no_part_in_the_legend(baseline):
    # Gold has one class: tau-b has no value for any system.
    comparison = oe.compare(
        [1] * 6,
        {"a": [1] * 6, "b": [0, 1] * 3},
        labels=[0, 1],
        metrics=["kendall_tau_b"],
        primary="kendall_tau_b",
    )
    figure = differences_figure(comparison, baseline)
    assert {row[-1] for row in data_of(figure)} == {"not tested"}
    assert (
        f"0 not significantly different. {len(figure.data.rows)} could not be tested"
        in figure.description
    )
    chart = oe.plot.differences(comparison, baseline)
    assert "image/svg+xml" in chart._repr_mimebundle_()
    assert "not significantly different" not in chart._repr_mimebundle_()["image/svg+xml"]


@pytest.mark.parametrize(
    ("options", "second"),
    [
        ({}, ["95% interval; significance corrected for all pairs"]),
        ({"level": None}, ["significance corrected for all pairs"]),
        ({"level": 0.9, "correction": "none"}, ["90% interval"]),
        ({"level": None, "correction": "none"}, []),
    ],
)
def test_the_axis_of_differences_says_what_is_corrected(options, second):
    chart = oe.plot.differences(comparisons.by_right_answers(RIGHT, 4, **options))
    titles = [
        layer["encoding"]["x"]["axis"]["title"]
        for layer in chart.to_dict(validate=False)["layer"]
        if "axis" in layer["encoding"]["x"]
    ]
    assert titles[0] == ["difference in accuracy (higher is better)", *second]


@pytest.mark.parametrize("seed", range(4))
def test_systems_that_are_not_significantly_better_than_the_constant_are_those_of_the_verdict(seed):
    comparison = comparisons.made(systems=12, items=40, k=4, seed=seed)
    rows = from_constant(comparison, comparison.primary)
    not_better = {row.system for row in rows if row.outcome != "significantly better"}
    assert not_better == set(comparison.baseline.not_beaten_by)


def test_p_to_a_system_is_corrected_and_p_to_the_constant_is_not():
    comparison = two_against_one(8)
    for baseline, heading in (("c", "p adjusted"), ("constant", "p")):
        columns = differences_figure(comparison, baseline).data.columns
        assert [column.name for column in columns][-2] == heading


# --- bars that join systems ---


@pytest.mark.parametrize("seed", range(4))
def test_bars_are_the_longest_runs_in_which_no_pair_is_significant(seed):
    comparison = comparisons.made(systems=8, items=120, seed=seed)
    order, n = comparison.order, 8

    def alike(first, last):
        places = range(first, last + 1)
        return not any(comparison.better[order[a], order[b]] for a in places for b in places)

    expected = [
        (first, last)
        for first in range(n)
        for last in range(first + 1, n)
        if alike(first, last)
        and not (first > 0 and alike(first - 1, last))
        and not (last < n - 1 and alike(first, last + 1))
    ]
    assert len(expected) > 1
    assert joined_runs(comparison, n) == expected


def test_a_bar_joins_neighbours_among_which_nothing_is_significant():
    comparison = two_against_one(8)
    assert joined_runs(comparison, 3) == [(0, 1)]  # a and b; c is behind both
    assert joined_runs(two_against_one(6), 3) == [(0, 2)]  # p = 0.0625: nothing is significant
    chart = oe.plot.critical_difference(comparison)
    data = chart.to_dict(validate=False)["datasets"].values()
    (bars,) = [rows for rows in data if "place" in rows[0]]
    assert [(bar["first"], bar["last"]) for bar in bars] == [("a", "b")]


def test_no_bar_lies_within_another_and_systems_without_a_score_have_none():
    assert joined_runs(comparisons.undefined(), 2) == []


def test_the_table_of_bars_names_the_ranks_that_each_joins():
    # a and b are joined, and c is behind both
    figure = critical_difference_figure(two_against_one(8))
    assert [row[-1] for row in data_of(figure)] == ["1-2", "1-2", ""]
    bars = [
        data
        for data in (layer.get("data") for layer in figure.spec["layer"])
        if "place" in str(data)
    ]
    assert "No significant difference among ranks 1 to 2" in str(bars)


def test_bars_that_share_a_system_stand_side_by_side():
    assert bar_columns([(0, 2), (2, 4)]) == [0, 1]


def test_a_difference_to_the_constant_is_significant_up_to_the_level_that_was_asked_for():
    # The same p is significant at 0.1 and not at 0.01, and a higher level has a wider interval.
    found = {}
    for level in (0.9, 0.99):
        comparison = comparisons.made(systems=12, items=40, k=4, level=level)
        rows = list(from_constant(comparison, comparison.primary))
        assert [row.outcome != UNDECIDED for row in rows] == [row.p <= 1 - level for row in rows]
        found[level] = rows
    assert any(0.01 < row.p < 0.1 for row in found[0.9])
    for narrow, wide in zip(found[0.9], found[0.99], strict=True):
        assert narrow.p == wide.p
        assert wide.ends[0] < narrow.ends[0] < narrow.value < narrow.ends[1] < wide.ends[1]


def test_bars_that_do_not_meet_share_a_column():
    assert bar_columns([(0, 2), (1, 3), (3, 5), (4, 6)]) == [0, 1, 0, 1]


def test_a_limit_is_named_in_the_title():
    chart = oe.plot.critical_difference(two_against_one(8), limit=2)
    assert (
        chart.to_dict(validate=False)["title"]
        == "Systems that are not significantly different, the first 2 of 3"
    )


def test_a_system_without_a_score_is_not_said_to_be_no_different():
    comparison = comparisons.undefined()  # 'constant' has no score by kendall_tau_b
    figure = differences_figure(comparison)
    assert [row[-1].value for row in figure.data.rows] == ["not tested"]
    assert "0 not significantly different. 1 could not be tested." in figure.description


def test_the_axis_of_differences_names_no_system_because_a_long_name_would_cut_it():
    named = comparisons.made(systems=2, items=60, names=["x" * 60, "y" * 60])
    axis = str(differences_figure(named).spec["layer"][0]["encoding"]["x"])
    assert "difference in cem_ord (higher is better)" in axis
    assert "xxx" not in axis
