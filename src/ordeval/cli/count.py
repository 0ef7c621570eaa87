"""`ordeval count`: labels in, the contingency table out, to be merged with others and scored later."""

import click

from ordeval.cli.inputs import Data, data_options
from ordeval.cli.output import deliver


@click.command()
@data_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write here and not to stdout.",
)
def command(data: Data, output: str | None) -> None:
    """Count a shard of the data into a table.

    Tables of shards, from any number of machines, add up to the table of all: 'ordeval merge' adds them, 'ordeval
    score' scores them, and the numbers are those of one pass.
    Without --labels whole numbers are widened as tables are merged.
    """
    deliver(data.read().table.to_json() + "\n", output)
