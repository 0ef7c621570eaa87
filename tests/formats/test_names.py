"""Names from outside as text that a page can hold."""

import ordeval as oe
from ordeval.formats.names import clean, short


def test_a_name_becomes_one_line_without_control_characters():
    assert clean("a\nb\tc") == "a b c"
    assert clean("\x07bell \u202eturned") == "\ufffdbell \ufffdturned"
    assert clean("  ") == "(empty)"
    assert clean(3) == "3"


def test_a_long_name_is_cut_to_the_limit():
    assert short("x" * 300, 10) == "x" * 9 + "…"
    assert short("x" * 10, 10) == "x" * 10


def test_markdown_shows_no_control_characters_and_no_direction_overrides():
    found = oe.evaluate(
        [1, 2], [1, 2], by={"x": ["\u202eturned", "\x07bell"]}, metrics=["accuracy"]
    )
    text = found.to_markdown()
    assert "| x = \ufffdturned |" in text
    assert "| x = \ufffdbell |" in text
