"""`ordeval correct`: from files of humans, a judge and systems to what humans would have said."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import correct, main
from ordeval.judge.method_names import METHODS


@pytest.fixture(scope="module")
def marks():
    """Human marks of 80 items, a judge's and a system's of 400."""
    rng = np.random.default_rng(1)
    human = rng.choice(4, 400, p=[0.2, 0.2, 0.3, 0.3]) + 1
    judge, system = (
        np.clip(human + rng.choice([-1, 0, 1], 400, p=p), 1, 4)
        for p in ([0.1, 0.6, 0.3], [0.2, 0.7, 0.1])
    )
    return human, judge, system


@pytest.fixture
def files(tmp_path, monkeypatch, marks):
    """The same as files, the judge's in another order; the humans' items are every fifth."""
    monkeypatch.chdir(tmp_path)
    human, judge, system = marks

    def write(name, places, labels, head="item,label"):
        rows = "".join(f"q{at},{labels[at]}\n" for at in places)
        (tmp_path / name).write_text(f"{head}\n{rows}", encoding="utf-8")

    write("humans.csv", range(0, 400, 5), human)
    write("judge.csv", reversed(range(400)), judge)
    write("run.csv", range(400), system)
    return tmp_path


def run(*args):
    return CliRunner().invoke(main, ["correct", *args])


def test_the_command_says_what_the_function_says(files, marks):
    human, judge, _ = marks
    split = np.arange(400) % 5 == 0
    expected = oe.judge.correct(human[split], judge[split], judge[~split], labels=range(1, 5))
    result = run("humans.csv", "judge.csv", "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content == json.loads(expected.to_json())


def test_a_judge_without_many_of_the_humans_items_is_a_warning(files, marks):
    rows = [f"q{at:03},{marks[1][at]}" for at in range(400)]  # q000 to q095 are not q0 to q95
    (files / "padded.csv").write_text("\n".join(["item,label", *rows]), encoding="utf-8")
    said = "The judge marked only 60 of 80 items that humans marked: are the items named alike in both?"
    assert said in run("humans.csv", "padded.csv").stdout
    assert "named alike" not in run("humans.csv", "judge.csv").stdout


def test_the_text_begins_with_the_answer(files):
    result = run("humans.csv", "judge.csv")
    assert result.stdout.startswith("The judge as it stands gives a mean mark of ")
    assert result.stderr == ""
    for method in ("Rogan-Gladen", "PPI", "PPI++", "post-stratification", "human marks alone"):
        assert method in result.stdout


def test_systems_are_scored_as_if_humans_had_marked_all_items(files, marks):
    human, judge, system = marks
    split = np.arange(400) % 5 == 0
    expected = oe.judge.correct_scores(
        human[split], judge[split], {"run": system[split]}, judge[~split], {"run": system[~split]},
        metrics=["mae", "qwk"], labels=range(1, 5),
    )  # fmt: skip
    result = run("humans.csv", "judge.csv", "run.csv", "--metrics", "mae,qwk", "--format", "json")
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)["systems"]
    assert found["name"] == "run"
    for name in ("mae", "weighted_kappa(weights='quadratic')"):
        assert found["scores"][name]["value"] == pytest.approx(expected["run"][name].value)
        assert found["scores"][name]["low"] == pytest.approx(expected["run"][name].low)


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_people_see_the_judge_the_systems_and_the_plan(files, form):
    args = ("--metrics", "mae", "--budget", "100", "--format", form)
    result = run("humans.csv", "judge.csv", "run.csv", *args)
    assert result.exit_code == 0, result.output
    for words in ("worth in human", "post-stratification", "mae", "humans and the judge"):
        assert words in result.stdout


def test_csv_has_a_row_for_each_method_and_statistic(files):
    rows = list(
        csv.DictReader(io.StringIO(run("humans.csv", "judge.csv", "--format", "csv").stdout))
    )
    assert len(rows) == 6 * 5
    assert [row["label"] for row in rows[:5]] == ["", "1", "2", "3", "4"]


def test_several_humans_are_read_from_a_column_of_raters(files, marks):
    human = marks[0]
    rows = "".join(
        f"q{at},{who},{human[at]}\n" for at in range(0, 400, 5) for who in ("ann", "bob")
    )
    (files / "two.csv").write_text(f"item,rater,label\n{rows}", encoding="utf-8")
    two, one = (
        json.loads(run(name, "judge.csv", "--format", "json").stdout)
        for name in ("two.csv", "humans.csv")
    )
    assert two["mean"]["value"] == pytest.approx(one["mean"]["value"])
    result = run("two.csv", "judge.csv", "run.csv", "--metrics", "mae")
    assert result.exit_code == 0, result.output
    alone = run("humans.csv", "judge.csv", "run.csv", "--metrics", "mae")
    assert result.stdout == alone.stdout


def test_a_plan_names_humans_and_judged_items(files):
    content = json.loads(
        run("humans.csv", "judge.csv", "--budget", "200", "--format", "json").stdout
    )
    plan = content["plan"]
    assert plan["humans"] + 0.01 * plan["judged"] <= 200
    content = json.loads(
        run(
            "humans.csv", "judge.csv", "--target", "0.1", "--cost-human", "2", "--format", "json"
        ).stdout
    )
    assert content["plan"]["half_width"] <= 0.1
    assert content["plan"]["cost_human"] == 2


def test_the_chosen_method_is_the_corrected_one(files):
    for method in ("naive", "rogan_gladen", "ppi", "ppi++", "poststratification"):
        content = json.loads(
            run("humans.csv", "judge.csv", "--method", method, "--format", "json").stdout
        )
        assert content["mean"]["method"] == method
        assert content["mean"] == next(
            one["mean"] for one in content["methods"] if one["method"] == method
        )


def changed(files, name, line, label):
    """Write a copy of a file in which one line has another label."""
    lines = (files / name).read_text(encoding="utf-8").splitlines()
    lines[line] = f"{lines[line].split(',')[0]},{label}"
    (files / "changed.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "changed.csv"


@pytest.mark.parametrize("label", ["4/5", "N/A", "2.5"])
def test_a_mark_of_the_judge_that_is_not_a_class_is_refused(files, label):
    name = changed(files, "judge.csv", 3, label)
    for labels in ((), ("--labels", "1,2,3,4")):
        result = run("humans.csv", name, *labels)
        assert result.exit_code == 3
        assert label in result.stderr
        assert "q397" in result.stderr
    kept = run(
        "humans.csv", name, "--labels", "1,2,3,4", "--unknown", "missing", "--format", "json"
    )
    content = json.loads(kept.stdout)
    assert content["input"]["unmarked"] == 319
    assert "1 mark of the judge was not on the scale and left out." in content["notes"]


def test_a_mark_between_two_classes_can_be_rounded(files):
    name = changed(files, "judge.csv", 3, "2.5")
    result = run("humans.csv", name, "--round", "nearest", "--format", "json")
    content = json.loads(result.stdout)
    assert content["scale"]["labels"] == [1, 2, 3, 4]
    assert "1 mark of the judge was rounded to the nearest class." in content["notes"]


def test_a_human_mark_that_is_not_a_class_is_refused(files):
    result = run(changed(files, "humans.csv", 3, "4/5"), "judge.csv")
    assert result.exit_code == 3
    assert "'4/5'" in result.stderr


def test_an_item_that_a_human_left_empty_is_an_unlabelled_one(files):
    result = run(changed(files, "humans.csv", 3, ""), "judge.csv", "--format", "json")
    assert json.loads(result.stdout)["input"] == {"marked": 79, "unmarked": 321, "unjudged": 0}


def test_judge_and_humans_without_a_common_item_are_refused(files):
    text = (files / "judge.csv").read_text(encoding="utf-8").replace("q", "x")
    (files / "other.csv").write_text(text, encoding="utf-8")
    result = run("humans.csv", "other.csv")
    assert result.exit_code == 3
    assert "marked no item that humans marked" in result.stderr


def test_a_judge_without_further_items_is_refused(files):
    result = run("humans.csv", "humans.csv")
    assert result.exit_code == 3
    assert "no items that the judge marked alone" in result.stderr


def test_a_file_of_two_judges_is_refused(files):
    (files / "two.csv").write_text("item,model,label\nq0,a,1\nq0,b,2\nq5,a,1\n", encoding="utf-8")
    result = run("humans.csv", "two.csv")
    assert result.exit_code == 3
    assert "'a', 'b'" in result.stderr


def test_a_system_that_left_items_out_is_refused_unless_told(files):
    lines = (files / "run.csv").read_text(encoding="utf-8").splitlines()
    (files / "short.csv").write_text("\n".join(lines[:-3]) + "\n", encoding="utf-8")
    result = run("humans.csv", "judge.csv", "short.csv")
    assert result.exit_code == 3
    assert "'short' has no answer to 3 of 400 items" in result.stderr
    assert "--missing zero, farthest or drop" in result.stderr
    assert run("humans.csv", "judge.csv", "short.csv", "--missing", "zero").exit_code == 0


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("humans.csv",), "one file was given"),
        (("humans.csv", "judge.csv", "--budget", "-1"), "--budget -1.0 is not possible"),
        (("humans.csv", "judge.csv", "--budget", "1", "--target", "1"), "both are given"),
        (("humans.csv", "judge.csv", "--cost-judge", "1"), "--budget AMOUNT"),
        (("humans.csv", "judge.csv", "--metrics", "mae"), "name their files"),
        (("humans.csv", "judge.csv", "--level", "1"), "--level"),
        (("humans.csv", "judge.csv", "run.csv", "--metrics", "rps"), "class probabilities"),
    ],
)
def test_wrong_usage_is_told_before_any_work(files, args, word):
    result = run(*args)
    assert result.exit_code == 2
    assert word in result.stderr


def test_classes_are_shown_by_their_names(files):
    result = run("humans.csv", "judge.csv", "--names", "poor,fair,good,great")
    assert "poor < fair < good < great" in result.stdout


def test_a_file_gets_the_result_in_the_form_of_its_ending(files):
    assert run("humans.csv", "judge.csv", "-o", "found.json").exit_code == 0
    assert json.loads((files / "found.json").read_text(encoding="utf-8"))["command"] == "correct"
    refused = run("humans.csv", "judge.csv", "-o", "judge.csv")
    assert refused.exit_code == 2


def test_a_measure_of_a_log_is_a_judge(files, root):
    log = root / "tests" / "data" / "tool_logs" / "inspect_ai" / "small.json"
    judge = oe.Ratings.from_file(log, label="rubric")
    lines = ["id,mark", *(f"{item},3" for item in judge.items[:2])]
    (files / "few.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = ("--item", "id", "--label", "mark")
    result = run("few.csv", str(log), "--judge", "rubric", *columns)
    # the log is small: there is no further item, so that it was read and matched is all there is to see
    assert result.exit_code == 3
    assert "humans marked all 2 items of the judge" in result.stderr


def test_one_of_several_judges_is_chosen_by_name(files, marks):
    judge = marks[1]
    rows = "".join(f"q{at},gpt,{judge[at]}\nq{at},other,1\n" for at in range(400))
    (files / "both.csv").write_text(f"item,model,label\n{rows}", encoding="utf-8")
    chosen = run("humans.csv", "both.csv", "--judge", "gpt", "--format", "json")
    assert json.loads(chosen.stdout) == json.loads(
        run("humans.csv", "judge.csv", "--format", "json").stdout
    )
    refused = run("humans.csv", "both.csv", "--judge", "gtp")
    assert refused.exit_code == 3
    assert "Did you mean gpt?" in refused.stderr
    assert "--judge NAME" in run("humans.csv", "both.csv").stderr


def test_the_command_offers_every_method_of_the_library():
    (offered,) = (one for one in correct.command.params if one.name == "method")
    assert sorted(offered.type.choices) == sorted(METHODS)


@pytest.fixture
def sheets(files, marks):
    """The same marks as spreadsheets, with a column for each rater and another name for the column of ids."""
    human, judge, system = marks
    few = [f"q{at},{human[at]},{human[at]}" for at in range(0, 400, 5)]
    many = [f"q{at},{judge[at]},{system[at]}" for at in range(400)]
    for name, rows in {
        "people.csv": ["Answer ID,Anna,Bruno", *few],
        "models.csv": ["Answer ID,mini-generous,other", *many],
        "mixed.csv": ["item,mini-generous,other", *many],
    }.items():
        (files / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return ("people.csv", "--raters", "Anna,Bruno", "--item", "Answer ID")


@pytest.mark.parametrize(
    "judge",
    [
        ("models.csv", "--judge", "mini-generous"),
        ("models.csv", "--label", "mini-generous"),  # a column that only one of the files has
        ("mixed.csv", "--judge", "Mini-Generous"),  # the ids have another name in this file
        ("judge.csv",),
    ],
)
def test_a_spreadsheet_of_the_judge_says_what_a_long_file_says(sheets, judge):
    # two humans who give the same marks are worth one, so that the means are those of the long files
    long, wide = run("humans.csv", "judge.csv"), run(*sheets, *judge)
    assert wide.exit_code == 0, wide.output
    first = wide.stdout.splitlines()[0]
    assert first == long.stdout.splitlines()[0]
    assert first.startswith("The judge as it stands gives a mean mark of ")


def test_the_other_column_of_a_spreadsheet_is_another_judge(sheets, marks):
    said = run(*sheets, "models.csv", "--judge", "other").stdout
    assert f"gives a mean mark of {marks[2].mean():.2f};" in said


def test_systems_may_name_the_items_in_the_usual_way(sheets):
    result = run(*sheets, "models.csv", "run.csv", "--judge", "mini-generous", "--metrics", "mae")
    assert result.exit_code == 0, result.output


def test_a_judge_of_a_long_file_is_still_found_by_name(files, marks):
    sides = {"a": marks[1], "judge": marks[2]}
    rows = [f"q{at},{name},{given[at]}" for name, given in sides.items() for at in range(400)]
    (files / "long.csv").write_text("\n".join(["item,judge,label", *rows]), encoding="utf-8")
    said = run("humans.csv", "long.csv", "--judge", "judge").stdout
    assert f"gives a mean mark of {marks[2].mean():.2f};" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--item", "Answer ID"), "Name the column of the judge: --judge mini-generous or other."),
        ((), "Name the column of item ids with --item, and the columns of marks with --judge (in"),
        (("--item", "Answer"), "has no column 'Answer' for --item"),
    ],
)
def test_a_spreadsheet_without_the_judges_name_says_which_option_names_it(sheets, arguments, said):
    result = run("people.csv", "models.csv", "--raters", "Anna,Bruno", *arguments)
    assert result.exit_code == 3
    assert said in result.stderr
    assert "--raters" not in result.stderr  # it was given


def test_a_judge_without_marks_on_the_humans_items_is_told_to_add_them(files, marks):
    rows = [f"q{at},{marks[1][at]}" for at in range(400) if at % 5]
    (files / "rest.csv").write_text("\n".join(["item,label", *rows]), encoding="utf-8")
    result = run("humans.csv", "rest.csv")
    assert result.exit_code == 3
    assert (
        "The judge's file must also hold its marks on the items that humans marked: they show how it errs. Put these "
        "and its other marks into one file." in result.stderr
    )
