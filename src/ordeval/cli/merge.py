"""`ordeval merge`: tables of shards into one."""

import click

from ordeval.cli.output import deliver
from ordeval.cli.tables import merge_files


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write here and not to stdout.",
)
def command(tables: tuple[str, ...], output: str | None) -> None:
    """Add up tables that 'ordeval count' wrote."""
    deliver(merge_files(tables).to_json() + "\n", output)
