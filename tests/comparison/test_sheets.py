"""The tables of scores and comparisons: which columns each form shows, what is marked, what stands below."""

import csv
import io
import re
from types import SimpleNamespace

import numpy as np
import pytest

import ordeval as oe
from ordeval.comparison.leaderboard_sheet import MANY_PAIRS, place_of_constant
from ordeval.comparison.score_runs import score_runs
from ordeval.formats.latex import ranges
from tests.report.pages import page_of

DASH = "\N{EN DASH}"
BOLD = {
    "text": "\x1b[1m{}\x1b[0m",
    "markdown": "**{}**",
    "latex": r"\textbf{{{}}}",
    "html": "<b>{}</b>",
}


def in_form(result, form):
    """Write a result, the text as on a wide terminal with colour."""
    if form == "text":
        return result.to_text(width=300, colour=True)
    return result._repr_html_() if form == "html" else getattr(result, f"to_{form}")()


def board_of(text):
    """Return the first table, without what stands above it, as text, Markdown or HTML."""
    if "<table" in text:
        return text.split("<table")[1].split("</table>")[0]
    return text if "tabular" in text else text.split("\n\n")[1]


def row_of(text, name):
    """Return the first row that names a system, whatever the form: the verdict may name it below."""
    rows = text.split("</tr>") if "<tr>" in text else text.splitlines()
    return next(row for row in rows if re.search(rf"(^|[\s|>&]){name}([\s|<&]|$)", row))


@pytest.fixture(scope="module")
def nearly_equal():
    """In each case, of two items of weight 1 and one of weight 4e-13, ann is right on the first and the last.

    bob is right on the first alone, so that their accuracies, and their errors, differ by 4e-13 / 2 = 2e-13: they tie.
    """
    gold = [1, 2, 2] * 2
    answers = {"bob": [1, 1, 1] * 2, "ann": [1, 1, 2] * 2, "cal": [2, 1, 1] * 2}
    return oe.Runs.from_labels(gold, answers, case=list("xxxyyy"), sample_weight=[1, 1, 4e-13] * 2)


@pytest.mark.parametrize("form", BOLD)
@pytest.mark.parametrize("of", ["evaluate", "compare"])
def test_systems_that_tie_up_to_rounding_are_both_marked_as_the_best(nearly_equal, form, of):
    metrics = ["accuracy", "mae"]
    if of == "compare":
        result = oe.compare(nearly_equal, metrics=metrics, primary="accuracy", level=None, rng=1)
    else:
        result = score_runs(nearly_equal, metrics=metrics, level=None)
    bob, ann, _ = (result.scores if of == "compare" else result).values[0]
    assert 0 < ann - bob < 1e-12  # otherwise there is nothing to see here
    text = board_of(in_form(result, form))
    for name in ("ann", "bob"):
        assert row_of(text, name).count(BOLD[form].format("0.500")) == 2
    assert BOLD[form].split("{}")[0] not in row_of(text, "cal")


def test_the_page_marks_systems_that_tie_up_to_rounding_too(nearly_equal):
    found = oe.compare(
        nearly_equal, metrics=["accuracy", "mae"], primary="accuracy", level=None, n_resamples=99
    )
    board = page_of(found).split('<table id="board"')[1].split("</table>")[0]
    marks = {name: row_of(board, name).count("★") for name in ("ann", "bob", "cal")}
    assert marks == {"ann": 2, "bob": 2, "cal": 0}


def test_systems_that_tie_up_to_rounding_stand_in_the_order_of_their_names_and_share_a_tier():
    # Accuracies of 0.1, 0.2, 0.3 and of 0.3, 0.2, 0.1 over three cases: the same mean, but (0.1 + 0.2) + 0.3 is more
    # than (0.3 + 0.2) + 0.1 in floating point.
    right = {"z": [1, 2, 3], "a": [3, 2, 1]}
    answers = {
        name: [int(i < n) for n in numbers for i in range(10)] for name, numbers in right.items()
    }
    runs = oe.Runs.from_labels([1] * 30, answers, case=np.repeat(list("pqr"), 10), labels=[0, 1])
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99)
    z, a = found.scores.values[0]
    assert z > a
    assert found.systems == ("a", "z")
    assert found.tiers == (("a", "z"),)


def test_the_only_system_is_not_marked_as_the_best():
    runs = oe.Runs.from_labels([1, 2, 3], {"only": [1, 2, 2]})
    for form, bold in BOLD.items():
        text = board_of(in_form(oe.compare(runs, level=None), form))
        assert bold.split("{}")[0] not in row_of(text, "only")


