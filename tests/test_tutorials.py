"""The tutorials are notebooks that run from top to bottom, for one role each, and say what their cells print."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.prose import blocks

FOLDER = ROOT / "docs" / "tutorials"
TUTORIALS = sorted(set(FOLDER.glob("*.md")) - {FOLDER / "index.md"})
EACH = pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
WIDEST = 88  # letters of a line of code that fit beside the contents of a page
COMMAND = re.compile(r"^( *)!.*$", re.MULTILINE)


def extension(name):
    """A module of docs/_ext."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


printed = extension("printed")


def cells(page: Path) -> list[tuple[str, str]]:
    """The options and the code of every cell."""
    found = []
    for block in blocks(page):
        if block.language == "code-cell":
            options = re.match(r"---\n.*?---\n|(?::[^\n]*\n)*\n?", block.text, re.DOTALL)[0]
            found.append((options, block.text[len(options) :]))
    return found


def test_there_is_a_tutorial_for_each_of_five_roles():
    index = (FOLDER / "index.md").read_text()
    assert len(TUTORIALS) == 5
    for page in TUTORIALS:
        assert f"]({page.name})" in index
        assert f"\n{page.stem}\n" in index.partition("toctree")[2]


@EACH
def test_a_tutorial_says_whom_it_is_for_and_what_they_have_at_the_end(page):
    text = page.read_text()
    assert text.startswith("---\nfile_format: mystnb\n")
    assert len(re.findall(r"^# \w", text, re.MULTILINE)) >= 1
    assert "\nThis tutorial is for " in text
    assert f"{{nb-download}}`Download the notebook <{page.stem}.ipynb>`" in text
    sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert sections[0] == "What you have"
    assert sections[-1] == "What you have now"
    assert any(section.startswith("Stumble: ") for section in sections)
    assert "shared/" not in text  # which only our own machines have


@EACH
def test_every_cell_of_a_tutorial_is_python_that_fits_on_the_page(page):
    found = cells(page)
    assert len(found) > 8
    for _, code in found:
        ast.parse(COMMAND.sub(r"\1pass", code), page.name)
        assert max(map(len, code.splitlines())) <= WIDEST, code


@EACH
def test_every_chart_of_a_tutorial_has_words_for_people_who_do_not_see_it(page):
    charts = [options for options, code in cells(page) if "oe.plot." in code]
    assert charts
    assert all(re.search(r"^    alt: \w.{20}", options, re.MULTILINE) for options in charts)


def notebook(text, *outputs):
    return {
        "cells": [
            {"cell_type": "markdown", "source": [text]},
            {"cell_type": "code", "source": ["1 + 1"], "outputs": list(outputs)},
        ]
    }


SAID = {"output_type": "stream", "text": ["0.75 [0.70, 0.80] of 1,500\n"]}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It scores 0.75, between 0.70 and 0.80.", []),
        ("It scores 0.76.", ["0.76"]),
        ("It scores 0.7.", []),  # one digit is counted on the page
        ("There are 1500 items, or 1,500.", []),
        ("There are 1,501 items.", ["1501"]),
        ("It rises by +0.75 and falls by -0.80.", []),
        ("It has 75 of them.", ["75"]),  # not a part of 0.75
        ("Pass `margin=0.123` or see [that](page.md#11).", []),  # code and links are no claims
    ],
)
def test_numbers_of_the_prose_that_no_cell_prints_are_found(text, missing):
    assert printed.unprinted(notebook(text, SAID)) == missing


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "execute_result", "data": {"text/plain": "Score(12.5)"}},
        {"output_type": "display_data", "data": {"text/html": ["<td>12.5", "</td>"]}},
        {"output_type": "error", "evalue": "12.5 is too much", "traceback": []},
    ],
)
def test_numbers_are_printed_as_results_tables_and_errors(output):
    assert printed.unprinted(notebook("It is 12.5.", output)) == []
    assert printed.unprinted(notebook("It is 12.5.")) == ["12.5"]


def test_a_notebook_is_downloaded_without_links_that_only_the_site_has():
    text = "You need it. {nb-download}`Get it <a.ipynb>` to run it. See [a](../a.md), [b](https://b.org)."
    found = printed.portable(notebook(text, SAID))
    assert found["cells"][0]["source"] == "You need it. See a, [b](https://b.org)."
    assert found["cells"][1] == notebook(text, SAID)["cells"][1]
