"""What the charts and the tables below them show, worked out by hand."""

import pytest

import ordeval as oe
from ordeval.formats.sheet import written
from ordeval.report.cases import case_scores
from ordeval.report.chart_input import costs_of_system
from ordeval.report.class_figures import contingency_figure, costs_figure, gold_figure
from ordeval.report.comparison_figures import (
    cases_figure,
    forest_figure,
    pairs_figure,
    ranks_figure,
)
from ordeval.report.palette import GROUPS, SHAPES, group_number
from tests.report import comparisons
from tests.report.pages import column, page_of, section, table, text_of

DASH = "\N{EN DASH}"
# Right answers of 4, so that accuracy is 1, 0.75 and 0.5 overall.
RIGHT = {"c": (2, 2), "a": (4, 4), "b": (4, 2)}


def cells(chart, *fields):
    """The cells of a matrix by row and column: one field, or a tuple of several."""
    data = chart.to_dict(validate=False)["datasets"].values()
    (rows,) = [rows for rows in data if "column" in rows[0]]
    return {
        (row["row"], row["column"]): row[fields[0]] if len(fields) == 1 else tuple(row[f] for f in fields)
        for row in rows
    }  # fmt: skip


def axis_title(chart, axis):
    return chart.to_dict(validate=False)["layer"][0]["encoding"][axis]["axis"]["title"]


def data_of(figure):
    """The table of a figure as text."""
    return [
        [written(cell, column) for cell, column in zip(row, figure.data.columns, strict=True)]
        for row in figure.data.rows
    ]


# --- scores and intervals ---


def test_the_forest_shows_values_with_the_ends_of_their_intervals_best_first():
    comparison = comparisons.by_right_answers(RIGHT, 4)
    data = oe.plot.forest(comparison).data.values
    assert [(row["name"], row["value"]) for row in data] == [("a", 1), ("b", 0.75), ("c", 0.5)]
    for row, standing in zip(data, comparison.leaderboard, strict=True):
        score = standing.scores["accuracy"]
        assert (row["low"], row["high"]) == (round(score.low, 6), round(score.high, 6))


@pytest.mark.parametrize(
    ("level", "metric", "title"),
    [
        (0.95, "accuracy", "accuracy and 95% interval (higher is better)"),
        (0.9, "accuracy", "accuracy and 90% interval (higher is better)"),
        (None, "mae", "mae (lower is better)"),
    ],
)
def test_the_axis_of_the_forest_names_the_level_and_the_direction(level, metric, title):
    comparison = comparisons.by_right_answers(
        RIGHT, 4, metrics=["accuracy", "mae"], primary=metric, level=level
    )
    assert axis_title(oe.plot.forest(comparison), "x") == title


def test_the_forest_draws_no_interval_that_was_not_asked_for_and_no_undefined_score():
    runs = oe.Runs.from_labels([1, 2, 3, 1], {"flat": [2] * 4, "right": [1, 2, 3, 1]})
    comparison = oe.compare(runs, metrics=["kendall_tau_b"], primary="kendall_tau_b", level=None)
    (row,) = oe.plot.forest(comparison).data.values
    assert (row["name"], row["low"], row["high"]) == ("right", None, None)
    assert data_of(forest_figure(comparison)) == [
        ["right", "1", "1.000", DASH, DASH],
        ["flat", "2", DASH, DASH, DASH],
    ]


def test_a_forest_by_another_measure_puts_undefined_scores_last():
    gold = [1, 2, 3, 1]
    systems = {"flat": [1] * 4, "turned": [3, 2, 1, 3], "right": gold, "near": [1, 2, 2, 1]}
    comparison = oe.compare(
        oe.Runs.from_labels(gold, systems), metrics=["mae", "kendall_tau_b"], primary="mae", level=None
    )  # fmt: skip
    figure = forest_figure(comparison, "kendall_tau_b")
    assert [row[0] for row in data_of(figure)] == ["right", "near", "turned", "flat"]


def test_the_forest_shows_as_many_systems_as_asked_for():
    comparison = comparisons.by_right_answers(RIGHT, 4, level=None)
    assert [row["name"] for row in oe.plot.forest(comparison, limit=2).data.values] == ["a", "b"]


def test_late_groups_share_the_last_colour():
    assert [group_number(group) for group in (1, 2, 6, 7, 99)] == [1, 2, 6, 6, 6]