# --- the columns ---


@pytest.fixture(scope="module")
def comparison():
    """By hand: x is right on 38 of 40 items, y on 20, z on 2, each on those that the better one has right, too."""
    gold = [1, 2] * 20
    answers = {
        name: [g if i < n else 3 - g for i, g in enumerate(gold)]
        for name, n in {"z": 2, "x": 38, "y": 20}.items()
    }
    runs = oe.Runs.from_labels(gold, answers, labels=[1, 2, 3])
    return oe.compare(runs, metrics=["mae", "accuracy"], primary="accuracy", n_resamples=499)


def test_people_see_ranks_system_and_the_measures_with_the_primary_first(comparison):
    text = board_of(str(comparison)).splitlines()
    assert text[0].split() == ["ranks", "system", "accuracy", "↑", "mae", "↓"]
    assert re.match(r"1 +x +0\.950 \[0\.\d{3}, [01]\.\d{3}\]  0\.050 \[", text[2])
    markdown = board_of(comparison.to_markdown()).splitlines()
    assert markdown[0] == "| ranks | system | accuracy ↑ | mae ↓ |"
    assert markdown[1] == "| --- | --- | ---: | ---: |"
    assert re.findall(r"<th [^>]*>(.*?)</th>", comparison._repr_html_())[:4] == [
        "ranks",
        "system",
        "accuracy ↑",
        "mae ↓",
    ]


def test_csv_has_the_rank_and_the_ends_of_the_intervals_as_they_are(comparison):
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert list(rows[0]) == [
        "rank", "rank_low", "rank_high", "tier", "system", "items", "answered", "accuracy", "accuracy_low",
        "accuracy_high", "mae", "mae_low", "mae_high",
    ]  # fmt: skip
    assert [(row["rank"], row["tier"], row["system"]) for row in rows] == [
        ("1", "1", "x"),
        ("2", "2", "y"),
        ("3", "3", "z"),
    ]
    score = comparison.leaderboard[1].scores["accuracy"]
    assert [float(rows[1][f"accuracy{end}"]) for end in ("", "_low", "_high")] == [
        0.5,
        score.low,
        score.high,
    ]


def test_csv_without_intervals_has_one_field_for_each_measure(comparison):
    found = oe.compare(comparison.runs, metrics=["mae"], primary="mae", level=None)
    assert found.to_csv().splitlines()[0] == (
        "rank,rank_low,rank_high,tier,system,items,answered,mae"
    )


def test_latex_has_the_rank_no_intervals_and_superscripts_for_whom_a_system_beats(comparison):
    lines = comparison.to_latex(label="tab:x").splitlines()
    assert lines[:5] == [
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{rlrlrr}",
        r"\toprule",
        r" & ranks & tier & system & accuracy $\uparrow$ & mae $\downarrow$ \\",
    ]
    assert lines[6:10] == [
        r"1 & 1 & 1 & x & \textbf{0.950}\textsuperscript{2,3} & \textbf{0.050} \\",
        r"2 & 2 & 2 & y & 0.500\textsuperscript{3} & 0.500 \\",
        r" &  &  & \textit{always 1} & \textit{0.500} & \textit{0.500} \\",
        r"3 & 3 & 3 & z & 0.050 & 0.950 \\",
    ]
    assert lines[-2:] == [r"\label{tab:x}", r"\end{table}"]
    assert lines[-3] == (
        r"\caption{3 systems, 40 items, best first by accuracy. $\uparrow$: higher is better; $\downarrow$: lower is "
        "better. No answer is missing. Bold: the best value of each measure. Ranks: those that a system may have, "
        "given which differences are significant; a system whose ranks begin with 1 may be the best. A tier ends "
        "where every system above is significantly better than every system below. A superscript lists, by their "
        "numbers, the "
        "systems that a system significantly beats by accuracy. Two-sided t test by item, corrected for 3 pairs "
        "(step-down max-t, 499 sign flips, seed 0), significant at 0.05. Italics: the best constant answer.}"
    )
    for form in ("text", "markdown", "html"):
        assert "superscript" not in in_form(comparison, form)
        assert "<sup>" not in in_form(comparison, form)


def test_three_systems_in_a_row_that_are_beaten_are_written_as_a_range():
    assert ranges([2, 3, 4, 7, 8, 10]) == "2--4,7,8,10"
    assert ranges([]) == ""


