"""Charts for notebooks and papers: the same specifications, valid, and savable in every form."""

import json
import re
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import altair as alt
import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.compare import compare
from ordeval.comparison.evaluate import evaluate
from ordeval.report import plot
from ordeval.report.chart_input import costs_of_system
from ordeval.report.class_figures import contingency_figure
from ordeval.report.offline import chart_of
from ordeval.report.specification import whole
from ordeval.report.svg import (
    inline_svg,
    rendered,
    rendered_like_others,
    share_attributes,
    simplify,
)
from ordeval.runs import Runs
from tests.agreement.marks import ratings_of, simulated
from tests.examples import grid
from tests.gate import records
from tests.report import comparisons, validations

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
    "differences",
    "critical_difference",
    "systems",
    "error_profile",
    "recall",
)
OF_OTHERS = {
    "confusion_difference": lambda c, **looks: oe.plot.confusion_difference(c, *c.systems[:2], **looks),
    "calibration": lambda _, **looks: oe.plot.calibration([1, 2, 1], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], **looks),
    "decision_map": lambda _, **looks: oe.plot.decision_map(decision("mae"), **looks),
    "gains": lambda _, **looks: oe.plot.gains([decision("mae"), decision("qwk")], **looks),
    "history": lambda _, **looks: oe.plot.history([records.made(), records.made(outcome="fail")], **looks),
    "power": lambda c, **looks: oe.plot.power(
        oe.plan(c.runs.select(["system 0", "system 2"]), difference=0.1), **looks
    ),
    "meta": lambda c, **looks: oe.plot.meta(study_of(c), **looks),
    "properties": lambda _, **looks: oe.plot.properties(oe.properties.check("mae", items=3), **looks),
    "raters": lambda _, **looks: oe.plot.raters(agreement(), **looks),
    "rater_differences": lambda _, **looks: oe.plot.rater_differences(agreement(), **looks),
    "confusion": lambda _, **looks: oe.plot.confusion(agreement(), **looks),
    "disagreement": lambda _, **looks: oe.plot.disagreement(agreement(), **looks),
    "judges": lambda _, **looks: oe.plot.judges(validations.made(), **looks),
    "alt_test": lambda _, **looks: oe.plot.alt_test(validations.made(), **looks),
    "bias": lambda _, **looks: oe.plot.bias(validations.made(), "poor", **looks),
}  # fmt: skip
DRAWN = {**{name: getattr(oe.plot, name) for name in OF_COMPARISONS}, **OF_OTHERS}


@cache
def decision(metric):
    """A rule for three classes, fitted on 60 items."""
    rng = np.random.default_rng(0)
    rows = rng.dirichlet([2, 1, 1], 60)
    return oe.decide.fit(
        rows, (rows.cumsum(axis=1) < rng.random((60, 1))).sum(axis=1), metric=metric
    )


@cache
def agreement():
    """Five raters, of whom the first marks too high and the second at random."""
    return oe.agree(ratings_of(simulated(0, shifted=1.0, random=True)), metrics=["accuracy"])


def study_of(comparison):
    """A study without the search for properties, which takes seconds."""
    settings = {"metrics": ["accuracy", "mae", "cem_ord"], "resamples": 0}
    runs = comparison.runs
    return oe.meta.Study(
        oe.meta.coverage(runs, **settings),
        oe.meta.robustness(runs, **settings),
        oe.meta.discriminative_power(runs, **settings),
        oe.meta.split_halves(runs, **settings),
        {},
        {},
    )


@pytest.fixture(scope="module")
def comparison():
    return comparisons.made(systems=3, items=90, cases=3)


@pytest.fixture(scope="module")
def evaluation():
    return evaluate([1, 2, 3, 3, 2, 1], [1, 2, 3, 2, 2, 2], level=None)


@grid("name", DRAWN, every=2)
def test_every_chart_is_a_valid_vega_lite_specification_with_a_title_and_a_description(
    comparison, name
):
    chart = DRAWN[name](comparison)
    assert isinstance(chart, alt.LayerChart)
    spec = chart.to_dict(validate=True)
    assert len(spec["title"]) > 5
    assert spec["description"].endswith(".")


def figure_of(comparison, name, monkeypatch):
    """What a chart is made of."""
    made = []
    with monkeypatch.context() as patched:
        for topic in plot.TOPICS:
            patched.setattr(topic, "finished", lambda figure, _: made.append(figure))
        DRAWN[name](comparison)
    (figure,) = made
    return figure


