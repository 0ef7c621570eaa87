"""The colours can be told apart and read, in the light, in the dark and in grey."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from ordeval.report import palette

CSS = Path(palette.__file__).with_name("templates").joinpath("page.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#\w{6})", block))
    for block in re.findall(r":root \{(.*?)\n\s*\}", CSS, re.DOTALL)
)


def channels(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(rgb):
    """The relative luminance of WCAG 2: what is left of a colour in grey."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour, paper, strength):
    return [strength * c + (1 - strength) * p for c, p in zip(colour, paper, strict=True)]


@pytest.mark.parametrize("colours", [LIGHT, {**LIGHT, **DARK}], ids=["light", "dark"])
@pytest.mark.parametrize("strength", [0, 0.25, 0.5, 0.75, 1])
@pytest.mark.parametrize("side", ["heat", "warm"])
def test_the_text_of_a_cell_can_be_read_at_every_strength_of_its_colour(colours, strength, side):
    paper, ink = channels(colours["paper"]), channels(colours["ink"])
    assert contrast(ink, mixed(channels(colours[side]), paper, strength)) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, {**LIGHT, **DARK}], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("name", "strength"), [("group-1", 0.45), ("heat", 0.45), ("warm", 0.45), ("group-6", 0.25)]
)
def test_the_text_of_a_pale_part_can_be_read(colours, name, strength):
    part = mixed(channels(colours[name]), channels(colours["paper"]), strength)
    assert contrast(channels(colours["ink"]), part) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, {**LIGHT, **DARK}], ids=["light", "dark"])
def test_the_points_of_a_group_stand_out_from_the_paper(colours):
    for number in range(1, 7):
        assert contrast(channels(colours[f"group-{number}"]), channels(colours["paper"])) >= 3


def test_groups_that_look_alike_in_grey_have_different_shapes():
    assert len(palette.SHAPES) == len(palette.GROUPS) == len(set(palette.SHAPES))
    grey = [luminance(channels(colour)) for colour in palette.GROUPS]
    alike = [at for at, (a, b) in enumerate(pairwise(grey)) if abs(a - b) < 0.05]
    assert alike  # so that shapes are needed
    assert all(palette.SHAPES[at] != palette.SHAPES[at + 1] for at in alike)


def test_a_pale_colour_is_the_colour_that_the_style_sheet_mixes():
    for name, base, share in (
        ("HEAT_PALE", palette.HEAT, 0.45),
        ("WARM_PALE", palette.WARM, 0.45),
        ("RIGHT_PALE", palette.GROUPS[0], 0.45),
        ("SOFT_PALE", palette.GROUPS[5], 0.25),
    ):
        expected = mixed(channels(base), [255] * 3, share)
        assert channels(getattr(palette, name)) == pytest.approx(expected, abs=1)


def test_every_colour_of_a_chart_has_a_variable_in_the_style_sheet():
    for variable in palette.VARIABLES.values():
        assert f"{variable[4:-1]}:" in CSS
