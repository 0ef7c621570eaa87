"""A page of an answer and of blocks with sentences, tables and figures; the pages of raters and of judges are such."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.formats.sheet import Sheet
from ordeval.report.drawing import DrawnFigure
from ordeval.report.template import filled


@dataclass(frozen=True, kw_only=True)
class Content:
    """Sentences, tables and figures with their captions, in the order in which a page shows them."""

    sentences: Sequence[str] = ()
    sheets: Sequence[Sheet] = ()
    figures: Sequence[tuple[DrawnFigure, str]] = ()


@dataclass(frozen=True, kw_only=True)
class Fold(Content):
    """What a page says of one rater, in a part that can be closed; the summary is always in sight."""

    name: str
    summary: str
    group: int = 1  # its colour


@dataclass(frozen=True, kw_only=True)
class Block(Content):
    """A section of a page. Of several folds the first is open; a fold alone is shown without its summary."""

    target: str  # the id of the section
    name: str  # in the navigation
    title: str
    folds: Sequence[Fold] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show below the title."""
        return not (self.sheets or self.figures or self.folds)


def bare(sheets: Sequence[Sheet | None]) -> list[Sheet]:
    """Return the sheets that there are, as a page shows them."""
    return [sheet.seen_in("html") for sheet in sheets if sheet is not None]


def page_of_blocks(
    answer: Block, blocks: Sequence[Block], facts: Sequence[str], content: dict[str, Any]
) -> str:
    """Return a page that begins with the answer, its first sentence in large type; empty blocks are left out.

    `facts` are numbers with their nouns, such as "3 raters".
    """
    shown = [one for one in blocks if not one.is_empty]
    sections = [(one.target, one.name) for one in (answer, *shown)]
    return filled(
        {
            **content,
            "facts": [
                (amount, noun) for amount, _, noun in (fact.partition(" ") for fact in facts)
            ],
            "answer": answer,
            "blocks": shown,
            "sections": [*sections, ("method", "Method")],
        },
        "blocks.html",
    )