@pytest.mark.parametrize("name", DRAWN)
def test_a_page_draws_every_chart_from_the_specification_that_altair_writes_of_it(
    comparison, name, monkeypatch
):
    figure = figure_of(comparison, name, monkeypatch)
    spec = chart_of(figure.spec).to_dict(validate=False)
    rows = spec.pop("datasets")
    for part in (spec, *spec["layer"]):
        if "data" in part:
            part["data"] = {"values": rows[part["data"]["name"]]}
    del spec["$schema"]
    for size in ("continuousWidth", "continuousHeight"):  # Altair's own; every chart has its size
        del spec["config"]["view"][size]
    assert spec == json.loads(json.dumps(whole(figure.spec)))


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_has_its_data_as_a_table(comparison, name, monkeypatch):
    figure = figure_of(comparison, name, monkeypatch)
    assert figure.data.rows
    assert {len(row) for row in figure.data.rows} == {len(figure.data.columns)}


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_takes_a_title_and_a_size(comparison, name):
    spec = DRAWN[name](comparison, title="mine", width=200, height=150).to_dict(validate=False)
    assert (spec["title"], spec["width"], spec["height"]) == ("mine", 200, 150)


@grid("name", DRAWN, every=3)
def test_every_chart_has_tips_on_the_page_and_takes_its_colours_from_the_style_sheet(
    comparison, name
):
    chart = DRAWN[name](comparison, title="")
    svg = inline_svg(chart.to_dict(validate=False), identity="x", title="x", description="x")
    assert svg.count("data-tip") >= 2
    assert not re.findall(r'(?:fill|stroke)="(?!var\(--|none|transparent)[^"]*"', svg)


def test_every_chart_that_is_offered_is_tried_here_and_listed_in_the_documentation():
    assert set(oe.plot.__all__) == set(DRAWN)
    page = (
        Path(__file__).parents[2].joinpath("docs", "howto", "report.md").read_text(encoding="utf-8")
    )
    listed = re.findall(r"^\| (`oe\.plot\..*?) \|", page, re.MULTILINE)
    assert set(re.findall(r"`oe\.plot\.(\w+)`", " ".join(listed))) == set(DRAWN)


@pytest.mark.later
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


@pytest.mark.parametrize(
    "name", ["pairs", "ranks", "agreement", "differences", "critical_difference", "systems"]
)
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
    spec = oe.plot.gold([1, 2, 3]).to_dict()
    svg = inline_svg(spec, identity="x", title="a title", description="words")
    assert '<title id="x-t">a title</title><desc id="x-d">words</desc>' in svg
    width, least = (
        float(re.search(rf'{name}[=:]"?(\d+)', svg)[1]) for name in (" width", "min-width")
    )
    assert least == round(0.72 * width)


def test_numbers_of_a_drawing_have_two_decimals_and_groups_carry_what_their_marks_share():
    root = ET.fromstring(  # noqa: S314 - written here
        '<svg><g><path d="M1.23456,2.5" fill="red" opacity="1"/><path d="M3.999,0" fill="red"/></g>'
        '<g><path d="M0,0" fill="red"/><path d="M1,1"/></g><g><path d="M2,2" fill="red"/></g></svg>'
    )
    simplify(root)
    share_attributes(root)
    first, second, third = root
    assert [path.attrib for path in first] == [{"d": "M1.23,2.5"}, {"d": "M4,0"}]
    assert first.get("fill") == "red"
    assert [path.get("fill") for path in second] == ["red", None]  # one of them has none
    assert third.get("fill") is None  # a mark that is alone keeps its own
    assert third[0].get("fill") == "red"


def test_charts_that_differ_in_their_data_alone_are_drawn_as_each_would_be_by_itself():
    drawn = []
    for gold in ([1, 2, 2, 3], [1, 1, 2, 3]):
        costs = costs_of_system(oe.Table.from_labels(gold, [1, 2, 3, 3]), None)
        spec = whole(contingency_figure(*costs).spec)
        drawn.append(rendered_like_others(spec))
        assert drawn[-1] == rendered(spec)
    assert drawn[0] != drawn[1]


# --- without a network ---

SCRIPT_FROM_ELSEWHERE = re.compile(
    r"<script[^>]*\ssrc\s*=|\bimport\s*\(|cdn\.jsdelivr\.net/npm/vega"
)


