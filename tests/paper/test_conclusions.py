"""Where the paper's conclusions hold and where they do not, on values that are set by hand."""

import gzip

import numpy as np
import pytest

import ordeval as oe
from ordeval.paper.campaigns import counts_beside, measure_folder
from ordeval.paper.coverage_table import Table3
from ordeval.paper.findings import (
    as_expected,
    conclusions_left,
    conclusions_right,
    exchange,
    item_counts,
    neighbouring_rows,
    open_points,
    remaining,
    right_half,
)
from ordeval.paper.printed import MEASURES, SYNTHETIC_COLUMNS, TABLE3
from ordeval.paper.reproduction import Entry
from ordeval.paper.section54 import RobustnessFigures
from ordeval.paper.synthetic import Choice, Exchange, exchanges, printed_left, swapped
from tests.paper.made_up import measured

NAMES = list(MEASURES)


# Table 3, right half: one set.


@pytest.mark.parametrize(
    ("cem", "holds"), [(0.9, True), (0.89, True), (0.88, True), (0.8799, False), (0.5, False)]
)
def test_cem_ord_is_near_the_top_if_it_is_at_most_two_hundredths_behind(cem, holds):
    # 0.9 - 0.88 is 0.020000000000000018 in floating point; it is 0.02 all the same.
    top, _, _ = measured({"mse": 0.9, "cem_ord": cem}).conclusions
    assert (top.what, top.holds) == ("cem_ord at or near the top", holds)


def test_the_evidence_for_the_top_is_a_place_a_distance_and_an_interval():
    best, _, _ = measured({"cem_ord": 0.9}).conclusions
    assert best.evidence == "best of 15 (0.900)"
    third, _, _ = measured({"mse": 0.9, "mae": 0.8, "cem_ord": 0.75}).conclusions
    assert third.evidence == "place 3 of 15, 0.150 behind mse ([0.150, 0.150]: significant)"
    unsure, _, _ = measured({"mse": 0.9, "cem_ord": 0.75}, spread=0.5).conclusions
    assert unsure.evidence.endswith(": not significant)")


@pytest.mark.parametrize(
    ("flat", "holds"), [(0.6, True), (0.7, False), (0.7 - 1e-14, False), (0.8, False)]
)
def test_cem_ord_flat_is_below_if_the_difference_is_no_tie(flat, holds):
    _, below, _ = measured({"cem_ord": 0.7, "cem_ord_flat": flat}).conclusions
    assert (below.what, below.holds) == ("cem_ord_flat below it", holds)


def test_the_evidence_for_the_flat_variant_is_the_difference_with_its_interval():
    _, below, _ = measured({"cem_ord": 0.7, "cem_ord_flat": 0.6}).conclusions
    assert below.evidence == "by 0.100 ([0.100, 0.100]: significant)"


@pytest.mark.parametrize(
    ("lower", "holds", "place"), [(0, True, "1st"), (1, True, "2nd"), (2, True, "3rd"), (3, False, "4th")]
)  # fmt: skip
def test_accuracy_within_is_poor_if_it_is_among_the_three_lowest(lower, holds, place):
    below = dict.fromkeys(["mae", "mse", "pearson"][:lower], 0.1)
    _, _, poor = measured({"accuracy_within": 0.3, **below}).conclusions
    assert (poor.what, poor.holds) == ("accuracy_within poor", holds)
    assert poor.evidence == f"{place} from the bottom, 0.300"


def test_the_sets_on_which_each_conclusion_holds_are_counted():
    for_it = measured({"cem_ord": 0.9, "cem_ord_flat": 0.8, "accuracy_within": 0.1})
    against = measured(
        {"mse": 0.9, "cem_ord_flat": 0.6, "pearson": 0.1, "mae": 0.1, "spearman": 0.1}
    )
    section = conclusions_right([for_it, for_it, against])
    assert section.note.startswith(
        "cem_ord at or near the top: 2 of 3 sets; cem_ord_flat below it: 2 of 3 sets; accuracy_within poor: 2 of 3 "
        "sets. At or near the top: at most 0.02 behind the best of the 15. Poor: among the 3 lowest."
    )
    assert [row[4].value for row in section.sheet.rows] == ["holds"] * 6 + ["does not hold"] * 3


