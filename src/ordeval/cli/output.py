"""Where the results of a command go: to stdout or to a file, in the format asked for."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ordeval.cli.help import OUTPUT, option
from ordeval.cli.progress import tell
from ordeval.cli.replacing import check_target, open_descriptor, write_to
from ordeval.cli.streams import Stdout, utf8
from ordeval.formats.result import FORMATS

if TYPE_CHECKING:
    from ordeval.comparison.scores import Scores

BY_SUFFIX = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".xml": "junit",
}
A_BLOCK = 1 << 20  # letters that are written at once
STDOUT = 1  # the number of the open file

Command = TypeVar("Command", bound=Callable[..., Any])


def deliver(text: str | Iterable[str], output: str | None, form: str) -> None:
    """Write a result in one of the formats to stdout or to a file; a file gets all of it or stays as it was.

    Only text for people takes the encoding of stdout; everything else, and every file, is UTF-8. A long text comes in
    pieces.
    """
    blocks = [text] if isinstance(text, str) else blocks_of(text)
    if output is not None and open_descriptor(output) != STDOUT:
        write_to(output, map(utf8, blocks))
        return
    for block in blocks:
        if form != "text" and isinstance(sys.stdout, Stdout):
            sys.stdout.write_utf8(block)
        else:
            click.echo(block, nl=False)


def blocks_of(pieces: Iterable[str]) -> Iterator[str]:
    """Join pieces of text to blocks that are worth writing at once."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= A_BLOCK:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def output_option(**settings: Any) -> Callable[[Command], Command]:
    """Give a command `-o` (as `output`); what stands in its way is found before the command begins."""
    declare = option(
        OUTPUT,
        "-o",
        "--output",
        **{
            "type": click.Path(dir_okay=False),
            "metavar": "FILE",
            "help": "Write here and not to stdout.",
            **settings,
        },
    )

    def decorate(command: Command) -> Command:
        @wraps(command)
        def checked(**given: Any) -> Any:
            if given["output"] is not None:
                check_target(given["output"], files_read(given))
            return command(**given)

        decorated: Any = declare(checked)
        wrapped: Command = decorated
        return wrapped

    return decorate


def files_read(given: dict[str, Any]) -> Iterable[str]:
    """Return the files that a command may read, by its arguments; `data` is a folder or names of files."""
    from ordeval.inputs.files.locate import matching

    data = given.get("data")
    if isinstance(data, str):
        return map(str, Path(data).rglob("*"))
    names = given.get("tables", ()) if data is None else data.files
    return [path for name in names for path in (matching(name) or (name,))]


def output_options(command: Command) -> Command:
    """Give a command `--format` (as `form`) and `-o` (as `output`)."""
    return output_options_with()(command)


def output_options_with(*more: str) -> Callable[[Command], Command]:
    """Give a command `--format` and `-o`, with more formats than those that every result has."""
    forms = (*FORMATS, *more)
    declare = option(
        OUTPUT,
        "--format",
        "form",
        type=click.Choice(forms),
        help="How results are written.  [default: by the ending of -o, else text]",
    )

    def decorate(command: Command) -> Command:
        @wraps(command)
        def formed(**given: Any) -> Any:
            by_ending = by_suffix(given["output"])
            if given["form"] is None and by_ending == "html" and "title" not in given:
                raise click.UsageError(
                    f"this command writes no page, as {given['output']!r} asks for. 'ordeval report', 'agree' and "
                    f"'judge' write pages; here -o takes a name that ends in .json, .csv, .md, .tex or .txt."
                )
            if given["form"] is None:
                given["form"] = by_ending if by_ending in forms else "text"
            return command(**given)

        decorated: Any = declare(output_option()(formed))
        wrapped: Command = decorated
        return wrapped

    return decorate


def by_suffix(output: str | None) -> str | None:
    """Return the format that the ending of a file's name asks for; None if it asks for none."""
    return None if output is None else BY_SUFFIX.get(Path(output).suffix.lower())


per_case_option = option(
    OUTPUT,
    "--per-case",
    is_flag=True,
    help="Also give the score of each test case, with its interval; in CSV, as rows of their own.",
)


def with_cases(scores: "Scores") -> "Scores":
    """Ask for the score of each test case, and say so if there is none."""
    if not scores.cases:
        tell("--per-case shows nothing: no test cases are scored by themselves.")
    return replace(scores, per_case=True)


def screen(output: str | None) -> int | None:
    """Return the width of the terminal that results go to; None if they go to a file or a pipe."""
    if output is not None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns
