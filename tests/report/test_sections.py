"""The parts of the page: facts, groups, systems, method and references, and what very large comparisons leave out."""

import platform
import re

import numpy as np
import pytest

import ordeval as oe
from ordeval.formats.numbers import DASH
from ordeval.report.page import PageLimits
from tests.report import comparisons
from tests.report.pages import page_of, section, table, text_of

# Right answers of 4 on two cases.
RIGHT = {"a": (4, 3), "b": (3, 2), "c": (2, 1)}


def facts(comparison):
    return re.findall(r"<li>(.*?)</li>", re.search(r'<ul class="facts">.*?</ul>', page_of(comparison))[0])  # fmt: skip


def test_the_facts_are_amounts_that_agree_with_their_nouns():
    several = comparisons.by_right_answers(RIGHT, 4, level=None)
    assert [text_of(fact) for fact in facts(several)] == [
        "3 systems", "8 items", "2 test cases", "2 classes", "3 possible winners",
    ]  # fmt: skip
    assert [text_of(fact) for fact in facts(comparisons.one_system())] == [
        "1 system", "40 items", "3 classes",
    ]  # fmt: skip
    one_case = oe.compare(
        oe.Runs.from_labels([1] * 2000, {"a": [1] * 2000, "b": [1] * 2000}, case=["x"] * 2000), level=None
    )  # fmt: skip
    assert facts(one_case)[1:3] == ["<b>2,000</b> items", "<b>1</b> class"]


def groups(comparison):
    """The names of the groups with their systems."""
    html = re.search(r'<ol class="groups">.*?</ol>', page_of(comparison), re.DOTALL)[0]
    return [
        (re.search(r'"badge">(.*?)<', group)[1], re.findall(r"<bdi>(.*?)</bdi>", group))
        for group in re.findall(r'<li class="group.*?</ul>', html, re.DOTALL)
    ]


def test_those_that_may_be_the_best_come_first_and_systems_without_a_score_last():
    # On 8 cases c is behind both others, which swap places: of 256 sign flips 4 are as extreme (see test_figures).
    right = {"a": (4, 2) * 4, "b": (2, 4) * 4, "c": (1, 1) * 4}
    comparison = comparisons.by_right_answers(right, 4, n_resamples=999)
    assert facts(comparison)[-1] == "<b>2</b> possible winners"
    assert groups(comparison) == [("Best", ["a", "b"]), ("Tier 2", ["c"])]
    assert groups(comparisons.undefined()) == [("Best", ["varied"]), ("No rank", ["constant"])]


def test_a_system_that_the_first_beats_but_not_every_other_is_in_its_tier():
    # On 12 cases of 8 items c is behind a by 1/8 on each, but b, with the mean of a, goes up and down by 4/8.
    right = {"a": (5,) * 12, "b": (1, 7) * 6, "c": (3,) * 12}
    comparison = comparisons.by_right_answers(right, 8, n_resamples=4999)
    assert comparison.leaderboard[0].beats == ("c",)
    assert groups(comparison) == [("Best", ["a", "b"]), ("Others", ["c"])]


def test_a_group_of_very_many_systems_names_60_and_counts_the_others():
    comparison = comparisons.by_right_answers({f"s{n}": (2, 2) for n in range(62)}, 4, level=None)
    ((_, systems),) = groups(comparison)
    assert len(systems) == 60
    page = page_of(comparison, limits=PageLimits(systems=2, details=1))
    assert '<li class="soft">and 2 more</li>' in page


# --- samples that share no items ---


def test_samples_that_share_no_items_have_a_page_of_all_items_and_of_differences_that_are_not_paired():
    comparison = comparisons.independent()
    page = page_of(comparison)
    # 40 + 50 items; gold has 10 + 20 of class 1, 10 + 10 of class 2 and 20 + 20 of class 3.
    assert [text_of(fact) for fact in facts(comparison)][:3] == [
        "2 systems",
        "90 items",
        "3 classes",
    ]
    assert table(page, "Gold distribution")[1:] == [
        ["1", "30", "33.3%"], ["2", "20", "22.2%"], ["3", "40", "44.4%"],
    ]  # fmt: skip
    assert table(page, "Differences in accuracy")[1][:3] == ["tuesday", "monday", "0.0500"]
    assert "aired difference" not in text_of(section(page, "certainty"))
    assert "unpaired t test by item" in method(page)["Test"]


