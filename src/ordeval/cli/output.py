"""How every command writes its results: tables for people, one JSON object for programs, both to stdout."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ordeval.__about__ import __version__

__all__ = ["write_json", "write_table"]

SCHEMA = 1
# Nothing wraps in a pipe or a file, so that grep sees whole lines.
UNBOUNDED = 10_000


def write_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    indent: int = 0,
) -> None:
    """Print rows under their columns; the columns named in `right` are aligned on the right."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=UNBOUNDED)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for column in columns:
        table.add_column(
            Text(column), justify="right" if column in right else "left", header_style="bold"
        )
    for row in rows:
        # As Text: a label may hold square brackets, which are markup to rich.
        table.add_row(*(Text(cell) for cell in row))
    with console.capture() as capture:
        console.print(Padding(table, (0, 0, 0, indent), expand=False))
    for line in capture.get().splitlines():
        click.echo(line.rstrip())


def write_json(command: str, content: Mapping[str, Any]) -> None:
    """Print one object: what wrote it, then its content. NaN and infinity have no place in JSON and raise."""
    head = {"schema": SCHEMA, "ordeval": __version__, "command": command}
    click.echo(json.dumps({**head, **content}, indent=2, ensure_ascii=False, allow_nan=False))
