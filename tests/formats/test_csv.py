"""Comma-separated values for programs, and for spreadsheets."""

import csv
import io

import pytest

from ordeval.formats.csv import to_csv
from ordeval.formats.sheet import Cell, Column, Kind, Sheet

NAMES = ("=1+1", " +1", "-1", "@x", "\tx", "a=b", "x, y")
SHEET = Sheet(
    [Column("name"), Column("value", Kind.NUMBER)], [[Cell(name), Cell(-0.5)] for name in NAMES]
)


@pytest.mark.parametrize(("for_spreadsheets", "end"), [(False, "\n"), (True, "\r\n")])
def test_no_name_is_a_formula_and_numbers_stay_numbers(for_spreadsheets, end):
    lines = to_csv(SHEET, for_spreadsheets=for_spreadsheets).split(end)
    assert lines == [
        "name,value", "'=1+1,-0.5", " +1,-0.5", "-1,-0.5", "'@x,-0.5", "'\tx,-0.5", "a=b,-0.5", '"x, y",-0.5', "",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["=A1", "=cmd|' /C calc'!A0", "-1+1", "+A1", "@SUM(1)", "\t=1"])
def test_a_name_or_a_heading_that_a_spreadsheet_would_compute_gets_an_apostrophe(name):
    (heading,), (cell,), *_ = csv.reader(
        io.StringIO(to_csv(Sheet([Column(name)], [[Cell(name)]])), newline="")
    )
    assert heading == cell == f"'{name}"
