"""What a file with a row for each item holds: the probabilities of the classes or one score, and gold beside them.

Here is what the engine and Python's reader of small files have in common.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ordeval.aliases import Array
from ordeval.columns import read_column
from ordeval.errors import DataError, argument, listed, quoted
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Source
from ordeval.inputs.files.small_marks import texts_column
from ordeval.inputs.files.sniff import row_count
from ordeval.inputs.patterns import NullableArray
from ordeval.inputs.roles import NAMES, column_at, lower
from ordeval.inputs.soft import NEARLY, normalised
from ordeval.label_column import LabelColumn
from ordeval.labels import MISSING, finite_number, tidy
from ordeval.one_hot import rounding_of
from ordeval.scale import Scale

GOLD = ("gold", "label")  # other usual names of labels may be those of a model's answers here
LEAST_CLASSES = 2


class ItemColumns(NamedTuple):
    """The columns that are read: gold, and those of numbers. They are of the classes of the scale, or scores."""

    gold: str | None
    numbers: list[str]
    scale: Scale | None


@dataclass(frozen=True)
class ItemRows:
    """The rows of a file in their order: numbers[row, column], and what is known of the rows.

    `scale` is that of the columns of classes, None if the numbers are scores.
    """

    numbers: Array
    scale: Scale | None
    beside: Mapping[str, NullableArray]
    name: str  # of the file, without folder and ending
    notes: Sequence[str] = ()

    @property
    def gold(self) -> LabelColumn | None:
        """The gold labels, if they were asked for."""
        return label_column(self.beside["gold"]) if "gold" in self.beside else None

    def weights(self, role: str) -> Array | None:
        """Return the weights or the counts of the rows, NaN where there is no number; None if none were asked for."""
        return self.beside[role].filled(np.nan) if role in self.beside else None

    def names(self, role: str) -> list[Any] | None:
        """Return the items or the test cases of the rows, None where there is none; None if the file does not say."""
        if role not in self.beside:
            return None
        column = self.beside[role]
        return [
            None if absent else name
            for name, absent in zip(column.data.tolist(), column.null.tolist(), strict=True)
        ]


def names_of_classes(choices: ReadingChoices) -> dict[str, str]:
    """Return the names of the columns of the classes that the caller declared."""
    declared = () if choices.labels is None else choices.labels.labels
    return {f"p{at}": str(label) for at, label in enumerate(declared)}


def choose_columns(
    columns: Sequence[str],
    source: Source,
    choices: ReadingChoices,
    *,
    gold: str | None,
    wants_gold: bool,
    score: str | None,
) -> ItemColumns:
    """Return which columns of a file are read, by what the caller asked for.

    The classes are those of the scale in `choices`, or else the columns that are named by numbers. Other columns are
    ignored. A gold column that is not named is found by its name.
    """
    where = repr(source.spec)
    numbers = [] if score is None else [columns[column_at(columns, score, "scores", where)]]
    if wants_gold and gold is None:
        gold = gold_column(columns, [*names_of_classes(choices).values(), *numbers], where)
    if score is not None:
        return ItemColumns(gold, numbers, None)
    taken = {lower(name) for name in (gold, *choices.columns.values()) if isinstance(name, str)}
    free = [name for name in columns if lower(name) not in taken]
    scale, numbers = class_columns(free, choices.labels, choices.values, source)
    return ItemColumns(gold, numbers, scale)


def gold_column(columns: Sequence[str], used: Sequence[str], where: str) -> str:
    """Return the column that is named as gold labels are."""
    taken = {*map(lower, used)}
    free = {lower(name): name for name in columns if lower(name) not in taken}
    for name in GOLD:
        if name in free:
            return free[name]
    raise DataError(
        f"{where} has no column named {' or '.join(GOLD)}: it has {quoted(columns, 10)}. Name the column of gold "
        f"labels with {argument('gold')}."
    )


def class_columns(
    columns: Sequence[str], declared: Scale | None, values: Any, source: Source
) -> tuple[Scale, list[str]]:
    """Return the classes and their columns: those that the caller declared, or else those that are named by numbers."""
    if declared is None:
        spelled = {name: finite_number(name) for name in columns}
        numeric = sorted({number for number in spelled.values() if number is not None})
        if len(numeric) < LEAST_CLASSES:
            usual = {one for names in NAMES.values() for one in names}
            others = [name for name in columns if lower(name) not in usual]
            raise DataError(
                f"the columns {quoted(others, 10)} of {source.spec!r} do not say which classes there are, and in which "
                f"order: their names are not numbers. Pass {argument('labels', ...)}, lowest first, as the columns "
                f"are named."
            )
        declared = Scale(numeric, values)
    anyhow = {lower(label): at for at, label in enumerate(declared.labels)}
    by_class: dict[int, str] = {}
    for name in columns:
        at = declared.position(name.strip())
        at = anyhow.get(lower(name.strip())) if at is None else at
        if at is not None and at in by_class:
            raise DataError(
                f"{source.spec!r} has two columns for the class {declared.labels[at]!r}, {by_class[at]!r} and "
                f"{name!r}. Rename one of them."
            )
        if at is not None:
            by_class[at] = name
    lacking = [label for at, label in enumerate(declared.labels) if at not in by_class]
    if lacking:
        raise no_class_columns(lacking, columns, source)
    return declared, [by_class[at] for at in range(declared.k)]


def with_sums_of_1(rows: ItemRows, where: str, allowed: float) -> ItemRows:
    """Refuse probabilities that do not sum to 1, as nearly as is allowed, and divide the others by their sums."""
    n = len(rows.numbers)
    names, present = rows.names("item") or range(1, n + 1), np.ones(n, dtype=bool)
    return replace(rows, numbers=normalised(rows.numbers, present, where, names, allowed=allowed))


def sum_to_1(numbers: Array, allowed: float) -> bool:
    """Tell whether all rows sum to 1, as nearly as is allowed."""
    return bool((np.abs(numbers.sum(axis=1) - 1) <= allowed).all())


def check_gold(rows: ItemRows, where: str) -> None:
    """Refuse gold labels that are missing or, if the scale is known, not on it."""
    gold = rows.gold
    if gold is None:
        return
    codes, values = gold.coded()
    labels = [tidy(value) for value in values]
    place = [
        None if label is MISSING else 0 if rows.scale is None else rows.scale.position(label)
        for label in labels
    ]
    bad = np.array([at is None for at in place] + [True])[codes]  # the last is that of no label
    if not bad.any():
        return
    row = int(np.argmax(bad))
    label = labels[codes[row]] if codes[row] >= 0 else MISSING
    what = (
        "has no gold label"
        if label is MISSING
        else f"has the gold label {label!r:.60}, which is not one of the classes "
        f"{listed(() if rows.scale is None else rows.scale.labels)}"
    )
    raise DataError(
        f"{named_row(rows, row)} in {where} {what}; {row_count(int(bad.sum()))} of {len(bad)} cannot be used. Correct "
        f"the file, or leave such rows out."
    )


def named_row(rows: ItemRows, row: int) -> str:
    """Name a row by its item, or else by its place."""
    names = rows.names("item")
    return f"row {row + 1}" if names is None or names[row] is None else f"item {names[row]!r}"


def label_column(column: NullableArray) -> LabelColumn:
    """Read a column that a database returned."""
    data, null = column.data, column.null
    if data.dtype.kind == "f":
        data = np.where(null, np.array(np.nan, data.dtype), data)
    elif null.any():
        data = data.astype(object)
        data[null] = None
    if data.dtype.kind != "O":
        return read_column(data, "the column")
    return texts_column(data.tolist())


def rounding_of_printed(texts: Iterable[Any], k: int) -> float:
    """Return how far from 1 the probabilities of k classes may sum by a printed column of one of them."""
    printed = [text for text in set(texts) if isinstance(text, str)]
    return rounding_of_print(max(map(decimals, printed), default=0), k)


def decimals(text: str) -> int:
    """Return how many decimals a printed number has; 6.8e-05 has six."""
    digits, _, power = text.strip().lower().partition("e")
    return len(digits.partition(".")[2]) - int(power or 0)


def rounding_of_print(decimals: int, k: int) -> float:
    """Return how far from 1 the probabilities of k classes may sum if they are printed with so many decimals."""
    return min(max(rounding_of("", k), k * 0.5 * 10.0**-decimals), NEARLY)


def no_class_columns(lacking: Sequence[Any], columns: Sequence[str], source: Source) -> DataError:
    """Return the error for a file of probabilities without the columns of some classes."""
    return DataError(
        f"{source.spec!r} has no column for the {'class' if len(lacking) == 1 else 'classes'} "
        f"{quoted(lacking, 5)}: it has {quoted(columns, 10)}. A file of probabilities has a column for each class, "
        f"named as the class."
    )
