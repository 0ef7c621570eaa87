"""Result files of evaluation tools are read as marks: each file here was written by its tool."""

import contextlib
import gzip
import json
import random
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.errors import OrdevalError, speaking_of_options
from ordeval.ratings.repeats import repeats_of

LOGS = Path(__file__).parents[2] / "data" / "tool_logs"
SMALL, LARGE = (LOGS / "inspect_ai" / f"{name}.eval" for name in ("small", "large"))
PLAIN = LOGS / "inspect_ai" / "small.json"
SAMPLES = LOGS / "lm_eval" / "samples_made_up.jsonl"
RESULTS = LOGS / "promptfoo" / "results.json"
TEST_RUN = LOGS / "deepeval" / "test_run.json"

# (n + (n * epoch) % 2) % 5 + 1 for sample n: what make_logs.py says of the scorer `rubric`
RUBRIC = {1: [3, 3, 5, 5, 2, 2], 2: [2, 3, 4, 5, 1, None], 3: [3, 3, 5, 5, 2, 2]}


def marks_of(ratings):
    """Return the label of each item, by rater."""
    labels = [*ratings.scale.labels, None]
    found = {}
    for rater in ratings.raters:
        alone = ratings.select([rater])
        codes = [*(row[0] if len(row) else -1 for row in alone.mark.tolist())]
        found[rater] = [labels[codes[of]] for of in alone.pattern_of.tolist()]
    return found


def message(*files, **options):
    """Return what an error of ours says."""
    with pytest.raises(OrdevalError) as caught:
        oe.Ratings.from_file(list(files), **options)
    return str(caught.value)


def packed(path, *, leave_out=(), compression=zipfile.ZIP_DEFLATED, **changes):
    """Write the log that is JSON as an archive, as versions before zstd did, with changes or without some members."""
    log = json.loads(PLAIN.read_text())
    samples = log.pop("samples")
    members = {"_journal/start.json": {key: log[key] for key in ("version", "eval", "plan")}}
    members |= {"_journal/summaries/1.json": samples, "summaries.json": samples, "header.json": log}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in (members | changes).items():
            if name not in leave_out:
                archive.writestr(name, json.dumps(content))
    return path


def test_epochs_of_inspect_are_repeats_and_a_scorer_is_a_rater():
    ratings = oe.Ratings.from_file(SMALL, label="rubric")
    assert ratings.items == ("s1", "s2", "s3", "s4", "s5", "s6")
    assert marks_of(ratings) == {f"rubric #{epoch}": marks for epoch, marks in RUBRIC.items()}
    assert repeats_of(ratings) == {"rubric": (0, 1, 2)}
    assert ratings.notes == ("1 of 18 scores is empty, and so no mark.",)


def test_logs_of_different_models_are_different_raters():
    ratings = oe.Ratings.from_file(LOGS / "inspect_ai" / "*.eval", label="rubric")
    small = {f"rubric (mockllm/small) #{epoch}": marks for epoch, marks in RUBRIC.items()}
    # the log of the other model has one epoch, and so no repeats
    assert marks_of(ratings) == {"rubric (mockllm/large)": RUBRIC[1], **small}


def test_a_log_in_json_has_the_marks_of_the_archive():
    ratings = oe.Ratings.from_file(PLAIN, label="rubric")
    assert marks_of(ratings) == {
        "rubric #1": [3, 3],
        "rubric #2": [2, 3],
    }  # samples 1 and 2, epochs 1 and 2


def test_archives_of_both_kinds_and_of_a_run_that_stopped_have_the_same_marks(tmp_path):
    known = oe.Ratings.from_file(PLAIN, label="rubric")
    assert oe.Ratings.from_file(packed(tmp_path / "a.eval"), label="rubric") == known
    half = packed(tmp_path / "b.eval", leave_out=["header.json", "summaries.json"])
    stopped = oe.Ratings.from_file(half, label="rubric")
    assert stopped == known
    assert "did not end well (status 'started')" in stopped.notes[0]
    # recognised by what it holds: the name says nothing
    other = packed(tmp_path / "log.zip")
    assert oe.Ratings.from_file(other, label="rubric") == known


