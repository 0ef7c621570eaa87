"""The old writers of `properties`, `meta` and `reproduce`, kept only until these commands have moved to formats."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

import click

from ordeval.formats import json


def to_json(command: str, content: Mapping[str, Any]) -> str:
    """Write one object: what wrote it, then its content."""
    return json.to_json({**json.head(command), **content})


def write_json(command: str, content: Mapping[str, Any]) -> None:
    """Print one object."""
    click.echo(to_json(command, content), nl=False)


def write_csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows as comma-separated values under the names of their columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([columns, *rows])
    click.echo(text.getvalue(), nl=False)


@contextmanager
def written_to(output: str | None) -> Iterator[None]:
    """Send what a command prints to a file instead of stdout."""
    from ordeval.cli.output import deliver

    if output is None:
        yield
        return
    text = io.StringIO()
    with redirect_stdout(text):
        yield
    deliver(text.getvalue(), output)
