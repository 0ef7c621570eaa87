"""Workbooks of Excel, read wherever files are."""

import gzip
import json
from datetime import date

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ordeval as oe
from ordeval.cli import main
from ordeval.inputs.files.excel import column_number, write_sheet
from tests.examples import examples
from tests.inputs.files.workbooks import HEAD, MAIN, letters, write_workbook

GOLD = [["id", "label"], [1, 1], ["2", 2.0], [3, "3"], [4, "2.00"]]
RUN = [["ID", "Prediction"], ["1", "1.0"], [2, 1], [3.0, 3], ["4", 2]]


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def lines(path):
    """Return the lines that a workbook becomes."""
    write_sheet(str(path), f"{path}.csv", repr(path.name))
    return (path.parent / f"{path.name}.csv").read_text().splitlines()


def test_gold_and_a_system_are_read_from_workbooks(tmp_path):
    gold = write_workbook(tmp_path / "gold.xlsx", {"Sheet1": GOLD})
    answers = write_workbook(tmp_path / "run.xlsx", {"Sheet1": RUN})
    runs = oe.Runs.from_files(gold, answers)  # items 1, 3 and 4 are right, and 2 was taken for 1
    assert runs.table.counts.tolist() == [[[1, 0, 0], [1, 1, 0], [0, 0, 1]]]
    assert (runs.scale.labels, runs.systems, runs.notes) == ((1, 2, 3), ("run",), ())
    (tmp_path / "gold.xlsx.gz").write_bytes(gzip.compress(gold.read_bytes()))
    (tmp_path / "run.csv").write_text("id,label\n1,1\n2,1\n3,3\n4,2\n")
    mixed = oe.Runs.from_files(tmp_path / "gold.xlsx.gz", tmp_path / "run.csv")
    assert mixed.table == runs.table


def test_a_wide_workbook_is_read_with_its_blank_rows(tmp_path):
    rows = [[], ["item", "human", "model", None], [1, 1, 1], [], [2, 2, 1], [3, 3, 3], []]
    path = write_workbook(tmp_path / "wide.xlsx", {"data": rows})
    runs = oe.Runs.from_wide(path, gold="human", predicted="model")
    assert runs.table.counts.tolist() == [[[1, 0, 0], [1, 0, 0], [0, 0, 1]]]


def test_a_matrix_is_read_from_a_workbook(tmp_path):
    rows = [["gold", 1, 2, "Total"], [2, 8, 12, 20], [1, 15, None, 15], ["Total", 23, 12, 35]]
    path = write_workbook(tmp_path / "m.xlsx", {"counts": rows, "other": [["x"]]})
    assert oe.Table.from_file(path).counts.tolist() == [[15, 0], [8, 12]]
    result = run("evaluate", path, "--metrics", "accuracy", "--level", "none", "--format", "json")
    assert json.loads(result.stdout)["systems"][0]["scores"]["accuracy"]["value"] == 27 / 35
    assert "only the sheet 'counts' was read, not 'other'." in result.stderr


def test_the_first_sheet_that_can_be_seen_is_read_and_a_note_says_so(tmp_path):
    sheets = {"secret": [["no"]], "gold <1>": GOLD, "notes": [["yes"]]}
    gold = write_workbook(tmp_path / "gold.xlsx", sheets, hidden=["secret"])
    answers = write_workbook(tmp_path / "run.xlsx", {"Sheet1": RUN})
    runs = oe.Runs.from_files(gold, answers)
    assert runs.n == 4
    (note,) = runs.notes
    assert note.endswith("gold.xlsx': only the sheet 'gold <1>' was read, not 'notes'.")
    wide = write_workbook(tmp_path / "wide.xlsx", {"a": [["g", "p"], [1, 1]], "b": []})
    assert len(oe.Runs.from_wide(wide, gold="g", predicted="p").notes) == 1
    hidden = write_workbook(tmp_path / "none.xlsx", {"a": GOLD}, hidden=["a"])
    with pytest.raises(oe.OrdevalError, match="no visible sheet"):
        oe.Runs.from_files(hidden, answers)


def test_every_kind_of_cell_becomes_text(tmp_path):
    iso = "<v>2024-01-01</v>"
    inline = ('t="inlineStr"', "<is><r><t>in</t></r><r><t>line</t></r></is>")
    rows = [
        ["a", "b, c", 'say "d"', "two\nlines", "é"],
        [1, 1.0, 0.1 + 0.2, 2.5, 1e-3],
        [True, False, date(2024, 2, 29), None, ("", "")],
        [inline, ('t="str"', "<f>A1</f><v>formula</v>"), ('t="e"', "<v>#N/A</v>"), ("", "<f>1+1</f><v>2</v>"), "1"],
        [('s="2"', "<v>45351.5</v>"), ('s="3"', "<v>3</v>"), ('s="1"', "<v>0.25</v>"), ('t="d"', iso), 10**15],
    ]  # fmt: skip
    path = write_workbook(tmp_path / "kinds.xlsx", {"s": rows})
    assert lines(path) == [
        'a,"b, c","say ""d""",two lines,é',
        "1,1,0.3,2.5,0.001",
        "TRUE,FALSE,2024-02-29,,",
        "inline,formula,#N/A,2,1",
        "2024-02-29T12:00:00,3,06:00:00,2024-01-01,1000000000000000",
    ]