def test_a_notebook_shows_a_chart_without_loading_anything():
    chart = oe.plot.gold([1, 2, 3])
    shown = chart._repr_mimebundle_()
    assert set(shown) == {
        "image/svg+xml",
        f"application/vnd.vegalite.{alt.SCHEMA_VERSION.split('.')[0]}+json",
        "text/plain",
    }
    svg = shown["image/svg+xml"]
    assert not re.sub(r'xmlns(:xlink)?="[^"]*"', "", svg).count("://")
    assert "Gold distribution" in svg


def test_a_reader_who_chose_how_altair_shows_charts_is_heard():
    with alt.renderers.enable("json"):
        assert "application/json" in oe.plot.gold([1, 2])._repr_mimebundle_()[0]


@pytest.mark.later
@pytest.mark.parametrize("joined", [False, True])
def test_a_saved_page_holds_its_own_scripts(tmp_path, joined):
    chart = oe.plot.gold([1, 2, 3])
    target = tmp_path / "chart.html"
    (chart & (chart | chart) if joined else chart).save(target)
    page = target.read_text(encoding="utf-8")
    assert not SCRIPT_FROM_ELSEWHERE.search(page)
    assert len(page) > 500_000  # the scripts


@pytest.mark.later
def test_charts_stand_beside_and_below_each_other_in_their_own_looks():
    chart = oe.plot.gold([1, 2, 3])
    for joined in (chart & chart, chart | chart, (chart & chart) | chart):
        spec = joined.to_dict(validate=True)
        assert spec["config"]["axis"]["domain"] is False
        assert "image/svg+xml" in joined._repr_mimebundle_()


def test_a_chart_can_be_changed_as_any_of_altair():
    chart = oe.plot.gold([1, 2, 3]).configure_axis(labelFontSize=20).properties(width=400)
    spec = chart.to_dict()
    assert spec["config"]["axis"]["labelFontSize"] == 20
    assert spec["config"]["axis"]["domain"] is False  # what was not changed is as before
    assert spec["width"] == 400


# --- titles and sizes ---


@pytest.mark.parametrize(
    ("title", "shown"),
    [(None, "Gold distribution"), ("", None), ("How many\nof each", "How many of each")],
)
def test_a_chart_has_its_own_title_none_or_another(title, shown):
    assert oe.plot.gold([1, 2, 3], title=title).to_dict().get("title") == shown


def test_a_chart_has_a_description_for_those_who_do_not_see_it():
    assert (
        oe.plot.gold([1, 2, 2]).to_dict()["description"].startswith("A bar for each of 2 classes")
    )


def test_a_chart_has_the_size_that_is_asked_for(comparison):
    spec = oe.plot.pairs(comparison, width=333, height=222.5).to_dict()
    assert (spec["width"], spec["height"]) == (333, 222.5)


@pytest.mark.parametrize("size", [0, -3, 9, 10_001, "wide", True, float("nan"), [300]])
@pytest.mark.parametrize("name", ["width", "height"])
def test_what_is_no_size_is_refused(name, size):
    with pytest.raises(
        oe.errors.ParameterError,
        match=rf"{name}=.* is not a size; it is a number of pixels from 10",
    ):
        oe.plot.gold([1, 2], **{name: size})


def test_what_is_no_title_is_refused():
    with pytest.raises(oe.errors.ParameterError, match=r"title is 3; it is a text"):
        oe.plot.gold([1, 2], title=3)


def test_an_unknown_option_is_refused_with_a_suggestion():
    with pytest.raises(
        TypeError, match=r"no argument 'widht' of this chart\. Did you mean width\?"
    ):
        oe.plot.gold([1, 2], widht=3)


# --- tips on the page ---


def tips_of(chart):
    svg = inline_svg(chart.to_dict(validate=False), identity="x", title="x", description="x")
    assert "aria-label=" not in svg  # but for the whole, which has aria-labelledby
    assert "aria-roledescription" not in svg
    return re.findall(r'<(\w+)[^>]* data-tip="([^"]*)"', svg)


def test_the_bars_of_the_page_have_tips_and_their_texts_have_none():
    # 3 and 2 of 5 items.
    assert tips_of(oe.plot.gold([1, 1, 1, 2, 2])) == [
        ("path", "1: 3 (60%)"),
        ("path", "2: 2 (40%)"),
    ]


