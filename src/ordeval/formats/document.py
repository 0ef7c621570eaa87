"""Several sheets with words between them: a page as text, Markdown, LaTeX or HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from ordeval.formats import html, latex, markdown, terminal
from ordeval.formats.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a table, a block whose lines stay as they are, a list, and a paragraph; any of them may be absent."""

    title: str
    sheet: Sheet | None = None
    block: str = ""
    items: Sequence[str] = ()
    note: str = ""
    picture: str = ""  # SVG of our own, for HTML alone


class Document:
    """A title and its sections, written in every form that has room for words."""

    def __init__(self, title: str, sections: Sequence[Section]) -> None:
        self.title, self.sections = title, sections

    def to_text(self) -> str:
        """Write everything for a terminal."""
        return "\n\n".join([self.title, *map(section_text, self.sections)]) + "\n"

    def to_markdown(self, level: int = 2) -> str:
        """Write everything for a page whose title is a heading of this level."""
        parts = [section_markdown(section, level + 1) for section in self.sections]
        return "\n\n".join([f"{'#' * level} {self.title}", *parts]) + "\n"

    def to_latex(self) -> str:
        """Write everything for a paper; the packages booktabs and textcomp are needed."""
        title = rf"\section*{{{latex.escape(self.title)}}}"
        return "\n\n".join([title, *map(section_latex, self.sections)]) + "\n"

    def to_html(self, level: int = 2) -> str:
        """Write everything as HTML, escaped."""
        parts = [section_html(section, level + 1) for section in self.sections]
        return f"<h{level}>{html.escape(self.title)}</h{level}>{''.join(parts)}"


def section_text(section: Section) -> str:
    """Write a section for a terminal."""
    table = terminal.to_text(section.sheet).rstrip("\n") if section.sheet else ""
    items = "\n".join(f"  {item}" for item in section.items)
    return "\n".join(
        part for part in (section.title, table, section.block, items, section.note) if part
    )


def section_markdown(section: Section, level: int) -> str:
    """Write a section for a page."""
    table = markdown.to_markdown(section.sheet).rstrip("\n") if section.sheet else ""
    block = f"```text\n{section.block}\n```" if section.block else ""
    items = "\n".join(f"- {item}" for item in section.items)
    heading = f"{'#' * level} {section.title}" if section.title else ""
    return "\n\n".join(part for part in (heading, table, block, items, section.note) if part)


def section_latex(section: Section) -> str:
    """Write a section for a paper."""
    heading = rf"\subsection*{{{latex.escape(section.title)}}}" if section.title else ""
    table = latex.to_latex(section.sheet).rstrip("\n") if section.sheet else ""
    bars = section.block.replace("█", "#")  # verbatim escapes nothing, and LaTeX lacks the bar
    block = f"\\begin{{verbatim}}\n{bars}\n\\end{{verbatim}}" if bars else ""
    lines = "\n".join(rf"\item {latex.escape(item)}" for item in section.items)
    items = f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}" if lines else ""
    return "\n\n".join(
        part for part in (heading, table, block, items, latex.escape(section.note)) if part
    )


def section_html(section: Section, level: int) -> str:
    """Write a section as HTML, escaped."""
    heading = f"<h{level}>{html.escape(section.title)}</h{level}>" if section.title else ""
    table = html.to_html(section.sheet) if section.sheet else ""
    block = f"<pre>{html.escape(section.block)}</pre>" if section.block else ""
    lines = "".join(f"<li>{html.escape(item)}</li>" for item in section.items)
    items = f"<ul>{lines}</ul>" if lines else ""
    note = f"<p>{html.escape(section.note)}</p>" if section.note else ""
    return f"{heading}{table}{block}{section.picture}{items}{note}"