# --- systems ---


def test_a_system_is_summed_up_by_its_score_its_right_answers_and_its_worst_errors():
    # Gold 4 and 4; every error loses 1.585 bits: three of four are 75% of the loss.
    runs = oe.Runs.from_labels(
        ["bad"] * 4 + ["good"] * 4,
        {"s": ["bad", "good", "good", "good", "good", "good", "good", "bad"]},
        labels=["bad", "good"],
    )
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)
    page = section(page_of(comparison), "systems")
    assert "accuracy 0.500 · 50% right, 50% one class off" in text_of(page)
    worst = re.search(r'<ol class="worst">(.*?)</ol>', page)[1]
    assert [text_of(line) for line in re.findall(r"<li>.*?</li>", worst)] == [
        "'bad' taken for 'good' 3 times: 75% of all lost closeness",
        "'good' taken for 'bad' once: 25% of all lost closeness",
    ]


def test_a_section_has_the_answers_of_its_own_system():
    page = section(page_of(comparisons.by_right_answers({"b": (2, 2), "a": (4, 4)}, 4)), "systems")
    assert "a accuracy 1.000 · of all items 100% right, 0% one class off" in text_of(page)
    assert "b accuracy 0.500 · of all items 50% right, 50% one class off" in text_of(page)


def test_shares_over_all_items_are_told_apart_from_scores_that_are_means_over_cases():
    # 1 of 1 and 0 of 3 right: the mean over cases is 1/2, the share of all items 1/4.
    gold, said, case = [1, 2, 1, 2], [1, 1, 2, 1], ["x", "y", "y", "y"]
    runs = oe.Runs.from_labels(gold, {"s": said}, case=case)
    page = page_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert "accuracy 0.500 · of all items 25% right, 75% one class off" in text_of(page)
    assert "the scores are means over the test cases" in text_of(page)


def test_at_most_three_kinds_of_errors_are_told_in_words():
    runs = oe.Runs.from_labels([1, 1, 2, 2, 3, 3, 1], {"s": [2, 3, 1, 3, 1, 2, 1]})
    page = page_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert len(re.findall(r"<li><bdi>[^<]*taken for", page)) == 3


def test_a_system_without_errors_is_said_to_have_none():
    runs = oe.Runs.from_labels([1, 2], {"s": [1, 2]})
    page = page_of(oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None))
    assert "Every answer is right: nothing was lost." in page
    assert "What the errors of s cost" not in page


# --- limits ---


@pytest.fixture(scope="module")
def three():
    return comparisons.by_right_answers(RIGHT, 4, level=None)


@pytest.mark.parametrize(
    ("pairs", "note"),
    [(1, "2 more rows are not listed"), (2, "1 more row is not listed"), (3, None)],
)
def test_rows_beyond_the_limit_are_counted(three, pairs, note):
    page = page_of(three, limits=PageLimits(pairs=pairs))
    assert len(table(page, "Paired differences in accuracy")) == 1 + pairs
    # of the table of differences, and of that of the systems that give the same answers
    assert re.findall(r"\d+ more rows? (?:is|are) not listed", page) == ([note] * 2 if note else [])


def test_charts_show_the_first_systems_and_say_so(three):
    page = page_of(three, limits=PageLimits(systems=2))
    assert [row[0] for row in table(page, "accuracy of the first 2 of 3 systems")[1:]] == ["a", "b"]
    assert [row[0] for row in table(page, "Ranks that the systems may have")[1:]] == ["a", "b"]
    assert len(table(page, "Paired differences in accuracy")) == 1 + 1
    assert table(page, "accuracy by system and test case")[0] == ["case", "a", "b"]
    assert "The charts show the first 2 of 3 systems." in page
    assert "The charts show" not in page_of(three, limits=PageLimits(systems=3))


