"""What a command says on stderr while it works: notes about the input, and how far it has come."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ordeval.letters import readable


def tell(note: str) -> None:
    """Tell the user something about the input; a name in it cannot steer the terminal."""
    click.echo(f"Note: {readable(note)}", err=True)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show on a terminal how far the work has come; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal that work goes on, where nobody can tell how far; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield
