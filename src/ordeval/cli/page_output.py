"""Results as one self-contained page, where a command is asked for one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeGuard

import click
from click.core import ParameterSource

from ordeval.cli.output import by_suffix, deliver
from ordeval.cli.page_origin import command_line, fingerprints, size_in_words
from ordeval.cli.progress import remark

if TYPE_CHECKING:
    from ordeval.cli.progress import Job


def asks_for_page(output: str | None) -> TypeGuard[str]:
    """Tell whether the file that a result goes to is a page; a form that was named comes first."""
    source = click.get_current_context().get_parameter_source("form")
    return by_suffix(output) == "html" and source is not ParameterSource.COMMANDLINE


def deliver_page(
    render: Callable[..., str],
    output: str,
    *,
    job: "Job",
    title: str | None,
    files: Sequence[str],
    default: str,
    about: str,
) -> None:
    """Draw a page, the last stage of a job, write it, and say what it is about.

    The command that it names writes to the `default` file.
    """
    command = command_line(click.get_current_context(), default)
    with job.stage("drawing") as progress:
        text = render(title=title, command=command, files=fingerprints(files), progress=progress)
    deliver(text, output, "html")
    remark(f"{output}: {about}, {size_in_words(text)}. Open it in a browser.")
