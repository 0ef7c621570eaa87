"""What `--help` shows: the options of a command in groups, and examples that can be typed."""

from collections.abc import Callable
from typing import Any

import click

INPUT = "Input"
COLUMNS = "Columns"
CLASSES = "Classes"
ANSWERS = "Missing and odd answers"
MEASURES = "Measures and intervals"
COMPARISON = "Comparison"
SEARCH = "Search"
OUTPUT = "Output"
GROUPS = (INPUT, COLUMNS, CLASSES, ANSWERS, MEASURES, COMPARISON, SEARCH, OUTPUT)


class GroupedOption(click.Option):
    """An option that is listed under the heading of its group."""

    def __init__(self, *names: Any, group: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group


def option(group: str, *names: str, **settings: Any) -> Callable[[Any], Any]:
    """Declare an option of a group."""
    return click.option(*names, cls=GroupedOption, group=group, **settings)


class CommandWithExamples(click.Command):
    """A command whose help lists the options by group, and ends with examples.

    `examples` are pairs of a line that can be typed and what it does.
    """

    def __init__(self, *names: Any, examples: tuple[tuple[str, str], ...], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group; `--help` belongs to the output."""
        rows: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None and isinstance(parameter, click.Option):
                rows[getattr(parameter, "group", OUTPUT)].append(row)
        for group, listed in rows.items():
            if listed:
                with formatter.section(group):
                    formatter.write_dl(listed)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on one line as it is typed, below what it does."""
        with formatter.section("Examples"):
            indent = " " * formatter.current_indent
            for line, meaning in self.examples:
                formatter.write(f"{indent}# {meaning}\n{indent}{line}\n")
