"""`ordeval reproduce PART`: a part of the paper, its numbers beside ours."""

from typing import Any

import click

from ordeval.cli.inputs import working
from ordeval.cli.output import write_json, written_to
from ordeval.errors import ParameterError

__all__ = ["PARTS", "command"]

# What may be asked for; ordeval.paper has a function of that name, with an underscore for the hyphen.
PARTS = ("table2",)


@click.command()
@click.argument("part", type=click.Choice(PARTS))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "latex"]),
    default="text",
    show_default=True,
    help="For people, for programs, for a page, for a paper.",
)
@click.option("-o", "--output", metavar="FILE", help="Write there instead of stdout.")
def command(part: str, form: str, output: str | None) -> None:
    """Compute a part of the paper again, and show its numbers beside ours.

    table2: which measure has which formal property, with the smallest counterexample to each that it lacks.
    """
    from ordeval import paper

    with working(f"computing {part}"):
        result: Any = getattr(paper, part.replace("-", "_"))()
    with written_to(output):
        if form == "json":
            content = {key: value for key, value in result.to_dict().items() if key != "schema"}
            write_json("reproduce", content)
        elif form == "text":
            click.echo(str(result))
        elif not hasattr(result, f"to_{form}"):
            raise ParameterError(f"{part} cannot be written as {form}; choose another --format.")
        else:
            click.echo(getattr(result, f"to_{form}")().rstrip("\n"))
