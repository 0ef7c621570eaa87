"""Names of files in, patterns out: what `Runs.from_files` and `Runs.from_wide` call.

The engine and what works with it are imported when it is needed: small files are often read without it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ordeval.aliases import Array, Progress
from ordeval.arguments import check_progress, column_names, entries, is_true
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.locate import Refused, Source, find, find_systems, find_tables
from ordeval.inputs.files.small_files import (
    count_small_long,
    count_small_wide,
    has_raters,
    small_columns,
)
from ordeval.inputs.placing import PlacedPatterns
from ordeval.inputs.roles import NAMES, lower
from ordeval.scale import Scale

if TYPE_CHECKING:
    from ordeval.inputs.files.engine import Database
    from ordeval.inputs.files.item_columns import ItemRows
    from ordeval.inputs.files.problems import FilesCheck
    from ordeval.inputs.marks import PlacedMarks

Found = TypeVar("Found")


def reading(
    work: "Callable[[Database], Found]",
    progress: Progress = None,
    *,
    sources: Sequence[Source] = (),
    without_engine: Callable[[], Found | None] = lambda: None,
) -> Found:
    """Do the work in a database of the engine, unless it can be done without."""
    from ordeval.inputs.files import engine

    return engine.reading(work, progress, sources=sources, without_engine=without_engine)


def count_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    shards: bool = False,
    skip_bad: bool = False,
    unless_rated: bool = False,
) -> PlacedPatterns | None:
    """Count a gold file and systems' files; the files of a glob are systems, or `shards` of one table.

    With `skip_bad` files that cannot be scored are left out. With `unless_rated` nothing is counted if the gold file
    has a column of raters, and None is returned.
    """
    choices, skip_bad = checked(choices), is_true(skip_bad, "skip_bad")
    gold_source = find(gold)
    refused: list[Refused] = []
    sources = find_systems(
        systems, shards=shards, gold=gold_source, refused=refused if skip_bad else None
    )

    check_progress(progress)
    if not skip_bad:
        counted = count_small_long(gold_source, sources, choices)
        if counted is not None:
            return counted

    def work(database: "Database") -> PlacedPatterns | None:
        if unless_rated and names_raters(database, gold_source, choices):
            return None
        if not skip_bad:
            from ordeval.inputs.files.join import join_files

            return join_files(database, gold_source, sources, choices)
        from ordeval.inputs.files.check import join_good_files

        return join_good_files(database, gold_source, sources, choices, refused)

    def without_engine() -> PlacedPatterns | None:
        from ordeval.inputs.files.large_join import count_large_long

        return None if skip_bad else count_large_long(gold_source, sources, choices, progress)

    return reading(work, progress, sources=[gold_source, *sources], without_engine=without_engine)


def check_systems_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    shards: bool = False,
    unless_rated: bool = False,
) -> "FilesCheck | None":
    """Check systems' files against a gold file; None if `unless_rated`, and the gold file has a column of raters."""
    from ordeval.inputs.files.check import check_files

    choices = checked(choices)
    gold_source = find(gold)
    refused: list[Refused] = []
    sources = find_systems(systems, shards=shards, gold=gold_source, refused=refused)

    def work(database: "Database") -> "FilesCheck | None":
        if unless_rated and names_raters(database, gold_source, choices):
            return None
        return check_files(database, gold_source, sources, choices, refused)

    return reading(work, progress, sources=[gold_source, *sources])


def check_wide_file(
    data: Any,
    gold: str,
    predicted: Sequence[str],
    choices: ReadingChoices,
    progress: Progress = None,
) -> "FilesCheck":
    """Check the columns of answers in a wide file against its gold column."""
    from ordeval.inputs.files.check import check_wide

    choices = checked(choices)
    source = find(data)
    return reading(
        lambda database: check_wide(database, source, gold, predicted, choices),
        progress,
        sources=[source],
    )


def count_wide_file(
    data: Any,
    gold: str,
    predicted: Sequence[str],
    choices: ReadingChoices,
    progress: Progress = None,
) -> PlacedPatterns:
    """Count a wide file."""
    choices = checked(choices)
    source = find(data)
    check_progress(progress)
    counted = count_small_wide(source, gold, predicted, choices)
    if counted is not None:
        return counted
    from ordeval.inputs.files.large_wide import count_large_wide
    from ordeval.inputs.files.wide import count_wide_rows

    return reading(
        lambda database: count_wide_rows(database, source, gold, predicted, choices),
        progress,
        sources=[source],
        without_engine=lambda: count_large_wide(source, gold, predicted, choices, progress),
    )


def read_mark_files(
    files: Any,
    raters: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    side: str = "raters",
    one_rater: bool = False,
) -> "PlacedMarks":
    """Read the marks of raters from one or more files: logs, or tables, wide ones if columns of raters are named.

    The answers in columns of systems are read in the same way: `side` is then "predicted".
    """
    from ordeval.inputs.files.tool_logs.read_logs import read_logs

    choices = checked(choices)
    columns = column_names(raters, side)
    sources = find_tables(files, together=bool(columns))
    logged = read_logs(sources, choices, columns)
    if logged is not None:
        return logged
    check_progress(progress)
    from ordeval.inputs.files.small_marks import read_small_marks, read_small_wide_marks

    if columns:
        marks = read_small_wide_marks(sources[0], columns, choices, side)
    else:
        marks = read_small_marks(sources, choices, "rater", one_rater=one_rater)
    if marks is not None:
        return marks

    def work(database: "Database") -> "PlacedMarks":
        from ordeval.inputs.files.rater_files import read_long_marks, read_wide_marks

        if columns:
            return read_wide_marks(database, sources[0], columns, choices, side)
        return read_long_marks(database, sources, choices, one_rater=one_rater)

    return reading(work, progress, sources=sources)


