"""What the charts and the tables below them show, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats.sheet import written
from ordeval.report.cases import case_scores
from ordeval.report.class_figures import contingency_figure, costs_figure, gold_figure
from ordeval.report.comparison_figures import (
    cases_figure,
    forest_figure,
    pairs_figure,
    rank_range,
    ranks_figure,
)
from ordeval.report.palette import tier_number
from ordeval.report.plot import costs_of_system
from tests.report import comparisons
from tests.report.pages import column, page_of, table

DASH = "\N{EN DASH}"
# Right answers of 4, so that accuracy is 1, 0.75 and 0.5 overall.
RIGHT = {"c": (2, 2), "a": (4, 4), "b": (4, 2)}


def cells(chart, *fields):
    """The cells of a matrix by row and column: one field, or a tuple of several."""
    data = chart.to_dict()["datasets"].values()
    (rows,) = [rows for rows in data if "column" in rows[0]]
    return {
        (row["row"], row["column"]): row[fields[0]] if len(fields) == 1 else tuple(row[f] for f in fields)
        for row in rows
    }  # fmt: skip


def axis_title(chart, axis):
    return chart.to_dict()["layer"][0]["encoding"][axis]["axis"]["title"]


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
    # Every resample of two cases that are both right or both half right has the same mean.
    assert [(row["low"], row["high"]) for row in (data[0], data[2])] == [(1, 1), (0.5, 0.5)]
    assert (data[1]["low"], data[1]["high"]) == (0.5, 1)


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


def test_late_tiers_share_the_last_colour():
    assert [tier_number(tier) for tier in (1, 2, 6, 7, 99)] == [1, 2, 6, 6, 6]


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
        ("1. a", "1"): ("", 0, "heat"),
        ("1. a", "2"): (f"{sign * 0.25:+.3f}", 0.5, "heat"),
        ("1. a", "3"): (f"{sign * 0.5:+.3f}", 1, "heat"),
        ("2. b", "1"): (f"{-sign * 0.25:+.3f}", 0.5, "warm"),
        ("2. b", "2"): ("", 0, "heat"),
        ("2. b", "3"): (f"{sign * 0.25:+.3f}", 0.5, "heat"),
        ("3. c", "1"): (f"{-sign * 0.5:+.3f}", 1, "warm"),
        ("3. c", "2"): (f"{-sign * 0.25:+.3f}", 0.5, "warm"),
        ("3. c", "3"): ("", 0, "heat"),
    }


def test_the_axis_of_the_differences_says_what_is_subtracted():
    chart = oe.plot.pairs(comparisons.by_right_answers(RIGHT, 4))
    assert axis_title(chart, "x") == "minus the system of this rank"


def two_against_one(cases):
    """On every case a and b are ahead of c, and in turn ahead of each other.

    Of the 2^n signs of the n differences to c 2 are as extreme: p = 2 / 2^n, by Holm times 3 for the first of the equal
    two and so for both. The differences of a and b cancel: p = 1.
    """
    half = cases // 2
    return comparisons.by_right_answers(
        {"a": (4, 2) * half, "b": (2, 4) * half, "c": (1, 1) * half}, 4
    )


def test_a_dot_marks_what_is_significant_after_correction():
    eight = two_against_one(8)  # p = 2/256 = 0.0078, times 3 0.0234
    marked = cells(oe.plot.pairs(eight), "more")
    assert {place for place, dot in marked.items() if dot == "●"} == {
        ("1. a", "3"), ("3. c", "1"), ("2. b", "3"), ("3. c", "2"),
    }  # fmt: skip
    assert "2 of 3 differences are significant at 0.05." in pairs_figure(eight).description
    six = two_against_one(6)  # p = 2/64 = 0.031, times 3 0.094
    assert not any(cells(oe.plot.pairs(six), "more").values())
    assert "0 of 3 differences are significant at 0.05." in pairs_figure(six).description


def test_the_table_of_differences_has_p_values_before_and_after_correction():
    comparison = two_against_one(8)
    page = page_of(comparison)
    caption = "Paired differences in accuracy"
    header, *rows = table(page, caption)
    assert header == ["a", "b", "a - b", "low", "high", "p", "p adjusted", "significant", "a wins"]
    assert [row[:3] for row in rows] == [
        ["a", "b", "0.0000"],
        ["a", "c", "0.5000"],
        ["b", "c", "0.5000"],
    ]
    ends = [(f"{pair.low:.4f}", f"{pair.high:.4f}") for pair in comparison.pairs]
    assert [(row[3], row[4]) for row in rows] == ends
    assert column(page, caption, "p") == ["1.0000", "0.0078", "0.0078"]
    assert column(page, caption, "p adjusted") == ["1.0000", "0.0234", "0.0234"]
    assert column(page, caption, "significant") == ["no", "yes", "yes"]
    assert column(page, caption, "a wins")[1:] == ["1.000", "1.000"]


def test_pairs_among_the_first_systems_alone_are_drawn_under_a_limit():
    chart = oe.plot.pairs(comparisons.by_right_answers(RIGHT, 4), limit=2)
    assert set(cells(chart, "text")) == {(r, c) for r in ("1. a", "2. b") for c in "12"}


def test_beyond_14_systems_a_cell_has_a_dot_in_place_of_its_number():
    def texts(systems):
        right = {f"s{n}": (20 - n, 20 - n) for n in range(systems)}
        return cells(oe.plot.pairs(comparisons.by_right_answers(right, 20)), "text")

    assert texts(14)["1. s0", "2"] == "+0.050"
    assert set(texts(15).values()) == {""}  # with two cases nothing is significant


# --- ranks ---


def ranked(**shares):
    """A comparison of which only the shares of the ranks are known."""
    return SimpleNamespace(
        leaderboard=[SimpleNamespace(system=s, rank_shares=row) for s, row in shares.items()]
    )


def test_a_rank_is_as_strong_as_the_root_of_its_share_and_says_its_percentage():
    figure = ranks_figure(ranked(a=(0.75, 0.25), b=(0.25, 0.75)))
    assert cells(figure.chart, "strength", "text") == {
        ("a", "1"): (0.866, "75"),
        ("a", "2"): (0.5, "25"),
        ("b", "1"): (0.5, "25"),
        ("b", "2"): (0.866, "75"),
    }


def test_a_share_of_ranks_in_a_cell_is_blank_below_1_percent_and_100_only_if_it_is_all():
    figure = ranks_figure(ranked(a=(0.999, 0.001), b=(0.0099, 0.9901), c=(0.01, 0.99), d=(0, 1)))
    texts = cells(figure.chart, "text")
    assert [texts[s, r] for s in "abcd" for r in "12"] == ["99", "", "", "99", "1", "99", "", "100"]


def test_ranks_that_nobody_takes_have_no_column_at_the_end():
    figure = ranks_figure(ranked(a=(0.9, 0, 0.0995, 0.0005), b=(0.1, 0, 0.9, 0)))
    assert {rank for _, rank in cells(figure.chart, "text")} == {"1", "2", "3", "4"}
    figure = ranks_figure(ranked(a=(0.9, 0, 0.0996, 0.0004), b=(0.1, 0, 0.9, 0)))
    assert {rank for _, rank in cells(figure.chart, "text")} == {"1", "2", "3"}


def test_the_table_of_ranks_has_the_share_of_the_first_the_median_and_the_middle_95_percent():
    # a: 2.5% of the resamples are passed at rank 1, half at rank 1, 97.5% at rank 3. b: at ranks 1, 2 and 3.
    figure = ranks_figure(ranked(a=(0.5, 0.47, 0.03, 0), b=(0.03, 0.94, 0.03, 0), c=(0, 0, 1, 0)))
    assert data_of(figure) == [
        ["a", "50.0%", "1", "1 to 3"],
        ["b", "3.0%", "2", "1 to 3"],
        ["c", "0.0%", "3", "3 to 3"],
    ]
    assert "a is first in 50.0% of the resamples." in figure.description


@pytest.mark.parametrize(
    ("shares", "ranks"),
    [
        (
            [0.025, 0.475, 0.475, 0.025],
            (1, 2, 3),
        ),  # the sums are 0.025, 0.5 and 0.975, up to rounding
        ([0.024, 0.475, 0.475, 0.026], (2, 3, 4)),
        ([0.05, 0.9, 0.05], (1, 2, 3)),  # of 90% it would be 1, 2 and 2
        ([0.04, 0.92, 0.04], (1, 2, 3)),  # of 90% it would be 2, 2 and 2
        ([0.02, 0.96, 0.02], (2, 2, 2)),
        ([1.0], (1, 1, 1)),
    ],
)
def test_the_range_of_ranks_leaves_a_fortieth_of_the_resamples_on_each_side(shares, ranks):
    assert rank_range(np.array(shares)) == ranks


def test_a_system_that_is_always_better_keeps_the_first_rank_in_all_resamples():
    comparison = comparisons.by_right_answers({"b": (3, 2), "a": (4, 4)}, 4)
    assert table(page_of(comparison), "Distribution of ranks")[1:] == [
        ["a", "100%", "1", "1 to 1"],
        ["b", "0.0%", "2", "2 to 2"],
    ]


# --- test cases ---


@pytest.mark.parametrize(("metric", "least"), [("accuracy", 0), ("mae", 50)])
def test_a_score_on_a_case_is_as_strong_as_its_place_between_the_outer_fiftieths(metric, least):
    # 51 cases, of which case c(n + 1) has n of 50 right, so the 2% and 98% quantiles are the second and the last but
    # one: 0.02 and 0.98. Colours begin at 0.04: a half is 0.04 + 0.96 * (0.5 - 0.02) / 0.96 = 0.52, and 2 of 50 are
    # 0.04 + 0.96 * 0.02 / 0.96 = 0.06. An error is the stronger the smaller it is.
    right = {"a": tuple(range(51))}
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
    by_number = cells(chart, "text", "strength", "side")
    rows = {name: number for number, name in (row.split(". ") for row, _ in by_number)}
    assert rows["accuracy"] == "1"
    assert by_number["1. accuracy", "1"] == ("1.00", 1, "heat")
    assert by_number["1. accuracy", rows["mae"]] == ("0.33", 0.111, "heat")


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
