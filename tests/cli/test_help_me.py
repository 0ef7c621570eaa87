"""`ordeval metrics --help-me`: the dialogue in a terminal, answers from a pipe or an option, and no answers at all."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.cli.help_me import recommended
from ordeval.metrics.choosing import FIRST, paths

WAYS = list(paths(FIRST))
EVERY_WAY = pytest.mark.parametrize(("way", "chosen"), WAYS, ids=[one.key for _, one in WAYS])


def run(*options, **settings):
    return CliRunner().invoke(main, ["metrics", "--help-me", *options], **settings)


def content_of(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@EVERY_WAY
def test_answers_from_a_pipe_and_from_an_option_lead_to_the_same_recommendation(way, chosen):
    numbers = [str(step.number) for step in way]
    piped = run(input="".join(f"{one}\n" for one in numbers))
    given = run("--answers", ",".join(numbers))
    assert piped.exit_code == given.exit_code == 0
    assert piped.stdout == given.stdout
    assert piped.stderr == given.stderr == ""
    assert piped.stdout.splitlines()[0] == f"Use {chosen.measure}."
    for line in (*chosen.commands, *chosen.calls):
        assert f"\n  {line}\n" in piped.stdout
    words = " ".join(piped.stdout.split())
    for text in (chosen.why, *chosen.avoid.values(), f"which_measure.html#choose-{chosen.key}"):
        assert text in words
    for step in way:
        assert f"{step.question.text} {step.answer.text}" in words


@EVERY_WAY
def test_the_json_has_the_path_and_the_recommendation(way, chosen):
    content = content_of(
        run("--answers", ",".join(str(step.number) for step in way), "--format", "json")
    )
    assert (content["schema"], content["ordeval"], content["command"]) == (
        1,
        oe.__version__,
        "metrics",
    )
    assert content["path"] == [
        {"question": step.question.text, "answer": step.answer.text, "number": step.number}
        for step in way
    ]
    found = content["recommendation"]
    assert found["measure"] == chosen.measure
    assert found["beside"] == [*chosen.beside]
    assert found["commands"] == [*chosen.commands]
    assert found["python"] == [*chosen.calls]
    assert {one["measure"]: one["why"] for one in found["avoid"]} == chosen.avoid


def test_an_empty_answer_is_the_first_one():
    assert run(input="\n\n\n").stdout == run(input="1\n1\n1\n").stdout
    assert run("--answers", ",,").stdout == run("--answers", "1,1,1").stdout


def test_b_goes_back_one_question_and_stays_at_the_first():
    assert run(input="2\nb\n5\n").stdout == run(input="5\n").stdout
    assert run(input="b\n5\n").stdout == run(input="5\n").stdout
    assert run("--answers", "1,1,2,b,b,2").stdout == run("--answers", "1,2").stdout


def test_q_leaves_without_a_recommendation():
    result = run(input="1\nq\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "You left before a measure was recommended.\n"


def test_answers_that_end_too_early_are_wrong_usage_and_name_the_next_question():
    for result in (run(input="1\n"), run("--answers", "1")):
        assert (result.exit_code, result.stdout) == (2, "")
        assert (
            "The next question is: What must the score show? Answer 1 (How close" in result.stderr
        )


@pytest.mark.parametrize(
    "answer", ["6", "0", "-1", "yes", "1.0", "²", "9" * 5000, "\x1b[2J", "\x00"]
)
def test_what_is_not_an_answer_is_wrong_usage_and_says_what_is(answer):
    result = run(input=f"{answer}\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not an answer to: What do you have? Answer 1 (One gold label" in result.stderr
    assert "\x1b" not in result.stderr
    assert len(result.stderr) < 1000


def test_bytes_that_are_no_text_are_wrong_answers():
    result = run(input=b"\xff\xfe\n")
    assert result.exit_code == 2
    assert "is not an answer to" in result.stderr


def test_more_answers_than_questions_are_wrong_usage():
    result = run("--answers", "5,1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "1 lead to normalised_match_distance" in result.stderr


def test_lines_of_a_pipe_after_the_last_question_are_ignored():
    assert run(input="5\n\n\n").stdout == run(input="5\n").stdout


def test_without_a_terminal_and_without_answers_the_whole_tree_is_shown():
    shown = run(input="")
    assert shown.exit_code == 0
    for way, chosen in WAYS:
        for depth, step in enumerate(way):
            indent = "   " * depth
            assert shown.stdout.count(f"{indent}{step.question.text}\n") == 1
            assert f"{indent}{step.number}  {step.answer.text}\n" in shown.stdout
        assert f"{'   ' * len(way)}Use {chosen.measure}.\n" in shown.stdout
    assert shown.stdout.count("Use ") == len(WAYS)


def test_the_json_of_the_whole_tree_holds_every_recommendation():
    def leaves(node):
        if "measure" in node:
            return [node["key"]]
        return [key for one in node["answers"] for key in leaves(one["then"])]

    content = content_of(run("--format", "json", input=""))
    assert leaves(content["tree"]) == [chosen.key for _, chosen in WAYS]


@pytest.mark.parametrize("options", [["mae"], ["--search", "x"], ["--family", "error"]])
def test_the_questions_do_not_go_with_a_name_or_a_search(options):
    result = run(*options, input="")
    assert result.exit_code == 2
    assert "Leave out NAME and the other options." in result.stderr


def test_answers_without_the_questions_are_wrong_usage():
    result = CliRunner().invoke(main, ["metrics", "--answers", "1"])
    assert result.exit_code == 2
    assert "--answers answers the questions of --help-me. Pass both." in result.stderr


def test_the_list_of_all_measures_ends_with_the_questions_and_a_search_does_not():
    all_measures = CliRunner().invoke(main, ["metrics"]).stdout
    assert all_measures.endswith("\n'ordeval metrics --help-me' asks you and recommends one.\n")
    assert "--help-me" not in CliRunner().invoke(main, ["metrics", "--family", "error"]).stdout


@pytest.mark.parametrize("width", [40, 80])
def test_a_recommendation_fits_a_narrow_screen_but_for_what_is_to_be_copied(width):
    for way, chosen in WAYS:
        text = re.sub(r"\x1b\[\dm", "", recommended([*way], chosen, width))
        copied = {f"  {line}" for line in (*chosen.commands, *chosen.calls)}
        lines = [line for line in text.splitlines() if line not in copied]
        assert all(len(line) <= width for line in lines if " " in line.strip())


def typed_into_a_terminal(keys, *options):
    """Run the command in a pseudo-terminal; return the status and all that it showed."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "ordeval", "metrics", "--help-me", *options],
        stdin=theirs, stdout=theirs, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        os.write(ours, keys)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how Linux says that the other end is closed
            pass
        finally:
            os.close(ours)
    return process.returncode, re.sub(r"\x1b\[\dm", "", shown.decode().replace("\r\n", "\n"))


