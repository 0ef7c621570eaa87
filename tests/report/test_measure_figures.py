"""The charts about measures and the chart of a plan."""

import numpy as np
import pytest

import ordeval as oe
from ordeval.report.measure_figures import label_places, overlap
from ordeval.report.plan_figure import power_with
from tests.report import comparisons
from tests.report.test_figures import cells, layers_with
from tests.report.test_plot import study_of


def test_a_point_of_the_scatter_is_a_measure_by_two_criteria():
    study = study_of(comparisons.made(systems=4, items=120, cases=4))
    chart = oe.plot.meta(study, "robustness", "swap_rate")
    points = {row["name"]: (row["x"], row["y"]) for row in chart.data.values}
    assert points == {
        name: (round(study.robustness[name], 6), round(study.halves.swap_rate[name], 6))
        for name in ("accuracy", "mae", "cem_ord")
    }
    spec = chart.to_dict(validate=False)["layer"][0]["encoding"]
    assert spec["x"]["axis"]["title"] == "robustness (higher is better)"
    assert spec["y"]["axis"]["title"] == "swap rate (lower is better)"


def test_names_of_points_cover_neither_points_nor_each_other():
    rng = np.random.default_rng(0)
    x, y = rng.uniform(100, 300, 25), rng.uniform(50, 250, 25)
    names = [f"measure {n}" for n in range(25)]
    boxes = []
    for px, py, name, place in zip(x, y, names, label_places(x, y, names), strict=True):
        if place is not None:
            align, dx, dy = place
            width = 6.2 * len(name)
            left = px + dx - {"left": 0, "center": width / 2, "right": width}[align]
            boxes.append((left, py + dy - 6, left + width, py + dy + 6))
    assert len(boxes) > 12
    assert not any(overlap(a, b) for n, a in enumerate(boxes) for b in boxes[:n])
    assert not any(
        a[0] < px < a[2] and a[1] < py < a[3] for a in boxes for px, py in zip(x, y, strict=True)
    )


def test_the_grid_of_properties_has_a_mark_for_each():
    # As the paper's table 2 has it: accuracy has the first property alone, cem_ord has all three.
    chart = oe.plot.properties(oe.properties.check("accuracy") + oe.properties.check("cem_ord"))
    marks = cells(chart, "text", "side")
    names = ("ordinal invariance", "ordinal monotonicity", "imbalance")
    assert [marks["accuracy", name] for name in names] == [
        ("✓", "heat"),
        ("✗", "warm"),
        ("✗", "warm"),
    ]
    assert [marks["cem_ord", name] for name in names] == [("✓", "heat")] * 3
    assert "All of them hold for: cem_ord." in chart.to_dict(validate=False)["description"]


@pytest.fixture(scope="module")
def plan():
    """The plan of the docstring of `plan`: 0.3737 * (2.806 / 0.1)^2 = 294.3, so 295 items."""
    a = oe.Table.from_counts([[40, 10], [10, 40]])
    b = oe.Table.from_counts([[35, 15], [15, 35]])
    return oe.plan(a, b, metric="accuracy", difference=0.1)


def test_the_number_that_a_plan_needs_is_the_first_to_reach_its_power(plan):
    before, at = power_with(plan, np.array([294, 295]))
    assert before < 0.8 <= at


def test_the_power_of_many_items_is_that_of_the_normal_distribution(plan):
    # The standard error of 0.1 at 1000 items each: sqrt(0.3737 / 1000) = 0.01933; 0.1 / 0.01933 - 1.96 = 3.213, and
    # the normal distribution has 0.99934 below that.
    assert power_with(plan, np.array([1000]))[0] == pytest.approx(0.99934, abs=3e-5)


def test_the_curve_marks_what_is_needed_and_the_pilot(plan):
    needed, pilot = sorted(
        {tuple(row[0].items()) for row in layers_with(oe.plot.power(plan), "note")}
    )[::-1]
    assert dict(needed) == {"items": 295, "power": 0.8, "note": "295 items"}
    assert (dict(pilot)["items"], dict(pilot)["note"]) == (100, "pilot")


def test_the_curve_of_test_cases_begins_with_two_of_them_and_names_how_many_are_needed():
    # 6 test cases of 4 items: two cases are 8 items.
    rng = np.random.default_rng(0)
    gold = [0, 1] * 12
    runs = oe.Runs.from_labels(
        gold,
        {name: np.where(rng.random(24) < 0.4, 1, gold) for name in "ab"},
        case=[at // 4 for at in range(24)],
        labels=[0, 1],
    )
    planned = oe.plan(runs, metric="accuracy", difference=0.1)
    chart = oe.plot.power(planned)
    assert chart.data.values[0]["items"] == 8
    (note,) = {
        row[0]["note"] for row in layers_with(chart, "note") if row[0]["items"] == planned.items
    }
    assert note == f"{planned.cases} test cases ({planned.items} items)"


def test_the_axis_of_a_plan_reaches_beyond_the_pilot_and_says_for_whom_the_items_are(plan):
    x = oe.plot.power(plan).to_dict(validate=False)["layer"][0]["encoding"]["x"]
    assert x["axis"]["title"] == "items for each of the two"
    assert x["scale"]["domain"] == [0, 590]  # twice the 295 that are needed
    a, b = (oe.Table.from_counts([[n, 1000 - n], [0, 1000]]) for n in (900, 100))
    easy = oe.plan(a, b, metric="accuracy")
    x = oe.plot.power(easy).to_dict(validate=False)["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == [0, 2400]  # 1.2 times the pilot of 2,000
