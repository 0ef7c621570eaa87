"""Names of files in, runs out: what `Runs.from_files` and `Runs.from_wide` call."""

from collections.abc import Mapping, Sequence
from typing import Any

from ordeval.inputs.files.engine import reading
from ordeval.inputs.files.join import join_files
from ordeval.inputs.files.locate import find, find_all
from ordeval.inputs.files.wide import count_wide
from ordeval.inputs.patterns import Found, Options
from ordeval.inputs.policy import Policy
from ordeval.scale import Scale
from ordeval.stats.types import Progress


def count_files(
    gold: Any,
    systems: Any,
    *,
    policy: Policy,
    labels: Any,
    values: Any,
    told: Mapping[str, str | None],
    progress: Progress = None,
) -> Found:
    """Count a gold file and systems' files."""
    options = read_options(policy, labels, values, told)
    sources = find(gold), find_all(systems)
    found: Found = reading(lambda database: join_files(database, *sources, options), progress)
    return found


def count_wide_file(
    data: Any,
    gold: str,
    predicted: Sequence[str],
    *,
    policy: Policy,
    labels: Any,
    values: Any,
    told: Mapping[str, str | None],
    progress: Progress = None,
) -> Found:
    """Count a wide file."""
    options = read_options(policy, labels, values, told)
    source = find(data)
    found: Found = reading(
        lambda database: count_wide(database, source, gold, predicted, options), progress
    )
    return found


def read_options(
    policy: Policy, labels: Any, values: Any, told: Mapping[str, str | None]
) -> Options:
    """Check the scale before any file is opened."""
    classes = None if labels is None else Scale(labels, values).labels
    numbers = None if values is None else list(values)
    return Options(classes, numbers, policy, told)
