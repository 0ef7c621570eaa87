"""The summaries of the pages of results, and the short answers about them, say what is on these pages."""

import re

import pytest

from benchmarks.summaries import (
    PAGES,
    benchmarks_answer,
    benchmarks_summary,
    calibration_summary,
    summarised,
)
from ordeval.formats.long_page import expanded
from tests.prose import DOCS

NUMBER = re.compile(r"\d[\d,.]*\d|\d")
# A number with what it is about, which must be on the page in the same words.
PHRASE = re.compile(
    r"[\d.]+ to [\d.]+%|at most [\d.]+%|mean coverage [\d.]+%|\d+ of (its )?\d+|On \d+ collections"
)
INDEX = DOCS / "evidence" / "index.md"
ANSWERS = re.findall(r"^\| \[.*?\]\((.*?)\) \|.*\| (.*) \|$", INDEX.read_text(), re.MULTILINE)
TIMED = """# Benchmarks

## One measure

| work | against | ours | theirs | ours is (spread over repeats) | goal | reached |
|---|---|---:|---:|---|---|---|
| fast | a | 1 ms | 10 ms | 10 times faster (9 to 11) | first | yes |
| faster | a | 1 ms | 2,000 ms | 2,000 times faster | first | yes |
| slow | b | 4 ms | 1 ms | 4 times the time (3 to 5) | first | no |
| growth | a line |  |  | exponent 0.85 | at most 1.05 | yes |

## Correctness

| trap | ordeval | x | y |
|---|---|---|---|
| *version* | 1 | 2 | 3 |
| one | right | **wrong** | right |
| two | right | **wrong** | refused |
"""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_summary_of_a_page_follows_from_the_tables_on_it(path):
    text = path.read_text(encoding="utf-8")
    assert text == summarised(path, expanded(text))
    assert 5 <= len(PAGES[path](text)) <= 10


def test_the_summary_of_benchmarks_counts_what_is_faster_what_was_reached_and_what_is_wrong():
    # Two of the three that have times are faster; their ratios are 10, 2,000 and 1/4, with the median 10.
    assert benchmarks_summary(TIMED) == [
        "ordeval is faster than what it is compared with in 2 of 3 comparisons.",
        "Median of their time divided by ours (above 1, ours is faster), by section: One measure 10.",
        "The slowest beside its competitor: slow takes 4 times the time of b.",
        "3 of 4 goals were reached. Goals missed: One measure 1.",
        "Correctness: ordeval is right on 2 of 2 traps. Wrong on at least one: x (2).",
    ]


def test_the_short_answer_on_benchmarks_takes_its_numbers_from_the_summary():
    answer = "Faster in 2 of 3 comparisons, and right on 2 of 2 traps. It is slower to start than to import NumPy."
    assert benchmarks_answer(TIMED) == answer


def test_the_summary_of_calibration_has_the_lowest_of_the_numbers_in_its_tables():
    text = expanded((DOCS / "evidence" / "calibration.md").read_text(encoding="utf-8"))
    row = "| mse | 91.1 / 94.7 / 99.2 |"
    assert row in text
    changed = calibration_summary(text.replace(row, "| mse | 71.5 / 94.7 / 99.2 |"))
    assert "The lowest coverage over items is 71.5%, of mse." in changed


@pytest.mark.parametrize(("page", "answer"), ANSWERS, ids=[page for page, _ in ANSWERS])
def test_every_number_of_a_short_answer_is_on_its_page_in_the_same_words(page, answer):
    if "generated" in page:  # written by the build
        assert not NUMBER.findall(answer)
        return
    text = (INDEX.parent / page).read_text(encoding="utf-8")
    said = [match[0] for match in PHRASE.finditer(answer)]
    assert [one for one in said if one not in text] == []
    assert set(NUMBER.findall(answer)) <= set(NUMBER.findall(text))


def test_the_index_has_a_short_answer_for_every_page_of_results():
    pages = {path.name for path in INDEX.parent.glob("*.md")} - {"index.md"}
    assert {page for page, _ in ANSWERS if "generated" not in page} == pages
    assert len(ANSWERS) == len(pages) + 1
