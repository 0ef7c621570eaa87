"""docs/reference/file_formats.md lists the names, endings and formats that the code knows."""

import re

import pytest

from ordeval.cli.output import BY_SUFFIX
from ordeval.inputs.files.locate import COMPRESSIONS, FORMATS, OTHER_SHEETS
from ordeval.inputs.roles import LABEL_NAMES, NAMES
from ordeval.inputs.unused_counts import COUNTS
from tests.conftest import ROOT

PAGE = ROOT / "docs/reference/file_formats.md"
ROLES = {"test case": "case"}  # what the page calls by another name


@pytest.fixture(scope="module")
def text():
    return PAGE.read_text(encoding="utf-8")


def rows_below(text, heading):
    """The rows of the first table below a heading, as lists of cells."""
    table = re.search(r"^\|.*?(?=^\n)", text.partition(f"{heading}\n")[2], re.MULTILINE | re.DOTALL)
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names_in(cell):
    return re.findall(r"`([^`]*)`", cell)


def test_the_names_of_columns_are_those_that_the_code_recognises(text):
    listed = {
        ROLES.get(role, role): tuple(names_in(cell))
        for role, cell, _ in rows_below(text, "## Columns")
    }
    assert listed == NAMES
    assert all(
        option == f"`--{ROLES.get(role, role)} COL`"
        for role, _, option in rows_below(text, "## Columns")
    )


def test_the_first_name_of_a_label_depends_on_the_file_as_the_page_says(text):
    assert "In a gold file `gold` comes first." in text
    assert LABEL_NAMES["gold"][0] == "gold"
    assert "system's file `prediction` comes first, then `pred`." in text
    assert LABEL_NAMES["system"][:2] == ("prediction", "pred")


def test_the_names_of_columns_of_counts_are_those_of_the_code(text):
    sentence = re.search(r"A column of numbers named (.*?) in a wide", text, re.DOTALL)[1]
    assert tuple(names_in(sentence)) == COUNTS


def test_the_endings_of_files_are_those_of_the_code(text):
    listed = {
        ending
        for _, endings, _ in rows_below(text, "# File formats")
        for ending in names_in(endings)
    }
    assert listed == set(FORMATS)
    assert all(f"`{ending}`" in text.partition("## Compression")[2] for ending in COMPRESSIONS)
    refused = {
        ending for file, _ in rows_below(text, "## What is refused") for ending in names_in(file)
    }
    assert refused == OTHER_SHEETS


def test_the_formats_of_results_are_those_of_the_code(text):
    rows = rows_below(text, "## What is written")
    forms = {ending: names_in(form) for form, endings, _ in rows for ending in names_in(endings)}
    by_suffix = {ending: form for ending, form in BY_SUFFIX.items() if ending != ".htm"}
    assert set(forms) == set(by_suffix)
    assert all(form == [by_suffix[ending]] for ending, form in forms.items() if form)
