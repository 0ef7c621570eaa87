"""`ordeval gate`: exit statuses, the inputs that it understands, and where the result goes."""

import json
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from ordeval.cli import main

GOLD = [1, 2, 3, 3] * 50
WORSE = [1, 1, 1, 3] * 50
CLOSE = [*GOLD[:-1], 2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make files of labels, in which names say nothing about the order, and go to their folder."""
    for name, labels in {"gold": GOLD, "z": GOLD, "a": WORSE, "close": CLOSE}.items():
        rows = [f"{item},{label}\n" for item, label in enumerate(labels)]
        (tmp_path / f"{name}.csv").write_text("item,label\n" + "".join(rows))
    wide = [
        f"{item},{g},{z},{a}\n"
        for item, (g, z, a) in enumerate(zip(GOLD, GOLD, WORSE, strict=True))
    ]
    (tmp_path / "wide.csv").write_text("item,human,z,a\n" + "".join(wide))
    long = [
        f"{name},{item},{label}\n"
        for name, labels in (("z", GOLD), ("a", WORSE))
        for item, label in enumerate(labels)
    ]
    (tmp_path / "long.csv").write_text("system,item,label\n" + "".join(long))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line, **options):
    return CliRunner().invoke(main, ["gate", *line.split()], **options)


def content(line):
    result = run(f"{line} --format json --metric accuracy")
    assert result.exit_code in {0, 1, 4}, result.stderr
    found = json.loads(result.stdout)
    assert {"pass": 0, "fail": 1, "inconclusive": 4}[found["outcome"]] == result.exit_code
    return found


@pytest.mark.parametrize(
    ("files", "status"),
    [("a.csv z.csv", 0), ("z.csv a.csv", 1), ("z.csv close.csv", 4), ("z.csv close.csv --margin 0.5", 0)],
)  # fmt: skip
def test_the_exit_status_is_the_outcome(folder, files, status):
    result = run(f"gold.csv {files} --metric accuracy")
    assert result.exit_code == status
    assert result.stdout.startswith({0: "Pass: ", 1: "Fail: ", 4: "Inconclusive: "}[status])
    assert result.stderr == ""


@pytest.mark.parametrize(
    "line",
    [
        "gold.csv z.csv a.csv",
        "wide.csv --gold human --pred z,a",
        "wide.csv --gold human --pred z --pred a",
        "wide.csv --gold human --pred a,z --baseline z",
        "gold.csv long.csv --baseline z",
        "gold.csv long.csv --candidate a",
        "gold.csv a.csv z.csv close.csv --baseline z --candidate a",
    ],
)
def test_the_first_is_the_baseline_unless_told(folder, line):
    """Half of the answers of a are wrong."""
    found = content(line)
    assert (found["baseline"]["name"], found["candidate"]["name"]) == ("z", "a")
    assert found["difference"] == -0.5
    assert found["paired"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gold.csv z.csv", "here is one: 'z'"),
        ("gold.csv z.csv a.csv close.csv", "here are 3"),
        ("gold.csv long.csv", "say which is the baseline: --baseline NAME"),
        (
            "gold.csv z.csv a.csv --baseline x",
            "--baseline 'x' is no system here; there are 'z', 'a'",
        ),
        ("gold.csv z.csv a.csv --name x", "pass --history FILE too"),
        ("gold.csv z.csv a.csv --history x -o x", "the same file"),
        ("gold.csv z.csv a.csv --by item", "which this command does not show"),
        ("gold.csv z.csv a.csv -o page.html", "this command writes no page"),
        ("gold.csv z.csv a.csv --level none", "'none' is not a valid"),
        ("gold.csv z.csv a.csv --margin -1", "--margin -1.0 is not a margin"),
    ],
)
def test_wrong_usage_is_told(folder, line, said):
    result = run(line)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_tables_of_two_periods_are_independent_and_named_by_their_files(folder):
    """Both hold a system of the same name, as the tables of one model on two days do."""
    for day, system in (("monday", "z"), ("tuesday", "a")):
        (folder / day).mkdir()
        (folder / f"{system}.csv").rename(folder / "model.csv")
        counted = CliRunner().invoke(
            main, ["count", "gold.csv", "model.csv", "-o", f"{day}/t.json"]
        )
        assert counted.exit_code == 0, counted.stderr
    found = content("monday/t.json tuesday/t.json")
    assert (found["baseline"]["name"], found["candidate"]["name"]) == ("monday/t", "tuesday/t")
    assert found["difference"] == -0.5
    assert not found["paired"]
    # half of the answers moved: see test_gate_forms.py
    assert found["drift"]["predicted"]["nmd"] == pytest.approx(0.375)
    assert content("tuesday/t.json monday/t.json")["outcome"] == "pass"
    shown = run("monday/t.json tuesday/t.json --names bad,fair,good")
    assert "class shares" in shown.stdout
    assert "tables of counts do not show which answers are to the same item" in shown.stderr


def test_matrices_are_tables(folder):
    # 18 of 20 right, then 10 of 20
    (folder / "old.csv").write_text("gold,1,2\n1,9,1\n2,1,9\n")
    (folder / "new.csv").write_text("gold,1,2\n1,5,5\n2,5,5\n")
    found = content("old.csv new.csv")
    assert found["difference"] == pytest.approx(-0.4)
    assert found["outcome"] == "fail"
    one = CliRunner().invoke(main, ["gate", "old.csv", "gold.csv"])
    assert one.exit_code == 3
    assert "Pass files of one kind" in one.stderr


def test_junit_is_written_by_the_ending_of_the_file(folder):
    assert run("gold.csv z.csv a.csv -o gate.xml").exit_code == 1
    root = ET.fromstring((folder / "gate.xml").read_text(encoding="utf-8"))  # noqa: S314 - our own
    assert root.get("failures") == "1"
    assert run("gold.csv z.csv a.csv --format junit").stdout.startswith("<?xml")


def test_the_summary_is_added_to_the_file_of_github(folder, monkeypatch):
    target = folder / "summary.md"
    target.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(target))
    run("gold.csv z.csv a.csv")
    assert target.read_text() == "before\n"
    shown = run("gold.csv z.csv a.csv --summary --format markdown").stdout
    assert target.read_text(encoding="utf-8") == f"before\n{shown}\n"
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    result = run("gold.csv z.csv a.csv --summary")
    assert result.exit_code == 1
    assert "GITHUB_STEP_SUMMARY" in result.stderr


def test_the_history_grows_by_a_line(folder, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert run("gold.csv z.csv a.csv --history h.jsonl --name c1").exit_code == 1
    assert run("gold.csv a.csv z.csv --history h.jsonl --name c2").exit_code == 0
    first, second = map(json.loads, (folder / "h.jsonl").read_text().splitlines())
    assert (first["name"], first["outcome"]) == ("c1", "fail")
    assert (second["name"], second["outcome"]) == ("c2", "pass")
    assert first["time"] == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("history", "status", "said"),
    [
        ("gold.csv", 2, "this command reads it, as 'gold.csv'. Pass another name with --history"),
        ("broken.jsonl", 3, "line 2 of the history 'broken.jsonl'"),
        ("none/h.jsonl", 2, "there is no folder 'none'"),
    ],
)
def test_a_history_that_cannot_be_added_to_is_told_before_any_work(folder, history, status, said):
    (folder / "broken.jsonl").write_text("\n{")
    result = run(f"gold.csv z.csv a.csv --history {history} -o out.json")
    assert result.exit_code == status
    assert said in result.stderr
    assert not (folder / "out.json").exists()
    assert (folder / "broken.jsonl").read_text() == "\n{"


def test_a_bad_file_of_two_is_not_advised_to_be_left_out(folder):
    """A gate of one system is not a gate; with more files the two that are compared may be good ones."""
    (folder / "bad.csv").write_text("item,label\n0,1\n0,2\n")
    two = run("gold.csv z.csv bad.csv")
    assert two.exit_code == 3
    assert "more than one row for item" in two.stderr
    assert "--skip-bad" not in two.stderr
    assert "'ordeval check' lists the problems of all files." in two.stderr
    three = run("gold.csv z.csv a.csv bad.csv --baseline z --candidate a")
    assert "Pass --skip-bad to leave out files that cannot be scored; " in three.stderr
    assert run("gold.csv z.csv a.csv bad.csv --baseline z --candidate a --skip-bad").exit_code == 1
