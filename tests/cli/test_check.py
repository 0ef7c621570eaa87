"""`ordeval check` and --skip-bad: a shared task with broken files is checked in one command and scored in one more."""

import csv
import gzip
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.examples import grid

TEAMS = 25


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def checked(*arguments):
    """Return the exit status and the JSON of a check, its files by name."""
    result = run("check", *arguments, "--format", "json")
    assert result.stderr == ""
    content = json.loads(result.stdout)
    return result.exit_code, {file["file"]: file for file in content["files"]}, content


def table(rows, header="case\titem\tlabel"):
    return "\n".join([header, *("\t".join(map(str, row)) for row in rows)]) + "\n"


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    """Gold of five topics, and 25 runs: six of them broken, each in its own way."""
    folder = tmp_path_factory.mktemp("task")
    (folder / "runs").mkdir()
    draw = np.random.default_rng(13)
    gold = [(f"q{q}", f"d{i}", int(draw.integers(1, 6))) for q in range(1, 6) for i in range(20)]
    (folder / "gold.tsv").write_text(table(gold))
    for team in range(1, TEAMS + 1):
        rows = [(q, d, g if draw.random() < 0.6 else int(draw.integers(1, 6))) for q, d, g in gold]
        path = folder / "runs" / f"team{team}.tsv"
        if team == 3:
            rows = [row for row in rows if row[:2] not in {("q2", "d17"), ("q4", "d1")}]
        if team == 6:
            rows[7] = (*rows[7][:2], 9)
            rows[30] = (*rows[30][:2], 0)
        if team == 9:
            rows.append(rows[41])
        path.write_text(table(rows, "case\titem\tanswer" if team == 12 else "case\titem\tlabel"))
        if team == 15:
            path.write_text(table([(q, f"doc-{d}", label) for q, d, label in rows]))
        if team == 18:
            path.write_bytes(path.read_bytes().replace(b"q5\td19\t", b"q5\td19\t\xf6"))
    return folder


BROKEN = {
    3: "2 of 100 answers are missing, first at items 'd1' of case 'q4', 'd17' of case 'q2'.",
    6: "of 100 answers lie outside it, first at item 'd",
    9: "1 row repeats an item: 'd1' of case 'q3'. Remove it, or pass --duplicates first",
    12: "has no column of labels: it has 'case', 'item', 'answer'",
    15: "no answer of 'team15' is about an item of gold: its items are named like 'doc-d0'",
    18: "is not UTF-8 text (line 101)",
}


def test_every_broken_file_of_a_shared_task_is_named_with_its_reason(task):
    status, files, content = checked(
        task / "gold.tsv", task / "runs/*.tsv", "--labels", "1,2,3,4,5"
    )
    assert status == 1
    assert [content[key] for key in ("schema", "command")] == [1, "check"]
    assert content["input"] == {"gold": str(task / "gold.tsv"), "items": 100, "cases": 5}
    assert list(files) == [str(task / f"runs/team{n}.tsv") for n in range(1, TEAMS + 1)]
    for team in range(1, TEAMS + 1):
        file = files[str(task / f"runs/team{team}.tsv")]
        assert file["ok"] is (team not in BROKEN)
        if team in BROKEN:
            (problem,) = file["problems"]
            assert BROKEN[team] in problem["what"]
            assert problem["remark"] is False
        else:
            assert file["problems"] == []


def test_a_shared_task_is_scored_without_its_broken_files(task):
    options = ["--labels", "1,2,3,4,5", "--metrics", "cem_ord,mae", "--format", "json"]
    result = run("compare", task / "gold.tsv", task / "runs/*.tsv", "--skip-bad", *options)
    assert result.exit_code == 0
    good = [task / f"runs/team{n}.tsv" for n in range(1, TEAMS + 1) if n not in BROKEN]
    alone = run("compare", task / "gold.tsv", *good, *options)
    skipping, plain = json.loads(result.stdout), json.loads(alone.stdout)
    skipped = skipping["input"].pop("skipped")
    assert len(skipping["systems"]) == 19
    assert "6 files could not be scored: " in skipping.pop("caption")
    assert "could not be scored" not in plain.pop("caption")
    assert skipping == plain
    assert [one["file"] for one in skipped] == [str(task / f"runs/team{n}.tsv") for n in BROKEN]
    assert skipped[0]["what"].startswith("2 of 100 answers are missing, first at items 'd1' of")
    assert result.stderr.startswith("Note: left out 6 of 25 files: ")
    assert f"{task / 'runs/team18.tsv'} (" in result.stderr