def test_systems_are_coloured_by_whether_they_may_be_the_best():
    chart = oe.plot.forest(two_against_one(8))
    assert [(row["name"], row["group"]) for row in chart.data.values] == [
        ("a", "Best"),
        ("b", "Best"),
        ("c", "Tier 2"),
    ]


def layers_with(chart, field):
    """The layers that have data of their own with such a field: their data."""
    spec = chart.to_dict()
    rows = (spec["datasets"][layer["data"]["name"]] for layer in spec["layer"] if "data" in layer)
    return [row for row in rows if field in row[0]]


def test_a_dashed_line_of_the_forest_is_the_best_constant_answer_with_its_name():
    # Half of the items are of each class, so "always 1" is right on half of them.
    chart = oe.plot.forest(comparisons.by_right_answers(RIGHT, 4))
    line, _ = layers_with(chart, "note")
    assert line == [{"value": 0.5, "note": "always 1"}]
    assert "A dashed line marks always 1: 0.500." in chart.to_dict(validate=False)["description"]


def test_a_constant_answer_far_below_every_system_is_named_at_the_edge():
    # 49 and 50 of 50 right on every case: the constant answer's 0.5 is far below 0.98.
    right = {"a": (50, 50), "b": (49, 49)}
    chart = oe.plot.forest(comparisons.by_right_answers(right, 50, level=None))
    (edge,) = layers_with(chart, "note")
    assert edge == [{"note": "← always 1: 0.500"}]


@pytest.mark.parametrize(("systems", "row"), [(20, 19), (21, 14)])
def test_rows_are_lower_where_there_are_many_systems(systems, row):
    right = {f"s{n}": (n, n) for n in range(systems)}
    chart = oe.plot.forest(comparisons.by_right_answers(right, 30, level=None))
    assert chart.to_dict(validate=False)["height"] == {"step": row}


def test_groups_differ_by_shape_as_well_as_colour():
    chart = oe.plot.forest(two_against_one(8))
    (points,) = [
        layer
        for layer in chart.to_dict(validate=False)["layer"]
        if layer["mark"]["type"] == "point"
    ]
    colour, shape = (points["encoding"][name] for name in ("color", "shape"))
    assert colour["field"] == shape["field"] == "group"  # so that they share a legend
    assert colour["scale"]["domain"] == shape["scale"]["domain"] == ["Best", "Tier 2"]
    assert len(set(shape["scale"]["range"])) == 2
    assert len(set(SHAPES)) == len(GROUPS)


@pytest.mark.parametrize("draw", ["forest", "pairs", "ranks", "cases"])
def test_a_chart_of_nothing_is_refused(draw):
    comparison = comparisons.by_right_answers(RIGHT, 4, level=None)
    with pytest.raises(oe.errors.ParameterError, match="limit=0 draws nothing"):
        getattr(oe.plot, draw)(comparison, limit=0)


# --- paired differences ---


@pytest.mark.parametrize(("metric", "sign"), [("accuracy", 1), ("mae", -1)])
def test_a_difference_is_as_strong_as_its_share_of_the_largest_and_warm_where_the_row_is_worse(
    metric, sign
):
    # a - b is 0.25, a - c is 0.5 and b - c is 0.25 in accuracy, and the opposite in error: a is better either way.
    comparison = comparisons.by_right_answers(RIGHT, 4, metrics=[metric], primary=metric)
    assert cells(oe.plot.pairs(comparison), "text", "strength", "side") == {
        ("1. a", "1. a"): ("", 0, "heat"),
        ("1. a", "2. b"): (f"{sign * 0.25:+.3f}", 0.5, "heat"),
        ("1. a", "3. c"): (f"{sign * 0.5:+.3f}", 1, "heat"),
        ("2. b", "1. a"): (f"{-sign * 0.25:+.3f}", 0.5, "warm"),
        ("2. b", "2. b"): ("", 0, "heat"),
        ("2. b", "3. c"): (f"{sign * 0.25:+.3f}", 0.5, "heat"),
        ("3. c", "1. a"): (f"{-sign * 0.5:+.3f}", 1, "warm"),
        ("3. c", "2. b"): (f"{-sign * 0.25:+.3f}", 0.5, "warm"),
        ("3. c", "3. c"): ("", 0, "heat"),
    }


def test_the_axis_of_the_differences_says_what_is_subtracted():
    chart = oe.plot.pairs(comparisons.by_right_answers(RIGHT, 4))
    assert axis_title(chart, "x") == "minus the column's system"