def test_the_right_half_shows_the_paper_only_where_it_has_such_a_column():
    one = measured({"cem_ord": 0.5}, column="sem2014_t9b")
    row = right_half([one, measured({"cem_ord": 0.25})]).sheet.rows[NAMES.index("cem_ord")]
    # printed 0.99 for SEM-2014 T9-B
    assert row[2].value == "0.99 0.50 -0.49"
    assert row[3].value == 0.25


def test_only_surrogates_are_called_surrogates():
    sets = [measured(), measured(column="sem2014_t9b", kind="surrogate")]
    assert "The systems of sem2014_t9b are surrogates" in right_half(sets).note
    assert "The systems of no set are surrogates" in right_half(sets[:1]).note


def test_a_set_keeps_its_cases_or_is_cut_into_tenths_as_the_paper_has_it(tmp_path):
    # The same three cases of 20 items under two names: LLMJudge is taken by its cases, RuSentNE by random tenths.
    labels = [0, 1, 2, 1]
    rows = [(f"c{at // 20}", at, labels[at % 4]) for at in range(60)]
    gold = ["case,item,label", *(f"{case},{item},{label}" for case, item, label in rows)]
    answers = [
        f"{case},{item},{name},{label if item % step else 2 - label}"
        for name, step in (("often", 3), ("seldom", 7), ("never", 60))
        for case, item, label in rows
    ]
    for folder, files in {
        "llmjudge2024": ("gold.csv.gz", "systems.csv.gz"),
        "rusentne2023_llm": ("gold_en.csv.gz", "systems_en.csv.gz"),
    }.items():
        (tmp_path / folder).mkdir()
        for name, lines in zip(files, (gold, ["case,item,system,label", *answers]), strict=True):
            with gzip.open(tmp_path / folder / name, "wt") as target:
                target.write("\n".join(lines) + "\n")
    found = measure_folder(tmp_path, repeats=2, resamples=9)
    assert {one.data_set.key: (one.items, one.systems, one.cases) for one in found} == {
        "rusentne_en": (60, 3, 10),
        "llmjudge": (60, 3, 3),
    }


# Table 3, left half.


def left(change=None, seeds=1, **more):
    """Table 3 whose left half is the printed one, with some values of ours[seed, measure, column] set."""
    ours = np.repeat(printed_left()[None], seeds, axis=0)
    for (seed, name, column), value in (change or {}).items():
        ours[seed, NAMES.index(name), list(SYNTHETIC_COLUMNS).index(column)] = value
    settings = {"end": "keep", "errors": "bernoulli", "undefined": "omit"}
    return Table3(tuple(range(seeds)), ours, **settings, **more)


def test_the_printed_half_itself_has_cem_ord_best_in_every_column():
    section = conclusions_left(left())
    assert [row[1].value for row in section.sheet.rows] == ["1"] * 6
    assert "Here cem_ord is best in 6 of 6 (all, " in section.note
    assert "and above cem_ord_flat in 6 (all, " in section.note


def test_a_column_in_which_another_measure_is_better_is_not_counted():
    # printed in the first column: cem_ord 0.91, MSE 0.89, cem_ord_flat 0.87
    section = conclusions_left(left({(0, "mse", "all"): 0.95, (0, "cem_ord_flat", "all"): 0.92}))
    place, best = (section.sheet.rows[0][at].value for at in (1, 2))
    assert (place, best) == ("3", "mse 0.950")
    assert "Here cem_ord is best in 5 of 6 (minus_rand, " in section.note
    assert "and above cem_ord_flat in 5 (minus_rand, " in section.note


def test_a_tie_for_the_best_place_is_the_best_place_and_a_tie_with_the_variant_is_not_above_it():
    section = conclusions_left(left({(0, "mse", "all"): 0.91, (0, "cem_ord_flat", "all"): 0.91}))
    assert [cell.value for cell in section.sheet.rows[0][:3]] == ["all", "1", "cem_ord 0.910"]
    assert "best in 6 of 6" in section.note
    assert "above cem_ord_flat in 5 " in section.note