def test_days_may_be_counted_from_1904(tmp_path):
    sheets = '<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets>'
    relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    text = (
        f'{HEAD}<workbook xmlns="{MAIN}" {relations}><workbookPr date1904="1"/>{sheets}</workbook>'
    )
    rows = [[("s='1'", "<v>366</v>")]]  # 1904 had 366 days
    path = write_workbook(tmp_path / "mac.xlsx", {"a": rows}, parts={"xl/workbook.xml": text})
    assert lines(path) == ["1905-01-01"]


def test_rows_and_cells_that_leave_out_where_they_are_come_one_after_the_other(tmp_path):
    body = '<row><c t="str"><v>id</v></c><c t="str"><v>label</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>'
    text = f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
    parts = {"xl/worksheets/sheet1.xml": text, "xl/styles.xml": None}
    path = write_workbook(tmp_path / "bare.xlsx", {"a": []}, parts=parts)
    assert lines(path) == ["id,label", "1,2"]


def test_a_row_that_cannot_be_read_is_named_by_its_number_in_the_workbook(tmp_path):
    gold = write_workbook(tmp_path / "gold.xlsx", {"s": [*GOLD, [], [5, 1, "a remark"]]})
    answers = write_workbook(tmp_path / "run.xlsx", {"s": RUN})
    with pytest.raises(oe.OrdevalError, match=r"gold\.xlsx.*line 7"):
        oe.Runs.from_files(gold, answers)


FAR_RIGHT = '<w><row><c r="XFD1"><v>1</v></c></row><row r="99999"><c><v>1</v></c></row></w>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"xl/worksheets/sheet1.xml": LAUGHS}, "has a document type"),
        ({"xl/sharedStrings.xml": LAUGHS}, "has a document type"),
        ({"xl/worksheets/sheet1.xml": "<worksheet>"}, "cannot be read as an .xlsx"),
        ({"xl/worksheets/sheet1.xml": None}, "cannot be read as an .xlsx"),
        ({"xl/workbook.xml": None}, "cannot be read as an .xlsx"),
        ({"xl/sharedStrings.xml": "<sst/>"}, "cannot be read as an .xlsx"),
        ({"xl/worksheets/sheet1.xml": '<w><row r="9999999"><c><v>1</v></c></row></w>'}, "in the wrong place"),
        ({"xl/worksheets/sheet1.xml": '<w><row r="x"><c><v>1</v></c></row></w>'}, "cannot be read as an .xlsx"),
        ({"xl/worksheets/sheet1.xml": '<w><row><c r="ZZZZ1"><v>1</v></c></row></w>'}, "in the wrong place"),
        ({"xl/worksheets/sheet1.xml": '<w><row><c r="É1"><v>1</v></c></row></w>'}, "cannot be read as an .xlsx"),
        ({"xl/worksheets/sheet1.xml": FAR_RIGHT}, "too many to read"),
        ({"xl/worksheets/sheet1.xml": '<w><row><c r="B1"><f>1+1</f><v></v></c></row></w>'}, "the formula in cell B1"),
        ({"xl/worksheets/sheet1.xml": "<w><row><c><v>many</v></c></row></w>"}, "cannot be read as an .xlsx"),
        ({"xl/worksheets/sheet1.xml": "<w/>"}, "is empty"),
    ],
)  # fmt: skip
def test_a_damaged_or_hostile_workbook_is_refused(tmp_path, parts, says):
    path = write_workbook(tmp_path / "bad.xlsx", {"a": GOLD}, parts=parts)
    with pytest.raises(oe.OrdevalError) as caught:
        oe.Runs.from_files(path, path)
    assert says in str(caught.value)
    assert "bad.xlsx" in str(caught.value)
    assert run("evaluate", path, path).exit_code == 3


def test_an_archive_that_would_fill_memory_is_refused(tmp_path, monkeypatch):
    path = write_workbook(tmp_path / "big.xlsx", {"a": GOLD})
    monkeypatch.setattr("ordeval.inputs.files.excel.LARGEST", 1000)
    with pytest.raises(oe.OrdevalError, match="unpacks to"):
        oe.Runs.from_files(path, path)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("old.xls", b"any", "save it as .xlsx or CSV"),
        ("open.ods", b"any", "save it as .xlsx or CSV"),
        ("locked.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "has a password"),
        ("text.xlsx", b"id,label\n1,1\n", "cannot be read as an .xlsx"),
        ("empty.xlsx", b"", "cannot be read as an .xlsx"),
    ],
)
def test_other_spreadsheets_are_refused_with_a_way_out(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    for arguments in ((path, path), (path, "--gold", "label", "--pred", "p"), (path,)):
        result = run("evaluate", *arguments)
        assert (result.exit_code, result.stdout) == (3, "")
        assert says in " ".join(result.stderr.split())


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_bytes_a_workbook_has_there_is_no_error_but_ours(tmp_path, data):
    whole = write_workbook(tmp_path / "whole.xlsx", {"a": GOLD}).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    noise = data.draw(st.binary(max_size=20))
    path = tmp_path / "noise.xlsx"
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    try:
        oe.Runs.from_files(path, path)
    except oe.OrdevalError as error:
        assert "noise.xlsx" in str(error) or "label" in str(error) or "order" in str(error)  # noqa: PT017


@given(st.integers(0, 16383))
def test_columns_are_numbered_as_excel_names_them(column):
    assert column_number(letters(column)) == column
