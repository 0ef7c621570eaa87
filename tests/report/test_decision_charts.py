"""The charts of decisions: the map of three classes, and what rules gain."""

from dataclasses import replace

import numpy as np
import pytest

import ordeval as oe
from ordeval.decide.recalibrate import Recalibration
from ordeval.report import plot
from tests.report.test_figures import layers_with


def model(n=400, k=3):
    rng = np.random.default_rng(5)
    rows = rng.dirichlet(np.arange(k, 0, -1) / 1.5, n)
    return rows, (rows.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)


def fitted(metric="mae", **options):
    rows, gold = model()
    gold = np.array(options["labels"])[gold] if "labels" in options else gold
    return oe.decide.fit(rows, gold, metric=metric, **options)


def figure_of(monkeypatch, draw, *args, **options):
    made = []
    for topic in plot.TOPICS:
        monkeypatch.setattr(topic, "finished", lambda figure, _: made.append(figure))
    draw(*args, **options)
    return made[0]


def test_the_map_has_the_lowest_class_at_the_left_and_the_middle_one_at_the_top():
    notes = layers_with(oe.plot.decision_map(fitted(labels=["no", "some", "much"])), "note")
    places = {row["note"]: (row["x"], row["y"]) for rows in notes[:2] for row in rows}
    assert places == {"no": (0, 0), "much": (1, 0), "some": (0.5, 0.866025)}


def test_the_map_of_the_median_parts_each_side_in_the_middle(monkeypatch):
    # MAE: low from P(low) = 1/2, so at (1/2, 0) on the way to high, and at (1/4, 0.433) on the way to mid
    chart = oe.plot.decision_map(fitted(labels=["low", "mid", "high"]))
    low = {(row["x"], row["y"]) for row in chart.data.values if row["group"] == "low"}
    assert low == {(0, 0), (0.5, 0), (0.25, 0.433013)}
    tips = {row["tip"] for row in chart.data.values}
    assert tips == {
        "low: 25% of the triangle",
        "mid: 50% of the triangle",
        "high: 25% of the triangle",
    }
    sheet = figure_of(monkeypatch, oe.plot.decision_map, fitted(labels=["low", "mid", "high"])).data
    assert [column.name for column in sheet.columns] == ["answer", "P(low)", "P(mid)", "P(high)"]
    for row in sheet.rows:
        assert sum(cell.value for cell in row[1:]) == pytest.approx(1)


def test_the_dashed_lines_are_where_the_most_probable_class_changes():
    chart = oe.plot.decision_map(fitted("qwk"))
    spec = chart.to_dict()
    (dashed,) = [layer for layer in spec["layer"] if layer["mark"].get("strokeDash")]
    rows = spec["datasets"][dashed["data"]["name"]]
    starts = {(row["x"], row["y"]) for row in rows if row["order"] == 0}
    assert starts == {(0.5, 0.288675)}  # where all three classes have 1/3


def test_a_region_without_answers_is_named_once():
    chart = oe.plot.decision_map(fitted("accuracy", abstain=0.3))
    assert "no answer" in {row["group"] for row in chart.data.values}
    named = [row["note"] for rows in layers_with(chart, "note")[2:] for row in rows]
    assert named.count("no answer") == 1


def test_a_map_of_other_numbers_of_classes_says_what_else_there_is():
    rows, _ = model(k=5)
    five = oe.decide.fit(rows, metric="mae")
    with pytest.raises(
        oe.errors.ParameterError, match=r"oe\.plot\.gains, or name three .* classes=\[0, 1, 4\]"
    ):
        oe.plot.decision_map(five)
    assert (
        "other classes have the probability 0"
        in oe.plot.decision_map(five, classes=[4, 2, 0]).description
    )
    for classes in ([0, 1], [0, 1, 1], [0, 1, 9]):
        with pytest.raises(oe.errors.ParameterError, match="it names three classes of the scale"):
            oe.plot.decision_map(five, classes=classes)
    two = oe.decide.fit([[0.5, 0.5]], metric="mae")
    with pytest.raises(
        oe.errors.ParameterError, match=r"the scale has 2 classes.*Draw oe\.plot\.gains\."
    ):
        oe.plot.decision_map(two)
    with pytest.raises(oe.errors.LabelTypeError, match="it draws a decision"):
        oe.plot.decision_map([[0.5, 0.5]])


def test_calibration_of_more_classes_has_no_map():
    rows, gold = model(k=4)
    rule = oe.decide.fit(rows, gold, metric="mae", calibrate=True)
    with pytest.raises(oe.errors.ParameterError, match="calibrates more than 3 classes"):
        oe.plot.decision_map(rule, classes=[0, 1, 2])


