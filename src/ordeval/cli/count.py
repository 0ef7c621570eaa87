"""`ordeval count`: labels in, the contingency table out, to be merged with others and scored later."""

import click

from ordeval.cli.help import CommandWithExamples
from ordeval.cli.inputs import Data, data_options
from ordeval.cli.output import deliver, output_option
from ordeval.cli.progress import Job
from ordeval.runs import Runs


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval count gold.csv 'runs/*.csv' -o monday.json", "the counts of one part of the data"),
        ("ordeval count data.csv --gold human --pred a --labels 1,2,3 -o tuesday.json", "on a declared scale"),
    ),
)  # fmt: skip
@data_options
@output_option()
def command(data: Data, output: str | None) -> None:
    """Count a shard of the data into a table.

    Tables of shards, from any number of machines, add up to the table of all: 'ordeval merge' adds them, 'ordeval
    score' scores them, and the numbers are those of one pass.
    A matrix becomes the table of one system, named by its file.
    Without --labels whole numbers are widened as tables are merged.
    """
    data.refuse_slices()
    counted = data.read_items_or_counts(Job(counting=1))
    table = counted.table if isinstance(counted, Runs) else counted
    deliver(table.to_json() + "\n", output, "json")
