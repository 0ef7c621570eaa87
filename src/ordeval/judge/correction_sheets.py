"""The tables of a correction: the mean mark and the share of each class by every method."""

import math
from typing import TYPE_CHECKING

from ordeval.formats.names import clean
from ordeval.formats.sheet import Cell, Column, Kind, Sheet, value_sheet
from ordeval.judge.correction_words import interval_sentence, lead_of, size_sentence
from ordeval.judge.method_names import IN_WORDS, NAIVE

if TYPE_CHECKING:
    from ordeval.judge.correction import Corrected, Correction

WORTH = (
    "Worth is how many human marks alone would have as small a standard error; the judge as it stands has none: its "
    "bias is not known."
)
PARTS = ("value", "low", "high", "error", "worth", "reason")


def cell_of(one: "Corrected", *, ends: bool = True) -> Cell:
    """Return the cell of a number; a note says why it is missing."""
    note = "" if one.reason is None else f"{IN_WORDS[one.method]}: {one.reason}"
    return Cell(one.value, one.low if ends else None, one.high if ends else None, note=note)


def method_sheet(correction: "Correction") -> Sheet:
    """Return a row for each method with the mean mark and what it is worth in human marks."""
    columns = [
        Column("method"),
        Column("mean mark", Kind.NUMBER, interval=True),
        Column("worth in human marks", Kind.COUNT, meaning=WORTH),
    ]
    rows = []
    for name, found in correction.methods.items():
        worth = found.mean.worth
        chosen = name == correction.method
        rows.append(
            [
                Cell(IN_WORDS[name], star=chosen),
                cell_of(found.mean),
                Cell(None if worth is None else math.floor(worth + 1e-9)),
            ]
        )
    caption = [size_sentence(correction), interval_sentence(correction)]
    places = {name: at for at, name in enumerate(correction.methods)}
    return Sheet(
        columns,
        rows,
        caption,
        lead=lead_of(correction),
        star="the method that was asked for",
        faint=frozenset({places[NAIVE]}),
    )


def share_sheet(correction: "Correction") -> Sheet:
    """Return a row for each class with its share by each method; the chosen one has its interval."""
    columns = [
        Column("class"),
        *(
            Column(
                IN_WORDS[name],
                Kind.NUMBER,
                interval=name == correction.method,
                spare=name != correction.method,
            )
            for name in correction.methods
        ),
    ]
    rows = [
        [
            Cell(clean(name)),
            *(
                cell_of(found.shares[at], ends=found.method == correction.method)
                for found in correction.methods.values()
            ),
        ]
        for at, name in enumerate(correction.scale.names)
    ]
    return Sheet(columns, rows, correction.notes, lead=["The share of each class in all items:"])


def csv_rows(correction: "Correction") -> Sheet:
    """Return a row for each method and statistic, with everything that is known of it."""
    columns = [
        Column("method"),
        Column("statistic"),
        Column("label"),
        *(Column(part, Kind.TEXT if part == "reason" else Kind.NUMBER) for part in PARTS),
    ]
    rows = [
        [name, statistic, one.label, *(getattr(one, part) for part in PARTS)]
        for name, found in correction.methods.items()
        for statistic, ones in (("mean", (found.mean,)), ("share", found.shares))
        for one in ones
    ]
    return value_sheet(columns, rows)
