"""`ordeval compare`."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from ordeval.cli import main


@pytest.fixture
def wide(tmp_path):
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 4, 200)
    good = np.where(rng.random(200) < 0.1, rng.integers(0, 4, 200), gold)
    poor = np.where(rng.random(200) < 0.8, rng.integers(0, 4, 200), gold)
    path = tmp_path / "wide.csv"
    lines = [
        f"{i},{i % 10},{g},{a},{b}"
        for i, (g, a, b) in enumerate(zip(gold, good, poor, strict=True))
    ]
    path.write_text("\n".join(["item,topic,human,good,poor", *lines]) + "\n")
    return str(path)


def run(*arguments):
    return CliRunner().invoke(main, ["compare", *arguments])


def columns(wide):
    return [wide, "--gold", "human", "--pred", "poor", "--pred", "good", "--resamples", "199"]


def test_json_has_the_keys_of_the_contract(wide):
    result = run(*columns(wide), "--format", "json", "--metrics", "cem_ord,mae")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["command"] == "compare"
    assert content["primary"] == "cem_ord"
    assert content["tiers"] == [["good"], ["poor"]]
    pair = content["pairs"][0]
    assert (pair["a"], pair["b"], pair["metric"]) == ("good", "poor", "cem_ord")
    assert {"difference", "low", "high", "p", "p_adjusted"} <= set(pair)
    assert "plan" not in content


def test_text_shows_leaderboard_pairs_and_caption(wide):
    result = run(*columns(wide), "--pooled")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["tier", "system", "cem_ord"]
    assert any(line.split()[:2] == ["1", "good"] for line in lines)
    assert any(line.split()[:2] == ["good", "poor"] for line in lines)
    assert "corrected by Holm over 1 pair" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_other_forms_hold_both_systems(wide, form):
    result = run(*columns(wide), "--format", form)
    assert result.exit_code == 0, result.output
    assert "good" in result.stdout
    assert "poor" in result.stdout
    if form == "latex":
        assert "\\toprule" in result.stdout
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert [row["system"] for row in rows] == ["good", "poor"]
        assert (
            float(rows[0]["cem_ord_low"])
            < float(rows[0]["cem_ord"])
            < float(rows[0]["cem_ord_high"])
        )


def test_options_reach_the_comparison(wide):
    given = [
        "--primary",
        "mae",
        "--test",
        "t",
        "--correction",
        "bh",
        "--resample",
        "both",
        "--interval",
        "bca",
    ]
    given += ["--seed", "5", "--level", "0.9", "--distribution", "fixed"]
    result = run(*columns(wide), *given, "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["primary"] == "mae"
    assert content["test"] == {"name": "t", "correction": "bh", "alpha": 0.1, "draws": 0, "seed": 5}
    assert content["intervals"]["method"] == "bca"
    assert content["intervals"]["resampled"] == "both"
    assert content["intervals"]["distribution"] == "fixed"


def test_a_plan_tells_how_many_items_or_cases_each_pair_needs(wide):
    cases = json.loads(run(*columns(wide), "--plan", "--power", "0.9", "--format", "json").stdout)[
        "plan"
    ]
    assert cases[0]["cases"] > 0
    assert cases[0]["power"] == 0.9
    items = json.loads(run(*columns(wide), "--plan", "--pooled", "--format", "json").stdout)["plan"]
    assert items[0]["cases"] is None
    assert items[0]["items"] >= 6
    assert "items needed" in run(*columns(wide), "--plan").stdout


def test_wrong_usage_exits_2_and_says_why(wide):
    result = run(*columns(wide), "--pooled", "--test", "wilcoxon")
    assert result.exit_code == 2
    assert "the data has no test cases" in result.stderr
    assert run(*columns(wide), "--primary", "cem_odr").exit_code == 2


def test_no_level_leaves_the_intervals_out(wide):
    result = run(*columns(wide), "--level", "none", "--format", "json")
    content = json.loads(result.stdout)
    assert content["pairs"][0]["low"] is None
    assert content["pairs"][0]["p"] is not None
    assert content["intervals"] is None