def test_the_table_by_case_has_as_many_rows_as_its_numbers_allow(three):
    # 3 numbers are one row of three systems, or one of two and a rest.
    page = page_of(three, limits=PageLimits(numbers=5))
    assert [row[0] for row in table(page, "accuracy by system and test case")] == ["case", "c2"]
    page = page_of(three, limits=PageLimits(numbers=6))
    assert [row[0] for row in table(page, "accuracy by system and test case")] == ["case", "c2", "c1"]  # fmt: skip
    page = page_of(three, limits=PageLimits(numbers=4, systems=2))
    assert len(table(page, "accuracy by system and test case")) == 1 + 2


def test_the_chart_by_case_shows_the_hardest_and_says_so(three):
    page = page_of(three, limits=PageLimits(cases=1))
    assert [row[0] for row in table(page, "accuracy by system and test case")] == ["case", "c2"]
    assert "The chart shows the 1 hardest of 2 cases." in page


def test_systems_beyond_the_limit_have_no_section_and_no_link(three):
    page = page_of(three, limits=PageLimits(details=2))
    assert re.findall(r'id="(system-\d)"', page) == ["system-1", "system-2"]
    assert re.findall(r'href="#(system-\d)"', page) == ["system-1", "system-2"]
    assert "Shown are the first 2 of 3 systems." in page


def test_systems_are_drawn_while_there_are_cells_for_their_two_matrices_and_have_tables_after(
    three,
):
    # Two matrices of 2 x 2 cells are 8; 17 cells are enough for two systems.
    drawn = r'aria-label="(?:Answers of (\w)|What the errors of (\w) cost), chart"'
    page = page_of(three, limits=PageLimits(cells=17))
    assert [a or c for a, c in re.findall(drawn, page)] == ["a", "a", "b", "b"]
    assert table(page, "Answers of c")[0] == ["gold", "1", "2"]
    page = page_of(three, limits=PageLimits(cells=1))  # the best is always drawn
    assert [a or c for a, c in re.findall(drawn, page)] == ["a", "a"]
    page = page_of(three, limits=PageLimits(systems=1))
    assert [a or c for a, c in re.findall(drawn, page)] == ["a", "a"]


def test_the_table_of_costs_ends_at_its_limit():
    runs = oe.Runs.from_labels([1, 1, 2, 2, 3, 3, 1], {"s": [2, 3, 1, 3, 1, 2, 1]})
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", level=None)
    page = page_of(comparison, limits=PageLimits(errors=4))
    assert len(table(page, "What the errors of s cost")) == 1 + 4
    assert "2 more rows are not listed" in page


@pytest.mark.parametrize(
    ("k", "captions"),
    [
        (40, ["Answers of system 0", "Gold distribution", "Proximity of the classes in bits"]),
        (41, ["Gold distribution"]),
        (60, ["Gold distribution"]),
        (61, []),
    ],
)
def test_matrices_and_bars_of_too_many_classes_are_left_out(k, captions):
    page = page_of(comparisons.made(systems=1, items=4 * k, k=k, level=None))
    every = ["Answers of system 0", "Gold distribution", "Proximity of the classes in bits"]
    assert [caption for caption in every if f">{caption}</caption>" in page] == captions


# --- method and references ---


def method(page):
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section(page, "method"), re.DOTALL)
    return {term: text_of(text) for term, text in pairs}


