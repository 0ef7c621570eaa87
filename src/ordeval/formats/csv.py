"""Comma-separated values: raw numbers under names for programs."""

import csv
import io
import re
from typing import Any

from ordeval.formats.numbers import undefined
from ordeval.formats.sheet import Sheet
from ordeval.letters import UNSHOWABLE

# A spreadsheet computes a text that begins so and is no number.
FORMULA = re.compile(r"\s*[=+\-@\t\r](?!\d+(\.\d+)?$)")


def to_csv(sheet: Sheet, *, for_spreadsheets: bool = False) -> str:
    """Write the raw values of a sheet; a column with intervals becomes three, an undefined value an empty field.

    An apostrophe keeps a name that looks like a formula a name. Lines end as spreadsheets expect, if it is for them.
    """
    sheet = sheet.seen_in("csv")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n" if for_spreadsheets else "\n")
    header: list[str] = []
    for column in sheet.columns:
        name = guarded(column.key or column.name)
        header += [name, f"{name}_low", f"{name}_high"] if column.interval else [name]
    writer.writerow(header)
    for row in sheet.rows:
        fields: list[Any] = []
        for cell, column in zip(row, sheet.columns, strict=True):
            value = guarded(cell.value) if isinstance(cell.value, str) else cell.value
            fields += [value, cell.low, cell.high] if column.interval else [value]
        writer.writerow(["" if undefined(field) else field for field in fields])
    return stream.getvalue()


def guarded(text: str) -> str:
    """Return a text that neither a spreadsheet computes nor a terminal obeys."""
    text = UNSHOWABLE.sub("\ufffd", text)
    return f"'{text}" if FORMULA.match(text) else text
