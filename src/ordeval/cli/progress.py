"""What a command says on stderr while it works: notes about the input, and how far it has come."""

import os
import sys
import textwrap
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from ordeval.letters import readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ordeval.aliases import Progress

DUMB = ("dumb", "unknown")  # kinds of terminals that cannot go back on a line


def tell(note: str) -> None:
    """Tell the user something about the input; a name in it cannot steer the terminal."""
    remark(f"Note: {readable(note)}")


def remark(text: str) -> None:
    """Write lines to stderr; on a terminal they are broken between words, where it would break them within."""
    if on_a_terminal():
        text = "\n".join(within(line, width_of_stderr()) for line in text.split("\n"))
    click.echo(text, err=True)


def within(line: str, width: int) -> str:
    """Break a line that is too long; spaces inside it stay, because they may be part of a name."""
    if len(line) <= width:
        return line
    fold = textwrap.TextWrapper(
        width, expand_tabs=False, replace_whitespace=False, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return fold.fill(line)


def width_of_stderr() -> int:
    """Return how many letters a line of the terminal has, at least enough for a sentence."""
    try:
        return max(os.get_terminal_size(sys.stderr.fileno()).columns, 40)
    except (OSError, ValueError):
        return 80


def on_a_terminal() -> bool:
    """Tell whether someone sees now what is written to stderr."""
    return sys.stderr.isatty()


def shows_bars() -> bool:
    """Tell whether stderr is a terminal that can change what it shows."""
    return on_a_terminal() and os.environ.get("TERM") not in DUMB


class Job:
    """The work of one command, in stages with names: one bar on a terminal that only goes forward, nothing elsewhere.

    The bar is shown while a stage lasts, so that notes and results can be written between two stages.
    """

    def __init__(self, **stages: float) -> None:
        """Take the names of the stages and about how long each lasts, compared with the others."""
        whole, at = sum(stages.values()), 0.0
        self.spans: dict[str, tuple[float, float]] = {}
        for name, size in stages.items():
            self.spans[name] = at / whole, (at + size) / whole
            at += size
        self.share = 0.0

    @contextmanager
    def stage(self, name: str, what: str | None = None) -> "Iterator[Progress]":
        """Show that a stage lasts; yield the function to be called with the steps that are done and all steps."""
        low, high = self.spans[name]
        if not shows_bars():
            yield None
            return
        bar, _ = self.bar
        self.describe(what or name.replace("_", " "))
        self.move(low)
        bar.start()
        try:
            yield lambda done, total: self.move(low + (high - low) * min(done / max(total, 1), 1))
            self.move(high)
        finally:
            bar.stop()

    def move(self, share: float) -> None:
        """Move the bar to a share of the whole, never back."""
        bar, task = self.bar
        self.share = max(self.share, share)
        bar.update(task, completed=self.share)

    def describe(self, what: str) -> None:
        """Show what is being done."""
        if shows_bars():
            bar, task = self.bar
            bar.update(task, description=what)

    @cached_property
    def bar(self) -> tuple[Any, Any]:
        """The bar and the one task on it."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
        )
        bar = Progress(
            *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
        )
        return bar, bar.add_task("", total=1.0)
