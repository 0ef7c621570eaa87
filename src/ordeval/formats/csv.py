"""Comma-separated values: raw numbers under names for programs."""

import csv
import io
from typing import Any

from ordeval.formats.numbers import undefined
from ordeval.formats.sheet import Sheet


def to_csv(sheet: Sheet) -> str:
    """Write the raw values of a sheet; a column with intervals becomes three, an undefined value an empty field."""
    sheet = sheet.seen_in("csv")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    header: list[str] = []
    for column in sheet.columns:
        name = column.key or column.name
        header += [name, f"{name}_low", f"{name}_high"] if column.interval else [name]
    writer.writerow(header)
    for row in sheet.rows:
        fields: list[Any] = []
        for cell, column in zip(row, sheet.columns, strict=True):
            fields += [cell.value, cell.low, cell.high] if column.interval else [cell.value]
        writer.writerow(["" if undefined(field) else field for field in fields])
    return stream.getvalue()