def test_the_method_has_everything_that_gives_the_same_numbers():
    runs = oe.Runs.from_labels(
        ["low", "high", "low", "high"], {"a": ["low", "high", "low", None], "b": ["high", "x", "low", "x"]},
        labels=["low", "high"], missing="zero", unknown="missing",
    )  # fmt: skip
    comparison = oe.compare(runs, metrics=["accuracy"], primary="accuracy", n_resamples=99, rng=7)
    found = method(page_of(comparison, command="ordeval report x"))
    assert found["Scale"] == "low < high"
    assert found["Values of the classes"] == "0, 1"
    assert found["Policy"] == (
        "missing answer: zero; answer not on the scale: missing; duplicates: error; missing gold: error"
    )
    assert found["Answers touched by the policy"] == "1 missing, 2 not on the scale"
    assert found["Rows left out"] == "none"
    assert found["Score of a system"] == "over all items"
    assert found["Intervals"] == "95% t intervals from the jackknife, over items."
    assert found["Test"] == "Two-sided t test by item, significant at 0.05."
    assert found["Best"] == "The systems that no other is significantly better than."
    # Two of the four gold labels are low: always answering low is right half of the time.
    assert found["Best constant answer"] == "Always answering low would score 0.5000 by accuracy."
    assert found["Versions"] == (
        f"ordeval {oe.__version__}, NumPy {np.__version__}, Python {platform.python_version()}"
    )
    assert found["Command"] == "ordeval report x"
    drawn = oe.compare(
        runs, metrics=["accuracy"], primary="accuracy", n_resamples=99, rng=7, method="percentile"
    )
    assert method(page_of(drawn))["Intervals"].startswith(
        "95% percentile bootstrap intervals, 99 resamples of items, seed 7"
    )


def test_the_method_claims_to_hold_together_only_under_a_correction_that_makes_it_so():
    together = "All of this holds together with 90% confidence."
    found = {
        correction: method(page_of(comparisons.by_right_answers(RIGHT, 4, level=0.9, correction=correction)))
        for correction in ("maxt", "holm", "bh", "none")
    }  # fmt: skip
    assert {name for name, rows in found.items() if together in rows["Tiers"]} == {"maxt", "holm"}


def test_the_method_says_that_so_few_test_cases_cannot_show_anything():
    # With 2 cases the 4 sign flips give p = 1/2 at best; 2 / 2^6 is the first below 0.05.
    found = method(page_of(comparisons.by_right_answers(RIGHT, 4)))
    assert "With 2 test cases no difference can be significant at 0.05" in found["Test"]
    assert "at least 6 test cases" in found["Test"]


def test_the_method_of_a_single_system_has_no_test_and_names_python_without_a_command():
    found = method(page_of(comparisons.one_system()))
    assert {"Test", "Best", "Ranks", "Tiers"}.isdisjoint(found)
    assert found["Command"].startswith("made from Python")
    with_cases = method(page_of(comparisons.by_right_answers({"a": (4, 3)}, 4, level=None)))
    assert with_cases["Score of a system"] == "mean over the test cases"


def test_a_scale_of_very_many_classes_is_cut():
    found = method(page_of(comparisons.made(systems=1, items=80, k=31, level=None)))
    assert found["Scale"].endswith("28 < 29 < …")
    assert found["Values of the classes"].endswith("28, 29, …")
    found = method(page_of(comparisons.made(systems=1, items=80, k=30, level=None)))
    assert found["Scale"].endswith("28 < 29")


def keys(comparison):
    return set(re.findall(r"@\w+\{(\w+),", section(page_of(comparison), "method")))


@pytest.mark.parametrize(
    ("options", "there", "absent"),
    [
        ({}, {"amigo2020", "efron1981", "romano2005", "mogstad2024"}, {"noreen1989", "holm1979", "efron1987"}),
        ({"level": None, "correction": "bh"}, {"benjamini1995"}, {"efron1981", "efron1987", "romano2005"}),
        ({"method": "bca", "correction": "none"}, {"efron1987"}, {"efron1981", "romano2005", "holm1979"}),
        ({"test": "randomisation", "correction": "holm"}, {"noreen1989", "yeh2000", "holm1979"}, {"romano2005"}),
    ],
)  # fmt: skip
def test_the_references_are_those_of_the_measures_and_of_the_method(options, there, absent):
    found = keys(comparisons.by_right_answers(RIGHT, 4, **options))
    assert there <= found
    assert absent.isdisjoint(found)


def test_a_single_system_needs_no_reference_for_tests():
    assert {"romano2005", "mogstad2024"}.isdisjoint(keys(comparisons.one_system()))


