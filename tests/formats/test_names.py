"""Names from outside as text that a page can hold."""

import json

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.errors import DataError, LabelError
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


STEERING = "\x1b[2J\x9b31m\u202e\u2066\udc80\x7f"  # wipe the screen, colour it, turn the text, half a letter


def test_no_form_of_a_result_steers_a_terminal():
    def named(text):
        return f"{text}{STEERING}"

    labels = [named("low"), named("high")]
    gold = labels * 20
    case = [named(item // 2) for item in range(40)]
    result = oe.compare(
        oe.Runs.from_labels(
            gold,
            {named("same"): gold, named("other"): labels[::-1] * 20},
            labels=labels,
            case=case,
            by={named("part"): case},
        ),
        by=named("part"),
    )
    written = {form: result.write(form) for form in ("text", "json", "csv", "markdown", "latex")}
    written |= {"str": str(result), "repr": repr(result), "verdict": result.verdict}
    written["notebook"] = result._repr_html_()
    written["slice"] = repr(result.slices[0])
    for form, text in written.items():
        assert not set(STEERING) - set("[2J31m") & set(text), form
    systems = json.loads(written["json"])["systems"]
    assert {system["name"] for system in systems} == {named("same"), named("other")}


def test_errors_write_control_characters_by_their_codes():
    for raised in (f"no column {STEERING}.", f"no column {STEERING!r}."):
        message = str(DataError(raised))
        assert message.isprintable()
        assert "1b[2J" in message


def test_an_error_about_a_very_long_label_is_short_and_still_says_what_to_do():
    long = "x" * 1_000_000
    with pytest.raises(LabelError) as caught:
        oe.accuracy([1, 2], [1, long], labels=[1, 2])
    assert len(str(caught.value)) < 1500
    assert "'xxx" in str(caught.value)
    assert "xxx'" in str(caught.value)
    assert "scale" in str(caught.value)
    # an apostrophe within a word begins no quotation
    words = "gold's " + "word " * 100 + "system's"
    assert str(DataError(words)) == words


def test_a_note_about_a_file_writes_control_characters_in_its_name_by_their_codes(tmp_path):
    gold, run = tmp_path / "gold.csv", tmp_path / "e\x1b[31mvil.csv"
    gold.write_text("item,label\nx,1\ny,2\n")
    run.write_text("item,label\nx,1\ny,2,3\n")
    said = ["evaluate", str(gold), str(run), "--missing", "zero", "--level", "none"]
    result = CliRunner().invoke(main, said, color=True)  # as on a terminal
    assert result.exit_code == 0
    assert "\x1b" not in result.stderr
    assert r"e\u001b[31mvil.csv at line 3" in result.stderr
