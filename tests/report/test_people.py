"""The section of a page whose gold was made by several people."""

import pytest

from tests.report import comparisons
from tests.report.pages import column, page_of, section, table, text_of


@pytest.fixture(scope="module")
def comparison():
    return comparisons.by_raters()


@pytest.fixture(scope="module")
def page(comparison):
    return page_of(comparison)


def test_the_verdict_says_what_a_human_reaches(comparison, page):
    human = comparison.ceiling["cem_ord"].value
    assert f"A human reaches {human:.3f}" in text_of(section(page, "answer"))


def test_every_system_stands_beside_the_human_with_its_difference(comparison, page):
    caption = "Systems beside a human, by cem_ord"
    assert column(page, caption, "system") == ["a human", *comparison.systems]
    beside = comparison.scores.beside_human
    for row in table(page, caption)[2:]:
        s = comparison.scores.systems.index(row[0])
        assert row[1] == f"{beside.values[0, s]:.3f}"
        assert row[2].startswith(f"{beside.difference[0, s]:+.3f}".replace("-", "-"))


def test_the_section_tells_how_well_the_raters_agree_and_shows_names_as_they_are(page):
    people = section(page, "people")
    assert "Krippendorff's alpha is" in text_of(people)
    assert "<img src=x" not in people
    assert 'href="#people"' in page


def test_a_page_of_one_gold_label_has_no_such_section():
    page = page_of(comparisons.made(systems=2, items=20))
    assert 'id="people"' not in page
    assert "A human" not in page


def test_the_chart_of_scores_marks_what_a_human_reaches(comparison):
    from ordeval.report.comparison_figures import forest_figure

    figure = forest_figure(comparison)
    assert "Another marks what a human reaches" in figure.description
    assert "a human" in str(figure.spec)
