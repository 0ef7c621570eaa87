"""Writing what was measured into pages."""

from collections.abc import Iterable
from pathlib import Path

from ordeval.formats.long_page import front_matter

__all__ = ["answer_in_index", "between_marks", "write_page"]


def write_page(path: Path, text: str) -> None:
    """Replace the text of a page, and keep its front matter, which has the words that the search finds it by."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(front_matter(old) + text, encoding="utf-8")


def between_marks(path: Path, mark: str, content: Iterable[str]) -> None:
    """Replace what stands on a page between two marks; a page without the marks stays as it is."""
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    if begin in text and end in text:
        head, tail = text.partition(begin)[0], text.partition(end)[2]
        path.write_text("\n".join((head + begin, *content, end + tail)), encoding="utf-8")


def answer_in_index(index: Path, page: str, answer: str) -> None:
    """Replace the short answer, which is the last cell, in the row of an index that links to a page."""
    rows = index.read_text(encoding="utf-8").split("\n")
    for at, row in enumerate(rows):
        if row.startswith("| [") and f"]({page}) |" in row:
            rows[at] = f"{row.removesuffix(' |').rpartition(' | ')[0]} | {answer} |"
    index.write_text("\n".join(rows), encoding="utf-8")
