"""`ordeval evaluate`: the authors' own numbers, the JSON of the contract, statuses, a table for people."""

import csv
import gzip
import io
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
from tests.examples import grid

PLAIN = ("--level", "none")
DASH = "\N{EN DASH}"


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def as_json(*arguments):
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def files(tmp_path):
    """By hand: 'good' is right on 3 of 4 items, 'bad' on 1 of 3 that it answers; two test cases."""
    (tmp_path / "gold.csv").write_text("case,item,label\nx,1,1\nx,2,2\ny,3,3\ny,4,1\n")
    (tmp_path / "good.csv").write_text("case,item,label\nx,1,1\nx,2,2\ny,3,3\ny,4,2\nz,9,1\n")
    (tmp_path / "bad.csv").write_text("case,item,label\nx,1,3\nx,2,2\ny,3,1\n")
    return [tmp_path / name for name in ("gold.csv", "good.csv", "bad.csv")]


@grid(
    "name, gold, systems",
    [
        ("replab2013_polarity", "replab2013_polarity/gold", "replab2013_polarity/systems"),
        ("llmjudge2024", "llmjudge2024/gold", "llmjudge2024/systems"),
        ("rusentne2023_llm_en", "rusentne2023_llm/gold_en", "rusentne2023_llm/systems_en"),
        ("rusentne2023_llm_ru", "rusentne2023_llm/gold_ru", "rusentne2023_llm/systems_ru"),
    ],
    every=2,
)
def test_every_test_case_has_the_value_of_the_authors_program_and_the_mean_is_theirs(
    shared, name, gold, systems
):
    data = shared / "data"
    content = as_json(
        "evaluate",
        data / f"{gold}.csv.gz",
        data / f"{systems}.csv.gz",
        "--missing",
        "zero",
        "--metrics",
        "cem_ord",
        *PLAIN,
    )
    with gzip.open(data / "reference_cem" / f"{name}.csv.gz", "rt") as stream:
        known = {
            (row["system"], row["case"]): float(row["cem_ord"]) for row in csv.DictReader(stream)
        }
    found = {
        (system["name"], case["case"]): case["scores"]["cem_ord"]["value"]
        for system in content["systems"]
        for case in system["cases"]
    }
    assert found == pytest.approx(known, abs=1e-9)
    for system in content["systems"]:
        values = [value for (one, _), value in known.items() if one == system["name"]]
        assert system["scores"]["cem_ord"]["value"] == pytest.approx(
            sum(values) / len(values), abs=1e-9
        )


def test_the_json_of_replab_is_that_of_the_contract(shared):
    data = shared / "data" / "replab2013_polarity"
    content = as_json(
        "evaluate",
        data / "gold.csv.gz",
        data / "systems.csv.gz",
        "--missing",
        "zero",
        "--metrics",
        "cem_ord",
    )
    assert list(content)[:7] == [
        "schema",
        "ordeval",
        "command",
        "scale",
        "policy",
        "input",
        "systems",
    ]
    assert (content["schema"], content["ordeval"], content["command"]) == (
        1,
        oe.__version__,
        "evaluate",
    )
    assert content["scale"] == {"labels": [-1, 0, 1], "values": [-1, 0, 1]}
    assert content["policy"] == {"missing": "zero", "unknown": "error", "duplicates": "error"}
    assert (content["input"]["items"], content["input"]["cases"]) == (70412, 61)
    assert content["input"]["ignored"] == {"not_in_gold": 0, "duplicate": 0, "unreadable": 0}
    (system,) = content["systems"]
    assert (system["name"], system["answered"], system["items"]) == (
        "evall_example_run",
        70058,
        70412,
    )
    score = system["scores"]["cem_ord"]
    assert list(score) == ["value", "low", "high", "error"]
    assert score["low"] < score["value"] < score["high"]
    assert system["cases"][0]["case"] == "RL2013D01E001"
    assert system["cases"][0]["items"] == 1164
    assert set(system["cases"][0]["scores"]["cem_ord"]) == {"value"}


