"""How well people agree, as a page of its own and as blocks of the report."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ordeval.agreement.sheets import (
    ceiling_sheet,
    coefficient_sheet,
    item_sheet,
    pair_sheet,
    rater_sheet,
)
from ordeval.agreement.words import interval_sentence, size_sentence
from ordeval.formats import numbers
from ordeval.metrics import registry
from ordeval.metrics.references import REFERENCES
from ordeval.report import rater_figures
from ordeval.report.blocks import Block, bare, page_of_blocks
from ordeval.report.drawing import FigureDrawer
from ordeval.report.method import scale_rows, versions

if TYPE_CHECKING:
    from ordeval.agreement.agreement import Agreement
    from ordeval.aliases import Progress

MOST_RATERS = 40  # in the charts
MOST_ROWS = 800  # in the table below a chart
MOST_CLASSES = 40  # for which a matrix of classes can be read
EXPECTED = 4  # figures
FROM_PYTHON = "made from Python: ordeval.report.render_agreement(ordeval.agree(ratings))"


def agreement_blocks(agreement: "Agreement", drawer: FigureDrawer) -> list[Block]:
    """Return the parts that tell how well people agree, those that are empty left out.

    The macro `block` of parts.html shows one of them, with a heading of any level.
    """
    blocks = [
        Block(
            target="coefficients",
            name="Coefficients",
            title="How well do the raters agree?",
            sheets=bare([coefficient_sheet(agreement)]),
        ),
        ceiling_block(agreement),
        raters_block(agreement, drawer),
        pairs_block(agreement, drawer),
        classes_block(agreement, drawer),
        items_block(agreement),
    ]
    return [one for one in blocks if not one.is_empty]


def ceiling_block(agreement: "Agreement") -> Block:
    """Return what a human reaches against the others."""
    return Block(
        target="ceiling",
        name="Ceiling",
        title="What does a human reach against the others?",
        sentences=[
            "A system that scores as much agrees with the raters as well as they agree with each other."
        ],
        sheets=bare([ceiling_sheet(agreement) if agreement.ceiling else None]),
    )


def raters_block(agreement: "Agreement", drawer: FigureDrawer) -> Block:
    """Return who marks too high, too low, at random or against the others."""
    figure = rater_figures.rater_differences_figure(agreement, MOST_RATERS)
    caption = "The dashed line is no difference. Colours and shapes tell who stands apart."
    return Block(
        target="raters",
        name="Raters",
        title="Who stands apart?",
        sheets=bare([rater_sheet(agreement)]),
        figures=[(drawer.draw(figure, rows=MOST_ROWS), caption)],
    )


def pairs_block(agreement: "Agreement", drawer: FigureDrawer) -> Block:
    """Return who agrees with whom; nothing if no two raters share enough items."""
    sheets = bare([pair_sheet(agreement)])
    figures = []
    if sheets:
        figure = rater_figures.raters_figure(agreement, MOST_RATERS)
        caption = "Those who agree best with all others come first."
        figures.append((drawer.draw(figure, rows=MOST_ROWS), caption))
    return Block(
        target="pairs", name="Pairs", title="Who agrees with whom?", sheets=sheets, figures=figures
    )


def classes_block(agreement: "Agreement", drawer: FigureDrawer) -> Block:
    """Return which classes people confuse, and around which they disagree most."""
    empty = Block(target="classes", name="Classes", title="Which classes are confused?")
    if agreement.ratings.scale.k > MOST_CLASSES:
        return empty
    confusion = rater_figures.confusion_figure(agreement)
    disagreement = rater_figures.disagreement_figure(agreement)
    figures = [
        (
            drawer.draw(confusion),
            "Each cell has pairs of marks on the same item, as a number and as a share of the row.",
        ),
        (
            drawer.draw(disagreement),
            "Each bar is of the items whose median mark is this class, cut by how far apart their marks lie.",
        ),
    ]
    return replace(empty, figures=figures)


def items_block(agreement: "Agreement") -> Block:
    """Return the items on which people disagree most."""
    return Block(
        target="items",
        name="Items",
        title="On which items do they disagree most?",
        sheets=bare([item_sheet(agreement)]),
    )


def render_agreement(
    agreement: "Agreement",
    *,
    title: str | None = None,
    command: str | None = None,
    files: Sequence[tuple[str, str]] = (),
    progress: "Progress" = None,
) -> str:
    """Return how well raters agree as one HTML page. The same agreement gives the same bytes.

    `command` is the command that gives the page again, and `files` are the names of its files with their SHA-256.

    >>> from ordeval.report import render_agreement
    >>> ratings = oe.Ratings.from_array([[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1]] * 5)
    >>> page = render_agreement(oe.agree(ratings), title="Three raters")
    >>> page[:15], "Three raters" in page
    ('<!doctype html>', True)
    """
    ratings = agreement.ratings
    facts = [
        numbers.counted(len(ratings.raters), "rater"),
        numbers.counted(ratings.n, "item"),
        numbers.counted(ratings.marks, "mark"),
        numbers.counted(ratings.scale.k, "class", "classes"),
    ]
    keys = [
        key
        for name in (*agreement.coefficients, *agreement.ceiling)
        for key in registry[name].references
    ]
    answer = Block(
        target="answer", name="Answer", title="The answer", sentences=list(agreement.lead)
    )
    content = {
        "kind": "agreement",
        "command": "agree",
        "title": title or f"How well do {numbers.counted(len(ratings.raters), 'rater')} agree?",
        "method": method_rows(agreement, command),
        "fingerprints": files,
        "references": [REFERENCES[key] for key in dict.fromkeys([*keys, "holm1979"])],
    }
    blocks = agreement_blocks(agreement, FigureDrawer(progress, EXPECTED))
    return page_of_blocks(answer, blocks, facts, content)


def method_rows(agreement: "Agreement", command: str | None) -> list[tuple[str, str]]:
    """Return what was set and done, as terms with their explanations."""
    ratings, policy = agreement.ratings, agreement.ratings.policy
    return [
        ("Ratings", size_sentence(agreement)),
        *scale_rows(ratings.scale),
        ("Policy", f"mark not on the scale: {policy.unknown}; duplicates: {policy.duplicates}"),
        *(("Note", note) for note in ratings.notes),
        ("Intervals", interval_sentence(agreement)),
        ("Versions", versions()),
        ("Command", command or FROM_PYTHON),
    ]
