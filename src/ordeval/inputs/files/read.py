"""Names of files in, patterns out: what `Runs.from_files` and `Runs.from_wide` call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ordeval.aliases import Progress
from ordeval.inputs.choices import ReadingChoices
from ordeval.inputs.files.engine import reading
from ordeval.inputs.files.join import join_files
from ordeval.inputs.files.locate import find, find_systems
from ordeval.inputs.files.wide import count_wide_rows
from ordeval.inputs.placing import PlacedPatterns
from ordeval.scale import Scale


def count_files(
    gold: Any,
    systems: Any,
    choices: ReadingChoices,
    progress: Progress = None,
    *,
    shards: bool = False,
) -> PlacedPatterns:
    """Count a gold file and systems' files; the files of a glob are systems, or `shards` of one table."""
    choices = checked(choices)
    gold_source = find(gold)
    sources = find_systems(systems, shards=shards, gold=gold_source)
    placed: PlacedPatterns = reading(
        lambda database: join_files(database, gold_source, sources, choices), progress
    )
    return placed


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
    placed: PlacedPatterns = reading(
        lambda database: count_wide_rows(database, source, gold, predicted, choices), progress
    )
    return placed


def checked(choices: ReadingChoices) -> ReadingChoices:
    """Check the scale before any file is opened, and read iterators once: files may be read twice."""
    labels, values = choices.labels, choices.values
    values = None if values is None else list(values)
    classes = None if labels is None else Scale(labels, values).labels
    return replace(choices, labels=classes, values=values)