def test_scores_are_means_over_test_cases_or_pooled(files):
    options = ("--missing", "zero", "--metrics", "accuracy", *PLAIN)
    means = {
        s["name"]: s["scores"]["accuracy"]["value"]
        for s in as_json("evaluate", *files, *options)["systems"]
    }
    assert means == {"good": (1 + 0.5) / 2, "bad": (0.5 + 0) / 2}
    content = as_json("evaluate", *files, *options, "--pooled")
    assert {s["name"]: s["scores"]["accuracy"]["value"] for s in content["systems"]} == {
        "good": 0.75,
        "bad": 0.25,
    }
    assert content["input"]["cases"] == 0
    assert content["systems"][0]["cases"] == []
    assert content["input"]["ignored"]["not_in_gold"] == 1
    assert content["input"]["touched"] == {"missing": 1, "unknown": 0}
    assert [system["answered"] for system in content["systems"]] == [4, 3]


def test_an_undefined_score_is_null_with_a_reason_and_a_dash_with_a_footnote(tmp_path):
    (tmp_path / "data.csv").write_text("case,gold,a,b\nx,1,2,1\nx,2,2,2\ny,1,1,1\ny,2,1,2\n")
    arguments = (
        "evaluate",
        tmp_path / "data.csv",
        "--gold",
        "gold",
        "--pred",
        "a",
        "--pred",
        "b",
        "--metrics",
        "pearson",
    )
    content = as_json(*arguments, *PLAIN)
    first = content["systems"][0]
    assert first["scores"]["pearson"]["value"] is None
    assert "2 of 2 test cases" in first["scores"]["pearson"]["reason"]
    assert first["cases"][0]["scores"]["pearson"]["value"] is None
    assert first["cases"][0]["scores"]["pearson"]["reason"]
    assert content["systems"][1]["scores"]["pearson"] == {"value": 1.0}
    text = run(*arguments, *PLAIN).stdout
    assert re.search(rf"^a +{DASH}¹$", text, re.MULTILINE)
    assert re.search(r"^¹ pearson: undefined in 2 of 2 test cases", text, re.MULTILINE)


def test_columns_after_pred_are_columns_too(tmp_path):
    (tmp_path / "data.csv").write_text("gold,a,b,c\n1,1,2,1\n2,2,2,1\n")
    ways = [
        ("--pred", "a", "--pred", "b", "--pred", "c"),
        ("--pred", "a,b,c"),
        ("--pred", "a", "b", "c"),
    ]
    for way in ways:
        content = as_json("evaluate", tmp_path / "data.csv", "--gold", "gold", *way, *PLAIN)
        assert [system["name"] for system in content["systems"]] == ["a", "b", "c"]


def test_labels_may_be_words_negative_numbers_or_hold_a_comma(tmp_path):
    (tmp_path / "words.csv").write_text('gold,a\n"no, never",yes\nyes,yes\n')
    wide = ("--gold", "gold", "--pred", "a", "--metrics", "accuracy", *PLAIN)
    content = as_json("evaluate", tmp_path / "words.csv", *wide, "--labels", '"no, never",yes')
    assert content["scale"] == {"labels": ["no, never", "yes"], "values": [0, 1]}
    (tmp_path / "numbers.csv").write_text("gold,a\n-1,1\n1,1\n")
    content = as_json(
        "evaluate", tmp_path / "numbers.csv", *wide, "--labels", "-1,0,1", "--values", "-1,0,5"
    )
    assert content["scale"] == {"labels": [-1, 0, 1], "values": [-1, 0, 5]}


@pytest.mark.parametrize(
    "scale", [["--labels", "a,b,a"], ["--labels", ""], ["--labels", "a,b", "--values", "1,1"]]
)
def test_a_scale_that_contradicts_itself_is_wrong_usage_and_not_bad_data(files, scale):
    result = run("evaluate", *files, *scale)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")


