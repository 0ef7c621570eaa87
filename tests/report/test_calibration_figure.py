"""The chart of calibration, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import ordeval as oe
from ordeval.report import page
from ordeval.report.calibration_figure import reliability, wilson_interval
from tests.metrics.test_calibration_error import by_definition, cut_into_bins
from tests.report.pages import page_of
from tests.report.test_figures import layers_with


def test_wilsons_interval_of_one_of_two_and_of_none_of_ten():
    # One of two: 0.5 -+ 1.96 sqrt(0.25/2 + 3.8415/16) / (1 + 3.8415/2) = 0.5 -+ 0.4055.
    # None of ten: from 0 to 3.8415/10 / (1 + 3.8415/10) = 0.2775.
    low, high = wilson_interval(np.array([0.5, 0.0]), np.array([2, 10]), 0.95)
    assert low == pytest.approx([0.0945, 0.0], abs=1e-4)
    assert high == pytest.approx([0.9055, 0.2775], abs=1e-4)


def shown(predicted, happened, bins):
    one = np.ones(len(predicted))
    return reliability(predicted, happened, bins, weight=one, squares=one, items=one)


def test_a_bin_has_its_mean_probability_and_how_often_it_came_true():
    predicted = np.array([0.1, 0.3, 0.8, 0.9])
    happened = np.array([False, True, True, True])
    rows = shown(predicted, happened, 2)
    assert [(p, o, n) for p, o, _, _, n in rows] == [
        (pytest.approx(0.2), 0.5, 2),
        (pytest.approx(0.85), 1.0, 2),
    ]


def test_equal_probabilities_are_in_one_bin():
    rows = shown(np.array([0.2] * 7 + [0.6]), np.array([True] * 8), 4)
    assert [row[-1] for row in rows] == [7, 1]


def test_every_class_but_the_highest_has_a_curve_of_cumulative_probability():
    # At most low: 0.5, which is so once of twice; at most mid: 0.8, which is so always.
    chart = oe.plot.calibration(
        ["low", "mid"], [[0.5, 0.3, 0.2]] * 2, labels=["low", "mid", "high"], bins=1
    )
    points = [(row["group"], row["predicted"], row["observed"]) for row in chart.data.values]
    assert points == [("at most low", 0.5, 0.5), ("at most mid", 0.8, 1)]
    (diagonal,) = layers_with(chart, "observed")
    assert diagonal == [{"predicted": 0, "observed": 0}, {"predicted": 1, "observed": 1}]


def test_more_classes_than_colours_are_drawn_together():
    shares = np.full((16, 8), 1 / 8)
    chart = oe.plot.calibration(list(range(8)) * 2, shares, bins=3)
    assert {row["group"] for row in chart.data.values} == {"all classes together"}


def test_calibrated_probabilities_lie_near_the_diagonal():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet([1, 1, 1], 4000)
    gold = (rng.random((4000, 1)) > np.cumsum(shares, axis=1)).sum(axis=1)
    inside = [
        row["low"] <= row["predicted"] <= row["high"]
        for row in oe.plot.calibration(gold, shares).data.values
    ]
    assert np.mean(inside) >= 0.8  # 95% of them, but for chance in 20


def test_probabilities_that_are_none_are_refused():
    with pytest.raises(oe.errors.LabelError, match="must be 0 or more and sum to 1"):
        oe.plot.calibration([1, 2], [[0.5, 0.6], [0.5, 0.5]])
    with pytest.raises(oe.errors.ParameterError, match="bins=0 draws nothing"):
        oe.plot.calibration([1, 2], [[0.5, 0.5], [0.5, 0.5]], bins=0)


def test_bins_of_many_items_are_those_of_a_plain_loop():
    rng = np.random.default_rng(3)
    predicted = np.round(rng.random(500), 2)  # with ties
    happened = rng.random(500) < predicted
    rows = zip(predicted.tolist(), happened.tolist(), [1.0] * 500, strict=True)
    expected = sorted(
        (
            sum(p for p, *_ in items) / len(items),
            sum(true for _, true, _ in items) / len(items),
            len(items),
        )
        for items in cut_into_bins(list(rows), 7)
    )
    found = [(p, o, n) for p, o, _, _, n in shown(predicted, happened, 7)]
    assert np.array(found) == pytest.approx(np.array(expected))
    assert len(found) == 9  # with those of 0 and 1


def test_weights_count_in_the_shares_and_say_how_much_the_items_tell():
    # Of 0.5 with the weights 3 and 1 the first came true: 0.75, which tells as much as (3 + 1)^2 / (9 + 1) = 1.6 items.
    chart = oe.plot.calibration([0, 1], [[0.5, 0.5]] * 2, sample_weight=[3, 1], bins=1)
    (row,) = chart.data.values
    low, high = wilson_interval(np.array([0.75]), np.array([1.6]), 0.95)
    assert (row["observed"], row["low"], row["high"]) == pytest.approx((0.75, low[0], high[0]))
    assert row["tip"].endswith("2 items")
    counted = oe.plot.calibration([0, 1], [[0.5, 0.5]] * 2, count=[3, 1], bins=1)
    assert counted.data.values[0]["tip"].endswith("4 items")


GOLD = [0, 1, 2, 1, 0, 2] * 5
ROWS = np.random.default_rng(1).dirichlet(np.ones(3), 30)
SHARP = ROWS**2 / (ROWS**2).sum(axis=1, keepdims=True)


def test_results_of_probabilities_are_drawn_as_these_are():
    labels = {"labels": range(3)}
    alone = oe.plot.calibration(GOLD, ROWS, **labels)
    error = by_definition(GOLD, ROWS.tolist())
    assert f"they differ by {error:.3f} on average" in alone.to_dict(validate=False)["description"]
    evaluation = oe.evaluate(GOLD, ROWS, **labels)
    assert oe.plot.calibration(evaluation).data.values == alone.data.values
    runs = oe.Runs.from_labels(GOLD, {"a": ROWS, "b": SHARP, "c": GOLD}, **labels)
    assert oe.plot.calibration(runs, system="a").data.values == alone.data.values
    comparison = oe.compare(runs, metrics=["rps"], primary="rps")
    best = next(name for name in comparison.systems if name != "c")  # whose answers are labels
    drawn = oe.plot.calibration(comparison)
    assert drawn.data.values == oe.plot.calibration(runs, system=best).data.values
    with pytest.raises(oe.OrdevalError, match=r"system=\.\.\., one of 'a', 'b'"):
        oe.plot.calibration(runs)


def test_results_without_probabilities_or_with_soft_gold_have_no_calibration():
    with pytest.raises(oe.OrdevalError, match="there are no probabilities"):
        oe.plot.calibration(oe.compare(GOLD, {"a": GOLD}))
    soft = oe.Runs.from_labels(ROWS, {"a": SHARP}, labels=range(3))
    with pytest.raises(oe.OrdevalError, match="gold is soft"):
        oe.plot.calibration(soft)


@pytest.mark.later
def test_the_report_draws_the_calibration_of_every_system_of_probabilities():
    given = {"a": ROWS, "b": SHARP, "c": [0] * 30}
    text = page_of(oe.compare(GOLD, given, labels=range(3), metrics=["rps"]))
    assert "Calibration of a" in text
    assert "Calibration of b" in text
    assert "Calibration of c" not in text
    assert f"they differ by {by_definition(GOLD, SHARP.tolist()):.3f} on average" in text
    labels = page_of(oe.compare(GOLD, {"c": [0] * 30}, labels=range(3)))
    assert "Do the probabilities come true?" not in labels


def test_a_single_curve_is_named_too():
    chart = oe.plot.calibration([0, 1, 1, 0], [[0.5, 0.5]] * 4, bins=1)
    (row,) = chart.data.values
    assert row["group"] == "at most 0"
    shown = [
        layer["encoding"].get("color", {}).get("legend")
        for layer in chart.to_dict(validate=False)["layer"]
    ]
    assert any(shown)


def test_the_description_has_the_mean_distance_from_the_diagonal_by_items():
    # Of 3 items with 0.2 one came true (off by 0.1333), of 1 item with 0.9 none did (off by 0.9):
    # (3 * 0.1333 + 0.9) / 4 = 0.325. The axis names the level of the intervals.
    shares = [[0.2, 0.8]] * 3 + [[0.9, 0.1]]
    spec = oe.plot.calibration([0, 1, 1, 1], shares, labels=[0, 1], bins=2).to_dict()
    assert "they differ by 0.325 on average (95% interval" in spec["description"]
    assert "observed share and 95% interval" in str(spec["layer"])


def test_as_many_curves_as_colours_are_drawn_apart():
    chart = oe.plot.calibration(list(range(7)), np.full((7, 7), 1 / 7), bins=1)
    assert len({row["group"] for row in chart.data.values}) == 6


def test_a_single_class_has_nothing_to_calibrate():
    with pytest.raises(oe.OrdevalError, match="needs at least 2 classes"):
        oe.plot.calibration([1], [[1.0]], labels=[1])


def test_the_report_draws_the_calibration_of_the_first_systems(monkeypatch):
    monkeypatch.setattr(page, "MOST_CALIBRATIONS", 1)
    rows = np.array([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4]])
    answers = {"labels": [0, 1, 0], "good": rows, "worse": rows[:, ::-1]}
    comparison = oe.compare([0, 1, 0], answers, primary="rps", labels=[0, 1])
    drawn = page.calibration_section(comparison, SimpleNamespace(draw=lambda figure: figure))
    assert [figure.title for figure in drawn] == ["Calibration of good"]
