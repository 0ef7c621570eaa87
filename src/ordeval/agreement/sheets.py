"""The tables of an agreement: coefficients, ceiling, raters, pairs, confusion between people, disputed items."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.agreement import pairs as rater_pairs
from ordeval.agreement.disagreement import most_confused
from ordeval.agreement.raters import AGREEMENT
from ordeval.agreement.words import interval_sentence, lead_of, size_sentence, strict_sentences
from ordeval.comparison.results import Score
from ordeval.errors import argument
from ordeval.formats.names import clean
from ordeval.formats.numbers import counted, percent
from ordeval.formats.sheet import Cell, Column, Kind, Sheet
from ordeval.metrics import registry
from ordeval.scale import Scale

if TYPE_CHECKING:
    from ordeval.agreement.agreement import Agreement
    from ordeval.agreement.pairs import RaterPair

MOST_RATERS = 20  # that are listed; of more, those who stand apart
MOST_APART = 20
MOST_PAIRS = 12  # that are listed; of more, those that agree best and worst
ENDS = 5  # of each
MOST_CLASSES = 12  # of which a matrix can be read
MOST_CONFUSED = 10
MOST_ITEMS = 8
CEILING = (
    "Each rater in turn is scored against the shares of the others, on the items that others marked too; the ceiling "
    "is the mean over the raters."
)
WITH_OTHERS = (
    "Agreement is the quadratic weighted kappa between a rater's marks and the shares of the others: 0 is what chance "
    "gives."
)
ALPHA_WITHOUT = "Alpha without is Krippendorff's alpha of all other raters."
STANDS_APART = (
    "A rater marks too high or too low if the difference is significant at {alpha} (Holm's correction over the raters) "
    "and at random if the agreement is not above chance and significantly below that of the median rater; against "
    "the others if it is also significantly below chance. Fewer than half of the raters can stand apart."
)
CONFUSION = "Each row has the shares of the classes that another rater gives where one rater gives its class."
DIFFERENCE = (
    "The difference is the mean of a rater's mark minus the mean mark of the others, in classes"
)


def score_cell(score: Score) -> Cell:
    """Return the cell of a score; a note says why something is missing."""
    note = "" if score.reason is None else f"{score.metric}: {score.reason}"
    return Cell(score.value, score.low, score.high, note=note)


def coefficient_sheet(agreement: "Agreement") -> Sheet:
    """Return a row for each coefficient."""
    columns = [
        Column("coefficient"),
        Column("value", Kind.NUMBER, interval=agreement.level is not None),
    ]
    rows = [[Cell(name), score_cell(score)] for name, score in agreement.items()]
    return Sheet(
        columns,
        rows,
        [*strict_sentences(agreement), size_sentence(agreement), interval_sentence(agreement)],
        lead=lead_of(agreement),
    )


def ceiling_sheet(agreement: "Agreement") -> Sheet:
    """Return a row for each measure: what a human reaches against the others."""
    columns = [
        Column("measure"),
        Column("a human reaches", Kind.NUMBER, interval=agreement.level is not None),
    ]
    rows = [
        [Cell(f"{name} {'↑' if registry[name].greater_is_better else '↓'}"), score_cell(score)]
        for name, score in agreement.ceiling.items()
    ]
    caption = [CEILING]
    return Sheet(columns, rows, caption, lead=["What a human reaches against the others:"])


def rater_sheet(agreement: "Agreement") -> Sheet | None:
    """Return a row for each rater; of very many, for each who stands apart. None if there is nobody to show."""
    raters = agreement.raters
    all_of_them = len(raters) <= MOST_RATERS
    places = range(len(raters)) if all_of_them else raters.standing_apart[:MOST_APART].tolist()
    if not places:
        return None
    interval = agreement.level is not None
    columns = [
        Column("rater"),
        Column("items", Kind.COUNT),
        Column("difference", Kind.NUMBER, sign=True, digits=2, interval=interval),
        Column("agreement", Kind.NUMBER, digits=2, interval=interval),
    ]
    rows = [
        [
            Cell(one.rater),
            Cell(one.items),
            score_cell(one.difference),
            score_cell(one.agreement),
        ]
        for one in map(raters.profile, places)
    ]
    apart = "; raters who stand apart are not counted among the others"
    caption = [f"{DIFFERENCE}{apart if len(raters.standing_apart) else ''}.", WITH_OTHERS]
    if len(raters) > 2:  # of two raters neither stands apart, and without one of them none agree
        columns += [Column("alpha without", Kind.NUMBER), Column("stands apart")]
        for row, one in zip(rows, map(raters.profile, places), strict=True):
            row += [Cell(one.alpha_without), Cell(", ".join(one.verdicts))]
        caption += [ALPHA_WITHOUT, STANDS_APART.format(alpha=f"{raters.alpha:.3g}")]
    heading = "The raters:" if all_of_them else f"Raters who stand apart, of {len(raters):,}:"
    return Sheet(columns, rows, caption, lead=[heading])


def shown_pairs(agreement: "Agreement") -> list["RaterPair"]:
    """Return the pairs that people are shown: all that share enough items, or those that agree best and worst."""
    pairs = agreement.pairs
    ranked = pairs.ranked
    if len(ranked) > MOST_PAIRS:
        ranked = np.concatenate([ranked[:ENDS], ranked[-ENDS:]])
    return pairs.rows(ranked)


def pair_sheet(agreement: "Agreement") -> Sheet | None:
    """Return a row for each pair of raters that is shown; None if no two share enough items."""
    pairs, shown = agreement.pairs, shown_pairs(agreement)
    if not shown:
        return None
    interval = agreement.level is not None
    order = (AGREEMENT, "krippendorff_alpha", "accuracy")
    columns = [
        Column("a"),
        Column("b"),
        Column("items", Kind.COUNT),
        *(
            Column(name, Kind.NUMBER, greater_is_better=True, digits=2, interval=interval)
            for name in order
        ),
    ]
    rows = [
        [
            Cell(one.a),
            Cell(one.b),
            Cell(one.items),
            *(score_cell(one.scores[name]) for name in order),
        ]
        for one in shown
    ]
    caption = []
    few = len(pairs) - len(pairs.ranked)
    if len(shown) < len(pairs.ranked):
        caption.append(
            f"The {ENDS} pairs that agree best and the {ENDS} that agree worst, of {len(pairs.ranked):,}."
        )
    if few:
        caption.append(
            f"{counted(few, 'pair')} with fewer than {rater_pairs.ENOUGH} items in common "
            f"{'is' if few == 1 else 'are'} left out."
        )
    return Sheet(columns, rows, caption, lead=["Pairs of raters, those that agree best first:"])


def confusion_sheet(agreement: "Agreement") -> Sheet | None:
    """Return which marks one rater gives where another gives the class of the row; None without disagreement."""
    table, names = agreement.confusion, agreement.ratings.scale.names
    confused = most_confused(table)
    if not confused:
        return None
    if len(names) > MOST_CLASSES:
        columns = [
            Column("class"),
            Column("other class"),
            Column("pairs", Kind.COUNT),
            Column("share", Kind.NUMBER),
        ]
        rows = [
            [
                Cell(clean(names[one.low])),
                Cell(clean(names[one.high])),
                Cell(one.pairs),
                Cell(percent(one.share, 1)),
            ]
            for one in confused[:MOST_CONFUSED]
        ]
        return Sheet(columns, rows, lead=["Classes that raters confuse most:"])
    counts = np.asarray(table.counts)
    total = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(total, 1)
    columns = [
        Column("one rater"),
        *(Column(clean(name), Kind.NUMBER) for name in names),
        Column("pairs", Kind.COUNT, spare=True),
    ]
    rows = [
        [
            Cell(clean(name)),
            *(Cell(percent(float(share)) if pairs else "") for share in row),
            Cell(int(pairs)),
        ]
        for name, row, (pairs,) in zip(names, shares, total, strict=True)
    ]
    caption = [CONFUSION]
    lead = ["Confusion between raters:"]
    return Sheet(columns, rows, caption, lead=lead, least=len(names) + 1)


def item_sheet(agreement: "Agreement") -> Sheet | None:
    """Return the items on which people disagree most; None if all agree or single items are not known."""
    disputed = [one for one in agreement.disagreement[:MOST_ITEMS] if one.spread > 0]
    if not disputed:
        return None
    columns = [Column("item"), Column("marks"), Column("spread", Kind.NUMBER, digits=2)]
    rows = [
        [Cell(clean(one.item)), Cell(marks_of(one.scale, one.votes)), Cell(one.spread)]
        for one in disputed
    ]
    caption = ["Spread is the mean distance between two marks of an item, in classes."]
    if isinstance(agreement.ratings.item_names, range):
        caption.append(f"Items have no names ({argument('item')} gives them): the first is 0.")
    return Sheet(columns, rows, caption, lead=["Items on which raters disagree most:"])


def marks_of(scale: Scale, votes: Sequence[int]) -> str:
    """Write the marks of an item, lowest first: '1 (2 times), 5'."""
    return ", ".join(
        clean(name) if number == 1 else f"{clean(name)} ({number} times)"
        for name, number in zip(scale.names, votes, strict=True)
        if number
    )


def all_sheets(agreement: "Agreement") -> Sequence[Sheet]:
    """Return every table that people are shown, the coefficients first."""
    others = (
        ceiling_sheet(agreement) if agreement.ceiling else None,
        rater_sheet(agreement),
        pair_sheet(agreement),
        confusion_sheet(agreement),
        item_sheet(agreement),
    )
    return [coefficient_sheet(agreement), *(one for one in others if one is not None)]
