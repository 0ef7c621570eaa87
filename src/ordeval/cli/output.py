"""How every command writes its results: tables for people, one JSON object for programs, both to stdout."""

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

import click

from ordeval.__about__ import __version__

Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("text", "json", "csv", "markdown", "latex")

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


def to_json(command: str, content: Mapping[str, Any]) -> str:
    """Write one object: what wrote it, then its content. NaN and infinity have no place in JSON and raise."""
    head = {"schema": SCHEMA, "ordeval": __version__, "command": command}
    return json.dumps({**head, **content}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


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
    """Send what a command writes to a file instead of stdout: all of it, or, where it fails, nothing."""
    if output is None:
        yield
        return
    text = io.StringIO()
    with redirect_stdout(text):
        yield
    deliver(text.getvalue(), output)


def deliver(text: str, output: str | None) -> None:
    """Write a result to stdout, or to a file: whole, or, where that fails, not at all."""
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        write_whole(text, Path(output))
    except OSError as error:
        raise click.UsageError(f"cannot write {output}: {error.strerror}.") from error


def write_whole(text: str, target: Path) -> None:
    """Write beside a file and put that in its place; a pipe or a device keeps its place, and a link its end."""
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def output_options(command: Command) -> Command:
    """Give a command `--format` (as `form`) and `-o` (as `output`)."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="How results are written.",
    )
    output = click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write here and not to stdout.",
    )
    decorated: Command = form(output(command))
    return decorated


def screen(output: str | None) -> int | None:
    """Return the width of the terminal that results go to, None where they go elsewhere."""
    return shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else None
