"""Charts for notebooks and papers: the same specifications, valid, and savable in every form."""

import re
import sys

import altair as alt
import pytest

import ordeval as oe
from ordeval.comparison.compare import compare
from ordeval.comparison.evaluate import evaluate
from ordeval.report.svg import inline_svg
from ordeval.runs import Runs
from tests.report import comparisons

OF_COMPARISONS = (
    "forest",
    "pairs",
    "ranks",
    "cases",
    "agreement",
    "contingency",
    "costs",
    "gold",
    "proximity",
)


@pytest.fixture(scope="module")
def comparison():
    return comparisons.made(systems=3, items=90, cases=3)


@pytest.fixture(scope="module")
def evaluation():
    return evaluate([1, 2, 3, 3, 2, 1], [1, 2, 3, 2, 2, 2], level=None)


@pytest.mark.parametrize("name", OF_COMPARISONS)
def test_every_chart_of_a_comparison_is_a_valid_vega_lite_specification(comparison, name):
    chart = getattr(oe.plot, name)(comparison)
    assert isinstance(chart, alt.LayerChart)
    chart.to_dict(validate=True)


def test_every_chart_that_is_offered_is_tried_here():
    assert set(oe.plot.__all__) == set(OF_COMPARISONS)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "html", "json"])
def test_a_chart_saves_in_every_form(comparison, tmp_path, suffix):
    target = tmp_path / f"forest.{suffix}"
    oe.plot.forest(comparison).save(target)
    head = target.read_bytes()[:5]
    assert head.startswith({"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF-"}.get(suffix, head))
    assert target.stat().st_size > 500


@pytest.mark.parametrize("name", ["contingency", "costs", "gold", "proximity"])
def test_charts_of_classes_take_an_evaluation_a_table_and_runs(evaluation, comparison, name):
    draw = getattr(oe.plot, name)
    runs = comparison.runs
    several = {} if name in {"gold", "proximity"} else {"system": "system 1"}
    charts = [
        draw(evaluation),
        draw(evaluation.table),
        draw(runs, **several),
        draw(runs.table, **several),
    ]
    assert all(isinstance(chart, alt.LayerChart) for chart in charts)


def test_the_contingency_chart_holds_the_counts_of_the_table(evaluation):
    # Gold 1: one right, one taken for 2; gold 2: both right; gold 3: one right, one taken for 2.
    data = oe.plot.contingency(evaluation).data.values
    assert [[row["text"] for row in data[i : i + 3]] for i in (0, 3, 6)] == [
        ["1", "1", ""],
        ["", "2", ""],
        ["", "1", "1"],
    ]


def test_the_proximity_chart_of_a_gold_column_shows_the_bits_worked_out_by_hand():
    # Gold 2, 1, 1: the right answers are worth 2, 3 and 3 bits.
    data = oe.plot.proximity([1, 1, 2, 3]).data.values
    assert [row["text"] for row in data if row["row"] == row["column"]] == ["2.00", "3.00", "3.00"]


def test_the_forest_is_ordered_best_first_also_by_a_measure_that_is_the_better_the_lower(
    comparison,
):
    data = oe.plot.forest(comparison, metric="mae").data.values
    values = [row["value"] for row in data]
    assert values == sorted(values)


def test_a_measure_that_was_not_compared_is_named_with_a_suggestion(comparison):
    with pytest.raises(
        oe.errors.ParameterError, match=r"'mea' is not in this comparison; .* Did you mean mae\?"
    ):
        oe.plot.forest(comparison, metric="mea")


def test_a_comparison_shows_the_classes_of_its_best_system_unless_another_is_named():
    comparison = comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)
    # 4 items of each class; b is wrong on half of them.
    for system, texts in ((None, ["4", "", "", "4"]), ("b", ["2", "2", "2", "2"])):
        data = oe.plot.contingency(comparison, system=system).data.values
        assert [row["text"] for row in data] == texts


def test_a_system_that_is_not_there_is_named(comparison):
    with pytest.raises(
        oe.errors.ParameterError, match=r"asks for system 'x'; pass system=..., one of 'system 0'"
    ):
        oe.plot.contingency(comparison, system="x")


def test_runs_of_many_systems_want_a_name(comparison):
    with pytest.raises(oe.errors.ParameterError, match=r"names no system"):
        oe.plot.contingency(comparison.runs)


@pytest.mark.parametrize("name", ["forest", "contingency"])
def test_what_cannot_be_drawn_is_refused_by_its_type(name):
    with pytest.raises(oe.errors.LabelTypeError, match="was given a list"):
        getattr(oe.plot, name)([1, 2])


@pytest.mark.parametrize("name", ["pairs", "ranks", "agreement"])
def test_one_system_cannot_be_set_against_others(name):
    with pytest.raises(oe.errors.ParameterError, match="there is one system"):
        getattr(oe.plot, name)(comparisons.one_system())


def test_runs_without_cases_have_no_chart_of_cases():
    with pytest.raises(oe.errors.ParameterError, match="has no test cases"):
        oe.plot.cases(comparisons.one_system())


def test_systems_whose_names_look_alike_keep_a_row_each():
    runs = Runs.from_labels([1, 2, 3, 1], {"a": [1, 2, 3, 1], "a ": [1, 2, 2, 1]})
    data = oe.plot.forest(compare(runs, n_resamples=49)).data.values
    assert [row["name"] for row in data] == ["a", "a (2)"]


def test_a_drawing_has_its_title_and_description_and_shrinks_to_72_percent():
    svg = inline_svg(oe.plot.gold([1, 2, 3]), identity="x", title="a title", description="words")
    assert '<title id="x-t">a title</title><desc id="x-d">words</desc>' in svg
    width, least = (
        float(re.search(rf'{name}[=:]"?(\d+)', svg)[1]) for name in (" width", "min-width")
    )
    assert least == round(0.72 * width)


def test_a_missing_package_is_named_with_the_way_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = oe.plot.gold([1, 2, 3])
    with pytest.raises(oe.errors.MissingPackageError, match=r"pip install 'ordeval\[report\]'"):
        inline_svg(chart, identity="x", title="x", description="x")


def test_the_gold_of_samples_that_share_no_items_is_that_of_all():
    # 10 + 20 items of class 1, 10 + 10 of class 2 and 20 + 20 of class 3.
    chart = oe.plot.gold(comparisons.independent())
    assert [row["value"] for row in chart.data.values] == [30, 20, 40]


def test_every_chart_but_that_of_cases_draws_samples_that_share_no_items():
    comparison = comparisons.independent()
    for name in oe.plot.__all__:
        if name != "cases":
            assert getattr(oe.plot, name)(comparison).to_dict()["layer"]