def test_the_words_of_inspect_have_their_order_and_no_answer_is_no_mark():
    ratings = oe.Ratings.from_file(LARGE, label="verdict")
    # "CPIN"[(n + 1) % 4] for n = 1 ... 6
    assert ratings.scale.labels == ("I", "P", "C")
    assert marks_of(ratings) == {"verdict": ["I", None, "C", "P", "I", None]}
    assert ratings.notes == ("2 of 6 scores are 'N', no answer, and so no mark.",)
    declared = oe.Ratings.from_file(LARGE, label="verdict", labels=["N", "I", "P", "C"])
    assert marks_of(declared) == {"verdict": ["I", "N", "C", "P", "I", "N"]}


def test_a_scorer_with_several_values_is_several_raters():
    ratings = oe.Ratings.from_file(LARGE, label="two_sides: style")
    assert marks_of(ratings) == {"two_sides: style": [2, 3, 1, 2, 3, 1]}  # n % 3 + 1
    said = message(LARGE)
    assert said.startswith(
        "some scores are words and others are numbers: 'rubric', 'verdict', 'two_sides: style'"
    )
    assert said.endswith("Choose the one that holds the marks, as with label='rubric'.")


def test_samples_that_failed_have_no_mark_and_are_counted(tmp_path):
    log = json.loads(PLAIN.read_text())
    log["samples"][0] |= {"scores": None, "error": {"message": "out of time"}}
    (tmp_path / "a.json").write_text(json.dumps(log | {"status": "error"}))
    ratings = oe.Ratings.from_file(tmp_path / "a.json", label="rubric")
    assert ratings.marks == 3
    assert "did not end well (status 'error')" in ratings.notes[0]
    assert "1 of 4 samples in" in ratings.notes[1]
    assert "has no score (1 ended with an error), and so no mark." in ratings.notes[1]


def test_a_log_without_any_score_is_an_error_that_says_why(tmp_path):
    log = json.loads(PLAIN.read_text())
    (tmp_path / "a.json").write_text(json.dumps(log | {"samples": []}))
    assert "has no scores. Check that the run was scored." in message(tmp_path / "a.json")
    failed = [sample | {"scores": {}, "error": "x"} for sample in log["samples"]]
    (tmp_path / "b.json").write_text(json.dumps(log | {"samples": failed}))
    assert "4 of 4 samples in" in message(tmp_path / "b.json")


def test_a_later_version_is_read_and_noted(tmp_path):
    log = json.loads(PLAIN.read_text())
    (tmp_path / "a.json").write_text(json.dumps(log | {"version": 9}))
    ratings = oe.Ratings.from_file(tmp_path / "a.json", label="rubric")
    assert "is of version 9 of the format of Inspect AI; version 2 is known." in ratings.notes[0]


@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("log", [SMALL, PLAIN, RESULTS, TEST_RUN], ids=lambda log: log.name)
def test_a_file_that_is_cut_is_an_error_that_names_it(tmp_path, log, share):
    whole = log.read_bytes()
    cut = tmp_path / log.name
    cut.write_bytes(whole[: int(len(whole) * share)])
    said = message(cut)
    assert log.name in said