@pytest.mark.usefixtures("undrawn")
@grid("command", ["evaluate", "count", "meta", "report", "compare"], every=3)
def test_every_command_that_scores_can_leave_files_out(task, tmp_path, command):
    files = [task / "gold.tsv", *(task / f"runs/team{n}.tsv" for n in (1, 2, 3))]
    options = ["--labels", "1,2,3,4,5"]
    options += [] if command == "count" else ["--metrics", "cem_ord", "--level", "none"]
    options += ["-o", tmp_path / "out"]
    result = run(command, *files, *options)
    assert result.exit_code == 3
    assert result.stderr.endswith(
        "Pass --skip-bad to leave out files that cannot be scored; 'ordeval check' lists the problems of all "
        "files.\n"
    )
    result = run(command, *files, *options, "--skip-bad")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith("Note: left out 1 of 3 files: ")
    if command in {"evaluate", "compare"}:
        assert "1 file could not be scored: " in (tmp_path / "out").read_text()


def test_text_begins_with_the_answer_and_has_a_block_for_each_file(task, monkeypatch):
    monkeypatch.chdir(task)
    result = run("check", "gold.tsv", "runs/team[129].tsv", "--labels", "1,2,3,4,5")
    assert result.exit_code == 1
    assert result.stdout == (
        "2 of 3 files can be scored; 1 cannot: runs/team9.tsv. Pass --skip-bad to leave these out.\n"
        "Gold, gold.tsv: 100 items in 5 test cases; 5 classes: 1 < 2 < 3 < 4 < 5.\n"
        "\n"
        "runs/team1.tsv: ok\n"
        "runs/team2.tsv: ok\n"
        "runs/team9.tsv: cannot be scored\n"
        "  1 row repeats an item: 'd1' of case 'q3'. Remove it, or pass --duplicates first to keep "
        "the first.\n"
    )
    fine = run("check", "gold.tsv", "runs/team[12].tsv")
    assert fine.exit_code == 0
    assert fine.stdout.startswith("All 2 files can be scored.\n")


def test_where_no_file_can_be_scored_none_is_to_be_left_out(task, monkeypatch):
    monkeypatch.chdir(task)
    one = run("check", "gold.tsv", "runs/team9.tsv", "--labels", "1,2,3,4,5")
    assert one.stdout.startswith("The file cannot be scored.\nGold, ")
    two = run("check", "gold.tsv", "runs/team9.tsv", "absent.tsv", "--labels", "1,2,3,4,5")
    assert two.stdout.startswith("None of the 2 files can be scored.\nGold, ")


def test_many_files_without_problems_do_not_hide_those_with_some(task, monkeypatch):
    monkeypatch.chdir(task)
    for n in range(11):
        (task / f"runs/copy{n}.tsv").write_bytes((task / "runs/team1.tsv").read_bytes())
    some = run("check", "gold.tsv", "runs/copy*.tsv", "runs/team9.tsv", "--labels", "1,2,3,4,5")
    assert some.stdout.startswith("11 of 12 files can be scored; 1 cannot: runs/team9.tsv.")
    assert "\n\nruns/team9.tsv: cannot be scored\n" in some.stdout
    assert some.stdout.endswith("\nthe other 11 files: ok\n")
    assert run("check", "gold.tsv", "runs/copy*.tsv").stdout.endswith("\n\nall 11 files: ok\n")


def test_csv_has_a_row_for_each_problem_and_each_file_without_any(task, monkeypatch):
    monkeypatch.chdir(task)
    result = run("check", "gold.tsv", "runs/team[19].tsv", "--format", "csv")
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows[0] == ["file", "ok", "line", "what"]
    assert rows[1] == ["runs/team1.tsv", "yes", "", ""]
    assert rows[2][:3] == ["runs/team9.tsv", "no", ""]
    for form in ("markdown", "latex"):
        assert "team9" in run("check", "gold.tsv", "runs/team[19].tsv", "--format", form).stdout


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A folder with gold of three items in two test cases."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text("case,item,label\nx,d1,1\nx,d2,2\ny,d1,3\n")
    (tmp_path / "good.csv").write_text("case,item,label\nx,d1,1\nx,d2,2\ny,d1,3\n")
    return tmp_path


