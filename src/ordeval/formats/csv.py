"""Comma-separated values: raw numbers under names for programs."""

import csv
import io
import re
from typing import Any

from ordeval.formats.numbers import undefined
from ordeval.formats.sheet import Sheet

FORMULA = re.compile(r"\s*[=+\-@\t\r]")  # a spreadsheet computes a text that begins so


def to_csv(sheet: Sheet, *, for_spreadsheets: bool = False) -> str:
    """Write the raw values of a sheet; a column with intervals becomes three, an undefined value an empty field.

    For spreadsheets an apostrophe keeps a name that looks like a formula a name, and lines end as they expect.
    """
    sheet = sheet.seen_in("csv")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n" if for_spreadsheets else "\n")
    header: list[str] = []
    for column in sheet.columns:
        name = column.key or column.name
        header += [name, f"{name}_low", f"{name}_high"] if column.interval else [name]
    writer.writerow(header)
    for row in sheet.rows:
        fields: list[Any] = []
        for cell, column in zip(row, sheet.columns, strict=True):
            value = cell.value
            if for_spreadsheets and isinstance(value, str) and FORMULA.match(value):
                value = f"'{value}"
            fields += [value, cell.low, cell.high] if column.interval else [value]
        writer.writerow(["" if undefined(field) else field for field in fields])
    return stream.getvalue()
