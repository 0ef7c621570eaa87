"""Several sheets with words between them: a page as text, Markdown, LaTeX or HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Union

from ordeval.formats import html, latex, markdown, terminal
from ordeval.formats.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a table, a block of lines, a list, and a paragraph; any of them may be absent."""

    title: str
    sheet: Sheet | None = None
    block: str = ""
    items: Sequence[str] = ()  # an item that begins with spaces stands deeper in a terminal
    note: str = ""
    picture: str = ""  # SVG of our own, for HTML alone

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Write the section for a terminal."""
        table = terminal.to_text(self.sheet, width=width, colour=colour) if self.sheet else ""
        indents = [len(item) - len(item.lstrip()) for item in self.items]
        items = [
            terminal.wrapped(item.lstrip(), width, " " * (2 + indent))
            for item, indent in zip(self.items, indents, strict=True)
        ]
        title = terminal.styled(terminal.wrapped(self.title, width), terminal.BOLD, colour=colour)
        block = terminal.wrapped_lines(self.block, width)
        parts = (title, table, block, "\n".join(items), terminal.wrapped(self.note, width))
        return "\n".join(part.rstrip("\n") for part in parts if part)

    def to_markdown(self, level: int) -> str:
        """Write the section for a page, below a heading of this level."""
        table = markdown.to_markdown(self.sheet) if self.sheet else ""
        block = f"```text\n{self.block}\n```" if self.block else ""
        items = "\n".join(f"- {item}" for item in self.items)
        return apart((markdown_heading(self.title, level), table, block, items, self.note))

    def to_latex(self, level: int) -> str:
        """Write the section for a paper."""
        table = latex.to_latex(self.sheet) if self.sheet else ""
        bars = self.block.replace("█", "#")  # verbatim escapes nothing, and LaTeX lacks the bar
        block = f"\\begin{{verbatim}}\n{bars}\n\\end{{verbatim}}" if bars else ""
        lines = "\n".join(rf"\item {latex.escape(item)}" for item in self.items)
        items = f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}" if lines else ""
        heading = latex_heading(self.title, level)
        return apart((heading, table, block, items, latex.escape(self.note)))

    def to_html(self, level: int) -> str:
        """Write the section as HTML, escaped."""
        table = html.to_html(self.sheet) if self.sheet else ""
        block = f"<pre>{html.escape(self.block)}</pre>" if self.block else ""
        picture = f"<p>{self.picture}</p>" if self.picture else ""
        lines = "".join(f"<li>{html.escape(item)}</li>" for item in self.items)
        items = f"<ul>{lines}</ul>" if lines else ""
        heading = html_heading(self.title, level)
        return f"{heading}{table}{block}{picture}{items}{html_paragraph(self.note)}"


@dataclass(frozen=True, slots=True)
class Document:
    """A title, an introduction and sections, written in every form that has room for words.

    A section may be a document of its own, whose headings are one level deeper.
    """

    title: str
    sections: Sequence[Union[Section, "Document"]]
    introduction: str = ""

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Write everything for a terminal of a width; None: as wide as it needs."""
        title = terminal.styled(terminal.wrapped(self.title, width), terminal.BOLD, colour=colour)
        introduction = terminal.wrapped(self.introduction, width)
        sections = (one.to_text(width=width, colour=colour) for one in self.sections)
        return apart((title, introduction, *sections))

    def to_markdown(self, level: int = 2) -> str:
        """Write everything for a page whose title is a heading of this level."""
        heading = markdown_heading(self.title, level)
        sections = (one.to_markdown(level + 1) for one in self.sections)
        return apart((heading, self.introduction, *sections))

    def to_latex(self, level: int = 0) -> str:
        """Write everything for a paper; the packages booktabs and textcomp are needed."""
        sections = (one.to_latex(level + 1) for one in self.sections)
        heading = latex_heading(self.title, level)
        return apart((heading, latex.escape(self.introduction), *sections))

    def to_html(self, level: int = 2) -> str:
        """Write everything as HTML, escaped."""
        sections = "".join(one.to_html(level + 1) for one in self.sections)
        heading = html_heading(self.title, level)
        return f"{heading}{html_paragraph(self.introduction)}{sections}"


def apart(parts: Iterable[str]) -> str:
    """Join the parts that hold anything, with an empty line between them."""
    return "\n\n".join(part.rstrip("\n") for part in parts if part.strip()) + "\n"


def markdown_heading(title: str, level: int) -> str:
    """Write a heading, nothing where there is no title."""
    return f"{'#' * level} {title}" if title else ""


def latex_heading(title: str, level: int) -> str:
    r"""Write a heading without a number: \section*, \subsection* or \subsubsection*; nothing without a title."""
    return rf"\{'sub' * level}section*{{{latex.escape(title)}}}" if title else ""


def html_heading(title: str, level: int) -> str:
    """Write a heading, nothing where there is no title."""
    return f"<h{level}>{html.escape(title)}</h{level}>" if title else ""


def html_paragraph(text: str) -> str:
    """Write a paragraph, nothing where there is no text."""
    return f"<p>{html.escape(text)}</p>" if text else ""
