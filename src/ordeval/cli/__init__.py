"""The command line: one file for each command, imported only when that command is called."""

import errno
import inspect
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ordeval.__about__ import __version__
from ordeval.cli.progress import remark
from ordeval.cli.streams import standard_streams
from ordeval.docstrings import docstring
from ordeval.errors import (
    MeasureError,
    MetricError,
    MissingPackageError,
    OrdevalError,
    ParameterError,
    speaking_of_options,
    suggestion,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["main"]

# The status of Ctrl-C as a shell has it; click's 1 would mean here that the answer is no. Results that cannot be
# written have theirs in streams.py, other signals in __main__.py.
INTERRUPTED = 130

# The commands by what they are for, and what `ordeval --help` says of them, so that the help imports none. The module
# ordeval.cli.NAME has the command as `command`.
JOBS = {
    "Score and compare systems": {
        "evaluate": "Score one or more systems, with intervals.",
        "compare": "Compare systems: verdict, leaderboard, paired differences.",
        "gate": "Tell whether a candidate may replace a baseline.",
        "report": "Write a comparison as one self-contained page.",
        "check": "List the problems of all files, and score nothing.",
    },
    "Look at the raters": {
        "agree": "Tell how well raters agree, and what a human reaches.",
        "judge": "Tell whether a model that marks may stand in for a human.",
        "correct": "Tell what humans would have said, from few marks and a judge.",
    },
    "Turn probabilities into answers": {
        "decide": "Find the labels that serve a measure best.",
    },
    "Count in parts": {
        "count": "Count one part of the data into a table.",
        "merge": "Add up the tables of several parts.",
        "score": "Score tables that were counted before.",
    },
    "Choose a measure": {
        "metrics": "List the measures, search them, or tell all about one.",
        "properties": "Search all small cases for one that breaks a formal property.",
        "meta": "Judge measures on your systems: coverage, robustness, power.",
    },
    "See how it works": {
        "demo": "Run the main job on built-in data, from files to a report.",
        "reproduce": "Show the paper's numbers beside ours.",
    },
}
COMMANDS = {name: meaning for commands in JOBS.values() for name, meaning in commands.items()}


class _WrongUsage(click.ClickException):
    """An error about what was asked for."""

    exit_code = 2


class _BadData(click.ClickException):
    """An error about the data."""

    exit_code = 3


class _OrdevalFault(click.ClickException):
    """An error that nobody has foreseen."""

    exit_code = 70  # as sysexits.h has it


class _Commands(click.Group):
    """Commands by name, imported when called; an error ends as a sentence and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ordeval.cli.{cmd_name}").command
        if command.help is None and command.callback is not None:
            command.help = inspect.cleandoc(docstring(command.callback))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = suggestion(args[0], list(COMMANDS)) or f" There are {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {args[0]!r}.{near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for job, commands in JOBS.items():
            with formatter.section(job):
                formatter.write_dl([(f"{name:<10}", meaning) for name, meaning in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete the name of a command, or an option of ordeval itself; click would import all commands."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=meaning)
            for name, meaning in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands + super(click.Group, self).shell_complete(ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT002 - as click has it
        **extra: Any,
    ) -> Any:
        """Run a command and end the process with its status: every way out, also of the help, leads through here."""
        run = partial(super().main, args, prog_name, complete_var, standalone_mode=False, **extra)
        if not standalone_mode:
            return run()
        with standard_streams():
            status = status_of(run)
        sys.exit(status)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for word in args:
            if "\0" in word:
                raise click.UsageError(f"{word!r} has a null character, which no name has.", ctx)
        return super().parse_args(ctx, args)


def status_of(run: Callable[[], Any]) -> Any:
    """Run a command and return its exit status; what ends it early is told in a sentence."""
    try:
        try:
            with speaking_of_options():
                status = run() or 0
        except SystemExit as end:
            status = end.code
        sys.stdout.flush()
    except click.Abort:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever else it is
        ending = in_a_sentence(error)
        shown = io.StringIO()
        ending.show(shown)
        if shown.getvalue():
            remark(shown.getvalue().rstrip("\n"))
        return ending.exit_code
    return status


def lacks_memory(error: Exception) -> bool:
    """Tell whether there was not enough memory, which libraries and the system say in several ways."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    ways = ("failed to map segment", "can't start new thread", "bad_alloc")
    return any(way in str(error) for way in ways)


def in_a_sentence(error: Exception) -> click.ClickException:
    """Return what a user is told of an error, with the exit status."""
    match error:
        case click.ClickException():
            return error
        case MetricError() | MeasureError() | MissingPackageError() | ParameterError():
            return _WrongUsage(str(error))
        case OrdevalError():
            return _BadData(str(error))
        case _ if lacks_memory(error):
            traceback.clear_frames(error.__traceback__)  # and with them what fills the memory
            return _BadData(
                f"there is not enough memory for this{f' ({error})' if str(error) else ''}. Give it more, or fewer "
                f"systems, test cases or resamples at a time.",
            )
        case OSError():
            # stdout and the file of -o have errors of their own, in output.py
            where = "a file" if error.filename is None else repr(os.fsdecode(error.filename))
            return _BadData(f"{where} cannot be opened or read: {error.strerror or error}.")
    if os.environ.get("ORDEVAL_TRACEBACK"):
        traceback.print_exception(error)
    return _OrdevalFault(
        f"this is a fault of ordeval itself, not of your data ({type(error).__name__}: {str(error)[:200]!r}). Please "
        f"report it with the command; with ORDEVAL_TRACEBACK=1 in the environment it also tells where it happened.",
    )


@click.group(
    cls=_Commands,
    help="Score, compare and trust systems that predict ordered classes.",
    epilog="'ordeval COMMAND --help' lists the options of a command, with examples. Exit status: 0 done; 1 the answer "
    "is no; 2 wrong usage, or the result cannot be written; 3 bad data, or not enough memory for them; 4 undecided; 70 "
    "a fault of ordeval; 128 and its number, if a signal ended it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="ordeval %(version)s")
def main() -> None:
    """Run the command that was asked for."""