def test_in_a_terminal_every_question_is_asked_until_the_recommendation():
    """A wrong answer is asked again, b goes back, and Enter takes the first answer."""
    status, shown = typed_into_a_terminal(b"9\n1\nb\n2\n\n")
    words = " ".join(shown.split())
    assert status == 0
    assert words.count("1. What do you have? This decides which measures can be computed") == 3
    assert words.count("2. What must the score show?") == 1
    assert words.count("2. Does one class have most of the marks") == 1
    assert "'9' is not an answer. Type a number. Enter: I do not know (takes 1)." in words
    assert "Use krippendorff_alpha." in shown
    assert "ordeval agree marks.csv --metrics alpha,gwet_ac2,accuracy\n" in shown


def test_in_a_terminal_q_leaves_and_the_end_of_input_is_wrong_usage():
    status, shown = typed_into_a_terminal(b"1\nq\n")
    assert status == 0
    assert "You left before a measure was recommended." in " ".join(shown.split())
    status, shown = typed_into_a_terminal(b"1\n\x04")
    assert status == 2
    assert "the answers ended before a measure could be recommended" in " ".join(shown.split())
    assert "Traceback" not in shown


def test_in_a_terminal_the_questions_do_not_get_into_the_file_that_the_result_is_written_to():
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "ordeval", "metrics", "--help-me", "--format", "json"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        os.write(ours, b"5\n")
        content = json.loads(process.stdout.read())
        shown = os.read(ours, 4096).decode()
        os.close(ours)
    assert content["recommendation"]["measure"] == "normalised_match_distance"
    assert "1. What do you have?" in shown
