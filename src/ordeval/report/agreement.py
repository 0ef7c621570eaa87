"""How well people agree, as a page of its own and as blocks of the report."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.__about__ import __version__
from ordeval.agreement.sheets import (
    ceiling_sheet,
    coefficient_sheet,
    item_sheet,
    pair_sheet,
    rater_sheet,
)
from ordeval.agreement.words import interval_sentence, size_sentence
from ordeval.formats import numbers
from ordeval.formats.names import short
from ordeval.formats.sheet import Sheet
from ordeval.metrics import registry
from ordeval.metrics.references import REFERENCES
from ordeval.report import rater_figures
from ordeval.report.drawing import DrawnFigure, FigureDrawer
from ordeval.report.method import joined
from ordeval.report.template import filled

if TYPE_CHECKING:
    from ordeval.agreement.agreement import Agreement
    from ordeval.aliases import Progress

MOST_RATERS = 40  # in the charts
MOST_ROWS = 800  # in the table below a chart
MOST_CLASSES = 40  # for which a matrix of classes can be read
EXPECTED = 4  # figures
FROM_PYTHON = "made from Python: ordeval.report.render_agreement(ordeval.agree(ratings))"


@dataclass(frozen=True, slots=True)
class AgreementBlock:
    """A part of the page: what it is called, sentences, tables, and figures with their captions."""

    target: str  # the id of the section
    name: str  # in the navigation
    title: str
    sentences: Sequence[str] = ()
    sheets: Sequence[Sheet] = ()
    figures: Sequence[tuple[DrawnFigure, str]] = ()


def agreement_blocks(agreement: "Agreement", drawer: FigureDrawer) -> list[AgreementBlock]:
    """Return the parts that tell how well people agree, those that are empty left out.

    The macro `block` of parts.html shows one of them, with a heading of any level.
    """
    scores = [coefficient_sheet(agreement)]
    blocks = [
        AgreementBlock("coefficients", "Coefficients", "How well do the raters agree?", (), bare(scores)),
        ceiling_block(agreement),
        raters_block(agreement, drawer),
        pairs_block(agreement, drawer),
        classes_block(agreement, drawer),
        items_block(agreement),
    ]  # fmt: skip
    return [one for one in blocks if one.sheets or one.figures]


def bare(sheets: Sequence[Sheet | None]) -> list[Sheet]:
    """Return the sheets that there are, as a page shows them."""
    return [sheet.seen_in("html") for sheet in sheets if sheet is not None]


def ceiling_block(agreement: "Agreement") -> AgreementBlock:
    """Return what a human reaches against the others."""
    return AgreementBlock(
        "ceiling",
        "Ceiling",
        "What does a human reach against the others?",
        ("A system that scores as much agrees with the raters as well as they agree with each other.",),
        bare([ceiling_sheet(agreement) if agreement.ceiling else None]),
    )  # fmt: skip


def raters_block(agreement: "Agreement", drawer: FigureDrawer) -> AgreementBlock:
    """Return who marks too high, too low or at random."""
    figure = rater_figures.rater_differences_figure(agreement, MOST_RATERS)
    caption = "The dashed line is no difference. Colours and shapes tell who stands apart."
    return AgreementBlock(
        "raters",
        "Raters",
        "Who stands apart?",
        (),
        bare([rater_sheet(agreement)]),
        [(drawer.draw(figure, rows=MOST_ROWS), caption)],
    )


def pairs_block(agreement: "Agreement", drawer: FigureDrawer) -> AgreementBlock:
    """Return who agrees with whom; nothing if no two raters share enough items."""
    sheets = bare([pair_sheet(agreement)])
    figures = []
    if sheets:
        figure = rater_figures.raters_figure(agreement, MOST_RATERS)
        caption = "Those who agree best with all others come first."
        figures.append((drawer.draw(figure, rows=MOST_ROWS), caption))
    return AgreementBlock("pairs", "Pairs", "Who agrees with whom?", (), sheets, figures)


def classes_block(agreement: "Agreement", drawer: FigureDrawer) -> AgreementBlock:
    """Return which classes people confuse, and around which they disagree most."""
    if agreement.ratings.scale.k > MOST_CLASSES:
        return AgreementBlock("classes", "Classes", "Which classes are confused?")
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
    return AgreementBlock("classes", "Classes", "Which classes are confused?", figures=figures)


def items_block(agreement: "Agreement") -> AgreementBlock:
    """Return the items on which people disagree most."""
    title = "On which items do they disagree most?"
    return AgreementBlock("items", "Items", title, (), bare([item_sheet(agreement)]))


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
    content: dict[str, Any] = {
        "title": title or f"How well do {numbers.counted(len(ratings.raters), 'rater')} agree?",
        "facts": [(amount, noun) for amount, _, noun in (fact.partition(" ") for fact in facts)],
        "sentences": list(agreement.lead),
        "blocks": agreement_blocks(agreement, FigureDrawer(progress, EXPECTED)),
        "method": method_rows(agreement, command),
        "fingerprints": files,
        "references": [REFERENCES[key] for key in dict.fromkeys([*keys, "holm1979"])],
    }
    return filled(content, "agreement.html")


def method_rows(agreement: "Agreement", command: str | None) -> list[tuple[str, str]]:
    """Return what was set and done, as terms with their explanations."""
    ratings, policy = agreement.ratings, agreement.ratings.policy
    return [
        ("Ratings", size_sentence(agreement)),
        ("Scale", joined(" < ", (short(label, 24) for label in ratings.scale.names))),
        ("Values of the classes", joined(", ", (f"{value:g}" for value in ratings.scale.values))),
        ("Policy", f"mark not on the scale: {policy.unknown}; duplicates: {policy.duplicates}"),
        *(("Note", note) for note in ratings.notes),
        ("Intervals", interval_sentence(agreement)),
        (
            "Versions",
            f"ordeval {__version__}, NumPy {np.__version__}, Python {platform.python_version()}",
        ),
        ("Command", command or FROM_PYTHON),
    ]