def columns_of_files(files: Any, chosen: Mapping[str, str | None]) -> list[str] | None:
    """Return the names of the columns of the first of some files; None if it is the log of an evaluation tool.

    `chosen` are columns that some file has, by which a header is known for one.
    """
    from ordeval.inputs.files.tool_logs.recognise import tool_log

    source = find_tables(files, together=False)[0]
    return None if tool_log(source) is not None else columns_of(source, chosen)


def columns_of(source: Source, chosen: Mapping[str, str | None]) -> list[str]:
    """Return the names of the columns of a file, some of which the caller chose; none if it has no header."""

    def work(database: "Database") -> list[str]:
        from ordeval.inputs.files.rater_files import column_names_of

        return column_names_of(database, source, chosen)

    columns = small_columns(source, chosen)
    return reading(work, sources=[source]) if columns is None else columns


def read_item_values(
    files: Any, column: str, choices: ReadingChoices, progress: Progress = None
) -> dict[Any, Any] | None:
    """Return the value of each item in a column of one or more files; None if none of them has the column."""
    from ordeval.inputs.files.item_values import values_of_items

    sources = find_tables(files, together=False)
    return reading(
        lambda database: values_of_items(database, sources, column, choices),
        progress,
        sources=sources,
    )


def names_raters(database: "Database", gold: Source, choices: ReadingChoices) -> bool:
    """Tell whether a gold file has a column of raters."""
    from ordeval.inputs.files.rater_files import column_names_of

    return has_raters(column_names_of(database, gold, choices.columns))


def read_gold_marks(
    gold: Any, choices: ReadingChoices, rater: str | None, progress: Progress = None
) -> "PlacedMarks":
    """Read a long gold file with the marks of several raters, or, if it names none, of one."""
    source = find(gold)
    columns = {
        **{role: choices.columns.get(role) for role in ("case", "item", "label")},
        "rater": rater,
    }
    choices = replace(checked(choices), columns=columns)

    def side(known: Sequence[str]) -> str:
        return "rater" if rater is not None or has_raters(known) else "gold"

    return read_long_files([source], choices, side, progress)


def read_answer_files(
    sources: Sequence[Source], choices: ReadingChoices, progress: Progress = None
) -> "PlacedMarks":
    """Read the answers of systems as marks: each file is a system, unless it has a column of systems or raters."""

    def side(known: Sequence[str]) -> str:
        names = set(map(lower, known))
        named = choices.columns.get("system") is not None or names & {*NAMES["system"]}
        return "rater" if not named and names & {*NAMES["rater"]} else "system"

    return read_long_files(sources, choices, side, progress)


def read_long_files(
    sources: Sequence[Source],
    choices: ReadingChoices,
    side: Callable[[Sequence[str]], str],
    progress: Progress,
) -> "PlacedMarks":
    """Read files with a row for each mark, whose `side` follows from the names of the columns of the first."""
    from ordeval.inputs.files.small_marks import read_small_marks

    known = small_columns(sources[0], choices.columns)
    marks = None if known is None else read_small_marks(sources, choices, side(known))
    if marks is not None:
        return marks

    def work(database: "Database") -> "PlacedMarks":
        from ordeval.inputs.files.rater_files import column_names_of, read_long_marks

        columns = column_names_of(database, sources[0], choices.columns)
        return read_long_marks(database, sources, choices, side(columns))

    return reading(work, progress, sources=sources)


def holds_labels(source: Source, choices: ReadingChoices) -> bool:
    """Tell whether a file has a column of labels, and none that is named as a class."""
    classes = [str(label) for label in choices.labels.labels]
    chosen = {**choices.columns, **{name: name for name in classes}}
    known = {lower(column) for column in columns_of(source, chosen)}
    label = choices.columns.get("label")
    usual = {*NAMES["label"]} if label is None else {lower(label)}
    return bool(known & usual) and not known & {*map(lower, classes)}


def read_probability_file(
    source: Source, choices: ReadingChoices, progress: Progress = None
) -> tuple[tuple[Any, ...], Array]:
    """Read the class probabilities of a system: its items, and a row of numbers for each."""
    from ordeval.inputs.files.small_items import read_small_probabilities

    columns = {role: choices.columns.get(role) for role in ("case", "item")}
    alone, classes = replace(choices, columns=columns), choices.labels.labels
    read = read_small_probabilities(source, classes, alone)
    if read is not None:
        return read
    from ordeval.inputs.files.rater_files import read_probabilities

    work = partial(read_probabilities, source=source, classes=classes, choices=alone)
    return reading(work, progress, sources=[source])


def read_item_file(
    file: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    gold: str | None = None,
    wants_gold: bool = False,
    score: str | None = None,
) -> "ItemRows":
    """Read a file with a row for each item: class probabilities or scores, with gold labels beside them or without."""
    from ordeval.inputs.files.small_items import read_small_items

    choices, source = checked(choices), find(file)
    asked: dict[str, Any] = {"gold": gold, "wants_gold": wants_gold, "score": score}
    read = read_small_items(source, choices, **asked)
    if read is not None:
        return read
    from ordeval.inputs.files.item_rows import read_item_rows

    work = partial(read_item_rows, source=source, choices=choices, **asked)
    return reading(work, progress, sources=[source])


def checked(choices: ReadingChoices) -> ReadingChoices:
    """Check the scale before any file is opened, and read iterators once: files may be read twice."""
    labels, values = choices.labels, choices.values
    if values is not None:
        values = entries(values, "values", "it holds one number for each class")
    scale = None if labels is None else Scale(labels, values)  # keeps values and names of its own
    return replace(choices, labels=scale, values=values)