def test_the_seeds_in_which_cem_ord_is_best_and_above_the_variant_are_counted():
    change = {(0, "mse", "all"): 0.99, (1, "cem_ord_flat", "all"): 0.9101}
    row = conclusions_left(left(change, seeds=4)).sheet.rows[0]
    # mse is best in seed 0; the variant is above in seed 1, and best in it
    assert (row[4].value, row[6].value) == ("2 of 4", "3 of 4")
    # (3 * 0.04 - 0.0001) / 4
    assert row[5].value == pytest.approx(0.029975)


@pytest.mark.parametrize(
    ("value", "far", "close"),
    [
        (0.91, 0, 90), (0.94, 0, 90), (0.9401, 0, 89), (0.96, 0, 89), (0.9601, 1, 89), (0.86, 0, 89), (0.8599, 1, 89),
    ],
)  # fmt: skip
def test_far_is_more_than_five_hundredths_and_close_at_most_three(value, far, close):
    # cem_ord is printed as 0.91; the rows of MAE^m and MSE count as exchanged, so ours are exchanged, too.
    table = left({(0, "cem_ord", "all"): value})
    a, b = NAMES.index("macro_mae"), NAMES.index("mse")
    table.ours[0] = swapped(table.ours[0], a, b)
    section = remaining(table)
    assert len(section.sheet.rows) == far
    # as printed, the six numbers of each of the two rows are farther away than 0.03
    assert f"{close - 12} of 90 numbers lie within 0.03" in section.note
    assert f"and {close} with macro_mae and mse exchanged. The {far} listed" in section.note


def test_chance_is_ruled_out_only_where_there_are_several_seeds():
    assert "Chance" not in remaining(left()).note
    # two seeds 0.2 apart: a standard deviation of 0.2 / sqrt(2)
    note = remaining(left({(0, "mae", "all"): 0.74, (1, "mae", "all"): 0.94}, seeds=2)).note
    assert note.endswith("no number has a spread above 0.141 over the seeds.")


def test_an_exchange_of_two_rows_is_found_with_what_it_gains():
    # Ours is the printed half with two rows exchanged: exchanging them back takes the difference to 0.
    ours = swapped(printed_left(), NAMES.index("accuracy"), NAMES.index("spearman"))[None]
    first = exchanges(ours)[0]
    columns = list(SYNTHETIC_COLUMNS)
    apart = sum(abs(TABLE3["accuracy"][c] - TABLE3["spearman"][c]) for c in columns)
    assert (first.a, first.b) == ("accuracy", "spearman")
    assert (first.before, first.after) == pytest.approx((2 * apart, 0))
    assert first.gain == pytest.approx(2 * apart)
    again = exchanges(ours, ("accuracy", "spearman"))
    assert again[0].gain <= 0


def test_the_gain_of_an_exchange_runs_from_the_least_to_the_greatest_over_seeds():
    # In the first seed the two rows are exchanged, so that the exchange gains their distance twice; in the second they
    # are as printed, and it loses as much.
    printed = printed_left()
    rows = NAMES.index("accuracy"), NAMES.index("spearman")
    (found,) = (
        one
        for one in exchanges(np.stack([swapped(printed, *rows), printed]))
        if (one.a, one.b) == ("accuracy", "spearman")
    )
    apart = np.abs(printed[rows[0]] - printed[rows[1]]).sum()
    assert (found.least_gain, found.greatest_gain) == pytest.approx((-2 * apart, 2 * apart))


def test_the_last_column_is_the_largest_spread_of_a_row():
    # mae is 0.2 apart in one column and alike in the others: 0.2 / sqrt(2)
    table = left({(0, "mae", "all"): 0.74, (1, "mae", "all"): 0.94}, seeds=2)
    assert table.sheet().rows[NAMES.index("mae")][-1].value == pytest.approx(0.2 / 2**0.5)


def test_two_rows_are_said_to_stand_in_each_others_place_only_if_they_are_the_suspects():
    some = [Exchange("mae", "rmse", 2.0, 1.0, 0.5, 1.5), Exchange("mae", "mse", 1.0, 0.9, 0.1, 0.1)]
    suspects = [Exchange("macro_mae", "mse", 2.0, 0.25, 1.5, 2.0), *some[1:]]
    other = exchange(left(exchanges=tuple(some), further=tuple(some)))
    assert "The rows MAE^m (macro_mae) and MSE (mse) do not seem to be exchanged" in other.note
    found = exchange(left(exchanges=tuple(suspects), further=tuple(some)))
    assert (
        "The rows MAE^m (macro_mae) and MSE (mse) seem to be exchanged in the paper" in found.note
    )
    assert "from 2.000 to 0.250, in every seed by at least 1.500" in found.note
    assert "no other gains more than 1.000" in found.note


