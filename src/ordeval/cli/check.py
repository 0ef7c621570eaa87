"""`ordeval check`: the problems of all files, listed in one run."""

import sys

import click

from ordeval.cli.help import CommandWithExamples
from ordeval.cli.inputs import Data, data_options
from ordeval.cli.output import deliver, output_options, screen


@click.command(
    cls=CommandWithExamples,
    examples=(
        ("ordeval check gold.csv 'runs/*.csv'", "the problems of every file of a folder"),
        ("ordeval check data.csv --gold human --pred a,b --labels 1,2,3", "a wide file, on a scale that you declare"),
    ),
)  # fmt: skip
@data_options
@output_options
def command(data: Data, form: str, output: str | None) -> None:
    """List the problems of every file of answers, and score nothing.

    Takes the same files and options as evaluate. Each file is compared with gold by itself. What --missing, --unknown
    and --duplicates allow is listed as a remark. The exit status is 0 if all files can be scored, 1 if some cannot, and
    3 if gold itself cannot be read.
    """
    found = data.find_problems()
    deliver(found.write(form, width=screen(output)), output, form)
    if not found.ok:
        sys.exit(1)