def test_the_cells_of_the_page_have_tips_but_for_empty_ones():
    gold, answers = [1, 1, 2, 2], [1, 2, 2, 2]
    tips = tips_of(oe.plot.contingency(evaluate(gold, answers, level=None)))
    assert tips == [
        ("path", "gold 1, answer 1: 1 (50%)"),
        ("path", "gold 1, answer 2: 1 (50%)"),
        ("path", "gold 2, answer 1: 0"),
        ("path", "gold 2, answer 2: 2 (100%)"),
    ]


def test_the_text_of_a_cell_lets_the_pointer_through_to_the_tip_below_it():
    chart = oe.plot.contingency(evaluate([1, 2], [1, 2], level=None))
    svg = inline_svg(chart.to_dict(validate=False), identity="x", title="x", description="x")
    cells, *after = re.findall(r"<g(?: [^>]*)?>(?=<(?:path|text))", svg)
    assert "pointer-events" not in cells
    assert 'pointer-events="none"' in after[0]


def test_the_tip_of_a_system_has_its_score_and_interval():
    comparison = comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)
    score = comparison.leaderboard[1].scores["accuracy"]
    assert ("path", f"b: 0.500 [{score.low:.3f}, {score.high:.3f}]") in tips_of(
        oe.plot.forest(comparison)
    )


def test_a_tip_is_the_tooltip_of_a_notebook_too():
    first = oe.plot.gold([1, 2]).to_dict()["layer"][0]["encoding"]
    assert first["tooltip"]["field"] == first["description"]["field"] == "tip"


def test_a_missing_package_is_named_with_the_way_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = oe.plot.gold([1, 2, 3])
    with pytest.raises(oe.errors.MissingPackageError, match=r"pip install 'ordeval\[report\]'"):
        inline_svg(chart.to_dict(validate=False), identity="x", title="x", description="x")


def test_weights_of_gold_add_up_to_the_number_of_items_as_in_the_other_charts():
    # weights 1, 1 and 4 are scaled by 3 / 6: class 0 has 1, class 1 has 2
    compared = oe.compare(
        [0, 0, 1], {"a": [0, 1, 1], "b": [0, 0, 0]}, labels=[0, 1], sample_weight=[1, 1, 4]
    )
    assert [row["value"] for row in oe.plot.gold(compared).data.values] == [1, 2]
    shown = {
        (row["row"], row["column"]): row["text"]
        for row in oe.plot.contingency(compared).data.values
    }
    assert (shown["1", "0"], shown["1", "1"]) == ("", "2")


def test_the_gold_of_samples_that_share_no_items_is_that_of_all():
    # 10 + 20 items of class 1, 10 + 10 of class 2 and 20 + 20 of class 3.
    chart = oe.plot.gold(comparisons.independent())
    assert [row["value"] for row in chart.data.values] == [30, 20, 40]


def test_every_chart_but_those_of_cases_and_equal_answers_draws_samples_that_share_no_items():
    comparison = comparisons.independent()
    for name in OF_COMPARISONS:
        if name not in {"cases", "systems"}:
            assert getattr(oe.plot, name)(comparison).to_dict(validate=False)["layer"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (oe.plot.meta, r"was given a Comparison; it draws a study"),
        (oe.plot.power, r"was given a Comparison; it draws a plan"),
        (oe.plot.properties, r"was given a Comparison; it draws verdicts"),
    ],
)
def test_what_is_no_study_plan_or_verdict_is_refused_by_its_type(comparison, draw, message):
    with pytest.raises(oe.errors.LabelTypeError, match=message):
        draw(comparison)


def test_a_plan_without_a_number_is_refused_with_its_reason():
    runs = Runs.from_labels([1, 2, 1, 2], {"a": [1, 2, 1, 1], "b": [1, 2, 1, 1]})
    with pytest.raises(
        oe.errors.ParameterError, match=r"gives no number of items: they do not differ"
    ):
        oe.plot.power(oe.plan(runs))


def test_samples_that_share_no_items_have_no_equal_answers():
    with pytest.raises(oe.errors.ParameterError, match="share no items"):
        oe.plot.systems(comparisons.independent())


def test_a_baseline_that_is_not_there_is_refused_with_what_there_is(comparison):
    with pytest.raises(
        oe.errors.ParameterError, match=r"asks for system 'x'; pass baseline=.*or 'constant'"
    ):
        oe.plot.differences(comparison, "x")


def test_a_criterion_that_is_not_there_is_refused(comparison):
    with pytest.raises(
        oe.errors.ParameterError, match=r"x='speed' is not a criterion; it is one of coverage"
    ):
        oe.plot.meta(study_of(comparison), "speed")
