"""`ordeval judge`: from files of humans and judges to every form of the answer."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.judge.panels import PEOPLE, marks_of, panel, repeated

GAPS = [f"item{i},{1 + i % 5 if i % 9 else 'N/A'}" for i in range(120)]  # some marks are no marks


@pytest.fixture(scope="module")
def both():
    return panel(items=120)


@pytest.fixture
def folder(tmp_path, monkeypatch, both):
    humans, judges = both
    people, models = marks_of(humans).astype(int), marks_of(judges).astype(int)
    topics = ["short" if at % 2 else "long" for at in range(len(people))]
    long = [
        f"item{at},{who},{mark},{topics[at]}"
        for at, row in enumerate(people)
        for who, mark in zip(PEOPLE, row, strict=True)
    ]
    write(tmp_path / "humans.csv", ["item,rater,label,kind", *long])
    for name, column in zip(judges.raters, models.T, strict=True):
        write(
            tmp_path / f"{name}.csv",
            ["item,score", *(f"item{i},{m}" for i, m in enumerate(column))],
        )
    lines = [
        f"item{at},{name},{mark}"
        for at, row in enumerate(models)
        for name, mark in zip(judges.raters, row, strict=True)
    ]
    write(tmp_path / "judges.csv", ["item,judge,score", *lines])
    write(
        tmp_path / "all.csv",
        ["item,rater,label", *(line.rpartition(",")[0] for line in long), *lines],
    )
    wide = [",".join(map(str, [f"item{i}", *people[i], *models[i]])) for i in range(len(people))]
    write(tmp_path / "wide.csv", [",".join(["item", *PEOPLE, *judges.raters]), *wide])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")


def run(*words):
    return CliRunner().invoke(main, ["judge", *words])


def read(*words):
    return json.loads(run(*words, "--format", "json").stdout)


def test_every_way_to_name_humans_and_judges_gives_what_python_gives(folder, both):
    expected = json.loads(oe.judge.validate(*both).to_json())["judges"]
    for words in (
        ("humans.csv", "judges.csv"),
        ("humans.csv", "good.csv", "poor.csv"),
        ("humans.csv", "[gp]oo[dr].csv"),
        ("wide.csv", "--raters", ",".join(PEOPLE), "--judges", "good,poor"),
        ("all.csv", "--judges", "good", "--judges", "poor"),
        ("humans.csv", "wide.csv", "--judges", "good,poor"),
        ("wide.csv", "judges.csv", "--raters", ",".join(PEOPLE)),
    ):
        found = read(*words)
        assert [one["name"] for one in found["judges"]] == ["good", "poor"], words
        for mine, theirs in zip(found["judges"], expected, strict=True):
            assert mine["verdict"] == theirs["verdict"]
            assert mine["agreement"] == theirs["agreement"], words
            assert mine["alt_test"] == theirs["alt_test"]


def test_the_verdict_stands_above_the_tables_and_is_the_exit_status(folder):
    result = run("humans.csv", "judges.csv")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "good is fit to mark in place of a human: against the same humans"
    )
    alone = run("humans.csv", "poor.csv")
    assert alone.exit_code == 1
    assert alone.stdout.startswith("poor is not fit to mark in place of a human")
    strict = run("humans.csv", "good.csv", "--margin", "0.0001", "--epsilon", "0")
    assert strict.exit_code == 4
    assert strict.stdout.startswith("It is undecided whether good is fit")


def test_options_reach_the_validation(folder, both):
    result = read(
        "humans.csv", "judges.csv", "--primary", "mae", "--margin", "0.2", "--epsilon", "0.1", "--score", "accuracy",
        "--metrics", "qwk,mae", "--level", "0.9",
    )  # fmt: skip
    expected = oe.judge.validate(
        *both,
        primary="mae",
        margin=0.2,
        epsilon=0.1,
        score="accuracy",
        metrics=["qwk", "mae"],
        level=0.9,
    )
    assert result["settings"] == {
        "primary": "mae", "margin": 0.2, "epsilon": 0.1, "score": "accuracy", "q": 0.05, "level": 0.9,
    }  # fmt: skip
    assert list(result["judges"][0]["agreement"]) == list(expected["good"].agreement)
    assert result["judges"][0]["agreement"]["mae"]["low"] == pytest.approx(
        expected["good"].agreement["mae"].low
    )
    for form in ("csv", "markdown", "latex"):
        assert "good" in run("humans.csv", "judges.csv", "--format", form).stdout


def test_slices_go_by_a_column_about_the_items(folder):
    found = read("humans.csv", "judges.csv", "--by", "kind")
    slices = found["judges"][0]["slices"]
    assert [(one["value"], one["items"]) for one in slices] == [("long", 60), ("short", 60)]
    assert "kind = long" in run("humans.csv", "judges.csv", "--by", "kind").stdout
    lacking = run("humans.csv", "judges.csv", "--by", "colour")
    assert lacking.exit_code == 3
    assert "no file has the column 'colour', which --by colour asks for" in lacking.stderr
    several = run("humans.csv", "judges.csv", "--by", "label")
    assert several.exit_code == 3
    assert "has several values for item 'item" in several.stderr


def test_a_column_of_test_cases_can_be_a_slice(folder):
    lines = (
        (folder / "humans.csv")
        .read_text()
        .replace("item,rater,label,kind", "item,rater,label,topic")
    )
    (folder / "topics.csv").write_text(lines)
    found = read("topics.csv", "good.csv", "--by", "topic")
    assert [one["value"] for one in found["judges"][0]["slices"]] == ["long", "short"]


def test_repeats_are_told_apart_by_a_column(folder, both):
    marks = marks_of(both[1]).astype(int)
    lines = [f"item{i},gpt,{e},{row[e]}" for i, row in enumerate(marks) for e in (0, 1)]
    write(folder / "again.csv", ["item,judge,pass,score", *lines])
    found = read("humans.csv", "again.csv", "--repeat", "pass")["judges"]
    assert [one["name"] for one in found] == ["gpt"]
    expected = oe.judge.validate(both[0], repeated(marks, items=both[1].items))["gpt"]
    assert found[0]["agreement"]["mae"]["judge"] == pytest.approx(expected.agreement["mae"].judge)
    assert found[0]["consistency"]["equal"] == pytest.approx(np.mean(marks[:, 0] == marks[:, 1]))
    assert run("humans.csv", "again.csv").exit_code == 3  # a second mark of the same judge


def test_a_log_of_an_evaluation_tool_is_read_as_judges(folder, root):
    logs = root / "tests" / "data" / "tool_logs" / "inspect_ai"
    items = oe.Ratings.from_file(logs / "small.eval", label="rubric").items
    lines = [f"{item},ann,{1 + at % 5}" for at, item in enumerate(items)]
    lines += [f"{item},bob,{1 + (at + at % 2) % 5}" for at, item in enumerate(items)]
    write(folder / "people.csv", ["item,who,stars", *lines])
    named = (
        "people.csv",
        str(logs / "small.eval"),
        "--rater",
        "who",
        "--label",
        "stars",
        "--judges",
        "rubric",
    )
    (one,) = read(*named)["judges"]
    assert one["name"] == "rubric"
    assert one["consistency"]["items"] == 6
    lacking = run(*named, "--by", "colour")
    assert lacking.exit_code == 3
    assert "no file has the column 'colour'" in lacking.stderr


def test_columns_may_have_other_names_on_either_side(folder):
    text = (folder / "humans.csv").read_text()
    (folder / "people.csv").write_text(text.replace("item,rater,label", "text,who,stars"))
    expected = read("humans.csv", "judges.csv")["judges"]
    found = read("people.csv", "judges.csv", "--item", "text", "--rater", "who", "--label", "stars")
    assert found["judges"] == expected
    wrong = run("humans.csv", "judges.csv", "--label", "stars")
    assert wrong.exit_code == 3
    assert "no column 'stars'" in wrong.stderr or "has the column 'stars'" in wrong.stderr


def test_a_mark_between_two_classes_is_refused_or_rounded(folder):
    lines = (folder / "good.csv").read_text().splitlines()
    write(folder / "half.csv", [lines[0], "item0,2.5", *lines[2:]])
    refused = run("humans.csv", "half.csv")
    assert refused.exit_code == 3
    assert "label '2.5' is not on the scale 1,2,3,4,5" in refused.stderr
    assert "--round nearest" in refused.stderr
    write(folder / "three.csv", [lines[0], "item0,3", *lines[2:]])
    rounded = read("humans.csv", "half.csv", "--round", "nearest")["judges"][0]
    assert rounded["agreement"] == read("humans.csv", "three.csv")["judges"][0]["agreement"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("humans.csv",), 2, "one file was given; pass HUMANS and JUDGES"),
        (("humans.csv", "good.csv", "good.csv"), 2, "'good.csv' is named twice among JUDGES."),
        (("humans.csv", "gaps.csv"), 3, "without them and with --unknown missing, which leaves them out."),
        (("humans.csv", "good.csv", "--labels", "6,7,8"), 3, "No mark is on it: turn them into these classes first"),
        (("humans.csv", "empty.csv"), 3, "there are no marks of 'empty': every label is missing"),
        (("humans.csv", "humans.csv"), 3, "Humans and judges seem to be the same marks."),
        (("all.csv", "good.csv"), 3, "'good' is among both the humans and the judges"),
        (("good.csv", "humans.csv"), 3, "'good.csv' has no column of raters"),
        (("all.csv", "--judges", "claude"), 3, "there is no rater 'claude' among"),
        (("humans.csv", "ratio.csv"), 3, "cannot tell the order of the classes"),
        (("humans.csv", "gaps.csv"), 3, "the marks have 'N/A' among numbers"),
        (("humans.csv", "other.csv"), 3, "no answer of 'other' is about an item that the raters marked"),
        (("humans.csv", "good.csv", "other.csv"), 3, "judge 'other' marked no item that two humans or more marked"),
        (("one.csv", "good.csv"), 3, "there is only one human, 'ann'"),
        (("apart.csv", "good.csv"), 3, "no two humans marked the same item"),
        (("humans.csv", "good.csv", "--labels", "1,2,3"), 3, "is not on the scale 1,2,3"),
        (("humans.csv", "good.csv", "--score", "kendall_tau_b"), 2, "--score kendall_tau_b is not a score of single"),
        (("humans.csv", "good.csv", "--margin", "0"), 2, "--margin 0.0 is not a margin"),
        (("humans.csv", "good.csv", "--epsilon", "1"), 2, "--epsilon 1.0 is not a share of items"),
        (("humans.csv", "short.csv", "--missing", "error"), 3, "judge 'short' did not mark 119 of 120 items"),
    ],
)  # fmt: skip
def test_bad_input_is_said_in_a_sentence(folder, words, status, said):
    write(folder / "ratio.csv", ["item,score", *(f"item{i},{1 + i % 5}/5" for i in range(120))])
    write(folder / "gaps.csv", ["item,score", *GAPS])
    write(folder / "other.csv", ["item,score", "x1,1", "x2,2"])
    write(folder / "empty.csv", ["item,score", "item0,", "item1,"])
    write(folder / "short.csv", ["item,score", "item0,1"])
    write(
        folder / "one.csv", ["item,rater,label", *(f"item{i},ann,{1 + i % 5}" for i in range(120))]
    )
    apart = [f"item{i},{'ab'[i % 2]},{1 + i % 5}" for i in range(120)]
    write(folder / "apart.csv", ["item,rater,label", *apart])
    result = run(*words)
    assert result.exit_code == status, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_odd_marks_can_be_taken_as_missing(folder):
    write(folder / "gaps.csv", ["item,score", *GAPS])
    found = read("humans.csv", "gaps.csv", "--labels", "1,2,3,4,5", "--unknown", "missing")
    assert found["judges"][0]["unjudged"] == 14
    shown = run("humans.csv", "gaps.csv", "--labels", "1,2,3,4,5", "--unknown", "missing")
    assert "14 marks of judges were not on the scale and left out." in shown.stdout


def test_items_that_are_named_in_another_way_are_noticed(folder):
    padded = [
        f"item{i:02},{1 + i % 5}" for i in range(120)
    ]  # item00 to item09 are not item0 to item9
    write(folder / "padded.csv", ["item,score", *padded])
    assert "named alike" not in run("humans.csv", "padded.csv").stdout  # 10 of 120 are too few
    padded = [f"item{i:03},{1 + i % 5}" for i in range(120)]
    write(folder / "padded.csv", ["item,score", *padded])
    assert (
        "padded did not mark 100 of 120 items of the humans, such as 'item0', and its marks on others, such as "
        "'item000', are ignored: are the items named alike?"
    ) in run("humans.csv", "padded.csv").stdout


def test_names_of_classes_are_shown_and_labels_kept_for_programs(folder):
    words = ("humans.csv", "poor.csv", "--names", "awful,bad,fair,good,great")
    assert "awful" in run(*words).stdout
    assert [one["label"] for one in read(*words)["judges"][0]["bias"]["by_class"]] == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_csv_says_why_and_how_many_items_are_needed(folder, both):
    result = run("humans.csv", "judges.csv", "--format", "csv")
    rows = {row["judge"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    found = oe.judge.validate(*both)
    for name, one in found.items():
        assert rows[name]["reason"] == one.reason
        assert rows[name]["needed"] == ("" if one.needed is None else str(one.needed))


def test_the_fewest_items_of_a_tested_human_can_be_chosen(folder):
    result = run("humans.csv", "good.csv", "--least-items", "121", "--format", "json")
    test = json.loads(result.stdout)["judges"][0]["alt_test"]
    assert test["winning_rate"] is None
    assert "no human marked 121 items or more" in test["reason"]
    assert result.exit_code == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--item", "Answer ID"), "Name the column of each judge: --judges good,poor."),
        ((), "Name the column of item ids with --item, and the columns of marks with --judges (in"),
    ],
)
def test_a_spreadsheet_of_judges_says_that_judges_names_its_columns(folder, words, said):
    write(folder / "people.csv", ["Answer ID,ann,bob", "a,1,2", "b,2,3"])
    write(folder / "models.csv", ["Answer ID,good,poor", "a,1,3", "b,2,1"])
    result = run("people.csv", "models.csv", "--raters", "ann,bob", *words)
    assert result.exit_code == 3
    assert said in result.stderr
    assert "--raters" not in result.stderr  # it was given
