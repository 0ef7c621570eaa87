"""`ordeval merge`: tables of shards into one."""

import click

from ordeval.cli.help import CommandWithExamples
from ordeval.cli.output import deliver, output_option
from ordeval.cli.scale_options import scale_options


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval merge monday.json tuesday.json -o both.json", "two parts"),
        ("ordeval merge matrix.csv matrix.csv --labels 1,2,3", "matrices of counts"),
    ),
)  # fmt: skip
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@scale_options
@output_option()
def command(
    tables: tuple[str, ...], labels: str | None, values: str | None, output: str | None
) -> None:
    """Add up tables that 'ordeval count' wrote, or matrices of counts."""
    from ordeval.cli.tables import merge_files

    deliver(merge_files(tables, labels, values).to_json() + "\n", output, "json")