def test_whom_a_system_beats_is_decided_by_the_primary_measure_and_the_adjusted_p(comparison):
    by_name = {one.system: one.beats for one in comparison.leaderboard}
    assert by_name == {"x": ("y", "z"), "y": ("z",), "z": ()}
    beaten = {
        (pair.a, pair.b)
        for pair in comparison.pairs
        if pair.metric == "accuracy" and pair.p_adjusted <= 0.05
    }
    assert beaten == {(a, b) for a, systems in by_name.items() for b in systems}


def test_answered_is_shown_to_people_if_a_system_left_out_more_than_a_few_and_csv_always_has_the_counts():
    gold = [1, 2, 3] * 333 + [1]
    holes = [None, *gold[1:]]
    runs = oe.Runs.from_labels(gold, {"all": gold, "most": holes}, missing="zero")
    scores = score_runs(runs, metrics=["accuracy"], level=None)
    text = board_of(scores.to_text()).splitlines()
    assert text[0].split() == ["system", "answered", "accuracy", "↑"]
    assert text[2].split() == ["all", "100%", "1.000"]
    assert text[3].split() == ["most", "99.9%", "0.999"]  # 999 of 1,000: rounded down, not up
    assert text[4].split() == ["always", "1", "0.334"]  # 334 of 1,000, and it left nothing out
    assert scores.to_csv().splitlines() == [
        "system,items,answered,accuracy",
        "all,1000,1000,1.0",
        "most,1000,999,0.999",
    ]
    full = score_runs(runs.select(["all"]), metrics=["accuracy"], level=None)
    assert board_of(full.to_text()).splitlines()[0].split() == ["system", "accuracy", "↑"]
    assert board_of(full.to_markdown()).splitlines()[0] == "| system | accuracy ↑ |"
    assert full.to_csv().splitlines()[0] == "system,items,answered,accuracy"


def test_nearly_all_answers_are_told_in_the_caption_and_take_no_column():
    gold = [1, 2, 3, 1] * 500
    holes = [None, *gold[1:]]  # 1,999 of 2,000 are 99.95%
    found = oe.compare(gold, {"all": gold, "most": holes}, missing="zero", level=None)
    assert "answered" not in board_of(str(found))
    assert "1 answer is missing (every system answered at least 99.9% of the items)" in str(found)
    assert found.to_csv().splitlines()[2].startswith("2,1,2,1,most,2000,1999,")


def test_an_undefined_score_is_a_dash_with_a_footnote_but_for_latex_whose_superscripts_are_systems():
    runs = oe.Runs.from_labels([1, 1, 2, 3], {"constant": [2] * 4, "varied": [1, 1, 2, 3]})
    found = oe.compare(runs, metrics=["cem_ord", "kendall_tau_b"], n_resamples=99)
    reason = "kendall_tau_b: undefined when gold or the predictions are all of one class."
    assert f"{DASH}¹" in row_of(board_of(str(found)), "constant")
    assert f"¹ {reason}" in str(found)
    assert f"| {DASH}¹ |" in found.to_markdown()
    assert r" & -- \\" in found.to_latex()
    assert "all of one class" not in found.to_latex()  # the caption may count undefined resamples
    assert r"& --\textsuperscript{1} \\" in found.scores.to_latex(label="tab:x")
    assert r" \textsuperscript{1} kendall\_tau\_b: undefined when" in found.scores.to_latex(
        label="tab:x"
    )
    assert f">{DASH}¹</td>" in found._repr_html_()
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert rows[1]["kendall_tau_b"] == rows[1]["kendall_tau_b_low"] == ""


def test_latex_says_nothing_of_intervals_that_it_does_not_show():
    runs = oe.Runs.from_labels([1], {"a": [1], "b": [2]}, labels=[1, 2])
    found = oe.compare(runs, metrics=["accuracy"], primary="accuracy")
    assert "¹ accuracy: a single item shows no variation." in str(found)
    assert "a single item" not in found.to_latex()


# --- the pairs ---


