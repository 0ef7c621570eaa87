"""Where the results of a command go: to stdout or to a file, in the format asked for."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ordeval.formats.result import FORMATS

if TYPE_CHECKING:
    from ordeval.comparison.scores import Scores

Command = TypeVar("Command", bound=Callable[..., Any])


def deliver(text: str, output: str | None) -> None:
    """Write a result to stdout or to a file; a file gets all of it or, if that fails, stays as it was."""
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        replace_file(text, Path(output))
    except OSError as error:
        raise click.UsageError(f"cannot write {output}: {error.strerror}.") from error


def replace_file(text: str, target: Path) -> None:
    """Write a new file and put it in the place of the old one.

    A pipe or a device is written to directly; if the target is a link, the file that it points to is replaced.
    """
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


per_case_option = click.option(
    "--per-case",
    is_flag=True,
    help="Also give the score of each test case, with its interval; in CSV, as rows of their own.",
)


def with_cases(scores: "Scores") -> "Scores":
    """Ask for the score of each test case, and say so if there is none."""
    if not scores.cases:
        click.echo(
            "Note: --per-case shows nothing: no test cases are scored by themselves.", err=True
        )
    return replace(scores, per_case=True)


def screen(output: str | None) -> int | None:
    """Return the width of the terminal that results go to; None if they go to a file or a pipe."""
    return shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else None
