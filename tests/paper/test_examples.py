"""Figure 1 and appendix A: every printed number comes out, and both say what they assume."""

import json
import xml.etree.ElementTree as ET

import pytest

import ordeval as oe
from ordeval.paper.examples import ASSUMED, LEFT, RIGHT, chart


def test_the_four_proximities_of_section_3_come_out():
    found = oe.paper.figure1()
    assert found.agrees
    assert [entry.paper for entry in found.entries] == [0.23, 4.38, 6.84, 2.06]


def test_the_distributions_are_those_that_the_text_gives():
    # 402 items: 90 weak accept, 193 undecided, 105 weak reject, 7 reject; the rest is accept.
    assert (sum(LEFT), LEFT[1:]) == (402, (90, 193, 105, 7))
    # 376 items: 10 weak accept, 3 undecided, 10 weak reject; the ends have 353 together.
    assert (sum(RIGHT), RIGHT[1:4], RIGHT[0] + RIGHT[4]) == (376, (10, 3, 10), 353)


def test_what_the_paper_does_not_give_is_said_to_be_assumed():
    assert ASSUMED in str(oe.paper.figure1())
    first, second = oe.paper.figure1().to_dict()["notes"]
    assert "does not say how many each has" in first
    assert second == "The rows and columns of accept and reject depend on the assumption."


def test_no_printed_number_rests_on_the_assumed_halves():
    for reject in (0, 100, 353):
        other = oe.proximity.from_counts([353 - reject, 10, 3, 10, reject])
        assert round(float(other[3, 1]), 2) == 4.38


def test_the_chart_is_a_drawing_with_ten_bars():
    root = ET.fromstring(chart())  # noqa: S314 - our own
    assert len(root.findall("{http://www.w3.org/2000/svg}rect")) == 10


def test_appendix_a_comes_out_number_by_number():
    found = oe.paper.appendix_a()
    assert found.agrees
    assert len(found.entries) == 9 + 2 * 2
    values = {entry.what: entry.ours for entry in found.entries}
    assert values["CEM of A"] == pytest.approx(0.7117023174, abs=1e-10)
    assert values["CEM of B"] == pytest.approx(0.7596200662, abs=1e-10)


def test_the_steps_of_appendix_a_are_shown_in_the_papers_order():
    shown = str(oe.paper.appendix_a())
    assert (
        "5*4.32 + 5*0.62 + 7*0.07 + 1*1.32 + 50*1.74 + 8*0.74 + 4*0.23 + 5*0.42 + 15*2.74" in shown
    )
    assert "10*4.32 + 60*1.74 + 30*2.74" in shown


@pytest.mark.parametrize("part", ["figure1", "appendix_a"])
def test_an_example_can_be_written_in_every_form(part):
    found = getattr(oe.paper, part)()
    assert "\n" not in repr(found)
    assert found.to_markdown().startswith("## ")
    assert r"\begin{tabular}" in found.to_latex()
    assert found._repr_html_().startswith("<h2>")
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["schema"] == 1
