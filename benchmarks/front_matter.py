"""Pages that a board is written to."""

from pathlib import Path

from ordeval.formats.long_page import front_matter

__all__ = ["write_page"]


def write_page(path: Path, text: str) -> None:
    """Replace the text of a page, and keep its front matter, which has the words that the search finds it by."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(front_matter(old) + text, encoding="utf-8")
