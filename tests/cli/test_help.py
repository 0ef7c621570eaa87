"""`--help`: groups of options, and examples that work."""

import contextlib
import re
import shlex
import shutil

import click
import pytest
from click.testing import CliRunner

from ordeval.cli import COMMANDS, JOBS, main
from ordeval.cli.help import GROUPS, GroupedOption
from tests.examples import grid


def command_of(name):
    return main.get_command(click.Context(main), name)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_belongs_to_a_group(name):
    options = [one for one in command_of(name).params if isinstance(one, click.Option)]
    assert all(isinstance(one, GroupedOption) and one.group in GROUPS for one in options)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_each_option_once_under_the_heading_of_its_group(name):
    shown = CliRunner().invoke(main, [name, "--help"]).stdout
    headings = [line[:-1] for line in shown.splitlines() if line[:-1] in GROUPS]
    assert headings == [group for group in GROUPS if group in headings]
    options_alone = shown[shown.index(f"\n{headings[0]}:\n") :]
    listed = re.findall(r"^  (-[-\w]+)", options_alone, re.MULTILINE)
    options = [one.opts[0] for one in command_of(name).params if isinstance(one, click.Option)]
    assert sorted(listed) == sorted([*options, "-h"])
    assert max(map(len, shown.splitlines())) <= 80


def test_the_options_of_compare_are_in_the_groups_that_a_reader_looks_for():
    shown = CliRunner().invoke(main, ["compare", "--help"]).stdout
    parts = shown.split("\n\n")
    for heading, options in {
        "Input": ["--gold", "--pred"],
        "Columns": ["--case", "--item", "--weight"],
        "Missing and odd answers": ["--missing", "--unknown", "--round"],
        "Measures and intervals": ["--metrics", "--level", "--seed"],
        "Comparison": ["--primary", "--margin", "--plan"],
        "Output": ["--format", "--output", "--help"],
    }.items():
        (part,) = [part for part in parts if part.startswith(f"{heading}:\n")]
        assert all(option in part for option in options)


def test_commands_are_listed_by_what_they_are_for():
    shown = CliRunner().invoke(main, ["--help"]).stdout
    for job, commands in JOBS.items():
        (part,) = [part for part in shown.split("\n\n") if part.startswith(f"{job}:\n")]
        assert [line.split()[0] for line in part.splitlines()[1:]] == list(commands)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make the files that examples name."""
    tmp_path = tmp_path_factory.mktemp("examples")
    rows = [
        (i, 1 + i % 3, 1 + (i + (i % 7 == 0)) % 3, 1 + (i + (i % 4 == 0)) % 3) for i in range(40)
    ]
    (tmp_path / "runs").mkdir()
    for name, column in {
        "gold.csv": 1,
        "run1.csv": 2,
        "run2.csv": 3,
        "runs/a.csv": 2,
        "runs/b.csv": 3,
    }.items():
        lines = ["item,label", *(f"{row[0]},{row[column]}" for row in rows)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    people = [f"{row[0]},{who},{row[at]}" for row in rows[:36] for who, at in (("x", 1), ("y", 3))]
    (tmp_path / "humans.csv").write_text("\n".join(["item,rater,label", *people]) + "\n")
    for name, column in (("judge.csv", 2), ("gpt.csv", 2), ("claude.csv", 3)):
        lines = ["item,label", *(f"{row[0]},{row[column]}" for row in rows)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    lines = ["item,human,a,b", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    marks = [f"{row[0]},{who},{row[at]}" for row in rows for at, who in enumerate("xyz", 1)]
    (tmp_path / "marks.csv").write_text("\n".join(["item,rater,label", *marks]) + "\n")
    models = [line for line in marks if line.split(",")[1] == "z"]
    (tmp_path / "judges.csv").write_text("\n".join(["item,rater,label", *models]) + "\n")
    sure = [[0.1 + 0.7 * (row[2] == label) for label in (1, 2, 3)] for row in rows]
    lines = [
        f"{row[0]},{row[1]},{p:.1f},{q:.1f},{r:.1f}"
        for row, (p, q, r) in zip(rows, sure, strict=True)
    ]
    for name in ("proba.csv", "new.csv"):
        (tmp_path / name).write_text("\n".join(["item,human,1,2,3", *lines]) + "\n")
    (tmp_path / "matrix.csv").write_text("gold,1,2,3\n1,9,1,0\n2,2,8,1\n3,0,1,9\n")
    with contextlib.chdir(tmp_path):
        for line in (
            "count gold.csv run1.csv -o monday.json",
            "count gold.csv run1.csv -o tuesday.json",
            "decide proba.csv --gold human -o rule.json",
            "merge monday.json tuesday.json -o both.json",
        ):
            assert CliRunner().invoke(main, line.split()).exit_code == 0
    return tmp_path


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """Copy the files that examples name, and go to their folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# These take seconds, and tests of their own run them.
SLOW = {
    "ordeval demo",
    "ordeval demo -o my-demo",
    "ordeval reproduce table3 --seeds 2",
    "ordeval meta data.csv --gold human --pred a,b --level none",
}
EXAMPLES = [line for name in COMMANDS for line, _ in command_of(name).examples]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_two_or_three_examples_of_itself(name):
    shown = CliRunner().invoke(main, [name, "--help"]).stdout
    examples = command_of(name).examples
    assert 2 <= len(examples) <= 3
    for line, meaning in examples:
        assert shlex.split(line)[:2] == ["ordeval", name]
        assert f"  # {meaning}\n  {line}\n" in shown


@pytest.mark.usefixtures("undrawn")
@grid("line", [line for line in EXAMPLES if line not in SLOW], every=2)
def test_an_example_can_be_typed_as_it_stands(folder, line):
    result = CliRunner().invoke(main, shlex.split(line)[1:])
    # a judge may be unfit or undecided, and a gate fail or be inconclusive
    done = {0, 1, 4} if line.startswith(("ordeval judge", "ordeval gate")) else {0}
    assert result.exit_code in done, result.output


@pytest.mark.slow
@pytest.mark.parametrize("line", sorted(SLOW))
def test_a_long_example_can_be_typed_as_it_stands(folder, line):
    test_an_example_can_be_typed_as_it_stands(folder, line)