def two_against_one(cases):
    """On every case a and b are ahead of c, and in turn ahead of each other.

    Of the 2^n joint sign flips 4 have a difference as far from 0 as that to c: the two that leave all cases alike, and
    the two that turn every second case round, after which a and b differ by 2/4 on each. So p adjusted is 4 / 2^n. The
    differences of a and b cancel: p = 1.
    """
    half = cases // 2
    return comparisons.by_right_answers(
        {"a": (4, 2) * half, "b": (2, 4) * half, "c": (1, 1) * half}, 4, n_resamples=999
    )


def test_a_dot_marks_what_is_significant_after_correction():
    eight = two_against_one(8)  # p = 4/256 = 0.0156
    marked = cells(oe.plot.pairs(eight), "more")
    assert {place for place, dot in marked.items() if dot == "●"} == {
        ("1. a", "3. c"), ("3. c", "1. a"), ("2. b", "3. c"), ("3. c", "2. b"),
    }  # fmt: skip
    assert "2 of 3 differences are significant at 0.05." in pairs_figure(eight).description
    six = two_against_one(6)  # p = 4/64 = 0.0625
    assert not any(cells(oe.plot.pairs(six), "more").values())
    assert "0 of 3 differences are significant at 0.05." in pairs_figure(six).description


def test_the_table_of_differences_has_p_values_before_and_after_correction():
    comparison = two_against_one(8)
    page = page_of(comparison)
    caption = "Paired differences in accuracy"
    header, *rows = table(page, caption)
    after = ["p", "p adjusted", "a is", "a ahead again"]
    assert header == ["a", "b", "a - b", "low", "high", *after]
    assert [row[:3] for row in rows] == [
        ["a", "b", "0.0000"],
        ["a", "c", "0.5000"],
        ["b", "c", "0.5000"],
    ]
    ends = [(f"{pair.low:.4f}", f"{pair.high:.4f}") for pair in comparison.pairs]
    assert [(row[3], row[4]) for row in rows] == ends
    ps = [f"{pair.p:.4f}" for pair in comparison.pairs]
    assert column(page, caption, "p") == ps
    assert ps[0] == "1.0000"
    assert column(page, caption, "p adjusted") == ["1.0000", "0.0156", "0.0156"]
    assert column(page, caption, "a is") == ["undecided", "better", "better"]
    # Two systems with one score are equally likely to be ahead the next time.
    assert column(page, caption, "a ahead again")[0] == "0.500"


def test_systems_that_a_margin_makes_equivalent_are_marked_as_such():
    # 400 items, of which a and b err on one each: their scores are equal, and far closer than 0.1.
    gold = [1, 2] * 200
    runs = oe.Runs.from_labels(gold, {"a": [2, *gold[1:]], "b": [*gold[:-1], 1]})
    options = {"metrics": ["accuracy"], "primary": "accuracy"}
    comparison = oe.compare(runs, margin=0.1, **options)
    assert set(cells(oe.plot.pairs(comparison), "more").values()) == {"", "≈"}
    assert "≈ the two are equivalent: less than 0.1 apart" in text_of(page_of(comparison))
    without = oe.compare(runs, **options)
    assert set(cells(oe.plot.pairs(without), "more").values()) == {""}
    assert "≈" not in section(page_of(without), "certainty")


def test_pairs_among_the_first_systems_alone_are_drawn_under_a_limit():
    chart = oe.plot.pairs(comparisons.by_right_answers(RIGHT, 4), limit=2)
    assert set(cells(chart, "text")) == {(r, c) for r in ("1. a", "2. b") for c in ("1. a", "2. b")}


def test_beyond_14_systems_a_cell_has_a_dot_in_place_of_its_number():
    def texts(systems):
        right = {f"s{n}": (20 - n, 20 - n) for n in range(systems)}
        return cells(oe.plot.pairs(comparisons.by_right_answers(right, 20)), "text")

    assert texts(14)["1. s0", "2. s1"] == "+0.050"
    assert set(texts(15).values()) == {""}  # with two cases nothing is significant


def test_a_name_written_from_right_to_left_stands_beside_its_rank():
    comparison = comparisons.by_right_answers({"שם": (4, 4), "b": (2, 2)}, 4)
    rows = {row for row, _ in cells(oe.plot.pairs(comparison), "text")}
    assert rows == {"1. \u2068שם\u2069", "2. b"}


