"""The command line: one file for each command, imported only when that command is called."""

import errno
import io
import sys
from importlib import import_module
from typing import Any

import click

from ordeval.__about__ import __version__
from ordeval.errors import (
    MetricError,
    MissingPackageError,
    OrdevalError,
    ParameterError,
    speaking_of_options,
    suggestion,
)

__all__ = ["main"]

# Exit statuses as a shell has them; click's 1 would mean here that the answer is no.
INTERRUPTED = 130
BROKEN_PIPE = 141

# The commands and what `ordeval --help` says of them, so that the help imports none. The module ordeval.cli.NAME has
# the command as `command`.
COMMANDS = {
    "evaluate": "Score one or more systems, with intervals.",
    "compare": "Compare systems: leaderboard, paired differences, tiers.",
    "check": "List the problems of all files, and score nothing.",
    "report": "Write a comparison as one self-contained page.",
    "count": "Count a shard of the data into a table.",
    "merge": "Add up the tables of shards.",
    "score": "Score tables that were counted before.",
    "demo": "The main job on built-in data, in seconds, ending in a report.",
    "metrics": "List the measures, or tell everything known about one.",
    "meta": "Judge measures on your systems: coverage, robustness, power.",
    "properties": "Search all small cases for one that breaks a formal property.",
    "reproduce": "The paper's numbers beside ours.",
}


class _WrongUsage(click.ClickException):
    """An error about what was asked for."""

    exit_code = 2


class _BadData(click.ClickException):
    """An error about the data."""

    exit_code = 3


class _Commands(click.Group):
    """Commands by name, imported when called; an error of ours ends as a sentence and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ordeval.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = suggestion(args[0], list(COMMANDS)) or f" There are {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {args[0]!r}.{near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with speaking_of_options():
                return super().invoke(ctx)
        except (MetricError, MissingPackageError, ParameterError) as error:
            raise _WrongUsage(str(error)) from error
        except OrdevalError as error:
            raise _BadData(str(error)) from error
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except OSError as error:
            # It is about stdout or a temporary folder: for all other files we raise errors of our own. Python would
            # write the rest to stdout when it ends, and fail again.
            sys.stdout = io.StringIO()
            if error.errno != errno.EPIPE:
                raise _WrongUsage(
                    f"cannot write the result, or a temporary file: {error.strerror}."
                ) from error
            ctx.exit(BROKEN_PIPE)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ordeval %(version)s")
def main() -> None:
    """Score, compare and trust systems that predict ordered classes."""
