"""The command line as a whole: help, version, unknown commands, and how errors end."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import COMMANDS, main


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


def test_the_version_is_the_packages_version():
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"ordeval {oe.__version__}\n"


def test_help_names_every_command_and_what_it_does():
    shown = run("--help").stdout
    for name, what in COMMANDS.items():
        assert name in shown
        assert what in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_has_help(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: main {name}")
    assert "\\b" not in result.stdout  # click's mark for lines that stay as they are
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_an_unknown_command_ends_with_a_suggestion_and_status_2():
    result = run("metric")
    assert result.exit_code == 2
    assert "there is no command 'metric'. Did you mean metrics?" in result.stderr
    assert result.stdout == ""


def test_a_command_far_from_all_others_lists_them():
    assert f"There are {', '.join(COMMANDS)}." in run("xyzzy").stderr


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (oe.errors.MetricError("there is no measure 'x'."), 2),
        (oe.errors.ParameterError("level is 2."), 2),
        (oe.errors.LabelError("label 'x' is not on the scale."), 3),
        (oe.errors.ScaleError("cannot tell the order."), 3),
        (oe.errors.DataError("'a.csv' has no column 'gold'."), 3),
    ],
)
def test_our_errors_end_as_one_sentence_on_stderr_and_a_status(monkeypatch, error, status):
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr("ordeval.cli.demo.command", failing)
    result = run("demo")
    assert (result.exit_code, result.stdout, result.stderr) == (status, "", f"Error: {error}\n")


def test_an_interrupt_is_not_mistaken_for_an_answer(monkeypatch):
    @click.command()
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ordeval.cli.demo.command", interrupted)
    assert run("demo").exit_code == 130


def test_asking_for_the_version_loads_no_command_and_no_table_library():
    code = "import sys, ordeval.cli; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {f"ordeval.cli.{name}" for name in COMMANDS} & set(modules)
    assert not {"rich", "duckdb", "narwhals", "jinja2", "altair"} & set(modules)


def test_the_installed_script_runs():
    script = subprocess.run(
        [sys.executable, "-m", "ordeval", "--version"], capture_output=True, text=True, check=False
    )
    assert script.returncode == 0, script.stderr


def test_errors_of_a_command_name_its_options_and_those_of_a_function_its_arguments(tmp_path):
    gold, answers = tmp_path / "gold.csv", tmp_path / "run.csv"
    gold.write_text("id,label\na,1\nb,2\n")
    answers.write_text("id,label\na,1\n")
    message = run("evaluate", str(gold), str(answers)).stderr
    assert "Pass --missing zero, farthest or drop to say" in message
    with pytest.raises(oe.OrdevalError, match=r"Pass missing='zero', 'farthest' or 'drop' to say"):
        oe.Runs.from_files(gold, answers)
    answers.write_text("id,label\na,1\nb,7\n")
    message = run("evaluate", str(gold), str(answers), "--labels", "1,2").stderr
    assert "Add the class to --labels A,B,C, or pass --unknown missing." in message