def test_the_tip_of_a_pair_reads_either_way():
    comparison = two_against_one(8)
    tips = cells(oe.plot.pairs(comparison), "tip")
    pair = comparison.pairs[1]  # a and c: p adjusted is 4/256
    low, high = f"{pair.low:.3f}", f"{pair.high:.3f}"
    assert tips["1. a", "3. c"] == f"a minus c: +0.500 [{low}, {high}], p = 0.016"
    assert tips["3. c", "1. a"] == f"c minus a: -0.500 [-{high}, -{low}], p = 0.016"
    assert tips["1. a", "1. a"] == ""


def test_a_matrix_has_a_scale_of_its_colours_with_numbers():
    # The largest difference is 1 - 0.5; the worse end is first.
    chart = oe.plot.pairs(comparisons.by_right_answers(RIGHT, 4))
    (swatches,) = layers_with(chart, "side")
    assert [(one["side"], one["strength"]) for one in swatches] == [
        ("warm", 1), ("warm", 0.75), ("warm", 0.5), ("warm", 0.25), ("heat", 0),
        ("heat", 0.25), ("heat", 0.5), ("heat", 0.75), ("heat", 1),
    ]  # fmt: skip
    ends, marks = layers_with(chart, "note")
    assert [one["note"] for one in ends] == ["row worse -0.500", "+0.500 row better"]
    assert [one["note"] for one in marks] == ["● significant at 0.05"]


# --- ranks ---


def test_a_line_reaches_from_the_best_rank_of_a_system_to_the_worst_with_a_dot_at_its_own():
    # Nobody is told from the two beside it, but c is behind both: a and b may be first or second, c is third.
    chart = oe.plot.ranks(two_against_one(8))
    rows = [(row["name"], row["low"], row["value"], row["high"]) for row in chart.data.values]
    assert rows == [("a", 1, 1, 2), ("b", 1, 2, 2), ("c", 3, 3, 3)]


def test_the_axis_of_ranks_has_whole_numbers_alone_and_no_dashed_line():
    spec = oe.plot.ranks(two_against_one(8)).to_dict()
    axis = spec["layer"][0]["encoding"]["x"]["axis"]
    assert (axis["tickMinStep"], axis["format"]) == (1, "d")
    assert not any("strokeDash" in layer["mark"] for layer in spec["layer"])


def test_the_table_of_ranks_has_the_rank_by_score_and_the_ranks_that_a_system_may_have():
    comparison = two_against_one(8)
    figure = ranks_figure(comparison)
    assert data_of(figure) == [["a", "1", "1", "2"], ["b", "2", "1", "2"], ["c", "3", "3", "3"]]
    assert figure.description.endswith("a may have the ranks 1 to 2.")
    assert table(page_of(comparison), "Ranks that the systems may have")[0] == [
        "system", "rank", "from", "to",
    ]  # fmt: skip


def test_a_system_that_is_first_for_certain_has_one_rank():
    # On each of 8 cases a is ahead by 1/4 or 2/4.
    comparison = comparisons.by_right_answers({"b": (3, 2) * 4, "a": (4, 4) * 4}, 4)
    assert ranks_figure(comparison).description.endswith("a may have rank 1.")


def test_a_system_without_a_score_has_no_ranks():
    figure = ranks_figure(comparisons.undefined())
    assert data_of(figure) == [["varied", "1", "1", "1"], ["constant", "2", DASH, DASH]]
    assert [row["name"] for row in figure.spec["data"]["values"]] == ["varied"]


# --- test cases ---


@pytest.mark.parametrize(("metric", "least"), [("accuracy", 0), ("mae", 50)])
def test_a_score_on_a_case_is_as_strong_as_its_place_between_the_outer_fiftieths(metric, least):
    # 51 cases, of which case c(n + 1) has n of 50 right, so the 2% and 98% quantiles are the second and the last but
    # one: 0.02 and 0.98. Colours begin at 0.04: a half is 0.04 + 0.96 * (0.5 - 0.02) / 0.96 = 0.52, and 2 of 50 are
    # 0.04 + 0.96 * 0.02 / 0.96 = 0.06. An error is the stronger the smaller it is.
    right = dict.fromkeys("ab", tuple(range(51)))
    options = {"metrics": [metric], "primary": metric, "level": None}
    chart = oe.plot.cases(comparisons.by_right_answers(right, 50, **options))
    strength = {case: value for (_, case), value in cells(chart, "strength").items()}
    expected = {0: 0.04, 1: 0.04, 2: 0.06, 25: 0.52, 48: 0.98, 49: 1, 50: 1}
    assert {n: strength[f"c{n + 1}"] for n in expected} == expected
    assert next(iter(strength)) == "c1"  # the hardest


