"""What every result offers: a sheet and a dictionary, and from these two every form there is."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from ordeval.arguments import is_choice
from ordeval.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ordeval.formats.sheet import Sheet

FORMATS = ("text", "json", "csv", "markdown", "latex")


class Result(ABC):
    """A result that describes itself as sheets and as a dictionary; every form is written from these.

    >>> e = oe.evaluate([1, 1, 2, 3], [1, 2, 2, 3], metrics=["accuracy", "mae"], level=None)
    >>> e.to_csv().splitlines()
    ['system,items,answered,accuracy,mae', 'system,4,4,0.75,0.25']
    """

    @abstractmethod
    def sheet(self) -> "Sheet":
        """Return the main table: what was scored, and nothing that is only there for reference."""

    def sheets(self) -> "Sequence[Sheet]":
        """Return every table that people are shown, the main one first."""
        return (self.sheet(),)

    def csv_sheet(self) -> "Sheet":
        """Return the table that is written as comma-separated values."""
        return self.sheet()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python objects, ready for JSON."""

    def to_json(self) -> str:
        """Return everything as JSON."""
        from ordeval.formats.json import to_json

        return to_json(self.to_dict())

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Return the tables as text for a terminal of a width; None: as wide as they need."""
        from ordeval.formats.terminal import to_text

        return "\n".join(to_text(sheet, width=width, colour=colour) for sheet in self.sheets())

    def to_csv(self) -> str:
        """Return the main table as comma-separated values, unrounded."""
        from ordeval.formats.csv import to_csv

        return to_csv(self.csv_sheet())

    def to_markdown(self) -> str:
        """Return the tables in Markdown."""
        from ordeval.formats.markdown import to_markdown

        return "\n".join(map(to_markdown, self.sheets()))

    def to_latex(self, *, label: str | None = None) -> str:
        """Return the tables in LaTeX, for the package booktabs; the label is that of the main one."""
        from ordeval.formats.latex import to_latex

        main, *others = self.sheets()
        return "\n".join([to_latex(main, label=label), *map(to_latex, others)])

    def write(self, form: str, *, width: int | None = None) -> str:
        """Return the result in one of the formats; `width` is that of the terminal, None elsewhere."""
        known = [name for name in (*FORMATS, "html", "junit") if hasattr(self, f"to_{name}")]
        if not is_choice(form, known):
            raise ParameterError(
                f"there is no format {form!r:.60}; it is one of {', '.join(known)}."
            )
        if form == "text":
            return self.to_text(width=width, colour=width is not None)
        text: str = getattr(self, f"to_{form}")()
        return text

    def pieces(self, form: str, *, width: int | None = None) -> "Iterator[str]":
        """Give the result in one of the formats piece by piece: all of it may be too long to be held at once."""
        yield self.write(form, width=width)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        from ordeval.formats.html import to_html

        return "".join(map(to_html, self.sheets()))