def test_archives_that_are_damaged_or_hold_something_else_are_refused(tmp_path):
    packed(tmp_path / "a.eval", **{"summaries.json": [1, 2]})
    assert "does not name its task and its samples" in message(tmp_path / "a.eval")
    with zipfile.ZipFile(tmp_path / "b.eval", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    assert "is an archive, but no log of Inspect AI" in message(tmp_path / "b.eval")
    (tmp_path / "c.eval").write_text("nothing")
    assert "it is no archive" in message(tmp_path / "c.eval")
    data = bytearray(SMALL.read_bytes())
    with zipfile.ZipFile(SMALL) as archive:
        about = archive.getinfo("summaries.json")
    begin = about.header_offset + 30 + len(about.filename)
    data[begin : begin + 40] = bytes(40)
    (tmp_path / "d.eval").write_bytes(data)
    assert "d.eval' cannot be read" in message(tmp_path / "d.eval")


def test_logs_of_different_tasks_are_refused(tmp_path):
    log = json.loads(PLAIN.read_text())
    log["eval"]["task"] = "poems"
    (tmp_path / "a.json").write_text(json.dumps(log))
    said = message(PLAIN, tmp_path / "a.json", label="rubric")
    assert said.startswith("the logs are of different tasks, 'poems', 'stories'")


def test_a_second_log_of_the_same_judge_is_an_error_that_names_both(tmp_path):
    (tmp_path / "a.json").write_bytes(PLAIN.read_bytes())
    said = message(PLAIN, tmp_path / "a.json", label="rubric")
    assert "small.json' and " in said
    assert "a.json' both have a mark by 'rubric' of item 's1', of the same model." in said
    files = [PLAIN, tmp_path / "a.json"]
    first = oe.Ratings.from_file(files, label="rubric", duplicates="first")
    assert marks_of(first) == {"rubric #1": [3, 3], "rubric #2": [2, 3]}
    assert dict(first.ignored) == {"duplicate": 4}


def test_the_measure_of_samples_of_lm_eval_is_chosen(tmp_path):
    ratings = oe.Ratings.from_file(SAMPLES, label="rubric")
    assert marks_of(ratings) == {
        "rubric": [3, 4, 3, 4]
    }  # questions of 17 and 18 letters, modulo 5, plus 1
    assert ratings.items == (0, 1, 2, 3)
    assert message(SAMPLES).endswith(
        "has several measures: 'rubric', 'words'. Choose the one that holds the marks, as with label='rubric'."
    )
    assert "is named 'rubrik'; there are 'rubric', 'words'. Did you mean" in message(
        SAMPLES, label="rubrik"
    )
    zipped = tmp_path / "samples.jsonl.gz"
    zipped.write_bytes(gzip.compress(SAMPLES.read_bytes()))
    assert oe.Ratings.from_file(zipped, label="rubric") == ratings


def test_files_of_samples_are_models_and_filters_are_told_apart(tmp_path):
    lines = SAMPLES.read_text().splitlines()
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    words = [3, 1, 3, 1]  # answers of 8 and 9 letters, modulo 3, plus 1
    ratings = oe.Ratings.from_file(tmp_path / "*.jsonl", label="words")
    assert marks_of(ratings) == {"words (one)": words, "words (two)": words}
    strict = [json.dumps(json.loads(line) | {"filter": "strict"}) for line in lines]
    (tmp_path / "both.jsonl").write_text("\n".join(lines + strict))
    ratings = oe.Ratings.from_file(tmp_path / "both.jsonl", label="words,strict")
    assert marks_of(ratings) == {"words,strict": words}
    other = [json.dumps(json.loads(line) | {"doc_hash": "0"}) for line in lines]
    (tmp_path / "other.jsonl").write_text("\n".join(other))
    said = message(tmp_path / "one.jsonl", tmp_path / "other.jsonl", label="words")
    assert "other.jsonl' has another document 0 than a file before it" in said
    (tmp_path / "cut.jsonl").write_text("\n".join(lines)[:-30])
    assert "line 4 of" in message(tmp_path / "cut.jsonl", label="words")


def test_results_of_promptfoo_have_named_scores_providers_and_repeats():
    ratings = oe.Ratings.from_file(RESULTS, label="rubric")
    # results.json gives the rubric 2 for the river and 4 for the bridge, whoever was asked
    each = ["rubric (large) #1", "rubric (large) #2", "rubric (small) #1", "rubric (small) #2"]
    assert marks_of(ratings) == {rater: [2, 4] for rater in each}
    assert ratings.items == ("river", "bridge")
    both = oe.Ratings.from_file(RESULTS)
    assert len(both.raters) == 8
    assert marks_of(both)["words (small) #2"] == [
        3,
        3,
    ]  # texts of 17 and 29 letters, modulo 3, plus 1


def test_judges_of_promptfoo_without_a_name_are_named_by_their_kind(tmp_path):
    content = json.loads(RESULTS.read_text())
    content["runtimeOptions"]["repeat"] = 1
    for result in content["results"]["results"]:
        result["namedScores"] = {}
        result["testCase"]["description"] = "the same"
        for part in result["gradingResult"]["componentResults"]:
            part["assertion"].pop("metric")
    content["results"]["results"][0] |= {"gradingResult": None, "error": "no connection"}
    (tmp_path / "a.json").write_text(json.dumps(content))
    ratings = oe.Ratings.from_file(tmp_path / "a.json")
    # an assertion in JavaScript is no judge; tests without a description of their own have numbers
    assert ratings.raters == ("llm-rubric (large)", "llm-rubric (small)")
    assert ratings.items == (0, 1, 2, 3)
    assert marks_of(ratings)["llm-rubric (small)"] == [None, 2, 4, 4]
    assert "1 of 8 results in" in ratings.notes[0]


def test_metrics_of_deepeval_are_raters_and_fractions_need_classes():
    ratings = oe.Ratings.from_file(TEST_RUN, label="Stars")
    assert ratings.items == ("story-1", "story-2", "story-3", "story-4")
    assert marks_of(ratings) == {
        "Stars": [3, 4, 3, 4]
    }  # inputs of 17 and 18 letters, modulo 5, plus 1
    said = message(TEST_RUN)
    assert "the scores of 'Helpful [GEval]' are not whole, such as 0.5" in said
    assert (
        "as with label='Helpful [GEval]', labels=[0, 0.25, 0.5, 0.75, 1], round='nearest'." in said
    )
    assert said.endswith("The other scores are 'Stars'.")
    given = {"label": "Helpful [GEval]", "labels": [0, 0.25, 0.5, 0.75, 1]}
    assert "Pass round='nearest'" in message(TEST_RUN, **given)
    rounded = oe.Ratings.from_file(TEST_RUN, **given, round="nearest")
    assert marks_of(rounded) == {"Helpful [GEval]": [0.5] * 4}  # 0.5, 0.6, 0.5, 0.6
    assert dict(rounded.touched) == {"rounded": 2}


def test_a_metric_of_deepeval_that_failed_gives_no_mark(tmp_path):
    content = json.loads(TEST_RUN.read_text())
    content["testCases"][0]["metricsData"][0] |= {"score": None, "error": "no answer"}
    content["testCases"][1]["metricsData"] = []
    (tmp_path / "a.json").write_text(json.dumps(content))
    ratings = oe.Ratings.from_file(tmp_path / "a.json", label="Stars")
    assert marks_of(ratings) == {"Stars": [None, 3, 4]}
    assert ratings.notes[1] == "1 of 3 scores is empty, and so no mark."
    assert "1 of 4 test cases in" in ratings.notes[0]


def test_results_of_deepeval_that_were_saved_in_python_are_read(tmp_path):
    cases = [{"name": "a", "metrics_data": [{"name": "Stars", "score": 2.0}]}]
    (tmp_path / "a.json").write_text(json.dumps({"test_results": cases}, indent=2))
    assert marks_of(oe.Ratings.from_file(tmp_path / "a.json")) == {"Stars": [2]}


def test_columns_of_tables_and_other_files_do_not_go_with_logs(tmp_path):
    for options in (
        {"item": "id"},
        {"rater": "judge"},
        {"repeat": "epoch"},
        {"raters": ["a"]},
        {"count": "n"},
    ):
        name = next(iter(options))
        assert message(TEST_RUN, **options).startswith(f"{name}= names a column of a table, and ")
    (tmp_path / "a.csv").write_text("item,rater,label\np,ann,1\n")
    assert "is not one of an evaluation tool. Read them apart" in message(
        TEST_RUN, tmp_path / "a.csv"
    )


def test_other_json_is_not_mistaken_for_a_log(tmp_path):
    rows = [{"item": at, "rater": "ann", "label": at % 3, "note": '"testCases"'} for at in range(5)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert oe.Ratings.from_file(tmp_path / "a.jsonl").marks == 5
    (tmp_path / "b.json").write_text("\n".join(json.dumps(row | {"evalId": 1}) for row in rows))
    assert oe.Ratings.from_file(tmp_path / "b.json").marks == 5


def test_the_command_reads_logs_and_says_what_has_no_mark():
    run = CliRunner().invoke(
        main, ["agree", str(SMALL), str(LARGE), "--label", "rubric", "--format", "json"]
    )
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["raters"] == 4
    assert "1 of 24 scores is empty" in run.stderr


def test_what_the_command_says_can_be_pasted():
    with speaking_of_options():
        said = message(TEST_RUN)
    assert "--label 'Helpful [GEval]' --labels 0,0.25,0.5,0.75,1 --round nearest" in said


@pytest.fixture
def sheets(tmp_path, monkeypatch):
    """The marks of three humans on the samples of the logs: as a spreadsheet, and with a row for each mark."""
    monkeypatch.chdir(tmp_path)
    wide = [(f"s{at}", mark, mark, min(mark + at % 2, 5)) for at, mark in enumerate(RUBRIC[1], 1)]
    rows = ["Item ID,ann,bob,cy", *(",".join(map(str, row)) for row in wide)]
    Path("wide.csv").write_text("\n".join(rows) + "\n")
    names = ("ann", "bob", "cy")
    rows = [
        f"{item},{name},{mark}"
        for item, *marks in wide
        for name, mark in zip(names, marks, strict=True)
    ]
    Path("long.csv").write_text("\n".join(["item,rater,label", *rows]) + "\n")


@pytest.mark.parametrize(
    "humans", [["wide.csv", "--raters", "ann,bob,cy", "--item", "Item ID"], ["long.csv"]]
)
def test_logs_are_the_judges_of_humans_in_a_table(sheets, humans):
    words = [
        "judge",
        humans[0],
        str(SMALL),
        str(LARGE),
        *humans[1:],
        "--label",
        "rubric",
        "--format",
        "json",
    ]
    run = CliRunner().invoke(main, words)
    assert run.exit_code in {0, 1, 4}, run.output
    judges = {one["name"]: one for one in json.loads(run.stdout)["judges"]}
    assert set(judges) == {"rubric (mockllm/large)", "rubric (mockllm/small)"}
    assert judges["rubric (mockllm/small)"]["consistency"]["items"] == 6


def test_the_marks_of_a_log_are_corrected(sheets):
    few = Path("wide.csv").read_text().splitlines()[:5]  # four of the six samples
    Path("few.csv").write_text("\n".join(few) + "\n")
    words = [
        "correct",
        "few.csv",
        str(LARGE),
        "--raters",
        "ann,bob",
        "--item",
        "Item ID",
        "--label",
        "rubric",
    ]
    run = CliRunner().invoke(main, [*words, "--format", "json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert found["input"] == {"marked": 4, "unmarked": 2, "unjudged": 0}
    assert found["mean"]["naive"] == pytest.approx((3 + 3 + 5 + 5 + 2 + 2) / 6)


ODD = [
    None,
    -1,
    2.5,
    "x",
    "",
    [],
    {},
    [1],
    {"a": 1},
    True,
    float("nan"),
    float("inf"),
    "4/5",
    10**30,
]


def with_faults(part, share, rng):
    """Return JSON, some parts of which are left out or have become something else."""
    if rng.random() < share:
        return rng.choice(ODD)
    if isinstance(part, dict):
        return {
            key: with_faults(one, share, rng) for key, one in part.items() if rng.random() > share
        }
    if isinstance(part, list):
        return [with_faults(one, share, rng) for one in part if rng.random() > share]
    return part


@pytest.mark.parametrize("seed", range(12))
def test_a_log_with_faults_is_read_or_refused_in_our_words(tmp_path, seed):
    rng = random.Random(seed)  # noqa: S311
    samples = [json.loads(line) for line in SAMPLES.read_text().splitlines()]
    for log in (PLAIN, RESULTS, TEST_RUN, SAMPLES):
        content = samples if log is SAMPLES else [json.loads(log.read_text())]
        lines = [json.dumps(with_faults(one, rng.choice([0.002, 0.02]), rng)) for one in content]
        (tmp_path / "a.json").write_text("\n".join(lines))
        for label in (None, "rubric", "Stars"):
            with contextlib.suppress(OrdevalError):
                oe.Ratings.from_file(tmp_path / "a.json", label=label)
