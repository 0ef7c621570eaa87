"""`ordeval demo`: a shared task from files to a report."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordeval.cli import main
from ordeval.cli.demo import CASES, ITEMS, KINDS, LABELS


@pytest.fixture(scope="module")
def demo(tmp_path_factory, undrawn):
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        shown = CliRunner().invoke(main, ["demo"])
    return folder, shown


def test_the_demo_ends_well_and_plainly(demo):
    _, shown = demo
    assert shown.exit_code == 0, shown.output
    assert shown.stderr == ""
    assert "\x1b" not in shown.stdout


def test_the_demo_says_nothing_twice(demo):
    _, shown = demo
    told = [line for line in shown.stdout.splitlines() if len(line) > 50 and set(line) != {"─"}]
    assert len(told) == len(set(told))


def test_the_demo_scores_five_kinds_of_system_on_five_classes_in_several_cases(demo):
    folder, shown = demo
    gold = (folder / "ordeval-demo" / "gold.csv").read_text().splitlines()
    assert gold[0] == "case,item,label"
    assert len(gold) - 1 == len(CASES) * ITEMS
    assert {line.split(",")[2] for line in gold[1:]} == set(LABELS)
    for kind in KINDS.values():
        assert re.search(rf"^\d[\d-]* +{kind}-25%", shown.stdout, re.MULTILINE)


def test_how_the_numbers_were_made_is_said_once(demo):
    _, shown = demo
    assert " ".join(shown.stdout.split()).count("10 systems, 800 items in 16 test cases") == 1


def test_fewer_mistakes_of_one_kind_are_ranked_above_more_of_them(demo):
    _, shown = demo
    for kind in KINDS.values():
        assert shown.stdout.index(f"{kind}-25%") < shown.stdout.index(f"{kind}-40%")


def test_the_demo_says_where_the_report_is_and_it_is_there(demo):
    folder, shown = demo
    report = folder / "ordeval-demo" / "report.html"
    assert str(report.resolve()) in shown.stdout
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_properties_are_those_that_the_paper_proves_of_cem_ord(demo):
    _, shown = demo
    assert re.search(r"^cem_ord +holds +holds +holds$", shown.stdout, re.MULTILINE)
    assert re.search(r"^accuracy +holds +fails +fails$", shown.stdout, re.MULTILINE)


def test_no_line_of_the_tables_is_wider_than_80_columns(demo):
    _, shown = demo
    told, _, commands = shown.stdout.partition("To do the same with your own files, ")
    paths = str(demo[0])
    assert commands
    assert not [line for line in told.splitlines() if len(line) > 80 and paths not in line]


@pytest.mark.later
def test_the_commands_that_the_demo_prints_work_and_give_the_same_page(demo, monkeypatch):
    folder, shown = demo
    monkeypatch.chdir(folder)
    commands = re.findall(r"^   (ordeval .*)$", shown.stdout, re.MULTILINE)
    assert len(commands) == 3
    for line in commands[:2]:
        result = CliRunner().invoke(main, shlex.split(line)[1:])
        assert result.exit_code == 0, result.output
    again, first = (
        Path(name).read_text(encoding="utf-8")
        for name in ("report.html", "ordeval-demo/report.html")
    )
    without_title = re.compile(r"<title>.*?</title>|<h1>.*?</h1>")
    assert without_title.sub("", again) == without_title.sub("", first)


def test_a_folder_that_cannot_be_made_is_named_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(main, ["demo", "-o", str(tmp_path / "file" / "below")])
    assert result.exit_code == 2
    assert "cannot make the folder" in result.stderr
