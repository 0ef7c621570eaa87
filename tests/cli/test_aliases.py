"""Short names of measures on the command line."""

import json

import pytest
from click.testing import CliRunner

from ordeval.cli import main

QUADRATIC = "weighted_kappa(weights='quadratic')"


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.csv"
    rows = [f"{i},{1 + i % 3},{1 + (i + i % 5 // 4) % 3},{1 + i // 2 % 3}" for i in range(30)]
    path.write_text("\n".join(["item,human,a,b", *rows]) + "\n")
    return [str(path), "--gold", "human", "--pred", "a,b", "--level", "none"]


def run(*words):
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(
    ("command", "options", "names"),
    [
        ("evaluate", ["--metrics", "qwk,mae"], [QUADRATIC, "mae"]),
        ("evaluate", ["--metrics", "mae", "--fail-under", "qwk=-1"], ["mae", QUADRATIC]),
        ("evaluate", ["--metrics", "lwk", "--fail-under", "lwk=-1"], ["weighted_kappa(weights='linear')"]),
        ("compare", ["--metrics", "mae", "--primary", "qwk"], [QUADRATIC, "mae"]),
        ("compare", ["--metrics", "mae,qwk", "--primary", "qwk"], ["mae", QUADRATIC]),
    ],
)  # fmt: skip
def test_an_option_that_names_a_measure_takes_an_alias_and_the_result_the_full_name(
    wide, command, options, names
):
    result = run(command, *wide, *options, "--format", "json")
    assert result.exit_code == 0, result.output
    assert list(json.loads(result.stdout)["systems"][0]["scores"]) == names


def test_a_limit_on_an_alias_is_judged_by_the_measure(wide):
    result = run("evaluate", *wide, "--metrics", "f1", "--fail-under", "qwk=0.9")
    assert result.exit_code == 1
    assert f"{QUADRATIC} of 'b' is " in result.stderr


def test_other_commands_take_aliases_too(wide):
    assert run("metrics", "qwk").stdout.startswith(f"{QUADRATIC}\n")
    properties = run(
        "properties", "acc", "--items", "3", "--imbalance-items", "3", "--format", "json"
    )
    assert json.loads(properties.stdout)["verdicts"][0]["metric"] == "accuracy"
    meta = run("meta", *wide, "--metrics", "qwk,f1", "--reference", "acc,mae", "--format", "json")
    assert [one["name"] for one in json.loads(meta.stdout)["metrics"]] == [QUADRATIC, "macro_f1"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("QWK", QUADRATIC),
        ("Kappa", "cohen_kappa"),
        ("MAE", "mae"),
        ("CEM_ord", "cem_ord"),
        ("BACC", "macro_accuracy"),
        ("Weighted_Kappa(weights='quadratic')", QUADRATIC),
    ],
)
def test_a_measure_is_found_whatever_the_case_of_its_letters(wide, typed, name):
    result = run("evaluate", *wide, "--metrics", typed, "--format", "json")
    assert list(json.loads(result.stdout)["systems"][0]["scores"]) == [name]
    assert run("metrics", typed).stdout.startswith(f"{name}\n")


def test_a_name_near_an_alias_gets_a_suggestion(wide):
    result = run("evaluate", *wide, "--metrics", "qwkk")
    assert result.exit_code == 2
    assert f"Did you mean qwk ({QUADRATIC})?" in result.stderr
