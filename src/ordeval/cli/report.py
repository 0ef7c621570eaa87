"""`ordeval report`: a comparison as one page that holds everything it shows."""

import shlex
from typing import Any

import click
from click.core import ParameterSource

from ordeval.cli.compare import comparing_options
from ordeval.cli.inputs import Data, Scoring, data_options, scoring_options
from ordeval.cli.output import deliver, output_option
from ordeval.cli.progress import progress_bar, working
from ordeval.cli.tables import check_unpaired
from ordeval.formats.numbers import counted

DEFAULT_OUTPUT = "report.html"


@click.command()
@data_options
@scoring_options
@comparing_options
@click.option("--title", metavar="TEXT", help="The title of the page.")
@output_option(default=DEFAULT_OUTPUT, show_default=True, help="Write the page here.")
def command(data: Data, scoring: Scoring, title: str | None, output: str, **options: Any) -> None:
    """Write one self-contained HTML page: who is best, how certain that is, and what each error costs.

    Takes the same files as evaluate and compare. The page needs no network: mail it, print it, keep it.
    """
    from ordeval.comparison.compare import compare
    from ordeval.report import render

    context = click.get_current_context()
    runs = data.read_items_or_counts()
    check_unpaired(runs, pooled=data.pooled)
    with progress_bar("resampling") as progress:
        comparison = compare(
            runs, by=data.slicings or None, progress=progress, **scoring.settings(), **options
        )
    with working("drawing"):
        text = render(comparison, title=title, command=command_line(context))
    deliver(text, output, "html")
    systems = counted(len(comparison.order), "system")
    click.echo(f"{output}: {systems}, {size_in_words(text)}. Open it in a browser.", err=True)


def size_in_words(text: str) -> str:
    """Return the size of a page in kB or MB."""
    size = len(text.encode())
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def command_line(context: click.Context) -> str:
    """Return the command as it would be typed again, but with the default file, because the page may be moved."""
    words = ["ordeval", "report"]
    for parameter in context.command.get_params(context):
        value: Any = context.params.get(parameter.name or "")
        source = context.get_parameter_source(parameter.name or "")
        if source is not ParameterSource.COMMANDLINE or parameter.name in {"output", "title"}:
            continue
        if isinstance(parameter, click.Argument):
            words += value if isinstance(value, tuple) else [value]
        elif getattr(parameter, "is_flag", False):
            words.append(parameter.opts[0])
        elif parameter.name == "metrics":
            words += ["--metrics", ",".join(value)]
        elif isinstance(value, tuple):
            words += [word for one in value for word in (parameter.opts[0], str(one))]
        else:
            words += [parameter.opts[0], "none" if value is None else str(value)]
    return shlex.join([*words, "-o", DEFAULT_OUTPUT])
