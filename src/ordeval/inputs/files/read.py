"""Names of files in, patterns out: what `Runs.from_files` and `Runs.from_wide` call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ordeval.aliases import Progress
from ordeval.arguments import column_names, entries, is_true
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.engine import Database, reading
from ordeval.inputs.files.join import join_files
from ordeval.inputs.files.locate import Refused, find, find_systems, find_tables
from ordeval.inputs.files.wide import count_wide_rows
from ordeval.inputs.placing import PlacedPatterns
from ordeval.scale import Scale

if TYPE_CHECKING:
    from ordeval.inputs.files.problems import FilesCheck
    from ordeval.inputs.marks import PlacedMarks


def count_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    shards: bool = False,
    skip_bad: bool = False,
) -> PlacedPatterns:
    """Count a gold file and systems' files; the files of a glob are systems, or `shards` of one table.

    With `skip_bad` files that cannot be scored are left out.
    """
    choices, skip_bad = checked(choices), is_true(skip_bad, "skip_bad")
    gold_source = find(gold)
    refused: list[Refused] = []
    sources = find_systems(
        systems, shards=shards, gold=gold_source, refused=refused if skip_bad else None
    )

    def work(database: Database) -> PlacedPatterns:
        if not skip_bad:
            return join_files(database, gold_source, sources, choices)
        from ordeval.inputs.files.check import join_good_files

        return join_good_files(database, gold_source, sources, choices, refused)

    return reading(work, progress, sources=[gold_source, *sources])


def check_systems_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    shards: bool = False,
) -> "FilesCheck":
    """Check systems' files against a gold file."""
    from ordeval.inputs.files.check import check_files

    choices = checked(choices)
    gold_source = find(gold)
    refused: list[Refused] = []
    sources = find_systems(systems, shards=shards, gold=gold_source, refused=refused)
    return reading(
        lambda database: check_files(database, gold_source, sources, choices, refused),
        progress,
        sources=[gold_source, *sources],
    )


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
    return reading(
        lambda database: count_wide_rows(database, source, gold, predicted, choices),
        progress,
        sources=[source],
    )


def read_mark_files(
    files: Any, raters: Any, choices: ReadingChoices, progress: Progress = None
) -> "PlacedMarks":
    """Read the marks of raters from one or more files: wide ones if columns of raters are named."""
    from ordeval.inputs.files.rater_files import read_long_marks, read_wide_marks

    choices = checked(choices)
    columns = column_names(raters, "raters")
    sources = find_tables(files, together=bool(columns))

    def work(database: Database) -> "PlacedMarks":
        if columns:
            return read_wide_marks(database, sources[0], columns, choices)
        return read_long_marks(database, sources, choices)

    return reading(work, progress, sources=sources)


def checked(choices: ReadingChoices) -> ReadingChoices:
    """Check the scale before any file is opened, and read iterators once: files may be read twice."""
    labels, values = choices.labels, choices.values
    if values is not None:
        values = entries(values, "values", "it holds one number for each class")
    scale = None if labels is None else Scale(labels, values)  # keeps values and names of its own
    return replace(choices, labels=scale, values=values)
