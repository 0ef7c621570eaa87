"""`ordeval meta`: which measure to trust."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main


def run(*arguments: str):
    return CliRunner().invoke(main, ["meta", *map(str, arguments)])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Gold of 60 items in 5 cases, and three systems that get worse."""
    folder = tmp_path_factory.mktemp("meta")
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 60)
    rows = [f"c{at // 12},i{at},{label}" for at, label in enumerate(gold)]
    (folder / "gold.csv").write_text("\n".join(["case,item,label", *rows]) + "\n")
    lines = ["case,item,system,label"]
    for name, share in (("good", 0.1), ("fair", 0.4), ("poor", 0.8)):
        answers = np.where(rng.random(60) < share, rng.integers(0, 4, 60), gold)
        lines += [f"c{at // 12},i{at},{name},{label}" for at, label in enumerate(answers)]
    (folder / "systems.csv").write_text("\n".join(lines) + "\n")
    return folder / "gold.csv", folder / "systems.csv"


@pytest.mark.later
def test_the_table_ends_in_a_recommendation_that_says_what_it_rests_on(files):
    result = run(*files, "--resamples", 9)
    assert result.exit_code == 0, result.output
    assert "On these 3 systems and 5 test cases" in result.stdout
    assert any(line.startswith("cem_ord") for line in result.stdout.splitlines())


def test_json_has_the_keys_of_the_contract(files):
    result = run(*files, "--metrics", "cem_ord,mae", "--resamples", 49, "--format", "json")
    content = json.loads(result.stdout)
    assert (content["schema"], content["command"]) == (1, "meta")
    assert content["input"]["items"] == 60
    assert content["scale"]["labels"] == [0, 1, 2, 3]
    for row in content["metrics"]:
        assert {"name", "coverage", "robustness", "discriminative_power"} <= set(row)
        assert {"swap_rate", "ranking_similarity"} <= set(row)
    assert {row["name"] for row in content["metrics"]} == {"cem_ord", "mae"}


@pytest.mark.later
@pytest.mark.parametrize("options", [(), ("--level", "none"), ("--pooled", "--parts", 4)])
def test_json_is_that_of_the_result_in_python(files, options):
    settings = {"--level": {"level": None}, "--pooled": {"parts": 4}}.get(
        options[0] if options else None, {}
    )
    runs = oe.Runs.from_files(*map(str, files))
    runs = runs.pooled() if "--pooled" in options else runs
    result = oe.meta.study(runs, ["cem_ord", "mae"], resamples=19, rng=3, **settings)
    common = ("--metrics", "cem_ord,mae", "--resamples", 19, "--seed", 3, "--format", "json")
    assert run(*files, *common, *options).stdout == result.to_json()


def test_json_keeps_what_was_read_and_under_which_policy(files):
    content = json.loads(
        run(
            *files, "--metrics", "mae", "--resamples", 9, "--missing", "zero", "--format", "json"
        ).stdout
    )
    assert content["policy"] == {"missing": "zero", "unknown": "error", "duplicates": "error"}
    assert content["input"]["cases"] == 5
    assert content["input"]["ignored"] == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}


def test_csv_has_one_line_for_each_measure(files):
    result = run(*files, "--metrics", "cem_ord,mae,accuracy", "--resamples", 49, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["measure"] for row in rows} == {"cem_ord", "mae", "accuracy"}
    assert list(rows[0]) == [
        "measure", "coverage", "coverage_low", "coverage_high", "robustness", "robustness_low", "robustness_high",
        "discriminative_power", "discriminative_power_low", "discriminative_power_high", "swap_rate",
        "ranking_similarity",
    ]  # fmt: skip
    assert (
        float(rows[0]["coverage_low"])
        <= float(rows[0]["coverage"])
        <= float(rows[0]["coverage_high"])
    )


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| measure"), ("latex", r"\toprule")])
def test_it_can_be_written_for_a_page_or_a_paper(files, tmp_path, form, mark):
    target = tmp_path / "out"
    result = run(
        *files, "--metrics", "cem_ord,mae", "--resamples", 19, "--format", form, "-o", target
    )
    assert (result.exit_code, result.stdout) == (0, "")
    assert mark in target.read_text()


def test_pooled_items_are_cut_into_random_parts(files):
    result = run(
        *files, "--metrics", "cem_ord", "--pooled", "--parts", 4, "--repeats", 3, "--resamples", 19
    )
    assert result.exit_code == 0, result.output
    assert "4 random parts, 3 times" in result.stdout


def test_the_reference_can_be_chosen(files):
    result = run(*files, "--metrics", "cem_ord", "--reference", "mae,macro_f1", "--resamples", 19)
    assert "(mae, macro_f1)" in result.stdout


def test_an_unknown_measure_ends_with_status_2_and_one_system_with_3(files, tmp_path):
    assert run(*files, "--metrics", "cem_odr").exit_code == 2
    one = tmp_path / "one.csv"
    lines = files[1].read_text().splitlines(keepends=True)
    one.write_text("".join(line for line in lines if "fair" not in line and "poor" not in line))
    result = run(files[0], one)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "one system" in result.stderr


@pytest.mark.slow
def test_llmjudge_is_judged_by_all_measures(shared):
    folder = shared / "data" / "llmjudge2024"
    result = run(
        folder / "gold.csv.gz", folder / "systems.csv.gz", "--missing", "zero", "--resamples", 99
    )
    assert result.exit_code == 0, result.output
    assert "On these 33 systems and 25 test cases" in result.stdout


def test_intervals_can_be_left_out(files):
    result = run(
        *files, "--metrics", "cem_ord,mae", "--resamples", 19, "--level", "none", "--format", "csv"
    )
    assert result.exit_code == 0, result.output
    assert {row["coverage_low"] for row in csv.DictReader(io.StringIO(result.stdout))} == {""}
    text = run(*files, "--metrics", "mae", "--resamples", 19, "--level", "none").stdout
    assert "[" not in text.splitlines()[2]