def test_all_that_is_wrong_with_one_file_is_told_at_once(small):
    # line 3 is short, d1 of x is answered twice, d1 of y not on the scale, z is not in gold, so d2 is missing
    (small / "run.csv").write_text("case,item,label\nx,d1,1\nx\nx,d1,2\ny,d1,7\nz,d9,1\n")
    status, files, _ = checked("gold.csv", "run.csv", "--labels", "1,2,3")
    assert status == 1
    told = [(one["line"], one["remark"], one["what"]) for one in files["run.csv"]["problems"]]
    again = "Remove it, or pass --duplicates first to keep the first."
    worth = "Pass --missing zero, farthest or drop to say what an item without an answer is worth."
    off = "label '7' is not on the scale 1,2,3 (lowest first); 1 of 3 answers lies outside it"
    add = "Add the class to --labels A,B,C, or pass --unknown missing."
    assert told == [
        (None, False, f"1 row repeats an item: 'd1' of case 'x'. {again}"),
        (None, False, f"{off}, first at item 'd1' of case 'y'. {add}"),
        (None, False, f"1 of 3 answers is missing, first at item 'd2' of case 'x'. {worth}"),
        (3, True, "too few columns: the row cannot be read and counts as a missing answer."),
        (None, True, "1 row is about items that are not in gold."),
    ]


def test_what_the_policies_forgive_is_a_remark(small):
    (small / "run.csv").write_text("case,item,label\nx,d1,1\nx\nx,d1,2\ny,d1,7\n")
    forgiving = ["--missing", "zero", "--unknown", "missing", "--duplicates", "first"]
    status, files, _ = checked("gold.csv", "run.csv", "--labels", "1,2,3", *forgiving)
    assert status == 0
    assert files["run.csv"]["ok"]
    told = files["run.csv"]["problems"]
    assert all(one["remark"] for one in told)
    off = "label '7' is not on the scale 1,2,3 (lowest first); 1 of 3 answers lies outside it"
    assert [one["what"] for one in told] == [
        "1 row repeats an item: 'd1' of case 'x'.",
        f"{off}, first at item 'd1' of case 'y'.",
        "1 of 3 answers is missing, first at item 'd2' of case 'x'.",
        "too few columns: the row cannot be read and counts as a missing answer.",
    ]


def test_an_answer_off_the_scale_that_counts_as_missing_is_refused_where_missing_ones_are(small):
    (small / "run.csv").write_text("case,item,label\nx,d1,1\nx,d2,2\ny,d1,7\n")
    status, files, _ = checked("gold.csv", "run.csv", "--labels", "1,2,3", "--unknown", "missing")
    assert status == 1
    (problem,) = files["run.csv"]["problems"]
    assert "1 of 3 answers lies outside it" in problem["what"]


