"""`--plugin MODULE` and installed packages bring measures of one's own to the command line."""

import json
import re
import sys

import pytest
from click.testing import CliRunner

from ordeval.cli import main
from ordeval.metrics import plugins

MEASURES = '''
import numpy as np
import ordeval as oe


@oe.measure(greater_is_better=True, bounds=(0, 1))
def share_not_lower(counts):
    """Share of answers that are not below gold."""
    return np.triu(counts).sum(axis=(-1, -2)) / counts.sum(axis=(-1, -2))
'''
TAKING = {
    "evaluate": ["gold.csv", "a.csv", "--metrics", "share_not_lower"],
    "compare": ["gold.csv", "a.csv", "b.csv", "--primary", "share_not_lower"],
    "meta": [
        "gold.csv",
        "a.csv",
        "b.csv",
        "--metrics",
        "share_not_lower",
        "--level",
        "none",
        "--parts",
        "2",
    ],
    "properties": ["share_not_lower", "--items", "3"],
    "metrics": ["share_not_lower"],
    "score": ["table.json", "--metrics", "share_not_lower"],
    "agree": ["gold.csv", "--raters", "label,other", "--metrics", "share_not_lower"],
    "decide": ["probabilities.csv", "--metric", "share_not_lower"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a plug-in, labels, marks and probabilities; modules imported from it are forgotten."""
    (tmp_path / "house_measures.py").write_text(MEASURES)
    (tmp_path / "gold.csv").write_text("item,label,other\n1,1,1\n2,2,1\n3,3,3\n4,3,2\n")
    (tmp_path / "a.csv").write_text("item,label\n1,1\n2,3\n3,3\n4,1\n")
    (tmp_path / "b.csv").write_text("item,label\n1,1\n2,2\n3,2\n4,1\n")
    (tmp_path / "probabilities.csv").write_text(
        "gold,1,2,3\n1,0.5,0.3,0.2\n3,0.1,0.2,0.7\n2,0.2,0.6,0.2\n2,0.3,0.4,0.3\n"
    )
    (tmp_path / "table.json").write_text("")
    monkeypatch.chdir(tmp_path)
    assert run("count", "gold.csv", "a.csv", "-o", "table.json").exit_code == 0
    monkeypatch.delitem(sys.modules, "house_measures", raising=False)
    yield tmp_path
    sys.modules.pop("house_measures", None)


def run(*words):
    return CliRunner().invoke(main, list(words))


def test_a_module_of_this_folder_brings_its_measure(folder):
    plugin = ["--plugin", "house_measures", "--metrics", "share_not_lower"]
    told = run("evaluate", "gold.csv", "a.csv", *plugin, "--format", "json")
    # 1 -> 1, 2 -> 3, 3 -> 3 are not below gold; 3 -> 1 is: 3 of 4
    score = json.loads(told.stdout)["systems"][0]["scores"]["share_not_lower"]
    assert score["value"] == 0.75
    assert str(folder) not in sys.path


@pytest.mark.parametrize("command", TAKING)
def test_every_command_that_names_measures_takes_a_file_as_a_plugin(folder, command):
    before = run(command, *TAKING[command])
    assert before.exit_code == 2
    assert "there is no measure 'share_not_lower'" in before.stderr
    told = run(command, *TAKING[command], "--plugin", "house_measures.py")
    assert told.exit_code == 0, told.output
    assert "share_not_lower" in told.stdout


def test_the_list_of_measures_has_those_of_a_plugin(folder):
    told = run("metrics", "--plugin", "house_measures.py", "--family", "own")
    assert re.search(
        r"share_not_lower\s+higher\s+Share of answers that are not below gold\.", told.stdout
    )


@pytest.mark.later
def test_a_page_names_the_plugin_in_the_command_that_makes_it_again(folder):
    told = run(
        "report", "gold.csv", "a.csv", "b.csv", "--plugin", str(folder / "house_measures.py"),
        "--primary", "share_not_lower", "--metrics", "mae", "-o", "page.html",
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    page = (folder / "page.html").read_text()
    assert "--plugin house_measures.py" in page
    assert str(folder) not in page


@pytest.mark.parametrize(
    ("text", "plugin", "words"),
    [
        (None, "nowhere", "there is no module 'nowhere'"),
        (None, "nowhere.py", "there is no file 'nowhere.py'"),
        ("import a_missing_one", "bad.py", "needs the module 'a_missing_one'"),
        ("import a_missing_one", "bad", "needs the module 'a_missing_one'"),
        ("1 / 0", "bad.py", "could not be loaded: ZeroDivisionError"),
        ("def (", "bad.py", "could not be loaded: SyntaxError"),
        ("import sys; sys.exit(0)", "bad.py", "could not be loaded: SystemExit: 0."),
        ("", "bad.txt", "there is no module 'bad.txt', neither in this folder"),
        (None, ".", "'.' is not the name of a module"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_wrong_usage(folder, text, plugin, words):
    if text is not None:
        (folder / "bad.py").write_text(text)
    told = run("evaluate", "gold.csv", "a.csv", "--plugin", plugin)
    sys.modules.pop("bad", None)
    assert told.exit_code == 2
    assert words in told.stderr


def test_what_a_plugin_prints_is_no_result(folder):
    (folder / "talks.py").write_text(f"print('hello')\n{MEASURES}")
    told = run("evaluate", "gold.csv", "a.csv", "--plugin", "talks.py", "--format", "json")
    sys.modules.pop("talks", None)
    assert "hello" in told.stderr
    assert json.loads(told.stdout)["command"] == "evaluate"


def test_a_file_may_import_its_neighbours_and_a_folder_is_a_module(folder):
    package = folder / "house"
    package.mkdir()
    (package / "__init__.py").write_text(MEASURES)
    (package / "neighbour.py").write_text("")
    (package / "main.py").write_text(f"import neighbour\n{MEASURES}")
    for plugin in ("house/main.py", "house/"):
        told = run("metrics", "share_not_lower", "--plugin", plugin)
        assert told.exit_code == 0, told.output
    for name in ("house", "main", "neighbour"):
        sys.modules.pop(name, None)


def test_a_measure_that_fails_is_wrong_usage_and_no_fault_of_ordeval(folder):
    (folder / "bad.py").write_text(MEASURES.replace("return np.triu", "return np.nothing"))
    told = run(
        "evaluate", "gold.csv", "a.csv", "--plugin", "bad.py", "--metrics", "share_not_lower"
    )
    sys.modules.pop("bad", None)
    assert told.exit_code == 2
    assert "the measure share_not_lower raised AttributeError" in told.stderr


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A function that installs a package with measures, as far as its metadata go."""

    def install(text):
        package = tmp_path / "site"
        info = package / "house-1.0.dist-info"
        info.mkdir(parents=True)
        (package / "house_measures.py").write_text(text)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[ordeval.measures]\nhouse = house_measures\n")
        monkeypatch.syspath_prepend(package)
        monkeypatch.setattr(plugins, "_complaints", None)
        monkeypatch.delitem(sys.modules, "house_measures", raising=False)

    yield install
    sys.modules.pop("house_measures", None)


def test_an_installed_package_brings_its_measures(folder, installed):
    installed(MEASURES)
    told = run("evaluate", "gold.csv", "a.csv", "--metrics", "share_not_lower", "--format", "csv")
    assert told.exit_code == 0, told.output
    assert "0.75" in told.stdout
    assert "share_not_lower" in run("metrics").stdout


def test_a_broken_package_is_named_where_its_measure_is_asked_for(folder, installed):
    installed("import a_missing_one")
    told = run("evaluate", "gold.csv", "a.csv", "--metrics", "share_not_lower")
    assert told.exit_code == 2
    assert "the measures 'house' of the package house could not be loaded" in told.stderr
    listed = run("metrics")
    assert listed.exit_code == 0
    assert "of the package house could not be loaded" in listed.stderr