def test_the_cases_of_the_chart_are_the_hardest_and_its_table_has_every_score():
    # Means 3/8, 8/8 and 5/8: c1, c3 and c2 is the order.
    comparison = comparisons.by_right_answers({"a": (2, 4, 3), "b": (1, 4, 2)}, 4)
    assert table(page_of(comparison), "accuracy by system and test case") == [
        ["case", "a", "b"],
        ["c1", "0.500", "0.250"],
        ["c3", "0.750", "0.500"],
        ["c2", "1.000", "1.000"],
    ]
    figure = cases_figure(case_scores(comparison))
    assert "from 0.250 to 1.000. The hardest case is c1." in figure.description
    chart = oe.plot.cases(comparison, systems=1, limit=2)
    assert cells(chart, "text") == {("a", "c1"): "0.50", ("a", "c3"): "0.75"}


# --- measures ---


def near_and_far():
    """Three systems on 8 items, which accuracy ranks A, B, C and the mean absolute error B, A, C.

    A errs twice by 3 classes (6/8 right, error 6/8), B three times by 1 (5/8, 3/8), C four times by 3 (4/8, 12/8).
    """
    gold = [1, 1, 1, 1, 4, 4, 4, 4]
    runs = oe.Runs.from_labels(
        gold,
        {"A": [4, 1, 1, 1, 1, 4, 4, 4], "B": [2, 2, 1, 1, 3, 4, 4, 4], "C": [4, 4, 1, 1, 1, 1, 4, 4]},
        labels=[1, 2, 3, 4],
    )  # fmt: skip
    return oe.compare(runs, metrics=["accuracy", "mae"], primary="accuracy", n_resamples=99)


def test_the_agreement_of_measures_is_that_of_their_rankings_and_its_colour_that_squared():
    # Of three pairs of systems two are ranked alike and one is reversed: tau-b is 1/3, and its square 1/9.
    chart = oe.plot.agreement(near_and_far())
    by_name = cells(chart, "text", "strength", "side")
    assert next(iter(by_name)) == ("accuracy", "accuracy")  # the primary measure is first
    assert by_name["accuracy", "accuracy"] == ("1.00", 1, "heat")
    assert by_name["accuracy", "mae"] == ("0.33", 0.111, "heat")


def test_a_property_is_marked_by_whether_it_holds():
    # As the paper's table 2 has it: accuracy has the first property alone, cem_ord has all three.
    page = page_of(near_and_far())
    header, *rows = table(page, "Formal properties of the measures")
    assert header[1:4] == ["Ordinal invariance", "Ordinal monotonicity", "Imbalance"]
    marks = {row[0]: row[1:4] for row in rows}
    assert marks["cem_ord"] == ["✓holds"] * 3
    assert marks["accuracy"] == ["✓holds", "✗refuted", "✗refuted"]


def test_the_table_of_properties_says_which_system_each_measure_puts_first():
    page = page_of(near_and_far())
    first = {row[0]: row[-1] for row in table(page, "Formal properties of the measures")}
    assert first["Measure"] == "Puts first"
    assert (first["accuracy"], first["mae"]) == ("A", "B")


# --- classes ---


@pytest.fixture(scope="module")
def answers():
    """Gold 1: 199 of 200 right and one taken for 2; gold 2: of 4 one right, one taken for 1, two unanswered."""
    gold = [1] * 200 + [2] * 4
    runs = oe.Runs.from_labels(
        gold, {"s": [1] * 199 + [2, 2, 1, None, None]}, labels=[1, 2], missing="zero"
    )
    return oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)


def test_the_contingency_chart_has_the_share_of_each_gold_class(answers):
    shown = cells(oe.plot.contingency(answers), "text", "more", "strength")
    assert shown == {
        ("1", "1"): ("199", "99%", 0.995),  # 100% would be all of them
        ("1", "2"): ("1", "", 0.005),
        ("1", "no answer"): ("", "", 0),
        ("2", "1"): ("1", "25%", 0.25),
        ("2", "2"): ("1", "25%", 0.25),
        ("2", "no answer"): ("2", "50%", 0.5),
    }


def test_the_table_of_answers_has_amounts_and_shares(answers):
    assert table(page_of(answers), "Answers of s") == [
        ["gold", "1", "2", "no answer"],
        ["1", "199 (over 99%)", "1 (under 1%)", "0"],
        ["2", "1 (25%)", "1 (25%)", "2 (50%)"],
    ]


