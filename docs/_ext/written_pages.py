"""Pages that the build writes into a folder of their own."""

from collections.abc import Mapping
from pathlib import Path

__all__ = ["write_pages"]


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Make a folder hold these pages and no others; those that have not changed stay, so that rebuilds are quick."""
    folder.mkdir(exist_ok=True)
    for stale in set(folder.glob("*.md")) - {folder / name for name in pages}:
        stale.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
