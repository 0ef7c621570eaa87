"""The marks of raters in small files without a fault, long or wide, read by Python alone.

The result is what the engine would return. Where there is anything to refuse or to choose between, it is None.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.small_files import counted_unchanged, small_wide
from ordeval.inputs.files.small_text import small_tables
from ordeval.inputs.marks import (
    PlacedMarks,
    marks_of_columns,
    marks_of_rows,
    named_items,
    place_marks,
    raw_labels,
)
from ordeval.inputs.roles import LONG_ROLES, long_roles, lower
from ordeval.label_column import LabelColumn

__all__ = ["read_small_marks", "read_small_wide_marks", "texts_column"]


def read_small_marks(
    sources: Sequence[Source], choices: ReadingChoices, side: str, *, one_rater: bool = False
) -> PlacedMarks | None:
    """Read small files with a row for each mark, whose raters are the `side`; None if the engine has to."""
    if choices.columns.get("count") is not None:
        return None
    chosen = {role: choices.columns.get(role) for role in LONG_ROLES[side]}

    def work() -> PlacedMarks | None:
        tables = small_tables(sources, chosen)
        if tables is None:
            return None
        places = [long_roles(table.columns, chosen, side, "").positions() for table in tables]
        known = {lower(name) for table in tables for name in table.columns}
        if (
            any(name is not None and lower(name) not in known for name in choices.columns.values())
            or len({"case" in at for at in places}) > 1
            or (side == "rater" and len(tables) == 1 and not one_rater and side not in places[0])
        ):
            return None
        wanted = [
            role
            for role in ("item", side, "label", "repeat", "case")
            if role in (side, "item", "label") or any(role in at for at in places)
        ]
        columns: dict[str, list[str | None]] = {role: [] for role in wanted}
        for source, table, at in zip(sources, tables, places, strict=True):
            absent = {side: source.name}
            for role in wanted:
                rows = len(table.rows)
                columns[role] += table.values(at[role]) if role in at else [absent.get(role)] * rows
        if any(None in columns[role] for role in ("item", side, "case") if role in columns):
            return None
        columns["rater"] = columns.pop(side)
        where = repr(sources[0].spec) if len(sources) == 1 else "the input"
        read = {role: texts_column(column) for role, column in columns.items()}
        return place_marks(replace(marks_of_rows(read, where), side=side), choices)

    return counted_unchanged(work, sources)


def read_small_wide_marks(
    source: Source, raters: Sequence[str], choices: ReadingChoices, side: str
) -> PlacedMarks | None:
    """Read a small file with a row for each item and a column for each rater or system; None if the engine has to."""
    if any(choices.columns.get(role) is not None for role in ("rater", "label", "repeat")):
        return None

    def work() -> PlacedMarks | None:
        read = small_wide(source, None, raters, choices, side=side)
        if read is None:
            return None
        column = {role: texts_column(texts) for role, texts in read.columns.items()}
        item_names = None
        if "item" in column:
            item_names = named_items(column["item"], column.get("case"), repr(source.spec))[0]
        labels = [raw_labels(column[f"p{at}"]) for at in range(len(raters))]
        marks = marks_of_columns(labels, tuple(read.answers), item_names=item_names)
        marks = replace(marks, side="rater" if side == "raters" else "system")
        return place_marks(marks, choices)

    return counted_unchanged(work, [source])


def texts_column(texts: Sequence[str | None]) -> LabelColumn:
    """Read a column of texts, some of which may be None: no need to ask what each of them means."""
    distinct = dict.fromkeys(texts)
    distinct.pop(None, None)
    place = {**{text: at for at, text in enumerate(distinct)}, None: -1}
    codes = np.fromiter(map(place.__getitem__, texts), dtype=np.int64, count=len(texts))
    return LabelColumn(codes, tuple(distinct))
