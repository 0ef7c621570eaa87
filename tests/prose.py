"""Read a page of Markdown as a list of claims: its Python sessions and its console sessions."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "DOCS",
    "PAGES",
    "WRITTEN_BY_THE_BUILD",
    "Block",
    "blocks",
    "table_below",
    "without_front_matter",
]

DOCS = Path(__file__).parents[1] / "docs"
# Every page that is written by hand: the README, and the documentation without what its build writes.
WRITTEN_BY_THE_BUILD = (
    "_build",
    "measures",
    "generated",
    "which_measure.md",
    "gallery",
    "reference/api",
    "reference/commands",
)
PAGES = [
    DOCS.parent / "README.md",
    *sorted(
        page
        for page in DOCS.rglob("*.md")
        if not any(page.is_relative_to(DOCS / folder) for folder in WRITTEN_BY_THE_BUILD)
    ),
]

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n\n?", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block and the line that it starts on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The page's fenced blocks, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(match["language"].strip("{}"), match["text"], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]


def without_front_matter(page: Path) -> str:
    """The text of a page below the lines between the first two rules, which have the words that it is found by."""
    return FRONT_MATTER.sub("", page.read_text(encoding="utf-8"))


def table_below(page: Path, mark: str) -> list[str]:
    """The lines between two marks of a page, which a command wrote there."""
    _, _, rest = page.read_text(encoding="utf-8").partition(f"<!-- {mark}: begin -->\n")
    return rest.partition(f"<!-- {mark}: end -->")[0].strip().splitlines()
