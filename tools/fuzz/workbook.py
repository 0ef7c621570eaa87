"""A writer of .xlsx files as small as can be."""

import io
import zipfile
from typing import Any
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
PARTS = {
    "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"/>',
    "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="data" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}


def workbook(rows: list[dict[str, Any]]) -> bytes:
    """Return a workbook of one sheet with a header, all cells as text."""
    lines = [
        "<row>"
        + "".join(
            f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(cell))}</t></is></c>'
            for cell in row
        )
        + "</row>"
        for row in ([*rows[0]], *(row.values() for row in rows))
    ]
    sheet = f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return stream.getvalue()