def test_pairs_show_the_difference_with_its_interval_what_it_amounts_to_and_the_p_values(
    comparison,
):
    head, _, *rows = str(comparison).split("\n\n")[3].splitlines()
    assert re.split(r"  +", head.strip()) == [
        "a",
        "b",
        "accuracy: a - b",
        "p adjusted",
        "outcome",
        "chance that a leads again",
        "effect",
        "p",
    ]
    pair = next(p for p in comparison.pairs if (p.a, p.b, p.metric) == ("x", "y", "accuracy"))
    # 38 / 40 - 20 / 40; of 499 drawn flips none is as far out: 1 / 500 is the smallest adjusted p
    assert pair.difference == pytest.approx(0.45)
    assert pair.p_adjusted == pytest.approx(1 / 500)
    assert re.split(r"  +", rows[0]) == [
        "x",
        "y",
        f"+0.4500 [{pair.low:.4f}, {pair.high:.4f}]",
        "0.0020",
        "a is better",
        f"{pair.win:.3f}",
        f"{pair.effect:.3f}",
        "<0.0001",
    ]


def many(systems):
    gold = [1, 2, 3] * 4
    names = [f"s{n}" for n in range(systems)]
    return oe.compare(
        oe.Runs.from_labels(gold, dict.fromkeys(names, gold)),
        metrics=["cem_ord"],
        n_resamples=9,
        level=None,
    )


def test_up_to_ten_pairs_have_a_table_and_more_are_columns_of_the_leaderboard():
    assert MANY_PAIRS == 10
    five, six = many(5), many(6)  # 5 * 4 / 2 = 10 pairs and 6 * 5 / 2 = 15
    assert [len(sheet.rows) for sheet in five.sheets()] == [5 + 1, 10]
    assert [len(sheet.rows) for sheet in six.sheets()] == [6 + 1]
    names = [column.name for column in six.sheets()[0].columns]
    assert names == ["ranks", "system", "cem_ord", "minus the best", "p adjusted"]
    assert "JSON has all 15 pairs by all measures." in str(six)
    assert "JSON has all" not in str(five)
    assert len(six.to_dict()["pairs"]) == 15
    planned = six.planned()
    assert len(planned.plans) == 15
    assert len(planned.sheets()[1].rows) == 5


@pytest.fixture(scope="module")
def six():
    """By hand: of 100 items the systems are right on 95, 94, 93, 92, 60 and 50, always answering 1 on 55."""
    gold = np.array([1] * 55 + [2] * 45)
    right = {"a": 95, "b": 94, "c": 93, "d": 92, "e": 60, "f": 50}
    order = np.random.default_rng(0).permutation(100)
    answers = {name: np.where(order < n, gold, 3) for name, n in right.items()}
    runs = oe.Runs.from_labels(gold, answers, labels=[1, 2, 3])
    return oe.compare(runs, metrics=["mae", "accuracy"], primary="accuracy", n_resamples=499)


def test_the_leaderboard_of_many_tells_the_difference_to_the_best_and_marks_who_is_worse(six):
    sheet = six.sheets()[0]
    rows = {row[1].value: row for row in sheet.rows}
    assert list(rows) == [
        "a",
        "b",
        "c",
        "d",
        "e",
        "always 1",
        "f",
    ]  # e has 0.60, always 1 has 0.55, f has 0.50
    assert [cell.value for cell in rows["always 1"]] == ["", "always 1", 0.55, "", "", 0.45]
    assert [cell.value for cell in rows["a"][3:5]] == ["", ""]
    pair = six.pairs[3]
    assert (pair.a, pair.b) == ("a", "e")
    difference, p = rows["e"][3:5]
    assert difference.value == pytest.approx(0.60 - 0.95)
    assert (difference.low, difference.high, p.value) == (-pair.high, -pair.low, pair.p_adjusted)
    assert {name for name, row in rows.items() if row[4].star} == {"e", "f"}
    assert re.search(
        rf"e +0\.600 \[.*\]  -0\.350 \[-{pair.high:.3f}, -{pair.low:.3f}\]  +0\.\d{{4}}\*",
        six.to_text(width=200),
    )
    assert "* significantly worse than a (p adjusted is at most 0.05)." in str(six)


def test_by_an_error_measure_worse_systems_are_above_the_best_and_the_constant_keeps_its_place(six):
    found = oe.compare(six.runs, metrics=["mae"], primary="mae", n_resamples=499)
    rows = found.sheets()[0].rows
    assert rows[0][1].value == "a"
    assert all(row[3].value > 0 for row in rows[1:] if row[0].value)
    values = [row[2].value for row in rows]
    assert values == sorted(values)
    # always 1 is a step off on 45 of 100 items; e gives 3 on 40 and is two steps off on those of class 1, so more
    assert [row[1].value for row in rows][-3:] == ["always 1", "e", "f"]


