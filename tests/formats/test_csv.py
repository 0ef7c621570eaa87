"""Comma-separated values for programs, and for spreadsheets."""

from ordeval.formats.csv import to_csv
from ordeval.formats.sheet import Cell, Column, Kind, Sheet

NAMES = ("=1+1", " +1", "-1", "@x", "\tx", "a=b", "x, y")
SHEET = Sheet(
    [Column("name"), Column("value", Kind.NUMBER)], [[Cell(name), Cell(-0.5)] for name in NAMES]
)


def test_a_program_gets_every_name_as_it_is():
    lines = to_csv(SHEET).split("\n")
    assert lines[:4] == ["name,value", "=1+1,-0.5", " +1,-0.5", "-1,-0.5"]


def test_a_spreadsheet_gets_no_formula_and_numbers_stay_numbers():
    lines = to_csv(SHEET, for_spreadsheets=True).split("\r\n")
    assert lines == [
        "name,value", "'=1+1,-0.5", "' +1,-0.5", "'-1,-0.5", "'@x,-0.5", "'\tx,-0.5", "a=b,-0.5", '"x, y",-0.5', "",
    ]  # fmt: skip