def test_the_open_points_name_the_nearest_way_and_the_nearest_rule_for_it():
    ways = (
        Choice("last", "exact", "omit", 0.03, 0.02, 0.001),
        Choice("keep", "exact", "omit", 0.04, 0.03, 0.001),
        Choice("last", "exact", "zero", 0.01, 0.02, 0.001),
        Choice("keep", "exact", "lowest", 0.001, 0.02, 0.001),  # of another way: does not count
    )
    note = open_points(left(choices=ways)).note
    assert "Nearest: end='last'" in note
    assert "errors='exact'" in note
    assert "undefined='zero'" in note


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        ((0.1, 0.2, 0.1, 0.2), True), ((0.2, 0.1, 0.1, 0.2), False), ((0.1, 0.2, 0.2, 0.1), False),
        ((0.1, 0.1004, 0.1, 0.2), False), ((0.1, 0.101, 0.1, 0.2), True), ((0.1, 0.2, 0.1, 0.1004), False),
    ],
)  # fmt: skip
def test_rows_are_as_expected_if_each_is_nearer_to_its_kind_by_what_three_decimals_show(
    distances, expected
):
    assert as_expected(distances) is expected


def test_the_rows_on_our_sets_are_compared_with_their_neighbours():
    near = measured({"mae": 0.8, "mse": 0.8, "macro_mae": 0.5, "macro_mse": 0.5})
    section = neighbouring_rows(left(sets=(near,)))
    assert [row[2].value for row in section.sheet.rows] == pytest.approx([0, 0.3, 0, 0.3])
    assert "On our 1 sets they do so" in section.note
    crossed = measured({"mae": 0.8, "mse": 0.5, "macro_mae": 0.8, "macro_mse": 0.5})
    assert "they do not clearly do so" in neighbouring_rows(left(sets=(crossed,))).note
    assert "On our" not in neighbouring_rows(left()).note


def test_counts_of_items_are_put_beside_the_files_and_the_nearest_of_them():
    # The paper counts 2,392 for T9-A and 2,396 for T9-B of 2014; the second has a file of 2,392 here.
    one = measured(column="sem2014_t9b", items=2392)
    rows = {row["column"]: row for row in counts_beside([one])}
    assert (rows["sem2014_t9b"]["items"], rows["sem2014_t9b"]["matches"]) == (2392, False)
    assert rows["sem2014_t9a"]["nearest"] == "sem2014_t9b"
    note = item_counts([one]).note
    assert "SEM-2014 T9-A (2,392) is within 0 of SEM-2014 T9-B (2,392)" in note
    assert "SEM-2015 T10-C (3,097) is within 5 of SEM-2015 T10-A (3,092)" in note
    assert "0 of 6 counts match" in note
    other = measured(items=2392)  # of no column of the paper
    assert {row["nearest"] for row in counts_beside([other])} == {"sem2015_t10a"}
    right = measured(column="sem2014_t9b", items=2396)
    assert "1 of 6 counts match" in item_counts([right]).note


@pytest.mark.parametrize(("items", "crossed"), [(2402, True), (2403, False)])
def test_a_count_is_near_another_columns_file_if_they_differ_by_at_most_ten(items, crossed):
    note = item_counts([measured(column="sem2014_t9b", items=items)]).note
    assert ("SEM-2014 T9-A (2,392) is within" in note) is crossed


# Section 5.4.


def figures(*robustness):
    return RobustnessFigures(np.zeros((1, 15)), tuple(measured(None, one) for one in robustness))


@pytest.mark.parametrize(
    ("cem", "holds"), [(0.8, True), (0.795, True), (0.7949, False), (0.9, True), (0.3, False)]
)
def test_cem_ord_is_among_the_most_robust_if_two_decimals_cannot_tell_it_from_the_highest(
    cem, holds
):
    most, _, _ = figures({"mse": 0.8, "cem_ord": cem}).statements
    assert (most.what, most.holds) == ("cem_ord is among the most robust", holds)


