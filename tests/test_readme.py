"""Every example and every number in the README and the documentation is what the program says."""

import contextlib
import doctest
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from tests.conftest import ROOT
from tests.examples import grid
from tests.frameworks import FRAMEWORKS
from tests.prose import PAGES, blocks, table_below

README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
TRANSCRIPTS = [
    (page, block)
    for page in PAGES
    for block in blocks(page)
    if block.language == "console" and block.text.startswith("$ ordeval")
]


def name(value: object) -> str:
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else f"line {value.line}"


def sessions_of(page: Path) -> str:
    return "\n".join(block.text for block in blocks(page) if ">>>" in block.text)


# what `make test-full` alone installs, what `make test-frameworks` does, and what takes seconds to import
MARKS = {
    r">>> import (torch|lightgbm|skore|dask)\b": pytest.mark.full,
    r">>> import mlflow\b": FRAMEWORKS,
    r">>> (import|from) sklearn\b": pytest.mark.slow,
}
NEEDS = {
    page: next((mark for need, mark in MARKS.items() if re.search(need, sessions_of(page))), ())
    for page in PAGES
}
SESSIONS = grid(
    "page",
    [pytest.param(page, marks=NEEDS[page]) for page in PAGES if sessions_of(page)],
    every=5,
    ids=name,
)


@pytest.fixture(scope="module")
def run_sessions(tmp_path_factory):
    """A function that runs the sessions of a page, one after the other, in a folder of the page's own.

    It returns the folder and what the sessions printed otherwise; it runs them once.
    """

    @cache
    def run(page: Path) -> tuple[Path, str]:
        folder = tmp_path_factory.mktemp(page.stem)
        test = doctest.DocTestParser().get_doctest(sessions_of(page), {}, page.name, str(page), 0)
        report: list[str] = []
        with contextlib.chdir(folder):
            doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
        return folder, "".join(report)

    return run


@SESSIONS
def test_the_python_sessions_of_a_page_print_what_they_show(page, run_sessions):
    """As a reader would type them."""
    report = run_sessions(page)[1]
    assert not report, report


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_python_block_of_a_page_is_a_session_that_shows_its_result(page):
    silent = [b.line for b in blocks(page) if b.language == "python" and ">>>" not in b.text]
    assert not silent, f"{page.name}: the blocks at lines {silent} cannot be checked"


@grid("page,block", TRANSCRIPTS, every=4, ids=name)
def test_a_command_shown_on_a_page_prints_what_the_page_shows(
    page, block, run_sessions, monkeypatch
):
    """In a folder with the files that the page makes; a verdict of `judge` or `gate` is an exit status, too."""
    if re.search("write|to_csv|to_parquet", sessions_of(page)):
        monkeypatch.chdir(run_sessions(page)[0])
    command, _, shown = block.text.partition("\n")
    result = CliRunner().invoke(main, shlex.split(command.removeprefix("$ ordeval")))
    verdict = any(f"ordeval {name}" in command for name in ("judge", "gate"))
    assert result.exit_code in {0, 1, 4} if verdict else not result.exit_code
    checker = doctest.OutputChecker()
    assert checker.check_output(shown, result.stdout, OPTIONS), result.stdout


def test_the_readme_opens_with_the_two_commands_and_how_to_install():
    commands = blocks(ROOT / "README.md")[0]
    assert [line.split("#")[0].strip() for line in commands.text.splitlines()] == [
        "make demo",
        "make test",
    ]
    assert "`pip install .`" in "\n".join(README.splitlines()[:15])


def test_the_readme_is_short():
    """One and a half screens: three examples, one picture, five rows of the benchmarks."""
    assert len(README.splitlines()) <= 100
    sessions = [block for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert [len(block.text.splitlines()) <= 7 for block in sessions] == [True] * 3
    assert README.count("![") == 1
    rows = [line for line in table_below(ROOT / "README.md", "benchmarks") if line[:1] == "|"]
    assert len(rows) == 2 + 5


def test_the_rows_of_benchmarks_in_the_readme_are_those_of_the_page():
    page = (ROOT / "docs" / "evidence" / "benchmarks.md").read_text(encoding="utf-8")
    _, _, _, _, *rows = table_below(ROOT / "README.md", "benchmarks")  # date, "", head, rule
    for row in rows:
        assert row in page


def test_the_readme_says_how_many_measures_there_are():
    (number,) = re.findall(r"(\d+) measures", " ".join(README.split()))
    assert int(number) == len(oe.registry)
