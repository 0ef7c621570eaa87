"""What a command writes is, byte for byte, what its result object gives for the same data."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.comparison.score_runs import score_runs
from ordeval.formats.result import FORMATS

METRICS = ["cem_ord", "mae", "kendall_tau_b"]
ASKED = ["--metrics", ",".join(METRICS), "--resamples", "99"]


def run(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def files(tmp_path):
    """Three test cases; b leaves an item out and answers one that is not in gold, c is undefined by Kendall's tau."""
    gold = [
        ("x", 1, 1),
        ("x", 2, 2),
        ("x", 3, 3),
        ("y", 4, 2),
        ("y", 5, 1),
        ("z", 6, 3),
        ("z", 7, 1),
    ]
    answers = {"a": [1, 2, 3, 2, 1, 3, 2], "b": [1, 3, 3, 1, 2, 1, None], "c": [2] * 7}
    lines = [f"{case},{item},{label}" for case, item, label in gold]
    (tmp_path / "gold.csv").write_text("\n".join(["case,item,label", *lines]) + "\n")
    for name, given in answers.items():
        lines = [
            f"{case},{item},{label}"
            for (case, item, _), label in zip(gold, given, strict=True)
            if label is not None
        ]
        (tmp_path / f"{name}.csv").write_text(
            "\n".join(["case,item,label", *lines, "z,99,1"]) + "\n"
        )
    return [tmp_path / f"{name}.csv" for name in ("gold", *answers)]


def runs_of(files, *, pooled=False):
    runs = oe.Runs.from_files(str(files[0]), list(map(str, files[1:])), missing="zero")
    return runs.pooled() if pooled else runs


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", [0.95, None])
@pytest.mark.parametrize("pooled", [False, True])
def test_evaluate_writes_what_scores_of_the_same_runs_give(files, form, level, pooled):
    words = ["--missing", "zero", *ASKED, "--level", level or "none", *["--pooled"] * pooled]
    scores = score_runs(runs_of(files, pooled=pooled), metrics=METRICS, level=level, n_resamples=99)
    assert run("evaluate", *files, *words, "--format", form) == scores.write(form)


def test_evaluate_of_one_system_writes_what_oe_evaluate_gives(tmp_path):
    gold, answers = [1, 2, 3, 2, 1, 3], [1, 2, 2, 2, 3, 3]
    for name, labels in (("gold", gold), ("system", answers)):
        rows = [f"{item},{label}" for item, label in enumerate(labels)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,label", *rows]) + "\n")
    evaluation = oe.evaluate(gold, answers, metrics=METRICS, n_resamples=99)
    for form in FORMATS:
        written = run(
            "evaluate", tmp_path / "gold.csv", tmp_path / "system.csv", *ASKED, "--format", form
        )
        assert written == evaluation.write(form)
    assert evaluation.to_json() == evaluation.write("json")
    assert json.loads(evaluation.to_json()) == evaluation.to_dict()


@pytest.mark.parametrize("form", FORMATS)
def test_score_writes_what_scores_of_the_same_table_give(files, form, tmp_path):
    table = tmp_path / "table.json"
    run("count", *files, "--missing", "zero", "-o", table)
    scores = score_runs(oe.Table.from_json(table.read_text()), metrics=METRICS, n_resamples=99)
    scores = replace(scores, command="score")
    assert run("score", table, *ASKED, "--format", form) == scores.write(form)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", [0.95, None])
@pytest.mark.parametrize("plan", [False, True])
def test_compare_writes_what_oe_compare_gives(files, form, level, plan):
    words = ["--missing", "zero", *ASKED, "--level", level or "none", *["--plan"] * plan]
    comparison = oe.compare(runs_of(files), metrics=METRICS, level=level, n_resamples=99)
    comparison = comparison.planned(power=0.8) if plan else comparison
    assert run("compare", *files, *words, "--format", form) == comparison.write(form)


def test_the_text_of_a_command_is_what_print_shows(files):
    words = ["--missing", "zero", *ASKED]
    runs = runs_of(files)
    comparison = oe.compare(runs, metrics=METRICS, n_resamples=99)
    assert run("compare", *files, *words) == f"{comparison}\n"
    assert run("evaluate", *files, *words) == f"{comparison.scores}\n"


def test_scores_have_an_interval_and_an_error_only_if_a_level_was_asked_for(files):
    words = ["evaluate", *files, "--missing", "zero", *ASKED, "--format", "json"]
    content = json.loads(run(*words))
    score = content["systems"][0]["scores"]["cem_ord"]
    assert list(score) == ["value", "low", "high", "error"]
    assert content["intervals"] == {
        "level": 0.95, "method": "t", "resamples": None, "resampled": "cases", "distribution": "resampled",
        "seed": 0,
    }  # fmt: skip
    undefined = content["systems"][2]["scores"]["kendall_tau_b"]
    assert list(undefined) == ["value", "low", "high", "error", "defined", "cases", "reason"]
    assert undefined["value"] is undefined["low"] is undefined["error"] is None
    assert (undefined["defined"], undefined["cases"]) == (0, 3)
    drawn = json.loads(run(*words, "--interval", "percentile"))
    assert (drawn["intervals"]["method"], drawn["intervals"]["resamples"]) == ("percentile", 99)
    assert drawn["systems"][2]["scores"]["kendall_tau_b"]["undefined_resamples"] == 99
    bare = json.loads(run(*words, "--level", "none"))
    assert bare["intervals"] is None
    assert list(bare["systems"][0]["scores"]["cem_ord"]) == ["value"]
    undefined = bare["systems"][2]["scores"]["kendall_tau_b"]
    assert list(undefined) == ["value", "defined", "cases", "reason"]


def test_input_says_how_many_rows_were_left_out_and_answers_were_missing(files):
    content = json.loads(run("compare", *files, "--missing", "zero", *ASKED, "--format", "json"))
    assert content["input"] == {
        "items": 7, "cases": 3, "ignored": {"not_in_gold": 3, "duplicate": 0, "unreadable": 0},
        "touched": {"missing": 1, "unknown": 0},
    }  # fmt: skip
    assert [(s["name"], s["answered"], s["items"]) for s in content["systems"]] == [
        ("a", 7, 7),
        ("b", 6, 7),
        ("c", 7, 7),
    ]