def test_calibration_that_leaves_nothing_of_the_probabilities_has_no_map():
    rule = replace(fitted(), calibration=Recalibration(0.01, (0.0, 0.0, 0.0)))
    with pytest.raises(oe.errors.ParameterError, match="nothing to do with gold"):
        oe.plot.decision_map(rule)


def test_an_undefined_gain_is_not_drawn():
    # the most probable class is always the first, and a correlation with a constant is undefined
    rows = [[0.6, 0.1, 0.3], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]] * 4
    rule = oe.decide.fit(rows, [0, 1, 2] * 4, metric="kendall_tau_b")
    chart = oe.plot.gains(rule)
    defined = [gain for gain in rule.held_out.gains if not np.isnan(gain.gain)]
    assert [gain.over for gain in defined] == ["mean"]
    assert [row["name"] for row in chart.data.values] == ["rounded mean"]
    assert " 1 comparison: " in chart.description


def test_the_description_counts_gains_and_losses():
    rule = fitted("macro_mae")
    better = [gain.outcome for gain in rule.held_out.gains].count("better")
    said = oe.plot.gains(rule).description
    assert "by 1 rule for 1 measure" in said
    assert f"3 comparisons: {better} significant gain{'' if better == 1 else 's'} and 0" in said


def test_gains_of_one_rule_are_in_the_unit_of_its_measure():
    rule = fitted("macro_mae")
    chart = oe.plot.gains(rule)
    assert [row["name"] for row in chart.data.values] == [
        "most probable class",
        "median",
        "rounded mean",
    ]
    for row, gain in zip(chart.data.values, rule.held_out.gains, strict=True):
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (gain.gain, gain.low, gain.high), abs=1e-6
        )
    assert "in macro_mae" in str(chart.to_dict())


def test_gains_by_different_measures_are_shares_of_what_plain_answers_lack(monkeypatch):
    rules = [fitted("qwk"), fitted("macro_mae")]
    chart = oe.plot.gains(rules)
    # kappa is 1 at best, and an error 0
    lacks = [1 - gain.value for gain in rules[0].held_out.gains]
    lacks += [gain.value for gain in rules[1].held_out.gains]
    gains = [gain.gain for rule in rules for gain in rule.held_out.gains]
    shown = [row["value"] for row in chart.data.values]
    assert shown == pytest.approx(
        [gain / lack for gain, lack in zip(gains, lacks, strict=True)], abs=1e-6
    )
    assert chart.data.values[0]["name"] == "qwk: most probable class"
    sheet = figure_of(monkeypatch, oe.plot.gains, rules).data
    assert [row[4].value for row in sheet.rows] == pytest.approx(gains)
    assert [row[-1].value for row in sheet.rows] == pytest.approx(shown, abs=1e-6)


def test_the_colour_and_the_shape_of_a_gain_say_whether_it_may_be_chance():
    rule = fitted("macro_mae")
    said = {"better": "significant gain", "worse": "significant loss"}
    groups = [row["group"] for row in oe.plot.gains(rule).data.values]
    assert groups == [said.get(gain.outcome, "may be chance") for gain in rule.held_out.gains]
    assert "significant gain" in groups


def test_rules_of_one_measure_keep_its_unit_and_the_names_of_the_caller():
    rule = fitted("qwk")
    chart = oe.plot.gains({"wine": rule, "cars": rule})
    assert [row["name"] for row in chart.data.values][::3] == [
        "wine: most probable class",
        "cars: most probable class",
    ]
    assert chart.data.values[0]["value"] == pytest.approx(rule.held_out.over("mode").gain, abs=1e-6)
    assert [row["name"] for row in oe.plot.gains([rule, rule]).data.values][
        3
    ] == "qwk (2): most probable class"


def test_cut_points_have_gains_too():
    rows, gold = model()
    cuts = oe.decide.cut(rows @ np.arange(3), gold, metric="mae")
    names = [row["name"] for row in oe.plot.gains(cuts).data.values]
    assert names == ["rounded score", "shares of gold"]


def test_what_has_no_gains_is_refused():
    rows, gold = model()
    with pytest.raises(oe.errors.ParameterError, match="its gains are not known"):
        oe.plot.gains(oe.decide.fit(rows, metric="mae"))
    with pytest.raises(oe.errors.LabelTypeError, match="it draws decisions"):
        oe.plot.gains([3])
    with pytest.raises(oe.errors.ParameterError, match="no decision was given"):
        oe.plot.gains([])

    def right(counts):
        return counts.diagonal(axis1=-2, axis2=-1).sum(axis=-1)

    own = oe.decide.fit(rows, gold, metric=right)
    assert oe.plot.gains(own).data.values
    with pytest.raises(oe.errors.ParameterError, match="right has no best value"):
        oe.plot.gains([own, fitted("qwk")])