def test_equivalence_is_told_in_the_leaderboard_of_many_if_there_is_a_margin(six):
    found = oe.compare(
        six.runs, metrics=["accuracy"], primary="accuracy", n_resamples=499, margin=0.2
    )
    sheet = found.sheets()[0]
    at = [column.name for column in sheet.columns].index("than the best")
    told = {row[1].value: row[at].value for row in sheet.rows}
    assert told == {
        "a": "", "b": "equivalent", "c": "equivalent", "d": "equivalent", "e": "worse", "f": "worse", "always 1": "",
    }  # fmt: skip


@pytest.mark.parametrize("form", BOLD)
def test_the_constant_answer_is_a_row_in_forms_for_people_and_not_in_csv(six, form):
    faint = {
        "text": "\x1b[2m       always 1",
        "markdown": "*always 1*",
        "latex": r"\textit{always 1}",
        "html": '<tr style="opacity',
    }
    assert faint[form] in in_form(six, form)
    assert faint[form].lstrip("\x1b[2m ") in in_form(six.scores, form)
    for result in (six, six.scores):
        assert "always" not in result.to_csv()
        assert not result.sheet().faint


def test_the_best_set_is_green_on_a_terminal(six):
    lines = board_of(six.to_text(width=120, colour=True)).splitlines()
    assert [line.startswith("\x1b[32m1-") for line in lines[2:]] == [True] * 4 + [False] * 3


def test_the_caption_stands_once_below_the_last_table(comparison):
    for result in (comparison, comparison.planned()):
        assert str(result).endswith(comparison.caption)
        assert str(result).count(comparison.caption) == 1
        assert comparison.caption not in result.sheets()[0].caption
    assert comparison.sheet().caption == [comparison.caption]


def test_one_system_is_a_leaderboard_with_its_caption_and_no_pairs():
    found = oe.compare(oe.Runs.from_labels([1, 2, 3] * 9, {"only": [1, 2, 2] * 9}), n_resamples=99)
    assert len(found.sheets()) == 1
    assert str(found).endswith(found.caption)
    assert found.planned() is found


# --- the terminal ---


def test_a_narrow_screen_stacks_intervals_then_drops_columns_and_says_so(comparison):
    for width in (120, 80, 60, 40, 30):
        table = board_of(comparison.to_text(width=width))
        assert all(len(line) <= width for line in table.splitlines()), table
    wide, narrow = comparison.to_text(width=80), comparison.to_text(width=40)
    score = comparison.leaderboard[0].scores["accuracy"]
    assert f"0.950 [{score.low:.3f}, {score.high:.3f}]" in wide
    assert f"{score.low:.2f}{DASH}{score.high:.2f}" in narrow
    assert "Hidden" not in wide.split("\n\n")[2]  # below the leaderboard
    assert re.search(
        r"Hidden, because the terminal is too narrow: .*\bp\.", " ".join(narrow.split())
    )


def test_a_pipe_gets_no_colour(comparison):
    assert "\x1b" not in comparison.write("text")
    assert "\x1b[1m" in comparison.write("text", width=100)


def test_weights_that_add_up_with_rounding_are_no_unanswered_items():
    # 0.1 + 0.2 + 0.3 and so on in two orders differ in the last digit, though every item has an answer.
    gold, weight = [1, 1, 2, 2, 3, 3] * 7, np.linspace(0.1, 0.9, 42)
    table = oe.Table.from_labels(gold, gold[::-1], sample_weight=weight)
    shown = oe.evaluate(table, metrics=["mae"], level=None).sheet().seen_in("text")
    assert [column.name for column in shown.columns] == ["system", "mae"]


def test_a_system_that_ties_with_the_constant_but_for_rounding_stands_above_it():
    value = 0.1 + 0.2  # 0.30000000000000004
    found = SimpleNamespace(
        primary="accuracy",
        scores=SimpleNamespace(measures={"accuracy": oe.accuracy}),
        baseline=SimpleNamespace(scores={"accuracy": value}),
        leaderboard=[
            SimpleNamespace(scores={"accuracy": SimpleNamespace(value=score)})
            for score in (0.4, 0.3, 0.2)
        ],
    )
    assert place_of_constant(found) == 2


def test_latex_has_intervals_where_they_are_asked_for(comparison):
    board = comparison.to_latex(intervals=True)
    first = comparison.leaderboard[0].scores["mae"]
    assert rf"\textbf{{0.050}} [{first.low:.3f}, {first.high:.3f}] \\" in board
    assert r"In brackets: 95\% t intervals from the jackknife, over items." in board
