"""`ordeval reproduce`: the paper's numbers beside ours."""

import json

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.cli.reproduce import PARTS


def run(*arguments: str):
    return CliRunner().invoke(main, ["reproduce", *arguments])


def test_every_part_is_a_function_of_the_paper_room():
    for part in PARTS:
        name = "page" if part == "all" else part.replace("-", "_")
        assert callable(getattr(oe.paper, name))


@pytest.mark.later
def test_table_2_has_a_line_for_every_measure():
    result = run("table2")
    assert result.exit_code == 0, result.output
    table = result.stdout.split("\n\n")[1]
    assert sum(" weighted_kappa" in line for line in table.splitlines()) == 2
    assert "marks differ" in result.stdout


@pytest.mark.slow
def test_table_2_as_json_says_what_wrote_it(tmp_path):
    target = tmp_path / "table2.json"
    result = run("table2", "--format", "json", "-o", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    content = json.loads(target.read_text())
    assert (content["schema"], content["command"], content["kind"]) == (1, "reproduce", "table2")
    assert content["rows"][0]["metric"] == "accuracy"
    assert target.read_text() == oe.paper.table2().to_json()


def test_a_part_that_is_not_in_the_paper_ends_with_status_2():
    result = run("table9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "table2" in result.stderr


def test_the_worked_examples_come_out():
    for part in ("figure1", "appendix-a"):
        result = run(part)
        assert result.exit_code == 0, result.output
        assert "printed numbers are reproduced" in result.stdout


def test_figure_1_is_also_a_drawing(tmp_path):
    target = tmp_path / "figure.svg"
    assert run("figure1", "-o", str(target)).exit_code == 0
    assert target.read_text().startswith("<svg")
    assert run("appendix-a", "--format", "svg").exit_code == 2


@pytest.mark.parametrize(
    ("part", "settings"),
    [
        ("figure1", {}),
        ("appendix-a", {}),
        # simulations, three times each
        pytest.param("table3", {"seeds": 1}, marks=pytest.mark.slow),
        pytest.param("robustness", {"seeds": 1}, marks=pytest.mark.slow),
    ],
)
def test_the_json_and_the_text_are_those_of_the_result_in_python(part, settings):
    result = getattr(oe.paper, part.replace("-", "_"))(**settings)
    options = ["--seeds", "1"] if settings else []
    assert run(part, *options, "--format", "json").stdout == result.to_json()
    assert run(part, *options).stdout == result.to_text() == f"{result}\n"


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_every_part_can_be_written_for_a_page_or_a_paper(form):
    for part in ("figure1", "appendix-a"):
        result = run(part, "--format", form)
        assert result.exit_code == 0, result.output
        expected = getattr(getattr(oe.paper, part.replace("-", "_"))(), f"to_{form}")()
        assert result.stdout.rstrip("\n") == expected.rstrip("\n")


@pytest.mark.later
def test_table_3_as_json_has_the_paper_beside_ours():
    result = run("table3", "--seeds", "1", "--format", "json")
    rows = {row["metric"]: row["columns"] for row in json.loads(result.stdout)["rows"]}
    assert rows["cem_ord"]["all"]["paper"] == 0.91
    assert abs(rows["cem_ord"]["all"]["ours"] - 0.91) < 0.05


@pytest.mark.later
def test_the_form_follows_the_suffix_of_the_output(tmp_path):
    target = tmp_path / "table3.md"
    assert run("table3", "--seeds", "1", "-o", str(target)).exit_code == 0
    assert target.read_text().startswith("## Table 3")


def test_data_goes_with_the_parts_that_read_it(tmp_path):
    assert run("figure1", "--data", str(tmp_path)).exit_code == 2
    result = run("table3", "--seeds", "1", "--data", str(tmp_path))
    assert (result.exit_code, result.stdout) == (3, "")
    assert "none of the data sets" in result.stderr
