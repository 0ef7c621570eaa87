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
    assert content["best"] == ["good"]
    assert content["verdict"].startswith("good is best by cem_ord")
    assert {"label", "scores", "not_beaten_by"} <= set(content["baseline"])
    ranks = {s["name"]: (s["rank"], s["rank_low"], s["rank_high"]) for s in content["systems"]}
    assert ranks == {"good": (1, 1, 1), "poor": (2, 2, 2)}
    pair = content["pairs"][0]
    assert (pair["a"], pair["b"], pair["metric"]) == ("good", "poor", "cem_ord")
    assert {"difference", "low", "high", "p", "p_adjusted", "win_probability"} <= set(pair)
    assert pair["outcome"] == "better"
    assert "plan" not in content


def test_text_shows_leaderboard_pairs_and_caption(wide):
    result = run(*columns(wide), "--pooled")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith(
        "good is best by cem_ord: significantly better than the other system."
    )
    assert lines[3].split()[:3] == ["ranks", "system", "cem_ord"]
    assert any(line.split()[:2] == ["1", "good"] for line in lines)
    assert any(line.split()[:2] == ["good", "poor"] for line in lines)
    assert "Two-sided t test by test case, significant at 0.05." in result.stdout
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
    given = ["--primary", "mae", "--test", "randomisation", "--correction", "bh"]
    given += ["--resample", "items", "--interval", "bca", "--margin", "0.5"]
    given += ["--seed", "5", "--level", "0.9", "--distribution", "fixed"]
    result = run(*columns(wide), *given, "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["primary"] == "mae"
    assert content["test"] == {
        "name": "randomisation", "correction": "bh", "alpha": 0.1, "draws": 199, "margin": 0.5, "seed": 5,
    }  # fmt: skip
    assert content["intervals"]["method"] == "bca"
    assert content["intervals"]["resampled"] == "items"
    assert content["intervals"]["distribution"] == "fixed"


def test_a_plan_tells_how_many_items_or_cases_each_pair_needs(wide):
    def plan(*options):
        result = run(*columns(wide), "--plan", *options, "--format", "json")
        return json.loads(result.stdout)["plan"][0]

    found = plan("--power", "0.9")
    assert found["cases"] > 0
    assert found["power"] == 0.9
    assert plan("--pooled")["cases"] > 0  # whole cases are drawn there, too
    assert "items needed" in run(*columns(wide), "--plan").stdout
    small, large = plan("--difference", "0.01"), plan("--difference", "0.02")
    assert (small["difference"], large["difference"]) == (0.01, 0.02)
    # Twice the difference takes a quarter of the cases, as long as these are many.
    assert abs(small["cases"] / large["cases"] - 4) < 0.05


def test_a_margin_makes_pairs_equivalent(tmp_path):
    # Of 400 items a and b err on one each: their scores are equal, and far closer than 0.1.
    rows = [f"{1 + i % 2},{1 + (i + (i == 0)) % 2},{1 + (i + (i == 1)) % 2}" for i in range(400)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(["gold,a,b", *rows]) + "\n")
    given = [str(path), "--gold", "gold", "--pred", "a,b", "--metrics", "accuracy"]
    given += ["--primary", "accuracy", "--format", "json"]
    assert json.loads(run(*given).stdout)["pairs"][0]["outcome"] == "undecided"
    (pair,) = json.loads(run(*given, "--margin", "0.1").stdout)["pairs"]
    assert pair["outcome"] == "equivalent"


def test_the_default_correction_goes_with_the_test(wide):
    topics = [*columns(wide), "--case", "topic", "--format", "json"]
    for test, correction in (("t", "maxt"), ("randomisation", "maxt"), ("wilcoxon", "holm")):
        content = json.loads(run(*topics, "--test", test).stdout)
        assert (content["test"]["name"], content["test"]["correction"]) == (test, correction)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--test", "wilcoxon", "--resample", "items"], "--test wilcoxon compares scores over test cases"),
        (["--test", "wilcoxon", "--correction", "maxt"], "Pass --correction holm."),
        (["--primary", "cem_odr"], "Did you mean cem_ord?"),
        (["--difference", "0.1"], "--difference is what --plan plans for; pass --plan too."),
        (["--plan", "--difference", "0"], "--difference 0.0 cannot be shown by any number of items"),
        (["--margin", "-1"], "--margin -1.0 is not a margin"),
    ],
)  # fmt: skip
def test_wrong_usage_exits_2_and_says_why(wide, given, says):
    result = run(*columns(wide), *given)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())


def test_no_level_leaves_the_intervals_out(wide):
    result = run(*columns(wide), "--level", "none", "--format", "json")
    content = json.loads(result.stdout)
    assert content["pairs"][0]["low"] is None
    assert content["pairs"][0]["p"] is not None
    assert content["intervals"] is None


def test_named_classes_are_shown_by_their_names_and_stay_labels_for_programs(wide):
    named = ["--names", "bad,poor,fair,good"]
    text = run(*columns(wide), *named).stdout
    assert any(
        f"always answering {name} would score" in text for name in ("bad", "poor", "fair", "good")
    )
    content = json.loads(run(*columns(wide), *named, "--format", "json").stdout)
    assert content["scale"]["labels"] == [0, 1, 2, 3]
    assert content["scale"]["names"] == ["bad", "poor", "fair", "good"]
    assert content["baseline"]["label"] in {0, 1, 2, 3}
    refused = run(*columns(wide), "--names", "bad,good")
    assert refused.exit_code == 3
    assert "pass 4 different names" in refused.stderr


def test_a_power_without_a_plan_is_refused(tmp_path):
    result = CliRunner().invoke(main, ["compare", "data.csv", "--power", "0.9"])
    assert result.exit_code == 2
    assert "--power is the chance that --plan plans for; pass --plan too." in result.stderr
