"""Rows of the benchmark: medians of repeats, their spread, and whether a goal is reached."""

import pytest

from benchmarks.__main__ import PARTS
from benchmarks.many import pairs
from benchmarks.page import TITLES, line, reached, verdict
from benchmarks.timing import row, within
from benchmarks.written import answer_in_index, between_marks


def test_a_ratio_is_the_median_of_the_ratios_of_the_repeats():
    # theirs / ours in each repeat: 4 / 1 = 4, 4 / 2 = 2, 9 / 3 = 3; the ratio of the best times would be 4
    made = row("work", "other", ([1.0, 2.0, 3.0], [4.0, 4.0, 9.0]), "2.5 times faster")
    assert (made["ratio"], made["spread"], made["repeats"]) == (3.0, [2.0, 4.0], 3)
    assert (made["ours"], made["theirs"]) == (2.0, 4.0)
    assert verdict(made) == "3 times faster (2 to 4)"
    assert reached(made) == "yes"


def test_a_fixed_cost_is_taken_from_our_times_alone():
    # theirs / (ours - 1): 4 / 1, 4 / 2
    made = row("work", "other", ([2.0, 3.0], [4.0, 4.0]), "first", beyond=1.0)
    assert (made["ours"], made["theirs"], made["ratio"]) == (1.5, 4.0, 3.0)


@pytest.mark.parametrize(
    ("times", "goal", "expected"),
    [
        (([3.0], [2.0]), "at most 1.5 times", "yes"),
        (([3.1], [2.0]), "at most 1.5 times", "no"),
        (([1.0], [2.0]), "2 times faster", "yes"),
        (([1.0], [1.9]), "2 times faster", "no"),
        (([1.0], [1.0]), "first", "yes"),
        (([1.1], [1.0]), "first", "no"),
    ],
)
def test_a_goal_is_reached_by_the_ratio(times, goal, expected):
    assert reached(row("work", "other", times, goal)) == expected


@pytest.mark.parametrize(
    ("seconds", "megabytes", "expected"),
    [(59.0, 1999.0, "yes"), (61.0, 1999.0, "no"), (59.0, 2000.0, "no"), (59.0, None, "yes")],
)
def test_a_limit_holds_for_seconds_and_for_memory(seconds, megabytes, expected):
    made = within("the report of 200 systems", [seconds], 60, megabytes=megabytes)
    assert reached(made) == expected
    assert ("under 2 GB" in line(made)) == (megabytes is not None)


@pytest.mark.later
def test_what_a_pair_takes_is_the_whole_divided_by_the_number_of_pairs():
    few, many, each, _ = pairs(3, 5, repeats=1)
    # 3 systems have 3 * 2 / 2 pairs, and 5 have 5 * 4 / 2
    assert each["theirs"] == pytest.approx(few["ours"] / 3)
    assert each["ours"] == pytest.approx(many["ours"] / 10)


def test_every_part_has_a_title_on_the_page():
    assert set(PARTS) == set(TITLES)


def test_a_page_is_written_between_its_marks_only(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("above\n<!-- sizes: begin -->\nold\n<!-- sizes: end -->\nbelow\n")
    between_marks(page, "sizes", ["one", "two"])
    assert page.read_text() == (
        "above\n<!-- sizes: begin -->\none\ntwo\n<!-- sizes: end -->\nbelow\n"
    )
    between_marks(page, "other", ["three"])
    assert "three" not in page.read_text()


def test_an_answer_is_written_into_the_row_of_its_page_only(tmp_path):
    index = tmp_path / "index.md"
    head = "| page | question | answer |\n|---|---|---|\n| [Other](other.md) | How? | So. |\n"
    index.write_text(head + "| [Speed](speed.md) | How fast? | 1 of 2. |\n\nend\n")
    answer_in_index(index, "speed.md", "3 of 4.")
    assert index.read_text() == head + "| [Speed](speed.md) | How fast? | 3 of 4. |\n\nend\n"
