"""A writer of .xlsx files as small as can be, so that tests can make what no program would write."""

import zipfile
from datetime import date
from xml.sax.saxutils import escape, quoteattr

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
# the third style is a date by its number, the fourth by a format of its own, the fifth shows a number in a colour
STYLES = (
    f'{HEAD}<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="171" formatCode="[Red]0.0&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/>'
    '<xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'
)


def letters(column):
    """Return the name of a column: 0 is A, and 26 is AA."""
    name = ""
    while column >= 0:
        column, rest = divmod(column, 26)
        name, column = chr(65 + rest) + name, column - 1
    return name


def cell(place, value, shared):
    """Write one cell; a tuple is its attributes and what stands inside."""
    if isinstance(value, tuple):
        return f'<c r="{place}" {value[0]}>{value[1]}</c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{value:d}</v></c>'
    if isinstance(value, date):
        return f'<c r="{place}" s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    shared.append(value)
    return f'<c r="{place}" t="s"><v>{len(shared) - 1}</v></c>'


def sheet_xml(rows, shared):
    """Write a sheet; cells that are None are left out, and so are rows without cells."""
    lines = []
    for at, row in enumerate(rows, 1):
        cells = [
            cell(f"{letters(column)}{at}", value, shared)
            for column, value in enumerate(row)
            if value is not None
        ]
        lines += [f'<row r="{at}">{"".join(cells)}</row>'] if cells else []
    return f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def write_workbook(path, sheets, *, hidden=(), parts=None):
    """Write sheets, rows of values by name; `parts` replaces files of the archive."""
    shared = []
    files = {
        f"xl/worksheets/sheet{at}.xml": sheet_xml(rows, shared)
        for at, rows in enumerate(sheets.values(), 1)
    }
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{at}" r:id="r{at}"{HIDDEN if name in hidden else ""}/>'
        for at, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="r{at}" Type="{RELATIONS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    texts = "".join(f"<si><t>{escape(text)}</t></si>" for text in shared)
    files |= {
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}">{related}</Relationships>',
        "xl/sharedStrings.xml": f'{HEAD}<sst xmlns="{MAIN}">{texts}</sst>',
        "xl/styles.xml": STYLES,
        **(parts or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            if text is not None:
                archive.writestr(name, text)
    return path


HIDDEN = ' state="hidden"'