def test_the_evidence_for_robustness_is_a_place_and_the_highest():
    most, _, _ = figures({"mse": 0.8, "mae": 0.7, "cem_ord": 0.6}).statements
    assert most.evidence == "place 3, 0.600; highest mse 0.800"


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ({"accuracy_within": 0.1, "macro_mae": 0.2}, True),
        ({"accuracy_within": 0.2, "macro_mae": 0.1}, True),
        ({"accuracy_within": 0.1, "macro_mae": 0.3, "mse": 0.2}, False),
        ({"accuracy_within": 0.9, "macro_mae": 0.9}, False),
    ],
)
def test_the_least_robust_must_be_the_papers_two(values, holds):
    _, least, _ = figures(values).statements
    assert least.holds is holds


def test_the_evidence_for_the_least_robust_is_the_lowest_two():
    _, least, _ = figures({"accuracy_within": 0.1, "macro_mae": 0.2}).statements
    assert least.evidence == "lowest accuracy_within 0.100 and macro_mae 0.200"


@pytest.mark.parametrize(
    ("cem", "flat", "holds"),
    [(0.6, 0.5, True), (0.5, 0.6, False), (0.6, 0.6, False), (0.3, 0.1 + 0.2, False), (0.1 + 0.2, 0.3, False)],
)  # fmt: skip
def test_cem_ord_is_more_robust_than_the_variant_if_it_is_no_tie(cem, flat, holds):
    _, _, more = figures({"cem_ord": cem, "cem_ord_flat": flat}).statements
    assert more.holds is holds


def test_the_mean_over_the_sets_decides_and_the_sets_are_counted():
    # cem_ord is above in one of three sets, and on the mean: (0.9 + 0.5 + 0.5) / 3 against (0.3 + 0.6 + 0.5) / 3
    found = figures(
        {"cem_ord": 0.9, "cem_ord_flat": 0.3},
        {"cem_ord": 0.5, "cem_ord_flat": 0.6},
        {"cem_ord": 0.5, "cem_ord_flat": 0.5},
    )
    _, _, more = found.statements
    assert more.holds
    assert more.evidence == "0.633 and 0.467; in 1 of 3 sets"
    rows = {row["metric"]: row for row in found.to_dict()["rows"]}
    assert rows["cem_ord"]["ours"] == pytest.approx(1.9 / 3)


def test_the_figures_have_a_mean_and_a_spread_over_seeds():
    synthetic = np.zeros((2, 15))
    synthetic[:, NAMES.index("mae")] = 0.5, 0.7
    rows = {row["metric"]: row for row in RobustnessFigures(synthetic).to_dict()["rows"]}
    # the standard deviation of two numbers is their distance over sqrt(2)
    assert rows["mae"]["synthetic"] == pytest.approx(0.6)
    assert rows["mae"]["synthetic_spread"] == pytest.approx(0.2 / 2**0.5)
    one = {row["metric"]: row for row in RobustnessFigures(synthetic[:1]).to_dict()["rows"]}
    assert one["mae"]["synthetic_spread"] is None


def test_ours_minus_the_printed_figure_is_shown_where_there_is_one():
    # printed: cem_ord 0.57
    line = next(
        line for line in str(figures({"cem_ord": 0.6})).splitlines() if line.startswith("cem_ord ")
    )
    assert line.split()[:4] == ["cem_ord", "0.57", "0.60", "+0.03"]


# Worked examples.


@pytest.mark.parametrize(
    ("ours", "agrees"), [(0.2251, True), (0.2349, True), (0.2249, False), (0.2351, False)]
)
def test_a_number_agrees_if_it_rounds_to_the_printed_one(ours, agrees):
    entry = Entry("x", 0.23, ours)
    assert entry.agrees is agrees
    assert entry.difference == pytest.approx(ours - 0.23)


def test_the_printed_numbers_that_come_out_are_counted():
    found = oe.paper.figure1()
    entries = (*found.entries, Entry("wrong", 1.0, 2.0))
    other = type(found)(found.kind, found.title, entries, found.steps)
    assert not other.agrees
    assert repr(other) == "<figure1: 4 of 5 printed numbers are reproduced>"