def test_a_limit_that_is_none_and_a_measure_that_is_none_are_wrong_usage(files):
    for limit in ("accuracy", "accuracy=high", "accurcy=0.5", "accuracy=nan"):
        assert run("evaluate", *files, "--fail-under", limit).exit_code == 2
    no_number = run("evaluate", *files, "--fail-under", "accuracy")
    assert "--fail-under is 'accuracy'; it is a measure and a number" in no_number.stderr
    result = run("evaluate", *files, "--metrics", "accurcy")
    assert result.exit_code == 2
    assert "Did you mean accuracy?" in result.stderr
    assert (
        run(
            "evaluate", *files, "--metrics", "ranked_probability_score", "--missing", "zero"
        ).exit_code
        == 2
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("gold.csv",),
        ("gold.csv", "good.csv", "--level", "2"),
        ("gold.csv", "good.csv", "--missing", "ignore"),
        ("gold.csv", "good.csv", "--resamples", "0"),
        ("gold.csv", "good.csv", "--values", "one"),
        ("gold.csv", "--gold", "label"),
        ("gold.csv", "--pred", "label"),
        ("gold.csv", "--gold", "label", "--pred", "label", "--system", "case"),
    ],
)
def test_wrong_usage_ends_with_status_2_and_nothing_on_stdout(files, arguments, monkeypatch):
    monkeypatch.chdir(files[0].parent)
    result = run("evaluate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_bad_data_ends_with_status_3_a_sentence_and_no_file(files, tmp_path):
    target = tmp_path / "out.json"
    target.write_text("what was there")
    result = run("evaluate", *files, "--format", "json", "-o", target)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(
        "Error: 1 of 4 answers of 'bad' is missing, first at item '4' of case 'y'."
    )
    assert "Traceback" not in result.stderr
    assert target.read_text() == "what was there"
    assert run("evaluate", tmp_path / "nowhere.csv", files[1]).exit_code == 3


def test_results_go_whole_to_a_file_or_the_old_one_stays(files, tmp_path, monkeypatch):
    target = tmp_path / "out.csv"
    result = run("evaluate", *files, "--missing", "zero", "--format", "csv", "-o", target, *PLAIN)
    assert (result.exit_code, result.stdout) == (0, "")
    before = target.read_text()
    assert before.startswith("system,items,answered,cem_ord,")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    result = run("evaluate", *files, "--missing", "drop", "--format", "csv", "-o", target, *PLAIN)
    assert result.exit_code == 2
    assert "No space left" in result.stderr
    assert target.read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bad.csv",
        "gold.csv",
        "good.csv",
        "out.csv",
    ]


def test_a_link_is_followed_and_a_pipe_stays_a_pipe(files, tmp_path):
    link, pipe = tmp_path / "link.csv", tmp_path / "pipe"
    link.symlink_to("end.csv")
    os.mkfifo(pipe)
    asked = ["evaluate", *files, "--missing", "zero", "--format", "csv", *PLAIN]
    assert run(*asked, "-o", link).exit_code == 0
    assert link.is_symlink()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run(*asked, "-o", pipe).exit_code == 0
    assert pipe.is_fifo()
    assert os.read(reader, 10_000).decode() == (tmp_path / "end.csv").read_text()
    os.close(reader)


def test_rows_that_could_not_be_read_are_told_on_stderr(files):
    files[1].write_text(files[1].read_text() + "x\n")
    result = run("evaluate", *files, "--missing", "zero", "--format", "json", *PLAIN)
    assert "Note: 1 row could not be read" in result.stderr
    assert "line 7 (too few columns)" in result.stderr
    assert json.loads(result.stdout)["input"]["ignored"]["unreadable"] == 1


def test_csv_has_a_line_for_each_system_and_a_field_for_each_end(files):
    result = run(
        "evaluate",
        *files,
        "--missing",
        "zero",
        "--format",
        "csv",
        "--metrics",
        "accuracy,pearson",
        "--resamples",
        "99",
    )
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert list(rows[0]) == [
        "system",
        "items",
        "answered",
        *(f"{m}{end}" for m in ("accuracy", "pearson") for end in ("", "_low", "_high")),
    ]
    assert (rows[1]["system"], rows[1]["items"], rows[1]["answered"], rows[1]["accuracy"]) == (
        "bad",
        "4",
        "3",
        "0.25",
    )