def costly():
    """Gold 4 and 4: a right answer is worth -log2(2/8) = 2 bits and a wrong one -log2(6/8) = 0.415.

    Every error loses 1.585 bits. Three 1s are taken for 2 and one 2 for 1: 75% and 25% of the loss.
    """
    return oe.evaluate([1] * 4 + [2] * 4, [1, 2, 2, 2, 2, 2, 2, 1], level=None)


def test_the_cost_chart_has_the_share_of_the_loss_and_the_bits_of_one_error():
    shown = cells(oe.plot.costs(costly()), "text", "more", "strength", "side")
    assert shown == {
        ("1", "1"): ("", "", 0, "warm"),
        ("1", "2"): ("75%", "1.58 b", 1, "warm"),
        ("2", "1"): ("25%", "1.58 b", 0.333, "warm"),
        ("2", "2"): ("", "", 0, "warm"),
    }


def test_the_table_of_costs_has_the_most_costly_error_first():
    runs = oe.Runs.from_labels([1] * 4 + [2] * 4, {"s": [1, 2, 2, 2, 2, 2, 2, 1]})
    page = page_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert table(page, "What the errors of s cost") == [
        ["gold", "answer", "times", "bits each", "bits in all", "share of the loss"],
        ["1", "2", "3", "1.585", "4.8", "75.0%"],
        ["2", "1", "1", "1.585", "1.6", "25.0%"],
    ]


def test_the_descriptions_of_classes_have_their_shares(answers):
    # 199 + 1 of 204 items are right; 200 of 204 are of class 1.
    costs, name = costs_of_system(answers, None)
    assert "98% of the items are on the diagonal" in contingency_figure(costs, name).description
    gold = gold_figure(costs.scale, costs.count.sum(axis=1))
    assert "'1' is the most frequent with 98% of the items." in gold.description
    assert costs_figure(costs, name).description.endswith(
        f"Most costly: {costs.sentence(*costs.most_costly[0])}."
    )


def test_the_gold_chart_has_the_items_of_each_class_and_their_share():
    assert [(row["value"], row["text"]) for row in oe.plot.gold([1, 1, 1, 2, 2]).data.values] == [
        (3, "3 (60%)"),
        (2, "2 (40%)"),
    ]


def test_the_table_of_gold_has_shares_with_a_decimal():
    runs = oe.Runs.from_labels([1, 1, 2], {"s": [1, 1, 1]})
    page = page_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert table(page, "Gold distribution") == [
        ["class", "items", "share"],
        ["1", "2", "66.7%"],
        ["2", "1", "33.3%"],
    ]


def test_proximity_is_as_strong_as_its_share_of_the_largest():
    # Gold 2, 1, 1: right answers earn 2, 3 and 3 bits; class 1 for gold 2 earns -log2((2/2 + 1) / 4) = 1.
    shown = cells(oe.plot.proximity([1, 1, 2, 3]), "text", "strength")
    assert shown["1", "1"] == ("2.00", 0.667)
    assert shown["2", "2"] == ("3.00", 1)
    assert shown["2", "1"] == ("1.00", 0.333)


def test_the_right_answer_to_a_class_that_gold_never_uses_is_infinite_and_without_colour():
    shown = cells(oe.plot.proximity([1, 1, 3], labels=[1, 2, 3]), "text", "strength")
    assert shown["2", "2"] == ("∞", 0)


def test_small_cells_lose_the_lower_text_first_and_then_all_text():
    def texts(k):
        chart = oe.plot.contingency(oe.evaluate(list(range(k)), list(range(k)), level=None))
        return cells(chart, "text", "more")["0", "0"]

    assert [texts(k) for k in (12, 13, 24, 25)] == [("1", "100%"), ("1", ""), ("1", ""), ("", "")]


def test_labels_that_look_alike_keep_a_place_each():
    runs = oe.Runs.from_labels([1, 2], {"x": [1, 2], "x ": [1, 1], "x  ": [2, 1]})
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99)
    names = [row["name"] for row in oe.plot.forest(comparison).data.values]
    assert names == ["x", "x (2)", "x (3)"]


def test_the_difference_of_two_systems_that_tie_has_no_sign_either_way():
    gold = [1, 2, 3] * 20
    left = [label % 3 + 1 if at < 6 else label for at, label in enumerate(gold)]
    right = [label % 3 + 1 if at >= 54 else label for at, label in enumerate(gold)]
    comparison = oe.compare(gold, {"left": left, "right": right}, metrics=["cem_ord"], level=None)
    assert set(cells(oe.plot.pairs(comparison), "text").values()) == {"", "0.000"}
