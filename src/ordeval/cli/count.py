"""`ordeval count`: labels in, the contingency table out, to be merged with others and scored later."""

import click

from ordeval.cli.help import CommandWithExamples
from ordeval.cli.inputs import Data, data_options
from ordeval.cli.output import deliver, output_option
from ordeval.cli.progress import Job


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
    """Count one part of the data (a shard) into a table.

    The parts may be counted on any number of machines. 'ordeval merge' adds up their tables and 'ordeval score' scores
    them; the numbers are the same as if all data were counted at once.

    A matrix of counts becomes the table of one system, named by its file. Without --labels, classes that are whole
    numbers may differ from part to part: merging takes all of them.
    """
    from ordeval.runs import Runs

    data.refuse_slices()
    counted = data.read_items_or_counts(Job(counting=1))
    table = counted.table if isinstance(counted, Runs) else counted
    deliver(table.to_json() + "\n", output, "json")