def test_slices_have_a_section_with_the_data_of_all_systems_where_they_were_asked_for():
    gold = [1, 2] * 20
    systems = {"a": [1, 2] * 15 + [2, 1] * 5, "b": [1, 1] * 20}
    half = ["early"] * 20 + ["late"] * 20
    comparison = oe.compare(
        gold, systems, by={"half": half}, metrics=["accuracy"], primary="accuracy"
    )
    page = page_of(comparison)
    assert '<a href="#slices">' in page
    assert "after correction over 2 slices" in section(page, "slices")
    rows = table(page, "accuracy of a in every slice")
    # Of the later 20 items a has 10 right; b has half of all right.
    assert [row[:4] for row in rows[1:]] == [
        ["half = early", "a", "20", "1.000"],
        ["half = early", "b", "20", "0.500"],
        ["half = late", "a", "20", "0.500"],
        ["half = late", "b", "20", "0.500"],
    ]
    assert rows[1][6] == "+0.500"
    options = {"metrics": ["accuracy"], "primary": "accuracy"}
    plain = page_of(oe.compare(gold, systems, by={"half": half}, correction="none", **options))
    assert "after correction" not in section(plain, "slices")
    without = page_of(oe.compare(gold, systems, **options))
    assert "#slices" not in without


def test_a_system_that_answered_nothing_is_put_first_by_no_measure():
    # The farthest answers of 'silent' are 3, 1 and 1, which tell something of the gold class; always 2 tells nothing.
    gold = [1, 2, 3] * 10
    comparison = oe.compare(
        gold, {"silent": [None] * 30, "wrong": [2] * 30}, missing="farthest",
        metrics=["cem_ord", "accuracy", "mutual_information"],
    )  # fmt: skip
    page = page_of(comparison)
    rows = table(page, "Formal properties of the measures")
    assert {row[-1] for row in rows[1:]} <= {"wrong", "\N{EN DASH}"}
    assert "silent is first" not in text_of(section(page, "answer"))


def leads(comparison, name):
    return text_of(section(page_of(comparison), name))


def test_tiers_are_explained_only_where_there_are_several():
    close = comparisons.by_right_answers(RIGHT, 4, level=None)
    assert len(close.tiers) == 1
    assert "A tier ends" not in leads(close, "answer")
    apart = comparisons.made(systems=2, items=400)
    assert len(apart.tiers) == 2
    assert "A tier ends" in leads(apart, "answer")


def test_a_system_without_a_score_has_no_rank_and_nobody_wins_where_no_two_are_ranked():
    """Kendall's tau of a constant answer is undefined."""
    comparison = comparisons.undefined()
    page = page_of(comparison)
    assert [row[0] for row in table(page, "Leaderboard: 2 systems by 2 measures")[1:]][:2] == [
        "1 1",
        DASH,
    ]
    assert [text_of(fact) for fact in facts(comparison)] == ["2 systems", "6 items", "3 classes"]
    assert "Groups of systems" in leads(comparison, "answer")
    assert "Groups of systems" not in leads(comparisons.nothing_defined(), "answer")


def test_a_page_says_that_intervals_are_not_corrected_where_p_values_are():
    said = "The intervals are not corrected: one may exclude 0"
    for options, there in (({}, True), ({"correction": "none"}, False), ({"level": None}, False)):
        comparison = comparisons.by_right_answers(RIGHT, 4, **options)
        assert (said in leads(comparison, "leaderboard")) is there
        assert (said in leads(comparison, "certainty")) is there
    two = comparisons.by_right_answers({name: RIGHT[name] for name in "ab"}, 4)
    assert said not in leads(two, "leaderboard")


def test_nothing_is_said_of_intervals_where_there_are_none():
    assert "intervals" not in leads(comparisons.without_intervals(), "certainty")


def test_two_systems_with_the_same_answers_are_said_to_agree_on_every_item():
    gold = [1, 2, 3] * 10
    answers = [2, *gold[1:]]
    same = oe.compare(gold, {"one": answers, "copy": answers}, metrics=["cem_ord"], level=None)
    assert "the same answer to every item: copy and one." in leads(same, "two")