def test_text_tells_the_policy_what_it_touched_and_what_was_left_out(files):
    text = run("evaluate", *files, "--missing", "zero", "--metrics", "accuracy,mae", *PLAIN).stdout
    assert "4 items in 2 test cases, whose scores are averaged; 3 classes: 1 < 2 < 3." in text
    assert "1 answer is missing; a missing answer earns nothing." in text
    assert "Rows left out: 1 not in gold." in text
    assert re.search(r"^system +answered +accuracy ↑ +mae ↓$", text, re.MULTILINE)
    assert re.search(r"^bad +75\.0% +0\.250 +1\.500$", text, re.MULTILINE)
    assert "\x1b" not in text


def test_a_terminal_gets_colour_within_its_width_and_a_pipe_none(files):
    command = [
        sys.executable,
        "-m",
        "ordeval",
        "evaluate",
        *map(str, files),
        "--missing",
        "zero",
        "--resamples",
        "99",
    ]
    primary, secondary = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=secondary, stderr=subprocess.PIPE, env=environment)
    os.close(secondary)
    shown = b""
    while True:
        try:
            piece = os.read(primary, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(primary)
    _, complaints = process.communicate()
    assert process.returncode == 0, complaints
    text = shown.decode().replace("\r\n", "\n")
    assert "\x1b[1m" in text
    assert all(len(re.sub(r"\x1b\[\d+m", "", line)) <= 80 for line in text.splitlines())
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout
    assert piped.stderr == ""


@pytest.mark.parametrize(
    ("undefined", "value"), [("omit", 1), ("zero", 0.5), ("lowest", 0), ("error", None)]
)
def test_a_case_on_which_a_measure_is_undefined_counts_as_asked(tmp_path, undefined, value):
    # Tau-b is 1 on case x and undefined on y, where all answers are alike; its lowest value is -1.
    path = tmp_path / "wide.csv"
    path.write_text("case,gold,a\nx,1,1\nx,2,2\ny,1,1\ny,2,1\n")
    words = [path, "--gold", "gold", "--pred", "a", "--metrics", "kendall_tau_b"]
    content = as_json("evaluate", *words, "--undefined", undefined)
    assert content["systems"][0]["scores"]["kendall_tau_b"]["value"] == value


def test_the_kind_of_interval_and_what_is_drawn_can_be_chosen(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("case,gold,a\n" + "".join(f"{i % 4},{i % 3},{i % 2}\n" for i in range(60)))
    words = [path, "--gold", "gold", "--pred", "a", "--metrics", "accuracy"]
    options = ["--interval", "bca", "--resample", "items", "--resamples", "99", "--seed", "3"]
    found = as_json("evaluate", *words, *options)["intervals"]
    assert (found["method"], found["resampled"]) == ("bca", "items")
    assert (found["resamples"], found["seed"]) == (99, 3)
    default = as_json("evaluate", *words)["intervals"]
    assert (default["method"], default["resampled"], default["resamples"]) == ("t", "cases", None)


def test_each_test_case_is_given_with_its_interval_if_asked_for(tmp_path):
    gold, system = tmp_path / "gold.csv", tmp_path / "a.csv"
    gold.write_text("case,item,label\np,1,1\np,2,2\nq,1,1\nq,2,3\n")
    system.write_text("case,item,label\np,1,1\np,2,1\nq,1,1\nq,2,3\n")
    options = (gold, system, "--metrics", "accuracy", "--per-case", "--format")
    rows = list(csv.DictReader(io.StringIO(run("evaluate", *options, "csv").stdout)))
    # One of two is right in p, both in q.
    assert [(row["case"], row["accuracy"]) for row in rows] == [
        ("", "0.75"),
        ("p", "0.5"),
        ("q", "1.0"),
    ]
    assert 0 <= float(rows[1]["accuracy_low"]) < 0.5 < float(rows[1]["accuracy_high"]) <= 1
    content = json.loads(run("evaluate", *options, "json").stdout)
    (_, q) = content["systems"][0]["cases"]
    assert q["scores"]["accuracy"]["low"] == float(rows[2]["accuracy_low"])
    text = run("evaluate", *options, "text").stdout
    assert "The interval of a test case is over its items." in text
    compared = list(csv.DictReader(io.StringIO(run("compare", *options, "csv").stdout)))
    assert [row["case"] for row in compared] == ["", "p", "q"]


@pytest.mark.later
def test_slices_and_test_cases_are_shown_in_every_form(tmp_path):
    gold, system = tmp_path / "gold.csv", tmp_path / "a.csv"
    gold.write_text("case,item,label,country\np,1,1,es\np,2,2,it\nq,1,1,es\nq,2,3,it\n")
    system.write_text("case,item,label\np,1,1\np,2,1\nq,1,1\nq,2,3\n")
    options = (gold, system, "--metrics", "accuracy", "--by", "country", "--per-case", "--format")
    for command in ("evaluate", "compare"):
        for form in ("text", "markdown", "latex", "json", "csv"):
            words = run(command, *options, form).stdout
            found = words.replace("\\_", "_")
            assert all(name in found for name in ("country", "es", "it", "case")), (command, form)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_without_test_cases_a_note_says_that_there_are_none_to_show(tmp_path, command):
    path = tmp_path / "wide.csv"
    path.write_text("case,gold,a\np,1,1\np,2,2\nq,1,2\nq,2,2\n")
    wide = (path, "--gold", "gold", "--pred", "a", "--metrics", "accuracy", "--per-case")
    pooled = run(command, *wide, "--pooled")
    assert "Note: --per-case shows nothing" in pooled.stderr
    assert "The interval of a test case" not in pooled.stdout
    assert "--per-case" not in run(command, *wide).stderr


@pytest.mark.parametrize("command", ["count", "meta"])
def test_slices_are_refused_where_they_would_not_be_shown(tmp_path, command):
    path = tmp_path / "wide.csv"
    path.write_text("gold,a,b,country\n1,1,1,es\n2,2,1,it\n")
    result = run(command, path, "--gold", "gold", "--pred", "a,b", "--by", "country")
    assert result.exit_code == 2
    assert "--by asks for slices, which this command does not show" in result.stderr


def test_scores_of_regression_are_refused_or_rounded_and_the_result_says_so(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\na,1\nb,2\nc,3\nd,3\n")
    (tmp_path / "means.csv").write_text("item,label\na,1.33\nb,2.5\nc,2.67\nd,3\n")
    files = tmp_path / "gold.csv", tmp_path / "means.csv"
    refused = run("evaluate", *files)
    assert refused.exit_code == 3
    assert (
        "label '1.33' is not on the scale 1,2,3 (lowest first); 3 of 4 answers lie outside it, first at item "
        "'a'. Pass --round nearest to round such answers to the nearest class"
    ) in " ".join(refused.stderr.split())
    content = as_json("evaluate", *files, "--round", "nearest", "--metrics", "accuracy", *PLAIN)
    assert content["policy"]["round"] == "nearest"
    assert content["input"]["touched"]["rounded"] == 3
    # 1.33 -> 1, 2.5 -> 3, 2.67 -> 3, 3: three of four are right
    assert content["systems"][0]["scores"]["accuracy"]["value"] == 0.75
    shown = run("evaluate", *files, "--round", "nearest")
    assert "3 answers are rounded to the nearest class." in " ".join(shown.stdout.split())


def test_codes_with_wide_gaps_are_refused_with_the_option_to_paste(tmp_path):
    (tmp_path / "wide.csv").write_text("g,p\n100,100\n200,500\n500,600\n")
    refused = run("evaluate", tmp_path / "wide.csv", "--gold", "g", "--pred", "p")
    assert refused.exit_code == 3
    assert "Pass --labels 100,200,500,600 if these are" in " ".join(refused.stderr.split())


def test_a_word_among_the_numbers_of_a_run_is_unknown(tmp_path):
    (tmp_path / "wide.csv").write_text("g,p\n1,1\n2,N/A\n3,3\n")
    wide = (tmp_path / "wide.csv", "--gold", "g", "--pred", "p")
    refused = run("evaluate", *wide)
    assert refused.exit_code == 3
    assert "label 'N/A' is not on the scale 1,2,3" in " ".join(refused.stderr.split())
    options = ("--unknown", "missing", "--missing", "zero", "--metrics", "accuracy", *PLAIN)
    content = as_json("evaluate", *wide, *options)
    assert content["systems"][0]["scores"]["accuracy"]["value"] == pytest.approx(2 / 3)
