"""Workbooks of Excel (.xlsx), read with the standard library: the first sheet that is not hidden, as CSV.

A workbook is an archive of XML files. Document types and entities, which could be made to grow without end, are
refused, and so are archives that unpack to more than a gigabyte.
"""

import csv
import re
import zipfile
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO, TypeVar
from xml.etree.ElementTree import ParseError, XMLParser

from ordeval.errors import DataError, quoted
from ordeval.inputs.files.plain_files import NO_ROOM

LARGEST = 1 << 30  # bytes that an archive may unpack to
PIECE = 1 << 20  # bytes that are parsed at a time
MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14  # of a sheet, as Excel has it
# The first bytes of a file of Excel before 2007, and of one with a password.
OLD_EXCEL = bytes.fromhex("d0cf11e0")
OFFICE = "xl/"
DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])  # formats
MOST_FIELDS = 1 << 28  # of all rows together: a single cell far to the right makes every row long
DAMAGES = (
    zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError,
    KeyError, IndexError, ValueError, RuntimeError, NotImplementedError,
)  # fmt: skip
NOT_LETTERS = re.compile(r'"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)

Part = TypeVar("Part", bound="XmlPart")


def write_sheet(file: str, target: str, name: str) -> list[str]:
    """Write the first visible sheet of a workbook as CSV, a line for each row; return what a reader should know.

    `name` is what messages call the file.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            check_size(archive, name)
            workbook = Workbook(archive, name)
            with Path(target).open("w", encoding="utf-8", newline="") as stream:
                workbook.write(stream)
            return workbook.notes()
    except DataError:
        raise
    except DAMAGES as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise  # the fault of the folder that the sheet is written to
        raise unreadable(file, name, error) from None


def check_size(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse an archive that says it would fill memory; no more than it says is ever unpacked."""
    unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > LARGEST:
        raise DataError(
            f"{name} unpacks to {unpacked / 1e9:.1f} GB, more than the 1 GB that is read. Save it as CSV."
        )


def unreadable(file: str, name: str, error: Exception) -> DataError:
    """Return the error for a file that is not a workbook, or has a password."""
    try:
        with Path(file).open("rb") as stream:
            begins = stream.read(len(OLD_EXCEL))
    except OSError:
        return DataError(f"cannot read {name}: {error}.")
    if begins == OLD_EXCEL:
        return DataError(
            f"{name} has a password, or was written by Excel before 2007. Save it as .xlsx without a password, or as "
            f"CSV."
        )
    return DataError(f"{name} cannot be read as an .xlsx workbook ({error}). Save it as CSV.")


class XmlPart:
    """One XML file of a workbook, read from its start to its end; names come without their namespaces."""

    def __init__(self) -> None:
        self.inside: list[str] = []  # the elements that are open
        self.text: list[str] = []  # since the last element began

    def doctype(self, *_: str | None) -> None:
        """Refuse a document type: no workbook has one, and it can make a small file grow without end."""
        raise ValueError("a part of it has a document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""
        self.inside.append(tag.rpartition("}")[2])
        self.text = []
        self.begin({name.rpartition("}")[2]: value for name, value in attributes.items()})

    def data(self, text: str) -> None:
        """Take a piece of text."""
        self.text.append(text)

    def end(self, _: str) -> None:
        """Take the end of an element."""
        self.finish("".join(self.text))
        self.inside.pop()
        self.text = []

    def close(self) -> None:
        """Take the end of the file."""

    def begin(self, _: dict[str, str], /) -> None:
        """Do what the element calls for that has just begun."""

    def finish(self, text: str, /) -> None:
        """Do what the element calls for that ends here, after this text."""


class Relations(XmlPart):
    """Where the sheets are, by the ids that the list of sheets uses."""

    def __init__(self) -> None:
        super().__init__()
        self.worksheets: dict[str, str] = {}

    def begin(self, attributes: dict[str, str], /) -> None:
        """Keep the path of a sheet of cells; charts are sheets, too."""
        if attributes.get("Type", "").endswith("/worksheet"):
            target = attributes["Target"]
            inside = target.removeprefix("/") if target.startswith("/") else OFFICE + target
            self.worksheets[attributes["Id"]] = inside


class SheetList(XmlPart):
    """The sheets that are not hidden, by name, and how days are counted."""

    def __init__(self) -> None:
        super().__init__()
        self.visible: list[tuple[str, str]] = []  # name, id
        self.first_day = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet has no time zone

    def begin(self, attributes: dict[str, str], /) -> None:
        """Keep a sheet."""
        if self.inside[-1] == "sheet" and attributes.get("state", "visible") == "visible":
            self.visible.append((attributes["name"], attributes["id"]))
        if self.inside[-1] == "workbookPr" and attributes.get("date1904") in {"1", "true"}:
            self.first_day = datetime(1904, 1, 1)  # noqa: DTZ001


class SharedTexts(XmlPart):
    """The texts that cells point to, each kept once."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def begin(self, _: dict[str, str], /) -> None:
        """Begin a text, which may be made of pieces."""
        if self.inside[-1] == "si":
            self.texts.append("")

    def finish(self, text: str, /) -> None:
        """Add a piece; those that tell how a text is pronounced are left out."""
        if self.inside[-1] == "t" and "rPh" not in self.inside:
            self.texts[-1] += text


class Styles(XmlPart):
    """Which styles of cells show a number as a date or a time."""

    def __init__(self) -> None:
        super().__init__()
        self.formats: dict[int, str] = {}
        self.used: list[int] = []

    def begin(self, attributes: dict[str, str], /) -> None:
        """Keep a format of the author's own, or the format of a style."""
        if self.inside[-1] == "numFmt" and "formatCode" in attributes:
            self.formats[int(attributes["numFmtId"])] = attributes["formatCode"]
        if self.inside[-2:] == ["cellXfs", "xf"]:
            self.used.append(int(attributes.get("numFmtId", 0)))

    def is_date(self, style: str | None) -> bool:
        """Tell whether a style shows a date or a time."""
        at = int(style or 0)
        if at >= len(self.used):
            return False
        code = NOT_LETTERS.sub("", self.formats.get(self.used[at], "")).lower()
        return self.used[at] in DATES or any(letter in code for letter in "ymdhs")


class SheetCells(XmlPart):
    """The cells of a sheet, written as CSV row by row."""

    def __init__(self, write: Callable[[int, dict[int, str]], None], workbook: "Workbook") -> None:
        super().__init__()
        self.write, self.workbook = write, workbook
        self.row, self.column = 0, -1
        self.cells: dict[int, str] = {}
        self.cell: dict[str, str] = {}
        self.value: str | None = None
        self.formula = False

    def begin(self, attributes: dict[str, str], /) -> None:
        """Begin a row or a cell; both may leave out where they are, and are then the next."""
        if self.inside[-1] == "row":
            self.row = int(attributes.get("r", self.row + 1))
            self.column, self.cells = -1, {}
        elif self.inside[-1] == "c":
            letters = attributes.get("r", "").rstrip("0123456789")
            self.column = column_number(letters) if letters else self.column + 1
            self.cell, self.value, self.formula = attributes, None, False
        elif self.inside[-1] == "f":
            self.formula = True

    def finish(self, text: str, /) -> None:
        """End a value, a cell or a row."""
        element = self.inside[-1]
        if element == "v":
            self.value = text
        elif element == "t" and "is" in self.inside and "rPh" not in self.inside:
            self.value = (self.value or "") + text
        elif element == "c":
            self.cells[self.column] = self.workbook.text_of(self)
        elif element == "row":
            self.write(self.row, self.cells)

    @property
    def place(self) -> str:
        """Where the cell is, as Excel calls it."""
        return self.cell.get("r", f"{self.column + 1} of row {self.row}")


class Workbook:
    """A workbook: its visible sheets, texts and styles."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self.archive, self.name = archive, name
        names = set(archive.namelist())
        paths = self.parsed(OFFICE + "_rels/workbook.xml.rels", Relations()).worksheets
        listed = self.parsed(OFFICE + "workbook.xml", SheetList())
        self.first_day = listed.first_day
        self.sheets = [(title, paths[at]) for title, at in listed.visible if at in paths]
        texts, styles = OFFICE + "sharedStrings.xml", OFFICE + "styles.xml"
        self.texts = self.parsed(texts, SharedTexts()).texts if texts in names else []
        self.styles = self.parsed(styles, Styles()) if styles in names else Styles()
        if not self.sheets:
            raise DataError(f"{name} has no visible sheet of cells. Save the sheet as CSV.")

    def parsed(self, path: str, part: Part) -> Part:
        """Read one XML file of the archive."""
        parser = XMLParser(target=part)  # noqa: S314 - document types are refused
        with self.archive.open(path) as stream:
            while piece := stream.read(PIECE):
                parser.feed(piece)
        parser.close()
        return part

    def write(self, stream: TextIO) -> None:
        """Write the first sheet; every row of it is a line, so that numbers of lines are those of rows."""
        writer = csv.writer(stream, lineterminator="\n")
        line, width = 1, 0

        def write_row(row: int, cells: dict[int, str]) -> None:
            nonlocal line, width
            used = [column for column, text in cells.items() if text]
            if not used:
                return
            if not line <= row <= MOST_ROWS or max(used) >= MOST_COLUMNS:
                raise DataError(
                    f"{self.name} has row {row} in the wrong place, or more rows or columns than Excel allows. Save it "
                    f"as CSV."
                )
            stream.write("\n" * (row - line))
            width = width or max(used) + 1  # the first row with anything in it is the header
            columns = range(max(width, max(used) + 1))
            if row * len(columns) > MOST_FIELDS:
                raise DataError(
                    f"{self.name} has {len(columns)} columns at row {row}, too many to read. Save it as CSV."
                )
            writer.writerow([cells.get(column, "") for column in columns])
            line = row + 1

        self.parsed(self.sheets[0][1], SheetCells(write_row, self))

    def text_of(self, sheet: SheetCells) -> str:
        """Return what a cell holds as text on one line; an error such as #N/A as it is shown."""
        kind, value = sheet.cell.get("t", "n"), sheet.value or ""
        if sheet.formula and kind == "n" and not value.strip():
            raise DataError(
                f"the formula in cell {sheet.place} of {self.name} has no stored result. Open the workbook in "
                f"Excel, save it, and try again."
            )
        if kind == "s" and value:
            value = self.texts[int(value)]
        elif kind == "b" and value:
            value = "TRUE" if value.strip() == "1" else "FALSE"
        elif kind == "n" and value.strip():
            value = self.number_or_date(
                float(value), dated=self.styles.is_date(sheet.cell.get("s"))
            )
        return " ".join(value.splitlines())

    def number_or_date(self, value: float, *, dated: bool) -> str:
        """Write a number with the 15 digits that Excel shows, and a date or a time as ISO 8601 has it."""
        if not dated:
            return f"{value:.0f}" if value.is_integer() else f"{value:.15g}"
        try:
            moment = self.first_day + timedelta(seconds=round(value * 86400))
        except OverflowError:
            return f"{value:.15g}"
        if value < 1:
            return moment.time().isoformat()
        return moment.date().isoformat() if value.is_integer() else moment.isoformat()

    def notes(self) -> list[str]:
        """Say which sheet was read, if there are others."""
        (title, _), *others = self.sheets
        if not others:
            return []
        left_out = quoted([other for other, _ in others], 3)
        return [f"{self.name}: only the sheet {title!r} was read, not {left_out}."]


def column_number(letters: str) -> int:
    """Return the place of a column that Excel names by letters: A is 0, and AA is 26."""
    if not (letters.isascii() and letters.isalpha()):
        raise ValueError(f"there is no column {letters!r}")
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