def test_lines_of_evalls_format_that_do_not_fit_are_told_by_number(small):
    (small / "run.tsv").write_text("x\td1\t1\nx\td2\nx\td2\t2\ny\td1\ttop\ny\td1\t3\n")
    _, files, _ = checked("gold.csv", "run.tsv")
    lines = [(one["line"], one["what"].partition(":")[0]) for one in files["run.tsv"]["problems"]]
    assert lines == [(2, "2 columns, not 3"), (4, "label 'top'")]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("run.csv", b"", "is empty: it has no rows"),
        ("run.csv", b"case,item,label\n", "has no rows that can be read"),
        ("run.csv.gz", gzip.compress(b"case,item,label\nx,d1,1\n" * 999, mtime=0)[:-20], "cannot read 'run.csv.gz'"),
        ("run.parquet", b"PAR1 or not", "cannot read 'run.parquet': it ends too early"),
        ("run.csv", b"item,label,system\nd1,1,good\n", "system 'good' is in 'good.csv', too."),
        ("run.jsonl", b"[1, 2]\n", "is a JSON array"),
        ("run.csv", b'case,item,label\nx,d1,"1\nx,d2,2\n', "a quote that begins at line 2"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_opened_or_understood_is_named_beside_the_others(
    small, name, content, says
):
    (small / name).write_bytes(content)
    status, files, _ = checked("gold.csv", "good.csv", name, "--missing", "zero")
    assert status == 1
    assert files["good.csv"] == {"file": "good.csv", "ok": True, "problems": []}
    assert any(says in one["what"] for one in files[name]["problems"]), files
    runs = oe.Runs.from_files("gold.csv", ["good.csv", name], missing="zero", skip_bad=True)
    assert runs.systems == ("good",)
    assert runs.skipped[0][0] == name


def test_a_file_that_does_not_exist_is_told_and_left_out(small):
    status, files, _ = checked("gold.csv", "good.csv", "godo.csv")
    assert status == 1
    assert files["godo.csv"]["problems"][0]["what"].startswith("there is no file 'godo.csv'.")
    runs = oe.Runs.from_files("gold.csv", ["good.csv", "godo.csv"], skip_bad=True)
    assert runs.notes == ("left out 1 of 2 files: godo.csv (there is no file 'godo.csv').",)


def test_mixed_line_ends_are_read_in_a_check_too(small):
    (small / "run.csv").write_bytes(b"case,item,label\nx,d1,1\r\nx,d2,2\ny,d1,3\r")
    status, files, _ = checked("gold.csv", "good.csv", "run.csv")
    assert status == 0, files
    assert all(file["ok"] for file in files.values())


def test_gold_that_cannot_be_read_ends_the_check_as_bad_data(small):
    for content, says in [
        ("case,item,label\nx,d1,1\nx,d1,2\n", "more than one row for item 'd1' of case 'x'"),
        ("case,item,label\nx,d1,1\nx,,2\n", "1 row of gold, 'gold.csv', cannot be read"),
        ("case,item,label\nx,d1,\nx,d2,2\n", "1 of 2 gold labels is missing"),
        ("case,item,label\nx,d1,good\nx,d2,bad\n", "cannot tell the order"),
        ("case,item,label,n\nx,d1,1,1\nx,d2,2,x\n", "column 'n' holds a count"),
    ]:
        (small / "gold.csv").write_text(content)
        options = ["--count", "n"] if ",n\n" in content else []
        result = run("check", "gold.csv", "good.csv", *options)
        assert result.exit_code == 3
        assert says in result.stderr
        assert "skip-bad" not in run("compare", "gold.csv", "good.csv", "gold.csv", *options).stderr


def test_no_file_that_can_be_scored_is_an_error(small):
    (small / "run.csv").write_text("case,item,label\nx,zz,1\n")
    with pytest.raises(oe.errors.DataError, match=r"no system's file can be scored: run.csv \(no "):
        oe.Runs.from_files("gold.csv", ["run.csv"], skip_bad=True)


def test_a_file_of_several_systems_tells_of_each(small):
    rows = ["x,d1,a,1", "x,d2,a,2", "y,d1,a,3", "x,d1,b,1", "x,d2,b,5", "x,d1,c,1", "x,d2,c,2"]
    (small / "run.csv").write_text("\n".join(["case,item,system,label", *rows]) + "\n")
    _, files, _ = checked("gold.csv", "run.csv", "--labels", "1,2,3")
    told = [one["what"] for one in files["run.csv"]["problems"]]
    assert [what.partition(", first")[0] for what in told] == [
        "label '5' is not on the scale 1,2,3 (lowest first); 1 of 3 answers of 'b' lies outside it",
        "1 of 3 answers of 'b' is missing",
        "1 of 3 answers of 'c' is missing",
    ]


def test_a_class_that_gold_does_not_have_is_a_remark(small):
    (small / "run.csv").write_text("case,item,label\nx,d1,0\nx,d2,2\ny,d1,3\n")
    status, files, _ = checked("gold.csv", "run.csv")
    assert status == 0
    (problem,) = files["run.csv"]["problems"]
    assert "label '0' is not on the scale 1,2,3" in problem["what"]
    assert "gold has no such class. Declare --labels A,B,C." in problem["what"]


def test_the_columns_of_a_wide_file_are_checked(small):
    (small / "wide.csv").write_text("id,human,a,b\nd1,1,1,1\nd2,2,,2\nd3,3,9,3\nd3,3,3,3\n")
    options = ["wide.csv", "--gold", "human", "--pred", "a,b", "--labels", "1,2,3"]
    status, files, _ = checked(*options)
    assert status == 1
    told = [one["what"].partition(", first")[0] for one in files["wide.csv"]["problems"]]
    assert told[0].startswith("1 row repeats an item. Remove")
    assert told[1:] == [
        "label '9' is not on the scale 1,2,3 (lowest first); 1 of 3 answers of 'a' lies outside it",
        "1 of 3 answers of 'a' is missing",
    ]
    assert run("compare", *options, "--skip-bad").exit_code == 2
