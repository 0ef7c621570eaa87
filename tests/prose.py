"""Read a page of Markdown as a list of claims: its Python sessions and its console sessions."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Block", "blocks", "table_below"]

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


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


def table_below(page: Path, mark: str) -> list[str]:
    """The lines between two marks of a page, which a command wrote there."""
    _, _, rest = page.read_text(encoding="utf-8").partition(f"<!-- {mark}: begin -->\n")
    return rest.partition(f"<!-- {mark}: end -->")[0].strip().splitlines()
