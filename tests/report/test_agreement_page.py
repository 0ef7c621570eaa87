"""The page of raters, and its blocks inside another page."""

import pytest

import ordeval as oe
from ordeval.report import render_agreement
from ordeval.report.agreement import agreement_blocks
from ordeval.report.drawing import FigureDrawer
from ordeval.report.template import environment
from tests.agreement.marks import CLASSES, ratings_of, simulated
from tests.report.pages import section, table, text_of


@pytest.fixture(scope="module")
def agreement():
    return oe.agree(ratings_of(simulated(0, items=80, random=True)))


def test_the_page_begins_with_the_answer_and_has_the_coefficients_with_their_intervals(
    agreement, undrawn
):
    page = render_agreement(agreement)
    answer = text_of(section(page, "answer"))
    for sentence in agreement.lead:
        assert sentence in answer
    rows = table(page, "How well do the raters agree?")
    one = agreement["krippendorff_alpha"]
    assert rows[1] == ["krippendorff_alpha", f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"]
    assert [row[-1] for row in table(page, "Who stands apart?")[1:]] == [
        "",
        "at random",
        "",
        "",
        "",
    ]


def test_the_same_agreement_gives_the_same_bytes(undrawn):
    pages = {render_agreement(oe.agree(ratings_of(simulated(1, items=30)))) for _ in range(2)}
    assert len(pages) == 1


def test_names_from_outside_are_text_on_the_page():
    marks = simulated(0, items=40, raters=3, each=3)
    names = ["</script><script>alert(1)</script>", "\x1b[31m", "c"]
    items = [f"<img src=x onerror=alert({at})>" for at in range(40)]
    ratings = oe.Ratings.from_array(marks, raters=names, item=items, labels=CLASSES)
    page = render_agreement(oe.agree(ratings), title="<b>")
    assert page.count("<script") == 1
    assert "<img" not in page
    assert "\x1b" not in page
    assert "<h1><bdi>&lt;b&gt;</bdi></h1>" in page


def test_a_block_can_be_part_of_another_page_with_lower_headings(agreement, undrawn):
    blocks = agreement_blocks(agreement, FigureDrawer())
    template = environment().from_string(
        '{% from "parts.html" import block %}{% for one in blocks %}{{ block(one, 3) }}{% endfor %}'
    )
    html = template.render(blocks=blocks)
    assert html.count("<h3>") == len(blocks) == 6
    assert "<h2" not in html
    assert "id=" not in html.replace("data-", "")


def test_without_a_ceiling_or_shared_items_their_blocks_are_left_out(undrawn):
    found = oe.agree(ratings_of([[1, 2], [2, 2], [3, 3]]), ceiling=None)
    page = render_agreement(found)
    assert 'id="ceiling"' not in page
    assert 'id="pairs"' not in page
    assert 'href="#pairs"' not in page
